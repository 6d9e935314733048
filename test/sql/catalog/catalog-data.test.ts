/** The facts of the catalog are read from Postgres 15; what another release still has must agree where it does not change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COLLATIONS, DOMAINS, LANGUAGES, NAMESPACES, RANGES } from '../../../src/sql/catalog/data/fixed-objects.ts';
import { SETTING_VALUES } from '../../../src/sql/catalog/data/setting-values.ts';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import type { Target } from '../../slt/target.ts';

let postgres: Target;
beforeAll(async () => {
  postgres = await PGliteTarget.open();
}, 60_000);
afterAll(() => postgres.close());

test('oids and values that no release changes', async () => {
  const values = new Map(SETTING_VALUES.split('\n').map((line) => line.split('|') as [string, string]));
  expect(values.size).toBeGreaterThan(80);
  for (const name of ['work_mem', 'DateStyle', 'standard_conforming_strings', 'extra_float_digits', 'max_identifier_length', 'integer_datetimes']) {
    const [found] = await postgres.run(`SELECT boot_val FROM pg_settings WHERE name = '${name}'`);
    expect(values.get(name), name).toBe(found.rows[0][0]);
  }
  expect(NAMESPACES.split('\n').slice(0, 2)).toEqual(['11|pg_catalog', '2200|public']);
  expect(COLLATIONS.split('\n').map((line) => line.split('|').slice(0, 2).join(' '))).toEqual(expect.arrayContaining(['100 default', '950 C', '951 POSIX']));
  expect(LANGUAGES).toContain('14|sql|f|t');
  expect(DOMAINS).toContain('13234|13233|yes_or_no|1043');
  const [ranges] = await postgres.run(
    'SELECT rngtypid, rngtypid::regtype, rngsubtype, rngmultitypid, rngmultitypid::regtype FROM pg_range ORDER BY pg_range.rngtypid',
  );
  expect(RANGES).toBe(ranges.rows.map((row) => row.join('|')).join('\n'));
});
