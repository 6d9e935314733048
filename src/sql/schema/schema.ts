/**
 * A world's definitions as statements see them. Decoded from the world's catalog once, kept beside it and so
 * shared by all forks whose definitions are the same; never changed.
 *
 *   catalog (rows of the catalog tree) ──► Schema: schemas, relations by name and number, types, comments
 */
import { assert } from '../../base/assert.ts';
import type { Catalog, Table } from '../../worlds/catalog.ts';
import { refuseReserved } from '../../worlds/reserved-table.ts';
import type {
  AttributeObject,
  CatalogObject,
  CommentObject,
  DefaultRightsObject,
  EnumObject,
  ForeignKeyObject,
  GrantObject,
  IndexObject,
  SequenceObject,
  StatisticsObject,
  ViewObject,
} from '../../worlds/definition.ts';
import { DATABASE_OWNER_ROLE, OWNER_ROLE } from '../../identity/roles.ts';
import type { SqlType } from '../types/type.ts';
import { type Value, whole, type Whole } from '../types/value.ts';
import { type Acl, type AclItem, parsePrivileges, PUBLIC_SCHEMA_ACL } from './acl.ts';
import { type KeyCodec, keyCodec, type KeyPart, type LabelOrders, type RowKeyCodec, rowKeyCodec } from './key-codec.ts';
import { OID } from './oids.ts';
import { documentJson, storageOf } from './storage.ts';
import type { CheckConstraint, ForeignKey, Index, IndexColumn, SqlColumn, SqlTable } from './table.ts';
import { STORED, type TypeLookup } from './type-lookup.ts';

export interface ViewColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  readonly default?: string;
}
export interface View {
  readonly number: number;
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  readonly columns: readonly ViewColumn[];
  readonly check: 'none' | 'local' | 'cascaded';
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
/** Tables, views, sequences and indexes share one space of names in each schema. */
export type Relation =
  | { readonly kind: 'table'; readonly table: SqlTable }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'sequence'; readonly sequence: Sequence }
  /** `index` null: the primary key of the table, kept by its own tree. */
  | { readonly kind: 'index'; readonly index: Index | null; readonly table: SqlTable };

/** Oid of `public`, as in Postgres. */
export const PUBLIC_SCHEMA = 2200;

let versions = 0;

export class Schema {
  /** Rises with each schema that is decoded: plans of another version are void. */
  readonly version = ++versions;
  readonly catalog: Catalog;
  readonly lookup: TypeLookup;
  /** Number by name. `public` is always there; pg_catalog and information_schema are not listed. */
  readonly schemas = new Map<string, number>([['public', PUBLIC_SCHEMA]]);
  readonly tables = new Map<number, SqlTable>();
  readonly views = new Map<number, View>();
  readonly sequences = new Map<number, Sequence>();
  readonly enums = new Map<number, EnumType>();
  readonly indexes = new Map<number, { readonly index: Index; readonly table: SqlTable }>();
  /** By `commentKey`. */
  readonly comments = new Map<string, string>();
  /** Masks of columns, by `commentKey`. */
  readonly labels = new Map<string, string>();
  readonly defaultRights: DefaultRightsObject[] = [];
  readonly #owners = new Map<number, { readonly owner: number; readonly explicit: boolean }>();
  /** By `commentKey`, in order. */
  readonly #grants = new Map<string, (AclItem & { readonly order: number })[]>();
  readonly statistics = new Map<number, unknown>();
  readonly #relations = new Map<string, Relation>();
  readonly #typesByName = new Map<string, EnumType>();
  readonly #typesByOid = new Map<number, SqlType>();
  readonly #referencing = new Map<number, { readonly table: SqlTable; readonly key: ForeignKey }[]>();
  readonly #sequencesOwned = new Map<number, Sequence[]>();
  readonly #rowKeys = new Map<number, RowKeyCodec>();

  constructor(catalog: Catalog, lookup: TypeLookup) {
    this.catalog = catalog;
    this.lookup = lookup;
    const later: CatalogObject[] = [];
    for (const object of catalog.objects.values()) {
      switch (object.what) {
        case 'schema':
          this.schemas.set(object.name, object.number);
          break;
        case 'enum':
          this.#addEnum(object);
          break;
        case 'comment':
          this.#addComment(object);
          break;
        case 'statistics':
          this.#addStatistics(object);
          break;
        case 'rights':
          this.#owners.set(object.object, object);
          break;
        case 'grant':
          this.#addGrant(object);
          break;
        case 'default rights':
          this.defaultRights.push(object);
          break;
        case 'label':
          this.labels.set(commentKey(object.object, object.attnum), object.text);
          break;
        case 'view':
        case 'sequence':
          later.push(object);
          break;
        default:
      }
    }
    // What has types comes after the types.
    for (const object of later) {
      if (object.what === 'view') this.#addView(object);
      else if (object.what === 'sequence') this.#addSequence(object);
    }
    for (const table of catalog.byNumber.values()) this.#addTable(table);
    for (const table of this.tables.values()) {
      for (const key of table.foreignKeys) {
        const list = this.#referencing.get(key.target);
        if (list === undefined) this.#referencing.set(key.target, [{ table, key }]);
        else list.push({ table, key });
      }
    }
  }

