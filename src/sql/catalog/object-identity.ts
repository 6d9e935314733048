/**
 * Objects by catalog and oid as kind, schema, name and identity, and vice versa: pg_identify_object, pg_identify_object_as_address
 * and pg_get_object_address. Manual, section 9.26.5.
 */
import { FURTHER, furtherAddress, OTHER, UNSUPPORTED } from './further-addresses.ts';
import { relationOfRowType } from '../../worlds/definition.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { SqlState } from '../../base/errors/sqlstate.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Roles } from '../../identity/roles.ts';
import { quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';
import type { ObjectIdentity } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import { ACCESS_METHODS } from './data/access-methods.ts';
import { collations } from './collation-rows.ts';
import { conversionName } from './conversion-rows.ts';
import { castFacts, fields } from './facts.ts';
import { rangeCasts } from './range-constructors.ts';
import { CLASS, rewriteOid, viewDefaultOid } from './fixed-oids.ts';
import { DEFAULTS_ON } from '../schema/rights.ts';
import { RELATION_WORDS } from './relation-words.ts';
import { defaultAclOid } from './rights-rows.ts';
import { ruleAt } from './rule-rows.ts';
import { SEARCH_PARSER, TEMPLATES } from './search-rows.ts';
import { triggerAt } from './trigger-rows.ts';
import type { CatalogNamesParts } from './catalog-names.ts';
import { relationKind } from './relation-rows.ts';
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { groupNamed, groupNumbered, type GroupKind, memberNumbered, membersOf } from './operator-groups.ts';
import { methodOid } from './operator-catalog.ts';
import { domainChecks } from './user-type-rows.ts';

/** Types with SQL keywords; all others are qualified. */
const SQL_TYPES = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'varchar', 'bpchar', 'bool', 'bit', 'varbit']);
const SQL_TIMES = new Set(['time', 'timetz', 'timestamp', 'timestamptz', 'interval']);

const ADDRESSED = new Set(
  `table,view,materialized view,index,sequence,foreign table,table column,foreign table column,type,domain,
schema,function,aggregate,procedure,routine,operator,role,collation,conversion,table constraint,policy,extension,operator class,operator family,operator of access method,function of access method,event trigger,subscription,large object,foreign-data wrapper,server,user mapping`
    .replaceAll('\n', '')
    .split(','),
);

/** 22P02. */
function oidOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new SvcError('22P02', `invalid input syntax for type oid: "${text}"`);
  return Number(text);
}

function missing(type: string): ObjectIdentity {
  return { type, schema: null, name: null, identity: null, names: null, args: [] };
}

function plain(type: string, name: string): ObjectIdentity {
  return { type, schema: null, name: quoteIdentifier(name), identity: quoteIdentifier(name), names: [name], args: [] };
}

function inSchema(type: string, schema: string, name: string): ObjectIdentity {
  return { type, schema: quoteIdentifier(schema), name: quoteIdentifier(name), identity: quoteNames([schema, name]), names: [schema, name], args: [] };
}

export class ObjectIdentities {
  readonly #parts: CatalogNamesParts;
  readonly #roles: () => Roles;
  readonly #database: string;

  constructor(parts: CatalogNamesParts, roles: () => Roles, database: string) {
    this.#parts = parts;
    this.#roles = roles;
    this.#database = database;
  }

