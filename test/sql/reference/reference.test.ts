/** The SQL reference is what the library says; UPDATE=1 writes it again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import { OPERATOR_MEANINGS } from '../../../src/sql/functions/operator-names.ts';
import { FUNCTION_THEMES } from '../../../src/sql/functions/postgres-names.ts';
import { sqlReference } from '../../../src/sql/functions/reference.ts';

const PATH = join(resolve(import.meta.dirname, '../../..'), 'docs/reference/sql.md');

test('the SQL reference is what the library says', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(PATH, sqlReference(LIBRARY));
  expect(readFileSync(PATH, 'utf8')).toBe(sqlReference(LIBRARY));
});

test('every function is listed once, in one line', () => {
  const text = sqlReference(LIBRARY);
  for (const overloads of LIBRARY.allFunctions()) {
    for (const { name, doc } of overloads) {
      expect(text, name).toMatch(new RegExp(`\`${name}[(\`]`));
      expect(doc, name).toMatch(/^[^\n]{5,160}$/);
    }
  }
  const names = FUNCTION_THEMES.flatMap((theme) => [...theme.names, ...(theme.later ?? [])]);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('every operator but comparisons has a meaning', () => {
  const meanings = new Set(Object.values(OPERATOR_MEANINGS).flatMap((family) => Object.keys(family)));
  for (const [operator] of LIBRARY.allOperators()) {
    if (!/^(?:=|<>|<=?|>=?)$/.test(operator.name)) expect(meanings, operator.name).toContain(operator.name);
  }
});
