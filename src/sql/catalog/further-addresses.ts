/**
 * pg_get_object_address for objects that no reg… type finds: languages, casts, defaults, rules and triggers, text search,
 * publications, statistics, default privileges. Manual, section 9.26.5.
 */
import type { SqlState } from '../../base/errors/sqlstate.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Roles } from '../../identity/roles.ts';
import { LANGUAGES, TABLESPACES } from '../functions/system/server-oids.ts';
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { DEFAULTS_ON } from '../schema/rights.ts';
import type { Schema } from '../schema/schema.ts';
import { castFacts } from './facts.ts';
import { CLASS, rewriteOid, viewDefaultOid } from './fixed-oids.ts';
import { methodOid } from './operator-catalog.ts';
import { defaultAclOid } from './rights-rows.ts';
import { SEARCH_PARSER, TEMPLATES } from './search-rows.ts';
import { domainChecks } from './user-type-rows.ts';

/** Catalogs whose objects are only looked up by address. */
export const OTHER = { pg_tablespace: 1213, pg_language: 2612, pg_am: 2601, pg_ts_parser: 3601, pg_ts_template: 3764 } as const;

const languages: ReadonlyMap<string, number> = new Map(Object.entries(LANGUAGES));
const tablespaces: ReadonlyMap<string, number> = new Map(Object.entries(TABLESPACES));

export const FURTHER: ReadonlySet<string> = new Set([
  'language',
  'access method',
  'tablespace',
  'cast',
  'transform',
  'domain constraint',
  'default value',
  'rule',
  'trigger',
  'text search parser',
  'text search template',
  'text search dictionary',
  'text search configuration',
  'publication',
  'publication namespace',
  'publication relation',
  'statistics object',
  'default acl',
]);

/** Kinds that have addresses but no names. */
export const UNSUPPORTED: ReadonlySet<string> = new Set([
  'toast table',
  'index column',
  'sequence column',
  'toast table column',
  'view column',
  'materialized view column',
]);

export interface FurtherLookup {
  readonly schema: Schema;
  readonly roles: Roles;
  readonly path: readonly string[];
  /** 42P01. */
  relation(names: readonly string[]): number;
  /** The same for a part of it, whose schema is checked first: 3F000. */
  whole(names: readonly string[]): number;
  columnNumber(relation: number, name: string): number | null;
  typeOid(text: string): number | null;
  schemaOid(text: string): number | null;
  typeTitle(oid: number): string;
}

type Address = readonly [number, number, number];

function need<T>(found: T | null | undefined, code: SqlState, message: string): T {
  if (found === null || found === undefined) throw new SvcError(code, message);
  return found;
}

