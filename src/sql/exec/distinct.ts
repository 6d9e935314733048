/** DISTINCT lets the first of equal rows through; DISTINCT ON the first of each run of equal keys. */
import type { DistinctPlan } from '../plan/logical.ts';
import { hashKeySource } from './expression.ts';
import { differs, KeyTables, keyKind, keyNumber } from './keys.ts';
import { unscaled } from './operand.ts';
import type { Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';

export function produceDistinct(p: Pipeline, plan: DistinctPlan, needed: Needed, consume: () => void): void {
  const { g, x } = p;
  if (plan.on !== null) {
    const { on } = plan;
    const state = p.state((): { last: unknown[] | null } => ({ last: null }));
    produce(p, plan.input, withColumns(needed, on), () => {
      const s = g.state(state);
      const keys = on.map((e) => {
        const one = unscaled(g, x.compile(e));
        const source = hashKeySource(g, e.type, one.v);
        return one.n === 'false' ? source : `(${one.n} ? null : ${source})`;
      });
      const different = keys.map((key, i) => differs(on[i].type, key, `${s}.last[${i}]`)).join(' || ');
      g.open(`if (${s}.last === null${different === '' ? '' : ` || ${different}`})`);
      g.line(`${s}.last = [${keys.join(', ')}];`);
      consume();
      g.close();
    });
    return;
  }
  const columns = plan.columns;
  const kinds = columns.map((column) => keyKind(column.type));
  const state = p.state(() => new KeyTables(kinds));
  produce(p, plan.input, new Set([...needed, ...columns.map((column) => column.id)]), () => {
    const tables = g.state(state);
    const count = g.fresh('count');
    g.line(`const ${count} = ${tables}.count;`);
    const id = keyNumber(
      p,
      state,
      columns.map((column) => ({ operand: x.column(column.id, column.type), type: column.type })),
      true,
      true,
    );
    g.open(`if (${id} === ${count})`);
    consume();
    g.close();
  });
}
