/**
 * What clients ask of the catalogs, as it is recorded in fixtures/clients, at a thousand tables: svc and Postgres 15 side
 * by side, each a process of its own. A statement's figure is the least of some runs: the machine's other work only adds.
 */
import { join } from 'node:path';
import { ObjectNames, say } from '../clients/traces/replay.ts';
import { SCHEMA, traces } from '../clients/traces/trace.ts';
import { WireClient } from '../wire/wire-client.ts';
import { Postgres } from './postgres.ts';
import { ms, type Report } from './report.ts';
import { Served } from './served.ts';

const TABLES = 1000;
const RUNS = 5;
const GOAL_MS = 5;

/** Tables with keys, indexes, references, checks and comments; views, functions and sequences among them. */
export function catalogDefinitions(): string[] {
  const out: string[] = [];
  for (let i = 0; i < TABLES; i++) {
    const columns = Array.from(
      { length: 15 },
      (_, k) =>
        `c${k} ${['int', 'text', 'numeric(10,2)', 'timestamptz', 'varchar(40)'][k % 5]}${k % 4 === 0 ? ' NOT NULL DEFAULT ' + ['0', "''", '0', 'now()', "'x'"][k % 5] : ''}`,
    );
    out.push(
      `CREATE TABLE t${i} (id ${i % 3 === 0 ? 'serial' : 'int GENERATED ALWAYS AS IDENTITY'} PRIMARY KEY, ${columns.join(', ')}${i > 0 ? `, up int REFERENCES t${i - 1} (id)` : ''}, CONSTRAINT t${i}_c0 CHECK (c0 >= 0))`,
      `CREATE INDEX t${i}_c1 ON t${i} (lower(c1))`,
      `CREATE UNIQUE INDEX t${i}_c5 ON t${i} (c5, c0)`,
    );
    if (i % 10 === 0)
      out.push(
        `COMMENT ON TABLE t${i} IS 'table ${i}'`,
        `COMMENT ON COLUMN t${i}.c1 IS 'column'`,
        `CREATE VIEW v${i} AS SELECT id, c0, c1 FROM t${i} WHERE c0 > 0`,
      );
  }
  return out;
}

interface Figure {
  readonly client: string;
  readonly text: string;
  svc: number;
  postgres: number;
}

async function play(port: number, login: { user: string; database: string }, figures: Map<string, Figure>, which: 'svc' | 'postgres'): Promise<void> {
  for (const { client, objects, conversations } of traces()) {
    for (const conversation of conversations) {
      const connection = await WireClient.login(port, { ...conversation.startup, ...login });
      const names = await ObjectNames.of(connection);
      for (const [i, said] of conversation.said.entries()) {
        const begun = performance.now();
        const messages = await say(connection, said, objects, names);
        const took = performance.now() - begun;
        messages.length = 0;
        connection.messages.length = 0;
        const key = `${client}, ${conversation.name}, ${i}`;
        const figure = figures.get(key) ?? { client: key, text: said.text, svc: Infinity, postgres: Infinity };
        figures.set(key, figure);
        figure[which] = Math.min(figure[which], took);
      }
      connection.quit();
    }
  }
}

/** `DIFF WORLD … AS SQL` after one change: texts are made of what changed alone, but the definitions of both states are looked through. */
async function benchDifferences(report: Report, port: number, login: { user: string; database: string }): Promise<void> {
  const client = await WireClient.login(port, login);
  for (const [what, sql] of [
    ['nothing', 'SELECT 1'],
    ['a comment', "COMMENT ON TABLE t1 IS 'other'"],
    ['a column of another type', 'ALTER TABLE t1 ALTER COLUMN c3 TYPE text'],
    ['a table dropped, with its dependents', 'DROP TABLE t0 CASCADE'],
  ]) {
    await client.query(`CREATE WORLD branch; USE WORLD branch; ${sql}; USE WORLD main`);
    let least = Infinity;
    for (let run = 0; run < RUNS; run++) {
      const begun = performance.now();
      await client.query('DIFF WORLD branch AS SQL');
      least = Math.min(least, performance.now() - begun);
    }
    report.row(`DIFF … AS SQL, changed: ${what}`, ms(least));
    await client.query('DROP WORLD branch');
  }
  client.quit();
}

const DEFINED = 300;

