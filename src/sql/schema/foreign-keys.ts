/**
 * Foreign keys at the end of a statement: what deleting or changing a row of the target does to the rows that
 * point at it, and whether every row that was written points at one that is there.
 *
 *   moved rows of targets ──► cascade | set null | set default, until nothing moves ──► refused where rows still point
 *   moved rows that point ──► refused where the target is missing
 *
 * What is deferred is handed back as `Deferred` and looked at again over the state at commit.
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
import { keyText, tells } from './row-errors.ts';
import type { Moved, RowsWriter } from './rows-writer.ts';
import type { Schema } from './schema.ts';
import type { ForeignKey, SqlTable } from './table.ts';

/** One look to be taken at commit. */
export interface Deferred {
  /** Numbers of the table that points and of its foreign key. */
  readonly table: number;
  readonly key: number;
  /** Values that the row points with (`side` pointing), or that the target had; a row whose unique key was taken (`key` is the index). */
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
  /** A foreign key is about to change or delete the rows of the table that point somewhere, if there are any: a statement of its own. */
  acting(table: SqlTable, event: 'update' | 'delete', columns: readonly number[] | null): void;
  /** Runs what that statement does, which `text` says. */
  inside(text: string, run: () => void): void;
  /** Whether nothing is asked of the foreign keys of the table's rows, and nothing done for what points at them. */
  unenforced(table: SqlTable): boolean;
  /** Whether the constraint waits for the commit. */
  isDeferred(key: ForeignKey): boolean;
  /** Throws where another transaction may still change what stands in the way. */
  contended(table: number, key: Key, mode: number): void;
  /** A row that is pointed at must stay until the transaction ends. */
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
  // Actions write rows, which may move others: until all that moved was looked at.
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

/** Rows that moved that are looked at in one step. */
const MOVED_A_STEP = 256;

/** What is broken, without acting: a merge does not cascade. In steps, between which the state stays as it is. */
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
      // Which row it is matters only where one is: a table without an index on its foreign key is read once for all.
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

/** Whether rows still point at what has moved away. */
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

/** Looks again, over writers of the state at commit. */
export function enforceDeferred(writers: Writers, items: readonly Deferred[]): void {
  for (const item of items) {
    const table = writers.schema.tableNumbered(item.table);
    if (item.side === 'unique') {
      if (table !== undefined) writers.writer(table).refuseDuplicate(item.key, item.row!);
      continue;
    }
    const key = table?.foreignKeys.find(({ number }) => number === item.key);
    // The table or the constraint may have gone since.
    if (table === undefined || key === undefined) continue;
    const edge = { table, key };
    if (item.side === 'target') {
      const target = writers.schema.tableNumbered(key.target)!;
      const text = textOf(writers, edge, true)(item.values);
      if (text !== null && !isThere(writers, target, key, item.values)) refuseIfPointed(writers, edge, new Map([[text, item.values]]));
    } else checkPointer(writers, edge, writers.writer(table), item.row!, item.values, new Set());
  }
}

/** Values of the target's columns that rows had and no longer have, by text: of rows that are gone, and of rows that have others now. */
interface Left {
  readonly gone: Map<string, readonly Value[]>;
  readonly changed: Map<string, readonly Value[]>;
  /** What the changed ones have now. */
  readonly now: Map<string, readonly Value[]>;
}

/**
 * What moved, in stretches whose actions do not touch one another: they are done together, for a table without
 * an index on its foreign key is read once for each. A row that another one has just become starts a new one.
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
    // Of values that are equal and not the same, one takes the other's place: CASCADE passes it on.
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
  // Of a partition's part of a key the whole is what is written to: rows may move.
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

/** Changes a row of a partition by way of the table above it; `set` are columns of the partition. */
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
    // Another row may have taken the values.
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
      detail: `${tells(target, key.targetColumns, writers.env) ? keyText(names, targetTypes, values.get(text)!, writers.env) : 'Key'} is still referenced from table "${of.name}".`,
      data: { schema: of.schema, table: of.name, constraint: name },
    });
  }
}

function awaitOthers(writers: Writers): void {
  for (const writer of writers.all()) writer.awaitOthers();
}

/** The row of the target that has the values; a partitioned one has it in one of its partitions. */
function pointedAt(writers: Writers, target: SqlTable, key: ForeignKey, values: readonly Value[]): { readonly table: number; readonly key: Key } | null {
  if (target.inheritance?.partitionBy == null) {
    const found = writers.writer(target).keyOf(key.targetColumns, values);
    return found === null ? null : { table: target.number, key: found };
  }
  return writers.hierarchy(writers.schema.whole(target)!).keyOf(key.targetColumns, values);
}

/** A key that was asked of a partition is one of the whole: another partition may have taken the row. */
function isThere(writers: Writers, target: SqlTable, key: ForeignKey, values: readonly Value[]): boolean {
  if (key.whole === undefined) return pointedAt(writers, target, key, values) !== null;
  return pointedAt(writers, writers.schema.tableNumbered(key.whole.target)!, key.whole, values) !== null;
}

/** Where a partition's part of a foreign key was declared. */
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
  // A row that the statement wrote and then changed again no longer points there.
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
        : `${tells(table, key.columns, writers.env) ? keyText(names, ownTypes, values, writers.env) : 'Key'} is not present in table "${target.name}".`,
    data: { schema: table.schema, table: table.name, constraint: key.name },
  });
}

/** Values as one text that both sides share; null where one is null. `target`: of the target's columns. */
function textOf({ schema }: Writers, { table, key }: Edge, target: boolean): (values: readonly Value[]) => string | null {
  const targetTable = schema.tableNumbered(key.target)!;
  const targetTypes = key.targetColumns.map((column) => targetTable.columns[column].type);
  const ownTypes = key.columns.map((column) => table.columns[column].type);
  // Both sides by the target's collation.
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

/** A value of one side as the other side's type has it; null where that type cannot hold it. */
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
