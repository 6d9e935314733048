/**
 * Three-way merge as a plan: what each changed row becomes, without changing anything.
 *
 *   base ──► theirs   the branch's changes, in key order
 *   base ──► ours     the target's changes since, looked up by key
 *
 * A row that only the branch changed is taken; one that both changed alike has converged, or with `strict` is a
 * conflict: where a balance was lowered twice, the same figure is the wrong one; one that both changed differently
 * is a conflict, by row or (with `columns`) only where both changed one column.
 * A dry run and the real run share this plan, so they cannot differ.
 */
import { exactJsonText } from '../../base/exact-json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { runSteps } from '../../base/run-steps.ts';
import type { Conflict, MergeInput, PreviewRow, Resolve, Row, TableSummary } from '../../commands/contract.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { CATALOG_TREE, EFFECT_TREE, type TreeChanges } from '../../events/changes.ts';
import { type Datum, KIND, type Key, type Kind, type RowChange } from '../../tree/datum.ts';
import { ChangedSince } from '../../tree/changed-since.ts';
import { sameDatum, sameRow } from '../../tree/diff.ts';
import { childRoot } from '../../tree/directory.ts';
import { adapt, type Node, widest } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type Catalog, catalogAfter, type Table, utf8Key } from '../catalog.ts';
import { columnDefinition, columnDefinitionKey, DEFINITION_SHAPE, tableDefinition, tableDefinitionKey } from '../definition.ts';
import { countAffectedSteps, eachAffected, effectOn, isAffected, ROWS_OF_DEFINITIONS_MAX } from '../definition-effects.ts';
import { canonicalDefinitionKey, isDefinitionKey } from './definition-names.ts';
import { type Computed, joinComputed } from './computed.ts';
import { joinChanges, joinChangesSteps } from './join-changes.ts';
import { missingDefinitions } from './definitions.ts';
import { canonicalRowKey, idKey, idOf, parseRowKey, rowKey } from '../keys.ts';
import { OBJECTS, PAGES } from '../large-objects.ts';
import { type RowAt, rowChange, rowIn, sameVisible, ShapeTable } from '../../tree/row-change.ts';
import { changedTrees, eachRowChange, isNumeric, rowChangeSteps, ROWS_A_STEP, treeDifference } from '../changes-between.ts';
import { sequencesOnward } from '../sequences.ts';
import { withMembers } from '../lineage.ts';
import { RowWriter } from '../row-writer.ts';
import type { TypedTables, TypedWrites } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import type { Approver } from './approved.ts';
import { mergeSchema } from './schema.ts';
import { clip, type Outcome, ROW_CONFLICT, sameRecord, ShownRows, type Three } from './shown-rows.ts';

export interface Side {
  name: string;
  root: Node;
  catalog: Catalog;
}

export interface PlanInput {
  typed: TypedTables;
  base: Side;
  /** The target. */
  ours: Side;
  /** The branch. */
  theirs: Side;
  resolve: Resolve;
  /** The principal that takes ownership of objects that agents defined in the branch; omitted: none. */
  approver?: Approver | null;
  columns: boolean;
  /** Rows changed alike on both sides are conflicts, too. */
  strict?: boolean;
  picks?: MergeInput['picks'];
  only_tables?: string[];
  only_keys?: string[];
}

export interface Plan {
  /** Changes of the target. */
  changes: TreeChanges[];
  /** base → theirs for every row that the plan resolves. */
  baseChanges: TreeChanges[];
  rows: PreviewRow[];
  conflicts: Conflict[];
  summary: TableSummary[];
  /** No row changed on both sides. */
  disjoint: boolean;
  /** Rows that the target changed since the fork point and whose changes would be lost. */
  overwritten: number;
  /** The result contains derived changes, so that no tree of the branch can be taken over as it is. */
  derives: boolean;
  /** Rows that both sides changed alike, as a whole. */
  converged: number;
  /** Rows that both sides changed alike: those and, with `columns`, rows with such a column. */
  alike: number;
  /** Definitions of the result; of the target while some are in conflict, when there is no result. */
  result: Catalog;
  /** Tables of the target that were read: the plan is valid as long as they and their definitions are unchanged. */
  readonly reads: Set<number>;
}

/** Rows that differ in the result, including rows changed only by a definition. */
export function mergedRows({ summary }: Plan): number {
  return summary.reduce((sum, { deleted, updated, inserted }) => sum + deleted + updated + inserted, 0);
}

