/** CREATE TABLE from bound parts: types are resolved, defaults and conditions are SQL text. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { runSteps } from '../../base/run-steps.ts';
import {
  type AttributeObject,
  type KeyAction,
  type PartitionBoundObject,
  primaryKeyNumberName,
  type RelationObject,
  tableDefinitionKey,
} from '../../worlds/definition.ts';
import type { SqlType } from '../types/type.ts';
import { addExclusion, addIndexConstraint, type IndexColumnSpec } from './create-index.ts';
import { putFacts } from './facts.ts';
import { addChecks, addForeignKey } from './constraint.ts';
import { createOwnedSequence, type SequenceOptions } from './create-sequence.ts';
import type { Ddl } from './ddl.ts';
import { chooseName } from './implicit-name.ts';
import { partitionKeys } from './hierarchy.ts';
import { withParents } from './inherit.ts';
import { foldingLocale } from './icu-collations.ts';
import { rowKeyCodec } from './key-codec.ts';
import { missing, refuseSystemColumn, refuseTypeName, refuseWideTable, relationTaken, schemaMustExist } from './object-errors.ts';
import { checkPartitionRows, giveParts, refuseUncovered } from './partitions.ts';
import type { Schema } from './schema.ts';
import { ordinaryRows } from './ordinary-rows.ts';
import { openTemporarySchema } from './temporary-schema.ts';

export interface ColumnSpec {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  readonly notNull: boolean;
  /** SQL text. */
  readonly default: string | null;
  readonly generated: string | null;
  readonly identity: { readonly always: boolean; readonly options: SequenceOptions } | null;
  /** serial, bigserial, smallserial: a sequence of its own provides the default. */
  readonly serial: boolean;
  /** Number of parents that have it; absent for none. */
  readonly inherited?: number;
  /** False if it comes from parents only. */
  readonly local?: boolean;
  /** For a column of a foreign table. */
  readonly options?: readonly string[];
  /** Name of its collation, if not the type's default. */
  readonly collation?: string | null;
}

export interface PartitionKeySpec {
  readonly strategy: 'range' | 'list' | 'hash';
  readonly elements: readonly {
    readonly column: string | null;
    readonly expression: string | null;
    readonly type: SqlType;
    readonly typmod: number;
    readonly words?: string;
  }[];
}

export type KeySpec = Extract<ConstraintSpec, { kind: 'primary key' | 'unique' }>;

export type ConstraintSpec =
  | {
      readonly kind: 'primary key' | 'unique';
      /** Its position in the statement, for errors. */
      readonly at?: number;
      readonly name: string | null;
      readonly columns: readonly string[];
      readonly nullsNotDistinct: boolean;
      readonly include: readonly string[];
      /** WITH (…), `name=value` each. */
      readonly options?: readonly string[];
      readonly deferrable: boolean;
      readonly initiallyDeferred: boolean;
      /** Number of the partitioned table's primary key that it is part of. */
      readonly parent?: number;
      /** ON ONLY a partitioned table: not on its partitions. */
      readonly only?: boolean;
    }
  /** One operator per column. */
  | {
      readonly kind: 'exclude';
      readonly name: string | null;
      readonly columns: readonly IndexColumnSpec[];
      readonly operators: readonly string[];
      readonly method: string;
      readonly include: readonly string[];
      readonly options?: readonly string[];
      readonly where: string | null;
      readonly deferrable: boolean;
      readonly initiallyDeferred: boolean;
    }
  /** An existing unique index becomes the constraint. */
  | {
      readonly kind: 'using index';
      readonly at?: number;
      readonly primary: boolean;
      readonly name: string | null;
      readonly index: string;
      readonly deferrable: boolean;
      readonly initiallyDeferred: boolean;
    }
  /** `columns` are those that the condition reads; `notValid`: existing rows are not checked. */
  | {
      readonly kind: 'check';
      readonly name: string | null;
      readonly condition: string;
      readonly columns: readonly string[];
      readonly notValid?: boolean;
      readonly noInherit?: boolean;
      readonly inherited?: number;
      readonly local?: boolean;
    }
  | {
      readonly kind: 'foreign key';
      readonly name: string | null;
      readonly columns: readonly string[];
      readonly target: { readonly schema: string; readonly name: string };
      /** Empty: the referenced table's primary key. */
      readonly targetColumns: readonly string[];
      readonly onDelete: KeyAction;
      readonly onUpdate: KeyAction;
      readonly deleteColumns: readonly string[];
      readonly matchFull: boolean;
      readonly deferrable: boolean;
      readonly initiallyDeferred: boolean;
      readonly notValid?: boolean;
      /** Number of the partitioned table's foreign key that it is part of. */
      readonly parent?: number;
    };

export interface TableSpec {
  readonly schema: string;
  readonly name: string;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnSpec[];
  readonly constraints: readonly ConstraintSpec[];
  readonly query?: RelationObject['query'];
  readonly onCommit?: RelationObject['onCommit'];
  /** Numbers of the tables that it inherits from. */
  readonly parents?: readonly number[];
  readonly partitionBy?: PartitionKeySpec;
  readonly bound?: PartitionBoundObject;
  /** Positions of its values in the statement, for errors. */
  readonly boundPlaces?: readonly number[];
  /** OF: oid of a composite type. */
  readonly ofType?: number;
  readonly foreign?: RelationObject['foreign'];
}

