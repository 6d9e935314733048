/** What definitions find in rows that are there is told with the names of schema, table, column and constraint, as clients ask for them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from '../session/open-database.ts';

let database: TestDatabase;
let session: SqlSession;

beforeAll(async () => {
  database = await TestDatabase.open();
  session = database.db.session();
  await session.run('CREATE DOMAIN few AS int; CREATE TABLE t (a int, b few); INSERT INTO t VALUES (1, 1), (1, NULL)');
});
afterAll(() => database.close());

const column = (name: string): object => ({ schema: 'public', table: 't', column: name });
const constraint = (name: string): object => ({ schema: 'public', table: 't', constraint: name });

test.each([
  ['ALTER TABLE t ALTER b SET NOT NULL', column('b')],
  ['ALTER TABLE t ADD c int NOT NULL', column('c')],
  ['ALTER TABLE t ADD PRIMARY KEY (b)', column('b')],
  ['ALTER TABLE t ADD PRIMARY KEY (a)', constraint('t_pkey')],
  ['ALTER TABLE t ADD CONSTRAINT t_once UNIQUE (a)', constraint('t_once')],
  ['CREATE UNIQUE INDEX t_a ON t (a)', constraint('t_a')],
  ['ALTER DOMAIN few ADD CHECK (VALUE > 5)', column('b')],
  ['ALTER DOMAIN few SET NOT NULL', column('b')],
])('%s', async (sql, data) => {
  const error = await session.run(sql).then(
    () => null,
    (thrown: unknown) => thrown as SvcError,
  );
  expect(error?.data).toMatchObject(data);
});
