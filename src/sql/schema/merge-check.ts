/**
 * Constraints over the result of a merge. Each side kept its own; together their rows may break what needs more
 * than one row (unique, foreign keys), and rows of one side may break what the other has defined meanwhile.
 * Whatever is broken is a conflict with its SQLSTATE; nothing cascades. Rows that lack keys of an index which
 * the other side made get them here.
 */
import type { Conflict, Row } from '../../commands/contract.ts';
import type { TreeChanges } from '../../events/changes.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { RelationObject } from '../../worlds/definition.ts';
import { emptyTree } from '../../tree/write.ts';
import { rowRecord } from '../../worlds/document.ts';
import { rowKey } from '../../worlds/keys.ts';
import { rowIn } from '../../tree/row-change.ts';
import { eachRowChange } from '../../worlds/changes-between.ts';
import type { MergeCheck } from '../../worlds/typed-tables.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { brokenForeignKeys } from './foreign-keys.ts';
import { PartitionKeys } from './partition-keys.ts';
import { type Schema, schemaOf } from './schema.ts';
import { StatementWrites } from './statement-writes.ts';
import type { SqlTable } from './table.ts';
import type { TypeLookup } from './type-lookup.ts';
import { STORED } from '../types/environment.ts';

export function checkMerge(check: MergeCheck, lookup: TypeLookup, compiler: Compiler): { conflicts: Conflict[]; changes: TreeChanges[] } {
  const { pager, objects, catalog, root, merged, theirs, base, changes } = check;
  const schema = schemaOf(merged, lookup);
  const epoch = (each: Catalog, number: number): number | undefined => each.byNumber.get(number)?.relation?.object.epoch;
  /** Its rows are replaced by the branch's. */
  const isAnew = (number: number): boolean => catalog.byNumber.has(number) && epoch(catalog, number) !== epoch(merged, number);
  const none = emptyTree(true);
  const writes = new StatementWrites({
    pager,
    objects,
    schema,
    root,
    state: { directory: (number) => (isAnew(number) ? none : root) },
    compiler: compiler.within?.(schema) ?? compiler,
    env: STORED,
    // What meets in a merge was written apart: nobody has vouched for it.
    enforces: 'all',
  });
  const conflicts = hierarchyConflicts(catalog, merged, schema);
  const byTree = new Map(changes.map((each) => [each.tree, each]));
  const filled: number[] = [];
  const looked: { table: SqlTable; rows: boolean }[] = [];
  for (const table of [...schema.tables.values(), ...schema.stores.values()]) {
    if (table.document) continue;
    const decided = byTree.get(table.number);
    // Definitions of ours that theirs did not have, and the other way round.
    const newToOurs = rulesText(catalog, table.number) !== rulesText(merged, table.number);
    const newToTheirs = rulesText(theirs, table.number) !== rulesText(merged, table.number);
    const isRepointed = table.foreignKeys.some(({ target }) => isAnew(target));
    if (decided === undefined && !newToOurs && !isRepointed) continue;
    // A table that comes as a whole stands as the branch had it, but for what its rows point at, and what points at them.
    if (!catalog.byNumber.has(table.number) || isAnew(table.number)) {
      if (table.foreignKeys.length === 0 && schema.referencing(table.number).length === 0) continue;
      if (decided !== undefined) writes.writer(table).load(decided.rows);
      looked.push({ table, rows: false });
      continue;
    }
    const related =
      table.foreignKeys.length > 0 || schema.referencing(table.number).length > 0 || table.indexes.some(({ unique, excludes }) => unique || excludes);
    if (!newToOurs && !newToTheirs && !related && !check.columns) continue;
    const writer = writes.writer(table);
    if (decided !== undefined) writer.load(decided.rows);
    const there = isRepointed ? childRoot(pager, root, table.number) : null;
    if (there !== null) eachRowChange(pager, null, there, (key) => void writer.touch(key));
    if (newToOurs) {
      const from = childRoot(pager, base, table.number);
      const to = childRoot(pager, root, table.number);
      if (to !== null && from !== to) eachRowChange(pager, from, to, (key, _old, row) => void (row === null || writer.touch(key)));
      // A foreign key that ours did not have: of its target, ours may have deleted what rows point at that neither side touched.
      const had = catalog.byNumber.get(table.number)?.relation?.constraints ?? [];
      const orphaned = table.foreignKeys.some(
        (each) => !had.some(({ number }) => number === each.number) && childRoot(pager, base, each.target) !== childRoot(pager, root, each.target),
      );
      if (to !== null && orphaned) eachRowChange(pager, null, to, (key) => void writer.touch(key));
    }
    if (
      hiddenText(catalog, table.number) !== hiddenText(merged, table.number) ||
      hiddenText(theirs, table.number) !== hiddenText(merged, table.number) ||
      check.columns
    )
      filled.push(table.number);
    looked.push({ table, rows: newToOurs || newToTheirs || check.columns });
  }
  const seen = new Set<string>();
  const refused = (table: SqlTable, key: Key, row: readonly Value[] | null, error: SvcError): void => {
    const name = rowKey(merged.byNumber.get(table.number)!, key);
    if (seen.has(`${name} ${error.code}`)) return;
    seen.add(`${name} ${error.code}`);
    const own = rowIn(pager, childRoot(pager, root, table.number), key);
    const known = merged.byNumber.get(table.number)!;
    conflicts.push({
      key: name,
      base: null,
      ours: own === null ? null : rowRecord(known, own.leaf, own.index),
      theirs: row === null ? null : recordOf(table, row),
      explanation: `The merged rows would break a constraint: ${error.message}${error.detail === undefined ? '' : ` (${error.detail})`}.`.replace(
        /\.\)\.$/,
        ').',
      ),
      code: error.code,
    });
  };
  for (const { table, rows } of looked) writes.writer(table).verify(rows, (key, row, error) => refused(table, key, row, error));
  for (const { table } of looked) {
    try {
      writes.writer(table).settle();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      conflicts.push({
        key: `${merged.byNumber.get(table.number)!.name}/definition`,
        base: null,
        ours: null,
        theirs: null,
        explanation: `The merged rows would break a constraint: ${error.message} (${error.detail ?? ''}).`,
        code: error.code,
      });
    }
  }
  brokenForeignKeys(writes, refused);
  const more: TreeChanges[] = [];
  for (const number of filled) {
    const made = writes.writer(schema.tableNumbered(number)!).changes();
    if (made !== null) more.push(made);
  }
  return { conflicts, changes: more };
}

