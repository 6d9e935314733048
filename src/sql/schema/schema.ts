/**
 * A world's definitions as statements see them. Decoded once from the world's catalog and cached with it, so it is shared by all
 * forks with the same definitions; immutable.
 *
 *   catalog (rows of the catalog tree) ──► Schema: schemas, relations by name and number, types, comments
 */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { violated } from '../../base/assert.ts';
import { LayeredMap } from '../../base/layered-map.ts';
import { type Catalog, type DefinitionChange, knownBefore, type Table, tableOf } from '../../worlds/catalog.ts';
import { refuseReserved } from '../../worlds/reserved-table.ts';
import type {
  AttributeObject,
  CastObject,
  CatalogObject,
  CommentObject,
  AuthorObject,
  DefaultRightsObject,
  DomainObject,
  EnumObject,
  ExtensionObject,
  ForeignKeyObject,
  FunctionObject,
  IndexObject,
  OperatorObject,
  PolicyObject,
  RangeObject,
  RelationObject,
  RowSecurityObject,
  SequenceObject,
  StatisticsObject,
  TriggerEvent,
  RuleObject,
  TriggerObject,
  TypeObject,
  ViewObject,
} from '../../worlds/definition.ts';
import { ID_COLUMN } from '../../worlds/document-relation.ts';
import { FIELD_OIDS, isTypeObject, labelId, relationOfRowType, rowArrayOid, rowTypeOid, typeOids } from '../../worlds/definition.ts';
import { baseType, shellType } from '../types/base-type.ts';
import { domainType } from '../types/domain-type.ts';
import { type IcuCollation, icuCollation } from '../types/icu-collation.ts';
import { type RecordColumn, recordType } from '../types/record-type.ts';
import { storedValue } from '../types/stored-text.ts';
import type { SqlType } from '../types/type.ts';
import { type Value, whole, type Whole } from '../types/value.ts';
import type { Acl } from './acl.ts';
import { securityAfter, type TableSecurity } from './row-security.ts';
import { rowsInUse } from './rows-in-use.ts';
import { isRights, SchemaRights } from './schema-rights.ts';
import { columnCodec, type KeyCodec, keyCodec, type KeyColumn, type KeyPart, type LabelOrders, type RowKeyCodec, rowKeyCodec } from './key-codec.ts';
import { FIRST_OWN_OID, OID } from './oids.ts';
import { isPlainObject, type PlainObject, PlainObjects } from './plain-objects.ts';
import { documentJson, storageOf } from './storage.ts';
import { columnsBelow, wholeTable } from './hierarchy.ts';
import type { CheckConstraint, ForeignKey, Index, IndexColumn, Inheritance, PartitionElement, SqlColumn, SqlTable } from './table.ts';
import type { TypeLookup } from './type-lookup.ts';
import { STORED } from '../types/environment.ts';

export interface ViewColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  readonly default?: string;
  /** For a catalog that is shown as a view. */
  readonly notNull?: boolean;
}
export interface View {
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  readonly columns: readonly ViewColumn[];
  readonly check: 'none' | 'local' | 'cascaded';
  /** security_invoker: privileges on its relations are checked for the caller, not for its owner. */
  readonly invoker: boolean;
  /** security_barrier: its conditions are evaluated before the caller's. */
  readonly barrier: boolean;
}
export interface Sequence {
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  readonly type: SqlType;
  readonly increment: Whole;
  readonly min: Whole;
  readonly max: Whole;
  readonly start: Whole;
  readonly cache: number;
  readonly cycle: boolean;
  /** Object numbers. */
  readonly ownedBy: { readonly table: number; readonly column: number } | null;
}
export interface EnumType {
  readonly number: number;
  readonly arrayOid: number;
  readonly schema: string;
  readonly name: string;
  readonly labels: readonly { readonly label: string; readonly order: number }[];
  readonly type: SqlType;
  readonly array: SqlType;
}
/** A user-defined type. */
export interface UserType {
  readonly object: TypeObject;
  readonly number: number;
  readonly arrayOid: number;
  readonly schema: string;
  readonly name: string;
  readonly type: SqlType;
  readonly array: SqlType;
}
/** An SQL function, with its types. */
export interface UserFunction {
  readonly object: FunctionObject;
  /** Its input parameters, in order. */
  readonly inputs: readonly { readonly name: string | null; readonly type: SqlType; readonly default: string | null }[];
  /** The last input takes all remaining arguments. */
  readonly variadic: boolean;
  readonly returns: SqlType;
  /** OUT and TABLE columns, or those of a relation; null if it returns one value. */
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[] | null;
}
export interface UserOperator {
  readonly object: OperatorObject;
  readonly left: SqlType | null;
  readonly right: SqlType;
  readonly returns: SqlType;
}
export interface UserCast {
  readonly object: CastObject;
  readonly from: SqlType;
  readonly to: SqlType;
}
/** Tables, views, sequences and indexes share one namespace in each schema. */
export type Relation =
  | { readonly kind: 'table'; readonly table: SqlTable }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'sequence'; readonly sequence: Sequence }
  /** `index` null: the primary key of the table, stored as its own tree. */
  | { readonly kind: 'index'; readonly index: Index | null; readonly table: SqlTable };

/** A foreign key and the table that has it. */
interface Pointer {
  readonly table: SqlTable;
  readonly key: ForeignKey;
}

/** Oid of `public`, as in Postgres. */
export const PUBLIC_SCHEMA = 2200;

const NO_TRIGGERS: readonly TriggerObject[] = [];
const NO_RULES: readonly RuleObject[] = [];

let versions = 0;

