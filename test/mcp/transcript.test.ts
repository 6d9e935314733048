/**
 * A whole task of an agent, from its first call to the approval by a person, as text: changes to what a model reads are
 * reviewed by people. Run with UPDATE=1 to rewrite the transcript.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { call, Opened } from './clients.ts';

const GOLDEN = join(import.meta.dirname, '../../fixtures/mcp/task.txt');

/** Moments and ids differ from run to run. */
function normal(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+(Z|\+00(:00)?)?/g, '<moment>')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b|\bw[0-9a-f]{16}\b/g, '<id>')
    .replaceAll(/ +\|/g, ' |')
    .replaceAll(/-{3,}/g, '---');
}

test('describe, fork, sql, diff, a merge that is refused, the review, the approval', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  const opened = new Opened();
  const db = await open(folder);
  try {
    await db.sql({
      sql: `CREATE TABLE items (id int PRIMARY KEY, name text NOT NULL, stock int, price numeric(8,2));
            INSERT INTO items VALUES (1, 'bolt', 5, 0.25), (2, 'nut', 7, 0.10), (3, 'washer', 0, 0.05)`,
    });
    await db.put({ table: 'notes', id: 'a', record: { text: 'count the bolts', tags: ['stock'] } });
    await db.set_merge_policy({ name: 'careful', rules: { max_rows: 2, max_deletes: 0, review_columns: ['items.price'] } });
    await db.set_merge_check({ name: 'stock', query: 'SELECT id, stock FROM items WHERE stock < 0', tables: ['items'] });
    await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful' });
    const agent = await opened.beside(db, { kind: 'agent', name: 'ann' });
    const person = await opened.beside(db, { kind: 'owner' });
    const parts: string[] = [`instructions\n${agent.getInstructions()}`, `tools\n${(await agent.listTools()).tools.map(({ name }) => name).join(' ')}`];
    const step = async (who: string, client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> => {
      const { text, failed } = await call(client, tool, args);
      parts.push(`${who} > ${tool} ${JSON.stringify(args)}\n${failed ? 'ERROR ' : ''}${normal(text)}`);
      return text;
    };
    const branch = 'restock';
    await step('ann', agent, 'describe');
    await step('ann', agent, 'put', { table: 'items', id: '3', record: {} });
    await step('ann', agent, 'fork', { name: branch, meta: { intent: 'restock and reprice' } });
    await step('ann', agent, 'sql', { branch, sql: 'UPDATE items SET stock = stock - 6 WHERE id < 3; DELETE FROM items WHERE id = 3' });
    await step('ann', agent, 'merge', { branch });
    await step('ann', agent, 'sql', { branch, sql: 'UPDATE items SET stock = 10, price = price * 2 WHERE id = 1' });
    const version = Number(/version (\d+)/.exec(await step('ann', agent, 'diff', { branch, readers: true }))![1]);
    await step('ann', agent, 'merge_preview', { branch });
    await step('ann', agent, 'merge', { branch, version: version - 1 });
    await step('ann', agent, 'merge', { branch, version });
    await step('ann', agent, 'reviews');
    await step('ann', agent, 'review', { branch, verdict: 'approve' });
    await step('person', person, 'diff', { branch, as_sql: true });
    await step('person', person, 'review', { branch, verdict: 'approve', reason: 'prices were agreed' });
    await step('ann', agent, 'diff', { branch });
    await step('ann', agent, 'sql', { sql: 'SELECT * FROM items ORDER BY id' });
    await step('ann', agent, 'history', { limit: 3 });
    await step('ann', agent, 'sql', { sql: 'SHOW AUDIT FOR AGENT ann' });
    const transcript = `${parts.join('\n\n')}\n`;
    if (process.env['UPDATE'] === '1') writeFileSync(GOLDEN, transcript);
    expect(transcript).toBe(readFileSync(GOLDEN, 'utf8'));
  } finally {
    await opened.close();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
