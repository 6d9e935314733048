/** Batches as a pipeline's source: the loop over their rows, with their columns in scope. */
import type { ColumnId } from '../plan/bound.ts';
import type { SqlType } from '../types/type.ts';
import { fromValue } from './operand.ts';
import type { Pipeline } from './pipeline.ts';

/** Columns that `consume` does not use are not read. */
export function overBatch(p: Pipeline, ids: readonly ColumnId[], types: ReadonlyMap<ColumnId, SqlType>, consume: () => void): void {
  const { g, x } = p;
  ids.forEach((id, at) => {
    x.scope.set(id, () => {
      const column = g.hoist(`batch ${at}`, `c.columns[${at}]`);
      const r = g.fresh('r');
      g.line(`const ${r} = ${column}[i];`);
      return fromValue(g, r, types.get(id)!.repr);
    });
  });
  g.open('source: for (let i = from; i < to; i++)');
  consume();
  g.close();
}

/** The same for the columns of a plan. */
export function overColumns(p: Pipeline, columns: readonly { readonly id: ColumnId; readonly type: SqlType }[], consume: () => void): void {
  overBatch(
    p,
    columns.map(({ id }) => id),
    new Map(columns.map(({ id, type }) => [id, type])),
    consume,
  );
}
