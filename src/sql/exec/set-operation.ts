/** UNION, INTERSECT and EXCEPT. Rows are compared through key tables; for ALL the occurrences of a row are counted. */
import type { Plan, SetOperationPlan } from '../plan/logical.ts';
import type { Batches } from './batch.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { KeyTables, keyKind, keyNumber } from './keys.ts';
import { asValue } from './operand.ts';
import { batchesOf, collect, type Pipeline } from './pipeline.ts';
import { fromRows } from './produce.ts';

export function openSetOperation(c: Compilation, plan: SetOperationPlan): Rows {
  if (plan.operator !== 'union') return counted(c, plan);
  if (!plan.all) return c.rows({ op: 'distinct', input: { ...plan, all: true }, on: null, columns: plan.columns });
  // A chain of unions is one list of inputs, of any length.
  const inputs: Plan[] = [];
  const stack: Plan[] = [plan.right, plan.left];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'setOperation' && p.operator === 'union' && p.all) stack.push(p.right, p.left);
    else inputs.push(p);
  }
  const parts = inputs.map((input) => c.rows(input));
  return {
    ids: plan.columns.map((column) => column.id),
    *open(run): Batches {
      for (const part of parts) yield* part.open(run);
    },
  };
}

class Counts {
  readonly tables: KeyTables;
  /** Remaining occurrences of each key in the right side; -1 once it was returned. */
  readonly left: number[] = [];

  constructor(plan: SetOperationPlan) {
    this.tables = new KeyTables(plan.columns.map((column) => keyKind(column.type)));
  }
}

function counted(c: Compilation, plan: SetOperationPlan): Rows {
  const ids = plan.columns.map((column) => column.id);
  const types = typesOf(plan);
  const state = c.newState();
  const out = c.newState();
  const number = (p: Pipeline, add: boolean): string =>
    keyNumber(
      p,
      state,
      plan.columns.map((column) => ({ operand: p.x.column(column.id, column.type), type: column.type })),
      add,
      true,
      p.g.hoist('counted tables', `${p.g.state(state)}.tables`),
    );
  /** Counts memory for a new key. */
  const held = ({ g, x }: Pipeline): void => {
    for (const { id, type } of plan.columns) g.line(`S[0].keep(${asValue(g, x.column(id, type))});`);
  };
  // Both sides use the column ids of the result.
  const right = c.pipeline();
  const rightRows = c.rows(plan.right, undefined, false);
  fromRows(right, { ids, open: (run) => rightRows.open(run) }, types, () => {
    const id = number(right, true);
    right.g.open(`if (${id} === ${right.g.state(state)}.left.length)`);
    held(right);
    right.g.close();
    right.g.line(`${right.g.state(state)}.left[${id}] = (${right.g.state(state)}.left[${id}] ?? 0) + 1;`);
  });
  const left = c.pipeline();
  const leftRows = c.rows(plan.left);
  fromRows(left, { ids, open: (run) => leftRows.open(run) }, types, () => {
    const { g } = left;
    const counts = `${g.state(state)}.left`;
    const emit = (condition: string, added = false): void => {
      g.open(`if (${condition})`);
      if (added) held(left);
      collect(left, ids, types, out);
      g.close();
    };
    if (plan.operator === 'except' && !plan.all) {
      const before = g.fresh('count');
      g.line(`const ${before} = ${g.state(state)}.tables.count;`);
      return emit(`${number(left, true)} === ${before}`, true);
    }
    const id = number(left, false);
    const there = `${id} >= 0 && ${counts}[${id}] > 0`;
    if (plan.operator === 'intersect') emit(`${there} && (${counts}[${id}] ${plan.all ? '-= 1, true' : '= -1, true'})`);
    else emit(`!(${there} && (${counts}[${id}] -= 1, true))`);
  });
  return {
    ids,
    *open(run): Batches {
      run.states[state] = new Counts(plan);
      yield* right.exhaust(run);
      yield* batchesOf(run, left, out, ids.length);
    },
  };
}