/** Number of the new table; null if IF NOT EXISTS found one. 42P07, 42701, 42P16, 42703, 42830 … */
export function createTable(ddl: Ddl, given: TableSpec): number | null {
  return runSteps(createTableSteps(ddl, given));
}

/** The same in steps: it yields between columns and checks of wide tables. */
export function* createTableSteps(ddl: Ddl, given: TableSpec): Generator<void, number | null> {
  openTemporarySchema(ddl, given.schema);
  schemaMustExist(ddl.schema, given.schema);
  refuseTypeName(ddl.schema, given.schema, given.name);
  if (ddl.schema.relation(given.schema, given.name) !== null) {
    if (!given.ifNotExists) throw relationTaken(given.name);
    ddl.notice('42P07', `relation "${given.name}" already exists, skipping`);
    return null;
  }
  const parents = (given.parents ?? []).map((number) => ordinaryRows(ddl, ddl.schema.tables.get(number)!));
  const spec = parents.length === 0 ? given : withParents(ddl, given, parents);
  if (spec.bound !== undefined) partitionKeys(ddl.schema, parents[0]).refuseOverlap(spec.name, spec.bound, spec.boundPlaces);
  const seen = new Set<string>();
  for (const { name } of spec.columns) {
    if (seen.has(name)) throw new SvcError('42701', `column "${name}" specified more than once`);
    refuseSystemColumn(name);
    seen.add(name);
  }
  refuseWideTable(spec.columns.length);
  const [primary, second] = spec.constraints.filter((each): each is KeySpec => each.kind === 'primary key');
  if (second !== undefined) throw new SvcError('42P16', `multiple primary keys for table "${spec.name}" are not allowed`, placed(second.at));
  const key = primary?.deferrable === true ? undefined : primary;
  for (const name of [...(primary?.columns ?? []), ...(primary?.include ?? [])])
    if (!seen.has(name)) throw new SvcError('42703', `column "${name}" named in key does not exist`, placed(primary!.at));
  checkKeyTwice(primary?.columns ?? [], 'primary key', primary?.at);
  const keySpecs = (key?.columns ?? []).map((name) => spec.columns.find((column) => column.name === name)!);
  const { numeric } = rowKeyCodec(keySpecs.map(({ type, typmod }) => ({ type, typmod })));
  const relation: RelationObject = {
    what: 'relation',
    number: 0,
    schema: spec.schema,
    name: spec.name,
    key: [],
    // A partitioned table has no rows of its own.
    numeric: numeric && spec.partitionBy === undefined,
    primaryKey: null,
    attnums: spec.columns.length,
    dropped: [],
    epoch: 0,
    ...(spec.query === undefined ? {} : { query: spec.query }),
    ...(spec.onCommit === undefined ? {} : { onCommit: spec.onCommit }),
    ...(parents.length === 0 ? {} : { parents: parents.map(({ number }) => number) }),
    ...(spec.bound === undefined ? {} : { bound: spec.bound }),
    ...(spec.ofType === undefined ? {} : { ofType: spec.ofType }),
    ...(spec.foreign === undefined ? {} : { foreign: spec.foreign }),
  };
  relation.number = ddl.numberFor(relation);
  const columns = new Map<string, AttributeObject>();
  // All columns at once: otherwise each would need a new schema.
  const { schema } = ddl;
  for (const [i, column] of spec.columns.entries()) {
    const attribute = newAttribute(ddl, relation.number, column, i + 1, [], schema);
    if (primary?.columns.includes(column.name) === true) attribute.notNull = true;
    columns.set(column.name, attribute);
    ddl.put(attribute);
    yield;
  }
  relation.key = (key?.columns ?? []).map((name) => columns.get(name)!.number);
  if (spec.partitionBy !== undefined) {
    const { strategy, elements } = spec.partitionBy;
    relation.partitionBy = {
      strategy,
      elements: elements.map(({ column, expression, type, typmod, words }) => ({
        column: column === null ? null : columns.get(column)!.number,
        expression,
        type: type.oid,
        typmod,
        ...(words === undefined ? {} : { words }),
      })),
    };
  }
  ddl.put(relation);
  if (key !== undefined) refuseUncovered(ddl.schema.tables.get(relation.number)!, key.columns, 'PRIMARY KEY');
  if (key !== undefined) {
    const primaryKey = primaryKeyOf(ddl, relation, key.name);
    ddl.put({ ...relation, primaryKey });
    keepKeyFacts(ddl, relation.number, primaryKey.number, key);
  }
  for (const column of spec.columns) addSequence(ddl, relation.number, column);
  if (primary !== key) addIndexConstraint(ddl, relation.number, primary!, primary!.at);
  yield;
  yield* constraintSteps(ddl, relation.number, spec.constraints);
  if (spec.bound !== undefined) {
    ddl.end();
    checkPartitionRows(ddl, parents[0], ddl.schema.tables.get(relation.number)!, false);
    giveParts(ddl, parents[0].number, relation.number);
  }
  return relation.number;
}

