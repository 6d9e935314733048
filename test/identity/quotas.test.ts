/** Each quota and each setting of the database: at its limit it passes, one over is refused, and nothing half is left. */
import { afterEach, expect, test } from 'vitest';
import { AgentUsage } from '../../src/session/agent-usage.ts';
import { GUEST } from '../../src/session/principal.ts';
import { parseCeilings } from '../../src/worlds/system-settings.ts';
import { type Answer, asked, Identities, outcome, post } from './open-identities.ts';

let t: Identities;
afterEach(() => t?.close());

// contract: limit.max_worlds, state.1, error.42501
test('max_worlds: maximum number of live worlds', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', max_worlds: 2 });
  const other = await t.agent({ name: 'other', max_worlds: 1 });
  for (const name of ['a', 'b']) await t.db.fork({ name }, bot);
  const head = t.db.stats()['log_sequence'];
  expect(await outcome(t.db.fork({ name: 'c' }, bot))).toBe('42501 403');
  expect(await outcome(asked(t.db, bot, 'CREATE WORLD c'))).toBe('42501 403');
  expect(t.db.stats()['log_sequence']).toBe(head);
  expect(await outcome(t.db.fork({ name: 'd' }, other))).toBe('y');
  await t.db.discard({ branch: 'a' }, bot);
  expect(await outcome(t.db.fork({ name: 'c' }, bot))).toBe('y');
  await t.reopen();
  expect(await outcome(t.db.fork({ name: 'e' }, t.principal('bot')))).toBe('42501 403');
  await t.db.alter_agent({ name: 'bot', max_worlds: 3 });
  expect(await outcome(t.db.fork({ name: 'e' }, t.principal('bot')))).toBe('y');
  expect(await outcome(t.db.fork({ name: 'f' }, t.principal('bot')))).toBe('42501 403');
});

// contract: limit.max_changes, error.42501
test('max_changes: every row counts since the fork, through every entrance, across restarts', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: 'CREATE TABLE n (id int PRIMARY KEY, v int)' });
  let bot = await t.agent({ name: 'bot', can: ['read', 'fork', 'write_own', 'merge_own', 'restore'], max_changes: 10 });
  await t.db.fork({ name: 'w' }, bot);
  const put = (n: number): Promise<unknown> => t.db.put({ branch: 'w', table: 'd', id: 'a', record: { n } }, bot);
  await put(1);
  await put(2);
  await put(3);
  await t.db.batch({ branch: 'w', rows: [1, 2].map((n) => ({ table: 'd', id: `b${n}`, record: { n } })) }, bot);
  await asked(t.db, bot, 'INSERT INTO n SELECT g, g FROM generate_series(1, 3) g', 'w');
  await t.reopen();
  bot = t.principal('bot');
  const head = t.db.stats()['log_sequence'];
  const version = (await t.db.world({ branch: 'w' })).version;
  // 8 were changed; 3 are one too many.
  expect(await outcome(asked(t.db, bot, 'UPDATE n SET v = 0', 'w'))).toBe('42501 403');
  expect(await outcome(asked(t.db, bot, 'BEGIN; UPDATE n SET v = 0 WHERE id = 1; UPDATE n SET v = 0 WHERE id > 1; COMMIT', 'w'))).toBe('42501 403');
  expect(await outcome(t.db.batch({ branch: 'w', rows: [1, 2, 3].map((n) => ({ table: 'd', id: `c${n}`, record: { n } })) }, bot))).toBe('42501 403');
  expect(await outcome(t.db.restore({ branch: 'w', at: '#9' }, bot))).not.toBe('y');
  expect(t.db.stats()['log_sequence']).toBe(head);
  expect((await t.db.world({ branch: 'w' })).version).toBe(version);
  expect(await outcome(asked(t.db, bot, 'BEGIN; UPDATE n SET v = 0 WHERE id < 3; COMMIT', 'w'))).toBe('y');
  expect(await outcome(put(9))).toBe('42501 403');
  expect(await outcome(asked(t.db, bot, 'DELETE FROM n WHERE id = 1', 'w'))).toBe('42501 403');
  // A merge into its own world counts too, another world of its own starts at zero, and others are not counted.
  await t.db.fork({ name: 'child', from: 'w' }, bot);
  expect(await outcome(t.db.put({ branch: 'child', table: 'd', id: 'z', record: {} }, bot))).toBe('y');
  expect(await outcome(t.db.merge({ branch: 'child' }, bot))).toBe('42501 403');
  expect(await outcome(t.db.put({ branch: 'w', table: 'd', id: 'a', record: { n: 9 } }))).toBe('y');
  // Standing on another state counts nothing; rows that are picked do.
  await t.db.put({ table: 'd', id: 'main', record: { n: 1 } });
  expect(await outcome(t.db.rebase({ branch: 'w' }, bot))).toBe('y');
  expect(await outcome(t.db.rebase({ branch: 'w', picks: { 'd/a': { n: 77 } } }, bot))).toBe('42501 403');
  await t.db.alter_agent({ name: 'bot', max_changes: 14 });
  expect(await outcome(put(10))).toBe('y');
});

