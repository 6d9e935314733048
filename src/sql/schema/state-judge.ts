/**
 * Validates combined states. Every operation that combines two or more states (merge, partial merge, picks, rebase, undo of a merge
 * or of an agent) passes its candidate here before it is committed:
 *
 *   derived    generated columns, defaults of columns that one side added NOT NULL, cells of indexes
 *   promised   labels and domains, NOT NULL, CHECK, partition bounds, UNIQUE, exclusion, foreign keys
 *
 * This covers the incoming rows and, for tables with definitions that one side did not have, all rows. A violation is a conflict
 * with its SQLSTATE, constraint, both rows, and possible resolutions; nothing cascades. If no definition is new to a side, only
 * constraints over several rows are checked, and tables without such constraints are skipped.
 */
import type { Conflict, Row } from '../../commands/contract.ts';
import type { TreeChanges } from '../../events/changes.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { type Catalog, epochOf } from '../../worlds/catalog.ts';
import type { CatalogObject, RelationObject } from '../../worlds/definition.ts';
import { checkedOf } from '../../worlds/kinds/registry.ts';
import { emptyTree } from '../../tree/write.ts';
import { rowRecord } from '../../worlds/document.ts';
import { rowKey } from '../../worlds/keys.ts';
import { rowIn } from '../../tree/row-change.ts';
import { rowChangeSteps } from '../../worlds/changes-between.ts';
import { typeRules } from '../../worlds/type-rules.ts';
import type { CandidateState, TypedTables, Verdict } from '../../worlds/typed-tables.ts';
import { setField } from '../../base/json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Value } from '../types/value.ts';
import { valueRules } from '../types/value-rules.ts';
import type { Compiler } from './compiler.ts';
import { brokenForeignKeys } from './foreign-keys.ts';
import { PartitionKeys } from './partition-keys.ts';
import { type RowChecks, holderOf } from './rows-writer.ts';
import { type Schema, schemaOf } from './schema.ts';
import { StatementWrites } from './statement-writes.ts';
import type { SqlTable } from './table.ts';
import type { TypeLookup } from './type-lookup.ts';
import { STORED } from '../types/environment.ts';

/** How rows are shown in conflicts. */
type ShownRows = Pick<TypedTables, 'id' | 'record'>;

