/**
 * Subqueries in expressions. The plan is compiled once; if it is correlated, its outer columns are put in slots before it runs, and
 * results are cached by their values. An uncorrelated one runs once per statement. `x IN (SELECT …)` looks up a set of hash keys
 * instead of comparing with each row.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Bound, ColumnId, QuantifiedSubquery, SubqueryCall } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { ArrayValue } from '../types/array-value.ts';
import { StackedArrays } from '../types/stacked-arrays.ts';
import type { Value } from '../types/value.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { YIELD, type Batch, type Yield } from './batch.ts';
import type { KeptRows } from './kept-rows.ts';
import { correlationOf, readsChanging } from './correlation.ts';
import type { Emitter } from './emitter.ts';
import { columnsOf, isEquality, planIsVolatile } from '../plan/rules/walk.ts';
import type { Expressions } from './expression.ts';
import { sameHash } from '../plan/rules/join-keys.ts';
import { asValue, fromValue, operand, unscaled, type Operand } from './operand.ts';
import { WHOLE_MAX } from './pipeline.ts';
import { fromRows, produce } from './produce.ts';
import type { Run } from './run.ts';

/** Cached results per subquery. */
const KEPT_MAX = 10_000;

/** Cached results of a subquery, by the values of the slots it reads. */
class Results<T> {
  readonly #slots: readonly number[];
  readonly #cached: boolean;
  readonly #make: (run: Run) => Generator<Yield, T>;
  readonly #atOnce: ((run: Run) => T | null) | null;
  readonly #known = new Map<unknown, T>();

  /** `atOnce`: computes it without a step, or gives null if that is impossible this time. */
  constructor(slots: readonly number[], cached: boolean, make: (run: Run) => Generator<Yield, T>, atOnce: ((run: Run) => T | null) | null = null) {
    this.#slots = slots;
    this.#cached = cached;
    this.#make = make;
    this.#atOnce = atOnce;
  }

  /** A cached result, or one computed without a step; undefined if it has to be computed in steps. */
  soon(run: Run): T | undefined {
    const key = this.#cached ? this.#key(run) : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined || this.#atOnce === null) return known;
    const made = this.#atOnce(run);
    return made === null ? undefined : this.#keep(key, made);
  }

  *made(run: Run): Generator<Yield, T> {
    const key = this.#cached ? this.#key(run) : undefined;
    return this.#keep(key, yield* holding(run, this.#slots, this.#make(run)));
  }

  #keep(key: unknown, made: T): T {
    if (key === undefined) return made;
    if (this.#known.size >= KEPT_MAX) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }

  /** undefined if a value has no simple form. */
  #key(run: Run): unknown {
    const slots = this.#slots;
    if (slots.length === 0) return null;
    if (slots.length === 1) {
      const value = run.slots[slots[0]];
      return typeof value === 'object' && value !== null ? undefined : value;
    }
    let key = '';
    for (const slot of slots) {
      const value = run.slots[slot];
      if (typeof value === 'object' && value !== null) return undefined;
      const text = String(value);
      key += `${typeof value}${text.length}:${text}`;
    }
    return key;
  }
}

/** Steps over slots that other pipelines may set during a yield: their values are restored. */
function* holding<T>(run: Run, slots: readonly number[], steps: Generator<Yield, T>): Generator<Yield, T> {
  const values = slots.map((slot) => run.slots[slot]);
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) return next.value;
    yield next.value;
    slots.forEach((slot, k) => {
      run.slots[slot] = values[k];
    });
  }
}

/** Results are objects, so that undefined means not cached. */
interface Result {
  readonly value: Value;
}

export function compileSubquery(c: Compilation, x: Expressions, e: SubqueryCall | QuantifiedSubquery): Operand {
  if (e.kind === 'quantifiedQuery') return compileQuantified(c, x, e);
  const { g } = x;
  const free = bindFree(x, correlationOf(c, e.plan));
  let state = free.slots.length === 0 ? c.initials.get(e.plan) : undefined;
  if (state === undefined) c.initials.set(e.plan, (state = resultsState(c, e, free.slots)));
  const found = result(g, g.state(state));
  const r = g.fresh('r');
  g.line(`const ${r} = ${found}.value;`);
  if (e.kind === 'exists') return operand(r, 'false', 'bool');
  return fromValue(g, r, e.type.repr);
}

