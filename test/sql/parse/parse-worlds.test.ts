import { describe, expect, it } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { parse } from '../../../src/sql/parse/parse.ts';

function failure(text: string): SvcError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error(`no error: ${text}`);
}

const statements: [string, object][] = [
  ['CREATE WORLD my-world.v2', { type: 'createWorld', name: 'my-world.v2', from: null, meta: null }],
  ['create world "My World" from Dev@-10m meta \'{"a": 1}\'', { name: 'My World', from: { name: 'Dev', when: '-10m' }, meta: { value: '{"a": 1}' } }],
  ['FORK 2024-run FROM main@2024-01-01T10:00:00+02:00', { type: 'createWorld', name: '2024-run', from: { name: 'main', when: '2024-01-01T10:00:00+02:00' } }],
  ["FORK WORLD w FROM 'main@2024-01-01 10:00'", { type: 'createWorld', name: 'w', from: { name: 'main', when: '2024-01-01 10:00' } }],
  ["CREATE WORLD w FROM main@'2024-01-01 10:00'", { from: { name: 'main', when: '2024-01-01 10:00' } }],
  ['CREATE WORLD a--comment', { name: 'a' }],
  ['USE WORLD dev', { type: 'useWorld', world: { name: 'dev', when: null } }],
  ['USE dev@#12', { type: 'useWorld', world: { name: 'dev', when: '#12' } }],
  ['USE world', { world: { name: 'world' } }],
  ['SHOW WORLD', { type: 'showWorld' }],
  ['SHOW worlds', { type: 'showWorlds' }],
  ['SHOW METRICS', { type: 'showMetrics' }],
  ['SHOW AGENTS', { type: 'showAgents' }],
  ['SHOW MERGE POLICIES', { type: 'showMergePolicies' }],
  ['SHOW MERGE CHECKS', { type: 'showMergeChecks' }],
  ['SHOW REVIEWS', { type: 'showReviews' }],
  ['SHOW READERS', { type: 'showReaders' }],
  ['SHOW MERGE OUTCOMES', { type: 'showMergeOutcomes', byPolicy: false }],
  ['SHOW MERGE OUTCOMES BY POLICY', { byPolicy: true }],
  ['SHOW HISTORY', { type: 'showHistory', world: null, limit: null }],
  ['SHOW HISTORY FOR WORLD w LIMIT 5', { world: { name: 'w' }, limit: 5 }],
  ['SHOW AUDIT FOR AGENT bot-1 LIMIT 3', { type: 'showAudit', agent: 'bot-1', limit: 3 }],
  ['DROP WORLD a CASCADE', { type: 'dropWorld', name: 'a', cascade: true }],
  ["ALTER WORLD a SET META '{}'", { type: 'alterWorld', action: { kind: 'setMeta', meta: { value: '{}' } } }],
  ['ALTER WORLD a PIN', { action: { kind: 'pin' } }],
  ['ALTER WORLD a UNPIN', { action: { kind: 'unpin' } }],
  ["ALTER WORLD a SET TTL '1 day'", { action: { kind: 'setTtl', ttl: { text: '1 day', milliseconds: null } } }],
  ['ALTER WORLD a SET TTL 36h', { action: { ttl: { text: '36h', milliseconds: null } } }],
  ['ALTER WORLD a SET TTL 5000', { action: { ttl: { text: '5000', milliseconds: 5000 } } }],
  ["ALTER WORLD a SET TTL INTERVAL '1 day'", { action: { ttl: { text: '1 day' } } }],
  ['ALTER WORLD a RESET TTL', { action: { kind: 'resetTtl' } }],
  ['ALTER WORLD a CONFIRM', { action: { kind: 'confirm' } }],
  ['DIFF WORLD a', { type: 'diffWorld', world: { name: 'a' }, to: null, tables: null, after: null, limit: null, output: 'changes' }],
  [
    'DIFF WORLD a@-1h TO b TABLES (Orders, s."T") AFTER \'orders/1\' LIMIT 10 AS SQL',
    { world: { name: 'a', when: '-1h' }, to: { name: 'b' }, tables: ['orders', 's.T'], after: { value: 'orders/1' }, limit: 10, output: 'sql' },
  ],
  ['DIFF WORLD a COUNT', { output: 'count' }],
  ['DIFF WORLD a READERS', { output: 'readers' }],
  ['MERGE WORLD a', { type: 'mergeWorld', name: 'a', into: null, resolve: null, byColumns: false, version: null, confirm: false, dryRun: false }],
  [
    `MERGE WORLD a INTO b RESOLVE OURS BY COLUMNS ONLY TABLES (t) ONLY KEYS ('t/1', 2) ROWS '{"t/1": "ours"}' VERSION 3 TARGET 4 CONFIRM CONFIRM DELETES 5 DRY RUN`,
    {
      into: 'b',
      resolve: 'ours',
      byColumns: true,
      onlyTables: ['t'],
      onlyKeys: ['t/1', '2'],
      rows: { value: '{"t/1": "ours"}' },
      version: 3,
      target: 4,
      confirm: true,
      confirmDeletes: 5,
      dryRun: true,
    },
  ],
  ['MERGE WORLD a DRY RUN RESOLVE THEIRS', { resolve: 'theirs', dryRun: true }],
  ['REBASE WORLD a BY COLUMNS RESOLVE FAIL VERSION 2', { type: 'rebaseWorld', resolve: 'fail', byColumns: true, version: 2, rows: null }],
  ["RESTORE WORLD a TO '-1h'", { type: 'restoreWorld', to: { kind: 'moment', when: { value: '-1h' } } }],
  ['RESTORE WORLD a TO CHECKPOINT before-x', { to: { kind: 'checkpoint', name: 'before-x' } }],
  ['CHECKPOINT c1', { type: 'createCheckpoint', name: 'c1', world: null }],
  ['CHECKPOINT c1 ON WORLD a', { world: 'a' }],
  ['CHECKPOINT', { type: 'systemCheckpoint' }],
  ['UNDO MERGE a SKIP CHANGED', { type: 'undoMerge', name: 'a', skipChanged: true }],
  ["UNDO AGENT bot SINCE '-1d'", { type: 'undoAgent', since: { value: '-1d' }, skipChanged: false }],
  [
    "CREATE AGENT Bot CAN (read, fork, write_own) WITH (max_worlds = 3, world_ttl = 1h, max_idle_ms = INTERVAL '1 s') POLICY careful",
    {
      type: 'createAgent',
      name: 'Bot',
      can: ['read', 'fork', 'write_own'],
      settings: [
        { name: 'max_worlds', value: { kind: 'number', text: '3' } },
        { name: 'world_ttl', value: { kind: 'interval', text: '1h' } },
        { value: { kind: 'interval', text: '1 s' } },
      ],
      policy: { kind: 'named', name: 'careful' },
      disabled: null,
    },
  ],
  ['CREATE AGENT b', { can: null, settings: [], policy: null }],
  ['ALTER AGENT b DISABLE POLICY NULL', { type: 'alterAgent', disabled: true, policy: { kind: 'none' } }],
  ['ALTER AGENT b ENABLE', { disabled: false }],
  ['DROP AGENT b', { type: 'dropAgent', name: 'b' }],
  [
    'CREATE MERGE POLICY p (max_rows = 50, Tables = (orders, "Items"), review_columns = (orders.price, orders."Qty"), reviewer = Bob, x = null, y = true, z = -1.5, q = \'s\', e = ())',
    {
      type: 'createMergePolicy',
      name: 'p',
      rules: [
        { name: 'max_rows', value: { kind: 'number', text: '50' } },
        {
          name: 'tables',
          value: {
            kind: 'list',
            values: [
              { kind: 'name', name: 'orders', quoted: false },
              { name: 'Items', quoted: true },
            ],
          },
        },
        {
          value: {
            values: [
              { name: 'orders.price', quoted: false },
              { name: 'orders.Qty', quoted: true },
            ],
          },
        },
        { value: { kind: 'name', name: 'Bob', quoted: false } },
        { value: { kind: 'null' } },
        { value: { kind: 'boolean', value: true } },
        { value: { kind: 'number', text: '-1.5' } },
        { value: { kind: 'string', value: 's' } },
        { value: { kind: 'list', values: [] } },
      ],
    },
  ],
  ['ALTER MERGE POLICY p (max_rows = 1)', { type: 'alterMergePolicy' }],
  ['DROP MERGE POLICY p RELEASE AGENTS', { type: 'dropMergePolicy', releaseAgents: true }],
  [
    "CREATE MERGE CHECK c ON (t, s.u) TIMEOUT 500 AS SELECT * FROM t AS OF '-1h' WHERE x < 0",
    {
      type: 'createMergeCheck',
      name: 'c',
      tables: ['t', 's.u'],
      timeoutMs: 500,
      query: { type: 'select', from: [{ asOf: { when: '-1h' } }] },
      queryText: "SELECT * FROM t AS OF '-1h' WHERE x < 0",
    },
  ],
  ['CREATE MERGE CHECK c AS VALUES (1)', { tables: [], timeoutMs: null, query: { type: 'values' } }],
  ['DROP MERGE CHECK c', { type: 'dropMergeCheck' }],
  ["REVIEW WORLD a APPROVE 'fine'", { type: 'reviewWorld', verdict: 'approve', reason: 'fine' }],
  ['REVIEW WORLD a PASS', { verdict: 'pass', reason: null }],
  ['REVIEW WORLD a APPROVE CONFIRM DELETES 3', { verdict: 'approve', reason: null, confirmDeletes: 3 }],
  ["REVIEW WORLD a APPROVE 'fine' CONFIRM DELETES 3", { reason: 'fine', confirmDeletes: 3 }],
  ["REVIEW WORLD a APPROVE CONFIRM DELETES 3 'fine'", { reason: 'fine', confirmDeletes: 3 }],
  [
    'CREATE READER r ON s.t (a, "B") KIND dashboard CRITICAL DETAIL \'x\'',
    { type: 'createReader', table: 's.t', columns: ['a', 'B'], kind: 'dashboard', critical: true, detail: 'x' },
  ],
  ['CREATE READER r ON t', { columns: [], kind: null, critical: false, detail: null }],
  ['DROP READER r', { type: 'dropReader' }],
  ["NOTIFY ON MERGE Ch, 'x' || lower($1)", { type: 'notifyOnMerge', channel: 'ch', payload: { type: 'operator' } }],
  ['NOTIFY ON MERGE ch', { payload: null }],
  ['CLAIM OUTBOX', { type: 'claimOutbox', channel: null, limit: null, for: null }],
  ["CLAIM OUTBOX mail LIMIT 5 FOR '30 s'", { channel: 'mail', limit: 5, for: { text: '30 s' } }],
  ['ACK OUTBOX 12', { type: 'ackOutbox', id: '12' }],
  ["RETRY OUTBOX 'a-1' AFTER 10m", { type: 'retryOutbox', id: 'a-1', after: { text: '10m' } }],
  [
    'SIMULATE 10 WORLDS AS sim SCRIPT $$UPDATE t SET a = $1; SELECT 1$$ SCORE $s$SELECT 1$s$ FROM w@-1h KEEP 3 ORDER ASC SEED -7 THREADS 2',
    {
      type: 'simulate',
      worlds: 10,
      prefix: 'sim',
      script: { value: 'UPDATE t SET a = $1; SELECT 1' },
      score: { value: 'SELECT 1' },
      from: { name: 'w', when: '-1h' },
      keep: 3,
      order: 'asc',
      seed: -7,
      threads: 2,
    },
  ],
  ["SIMULATE 1 WORLDS AS s SCRIPT 'x' SCORE 'y'", { from: null, keep: 'all', order: 'desc', seed: 0, threads: 0 }],
  ['REPLAY WORLD sim_3 AS again', { type: 'replayWorld', name: 'sim_3', as: 'again' }],
];

