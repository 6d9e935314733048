/**
 * The real server, killed while it is written to, again and again. The client keeps a ledger of what was
 * acknowledged; after each start every acknowledged write must be there, and what is there beyond it must be
 * what was sent. Now and then the page cache is deleted, and the answers must be the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Post, SqlClient } from './sql-client.ts';

export interface KillLoopReport {
  rounds: number;
  acknowledged: number;
  acknowledgedBySql: number;
  slowestOpenMs: number;
  flagged: number;
}

const KEYS = 200;

export async function killLoop(main: string, rounds: number, say: (text: string) => void): Promise<KillLoopReport> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kill-'));
  /** Last acknowledged value of each key, and the values sent since. */
  const ledger = new Map<string, { acknowledged: number; sent: number[] }>();
  const report: KillLoopReport = { rounds: 0, acknowledged: 0, acknowledgedBySql: 0, slowestOpenMs: 0, flagged: 0 };
  const sqlClient = new SqlClient();
  let value = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      const { child, base } = await start(main, folder);
      report.slowestOpenMs = Math.max(report.slowestOpenMs, performance.now() - begun);
      const post = posting(base);
      await check(post, ledger, round);
      await sqlClient.check(post, round);
      if (round > 0) {
        // A branch written in the run that was killed is flagged, and cannot be merged unseen.
        const { branches } = (await post('branches', {})) as { branches: { name: string; flagged: boolean }[] };
        for (const { name, flagged } of branches) {
          if (!name.startsWith('b')) continue;
          if (flagged) {
            report.flagged++;
            const refused = (await post('merge', { branch: name })) as { error?: { code: string } };
            if (refused.error?.code !== '55000') throw new Error(`round ${round}: flagged ${name} was merged without a review: ${JSON.stringify(refused)}`);
          }
          await post('discard', { branch: name });
        }
      }
      await post('fork', { name: `b${round}` });
      await post('put', { branch: `b${round}`, table: 't', id: 'x', record: { n: round } });
      let alive = true;
      const writers = Array.from({ length: 8 }, async (_, w) => {
        while (alive) {
          const key = `k${(w * 31 + Math.floor(Math.random() * KEYS)) % KEYS}-${w}`;
          const n = ++value;
          const entry = ledger.get(key) ?? { acknowledged: 0, sent: [] };
          ledger.set(key, entry);
          entry.sent.push(n);
          try {
            const reply = await post('put', { table: 't', id: key, record: { n, text: `value ${n}` } });
            if (reply['ok'] !== true) throw new Error(JSON.stringify(reply));
            entry.acknowledged = n;
            entry.sent = entry.sent.filter((each) => each > n);
            report.acknowledged++;
          } catch {
            // The server is dead: this write may or may not be there.
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }
      });
      const bySql = (async () => {
        while (alive && (await sqlClient.write(post)));
      })();
      // Seen below, once the server is gone.
      bySql.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 200));
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      alive = false;
      await gone;
      await Promise.all([...writers, bySql]);
      report.acknowledgedBySql = sqlClient.acknowledged;
      report.rounds++;
      if (round % 7 === 6 && existsSync(join(folder, 'cache'))) rmSync(join(folder, 'cache'), { recursive: true });
      if (round % 20 === 19)
        say(`  ${round + 1} rounds, ${report.acknowledged} acknowledged writes, none lost; slowest start ${Math.round(report.slowestOpenMs)} ms`);
    }
    const { child, base } = await start(main, folder);
    const post = posting(base);
    await check(post, ledger, rounds);
    await sqlClient.check(post, rounds);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    if ((await gone) !== 0) throw new Error('the server did not close cleanly');
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(post: Post, ledger: Map<string, { acknowledged: number; sent: number[] }>, round: number): Promise<void> {
  const reply = (await post('find', { table: 't', limit: 10_000 })) as { hits?: { id: string; row: { n: number } }[]; error?: { code: string } };
  // Killed before its first write, the folder has no such table.
  if (reply.hits === undefined && reply.error?.code !== '42P01') throw new Error(`round ${round}: ${JSON.stringify(reply)}`);
  const { hits = [] } = reply;
  const found = new Map(hits.map(({ id, row }) => [id, row.n]));
  for (const [key, entry] of ledger) {
    const n = found.get(key) ?? 0;
    if (n !== entry.acknowledged && !entry.sent.includes(n)) {
      throw new Error(`round ${round}: ${key} is ${n}; acknowledged was ${entry.acknowledged}, sent and unanswered ${entry.sent.join(', ')}`);
    }
    entry.acknowledged = n;
    entry.sent = [];
  }
}

function posting(base: string): Post {
  return async (op, body) => {
    const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  };
}

function start(main: string, folder: string): Promise<{ child: ChildProcess; base: string }> {
  const child = spawn(process.execPath, [main, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /http:\/\/\S+/.exec(chunk.toString());
      if (url !== null) resolve({ child, base: url[0] });
    });
    child.once('exit', (code) => reject(new Error(`the server exited with ${code} instead of opening:\n${errors}`)));
  });
}
