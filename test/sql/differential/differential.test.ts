/** The generator itself: Postgres agrees with itself, most statements are valid, and a corrupted target is noticed and the fault shrunk. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import type { Outcome, Target, Value } from '../../slt/target.ts';
import { openSvc } from '../../slt/svc-target.ts';
import { group, list, optional, render, smaller } from './piece.ts';
import { runVariations } from './variations.ts';
import { findingText, newTally, runPartitions, runSeed } from './run-differential.ts';

let postgres: Target;
let other: Target;
beforeAll(async () => {
  postgres = await PGliteTarget.open();
  other = await PGliteTarget.open();
}, 60_000);
afterAll(async () => {
  await postgres.close();
  await other.close();
});

const svc = await openSvc();
afterAll(() => svc?.close());

/** Answers like the target below, with the rows of some statements changed. */
function corrupted(below: Target, change: (sql: string, outcome: Outcome) => Outcome): Target {
  return {
    name: 'corrupted',
    release: below.release,
    run: async (sql: string, params?: readonly Value[]) => (await below.run(sql, params)).map((outcome) => change(sql, outcome)),
    reset: () => below.reset(),
    close: () => Promise.resolve(),
  };
}

test('a tree of SQL is made smaller step by step', () => {
  const piece = group(['SELECT ', list(['a', 'b']), optional([' WHERE ', group(['(x OR y)'], ['x'])])]);
  expect(render(piece)).toBe('SELECT a, b WHERE (x OR y)');
  expect([...smaller(piece)].map(render)).toEqual(['SELECT b WHERE (x OR y)', 'SELECT a WHERE (x OR y)', 'SELECT a, b', 'SELECT a, b WHERE x']);
});

test('Postgres agrees with itself, and few statements are refused', async () => {
  const tally = newTally();
  for (let seed = 1; seed <= 12; seed++) {
    const finding = await runSeed(seed, postgres, other, tally);
    expect(finding === null ? '' : findingText(finding)).toBe('');
  }
  expect(tally.statements).toBe(480);
  expect(tally.refused / tally.statements).toBeLessThan(0.2);
  expect(tally.refused).toBeGreaterThan(0);
});

test('Postgres passes ternary logic partitioning', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const finding = await runPartitions(seed, postgres);
    expect(finding === null ? '' : findingText(finding)).toBe('');
  }
});

test('the same seed gives the same statements', async () => {
  const seen: string[][] = [[], []];
  for (const log of seen)
    await runSeed(
      5,
      corrupted(postgres, (sql, outcome) => (log.push(sql), outcome)),
      other,
    );
  expect(seen[0]).toEqual(seen[1]);
});

test('a target that loses rows of outer joins is noticed, and the statement shrinks', async () => {
  const broken = corrupted(other, (sql, outcome) => (sql.includes('LEFT JOIN') ? { ...outcome, rows: outcome.rows.slice(1) } : outcome));
  for (let seed = 1; seed <= 30; seed++) {
    const finding = await runSeed(seed, postgres, broken);
    if (finding === null) continue;
    const last = finding.statements.at(-1) ?? '';
    expect(last).toContain('LEFT JOIN');
    expect(last.length).toBeLessThan(200);
    expect(finding.statements.length).toBeLessThan(6);
    return;
  }
  expect.fail('not noticed');
});

test('a target that mistakes NOT of null is noticed by partitioning alone', async () => {
  const broken = corrupted(other, (sql, outcome) => (sql.includes('WHERE NOT (') && outcome.rows.length > 0 ? { ...outcome, rows: [] } : outcome));
  for (let seed = 1; seed <= 10; seed++) if ((await runPartitions(seed, broken)) !== null) return;
  expect.fail('not noticed');
});

test.skipIf(svc === null)('svc agrees with Postgres', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const finding = (await runSeed(seed, postgres, svc as Target)) ?? (await runPartitions(seed, svc as Target));
    expect(finding === null ? '' : findingText(finding)).toBe('');
  }
});

test.skipIf(svc === null)(
  'svc agrees with Postgres over all types, kinds of tables, ways to ask and writes',
  async () => {
    for (const [seed, writes] of WIDE_SEEDS) {
      const finding = await runSeed(seed, postgres, svc as Target, undefined, { wide: true, writes, statements: 25 });
      expect(finding === null ? '' : findingText(finding)).toBe('');
    }
    const finding = await runVariations(2, svc as Target);
    expect(finding === null ? '' : findingText(finding)).toBe('');
  },
  60_000,
);

/** Seeds whose statements Postgres 15 and PGlite answer alike; whether most of them write. */
const WIDE_SEEDS: readonly (readonly [number, boolean])[] = [
  [3, false],
  [4, false],
  [1004, true],
  [1005, true],
];
