/**
 * Answers do not depend on where the rows lie or how they are found: fork depth, page cache, checkpoints, restarts,
 * indexes, plan cache, parameters. Random schemas and queries, each asked in every way.
 */
import { afterEach, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { render } from '../differential/piece.ts';
import { randomSchema, schemaStatements, type Table } from '../differential/random-schema.ts';
import { literal } from '../differential/random-type.ts';
import { randomQuery } from '../differential/random-query.ts';
import { randomWrite } from '../differential/random-write.ts';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';

const SEEDS = Number(process.env['SVC_SQL_SEEDS'] ?? 6);
const QUERIES = 25;

interface Query {
  sql: string;
  ordered: boolean;
}

let t: TestDatabase | undefined;
afterEach(async () => {
  await t?.close();
  t = undefined;
});

async function begin(seed: number): Promise<{ t: TestDatabase; random: Seeded; tables: Table[]; queries: Query[] }> {
  const random = new Seeded(seed);
  const tables = randomSchema(random);
  t = await TestDatabase.open();
  await t.run(schemaStatements(tables).join(';\n'));
  const queries = Array.from({ length: QUERIES }, () => {
    const { piece, ordered, representative } = randomQuery(random, tables);
    // Where one of several equal spellings may stand for all, only the count is settled.
    return { sql: representative && !ordered ? `SELECT count(*) FROM (${render(piece)}) counted` : render(piece), ordered };
  });
  return { t, random, tables, queries };
}

/** Rows, or the SQLSTATE. Numbers of several spellings are made one. */
async function answer(sql: string, ask: (sql: string) => Promise<readonly unknown[]>, ordered = false): Promise<string> {
  try {
    const rows = (await ask(sql)).map((row) => JSON.stringify(row, plain));
    return (ordered ? rows : rows.sort()).join('\n');
  } catch (error) {
    if (!(error instanceof SvcError)) throw new Error(sql, { cause: error });
    return error.code;
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, '');
  return Object.is(value, -0) ? 0 : value;
}

async function answers(database: TestDatabase, queries: readonly Query[], branch = 'main'): Promise<string[]> {
  const out: string[] = [];
  for (const { sql, ordered } of queries) out.push(await answer(sql, (each) => database.rows(each, { branch }), ordered));
  return out;
}

function mustAgree(queries: readonly Query[], expected: readonly string[], found: readonly string[], how: string): void {
  queries.forEach(({ sql }, i) => expect(found[i], `${how}:\n${sql}`).toBe(expected[i]));
}

const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

test.each(seeds)('seed %i: fork depth, checkpoint, restart and page cache', async (seed) => {
  const { t, random, tables, queries } = await begin(seed);
  let parent = 'main';
  for (let depth = 1; depth <= 5; depth++) {
    await t.run(`CREATE WORLD w${depth} FROM ${parent}`);
    parent = `w${depth}`;
  }
  const expected = await answers(t, queries);
  mustAgree(queries, expected, await answers(t, queries, 'w5'), 'five forks deep');
  mustAgree(queries, expected, await answers(t, queries), 'asked again');
  await t.db.flush();
  mustAgree(queries, expected, await answers(t, queries), 'after a checkpoint');
  await t.reopen();
  mustAgree(queries, expected, await answers(t, queries), 'after a restart');
  // The same writes in the deepest fork and in main.
  const writes = Array.from({ length: 8 }, () => render(randomWrite(random, tables).piece));
  for (const write of writes) for (const branch of ['main', 'w5']) await t.run(write, branch).catch(() => {});
  const after = await answers(t, queries);
  mustAgree(queries, after, await answers(t, queries, 'w5'), 'written five forks deep');
  await t.reopen({ withoutCache: true });
  mustAgree(queries, after, await answers(t, queries), 'without the page cache');
  mustAgree(queries, after, await answers(t, queries, 'w5'), 'without the page cache, five forks deep');
  mustAgree(queries, expected, await answers(t, queries, 'w4'), 'in a fork that was not written');
  const head = t.db.stats()['log_sequence'];
  for (const { name } of tables) await t.run(`DELETE FROM ${name}`).catch(() => {});
  mustAgree(queries, after, await answers(t, queries, `main@#${head}`), 'in the past');
});

test.each(seeds)('seed %i: indexes', async (seed) => {
  const { t, tables, queries } = await begin(seed + 100);
  const bare = await answers(t, queries);
  await t.run('CREATE WORLD indexed');
  for (const { name, columns } of tables) {
    for (const column of columns.slice(1)) await t.run(`CREATE INDEX ON ${name} (${column.name})`, 'indexed');
    const [, first, second] = columns;
    if (second !== undefined) await t.run(`CREATE INDEX ON ${name} (${second.name} DESC, ${first.name})`, 'indexed');
    if (columns.some(({ type }) => type === 'text')) {
      const text = columns.find(({ type }) => type === 'text')!.name;
      await t.run(`CREATE INDEX ON ${name} (upper(${text})) WHERE ${text} IS NOT NULL`, 'indexed');
    }
  }
  mustAgree(queries, bare, await answers(t, queries, 'indexed'), 'with indexes');
  const session = t.db.session({ branch: 'indexed' });
  await session.run('SET enable_indexscan = off');
  for (const [i, { sql, ordered }] of queries.entries()) {
    expect(await answer(`SET enable_indexscan = off; ${sql}`, (each) => t.rows(each, { branch: 'indexed' }), ordered), `index scans off:\n${sql}`).toBe(
      bare[i],
    );
  }
  session.close();
  // Points and ranges on every column, which the indexes are for.
  const random = new Seeded(seed);
  for (const { name, columns } of tables) {
    for (const { name: column, type } of columns) {
      for (let i = 0; i < 6; i++) {
        const operator = random.pick(['=', '<', '>=', '<>', '>', '<=']);
        const sql = `SELECT * FROM ${name} WHERE ${column} ${operator} ${column === 'id' ? random.between(0, 12) : literal(random, type)} ORDER BY ${random.pick(['id', `${column} DESC, id`])}`;
        expect(await t.lines(sql, 'indexed'), sql).toEqual(await t.lines(sql));
      }
    }
  }
  await t.run('MERGE WORLD indexed');
  mustAgree(queries, bare, await answers(t, queries), 'with indexes that a merge brought');
});

test.each(seeds)('seed %i: plan cache and prepared statements', async (seed) => {
  const { t, random, tables, queries } = await begin(seed + 200);
  const session: SqlSession = t.db.session();
  const ask = async (sql: string): Promise<readonly unknown[]> => (await session.run(sql)).at(-1)!.rows;
  for (let round = 0; round < 3; round++) {
    for (const [i, { sql, ordered }] of queries.entries()) {
      const fresh = await answer(`${sql} -- ${round} ${i}`, ask, ordered);
      expect(await answer(sql, ask, ordered), sql).toBe(fresh);
      expect(await answer(sql, ask, ordered), `again: ${sql}`).toBe(fresh);
      await session.run('DEALLOCATE ALL');
      expect(await answer(`PREPARE p AS ${sql}`, async (text) => (await ask(text), ask('EXECUTE p')), ordered), `prepared: ${sql}`).toBe(fresh);
    }
    // Plans must notice rows and definitions that change.
    await session.run(render(randomWrite(random, tables).piece)).catch(() => {});
    const { name, columns } = random.pick(tables);
    await session.run(`CREATE INDEX ON ${name} (${columns[1].name}); ANALYZE ${name}`);
  }
  session.close();
});

test.each(seeds)('seed %i: parameters and literals', async (seed) => {
  const { t, tables } = await begin(seed + 300);
  const random = new Seeded(seed);
  for (let i = 0; i < 60; i++) {
    const { name, columns } = random.pick(tables);
    const column = random.pick(columns);
    const text = literal(random, column.type).replace(/^(date|timestamp) |::\w+$|^\(|\)$/g, '');
    const bare = text.startsWith(`'`) ? text.slice(1, -1) : text;
    const operator = random.pick(['=', '<', '>=', '<>', 'IS DISTINCT FROM']);
    const query = (value: string): string => `SELECT * FROM ${name} WHERE ${column.name} ${operator} ${value} OR ${column.name} IS NULL ORDER BY id`;
    const expected = await t.rows(query(`'${bare}'`));
    for (const given of [
      bare,
      ...(column.type === 'bool' ? [bare === 'true'] : []),
      ...(column.type === 'int' || column.type === 'float' ? [Number(bare)] : []),
    ]) {
      expect(await t.rows(query('$1'), { params: [given] }), `${query('$1')} with ${given}`).toEqual(expected);
    }
  }
});
