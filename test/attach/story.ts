/** What an attached folder is for, in one go: copy, merge, conflict, dry run, undo, refresh. Servers and poolers of other kinds are tried with it. */
import type pg from 'pg';
import { expect } from 'vitest';
import type { SvcError } from '../../src/database.ts';
import { FILMS } from './schemas.ts';
import { type Attached, rowsOf } from './source.ts';

export const STORY = FILMS;

const TABLES = ['film', 'film_actor', 'language', 'staff', 'store'];

export async function expectSameRows(attached: Attached, sql: pg.Client): Promise<void> {
  await sql.query('SET TimeZone = UTC');
  for (const table of TABLES) {
    const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY 1`;
    const here = await attached.rows(query);
    expect(here.length, table).toBeGreaterThan(0);
    expect(here.toSorted(), table).toEqual((await rowsOf(sql, query)).toSorted());
  }
}

export async function changedWorld(attached: Attached, branch: string, script: string): Promise<void> {
  await attached.db.fork({ name: branch });
  await using session = attached.db.session({ branch });
  await session.run(script);
}

/** `sql`: a connection to the database that was attached, made by `STORY`. */
export async function expectStory(attached: Attached, sql: pg.Client): Promise<void> {
  await expectSameRows(attached, sql);
  await changedWorld(
    attached,
    'w',
    `UPDATE film SET title = 'ACADEMY', ratings = '{R}', span = '(1,9]', cover = '\\xdead', info = '{"x": 1.50}' WHERE film_id = 100;
     INSERT INTO staff (store_id, name) VALUES (1, 'New'); UPDATE store SET manager_id = 3 WHERE store_id = 1; DELETE FROM film_actor WHERE role = 'lead'`,
  );
  const preview = await attached.db.preview({ branch: 'w' });
  expect(preview.postgres).toMatchObject({ error: null, rows: [] });
  await expect(rowsOf(sql, 'SELECT title FROM film WHERE film_id = 100')).resolves.toEqual(['ACADEMY DINOSAUR']);
  await attached.db.merge({ branch: 'w' });
  await expectSameRows(attached, sql);
  expect(await rowsOf(sql, `INSERT INTO staff (name) VALUES ('next') RETURNING staff_id`)).toEqual(['4']);
  // Both sides change one row.
  await changedWorld(attached, 'both', `UPDATE language SET name = 'Finnish' WHERE language_id = 2`);
  await sql.query(`UPDATE language SET name = 'suomi' WHERE language_id = 2; UPDATE film SET length = 1 WHERE film_id = 105`);
  const error = await attached.db.merge({ branch: 'both' }).then(
    () => null,
    (refused: unknown) => refused as SvcError,
  );
  expect(error?.conflicts?.map(({ key, ours }) => [key, (ours!['name'] as string).trim()])).toEqual([['language/2', 'suomi']]);
  await attached.db.merge({ branch: 'both', resolve: 'theirs' });
  expect(await attached.db.refresh_attachment({})).toMatchObject({
    tables: [
      { table: 'film', updated: 1 },
      { table: 'film_actor', updated: 0 },
      { table: 'language', updated: 0 },
      { table: 'staff', inserted: 1 },
      { table: 'store', updated: 0 },
    ],
  });
  await expectSameRows(attached, sql);
  await attached.db.undo_merge({ branch: 'both' });
  expect(await rowsOf(sql, 'SELECT trim(name) FROM language WHERE language_id = 2')).toEqual(['suomi']);
  // What Postgres refuses keeps its code.
  await sql.query(`INSERT INTO staff (name, mail) VALUES ('Zoe', 'zoe@example.com')`);
  await changedWorld(attached, 'taken', `UPDATE staff SET mail = 'zoe@example.com' WHERE staff_id = 3`);
  await expect(attached.db.merge({ branch: 'taken' })).rejects.toMatchObject({ code: '23505' });
  await attached.db.refresh_attachment({});
  await sql.query('ALTER TABLE film ADD COLUMN fresh int');
  await expect(attached.db.refresh_attachment({})).rejects.toMatchObject({ code: '55000', message: expect.stringContaining('column fresh is new') });
  await sql.query('ALTER TABLE film DROP COLUMN fresh');
  await expectSameRows(attached, sql);
}