  #typeAt(oid: number): SqlType | null {
    return this.#parts.registry.typeByOid(oid) ?? this.#parts.objects.schema.typeByOid(oid);
  }

  #schemaOf(type: SqlType): string {
    const { types, tables } = this.#parts.objects.schema;
    const own = types.get(type.oid) ?? (type.element === null ? undefined : types.get(type.element.oid));
    if (own !== undefined) return own.schema;
    if (this.#parts.registry.typeByOid(type.oid) !== undefined) return 'pg_catalog';
    const relation = relationOfRowType(type.oid);
    const { views } = this.#parts.objects.schema;
    return relation === null ? 'public' : (tables.get(relation)?.schema ?? views.get(relation)?.schema ?? 'public');
  }

  /** Qualified, except for those with SQL keywords. */
  #title(oid: number): string {
    const type = this.#typeAt(oid);
    if (type === null) return '???';
    if (type.element !== null && type.name.startsWith('_')) return `${this.#title(type.element.oid)}[]`;
    if (SQL_TYPES.has(type.name) || SQL_TIMES.has(type.name)) return type.title;
    return type.name === 'any' ? 'pg_catalog."any"' : quoteNames([this.#schemaOf(type), type.name]);
  }

  #relation(oid: number): { kind: string; schema: string; name: string; columns: (attnum: number) => string | undefined } | null {
    const own = this.#parts.objects.at(oid);
    if (own === undefined) {
      const system = this.#parts.relationsByOid.get(oid);
      if (system === undefined) return null;
      return { kind: system.kind, schema: system.schema, name: system.name, columns: (attnum) => system.columns[attnum - 1]?.name };
    }
    const { schema, name } = own;
    const kind = own.kind === 'r' ? relationKind(own.table) : own.kind;
    const columns = (attnum: number): string | undefined => {
      if (own.kind === 'r') return own.table.columns.find((column) => column.attnum === attnum)?.name;
      return own.kind === 'v' ? own.view.columns[attnum - 1]?.name : undefined;
    };
    return { kind, schema, name, columns };
  }

  identify(catalog: number, oid: number, column: number): ObjectIdentity {
    switch (catalog) {
      case CLASS.pg_class: {
        const found = this.#relation(oid);
        if (found === null) return missing(column === 0 ? 'relation' : 'relation column');
        const type = RELATION_WORDS[found.kind] ?? 'relation';
        if (column === 0) return inSchema(type, found.schema, found.name);
        const attribute = found.columns(column);
        if (attribute === undefined) return missing(`${type} column`);
        return {
          type: `${type} column`,
          schema: quoteIdentifier(found.schema),
          name: quoteIdentifier(found.name),
          identity: quoteNames([found.schema, found.name, attribute]),
          names: [found.schema, found.name, attribute],
          args: [],
        };
      }
      case CLASS.pg_type: {
        const type = this.#typeAt(oid);
        if (type === null) return missing('type');
        const title = this.#title(oid);
        return { type: 'type', schema: quoteIdentifier(this.#schemaOf(type)), name: quoteIdentifier(type.name), identity: title, names: [title], args: [] };
      }
      case CLASS.pg_proc:
        return this.#routine(oid);
      case CLASS.pg_namespace: {
        const name = this.#parts.objects.namespaceName(oid);
        return name === null ? missing('schema') : plain('schema', name);
      }
      case CLASS.pg_constraint:
        return this.#constraint(oid);
      case CLASS.pg_trigger: {
        const trigger = triggerAt(this.#parts.objects.schema, oid);
        return trigger === null ? missing('trigger') : this.#onRelation('trigger', trigger.table, trigger.name, false);
      }
      case CLASS.pg_attrdef:
        return this.#default(oid);
      case CLASS.pg_policy: {
        for (const [number, { policies }] of this.#parts.objects.schema.secured) {
          const policy = policies.find((each) => each.number === oid);
          if (policy !== undefined) return this.#onRelation('policy', number, policy.name, false);
        }
        return missing('policy');
      }
      case CLASS.pg_rewrite: {
        const rule = ruleAt(this.#parts.objects.schema, oid);
        if (rule !== null) return this.#onRelation('rule', rule.table, rule.name, false);
        const view = this.#parts.objects.byOid.get(oid - rewriteOid(0));
        return view === undefined ? missing('rule') : this.#onRelation('rule', view.oid, '_RETURN', false);
      }
      case CLASS.pg_operator: {
        const own = this.#parts.objects.schema.operators.get(oid)?.object;
        const found = own ?? this.#parts.operators.byOid.get(oid);
        if (found === undefined) return missing('operator');
        const [left, right] = [found.left === 0 ? 'NONE' : this.#title(found.left), this.#title(found.right)];
        return {
          type: 'operator',
          schema: quoteIdentifier(own?.schema ?? 'pg_catalog'),
          name: null,
          identity: `${quoteIdentifier(own?.schema ?? 'pg_catalog')}.${found.name}(${left},${right})`,
          names: [own?.schema ?? 'pg_catalog', found.name],
          args: found.left === 0 ? [right] : [left, right],
        };
      }
      case CLASS.pg_cast: {
        for (const [key, cast] of castFacts()) {
          if (cast.oid !== oid) continue;
          const [from, to] = key.split(' ').map((each) => this.#title(Number(each)));
          return { type: 'cast', schema: null, name: null, identity: `(${from} AS ${to})`, names: [from], args: [to] };
        }
        const { schema } = this.#parts.objects;
        const own = schema.casts.get(oid)?.object ?? rangeCasts(schema).find((each) => each.oid === oid);
        if (own === undefined) return missing('cast');
        const [from, to] = [own.from, own.to].map((each) => this.#title(each));
        return { type: 'cast', schema: null, name: null, identity: `(${from} AS ${to})`, names: [from], args: [to] };
      }
      case CLASS.pg_collation: {
        const found = collations().find((each) => each.oid === oid);
        if (found !== undefined) return inSchema('collation', 'pg_catalog', found.name);
        const own = this.#parts.objects.schema.collations.get(oid);
        return own === undefined ? missing('collation') : inSchema('collation', own.schema, own.name);
      }
      case CLASS.pg_conversion: {
        const builtIn = conversionName(oid);
        if (builtIn !== null) return inSchema('conversion', 'pg_catalog', builtIn);
        const own = this.#parts.objects.schema.conversions.get(oid);
        return own === undefined ? missing('conversion') : inSchema('conversion', own.schema, own.name);
      }
      case CLASS.pg_statistic_ext: {
        const own = this.#parts.objects.schema.extendedStatistics.get(oid);
        return own === undefined ? missing('statistics object') : inSchema('statistics object', own.schema, own.name);
      }
      case CLASS.pg_publication: {
        const own = this.#parts.objects.schema.publications.get(oid);
        return own === undefined ? missing('publication') : plain('publication', own.name);
      }
      case CLASS.pg_subscription: {
        const own = this.#parts.objects.schema.plain.of('subscription').get(oid);
        return own === undefined ? missing('subscription') : plain('subscription', own.name);
      }
      case CLASS.pg_publication_rel: {
        const own = this.#parts.objects.schema.plain.of('publication table').get(oid);
        const table = own === undefined ? null : this.#relation(own.table);
        return own === undefined || table === null ? missing('publication relation') : this.#published('relation', [table.schema, table.name], own.publication);
      }
      case CLASS.pg_publication_namespace: {
        const own = this.#parts.objects.schema.plain.of('publication schema').get(oid);
        const name = own === undefined ? null : this.#parts.objects.namespaceName(own.namespace);
        return own === undefined || name === null ? missing('publication namespace') : this.#published('namespace', [name], own.publication);
      }
      case CLASS.pg_authid: {
        const role = this.#roles().byOid(oid);
        return role === null ? missing('role') : plain('role', role.name);
      }
      case CLASS.pg_database:
        return plain('database', this.#database);
      case OTHER.pg_am: {
        const found = fields(ACCESS_METHODS).find(([number]) => Number(number) === oid);
        return found === undefined ? missing('access method') : plain('access method', found[1]);
      }
      case CLASS.pg_opclass:
        return this.#operatorGroup('operator class', oid);
      case CLASS.pg_opfamily:
        return this.#operatorGroup('operator family', oid);
      case CLASS.pg_amop:
        return this.#familyMember('family operator', oid);
      case CLASS.pg_amproc:
        return this.#familyMember('family function', oid);
      case CLASS.pg_ts_config: {
        const found = CONFIGURATIONS.find((each) => each.oid === oid);
        const own = this.#parts.objects.schema.searchConfigurations.get(oid);
        if (own !== undefined) return inSchema('text search configuration', own.schema, own.name);
        return found === undefined ? missing('text search configuration') : inSchema('text search configuration', 'pg_catalog', found.name);
      }
      case CLASS.pg_ts_dict: {
        const found = DICTIONARIES.find((each) => each.oid === oid);
        const own = this.#parts.objects.schema.searchDictionaries.get(oid);
        if (own !== undefined) return inSchema('text search dictionary', own.schema, own.name);
        return found === undefined ? missing('text search dictionary') : inSchema('text search dictionary', 'pg_catalog', found.name);
      }
      case CLASS.pg_extension: {
        for (const { number, name } of this.#parts.objects.schema.extensions.values()) if (number === oid) return plain('extension', name);
        return oid < FIRST_OWN_OID ? plain('extension', 'plpgsql') : missing('extension');
      }
      case CLASS.pg_largeobject:
        if (!this.#parts.hasLargeObject(oid)) return missing('large object');
        return { type: 'large object', schema: null, name: null, identity: String(oid), names: [String(oid)], args: [] };
      case CLASS.pg_foreign_data_wrapper: {
        const own = this.#parts.objects.schema.wrappers.get(oid);
        return own === undefined ? missing('foreign-data wrapper') : plain('foreign-data wrapper', own.name);
      }
      case CLASS.pg_foreign_server: {
        const own = this.#parts.objects.schema.servers.get(oid);
        return own === undefined ? missing('server') : plain('server', own.name);
      }
      case CLASS.pg_user_mapping: {
        const own = this.#parts.objects.schema.plain.of('user mapping').get(oid);
        if (own === undefined) return missing('user mapping');
        const user = own.role === 0 ? 'public' : (this.#roles().byOid(own.role)?.name ?? String(own.role));
        const server = this.#parts.objects.schema.servers.get(own.server)!.name;
        return { type: 'user mapping', schema: null, name: null, identity: `${quoteIdentifier(user)} on server ${server}`, names: [user], args: [server] };
      }
      case CLASS.pg_event_trigger: {
        const own = this.#parts.objects.schema.eventTriggers.get(oid);
        return own === undefined ? missing('event trigger') : plain('event trigger', own.name);
      }
      case CLASS.pg_default_acl: {
        const { schema } = this.#parts.objects;
        const own = schema.defaultRights.find((_, i) => defaultAclOid(i) === oid);
        if (own === undefined) return missing('default acl');
        const names = [this.#roles().byOid(own.role)?.name ?? String(own.role), ...(own.scope === 0 ? [] : [schema.schemaName(own.scope) ?? '?'])];
        const [role, within] = names.map(quoteIdentifier);
        const identity = `for role ${role}${within === undefined ? '' : ` in schema ${within}`} on ${DEFAULTS_ON[own.kind]}`;
        return { type: 'default acl', schema: null, name: null, identity, names, args: [own.kind] };
      }
      case OTHER.pg_ts_parser:
        return oid === SEARCH_PARSER ? inSchema('text search parser', 'pg_catalog', 'default') : missing('text search parser');
      case OTHER.pg_ts_template: {
        const found = TEMPLATES.find((each) => each[0] === oid);
        return found === undefined ? missing('text search template') : inSchema('text search template', 'pg_catalog', found[1]);
      }
      case OTHER.pg_language:
        return oid === 12 ? plain('language', 'internal') : oid === 13 ? plain('language', 'c') : plain('language', oid === 14 ? 'sql' : 'plpgsql');
      case OTHER.pg_tablespace:
        return oid === 1663 ? plain('tablespace', 'pg_default') : oid === 1664 ? plain('tablespace', 'pg_global') : missing('tablespace');
      default:
        throw new SvcError('XX000', `unrecognized object class: ${catalog}`);
    }
  }

  /** A member of a publication. */
  #published(what: 'relation' | 'namespace', names: readonly string[], publication: number): ObjectIdentity {
    const of = this.#parts.objects.schema.publications.get(publication)!.name;
    return {
      type: `publication ${what}`,
      schema: null,
      name: null,
      identity: `${what === 'namespace' ? names[0] : quoteNames(names)} in publication ${of}`,
      names,
      args: [of],
    };
  }

  #operatorGroup(kind: GroupKind, oid: number): ObjectIdentity {
    const found = groupNumbered(this.#parts.objects.schema, kind, oid);
    if (found === null) return missing(kind);
    const { schema, name, method } = found;
    const identity = `${quoteNames([schema, name])} USING ${method}`;
    return { type: kind, schema: quoteIdentifier(schema), name: quoteIdentifier(name), identity, names: [method, schema, name], args: [] };
  }

  #familyMember(kind: 'family operator' | 'family function', oid: number): ObjectIdentity {
    const word = kind.replace('family ', '');
    const type = `${word} of access method`;
    const found = memberNumbered(this.#parts.objects.schema, kind, oid);
    if (found === null) return missing(type);
    const family = this.#operatorGroup('operator family', found.family);
    const types = [found.left, found.right].map((each) => this.#title(each));
    const identity = `${word} ${found.place} (${types.join(', ')}) of ${family.identity}`;
    return { type, schema: null, name: null, identity, names: [...(family.names ?? []), String(found.place)], args: types };
  }

  #groupNamed(kind: GroupKind, method: string, name: readonly string[], lookup: AddressLookup): number {
    if (name.length === 0) throw new SvcError('22023', 'name list length must be at least 2');
    if (methodOid(method) === 0) throw new SvcError('42704', `access method "${method}" does not exist`);
    const found = groupNamed(this.#parts.objects.schema, kind, method, name, lookup.path);
    if (found === null) throw new SvcError('42704', `${kind} "${name.join('.')}" does not exist for access method "${method}"`);
    return found.number;
  }

  /** `pg_catalog.int4`. */
  #qualifiedType(oid: number): string {
    const own = this.#parts.objects.schema.types.get(oid);
    return own === undefined ? `pg_catalog.${this.#typeAt(oid)?.name ?? oid}` : quoteNames([own.schema, own.name]);
  }

  #routine(oid: number): ObjectIdentity {
    const own = this.#parts.objects.schema.functions.get(oid);
    const known = this.#parts.functions.byOid.get(oid);
    if (own === undefined && known === undefined) return missing('routine');
    const schema = own?.object.schema ?? (known!.fn?.schema === undefined ? 'pg_catalog' : 'information_schema');
    const name = own?.object.name ?? known!.name;
    const args = (own?.inputs.map(({ type }) => type.oid) ?? known!.args).map((arg) => this.#title(arg));
    const aggregate = own?.object.aggregate !== undefined || known?.fn?.kind === 'aggregate' || known?.facts?.kind === 'a';
    const type = aggregate ? 'aggregate' : own?.object.procedure === true ? 'procedure' : 'function';
    return { type, schema: quoteIdentifier(schema), name: null, identity: `${quoteNames([schema, name])}(${args.join()})`, names: [schema, name], args };
  }

  #onRelation(type: string, relation: number, name: string, withSchema: boolean): ObjectIdentity {
    const found = this.#relation(relation);
    if (found === null) return missing(type);
    return {
      type,
      schema: withSchema ? quoteIdentifier(found.schema) : null,
      name: null,
      identity: `${quoteIdentifier(name)} on ${quoteNames([found.schema, found.name])}`,
      names: [found.schema, found.name, name],
      args: [],
    };
  }

  #default(oid: number): ObjectIdentity {
    const { schema } = this.#parts.objects;
    const of = (relation: { readonly schema: string; readonly name: string }, column: string): ObjectIdentity => {
      const names = [relation.schema, relation.name, column];
      return { type: 'default value', schema: quoteIdentifier(relation.schema), name: null, identity: `for ${quoteNames(names)}`, names, args: [] };
    };
    for (const table of schema.tables.values()) {
      const column = table.columns.find(({ number }) => number === oid);
      if (column !== undefined) return of(table, column.name);
    }
    for (const view of schema.views.values()) {
      const at = view.columns.findIndex((_, i) => viewDefaultOid(view.number, i + 1) === oid);
      if (at >= 0) return of(view, view.columns[at].name);
    }
    return missing('default value');
  }

  #constraint(oid: number): ObjectIdentity {
    const { objects } = this.#parts;
    const index = objects.byOid.get(oid);
    if (index?.kind === 'i' && index.index.constraint !== null) {
      return this.#onRelation('table constraint', index.index.table.number, index.index.constraint, true);
    }
    const found = objects.constraint(oid);
    if (found !== null) return this.#onRelation('table constraint', found.table.number, found.kind === 'c' ? found.check.name : found.key.name, true);
    for (const { own, number, name } of domainChecks(objects.schema)) {
      if (number !== oid) continue;
      const title = quoteNames([own.schema, own.name]);
      const identity = `${quoteIdentifier(name)} on ${title}`;
      return { type: 'domain constraint', schema: quoteIdentifier(own.schema), name: null, identity, names: [title], args: [name] };
    }
    return missing('constraint');
  }

  /** The inverse; `lookup` resolves names along the search path, as the reg… types do. */
  address(type: string, names: readonly (string | null)[], args: readonly (string | null)[], lookup: AddressLookup): readonly [number, number, number] {
    if (UNSUPPORTED.has(type)) throw new SvcError('22023', `unsupported object type "${type}"`);
    if (!ADDRESSED.has(type) && !FURTHER.has(type)) throw new SvcError('22023', `unrecognized object type "${type}"`);
    if (names.length === 0) throw new SvcError('22023', 'name list length must be at least 1');
    if (names.includes(null) || args.includes(null)) throw new SvcError('22023', 'name or argument lists may not contain nulls');
    const parts = names as readonly string[];
    const types = args as readonly string[];
    const quoted = quoteNames(parts);
    const shown = parts.join('.');
    const one = (): string => {
      if (parts.length !== 1) throw new SvcError('22023', 'name list length must be exactly 1');
      return parts[0];
    };
    const need = (oid: number | null, code: SqlState, message: string): number => {
      if (oid === null) throw new SvcError(code, message);
      return oid;
    };

    const relation = (list: readonly string[]): number => need(lookup.relationOid(quoteNames(list)), '42P01', `relation "${list.join('.')}" does not exist`);
    /** For a part of it: its schema is checked first. */
    const whole = (list: readonly string[]): number => {
      if (list.length === 2) need(lookup.schemaOid(quoteIdentifier(list[0])), '3F000', `schema "${list[0]}" does not exist`);
      return relation(list);
    };
    if (FURTHER.has(type)) {
      const { schema } = this.#parts.objects;
      return furtherAddress(type, parts, types, {
        schema,
        roles: this.#roles(),
        path: lookup.path,
        relation,
        whole,
        columnNumber: (table, name) => lookup.columnNumber(table, name),
        typeOid: (text) => lookup.typeOid(text),
        schemaOid: (name) => lookup.schemaOid(quoteIdentifier(name)),
        typeTitle: (oid) => lookup.typeTitle(oid, -1) ?? String(oid),
      });
    }
    switch (type) {
      case 'table':
      case 'view':
      case 'materialized view':
      case 'index':
      case 'sequence':
      case 'foreign table': {
        const oid = relation(parts);
        const kind = this.#relation(oid)!.kind;
        if (RELATION_WORDS[kind] !== type) throw new SvcError('42809', `"${parts.at(-1)}" is not ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`);
        return [CLASS.pg_class, oid, 0];
      }
      case 'table column':
      case 'foreign table column': {
        if (parts.length < 2) throw new SvcError('42601', 'column name must be qualified');
        const oid = whole(parts.slice(0, -1));
        const column = lookup.columnNumber(oid, parts.at(-1)!);
        if (column === null) throw new SvcError('42703', `column "${parts.at(-1)}" of relation "${parts.slice(0, -1).join('.')}" does not exist`);
        return [CLASS.pg_class, oid, column];
      }
      case 'type':
      case 'domain':
        return [CLASS.pg_type, need(lookup.typeOid(one()), '42704', `type "${parts[0]}" does not exist`), 0];
      case 'schema':
        return [CLASS.pg_namespace, need(lookup.schemaOid(quoteIdentifier(one())), '3F000', `schema "${parts[0]}" does not exist`), 0];
      case 'function':
      case 'aggregate':
      case 'procedure':
      case 'routine':
        return [
          CLASS.pg_proc,
          need(
            lookup.procedureOid(`${quoted}(${types.join()})`),
            '42883',
            `${type} ${shown}(${type === 'aggregate' && types.length === 0 ? '*' : types.map((arg) => this.#titleOf(arg, lookup)).join(',')}) does not exist`,
          ),
          0,
        ];
      case 'operator': {
        if (types.length !== 2) throw new SvcError('22023', 'argument list length must be exactly 2');
        const name = parts.length === 1 ? parts[0] : `${quoteNames(parts.slice(0, -1))}.${parts.at(-1)}`;
        for (const each of types) if (each !== '-') need(lookup.typeOid(each), '42704', `type "${each}" does not exist`);
        const text = `${name}(${types.map((each) => (each === '-' ? 'none' : each)).join()})`;
        return [CLASS.pg_operator, need(lookup.operatorSignatureOid(text), '42883', `operator does not exist: ${types[0]} ${shown} ${types[1]}`), 0];
      }
      case 'role':
        return [CLASS.pg_authid, need(this.#roles().byName(one())?.oid ?? null, '42704', `role "${parts[0]}" does not exist`), 0];
      case 'collation':
        return [CLASS.pg_collation, need(lookup.collationOid(quoted), '42704', `collation "${shown}" for encoding "UTF8" does not exist`), 0];
      case 'conversion':
        return [CLASS.pg_conversion, need(lookup.conversionOid(quoted), '42704', `conversion "${shown}" does not exist`), 0];
      case 'table constraint':
      case 'policy': {
        if (parts.length < 2) throw new SvcError('42601', 'must specify relation and object name');
        const oid = whole(parts.slice(0, -1));
        const name = parts.at(-1)!;
        const found = type === 'policy' ? this.#policyNamed(oid, name) : this.#constraintNamed(oid, name);
        const what = type === 'policy' ? 'policy' : 'constraint';
        return [
          type === 'policy' ? CLASS.pg_policy : CLASS.pg_constraint,
          need(found, '42704', `${what} "${name}" for table "${parts.at(-2)}" does not exist`),
          0,
        ];
      }
      case 'extension': {
        const found = [...this.#parts.objects.schema.extensions.values()].find((each) => each.name === one());
        return [CLASS.pg_extension, need(found?.number ?? null, '42704', `extension "${parts[0]}" does not exist`), 0];
      }
      case 'large object':
        return [CLASS.pg_largeobject, need(this.#parts.hasLargeObject(oidOf(one())) ? oidOf(one()) : null, '42704', `large object ${one()} does not exist`), 0];
      case 'foreign-data wrapper': {
        const found = [...this.#parts.objects.schema.wrappers.values()].find((each) => each.name === one());
        return [CLASS.pg_foreign_data_wrapper, need(found?.number ?? null, '42704', `foreign-data wrapper "${parts[0]}" does not exist`), 0];
      }
      case 'server':
        return [CLASS.pg_foreign_server, this.#server(one()), 0];
      case 'user mapping': {
        if (types.length !== 1) throw new SvcError('22023', 'argument list length must be exactly 1');
        const [user] = parts;
        const server = this.#server(types[0]);
        const absent = `user mapping for user "${user}" on server "${types[0]}" does not exist`;
        const role = user === 'public' ? 0 : need(this.#roles().byName(user)?.oid ?? null, '42704', absent);
        const found = [...this.#parts.objects.schema.plain.of('user mapping').values()].find((each) => each.role === role && each.server === server);
        return [CLASS.pg_user_mapping, need(found?.number ?? null, '42704', absent), 0];
      }
      case 'subscription': {
        const found = [...this.#parts.objects.schema.plain.of('subscription').values()].find((each) => each.name === one());
        return [CLASS.pg_subscription, need(found?.number ?? null, '42704', `subscription "${parts[0]}" does not exist`), 0];
      }
      case 'event trigger': {
        const found = [...this.#parts.objects.schema.eventTriggers.values()].find((each) => each.name === one());
        return [CLASS.pg_event_trigger, need(found?.number ?? null, '42704', `event trigger "${parts[0]}" does not exist`), 0];
      }
      case 'operator class':
      case 'operator family': {
        const [method, ...name] = parts;
        return [type === 'operator class' ? CLASS.pg_opclass : CLASS.pg_opfamily, this.#groupNamed(type, method, name, lookup), 0];
      }
      case 'operator of access method':
      case 'function of access method': {
        if (types.length !== 2) throw new SvcError('22023', 'argument list length must be exactly 2');
        const [method, ...name] = parts.slice(0, -1);
        const family = this.#groupNamed('operator family', method, name, lookup);
        const kind = type === 'operator of access method' ? 'family operator' : 'family function';
        const [left, right] = types.map((each) => need(lookup.typeOid(each), '42704', `type "${each}" does not exist`));
        const place = Number(parts.at(-1));
        for (const each of membersOf(this.#parts.objects.schema, kind, family)) {
          if (each.place === place && each.left === left && each.right === right)
            return [kind === 'family operator' ? CLASS.pg_amop : CLASS.pg_amproc, each.number, 0];
        }
        const [a, b] = [left, right].map((oid) => this.#qualifiedType(oid));
        const word = kind.replace('family ', '');
        throw new SvcError('42704', `${word} ${place} (${a}, ${b}) of ${lookup.describe(CLASS.pg_opfamily, family, 0)} does not exist`);
      }
      default:
        throw new SvcError('22023', `unrecognized object type "${type}"`);
    }
  }

  /** 42704. */
  #server(name: string): number {
    for (const server of this.#parts.objects.schema.servers.values()) if (server.name === name) return server.number;
    throw new SvcError('42704', `server "${name}" does not exist`);
  }

  #titleOf(text: string, lookup: AddressLookup): string {
    const oid = lookup.typeOid(text);
    return oid === null ? text : (this.#typeAt(oid)?.title ?? text);
  }

  #policyNamed(table: number, name: string): number | null {
    return new Map(this.#parts.objects.schema.secured).get(table)?.policies.find((each) => each.name === name)?.number ?? null;
  }

  #constraintNamed(table: number, name: string): number | null {
    const index = this.#parts.objects.indexesOf(table).find((each) => each.constraint === name);
    if (index !== undefined) return index.oid;
    const own = this.#parts.objects.schema.tables.get(table);
    return own?.checks.find((each) => each.name === name)?.number ?? own?.foreignKeys.find((each) => each.name === name)?.number ?? null;
  }
}

export interface AddressLookup {
  /** The schemas to search. */
  readonly path: readonly string[];
  relationOid(text: string): number | null;
  columnNumber(relation: number, name: string): number | null;
  typeOid(text: string): number | null;
  typeTitle(oid: number, typmod: number): string | null;
  schemaOid(text: string): number | null;
  procedureOid(text: string): number | null;
  operatorSignatureOid(text: string): number | null;
  collationOid(text: string): number | null;
  conversionOid(text: string): number | null;
  describe(catalog: number, oid: number, column: number): string | null;
}