/** The branch's changes by table, including rows in conflict. */
export function branchSummary({ summary, conflicts }: Plan): TableSummary[] {
  const out = new Map(summary.map((each) => [each.table, { ...each }]));
  const seen = new Set<string>();
  for (const { key, base, theirs, code } of conflicts) {
    // For rows that violate a constraint, the summary already has those of the branch.
    if (code !== undefined || isDefinitionKey(key) || seen.has(key)) continue;
    seen.add(key);
    const { table } = parseRowKey(key);
    const each = out.get(table) ?? { table, deleted: 0, updated: 0, inserted: 0 };
    out.set(table, each);
    if (theirs === null) each.deleted++;
    else if (base === null) each.inserted++;
    else each.updated++;
  }
  return [...out.values()].sort((a, b) => b.deleted - a.deleted || (utf8Key(a.table) < utf8Key(b.table) ? -1 : 1));
}

/** What to compute besides the changes. */
interface Wanted {
  /** Rows for the preview. */
  rows: boolean;
  baseChanges: boolean;
}

export function planMerge(pager: Pager, objects: Objects, input: PlanInput, want: Wanted): Plan {
  return runSteps(planMergeSteps(pager, objects, input, want));
}

/** `planMerge` in steps, for callers that yield between them; the sides' roots must not be changed in place meanwhile. */
export function* planMergeSteps(pager: Pager, objects: Objects, input: PlanInput, want: Wanted): Generator<void, Plan> {
  const wantRows = want.rows;
  const { typed, base, ours, theirs } = input;
  const shapes = new ShapeTable();
  const filter = rowFilter(input);
  const picks = new Picks(input);
  const plan: Plan = {
    changes: [],
    baseChanges: [],
    rows: [],
    conflicts: [],
    summary: [],
    disjoint: true,
    overwritten: 0,
    derives: false,
    converged: 0,
    alike: 0,
    result: ours.catalog,
    reads: new Set(),
  };
  const partial = input.only_tables !== undefined || input.only_keys !== undefined;
  const schema = mergeSchema(pager, {
    typed,
    base,
    ours,
    theirs,
    resolve: input.resolve,
    approver: input.approver ?? null,
    tables: partial ? tableNumbers(input, (name) => filter.table(name)) : null,
    pick: (key) => picks.definition(key),
  });
  plan.conflicts.push(...schema.conflicts);
  const stands = schema.conflicts.length === 0;
  if (stands && schema.rows.length > 0) plan.result = catalogAfter(ours.catalog, schema.rows);
  const shown = new ShownRows(pager, input, plan, stands);
  let given: TypedWrites | null = null;
  const written = new RowWriter(pager, objects, ours.root, ours.catalog);
  const touched: number[] = [];

  // Definitions first: they decide how rows are merged.
  const changed = changedTrees(pager, base.root, theirs.root).filter(({ tree }) => tree !== CATALOG_TREE);
  for (const tree of [...schema.gone, ...schema.whole]) {
    if (changed.some((each) => each.tree === tree)) continue;
    changed.push({ tree, from: childRoot(pager, base.root, tree), to: childRoot(pager, theirs.root, tree) });
  }
  const trees = changed
    .map((each) => ({ ...each, table: theirs.catalog.byNumber.get(each.tree) ?? base.catalog.byNumber.get(each.tree) ?? ours.catalog.byNumber.get(each.tree) }))
    .filter((each): each is typeof each & { table: Table } => each.table !== undefined)
    .sort((a, b) => (utf8Key(a.table.name) < utf8Key(b.table.name) ? -1 : 1));

  /** Rows in which the branch changed derived cells only. */
  const derivedRows = new Map<number, RowChange[]>();
  for (const { tree, from, to, table } of trees) {
    if (!filter.table(table.name)) continue;
    plan.reads.add(tree);
    yield;
    const oursTree = childRoot(pager, ours.root, tree);
    const oursChanged = changedKeys(pager, from, oursTree);
    if (schema.kept.has(tree)) continue;
    // A materialized view refreshed on both sides stays as ours, until its next refresh.
    if (table.relation?.object.query !== undefined && !schema.whole.has(tree) && !schema.gone.has(tree) && oursChanged.any) continue;
    const { relation } = table;
    const changes: RowChange[] = [];
    const baseChanges: RowChange[] = [];
    const summary: TableSummary = { table: table.name, deleted: 0, updated: 0, inserted: 0 };
    let any = false;
    if (schema.gone.has(tree) || schema.whole.has(tree)) {
      const whole = schema.whole.has(tree);
      // A new table of the name replaces a dropped one.
      const lost = whole || theirs.catalog.tables.has(table.name) ? yield* lostRows(pager, shown, tree, from, oursTree, picks, plan) : NONE_LOST;
      yield* wholeTable(
        pager,
        table,
        { base: from, ours: oursTree, theirs: whole ? to : null },
        whole ? changes : null,
        wantRows ? shown : null,
        summary,
        shapes,
        lost,
      );
      if (changes.length > 0) {
        const numeric = relation!.object.numeric;
        plan.changes.push({ tree, numeric, rows: changes });
        if (want.baseChanges) plan.baseChanges.push({ tree, numeric, rows: changes.map((change) => ({ ...change, before: null })) });
      }
      if (summary.deleted + summary.updated + summary.inserted > 0) plan.summary.push(summary);
      continue;
    }
    const derived = derivedCells(input, tree);
    const own: RowChange[] = [];
    derivedRows.set(tree, own);
    yield* rowChangeSteps(pager, from, to, (key, baseRow, theirRow) => {
      if (oursChanged.has(key)) plan.disjoint = false;
      if (!filter.row(table, key)) return;
      if (derived !== null && baseRow !== null && theirRow !== null && sameVisible(baseRow, theirRow, derived)) {
        // If ours changed the row too, derived cells are recomputed.
        const change = rowChange(key, baseRow, theirRow, shapes);
        if (want.baseChanges) baseChanges.push(change);
        if (!oursChanged.has(key)) {
          changes.push(change);
          own.push(change);
        }
        return;
      }
      any = true;
      const ourRow = oursChanged.has(key) ? rowIn(pager, oursTree, key) : baseRow;
      const changedHere = oursChanged.has(key) && (derived === null || baseRow === null || ourRow === null || !sameVisible(baseRow, ourRow, derived));
      const name = picks.active || wantRows || changedHere ? rowKey(typed, table, key) : '';
      const row: Three = { key, name, base: baseRow, ours: ourRow, theirs: theirRow };
      if (want.baseChanges) baseChanges.push(rowChange(key, baseRow, theirRow, shapes));
      const pick = picks.active ? picks.take(name) : undefined;
      let outcome: Outcome;
      if (pick !== undefined && pick !== 'ours' && pick !== 'theirs') {
        // A row supplied by the caller: handled like a put into the target.
        const id = idOf(name, table);
        if (relation !== null) {
          given ??= typed.writes({ pager, objects, catalog: ours.catalog, root: ours.root });
          if (pick === null) given.delete(table, id);
          else given.put(table, id, pick);
        } else if (pick === null) written.delete(table.name, idKey(id));
        else written.put(table.name, id, idKey(id), pick);
        outcome = { change: null, conflict: null, detail: 'resolved by a given row' };
        const resolvedAs = relation === null ? withoutId(pick) : pick;
        if (!sameRecord(resolvedAs, shown.record(table, ourRow, ours))) {
          tally(summary, ourRow, resolvedAs);
          if (changedHere) plan.overwritten++;
        }
        if (wantRows) shown.add(table, row, outcome, resolvedAs);
        return;
      }
      const converged = changedHere && sameRows(ourRow, theirRow);
      if (converged || (changedHere && input.columns && sharesChange(row, derived))) plan.alike++;
      if (converged && pick === undefined && (input.strict !== true || input.resolve !== 'fail')) {
        plan.converged++;
        if (wantRows) shown.add(table, row, { change: null, conflict: null, detail: 'both changed it alike' }, undefined, true);
        return;
      }
      outcome = converged && pick === undefined ? { change: null, conflict: ROW_CONFLICT, detail: '' } : decide(row, changedHere, pick, input, shapes, derived);
      if (outcome.conflict !== null) {
        plan.conflicts.push({
          key: name,
          base: shown.record(table, baseRow, base),
          ours: shown.record(table, ourRow, ours),
          theirs: shown.record(table, theirRow, theirs),
          explanation: shown.explain(table, row, outcome.conflict),
        });
      } else if (outcome.change !== null) {
        changes.push(outcome.change);
        if (changedHere) plan.overwritten++;
        const { before, after } = outcome.change;
        if (after === null) summary.deleted++;
        else if (before === null) summary.inserted++;
        else summary.updated++;
      }
      if (wantRows) shown.add(table, row, outcome, undefined);
    });
    if (!any && changes.length === 0) continue;
    touched.push(tree);
    const numeric = relation?.object.numeric ?? isNumeric((from ?? to)!);
    if (changes.length > 0) plan.changes.push({ tree, numeric, rows: changes });
    if (baseChanges.length > 0) plan.baseChanges.push({ tree, numeric, rows: baseChanges });
    if (summary.deleted + summary.updated + summary.inserted > 0) plan.summary.push(summary);
  }
  picks.allTaken(theirs.name);
  yield* joinChangesSteps(plan.changes, written.finish());
  if (given !== null) yield* joinChangesSteps(plan.changes, (given as TypedWrites).finish());
  // A full merge also brings tables and fields without rows.
  const wanted = new Set((partial ? touched : [...touched, ...theirs.catalog.byNumber.keys()]).filter((number) => !schema.kept.has(number)));
  joinChanges(plan.changes, missingDefinitions(theirs.catalog, ours.catalog, wanted));
  if (want.baseChanges) joinChanges(plan.baseChanges, missingDefinitions(theirs.catalog, base.catalog, wanted));
  if (schema.rows.length > 0) joinChanges(plan.changes, [{ tree: CATALOG_TREE, numeric: false, rows: schema.rows }]);
  if (want.baseChanges && schema.baseChanges.length > 0) joinChanges(plan.baseChanges, [{ tree: CATALOG_TREE, numeric: false, rows: schema.baseChanges }]);
  joinChanges(plan.changes, sequencesOnward(pager, ours.root, theirs.root, base.root));
  if (!partial) {
    joinChanges(plan.changes, mergeEffects(pager, base.root, ours.root, theirs.root));
    if (want.baseChanges) joinChanges(plan.baseChanges, treeDifference(pager, base.root, theirs.root, EFFECT_TREE));
  }
  joinChanges(
    plan.changes,
    documentTablesGone(pager, input, plan, (table) => filter.table(table.name) && !schema.kept.has(table.number)),
  );
  const definitions = plan.changes.find(({ tree }) => tree === CATALOG_TREE);
  if (stands && definitions !== undefined) plan.result = catalogAfter(ours.catalog, definitions.rows);
  const computed = yield* checkResult(pager, objects, input, plan, partial || input.picks !== undefined);
  for (const [tree, rows] of derivedRows) if (rows.length > 0) computed.push({ tree, rows });
  const unwritten = !stands || (definitions === undefined && computed.length === 0) ? [] : yield* unwrittenRows(pager, input, plan, computed, wantRows);
  if (wantRows) yield* shown.finish(unwritten, new Set(computed.map(({ tree }) => tree)));
  plan.summary.sort((a, b) => b.deleted - a.deleted || (utf8Key(a.table) < utf8Key(b.table) ? -1 : 1));
  return plan;
}

