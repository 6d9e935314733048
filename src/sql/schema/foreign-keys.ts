/**
 * Foreign keys at the end of a statement: the actions for deleted or changed rows of a referenced table, and the check that every
 * written row references an existing one.
 *
 *   moved rows of targets ──► cascade | set null | set default, until nothing moves ──► refused if rows still reference them
 *   moved referencing rows ──► refused if the target is missing
 *
 * Deferred checks are returned as `Deferred` and repeated over the state at commit.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { ROW_LOCK } from '../../locks/lock-mode.ts';
import type { Key } from '../../tree/datum.ts';
import { OID } from './oids.ts';
import { type Environment, STORED } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { memberKey } from './hierarchy.ts';
import type { HierarchyWriter } from './hierarchy-writer.ts';
import { actionText } from './foreign-key-statements.ts';
import { keyText, maySeeValues } from './row-errors.ts';
import type { Moved, RowsWriter } from './rows-writer.ts';
import type { Schema } from './schema.ts';
import type { ForeignKey, SqlTable } from './table.ts';

/** A check at commit. */
export interface Deferred {
  /** Numbers of the referencing table and of its foreign key. */
  readonly table: number;
  readonly key: number;
  /** The values of the referencing row (`side` pointing), or former values of the target; a row with a duplicate unique key (`key` is the index). */
  readonly side: 'pointing' | 'target' | 'unique';
  readonly row: Key | null;
  readonly values: readonly Value[];
}

export interface Writers {
  readonly schema: Schema;
  readonly env: Environment;
  readonly compiler: Compiler;
  writer(table: SqlTable): RowsWriter;
  hierarchy(table: SqlTable): HierarchyWriter;
  all(): Iterable<RowsWriter>;
  /** Called before a foreign key changes or deletes referencing rows of the table, if there are any: a statement of its own. */
  acting(table: SqlTable, event: 'update' | 'delete', columns: readonly number[] | null): void;
  /** Runs that statement's effects; `text` is its SQL. */
  inside(text: string, run: () => void): void;
  /** Whether foreign keys of and to the table are not enforced. */
  unenforced(table: SqlTable): boolean;
  /** Whether the constraint is deferred to the commit. */
  isDeferred(key: ForeignKey): boolean;
  /** Throws if another transaction may still change the conflicting row. */
  contended(table: number, key: Key, mode: number): void;
  /** Locks a referenced row, which must stay until the transaction ends. */
  share(table: number, key: Key): void;
}

interface Edge {
  readonly table: SqlTable;
  readonly key: ForeignKey;
}
interface Check {
  readonly edge: Edge;
  readonly values: ReadonlyMap<string, readonly Value[]>;
}

export function enforceForeignKeys(writers: Writers): Deferred[] {
  const deferred: Deferred[] = [];
  const seen = new Map<RowsWriter, number>();
  const checks: Check[] = [];
  // Actions write rows, which may move others: repeated until all moved rows were checked.
  for (let again = true; again;) {
    again = false;
    for (const writer of writers.all()) {
      const from = seen.get(writer) ?? 0;
      const moved = writer.moved.slice(from);
      if (moved.length === 0) continue;
      seen.set(writer, writer.moved.length);
      again = true;
      if (writers.unenforced(writer.table)) continue;
      for (const edge of writers.schema.referencing(writer.table.number)) {
        for (const run of runsOf(writers, edge, moved)) {
          const left = leftKeys(writers, edge, run);
          if (left.gone.size + left.changed.size > 0) act(writers, edge, left, checks);
        }
      }
    }
  }
  for (const { edge, values } of checks) {
    if (writers.isDeferred(edge.key)) {
      for (const each of values.values()) deferred.push({ table: edge.table.number, key: edge.key.number, side: 'target', row: null, values: each });
    } else refuseIfPointed(writers, edge, values);
  }
  for (const writer of writers.all()) {
    if (writer.table.foreignKeys.length === 0 || writers.unenforced(writer.table)) continue;
    for (const key of writer.table.foreignKeys) {
      const isDeferred = writers.isDeferred(key);
      const known = new Set<string>();
      for (const [rowKey, before, row] of writer.left()) {
        if (before !== null && key.columns.every((column) => before[column] === row[column])) continue;
        const values = key.columns.map((column) => row[column]);
        if (isDeferred) deferred.push({ table: writer.table.number, key: key.number, side: 'pointing', row: rowKey, values });
        else checkPointer(writers, { table: writer.table, key }, writer, rowKey, values, known);
      }
    }
  }
  return deferred;
}