describe('world statements', () => {
  it.each(statements)('%s', (text, shape) => {
    const parsed = parse(text);
    expect(parsed).toHaveLength(1);
    expect(parsed[0]).toMatchObject({ ...shape, at: 0 });
  });

  it('can be mixed with statements of Postgres in one text', () => {
    const text = 'SELECT \'CREATE WORLD x;\'; /* é ; */ CREATE WORLD "a;b" META \'{"x": "é;"}\'; DIFF WORLD a; -- ;\nSELECT 1, nope;USE w';
    const parsed: any[] = parse(text);
    expect(parse('SELECT 1 /* a;b */ -- c;\n; USE w')).toHaveLength(2);
    expect(parsed.map(({ type }) => type)).toEqual(['select', 'createWorld', 'diffWorld', 'select', 'useWorld']);
    expect(text.slice(parsed[3].items[1].value.at)).toBe('nope;USE w');
    expect(parsed.map(({ range }) => text.slice(range.start, range.end))[4]).toBe('USE w');
  });

  it.each([
    ['MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE', 'merge'],
    ['SHOW world.setting', 'show'],
    ['SHOW search_path', 'show'],
    ['CREATE TABLE world (a int)', 'createTable'],
    ['DROP TABLE world', 'drop'],
    ["NOTIFY worlds, 'x'", 'notify'],
    ['ALTER TABLE world ADD a int', 'alterTable'],
  ])('%s is still Postgres’s', (text, type) => {
    expect(parse(text)[0].type).toBe(type);
  });

  it.each([
    ['CREATE WORLD', 'syntax error at end of input', 13],
    ['CREATE WORLD ; SELECT 1', 'syntax error at or near ";"', 14],
    ['SELECT 1; CREATE WORLD a b', 'syntax error at or near "b"', 26],
    ["SELECT 'é😀'; DROP WORLD a RESTRICT", 'syntax error at or near "RESTRICT"', 27],
    ['MERGE WORLD a VERSION x', 'syntax error at or near "x"', 23],
    ['MERGE WORLD a VERSION 1 VERSION 2', 'syntax error at or near "VERSION"', 25],
    ['MERGE WORLD a RESOLVE x', 'syntax error at or near "x"', 23],
    ['DIFF WORLD a TABLES ()', 'syntax error at or near ")"', 22],
    ['DIFF WORLD a LIMIT -1', 'syntax error at or near "-"', 20],
    ["ALTER WORLD a SET META '{", 'unterminated quoted string at or near "\'{"', 24],
    ['CREATE MERGE CHECK c AS DELETE FROM t', 'a query is expected here', 25],
    ['CREATE MERGE CHECK c AS SELECT , FROM t', 'syntax error at or near ","', 32],
    ['NOTIFY ON MERGE c, 1 FROM t', 'syntax error at or near "FROM"', 22],
    ['NOTIFY ON MERGE c, a, b', 'syntax error at or near ","', 21],
    ['NOTIFY ON MERGE c, 1 END, CASE WHEN true THEN 2', 'an expression is expected here', 20],
    ['CREATE AGENT a ENABLE', 'syntax error at or near "ENABLE"', 16],
    ["SIMULATE 2 WORLDS AS s SCRIPT 'x'", 'syntax error at end of input', 34],
    ['REVIEW x', 'syntax error at or near "REVIEW"', 1],
    ["SELECT 1 AS OF 'x'; CREATE WORLD a", 'syntax error at or near "\'x\'"', 16],
  ])('%s fails', (text, message, position) => {
    expect(failure(text)).toMatchObject({ code: '42601', message, position });
  });
});