test('max_changes: rows removed with their table count, however it is removed', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: 'CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n SELECT g, g FROM generate_series(1, 5) g' });
  await t.db.put({ table: 'd', id: 'a', record: {} });
  const bot = await t.agent({ name: 'bot', can: ['read', 'fork', 'write_own'], max_changes: 4 });
  await t.db.fork({ name: 'w' }, bot);
  for (const sql of ['TRUNCATE n', 'DROP TABLE n', 'DROP TABLE n, d', 'BEGIN; TRUNCATE n; INSERT INTO n VALUES (1, 1); COMMIT', 'DROP SCHEMA public CASCADE']) {
    expect([sql, await outcome(asked(t.db, bot, sql, 'w'))]).toEqual([sql, '42501 403']);
  }
  expect(await outcome(asked(t.db, bot, 'ALTER TABLE n ADD COLUMN w int DEFAULT 1; ALTER TABLE n RENAME TO m', 'w'))).toBe('y');
  expect(await outcome(asked(t.db, bot, 'DELETE FROM m WHERE id < 3; TRUNCATE m', 'w'))).toBe('42501 403');
  expect(await outcome(asked(t.db, bot, 'DROP TABLE d; CREATE TABLE e (id int); DROP TABLE e', 'w'))).toBe('y');
  // One went with `d`, and is remembered across restarts.
  await t.reopen();
  expect(await outcome(asked(t.db, t.principal('bot'), 'DELETE FROM m WHERE id < 5', 'w'))).toBe('42501 403');
  expect(await outcome(asked(t.db, t.principal('bot'), 'DELETE FROM m WHERE id < 4', 'w'))).toBe('y');
});

// contract: limit.writes_per_minute, error.53400
test('writes_per_minute: a bucket that holds a minute of writes', async () => {
  const usage = new AgentUsage();
  const write = (nowMs: number, perMinute = 60): boolean => {
    try {
      usage.write(perMinute, nowMs, 'bot');
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: '53400', status: 429 });
      return false;
    }
  };
  let now = 0;
  for (let i = 0; i < 60; i++) expect(write(now)).toBe(true);
  expect(write(now)).toBe(false);
  // One a second from here on; time that passes is not lost by being refused.
  for (let i = 0; i < 5; i++) {
    now += 500;
    expect(write(now)).toBe(false);
    now += 500;
    expect(write(now)).toBe(true);
  }
  now += 3_600_000;
  for (let i = 0; i < 60; i++) expect(write(now)).toBe(true);
  expect(write(now)).toBe(false);
  // A higher rate adds what it has more.
  for (let i = 0; i < 10; i++) expect(write(now, 70)).toBe(true);
  expect(write(now, 70)).toBe(false);
});