/** Keys of rows that the target changed. If its kind of keys differs from the base, all rows were deleted and inserted. */
function changedKeys(pager: Pager, base: Node | null, ours: Node | null): { has(key: Key): boolean; readonly any: boolean } {
  if (base === null || ours === null || base.count === 0 || ours.count === 0 || isNumeric(base) === isNumeric(ours)) return new ChangedSince(pager, base, ours);
  const keys = new Set<Key>();
  eachRowChange(pager, base, ours, (key) => void keys.add(key));
  return { has: (key) => keys.has(key), any: true };
}

/** Numbers of the tables to merge. */
function tableNumbers({ base, ours, theirs }: PlanInput, wanted: (name: string) => boolean): Set<number> {
  const out = new Set<number>();
  for (const { catalog } of [base, ours, theirs]) {
    for (const { number, name } of catalog.byNumber.values()) if (wanted(name)) out.add(number);
  }
  // A world defines both of them, or none.
  if (out.has(OBJECTS) || out.has(PAGES)) out.add(OBJECTS).add(PAGES);
  return out;
}

/** A dropped table, or one whose rows are taken over whole from the branch. */
function* wholeTable(
  pager: Pager,
  table: Table,
  trees: { base: Node | null; ours: Node | null; theirs: Node | null },
  changes: RowChange[] | null,
  shown: ShownRows | null,
  summary: TableSummary,
  shapes: ShapeTable,
  lost: ReadonlyMap<Key, string>,
): Generator<void, void> {
  const { base, ours, theirs } = trees;
  summary.deleted = ours?.count ?? 0;
  summary.inserted = theirs?.count ?? 0;
  const known = base !== null && ours !== null && isNumeric(base) === isNumeric(ours) ? base : null;
  // Equal keys of different kinds are different rows.
  const alike = ours !== null && theirs !== null && isNumeric(ours) === isNumeric(theirs);
  if (ours !== null && shown !== null) {
    yield* rowChangeSteps(pager, null, ours, (key, _none, at) => {
      const of = shown.input.ours.catalog.byNumber.get(table.number) ?? table;
      const row: Three = { key, name: rowKey(shown.input.typed, of, key), base: rowIn(pager, known, key), ours: at, theirs: null };
      const explanation = lost.get(key);
      if (alike && explanation === undefined && rowIn(pager, theirs, key) !== null) return;
      const detail = `"${shown.input.theirs.name}" dropped the table, or rekeyed its rows`;
      const change = rowChange(key, at, null, shapes);
      shown.add(of, row, { change, conflict: null, detail }, undefined, false, explanation);
    });
  }
  if (theirs !== null) {
    yield* rowChangeSteps(pager, null, theirs, (key, _none, at) => {
      const change = rowChange(key, null, at, shapes);
      changes?.push(change);
      if (shown === null) return;
      const mine = alike ? rowIn(pager, ours, key) : null;
      const row: Three = { key, name: rowKey(shown.input.typed, table, key), base: rowIn(pager, known, key), ours: mine, theirs: at };
      const detail = `"${shown.input.theirs.name}" ${mine === null ? 'rekeyed its rows' : 'wins: the table is taken from it'}`;
      shown.add(table, row, { change: mine === null ? change : rowChange(key, mine, at, shapes), conflict: null, detail }, undefined);
    });
  }
}