/** Moved rows that are checked per step. */
const MOVED_A_STEP = 256;

/** Violations without actions, since a merge does not cascade. In steps, between which the state does not change. */
export function* brokenForeignKeys(
  writers: Writers,
  refused: (table: SqlTable, key: Key, row: readonly Value[] | null, error: SvcError) => void,
  passed: (key: ForeignKey) => boolean = () => false,
): Generator<void, void> {
  let done = 0;
  const tried = (table: SqlTable, { key, row }: Moved, run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      refused(table, key, row, error);
    }
  };
  for (const writer of Array.from(writers.all())) {
    const { table } = writer;
    if (writers.unenforced(table)) continue;
    const edges = writers.schema.referencing(table.number);
    for (const edge of edges) {
      yield;
      // The violating row is searched only if there is one: a table without an index on its foreign key is scanned once for all.
      if (passed(edge.key) || !isBroken(writers, edge, writer.moved)) continue;
      for (const moved of writer.moved) {
        if (++done % MOVED_A_STEP === 0) yield;
        const { gone, changed } = leftKeys(writers, edge, [moved]);
        if (gone.size + changed.size > 0) tried(table, moved, () => refuseIfPointed(writers, edge, gone.size > 0 ? gone : changed));
      }
    }
    for (const key of table.foreignKeys) {
      if (passed(key)) continue;
      const known = new Set<string>();
      for (const moved of writer.moved) {
        if (++done % MOVED_A_STEP === 0) yield;
        if (moved.row === null) continue;
        const values = key.columns.map((column) => moved.row![column]);
        tried(table, moved, () => checkPointer(writers, { table, key }, writer, moved.key, values, known));
      }
    }
  }
}

/** Whether rows still reference moved values. */
function isBroken(writers: Writers, edge: Edge, moved: readonly Moved[]): boolean {
  const { gone, changed } = leftKeys(writers, edge, moved);
  if (gone.size + changed.size === 0) return false;
  try {
    refuseIfPointed(writers, edge, new Map([...changed, ...gone]));
    return false;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return true;
  }
}

/** Repeats checks over writers of the state at commit. */
export function enforceDeferred(writers: Writers, items: readonly Deferred[]): void {
  for (const item of items) {
    const table = writers.schema.tableNumbered(item.table);
    if (item.side === 'unique') {
      if (table !== undefined) writers.writer(table).refuseDuplicate(item.key, item.row!);
      continue;
    }
    const key = table?.foreignKeys.find(({ number }) => number === item.key);
    // The table or constraint may have been dropped since.
    if (table === undefined || key === undefined) continue;
    const edge = { table, key };
    if (item.side === 'target') {
      const target = writers.schema.tableNumbered(key.target)!;
      const text = textOf(writers, edge, true)(item.values);
      if (text !== null && !isThere(writers, target, key, item.values)) refuseIfPointed(writers, edge, new Map([[text, item.values]]));
    } else checkPointer(writers, edge, writers.writer(table), item.row!, item.values, new Set());
  }
}

/** Former values of the referenced columns, by text: of deleted rows, and of rows with new values. */
interface Left {
  readonly gone: Map<string, readonly Value[]>;
  readonly changed: Map<string, readonly Value[]>;
  /** The new values of changed rows. */
  readonly now: Map<string, readonly Value[]>;
}

/**
 * Moved rows in batches whose actions do not affect one another: a referencing table without an index is scanned once per batch. A
 * row whose key another one has just taken starts a new batch.
 */