export class Schema {
  /** Increases with each decoded schema: plans of another version are invalid. */
  readonly version = ++versions;
  /** As `version`, but the same after changes of relations alone: what an expression that names none of them depends on. */
  readonly callables: number;
  readonly catalog: Catalog;
  readonly lookup: TypeLookup;
  /** Number by name. Without pg_catalog and information_schema. */
  readonly schemas: LayeredMap<string, number>;
  /** By name. */
  readonly extensions: LayeredMap<string, ExtensionObject>;
  readonly tables: LayeredMap<number, SqlTable>;
  /** Internal tables, shown by system catalogs: they have no visible names. */
  readonly stores: LayeredMap<number, SqlTable>;
  readonly views: LayeredMap<number, View>;
  /** Length of the longest text of any view, current or dropped: reading one may take long. */
  longestView: number;
  readonly sequences: LayeredMap<number, Sequence>;
  readonly enums: ReadonlyMap<number, EnumType>;
  /** Includes enums. */
  readonly types: ReadonlyMap<number, UserType>;
  readonly functions: LayeredMap<number, UserFunction>;
  readonly #functionsByName: LayeredMap<string, readonly UserFunction[]>;
  readonly operators: LayeredMap<number, UserOperator>;
  readonly casts: LayeredMap<number, UserCast>;
  readonly indexes: LayeredMap<number, { readonly index: Index; readonly table: SqlTable }>;
  /** By `commentKey`. */
  readonly comments: LayeredMap<string, string>;
  /** By oid. */
  readonly largeObjectComments: LayeredMap<number, string>;
  readonly statistics: LayeredMap<number, unknown>;
  readonly plain: PlainObjects;
  /** By table. */
  readonly #security: LayeredMap<number, TableSecurity>;
  /** By table or view, in the order in which they fire. */
  readonly #triggers: LayeredMap<number, readonly TriggerObject[]>;
  readonly #rules: LayeredMap<number, readonly RuleObject[]>;
  readonly #relations: LayeredMap<string, Relation>;
  readonly #typesByName: Map<string, SqlType>;
  readonly #enumsByName: Map<string, EnumType>;
  readonly #ownByName: Map<string, UserType>;
  /** Definitions whose types are not built yet, by oid. */
  #unmade = new Map<number, TypeObject>();
  /** Views that are not decoded yet: a use of their row type decodes them first. */
  readonly #unread = new Map<number, ViewObject>();
  /** User-defined range types: their names are also those of functions. */
  get ranges(): readonly { readonly schema: string; readonly range: SqlType; readonly multirange: SqlType }[] {
    return this.#ranges;
  }
  readonly #ranges: { schema: string; range: SqlType; multirange: SqlType }[];
  readonly #rowTypes = new Map<number, SqlType>();
  readonly #typesByOid: Map<number, SqlType>;
  readonly #referencing: LayeredMap<number, readonly Pointer[]>;
  /** By number of the parent. */
  readonly #children: LayeredMap<number, readonly number[]>;
  readonly #sequencesOwned: LayeredMap<number, readonly Sequence[]>;
  /** null: not decoded yet. */
  #rights: SchemaRights | null = null;
  readonly #rowKeys = new Map<number, RowKeyCodec>();

  /** Of all definitions; or of those of `from` with changes, none of them of a type. */
  constructor(catalog: Catalog, lookup: TypeLookup, from: Schema | null = null, changes: readonly DefinitionChange[] = []) {
    this.catalog = catalog;
    this.lookup = lookup;
    this.callables = from !== null && changes.every(({ before, after }) => isOfRelation(before) && isOfRelation(after)) ? from.callables : this.version;
    this.schemas = from?.schemas.fork() ?? new LayeredMap(new Map([['public', PUBLIC_SCHEMA]]));
    this.extensions = from?.extensions.fork() ?? new LayeredMap();
    this.tables = from?.tables.fork() ?? new LayeredMap();
    this.stores = from?.stores.fork() ?? new LayeredMap();
    this.views = from?.views.fork() ?? new LayeredMap();
    this.longestView = from?.longestView ?? 0;
    this.sequences = from?.sequences.fork() ?? new LayeredMap();
    const enums = new Map<number, EnumType>();
    this.enums = from?.enums ?? enums;
    const types = new Map<number, UserType>();
    this.types = from?.types ?? types;
    this.#enumsByName = from === null ? new Map() : from.#enumsByName;
    this.#ranges = from === null ? [] : from.#ranges;
    this.#ownByName = from === null ? new Map() : from.#ownByName;
    this.indexes = from?.indexes.fork() ?? new LayeredMap();
    this.functions = from?.functions.fork() ?? new LayeredMap();
    this.operators = from?.operators.fork() ?? new LayeredMap();
    this.casts = from?.casts.fork() ?? new LayeredMap();
    this.#functionsByName = from === null ? new LayeredMap() : from.#functionsByName.fork();
    this.comments = from?.comments.fork() ?? new LayeredMap();
    this.largeObjectComments = from?.largeObjectComments.fork() ?? new LayeredMap();
    this.statistics = from?.statistics.fork() ?? new LayeredMap();
    this.plain = new PlainObjects(from?.plain ?? null);
    this.#security = from === null ? new LayeredMap() : from.#security.fork();
    this.#triggers = from === null ? new LayeredMap() : from.#triggers.fork();
    this.#rules = from === null ? new LayeredMap() : from.#rules.fork();
    this.#relations = from === null ? new LayeredMap() : from.#relations.fork();
    this.#typesByName = from === null ? new Map() : from.#typesByName;
    this.#typesByOid = from === null ? new Map() : from.#typesByOid;
    this.#referencing = from === null ? new LayeredMap() : from.#referencing.fork();
    this.#sequencesOwned = from === null ? new LayeredMap() : from.#sequencesOwned.fork();
    this.#children = from === null ? new LayeredMap() : from.#children.fork();
    if (from === null) this.#addAll(catalog, enums, types);
    else {
      this.#change(from, changes);
      if (!changes.some(({ before, after }) => isRights(before) || isRights(after))) this.#rights = from.#rights;
    }
    this.#placePublic();
  }