/**
 * Rows that the target inserted since the fork, in a table that is replaced by the branch's: neither side has deleted them,
 * and picking the branch's table does not decide about rows that it never had. Each is a conflict of its own, until it is
 * picked as `theirs` or null (deleted).
 */
function* lostRows(
  pager: Pager,
  shown: ShownRows,
  tree: number,
  from: Node | null,
  oursTree: Node | null,
  picks: Picks,
  plan: Plan,
): Generator<void, ReadonlyMap<Key, string>> {
  const { typed, base, ours, theirs } = shown.input;
  const table = ours.catalog.byNumber.get(tree);
  const keyOf = (of: Table | undefined): string => JSON.stringify([of?.relation?.object.key, of?.relation?.object.numeric]);
  // If ours has other keys, each row is a different one.
  if (table === undefined || oursTree === null || oursTree === from || keyOf(base.catalog.byNumber.get(tree)) !== keyOf(table)) return NONE_LOST;
  const lost = new Map<Key, string>();
  yield* rowChangeSteps(pager, from, oursTree, (key, before, at) => {
    if (before !== null || at === null) return;
    const name = rowKey(typed, table, key);
    const pick = picks.active ? picks.take(name) : undefined;
    if (pick === 'theirs' || pick === null) return;
    const row = shown.record(table, at, ours);
    const explanation =
      `"${ours.name}" inserted ${name} since the fork: ${clip(exactJsonText(row))}. "${theirs.name}" rewrote table ${table.name} without it, ` +
      `so it would be lost: pick the row "theirs" to let it go, or put it into "${theirs.name}" as well and then do so.`;
    lost.set(key, explanation);
    plan.conflicts.push({ key: name, base: null, ours: row, theirs: null, explanation });
  });
  return lost;
}
const NONE_LOST: ReadonlyMap<Key, string> = new Map();