// contract: limit.writes_per_minute, identity.3, error.429
test('writes_per_minute counts statements, batches and calls, not reads', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: 'CREATE TABLE n (id int PRIMARY KEY)' });
  const bot = await t.agent({ name: 'bot', can: ['read', 'fork', 'write_own'], writes_per_minute: 6 });
  const base = await t.serve();
  const token = t.tokens.get('bot')!;
  const statuses: number[] = [];
  const call = async (op: string, body: object): Promise<void> => void statuses.push((await post(base, op, body, token)).status);
  await call('fork', { name: 'w' });
  await call('put', { branch: 'w', table: 'd', id: 'a', record: {} });
  await call('batch', { branch: 'w', rows: [1, 2, 3].map((n) => ({ table: 'd', id: `b${n}`, record: {} })) });
  await call('get', { branch: 'w', table: 'd', id: 'a' });
  await call('sql', { branch: 'w', sql: 'SELECT * FROM n; INSERT INTO n VALUES (1); INSERT INTO n VALUES (2); SELECT 1' });
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  // One is left of six: the list of two is refused as a whole.
  const refused = await post(base, 'sql', { branch: 'w', sql: 'INSERT INTO n VALUES (3); INSERT INTO n VALUES (4)' }, token);
  expect([refused.status, refused.body.error?.code]).toEqual([429, '53400']);
  expect(await asked(t.db, bot, 'SELECT count(*)::int AS n FROM n', 'w')).toEqual([{ n: 2 }]);
  await call('put', { branch: 'w', table: 'd', id: 'a', record: {} });
  expect(statuses.at(-1)).toBe(429);
});

// contract: limit.restart
test('writes_per_minute begins again at a restart', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', writes_per_minute: 2 });
  const put = (by: typeof bot): Promise<string> => outcome(t.db.put({ branch: 'w', table: 'd', id: 'a', record: {} }, by));
  await t.db.fork({ name: 'w' }, bot);
  expect([await put(bot), await put(bot)]).toEqual(['y', '53400 429']);
  await t.reopen();
  expect(await put(t.principal('bot'))).toBe('y');
});

// contract: limit.max_concurrent, error.429, error.53300
test('max_concurrent: statements and requests at once', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', max_concurrent: 2 });
  const base = await t.serve();
  const token = t.tokens.get('bot')!;
  const sessions = [1, 2, 3].map(() => t.db.session({ principal: bot }));
  const long = 'SELECT count(*) FROM generate_series(1, 3000000) g';
  const running = sessions.slice(0, 2).map((session) => session.run(long));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await outcome(sessions[2].run('SELECT 1'))).toBe('53300 429');
  const refused = await post(base, 'branches', {}, token);
  expect([refused.status, refused.body.error?.code]).toEqual([429, '53300']);
  await Promise.all(running);
  expect(await outcome(sessions[2].run('SELECT 1'))).toBe('y');
  // A call counts once, whatever it runs.
  await t.db.alter_agent({ name: 'bot', max_concurrent: 1 });
  expect((await post(base, 'sql', { sql: 'SELECT 1; SELECT 2' }, token)).status).toBe(200);
  expect(await outcome(sessions[2].run('SELECT 1; SELECT 2'))).toBe('y');
  for (const session of sessions) session.close();
});

// contract: limit.max_query_ms, limit.max_idle_ms, error.400, error.57014
test('max_query_ms: one statement, and no session raises it', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', max_query_ms: 40 });
  const long = 'SELECT count(*) FROM generate_series(1, 100000000) g';
  const base = await t.serve();
  const stopped = await post(base, 'sql', { sql: long }, t.tokens.get('bot'));
  expect([stopped.status, stopped.body.error?.code]).toEqual([400, '57014']);
  expect(await asked(t.db, bot, "SET statement_timeout = '1h'; SHOW statement_timeout")).toEqual([{ statement_timeout: '40ms' }]);
  expect(await asked(t.db, bot, 'SET statement_timeout = 0; SHOW statement_timeout')).toEqual([{ statement_timeout: '40ms' }]);
  expect(await asked(t.db, bot, 'SET statement_timeout = 7; SHOW statement_timeout')).toEqual([{ statement_timeout: '7ms' }]);
  expect(await outcome(asked(t.db, bot, `SET statement_timeout = 0; ${long}`))).toBe('57014 400');
  expect(await asked(t.db, bot, 'SET idle_in_transaction_session_timeout = 0; SHOW idle_in_transaction_session_timeout')).toEqual([
    { idle_in_transaction_session_timeout: '0' },
  ]);
  await t.db.alter_agent({ name: 'bot', max_idle_ms: 5000 });
  expect(await asked(t.db, bot, "SET idle_in_transaction_session_timeout = '1h'; SHOW idle_in_transaction_session_timeout")).toEqual([
    { idle_in_transaction_session_timeout: '5s' },
  ]);
});

