/**
 * Three-way merge as a plan: what each changed row becomes, without changing anything.
 *
 *   definitions (schema.ts) ──► tables that differ ──► rows (merged-table.ts, row-decision.ts) ──► given rows, definitions of documents,
 *   sequences, effects ──► constraints (check-result.ts) ──► preview (shown-rows.ts) and summary
 *
 * A dry run and the real run share this plan, so they cannot differ.
 */
import { runSteps } from '../../base/run-steps.ts';
import type { Conflict, MergeInput, PreviewRow, Resolve, TableSummary } from '../../commands/contract.ts';
import { CATALOG_TREE, EFFECT_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { ShapeTable } from '../../tree/row-change.ts';
import { type Catalog, catalogAfter, type Table, utf8Key } from '../catalog.ts';
import { alike, withRelations } from '../document-relation.ts';
import { changedTrees, treeDifference } from '../changes-between.ts';
import { sequencesOnward } from '../sequences.ts';
import type { TypedTables } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import type { Approver } from './approved.ts';
import { checkResult } from './check-result.ts';
import { missingDefinitions } from './definitions.ts';
import { documentTablesGone } from './document-tables-gone.ts';
import { GivenRows } from './given-rows.ts';
import { changedAfter, joinChanges } from './join-changes.ts';
import { mergeEffects } from './merge-effects.ts';
import { changedKeys, type TableToMerge, MergedTable, type MergeParts } from './merged-table.ts';
import { Picks } from './picks.ts';
import { lostRows, NONE_LOST, wholeTable } from './replaced-table.ts';
import { mergeSchema, type SchemaMerge } from './schema.ts';
import { rowFilter, tableNumbers } from './selection.ts';
import { ShownRows } from './shown-rows.ts';
import { byDeletes, hasRows } from './summary.ts';
import { unwrittenRows } from './unwritten-rows.ts';

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

/** What to compute besides the changes. */
export interface Wanted {
  /** Rows for the preview. */
  rows: boolean;
  baseChanges: boolean;
}

export function planMerge(pager: Pager, objects: Objects, input: PlanInput, want: Wanted): Plan {
  return runSteps(planMergeSteps(pager, objects, input, want));
}

/** `planMerge` in steps, for callers that yield between them; the sides' roots must not be changed in place meanwhile. */
export function* planMergeSteps(pager: Pager, objects: Objects, input: PlanInput, want: Wanted): Generator<void, Plan> {
  return yield* new Planner(pager, objects, input, want).run();
}

class Planner {
  readonly #objects: Objects;
  readonly #parts: MergeParts;
  readonly #schema: SchemaMerge;
  /** No definition is in conflict, so there is a result. */
  readonly #stands: boolean;
  /** The caller selected tables or rows. */
  readonly #partial: boolean;
  /** Numbers of the tables with changed rows. */
  readonly #touched: number[] = [];
  /** By tree, rows in which the branch changed derived cells only. */
  readonly #derivedRows = new Map<number, RowChange[]>();

  /** Tables of documents of the base and of ours as relations, which the branch has as relations. */
  readonly #relations: { readonly base: readonly RowChange[]; readonly ours: readonly RowChange[] };

  constructor(pager: Pager, objects: Objects, given: PlanInput, want: Wanted) {
    const sides = alike([given.base.catalog, given.ours.catalog, given.theirs.catalog]);
    const [base, ours, theirs] = [given.base, given.ours, given.theirs].map((side, i) => ({ ...side, catalog: sides.catalogs[i] }));
    const input = { ...given, base, ours, theirs };
    this.#relations = { base: sides.rows[0], ours: sides.rows[1] };
    const { typed, resolve, approver = null } = input;
    const filter = rowFilter(input);
    const picks = new Picks(input);
    const plan = emptyPlan(input);
    this.#objects = objects;
    this.#partial = input.only_tables !== undefined || input.only_keys !== undefined;
    // Definitions first: they decide how rows are merged.
    const tables = this.#partial ? tableNumbers(input, (name) => filter.table(name)) : null;
    this.#schema = mergeSchema(pager, { typed, base, ours, theirs, resolve, approver, tables, pick: (key) => picks.definition(key) });
    plan.conflicts.push(...this.#schema.conflicts);
    this.#stands = this.#schema.conflicts.length === 0;
    if (this.#stands && this.#schema.rows.length > 0) plan.result = catalogAfter(ours.catalog, this.#schema.rows);
    const shown = new ShownRows(pager, input, plan, this.#stands);
    this.#parts = { pager, input, want, plan, filter, picks, shown, given: new GivenRows(pager, objects, input, plan.result), shapes: new ShapeTable() };
  }

  *run(): Generator<void, Plan> {
    const { input, plan, picks, given } = this.#parts;
    for (const each of this.#tables()) yield* this.#table(each);
    picks.allTaken(input.theirs.name);
    yield* given.finish(plan.changes);
    this.#definitions();
    this.#besideTables();
    yield* this.#result();
    plan.summary.sort(byDeletes);
    return plan;
  }

  /** By name. */
  #tables(): TableToMerge[] {
    const { pager, input, filter } = this.#parts;
    const { base, ours, theirs } = input;
    const changed = changedTrees(pager, base.root, theirs.root).filter(({ tree }) => tree !== CATALOG_TREE);
    for (const tree of [...this.#schema.gone, ...this.#schema.whole]) {
      if (changed.some((each) => each.tree === tree)) continue;
      changed.push({ tree, from: childRoot(pager, base.root, tree), to: childRoot(pager, theirs.root, tree) });
    }
    const known = (tree: number): Table | undefined => theirs.catalog.byNumber.get(tree) ?? base.catalog.byNumber.get(tree) ?? ours.catalog.byNumber.get(tree);
    return changed
      .map((each) => ({ ...each, table: known(each.tree) }))
      .filter((each): each is TableToMerge => each.table !== undefined && filter.table(each.table.name))
      .sort((a, b) => (utf8Key(a.table.name) < utf8Key(b.table.name) ? -1 : 1));
  }

  *#table(of: TableToMerge): Generator<void, void> {
    const { tree, from, table } = of;
    const { pager, input, plan } = this.#parts;
    plan.reads.add(tree);
    yield;
    const ours = childRoot(pager, input.ours.root, tree);
    const oursChanged = changedKeys(pager, from, ours);
    const { kept, gone, whole } = this.#schema;
    if (kept.has(tree)) return;
    const isReplaced = gone.has(tree) || whole.has(tree);
    // A materialized view refreshed on both sides stays as ours, until its next refresh.
    if (table.relation?.object.query !== undefined && !isReplaced && oursChanged.any) return;
    if (isReplaced) {
      yield* this.#replaced(of, ours);
      return;
    }
    const merged = new MergedTable(this.#parts, of, ours, oursChanged);
    this.#derivedRows.set(tree, merged.derivedRows);
    if (yield* merged.run()) this.#touched.push(tree);
  }

  /** A table that the branch dropped, or whose rows are taken over whole. */
  *#replaced({ tree, table, from, to }: TableToMerge, ours: Node | null): Generator<void, void> {
    const { pager, input, want, plan, shown, picks, shapes } = this.#parts;
    const isWhole = this.#schema.whole.has(tree);
    const rows: RowChange[] = [];
    const summary: TableSummary = { table: table.name, deleted: 0, updated: 0, inserted: 0 };
    // A new table of the name replaces a dropped one.
    const isLost = isWhole || input.theirs.catalog.tables.has(table.name);
    const lost = isLost ? yield* lostRows(pager, shown, tree, from, ours, picks, plan) : NONE_LOST;
    const trees = { base: from, ours, theirs: isWhole ? to : null };
    yield* wholeTable(pager, table, trees, isWhole ? rows : null, want.rows ? shown : null, summary, shapes, lost);
    if (rows.length > 0) {
      const { numeric } = table.relation!.object;
      plan.changes.push({ tree, numeric, rows });
      if (want.baseChanges) plan.baseChanges.push({ tree, numeric, rows: rows.map((change) => ({ ...change, before: null })) });
    }
    if (hasRows(summary)) plan.summary.push(summary);
  }

  #definitions(): void {
    const { input, want, plan, given } = this.#parts;
    const { base, ours, theirs } = input;
    const { kept, baseChanges } = this.#schema;
    const rows = changedAfter(this.#schema.rows, given.definitions);
    // A full merge also brings tables and fields without rows.
    const wanted = new Set((this.#partial ? this.#touched : [...this.#touched, ...theirs.catalog.byNumber.keys()]).filter((number) => !kept.has(number)));
    joinChanges(plan.changes, missingDefinitions(theirs.catalog, ours.catalog, wanted));
    if (want.baseChanges) joinChanges(plan.baseChanges, missingDefinitions(theirs.catalog, base.catalog, wanted));
    const changed = (own: readonly RowChange[], relations: readonly RowChange[]): TreeChanges[] =>
      own.length === 0 ? [] : [{ tree: CATALOG_TREE, numeric: false, rows: [...withRelations(own, relations)] }];
    joinChanges(plan.changes, changed(rows, this.#relations.ours));
    if (want.baseChanges) joinChanges(plan.baseChanges, changed(baseChanges, this.#relations.base));
  }

  /** Sequences, effects, and document tables that are empty now. */
  #besideTables(): void {
    const { pager, input, want, plan, filter } = this.#parts;
    const { base, ours, theirs } = input;
    joinChanges(plan.changes, sequencesOnward(pager, ours.root, theirs.root, base.root));
    if (!this.#partial) {
      joinChanges(plan.changes, mergeEffects(pager, base.root, ours.root, theirs.root));
      if (want.baseChanges) joinChanges(plan.baseChanges, treeDifference(pager, base.root, theirs.root, EFFECT_TREE));
    }
    joinChanges(
      plan.changes,
      documentTablesGone(pager, input, plan, (table) => filter.table(table.name) && !this.#schema.kept.has(table.number)),
    );
  }

  /** Constraints of the result, and what follows from its definitions. */
  *#result(): Generator<void, void> {
    const { pager, input, want, plan, shown } = this.#parts;
    const definitions = plan.changes.find(({ tree }) => tree === CATALOG_TREE);
    if (this.#stands && definitions !== undefined) plan.result = catalogAfter(input.ours.catalog, definitions.rows);
    const computed = yield* checkResult(pager, this.#objects, input, plan, this.#partial || input.picks !== undefined);
    for (const [tree, rows] of this.#derivedRows) if (rows.length > 0) computed.push({ tree, rows });
    const isChanged = this.#stands && (definitions !== undefined || computed.length > 0);
    const unwritten = isChanged ? yield* unwrittenRows(pager, input, plan, computed, want.rows) : [];
    if (want.rows) yield* shown.finish(unwritten, new Set(computed.map(({ tree }) => tree)));
  }
}

function emptyPlan({ ours }: PlanInput): Plan {
  return {
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
}