function runsOf(writers: Writers, { key, table }: Edge, moved: readonly Moved[]): Moved[][] {
  if (moved.length === 1) return [[moved[0]]];
  const { targetColumns } = key;
  const text = textOf(writers, { key, table }, true);
  const out: Moved[][] = [];
  let now = new Set<string>();
  let run: Moved[] = [];
  for (const each of moved) {
    if (each.old === null) continue;
    const old = text(targetColumns.map((column) => each.old![column])) ?? '';
    if (run.length > 0 && (now.has(old) || (run[0].row === null) !== (each.row === null))) {
      out.push(run);
      run = [];
      now = new Set();
    }
    if (each.row !== null) now.add(text(targetColumns.map((column) => each.row![column])) ?? '');
    run.push(each);
  }
  if (run.length > 0) out.push(run);
  return out;
}

function leftKeys(writers: Writers, edge: Edge, moved: readonly Moved[]): Left {
  const { targetColumns } = edge.key;
  const text = textOf(writers, edge, true);
  const { columns } = writers.schema.tableNumbered(edge.key.target)!;
  const isFolded = targetColumns.some((column) => columns[column].folding !== undefined);
  const out: Left = { gone: new Map(), changed: new Map(), now: new Map() };
  for (const { old, row } of moved) {
    if (old === null) continue;
    const values = targetColumns.map((column) => old[column]);
    const own = text(values);
    if (own === null) continue;
    if (row === null) {
      out.gone.set(own, values);
      continue;
    }
    const now = targetColumns.map((column) => row[column]);
    // CASCADE propagates a value that is equal but not identical.
    if (text(now) === own && (isFolded === false || now.every((value, i) => value === values[i]))) continue;
    out.changed.set(own, values);
    out.now.set(own, now);
  }
  return out;
}

function act(writers: Writers, edge: Edge, { gone, changed, now }: Left, checks: Check[]): void {
  const { key, table } = edge;
  const { columns } = key;
  const pointing = writers.writer(table);
  const target = writers.schema.tableNumbered(key.target)!;
  const targetTypes = key.targetColumns.map((column) => target.columns[column].type);
  const own = (values: readonly Value[]): Value[] => values.map((value, i) => convert(value, targetTypes[i], table.columns[columns[i]].type));
  const matching = (values: ReadonlyMap<string, readonly Value[]>): Iterable<[Key, string]> =>
    pointing.matching(columns, textOf(writers, edge, false), new Map([...values].map(([text, each]) => [text, own(each)])));
  // For a partition's part of a key the partitioned table is written to: rows may move.
  const whole = declared(writers.schema, table, key);
  const acting = (event: 'update' | 'delete', set: (key: ForeignKey) => readonly number[] | null): void => writers.acting(whole.table, event, set(whole.key));
  const update = (rowKey: Key, set: readonly number[], values: readonly Value[]): void => {
    if (whole.table === table) pointing.update(rowKey, set, values);
    else updateBelow(writers, whole.table, table, rowKey, set, values);
  };
  const setColumns = (of: ForeignKey, deleted: boolean): readonly number[] => (deleted && of.deleteColumns.length > 0 ? of.deleteColumns : of.columns);
  const inside = (action: ForeignKey['onDelete'], deleted: boolean, set: (of: ForeignKey) => readonly number[], run: () => void): void =>
    writers.inside(actionText(whole.table, target, whole.key, action, deleted, set(whole.key)), run);
  const byAction = (values: Map<string, readonly Value[]>, action: ForeignKey['onDelete'], deleted: boolean): void => {
    if (values.size === 0) return;
    switch (action) {
      case 'restrict':
        return refuseIfPointed(writers, edge, values);
      case 'no action':
        checks.push({ edge, values });
        return;
      case 'cascade':
        if (deleted) acting('delete', () => null);
        else acting('update', (of) => of.columns);
        inside(
          action,
          deleted,
          (of) => of.columns,
          () => {
            for (const [rowKey, text] of matching(values)) {
              if (deleted) pointing.delete(rowKey);
              else update(rowKey, columns, own(now.get(text)!));
            }
          },
        );
        return;
      case 'set null':
      case 'set default': {
        const set = setColumns(key, deleted);
        acting('update', (of) => setColumns(of, deleted));
        inside(
          action,
          deleted,
          (of) => setColumns(of, deleted),
          () => {
            for (const [rowKey] of matching(values)) {
              update(
                rowKey,
                set,
                set.map((column) => (action === 'set null' ? null : defaultOf(writers, table, column))),
              );
            }
          },
        );
        // The default may be the very value that is gone.
        if (action === 'set default') checks.push({ edge, values });
      }
    }
  };
  byAction(gone, key.onDelete, true);
  byAction(changed, key.onUpdate, false);
}

