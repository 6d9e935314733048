/** What a merge takes from rows is in its event, so that the way back by events has it again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

test('a column whose type a merge by columns changes comes back, however the past is reached', async () => {
  // Some of the worlds are nearer to their end than to a state that is kept: there the past is what events take back.
  for (let i = 0; i < 40; i++) {
    const [parent, branch] = [`p${i}`, `w${i}`];
    await t.run(`CREATE DATABASE ${parent} TEMPLATE template0`);
    await t.run(
      `CREATE DOMAIN word AS text NOT NULL DEFAULT 'w'; CREATE TABLE place (id int PRIMARY KEY, doc jsonb, n int); CREATE TABLE item (id int PRIMARY KEY, tags text[]);
       INSERT INTO place VALUES (1, '{"a": 1}', 1), (2, '[]', 2); INSERT INTO item VALUES (1, '{}')`,
      parent,
    );
    await t.run(`CREATE WORLD ${branch} FROM ${parent}`);
    await t.run('ALTER TABLE place ALTER COLUMN doc TYPE text', branch);
    await t.run('ALTER TABLE item RENAME TO fresh', parent);
    await t.run(`MERGE WORLD ${branch} BY COLUMNS`);
    await t.run(`UNDO MERGE ${branch}`);
    expect([i, await t.lines('SELECT doc::text FROM place ORDER BY id', parent)]).toEqual([i, ['{"a": 1}', '[]']]);
  }
});