export function recordOf(table: SqlTable, row: readonly Value[]): Row {
  const out: Row = {};
  table.columns.forEach(({ name, type }, i) => {
    const value = row[i];
    Object.defineProperty(out, name, { value: value === null ? null : type.json(value, STORED), enumerable: true, configurable: true, writable: true });
  });
  return out;
}

/** What a table asks of its rows, to be compared. */
function rulesText(catalog: Catalog, table: number): string {
  const relation = catalog.byNumber.get(table)?.relation;
  if (relation === null || relation === undefined) return '';
  return JSON.stringify([
    relation.constraints,
    ...placeOf(catalog, relation.object),
    relation.indexes.filter(
      ({ unique, exclusion, whereCell, columns }) =>
        unique || exclusion !== undefined || whereCell !== null || columns.some(({ cell, column }) => cell !== column),
    ),
    relation.attributes.map(({ number, notNull, generated, missing }) => [number, notNull, generated, missing]),
  ]);
}

/** Where a partition stands: its bound and those of its ancestors, and what is left to it where that is what others leave. */
function placeOf(catalog: Catalog, { bound, parents }: RelationObject): unknown[] {
  if (bound === undefined || parents === undefined) return [];
  const above = catalog.byNumber.get(parents[0])?.relation?.object;
  const others = bound.kind !== 'default' ? [] : childrenIn(catalog, parents[0]).map(({ bound: each }) => each);
  return [parents, bound, others, ...(above === undefined ? [] : placeOf(catalog, above))];
}

function childrenIn(catalog: Catalog, parent: number): RelationObject[] {
  return [...catalog.byNumber.values()].flatMap(({ relation }) => (relation?.object.parents?.includes(parent) === true ? [relation.object] : []));
}

/** Definitions of both sides that cannot stand side by side: partitions that overlap, children without their parent. */
function hierarchyConflicts(catalog: Catalog, merged: Catalog, schema: Schema): Conflict[] {
  const out: Conflict[] = [];
  const conflict = (table: SqlTable, message: string, code: string): void => {
    const key = `${merged.byNumber.get(table.number)!.name}/definition`;
    out.push({ key, base: null, ours: null, theirs: null, explanation: `The merged definitions do not fit together: ${message}.`, code });
  };
  for (const table of schema.tables.values()) {
    if (table.inheritance === null) continue;
    for (const parent of table.inheritance.parents) {
      if (!schema.tables.has(parent))
        conflict(table, `a table that "${table.name}" ${table.inheritance.bound === null ? 'inherits from' : 'is a partition of'} is gone`, '42P01');
    }
    const { partitionBy } = table.inheritance;
    if (partitionBy === null) continue;
    const partitions = schema.children(table.number).filter(({ inheritance }) => inheritance!.bound !== null);
    const before = childrenIn(catalog, table.number);
    if (partitions.every(({ number }) => before.some((each) => each.number === number))) continue;
    partitions.forEach((partition, i) => {
      try {
        new PartitionKeys(partitionBy, partitions.slice(0, i)).refuseOverlap(partition.name, partition.inheritance!.bound!);
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        conflict(partition, error.message, error.code);
      }
    });
  }
  return out;
}

function hiddenText(catalog: Catalog, table: number): string {
  return [...(catalog.byNumber.get(table)?.relation?.hidden ?? [])].sort((a, b) => a - b).join();
}
