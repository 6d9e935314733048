/**
 * Names of oids and oids of names, along a search path: for the reg… types, `to_regclass` and functions that print definitions. The
 * session's System delegates to it.
 */
import { type DefaultRightsObject, type FunctionObject, isTemporarySchema } from '../../worlds/definition.ts';
import { RELATION_EXTENSIONS, systemSchemaOf } from './extension-relations.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { EXTENSION_TYPES, extensionSchemaOf, isHiddenType } from '../schema/extension-types.ts';
import { EXTENSIONS } from './extensions.ts';
import { systemDescription, systemDescriptions } from './system-descriptions.ts';
import { conversionName, conversionNamed } from './conversion-rows.ts';
import { isSearchObject } from './search-rows.ts';
import type { SqlFunction } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import { isQuotingAll, quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';
import { defaultRightsTitle } from '../schema/rights.ts';
import { RELATION_WORDS } from './relation-words.ts';
import { ObjectIdentities } from './object-identity.ts';
import type { Definitions, NamedKind, ObjectIdentity, System } from '../types/environment.ts';
import { domainChecks, domainTable, withValue } from './user-type-rows.ts';
import type { SqlType } from '../types/type.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Roles } from '../../identity/roles.ts';
import { collationByOid, collations } from './collation-rows.ts';
import { DefinitionTexts, queryOf } from './definition-texts.ts';
import { isPublishable, publishedTables } from './publication-rows.ts';
import { triggerAt, triggerDefinition } from './trigger-rows.ts';
import { columnsOf } from '../types/record-type.ts';
import { rangeCasts, rangeConstructors } from './range-constructors.ts';
import { classOf } from './description-rows.ts';
import { CLASS, rewriteOid } from './fixed-oids.ts';
import { ruleAt } from './rule-rows.ts';
import { type FunctionCatalog, type FunctionEntry, supportFunction } from './function-catalog.ts';
import type { SearchConfigurationObject, SearchDictionaryObject } from '../../worlds/definition.ts';
import type { UserFunction } from '../schema/schema.ts';
import { orderedSetArguments, userArguments, userResult } from './user-function-rows.ts';
import { splitName, splitSignature } from './object-name.ts';
import { statisticsDefinition, statisticsElements } from './statistics-rows.ts';
import { type FamilyMember, groupNamed, groupNumbered, memberNumbered } from './operator-groups.ts';
import { memberFunction, memberOperator } from './own-operator-class-rows.ts';
import { type OperatorCatalog, type OperatorEntry } from './operator-catalog.ts';
import type { RelationDefinition } from './relation-definitions.ts';
import type { PathView } from './shown-names.ts';
import { qualifiedTitle, shownName, typeTitle, writtenType } from './type-title.ts';
import { indexColumns, relationKind } from './relation-rows.ts';
import { partitionAncestors, partitionCondition, partitionTree } from './partition-rows.ts';
import { partitionHash } from '../schema/partition-hash.ts';
import { partitionKeyText } from '../schema/partition-text.ts';
import type { Value } from '../types/value.ts';
import type { WorldObjects } from './world-objects.ts';
import { standardDomainTitle } from './standard-domains.ts';
import { functionDefaults, HANDLER_TYPES, symbolFacts, typeFacts } from './facts.ts';
import { factLines } from './function-facts.ts';

/** By pg_proc.proargmodes. */
const ARGUMENT_MODES: Readonly<Record<string, string>> = { i: '', o: 'OUT ', b: 'INOUT ', v: 'VARIADIC ', t: '' };

export interface CatalogNamesParts {
  readonly registry: Registry;
  readonly objects: WorldObjects;
  readonly functions: FunctionCatalog;
  readonly operators: OperatorCatalog;
  /** By `schema.name`. */
  readonly relations: ReadonlyMap<string, RelationDefinition>;
  readonly relationsByOid: ReadonlyMap<number, RelationDefinition>;
  readonly hasLargeObject: (oid: number) => boolean;
}

export type NameLookups = Pick<
  System,
  | 'relationOid'
  | 'relationName'
  | 'typeOid'
  | 'typeTitle'
  | 'functionOid'
  | 'functionName'
  | 'operatorOid'
  | 'operatorName'
  | 'schemaOid'
  | 'schemaName'
  | 'roleOid'
  | 'roleName'
  | 'relationVisible'
  | 'typeVisible'
  | 'viewDefinition'
  | 'indexDefinition'
  | 'constraintDefinition'
  | 'serialSequence'
> &
  Definitions;

/** A function that is going to be called. */
export interface Callable {
  readonly name: string;
  /** Qualified, in SQL syntax. */
  readonly written: string;
  /** Oids of its argument types. */
  readonly args: readonly number[];
  /** Neither an aggregate, window function or procedure, nor set-returning. */
  readonly isPlain: boolean;
}

type NamedOperator = Pick<OperatorEntry, 'oid' | 'name' | 'left' | 'right'>;

export class CatalogNames implements NameLookups {
  readonly #parts: CatalogNamesParts;
  /** The schemas to search, including pg_catalog. */
  readonly path: readonly string[];
  readonly #database: string;
  readonly #roles: () => Roles;
  #texts: DefinitionTexts | null = null;

  constructor(parts: CatalogNamesParts, path: readonly string[], database: string, roles: () => Roles) {
    this.#parts = parts;
    // pg_catalog is searched first unless the path contains it.
    this.path = path.includes('pg_catalog') ? path : ['pg_catalog', ...path];
    this.#database = database;
    this.#roles = roles;
  }

  /** Used in place of a session by the reg… types. */
  get definitions(): Definitions {
    return this;
  }

  get texts(): DefinitionTexts {
    if (this.#texts === null) {
      const { objects, registry } = this.#parts;
      const stored = new CatalogNames(this.#parts, [...objects.schema.schemas.keys()], this.#database, this.#roles);
      this.#texts = new DefinitionTexts(objects, registry, this as unknown as System & PathView, stored as unknown as System);
    }
    return this.#texts;
  }

  /** `pg_temp` means the session's temporary schema. */
  #meant(schema: string): string {
    return schema === 'pg_temp' ? (this.path.find(isTemporarySchema) ?? schema) : schema;
  }

  /** Schema (null: along the path) and name; 42601 and 0A000 for names with too many parts. */
  #qualified(text: string, what: 'relation' | 'qualified' = 'qualified'): { schema: string | null; name: string } {
    const parts = splitName(text);
    const shown = parts.join('.');
    if (parts.length > 3) throw new SvcError('42601', `improper ${what} name (too many dotted names): ${shown}`);
    if (parts.length === 3 && parts[0] !== this.#database) {
      throw new SvcError('0A000', `cross-database references are not implemented: ${what === 'relation' ? `"${shown}"` : shown}`);
    }
    return { schema: parts.length === 1 ? null : this.#meant(parts[parts.length - 2]), name: parts[parts.length - 1] };
  }

  // --- relations

  #relationIn(schema: string, name: string): number | null {
    const system = systemSchemaOf(this.#parts.objects.schema, schema, name);
    return (system === null ? undefined : this.#parts.relations.get(`${system}.${name}`))?.oid ?? this.#parts.objects.relation(schema, name)?.oid ?? null;
  }

  #relationAlong(name: string): number | null {
    for (const schema of this.path) {
      const oid = this.#relationIn(schema, name);
      if (oid !== null) return oid;
    }
    return null;
  }

  relationOid(text: string): number | null {
    const { schema, name } = this.#qualified(text, 'relation');
    return schema === null ? this.#relationAlong(name) : this.#relationIn(schema, name);
  }

  #relation(oid: number): { schema: string; name: string } | null {
    const own = this.#parts.objects.at(oid);
    if (own !== undefined) return own;
    const system = this.#parts.relationsByOid.get(oid);
    const extension = this.#parts.objects.schema.extensions.get(RELATION_EXTENSIONS.get(oid) ?? '');
    if (system === undefined || (RELATION_EXTENSIONS.has(oid) && extension === undefined)) return null;
    return extension === undefined ? system : { schema: extension.schema, name: system.name };
  }

  relationName(oid: number): string | null {
    const found = this.#relation(oid);
    if (found === null) return null;
    return this.#seesFirst(found.schema, found.name) ? quoteIdentifier(found.name) : quoteNames([found.schema, found.name]);
  }

  relationBareName(oid: number): string | null {
    return this.#relation(oid)?.name ?? null;
  }

  relationVisible(oid: number): boolean {
    const found = this.#relation(oid);
    return found !== null && this.#seesFirst(found.schema, found.name);
  }

  /** Whether the path reaches the schema before another one with the name. */
  #seesFirst(schema: string, name: string): boolean {
    for (const each of this.path) {
      if (each === schema) return true;
      if (this.#relationIn(each, name) !== null) return false;
    }
    return false;
  }

  /** Bits of the possible writes to the relation, or to one of its columns: 4 update, 8 insert, 16 delete. */
  updatable(oid: number, attnum: number): number {
    if (oid < FIRST_OWN_OID) return 0;
    const view = this.#parts.objects.schema.views.get(oid);
    if (view === undefined) return ['r', 'p'].includes(this.relationKind(oid) ?? '') ? 28 : 0;
    const bits = { update: 4, insert: 8, delete: 16 };
    const ruled = this.#parts.objects.schema
      .rules(oid)
      .reduce((all, { event, instead, where, fires }) => (instead && where === null && fires !== 'never' ? all | bits[event] : all), 0);
    // Rules of a view accept every column.
    if (attnum > 0 && (ruled & 20) === 20) return 4;
    const writable = this.texts.writable(view);
    if (writable === null) return attnum > 0 ? 0 : ruled;
    if (attnum > 0) return writable[attnum - 1] === true ? 4 : 0;
    return ruled | (writable.includes(true) ? 28 : 16);
  }

  relationKind(oid: number): string | null {
    const own = this.#parts.objects.at(oid);
    if (own?.kind === 'r') return relationKind(own.table);
    if (own?.kind === 'i' && own.index.table.inheritance?.partitionBy != null) return 'I';
    return own?.kind ?? this.#parts.relationsByOid.get(oid)?.kind ?? null;
  }

  columnNumber(relation: number, name: string): number | null {
    const own = this.#parts.objects.at(relation);
    const system = this.#parts.relationsByOid.get(relation);
    let names: readonly string[];
    if (own?.kind === 'r') return own.table.columns.find((column) => column.name === name)?.attnum ?? SYSTEM_ATTNUMS[name] ?? null;
    else if (own?.kind === 'v') names = own.view.columns.map((column) => column.name);
    else if (own?.kind === 'i') names = indexColumns(own.index).map((column) => column.name);
    else if (own?.kind === 'S') names = ['last_value', 'log_cnt', 'is_called'];
    else if (own?.kind === 'c') return columnsOf(own.type.type)!.find((column) => column.name === name)?.attnum ?? null;
    else names = system?.columns.map((column) => column.name) ?? [];
    const found = names.indexOf(name);
    return found < 0 ? null : found + 1;
  }

  indexesOf(table: number): readonly number[] {
    return this.#parts.objects.indexesOf(table).map(({ oid }) => oid);
  }

  // --- types

  #typeIn(schema: string, name: string): SqlType | null {
    const own = this.#parts.objects.schema;
    if (schema === 'pg_catalog') {
      const type = this.#parts.registry.findType(name);
      return type === undefined || isHiddenType(own, type.oid) || (extensionSchemaOf(own, type.oid) ?? schema) !== schema ? null : type;
    }
    const found = own.typeByName(schema, name);
    if (found !== null || own.extensions.size === 0) return found;
    const type = this.#parts.registry.findType(name);
    return type !== undefined && extensionSchemaOf(own, type.oid) === schema ? type : null;
  }

  #typeAlong(name: string): SqlType | null {
    for (const schema of this.path) {
      const type = this.#typeIn(schema, name);
      if (type !== null) return type;
    }
    return null;
  }

  type(oid: number): SqlType | null {
    return this.#parts.registry.typeByOid(oid) ?? this.#parts.objects.schema.typeByOid(oid);
  }

  typeOid(text: string): number | null {
    const written = writtenType(text);
    let type: SqlType | null;
    if (written.text === null) type = this.#typeIn('pg_catalog', written.name);
    else {
      const { schema, name } = this.#qualified(written.text);
      type = schema === null ? this.#typeAlong(name) : this.#typeIn(schema, name);
    }
    // Dumps write the schema of an extension.
    type ??= written.text === null ? null : this.#extensionType(this.#qualified(written.text));
    if (type === null) return null;
    if (!written.array || type.element !== null) return type.oid;
    return type.arrayOid === 0 ? null : type.arrayOid;
  }

  #extensionType({ schema, name }: { schema: string | null; name: string }): SqlType | null {
    const type = schema !== null && this.#parts.objects.namespaceOid(schema) !== null ? this.#parts.registry.findType(name) : undefined;
    return type !== undefined && EXTENSION_TYPES.has(type.oid) ? type : null;
  }

  readonly #typeNamed = (type: SqlType): string => {
    const schema = this.#schemaOfType(type);
    if (schema === null || this.#typeAlong(type.name) === type) return shownName(type);
    return qualifiedTitle(type, schema);
  };

  /** null for built-in types. */
  #schemaOfType({ oid, element }: SqlType): string | null {
    const own = this.#parts.objects.schema;
    const found = own.types.get(oid) ?? (element === null ? undefined : own.types.get(element.oid));
    return found?.schema ?? own.schemaOfPart(oid) ?? extensionSchemaOf(own, oid);
  }

  typeTitle(oid: number, typmod: number | null): string | null {
    if (oid === 0) return '-';
    const type = this.type(oid);
    if (type === null) return HANDLER_TYPES.has(oid) ? typeFacts().get(oid)!.name : standardDomainTitle(oid);
    return typeTitle(type, typmod, this.#typeNamed);
  }

  typeVisible(oid: number): boolean {
    const type = this.type(oid);
    return type !== null && this.#typeAlong(type.name) === type;
  }

  // --- functions

  seesSchema(schema: string): boolean {
    return this.path.includes(schema);
  }

  /** Whether the path reaches the schema before another one with a function of the name. */
  seesFunction(schema: string, name: string): boolean {
    const builtIn = this.#parts.functions.byName.get(name) ?? [];
    return this.#sees(
      schema,
      builtIn.some(({ fn }) => fn?.extension === undefined),
      (each) => this.#parts.objects.schema.functionsNamed(each, name).length > 0,
    );
  }

  seesOperator(schema: string, name: string): boolean {
    const { operators } = this.#parts.objects.schema;
    const own = [...operators.values()].filter(({ object }) => object.name === name);
    return this.#sees(schema, false, (each) => own.some(({ object }) => object.schema === each));
  }

  #sees(schema: string, builtIn: boolean, has: (schema: string) => boolean): boolean {
    for (const each of this.path) {
      if (each === schema) return true;
      if (each === 'pg_catalog' ? builtIn : has(each)) return false;
    }
    return false;
  }

  #functionsNamed(text: string): readonly FunctionEntry[] {
    const { schema, name } = this.#qualified(text);
    const known = schema === null || schema === 'pg_catalog' ? (this.#parts.functions.byName.get(name) ?? []) : [];
    const all = this.#parts.objects.schema;
    const made = rangeConstructors(all);
    if (all.functions.size === 0 && made.length === 0) return known;
    const own = (schema === null ? this.path.filter((each) => !isTemporarySchema(each)) : [schema]).flatMap((each) =>
      [...all.functionsNamed(each, name), ...made.filter(({ object }) => object.schema === each && object.name === name)].map(entryOf),
    );
    return own.length === 0 ? known : [...known, ...own];
  }

  #userFunction(oid: number): UserFunction | undefined {
    const { schema } = this.#parts.objects;
    return schema.functions.get(oid) ?? rangeConstructors(schema).find(({ object }) => object.number === oid);
  }

  functionOid(text: string): number | null {
    const found = this.#functionsNamed(text);
    return found.length === 1 ? found[0].oid : null;
  }

  functionCount(name: string): number {
    return this.#functionsNamed(name).length;
  }

  functionName(oid: number): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      const { schema, name } = own.object;
      return this.#functionsNamed(quoteIdentifier(name)).length === 1 ? quoteIdentifier(name) : quoteNames([schema, name]);
    }
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    // An overloaded name is ambiguous.
    return this.#parts.functions.byName.get(found.name)!.length === 1 ? quoteIdentifier(found.name) : quoteNames(['pg_catalog', found.name]);
  }

  /** How to call a function given by oid. */
  callable(oid: number): Callable | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      const { schema, name, procedure, aggregate, set, window } = own.object;
      const isPlain = !procedure && aggregate === undefined && !set && window !== true;
      return { name, written: quoteNames([schema, name]), args: own.inputs.map(({ type }) => type.oid), isPlain };
    }
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    const { name, args, fn } = found;
    return { name, written: quoteNames(['pg_catalog', name]), args, isPlain: fn === null || fn.kind === 'scalar' };
  }

  /** A built-in function; null for user-defined ones. */
  functionAt(oid: number): SqlFunction | null {
    return this.#parts.functions.byOid.get(oid)?.fn ?? null;
  }

  procedureOid(text: string): number | null {
    const parts = splitSignature(text);
    if (parts === null) return null;
    const args = parts.args.map((arg) => {
      const oid = this.typeOid(arg);
      if (oid === null) throw new SvcError('42704', `type "${arg}" does not exist`);
      return oid;
    });
    return this.#functionsNamed(parts.name).find((each) => each.args.join() === args.join())?.oid ?? null;
  }

  procedureName(oid: number): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      const title = `${quoteIdentifier(own.object.name)}(${own.inputs.map(({ type }) => this.#title(type.oid)).join(',')})`;
      return this.visible('function', oid) === true ? title : `${quoteIdentifier(own.object.schema)}.${title}`;
    }
    const found = this.#parts.functions.byOid.get(oid);
    return found === undefined ? null : `${quoteIdentifier(found.name)}(${found.args.map((arg) => this.#title(arg)).join(',')})`;
  }

  #title(oid: number): string {
    return oid === 2276 ? '"any"' : (this.typeTitle(oid, null) ?? '???');
  }

  functionDefault(oid: number, argument: number): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      const arg = own.object.args[argument - 1];
      return arg === undefined || arg.default === null ? null : this.texts.argument(arg.default, arg.type);
    }
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    const { modes, types } = this.#parts.functions.parametersOf(found);
    const isInput = (i: number): boolean => !['o', 't'].includes(modes?.[i] ?? 'i');
    if (!isInput(argument - 1)) return null;
    const input = (types ?? found.args).slice(0, argument - 1).filter((_, i) => isInput(i)).length;
    return functionDefaults().get(oid)?.[input - found.args.length + found.defaults] ?? null;
  }

  functionArguments(oid: number, identity: boolean): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      return userArguments(
        own,
        identity,
        (type) => this.#title(type),
        quoteIdentifier,
        (text, type) => this.texts.argument(text, type),
      );
    }
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    const { fn, args, defaults } = found;
    const { modes, types, names } = this.#parts.functions.parametersOf(found);
    const parts: string[] = [];
    const given = functionDefaults().get(oid);
    (types ?? args).forEach((type, i) => {
      const mode = modes?.[i] ?? 'i';
      if (mode === 't') return;
      const name = names?.[i] ?? '';
      const text = `${ARGUMENT_MODES[mode]}${name === '' ? '' : `${quoteIdentifier(name)} `}${this.#title(type)}`;
      parts.push(!identity && i < args.length && i >= args.length - defaults ? `${text} DEFAULT ${given?.[i - args.length + defaults] ?? 'NULL'}` : text);
    });
    if (fn?.kind === 'aggregate' && fn.orderedSet !== undefined) {
      return orderedSetArguments(parts, fn.orderedSet.hypothetical ? parts.length : fn.orderedSet.directArgs);
    }
    return parts.join(', ');
  }

  functionResult(oid: number): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) return userResult(own, (type) => this.#title(type), quoteIdentifier);
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    const set = found.facts?.set ?? found.fn?.kind === 'set';
    return `${set ? 'SETOF ' : ''}${this.#title(found.returns)}`;
  }

  /** A body that was not given as a text; null if it was, or for a built-in function. */
  functionBody(oid: number): string | null {
    const own = this.#userFunction(oid);
    return own === undefined ? null : this.#bodyText(own.object);
  }

  #bodyText({ form, body }: FunctionObject): string | null {
    if (form === 'text') return null;
    if (form === 'return') return `RETURN ${this.texts.value(body)}`;
    const lines = this.texts.statements(body).map((each) => ` ${each.trim()};\n`);
    return `BEGIN ATOMIC\n${lines.join('')}END`;
  }

  #userDefinition({ object }: UserFunction): string {
    const { schema, name, procedure, body, language, number } = object;
    const result = procedure ? '' : `\n RETURNS ${this.functionResult(number)}`;
    const text = this.#bodyText(object) ?? `AS ${dollarQuoted(body, procedure ? 'procedure' : 'function')}`;
    const facts = factLines(object, quoteIdentifier);
    return `CREATE OR REPLACE ${procedure ? 'PROCEDURE' : 'FUNCTION'} ${quoteNames([schema, name])}(${this.functionArguments(number, false)})${result}\n LANGUAGE ${quoteIdentifier(language ?? 'sql')}\n${facts}${text}\n`;
  }

  /** For a function that is valid after SUPPORT. */
  supportOid(name: string): number | null {
    return supportFunction(this.#parts.functions, name);
  }

  functionDefinition(oid: number): string | null {
    const own = this.#userFunction(oid);
    if (own !== undefined) {
      if (own.object.aggregate !== undefined) throw new SvcError('42809', `"${own.object.name}" is an aggregate function`);
      return this.#userDefinition(own);
    }
    const found = this.#parts.functions.byOid.get(oid);
    if (found === undefined) return null;
    if (found.fn?.kind === 'aggregate' || found.facts?.kind === 'a') throw new SvcError('42809', `"${found.name}" is an aggregate function`);
    const { fn, facts } = found;
    const volatility =
      fn !== null && 'volatility' in fn
        ? (fn.volatility ?? 'immutable')
        : ({ i: 'immutable', s: 'stable', v: 'volatile' }[facts?.volatility ?? 'i'] ?? 'immutable');
    const strict = fn === null ? facts!.strict : fn.kind !== 'window' && fn.strict !== false;
    const words = [fn?.kind === 'window' ? 'WINDOW' : '', volatility === 'volatile' ? '' : volatility.toUpperCase(), 'PARALLEL SAFE', strict ? 'STRICT' : ''];
    return `CREATE OR REPLACE FUNCTION pg_catalog.${quoteIdentifier(found.name)}(${this.functionArguments(oid, false)})
 RETURNS ${this.functionResult(oid)}
 LANGUAGE ${quoteIdentifier('internal')}
 ${words.filter((word) => word !== '').join(' ')}
AS $function$${symbolFacts().get(oid) ?? found.name}$function$
`;
  }

  // --- operators

  /** In path order; of two with the same operands the first. */
  #operatorsNamed(text: string): readonly NamedOperator[] {
    const [, quoted, bare, name] = /^\s*(?:(?:"((?:[^"]|"")*)"|([^".\s]+))\s*\.)?\s*([^.\s]+)\s*$/u.exec(text) ?? [];
    if (name === undefined) return [];
    const schema = quoted?.replaceAll('""', '"') ?? bare?.toLowerCase();
    const out: NamedOperator[] = [];
    for (const each of schema === undefined ? this.path : [schema]) {
      const found = each === 'pg_catalog' ? (this.#parts.operators.byName.get(name) ?? []) : this.#ownOperators(each, name);
      for (const entry of found) if (!out.some(({ left, right }) => left === entry.left && right === entry.right)) out.push(entry);
    }
    return out;
  }

  #ownOperators(within: string, called: string): NamedOperator[] {
    const own = [...this.#parts.objects.schema.operators.values()].filter(({ object: { schema, name } }) => schema === within && name === called);
    return own.map(({ object: { number, name, left, right } }) => ({ oid: number, name, left, right }));
  }

  #operatorAt(oid: number): (NamedOperator & { readonly schema: string }) | null {
    const found = this.#parts.operators.byOid.get(oid);
    if (found !== undefined) return { ...found, schema: 'pg_catalog' };
    const own = this.#parts.objects.schema.operators.get(oid)?.object;
    return own === undefined ? null : { ...own, oid };
  }

  operatorOid(text: string): number | null {
    const found = this.#operatorsNamed(text);
    return found.length === 1 ? found[0].oid : null;
  }

  operatorCount(name: string): number {
    return this.#operatorsNamed(name).length;
  }

  operatorName(oid: number): string | null {
    const found = this.#operatorAt(oid);
    if (found === null) return null;
    const named = this.#operatorsNamed(found.name);
    return named.length === 1 && named[0].oid === oid ? found.name : `${quoteIdentifier(found.schema)}.${found.name}`;
  }

  operatorSignatureOid(text: string): number | null {
    const parts = splitSignature(text);
    if (parts === null) throw new SvcError('22P02', 'expected a left parenthesis');
    if (parts.args.length < 2) throw new SvcError('42P02', 'missing argument', { hint: 'Use NONE to denote the missing argument of a unary operator.' });
    if (parts.args.length > 2) throw new SvcError('54023', 'too many arguments', { hint: 'Provide two argument types for operator.' });
    const [left, right] = parts.args.map((arg) => (arg.toLowerCase() === 'none' ? 0 : this.typeOid(arg)));
    return this.#operatorsNamed(parts.name).find((each) => each.left === left && each.right === right)?.oid ?? null;
  }

  operatorSignature(oid: number): string | null {
    const found = this.#operatorAt(oid);
    if (found === null) return null;
    const { schema, name, left, right } = found;
    const title = (type: number): string => (type === 0 ? 'NONE' : this.#title(type));
    const isSeen = this.#operatorsNamed(name).some((each) => each.oid === oid);
    return `${isSeen ? '' : `${quoteIdentifier(schema)}.`}${name}(${title(left)},${title(right)})`;
  }

  // --- schemas, roles, collations

  schemaOid(text: string): number | null {
    const parts = splitName(text);
    if (parts.length !== 1) throw new SvcError('42602', 'invalid name syntax');
    return this.#parts.objects.namespaceOid(parts[0]);
  }

  schemaName(oid: number): string | null {
    const name = this.#parts.objects.namespaceName(oid);
    return name === null ? null : quoteIdentifier(name);
  }

  roleOid(text: string): number | null {
    const [name, ...more] = splitName(text);
    if (more.length > 0) throw new SvcError('42602', 'invalid name syntax');
    return this.#roles().byName(name)?.oid ?? null;
  }

  roleName(oid: number): string | null {
    const role = this.#roles().byOid(oid);
    return role === null ? null : quoteIdentifier(role.name);
  }

  collationOid(text: string): number | null {
    const { schema, name } = this.#qualified(text);
    const known = schema === null || schema === 'pg_catalog' ? collations().find((each) => each.name === name) : undefined;
    if (known !== undefined) return known.oid;
    const all = [...this.#parts.objects.schema.collations.values()].filter((each) => each.name === name);
    for (const own of schema === null ? this.path : [schema]) {
      const found = all.find((each) => each.schema === own);
      if (found !== undefined) return found.number;
    }
    return null;
  }

  conversionOid(text: string): number | null {
    const { schema, name } = this.#qualified(text);
    const known = schema === null || schema === 'pg_catalog' ? conversionNamed(name) : null;
    if (known !== null) return known;
    const all = [...this.#parts.objects.schema.conversions.values()].filter((each) => each.name === name);
    for (const own of schema === null ? this.path : [schema]) {
      const found = all.find((each) => each.schema === own);
      if (found !== undefined) return found.number;
    }
    return null;
  }

  collationName(oid: number): string | null {
    const name = collationByOid(oid);
    if (name !== null) return quoteIdentifier(name);
    const own = this.#parts.objects.schema.collations.get(oid);
    if (own === undefined) return null;
    return this.path.includes(own.schema) ? quoteIdentifier(own.name) : quoteNames([own.schema, own.name]);
  }

  #searchObjects(kind: 'configuration' | 'dictionary'): {
    get(oid: number): SearchConfigurationObject | SearchDictionaryObject | undefined;
    values(): Iterable<SearchConfigurationObject | SearchDictionaryObject>;
  } {
    const { schema } = this.#parts.objects;
    return kind === 'configuration' ? schema.searchConfigurations : schema.searchDictionaries;
  }

  searchOid(kind: 'configuration' | 'dictionary', text: string): number | null {
    const { schema, name } = this.#qualified(text);
    const all = [...this.#searchObjects(kind).values()].filter((each) => each.name === name);
    for (const each of schema === null ? this.path : [schema]) {
      const found = all.find((object) => object.schema === each);
      if (found !== undefined) return found.number;
    }
    return null;
  }

  searchName(kind: 'configuration' | 'dictionary', oid: number): string | null {
    const own = this.#searchObjects(kind).get(oid);
    if (own === undefined) return null;
    return this.path.includes(own.schema) ? quoteIdentifier(own.name) : quoteNames([own.schema, own.name]);
  }

  searchConfiguration(oid: number): SearchConfigurationObject | null {
    return this.#parts.objects.schema.searchConfigurations.get(oid) ?? null;
  }

  searchDictionary(oid: number): SearchDictionaryObject | null {
    return this.#parts.objects.schema.searchDictionaries.get(oid) ?? null;
  }

  #otherObject(oid: number): { readonly schema: string } | undefined {
    const { conversions, extendedStatistics, searchConfigurations, searchDictionaries } = this.#parts.objects.schema;
    return conversions.get(oid) ?? extendedStatistics.get(oid) ?? searchConfigurations.get(oid) ?? searchDictionaries.get(oid);
  }

  visible(kind: NamedKind, oid: number): boolean | null {
    switch (kind) {
      case 'relation': {
        const found = this.#relation(oid);
        return found === null ? null : this.#seesFirst(found.schema, found.name);
      }
      case 'type':
        return this.type(oid) === null ? null : this.typeVisible(oid);
      case 'function':
        return this.#parts.functions.byOid.has(oid) ? true : this.#ownVisible(this.#userFunction(oid)?.object.schema);
      case 'operator':
        return this.#parts.operators.byOid.has(oid) ? true : this.#ownVisible(this.#parts.objects.schema.operators.get(oid)?.object.schema);
      case 'collation':
        return collationByOid(oid) !== null ? true : this.#ownVisible(this.#parts.objects.schema.collations.get(oid)?.schema);
      case 'opclass':
      case 'opfamily': {
        const group = kind === 'opclass' ? 'operator class' : 'operator family';
        const found = groupNumbered(this.#parts.objects.schema, group, oid);
        if (found === null) return null;
        return groupNamed(this.#parts.objects.schema, group, found.method, [found.name], this.path)?.number === oid;
      }
      default:
        return isSearchObject(oid) || conversionName(oid) !== null ? true : this.#ownVisible(this.#otherObject(oid)?.schema);
    }
  }

  /** Whether the schema of a user-defined object is on the path. */
  #ownVisible(schema: string | undefined): boolean | null {
    return schema === undefined ? null : this.path.includes(schema);
  }

  // --- definitions

  readonly #naming = (oid: number): string => this.relationName(oid) ?? '???';

  view(oid: number, pretty: boolean): string | null {
    const found = this.#parts.objects.at(oid);
    if (found?.kind === 'r' && found.table.materialized !== null) return this.texts.view(queryOf(found.table), pretty);
    return found?.kind === 'v' ? this.texts.view(found.view, pretty) : null;
  }

  viewDefinition(oid: number): string | null {
    return this.view(oid, false);
  }

  index(oid: number, column: number, pretty: boolean): string | null {
    const found = this.#parts.objects.at(oid);
    return found?.kind === 'i' ? this.texts.index(found.index, column, pretty, this.#naming) : null;
  }

  indexDefinition(oid: number, column: number): string | null {
    return this.index(oid, column, false);
  }

  indexColumn(oid: number, column: number): { descending: boolean; nullsFirst: boolean; included: boolean } | null {
    const found = this.#parts.objects.at(oid);
    if (found?.kind !== 'i') return null;
    const { columns, included } = found.index;
    const key = columns[column - 1];
    if (key !== undefined) return { descending: key.descending, nullsFirst: key.nullsFirst, included: false };
    return column > columns.length && column <= columns.length + included.length ? { descending: false, nullsFirst: false, included: true } : null;
  }

  constraint(oid: number, pretty: boolean): string | null {
    const own = this.#parts.objects.at(oid);
    if (own?.kind === 'i') return own.index.constraint === null ? null : this.texts.unique(own.index, pretty);
    const found = this.#parts.objects.constraint(oid);
    if (found === null) {
      const trigger = triggerAt(this.#parts.objects.schema, oid);
      if (trigger !== null) return trigger.constraint === undefined ? null : `TRIGGER${deferral(trigger.constraint)}`;
      for (const { own: domain, number, condition, valid } of domainChecks(this.#parts.objects.schema)) {
        if (number === oid) return `CHECK (${withValue(this.texts.expression(domainTable(domain), condition, pretty))})${valid ? '' : ' NOT VALID'}`;
      }
      return null;
    }
    return found.kind === 'c' ? this.texts.check(found.table, found.check, pretty) : this.texts.foreignKey(found.table, found.key, this.#naming);
  }

  trigger(oid: number, pretty: boolean): string | null {
    const { schema } = this.#parts.objects;
    const trigger = triggerAt(schema, oid);
    if (trigger === null) return null;
    return triggerDefinition(
      schema,
      this.texts,
      trigger,
      pretty,
      (each) => this.relationName(each),
      (each) => this.functionName(each),
    );
  }

  #constraintTitle(oid: number): string | null {
    const { objects } = this.#parts;
    const index = objects.byOid.get(oid);
    const found = objects.constraint(oid);
    let name: string | null = null;
    if (index?.kind === 'i') name = index.index.constraint;
    else if (found !== null) name = found.kind === 'c' ? found.check.name : found.key.name;
    const table = index?.kind === 'i' ? index.index.table : found?.table;
    if (table === undefined) for (const check of domainChecks(objects.schema)) if (check.number === oid) return `constraint ${quoteIdentifier(check.name)}`;
    return name === null || table === undefined ? null : `constraint ${quoteIdentifier(name)} on table ${this.relationName(table.number)}`;
  }

  constraintDefinition(oid: number): string | null {
    return this.constraint(oid, false);
  }

  rule(oid: number, pretty: boolean): string | null {
    // A rule's oid is derived from its view's.
    const found = this.#parts.objects.byOid.get(oid - rewriteOid(0));
    if (found?.kind === 'v') {
      const { view } = found;
      const name = quoteNames([view.schema, view.name]);
      return `CREATE RULE "_RETURN" AS\n    ON SELECT TO ${pretty ? this.#naming(view.number) : name} DO INSTEAD ${this.texts.view(view, pretty)}`;
    }
    const rule = ruleAt(this.#parts.objects.schema, oid);
    const on = rule === null ? undefined : (this.#parts.objects.schema.tables.get(rule.table) ?? this.#parts.objects.schema.views.get(rule.table));
    if (rule === null || on === undefined) return null;
    return this.texts.rule(rule, pretty ? this.#naming(rule.table) : quoteNames([on.schema, on.name]), pretty);
  }

  partitionKey(oid: number): string | null {
    const table = this.#parts.objects.schema.tables.get(oid);
    const key = table?.inheritance?.partitionBy ?? null;
    if (key === null) return null;
    const elements = key.elements.map((each) => (each.expression === null ? each : { ...each, expression: this.texts.expression(table!, each.expression) }));
    return partitionKeyText(table!, { ...key, elements });
  }

  partitionConstraint(oid: number): string | null {
    const { schema } = this.#parts.objects;
    const table = schema.tables.get(oid);
    const text = table === undefined ? null : partitionCondition(schema, table);
    if (text === null) return null;
    const shown = this.texts.expression(table!, text);
    return shown.startsWith('(') ? shown : `(${shown})`;
  }

  partitionTree(oid: number): readonly (readonly [number, number | null, boolean, number])[] {
    return partitionTree(this.#parts.objects, oid).map((each) => [each.oid, each.parent, each.leaf, each.level]);
  }

  partitionAncestors(oid: number): readonly number[] {
    return partitionAncestors(this.#parts.objects.schema, oid);
  }

  inHashPartition(parent: number, modulus: number, remainder: number, types: readonly SqlType[], values: readonly Value[]): boolean {
    const table = this.#parts.objects.schema.tables.get(parent);
    const key = table?.inheritance?.partitionBy ?? null;
    if (table === undefined) throw new SvcError('XX000', `could not open relation with OID ${parent}`);
    if (key === null || key.strategy !== 'hash') throw new SvcError('22023', `"${table.name}" is not a hash partitioned table`);
    if (modulus <= 0) throw new SvcError('22023', 'modulus for hash partition must be an integer value greater than zero');
    if (remainder < 0) throw new SvcError('22023', 'remainder for hash partition must be an integer value greater than or equal to zero');
    if (remainder >= modulus) throw new SvcError('22023', 'remainder for hash partition must be less than modulus');
    if (key.elements.length !== values.length)
      throw new SvcError(
        '22023',
        `number of partitioning columns (${key.elements.length}) does not match number of partition keys provided (${values.length})`,
      );
    key.elements.forEach(({ type }, i) => {
      if (type.oid !== types[i].oid)
        throw new SvcError('22023', `column ${i + 1} of the partition key has type ${type.title}, but supplied value is of type ${types[i].title}`);
    });
    return partitionHash(types, values) % BigInt(modulus) === BigInt(remainder);
  }

  statisticsColumns(oid: number): string | null {
    const { schema } = this.#parts.objects;
    const object = schema.extendedStatistics.get(oid);
    return object === undefined ? null : statisticsElements(schema, this.texts, object).join(', ');
  }

  statisticsDefinition(oid: number): string | null {
    const { schema } = this.#parts.objects;
    const object = schema.extendedStatistics.get(oid);
    return object === undefined ? null : statisticsDefinition(schema, this.texts, object, this.#naming(object.table));
  }

  statisticsExpressions(oid: number): readonly string[] | null {
    const { schema } = this.#parts.objects;
    const object = schema.extendedStatistics.get(oid);
    if (object === undefined || object.expressions.length === 0) return null;
    return object.expressions.map((sql) => this.texts.expression(schema.tables.get(object.table)!, sql));
  }

  expression(text: string, relation: number, pretty: boolean): string | null {
    const found = this.#parts.objects.at(relation);
    // Stored trees contain all schemas; a text without any is shown unchanged.
    if (found?.kind !== 'r' || (!pretty && !text.includes('.') && !isQuotingAll())) return text;
    return this.texts.expression(found.table, text, pretty);
  }

  comment(oid: number, catalog: string | null, attnum: number): string | null {
    const { objects } = this.#parts;
    if (catalog === 'pg_largeobject') return objects.schema.largeObjectComments.get(oid) ?? null;
    // Comments on a composite type are not comments on its relation.
    if (catalog === 'pg_class' && attnum === 0 && objects.byOid.get(oid)?.kind === 'c') return null;
    const own = objects.schema.comment(oid, attnum);
    if (own !== null || attnum !== 0) return catalog === null || catalog in CLASS ? own : null;
    const known = catalog === null ? null : (CLASS as Readonly<Record<string, number | undefined>>)[catalog];
    if (known === undefined) return null;
    if (known === CLASS.pg_extension) {
      for (const { number, name } of objects.schema.extensions.values()) if (number === oid) return EXTENSIONS.get(name)?.comment ?? null;
    }
    return systemDescription(systemDescriptions(this.#parts), known, oid);
  }

  identify(catalog: number, oid: number, column: number): ObjectIdentity {
    return new ObjectIdentities(this.#parts, this.#roles, this.#database).identify(catalog, oid, column);
  }

  address(type: string, names: readonly (string | null)[], args: readonly (string | null)[]): readonly [number, number, number] {
    return new ObjectIdentities(this.#parts, this.#roles, this.#database).address(type, names, args, this);
  }

  /** A user-defined object by its number alone. */
  describeNumber(number: number): string | null {
    const { objects } = this.#parts;
    return this.describe(classOf({ schema: objects.schema, objects }, number), number, 0);
  }

  describe(catalog: number, oid: number, column: number): string | null {
    // Oids of 0 once meant in pg_depend that an object is pinned.
    if (catalog === 0 && oid === 0) return null;
    switch (catalog) {
      case CLASS.pg_largeobject:
        return this.#parts.hasLargeObject(oid) ? `large object ${oid}` : null;
      case CLASS.pg_class: {
        const name = this.relationName(oid);
        const kind = this.relationKind(oid);
        if (name === null || kind === null) return null;
        const text = `${RELATION_WORDS[kind] ?? 'relation'} ${name}`;
        if (column === 0) return text;
        const found = this.#parts.objects.at(oid);
        const attribute = found?.kind === 'r' ? found.table.columns.find(({ attnum }) => attnum === column) : undefined;
        return attribute === undefined ? null : `column ${attribute.name} of ${text}`;
      }
      case CLASS.pg_type: {
        const title = this.typeTitle(oid, -1);
        return title === null ? null : `type ${title}`;
      }
      case CLASS.pg_proc: {
        const name = this.procedureName(oid);
        return name === null ? null : `function ${name}`;
      }
      case CLASS.pg_namespace: {
        const name = this.schemaName(oid);
        return name === null ? null : `schema ${name}`;
      }
      case CLASS.pg_constraint:
        return this.#constraintTitle(oid);
      case CLASS.pg_policy:
        return this.#policyTitle(oid);
      case CLASS.pg_trigger: {
        const trigger = triggerAt(this.#parts.objects.schema, oid);
        return trigger === null
          ? null
          : `trigger ${quoteIdentifier(trigger.name)} on ${RELATION_WORDS[this.relationKind(trigger.table) ?? ''] ?? 'relation'} ${this.relationName(trigger.table)}`;
      }
      case CLASS.pg_rewrite: {
        const rule = ruleAt(this.#parts.objects.schema, oid);
        if (rule !== null)
          return `rule ${quoteIdentifier(rule.name)} on ${RELATION_WORDS[this.relationKind(rule.table) ?? ''] ?? 'relation'} ${this.relationName(rule.table)}`;
        const kind = this.relationKind(oid - rewriteOid(0));
        return kind === 'v' || kind === 'm' ? `rule _RETURN on ${RELATION_WORDS[kind]} ${this.relationName(oid - rewriteOid(0))}` : null;
      }
      case CLASS.pg_attrdef: {
        const { names } = this.identify(catalog, oid, 0);
        if (names === null) return null;
        const relation = this.relationOid(quoteNames(names.slice(0, -1)))!;
        return `default value for column ${quoteIdentifier(names.at(-1)!)} of ${this.describe(CLASS.pg_class, relation, 0)}`;
      }
      default:
        return this.#describeOther(catalog, oid);
    }
  }

  foreignObjectOid(kind: 'foreign-data wrapper' | 'server', name: string): number | null {
    const { wrappers, servers } = this.#parts.objects.schema;
    for (const object of (kind === 'server' ? servers : wrappers).values()) if (object.name === name) return object.number;
    return null;
  }

  foreignObjectExists(kind: 'foreign-data wrapper' | 'server', oid: number): boolean {
    const { wrappers, servers } = this.#parts.objects.schema;
    return (kind === 'server' ? servers : wrappers).has(oid);
  }

  publishable(oid: number): boolean | null {
    const found = this.#parts.objects.at(oid);
    if (found === undefined) return this.#parts.relationsByOid.has(oid) ? false : null;
    return found.kind === 'r' && isPublishable(this.#parts.objects.schema, found.table);
  }

  takesDocuments(oid: number): boolean | null {
    const found = this.#parts.objects.at(oid);
    if (found === undefined) return this.#parts.relationsByOid.has(oid) ? false : null;
    return found.kind === 'r' && found.table.open === true;
  }

  publicationTables(name: string): readonly (readonly [number, readonly number[] | null, string | null])[] | null {
    const { schema } = this.#parts.objects;
    for (const publication of schema.publications.values()) {
      if (publication.name !== name) continue;
      return publishedTables(schema, publication).map(({ table, attnums, where }) => [
        table.number,
        attnums,
        where === null ? null : this.texts.expression(table, where),
      ]);
    }
    return null;
  }

  /** Types as the search path sees them. */
  #castTitle(oid: number): string | null {
    const { schema } = this.#parts.objects;
    const own = schema.casts.get(oid)?.object ?? rangeCasts(schema).find((each) => each.oid === oid);
    return own === undefined ? null : `cast from ${this.#title(own.from)} to ${this.#title(own.to)}`;
  }

  #publicationTitle(oid: number): string | null {
    const { plain, publications } = this.#parts.objects.schema;
    const table = plain.of('publication table').get(oid);
    const schema = plain.of('publication schema').get(oid);
    const of = table ?? schema;
    if (of === undefined) return null;
    const what = table === undefined ? `schema ${this.schemaName(schema!.namespace)}` : `table ${this.relationName(table.table)}`;
    return `publication of ${what} in publication ${publications.get(of.publication)!.name}`;
  }

  /** Objects described by kind and name. */
  #describeOther(catalog: number, oid: number): string | null {
    if (catalog === 2617) {
      const signature = this.operatorSignature(oid);
      return signature === null ? null : `operator ${signature}`;
    }
    if (catalog === CLASS.pg_opclass || catalog === CLASS.pg_opfamily) return this.#groupTitle(catalog, oid);
    if (catalog === CLASS.pg_amop || catalog === CLASS.pg_amproc) return this.#memberTitle(catalog, oid);
    const { type, name, identity, names, args } = this.identify(catalog, oid, 0);
    if (type.startsWith('publication ')) return this.#publicationTitle(oid);
    if (type === 'default acl') {
      const [role, schema = null] = names ?? [];
      return role === undefined ? null : defaultRightsTitle(args[0] as DefaultRightsObject['kind'], role, schema);
    }
    if (type === 'user mapping') return identity === null ? null : `${type} for ${names![0]} on server ${args[0]}`;
    if (type === 'cast' && names !== null) return this.#castTitle(oid) ?? `cast from ${names[0]} to ${args[0]}`;
    if (identity === null || name === null) return null;
    // An object in a schema is qualified if its name alone finds something else.
    const hidden = names?.length === 2 && this.#sight(catalog, oid) === false;
    return `${type} ${hidden ? quoteNames(names) : name}`;
  }

  /** Whether an object's unqualified name finds it; null for objects outside schemas. */
  #sight(catalog: number, oid: number): boolean | null {
    switch (catalog) {
      case CLASS.pg_collation:
        return this.visible('collation', oid);
      case CLASS.pg_conversion:
      case CLASS.pg_ts_config:
      case CLASS.pg_ts_dict:
      case CLASS.pg_statistic_ext:
        return this.visible('other', oid);
      default:
        return null;
    }
  }

  /** `operator class int4_ops for access method btree`. */
  #groupTitle(catalog: number, oid: number): string | null {
    const [kind, seen] = catalog === CLASS.pg_opclass ? (['operator class', 'opclass'] as const) : (['operator family', 'opfamily'] as const);
    const found = groupNumbered(this.#parts.objects.schema, kind, oid);
    if (found === null) return null;
    const names = this.visible(seen, oid) === true ? [found.name] : [found.schema, found.name];
    return `${kind} ${quoteNames(names)} for access method ${found.method}`;
  }

  /** `function 1 (integer, integer) of operator family integer_ops for access method btree: btint4cmp(integer,integer)`. */
  #memberTitle(catalog: number, oid: number): string | null {
    const isOperator = catalog === CLASS.pg_amop;
    const { schema } = this.#parts.objects;
    const found = memberNumbered(schema, isOperator ? 'family operator' : 'family function', oid);
    if (found === null) return null;
    const types = [found.left, found.right].map((type) => this.#title(type)).join(', ');
    const what = isOperator ? this.operatorSignature(this.#memberOperator(found)) : this.procedureName(this.#memberFunction(found));
    return `${isOperator ? 'operator' : 'function'} ${found.place} (${types}) of ${this.#groupTitle(CLASS.pg_opfamily, found.family)}: ${what}`;
  }

  #memberOperator({ of, number }: FamilyMember): number {
    return of ?? memberOperator(this.#parts.objects.schema.plain.of('family operator').get(number)!, this.#parts.operators);
  }

  #memberFunction({ of, number }: FamilyMember): number {
    const { schema } = this.#parts.objects;
    return of ?? memberFunction(schema, schema.plain.of('family function').get(number)!, this.#parts.functions);
  }

  #policyTitle(oid: number): string | null {
    for (const [number, { policies }] of this.#parts.objects.schema.secured) {
      const policy = policies.find((each) => each.number === oid);
      if (policy !== undefined) return `policy ${quoteIdentifier(policy.name)} on table ${this.relationName(number)}`;
    }
    return null;
  }

  serialSequence(table: string, column: string): string | null {
    const oid = this.relationOid(table);
    if (oid === null) throw new SvcError('42P01', `relation "${splitName(table).join('.')}" does not exist`);
    if (this.columnNumber(oid, column) === null) {
      throw new SvcError('42703', `column "${column}" of relation "${splitName(table).at(-1)}" does not exist`);
    }
    const found = this.#parts.objects.at(oid);
    const attribute = found?.kind === 'r' ? found.table.columns.find((each) => each.name === column) : undefined;
    if (attribute === undefined) return null;
    const sequence = this.#parts.objects.schema.sequenceOf(oid, attribute.number);
    return sequence === null ? null : quoteNames([sequence.schema, sequence.name]);
  }

  sequence(oid: number): ReturnType<Definitions['sequence']> {
    const found = this.#parts.objects.at(oid);
    if (found?.kind !== 'S') return null;
    const { start, min, max, increment, cycle, cache, type } = found.sequence;
    return { start, min, max, increment, cycle, cache, type: type.oid };
  }
}

const SYSTEM_ATTNUMS: Readonly<Record<string, number>> = { ctid: -1, xmin: -2, cmin: -3, xmax: -4, cmax: -5, tableoid: -6 };

function entryOf({ object, inputs, returns }: UserFunction): FunctionEntry {
  return { oid: object.number, name: object.name, args: inputs.map(({ type }) => type.oid), returns: returns.oid, defaults: 0, fn: null, facts: undefined };
}

function dollarQuoted(body: string, tag: string): string {
  let quote = `$${tag}$`;
  while (body.includes(quote)) quote = `${quote.slice(0, -1)}x$`;
  return quote + body + quote;
}

function deferral({ deferrable, initiallyDeferred }: { readonly deferrable: boolean; readonly initiallyDeferred: boolean }): string {
  return `${deferrable ? ' DEFERRABLE' : ''}${initiallyDeferred ? ' INITIALLY DEFERRED' : ''}`;
}
