/** CHECK and FOREIGN KEY constraints of a table, validated over existing rows. */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from '../types/type.ts';
import { runSteps } from '../../base/run-steps.ts';
import { childRoot } from '../../tree/directory.ts';
import { leaves, scan } from '../../tree/read.ts';
import { type CheckObject, type ForeignKeyObject, isTemporarySchema } from '../../worlds/definition.ts';
import type { Value } from '../types/value.ts';
import type { ConstraintSpec } from './create-table.ts';
import type { Ddl } from './ddl.ts';
import { chooseName } from './implicit-name.ts';
import { missing } from './object-errors.ts';
import { OID } from './oids.ts';
import { keyText } from './row-errors.ts';
import { readRow } from './row-reader.ts';
import { convert } from './foreign-keys.ts';
import { foreignKeyPartitions } from './partitions.ts';
import { StatementWrites } from './statement-writes.ts';
import { hasPrimaryKey, type SqlColumn, type SqlTable } from './table.ts';

type CheckSpec = Extract<ConstraintSpec, { kind: 'check' }>;
type ForeignKeySpec = Extract<ConstraintSpec, { kind: 'foreign key' }>;

/** Names of the table's constraints, which share one namespace. */
export function constraintTaken(table: SqlTable): (name: string) => boolean {
  const names = new Set<string | null>([
    table.primaryKey,
    ...table.indexes.map(({ constraint }) => constraint),
    ...table.checks.map(({ name }) => name),
    ...table.foreignKeys.map(({ name }) => name),
  ]);
  return (name) => names.has(name);
}

export function refuseTakenConstraint(table: SqlTable, name: string | null): void {
  if (name !== null && constraintTaken(table)(name)) throw constraintIsTaken(table, name);
}

function constraintIsTaken(table: SqlTable, name: string): SvcError {
  return new SvcError('42710', `constraint "${name}" for relation "${table.name}" already exists`);
}

export function addCheck(ddl: Ddl, number: number, spec: CheckSpec): void {
  runSteps(addChecks(ddl, number, [spec]));
}

/** All checks of a statement, over the table before them: otherwise each would need a new schema. One step each. */
export function* addChecks(ddl: Ddl, number: number, specs: readonly CheckSpec[]): Generator<void, void> {
  if (specs.length === 0) return;
  const table = ddl.schema.tables.get(number)!;
  const added = new Set<string>();
  const before = constraintTaken(table);
  const taken = (name: string): boolean => added.has(name) || before(name);
  for (const spec of specs) {
    if (spec.name !== null && taken(spec.name)) throw constraintIsTaken(table, spec.name);
    const column = spec.columns.length === 1 ? spec.columns[0] : null;
    const object: CheckObject = {
      what: 'check',
      number: 0,
      table: number,
      name: spec.name ?? chooseName(table.name, column, 'check', taken),
      condition: spec.condition,
      columns: spec.columns.map((name) => numberOf(table, name)),
    };
    added.add(object.name);
    object.number = ddl.numberFor(object);
    if (spec.notValid === true) object.notValid = true;
    if (spec.noInherit === true) {
      if (table.inheritance?.partitionBy != null) throw new SvcError('42P16', `cannot add NO INHERIT constraint to partitioned table "${table.name}"`);
      object.noInherit = true;
    }
    if (spec.inherited !== undefined) object.inherited = spec.inherited;
    if (spec.local === false) object.notLocal = true;
    // The stored text must be evaluable.
    const test = ddl.compiler.check(table, spec.condition);
    if (spec.notValid !== true) checkHolds(ddl, table, object.name, test);
    ddl.put(object);
    yield;
  }
}

export function checkHolds(ddl: Ddl, table: SqlTable, name: string, test: (row: readonly Value[]) => boolean | null, rows = true): void {
  if (!rows) return;
  eachRowLater(ddl, table, (row) => {
    if (test(row) === false)
      throw new SvcError('23514', `check constraint "${name}" of relation "${table.name}" is violated by some row`, {
        status: 400,
        data: { schema: table.schema, table: table.name, constraint: name },
      });
  });
}

/** Positions of columns with these numbers. */
function placesOf({ columns }: SqlTable, numbers: readonly number[]): number[] {
  return numbers.map((each) => columns.findIndex(({ number }) => number === each));
}

