/** The Chinook sample database, loaded in its own statements: twenty questions answered as Postgres does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../slt/corpora.ts';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import { openSvc } from '../../slt/svc-target.ts';
import type { Target } from '../../slt/target.ts';
import { compareOutcomes } from '../differential/compare-targets.ts';
import { CHINOOK_QUERIES } from './queries.ts';
import { splitScript, tableStatements } from './split-script.ts';

const folder = sharedFolder('fixtures');
const svc = await openSvc();
afterAll(() => svc?.close());

async function load(target: Target): Promise<void> {
  const script = gunzipSync(readFileSync(join(folder ?? '', 'chinook.sql.gz'))).toString('utf8');
  for (const sql of tableStatements(script)) await target.run(sql);
}

test('a script is split outside of quotes and comments', () => {
  expect([...splitScript(`/* a; b */ SELECT ';', "x;y"; -- c;\n\\c other;\nSELECT 'it''s;';\n\nSELECT 3`)]).toEqual([
    `SELECT ';', "x;y"`,
    `SELECT 'it''s;'`,
    'SELECT 3',
  ]);
});

describe.skipIf(folder === null)('Chinook', () => {
  let postgres: Target;
  beforeAll(async () => {
    postgres = await PGliteTarget.open();
    await load(postgres);
  }, 60_000);
  afterAll(() => postgres.close());

  test('has its rows', async () => {
    const [outcome] = await postgres.run(CHINOOK_QUERIES[0][1]);
    expect(outcome.rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(15607);
  });

  test.each(CHINOOK_QUERIES)('Postgres answers: %s', async (_title, sql) => {
    const [outcome] = await postgres.run(sql);
    expect(outcome.columns.length).toBeGreaterThan(0);
  });

  describe.skipIf(svc === null)('on svc', () => {
    beforeAll(() => load(svc as Target), 60_000);
    test.each(CHINOOK_QUERIES)('%s', async (_title, sql) => {
      const [expected] = await postgres.run(sql);
      const [got] = await (svc as Target).run(sql);
      expect(compareOutcomes(expected, got, { ordered: true, representative: false })).toBeNull();
    });
  });
});
