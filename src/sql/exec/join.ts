/**
 * Joins. By hash if the condition has equalities: the right side is built into a table, the left one streams past it inside its own
 * pipeline. Otherwise by nested loops: the row of the left side is in slots while the right side's rows (materialised once, or
 * produced per row if lateral) are iterated.
 *
 *   left, single   one more iteration with nulls if nothing matched
 *   semi, anti     the loop only finds out whether there is a match
 *   right          the left join with sides swapped
 *   full           the left join, and the unmatched rows of the right side
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { JoinPlan, Plan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import { BATCH_ROWS, emptyBatch, YIELD, type Batch, type Batches, type Yield } from './batch.ts';
import { conjuncts, freeColumns, isLateral } from '../plan/rules/walk.ts';
import { typesOf, type Rows } from './compilation.ts';
import { listed, produceList } from './list-join.ts';
import { lookedUp, produceLookup } from './lookup-join.ts';
import { joinKeys, type JoinKeys } from '../plan/rules/join-keys.ts';
import { type ColumnForm, emitAdd, JoinTable, readKept } from './join-table.ts';
import type { NumberTable } from './key-table.ts';
import { keyKind, keyNumber, otherPart } from './keys.ts';
import { mayRepeat, type Passes } from './passes.ts';
import { batchesOf, collect, type Pipeline, type Source } from './pipeline.ts';
import { fromRows, produce, withColumns, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { lookedUpVirtual, produceVirtualLookup } from './virtual-scan.ts';
import { keyedInputs, keysTests } from './zone-tests.ts';

export function produceJoin(p: Pipeline, plan: JoinPlan, needed: Needed, consume: () => void): void {
  if (plan.kind === 'right') return produceJoin(p, { ...plan, kind: 'left', left: plan.right, right: plan.left }, needed, consume);
  const left = idsOf(plan.left);
  const right = idsOf(plan.right);
  const lateral = isLateral(plan);
  const keys = joinKeys(plan.on, left, right);
  if (lateral || keys.left.length === 0) {
    if (plan.kind === 'full') {
      if (plan.on === null || (plan.on.kind === 'constant' && !lateral)) return fromRows(p, fullRows(p, plan, needed, keys), typesOf(plan), consume);
      throw new SvcError('0A000', 'FULL JOIN is only supported with merge-joinable or hash-joinable join conditions');
    }
    const found = lateral ? lookedUp(plan.right) : null;
    if (found !== null) return produceLookup(p, plan, found, needed, consume);
    const virtual = lateral ? lookedUpVirtual(plan.right) : null;
    if (virtual !== null) return produceVirtualLookup(p, plan, virtual, needed, consume);
    const list = lateral ? listed(plan) : null;
    if (list !== null) return produceList(p, plan, list, needed, consume);
    return produceLoop(p, plan, needed, lateral, consume);
  }
  if (plan.kind === 'full') return fromRows(p, fullRows(p, plan, needed, keys), typesOf(plan), consume);
  hashProbe(p, plan, needed, keys, buildSide(p, plan, needed, keys, false), false, consume);
}

export function idsOf(plan: Plan): Set<ColumnId> {
  return new Set(plan.columns.map((column) => column.id));
}

interface Build {
  readonly ids: readonly ColumnId[];
  /** The forms of these columns. */
  readonly forms: readonly ColumnForm[];
  readonly state: number;
  readonly passes: number;
}

/** Builds the right side before the pipeline starts. Gives its columns and the number of the table's state. */
function buildSide(p: Pipeline, plan: JoinPlan, needed: Needed, keys: JoinKeys, all: boolean): Build {
  const { c } = p;
  const read = withColumns(plan.kind === 'semi' || plan.kind === 'anti' ? new Set() : needed, keys.rest);
  const ids = plan.right.columns.map((column) => column.id).filter((id) => read.has(id));
  const state = c.newState();
  const passes = c.newState();
  const b = c.pipeline();
  b.gathers = true;
  const types = typesOf(plan.right);
  const kinds = keys.right.map((key) => keyKind(key.type));
  let forms: readonly ColumnForm[] = [];
  produce(b, plan.right, withColumns(new Set(ids), keys.right), () => {
    const operands = keys.right.map((key) => ({ operand: b.x.compile(key), type: key.type }));
    const table = b.g.state(state);
    if (!all) b.g.open(`if (!(${otherPart(b, passes, operands)}))`);
    const id = keyNumber(b, state, operands, true, false, b.g.hoist('join tables', `${table}.tables`));
    // Nulls match nothing.
    if (!all) b.g.open(`if (${id} >= 0)`);
    const values = ids.map((column) => b.x.column(column, types.get(column)!));
    forms = emitAdd(b.g, table, id, values);
    if (!all) {
      b.g.close();
      b.g.close();
    }
  });
  p.parted.push({
    passes,
    whole: (run) => all || !mayRepeat(run, [plan.left, plan.right]),
    *build(run, limited) {
      (run.states[state] as JoinTable | undefined)?.release();
      run.states[state] = new JoinTable(run, forms, kinds, limited ? run.context.workMemBytes : Infinity);
      yield* b.exhaust(run);
    },
  });
  return { ids, forms, state, passes };
}