/** VALIDATE CONSTRAINT: checks the rows that NOT VALID left out. */
export function validateConstraint(ddl: Ddl, number: number, name: string): void {
  const table = ddl.schema.tables.get(number)!;
  for (const object of ddl.definitions.values()) {
    if ((object.what !== 'check' && object.what !== 'foreign key') || object.table !== number || object.name !== name) continue;
    if (object.notValid !== true) return;
    if (object.what === 'check') checkHolds(ddl, table, name, ddl.compiler.check(table, object.condition));
    else {
      const target = ddl.schema.tables.get(object.target)!;
      checkRows(ddl, table, target, placesOf(table, object.columns), placesOf(target, object.targetColumns), object);
    }
    const { notValid: _, ...valid } = object;
    return ddl.put(valid);
  }
  if (constraintTaken(table)(name)) throw new SvcError('42809', `constraint "${name}" of relation "${table.name}" is not a foreign key or check constraint`);
  throw new SvcError('42704', `constraint "${name}" of relation "${table.name}" does not exist`);
}

/** Rechecks foreign keys of and to the table after their columns changed: 23503 if a reference is missing. */
export function recheckForeignKeys(ddl: Ddl, number: number, names: readonly string[]): void {
  for (const object of foreignKeysOver(ddl, number, names)) {
    const [table, target] = [ddl.schema.tables.get(object.table)!, ddl.schema.tables.get(object.target)!];
    checkRows(ddl, table, target, placesOf(table, object.columns), placesOf(target, object.targetColumns), object);
  }
}

/** Foreign keys of and to the table that use one of the columns. */
export function foreignKeysOver(ddl: Ddl, number: number, names: readonly string[]): ForeignKeyObject[] {
  const out: ForeignKeyObject[] = [];
  for (const object of ddl.definitions.values()) {
    if (object.what !== 'foreign key' || object.notValid === true) continue;
    const [table, target] = [ddl.schema.tables.get(object.table), ddl.schema.tables.get(object.target)];
    if (table === undefined || target === undefined) continue;
    const isOf = (of: SqlTable, numbers: readonly number[]): boolean =>
      of.number === number && placesOf(of, numbers).some((each) => names.includes(of.columns[each].name));
    if (isOf(table, object.columns) || isOf(target, object.targetColumns)) out.push(object);
  }
  return out;
}