/** Changes a row of a partition through the table above it; `set` are columns of the partition. */
function updateBelow(writers: Writers, top: SqlTable, { number }: SqlTable, rowKey: Key, set: readonly number[], values: readonly Value[]): void {
  const whole = writers.schema.whole(top)!;
  const { columns } = whole.whole!.members.find(({ table }) => table.number === number)!;
  writers.hierarchy(whole).update(
    memberKey(number, rowKey),
    set.map((column) => columns.indexOf(column)),
    values,
  );
}

function defaultOf({ compiler }: Writers, table: SqlTable, column: number): Value {
  const { default: sql, type, typmod } = table.columns[column];
  return sql === null ? null : compiler.expression(table, sql, type, typmod)(table.columns.map(() => null));
}

function refuseIfPointed(writers: Writers, edge: Edge, values: ReadonlyMap<string, readonly Value[]>): void {
  const { table, key } = edge;
  const target = writers.schema.tableNumbered(key.target)!;
  const targetTypes = key.targetColumns.map((column) => target.columns[column].type);
  const ownTypes = key.columns.map((column) => table.columns[column].type);
  const wanted = new Map<string, readonly Value[]>();
  for (const [text, each] of values) {
    // Another row may have the values now.
    if (!isThere(writers, target, key, each))
      wanted.set(
        text,
        each.map((value, i) => convert(value, targetTypes[i], ownTypes[i])),
      );
  }
  if (wanted.size === 0) return;
  for (const [rowKey, text] of writers.writer(table).matching(key.columns, textOf(writers, edge, false), wanted)) {
    awaitOthers(writers);
    writers.contended(table.number, rowKey, ROW_LOCK.keyShare);
    const names = key.targetColumns.map((column) => target.columns[column].name);
    const {
      table: of,
      key: { name },
    } = declared(writers.schema, table, key);
    throw new SvcError('23503', `update or delete on table "${target.name}" violates foreign key constraint "${name}" on table "${of.name}"`, {
      detail: `${maySeeValues(target, key.targetColumns, writers.env) ? keyText(names, targetTypes, values.get(text)!, writers.env) : 'Key'} is still referenced from table "${of.name}".`,
      data: { schema: of.schema, table: of.name, constraint: name },
    });
  }
}

function awaitOthers(writers: Writers): void {
  for (const writer of writers.all()) writer.awaitOthers();
}

/** The referenced row with the values; for a partitioned table it is in one of the partitions. */
function pointedAt(writers: Writers, target: SqlTable, key: ForeignKey, values: readonly Value[]): { readonly table: number; readonly key: Key } | null {
  if (target.inheritance?.partitionBy == null) {
    const found = writers.writer(target).keyOf(key.targetColumns, values);
    return found === null ? null : { table: target.number, key: found };
  }
  return writers.hierarchy(writers.schema.whole(target)!).keyOf(key.targetColumns, values);
}

/** A key on a partition belongs to the partitioned table: another partition may have the row now. */
function isThere(writers: Writers, target: SqlTable, key: ForeignKey, values: readonly Value[]): boolean {
  if (key.whole === undefined) return pointedAt(writers, target, key, values) !== null;
  return pointedAt(writers, writers.schema.tableNumbered(key.whole.target)!, key.whole, values) !== null;
}