function resultsState(c: Compilation, e: SubqueryCall, slots: readonly number[]): number {
  const { plan } = e;
  const rows = c.rows(plan, e.kind === 'exists' ? [] : plan.columns.slice(0, 1).map((column) => column.id), false);
  const give = e.kind === 'exists' ? exists : e.kind === 'subquery' ? scalar : plan.columns[0].type.oid === e.type.oid ? stacked : array;
  const make = function* (run: Run): Generator<Yield, Result> {
    return { value: yield* give(run, rows) };
  };
  const { whole } = rows;
  const of = e.kind === 'exists' ? existsIn : e.kind === 'subquery' ? scalarIn : null;
  const atOnce =
    whole === undefined || of === null
      ? null
      : (run: Run): Result | null => {
          const batch = whole(run, WHOLE_MAX);
          return batch === null ? null : { value: of(batch) };
        };
  return c.runState(() => new Results(slots, cacheable(c, plan), make, atOnce));
}

/** Code that gets a result, and computes it if it is not cached, with yields. */
function result(g: Emitter, results: string): string {
  const r = g.fresh('r');
  g.line(`let ${r} = ${results}.soon(S[0]);`);
  g.open(`if (${r} === undefined)`);
  if (g.mayPause) g.pause(`${r} = yield* ${results}.made(S[0])`);
  else g.line(`${r} = S[0].finish(${results}.made(S[0]));`);
  g.close();
  return r;
}

/** Code that stores a plan's outer columns in the slots where it reads them. */
function bindFree(x: Expressions, free: ReadonlySet<ColumnId>): { slots: number[] } {
  const { g, c } = x;
  const slots: number[] = [];
  for (const id of free) {
    const slot = c.slot(id);
    slots.push(slot);
    const binding = x.scope.get(id);
    if (binding === undefined) continue;
    // The type only matters for columns that come from slots themselves.
    const value = asValue(g, x.column(id, c.bool));
    g.line(`${g.hoist('slots', 'S[0].slots')}[${slot}] = ${value};`);
  }
  return { slots };
}

/** An uncorrelated one is computed once even if it is volatile, as in Postgres. */
function cacheable(c: Compilation, plan: Plan): boolean {
  if (readsChanging(c, plan)) return false;
  return correlationOf(c, plan).size === 0 || !planIsVolatile(plan);
}

const existsIn = (batch: Batch): boolean => batch.count > 0;

function scalarIn(batch: Batch): Value {
  if (batch.count > 1) throw new SvcError('21000', 'more than one row returned by a subquery used as an expression');
  return batch.count === 0 ? null : batch.columns[0][0];
}

function* exists(run: Run, rows: Rows): Generator<Yield, boolean> {
  for (const batch of rows.open(run)) {
    if (batch !== YIELD) return true;
    yield YIELD;
  }
  return false;
}

function* scalar(run: Run, rows: Rows): Generator<Yield, Value> {
  let found = 0;
  let value: Value = null;
  for (const batch of rows.open(run)) {
    if (batch === YIELD) {
      yield YIELD;
      continue;
    }
    if (batch.count > 0) value = batch.columns[0][0];
    found += batch.count;
    if (found > 1) throw new SvcError('21000', 'more than one row returned by a subquery used as an expression');
  }
  return value;
}

function* array(run: Run, rows: Rows): Generator<Yield, Value> {
  const values: Value[] = [];
  for (const batch of rows.open(run)) {
    if (batch === YIELD) yield YIELD;
    else for (const value of batch.columns[0]) values.push(run.keep(value));
  }
  return new ArrayValue(values);
}

function* stacked(run: Run, rows: Rows): Generator<Yield, Value> {
  const arrays = new StackedArrays();
  for (const batch of rows.open(run)) {
    if (batch === YIELD) yield YIELD;
    else for (const value of batch.columns[0]) arrays.add(run.keep(value) as ArrayValue | null);
  }
  return arrays.finish() ?? new ArrayValue([]);
}

/** The keys of a subquery's column. */
interface Keys {
  readonly set: Set<unknown>;
  readonly withNull: boolean;
  readonly empty: boolean;
}