  /** 42501 for the agents' own name, which nobody reads or writes. */
  relation(schema: string, name: string): Relation | null {
    refuseReserved(name);
    return this.#relations.get(scoped(schema, name)) ?? null;
  }

  relations(): IterableIterator<Relation> {
    return this.#relations.values();
  }

  table(schema: string, name: string): SqlTable | null {
    const found = this.relation(schema, name);
    return found?.kind === 'table' ? found.table : null;
  }

  /** A type that the world defines, or the array over it (`_mood`). */
  typeByName(schema: string, name: string): SqlType | null {
    const found = this.#typesByName.get(scoped(schema, name));
    if (found !== undefined) return found.type;
    return name.startsWith('_') ? (this.#typesByName.get(scoped(schema, name.slice(1)))?.array ?? null) : null;
  }

  enumByName(schema: string, name: string): EnumType | null {
    return this.#typesByName.get(scoped(schema, name)) ?? null;
  }

  /** Any type, the engine's own or the world's. */
  typeByOid(oid: number): SqlType | null {
    return this.#typesByOid.get(oid) ?? this.lookup.byOid(oid);
  }

  /** Foreign keys of other tables (and of its own) that point at the table. */
  referencing(table: number): readonly { readonly table: SqlTable; readonly key: ForeignKey }[] {
    return this.#referencing.get(table) ?? [];
  }

  sequencesOwnedBy(table: number): readonly Sequence[] {
    return this.#sequencesOwned.get(table) ?? [];
  }

  /** The sequence behind an identity or serial column. */
  sequenceOf(table: number, column: number): Sequence | null {
    return this.sequencesOwnedBy(table).find(({ ownedBy }) => ownedBy!.column === column) ?? null;
  }

  comment(object: number, attnum = 0): string | null {
    return this.comments.get(commentKey(object, attnum)) ?? null;
  }

  /** Oid of the role that owns the object. */
  ownerOf(object: number): number {
    return this.#owners.get(object)?.owner ?? (object === PUBLIC_SCHEMA ? DATABASE_OWNER_ROLE : OWNER_ROLE);
  }

  /** null: what such objects have from the start. */
  aclOf(object: number): Acl | null {
    const own = this.#owners.get(object);
    if (own === undefined ? object !== PUBLIC_SCHEMA : !own.explicit) return null;
    return own === undefined ? PUBLIC_SCHEMA_ACL : (this.#grants.get(commentKey(object, 0)) ?? []);
  }

  /** null: nothing was given on the column by itself. */
  columnAclOf(object: number, attnum: number): Acl | null {
    return this.#grants.get(commentKey(object, attnum)) ?? null;
  }

  /** Objects with an owner of their own, or privileges. */
  owned(): Iterable<readonly [object: number, { readonly owner: number; readonly explicit: boolean }]> {
    return this.#owners;
  }

  grants(): Iterable<readonly [key: string, acl: Acl]> {
    return this.#grants;
  }

  #addGrant({ object, attnum, grantee, grantor, privileges, order }: GrantObject): void {
    const key = commentKey(object, attnum);
    const item = { ...parsePrivileges(privileges), grantee, grantor, order };
    const list = this.#grants.get(key);
    if (list === undefined) this.#grants.set(key, [item]);
    else {
      list.push(item);
      list.sort((a, b) => a.order - b.order);
    }
  }

  /** How keys of the table's rows are written and read. */
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

  /** How the columns of an index's entries are written and read. */
  indexParts(index: Index): KeyPart[] {
    return index.columns.map(({ type, descending, nullsFirst }) => ({ codec: this.keyCodec(type), descending, nullsFirst }));
  }

  keyCodec(type: SqlType, typmod = -1): KeyCodec {
    return keyCodec(type, typmod, this.labelOrders);
  }

  readonly labelOrders: LabelOrders = (type) => {
    const found = this.enums.get(type.oid);
    return found === undefined ? type.labels!.map((label, order) => ({ label, order })) : found.labels;
  };

  #type(oid: number): SqlType {
    const type = this.typeByOid(oid);
    assert(type !== null, `type ${oid} is known`);
    return type;
  }

