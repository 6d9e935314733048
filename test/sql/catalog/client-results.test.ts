/** What clients' queries give here and in Postgres, over the same schema: equal but for oids and what is told below. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { recorded, RECORDED_FILES } from './recorded.ts';
import { SHOP_SQL } from './shop.ts';

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
  pg = await PGlite.create();
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

/** Rows in order, with users, databases and oids of the world's objects alike. */
function shown(rows: Rows, user: string | null): string[] {
  const alike = (value: string | null): string => {
    if (value === null) return '∅';
    if (value === user) return 'postgres';
    return value.replaceAll(/\b(?:1[6-9]\d{3}|[2-9]\d{4})\b/g, '#').replaceAll(/\btemplate1\b/g, 'shop');
  };
  return rows.map((row) => row.map(alike).join(' | ')).sort();
}

for (const file of RECORDED_FILES) {
  describe(file, () => {
    recorded(file).forEach(({ command, sql }, n) => {
      it(`${command} ${n}`, async () => {
        let error: string | null = null;
        const expected = await theirs(await withOids(sql, theirs)).catch((failure: Error) => {
          error = failure.message;
          return null;
        });
        if (expected === null) return void error;
        const own = await ours(await withOids(sql, ours));
        expect(shown(own, 'svc')).toEqual(shown(expected, null));
      });
    });
  });
}
