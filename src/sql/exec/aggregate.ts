/**
 * Hash aggregation. The pipeline finds the group of each row through key tables and updates the group's cells in place; groups come
 * out in the order in which they were first seen. Without groups the cells are local variables of the pipeline's function. Each
 * grouping set has its own groups, fed by the same rows.
 */
import { KIND } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { GroupView } from '../../tree/gathered.ts';
import type { Bound, BoundAggregate } from '../plan/bound.ts';
import type { AggregatePlan, Plan, ScanPlan } from '../plan/logical.ts';
import { determinedGroups } from '../plan/rules/determined.ts';
import type { SqlColumn } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { calledForm, type AggregateForm, type Cell, distinctCount, inlineForm, keptForm } from './aggregate-forms.ts';
import { BATCH_ROWS, YIELD, type Batch, type Batches } from './batch.ts';
import type { Compilation, Rows } from './compilation.ts';
import { KeyTables, keyKind, keyNumber, otherPart, type KeyKind } from './keys.ts';
import { correlationOf } from './correlation.ts';
import { anyNull, asValue, type Operand } from './operand.ts';
import { mayRepeat, PASSES_FACTOR, PASSES_MAX, TooLarge, type Passes } from './passes.ts';
import { WHOLE_MAX, type Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { asks, entriesIn, EVERYTHING, type Range, rangesOf } from './scan.ts';
import { scansBehind } from './zone-tests.ts';

/** Initial capacity for groups. */
const GROUPS_FIRST = 64;

/** Groups of one grouping set, their keys and cells. */
class Groups {
  count = 0;
  readonly tables: KeyTables;
  /** One array per grouping column of the set. */
  readonly keys: Value[][];
  readonly arrays: (Float64Array | unknown[])[];
  readonly makers: { readonly array: unknown[]; readonly make: (run: Run) => unknown }[] = [];
  readonly #cells: readonly Cell[];
  readonly #run: Run;
  #capacity: number;

  readonly #limit: number;

  constructor(kinds: readonly KeyKind[], width: number, cells: readonly Cell[], run: Run, limit: number) {
    this.#limit = limit;
    this.#capacity = width === 0 ? 1 : GROUPS_FIRST;
    this.tables = new KeyTables(kinds);
    this.keys = Array.from({ length: width }, () => []);
    this.#cells = cells;
    this.#run = run;
    this.arrays = cells.map((cell) => ('number' in cell ? new Float64Array(this.#capacity).fill(cell.number) : []));
    cells.forEach((cell, i) => {
      if ('make' in cell) this.makers.push({ array: this.arrays[i] as unknown[], make: cell.make });
    });
  }

  add(): void {
    const at = this.count++;
    if (at >= this.#capacity) {
      if (at > this.#limit) throw new TooLarge();
      this.#run.hold(this.#capacity * 3 * (100 + 24 * this.keys.length + 16 * this.#cells.length));
      this.#held += this.#capacity * 3 * (100 + 24 * this.keys.length + 16 * this.#cells.length);
      this.#grow();
    }
    const { makers } = this;
    for (let i = 0; i < makers.length; i++) makers[i].array[at] = makers[i].make(this.#run);
  }

  #held = 0;

  release(): void {
    this.#run.release(this.#held);
    this.#held = 0;
  }

  #grow(): void {
    this.#capacity *= 4;
    for (let i = 0; i < this.#cells.length; i++) {
      const cell = this.#cells[i];
      if (!('number' in cell)) continue;
      const grown = new Float64Array(this.#capacity);
      if (cell.number !== 0 || Object.is(cell.number, -0)) grown.fill(cell.number);
      grown.set(this.arrays[i] as Float64Array);
      this.arrays[i] = grown;
    }
  }
}

interface Compiled {
  readonly form: AggregateForm;
  /** Its cells among those of the groups. */
  readonly at: readonly number[];
}

/** Pipeline steps between two calls of `normalize`: each of at most `CHUNKS_A_STEP` times 4096 rows. */
const NORMALIZE_STEPS = 16;

/** Grouping sets per function: CUBE of twelve columns has 4,096, and one function for all would take seconds to compile. */
const SETS_AT_ONCE = 32;
/** Columns per function, of all sets together: a column is a key table and a block of code. */
const SET_COLUMNS_AT_ONCE = 48;

function endOfPart(sets: readonly (readonly number[])[], from: number): number {
  let columns = sets[from].length;
  let to = from + 1;
  for (; to < sets.length && to - from < SETS_AT_ONCE; to++) {
    columns += sets[to].length;
    if (columns > SET_COLUMNS_AT_ONCE) break;
  }
  return to;
}

/** Keeps the input, and groups it by some of the sets at a time. Each part is compiled when it is needed; it yields in between. */
function openSetsInParts(c: Compilation, plan: AggregatePlan, needed: Needed, sets: readonly (readonly number[])[]): Rows {
  const input = c.kept(plan.input);
  const number = -1 - c.tables.size;
  c.tables.set(number, { width: plan.input.columns.length, ensure: function* () {}, rows: input.rows, changing: false, outer: correlationOf(c, plan.input) });
  const { columns } = plan.input;
  const parts: { readonly plan: AggregatePlan; rows: Rows | null }[] = [];
  for (let from = 0, to = 0; from < sets.length; from = to) {
    to = endOfPart(sets, from);
    const scan: Plan = { op: 'cteScan', number, source: columns.map((_, i) => i), columns };
    parts.push({ plan: { ...plan, sets: sets.slice(from, to), input: scan }, rows: null });
  }
  parts[0].rows = openAggregate(c, parts[0].plan, needed);
  return {
    ids: parts[0].rows.ids,
    *open(run) {
      yield* input.fill(run);
      for (const part of parts) {
        const before = c.inits.length;
        part.rows ??= openAggregate(c, part.plan, needed);
        for (const init of c.inits.slice(before)) init(run);
        yield* part.rows.open(run);
        if (run.late()) yield YIELD;
      }
    },
  };
}

export function openAggregate(c: Compilation, plan: AggregatePlan, needed: Needed): Rows {
  const counted = countOfScan(c, plan);
  if (counted !== null) return counted;
  const sets = plan.sets ?? [plan.groups.map((_, i) => i)];
  if (sets.length > 1 && endOfPart(sets, 0) < sets.length) return openSetsInParts(c, plan, needed, sets);
  const p = c.pipeline();
  const { g, x } = p;
  // Unread aggregates are not computed.
  const aggregates = plan.aggregates.filter((a) => needed.has(a.id));
  const read: Bound[] = [
    ...plan.groups.map((group) => group.value),
    ...aggregates.flatMap(argumentsOf),
    ...aggregates.flatMap((a) => (a.filter === null ? [] : [a.filter])),
  ];
  const cells: Cell[] = [];
  const compiled: Compiled[] = [];
  const states = sets.map(() => c.newState());
  const passState = c.newState();
  const grouped = plan.groups.length > 0;
  const determined = determinedGroups(plan);
  /** For each set, the columns that determine its groups. */
  const parts = sets.map((set) => set.filter((k) => !determined.has(k)));
  const kinds = parts.map((set) => set.map((k) => keyKind(plan.groups[k].value.type)));
  p.gathers = true;
  // Masked rows would be counted as passing.
  p.wantsMask = !c.analyze && !grouped && sets.length === 1 && plan.input.op === 'filter' && aggregates.every(isMaskable);
  /** The shared cell that counts all rows. */
  let rowsCell = -1;
  produce(p, plan.input, withColumns(new Set(), read), () => {
    const keys = plan.groups.map((group, k) => (determined.has(k) ? null : x.compile(group.value)));
    const keyOf = (k: number): { operand: Operand; type: SqlType } => ({ operand: keys[k]!, type: plan.groups[k].value.type });
    const wanted = c.wantedGroups.get(plan);
    if (wanted !== undefined) {
      // Groups that do not occur on the other side of a join are not created.
      const id = keyNumber(
        p,
        -1,
        wanted.groups.map((k) => ({ operand: keys[k] ?? x.compile(plan.groups[k].value), type: plan.groups[k].value.type })),
        false,
        false,
        wanted.tables(g),
      );
      g.open(`if (${id} >= 0)`);
    }
    const forms = aggregates.map((a) => lazyForm(p, a));
    // Forms know their cells only after their arguments are compiled, which a FILTER may put inside a block.
    const rooms = sets.map((_, s) => roomOf(p, states[s], sets[s].length > 0));
    sets.forEach((set, s) => {
      const room = rooms[s];
      let group = '0';
      g.open(`if (!(${otherPart(p, passState, parts[s].map(keyOf))}))`);
      if (set.length > 0) {
        group = keyNumber(p, -1, parts[s].map(keyOf), true, true, room.tables, (id) => {
          g.open(`if (${id} === ${room.groups}.count)`);
          g.line(`${room.groups}.add();`);
          g.line(room.reload);
          set.forEach((k, i) =>
            g.line(`${g.hoist(`${room.groups} keys ${i}`, `${room.groups}.keys[${i}]`)}.push(${asValue(g, keys[k] ?? x.compile(plan.groups[k].value))});`),
          );
          g.close();
        });
      }
      const counted = new Set<number>();
      forms.forEach((form, i) => {
        x.where(aggregates[i].filter === null ? [] : [aggregates[i].filter!], () => {
          const { args, made } = form();
          const n = made.skipsNull ? anyNull(args.slice(0, aggregates[i].args.length)) : 'false';
          const all = n === 'false' && aggregates[i].filter === null;
          if (s === 0) {
            const at = made.cells.map((cell, k) => {
              if (k === made.counter && all && rowsCell >= 0) return rowsCell;
              return cells.push(cell) - 1;
            });
            if (all && made.counter !== undefined && rowsCell < 0) rowsCell = at[made.counter];
            compiled[i] = { form: made, at };
          }
          const { at } = compiled[i];
          const names = at.map((cell) => room.cell(cell, group));
          if (n === 'true') return;
          if (p.mask !== null) {
            let { mask } = p;
            if (n !== 'false') {
              const own = g.fresh('mask');
              g.line(`const ${own} = ${mask} & !(${n});`);
              mask = own;
            }
            made.masked!(g, names, args, mask);
            if (made.counter !== undefined && !(all && counted.has(at[made.counter]))) {
              counted.add(at[made.counter]);
              const own = g.hoist(`count ${names[made.counter]}`, '0', true);
              g.after(`${names[made.counter]} += ${own};`, true);
              g.line(`${own} = (${own} + ${mask}) | 0;`);
            }
            return;
          }
          if (n !== 'false') g.open(`if (!(${n}))`);
          made.step(g, names, args, set.length > 0);
          if (made.counter !== undefined && !(all && counted.has(at[made.counter]))) {
            counted.add(at[made.counter]);
            g.line(`${names[made.counter]}++;`);
          }
          if (n !== 'false') g.close();
        });
      });
      g.close();
    });
    if (wanted !== undefined) g.close();
    // Arrays are reloaded after groups were added.
    g.replace(new Map(rooms.map((room) => room.loaded())));
  });
  const takes = grouped || sets.length > 1 || c.analyze ? null : takenGroups(p, plan, aggregates);
  if (takes !== null) p.takesGroups = (run) => (view) => takes(view, (run.states[states[0]] as Groups).arrays, compiled);
  const ids = [...plan.groups.map((group) => group.id), ...plan.grouping.map((grouping) => grouping.id), ...aggregates.map((a) => a.id)];
  const atOnce = sets.length === 1 && p.mayRunWhole && compiled.every(({ form }) => form.finishing === undefined);
  return {
    ids,
    whole: !atOnce
      ? undefined
      : (run, most) => {
          run.states[passState] = { count: 1, current: 0 } satisfies Passes;
          const groups = new Groups(kinds[0], sets[0].length, cells, run, Infinity);
          if (sets[0].length === 0) groups.add();
          run.states[states[0]] = groups;
          if (!p.runWhole(run, grouped ? most : WHOLE_MAX)) return null;
          const columns = keyColumns(plan, sets[0], groups, 0, groups.count);
          for (const one of compiled) columns.push(finishedColumn(run, one, groups, 0, groups.count));
          groups.release();
          return { count: groups.count, columns };
        },
    *open(run) {
      const passes: Passes = { count: 1, current: 0 };
      const limit =
        grouped && mayRepeat(run, [plan.input])
          ? Math.max(1000, Math.floor(run.context.workMemBytes / (100 + 24 * plan.groups.length + 16 * cells.length)))
          : Infinity;
      run.states[passState] = passes;
      while (passes.current < passes.count) {
        sets.forEach((set, s) => {
          // A table that is too large even at the last attempt is built all the same.
          const groups = new Groups(kinds[s], sets[s].length, cells, run, passes.current > 0 || passes.count >= PASSES_MAX ? Infinity : limit);
          if (set.length === 0 && passes.current === 0) groups.add();
          run.states[states[s]] = groups;
        });
        try {
          let steps = 0;
          for (const step of p.run(run)) {
            if (grouped && ++steps % NORMALIZE_STEPS === 0) for (const state of states) normalize(run.states[state] as Groups, compiled);
            if (step === YIELD) yield YIELD;
          }
        } catch (error) {
          if (!(error instanceof TooLarge)) throw error;
          for (const state of states) (run.states[state] as Groups).release();
          passes.count *= PASSES_FACTOR;
          continue;
        }
        for (let s = 0; s < sets.length; s++) {
          yield* output(run, plan, sets[s], run.states[states[s]] as Groups, compiled);
          (run.states[states[s]] as Groups).release();
        }
        passes.current++;
      }
    },
  };
}

/** Whether it has a branchless form. */
function isMaskable(a: BoundAggregate): boolean {
  const { name } = a.fn;
  if (a.filter !== null || a.distinct || a.orderBy.length > 0 || a.fn.orderedSet !== undefined || !a.args.every((arg) => arg.kind === 'column')) return false;
  if (name === 'count') return a.args.length <= 1;
  return (name === 'sum' || name === 'avg') && (a.args[0].type.name === 'int2' || a.args[0].type.name === 'int4');
}

function argumentsOf(a: BoundAggregate): Bound[] {
  return [...a.args, ...a.orderBy.map((key) => key.value), ...a.direct];
}

/** Compiles the arguments at the place of the call, and chooses the form the first time. */
function lazyForm(p: Pipeline, a: BoundAggregate): () => { args: Operand[]; made: AggregateForm } {
  let made: AggregateForm | null = null;
  return () => {
    const args = argumentsOf(a).map((e) => p.x.compile(e));
    made ??= inlineForm(a, args) ?? distinctCount(a) ?? (a.distinct || a.orderBy.length > 0 || a.direct.length > 0 ? keptForm(a) : calledForm(a));
    return { args, made };
  };
}

/** The variables of one grouping set in the pipeline's function. */
function roomOf(
  p: Pipeline,
  state: number,
  grouped: boolean,
): { groups: string; tables: string; reload: string; cell: (i: number, group: string) => string; loaded: () => [line: string, by: string] } {
  const { g } = p;
  const groups = g.state(state);
  const reload = `/*reload ${state}*/`;
  const used = new Map<number, string>();
  return {
    groups,
    tables: g.hoist(`${groups} tables`, `${groups}.tables`),
    reload,
    cell(i, group) {
      let name = used.get(i);
      if (grouped) {
        name ??= g.hoist(`${groups} cells ${i}`, `${groups}.arrays[${i}]`, true);
        used.set(i, name);
        return `${name}[${group}]`;
      }
      if (name === undefined) {
        name = g.hoist(`${groups} cell ${i}`, `${groups}.arrays[${i}][0]`, true);
        used.set(i, name);
        g.after(`${groups}.arrays[${i}][0] = ${name};`);
      }
      return name;
    },
    loaded: () => [reload, [...used].map(([i, name]) => `${name} = ${groups}.arrays[${i}];`).join(' ')],
  };
}

function normalize(groups: Groups, compiled: readonly Compiled[]): void {
  for (const { form, at } of compiled) {
    form.normalize?.(
      at.map((cell) => groups.arrays[cell]),
      groups.count,
    );
  }
}

/** The grouping columns of groups [from, to), and their GROUPING() values. */
function keyColumns(plan: AggregatePlan, set: readonly number[], groups: Groups, from: number, to: number): Value[][] {
  const columns: Value[][] = plan.groups.map((_, k) => {
    const at = set.indexOf(k);
    return at < 0 ? new Array<Value>(to - from).fill(null) : groups.keys[at].slice(from, to);
  });
  for (const grouping of plan.grouping) {
    let mask = 0;
    for (const k of grouping.groups) mask = mask * 2 + (set.includes(k) ? 0 : 1);
    columns.push(new Array<Value>(to - from).fill(mask));
  }
  return columns;
}

/** An aggregate's results of groups [from, to), if computing them cannot yield. */
function finishedColumn(run: Run, { form, at }: Compiled, groups: Groups, from: number, to: number): Value[] {
  if (form.finishAll !== undefined) {
    return form.finishAll(
      at.map((cell) => groups.arrays[cell]),
      from,
      to,
    );
  }
  const values: Value[] = [];
  for (let i = from; i < to; i++) {
    values.push(
      form.finish(
        at.map((cell) => groups.arrays[cell][i]),
        run,
      ),
    );
  }
  return values;
}

function* output(run: Run, plan: AggregatePlan, set: readonly number[], groups: Groups, compiled: readonly Compiled[]): Batches {
  for (let from = 0; from < groups.count; from += BATCH_ROWS) {
    const to = Math.min(groups.count, from + BATCH_ROWS);
    const columns = keyColumns(plan, set, groups, from, to);
    for (const one of compiled) {
      const { form, at } = one;
      if (form.finishAll !== undefined) {
        columns.push(finishedColumn(run, one, groups, from, to));
        continue;
      }
      const values: Value[] = [];
      const state: unknown[] = new Array(form.cells.length);
      for (let i = from; i < to; i++) {
        for (let k = 0; k < state.length; k++) state[k] = groups.arrays[at[k]][i];
        if (form.finishing === undefined) values.push(form.finish(state, run));
        else values.push(yield* form.finishing(state, run));
        if ((i & 63) === 63 && run.late()) yield YIELD;
      }
      columns.push(values);
    }
    yield { count: to - from, columns } satisfies Batch;
    if (run.late()) yield YIELD;
  }
}

type TakeGroup = (view: GroupView, arrays: readonly (Float64Array | unknown[])[], compiled: readonly Compiled[]) => boolean;

/** Takes counts, minima and maxima of whole leaf groups from their zone maps; null if other aggregates are computed. */
function takenGroups(p: Pipeline, plan: AggregatePlan, aggregates: readonly BoundAggregate[]): TakeGroup | null {
  let { input } = plan;
  while (input.op === 'project') input = input.input;
  let decided = true;
  if (input.op === 'filter') {
    decided = p.zoneTests.some((test) => test.scan === (input as Plan & { op: 'filter' }).input && test.decides);
    input = input.input;
  }
  if (input.op !== 'scan' || !decided || aggregates.length === 0) return null;
  const scan = input;
  const parts = aggregates.map((a): { column: SqlColumn | null; name: string } | null => {
    const { name } = a.fn;
    if (a.filter !== null || a.orderBy.length > 0 || a.fn.orderedSet !== undefined || (a.distinct && name === 'count')) return null;
    if (name === 'count' && a.args.length === 0) return { column: null, name };
    if (a.args.length !== 1 || a.args[0].kind !== 'column') return null;
    const [behind] = scansBehind(plan.input, a.args[0].id);
    if (behind?.scan !== scan) return null;
    if (name === 'count') return { column: behind.column, name };
    // Zone maps order texts differently.
    return (name === 'min' || name === 'max') && a.type.oid === a.args[0].type.oid && behind.column.storage.kind <= KIND.F64 && a.type.name !== 'bool'
      ? { column: behind.column, name }
      : null;
  });
  if (parts.some((part) => part === null)) return null;
  return (view, arrays, compiled) => {
    for (const part of parts) {
      if (part!.column === null) continue;
      const zone = view.zone(part!.column.number);
      if (!zone.ordered || (zone.absent > 0 && part!.column.missing !== null)) return false;
    }
    const seen = new Set<number>();
    parts.forEach((part, i) => {
      const { column, name } = part!;
      const { at } = compiled[i];
      const zone = column === null ? null : view.zone(column.number);
      if (name === 'count') {
        // Several aggregates may share the cell that counts all rows.
        if (seen.has(at[0])) return;
        seen.add(at[0]);
        (arrays[at[0]] as Float64Array)[0] += zone === null ? view.count : zone.values;
        return;
      }
      if (zone!.min === null) return;
      const value = (name === 'min' ? zone!.min : zone!.max) as number;
      const [best, met] = [arrays[at[0]] as number[], arrays[at[1]] as Float64Array];
      if (met[0] !== 0 && (name === 'min' ? best[0] <= value : best[0] >= value)) return;
      best[0] = value;
      met[0] = 1;
    });
    return true;
  };
}

/** count(*) of a whole table, or of ranges of its key or of an index, is stored in the tree. */
function countOfScan(c: Compilation, plan: AggregatePlan): Rows | null {
  if (plan.groups.length > 0 || plan.sets !== null || plan.aggregates.length === 0) return null;
  if (!plan.aggregates.every((a) => a.fn.name === 'count' && a.args.length === 0 && a.filter === null)) return null;
  let input = plan.input;
  while (input.op === 'project') input = input.input;
  if (input.op !== 'scan' || input.access?.union !== undefined || (input.access !== undefined && (c.analyze || asks(input.access)))) return null;
  const { table, access, asOf }: ScanPlan = input;
  const rangesIn = access === undefined ? (): readonly Range[] => EVERYTHING : rangesOf(c, table, access);
  const number = access?.index?.number ?? table.number;
  const count = (run: Run): Batch => {
    const { pager, reads } = run.context;
    const directory = asOf === null ? run.context.directory(table.number) : run.context.rootAt(asOf);
    const tree = childRoot(pager, directory, number);
    const ranges = rangesIn(run, directory);
    if (asOf === null) reads?.ranges(number, ranges);
    const rows = entriesIn(pager, tree, ranges);
    return { count: 1, columns: plan.aggregates.map(() => [rows]) };
  };
  return {
    ids: plan.aggregates.map((a) => a.id),
    whole: count,
    *open(run) {
      yield count(run);
    },
  };
}