/** In steps that may yield: the roots may not be changed in place meanwhile. */
export function* judgeState(candidate: CandidateState, lookup: TypeLookup, compiler: Compiler, rows: ShownRows): Generator<void, Verdict> {
  const { pager, objects, catalog, root, merged, theirs, base, changes, partial } = candidate;
  const schema = schemaOf(merged, lookup);
  const epoch = (each: Catalog, number: number): number | undefined => (each.byNumber.has(number) ? epochOf(each.byNumber.get(number)) : undefined);
  /** Its rows are replaced by the branch's. */
  const isRecreated = (number: number): boolean => catalog.byNumber.has(number) && epoch(catalog, number) !== epoch(merged, number);
  const none = emptyTree(true);
  const own = compiler.within?.(schema, pager) ?? compiler;
  const writes = new StatementWrites({
    pager,
    objects,
    schema,
    root,
    state: { directory: (number) => (isRecreated(number) ? none : root) },
    compiler: own,
    env: STORED,
    // The two sides were written independently, so no constraint is known to hold between them.
    enforces: 'all',
  });
  const conflicts = hierarchyConflicts(catalog, merged, schema);
  const byTree = new Map(changes.map((each) => [each.tree, each]));
  const filled: SqlTable[] = [];
  const looked: { table: SqlTable; asked: RowChecks | null }[] = [];
  const seen = new Set<string>();
  const refused = (table: SqlTable, key: Key, row: readonly Value[] | null, error: SvcError): void => {
    const name = rowKey(rows, merged.byNumber.get(table.number)!, key);
    const what = `${name} ${error.code} ${String(error.data?.['constraint'] ?? error.data?.['column'] ?? '')}`;
    if (seen.has(what)) return;
    seen.add(what);
    conflicts.push(violation(candidate, rows, table, { key, name, row, error }, byTree.get(table.number)));
  };
  for (const table of [...schema.tables.values(), ...schema.stores.values()]) {
    const { number } = table;
    if (table.implied === true && schema.referencing(number).length === 0) continue;
    const decided = byTree.get(number);
    // Definitions of ours that theirs did not have, and vice versa.
    const newTo = (side: Catalog): boolean =>
      side !== merged && (rulesText(side, number) !== rulesText(merged, number) || typeRules(side, number) !== typeRules(merged, number));
    const newToOurs = newTo(catalog);
    const newToTheirs = newTo(theirs);
    const isRepointed = table.foreignKeys.some(({ target }) => isRecreated(target));
    if (decided === undefined && !newToOurs && !isRepointed) continue;
    // A table that is taken as a whole is valid as on the branch, except for types that differ here, and for references from and to its rows.
    if (!catalog.byNumber.has(number) || isRecreated(number)) {
      if (table.foreignKeys.length === 0 && schema.referencing(number).length === 0 && !newToTheirs) continue;
      if (decided !== undefined) yield* writes.writer(table).loadSteps(decided.rows);
      looked.push({ table, asked: newToTheirs ? rowRules(table, theirs, theirs, own) : null });
      if (newToTheirs) filled.push(table);
      continue;
    }
    const related = table.foreignKeys.length > 0 || schema.referencing(number).length > 0 || table.indexes.some(({ unique, excludes }) => unique || excludes);
    const alone = newToOurs || newToTheirs || candidate.columns || partial;
    if (!alone && !related) continue;
    const writer = writes.writer(table);
    if (decided !== undefined) yield* writer.loadSteps(decided.rows);
    const asked = alone ? rowRules(table, catalog, theirs, own) : null;
    // Their definitions were already checked there for each row that neither side has changed since.
    if (newToOurs && (newToTheirs || partial)) yield* writer.surveySteps(asked!, (key, row, error) => refused(table, key, row, error));
    if (isRepointed) yield* writer.touchAllSteps();
    if (newToOurs) {
      const from = childRoot(pager, base, number);
      const to = childRoot(pager, root, number);
      if (to !== null && from !== to) yield* rowChangeSteps(pager, from, to, (key, _old, row) => void (row === null || writer.touch(key)));
      // A foreign key that ours did not have: ours may have deleted referenced rows that neither side's changes include.
      const had = catalog.byNumber.get(number)?.relation?.constraints ?? [];
      const newKeys = table.foreignKeys.filter((each) => !had.some((key) => key.number === each.number));
      const orphaned = newKeys.some((each) => childRoot(pager, base, each.target) !== childRoot(pager, root, each.target));
      const excludes = table.indexes.some((index) => index.excludes && !catalog.indexes.has(index.number));
      if (orphaned || (partial && (newKeys.length > 0 || excludes))) yield* writer.touchAllSteps();
    }
    if (
      alone &&
      (table.columns.some(({ generated }) => generated !== null) ||
        hiddenText(catalog, number) !== hiddenText(merged, number) ||
        hiddenText(theirs, number) !== hiddenText(merged, number) ||
        lacksDefaults(table, catalog, theirs) ||
        candidate.columns)
    )
      filled.push(table);
    looked.push({ table, asked });
  }
  for (const { table, asked } of looked) yield* writes.writer(table).verifySteps(asked, (key, row, error) => refused(table, key, row, error));
  for (const { table } of looked) {
    try {
      writes.writer(table).checkDeferrable();
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      const { constraint } = error.data ?? {};
      conflicts.push({
        key: `${merged.byNumber.get(table.number)!.name}/definition`,
        base: null,
        ours: null,
        theirs: null,
        explanation: `The merged rows would break a constraint: ${error.message} (${error.detail ?? ''}).`,
        code: error.code,
        ...(typeof constraint === 'string' ? { constraint } : {}),
      });
    }
  }
  yield* brokenForeignKeys(writes, refused);
  const more: TreeChanges[] = [];
  // Nothing is derived for rows that are invalid.
  const reads = Array.from(writes.all(), ({ table }) => table.number);
  if (conflicts.length > 0) return { conflicts, changes: more, reads };
  for (const table of filled) {
    const made = yield* writes.writer(table).changesSteps();
    if (made !== null) more.push(made);
  }
  return { conflicts, changes: more, reads };
}

/** Checks of a row alone beyond its constraints, and values for columns that its side did not have. */
function rowRules(table: SqlTable, ours: Catalog, theirs: Catalog, compiler: Compiler): RowChecks {
  // Generated values are recomputed, under the rules of their type.
  const rules = table.columns.flatMap(({ type, generated }, column) => {
    const own = generated === null ? valueRules(type) : null;
    return own === null ? [] : [{ column, rules: own }];
  });
  const defaults = defaultsLacking(table, ours, theirs).map(({ column, at }) => ({ column, at, value: defaultOf(table, column, compiler) }));
  return (row, there) => {
    let own = row;
    for (const { column, at, value } of defaults) {
      if (row[column] !== null || (at !== 'both' && at !== (there ? 'ours' : 'theirs'))) continue;
      if (own === row) own = row.slice();
      (own as Value[])[column] = value();
    }
    for (const each of rules) each.rules(own[each.column]);
    return own;
  };
}

/** NOT NULL columns, or columns with per-row defaults, that one side did not have: its rows get the default, as if the column were added now. */
function defaultsLacking(table: SqlTable, ours: Catalog, theirs: Catalog): { column: number; at: 'ours' | 'theirs' | 'both' }[] {
  const has = (catalog: Catalog, number: number): boolean =>
    catalog.byNumber.get(table.number)?.relation?.attributes.some((each) => each.number === number) === true;
  return table.columns.flatMap((each, column) => {
    if (!(each.notNull || each.fills) || each.default === null || each.generated !== null || each.missing !== null) return [];
    const [mine, yours] = [has(ours, each.number), has(theirs, each.number)];
    return mine && yours ? [] : [{ column, at: mine ? ('theirs' as const) : yours ? ('ours' as const) : ('both' as const) }];
  });
}