// contract: limit.max_memory_mb, error.413, error.53200
test('max_memory_mb: rows that one statement holds; sorts and groups spill instead', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: "CREATE TABLE wide (id int PRIMARY KEY, v text); INSERT INTO wide SELECT g, repeat('x', 1000) || g FROM generate_series(1, 5000) g" });
  await t.agent({ name: 'bot', max_memory_mb: 1 });
  const base = await t.serve();
  const run = (sql: string): Promise<Answer> => post(base, 'sql', { sql }, t.tokens.get('bot'));
  for (const sql of ['SELECT * FROM wide', "SELECT string_agg(v, '') FROM wide", 'SELECT v, v FROM wide ORDER BY id DESC']) {
    const { status, body } = await run(sql);
    expect([status, body.error?.code], sql).toEqual([413, '53200']);
  }
  for (const sql of [
    'SELECT * FROM wide WHERE id <= 500',
    'SELECT id FROM wide',
    'SELECT max(v) FROM (SELECT v FROM wide ORDER BY v DESC) s',
    'SELECT count(*) FROM (SELECT v, count(*) FROM wide GROUP BY v) s',
  ]) {
    expect((await run(sql)).status, sql).toBe(200);
  }
});

// contract: state.20, limit.world_ttl, world.2
test('world_ttl, SET TTL, PIN: worlds go when their time is over, as `system`', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', world_ttl: 60_000 });
  const other = await t.agent({ name: 'other' });
  for (const name of ['old', 'pinned', 'longer', 'lent']) await t.db.fork({ name }, bot);
  await t.db.fork({ name: 'of-old', from: 'old' }, bot);
  await t.db.fork({ name: 'kept' }, other);
  await t.db.fork({ name: 'short' });
  await t.db.fork({ name: 'fork-of-lent', from: 'lent' });
  await asked(
    t.db,
    (await t.agent({ name: 'boss', can: ['admin'] }))!,
    "ALTER WORLD pinned PIN; ALTER WORLD longer SET TTL '1 hour'; ALTER WORLD short SET TTL 1000",
  );
  const expires = async (): Promise<Record<string, boolean>> =>
    Object.fromEntries((await t.db.branches()).branches.map(({ name, expires: at }) => [name, at !== null]));
  expect(await expires()).toEqual({
    main: false,
    old: true,
    pinned: false,
    longer: true,
    lent: true,
    'of-old': true,
    kept: false,
    short: true,
    'fork-of-lent': false,
  });
  expect(await outcome(t.db.set_meta({ branch: 'old', meta: { expires: null } }, bot))).toBe('22023 400');
  expect(await t.db.expire()).toBe(0);
  t.clock.step(61_000);
  await t.reopen();
  expect(await t.db.expire()).toBe(3);
  expect(Object.keys(await expires()).sort()).toEqual(['fork-of-lent', 'kept', 'lent', 'longer', 'main', 'pinned']);
  const { events } = await t.db.audit({ agent: 'system' });
  expect(events.map(({ world, action }) => `${world} ${action}`).sort()).toEqual(['of-old discard', 'old discard', 'short discard']);
  // Its owner is dropped: the world lives no longer for that.
  await t.db.discard({ branch: 'fork-of-lent' });
  await t.db.drop_agent({ name: 'bot' });
  expect(await t.db.expire()).toBe(1);
  await t.db.keep({ branch: 'longer', ttl: null });
  await t.db.keep({ branch: 'pinned', pinned: false });
  expect(await t.db.expire()).toBe(2);
});