  /** `public` is there unless a row says that it was dropped. */
  #placePublic(): void {
    const isThere = !this.plain.of('dropped schema').has(PUBLIC_SCHEMA);
    if (isThere === this.schemas.has('public')) return;
    if (isThere) this.schemas.set('public', PUBLIC_SCHEMA);
    else this.schemas.delete('public');
  }

  /** null for a number that no schema has. */
  schemaName(number: number): string | null {
    for (const [name, each] of this.schemas) if (each === number) return name;
    return null;
  }

  get collations(): LayeredMap<number, PlainObject<'collation'>> {
    return this.plain.of('collation');
  }

  get conversions(): LayeredMap<number, PlainObject<'conversion'>> {
    return this.plain.of('conversion');
  }

  get searchDictionaries(): LayeredMap<number, PlainObject<'text search dictionary'>> {
    return this.plain.of('text search dictionary');
  }

  get searchConfigurations(): LayeredMap<number, PlainObject<'text search configuration'>> {
    return this.plain.of('text search configuration');
  }

  get extendedStatistics(): LayeredMap<number, PlainObject<'extended statistics'>> {
    return this.plain.of('extended statistics');
  }

  get publications(): LayeredMap<number, PlainObject<'publication'>> {
    return this.plain.of('publication');
  }

  get wrappers(): LayeredMap<number, PlainObject<'foreign data wrapper'>> {
    return this.plain.of('foreign data wrapper');
  }

  get servers(): LayeredMap<number, PlainObject<'server'>> {
    return this.plain.of('server');
  }

  get eventTriggers(): LayeredMap<number, PlainObject<'event trigger'>> {
    return this.plain.of('event trigger');
  }

  #addAll(catalog: Catalog, enums: Map<number, EnumType>, types: Map<number, UserType>): void {
    const later: CatalogObject[] = [];
    for (const object of catalog.objects.values()) {
      if (isPlainObject(object)) {
        this.plain.set(object);
        continue;
      }
      switch (object.what) {
        case 'schema':
          this.schemas.set(object.name, object.number);
          break;
        case 'extension':
          this.extensions.set(object.name, object);
          break;
        case 'enum':
        case 'base':
        case 'domain':
        case 'composite':
        case 'range':
          for (const oid of typeOids(object)) this.#unmade.set(oid, object);
          break;
        case 'comment':
          this.#addComment(object);
          break;
        case 'large object comment':
          this.largeObjectComments.set(object.object, object.text);
          break;
        case 'statistics':
          this.#addStatistics(object);
          break;
        case 'policy':
        case 'row security':
          this.#secure(undefined, object);
          break;
        case 'trigger':
          setIn(this.#triggers, undefined, object);
          break;
        case 'rule':
          setIn(this.#rules, undefined, object);
          break;
        case 'view':
          this.#unread.set(object.number, object);
          break;
        case 'sequence':
        case 'function':
        case 'operator':
        case 'cast':
          later.push(object);
          break;
        default:
      }
    }
    for (const object of new Set(this.#unmade.values())) this.#addType(object, enums, types);
    // Objects that use types come after the types.
    for (const view of this.#unread.values()) this.#addView(view);
    for (const object of later) {
      if (object.what === 'sequence') this.#addSequence(object);
      else if (object.what === 'function') this.#addFunction(object);
      else if (object.what === 'operator') this.#addOperator(object);
      else if (object.what === 'cast') this.#addCast(object);
    }
    for (const table of catalog.byNumber.values()) this.#addTable(table);
  }

  /** All removals first: names may be swapped. */
  #change(from: Schema, changes: readonly DefinitionChange[]): void {
    const tables = new Set<number>();
    for (const { before, after } of changes) {
      for (const object of [before, after]) {
        const table = object === undefined ? null : tableOf(object);
        if (table === null) continue;
        tables.add(table);
        // Foreign keys store positions of the referenced columns.
        if (!sameColumns(from.catalog.byNumber.get(table), this.catalog.byNumber.get(table)))
          for (const pointer of from.referencing(table)) tables.add(pointer.table.number);
      }
    }
    for (const number of tables) this.#removeTable(number);
    for (const { before } of changes) if (before !== undefined) this.#remove(before);
    for (const { after } of changes) if (after?.what === 'view') this.#unread.set(after.number, after);
    for (const view of this.#unread.values()) this.#addView(view);
    for (const { after } of changes) {
      if (after === undefined) continue;
      if (after.what === 'schema') this.schemas.set(after.name, after.number);
      else if (after.what === 'extension') this.extensions.set(after.name, after);
      else if (after.what === 'comment') this.#addComment(after);
      else if (after.what === 'large object comment') this.largeObjectComments.set(after.object, after.text);
      else if (after.what === 'statistics') this.#addStatistics(after);
      else if (isPlainObject(after)) this.plain.set(after);
      else if (after.what === 'sequence') this.#addSequence(after);
      else if (after.what === 'function') this.#addFunction(after);
      else if (after.what === 'operator') this.#addOperator(after);
      else if (after.what === 'cast') this.#addCast(after);
      else if (after.what === 'policy' || after.what === 'row security') this.#secure(undefined, after);
      else if (after.what === 'trigger') setIn(this.#triggers, undefined, after);
      else if (after.what === 'rule') setIn(this.#rules, undefined, after);
    }
    for (const number of tables) {
      const table = this.catalog.byNumber.get(number);
      if (table !== undefined) this.#addTable(table);
    }
  }

  #remove(object: CatalogObject): void {
    if (isPlainObject(object)) return this.plain.delete(object);
    switch (object.what) {
      case 'schema':
        this.schemas.delete(object.name);
        return;
      case 'extension':
        this.extensions.delete(object.name);
        return;
      case 'comment':
        this.comments.delete(commentKey(object.object, object.attnum));
        return;
      case 'large object comment':
        this.largeObjectComments.delete(object.object);
        return;
      case 'statistics':
        this.statistics.delete(object.table);
        return;
      case 'policy':
      case 'row security':
        this.#secure(object, undefined);
        return;
      case 'trigger':
        setIn(this.#triggers, object, undefined);
        return;
      case 'rule':
        setIn(this.#rules, object, undefined);
        return;
      case 'view':
        this.views.delete(object.number);
        this.#relations.delete(scoped(object.schema, object.name));
        return;
      case 'function': {
        this.functions.delete(object.number);
        const named = scoped(object.schema, object.name);
        this.#functionsByName.set(
          named,
          (this.#functionsByName.get(named) ?? []).filter((each) => each.object.number !== object.number),
        );
        return;
      }
      case 'operator':
        this.operators.delete(object.number);
        return;
      case 'cast':
        this.casts.delete(object.number);
        return;
      case 'sequence': {
        this.sequences.delete(object.number);
        this.#relations.delete(scoped(object.schema, object.name));
        if (object.ownedBy === null) return;
        const { table } = object.ownedBy;
        this.#sequencesOwned.set(
          table,
          this.sequencesOwnedBy(table).filter(({ number }) => number !== object.number),
        );
        return;
      }
      default:
    }
  }

  #removeTable(number: number): void {
    const table = this.tableNumbered(number);
    if (table === undefined) return;
    this.tables.delete(number);
    this.stores.delete(number);
    this.#relations.delete(scoped(table.schema, table.name));
    if (table.primaryKey !== null && table.implied !== true) this.#relations.delete(scoped(table.schema, table.primaryKey));
    for (const index of table.indexes) {
      this.indexes.delete(index.number);
      this.#relations.delete(scoped(table.schema, index.name));
    }
    for (const { target } of table.foreignKeys) {
      this.#referencing.set(
        target,
        this.#pointing(target).filter((pointer) => pointer.table !== table),
      );
    }
    for (const parent of table.inheritance?.parents ?? [])
      this.#children.set(
        parent,
        this.#children.get(parent)!.filter((each) => each !== number),
      );
  }

  /** 42501 for the internal name of agents, which cannot be read or written. */
  relation(schema: string, name: string): Relation | null {
    refuseReserved(name);
    return this.#relations.get(scoped(schema, name)) ?? null;
  }

  relations(): IterableIterator<Relation> {
    return this.#relations.values();
  }

  /** Including system tables. */
  tableNumbered(number: number): SqlTable | undefined {
    return this.tables.get(number) ?? this.stores.get(number);
  }

  table(schema: string, name: string): SqlTable | null {
    const found = this.relation(schema, name);
    return found?.kind === 'table' ? found.table : null;
  }

  /** A user-defined type, or the array over it (`_mood`). */
  typeByName(schema: string, name: string): SqlType | null {
    const found = this.#typesByName.get(scoped(schema, name));
    if (found !== undefined) return found;
    const relation = this.#relations.get(scoped(schema, name));
    if (relation?.kind === 'table') return this.rowType(relation.table.number);
    if (relation?.kind === 'view') return this.rowType(relation.view.number);
    const array = name.startsWith('_') ? this.#relations.get(scoped(schema, name.slice(1))) : undefined;
    return array?.kind === 'table' ? this.typeByOid(rowArrayOid(array.table.number)) : null;
  }

  /** A type with a definition of its own. */
  ownType(schema: string, name: string): UserType | null {
    return this.#ownByName.get(scoped(schema, name)) ?? null;
  }

  enumByName(schema: string, name: string): EnumType | null {
    return this.#enumsByName.get(scoped(schema, name)) ?? null;
  }

  /** Any type, built-in or user-defined. */
  typeByOid(oid: number): SqlType | null {
    const known = this.#typesByOid.get(oid) ?? this.lookup.byOid(oid);
    if (known !== null) return known;
    const relation = relationOfRowType(oid);
    if (relation === null) return null;
    const row = this.rowType(relation);
    return row === null || row.oid === oid ? row : this.lookup.arrayOf(row);
  }

  /** The schema of a type that comes with another object: row types and multiranges. null for others. */
  schemaOfPart(oid: number): string | null {
    for (const { schema, multirange } of this.#ranges) if (multirange.oid === oid || multirange.arrayOid === oid) return schema;
    const relation = relationOfRowType(oid);
    return relation === null ? null : (this.tables.get(relation)?.schema ?? this.views.get(relation)?.schema ?? null);
  }

  /** The row type of a table or view; null if there is no such relation. */
  rowType(number: number): SqlType | null {
    const known = this.#rowTypes.get(number);
    if (known !== undefined) return known;
    const columns = this.#rowColumns(number);
    if (columns === null) return null;
    const name = this.catalog.byNumber.get(number)?.relation?.object.name ?? this.catalog.byNumber.get(number)?.name ?? this.views.get(number)!.name;
    const type = recordType(columns, { oid: rowTypeOid(number), arrayOid: rowArrayOid(number), name, title: quoteIdentifier(name) });
    this.#rowTypes.set(number, type);
    return type;
  }

  #rowColumns(number: number): RecordColumn[] | null {
    const table = this.catalog.byNumber.get(number);
    const unread = this.#unread.get(number);
    if (unread !== undefined) this.#addView(unread);
    if (table === undefined) return this.views.get(number)?.columns.map(({ name, type, typmod }) => ({ name, type, typmod })) ?? null;
    if (table.relation === null) return this.#documentTable(table).columns.map(({ name, type, typmod, attnum }) => ({ name, type, typmod, attnum }));
    return table.relation.attributes.map(({ name, type, typmod, attnum }) => ({ name, type: this.#type(type), typmod, attnum }));
  }

  #pointing(table: number): readonly Pointer[] {
    return this.#referencing.get(table) ?? [];
  }

  /** Foreign keys (also of the table itself) that reference the table, or a partitioned table above it. */
  referencing(table: number): readonly Pointer[] {
    const own = this.#pointing(table);
    const within = this.#referencing.size === 0 ? null : (this.tables.get(table)?.inheritance ?? null);
    if (within === null || within.bound === null) return own;
    const known = this.#inPartitions.get(table);
    if (known !== undefined) return known;
    const all = [...own, ...this.#pointingAbove(this.tables.get(table)!)];
    this.#inPartitions.set(table, all);
    return all;
  }
  readonly #inPartitions = new Map<number, readonly Pointer[]>();

  /** Foreign keys to a partition's ancestors, as if they referenced it. */
  #pointingAbove(table: SqlTable): Pointer[] {
    const parent = this.parentOf(table);
    if (parent === null) return [];
    const columns = columnsBelow(parent, table);
    // A copy of the foreign key on each partition of the referencing table is enforced there.
    return this.referencing(parent.number)
      .filter((pointer) => pointer.table.inheritance?.partitionBy == null)
      .map((pointer) => ({
        table: pointer.table,
        key: {
          ...pointer.key,
          target: table.number,
          targetColumns: pointer.key.targetColumns.map((each) => columns[each]),
          whole: pointer.key.whole ?? pointer.key,
        },
      }));
  }

  /** The partitioned table of a partition. */
  parentOf(table: SqlTable): SqlTable | null {
    const { inheritance } = table;
    return inheritance === null || inheritance.bound === null ? null : (this.tables.get(inheritance.parents[0]) ?? null);
  }

  /** Number of the primary key's constraint, which is also that of its index. */
  primaryKeyNumber(table: SqlTable): number | undefined {
    return this.catalog.byNumber.get(table.number)?.relation?.object.primaryKey?.number;
  }

  /** Number of the partitioned table's index (or primary key) that an index or primary key is part of. */
  parentIndex(number: number): number | undefined {
    const index = this.catalog.indexes.get(number);
    if (index !== undefined) return index.parent;
    for (const { relation } of this.catalog.byNumber.values()) if (relation?.object.primaryKey?.number === number) return relation.object.primaryKey.parent;
    return undefined;
  }

  /** Children or partitions of the table, ordered by number. */
  children(table: number): readonly SqlTable[] {
    const numbers = this.#children.get(table);
    if (numbers === undefined || numbers.length === 0) return [];
    return [...numbers].sort((a, b) => a - b).map((number) => this.tables.get(number)!);
  }

  /** The table with its descendants; null if it has none. */
  whole(table: SqlTable): SqlTable | null {
    if (table.inheritance?.partitionBy == null && (this.#children.get(table.number)?.length ?? 0) === 0) return null;
    let whole = this.#wholes.get(table.number);
    if (whole === undefined) this.#wholes.set(table.number, (whole = wholeTable(this, table)));
    return whole;
  }
  readonly #wholes = new Map<number, SqlTable>();

  sequencesOwnedBy(table: number): readonly Sequence[] {
    return this.#sequencesOwned.get(table) ?? [];
  }

  /** The sequence of an identity or serial column. */
  sequenceOf(table: number, column: number): Sequence | null {
    return this.sequencesOwnedBy(table).find(({ ownedBy }) => ownedBy!.column === column) ?? null;
  }

  comment(object: number, attnum = 0): string | null {
    return this.comments.get(commentKey(object, attnum)) ?? null;
  }

  /** Owners, privileges, masks. */
  get rights(): SchemaRights {
    return (this.#rights ??= new SchemaRights(this.catalog));
  }

  /** Masks of columns, by `commentKey`. */
  get labels(): ReadonlyMap<string, string> {
    return this.rights.labels;
  }

  get defaultRights(): readonly DefaultRightsObject[] {
    return this.rights.defaults;
  }

  /** Agents that wrote definitions without a person's approval, by object. */
  get authors(): ReadonlyMap<number, AuthorObject> {
    return this.rights.authors;
  }

  /** The role or agent whose rights limit the object's code: its unapproved author, otherwise its owner. */
  authorOf(object: number): number {
    return this.rights.authors.get(object)?.by ?? this.rights.ownerOf(object);
  }

  /** Names of the owners that are not roles. */
  get agentOwners(): ReadonlyMap<number, string> {
    return (this.#agentOwners ??= new Map([...this.authors.values()].map(({ by, name }) => [by, name])));
  }
  #agentOwners: ReadonlyMap<number, string> | null = null;

  /** Oid of the role, or of the agent, that owns the object. */
  ownerOf(object: number): number {
    return this.rights.ownerOf(object);
  }

  /** null: the default privileges. */
  aclOf(object: number): Acl | null {
    return this.rights.aclOf(object);
  }

  /** null: no privileges on the column itself. */
  columnAclOf(object: number, attnum: number): Acl | null {
    return this.rights.columnAclOf(object, attnum);
  }

  /** Oids of built-in objects with changed privileges. */
  get systemRights(): readonly number[] {
    return this.rights.ofSystem;
  }

  grants(): Iterable<readonly [key: string, acl: Acl]> {
    return this.rights.grants;
  }

  /** The codec of the table's row keys. */
  rowKey(table: SqlTable): RowKeyCodec {
    let codec = this.#rowKeys.get(table.number);
    if (codec === undefined) {
      codec = rowKeyCodec(
        table.key.columns.map((column) => table.columns[column]),
        this.labelOrders,
      );
      this.#rowKeys.set(table.number, codec);
    }
    return codec;
  }

  /** The codecs of the columns of an index's entries. */
  indexParts(index: Index): KeyPart[] {
    if (index.entries !== 'ordered') return [];
    return index.columns.map((column) => ({ codec: this.columnCodec(column), descending: column.descending, nullsFirst: column.nullsFirst }));
  }

  keyCodec(type: SqlType, typmod = -1): KeyCodec {
    return keyCodec(type, typmod, this.labelOrders);
  }

  /** Of a column of a table or an index. */
  columnCodec({ type, folding }: KeyColumn): KeyCodec {
    return columnCodec({ type, typmod: -1, folding }, this.labelOrders);
  }

  readonly labelOrders: LabelOrders = (type) => {
    const found = this.enums.get(type.oid);
    return found === undefined ? type.labels!.map((label, order) => ({ label, order })) : found.labels;
  };

  #type(oid: number): SqlType {
    return this.#typesByOid.get(oid) ?? this.#madeType(oid) ?? this.typeByOid(oid) ?? violated(`type ${oid} is known`);
  }

  /** Types depend on each other: while decoding, each is built when it is first needed. */
  #madeType(oid: number): SqlType | null {
    const object = this.#unmade.get(oid);
    if (object === undefined) return null;
    this.#make(object);
    return this.#typesByOid.get(oid) ?? null;
  }

  #make(object: TypeObject): void {
    if (!this.#unmade.has(object.number)) return;
    for (const oid of typeOids(object)) this.#unmade.delete(oid);
    if (object.what === 'range') return this.#makeRange(object);
    const type = this.#typeOf(object);
    this.#typesByOid.set(object.number, type);
    if (object.array !== 0) this.#typesByOid.set(object.array, this.lookup.arrayOf(type));
  }

  #makeRange(object: RangeObject): void {
    const { range, multirange } = this.lookup.rangeOf(this.#type(object.subtype), object);
    this.#typesByOid.set(object.number, range);
    this.#typesByOid.set(object.array, this.lookup.arrayOf(range));
    this.#typesByOid.set(object.multirange, multirange);
    this.#typesByOid.set(object.multirangeArray, this.lookup.arrayOf(multirange));
  }

  #typeOf(object: Exclude<TypeObject, RangeObject>): SqlType {
    const { number, array, name } = object;
    switch (object.what) {
      case 'enum': {
        const ordered = [...object.labels].sort((a, b) => a.order - b.order);
        return this.lookup.enumOf(
          number,
          array,
          name,
          ordered.map(({ label }) => label),
          ordered.map(labelId),
        );
      }
      case 'base': {
        const { made } = object;
        if (made === null) return shellType(number, name);
        const kind = { ...made, over: this.#type(made.over), sends: made.send !== 0, receives: made.receive !== 0 };
        return baseType(number, array, name, this.#type(made.shown), kind);
      }
      case 'domain':
        return this.#domain(object);
      case 'composite': {
        const columns = object.attributes.map((each) => ({ name: each.name, type: this.#type(each.type), typmod: each.typmod, attnum: each.attnum }));
        return recordType(columns, { oid: number, arrayOid: array, name, title: quoteIdentifier(name) });
      }
    }
  }

  #domain({ number, array, schema, name, base, typmod, notNull, default: text, checks }: DomainObject): SqlType {
    const under = this.#type(base);
    const tests = [...checks]
      .sort(byName)
      .map((check) => ({ name: check.name, valid: check.notValid !== true, test: this.lookup.domainTest(this, under, check.condition) }));
    return domainType(number, array, name, under, { schema, typmod, notNull, default: text, checks: tests });
  }

  #addType(object: TypeObject, enums: Map<number, EnumType>, types: Map<number, UserType>): void {
    this.#make(object);
    const { number, array: arrayOid, schema, name } = object;
    const type = this.#typesByOid.get(number)!;
    // A shell type has no array type.
    const array = arrayOid === 0 ? type : this.#typesByOid.get(arrayOid)!;
    const own = { object, number, arrayOid, schema, name, type, array };
    types.set(number, own);
    this.#ownByName.set(scoped(schema, name), own);
    this.#typesByName.set(scoped(schema, name), type);
    if (arrayOid !== 0) this.#typesByName.set(scoped(schema, `_${name}`), array);
    if (object.what === 'range') {
      const multirange = this.#typesByOid.get(object.multirange)!;
      this.#typesByName.set(scoped(schema, object.multirangeName), multirange);
      this.#typesByName.set(scoped(schema, `_${object.multirangeName}`), this.#typesByOid.get(object.multirangeArray)!);
      this.#ranges.push({ schema, range: type, multirange });
    }
    if (object.what === 'enum') this.#addEnum(object, enums);
  }

  #addEnum({ number, array, schema, name, labels }: EnumObject, enums: Map<number, EnumType>): void {
    const ordered = [...labels].sort((a, b) => a.order - b.order);
    const each: EnumType = { number, arrayOid: array, schema, name, labels: ordered, type: this.#type(number), array: this.#type(array) };
    enums.set(number, each);
    this.#enumsByName.set(scoped(schema, name), each);
  }

  #addComment({ object, attnum, text }: CommentObject): void {
    this.comments.set(commentKey(object, attnum), text);
  }

  /** Rules of a table or view, in the order in which they apply. */
  rules(table: number): readonly RuleObject[] {
    return this.#rules.size === 0 ? NO_RULES : (this.#rules.get(table) ?? NO_RULES);
  }

  /** Tables and views with rules. */
  get ruled(): Iterable<[number, readonly RuleObject[]]> {
    return this.#rules;
  }

  get hasRules(): boolean {
    return this.#rules.size > 0;
  }

  /** Triggers of a table or view, in the order in which they fire. */
  triggers(table: number): readonly TriggerObject[] {
    return this.#triggers.size === 0 ? NO_TRIGGERS : (this.#triggers.get(table) ?? NO_TRIGGERS);
  }

  /** Tables and views with triggers. */
  get triggered(): Iterable<[number, readonly TriggerObject[]]> {
    return this.#triggers;
  }

  /** A view as the target table of its INSTEAD OF triggers; null if it has none. */
  insteadOf(view: View): { readonly events: readonly TriggerEvent[]; readonly table: SqlTable } | null {
    const triggers = this.triggers(view.number).filter(({ timing }) => timing === 'instead of');
    if (triggers.length === 0) return null;
    let known = this.#instead.get(view);
    if (known === undefined) this.#instead.set(view, (known = { events: [...new Set(triggers.flatMap(({ events }) => events))], table: this.asTable(view) }));
    return known;
  }
  readonly #instead = new WeakMap<View, { readonly events: readonly TriggerEvent[]; readonly table: SqlTable }>();

  /** A view as a table with its columns, for writers through it. */
  asTable(view: View): SqlTable {
    let known = this.#viewTables.get(view);
    if (known === undefined) {
      const columns = view.columns.map((column, i) => ({
        ...plainColumn(i + 1, i + 1, column.name, column.type),
        typmod: column.typmod,
        default: column.default ?? null,
      }));
      known = {
        number: view.number,
        schema: view.schema,
        name: view.name,
        document: false,
        columns,
        key: { numeric: false, columns: [] },
        primaryKey: null,
        indexes: [],
        checks: [],
        foreignKeys: [],
        materialized: null,
        inheritance: null,
        view: true,
      };
      this.#viewTables.set(view, known);
    }
    return known;
  }
  readonly #viewTables = new WeakMap<View, SqlTable>();

  get hasTriggers(): boolean {
    return this.#triggers.size > 0;
  }

  #secure(before: PolicyObject | RowSecurityObject | undefined, after: PolicyObject | RowSecurityObject | undefined): void {
    const { table } = (before ?? after)!;
    const security = securityAfter(this.#security.get(table), before, after);
    if (security === null) this.#security.delete(table);
    else this.#security.set(table, security);
  }

  /** null: no policies and no row security. */
  security(table: number): TableSecurity | null {
    return this.#security.size === 0 ? null : (this.#security.get(table) ?? null);
  }

  /** Tables with policies or with row security. */
  get secured(): Iterable<[number, TableSecurity]> {
    return this.#security;
  }

  /** Whether plans may depend on the reading role. */
  get securesRows(): boolean {
    return this.#security.size > 0;
  }

  #addStatistics({ table, data }: StatisticsObject): void {
    this.statistics.set(table, data);
  }

  #addView({ number, schema, name, sql, columns, check, invoker, barrier }: ViewObject): void {
    this.#unread.delete(number);
    const view: View = {
      number,
      schema,
      name,
      sql,
      check: check ?? 'none',
      invoker: invoker === true,
      barrier: barrier === true,
      columns: columns.map((column) => ({ ...column, type: this.#type(column.type) })),
    };
    this.views.set(number, view);
    this.longestView = Math.max(this.longestView, sql.length);
    this.#relations.set(scoped(schema, name), { kind: 'view', view });
  }

  functionsNamed(schema: string, name: string): readonly UserFunction[] {
    return this.#functionsByName.get(scoped(schema, name)) ?? [];
  }

  #addFunction(object: FunctionObject): void {
    const called = object.args.filter(({ mode }) => mode !== 'table' && (mode !== 'out' || object.procedure));
    const out = object.args.filter(({ mode }) => mode === 'out' || mode === 'inout' || mode === 'table');
    const columns =
      object.columns ??
      (out.length > 1 || (object.procedure && out.length > 0) ? out.map(({ name, type }, i) => ({ name: name ?? `column${i + 1}`, type })) : null);
    const fn: UserFunction = {
      object,
      inputs: called.map((arg) => ({ name: arg.name, type: this.#type(arg.type), default: arg.default })),
      variadic: called.at(-1)?.mode === 'variadic',
      returns: this.#type(object.returns),
      columns: columns === null ? null : columns.map(({ name, type }) => ({ name, type: this.#type(type) })),
    };
    this.functions.set(object.number, fn);
    const key = scoped(object.schema, object.name);
    this.#functionsByName.set(key, [...(this.#functionsByName.get(key) ?? []), fn]);
  }

  #addOperator(object: OperatorObject): void {
    const { number, left, right, returns } = object;
    this.operators.set(number, { object, left: left === 0 ? null : this.#type(left), right: this.#type(right), returns: this.#type(returns) });
  }

  #addCast(object: CastObject): void {
    this.casts.set(object.number, { object, from: this.#type(object.from), to: this.#type(object.to) });
  }

  #addSequence(object: SequenceObject): void {
    const { number, schema, name, cache, cycle, ownedBy } = object;
    const of = (text: string): Whole => whole(BigInt(text));
    const sequence: Sequence = {
      number,
      schema,
      name,
      type: this.#type(object.type),
      increment: of(object.increment),
      min: of(object.min),
      max: of(object.max),
      start: of(object.start),
      cache,
      cycle,
      ownedBy,
    };
    this.sequences.set(number, sequence);
    this.#relations.set(scoped(schema, name), { kind: 'sequence', sequence });
    if (ownedBy === null) return;
    this.#sequencesOwned.set(ownedBy.table, [...this.sequencesOwnedBy(ownedBy.table), sequence]);
  }

  #addTable(source: Table): void {
    const known = decodedTables(this.lookup);
    let table = known.get(source);
    if (table === undefined) {
      table = source.relation === null ? this.#documentTable(source) : this.#typedTable(source);
      if (standsAlone(source)) known.set(source, table);
    }
    for (const key of table.foreignKeys) this.#referencing.set(key.target, [...this.#pointing(key.target), { table, key }]);
    if (table.schema === 'pg_catalog') {
      this.stores.set(table.number, table);
      return;
    }
    this.tables.set(table.number, table);
    this.#relations.set(scoped(table.schema, table.name), { kind: 'table', table });
    if (table.primaryKey !== null && table.implied !== true) this.#relations.set(scoped(table.schema, table.primaryKey), { kind: 'index', index: null, table });
    for (const index of table.indexes) {
      this.indexes.set(index.number, { index, table });
      this.#relations.set(scoped(table.schema, index.name), { kind: 'index', index, table });
    }
    for (const parent of table.inheritance?.parents ?? []) this.#children.set(parent, [...(this.#children.get(parent) ?? []), table.number]);
  }

  /** `id text primary key`, which is stored only in the key, and one column per field, which may be absent (read as null). */
  #documentTable({ number, name, columns }: Table): SqlTable {
    const text = this.#type(OID.text);
    const id: SqlColumn = { ...plainColumn(ID_COLUMN, 1, 'id', text), notNull: true };
    const fields = columns.map((column, i): SqlColumn => {
      const type = this.#type(FIELD_OIDS[column.type]);
      const plain = { ...plainColumn(column.number, i + 2, column.name, type), field: column.type };
      return column.type === 'jsonb' ? { ...plain, storage: documentJson(type) } : plain;
    });
    return {
      number,
      schema: 'public',
      name,
      document: true,
      implied: true,
      open: true,
      columns: [id, ...fields],
      key: { numeric: false, columns: [0] },
      primaryKey: `${name}_pkey`,
      indexes: [],
      checks: [],
      foreignKeys: [],
      materialized: null,
      inheritance: null,
    };
  }

  #typedTable({ number, relation }: Table): SqlTable {
    const { object, attributes, indexes, constraints } = relation!;
    const columns = attributes.map((attribute) => this.#column(attribute));
    const at = new Map(columns.map((column, i) => [column.number, i]));
    const positions = (numbers: readonly number[]): number[] => numbers.map((each) => at.get(each)!).filter((each) => each !== undefined);
    const checks: CheckConstraint[] = [];
    const foreignKeys: ForeignKey[] = [];
    for (const constraint of constraints) {
      if (constraint.what === 'check')
        checks.push({
          kind: 'check',
          number: constraint.number,
          name: constraint.name,
          condition: constraint.condition,
          valid: constraint.notValid !== true,
          noInherit: constraint.noInherit === true,
        });
      else foreignKeys.push(this.#foreignKey(constraint, positions));
    }
    return {
      number,
      schema: object.schema,
      name: object.name,
      document: object.idsInKeys === true,
      ...(object.documents === true ? { open: true as const } : {}),
      columns,
      key: { numeric: object.numeric, columns: positions(object.key) },
      primaryKey: object.primaryKey?.name ?? null,
      indexes: indexes.map((index) => this.#index(index, at)),
      checks: checks.sort(byName),
      foreignKeys,
      materialized: object.query === undefined ? null : { sql: object.query.sql, populated: object.query.populated },
      inheritance: this.#inheritance(object, at),
      ...(object.foreign === undefined ? {} : { foreign: object.foreign }),
    };
  }

  #inheritance({ parents, partitionBy, bound }: RelationObject, at: ReadonlyMap<number, number>): Inheritance | null {
    if (parents === undefined && partitionBy === undefined) return null;
    const elements = partitionBy?.elements.map(({ column, expression, type, typmod, words }): PartitionElement => ({
      column: column === null ? null : (at.get(column) ?? null),
      expression,
      type: this.#type(type),
      typmod,
      words: words ?? '',
    }));
    return {
      parents: parents ?? [],
      partitionBy: partitionBy === undefined ? null : { strategy: partitionBy.strategy, elements: elements! },
      bound: bound ?? null,
    };
  }

  #column(attribute: AttributeObject): SqlColumn {
    const type = this.#type(attribute.type);
    const missing: Value = attribute.missing === null ? null : storedValue(type, attribute.missing, STORED);
    const { number, attnum, name, typmod, notNull, identity, generated, options, field } = attribute;
    const column = {
      number,
      attnum,
      name,
      type,
      typmod,
      storage: field === 'jsonb' ? documentJson(type) : storageOf(type, typmod),
      notNull,
      default: attribute.default,
      identity,
      generated,
      missing,
      fills: attribute.fills === true,
    };
    return { ...column, ...(options === undefined ? {} : { options }), ...(field === undefined ? {} : { field }), ...foldingOf(attribute) };
  }

  #index(index: IndexObject, at: ReadonlyMap<number, number>): Index {
    const columns = index.columns.map(({ column, expression, type, descending, nullsFirst, operatorClass = null, ownClass = null, folding }): IndexColumn => ({
      column: column === null ? null : (at.get(column) ?? null),
      expression,
      type: this.#type(type),
      descending,
      nullsFirst,
      operatorClass,
      ownClass,
      ...foldingOf({ folding }),
    }));
    const entries = index.recorded === true ? 'none' : index.columns.some(({ code }) => code === 'list') ? 'lists' : 'ordered';
    const { number, name, unique, nullsNotDistinct, where, constraint } = index;
    const method = index.method ?? 'btree';
    return {
      number,
      name,
      method,
      entries,
      unique,
      nullsNotDistinct,
      columns,
      include: index.include.map((each) => at.get(each)!),
      where,
      constraint,
      primary: index.primary === true,
      excludes: index.exclusion !== undefined,
    };
  }

  /** Referenced columns are resolved when that table is known; both sides are read from the catalog. */
  #foreignKey(key: ForeignKeyObject, positions: (numbers: readonly number[]) => number[]): ForeignKey {
    const target = this.catalog.byNumber.get(key.target);
    const order = target?.relation?.attributes.map(({ number }) => number) ?? [0];
    const { number, name, onDelete, onUpdate, matchFull, deferrable, initiallyDeferred } = key;
    return {
      kind: 'foreign key',
      number,
      name,
      columns: positions(key.columns),
      target: key.target,
      targetColumns: key.targetColumns.map((each) => order.indexOf(each)),
      onDelete,
      onUpdate,
      deleteColumns: positions(key.deleteColumns),
      matchFull,
      deferrable,
      initiallyDeferred,
      valid: key.notValid !== true,
    };
  }
}

function foldingOf({ folding }: { readonly folding?: string }): { readonly folding?: IcuCollation } {
  return folding === undefined ? {} : { folding: icuCollation(folding, false) };
}

const tablesByLookup = new WeakMap<TypeLookup, WeakMap<Table, SqlTable>>();

/** Decoded tables that are equal in every schema. */
function decodedTables(lookup: TypeLookup): WeakMap<Table, SqlTable> {
  let tables = tablesByLookup.get(lookup);
  if (tables === undefined) tablesByLookup.set(lookup, (tables = new WeakMap()));
  return tables;
}

/** Whether the decoded table depends only on its own definitions: no foreign keys, no user-defined types. */
function standsAlone({ relation }: Table): boolean {
  if (relation === null) return true;
  return (
    relation.constraints.every(({ what }) => what === 'check') &&
    relation.attributes.every(({ type }) => type < FIRST_OWN_OID) &&
    relation.indexes.every(({ columns }) => columns.every(({ type }) => type < FIRST_OWN_OID))
  );
}

export function plainColumn(number: number, attnum: number, name: string, type: SqlType): SqlColumn {
  return {
    number,
    attnum,
    name,
    type,
    typmod: -1,
    storage: storageOf(type, -1),
    notNull: false,
    default: null,
    identity: null,
    generated: null,
    missing: null,
  };
}

/** Replaces an object among those of its table, by name. */
function setIn<T extends { number: number; table: number; name: string }>(
  map: LayeredMap<number, readonly T[]>,
  before: T | undefined,
  after: T | undefined,
): void {
  const { table } = (before ?? after)!;
  const left = (map.get(table) ?? []).filter(({ number }) => number !== before?.number);
  const objects = after === undefined ? left : [...left, after].sort(byName);
  if (objects.length === 0) map.delete(table);
  else map.set(table, objects);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function scoped(schema: string, name: string): string {
  return `${schema}\0${name}`;
}

export function commentKey(object: number, attnum: number): string {
  return `${object}.${attnum}`;
}

const decoded = new WeakMap<Catalog, Map<TypeLookup, Schema>>();

/** The schema of a catalog; the same object as long as the definitions are the same. */
export function schemaOf(catalog: Catalog, lookup: TypeLookup): Schema {
  let byLookup = decoded.get(catalog);
  if (byLookup === undefined) decoded.set(catalog, (byLookup = new Map()));
  let schema = byLookup.get(lookup);
  if (schema === undefined) byLookup.set(lookup, (schema = changedSchema(catalog, lookup) ?? new Schema(catalog, lookup)));
  return schema;
}

/** The schema of a catalog that was derived from another one with a schema. */
function changedSchema(catalog: Catalog, lookup: TypeLookup): Schema | null {
  const before = knownBefore(catalog, (each) => decoded.get(each)?.get(lookup));
  if (before === null) return null;
  const merged = new Map<string, DefinitionChange>();
  for (const changes of before.changes) {
    for (const [key, change] of changes) {
      if (isTypeObject(change.before) || isTypeObject(change.after)) return null;
      const later = merged.get(key);
      merged.set(key, later === undefined ? change : { before: change.before, after: later.after });
    }
  }
  const all = [...merged.values()];
  return changesRowsInUse(before.known, all) ? null : new Schema(catalog, lookup, before.known, all);
}

/** Whether a relation with a used row type changes: the user holds the former type. */
function changesRowsInUse(known: Schema, changes: readonly DefinitionChange[]): boolean {
  const relations = new Set<number>();
  for (const { before, after } of changes) {
    for (const object of [before, after]) {
      const relation = object?.what === 'attribute' || object?.what === 'column' ? object.table : isRelation(object) ? object.number : null;
      if (relation !== null && (known.tables.has(relation) || known.views.has(relation))) relations.add(relation);
    }
  }
  if (relations.size === 0) return false;
  const used = rowsInUse(known.catalog);
  return used.size > 0 && [...relations].some((number) => used.has(number));
}

/** Definitions of relations and what belongs to them; no expression without a relation's name can depend on them. */
const OF_RELATIONS: ReadonlySet<CatalogObject['what']> = new Set<CatalogObject['what']>([
  'table',
  'column',
  'relation',
  'attribute',
  'index',
  'check',
  'foreign key',
  'view',
  'sequence',
  'trigger',
  'rule',
  'facts',
  'comment',
  'statistics',
  'extended statistics',
]);

function isOfRelation(object: CatalogObject | undefined): boolean {
  return object === undefined || OF_RELATIONS.has(object.what);
}

function isRelation(object: CatalogObject | undefined): object is CatalogObject & { what: 'relation' | 'table' | 'view' } {
  return object !== undefined && (object.what === 'relation' || object.what === 'table' || object.what === 'view');
}

function sameColumns(a: Table | undefined, b: Table | undefined): boolean {
  const [x, y] = [a?.relation?.attributes, b?.relation?.attributes];
  return x !== undefined && y !== undefined && x.length === y.length && x.every(({ number }, i) => number === y[i].number);
}
