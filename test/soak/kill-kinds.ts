/**
 * The real server, killed in the middle of one kind of work after another. Whatever the moment: the folder opens, what was acknowledged is
 * there, and the work is there whole or not at all.
 *
 *     state before ── work begins ── kill -9 ── open ── state: as before, or as after all of the work; as after it where it was acknowledged
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorOf, frame, rows, WireClient } from '../wire/wire-client.ts';
import { FloodedServer } from './floods.ts';

const ROWS = 4000;
const PATIENCE_MS = 30_000;
const COPY_ROWS = 20_000;
const BRANCH_ROWS = 500;
const LARGE_BYTES = 4_000_000;
/** Most of the work takes about as long. */
const WORK_MS = 120;

type Row = readonly (string | null)[];

interface Kind {
  readonly name: string;
  /** Statements that are acknowledged before the work. */
  readonly before?: (n: number) => readonly string[];
  readonly work: (client: WireClient, n: number, folder: string) => Promise<void>;
  /** One row that says what the work changes. */
  readonly state: (n: number) => string;
  /** That row after the work; `earlier` is that of before `before`. */
  readonly after: (was: Row, n: number, earlier: Row) => Row;
}

/** A failure of the server's own, not of a connection that a kill has closed. */
class Refused extends Error {}

async function must(client: WireClient, ...statements: string[]): Promise<void> {
  for (const sql of statements) {
    const reply = await client.query(sql);
    if (!reply.some(({ type }) => type === 'E')) continue;
    const { C, M } = errorOf(reply);
    // The server is going.
    if (C !== '57P01') throw new Refused(`${sql}: ${C} ${M}`);
  }
}

const statements =
  (...all: ((n: number, folder: string) => string)[]): Kind['work'] =>
  (client, n, folder) =>
    must(client, ...all.map((sql) => sql(n, folder)));

async function copy(client: WireClient, n: number): Promise<void> {
  client.send(frame('Q', 'COPY item (id, v) FROM STDIN'));
  await client.until('G');
  for (let from = 1; from <= COPY_ROWS; from += 1000)
    client.send(
      frame('d', Buffer.from(Array.from({ length: 1000 }, (_, i) => `${n}00000`.replace(/0{5}$/, String(from + i).padStart(5, '0')) + `\t${n}\n`).join(''))),
    );
  client.send(frame('c'));
  const reply = await client.until('Z');
  if (reply.some(({ type }) => type === 'E')) throw new Refused(`COPY: ${errorOf(reply)['M']}`);
}

const MAIN = 'SELECT count(*), sum(v), max(w) FROM item';
const plus = (text: string | null, by: number): string => String(Number(text) + by);
const same = (was: Row): Row => was;
const branch = (n: number): string[] => [
  `CREATE WORLD k${n}`,
  `USE WORLD k${n}`,
  'UPDATE item SET v = v + 1',
  `INSERT INTO item SELECT g, ${n} FROM generate_series(${n}00001, ${n}00000 + ${BRANCH_ROWS}) g`,
  'USE WORLD main',
];

export const KILL_KINDS: readonly Kind[] = [
  {
    name: 'merge',
    before: branch,
    work: statements((n) => `MERGE WORLD k${n}`),
    state: () => MAIN,
    after: ([count, sum, w], n) => [plus(count, BRANCH_ROWS), plus(sum, Number(count) + BRANCH_ROWS * n), w],
  },
  {
    name: 'undo of a merge',
    before: (n) => [...branch(n), `MERGE WORLD k${n}`],
    work: statements((n) => `UNDO MERGE k${n}`),
    state: () => MAIN,
    after: (_was, _n, earlier) => earlier,
  },
  {
    name: 'rebase',
    before: (n) => [
      `CREATE WORLD k${n}`,
      `USE WORLD k${n}`,
      'DELETE FROM item WHERE id % 3 = 0',
      'USE WORLD main',
      'UPDATE item SET v = v + 1 WHERE id % 3 = 1',
    ],
    work: statements((n) => `REBASE WORLD k${n}`),
    state: (n) => `SELECT count(*), sum(v), count(*) FILTER (WHERE id % 3 = 1) FROM item AS OF WORLD 'k${n}'`,
    after: ([count, sum, changed]) => [count, plus(sum, Number(changed)), changed],
  },
  {
    name: 'restore',
    before: (n) => [`CHECKPOINT p${n} ON WORLD main`, 'UPDATE item SET v = v + 7', 'DELETE FROM item WHERE id % 50 = 0'],
    work: statements((n) => `RESTORE WORLD main TO CHECKPOINT p${n}`),
    state: () => MAIN,
    after: (_was, _n, earlier) => earlier,
  },
  {
    name: 'COPY',
    work: copy,
    state: (n) => `SELECT count(*), coalesce(sum(v), 0) FROM item WHERE id BETWEEN ${n}00000 AND ${n}99999`,
    after: (_was, n) => [String(COPY_ROWS), String(COPY_ROWS * n)],
  },
  {
    name: 'a large update',
    work: statements(() => "UPDATE item SET v = v + 1, w = w || '1'"),
    state: () => 'SELECT count(*), sum(v), sum(length(w)) FROM item',
    after: ([count, sum, lengths]) => [count, plus(sum, Number(count)), plus(lengths, Number(count))],
  },
  {
    name: 'CREATE INDEX',
    work: statements((n) => `CREATE INDEX item_v${n} ON item (v, w)`),
    state: (n) => `SELECT count(*), (SELECT count(*) FROM pg_indexes WHERE indexname = 'item_v${n}') FROM item WHERE v > -1`,
    after: ([count]) => [count, '1'],
  },
  {
    name: 'definitions',
    work: statements((n) => `BEGIN; CREATE TABLE made${n} (a int); ALTER TABLE item ADD COLUMN d${n} int DEFAULT 3; INSERT INTO made${n} VALUES (1); COMMIT`),
    state: (n) => `SELECT count(*) FILTER (WHERE attname = 'd${n}'), to_regclass('made${n}') IS NOT NULL FROM pg_attribute WHERE attrelid = 'item'::regclass`,
    after: () => ['1', 't'],
  },
  {
    name: 'large objects',
    work: statements((n) => `SELECT lo_from_bytea(${n}00000, decode(repeat('ab', ${LARGE_BYTES}), 'hex'))`),
    state: (n) => `SELECT coalesce(sum(length(data)), 0) FROM pg_largeobject WHERE loid = ${n}00000`,
    after: () => [String(LARGE_BYTES)],
  },
  { name: 'checkpoint', before: () => ['UPDATE item SET v = v + 1'], work: statements(() => 'CHECKPOINT'), state: () => MAIN, after: same },
  {
    name: 'retention',
    before: () => ['UPDATE item SET v = v + 1', 'UPDATE item SET v = v - 1'],
    work: statements(
      () => 'ALTER SYSTEM SET history_retention = 0',
      () => 'CHECKPOINT',
    ),
    state: () => MAIN,
    after: same,
  },
  { name: 'backup', work: statements((n, folder) => `BACKUP TO '${folder}.b${n}'`), state: () => MAIN, after: same },
  {
    name: 'simulation',
    work: statements((n) => `SIMULATE 20 WORLDS AS s${n} SCRIPT 'UPDATE item SET v = v + $1 WHERE id < 100' SCORE 'SELECT sum(v) FROM item' KEEP 5`),
    state: (n) => `SELECT count(*) FROM pg_database WHERE datname LIKE 's${n}\\_%'`,
    after: () => ['5'],
  },
];