/** What a migration or a test suite does for each of its tables: definitions, with catalog queries and row reads in between. */
function definedAndLooked(i: number): string[] {
  return [
    `CREATE TABLE w.d${i} (id serial PRIMARY KEY, name text NOT NULL DEFAULT 'x', v int CHECK (v > 0), up int ${i > 0 ? `REFERENCES w.d${i - 1}` : ''})`,
    `CREATE INDEX ON w.d${i} (name)`,
    `INSERT INTO w.d${i} (v) VALUES (1), (2)`,
    `SELECT count(*) FROM pg_class WHERE relname = 'd${i}'`,
    `ALTER TABLE w.d${i} ADD COLUMN extra jsonb`,
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'd${i}'`,
    `CREATE FUNCTION w.f${i}(a int) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM w.d${i} WHERE v > a); END'`,
    `SELECT w.f${i}(1)`,
  ];
}

/** Milliseconds of each table's statements. */
async function defineInTurns(port: number, login: { user: string; database: string }): Promise<number[]> {
  const client = await WireClient.login(port, login);
  await client.query('CREATE SCHEMA w');
  const took: number[] = [];
  for (let i = 0; i < DEFINED; i++) {
    const begun = performance.now();
    for (const sql of definedAndLooked(i)) await client.query(sql);
    took.push(performance.now() - begun);
  }
  client.quit();
  return took;
}

async function benchDefinitions(report: Report, folder: string, postgres: { readonly port: number }): Promise<void> {
  const served = await Served.start(join(folder, 'definitions'));
  try {
    const svc = await defineInTurns(served.port, { user: 'bench', database: 'main' });
    const other = await defineInTurns(postgres.port, { user: 'bench', database: 'postgres' });
    const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
    const name = `${DEFINED} tables defined, looked up, filled and called in turns`;
    report.row(name, ms(sum(svc)), `Postgres: ${ms(sum(other))}`);
    report.row('… of the last hundred, each', ms(sum(svc.slice(-100)) / 100), `Postgres: ${ms(sum(other.slice(-100)) / 100)}`);
  } finally {
    await served.stop();
  }
}

export async function benchCatalog(report: Report, folder: string): Promise<void> {
  if (!Postgres.installed) {
    report.section('Catalog', 'Postgres 15 is not installed here.');
    return;
  }
  const postgres = await Postgres.start({ tcp: true });
  const served = await Served.start(join(folder, 'catalog'));
  try {
    const definitions = [SCHEMA, ...catalogDefinitions()];
    const logins = { svc: { user: 'bench', database: 'main' }, postgres: { user: 'bench', database: 'postgres' } };
    const ports = { svc: served.port, postgres: postgres.port };
    for (const which of ['svc', 'postgres'] as const) {
      const client = await WireClient.login(ports[which], logins[which]);
      for (let i = 0; i < definitions.length; i += 100) await client.query(definitions.slice(i, i + 100).join(';\n'));
      client.quit();
    }
    const figures = new Map<string, Figure>();
    for (let run = 0; run < RUNS; run++) for (const which of ['svc', 'postgres'] as const) await play(ports[which], logins[which], figures, which);
    const all = [...figures.values()].toSorted((a, b) => b.svc - a.svc);
    report.section(
      'Catalog',
      `The ${all.length} recorded statements of clients at ${TABLES} tables; the least of ${RUNS} runs, until the last byte of the reply.`,
    );
    const slow = all.filter(({ svc }) => svc > GOAL_MS);
    report.row(
      `statements within ${GOAL_MS} ms`,
      `${all.length - slow.length} of ${all.length}`,
      `Postgres: ${all.filter((each) => each.postgres <= GOAL_MS).length}`,
    );
    const sum = (which: 'svc' | 'postgres'): number => all.reduce((total, each) => total + each[which], 0);
    report.row('all of them', ms(sum('svc')), `Postgres: ${ms(sum('postgres'))}`);
    for (const each of all.slice(0, Math.max(10, slow.length))) {
      report.row(`${each.client}: ${each.text.replaceAll(/\s+/g, ' ').replaceAll('|', '∣').slice(0, 60)}`, ms(each.svc), `Postgres: ${ms(each.postgres)}`);
    }
    await benchDifferences(report, served.port, logins.svc);
    await benchDefinitions(report, folder, postgres);
  } finally {
    await served.stop();
    await postgres.stop();
  }
}