/**
 * Derived cells: generated columns, and hidden cells of indexes. A side that added such a column or index has not thereby
 * changed rows. null if there are none.
 */
function derivedCells({ base, ours, theirs }: PlanInput, table: number): ReadonlySet<number> | null {
  const [before, mine, yours] = [base, ours, theirs].map(({ catalog }) => catalog.byNumber.get(table)?.relation);
  const cells = [before, mine, yours].flatMap((relation) => [...(relation?.hidden ?? [])]);
  for (const [side, other] of [
    [mine, yours],
    [yours, mine],
  ]) {
    for (const { number, generated } of side?.attributes ?? []) {
      // On the other side it may be an ordinary column.
      if (generated !== null && other?.attributes.some((each) => each.number === number && each.generated === null) !== true) cells.push(number);
    }
  }
  return cells.length === 0 ? null : new Set(cells);
}

/** Effects that the branch added or removed since its fork point: a full merge carries them along. */
function mergeEffects(pager: Pager, base: Node, ours: Node, theirs: Node): TreeChanges[] {
  const there = childRoot(pager, theirs, EFFECT_TREE);
  const here = childRoot(pager, ours, EFFECT_TREE);
  const rows: RowChange[] = [];
  for (const { rows: moved } of treeDifference(pager, base, theirs, EFFECT_TREE)) {
    for (const { key } of moved) {
      const after = rowIn(pager, there, key);
      const before = rowIn(pager, here, key);
      if (!sameRows(before, after)) rows.push(rowChange(key, before, after, new ShapeTable()));
    }
  }
  return rows.length === 0 ? [] : [{ tree: EFFECT_TREE, numeric: false, rows }];
}