function hashProbe(p: Pipeline, plan: JoinPlan, needed: Needed, keys: JoinKeys, build: Build, marks: boolean, consume: () => void): void {
  const { g, x } = p;
  const { kind } = plan;
  const types = typesOf(plan.right);
  const outer = kind === 'left' || kind === 'single' || kind === 'full';
  const meets = (run: Run): number => (run.states[build.state] as JoinTable).longest();
  if (kind === 'inner' || kind === 'semi') {
    wantGroups(p, plan.left, keys.left, build);
    const tableOf = (run: Run): JoinTable => run.states[build.state] as JoinTable;
    p.idle.push((run) => tableOf(run).count === 0 && (run.states[build.passes] as Passes).count === 1);
    keys.left.forEach((key, i) => {
      if (keyKind(key.type) !== 'number') return;
      const numbersOf = (run: Run): NumberTable => tableOf(run).tables.columns[i] as NumberTable;
      p.zoneTests.push(...keysTests(plan.left, key, numbersOf));
      const inputs = keyedInputs(plan.left, key, numbersOf);
      if (inputs !== null) p.inputTests.push(inputs);
    });
  }
  produce(p, plan.left, withColumns(needed, [...keys.left, ...keys.rest]), () => {
    const table = g.state(build.state);
    const operands = keys.left.map((key) => ({ operand: x.compile(key), type: key.type }));
    // With a partitioned table each row is joined in the pass that has its key.
    if (kind !== 'full') g.open(`if (!(${otherPart(p, build.passes, operands)}))`);
    const done = (): void => {
      if (kind !== 'full') g.close();
    };
    const id = keyNumber(p, build.state, operands, false, false, g.hoist(`${table} tables`, `${table}.tables`));
    const unique = g.hoist(`${table} unique`, `${table}.unique`);
    const first = (key: string): string => `${unique} ? ${key} : ${g.hoist(`${table} first`, `${table}.first`)}[${key}]`;
    const next = (row: string): string => `${unique} ? -1 : ${g.hoist(`${table} next`, `${table}.next`)}[${row}]`;
    if ((kind === 'semi' || kind === 'anti') && keys.rest.length === 0) {
      g.open(`if (${id} ${kind === 'semi' ? '>=' : '<'} 0)`);
      consume();
      g.close();
      return done();
    }
    const m = g.fresh('m');
    const bind = (nulls: string | null): void => {
      build.ids.forEach((column, at) => {
        x.scope.set(column, () => readKept(g, table, at, m, nulls, build.forms[at], types.get(column)!));
      });
    };
    if (kind === 'semi' || kind === 'anti') {
      const hit = g.fresh('hit');
      g.line(`let ${hit} = false;`);
      g.open(`if (${id} >= 0) for (let ${m} = ${first(id)}; ${m} >= 0; ${m} = ${next(m)})`);
      p.yieldPoint(meets);
      bind(null);
      x.where(keys.rest, () => g.line(`${hit} = true;`));
      g.line(`if (${hit}) break;`);
      g.close();
      for (const column of build.ids) x.scope.delete(column);
      g.open(`if (${kind === 'semi' ? '' : '!'}${hit})`);
      consume();
      g.close();
      return done();
    }
    if (!outer) {
      g.open(`if (${id} >= 0) for (let ${m} = ${first(id)}; ${m} >= 0; ${m} = ${next(m)})`);
      p.yieldPoint(meets);
      bind(null);
      x.where(keys.rest, consume);
      g.close();
      return done();
    }
    // One loop serves matches and, if there was none, the row of nulls: `consume` is emitted once.
    const hit = g.fresh('hit');
    const nulls = g.fresh('nulls');
    const ok = g.fresh('ok');
    g.line(`let ${m} = ${id} < 0 ? -1 : (${first(id)}), ${hit} = false, ${nulls} = false;`);
    g.open('for (;;)');
    p.yieldPoint(meets);
    g.open(`if (${m} < 0)`);
    g.line(`if (${hit}) break;`);
    g.line(`${nulls} = true;`);
    g.close();
    bind(nulls);
    if (keys.rest.length > 0) {
      g.line(`let ${ok} = ${nulls};`);
      g.open(`if (!${nulls})`);
      x.where(keys.rest, () => g.line(`${ok} = true;`));
      g.close();
      g.line(`if (!${ok}) { ${m} = ${next(m)}; continue; }`);
    }
    if (kind === 'single') g.line(`if (${hit}) ${g.runtime('moreThanOneRow')}();`);
    g.line(`${hit} = true;`);
    if (marks) g.line(`if (!${nulls}) ${g.hoist(`${table} matched`, `${table}.matched`)}[${m}] = 1;`);
    consume();
    g.line(`if (${nulls}) break;`);
    g.line(`${m} = ${next(m)};`);
    g.close();
    done();
  });
}