export function addForeignKey(ddl: Ddl, number: number, spec: ForeignKeySpec): void {
  refuseTakenConstraint(ddl.schema.tables.get(number)!, spec.name);
  const found = ddl.schema.relation(spec.target.schema, spec.target.name);
  if (found === null) throw missing('relation', spec.target.name);
  if (found.kind !== 'table' || found.table.foreign !== undefined) throw new SvcError('42809', `referenced relation "${spec.target.name}" is not a table`);
  const target = ddl.definedTable(found.table.number);
  const { schema } = ddl;
  const table = schema.tables.get(number)!;
  const temporary = isTemporarySchema(table.schema);
  if (temporary !== isTemporarySchema(target.schema)) {
    throw new SvcError(
      '42P16',
      `constraints on ${temporary ? 'temporary' : 'permanent'} tables may reference only ${temporary ? 'temporary' : 'permanent'} tables`,
    );
  }
  const columns = spec.columns.map((name) => referencedColumn(table, name));
  let targetColumns: readonly number[];
  if (spec.targetColumns.length === 0) {
    if (target.primaryKey === null && hasPrimaryKey(target))
      throw new SvcError('55000', `cannot use a deferrable primary key for referenced table "${target.name}"`);
    if (target.primaryKey === null) throw new SvcError('42704', `there is no primary key for referenced table "${target.name}"`);
    targetColumns = target.key.columns;
  } else targetColumns = spec.targetColumns.map((name) => referencedColumn(target, name));
  const deleteColumns = spec.deleteColumns.map((name) => referencedColumn(table, name));
  const outside = deleteColumns.find((each) => !columns.includes(each));
  if (outside !== undefined)
    throw new SvcError('42P10', `column "${table.columns[outside].name}" referenced in ON DELETE SET action must be part of foreign key`);
  if (new Set(targetColumns).size !== targetColumns.length) throw new SvcError('42830', 'foreign key referenced-columns list must not contain duplicates');
  const same = (own: readonly number[]): boolean => own.length === targetColumns.length && targetColumns.every((each) => own.includes(each));
  const keyed = target.primaryKey !== null && same(target.key.columns);
  const matching = target.indexes.filter((index) => index.unique && index.where === null && same(index.columns.map(({ column }) => column ?? -1)));
  if (!keyed && matching.length === 0) throw new SvcError('42830', `there is no unique constraint matching given keys for referenced table "${target.name}"`);
  if (!keyed && matching.every(({ number }) => schema.catalog.indexes.get(number)!.deferrable))
    throw new SvcError('55000', `cannot use a deferrable unique constraint for referenced table "${target.name}"`);
  if (columns.length !== targetColumns.length) throw new SvcError('42830', 'number of referencing and referenced columns for foreign key disagree');
  const object: ForeignKeyObject = {
    what: 'foreign key',
    number: 0,
    table: number,
    name: spec.name ?? chooseName(table.name, columnsAddition(spec.columns), 'fkey', constraintTaken(table)),
    columns: columns.map((each) => table.columns[each].number),
    target: target.number,
    targetColumns: targetColumns.map((each) => target.columns[each].number),
    onDelete: spec.onDelete,
    onUpdate: spec.onUpdate,
    deleteColumns: deleteColumns.map((each) => table.columns[each].number),
    matchFull: spec.matchFull,
    deferrable: spec.deferrable,
    initiallyDeferred: spec.initiallyDeferred,
  };
  refuseOverGenerated(
    columns.map((each) => table.columns[each]),
    spec,
  );
  columns.forEach((each, i) => refuseUnlike(object.name, table.columns[each], target.columns[targetColumns[i]]));
  if (spec.parent !== undefined) object.parent = spec.parent;
  if (spec.notValid === true && table.inheritance?.partitionBy != null) {
    throw new SvcError('42809', `cannot add NOT VALID foreign key on partitioned table "${table.name}" referencing relation "${target.name}"`, {
      detail: 'This feature is not yet supported on partitioned tables.',
    });
  }
  object.number = ddl.numberFor(object);
  const rows = childRoot(ddl.pager, ddl.root, table.number);
  if (spec.notValid === true) object.notValid = true;
  else if (rows !== null && rows.count > 0) checkRows(ddl, table, target, columns, targetColumns, object);
  ddl.put(object);
  if (table.inheritance?.partitionBy != null) foreignKeyPartitions(ddl, table, object.name);
}

/** 42601: generated columns cannot be set. */
function refuseOverGenerated(columns: readonly SqlColumn[], { onDelete, onUpdate }: ForeignKeySpec): void {
  if (columns.every(({ generated }) => generated === null)) return;
  const refuse = (when: string): never => {
    throw new SvcError('42601', `invalid ${when} action for foreign key constraint containing generated column`);
  };
  if (onUpdate !== 'no action' && onUpdate !== 'restrict') refuse('ON UPDATE');
  if (onDelete === 'set null' || onDelete === 'set default') refuse('ON DELETE');
}

function checkRows(
  ddl: Ddl,
  table: SqlTable,
  target: SqlTable,
  columns: readonly number[],
  targetColumns: readonly number[],
  { name, matchFull }: ForeignKeyObject,
): void {
  const { pager, objects, schema, compiler, root } = ddl;
  const writes = new StatementWrites({ pager, objects, schema, compiler, env: STORED, root });
  const whole = target.inheritance?.partitionBy == null ? null : writes.hierarchy(schema.whole(target)!);
  const there = {
    has: (of: readonly number[], values: readonly Value[]): boolean =>
      whole === null ? writes.writer(target).has(of, values) : whole.keyOf(of, values) !== null,
  };
  eachRowLater(ddl, table, (row) => {
    const values = columns.map((each) => row[each]);
    const nulls = values.filter((value) => value === null).length;
    if (nulls === values.length || (nulls > 0 && !matchFull)) return;
    const types = columns.map((each) => table.columns[each].type);
    const converted = values.map((value, i) => convert(value, types[i], target.columns[targetColumns[i]].type));
    if (nulls === 0 && !converted.includes(null) && there.has(targetColumns, converted)) return;
    throw new SvcError('23503', `insert or update on table "${table.name}" violates foreign key constraint "${name}"`, {
      detail:
        nulls > 0
          ? 'MATCH FULL does not allow mixing of null and nonnull key values.'
          : `${keyText(
              columns.map((each) => table.columns[each].name),
              types,
              values,
              STORED,
            )} is not present in table "${target.name}".`,
      data: { schema: table.schema, table: table.name, constraint: name },
    });
  });
}

