/**
 * The few rows of some ranges of a key or an index, read in one call: the matches of a subquery or of the inner side of a loop for
 * one outer row. Their number is known before the first is read, so nothing is done twice if they are too many.
 */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { ScanPlan } from '../plan/logical.ts';
import type { ColumnReader } from './column-reader.ts';
import { EntryColumns, INDEX_ROW_KEY } from './entry-columns.ts';
import { FED, readColumns, readRow, type Pipeline } from './pipeline.ts';
import type { Run } from './run.ts';
import type { Range } from './scan.ts';
import { TreeFinder } from './tree-finder.ts';

export class RowsAtOnce {
  readonly #plan: ScanPlan;
  readonly #readers: readonly ColumnReader[];
  readonly #pager: Pager;
  readonly #backward: boolean;
  /** Columns that are read from index entries. */
  readonly #entries: EntryColumns | null;
  /** Finders of the table's rows and of the index's entries, with their trees. */
  #rows: TreeFinder | null = null;
  #rowsOf: Node | null = null;
  #index: TreeFinder | null = null;
  #indexOf: Node | null = null;
  readonly #leaves: Leaf[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #parts = 0;

  /** `columns`: the table's columns that are read. */
  constructor(run: Run, plan: ScanPlan, readers: readonly ColumnReader[], columns: readonly number[]) {
    this.#plan = plan;
    this.#readers = readers;
    this.#pager = run.context.pager;
    this.#backward = plan.access!.backward === true;
    this.#entries = plan.access!.only === true ? new EntryColumns(plan, columns, run.context.keys) : null;
  }

  /** The number of rows; FED if they are more than `most`. */
  take(run: Run, pipeline: Pipeline, ranges: readonly Range[], directory: Node, most: number): number {
    const { table, access, asOf } = this.#plan;
    const pager = this.#pager;
    const tree = childRoot(pager, directory, table.number);
    const { index } = access!;
    const entries = index === null ? null : childRoot(pager, directory, index.number);
    const looked = index === null ? tree : entries;
    if (tree === null || looked === null) return run.context.reads === null ? 0 : FED;
    const found = this.#find(looked, ranges, most);
    if (found === FED) return FED;
    const reads = asOf === null ? run.context.reads : null;
    reads?.ranges(index?.number ?? table.number, ranges);
    if (index === null) this.#takeRows(run, pipeline);
    else if (this.#entries !== null) this.#takeEntries(run, pipeline);
    else this.#takeByIndex(run, pipeline, tree);
    return found;
  }

  /** Records the parts of leaves that are in the ranges. */
  #find(tree: Node, ranges: readonly Range[], most: number): number {
    if (this.#indexOf !== tree) {
      this.#index = new TreeFinder(this.#pager, tree);
      this.#indexOf = tree;
    }
    const finder = this.#index!;
    // Code that has run since may have changed leaves in place.
    finder.leaf = null;
    this.#parts = 0;
    let found = 0;
    for (let r = 0; r < ranges.length; r++) {
      for (let more = finder.range(ranges[r].lower, ranges[r].upper); more; more = finder.more()) {
        found += finder.to - finder.from;
        if (found > most) return FED;
        const at = this.#parts++;
        this.#leaves[at] = finder.leaf!;
        this.#from[at] = finder.from;
        this.#to[at] = finder.to;
      }
    }
    return found;
  }

  #takeRows(run: Run, pipeline: Pipeline): void {
    const readers = this.#readers;
    for (let n = 0; n < this.#parts; n++) {
      const at = this.#backward ? this.#parts - 1 - n : n;
      const leaf = this.#leaves[at];
      const [from, to] = [this.#from[at], this.#to[at]];
      const wide = to - from === 1 ? readRow(readers, leaf, from) : readColumns(readers, leaf);
      if (pipeline.function(wide, false)(run.states, leaf, from, to)) return;
    }
  }

  #takeEntries(run: Run, pipeline: Pipeline): void {
    const columns = this.#entries!;
    const { table, asOf } = this.#plan;
    const reads = asOf === null ? run.context.reads : null;
    for (let n = 0; n < this.#parts; n++) {
      const at = this.#backward ? this.#parts - 1 - n : n;
      const leaf = this.#leaves[at];
      if (reads !== null) for (let i = this.#from[at]; i < this.#to[at]; i++) reads.row(table.number, leaf.cell(i, INDEX_ROW_KEY) as Key);
      columns.show(leaf, this.#from[at], this.#to[at]);
      if (pipeline.function(readColumns(this.#readers, columns), false)(run.states, columns, 0, columns.count)) return;
    }
  }

  #takeByIndex(run: Run, pipeline: Pipeline, tree: Node): void {
    if (this.#rowsOf !== tree) {
      this.#rows = new TreeFinder(this.#pager, tree);
      this.#rowsOf = tree;
    }
    const rows = this.#rows!;
    rows.leaf = null;
    const { states } = run;
    const readers = this.#readers;
    const backward = this.#backward;
    const { table, asOf } = this.#plan;
    const reads = asOf === null ? run.context.reads : null;
    for (let n = 0; n < this.#parts; n++) {
      const part = backward ? this.#parts - 1 - n : n;
      const keys = this.#leaves[part].col(INDEX_ROW_KEY)!;
      const [from, to] = [this.#from[part], this.#to[part]];
      for (let k = from; k < to; k++) {
        const key = keys.get(backward ? to - 1 - (k - from) : k) as Key;
        if (!rows.exact(key)) continue;
        reads?.row(table.number, key);
        const leaf = rows.leaf!;
        if (pipeline.function(readRow(readers, leaf, rows.from), false)(states, leaf, rows.from, rows.to)) return;
      }
    }
  }
}
