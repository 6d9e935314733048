/** Geometric types beside real Postgres: texts, operators, functions, casts, refusals. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Oracle } from '../numbers/oracle.ts';
import { answerOf, TestDatabase } from '../session/open-database.ts';
import { GEOMETRIC_EXPRESSIONS } from './geometric-expressions.ts';

let t: TestDatabase;
let oracle: Oracle;
beforeAll(async () => {
  [t, oracle] = await Promise.all([TestDatabase.open(), Oracle.start()]);
}, 60_000);
afterAll(() => Promise.all([t.close(), oracle.close()]));

test('expressions', { timeout: 60_000 }, async () => {
  const expected = await oracle.evaluate(GEOMETRIC_EXPRESSIONS);
  for (let i = 0; i < GEOMETRIC_EXPRESSIONS.length; i++) {
    expect.soft(await answerOf(t, GEOMETRIC_EXPRESSIONS[i]), GEOMETRIC_EXPRESSIONS[i]).toBe(expected[i]);
  }
});

test('a circle becomes a polygon of n points', async () => {
  const [points, distance] = (
    await t.lines(`SELECT npoints(p), max(c) FROM (SELECT polygon(7, '<(1,2),3>') AS p) q,
    LATERAL (SELECT abs((point(p) <-> '(1,2)')) AS c) r GROUP BY p::text, npoints(p)`)
  )[0].split(' ');
  expect(Number(points)).toBe(7);
  expect(Number(distance)).toBeLessThan(1e-9);
});