/** The declaration of a partition's part of a foreign key. */
function declared(schema: Schema, table: SqlTable, key: ForeignKey): Edge {
  const object = schema.catalog.byNumber.get(table.number)?.relation?.constraints.find((each) => each.number === key.number);
  const parent = object?.what === 'foreign key' && object.parent !== undefined ? schema.parentOf(table) : null;
  const above = parent?.foreignKeys.find(({ number }) => object?.what === 'foreign key' && number === object.parent);
  return parent === null || above === undefined ? { table, key } : declared(schema, parent, above);
}

function checkPointer(writers: Writers, { table, key }: Edge, writer: RowsWriter, rowKey: Key, values: readonly Value[], known: Set<string>): void {
  const nulls = values.filter((value) => value === null).length;
  if (nulls === values.length || (nulls > 0 && !key.matchFull)) return;
  const target = writers.schema.tableNumbered(key.target);
  if (target === undefined) return;
  const ownTypes = key.columns.map((column) => table.columns[column].type);
  const targetTypes = key.targetColumns.map((column) => target.columns[column].type);
  const text = nulls > 0 ? null : textOf(writers, { table, key }, false)(values);
  if (text !== null && known.has(text)) return;
  const converted = nulls > 0 ? [] : values.map((value, i) => convert(value, ownTypes[i], targetTypes[i]));
  const found = text === null || converted.includes(null) ? null : pointedAt(writers, target, key, converted);
  if (found !== null) {
    known.add(text!);
    writers.share(found.table, found.key);
    return;
  }
  // A row that the statement wrote and then changed again no longer references it.
  const now = writer.read(rowKey);
  if (
    now === null ||
    key.columns.some(
      (column, i) => now[column] !== values[i] && table.columns[column].type.hashKey(now[column] ?? '') !== table.columns[column].type.hashKey(values[i] ?? ''),
    )
  )
    return;
  awaitOthers(writers);
  const names = key.columns.map((column) => table.columns[column].name);
  throw new SvcError('23503', `insert or update on table "${table.name}" violates foreign key constraint "${key.name}"`, {
    detail:
      nulls > 0
        ? 'MATCH FULL does not allow mixing of null and nonnull key values.'
        : `${maySeeValues(table, key.columns, writers.env) ? keyText(names, ownTypes, values, writers.env) : 'Key'} is not present in table "${target.name}".`,
    data: { schema: table.schema, table: table.name, constraint: key.name },
  });
}

/** Values as a text comparable on both sides; null if one is null. `target`: of the referenced columns. */
function textOf({ schema }: Writers, { table, key }: Edge, target: boolean): (values: readonly Value[]) => string | null {
  const targetTable = schema.tableNumbered(key.target)!;
  const targetTypes = key.targetColumns.map((column) => targetTable.columns[column].type);
  const ownTypes = key.columns.map((column) => table.columns[column].type);
  // Both sides use the collation of the referenced column.
  const codecs = key.targetColumns.map((column) => schema.columnCodec(targetTable.columns[column]));
  return (values) => {
    let out = '';
    for (let i = 0; i < values.length; i++) {
      const value = target ? values[i] : convert(values[i], ownTypes[i], targetTypes[i]);
      if (value === null) return null;
      out += codecs[i].encode(value);
    }
    return out;
  };
}

/** A value converted to the other side's type; null if that type cannot represent it. */
export function convert(value: Value, from: SqlType, to: SqlType): Value {
  if (value === null || from.oid === to.oid || from.repr === to.repr || (isNumber(from) && isNumber(to) && !narrower(value, to))) return value;
  try {
    return to.parse(from.format(value, STORED), -1, STORED);
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

function isNumber({ repr }: SqlType): boolean {
  return repr === 'i32' || repr === 'whole' || repr === 'f64';
}

function narrower(value: Value, { oid }: SqlType): boolean {
  if (oid !== OID.int4 && oid !== OID.int2) return false;
  return (
    typeof value !== 'number' ||
    !Number.isInteger(value) ||
    value > (oid === OID.int4 ? 2147483647 : 32767) ||
    value < (oid === OID.int4 ? -2147483648 : -32768)
  );
}
