/**
 * Attaching a table of a million rows beside pg_dump into another database of the same server, writing 10,000 rows back, and refreshes. Processor time
 * is of svc's process, and of the programs and the server where Postgres copies for itself: the machine may be busy.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Database, open } from '../../src/database.ts';
import { OWNER } from '../../src/session/principal.ts';
import { Postgres } from './postgres.ts';
import { ms, perSecond, type Report, times } from './report.ts';

const CHANGED = 10_000;
const REFRESHED = 100_000;

/** As a table of orders has it: two numbers, an amount, a text, a moment, a flag and a document. */
const TABLE = `CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL, amount numeric(10,2) NOT NULL, note text, placed timestamptz NOT NULL, paid boolean NOT NULL, extra jsonb)`;

const filled = (rows: number): string =>
  `INSERT INTO orders SELECT i, i % 5000, i * 0.37, 'order number ' || i, timestamptz '2024-01-01 00:00+00' + i * interval '7 seconds', i % 3 = 0, jsonb_build_object('n', i, 'tag', 't' || i % 50)
    FROM generate_series(1, ${rows}) AS i`;

interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function took(work: () => Promise<unknown>): Promise<Took> {
  const begun = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

const shown = ({ wallMs, cpuMs }: Took): string => `${ms(wallMs)}, ${ms(cpuMs)} of processor time`;

/** Processor time of a process and of its children that have ended, in milliseconds. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticks = Number(execFileSync('getconf', ['CLK_TCK']).toString());
  return ([11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) * 1000) / ticks;
}

/** A pipeline of programs that reads the tables into another database, with the processor time of all. */
function copied(postgres: Postgres, database: string, pipeline: string): Took {
  postgres.psql(`CREATE DATABASE ${database}`);
  const before = processorMs(postgres.pid);
  const begun = performance.now();
  const script = `set -o pipefail; TIMEFORMAT='%U %S'; { time (${pipeline}) > /dev/null 2>&1; } 2>&1`;
  const times = execFileSync('bash', ['-c', script], { env: { ...process.env, PATH: `${Postgres.bin}:${process.env['PATH'] ?? ''}` } }).toString();
  const wallMs = performance.now() - begun;
  const ofPrograms =
    times
      .trim()
      .split(' ')
      .reduce((sum, seconds) => sum + Number(seconds), 0) * 1000;
  return { wallMs, cpuMs: ofPrograms + processorMs(postgres.pid) - before };
}

export async function benchAttach(report: Report, folder: string, rows: number): Promise<void> {
  report.section(
    'Attach',
    `A table of ${rows.toLocaleString('en-US')} rows with 7 columns, one of them jsonb, in Postgres 15 on the same machine (${availableParallelism()} cores).`,
  );
  if (!Postgres.installed) {
    report.row('SKIPPED: Postgres 15 is not installed', '', '');
    return;
  }
  const postgres = await Postgres.start({ tcp: true });
  try {
    postgres.psql(TABLE);
    postgres.psql(filled(rows));
    postgres.psql('VACUUM ANALYZE orders');
    const db = await open(join(folder, 'attach'), { attachUrl: `postgres://bench@127.0.0.1:${postgres.port}/postgres` });
    try {
      await benchCopy(report, postgres, db, rows);
      await benchWriteBack(report, postgres, db);
      await benchRefresh(report, postgres, db, rows);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function benchCopy(report: Report, postgres: Postgres, db: Database, rows: number): Promise<void> {
  const attached = await took(() => db.postgres.attach({ tables: ['orders'], masks: [] }, OWNER));
  report.row('svc: attach', shown(attached));
  report.row(
    'svc: attach, rows by time and by processor time',
    `${perSecond((rows / attached.wallMs) * 1000)}, ${perSecond((rows / attached.cpuMs) * 1000)}`,
    '100,000 /s',
  );
  const at = postgres.at().join(' ');
  const peers: readonly [string, string, string][] = [
    ['pg_dump into psql', 'plain', `pg_dump ${at} | psql -X -q ${postgres.at('plain').join(' ')}`],
    ['pg_dump -Fc into pg_restore', 'custom', `pg_dump -Fc ${at} | pg_restore ${postgres.at('custom').join(' ')}`],
  ];
  for (const [name, database, pipeline] of peers) {
    const peer = copied(postgres, database, pipeline);
    report.row(name, shown(peer), 'processor time with that of its server');
    report.row(`svc: attach takes, of ${name}`, `${times(attached.wallMs / peer.wallMs)}, ${times(attached.cpuMs / peer.cpuMs)} of processor time`);
  }
}

async function benchWriteBack(report: Report, postgres: Postgres, db: Database): Promise<void> {
  // What was attached is in the page store before anything else is measured.
  await db.flush();
  await db.fork({ name: 'paid' });
  await db.sql({ branch: 'paid', sql: `UPDATE orders SET amount = amount + 1, note = note || '!' WHERE id <= ${CHANGED}` });
  const merged = await took(() => db.merge({ branch: 'paid' }));
  report.row(`svc: merge of ${CHANGED.toLocaleString('en-US')} rows, committed on both sides`, shown(merged), '1000 ms');
  const [count] = postgres.psql(`SELECT count(*) FROM orders WHERE note LIKE '%!'`).trim().split('\n');
  if (Number(count) !== CHANGED) throw new Error(`Postgres has ${count} changed rows`);
}

async function benchRefresh(report: Report, postgres: Postgres, db: Database, rows: number): Promise<void> {
  report.row('svc: refresh, nothing changed', shown(await took(() => db.refresh_attachment({}))));
  postgres.psql(`UPDATE orders SET amount = amount + 1 WHERE id % ${Math.ceil(rows / REFRESHED)} = 0`);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const refreshed = await took(() => db.refresh_attachment({}));
  loop.disable();
  report.row(`svc: refresh, ${REFRESHED.toLocaleString('en-US')} rows changed`, shown(refreshed));
  report.row('svc: longest turn of the event loop meanwhile', ms(loop.max / 1e6), '50 ms, of a quiet machine');
}
