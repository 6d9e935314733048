/** The examples of the reference of world statements run, from top to bottom in one folder, and every statement has its place there. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorldStatement } from '../../../src/sql/ast/world.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from '../session/open-database.ts';

const TEXT = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/reference/world-statements.md'), 'utf8');
const EXAMPLES = [...TEXT.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql]) => sql);

/** How each begins in the reference; those without an example there need something that only a run knows. */
const STATEMENTS: Record<WorldStatement['type'], { readonly words: string; readonly example: boolean }> = {
  createWorld: { words: 'CREATE WORLD', example: true },
  useWorld: { words: 'USE', example: true },
  showWorld: { words: 'SHOW WORLD', example: true },
  showWorlds: { words: 'SHOW WORLDS', example: true },
  alterWorld: { words: 'ALTER WORLD', example: true },
  createCheckpoint: { words: 'CHECKPOINT', example: true },
  restoreWorld: { words: 'RESTORE WORLD', example: true },
  dropWorld: { words: 'DROP WORLD', example: true },
  diffWorld: { words: 'DIFF WORLD', example: true },
  mergeWorld: { words: 'MERGE WORLD', example: true },
  rebaseWorld: { words: 'REBASE WORLD', example: true },
  undoMerge: { words: 'UNDO MERGE', example: true },
  undoAgent: { words: 'UNDO AGENT', example: false },
  showHistory: { words: 'SHOW HISTORY', example: true },
  showAudit: { words: 'SHOW AUDIT', example: true },
  createAgent: { words: 'CREATE AGENT', example: true },
  alterAgent: { words: 'ALTER AGENT', example: true },
  dropAgent: { words: 'DROP AGENT', example: false },
  showAgents: { words: 'SHOW AGENTS', example: true },
  createMergePolicy: { words: 'CREATE MERGE POLICY', example: true },
  alterMergePolicy: { words: 'ALTER MERGE POLICY', example: false },
  dropMergePolicy: { words: 'DROP MERGE POLICY', example: false },
  showMergePolicies: { words: 'SHOW MERGE POLICIES', example: true },
  createMergeCheck: { words: 'MERGE CHECK', example: true },
  dropMergeCheck: { words: 'DROP MERGE CHECK', example: true },
  showMergeChecks: { words: 'SHOW MERGE CHECKS', example: true },
  reviewWorld: { words: 'REVIEW WORLD', example: false },
  showReviews: { words: 'SHOW REVIEWS', example: true },
  showMergeOutcomes: { words: 'SHOW MERGE OUTCOMES', example: true },
  createReader: { words: 'CREATE READER', example: true },
  dropReader: { words: 'DROP READER', example: true },
  showReaders: { words: 'SHOW READERS', example: true },
  notifyOnMerge: { words: 'NOTIFY ON MERGE', example: true },
  claimOutbox: { words: 'CLAIM OUTBOX', example: true },
  ackOutbox: { words: 'ACK OUTBOX', example: false },
  retryOutbox: { words: 'RETRY OUTBOX', example: false },
  simulate: { words: 'SIMULATE', example: true },
  replayWorld: { words: 'REPLAY WORLD', example: false },
  backup: { words: 'BACKUP TO', example: true },
  verify: { words: 'VERIFY', example: true },
  showMetrics: { words: 'SHOW METRICS', example: true },
  alterSystem: { words: 'ALTER SYSTEM', example: true },
};

describe('the examples', () => {
  let t: TestDatabase;
  let session: SqlSession;
  beforeAll(async () => {
    t = await TestDatabase.open();
    session = t.db.session({ branch: 'main' });
  });
  afterAll(() => t.close());

  test.each(EXAMPLES.map((sql) => [sql.split('\n')[0], sql]))('%s …', async (_, sql) => {
    const text = sql.replaceAll('/backups/', `${t.folder}-`);
    for (const { range } of session.parse(text)) await session.run(text.slice(range.start, range.end));
  });

  test('cover every statement that needs nothing from a run', () => {
    const types = new Set(EXAMPLES.flatMap((sql) => session.parse(sql).map(({ type }): string => type)));
    const missing = Object.entries(STATEMENTS).filter(([type, { example }]) => example !== types.has(type));
    expect(missing.map(([type]) => type)).toEqual([]);
  });
});

describe('errors', () => {
  let t: TestDatabase;
  beforeAll(async () => {
    t = await TestDatabase.open();
    await t.run('CREATE TABLE items (id int PRIMARY KEY, v int); INSERT INTO items VALUES (1, 1)');
    for (const sql of ['CREATE WORLD a', 'CREATE WORLD inner FROM a', 'CREATE WORLD b', 'CREATE AGENT ann']) await t.run(sql);
    await t.run('CREATE MERGE POLICY p (max_rows = 1)');
    await t.run('ALTER AGENT ann POLICY p');
    await t.run('UPDATE items SET v = 2', 'b');
    await t.run('UPDATE items SET v = 3');
  });
  afterAll(() => t.close());

  test.each([
    ['CREATE WORLD a', '42P04'],
    ['CREATE WORLD "a b"', '42602'],
    ['CREATE WORLD x FROM nope', '3D000'],
    [`CREATE WORLD x META '[1]'`, '22023'],
    [`CREATE WORLD x FROM main@'2001-01-01'`, '22023'],
    ['DROP WORLD main', '22023'],
    ['DROP WORLD a', '2BP01'],
    [`ALTER WORLD a SET META '1'`, '22023'],
    ['ALTER WORLD nope PIN', '3D000'],
    ['RESTORE WORLD a TO CHECKPOINT nope', '42704'],
    [`RESTORE WORLD a TO '2001-01-01'`, '22023'],
    ['MERGE WORLD a', '2BP01'],
    ['MERGE WORLD b', 'SV409'],
    ['MERGE WORLD b VERSION 99', '40001'],
    ['MERGE WORLD main', '22023'],
    ['CREATE AGENT ann', '42710'],
    ['ALTER AGENT unknown ENABLE', '42704'],
    ['CREATE AGENT c CAN (fly)', '22023'],
    ['CREATE AGENT c WITH (max_x = 1)', '22023'],
    ['REVIEW WORLD b APPROVE', '55000'],
    ['DROP MERGE POLICY p', '2BP01'],
    ['ACK OUTBOX nope', '42704'],
    ['BEGIN; USE a', '25001'],
  ])('%s is %s', async (sql, code) => {
    await t.refused(code, sql);
  });
});

test.each(Object.values(STATEMENTS).map(({ words }) => words))('%s has its grammar', (words) => {
  expect(TEXT).toMatch(new RegExp(`^#.*\\b${words}|\`${words}`, 'm'));
});
