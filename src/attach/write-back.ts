/** One write-back: the changes of attached tables in one transaction of Postgres, checked before and after. */
import type { TreeChanges } from '../events/changes.ts';
import { childRoot } from '../tree/directory.ts';
import { rowChange, rowIn, ShapeTable } from '../tree/row-change.ts';
import { applyToWorld } from '../worlds/apply.ts';
import type { Context } from '../worlds/context.ts';
import type { Node } from '../tree/node.ts';
import { mirrored, type MirroredRow } from './mirrored-rows.ts';
import type { Sent, SentRow, SentTable } from './sent-rows.ts';
import type { SourceConnection } from './source-connection.ts';
import { applyRows, differingRows, keyOperators, type KeyOperators, lockRows, type Statement } from './write-statements.ts';

/** A row that Postgres has otherwise than it should. */
export interface Differing extends MirroredRow {
  readonly table: SentTable;
}

async function run(to: SourceConnection, { text, values }: Statement): Promise<(string | null)[][]> {
  return to.rows(text, values);
}

export async function operatorsOf(to: SourceConnection, tables: readonly SentTable[]): Promise<KeyOperators> {
  return new Map((await run(to, keyOperators(tables))).map(([table, attnum, operator]) => [`${table}/${attnum}`, operator!]));
}

export async function lockAll(to: SourceConnection, tables: readonly SentTable[], operators: KeyOperators): Promise<void> {
  // Tables in one order, too.
  for (const table of [...tables].sort((a, b) => a.rows.attached.oid - b.rows.attached.oid)) await run(to, lockRows(table, operators));
}

/** Rows that are not as the changes found them. */
export function changedSince(to: SourceConnection, tables: readonly SentTable[], operators: KeyOperators): Promise<Differing[]> {
  return differing(to, tables, operators, ({ before }) => before);
}

export async function apply(to: SourceConnection, tables: readonly SentTable[], operators: KeyOperators): Promise<void> {
  await run(to, applyRows(tables, operators));
  await to.run('SET CONSTRAINTS ALL IMMEDIATE');
}

/** Rows that are not as they were sent: triggers and rules of Postgres made something else of them. */
export function madeOtherwise(to: SourceConnection, tables: readonly SentTable[], operators: KeyOperators): Promise<Differing[]> {
  return differing(to, tables, operators, ({ after }) => after);
}

async function differing(
  to: SourceConnection,
  tables: readonly SentTable[],
  operators: KeyOperators,
  image: (row: SentRow) => SentRow['before'],
): Promise<Differing[]> {
  const out: Differing[] = [];
  for (const table of tables) {
    for (const [place, isThere, ...texts] of await run(to, differingRows(table, image, operators))) {
      const row = table.changed[Number(place) - 1];
      out.push({ table, rows: table.rows, key: row.key, texts: isThere === 't' ? withMasked(table, row, texts) : null });
    }
  }
  return out;
}

/** Masked columns are not read: they stay as sent. */
function withMasked({ rows }: SentTable, { before, after }: SentRow, texts: (string | null)[]): (string | null)[] {
  const known = after ?? before!;
  return texts.map((text, i) => (rows.attached.columns[i].mask === null ? text : known[i]));
}

/** By tree, the changes of `root` that lead to what Postgres has: those that were sent, with the rows that it made otherwise. */
export function takenOver(context: Context, root: Node, sent: Sent, rows: readonly Differing[]): Map<number, TreeChanges> {
  const { pager } = context.engine;
  const more = mirrored(context, sent.after, rows);
  const { dirtyBytes } = pager;
  const after = applyToWorld(pager, sent.after, more, pager.newEdit());
  pager.dirtyBytes = dirtyBytes;
  const over = new Map<number, TreeChanges>();
  const shapes = new ShapeTable();
  for (const { number, changed } of sent.tables) {
    if (!rows.some(({ table }) => table.number === number)) continue;
    const [from, to] = [childRoot(pager, root, number), childRoot(pager, after, number)];
    const numeric = more.find(({ tree }) => tree === number)?.numeric ?? typeof changed[0].key === 'number';
    const list = changed.flatMap(({ key }) => {
      const [was, is] = [rowIn(pager, from, key), rowIn(pager, to, key)];
      if (was === null && is === null) return [];
      const change = rowChange(key, was, is, shapes);
      return change.shape.ids.length === 0 ? [] : [change];
    });
    over.set(number, { tree: number, numeric, rows: list });
  }
  return over;
}