export function furtherAddress(kind: string, names: readonly string[], args: readonly string[], lookup: FurtherLookup): Address {
  const { schema } = lookup;
  const shown = names.join('.');
  const last = names[names.length - 1];
  const one = (): string => {
    if (names.length !== 1) throw new SvcError('22023', 'name list length must be exactly 1');
    return names[0];
  };
  const oneArgument = (): string => {
    if (args.length !== 1) throw new SvcError('22023', 'argument list length must be exactly 1');
    return args[0];
  };
  const ofRelation = (): number => {
    if (names.length < 2) throw new SvcError('42601', kind === 'default value' ? 'column name must be qualified' : 'must specify relation and object name');
    return lookup.whole(names.slice(0, -1));
  };
  const type = (name: string): number => need(lookup.typeOid(name), '42704', `type "${name}" does not exist`);
  const plainNamed = (catalog: number, oid: number | null | undefined): Address => [catalog, need(oid, '42704', `${kind} "${one()}" does not exist`), 0];
  /** Along the path; `system` are those of pg_catalog. */
  const placed = (catalog: number, system: ReadonlyMap<string, number>, own: Iterable<{ number: number; schema: string; name: string }> = []): Address => {
    if (names.length > 2) throw new SvcError('0A000', `cross-database references are not implemented: ${shown}`);
    const all = [...own];
    for (const within of names.length === 2 ? [names[0]] : ['pg_catalog', ...lookup.path]) {
      const found = within === 'pg_catalog' ? system.get(last) : all.find((each) => each.schema === within && each.name === last)?.number;
      if (found !== undefined) return [catalog, found, 0];
    }
    throw new SvcError('42704', `${kind} "${shown}" does not exist`);
  };
  const publication = (): number => {
    const found = [...schema.publications.values()].find(({ name }) => name === args[0]);
    return need(found?.number, '42704', `publication "${args[0]}" does not exist`);
  };
  switch (kind) {
    case 'language':
      return plainNamed(OTHER.pg_language, languages.get(one()));
    case 'access method':
      return plainNamed(OTHER.pg_am, methodOid(one()) === 0 ? null : methodOid(names[0]));
    case 'tablespace':
      return plainNamed(OTHER.pg_tablespace, tablespaces.get(one()));
    case 'publication':
      return plainNamed(CLASS.pg_publication, [...schema.publications.values()].find(({ name }) => name === one())?.number);
    case 'cast': {
      // Lengths are checked before any name.
      if (names.length === 1) oneArgument();
      const [from, to] = [type(one()), type(oneArgument())];
      const known =
        castFacts().get(`${from} ${to}`)?.oid ?? [...schema.casts.values()].find(({ object }) => object.from === from && object.to === to)?.object.number;
      return [CLASS.pg_cast, need(known, '42704', `cast from type ${lookup.typeTitle(from)} to type ${lookup.typeTitle(to)} does not exist`), 0];
    }
    case 'transform': {
      if (names.length === 1) oneArgument();
      const title = lookup.typeTitle(type(one()));
      throw new SvcError('42704', `transform for type ${title} language "${oneArgument()}" does not exist`);
    }
    case 'domain constraint': {
      if (names.length === 1) oneArgument();
      const oid = type(one());
      const name = oneArgument();
      const title = lookup.typeTitle(oid);
      if (schema.types.get(oid)?.object.what !== 'domain') throw new SvcError('42809', `"${title}" is not a domain`);
      for (const check of domainChecks(schema)) if (check.own.number === oid && check.name === name) return [CLASS.pg_constraint, check.number, 0];
      throw new SvcError('42704', `constraint "${name}" for domain ${title} does not exist`);
    }
    case 'default value': {
      const oid = ofRelation();
      const attnum = lookup.columnNumber(oid, last);
      const table = schema.tables.get(oid)?.columns.find((column) => column.attnum === attnum);
      const view = attnum === null ? undefined : schema.views.get(oid)?.columns[attnum - 1];
      const found =
        table !== undefined && (table.default ?? table.generated) !== null ? table.number : view?.default === undefined ? null : viewDefaultOid(oid, attnum!);
      return [CLASS.pg_attrdef, need(found, '42703', `default value for column "${last}" of relation "${names.slice(0, -1).join('.')}" does not exist`), 0];
    }
    case 'rule': {
      const oid = ofRelation();
      const isView = schema.views.has(oid) || (schema.tables.get(oid)?.materialized ?? null) !== null;
      const found = last === '_RETURN' && isView ? rewriteOid(oid) : schema.rules(oid).find(({ name }) => name === last)?.number;
      return [CLASS.pg_rewrite, need(found, '42704', `rule "${last}" for relation "${names.at(-2)}" does not exist`), 0];
    }
    case 'trigger': {
      const found = schema.triggers(ofRelation()).find(({ name }) => name === last);
      return [CLASS.pg_trigger, need(found?.number, '42704', `trigger "${last}" for table "${names.at(-2)}" does not exist`), 0];
    }
    case 'text search parser':
      return placed(OTHER.pg_ts_parser, new Map([['default', SEARCH_PARSER]]));
    case 'text search template':
      return placed(OTHER.pg_ts_template, new Map(TEMPLATES.map(([oid, name]) => [name, oid])));
    case 'text search dictionary':
      return placed(CLASS.pg_ts_dict, new Map(DICTIONARIES.map(({ oid, name }) => [name, oid])), schema.searchDictionaries.values());
    case 'text search configuration':
      return placed(CLASS.pg_ts_config, new Map(CONFIGURATIONS.map(({ oid, name }) => [name, oid])), schema.searchConfigurations.values());
    case 'statistics object':
      return placed(CLASS.pg_statistic_ext, new Map(), schema.extendedStatistics.values());
    case 'publication namespace': {
      if (names.length === 1) oneArgument();
      const namespace = need(lookup.schemaOid(one()), '3F000', `schema "${names[0]}" does not exist`);
      const of = publication();
      const found = [...schema.plain.of('publication schema').values()].find((each) => each.namespace === namespace && each.publication === of);
      return [CLASS.pg_publication_namespace, need(found?.number, '42704', `publication schema "${names[0]}" in publication "${args[0]}" does not exist`), 0];
    }
    case 'publication relation': {
      oneArgument();
      const table = lookup.relation(names);
      const of = publication();
      const found = [...schema.plain.of('publication table').values()].find((each) => each.table === table && each.publication === of);
      return [CLASS.pg_publication_rel, need(found?.number, '42704', `publication relation "${last}" in publication "${args[0]}" does not exist`), 0];
    }
    default:
      return defaultRights(names, oneArgument(), lookup);
  }
}

function defaultRights([role, within]: readonly string[], given: string, { roles, schema, schemaOid }: FurtherLookup): Address {
  const kind = given[0] ?? '';
  if (!Object.hasOwn(DEFAULTS_ON, kind)) {
    throw new SvcError('22023', `unrecognized default ACL object type "${kind}"`, {
      hint: 'Valid object types are "r", "S", "f", "T", "n".',
    });
  }
  const on = DEFAULTS_ON[kind as keyof typeof DEFAULTS_ON];
  const absent =
    within === undefined
      ? `default ACL for user "${role}" on ${on} does not exist`
      : `default ACL for user "${role}" in schema "${within}" on ${on} does not exist`;
  const owner = need(roles.byName(role)?.oid, '42704', absent);
  const scope = within === undefined ? 0 : need(schemaOid(within), '42704', absent);
  const at = schema.defaultRights.findIndex((each) => each.role === owner && each.scope === scope && each.kind === kind);
  return [CLASS.pg_default_acl, defaultAclOid(need(at < 0 ? null : at, '42704', absent)), 0];
}