/** Derives and checks values of typed tables in the result. */
function* checkResult(
  pager: Pager,
  objects: Objects,
  { typed, base, ours, theirs, columns }: PlanInput,
  plan: Plan,
  partial: boolean,
): Generator<void, Computed[]> {
  const merged = plan.result;
  if (plan.conflicts.length > 0 || !plan.changes.some(({ tree }) => merged.byNumber.get(tree)?.relation || (tree === CATALOG_TREE && merged.byNumber.size > 0)))
    return [];
  if (![...merged.byNumber.values()].some(({ relation }) => relation !== null)) return [];
  const { changes, conflicts, reads } = yield* typed.judge({
    pager,
    objects,
    catalog: ours.catalog,
    root: ours.root,
    merged,
    theirs: theirs.catalog,
    base: base.root,
    baseCatalog: base.catalog,
    changes: plan.changes,
    columns,
    partial,
    names: { ours: ours.name, theirs: theirs.name },
  });
  plan.conflicts.push(...conflicts);
  for (const table of reads) plan.reads.add(table);
  plan.derives = changes.length > 0;
  return yield* joinComputed(plan.changes, changes, merged);
}

/**
 * Rows of the target that neither side wrote but that differ in the result: a definition drops or adds a column, or derived
 * values change. They are counted; some are returned for the preview.
 */
function* unwrittenRows(
  pager: Pager,
  { ours, theirs }: PlanInput,
  plan: Plan,
  computed: readonly Computed[],
  wantRows: boolean,
): Generator<void, { table: Table; key: Key; row: RowAt; detail: string }[]> {
  const out: { table: Table; key: Key; row: RowAt; detail: string }[] = [];
  for (const [number, table] of ours.catalog.byNumber) {
    const after = plan.result.byNumber.get(number);
    const made = computed.filter(({ tree }) => tree === number).flatMap(({ rows }) => rows);
    const effect = after?.relation?.object.epoch === table.relation?.object.epoch ? effectOn(table, after) : null;
    if (after === undefined || (effect === null && made.length === 0)) continue;
    const tree = childRoot(pager, ours.root, number);
    plan.reads.add(number);
    const written = plan.changes.find((each) => each.tree === number)?.rows ?? [];
    let rows = 0;
    let shown = 0;
    /** Whether more are wanted. */
    const show = (key: Key, row: RowAt, detail: string): boolean => {
      if (wantRows && shown < ROWS_OF_DEFINITIONS_MAX) out.push({ table, key, row, detail });
      return ++shown < ROWS_OF_DEFINITIONS_MAX;
    };
    let done = 0;
    for (const { key, shape } of made) {
      if (++done % ROWS_A_STEP === 0) yield;
      const row = shape.ids.some((id) => after.relation?.hidden.has(id) !== true) ? rowIn(pager, tree, key) : null;
      if (row === null) continue;
      show(key, row, 'derived values are recomputed');
      rows++;
    }
    if (effect !== null) {
      const columns = [...effect.lost, ...effect.gained].map(({ name }) => name);
      const detail = `"${theirs.name}" changed the definition of ${[...new Set(columns)].join(', ')}`;
      if (wantRows && written.length < ROWS_OF_DEFINITIONS_MAX) {
        const keys = new Set(written.map(({ key }) => key));
        eachAffected(pager, tree, effect, null, null, (key, row) => keys.has(key) || show(key, row, detail));
      }
      rows += yield* countAffectedSteps(pager, tree, effect);
      for (const { key } of written) {
        if (++done % ROWS_A_STEP === 0) yield;
        const row = rowIn(pager, tree, key);
        if (row !== null && isAffected(effect, row)) rows--;
      }
    }
    if (rows <= 0) continue;
    const summary = plan.summary.find((each) => each.table === table.name || each.table === after.name);
    if (summary === undefined) plan.summary.push({ table: after.name, deleted: 0, updated: rows, inserted: 0 });
    else summary.updated += rows;
  }
  return out;
}

