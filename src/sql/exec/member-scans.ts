/** Scans of several tables of the same form, as of partitions: one function for the rows of all. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AppendPlan, Plan, ScanPlan } from '../plan/logical.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { sameForm } from '../plan/rules/factor.ts';
import { conjuncts } from '../plan/rules/walk.ts';
import { MEMBER_KEY } from '../functions/system/member-key.ts';
import { prefixOf } from '../schema/hierarchy.ts';
import type { SqlColumn } from '../schema/table.ts';
import { INT8 } from '../types/integers.ts';
import { TEXT } from '../types/texts.ts';
import type { Value } from '../types/value.ts';
import type { Yield } from './batch.ts';
import type { Compilation } from './compilation.ts';
import { operand } from './operand.ts';
import type { Pipeline, Source } from './pipeline.ts';
import { produce, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { readsDecimals, type ScanSource } from './scan.ts';
import { predicateTest } from './zone-tests.ts';

/** An input of an append that is one scan: the operators over it, and the column that is the row's key, if that is read. */
export interface MemberScan {
  /** The scan, or the filter over it. */
  readonly rows: Plan;
  readonly scan: ScanPlan;
  readonly predicate: Bound | null;
  /** `id` is computed from the scan's column `own`. */
  readonly key: { readonly id: ColumnId; readonly own: ColumnId } | null;
}

/** null if the input is not a scan. */
export function memberScan(input: Plan): MemberScan | null {
  let rows = input;
  let key: MemberScan['key'] = null;
  if (input.op === 'project') {
    for (const { id, value } of input.items) {
      if (value.kind === 'column' && value.id === id) continue;
      if (key !== null || value.kind !== 'call' || value.fn !== MEMBER_KEY) return null;
      const [, own] = value.args;
      if (own.kind !== 'column') return null;
      key = { id, own: own.id };
    }
    rows = input.input;
  }
  const filter = rows.op === 'filter' ? rows : null;
  const scan = filter === null ? rows : filter.input;
  if (scan.op !== 'scan' || scan.table.document) return null;
  return { rows, scan, predicate: filter?.predicate ?? null, key };
}

/** Whether the code for one serves the other. */
export function isAlike(a: MemberScan, b: MemberScan): boolean {
  const [one, other] = [a.scan, b.scan];
  if ((a.key === null) !== (b.key === null) || a.key?.id !== b.key?.id || one.table.key.numeric !== other.table.key.numeric) return false;
  if (one.asOf !== other.asOf || (one.access === undefined) !== (other.access === undefined) || readsDecimals(one) !== readsDecimals(other)) return false;
  if ((one.access?.backward === true) !== (other.access?.backward === true)) return false;
  if (a.predicate === null || b.predicate === null ? a.predicate !== b.predicate : !sameForm(a.predicate, b.predicate)) return false;
  if (one.columns.length !== other.columns.length) return false;
  return one.columns.every(({ id }, i) => {
    const [from, to] = [one.source[i], other.source[i]];
    if (from === 'key' || to === 'key')
      return from === to && (a.key === null ? id === other.columns[i].id : id === a.key.own && other.columns[i].id === b.key!.own);
    return id === other.columns[i].id && isReadAlike(one.table.columns[from], other.table.columns[to]);
  });
}

function isReadAlike(a: SqlColumn, b: SqlColumn): boolean {
  if (a.type !== b.type || a.typmod !== b.typmod || a.notNull !== b.notNull) return false;
  return a.storage === b.storage || (a.storage.form === b.storage.form && a.storage.kind === b.storage.kind && a.storage.scale === b.storage.scale);
}

type Kept = readonly boolean[] | null;

/** The inputs that may have rows, by values known when the append starts; null: all. */
export function keptInputs({ c, inputTests }: Pipeline, append: AppendPlan): (run: Run) => Generator<Yield, Kept> {
  const { prune } = append;
  const values = prune === null ? null : c.scalarSteps(prune.values);
  const tests = inputTests.filter((test) => test.append === append);
  return function* (run) {
    const given = values === null ? null : yield* knownValues(values(run, []));
    let kept = given === null ? null : prune!.kept(given);
    for (const test of tests) kept = both(kept, test.kept(run));
    return kept;
  };
}

