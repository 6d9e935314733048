/** What a dry run says is what the real run does: over random branches, policies, checks and ways to merge. */
import { expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Json, MergeInput, MergePreview, Row } from '../../src/commands/contract.ts';
import { Random } from '../suite/random.ts';
import { openGoverned } from './open-governed.ts';

const ROWS = 12;

test.each([1, 2, 3, 4, 5, 6])('seed %i', async (seed) => {
  const random = new Random(seed);
  const governed = await openGoverned();
  const { db } = governed;
  const seen = { merged: 0, held: 0, conflicts: 0, broken: 0, rows: 0 };
  try {
    await db.sql({
      sql: `CREATE TABLE a (id int PRIMARY KEY, n int, t text); CREATE TABLE b (id int PRIMARY KEY, n int CHECK (n < 1000));
            INSERT INTO a SELECT i, i, 'x' FROM generate_series(1, ${ROWS}) i; INSERT INTO b SELECT i, i FROM generate_series(1, ${ROWS}) i;`,
    });
    await db.set_merge_check({ name: 'small', query: 'SELECT id, n FROM a WHERE n > 95', tables: ['a'] });
    await db.set_reader({ name: 'board', table: 'b', columns: ['n'], critical: true });
    for (let round = 0; round < 25; round++) {
      const rules: { [rule: string]: Json } = {
        max_rows: random.chance(0.5) ? random.below(6) : null,
        max_deletes: random.chance(0.5) ? random.below(3) : null,
        tables: random.chance(0.3) ? ['a'] : [],
        review_columns: random.chance(0.3) ? ['a.t'] : [],
        schema: random.chance(0.5),
        overwrite: random.chance(0.7),
        critical: random.chance(0.7),
      };
      await db.set_merge_policy({ name: 'p', rules });
      const ann = await governed.agent('ann', { policy: 'p' });
      const branch = `w${round}`;
      await ann.fork({ name: branch });
      await db.sql({ branch, sql: statements(random, 1 + random.below(5)).join(';') });
      if (random.chance(0.6))
        await db.sql({
          sql: statements(random, 1 + random.below(2))
            .filter((sql) => !sql.startsWith('ALTER'))
            .join(';'),
        });
      const input: MergeInput = { branch };
      const resolve = random.of(['fail', 'fail', 'ours', 'theirs'] as const);
      if (resolve !== 'fail') input.resolve = resolve;
      if (random.chance(0.3)) input.columns = true;
      if (random.chance(0.2)) input.only_tables = ['a'];
      const asAgent = random.chance(0.7);
      const who = asAgent ? ann : db.commands;
      const dry = await who.preview(input);
      const before = await rowsOf(db);
      // A dry run changes nothing: asked again it says the same.
      expect(await who.preview(input)).toEqual(dry);
      let outcome: 'merged' | 'held' | 'conflicts' | 'broken';
      let merged = 0;
      try {
        ({ merged } = await who.merge({ ...input, version: dry.version, target: dry.target, dry_run: false }));
        outcome = 'merged';
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        outcome = error.data?.['held'] === true ? 'held' : error.code === 'SV409' ? 'conflicts' : 'broken';
        if (outcome === 'held') {
          expect((error.data!['reasons'] as { rule: string; message: string }[]).map(({ rule, message }) => ({ rule, message }))).toEqual(dry.blocked);
        }
        if (outcome === 'broken') expect(error.code).toBe('23514');
      }
      const blocked = dry.blocked.length > 0;
      const expected = dry.conflicts.length > 0 ? 'conflicts' : !blocked ? 'merged' : asAgent ? 'held' : 'broken';
      expect(outcome, JSON.stringify({ seed, round, input, rules, blocked: dry.blocked })).toBe(expected);
      const after = await rowsOf(db);
      if (outcome === 'merged') {
        expect(after).toEqual(applied(before, dry));
        expect(merged).toBe(dry.summary.reduce((sum, each) => sum + each.deleted + each.updated + each.inserted, 0));
        seen.rows += merged;
      } else expect(after).toEqual(before);
      seen[outcome]++;
      if ((await db.branches()).branches.some(({ name }) => name === branch)) await db.discard({ branch });
      // As many rows as at the start, so that every round has something to change.
      await db.sql({
        sql: `INSERT INTO a SELECT i, i, 'x' FROM generate_series(1, ${ROWS}) i ON CONFLICT (id) DO UPDATE SET n = excluded.n;
              INSERT INTO b (id, n) SELECT i, i FROM generate_series(1, ${ROWS}) i ON CONFLICT DO NOTHING`,
      });
    }
    // The test proves nothing if one side never happened.
    expect(Math.min(seen.merged, seen.held, seen.rows), JSON.stringify(seen)).toBeGreaterThan(0);
  } finally {
    await governed.close();
  }
});

function statements(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const id = 1 + random.below(ROWS + 3);
    const table = random.of(['a', 'b']);
    switch (random.below(6)) {
      case 0:
        return `DELETE FROM ${table} WHERE id = ${id}`;
      case 1:
        return `INSERT INTO ${table} (id, n) VALUES (${ROWS + 1 + random.below(4)}, ${random.below(99)}) ON CONFLICT DO NOTHING`;
      case 2:
        return random.chance(0.3)
          ? `ALTER TABLE b ADD COLUMN IF NOT EXISTS c${random.below(3)} int`
          : `UPDATE a SET t = 'y${random.below(9)}' WHERE id = ${id}`;
      default:
        return `UPDATE ${table} SET n = ${random.below(100)} WHERE id = ${id}`;
    }
  });
}

type Rows = { [key: string]: Row };

async function rowsOf(db: { find(input: { table: string; limit: number }): Promise<{ hits: { id: string; row: Row }[] }> }): Promise<Rows> {
  const rows: Rows = {};
  for (const table of ['a', 'b']) for (const { id, row } of (await db.find({ table, limit: 1000 })).hits) rows[`${table}/${id}`] = bare(row);
  return rows;
}

/** Without the columns that only some rounds add, which stay null. */
function bare(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !/^c\d$/.test(column)));
}

function applied(before: Rows, { rows }: MergePreview): Rows {
  const after = { ...before };
  for (const { key, outcome, result } of rows) {
    if (outcome === 'delete') delete after[key];
    else if (outcome !== 'conflict' && result !== null) after[key] = bare(result);
    else if (outcome === 'keep' && result === null) delete after[key];
  }
  return after;
}
