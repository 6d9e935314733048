/** Programs as applications write them with a framework's models print the same over svc and over Postgres 15. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { PROGRAMS, pythonWith } from './checked-program.ts';
import { program, run } from './client-programs.ts';

const FRAMEWORKS = [
  ['Django', await pythonWith('django, psycopg2'), join('django', 'program.py'), 78],
  ['ActiveRecord', await that('ruby', '-ractive_record', '-rpg', '-e', '1'), 'active_record.rb', 54],
  ['PDO', await that('php', '-r', 'exit(extension_loaded("pdo_pgsql") && extension_loaded("pgsql") ? 0 : 1);'), 'pdo.php', 15],
] as const;

if (!PostgresServer.installed) process.stderr.write('SKIPPED: PostgreSQL 15 is not installed; frameworks were not compared with it\n');

/** The program if it is available; null with a message on stderr. */
async function that(name: string, ...args: string[]): Promise<string | null> {
  const path = program(name);
  if (path === null || (await run(path, args)).code === 0) return path;
  process.stderr.write(`SKIPPED: ${name} lacks what it needs to speak to Postgres; its tests did not run\n`);
  return null;
}

describe.skipIf(!PostgresServer.installed)('frameworks', () => {
  let postgres: PostgresServer;
  let served: Served;
  beforeAll(async () => {
    [postgres, served] = await Promise.all([PostgresServer.start(), serve()]);
  });
  afterAll(async () => {
    await postgres.stop();
    await served.close();
  });

  test.each(FRAMEWORKS.filter(([, path]) => path !== null))('%s', async (name, path, file, lines) => {
    const psql = program('psql')!;
    const outputs: string[] = [];
    for (const [port, at] of [
      [postgres.port, 'postgres'],
      [served.port, 'main'],
    ] as const) {
      const database = name.toLowerCase();
      const own = ['-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'tester'];
      expect((await run(psql, [...own, '-d', at, '-c', `CREATE DATABASE ${database}`])).err).toBe('');
      const env = { PORT: String(port), DATABASE: database, USER: 'tester', PYTHONDONTWRITEBYTECODE: '1' };
      const { code, out, err } = await run(path!, [join(PROGRAMS, file)], '', env);
      expect(`${code} ${err}`).toBe('0 ');
      outputs.push(out);
    }
    expect(outputs[1]).toBe(outputs[0]);
    expect(outputs[0].trimEnd().split('\n').length).toBeGreaterThanOrEqual(lines);
  });
});