/** If the left side is an aggregate grouped by the join keys, groups that the table does not have need not be created. */
function wantGroups(p: Pipeline, left: Plan, keys: readonly Bound[], build: Build): void {
  let plan = left;
  let ids = keys.map((key) => (key.kind === 'column' ? key.id : -1));
  while (plan.op === 'filter' || plan.op === 'project') {
    if (plan.op === 'project') {
      const { items } = plan;
      ids = ids.map((id) => {
        const value = items.find((item) => item.id === id)?.value;
        return value?.kind === 'column' ? value.id : -1;
      });
    }
    plan = plan.input;
  }
  if (plan.op !== 'aggregate' || plan.sets !== null) return;
  const all = plan.groups;
  const groups = ids.map((id) => all.findIndex((group) => group.id === id));
  if (groups.some((k) => k < 0)) return;
  p.c.wantedGroups.set(plan, { groups, tables: (g) => g.hoist(`wanted ${build.state}`, `S[${build.state}].tables`) });
}

/** A full join: batches of the left join, then the unmatched rows of the right side. */
function fullRows(outer: Pipeline, plan: JoinPlan, needed: Needed, keys: JoinKeys): Rows {
  const { c } = outer;
  const p = c.pipeline();
  const build = buildSide(p, plan, needed, keys, true);
  p.starts.push((run) => {
    const table = run.states[build.state] as JoinTable;
    table.matched = new Uint8Array(table.count);
  });
  const leftIds = plan.left.columns.map((column) => column.id).filter((id) => needed.has(id));
  const rightIds = build.ids.filter((id) => needed.has(id));
  const ids = [...leftIds, ...rightIds];
  const state = c.newState();
  const types = typesOf(plan);
  hashProbe(p, plan, needed, keys, build, true, () => collect(p, ids, types, state));
  return {
    ids,
    *open(run): Batches {
      yield* batchesOf(run, p, state, ids.length);
      const table = run.states[build.state] as JoinTable;
      const { matched } = table;
      let out = emptyBatch(ids.length);
      for (let m = 0; m < table.count; m++) {
        if (matched[m] === 1) continue;
        leftIds.forEach((_, i) => out.columns[i].push(null));
        rightIds.forEach((id, i) => out.columns[leftIds.length + i].push(table.value(build.ids.indexOf(id), m)));
        if (++out.count === BATCH_ROWS) {
          yield out;
          out = emptyBatch(ids.length);
          if (run.late()) yield YIELD;
        }
      }
      if (out.count > 0) yield out;
    },
  };
}

/** Nested loops. The pipeline's chunks are batches of the right side; columns of the left are in slots. */
function produceLoop(p: Pipeline, plan: JoinPlan, needed: Needed, lateral: boolean, consume: () => void): void {
  const { c } = p;
  const conditions = plan.on === null ? [] : conjuncts(plan.on);
  const leftNeeded = withColumns(needed, conditions);
  for (const id of freeColumns(plan.right)) leftNeeded.add(id);
  const leftIds = plan.left.columns.map((column) => column.id).filter((id) => leftNeeded.has(id));
  const left = c.rows(plan.left, leftIds);
  const slots = leftIds.map((id) => c.slot(id));
  const types = typesOf(plan.right);
  const inner = c.pipeline();
  const state = c.newState();
  const matchOnly = plan.kind === 'semi' || plan.kind === 'anti';
  const ids = matchOnly ? [] : plan.right.columns.map((column) => column.id).filter((id) => needed.has(id));
  const sink = (): void => inner.x.where(conditions, () => collect(inner, ids, types, state));
  if (lateral) produce(inner, plan.right, withColumns(new Set(ids), conditions), sink);
  else {
    const read = withColumns(new Set(ids), conditions);
    const kept = c.kept(
      plan.right,
      plan.right.columns.map((column) => column.id).filter((id) => read.has(id)),
    );
    p.before.push((run) => kept.fill(run));
    const rows: Rows = {
      ids: kept.ids,
      open: (run) => kept.rows(run).open(),
    };
    fromRows(inner, rows, types, sink);
  }
  bindLoop(p, ids, types, consume);
  p.source = new LoopSource(left, slots, inner, state, ids.length, plan.kind);
}

