/**
 * The SQL port against Postgres 15, side by side: pgbench's own workloads, COPY and large results. Both servers are
 * processes of their own, reached by TCP on the loopback, with fsync on; each figure is taken of one and then of the
 * other, so that what else the machine does meanwhile falls on both.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Postgres } from './postgres.ts';
import { median, perSecond, type Report, times } from './report.ts';
import { Served } from './served.ts';

const run = promisify(execFile);
const SECONDS = 3;
const ROUNDS = 3;
const SCALE = 10;
const COPY_ROWS = 1_000_000;

interface Target {
  readonly name: string;
  /** An address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Process id whose memory is measured; 0 for none. */
  readonly pid: number;
}

function at({ host, port, user, database }: Target): string[] {
  return ['-h', host, '-p', String(port), '-U', user, database];
}

async function pgbench(target: Target, args: string[]): Promise<number> {
  const { stdout } = await run('pgbench', ['-n', '-T', String(SECONDS), ...args, ...at(target)]);
  return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
}

async function psql(target: Target, ...commands: string[]): Promise<void> {
  await run('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...commands.flatMap((command) => ['-c', command]), ...at(target)]);
}

/** Milliseconds until a query's or COPY's last byte; nothing is kept. `pause` reads nothing for so long in the middle. */
export async function drain({ port, user, database }: Target, sql: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`, 'latin1');
  const head = Buffer.alloc(4);
  head.writeInt32BE(body.length + 4);
  const ready = (): Promise<void> =>
    new Promise((done, reject) => {
      socket.on('data', function take(chunk: Buffer) {
        // ReadyForQuery is the last of a reply.
        if (chunk.length >= 6 && chunk.toString('latin1', chunk.length - 6, chunk.length - 1) === 'Z\0\0\0\x05') {
          socket.off('data', take);
          done();
        }
      });
      socket.once('close', () => reject(new Error('the connection was closed')));
    });
  socket.write(Buffer.concat([head, body]));
  await ready();
  const text = Buffer.from(`${sql}\0`);
  const query = Buffer.alloc(5);
  query.write('Q', 0, 'latin1');
  query.writeInt32BE(text.length + 4, 1);
  const begun = performance.now();
  socket.write(Buffer.concat([query, text]));
  await ready();
  const took = performance.now() - begun;
  socket.destroy();
  return took;
}

export async function benchPgbench(report: Report, folder: string): Promise<void> {
  if (!Postgres.installed) {
    report.section('SQL port', 'Postgres 15 is not installed here.');
    return;
  }
  const postgres = await Postgres.start({ tcp: true });
  const served = await Served.start(join(folder, 'pgbench'));
  const svc: Target = { name: 'svc', host: '127.0.0.1', port: served.port, user: 'bench', database: 'main', pid: served.process.pid! };
  const pg: Target = { name: 'Postgres', host: '127.0.0.1', port: postgres.port, user: 'bench', database: 'postgres', pid: 0 };
  report.section(
    'SQL port',
    `pgbench at scale ${SCALE}, ${SECONDS} s a run, median of ${ROUNDS}; COPY and results of 1 M rows × 5 columns. svc's figure, with its share of Postgres 15's in the same run.`,
  );
  try {
    const init = await both(pg, svc, (target) => time(() => run('pgbench', ['-i', '-q', '-s', String(SCALE), ...at(target)])));
    report.row(`pgbench -i -s ${SCALE}, against Postgres`, `${(init.svc / 1000).toFixed(2)} s, ${times(init.svc / init.pg)}`, '≤ 2 ×');
    for (const [what, args, goal] of WORKLOADS) {
      const rates = await both(pg, svc, (target) => pgbench(target, args));
      report.row(what, `${perSecond(rates.svc)}, ${times(rates.svc / rates.pg)}`, goal);
    }
    for (const [what, args] of PREPARED) {
      const rates = await both(pg, svc, (target) => pgbench(target, [...args, ...TWO_THREADS]));
      report.row(`… in two threads: ${what}`, `${perSecond(rates.svc)}, ${times(rates.svc / rates.pg)}`, '');
    }
    const [pgLocal, svcLocal]: Target[] = [
      { ...pg, host: postgres.socketFolder },
      { ...svc, host: join(folder, 'pgbench') },
    ];
    for (const [what, args] of PREPARED) {
      const rates = await both(pgLocal, svcLocal, (target) => pgbench(target, args));
      report.row(`… by Unix sockets: ${what}`, `${perSecond(rates.svc)}, ${times(rates.svc / rates.pg)}`, '');
    }
    // All transactions change the one branch of pgbench's own scale.
    for (const target of [pg, svc]) await run('pgbench', ['-i', '-q', ...at(target)]);
    for (const [what, args] of PREPARED.filter(([each]) => each.startsWith('TPC-B'))) {
      const rates = await both(pg, svc, (target) => pgbench(target, args));
      report.row(`… at scale 1: ${what}`, `${perSecond(rates.svc)}, ${times(rates.svc / rates.pg)}`, '');
    }
    await benchCopy(report, folder, pg, svc);
  } finally {
    await served.stop();
    await postgres.stop();
  }
}

const WORKLOADS: readonly (readonly [what: string, args: string[], goal: string])[] = [
  ['-S -M prepared, 2 clients', ['-S', '-M', 'prepared', '-c', '2'], '≥ 1.2 ×'],
  ['-S -M prepared, 16 clients', ['-S', '-M', 'prepared', '-c', '16'], '≥ 1.2 ×'],
  ['-S -M extended, 16 clients', ['-S', '-M', 'extended', '-c', '16'], ''],
  ['-S -M simple, 16 clients', ['-S', '-M', 'simple', '-c', '16'], ''],
  ['TPC-B -M prepared, 2 clients', ['-M', 'prepared', '-c', '2'], '≥ 1 ×'],
  ['TPC-B -M prepared, 16 clients', ['-M', 'prepared', '-c', '16'], '≥ 1.5 ×'],
];

const PREPARED = WORKLOADS.filter(([, args]) => args.includes('prepared'));

/** Clients in two threads (pgbench's default is one) leave the server less of two cores. */
const TWO_THREADS = ['-j', '2'];

/** Medians of figures that are taken of one and the other in turn. */
async function both(pg: Target, svc: Target, figure: (target: Target) => Promise<number>, rounds = ROUNDS): Promise<{ pg: number; svc: number }> {
  const figures: { pg: number[]; svc: number[] } = { pg: [], svc: [] };
  for (let round = 0; round < rounds; round++) {
    figures.pg.push(await figure(pg));
    figures.svc.push(await figure(svc));
  }
  return { pg: median(figures.pg), svc: median(figures.svc) };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function benchCopy(report: Report, folder: string, pg: Target, svc: Target): Promise<void> {
  const files = { text: join(folder, 'copy.tsv'), csv: join(folder, 'copy.csv') };
  const lines = { text: [] as string[], csv: [] as string[] };
  for (let i = 0; i < COPY_ROWS; i++) {
    const cells = [i, `name of ${i * 7919}`, (i * 1.25).toFixed(2), `2024-0${1 + (i % 9)}-${10 + (i % 18)} 10:20:30`, i % 3 === 0 ? 't' : 'f'];
    lines.text.push(`${cells.join('\t')}\n`);
    lines.csv.push(`${cells.join(',')}\n`);
  }
  for (const format of ['text', 'csv'] as const) writeFileSync(files[format], lines[format].join(''));
  for (const target of [pg, svc]) await psql(target, 'CREATE TABLE copied (id int PRIMARY KEY, name text, price numeric(12,2), at timestamp, flag bool)');
  const per = (rate: { pg: number; svc: number }): string => `${perSecond((COPY_ROWS * 1000) / rate.svc)} rows, ${times(rate.pg / rate.svc)}`;
  for (const format of ['text', 'csv'] as const) {
    const copied = await both(
      pg,
      svc,
      async (target) => {
        await psql(target, 'TRUNCATE copied');
        return time(() => psql(target, `\\copy copied FROM '${files[format]}' (FORMAT ${format})`));
      },
      2,
    );
    report.row(`COPY FROM STDIN, ${format}, with a primary key`, per(copied), '≥ 0.5 ×');
  }
  for (const sql of [
    'COPY copied TO STDOUT',
    'COPY copied TO STDOUT (FORMAT csv)',
    'COPY copied TO STDOUT (FORMAT binary)',
    'SELECT * FROM copied',
    'SELECT id FROM copied',
  ]) {
    const taken = await both(pg, svc, (target) => drain(target, sql));
    report.row(sql, per(taken), '');
  }
}
