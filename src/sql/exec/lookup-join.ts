/**
 * A join that looks up its right side by key or index for each row of the left: the left row stays in its pipeline's function, and
 * the rows found are a loop inside it. If the left side is in the order of the right side's key this reads both sides once, as a
 * merge join does, without materialising anything.
 */
import { childRoot } from '../../tree/directory.ts';
import type { Key } from '../../tree/datum.ts';
import type { Leaf } from '../../tree/node.ts';
import type { JoinPlan, Plan, ScanPlan } from '../plan/logical.ts';
import { accessBounds, conjuncts } from '../plan/rules/walk.ts';
import type { Value } from '../types/value.ts';
import type { ColumnReader } from './column-reader.ts';
import { keyAfterPrefix, type Reads } from './context.ts';
import { INDEX_ROW_KEY } from './entry-columns.ts';
import { isInt4, narrowParts } from './narrow-keys.ts';
import { asValue } from './operand.ts';
import { readColumns, type Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { bindScan, keyRanges, type Range } from './scan.ts';
import { TreeFinder } from './tree-finder.ts';

export interface LookedUp {
  readonly scan: ScanPlan;
  readonly filters: readonly (Plan & { op: 'filter' })[];
}

/** A plan without the filters on top of it. */
export function underFilters(plan: Plan): { plan: Plan; filters: readonly (Plan & { op: 'filter' })[] } {
  const filters: (Plan & { op: 'filter' })[] = [];
  let p = plan;
  while (p.op === 'filter') {
    filters.push(p);
    p = p.input;
  }
  return { plan: p, filters };
}

/** The right side's scan if it is looked up; null otherwise. */
export function lookedUp(right: Plan): LookedUp | null {
  const { plan: p, filters } = underFilters(right);
  return p.op !== 'scan' || p.access === undefined || p.access.backward || p.access.union !== undefined ? null : { scan: p, filters };
}

export function produceLookup(p: Pipeline, plan: JoinPlan, { scan, filters }: LookedUp, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  const { kind } = plan;
  const predicates = [...filters.flatMap((filter) => conjuncts(filter.predicate)), ...(plan.on === null ? [] : conjuncts(plan.on))];
  const bounds = accessBounds(scan.access!);
  const outer = kind === 'left' || kind === 'single';
  const read = withColumns(kind === 'semi' || kind === 'anti' ? new Set() : needed, predicates);
  produce(p, plan.left, withColumns(withColumns(needed, predicates), bounds), () => {
    const row = g.fresh('j');
    const nulls = outer ? g.fresh('nulls') : null;
    const load = (key: string, source: string): string => {
      const known = g.memo<string>(key);
      if (known !== undefined) return known;
      const name = g.fresh('a');
      g.line(`const ${name} = ${source};`);
      g.remember(key, name);
      return name;
    };
    const readers = bindScan(p, scan, read, row, load, nulls).map((reader) => reader.state);
    const state = p.state((run) => new LookupCursor(run, scan, readers));
    const cursor = g.state(state);
    const values = bounds.map((e) => asValue(g, x.compile(e)));
    const found = `${cursor}.${isOneNumber(scan) ? `number(${values[0]})` : `find([${values.join(', ')}])`}`;
    if (!isOneRow(scan)) p.multiplies = true;
    // Code with yield points is slower, and a few rows need none.
    const many = (scan.access!.rowsEach ?? Infinity) > FEW_ROWS && !isOneRow(scan);
    const ask = (then: () => void): void => {
      if (many) p.yieldPoint((run) => rowsOf(run, scan));
      count(p, scan);
      x.where(predicates, () => {
        for (const filter of filters) count(p, filter);
        then();
      });
    };
    if (kind === 'semi' || kind === 'anti') {
      const hit = g.fresh('hit');
      const label = g.fresh('L');
      g.line(`let ${hit} = false;`);
      g.open(`${label}: for (let more = ${found}; more; more = ${cursor}.more())`);
      g.open(`for (let ${row} = ${cursor}.from, end = ${cursor}.to; ${row} < end; ${row}++)`);
      ask(() => g.line(`${hit} = true; break ${label};`));
      g.close();
      g.close();
      g.open(`if (${kind === 'semi' ? '' : '!'}${hit})`);
      consume();
      g.close();
      return;
    }
    if (!outer) {
      g.open(`for (let more = ${found}; more; more = ${cursor}.more())`);
      g.open(`for (let ${row} = ${cursor}.from, end = ${cursor}.to; ${row} < end; ${row}++)`);
      ask(consume);
      g.close();
      g.close();
      return;
    }
    // One more iteration with nulls if nothing was found: `consume` is emitted once.
    const hit = g.fresh('hit');
    const more = g.fresh('more');
    const ok = g.fresh('ok');
    g.line(`let ${hit} = false, ${nulls} = false, ${more} = ${found};`);
    g.open('for (;;)');
    g.line(`if (!${more}) { if (${hit}) break; ${nulls} = true; }`);
    g.open(`for (let ${row} = ${nulls} ? 0 : ${cursor}.from, end = ${nulls} ? 1 : ${cursor}.to; ${row} < end; ${row}++)`);
    g.line(`let ${ok} = ${nulls};`);
    g.open(`if (!${nulls})`);
    ask(() => g.line(`${ok} = true;`));
    g.close();
    g.line(`if (!${ok}) continue;`);
    if (kind === 'single') g.line(`if (${hit}) ${g.runtime('moreThanOneRow')}();`);
    g.line(`${hit} = true;`);
    consume();
    g.close();
    g.line(`if (${nulls}) break;`);
    g.line(`${more} = ${cursor}.more();`);
    g.close();
  });
}

/** The most rows that one row can match. */
function rowsOf({ context }: Run, { table, asOf }: ScanPlan): number {
  return childRoot(context.pager, asOf === null ? context.directory(table.number) : context.rootAt(asOf), table.number)?.count ?? 0;
}

/** For EXPLAIN ANALYZE. */
export function count(p: Pipeline, plan: Plan): void {
  if (!p.c.analyze) return;
  const state = p.c.runState(() => ({ rows: 0 }));
  p.c.counted.set(plan, state);
  p.g.line(`${p.g.state(state)}.rows++;`);
}

/** Rows that take less time than a slice. */
const FEW_ROWS = 1000;

/** Equality on the table's whole key: one row at most. */
function isOneRow({ table, access }: ScanPlan): boolean {
  return access!.index === null && access!.equal.length > 0 && access!.equal.length === table.key.columns.length;
}

/** Equality on the whole key of a tree with numeric keys. */
function isOneNumber({ table, access }: ScanPlan): boolean {
  return access!.index === null && table.key.numeric && access!.equal.length === 1;
}

/** Finds the rows of a table under one key or range after another. */
class LookupCursor {
  from = 0;
  to = 0;
  readonly #scan: ScanPlan;
  readonly #run: Run;
  readonly #readers: readonly ColumnReader[];
  readonly #rows: TreeFinder | null;
  readonly #entries: TreeFinder | null;
  /** Equalities only, on the whole key (so there is one row at most) or on its first columns. */
  readonly #plain: 'whole' | 'start' | null;
  /** The reads of a serializable transaction. */
  readonly #reads: Reads | null;
  /** Only the existence of rows is read: index entries suffice. */
  readonly #only: boolean;
  readonly #narrow: readonly boolean[] | null;
  #shown: Leaf | null = null;
  #ranges: readonly Range[] = [];
  #range = 0;
  #open = false;
  #entry = 0;

  constructor(run: Run, scan: ScanPlan, readers: readonly number[]) {
    this.#scan = scan;
    this.#run = run;
    this.#narrow = narrowParts(scan.table, scan.access!);
    this.#readers = readers.map((state) => run.states[state] as ColumnReader);
    const { pager } = run.context;
    const { index, equal, oneOf, lower, upper } = scan.access!;
    this.#only = index !== null && readers.length === 0 && (scan.asOf !== null || run.context.reads === null);
    const directory = scan.asOf === null ? run.context.directory(scan.table.number) : run.context.rootAt(scan.asOf);
    const tree = childRoot(pager, directory, scan.table.number);
    const entries = index === null ? null : childRoot(pager, directory, index.number);
    this.#rows = tree === null || (index !== null && entries === null) ? null : new TreeFinder(pager, tree);
    this.#entries = entries === null ? null : new TreeFinder(pager, entries);
    this.#reads = scan.asOf === null ? run.context.reads : null;
    if (this.#rows === null) this.#reads?.ranges(scan.table.number, [{ lower: null, upper: null }]);
    const plain = oneOf === undefined && lower === undefined && upper === undefined;
    this.#plain = !plain ? null : index === null && equal.length === scan.table.key.columns.length ? 'whole' : 'start';
  }

  number(value: Value): boolean {
    if (value === null || this.#rows === null) return false;
    const key = typeof value === 'number' ? value : Number(value);
    return this.#one(key);
  }

  find(values: readonly Value[]): boolean {
    if (this.#rows === null) return false;
    const { table, access } = this.#scan;
    if (this.#plain === null || (access!.index === null && table.key.numeric)) {
      this.#ranges = keyRanges(this.#run.context.keys, table, access!, values);
      this.#range = 0;
      this.#open = false;
      return this.more();
    }
    for (let i = 0; i < values.length; i++) if (values[i] === null || (this.#narrow !== null && this.#narrow[i] && !isInt4(values[i]))) return false;
    const { keys } = this.#run.context;
    const key = access!.index === null ? keys.rowKey(table, values) : keys.indexKey(access!.index, values);
    if (this.#plain === 'whole') return this.#one(key);
    this.#ranges = NO_RANGES;
    this.#range = 0;
    this.#open = true;
    return this.#first(key, keyAfterPrefix(key));
  }

  #one(key: Key): boolean {
    this.#open = false;
    this.#ranges = NO_RANGES;
    const rows = this.#rows!;
    this.#reads?.ranges(this.#scan.table.number, [{ lower: key, upper: typeof key === 'number' ? key + 1 : `${key}\0` }]);
    if (!rows.exact(key)) return false;
    this.#show(rows.leaf!, rows.from, rows.to);
    return true;
  }

  /** Moves to further matching rows. */
  more(): boolean {
    if (this.#open && this.#next()) return true;
    while (this.#range < this.#ranges.length) {
      const { lower, upper } = this.#ranges[this.#range++];
      this.#open = true;
      if (this.#first(lower, upper)) return true;
    }
    this.#open = false;
    return false;
  }

  #first(lower: Key | null, upper: Key | null): boolean {
    const finder = this.#entries ?? this.#rows!;
    this.#reads?.ranges(this.#scan.access!.index?.number ?? this.#scan.table.number, [{ lower, upper }]);
    if (!finder.range(lower, upper)) return false;
    if (this.#entries === null) {
      this.#show(finder.leaf!, finder.from, finder.to);
      return true;
    }
    if (this.#only) {
      this.from = finder.from;
      this.to = finder.to;
      return true;
    }
    this.#entry = finder.from;
    return this.#next();
  }

  #next(): boolean {
    const entries = this.#entries;
    const rows = this.#rows!;
    if (entries === null) {
      if (!rows.more()) return false;
      this.#show(rows.leaf!, rows.from, rows.to);
      return true;
    }
    if (this.#only) {
      if (!entries.more()) return false;
      this.from = entries.from;
      this.to = entries.to;
      return true;
    }
    for (;;) {
      if (this.#entry >= entries.to) {
        if (!entries.more()) return false;
        this.#entry = entries.from;
      }
      const key = entries.leaf!.cell(this.#entry++, INDEX_ROW_KEY) as Key;
      if (!rows.exact(key)) continue;
      this.#reads?.row(this.#scan.table.number, key);
      this.#show(rows.leaf!, rows.from, rows.to);
      return true;
    }
  }

  #show(leaf: Leaf, from: number, to: number): void {
    if (leaf !== this.#shown) {
      this.#shown = leaf;
      readColumns(this.#readers, leaf);
    }
    this.from = from;
    this.to = to;
  }
}

const NO_RANGES: readonly Range[] = [];
