/** One working call of every tool, in an order in which each finds what it needs; used by all tests that drive the tools. */
import type { Database } from '../../src/database.ts';

export interface Step {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** What the reply must hold. */
  readonly says: RegExp;
}

/** Who calls may do everything but what is for a policy's reviewer: the held merge of `eve` waits under `watched`, whose reviewer is `rex`. */
export async function seedForAll(db: Database): Promise<{ rex: string }> {
  await db.sql({ sql: "CREATE TABLE items (id int PRIMARY KEY, name text, stock int); INSERT INTO items VALUES (1, 'bolt', 5), (2, 'nut', 7)" });
  await db.put({ table: 'notes', id: 'a', record: { text: 'hello world', tags: ['x'], v: [1, 0] } });
  const { token } = await db.create_agent({ name: 'rex', can: ['admin'] });
  await db.set_merge_policy({ name: 'watched', rules: { max_rows: 0, reviewer: 'rex', check_reads: true } });
  await db.create_agent({ name: 'eve', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'watched' });
  const eve = db.commandsOf(db.directory.byName('eve')!);
  await eve.fork({ name: 'held' });
  await eve.sql({ branch: 'held', sql: 'UPDATE items SET stock = stock + 1 WHERE id = (SELECT min(id) FROM items)' });
  await eve.merge({ branch: 'held' }).catch(() => {});
  // Safe mode only drafts what sets them, and what is to be dropped must be there.
  await db.set_merge_policy({ name: 'p', rules: { max_rows: 1 } });
  await db.set_merge_check({ name: 'stock', query: 'SELECT * FROM items WHERE stock < 0' });
  return { rex: token };
}

export const EVERY_TOOL: readonly Step[] = [
  { tool: 'describe', args: {}, says: /items: 2 rows/ },
  { tool: 'find', args: { table: 'items', where: { name: 'nut' } }, says: /^1 match/ },
  { tool: 'get', args: { table: 'items', id: '1' }, says: /"bolt"/ },
  { tool: 'fork', args: { name: 'draft', meta: { intent: 'try' } }, says: /^forked branch draft/ },
  { tool: 'set_meta', args: { branch: 'draft', meta: { run: 'r1' } }, says: /"run":"r1"/ },
  { tool: 'put', args: { branch: 'draft', table: 'notes', id: 'b', record: { text: 'mine' } }, says: /^ok, version/ },
  { tool: 'sql', args: { branch: 'draft', sql: 'UPDATE items SET stock = $1 WHERE id = 1', params: [9] }, says: /^UPDATE 1/ },
  { tool: 'checkpoint', args: { branch: 'draft', name: 'c' }, says: /^checkpoint c/ },
  { tool: 'delete', args: { branch: 'draft', table: 'notes', id: 'b' }, says: /^ok, version/ },
  { tool: 'rollback', args: { branch: 'draft', checkpoint: 'c' }, says: /1 rows changed/ },
  { tool: 'branches', args: {}, says: /draft/ },
  { tool: 'diff', args: { branch: 'draft', readers: true }, says: /2 changed rows/ },
  { tool: 'history', args: { branch: 'draft', limit: 2 }, says: /checkpoint|restore/ },
  { tool: 'merge_preview', args: { branch: 'draft' }, says: /0 conflicts/ },
  { tool: 'rebase', args: { branch: 'draft' }, says: /^REBASE 2/ },
  { tool: 'check_reads', args: { branch: 'held' }, says: /nothing that it read has changed/ },
  { tool: 'check_merge_policy', args: { branch: 'draft', rules: { max_rows: 1 } }, says: /needs a person/ },
  { tool: 'set_merge_policy', args: { name: 'p', rules: { max_rows: 5 } }, says: /max_rows\s?=\s?5/ },
  { tool: 'merge_policies', args: {}, says: /watched/ },
  { tool: 'drop_merge_policy', args: { name: 'p' }, says: /p/ },
  { tool: 'set_merge_check', args: { name: 'stock', query: 'SELECT * FROM items WHERE stock < 0', tables: ['items'] }, says: /stock/ },
  { tool: 'merge_checks', args: {}, says: /query/ },
  { tool: 'drop_merge_check', args: { name: 'stock' }, says: /stock/ },
  { tool: 'simulate', args: { worlds: 2, prefix: 's', script: 'UPDATE items SET stock = $1', score: 'SELECT sum(stock) FROM items' }, says: /s_1/ },
  { tool: 'replay', args: { world: 's_1' }, says: /identical/i },
  { tool: 'merge', args: { branch: 'draft' }, says: /^merged 2 changes/ },
  { tool: 'undo_merge', args: { branch: 'draft' }, says: /2 rows put back/ },
  { tool: 'reviews', args: {}, says: /held/ },
  { tool: 'review', args: { branch: 'held', verdict: 'pass', reason: 'not mine' }, says: /^pass/ },
  { tool: 'restore', args: { branch: 'main', at: '-1ms' }, says: /rows changed/ },
  { tool: 'fork', args: { name: 'gone' }, says: /^forked/ },
  { tool: 'discard', args: { branch: 'gone' }, says: /^discarded gone/ },
];
