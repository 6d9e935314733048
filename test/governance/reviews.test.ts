/** Held merges and verdicts, merge checks, effects, outcomes: the story of an agent's work from fork to delivery. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AllCommands } from '../../src/commands/contract.ts';
import { OWNER } from '../../src/session/principal.ts';
import { codeOf, type Governed, MERGER, openGoverned, reasonsOf } from './open-governed.ts';

let governed: Governed;
let ann: AllCommands;
let rex: AllCommands;
beforeEach(async () => {
  governed = await openGoverned();
  await governed.db.sql({
    sql: `CREATE TABLE stock (id int PRIMARY KEY, amount int NOT NULL);
          INSERT INTO stock SELECT i, 10 FROM generate_series(1, 50) i;`,
  });
  rex = await governed.agent('rex', { can: ['read'] });
  await governed.db.set_merge_policy({ name: 'careful', rules: { max_rows: 2, confirm_deletes_over: 3, reviewer: 'rex' } });
  ann = await governed.agent('ann', { policy: 'careful' });
});
afterEach(() => governed.close());

const amount = async (id: number): Promise<unknown> =>
  (await governed.db.sql({ sql: 'SELECT amount FROM stock WHERE id = $1', params: [id] })).results[0].rows[0]?.['amount'];

async function held(name: string, sql = 'UPDATE stock SET amount = 99 WHERE id <= 3'): Promise<void> {
  await ann.fork({ name });
  await ann.sql({ branch: name, sql });
  await reasonsOf(ann.merge({ branch: name }));
}

describe('verdicts', () => {
  // contract: policy.15, state.9
  test('approve merges what was held', async () => {
    await held('b');
    expect(await rex.review({ branch: 'b', verdict: 'approve' })).toEqual({ ok: true, merged: 3 });
    expect(await amount(3)).toBe(99);
    expect((await governed.db.reviews()).reviews).toEqual([]);
  });

  // contract: state.9
  test('approve is refused once the branch changed', async () => {
    await held('b');
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 0 WHERE id = 50' });
    expect((await governed.db.reviews()).reviews[0]).toMatchObject({ changed_since: true });
    expect(await codeOf(rex.review({ branch: 'b', verdict: 'approve' }))).toBe('40001');
    expect(await amount(50)).toBe(10);
  });

  test('a held merge is merged with the input of its request, including resolve', async () => {
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 1 WHERE id = 1' });
    await governed.db.sql({ sql: 'UPDATE stock SET amount = 2 WHERE id = 1' });
    expect(await codeOf(ann.merge({ branch: 'b' }))).toBe('SV409');
    expect((await reasonsOf(ann.merge({ branch: 'b', resolve: 'theirs' }))).map(({ rule }) => rule)).toEqual(['overwrite']);
    await rex.review({ branch: 'b', verdict: 'approve' });
    expect(await amount(1)).toBe(1);
  });

  // contract: state.10
  test('reject keeps it unmerged, with its reason, also when it is requested again', async () => {
    await held('b');
    await rex.review({ branch: 'b', verdict: 'reject', reason: 'too many' });
    expect((await governed.db.reviews()).reviews[0]).toMatchObject({ verdict: 'reject', reason: 'too many' });
    const reasons = await reasonsOf(ann.merge({ branch: 'b' }));
    expect(reasons.map(({ rule }) => rule)).toContain('review');
    expect(await amount(1)).toBe(10);
  });

  test('a rejection holds for repeated requests in any form, when the rules change, and without a policy', async () => {
    await held('b');
    await governed.db.review({ branch: 'b', verdict: 'reject', reason: 'no' });
    const before = (await governed.db.reviews()).reviews;
    for (const way of [{}, {}, { only_tables: ['stock'] }, { resolve: 'theirs' } as const, {}]) {
      expect((await reasonsOf(ann.merge({ branch: 'b', ...way }))).at(-1)).toMatchObject({ rule: 'review', message: 'review: a person rejected it: no' });
    }
    expect((await governed.db.reviews()).reviews).toEqual(before);
    await governed.db.set_merge_policy({ name: 'careful', rules: { max_rows: 100 } });
    for (let i = 0; i < 3; i++) expect((await reasonsOf(ann.merge({ branch: 'b' }))).map(({ rule }) => rule)).toEqual(['review']);
    await governed.db.drop_merge_policy({ name: 'careful', release_agents: true });
    for (let i = 0; i < 3; i++) {
      await expect(ann.merge({ branch: 'b' })).rejects.toMatchObject({
        code: '42501',
        message: 'the merge of "b" waits for a person: review: a person rejected it: no',
      });
    }
    expect((await governed.db.reviews()).reviews).toEqual(before);
    expect(await amount(1)).toBe(10);
    expect(await governed.db.merge({ branch: 'b' })).toEqual({ merged: 3 });
  });

  test('the latest request is the held one', async () => {
    await governed.db.set_merge_policy({ name: 'careful', rules: { max_rows: null, max_age: 1000 } });
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 99 WHERE id <= 3' });
    governed.clock.step(2000);
    await reasonsOf(ann.merge({ branch: 'b', only_keys: ['stock/1'] }));
    await governed.db.review({ branch: 'b', verdict: 'pass' });
    await reasonsOf(ann.merge({ only_keys: ['stock/1'], branch: 'b' }));
    expect((await governed.db.reviews()).reviews[0]).toMatchObject({ verdict: 'pass' });
    await reasonsOf(ann.merge({ branch: 'b', only_keys: ['stock/2'] }));
    expect((await governed.db.reviews()).reviews[0]).toMatchObject({ verdict: null });
    expect(await governed.db.review({ branch: 'b', verdict: 'approve' })).toEqual({ ok: true, merged: 1 });
    expect([await amount(1), await amount(2)]).toEqual([10, 99]);
  });

  test('a rejected branch whose work is undone within the rules stays rejected until it changes', async () => {
    await held('b');
    await rex.review({ branch: 'b', verdict: 'reject' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 10 WHERE id IN (2, 3)' });
    expect(await ann.merge({ branch: 'b' })).toEqual({ merged: 1 });
  });

  // contract: state.11, state.12
  test('pass leaves it to a person, who merges or discards it', async () => {
    await held('b');
    await rex.review({ branch: 'b', verdict: 'pass' });
    expect((await governed.db.reviews()).reviews[0]).toMatchObject({ world: 'b', verdict: 'pass' });
    expect(await governed.db.merge({ branch: 'b' })).toEqual({ merged: 3 });
    await held('c', 'DELETE FROM stock WHERE id IN (10, 11, 12)');
    await governed.db.discard({ branch: 'c' });
    expect((await governed.db.reviews()).reviews).toEqual([]);
  });

  // contract: policy.15
  test('only a person and the named reviewer decide, and no agent decides about its own world', async () => {
    await held('b');
    const bob = await governed.agent('bob', { policy: 'careful' });
    expect(await codeOf(ann.review({ branch: 'b', verdict: 'approve' }))).toBe('42501');
    expect(await codeOf(bob.review({ branch: 'b', verdict: 'approve' }))).toBe('42501');
    expect(await codeOf(bob.merge({ branch: 'b' }))).toBe('42501');
    await governed.db.set_merge_policy({ name: 'own', rules: { max_rows: 0, reviewer: 'bob' } });
    await governed.db.alter_agent({ name: 'bob', policy: 'own' });
    await bob.fork({ name: 'mine' });
    await bob.sql({ branch: 'mine', sql: 'UPDATE stock SET amount = 0 WHERE id = 1' });
    await reasonsOf(bob.merge({ branch: 'mine' }));
    expect(await codeOf(bob.review({ branch: 'mine', verdict: 'approve' }))).toBe('42501');
    expect(await codeOf(rex.review({ branch: 'nothing', verdict: 'approve' }))).toBe('3D000');
    expect(await codeOf(governed.db.review({ branch: 'main', verdict: 'approve' }))).toBe('55000');
  });

  test('held merges are there after a restart, and after the page cache is gone', async () => {
    await held('b');
    const before = (await governed.db.reviews()).reviews;
    await governed.reopen();
    expect((await governed.db.reviews()).reviews).toEqual(before);
  });

  // contract: policy.14, state.12, merge.10, merge.14
  test('a person gives the number of deletes above what the policy says; the reviewer cannot', async () => {
    await held('b', 'DELETE FROM stock WHERE id <= 5');
    expect((await governed.db.preview({ branch: 'b' })).confirm_deletes).toEqual({ deletes: 5, over: 3, policy: 'careful' });
    await expect(rex.review({ branch: 'b', verdict: 'approve' })).rejects.toMatchObject({ status: 409 });
    await expect(governed.db.merge({ branch: 'b' })).rejects.toMatchObject({
      status: 409,
      data: { confirm_deletes: { deletes: 5, over: 3, policy: 'careful' } },
    });
    await expect(governed.db.merge({ branch: 'b', confirm_deletes: 4 })).rejects.toMatchObject({ status: 409 });
    expect(await governed.db.merge({ branch: 'b', confirm_deletes: 5 })).toEqual({ merged: 5 });
  });

  test('in SQL a person sees what holds a merge, and approves it with the number of its deletes', async () => {
    await held('b', 'DELETE FROM stock WHERE id <= 5');
    const person = governed.db.commandsOf(OWNER);
    const run = async (sql: string, of = person): Promise<Record<string, unknown>[]> => (await of.sql({ sql })).results[0].rows;
    expect((await run('MERGE WORLD b DRY RUN', ann)).filter(({ outcome }) => outcome === 'blocked')).toMatchObject([
      { detail: expect.stringContaining('changes 5 rows') },
    ]);
    expect(await codeOf(run('REVIEW WORLD b APPROVE'))).toBe('55000');
    expect(await codeOf(run("REVIEW WORLD b APPROVE 'seen' CONFIRM DELETES 4"))).toBe('55000');
    expect(await run("REVIEW WORLD b APPROVE 'seen' CONFIRM DELETES 5")).toEqual([{ world: 'b', verdict: 'approve', merged: 5 }]);
  });

  test('a rejected merge does not wait: it is counted again when its world changes', async () => {
    await held('b', 'DELETE FROM stock WHERE id <= 5');
    expect(governed.db.stats()['held_merges']).toBe(1);
    await rex.review({ branch: 'b', verdict: 'reject', reason: 'no' });
    expect(governed.db.stats()['held_merges']).toBe(0);
    expect((await governed.db.reviews()).reviews).toHaveLength(1);
    await governed.db.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 3 WHERE id = 9' });
    expect(governed.db.stats()['held_merges']).toBe(1);
  });
});

describe('merge checks', () => {
  beforeEach(async () => {
    await governed.db.set_merge_check({ name: 'no_negative', query: 'SELECT id, amount FROM stock WHERE amount < 0', tables: ['stock'] });
  });

  // contract: service.5, check.3, state.6, merge.13, error.23514, error.conflict
  test('rows found in the result refuse the merge, for people too, and are shown', async () => {
    await governed.db.fork({ name: 'b' });
    await governed.db.sql({ branch: 'b', sql: 'UPDATE stock SET amount = -1 WHERE id = 7' });
    expect((await governed.db.preview({ branch: 'b' })).blocked).toMatchObject([{ rule: 'merge check' }]);
    await expect(governed.db.merge({ branch: 'b' })).rejects.toMatchObject({
      code: '23514',
      status: 409,
      message: expect.stringContaining('{"id":7,"amount":-1}'),
    });
    expect(await amount(7)).toBe(10);
    await governed.db.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 1 WHERE id = 7' });
    expect(await governed.db.merge({ branch: 'b' })).toEqual({ merged: 1 });
  });

  test('it sees the result, not the branch: what only both sides together break is found', async () => {
    await governed.db.set_merge_check({ name: 'total', query: 'SELECT sum(amount) AS total FROM stock HAVING sum(amount) < 495', tables: ['stock'] });
    await governed.db.fork({ name: 'b' });
    await governed.db.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 7 WHERE id = 1' });
    await governed.db.sql({ sql: 'UPDATE stock SET amount = 7 WHERE id = 2' });
    expect(await codeOf(governed.db.merge({ branch: 'b' }))).toBe('23514');
    expect(await amount(1)).toBe(10);
  });

  // contract: state.7, mcp.rule.3
  test('under a policy the merge waits instead, and an approval does not get round the check', async () => {
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: 'UPDATE stock SET amount = -1 WHERE id = 7' });
    expect((await reasonsOf(ann.merge({ branch: 'b' }))).map(({ rule }) => rule)).toEqual(['merge check']);
    expect(await codeOf(rex.review({ branch: 'b', verdict: 'approve' }))).toBe('23514');
    expect(await codeOf(governed.db.merge({ branch: 'b' }))).toBe('23514');
    const zoe = await governed.agent('zoe');
    await zoe.fork({ name: 'z' });
    await zoe.sql({ branch: 'z', sql: 'UPDATE stock SET amount = -1 WHERE id = 7' });
    expect(await codeOf(zoe.merge({ branch: 'z' }))).toBe('23514');
  });

  test('checks of tables that nothing touches do not run; a slow one refuses with 57014', async () => {
    await governed.db.set_merge_check({
      name: 'slow',
      query: 'SELECT count(*) FROM generate_series(1, 1000000000) HAVING count(*) < 0',
      tables: ['stock'],
      timeout_ms: 50,
    });
    await governed.db.fork({ name: 'a' });
    await governed.db.put({ branch: 'a', table: 'notes', id: 'x', record: { text: 'hi' } });
    expect(await governed.db.merge({ branch: 'a' })).toEqual({ merged: 1 });
    await governed.db.fork({ name: 'b' });
    await governed.db.sql({ branch: 'b', sql: 'UPDATE stock SET amount = 11 WHERE id = 7' });
    expect(await codeOf(governed.db.merge({ branch: 'b' }))).toBe('57014');
    // A dry run shows what blocks the merge.
    expect((await governed.db.preview({ branch: 'b' })).blocked).toEqual([{ rule: 'merge check', message: 'merge check "slow": did not end within 50 ms' }]);
    expect(await amount(7)).toBe(10);
  });

  test('a check of a partitioned table runs for what changes in its partitions', async () => {
    await governed.db.sql({
      sql: `CREATE TABLE log (at int PRIMARY KEY, amount int) PARTITION BY RANGE (at);
            CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (0) TO (10)`,
    });
    await governed.db.set_merge_check({ name: 'log', query: 'SELECT * FROM log WHERE amount < 0', tables: ['log'] });
    await governed.db.fork({ name: 'b' });
    await governed.db.sql({ branch: 'b', sql: 'INSERT INTO log VALUES (1, -1)' });
    expect(await codeOf(governed.db.merge({ branch: 'b' }))).toBe('23514');
  });

  // contract: check.2
  test('a check that is no SELECT, writes, or does not bind is refused when it is made', async () => {
    await governed.db.sql({
      sql: `CREATE SEQUENCE numbers;
            CREATE FUNCTION marks() RETURNS int LANGUAGE plpgsql AS $$
              BEGIN IF false THEN FOR i IN 1..2 LOOP DELETE FROM stock WHERE id = i; END LOOP; END IF; RETURN 1; END $$;
            CREATE FUNCTION takes() RETURNS bigint LANGUAGE sql AS 'WITH gone AS (DELETE FROM stock RETURNING 1) SELECT count(*) FROM gone';
            CREATE FUNCTION reads() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM stock); END'`,
    });
    for (const [query, code] of [
      ["SELECT 1 WHERE nextval('numbers') > 5", '25006'],
      ["SELECT pg_notify('a', 'b')", '25006'],
      ['SELECT id FROM stock WHERE marks() = 1', '25006'],
      ['SELECT takes()', '25006'],
      ['SELECT * FROM stock FOR UPDATE', '25006'],
      ['DELETE FROM stock', '42601'],
      ['SELECT 1; SELECT 2', '42601'],
      ['SELECT nothing FROM stock', '42703'],
      ['SELECT * FROM nowhere', '42P01'],
      ['SELEC', '42601'],
    ] as const) {
      expect([query, await codeOf(governed.db.set_merge_check({ name: 'bad', query }))]).toEqual([query, code]);
    }
    expect(await codeOf(ann.set_merge_check({ name: 'bad', query: 'SELECT 1' }))).toBe('42501');
    await governed.db.set_merge_check({ name: 'good', query: 'SELECT 1 WHERE reads() < 0' });
  });
});

describe('effects', () => {
  // contract: effect.1, diff.5, event.4, event.5, state.3
  test('a merge into main sends what the branch queued, in order; a worker claims, retries and acknowledges', async () => {
    await governed.db.sql({ sql: 'CREATE WORLD b' });
    await governed.db.sql({
      branch: 'b',
      sql: `UPDATE stock SET amount = 1 WHERE id = 1; NOTIFY ON MERGE mail, '{"to": "ann"}'::jsonb; NOTIFY ON MERGE mail, 'second'`,
    });
    await governed.db.notify_on_merge({ branch: 'b', channel: 'ship', payload: [1, 2] });
    expect((await governed.db.diff({ branch: 'b', count: true })).effects).toMatchObject([
      { channel: 'mail', payload: { to: 'ann' }, by: '' },
      { channel: 'mail', payload: 'second' },
      { channel: 'ship', payload: [1, 2] },
    ]);
    expect((await governed.db.claim_outbox({})).effects).toEqual([]);
    await governed.db.merge({ branch: 'b' });
    const worker = await governed.agent('worker', { can: ['read', 'outbox'] });
    const { effects } = await worker.claim_outbox({ channel: 'mail', limit: 1, for_ms: 1000 });
    expect(effects).toMatchObject([{ channel: 'mail', payload: { to: 'ann' }, attempts: 1 }]);
    // The channel waits while its first effect is out.
    expect((await worker.claim_outbox({ channel: 'mail' })).effects).toEqual([]);
    expect((await worker.claim_outbox({ channel: 'ship' })).effects).toHaveLength(1);
    governed.clock.step(2000);
    expect((await worker.claim_outbox({ channel: 'mail' })).effects).toMatchObject([{ attempts: 2 }, { payload: 'second', attempts: 1 }]);
    await worker.retry_outbox({ id: effects[0].id, after_ms: 5000 });
    expect((await worker.claim_outbox({ channel: 'mail' })).effects).toEqual([]);
    governed.clock.step(70_000);
    const again = (await worker.claim_outbox({ channel: 'mail' })).effects;
    expect(again.map(({ attempts }) => attempts)).toEqual([3, 2]);
    for (const { id } of again) await worker.ack_outbox({ id });
    expect(await codeOf(worker.ack_outbox({ id: again[0].id }))).toBe('42704');
    expect(await codeOf(ann.claim_outbox({}))).toBe('42501');
  });

  test('effects are dropped with a rolled back transaction, with a discarded branch, and with an undone merge while unclaimed', async () => {
    await governed.db.fork({ name: 'b' });
    await governed.db.sql({ branch: 'b', sql: `BEGIN; NOTIFY ON MERGE mail, 'no'; ROLLBACK; NOTIFY ON MERGE mail, 'yes'` });
    expect((await governed.db.diff({ branch: 'b', count: true })).effects).toMatchObject([{ payload: 'yes' }]);
    await governed.db.merge({ branch: 'b' });
    await governed.db.undo_merge({ branch: 'b' });
    expect((await governed.db.claim_outbox({})).effects).toEqual([]);
    expect(await codeOf(governed.db.sql({ sql: `NOTIFY ON MERGE mail, 'x'` }))).toBe('55000');
  });

  test('a merge into another branch carries them along; main alone sends', async () => {
    await governed.db.fork({ name: 'a' });
    await governed.db.fork({ name: 'b', from: 'a' });
    await governed.db.notify_on_merge({ branch: 'b', channel: 'mail', payload: 'hi' });
    await governed.db.merge({ branch: 'b' });
    expect((await governed.db.claim_outbox({})).effects).toEqual([]);
    await governed.db.merge({ branch: 'a' });
    expect((await governed.db.claim_outbox({})).effects).toMatchObject([{ payload: 'hi' }]);
  });

  test('the outbox is the same after a restart', async () => {
    await governed.db.fork({ name: 'b' });
    await governed.db.notify_on_merge({ branch: 'b', channel: 'mail', payload: { n: 1 } });
    await governed.db.merge({ branch: 'b' });
    await governed.reopen();
    expect((await governed.db.claim_outbox({})).effects).toMatchObject([{ payload: { n: 1 } }]);
  });
});

describe('no way round', () => {
  const change = 'UPDATE stock SET amount = 0 WHERE id <= 10';
  beforeEach(async () => {
    await ann.fork({ name: 'b' });
    await ann.sql({ branch: 'b', sql: change });
  });
  const WAYS: [string, () => Promise<unknown>][] = [
    ['plain', () => ann.merge({ branch: 'b' })],
    ['only_tables', () => ann.merge({ branch: 'b', only_tables: ['stock'] })],
    ['only_keys', () => ann.merge({ branch: 'b', only_keys: ['stock/1', 'stock/2', 'stock/3'] })],
    ['into main', () => ann.merge({ branch: 'b', into: 'main' })],
    ['SQL', () => ann.sql({ sql: 'MERGE WORLD b' })],
    ['by columns', () => ann.merge({ branch: 'b', columns: true })],
    ['picks', () => ann.merge({ branch: 'b', picks: { 'stock/1': 'theirs' } })],
    [
      'a nested branch',
      async () => {
        await ann.fork({ name: 'inner', from: 'b' });
        await ann.sql({ branch: 'inner', sql: 'UPDATE stock SET amount = 3 WHERE id = 20' });
        await ann.merge({ branch: 'inner' });
        await ann.merge({ branch: 'b' });
      },
    ],
    [
      'rebase first',
      async () => {
        await ann.rebase({ branch: 'b' });
        await ann.merge({ branch: 'b' });
      },
    ],
    [
      "another agent's branch",
      async () => {
        const other = await governed.agent('other', { can: MERGER, policy: 'careful' });
        await other.fork({ name: 'theirs' });
        await ann.merge({ branch: 'b', into: 'theirs' });
      },
    ],
    [
      'two merges at once',
      async () => {
        const both = await Promise.allSettled([ann.merge({ branch: 'b' }), ann.merge({ branch: 'b' })]);
        for (const each of both) if (each.status === 'rejected') throw each.reason as Error;
      },
    ],
  ];
  for (const [name, way] of WAYS) {
    test(name, async () => {
      await reasonsOf(way());
      expect(await amount(1)).toBe(10);
    });
  }

  test('a renamed table is judged by each of its names', async () => {
    await governed.db.sql({ sql: 'CREATE TABLE secret (id int PRIMARY KEY, v int); INSERT INTO secret VALUES (1, 1)' });
    await governed.db.set_merge_policy({ name: 'stock_only', rules: { tables: ['stock'], schema: true } });
    const kit = await governed.agent('kit', { policy: 'stock_only' });
    await kit.fork({ name: 'k' });
    await kit.sql({ branch: 'k', sql: 'ALTER TABLE stock RENAME TO open; ALTER TABLE secret RENAME TO stock; UPDATE stock SET v = 2' });
    expect((await reasonsOf(kit.merge({ branch: 'k' }))).map(({ rule }) => rule)).toEqual(['tables']);
  });

  test('parts that are each within a budget of rows are counted by the hour', async () => {
    await governed.db.set_merge_policy({ name: 'parts', rules: { max_rows: 2, rows_per_hour: 3 } });
    await governed.db.alter_agent({ name: 'ann', policy: 'parts' });
    await ann.merge({ branch: 'b', only_keys: ['stock/1', 'stock/2'] });
    expect((await reasonsOf(ann.merge({ branch: 'b', only_keys: ['stock/3', 'stock/4'] }))).map(({ rule }) => rule)).toEqual(['max_rows', 'rows_per_hour']);
  });
});

// contract: outcomes.2, op.merge_outcomes
test('merge outcomes by agent and by policy', async () => {
  await ann.fork({ name: 'small' });
  await ann.sql({ branch: 'small', sql: 'UPDATE stock SET amount = 5 WHERE id = 1' });
  await ann.merge({ branch: 'small' });
  await held('big');
  await rex.review({ branch: 'big', verdict: 'approve' });
  await held('bad', 'UPDATE stock SET amount = 98 WHERE id <= 3');
  await rex.review({ branch: 'bad', verdict: 'reject' });
  await ann.fork({ name: 'clash' });
  await ann.sql({ branch: 'clash', sql: 'UPDATE stock SET amount = 5 WHERE id = 9' });
  await governed.db.sql({ sql: 'UPDATE stock SET amount = 6 WHERE id = 9' });
  expect(await codeOf(ann.merge({ branch: 'clash' }))).toBe('SV409');
  const zoe = await governed.agent('zoe');
  await zoe.fork({ name: 'free' });
  await zoe.sql({ branch: 'free', sql: 'UPDATE stock SET amount = 5 WHERE id = 2' });
  await zoe.merge({ branch: 'free' });
  const { outcomes } = await governed.db.merge_outcomes({});
  expect(outcomes).toMatchObject([
    { agent: 'ann', policy: 'careful', worlds: 4, on_rules: 1, approved: 1, rejected: 1, open: 1, holds: 2, conflicts: 1, rules_rate: 1 / 3 },
    { agent: 'zoe', policy: null, worlds: 1, no_policy: 1, rules_rate: null },
  ]);
  const byPolicy = (await governed.db.sql({ sql: 'SHOW MERGE OUTCOMES BY POLICY' })).results[0];
  expect(byPolicy.columns.slice(0, 2)).toEqual(['policy', 'worlds']);
  expect(byPolicy.rows).toHaveLength(2);
  expect(await codeOf(ann.merge_outcomes({}))).toBe('42501');
});