/** Drops document tables that the branch dropped, once they have no rows. */
function documentTablesGone(pager: Pager, { base, ours, theirs }: PlanInput, plan: Plan, wanted: (table: Table) => boolean): TreeChanges[] {
  const rows: RowChange[] = [];
  for (const [number, table] of base.catalog.byNumber) {
    const here = ours.catalog.byNumber.get(number);
    if (table.relation !== null || theirs.catalog.byNumber.has(number) || here === undefined || !wanted(table)) continue;
    plan.reads.add(number);
    const changes = plan.changes.find(({ tree }) => tree === number)?.rows ?? [];
    const left = changes.reduce(
      (sum, { before, after }) => sum + Number(before === null) - Number(after === null),
      childRoot(pager, ours.root, number)?.count ?? 0,
    );
    if (left > 0) continue;
    rows.push({ key: tableDefinitionKey(number), shape: DEFINITION_SHAPE, before: [tableDefinition(number, here.name)], after: null });
    for (const column of here.columns) {
      const before = [columnDefinition(number, column.number, column.name, column.type)];
      rows.push({ key: columnDefinitionKey(number, column.number), shape: DEFINITION_SHAPE, before, after: null });
    }
  }
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  return rows.length === 0 ? [] : [{ tree: CATALOG_TREE, numeric: false, rows }];
}

function decide(
  row: Three,
  changedHere: boolean,
  pick: 'ours' | 'theirs' | undefined,
  input: PlanInput,
  shapes: ShapeTable,
  derived: ReadonlySet<number> | null,
): Outcome {
  const { key, ours, theirs } = row;
  const take = (detail: string): Outcome => ({ change: sameRows(ours, theirs) ? null : rowChange(key, ours, theirs, shapes), conflict: null, detail });
  const keep = (detail: string): Outcome => ({ change: null, conflict: null, detail });
  if (pick === 'ours') return keep(`resolved as ${input.ours.name} has it`);
  if (pick === 'theirs') return take(`resolved as ${input.theirs.name} has it`);
  if (!changedHere) return take(`only ${input.theirs.name} changed it`);
  if (input.columns && ours !== null && theirs !== null) return byColumn(row, ours, theirs, input, shapes, derived);
  if (input.resolve === 'ours') return keep(`both changed it; ${input.ours.name} wins`);
  if (input.resolve === 'theirs') return take(`both changed it; ${input.theirs.name} wins`);
  return { change: null, conflict: ROW_CONFLICT, detail: 'both changed it' };
}

/** By column, only columns changed on both sides to different values are in conflict. */
function byColumn(row: Three, ours: RowAt, theirs: RowAt, input: PlanInput, shapes: ShapeTable, derived: ReadonlySet<number> | null): Outcome {
  const ids: number[] = [];
  const kinds: Kind[] = [];
  const before: Datum[] = [];
  const after: Datum[] = [];
  const clashes: number[] = [];
  for (const id of new Set([...ours.leaf.colIds, ...theirs.leaf.colIds])) {
    if (derived?.has(id) === true) continue;
    const baseCell = cell(row.base, id);
    const ourCell = cell(ours, id);
    const theirCell = cell(theirs, id);
    if (same(theirCell, baseCell)) continue;
    const clash = !same(ourCell, baseCell);
    if (same(theirCell, ourCell) && (!clash || input.strict !== true || input.resolve !== 'fail')) continue;
    if (clash && input.resolve === 'ours') continue;
    if (clash && input.resolve === 'fail') {
      clashes.push(id);
      continue;
    }
    const kind = ourCell.kind === null ? (theirCell.kind ?? KIND.TEXT) : theirCell.kind === null ? ourCell.kind : widest(ourCell.kind, theirCell.kind);
    ids.push(id);
    kinds.push(kind);
    before.push(adapt(ourCell.value, ourCell.kind ?? kind, kind));
    after.push(adapt(theirCell.value, theirCell.kind ?? kind, kind));
  }
  if (clashes.length > 0) {
    return { change: null, conflict: { kind: 'columns', ids: clashes }, detail: 'both changed a column' };
  }
  return { change: ids.length === 0 ? null : { key: row.key, shape: shapes.of(ids, kinds), before, after }, conflict: null, detail: 'columns of both sides' };
}

/** Whether both sides changed a column to the same value. */
function sharesChange({ base, ours, theirs }: Three, derived: ReadonlySet<number> | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  return [...theirs.leaf.colIds].some((id) => {
    const mine = cell(ours, id);
    return derived?.has(id) !== true && !same(mine, cell(base, id)) && same(mine, cell(theirs, id));
  });
}

interface Cell {
  value: Datum;
  /** null without a value. */
  kind: Kind | null;
}

function cell(row: RowAt | null, id: number): Cell {
  const vec = row === null ? null : row.leaf.col(id);
  const value = vec === null ? undefined : vec.get(row!.index);
  return { value, kind: value === null || value === undefined ? null : vec!.kind };
}

