/** A world statement that a client describes first has the columns that it gives: through the extended protocol, for every operation with columns. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_OPERATIONS } from '../../../src/operations/table.ts';
import { type Served, serve } from '../../wire/open-server.ts';

/** By operation and form. */
const STATEMENTS: readonly (readonly [form: string, sql: string])[] = [
  ['world.result', 'CREATE WORLD w'],
  ['world.result', 'SHOW WORLD'],
  ['world.result', 'SHOW WORLDS'],
  ['world.result', `ALTER WORLD w SET META '{"a": 1}'`],
  ['diff.result', 'DIFF WORLD w'],
  ['diff.count', 'DIFF WORLD w COUNT'],
  ['diff.sql', 'DIFF WORLD w AS SQL'],
  ['diff.readers', 'DIFF WORLD w READERS'],
  ['rebase.result', 'REBASE WORLD w'],
  ['checkpoint.result', 'CHECKPOINT c ON WORLD w'],
  ['restore.result', 'RESTORE WORLD w TO CHECKPOINT c'],
  ['merge.dryRun', 'MERGE WORLD w DRY RUN'],
  ['merge.result', 'MERGE WORLD w'],
  ['undo_merge.dryRun', 'UNDO MERGE w DRY RUN'],
  ['undo_merge.result', 'UNDO MERGE w'],
  ['history.world', 'SHOW HISTORY'],
  ['history.definitions', 'SHOW HISTORY WITH DEFINITIONS'],
  ['history.row', "SHOW HISTORY FOR ROW 't/1'"],
  ['create_agent.result', 'CREATE AGENT ann'],
  ['agents.result', 'SHOW AGENTS'],
  ['agents.result', 'ALTER AGENT ann DISABLE'],
  ['show_agents.result', 'SHOW AGENTS'],
  ['audit.result', 'SHOW AUDIT'],
  ['show_audit.result', 'SHOW AUDIT'],
  ['undo_agent.result', 'UNDO AGENT ann'],
  ['undo_agent.dryRun', 'UNDO AGENT ann DRY RUN'],
  ['verify.result', 'VERIFY'],
  ['merge_policies.result', 'CREATE MERGE POLICY p (max_rows = 5)'],
  ['merge_policies.result', 'SHOW MERGE POLICIES'],
  ['merge_checks.result', 'CREATE MERGE CHECK c AS SELECT 1 WHERE false'],
  ['merge_checks.result', 'SHOW MERGE CHECKS'],
  ['readers.result', 'CREATE READER r ON t'],
  ['readers.result', 'SHOW READERS'],
  ['reviews.result', 'SHOW REVIEWS'],
  ['merge_outcomes.agent', 'SHOW MERGE OUTCOMES'],
  ['merge_outcomes.policy', 'SHOW MERGE OUTCOMES BY POLICY'],
  ['claim_outbox.result', 'CLAIM OUTBOX'],
  ['simulate.result', `SIMULATE 2 WORLDS AS s SCRIPT 'UPDATE t SET id = id' SCORE 'SELECT 1' KEEP 1`],
  ['replay.result', 'REPLAY WORLD s_0'],
];
/** They need a held merge, and a folder to write to. */
const APART = ['review.result', 'backup.result'];

let served: Served;
let client: pg.Client;
beforeAll(async () => {
  served = await serve();
  client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'svc', database: 'main' });
  await client.connect();
  await client.query('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
}, 60_000);
afterAll(async () => {
  await client.end();
  await served.close();
});

test('every form of an answer is described by a statement here', () => {
  const forms = ALL_OPERATIONS.flatMap(({ name, sql }) => Object.keys(sql ?? {}).map((form) => `${name}.${form}`));
  expect([...new Set(STATEMENTS.map(([form]) => form)), ...APART].sort()).toEqual(forms.sort());
});

test.each(STATEMENTS)('%s: %s', async (form, sql) => {
  const [operation, name] = form.split('.');
  const { fields, rows } = await client.query({ text: sql, values: [], queryMode: 'extended' } as pg.QueryConfig);
  const columns = ALL_OPERATIONS.find((each) => each.name === operation)!.sql![name];
  expect(fields.map((field) => field.name)).toEqual(columns.map(([column]) => column));
  for (const row of rows as object[]) expect(Object.keys(row)).toHaveLength(columns.length);
});