/** Unique constraints first, so that foreign keys of the same statement find them. */
export function addConstraints(ddl: Ddl, table: number, constraints: readonly ConstraintSpec[]): void {
  runSteps(constraintSteps(ddl, table, constraints));
}

function* constraintSteps(ddl: Ddl, table: number, constraints: readonly ConstraintSpec[]): Generator<void, void> {
  for (const each of constraints) {
    if (each.kind !== 'unique') continue;
    addIndexConstraint(ddl, table, each, each.at);
    yield;
  }
  for (const each of constraints) if (each.kind === 'exclude') addExclusion(ddl, table, each);
  yield* addChecks(
    ddl,
    table,
    constraints.filter((each) => each.kind === 'check'),
  );
  for (const each of constraints) {
    if (each.kind !== 'foreign key') continue;
    addForeignKey(ddl, table, each);
    yield;
  }
}

/** The error position, if known. */
export function placed(at: number | undefined): { readonly position?: number } {
  return at === undefined ? {} : { position: at + 1 };
}

export function checkKeyTwice(columns: readonly string[], what: string, at?: number): void {
  columns.forEach((name, i) => {
    if (columns.indexOf(name) !== i) throw new SvcError('42701', `column "${name}" appears twice in ${what} constraint`, placed(at));
  });
}

export function primaryKeyOf(ddl: Ddl, relation: RelationObject, given: string | null, parent?: number): NonNullable<RelationObject['primaryKey']> {
  const { schema } = ddl;
  const taken = (name: string): boolean => schema.relation(relation.schema, name) !== null;
  if (given !== null && taken(given)) throw relationTaken(given);
  const name = given ?? chooseName(relation.name, null, 'pkey', taken);
  return { number: ddl.objects.number(primaryKeyNumberName(relation.number, name)), name, ...(parent === undefined ? {} : { parent }) };
}

/** Properties of a primary key besides its columns: the table's own tree includes all columns anyway. 42703 for a missing column. */
export function keepKeyFacts(
  ddl: Ddl,
  table: number,
  key: number,
  { include = [], options = [] }: { readonly include?: readonly string[]; readonly options?: readonly string[] },
): void {
  if (include.length === 0 && options.length === 0) return;
  const { columns } = ddl.schema.tables.get(table)!;
  const numbers = include.map((name) => {
    const found = columns.find((column) => column.name === name);
    if (found === undefined) throw new SvcError('42703', `column "${name}" named in key does not exist`);
    return found.number;
  });
  putFacts(ddl, key, 0, { ...(numbers.length === 0 ? {} : { include: numbers }), ...(options.length === 0 ? {} : { options: [...options] }) });
}

/** `schema`: where its collation is looked up. */
export function newAttribute(
  ddl: Ddl,
  table: number,
  column: ColumnSpec,
  attnum: number,
  not: readonly number[],
  schema: Schema = ddl.schema,
): AttributeObject {
  if (column.type.category === 'P' || column.type.name === 'unknown')
    throw new SvcError('42P16', `column "${column.name}" has pseudo-type ${column.type.title}`);
  const attribute: AttributeObject = {
    what: 'attribute',
    number: 0,
    table,
    name: column.name,
    attnum,
    type: column.type.oid,
    typmod: column.typmod,
    notNull: column.notNull || column.serial || column.identity !== null,
    default: column.default,
    identity: column.identity === null ? null : column.identity.always ? 'always' : 'by default',
    generated: column.generated,
    missing: null,
    missingCell: null,
  };
  if (column.inherited !== undefined) attribute.inherited = column.inherited;
  if (column.local === false) attribute.notLocal = true;
  if (column.options !== undefined && column.options.length > 0) attribute.options = [...column.options];
  const folding = foldingLocale(schema, column.type, column.collation ?? null);
  if (folding !== null) attribute.folding = folding;
  attribute.number = ddl.numberFor(attribute, not);
  return attribute;
}

/** The sequence of a serial or identity column, and the default that calls it. */
export function addSequence(ddl: Ddl, table: number, column: ColumnSpec): void {
  if (!column.serial && column.identity === null) return;
  const { object } = ddl.schema.catalog.byNumber.get(table)!.relation!;
  const attribute = ddl.schema.catalog.byNumber.get(table)!.relation!.attributes.find(({ name }) => name === column.name)!;
  const sequence = createOwnedSequence(ddl, object, attribute, column.type.oid, column.identity?.options ?? {});
  if (!column.serial) return;
  const name = [...(object.schema === 'public' ? [] : [object.schema]), sequence.name].map(quoteIdentifier).join('.');
  ddl.put({ ...attribute, default: `nextval('${name.replaceAll("'", "''")}'::regclass)` });
}

export function relationOf(ddl: Ddl, table: number): { object: RelationObject; attributes: readonly AttributeObject[] } {
  const found = ddl.definitions.get(tableDefinitionKey(table));
  if (found?.what !== 'relation') throw missing('table', String(table));
  const { relation } = ddl.schema.catalog.byNumber.get(table)!;
  return relation!;
}
