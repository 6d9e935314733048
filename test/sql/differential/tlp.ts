/**
 * Ternary logic partitioning (Rigger and Su, OOPSLA 2020) on one target: every row of a query makes a predicate true,
 * false or null, so the rows under p, NOT p and p IS NULL together are the rows without a condition.
 */
import { runOne } from '../../slt/run-slt.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';
import { group, type Piece, render } from './piece.ts';
import { predicate } from './random-expression.ts';
import { fromClause } from './random-from.ts';
import type { Table } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export interface Partition {
  whole: string;
  /** Shrinks; the three parts are made from it. */
  condition: Piece;
}

export function randomPartition(random: Seeded, tables: readonly Table[]): Partition {
  let aliases = 0;
  const { from, scope } = fromClause(random, tables, () => `x${aliases++}`);
  return {
    whole: `SELECT ${random
      .some(scope.columns)
      .map(({ sql }, index) => `${sql} AS c${index}`)
      .join(', ')} FROM ${render(from)}`,
    condition: group([predicate(scope, 4)]),
  };
}

/** Null where the parts make up the whole. */
export async function checkPartition(target: Target, partition: Partition): Promise<string | null> {
  const condition = render(partition.condition);
  const rowsOf = async (where: string): Promise<string[] | SqlFailure> => {
    const answer = await runOne(target, `${partition.whole}${where}`);
    return answer instanceof SqlFailure ? answer : answer[0].rows.map((row) => JSON.stringify(row));
  };
  const parts: string[] = [];
  for (const where of ['', ` WHERE ${condition}`, ` WHERE NOT (${condition})`, ` WHERE (${condition}) IS NULL`]) {
    const rows = await rowsOf(where);
    if (rows instanceof SqlFailure) return `${partition.whole}${where}\n${rows.code} ${rows.message}`;
    if (where === '') parts.push(...rows.map((row) => `whole ${row}`));
    else parts.push(...rows.map((row) => `part ${row}`));
  }
  const whole = parts.filter((row) => row.startsWith('whole ')).map((row) => row.slice(6));
  const pieces = parts.filter((row) => row.startsWith('part ')).map((row) => row.slice(5));
  const same = whole.length === pieces.length && whole.sort().every((row, index) => row === pieces.sort()[index]);
  return same ? null : `${partition.whole}\n  WHERE ${condition}: ${whole.length} rows, the three parts have ${pieces.length}`;
}
