/** Agents: names, tokens, what is kept of them; the audit; what forks, restores and undoes leave alone; undoing an agent. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { GUEST, OWNER } from '../../src/session/principal.ts';
import { asked, Identities, outcome } from './open-identities.ts';

let t: Identities;
afterEach(() => t?.close());

// contract: agent.2, agent.4, agent.7, can.default, op.create_agent, limit.units
test('an agent has an id derived from its token, the usual rights, and no quotas', async () => {
  t = await Identities.open();
  const { agent, token } = await t.db.create_agent({ name: 'Bot_1-x' });
  expect(token).toMatch(/^svc_[0-9a-f]{64}$/);
  expect(agent).toEqual({
    name: 'Bot_1-x',
    id: expect.stringMatching(/^a[0-9a-f]{16}$/),
    can: ['read', 'fork', 'write_own'],
    max_worlds: 0,
    max_changes: 0,
    writes_per_minute: 0,
    world_ttl: 0,
    max_query_ms: 0,
    max_concurrent: 0,
    max_memory_mb: 0,
    max_idle_ms: 0,
    policy: null,
    disabled: false,
    created: expect.stringMatching(/Z$/),
  });
  const [row] = await asked(
    t.db,
    OWNER,
    "CREATE AGENT other CAN (read, merge) WITH (max_worlds = 3, world_ttl = '1 hour', max_query_ms = 500, max_memory_mb = null)",
  );
  expect(Object.keys(row)).toEqual(['name', 'id', 'token']);
  expect(t.db.directory.byToken(row['token'] as string)?.agent.name).toBe('other');
  expect(await asked(t.db, OWNER, 'SHOW AGENTS')).toMatchObject([
    { name: 'Bot_1-x', can: ['read', 'fork', 'write_own'], disabled: false },
    {
      name: 'other',
      can: ['read', 'merge'],
      quotas: { max_worlds: 3, max_changes: 0, writes_per_minute: 0 },
      world_ttl: 3_600_000,
      limits: { max_query_ms: 500, max_concurrent: 0, max_memory_mb: 0, max_idle_ms: 0 },
    },
  ]);
  expect(Object.keys((await asked(t.db, OWNER, 'SHOW AGENTS'))[0])).toEqual(['name', 'id', 'can', 'quotas', 'world_ttl', 'created', 'disabled', 'limits']);
  await asked(t.db, OWNER, 'ALTER AGENT other CAN (read) DISABLE');
  expect((await t.db.agents()).agents[1]).toMatchObject({ name: 'other', can: ['read'], disabled: true, max_worlds: 3 });
});

// contract: agent.1, state.22, error.22023, fixed.9
test('names: letters, digits, _ and -; two are reserved; one is not taken again while it owns worlds', async () => {
  t = await Identities.open();
  for (const name of ['', 'a b', 'a.b', 'ä', 'a/b', 'a@b', "a'b", 'x'.repeat(257), 'guest', 'system'])
    expect(await outcome(t.db.create_agent({ name })), name).toBe('22023 400');
  expect(await outcome(asked(t.db, OWNER, 'CREATE AGENT guest'))).toBe('22023 400');
  const bot = await t.agent({ name: 'bot' });
  expect(await outcome(t.db.create_agent({ name: 'bot' }))).toBe('42710 409');
  await t.db.fork({ name: 'w' }, bot);
  await t.db.drop_agent({ name: 'bot' });
  expect(t.db.directory.byToken(t.tokens.get('bot')!)).toBeNull();
  expect(await outcome(t.db.put({ branch: 'w', table: 'd', id: 'a', record: {} }, bot))).toBe('42501 403');
  expect((await t.db.world({ branch: 'w' })).owner).toBe('bot');
  expect(await outcome(t.db.create_agent({ name: 'bot' }))).toBe('22023 400');
  await t.reopen();
  expect(await outcome(t.db.create_agent({ name: 'bot' }))).toBe('22023 400');
  await t.db.discard({ branch: 'w' });
  expect(await outcome(t.db.create_agent({ name: 'bot' }))).toBe('y');
  // The old one is not the new one.
  expect(await outcome(t.db.branches({}, bot))).toBe('42501 403');
  // A role's name is no agent's, nor the other way round.
  await asked(t.db, OWNER, 'CREATE ROLE clerk');
  expect(await outcome(t.db.create_agent({ name: 'clerk' }))).toBe('42710 409');
  expect(await outcome(asked(t.db, OWNER, 'CREATE ROLE bot LOGIN'))).toBe('42710 409');
  expect(await outcome(asked(t.db, OWNER, 'ALTER ROLE clerk RENAME TO bot'))).toBe('42710 409');
  expect(await outcome(t.db.drop_agent({ name: 'nobody' }))).toBe('42704 404');
  expect(await outcome(t.db.create_agent({ name: 'x', can: ['everything'] }))).toBe('22023 400');
  expect(await outcome(t.db.create_agent({ name: 'x', max_worlds: -1 }))).toBe('22023 400');
  expect(await outcome(t.db.create_agent({ name: 'x', policy: 'nothing' }))).toBe('42704 404');
  expect(await outcome(asked(t.db, OWNER, 'CREATE AGENT x WITH (max_speed = 5)'))).toBe('22023 400');
});

// contract: agent.3
test('no token is kept: neither the log nor the cache holds one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-agents-'));
  try {
    const db = await open(folder);
    const { token } = await db.create_agent({ name: 'bot' });
    await db.flush();
    await db.close();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const bytes = files.map((each) => readFileSync(join(each.parentPath, each.name), 'latin1')).join('');
    expect(bytes).toContain('SCRAM-SHA-256$4096:');
    expect(bytes).not.toContain(token);
    expect(bytes).not.toContain(token.slice(4));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// contract: agent.6
test('restore, undo and forks of the past bring no agent back', async () => {
  t = await Identities.open();
  await t.db.create_agent({ name: 'gone', can: ['admin'] });
  await t.db.create_agent({ name: 'weaker', can: ['admin'] });
  await t.db.put({ table: 'd', id: 'a', record: {} });
  const then = `#${t.db.stats()['log_sequence']}`;
  await t.db.drop_agent({ name: 'gone' });
  await t.db.alter_agent({ name: 'weaker', can: ['read'], disabled: true });
  await t.db.restore({ at: then });
  await t.db.fork({ name: 'w', from: `main@${then}` });
  await t.db.merge({ branch: 'w' });
  await t.db.undo_merge({ branch: 'w' });
  await t.reopen();
  expect((await t.db.agents()).agents).toMatchObject([{ name: 'weaker', can: ['read'], disabled: true }]);
});

// contract: audit.1, op.audit, event.2
test('the audit lists actions of agents, the guest and the system, newest first', async () => {
  t = await Identities.open();
  const bot = await t.agent({ name: 'bot', can: ['admin'] });
  await t.db.put({ table: 'd', id: 'owner', record: {} });
  await t.db.fork({ name: 'w' }, bot);
  await t.db.fork({ name: 'v', from: 'w' }, bot);
  await t.db.batch({ branch: 'v', rows: [1, 2].map((n) => ({ table: 'd', id: `r${n}`, record: { n } })) }, bot);
  await asked(t.db, bot, 'CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1)', 'w');
  await t.db.set_meta({ branch: 'w', meta: { a: 1 } }, bot);
  await t.db.merge({ branch: 'v', only_keys: ['d/r1'] }, bot);
  await t.db.merge({ branch: 'v' }, bot);
  await t.db.undo_merge({ branch: 'v' }, bot);
  await t.db.merge({ branch: 'w' }, bot);
  await t.db.fork({ name: 'g' }, GUEST);
  await t.db.discard({ branch: 'g' }, GUEST);
  await t.db.alter_agent({ name: 'bot', max_worlds: 9 }, bot);
  const { events } = await t.db.audit({});
  const lines = events.map(({ agent, world, action, rows }) => `${agent}: ${world} ${action} ${rows}`);
  expect(lines).toEqual([
    'guest: g discard 0',
    'guest: g fork from main 0',
    'bot: w merge into main 2',
    'bot: w write 1',
    'bot: v merge into w 1',
    'bot: v merge part into w 1',
    'bot: w metadata 0',
    'bot: w write 1',
    'bot: v write 2',
    'bot: v fork from w 0',
    'bot: w fork from main 0',
  ]);
  expect((await t.db.audit({ agent: 'guest' })).events).toHaveLength(2);
  expect((await t.db.audit({ agent: 'bot', limit: 3 })).events.map(({ action }) => action)).toEqual(['merge into main', 'write', 'merge into w']);
  expect((await t.db.audit({ agent: 'nobody' })).events).toEqual([]);
  const sql = await asked(t.db, bot, 'SHOW AUDIT FOR AGENT guest LIMIT 1');
  expect(Object.keys(sql[0])).toEqual(['at', 'agent', 'world', 'action', 'rows', 'id']);
  await t.reopen();
  expect((await t.db.audit({})).events.map(({ agent, world, action, rows }) => `${agent}: ${world} ${action} ${rows}`)).toEqual(lines);
});

// contract: event.3, limit.history_retention
test('the audit lasts as long as history, and goes with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-audit-'));
  const options = { trimBytes: 1, segmentSizeBytes: 2000, checkpointLogBytes: 1e9, checkpointMs: 1e8 };
  const db = await open(folder, options);
  try {
    await db.create_agent({ name: 'bot', can: ['admin'] });
    const bot = db.directory.byName('bot')!;
    for (let n = 0; n < 50; n++) await db.put({ table: 'd', id: `a${n}`, record: { text: 'x'.repeat(100) } }, bot);
    await db.flush();
    expect((await db.audit({})).events).toHaveLength(50);
    await db.sql({ sql: 'ALTER SYSTEM SET history_retention = 0' });
    for (let n = 0; n < 3; n++) {
      await db.put({ table: 'd', id: 'b', record: { n } }, bot);
      await db.flush();
    }
    const { length } = (await db.audit({})).events;
    expect(length).toBeLessThan(10);
    expect((await db.audit({ agent: 'bot' })).events).toHaveLength(length);
    expect(db.directory.byName('bot')).not.toBeNull();
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
});

test('undoing an agent includes merges of its worlds that a person approved or made, and is nothing the second time', async () => {
  t = await Identities.open();
  await t.db.sql({ sql: "CREATE TABLE n (id int PRIMARY KEY, v text); INSERT INTO n VALUES (1, 'a'), (2, 'b'), (3, 'c')" });
  await t.db.set_merge_policy({ name: 'ask', rules: { max_rows: 0 } });
  const bot = await t.agent({ name: 'bot', can: ['read', 'fork', 'write_own', 'write_main', 'merge'], policy: 'ask' });
  const change = async (world: string, sql: string): Promise<void> => {
    await t.db.fork({ name: world }, bot);
    await t.db.sql({ branch: world, sql }, bot);
  };
  await change('approved', "UPDATE n SET v = 'approved' WHERE id = 1");
  expect(await outcome(t.db.merge({ branch: 'approved' }, bot))).toBe('42501 403');
  await t.db.review({ branch: 'approved', verdict: 'approve' });
  await change('made', "UPDATE n SET v = 'made' WHERE id = 2");
  await t.db.merge({ branch: 'made' });
  await asked(t.db, OWNER, "UPDATE n SET v = 'a person' WHERE id = 3");
  expect(await t.db.undo_agent({ name: 'bot', dry_run: true })).toMatchObject({ undone: 2, keys: ['n/1', 'n/2'] });
  expect(await t.db.undo_agent({ name: 'bot' })).toMatchObject({ undone: 2, skipped: 0 });
  expect(await asked(t.db, OWNER, 'SELECT v FROM n ORDER BY id')).toEqual([{ v: 'a' }, { v: 'b' }, { v: 'a person' }]);
  expect(await t.db.undo_agent({ name: 'bot' })).toMatchObject({ undone: 0, skipped: 0 });
});

test('a refused merge names the least rights that are enough', async () => {
  t = await Identities.open();
  await t.db.put({ table: 'd', id: 'a', record: { n: 1 } });
  const rights = { none: [], writer: ['write_main'], owner: ['merge_own'] } as const;
  const expected = { none: 'it needs `merge_own` and `write_main`, or `merge`', writer: 'it needs `merge_own` or `merge`', owner: 'it needs `write_main`' };
  for (const name of ['none', 'writer', 'owner'] as const) {
    const bot = await t.agent({ name, can: ['read', 'fork', 'write_own', ...rights[name]] });
    await t.db.fork({ name: `of_${name}` }, bot);
    await t.db.put({ branch: `of_${name}`, table: 'd', id: name, record: { n: 2 } }, bot);
    await expect(t.db.merge({ branch: `of_${name}` }, bot), name).rejects.toThrow(expected[name]);
  }
  await expect(t.db.merge({ branch: 'of_none' }, t.principal('writer'))).rejects.toThrow('it needs `merge`');
  await expect(t.db.merge({ branch: 'of_none' }, t.principal('owner'))).rejects.toThrow('it forked another world, and needs `merge`');
});

// contract: can.restore
test('undoing an agent puts back what it touched first, and names what others changed after it', async () => {
  t = await Identities.open();
  await t.db.sql({
    sql: "CREATE TABLE n (id int PRIMARY KEY, v text); INSERT INTO n VALUES (1, 'a'), (2, 'b'), (3, 'c'); CREATE TABLE lost (id int); INSERT INTO lost VALUES (1)",
  });
  await t.db.put({ table: 'd', id: 'kept', record: { v: 1 } });
  const bot = await t.agent({ name: 'bot', can: ['admin'] });
  const before = await rowsOf();
  await asked(t.db, bot, "UPDATE n SET v = 'bot' WHERE id = 1; DELETE FROM n WHERE id = 2; INSERT INTO n VALUES (4, 'bot')");
  await asked(t.db, OWNER, "UPDATE n SET v = 'first' WHERE id = 3");
  await t.db.fork({ name: 'w' }, bot);
  await t.db.put({ branch: 'w', table: 'd', id: 'kept', record: { v: 2 } }, bot);
  await t.db.put({ branch: 'w', table: 'd', id: 'new', record: { v: 2 } }, bot);
  await t.db.merge({ branch: 'w' }, bot);
  await asked(t.db, bot, "UPDATE n SET v = 'late' WHERE id = 3; UPDATE n SET v = 'again' WHERE id = 1; DROP TABLE lost; CREATE TABLE made (id int)");
  expect(await t.db.undo_agent({ name: 'bot' })).toEqual({ ok: true, world: 'main', undone: 7, skipped: 0 });
  expect(await rowsOf()).toEqual({ ...before, n: before.n.map((row) => (row['id'] === 3 ? { id: 3, v: 'first' } : row)) });
  expect(await outcome(asked(t.db, OWNER, 'SELECT * FROM made'))).toBe('42P01 400');
  // Again there is nothing to do, but for what came since.
  await asked(t.db, bot, "UPDATE n SET v = 'x' WHERE id < 3");
  await asked(t.db, OWNER, "UPDATE n SET v = 'mine' WHERE id = 1");
  const failure = await t.db.undo_agent({ name: 'bot', since: '-1h' }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: '40001', data: { changed: expect.arrayContaining(['n/1']) } });
  const [reply] = await asked(t.db, OWNER, 'UNDO AGENT bot SKIP CHANGED');
  expect(reply).toMatchObject({ world: 'main' });
  expect(await asked(t.db, OWNER, 'SELECT v FROM n WHERE id = 1')).toEqual([{ v: 'mine' }]);
  expect(await outcome(t.db.undo_agent({ name: 'nobody' }))).toBe('42704 404');

  async function rowsOf(): Promise<Record<string, Record<string, unknown>[]>> {
    return {
      n: await asked(t.db, OWNER, 'SELECT * FROM n ORDER BY id'),
      lost: await asked(t.db, OWNER, 'SELECT * FROM lost'),
      d: (await t.db.find({ table: 'd' })).hits.map(({ id, row }) => ({ id, ...row })),
    };
  }
});