/** Values that cannot be computed are computed again when a row needs them, and fail there. */
function* knownValues(steps: Generator<Yield, Value[]>): Generator<Yield, Value[] | null> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof SvcError && error.code.startsWith(DATA_EXCEPTION)) return null;
    throw error;
  }
}

/** Class of SQLSTATEs. */
const DATA_EXCEPTION = '22';

function both(a: Kept, b: Kept): Kept {
  if (a === null || b === null) return a ?? b;
  return a.map((keep, i) => keep && b[i]);
}

/** The rows of scans that are all alike. */
export function produceMembers(
  p: Pipeline,
  members: readonly MemberScan[],
  kept: (run: Run) => Generator<Yield, Kept>,
  needed: Needed,
  consume: () => void,
): void {
  const { c } = p;
  const [{ rows, scan, key }] = members;
  const read = new Set(needed);
  const prefix = c.newState();
  const isNamed = key !== null && read.delete(key.id);
  if (isNamed) read.add(key.own);
  produce(p, rows, read, () => {
    if (isNamed) {
      p.x.scope.set(key.id, () => {
        const own = p.x.column(key.own, scan.table.key.numeric ? INT8 : TEXT);
        const named = p.g.fresh('key');
        p.g.line(`const ${named} = ${p.g.state(prefix)} + ${own.v};`);
        return operand(named, own.n, 'string');
      });
    }
    consume();
  });
  const source = p.source as ScanSource;
  const sources = members.map((member, i) => (i === 0 ? source : source.over(c, member.scan)));
  for (const { scan: own, predicate } of members.slice(1)) {
    const test = predicate === null ? null : predicateTest(c, own, conjuncts(predicate));
    if (test !== null) p.zoneTests.push(test);
  }
  const counts = c.analyze ? countsOf(c, members, sources) : null;
  p.source = new MemberScans(sources, kept, (run, i) => {
    sources[i].show(run);
    run.states[prefix] = prefixOf(members[i].scan.table.number, scan.table.key.numeric);
    counts?.(run, i);
  });
}

/** Rows of each member are counted separately: its states replace those in the shared code. */
function countsOf(c: Compilation, members: readonly MemberScan[], sources: readonly ScanSource[]): (run: Run, at: number) => void {
  const nodes = (member: MemberScan): Plan[] => [member.scan, ...(member.rows === member.scan ? [] : [member.rows])];
  const coded = nodes(members[0]).map((node) => c.counted.get(node)!);
  const own = members.map((member, i) => {
    const states = nodes(member).map((node) => {
      const state = c.runState(() => ({ rows: 0 }));
      c.counted.set(node, state);
      return state;
    });
    sources[i].countsIn(c, states[0]);
    return states;
  });
  return ({ states }, at) => coded.forEach((state, k) => (states[state] = states[own[at][k]]));
}

class MemberScans implements Source {
  readonly #sources: readonly ScanSource[];
  readonly #kept: (run: Run) => Generator<Yield, Kept>;
  readonly #show: (run: Run, at: number) => void;

  constructor(sources: readonly ScanSource[], kept: (run: Run) => Generator<Yield, Kept>, show: (run: Run, at: number) => void) {
    this.#sources = sources;
    this.#kept = kept;
    this.#show = show;
  }

  *feed(run: Run, pipeline: Pipeline): Generator<Yield | undefined, void> {
    const kept = yield* this.#kept(run);
    for (let i = 0; i < this.#sources.length; i++) {
      if (kept !== null && !kept[i]) continue;
      this.#show(run, i);
      yield* this.#sources[i].feed(run, pipeline);
      if (pipeline.hasStopped(run)) return;
    }
  }
}
