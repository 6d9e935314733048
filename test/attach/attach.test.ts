/** Attaching: schemas in the manner of well-known samples are equal on both sides, and what cannot be attached is named. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILMS, MUSIC } from './schemas.ts';
import { rowsOf, Source } from './source.ts';

if (!Source.installed) console.warn('test/attach is skipped: it needs Postgres 15 (test/postgres-bin.ts)');

describe.runIf(Source.installed)('attach', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start();
  }, 60_000);

  afterAll(() => source?.stop());

  test.each([
    ['films', FILMS, 'public', ['film', 'film_actor', 'language', 'staff', 'store']],
    ['music', MUSIC, 'Shop', ['"Shop"."Artist"', '"Shop"."Album"', '"Shop"."Invoice"', '"Shop"."Line"']],
  ])('tables of %s have the same rows on both sides', async (_name, script, schema, tables) => {
    const { url, sql } = await source.database(script);
    const attached = await source.attached(url, { schema });
    for (const table of tables) {
      const [key] = await rowsOf(
        sql,
        `SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indisprimary AND i.indrelid = '${table}'::regclass`,
      );
      const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY ${key}`;
      await sql.query('SET TimeZone = UTC');
      const here = await attached.rows(query);
      expect(here.length, table).toBeGreaterThan(1);
      expect(here, table).toEqual(await rowsOf(sql, query));
    }
  });
});