function compileQuantified(c: Compilation, x: Expressions, e: QuantifiedSubquery): Operand {
  const { g } = x;
  const { plan, compare } = e;
  const outputs = new Set(plan.columns.map((column) => column.id));
  const hashed = e.quantifier === 'any' ? equalityOf(compare, outputs) : null;
  if (hashed !== null) {
    const p = c.pipeline();
    const state = c.newState();
    // Its values, hashed, collected as a batch of one column.
    produce(p, plan, columnsOf(hashed.inner), () => {
      const value = asValue(p.g, p.x.compile(hashed.inner));
      p.g.line(`${p.g.state(state)}.push(${value});`);
    });
    const free = bindFree(x, correlationOf(c, plan));
    const type = hashed.inner.type;
    const make = function* (run: Run): Generator<Yield, Keys> {
      const set = new Set<unknown>();
      let withNull = false;
      let empty = true;
      const values: Value[] = [];
      run.states[state] = values;
      const take = (): void => {
        for (const value of values) {
          if (value === null) withNull = true;
          else set.add(run.keep(type.hashKey(value)));
        }
        empty &&= values.length === 0;
        values.length = 0;
      };
      for (const step of p.run(run)) {
        if (values.length > 1024) take();
        if (step === YIELD) yield YIELD;
      }
      take();
      return { set, withNull, empty };
    };
    const results = c.runState(() => new Results(free.slots, cacheable(c, plan), make));
    const left = unscaled(g, x.compile(hashed.outer));
    const keys = g.fresh('keys');
    const t = g.fresh('t');
    const n = g.fresh('n');
    g.line(`const ${keys} = ${result(g, g.state(results))};`);
    const key = `${g.constant(hashed.outer.type)}.hashKey(${left.v})`;
    g.line(`const ${t} = ${left.n === 'false' ? '' : `!${left.n} && `}${keys}.set.has(${key});`);
    g.line(`const ${n} = !${t} && !${keys}.empty && (${left.n} || ${keys}.withNull);`);
    return operand(t, n, 'bool');
  }
  // The rows are materialised by the plan's own correlation; the comparison runs over them for each outer row.
  const kept = c.kept(plan);
  const free = bindFree(x, correlationOf(c, plan));
  const rowsState = c.runState(
    () =>
      new Results<KeptRows>(free.slots, cacheable(c, plan), function* (run) {
        yield* kept.fill(run);
        return kept.rows(run);
      }),
  );
  const outer = columnsOf(compare);
  for (const id of outputs) outer.delete(id);
  const slots = [...free.slots, ...bindFree(x, outer).slots];
  const p = c.pipeline();
  const state = c.newState();
  const source: Rows = {
    ids: kept.ids,
    *open(run) {
      const results = run.states[rowsState] as Results<KeptRows>;
      yield* (results.soon(run) ?? (yield* results.made(run))).open();
    },
  };
  fromRows(p, source, typesOf(plan), () => {
    const result = p.x.compile(compare);
    const s = p.g.state(state);
    const decided = e.quantifier === 'any' ? result.v : `!${result.v}`;
    if (result.n !== 'false') p.g.line(`if (${result.n}) ${s}.unknown = true; else`);
    p.g.open(`if (${decided})`);
    p.g.line(`${s}.decided = true;`);
    p.stop();
    p.g.close();
  });
  const evaluate = function* (run: Run): Generator<Yield, Value> {
    const verdict = { unknown: false, decided: false };
    run.states[state] = verdict;
    yield* holding(run, slots, p.exhaust(run));
    if (verdict.decided) return e.quantifier === 'any';
    return verdict.unknown ? null : e.quantifier !== 'any';
  };
  const r = g.fresh('r');
  g.line(`let ${r};`);
  if (g.mayPause) g.pause(`${r} = yield* ${g.constant(evaluate)}(S[0])`);
  else g.line(`${r} = S[0].finish(${g.constant(evaluate)}(S[0]));`);
  return fromValue(g, r, 'bool');
}

/** `outer = inner` if one side reads only the subquery's columns and the other none of them. */
function equalityOf(compare: Bound, outputs: ReadonlySet<ColumnId>): { outer: Bound; inner: Bound } | null {
  if (!isEquality(compare)) return null;
  const [a, b] = compare.args;
  if (!sameHash(a.type, b.type)) return null;
  const inA = [...columnsOf(a)];
  const inB = [...columnsOf(b)];
  const all = (ids: readonly ColumnId[]): boolean => ids.length > 0 && ids.every((id) => outputs.has(id));
  const none = (ids: readonly ColumnId[]): boolean => ids.every((id) => !outputs.has(id));
  if (all(inB) && none(inA)) return { outer: a, inner: b };
  if (all(inA) && none(inB)) return { outer: b, inner: a };
  return null;
}
