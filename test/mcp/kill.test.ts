/** kill -9 at any moment: everything that `svc mcp` has acknowledged is there at the next opening, which works at once. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { Random } from '../suite/random.ts';
import { MAIN } from './clients.ts';

const ROUNDS = Number(process.env['SVC_KILL_ROUNDS'] ?? 6);

test(`${ROUNDS} times at random moments`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kill-'));
  const random = new Random(Date.now());
  /** Rows and branches that were acknowledged. */
  const rows = new Map<string, number>();
  const branches = new Set<string>();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, [MAIN, 'mcp', folder, '--allow-merge']);
      let rest = '';
      let id = 0;
      const asked = new Map<number, () => void>();
      const ask = (name: string, args: object, acknowledged: () => void): void => {
        asked.set(++id, acknowledged);
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`);
      };
      const more = (): void => {
        const n = round * 100_000 + id;
        const key = `k${n % 50}`;
        if (id % 7 === 6) ask('fork', { name: `w${n}` }, () => branches.add(`w${n}`));
        else if (id % 2 === 1) ask('put', { table: 'docs', id: key, record: { n } }, () => rows.set(key, Math.max(n, rows.get(key) ?? 0)));
        else ask('sql', { sql: `CREATE TABLE IF NOT EXISTS nums (n int PRIMARY KEY); INSERT INTO nums VALUES (${n})` }, () => rows.set(`#${n}`, n));
      };
      let answered!: () => void;
      const first = new Promise<void>((resolve) => (answered = resolve));
      child.stdin.on('error', () => {});
      child.stdout.on('data', (chunk: Buffer) => {
        rest += chunk.toString();
        const lines = rest.split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          answered();
          const { id: of, result } = JSON.parse(line) as { id: number; result: { isError?: boolean; content: { text: string }[] } };
          if (result.isError === true) throw new Error(result.content[0].text);
          asked.get(of)!();
          more();
        }
      });
      for (let i = 0; i < 4; i++) more();
      const exited = new Promise((resolve) => child.once('exit', resolve));
      // From before it has opened to the middle of its work.
      if (round % 3 !== 0) await first;
      await new Promise((resolve) => setTimeout(resolve, random.next() * 1500));
      child.kill('SIGKILL');
      await exited;
      const db = await open(folder);
      const names = new Set((await db.branches()).branches.map(({ name }) => name));
      for (const name of branches) expect(names).toContain(name);
      for (const [key, n] of rows) {
        if (key.startsWith('#')) expect((await db.sql({ sql: `SELECT 1 FROM nums WHERE n = ${n}` })).results[0].rows, key).toHaveLength(1);
        else expect((await db.get({ table: 'docs', id: key })).row['n'], key).toBeGreaterThanOrEqual(n);
      }
      await db.verify();
      await db.close();
    }
    expect(rows.size + branches.size).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