function bindLoop(p: Pipeline, ids: readonly ColumnId[], types: ReadonlyMap<ColumnId, SqlType>, consume: () => void): void {
  fromRows(p, { ids, open: () => [][Symbol.iterator]() as unknown as Batches }, types, consume);
}

class LoopSource implements Source {
  readonly #left: Rows;
  readonly #slots: readonly number[];
  readonly #inner: Pipeline;
  readonly #state: number;
  readonly #width: number;
  readonly #kind: JoinPlan['kind'];

  constructor(left: Rows, slots: readonly number[], inner: Pipeline, state: number, width: number, kind: JoinPlan['kind']) {
    this.#left = left;
    this.#slots = slots;
    this.#inner = inner;
    this.#state = state;
    this.#width = width;
    this.#kind = kind;
  }

  *feed(run: Run, pipeline: Pipeline): Generator<Yield | undefined, void> {
    const kind = this.#kind;
    const pauses = pipeline.pauses(run);
    const matchOnly = kind === 'semi' || kind === 'anti';
    const nulls: Batch = { count: 1, columns: Array.from({ length: this.#width }, () => [null]) };
    const inner = this.#inner;
    // Rows that are read in one call are passed on at once: generators for each row of the left would cost more than the rows.
    const atOnce = !pauses && inner.mayRunWhole;
    const fn = atOnce ? pipeline.function(false, false) : null;
    const pace = pipeline.pace(run);
    let since = 0;
    if (atOnce) pace.begin();
    for (const batch of this.#left.open(run)) {
      if (batch === YIELD) {
        yield YIELD;
        continue;
      }
      for (let i = 0; i < batch.count; i++) {
        this.#bind(run, batch, i);
        if (fn !== null) {
          const right = (run.states[this.#state] ??= emptyBatch(this.#width)) as Batch;
          if (right.count > 0) clear(right);
          if (inner.runWhole(run)) {
            if (kind === 'single' && right.count > 1) throw new SvcError('21000', 'more than one row returned by a subquery used as an expression');
            const given = kind === 'semi' || kind === 'anti' || ((kind === 'left' || kind === 'single') && right.count === 0) ? null : right;
            const alone = given === null && right.count > 0 === (kind === 'semi');
            if (given !== null ? given.count > 0 && fn(run.states, given, 0, given.count) : alone && fn(run.states, nulls, 0, 1)) return;
            since += 1 + right.count;
            if (since >= pace.rows) {
              const late = pace.end(run, since);
              since = 0;
              // Hands on the collected rows.
              yield late ? YIELD : undefined;
              pace.begin();
            }
            continue;
          }
        }
        let found = 0;
        for (const right of batchesOf(run, this.#inner, this.#state, this.#width)) {
          if (right === YIELD) {
            yield YIELD;
            this.#bind(run, batch, i);
            continue;
          }
          found += right.count;
          if (matchOnly) break;
          if (kind === 'single' && found > 1) throw new SvcError('21000', 'more than one row returned by a subquery used as an expression');
          if (yield* this.#piecesOf(run, batch, i, pipeline, right, kind === 'single' ? 1 : right.count, pauses)) return;
        }
        const alone = (kind === 'anti' || kind === 'left' || kind === 'single') && found === 0;
        if ((alone || (kind === 'semi' && found > 0)) && (yield* this.#piecesOf(run, batch, i, pipeline, nulls, 1, pauses))) return;
      }
    }
  }

  /** Another pipeline may have set the slots during a yield: loops and subqueries above read the same columns. */
  *#piecesOf(run: Run, batch: Batch, i: number, pipeline: Pipeline, rows: Batch, count: number, pauses: boolean): Generator<Yield | undefined, boolean> {
    const steps = pipeline.pieces(run, rows, 0, count, false, pauses);
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done === true) return next.value;
      yield next.value;
      this.#bind(run, batch, i);
    }
  }

  #bind(run: Run, batch: Batch, i: number): void {
    for (let k = 0; k < this.#slots.length; k++) run.slots[this.#slots[k]] = batch.columns[k][i];
  }
}

/** Clears a batch whose arrays are not referenced elsewhere. */
function clear(batch: Batch): void {
  batch.count = 0;
  for (let c = 0; c < batch.columns.length; c++) batch.columns[c].length = 0;
}