function lacksDefaults(table: SqlTable, ours: Catalog, theirs: Catalog): boolean {
  return defaultsLacking(table, ours, theirs).length > 0;
}

function defaultOf(table: SqlTable, column: number, compiler: Compiler): () => Value {
  const { default: sql, type, typmod } = table.columns[column];
  const nulls = table.columns.map(() => null);
  let made: ((row: readonly Value[]) => Value) | null = null;
  return () => (made ??= compiler.expression(table, sql!, type, typmod))(nulls);
}

interface Broken {
  readonly key: Key;
  readonly name: string;
  readonly row: readonly Value[] | null;
  readonly error: SvcError;
}

/** The invalid row, with the conflicting one if any; which side provided the row and the constraint, and the possible resolutions. */
function violation(
  { pager, root, merged, catalog, theirs, names }: CandidateState,
  rows: ShownRows,
  table: SqlTable,
  broken: Broken,
  decided: TreeChanges | undefined,
): Conflict {
  const { key, name, row, error } = broken;
  const known = merged.byNumber.get(table.number)!;
  const tree = childRoot(pager, root, table.number);
  const own = rowIn(pager, tree, key);
  const holder = holderOf(error);
  const other = holder === null ? null : rowIn(pager, tree, holder);
  const constraint = error.data?.['constraint'];
  const isTheirs = decided?.rows.some((each) => each.key === key) === true;
  const has = (each: Catalog): boolean => typeof constraint !== 'string' || rulesNamed(each, table.number, constraint, error.data?.['type']);
  const [mine, yours] = [has(catalog), has(theirs)];
  const maker = mine === yours ? null : mine ? names.ours : names.theirs;
  const message = `The merged rows would break a constraint: ${error.message}${error.detail === undefined ? '' : ` (${error.detail})`}.`.replace(
    /\.\)\.$/,
    ').',
  );
  const brought = ` ${name} is as "${isTheirs ? names.theirs : names.ours}" has it${maker === null ? '' : `, the constraint is of "${maker}"`}.`;
  const advice = isTheirs
    ? ` Pick ${name} "ours", a row that fits, or null; or change it in "${names.theirs}".`
    : ` Change ${name} in "${names.ours}"${maker === names.theirs ? `, or the constraint in "${names.theirs}"` : ''}, and try again.`;
  return {
    key: name,
    base: null,
    ours: own === null ? (other === null ? null : rowRecord(rows, known, other.leaf, other.index)) : rowRecord(rows, known, own.leaf, own.index),
    theirs: row === null ? null : recordOf(table, row),
    explanation: message + brought + advice,
    code: error.code,
    ...(typeof constraint === 'string' ? { constraint } : {}),
  };
}

/** Whether the catalog has the constraint of the table, or of the domain. */
function rulesNamed(catalog: Catalog, table: number, name: string, domain: unknown): boolean {
  if (typeof domain === 'string') {
    for (const each of catalog.objects.values())
      if (each.what === 'domain' && each.name === domain && each.checks.some((check) => check.name === name)) return true;
    return false;
  }
  const relation = catalog.byNumber.get(table)?.relation;
  if (!relation) return false;
  return (
    relation.object.primaryKey?.name === name ||
    relation.constraints.some((each) => each.name === name) ||
    relation.indexes.some((each) => each.constraint === name || each.name === name)
  );
}

export function recordOf(table: SqlTable, row: readonly Value[]): Row {
  const out: Row = {};
  table.columns.forEach(({ name, type }, i) => {
    const value = row[i];
    setField(out, name, value === null ? null : type.json(value, STORED));
  });
  return out;
}

/** A comparable form of a table's constraints, from the kinds of its definitions. */
function rulesText(catalog: Catalog, table: number): string {
  const relation = catalog.byNumber.get(table)?.relation;
  if (relation === null || relation === undefined) return '';
  const asked = (objects: readonly CatalogObject[]): unknown[] => objects.map(checkedOf).filter((each) => each !== null);
  return JSON.stringify([asked(relation.constraints), ...placeOf(catalog, relation.object), asked(relation.indexes), asked(relation.attributes)]);
}

/** The effective bound of a partition: its own and its ancestors', and for a default partition those of its siblings. */
function placeOf(catalog: Catalog, relation: RelationObject): unknown[] {
  const own = checkedOf(relation);
  if (own === null) return [];
  const [parent] = relation.parents!;
  const above = catalog.byNumber.get(parent)?.relation?.object;
  const others = relation.bound!.kind !== 'default' ? [] : childrenIn(catalog, parent).map(checkedOf);
  return [own, others, ...(above === undefined ? [] : placeOf(catalog, above))];
}

function childrenIn(catalog: Catalog, parent: number): RelationObject[] {
  return [...catalog.byNumber.values()].flatMap(({ relation }) => (relation?.object.parents?.includes(parent) === true ? [relation.object] : []));
}

/** Definitions of both sides that exclude each other: overlapping partitions, children without their parent. */
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
