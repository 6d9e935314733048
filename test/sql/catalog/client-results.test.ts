/** What clients' queries give here and in Postgres, over the same schema: equal but for oids and what is told below. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { recorded, RECORDED_FILES } from './recorded.ts';
import { SHOP_SQL } from './shop.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
let db: Database;
let session: SqlSession;
let folder: string;

type Rows = (string | null)[][];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-catalog-'));
  db = await open(folder);
  session = db.session();
  await session.run('CREATE WORLD shop; USE WORLD shop');
  await session.run(SHOP_SQL);
  pg = await newPostgres();
  await pg.exec(SHOP_SQL);
}, 60_000);
afterAll(async () => {
  await pg.close();
  session.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

const asText: Record<number, (text: string) => string> = {};
for (let oid = 1; oid < 40_000; oid++) asText[oid] = (text) => text;

async function theirs(sql: string): Promise<Rows> {
  return (await pg.query<(string | null)[]>(sql, [], { rowMode: 'array', parsers: asText })).rows;
}

async function ours(sql: string): Promise<Rows> {
  const [{ columns, rows }] = await session.run(sql);
  return rows.map((row) => row.map((value, i) => (value === null ? null : columns![i].type.format(value, session.env))));
}

/** Relations and types by the oids that they had when the queries were recorded. */
const RECORDED_OIDS: Readonly<Record<string, string>> = {
  16427: 'customers_id_seq',
  16428: 'customers',
  16447: 'sales.orders',
  16462: 'sales.orders_amount',
  16463: 'rich',
};

async function withOids(sql: string, run: (sql: string) => Promise<Rows>): Promise<string> {
  let out = sql;
  for (const [oid, name] of Object.entries(RECORDED_OIDS)) {
    if (!out.includes(oid)) continue;
    const [[own]] = await run(`SELECT '${name}'::regclass::oid`);
    out = out.replaceAll(oid, own!);
  }
  return out;
}

/** By client and number of the query, or by psql's command: why the answers are not the same. */
const DIFFERENT: Readonly<Record<string, string>> = {
  '\\du 83': 'the role postgres beside the own user',
  '\\du+ 84': 'the role postgres beside the own user',
  'typeorm 0': 'the version',
  'typeorm 6': 'NOT NULL is a constraint with a name since 18',
  'sequelize 13': 'types of rows of system relations',
  'sequelize 18': 'the order of array_agg is open',
  'sequelize 22': 'NOT NULL is a constraint with a name since 18',
  'jdbc metadata 0': 'databases are worlds',
  'jdbc metadata 12': 'types of rows of system relations',
  'jdbc metadata 13': 'types of rows of system relations',
  'jdbc metadata 20': 'rights on system relations are not listed',
  'jdbc metadata 22': 'keywords of 18',
  'drizzle-kit 31': 'roles that Postgres defines itself',
  'drizzle-kit 35': 'NOT NULL is a constraint with a name since 18',
  'drizzle-kit 36': 'NOT NULL is a constraint with a name since 18',
  'drizzle-kit 46': 'queries of views name each column with its relation before 18',
  'drizzle-kit 42': 'LIMIT 1 without an order',
  '\\dx+ plpgsql': 'the oid of the extension',
  '\\d+ rich': 'queries of views name each column with its relation before 18',
  '\\sv rich': 'queries of views name each column with its relation before 18',
  '\\dt+': 'sizes',
  '\\di+': 'sizes',
  '\\db+': 'sizes',
  '\\dn': 'the owner of public',
  '\\dn+': 'the owner of public',
  '\\df+ abs': 'sources and descriptions of functions',
  '\\da sum': 'descriptions of functions',
  '\\do +': 'operators of types that are not here, and their descriptions',
  '\\dC': 'casts of types that are not here',
  '\\dconfig': 'settings',
  '\\dF': 'full-text search',
  '\\dFd': 'full-text search',
  '\\dFp': 'full-text search',
  '\\dFt': 'full-text search',
  '\\dAc': 'access methods other than btree and hash',
  '\\dAf': 'access methods other than btree and hash',
  '\\dAo': 'operators of families',
  '\\dAp': 'functions of families',
};

/** Rows in order, with users, databases and oids of the world's objects alike. */
function shown(rows: Rows, names: readonly string[]): string[] {
  const alike = (value: string | null): string => {
    if (value === null) return '∅';
    if (names.includes(value)) return 'postgres';
    // Postgres 15 names the relation of every column in a view.
    return value.replaceAll(/\b(?:1[6-9]\d{3}|[2-9]\d{4})\b/g, '#').replaceAll(/\bcustomers\.(?=(?:id|name|score)\b)/g, '');
  };
  return rows.map((row) => row.map(alike).join(' | ')).sort();
}

for (const file of RECORDED_FILES) {
  describe(file, () => {
    recorded(file).forEach(({ command, sql }, n) => {
      it.skipIf(command in DIFFERENT || `${command} ${n}` in DIFFERENT)(`${command} ${n}`, async () => {
        const expected = await theirs(await withOids(sql.replaceAll(`'shop'`, `'postgres'`), theirs)).catch(() => null);
        // Parameters, or columns that 18 has no more.
        if (expected === null) return;
        const own = await ours(await withOids(sql, ours));
        expect(shown(own, ['svc', 'shop'])).toEqual(shown(expected, []));
      });
    });
  });
}