function same(a: Cell, b: Cell): boolean {
  if (a.kind === null || b.kind === null) return a.value === b.value;
  return sameDatum(a.value, a.kind, b.value, b.kind);
}

function sameRows(a: RowAt | null, b: RowAt | null): boolean {
  if (a === null || b === null) return a === b;
  return sameRow(a.leaf, a.index, b.leaf, b.index);
}

function withoutId(row: Row | null): Row | null {
  if (row === null || !Object.hasOwn(row, 'id')) return row;
  const { id: _id, ...rest } = row;
  return rest;
}

function tally(summary: TableSummary, ours: RowAt | null, given: Row | null): void {
  if (given === null) summary.deleted++;
  else if (ours === null) summary.inserted++;
  else summary.updated++;
}

function rowFilter(input: PlanInput): { table(name: string): boolean; row(table: Table, key: Key): boolean } {
  for (const name of input.only_tables ?? []) refuseUnknown(input, name);
  // A partitioned table has no rows of its own: its name means its partitions.
  const tables = input.only_tables === undefined ? null : withMembers(input.only_tables, [input.base.catalog, input.ours.catalog, input.theirs.catalog]);
  if (input.only_keys === undefined) return { table: (name) => tables === null || tables.has(name), row: () => true };
  const keys = new Map<string, Set<string>>();
  for (const text of input.only_keys) {
    const { table } = parseRowKey(text);
    refuseUnknown(input, table);
    const set = keys.get(table) ?? new Set();
    set.add(canonicalRowKey(text, tableNamed(input, table)));
    keys.set(table, set);
  }
  return {
    table: (name) => tables === null || tables.has(name) || keys.has(name),
    row: (table, key) => tables?.has(table.name) === true || keys.get(table.name)?.has(rowKey(input.typed, table, key)) === true,
  };
}

/** 42P01 if neither side has the table: a merge of only a mistyped table would otherwise succeed without effect. */
function refuseUnknown(input: PlanInput, name: string): void {
  if (tableNamed(input, name) !== undefined) return;
  const near = nearestName(name, [...new Set([input.theirs, input.ours].flatMap(({ catalog }) => [...catalog.tables.keys()]))]);
  throw new SvcError('42P01', `there is no table "${name.slice(0, 80)}" in "${input.theirs.name}" or "${input.ours.name}"; nothing was merged`, {
    hint: near === null ? "List those that changed with the branch's diff." : `Perhaps you meant "${near}".`,
  });
}

function tableNamed({ base, ours, theirs }: PlanInput, name: string): Table | undefined {
  return theirs.catalog.tables.get(name) ?? ours.catalog.tables.get(name) ?? base.catalog.tables.get(name);
}

/** The caller's picks; each key must be of a row that the branch changed. */
class Picks {
  readonly #left = new Map<string, 'ours' | 'theirs' | Row | null>();
  readonly #definitions = new Map<string, 'ours' | 'theirs'>();
  readonly #asked = new Set<string>();
  readonly active: boolean;

  constructor(input: PlanInput) {
    for (const [key, pick] of Object.entries(input.picks ?? {})) {
      if (isDefinitionKey(key)) {
        if (pick !== 'ours' && pick !== 'theirs') throw new SvcError('22023', `the pick for the definition "${key}" must be "ours" or "theirs"`);
        this.#definitions.set(canonicalDefinitionKey(key), pick);
        continue;
      }
      const { table } = parseRowKey(key);
      if (typeof pick === 'string' && pick !== 'ours' && pick !== 'theirs') {
        throw new SvcError('22023', `the pick for "${key}" must be "ours", "theirs", a row or null`);
      }
      this.#left.set(canonicalRowKey(key, tableNamed(input, table)), pick);
    }
    this.active = this.#left.size > 0;
  }

  take(key: string): 'ours' | 'theirs' | Row | null | undefined {
    const pick = this.#left.get(key);
    if (pick !== undefined) this.#left.delete(key);
    return pick;
  }

  /** The side picked for a definition. */
  definition(key: string): 'ours' | 'theirs' | undefined {
    this.#asked.add(key);
    return this.#definitions.get(key);
  }

  allTaken(branch: string): void {
    for (const key of this.#definitions.keys()) {
      if (!this.#asked.has(key))
        throw new SvcError('22023', `"${key}" is picked, but that definition is not in conflict`, { hint: 'Pick only what the preview shows.' });
    }
    for (const key of this.#left.keys()) {
      throw new SvcError('22023', `"${key}" is picked, but it is not a row that "${branch}" changed`, { hint: 'Pick only rows that the preview shows.' });
    }
  }
}
