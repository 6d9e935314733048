/** Programs as applications write them over npm's clients print the same over svc and over Postgres 15. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { program, run } from './client-programs.ts';
import { installed, programFolder, removeFolder } from './npm-clients.ts';

interface Client {
  readonly name: string;
  /** The folder of its programs. */
  readonly folder: string;
  readonly packages: readonly string[];
  /** Arguments of node that make what the programs need, run once. */
  readonly before?: readonly string[];
  /** Its programs, and how many lines each prints at least. */
  readonly programs: readonly (readonly [file: string, lines: number])[];
  /** Programs that Debian's Postgres cannot run, and the files with what they print. */
  readonly alone?: readonly (readonly [file: string, expected: string])[];
}

const CLIENTS: readonly Client[] = [
  {
    name: 'Prisma',
    folder: 'prisma',
    packages: ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/schema-engine-wasm', 'pg'],
    before: ['node_modules/prisma/build/index.js', 'generate'],
    programs: [
      ['engine.mjs', 290],
      ['program.mjs', 52],
    ],
  },
  { name: 'pg-boss', folder: 'pg-boss', packages: ['pg-boss'], programs: [['program.mjs', 20]] },
  { name: 'graphile-worker', folder: 'graphile-worker', packages: ['graphile-worker', 'pg'], programs: [['program.mjs', 12]] },
  { name: 'MikroORM', folder: 'mikro-orm', packages: ['@mikro-orm/core', '@mikro-orm/postgresql'], programs: [['program.mjs', 27]] },
  { name: 'better-auth', folder: 'better-auth', packages: ['better-auth', 'pg'], programs: [['program.mjs', 18]] },
  { name: 'postgres-meta', folder: 'postgres-meta', packages: ['@supabase/postgres-meta'], programs: [['program.mjs', 25]] },
  {
    name: 'LangGraph',
    folder: 'langgraph',
    packages: ['@langchain/core', '@langchain/langgraph', '@langchain/langgraph-checkpoint-postgres', 'pg'],
    programs: [['program.mjs', 12]],
    alone: [['vectors.mjs', 'vectors.txt']],
  },
  { name: 'DBOS', folder: 'dbos', packages: ['@dbos-inc/dbos-sdk', 'pg'], programs: [['program.mjs', 12]] },
  { name: 'pgtyped', folder: 'pgtyped', packages: ['@pgtyped/cli', 'pg'], programs: [['program.mjs', 250]] },
  { name: 'what PostgREST sends', folder: 'postgrest', packages: ['pg'], programs: [['program.mjs', 40]] },
];

/** Prisma looks for an engine to download unless a file is named; what runs here is the one in WebAssembly. */
const ENVIRONMENT = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1', NO_COLOR: '1' };

const psql = program('psql');
if (!PostgresServer.installed) process.stderr.write('SKIPPED: PostgreSQL 15 is not installed; clients of npm were not compared with it\n');
const found = CLIENTS.filter(({ packages }) => installed(...packages));

describe.skipIf(!PostgresServer.installed || psql === null || found.length === 0)('clients of npm', () => {
  let postgres: PostgresServer;
  let served: Served;
  beforeAll(async () => {
    [postgres, served] = await Promise.all([PostgresServer.start(), serve()]);
  });
  afterAll(async () => {
    await postgres?.stop();
    await served?.close();
  });

  async function output(port: number, at: string, folder: string, file: string): Promise<string> {
    const database = `${/\w+$/.exec(folder)![0].toLowerCase()}_${file.replace('.mjs', '')}`;
    const made = await run(psql!, ['-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'tester', '-d', at, '-c', `CREATE DATABASE "${database}"`]);
    expect(made.err).toBe('');
    const env = { ...ENVIRONMENT, PORT: String(port), DATABASE: database, USER: 'tester' };
    const { code, out, err } = await run(process.execPath, ['--no-warnings', join(folder, file)], '', env);
    expect(`${code} ${err}`).toBe('0 ');
    return out;
  }

  test.each(found)('$name', async ({ folder: client, before, programs, alone = [] }) => {
    const folder = programFolder(client);
    try {
      if (before !== undefined) {
        const { code, err } = await run('sh', ['-c', 'cd "$0" && exec "$@"', folder, process.execPath, ...before], '', ENVIRONMENT);
        expect(code, err).toBe(0);
      }
      for (const [file, lines] of programs) {
        const [expected, got] = await Promise.all([output(postgres.port, 'postgres', folder, file), output(served.port, 'main', folder, file)]);
        expect(got).toBe(expected);
        expect(expected.trimEnd().split('\n').length).toBeGreaterThanOrEqual(lines);
      }
      for (const [file, expected] of alone) expect(await output(served.port, 'main', folder, file)).toBe(readFileSync(join(folder, expected), 'utf8'));
    } finally {
      removeFolder(folder);
    }
  });
});
