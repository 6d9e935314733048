/** The fields of replies over HTTP, by their names: none is missing. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';
import { type Served, serveHttp } from './open-served.ts';
import { newFolder } from './server-process.ts';

let t: Served;
beforeAll(async () => {
  t = await serveHttp();
  await t.call('sql', { sql: 'CREATE TABLE stock (id int PRIMARY KEY, amount int); INSERT INTO stock SELECT i, 10 FROM generate_series(1, 50) i' });
});
afterAll(() => t.close());

const keys = (value: object): string[] => Object.keys(value).sort();
const words = (text: string): string[] => text.split(' ').sort();

// contract: world.1, op.branches, op.world, op.set_meta, op.fork
test('a world has the same fields in each reply', async () => {
  const fields = words('name id parent depth created version flagged meta owner expires active pinned checkpoints');
  const { world } = (await t.call('fork', { name: 'shape' })).body;
  expect(keys(world)).toEqual(expect.arrayContaining(fields));
  expect((await t.call('world', { branch: world.id })).body).toEqual(world);
  expect((await t.call('branches', {})).body.branches.find(({ name }: { name: string }) => name === 'shape')).toEqual(world);
  expect(keys((await t.call('set_meta', { branch: 'shape', meta: { a: 1 } })).body)).toEqual(keys(world));
});

// contract: world.2
test('neither set_meta nor ALTER WORLD sets owner and expires', async () => {
  await t.call('fork', { name: 'fixed' });
  for (const field of ['owner', 'expires']) {
    expect((await t.call('set_meta', { branch: 'fixed', meta: { [field]: 'x' } })).status).toBe(400);
    expect((await t.call('sql', { sql: `ALTER WORLD fixed SET META '{"${field}": "x"}'` })).status).toBe(400);
  }
  expect((await t.call('world', { branch: 'fixed' })).body).toMatchObject({ owner: null, expires: null, meta: {} });
});

// contract: op.checkpoint, op.restore, op.discard, op.batch, op.delete
test('checkpoint, restore, discard and writes reply as promised', async () => {
  await t.call('fork', { name: 'acts' });
  await t.call('fork', { name: 'below', from: 'acts' });
  const put = (id: string): object => ({ table: 'd', id, record: {} });
  expect((await t.call('batch', { branch: 'acts', rows: [put('a'), put('b')] })).body).toEqual({ ok: true, count: 2, version: 1 });
  expect((await t.call('delete', { branch: 'acts', table: 'd', id: 'a' })).body).toEqual({ ok: true, version: 2 });
  expect((await t.call('checkpoint', { branch: 'acts', name: 'c' })).body).toEqual({ ok: true, at: expect.stringMatching(/Z$/) });
  await t.call('put', { branch: 'acts', ...put('z') });
  expect((await t.call('restore', { branch: 'acts', checkpoint: 'c' })).body).toMatchObject({ ok: true, restored: 1 });
  expect((await t.call('discard', { branch: 'acts', cascade: true })).body).toEqual({ ok: true, discarded: expect.arrayContaining(['acts', 'below']) });
});

// contract: op.alter_agent, op.drop_agent, op.agents, agent.4
test('agents are changed, listed and dropped', async () => {
  await t.agent('ann', { can: ['read'], max_worlds: 3 });
  const { agent } = (await t.call('alter_agent', { name: 'ann', can: ['read', 'fork'], max_changes: 7, world_ttl: 60_000, disabled: true })).body;
  expect(agent).toMatchObject({ name: 'ann', can: ['read', 'fork'], max_worlds: 3, max_changes: 7, world_ttl: 60_000, disabled: true, policy: null });
  expect((await t.call('agents', {})).body).toEqual({ agents: [agent] });
  expect((await t.call('drop_agent', { name: 'ann' })).body).toEqual({ ok: true });
  expect((await t.call('agents', {})).body).toEqual({ agents: [] });
});

// contract: op.audit
test('the audit has the last 100 events where no limit is given', async () => {
  const token = await t.agent('busy');
  await t.call('fork', { name: 'busy' }, token);
  for (let n = 0; n < 101; n++) await t.call('put', { branch: 'busy', table: 'd', id: 'a', record: { n } }, token);
  const { events } = (await t.call('audit', { agent: 'busy' })).body;
  expect(events).toHaveLength(100);
  expect(keys(events[0])).toEqual(expect.arrayContaining(words('at agent world action rows')));
  expect((await t.call('audit', { agent: 'busy', limit: 500 })).body.events).toHaveLength(102);
});

// contract: review.1, review.2, policy.16, policy.17, check.1, fixed.9, outcomes.1, outcomes.2, op.merge_outcomes
test('policies, checks, reviews and outcomes have their fields', async () => {
  for (const name of ['', 'a b', 'a.b', 'é']) expect([name, (await t.call('set_merge_policy', { name, rules: {} })).status]).toEqual([name, 400]);
  await t.call('set_merge_policy', { name: 'Careful_1-x', rules: { max_rows: 2 } });
  const { policies } = (await t.call('merge_policies', {})).body;
  expect(keys(policies[0])).toEqual(expect.arrayContaining(words('name max_rows max_deletes tables review_tables schema overwrite created')));
  await t.call('set_merge_check', { name: 'sane', query: 'SELECT id FROM stock WHERE amount < 0', tables: ['stock'] });
  expect((await t.call('merge_checks', {})).body.checks).toEqual([
    { name: 'sane', tables: ['stock'], timeout_ms: 1000, query: 'SELECT id FROM stock WHERE amount < 0', created: expect.stringMatching(/Z$/) },
  ]);

  const token = await t.agent('eve', { can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'Careful_1-x' });
  await t.call('fork', { name: 'held', meta: { may_change: ['stock', 'other'] } }, token);
  await t.call(
    'sql',
    {
      branch: 'held',
      sql: `CREATE TABLE other (id int PRIMARY KEY); INSERT INTO other VALUES (1); DELETE FROM stock WHERE id < 3; UPDATE stock SET amount = 1 WHERE id = 9;
            NOTIFY ON MERGE mail, 'a'; NOTIFY ON MERGE mail, 'b'; NOTIFY ON MERGE ship, 'c'`,
    },
    token,
  );
  expect((await t.call('merge', { branch: 'held' }, token)).status).toBe(403);
  const [review] = (await t.call('reviews', {})).body.reviews;
  expect(keys(review)).toEqual(expect.arrayContaining(words('world owner policy reasons asked version changed_since scope changes effects')));
  expect(review.changes).toEqual([
    { table: 'stock', deleted: 2, updated: 1, inserted: 0 },
    { table: 'other', deleted: 0, updated: 0, inserted: 1 },
  ]);
  expect(review.scope).toEqual({ may_change: ['stock', 'other'] });
  expect(review.effects).toEqual(
    expect.arrayContaining([expect.objectContaining({ channel: 'mail', count: 2 }), expect.objectContaining({ channel: 'ship', count: 1 })]),
  );
  const shown = (await t.call('sql', { sql: 'SHOW REVIEWS' })).body.results[0];
  expect(shown.columns).toEqual(expect.arrayContaining(words('world owner policy reasons asked version changed_since scope changes effects')));

  const fields =
    'policy worlds on_rules no_policy approved rejected discarded open partly_merged before_window conflicts stale_reads check_refusals holds rules_rate';
  const byAgent = (await t.call('merge_outcomes', {})).body;
  expect(keys(byAgent)).toEqual(['outcomes', 'since']);
  expect(keys(byAgent.outcomes[0])).toEqual(words(`agent ${fields}`));
  expect(keys((await t.call('merge_outcomes', { by: 'policy' })).body.outcomes[0])).toEqual(words(fields));
  expect((await t.call('merge_outcomes', {}, token)).status).toBe(403);
});

// contract: diff.5, diff.8
test('a diff has effects without `to` alone, and readers of the whole diff on each page', async () => {
  await t.call('set_reader', { name: 'amounts', table: 'stock', columns: ['amount'], kind: 'dashboard' });
  await t.call('fork', { name: 'read' });
  await t.call('sql', {
    branch: 'read',
    sql: "UPDATE stock SET amount = 5 WHERE id IN (20, 21); INSERT INTO stock VALUES (900, 1); NOTIFY ON MERGE mail, 'x'",
  });
  const count = (await t.call('diff', { branch: 'read', count: true })).body;
  expect(keys(count)).toEqual(expect.arrayContaining(words('total tables summary effects')));
  expect(count).toMatchObject({ total: 3, tables: { stock: 3 }, summary: [{ table: 'stock', deleted: 0, updated: 2, inserted: 1 }] });
  expect(count.effects).toEqual([{ id: expect.any(String), channel: 'mail', payload: 'x', by: '', queued: expect.stringMatching(/Z$/) }]);
  expect((await t.call('diff', { branch: 'main', to: 'read', count: true })).body).not.toHaveProperty('effects');

  const whole = (await t.call('diff', { branch: 'read', readers: true })).body;
  expect(keys(whole.readers[0])).toEqual(words('table columns kind reader detail'));
  expect(whole.readers).toContainEqual(expect.objectContaining({ table: 'stock', columns: ['amount'], kind: 'dashboard', reader: 'amounts' }));
  expect(whole.coverage).toBeDefined();
  // The last page has an inserted row alone.
  const page = (await t.call('diff', { branch: 'read', readers: true, limit: 1, after: 'stock/21' })).body;
  expect(page.changes.map(({ key }: { key: string }) => key)).toEqual(['stock/900']);
  expect([page.readers, page.coverage]).toEqual([whole.readers, whole.coverage]);
  expect(page.next).toBeNull();
});

// contract: merge.9, merge.12
test('a dry run has its fields and changes nothing', async () => {
  await t.call('fork', { name: 'dry' });
  await t.call('sql', { branch: 'dry', sql: 'UPDATE stock SET amount = 6 WHERE id = 30; DELETE FROM stock WHERE id = 40' });
  const dry = (await t.call('merge', { branch: 'dry', dry_run: true })).body;
  expect(keys(dry)).toEqual(expect.arrayContaining(words('rows summary conflicts blocked readers coverage version target')));
  for (const row of dry.rows) expect(keys(row)).toEqual(expect.arrayContaining(words('key outcome detail delete base ours theirs result')));
  expect(dry.rows.map((row: { key: string; delete: boolean }) => [row.key, row.delete])).toEqual([
    ['stock/40', true],
    ['stock/30', false],
  ]);
  expect((await t.call('get', { table: 'stock', id: '40' })).status).toBe(200);
  expect((await t.call('world', { branch: 'dry' })).status).toBe(200);
});

// contract: simulate.1, simulate.2, simulate.3, simulate.4, simulate.6, simulation.1
test('a simulation and its replay have their fields; $1 is the index, $2 the seed', async () => {
  const run = {
    worlds: 3,
    prefix: 'sim',
    script: 'UPDATE stock SET amount = $1 WHERE id = 1',
    score: 'SELECT $2::float8 + (SELECT amount FROM stock WHERE id = 1) * 0',
  };
  const { body } = await t.call('simulate', run);
  expect(keys(body)).toEqual(words('worlds base at timings'));
  expect(keys(body.timings)).toEqual(words('fork_ms run_ms discard_ms total_ms'));
  const worlds: { world: string; index: number; seed: number; score: number; kept: boolean; error: null }[] = body.worlds;
  for (const each of worlds) {
    expect(keys(each)).toEqual(words('world id index seed score error kept'));
    expect(each).toMatchObject({ world: `sim_${each.index}`, score: each.seed, kept: true, error: null });
    expect((await t.call('get', { branch: each.world, table: 'stock', id: '1' })).body.row).toEqual({ id: 1, amount: each.index });
  }
  expect(worlds.map(({ score }) => score)).toEqual(worlds.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(worlds.map(({ index }) => index).toSorted()).toEqual([0, 1, 2]);
  const replay = (await t.call('replay', { world: 'sim_1', as: 'again' })).body;
  expect(keys(replay)).toEqual(words('world replay identical rows_differing score recorded_score error'));
  expect(replay).toMatchObject({ world: 'sim_1', replay: 'again', identical: true, rows_differing: 0, error: null });
});

// contract: op.backup, op.verify
test('backup and verify say how much there is', async () => {
  const beside = newFolder();
  const to = join(beside.folder, 'copy');
  const { body } = await t.call('backup', { to });
  expect(body).toMatchObject({ files: expect.any(Number), bytes: expect.any(Number) });
  expect(body.files).toBeGreaterThan(0);
  expect(existsSync(to)).toBe(true);
  beside.remove();
  expect((await t.call('verify', {})).body).toMatchObject({ pages: expect.any(Number), bytes: expect.any(Number), log_records: expect.any(Number) });
});

// contract: fixed.2
test('an idle connection has 60 seconds until it is closed', async () => {
  expect(t.server.app.server.keepAliveTimeout).toBe(60_000);
  const hasty = createHttpServer({ commandsOf: (principal) => t.db.commandsOf(principal), version: 'test', idleMs: 100 });
  const port = Number(new URL(await hasty.listen('127.0.0.1', 0)).port);
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await hasty.close();
});