// contract: state.19, limit.settings, limit.statement_timeout, limit.system_max_worlds, limit.world_idle_ttl, error.53400
test('max_worlds of the database, world_idle_ttl, protect_main, statement_timeout: set by ALTER SYSTEM, and they stay', async () => {
  t = await Identities.open();
  const run = (sql: string, branch?: string): Promise<Record<string, unknown>[]> => asked(t.db, { kind: 'owner' }, sql, branch);
  await run("ALTER SYSTEM SET max_worlds = 2; ALTER SYSTEM SET world_idle_ttl = '10 min'; ALTER SYSTEM SET statement_timeout = '30s'");
  await t.reopen();
  expect(await run('SHOW max_worlds')).toEqual([{ max_worlds: '2' }]);
  expect(await run('SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
  expect(await run('SET statement_timeout = 0; SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  for (const name of ['idle', 'used']) await t.db.fork({ name });
  expect(await outcome(t.db.fork({ name: 'c' }))).toBe('53400 429');
  expect(await outcome(t.db.fork({ name: 'c' }, GUEST))).toBe('53400 429');
  expect(await outcome(run('SET max_worlds = 5'))).toBe('55P02 400');
  expect(await outcome(run('ALTER SYSTEM SET max_worlds = -1'))).toBe('22023 400');
  expect(await outcome(run("ALTER SYSTEM SET world_idle_ttl = 'soon'"))).toBe('22023 400');
  expect(await outcome(run('ALTER SYSTEM SET server_version = 5'))).toBe('55P02 400');
  expect(await outcome(run('ALTER SYSTEM SET nothing = 5'))).toBe('42704 404');
  expect(await outcome(run('BEGIN; ALTER SYSTEM RESET ALL'))).toBe('25001 400');
  t.clock.step(9 * 60_000);
  await t.db.put({ branch: 'used', table: 'd', id: 'a', record: {} });
  t.clock.step(2 * 60_000);
  expect(await t.db.expire()).toBe(1);
  expect((await t.db.branches()).branches.map(({ name }) => name)).toEqual(['main', 'used']);
  expect((await t.db.audit({ agent: 'system' })).events[0]).toMatchObject({ world: 'idle', action: 'discard' });
  await t.db.fork({ name: 'child', from: 'used' });
  await t.db.keep({ branch: 'child', pinned: true });
  t.clock.step(60 * 60_000);
  // One is forked from, the other pinned.
  expect(await t.db.expire()).toBe(0);
  await run('ALTER SYSTEM RESET max_worlds');
  expect(await run('SHOW max_worlds')).toEqual([{ max_worlds: '0' }]);
});

// contract: identity.2, limit.protect_main, error.42501
test('protect_main: its rows change only by merging a world, for everyone', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: 'CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1); CREATE SEQUENCE s' });
  await t.db.put({ table: 'd', id: 'a', record: { v: 1 } });
  await t.db.checkpoint({ name: 'c' });
  await t.db.put({ table: 'd', id: 'a', record: { v: 2 } });
  const before = await t.db.fork({ name: 'earlier' });
  await t.db.put({ branch: 'earlier', table: 'd', id: 'e', record: {} });
  await t.db.merge({ branch: 'earlier' });
  expect(before.ok).toBe(true);
  await t.db.set_setting({ name: 'protect_main', value: true });
  const boss = await t.agent({ name: 'boss', can: ['admin'] });
  const refusals: Record<string, () => Promise<unknown>> = {
    put: () => t.db.put({ table: 'd', id: 'a', record: {} }),
    'put by an admin': () => t.db.put({ table: 'd', id: 'a', record: {} }, boss),
    delete: () => t.db.delete({ table: 'd', id: 'a' }),
    batch: () => t.db.batch({ rows: [{ table: 'd', id: 'a', record: null }] }),
    restore: () => t.db.restore({ at: '#6' }),
    rollback: () => t.db.rollback({ checkpoint: 'c' }),
    undo_merge: () => t.db.undo_merge({ branch: 'earlier' }),
    INSERT: () => asked(t.db, boss, 'INSERT INTO n VALUES (2)'),
    'in a transaction': () => asked(t.db, { kind: 'owner' }, 'BEGIN; DELETE FROM n; SELECT 1; COMMIT'),
    TRUNCATE: () => asked(t.db, boss, 'TRUNCATE n'),
    'CREATE TABLE': () => asked(t.db, boss, 'CREATE TABLE m (id int)'),
  };
  const head = t.db.stats()['log_sequence'];
  for (const [name, work] of Object.entries(refusals)) expect(`${name}: ${await outcome(work())}`).toBe(`${name}: 42501 403`);
  expect(t.db.stats()['log_sequence']).toBe(head);
  await expect(t.db.delete({ table: 'd', id: 'a' })).rejects.toThrow('main is protected: row d/a changes only by merging a world');
  await expect(asked(t.db, boss, 'INSERT INTO n VALUES (2)')).rejects.toThrow('row n/2 ');
  expect(await asked(t.db, boss, "SELECT nextval('s')::int AS n")).toEqual([{ n: 1 }]);
  await t.db.fork({ name: 'w' });
  await asked(t.db, boss, 'INSERT INTO n VALUES (2); CREATE TABLE m (id int)', 'w');
  expect((await t.db.merge({ branch: 'w' }, boss)).merged).toBe(1);
});

// contract: limit.SVC_LIMITS
test('ceilings of the operator: no setting passes them, and they hold where nothing is set', async () => {
  t = await Identities.open({ ceilings: { maxWorlds: 3, historyRetentionMs: 7_200_000, worldIdleTtlMs: 0, statementTimeoutMs: 60_000 } });
  const run = (sql: string): Promise<Record<string, unknown>[]> => asked(t.db, { kind: 'owner' }, sql);
  expect(await run('SHOW max_worlds')).toEqual([{ max_worlds: '3' }]);
  expect(await outcome(run('ALTER SYSTEM SET max_worlds = 3'))).toBe('y');
  expect(await outcome(run('ALTER SYSTEM SET max_worlds = 4'))).toBe('42501 403');
  expect(await outcome(run('ALTER SYSTEM SET max_worlds = 0'))).toBe('42501 403');
  expect(await outcome(run("ALTER SYSTEM SET history_retention = '3h'"))).toBe('42501 403');
  expect(await outcome(run("ALTER SYSTEM SET history_retention = '2h'"))).toBe('y');
  expect(await outcome(run("ALTER SYSTEM SET world_idle_ttl = '300 days'"))).toBe('y');
  expect(await outcome(run("ALTER SYSTEM SET statement_timeout = '2min'"))).toBe('42501 403');
  expect(await run("SET statement_timeout = '2min'; SHOW statement_timeout")).toEqual([{ statement_timeout: '1min' }]);
  expect(await run('SET statement_timeout = 0; SHOW statement_timeout')).toEqual([{ statement_timeout: '1min' }]);
});

test('the file of ceilings is JSON or lines, and says what is wrong', () => {
  expect(parseCeilings('{"max_worlds": 5, "statement_timeout_ms": 1000}')).toMatchObject({ maxWorlds: 5, statementTimeoutMs: 1000, historyRetentionMs: 0 });
  expect(parseCeilings('# ours\nmax_worlds = 5\n\nworld_idle_ttl_ms: 7 # a week\n')).toMatchObject({ maxWorlds: 5, worldIdleTtlMs: 7 });
  expect(parseCeilings('')).toMatchObject({ maxWorlds: 0 });
  for (const bad of ['max_world = 5', 'max_worlds', 'max_worlds = -1', '{"max_worlds": "many"}', '{', '{"max_worlds": 1.5}']) {
    expect(() => parseCeilings(bad), bad).toThrow(/SVC_LIMITS/);
  }
});