/** 42804 if the columns of a foreign key have no common equality operator. */
export function refuseUnlike(constraint: string, own: SqlColumn, other: SqlColumn): void {
  if (canReference(own.type, other.type)) return;
  throw new SvcError('42804', `foreign key constraint "${constraint}" cannot be implemented`, {
    detail: `Key columns "${own.name}" and "${other.name}" are of incompatible types: ${own.type.title} and ${other.type.title}.`,
  });
}

const INTEGERS = ['int2', 'int4', 'int8'];
const NUMBERS = [...INTEGERS, 'numeric', 'float4', 'float8'];
const DAYS = ['date', 'timestamp', 'timestamptz'];
const TEXTS = ['text', 'varchar', 'bpchar', 'name', 'char'];

/** What may reference a column of a type, as Postgres 15 answers for each pair: its index has an equality with the type, or the type casts implicitly. */
const REFERENCED_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ...INTEGERS.map((name) => [name, INTEGERS] as const),
  ['numeric', [...INTEGERS, 'numeric']],
  ['float4', NUMBERS],
  ['float8', NUMBERS],
  ...DAYS.map((name) => [name, DAYS] as const),
  ['text', TEXTS],
  ['varchar', TEXTS],
  ['bpchar', ['bpchar', 'text', 'varchar']],
  ['name', ['bpchar', 'name', 'text', 'varchar']],
  ['char', ['char']],
]);

function canReference(own: SqlType, other: SqlType): boolean {
  if (own.oid === other.oid) return true;
  if (isObjectIdentifier(other)) return isObjectIdentifier(own) || INTEGERS.includes(own.name);
  const known = REFERENCED_BY.get(other.name);
  if (known !== undefined && (REFERENCED_BY.has(own.name) || isObjectIdentifier(own))) return known.includes(own.name);
  // Other types need one category; money and times of day have no equality with others of theirs.
  const apart = ({ oid }: SqlType): number => (oid === OID.money ? 1 : oid === OID.time ? 2 : oid === OID.timetz ? 3 : 0);
  return own.category === other.category && 'NSD'.includes(own.category) && apart(own) === apart(other);
}

function isObjectIdentifier({ name }: SqlType): boolean {
  return name === 'oid' || (name.startsWith('reg') && !name.startsWith('reg_'));
}

function referencedColumn(table: SqlTable, name: string): number {
  const at = table.columns.findIndex((column) => column.name === name);
  if (at < 0) throw new SvcError('42703', `column "${name}" referenced in foreign key constraint does not exist`);
  return at;
}

function numberOf(table: SqlTable, name: string): number {
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined) throw new SvcError('42703', `column "${name}" of relation "${table.name}" does not exist`);
  return column.number;
}

/** The columns' part of a name: joined and truncated. */
export function columnsAddition(columns: readonly string[]): string {
  return columns.join('_');
}

/** Visits existing rows, in parts if the statement yields. */
export function eachRowLater(ddl: Ddl, table: SqlTable, visit: (row: Value[]) => void): void {
  const tree = childRoot(ddl.pager, ddl.root, table.number);
  if (tree === null) return;
  const { pager } = ddl;
  ddl.work(
    (function* (): Generator<void, void> {
      for (const { leaf } of leaves(pager, tree, null)) {
        for (let i = 0; i < leaf.count; i++) visit(readRow(table, leaf, i));
        yield;
      }
    })(),
  );
}

/** Visits existing rows until `visit` gives false. */
export function eachRow(ddl: Ddl, table: SqlTable, visit: (row: Value[]) => boolean | void): void {
  const tree = childRoot(ddl.pager, ddl.root, table.number);
  if (tree === null) return;
  scan(ddl.pager, tree, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) if (visit(readRow(table, leaf, i)) === false) return false;
    return true;
  });
}