export interface KindReport {
  readonly kind: string;
  kills: number;
  acknowledged: number;
  done: number;
}

/** Each kind in turn until the kills are used up; `moment` of the n-th kill, in parts of the time that work mostly takes. */
export async function killKinds(main: string, kills: number, say: (text: string) => void, moment: (n: number) => number = Math.random): Promise<KindReport[]> {
  const root = mkdtempSync(join(tmpdir(), 'svc-kill-kinds-'));
  const folder = join(root, 'data');
  const reports = KILL_KINDS.map(({ name }): KindReport => ({ kind: name, kills: 0, acknowledged: 0, done: 0 }));
  let server = await FloodedServer.start(main, {}, [], folder);
  try {
    let client = await login(server);
    await must(client, "CREATE TABLE item (id bigint PRIMARY KEY, v int NOT NULL, w text NOT NULL DEFAULT 'w')", 'CREATE INDEX item_w ON item (w, v)');
    await must(client, `INSERT INTO item SELECT g, g % 100 FROM generate_series(1, ${ROWS}) g`);
    for (let n = 1; n <= kills; n++) {
      const at = (n - 1) % KILL_KINDS.length;
      const { name, before = () => [], work, state, after } = KILL_KINDS[at];
      const where = `kill ${n}, ${name}`;
      const earlier = name === 'undo of a merge' || name === 'restore' ? await only(client, state(n)) : [];
      await must(client, ...before(n));
      const was = await only(client, state(n));
      let acknowledged = false;
      let refused: unknown = null;
      const working = work(client, n, folder).then(
        () => {
          acknowledged = true;
        },
        (error: unknown) => {
          if (error instanceof Refused) refused = error;
        },
      );
      await Promise.race([working, new Promise((resolve) => setTimeout(resolve, moment(n) * WORK_MS))]);
      await server.kill();
      await working;
      if (refused !== null) throw refused;
      server = await FloodedServer.start(main, {}, [], folder);
      client = await login(server);
      const is = await only(client, state(n));
      const whole = after(was, n, earlier);
      const done = is.join() === whole.join();
      if (!done && is.join() !== was.join()) throw new Error(`${where}: ${is.join()} is neither as before (${was.join()}) nor as after (${whole.join()})`);
      if (!done && acknowledged) throw new Error(`${where}: acknowledged, and as before (${was.join()})`);
      // What an index finds is what the table holds.
      const [[byKey, byIndex]] = rows(await client.query('SELECT (SELECT count(*) FROM item WHERE id > 0), (SELECT count(*) FROM item WHERE v > -1000000)'));
      if (byKey !== byIndex) throw new Error(`${where}: ${byKey} rows by key, ${byIndex} by index`);
      await must(client, "ALTER SYSTEM SET history_retention = '1 hour'");
      const report = reports[at];
      report.kills++;
      if (acknowledged) report.acknowledged++;
      if (done) report.done++;
      say(`  ${where}: ${acknowledged ? 'acknowledged' : 'not acknowledged'}, ${done ? 'whole' : 'as before'}`);
    }
    return reports;
  } finally {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function login(server: FloodedServer): Promise<WireClient> {
  const client = await WireClient.login(server.port);
  client.patience = PATIENCE_MS;
  return client;
}

async function only(client: WireClient, sql: string): Promise<Row> {
  const reply = await client.query(sql);
  if (reply.some(({ type }) => type === 'E')) throw new Refused(`${sql}: ${JSON.stringify(errorOf(reply))}`);
  return rows(reply)[0];
}