  #addEnum({ number, array, schema, name, labels }: EnumObject): void {
    const ordered = [...labels].sort((a, b) => a.order - b.order);
    const type = this.lookup.enumOf(
      number,
      array,
      name,
      ordered.map(({ label }) => label),
    );
    const each: EnumType = { number, arrayOid: array, schema, name, labels: ordered, type, array: this.lookup.arrayOf(type) };
    this.enums.set(number, each);
    this.#typesByName.set(scoped(schema, name), each);
    this.#typesByOid.set(number, type);
    this.#typesByOid.set(array, each.array);
  }

  #addComment({ object, attnum, text }: CommentObject): void {
    this.comments.set(commentKey(object, attnum), text);
  }

  #addStatistics({ table, data }: StatisticsObject): void {
    this.statistics.set(table, data);
  }

  #addView({ number, schema, name, sql, columns, check }: ViewObject): void {
    const view: View = { number, schema, name, sql, check: check ?? 'none', columns: columns.map((column) => ({ ...column, type: this.#type(column.type) })) };
    this.views.set(number, view);
    this.#relations.set(scoped(schema, name), { kind: 'view', view });
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
    const list = this.#sequencesOwned.get(ownedBy.table);
    if (list === undefined) this.#sequencesOwned.set(ownedBy.table, [sequence]);
    else list.push(sequence);
  }

  #addTable(source: Table): void {
    const known = decodedTables(this.lookup);
    let table = known.get(source);
    if (table === undefined) {
      table = source.relation === null ? this.#documentTable(source) : this.#typedTable(source);
      if (standsAlone(source)) known.set(source, table);
    }
    this.tables.set(table.number, table);
    this.#relations.set(scoped(table.schema, table.name), { kind: 'table', table });
    if (table.primaryKey !== null && !table.document) this.#relations.set(scoped(table.schema, table.primaryKey), { kind: 'index', index: null, table });
    for (const index of table.indexes) {
      this.indexes.set(index.number, { index, table });
      this.#relations.set(scoped(table.schema, index.name), { kind: 'index', index, table });
    }
  }

  /** `id text primary key`, which lies in the key alone, and a column a field, which may be absent (read as null). */
  #documentTable({ number, name, columns }: Table): SqlTable {
    const text = this.#type(OID.text);
    const id: SqlColumn = { ...plainColumn(0, 1, 'id', text), notNull: true };
    const fields = columns.map((column, i): SqlColumn => {
      const type = this.#type(documentOid(column.type));
      const plain = plainColumn(column.number, i + 2, column.name, type);
      return column.type === 'jsonb' ? { ...plain, storage: documentJson(type) } : plain;
    });
    return {
      number,
      schema: 'public',
      name,
      document: true,
      columns: [id, ...fields],
      key: { numeric: false, columns: [0] },
      primaryKey: `${name}_pkey`,
      indexes: [],
      checks: [],
      foreignKeys: [],
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
        checks.push({ kind: 'check', number: constraint.number, name: constraint.name, condition: constraint.condition, valid: constraint.notValid !== true });
      else foreignKeys.push(this.#foreignKey(constraint, positions));
    }
    return {
      number,
      schema: object.schema,
      name: object.name,
      document: false,
      columns,
      key: { numeric: object.numeric, columns: positions(object.key) },
      primaryKey: object.primaryKey?.name ?? null,
      indexes: indexes.map((index) => this.#index(index, at)),
      checks: checks.sort(byName),
      foreignKeys,
    };
  }

  #column(attribute: AttributeObject): SqlColumn {
    const type = this.#type(attribute.type);
    const missing: Value = attribute.missing === null ? null : type.parse(attribute.missing, -1, STORED);
    const { number, attnum, name, typmod, notNull, identity, generated } = attribute;
    return { number, attnum, name, type, typmod, storage: storageOf(type, typmod), notNull, default: attribute.default, identity, generated, missing };
  }

  #index(index: IndexObject, at: ReadonlyMap<number, number>): Index {
    const columns = index.columns.map(({ column, expression, type, descending, nullsFirst }): IndexColumn => ({
      column: column === null ? null : (at.get(column) ?? null),
      expression,
      type: this.#type(type),
      descending,
      nullsFirst,
    }));
    const { number, name, unique, nullsNotDistinct, where, constraint } = index;
    return { number, name, unique, nullsNotDistinct, columns, include: index.include.map((each) => at.get(each)!), where, constraint };
  }

  /** Columns of the target are found when the target is known; both sides are read from the catalog. */
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

const tablesByLookup = new WeakMap<TypeLookup, WeakMap<Table, SqlTable>>();

/** Tables that were decoded and are the same in every schema. */
function decodedTables(lookup: TypeLookup): WeakMap<Table, SqlTable> {
  let tables = tablesByLookup.get(lookup);
  if (tables === undefined) tablesByLookup.set(lookup, (tables = new WeakMap()));
  return tables;
}

/** Oids from here on are the worlds' own objects. */
const FIRST_OWN = 16384;

/** Whether the table's decoded form hangs on nothing but its own definitions: no foreign keys, no types of the world. */
function standsAlone({ relation }: Table): boolean {
  if (relation === null) return true;
  return (
    relation.constraints.every(({ what }) => what === 'check') &&
    relation.attributes.every(({ type }) => type < FIRST_OWN) &&
    relation.indexes.every(({ columns }) => columns.every(({ type }) => type < FIRST_OWN))
  );
}

function plainColumn(number: number, attnum: number, name: string, type: SqlType): SqlColumn {
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

function documentOid(type: string): number {
  switch (type) {
    case 'boolean':
      return OID.bool;
    case 'bigint':
      return OID.int8;
    case 'double precision':
      return OID.float8;
    case 'jsonb':
      return OID.jsonb;
    default:
      return OID.text;
  }
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
  if (schema === undefined) byLookup.set(lookup, (schema = new Schema(catalog, lookup)));
  return schema;
}
