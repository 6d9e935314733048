/** pgbench's TPC-B under READ COMMITTED: no transaction fails at any number of clients, and all sums agree. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POSTGRES_BIN } from '../../postgres-bin.ts';
import { serve, type Served } from '../../wire/open-server.ts';
import { rows, WireClient } from '../../wire/wire-client.ts';

const PGBENCH = ['/usr/bin/pgbench', join(POSTGRES_BIN, 'pgbench')].find((path) => existsSync(path));

function pgbench(port: number, args: readonly string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const run = spawn(PGBENCH!, ['-h', '127.0.0.1', '-p', String(port), '-U', 'tester', ...args, 'main'], { env: { ...process.env, LC_ALL: 'C' } });
    let text = '';
    run.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    run.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    run.once('error', reject);
    run.once('close', (code) => resolve({ code, text }));
  });
}

describe.skipIf(PGBENCH === undefined)('TPC-B of pgbench (needs pgbench)', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
    // Data of the bench's own form, made small: its ten tellers and one branch are what clients meet at.
    const client = await WireClient.login(served.port);
    for (const sql of [
      'CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88))',
      'CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int REFERENCES pgbench_branches, tbalance int, filler char(84))',
      'CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int REFERENCES pgbench_branches, abalance int, filler char(84))',
      'CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))',
      'INSERT INTO pgbench_branches VALUES (1, 0)',
      'INSERT INTO pgbench_tellers SELECT g, 1, 0 FROM generate_series(1, 10) g',
      'INSERT INTO pgbench_accounts SELECT g, 1, 0 FROM generate_series(1, 100000) g',
    ])
      await client.query(sql);
    client.quit();
  });
  afterAll(async () => {
    expect(served.faults).toEqual([]);
    await served.close();
  });

  let done = 0;
  for (const mode of ['simple', 'prepared']) {
    for (const clients of [1, 2, 8, 16]) {
      test(`${clients} clients, ${mode} protocol`, async () => {
        const each = Math.ceil(60 / clients);
        const { code, text } = await pgbench(served.port, ['-n', '-s', '1', '-M', mode, '-c', String(clients), '-j', '2', '-t', String(each)]);
        expect(text).toContain('number of failed transactions: 0 (0.000%)');
        expect(text).toContain(`number of transactions actually processed: ${clients * each}/${clients * each}`);
        expect(code).toBe(0);
        done += clients * each;
        const client = await WireClient.login(served.port);
        const [[accounts, tellers, branches, history, count]] = rows(
          await client.query(
            'SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM pgbench_tellers), (SELECT sum(bbalance) FROM pgbench_branches), (SELECT sum(delta) FROM pgbench_history), (SELECT count(*) FROM pgbench_history)',
          ),
        );
        expect([tellers, branches, history]).toEqual([accounts, accounts, accounts]);
        expect(Number(count)).toBe(done);
        expect(rows(await client.query('SELECT count(*) FROM pg_locks'))).toEqual([['0']]);
        client.quit();
      });
    }
  }
});
