/** The whole folder at a moment: open worlds, agents, merges that waited, outcomes, rules, settings and the outbox, as they were listed then. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Database, open, type SvcError } from '../../src/database.ts';
import { CommandGenerator } from '../suite/random-commands.ts';
import { Random } from '../suite/random.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folder-past-'));
  folders.push(folder);
  return folder;
}

type Asked = { at?: string };

/** All lists, as of a moment or now. */
async function listed(db: Database, asked: Asked = {}): Promise<Record<string, unknown>> {
  const { reviews } = await db.reviews(asked);
  return {
    worlds: (await db.branches(asked)).branches,
    agents: (await db.agents(asked)).agents,
    outcomes: (await db.merge_outcomes(asked)).outcomes,
    policies: (await db.merge_policies(asked)).policies,
    checks: (await db.merge_checks(asked)).checks,
    readers: (await db.readers(asked)).readers,
    settings: (await db.settings(asked)).settings,
    outbox: await db.outbox(asked),
    // What a merge would have met in its target is not kept: the changes are the world's own.
    reviews: await Promise.all(
      reviews.map(async ({ conflicts: _conflicts, changes, ...review }) => ({
        ...review,
        changes: (asked.at === undefined ? (await db.diff({ branch: review.world, count: true })).summary! : changes).toSorted((a, b) =>
          a.table < b.table ? -1 : 1,
        ),
      })),
    ),
  };
}

interface Noted {
  at: string;
  lists: Record<string, unknown>;
}

async function expectAll(db: Database, noted: readonly Noted[]): Promise<void> {
  for (const { at, lists } of noted) expect(await listed(db, { at }), at).toEqual(lists);
}

function failure(call: Promise<unknown>): Promise<SvcError> {
  return call.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: SvcError) => error,
  );
}

const head = (db: Database): number => db.stats()['log_sequence']!;

describe('lists of a past moment are those of that moment', () => {
  test.each([1, 2, 3])('while random commands change everything, seed %i', { timeout: 120_000 }, async (seed) => {
    const folder = newFolder();
    const clock = new SteppedClock();
    // Checkpoints come often, so a moment lies behind one super-root and before another.
    const options = { clock, checkpointLogBytes: 20_000, checkpointRest: 0 };
    let db = await open(folder, options);
    const random = new Random(seed);
    const generator = new CommandGenerator(db, random, false);
    const noted: Noted[] = [];
    await db.set_merge_policy({ name: 'careful', rules: { max_rows: 0 } });
    await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main', 'outbox'], policy: 'careful' });
    const ann = db.commandsOf(db.directory.byName('ann')!);
    for (let i = 0; i < 120; i++) {
      const { name, input } = await generator.next(new Date(clock.nowMicros() / 1000).toISOString(), () => {});
      await (db.commands[name] as (input: object) => Promise<unknown>)(input).catch(() => {});
      if (i % 10 === 0) await ann.fork({ name: `ann${i}` });
      if (i % 10 === 2) await ann.put({ branch: `ann${i - 2}`, table: 'own', id: `r${i}`, record: { n: i } }).catch(() => {});
      if (i % 10 === 4) await ann.merge({ branch: `ann${i - 4}` }).catch(() => {});
      if (i % 20 === 5) await db.review({ branch: `ann${i - 5}`, verdict: 'reject', reason: 'too many' }).catch(() => {});
      if (i % 20 === 16) await db.review({ branch: `ann${i - 6}`, verdict: 'approve' }).catch(() => {});
      if (i % 20 === 7) await db.alter_agent({ name: 'ann', max_worlds: i, disabled: i % 40 === 7 });
      if (i % 20 === 9) await db.alter_agent({ name: 'ann', disabled: false });
      if (i % 20 === 11) await db.set_setting({ name: 'max_worlds', value: 100 + i });
      if (i % 20 === 13) await db.discard({ branch: `ann${i - 13}` }).catch(() => {});
      if (i % 30 === 14) await db.set_reader({ name: `reader${i}`, table: 'own' }).catch(() => {});
      if (i % 4 === 3) noted.push({ at: `#${head(db)}`, lists: await listed(db) });
    }
    await expectAll(db, noted);
    await db.close();
    db = await open(folder, options);
    await expectAll(db, noted);
    await db.close();
    // Without its pages the folder has no super-root before the moments.
    rmSync(join(folder, 'cache'), { recursive: true });
    db = await open(folder, { ...options, checkpointLogBytes: 1e9, dirtyBytes: 1e9 });
    await expectAll(db, noted.toReversed());
    await db.close();
  });

  test('also by time, and before and after a trim of the log', { timeout: 60_000 }, async () => {
    const folder = newFolder();
    const clock = new SteppedClock();
    const options = { clock, checkpointLogBytes: 50_000, checkpointRest: 0, segmentSizeBytes: 50_000, trimBytes: 1, historyRetentionMs: 3_600_000 };
    let db = await open(folder, options);
    const noise = (n: number): string => Array.from({ length: 200 }, (_, i) => ((n * 7919 + i * 104_729) % 1_000_003).toString(36)).join('-');
    const noted: Noted[] = [];
    for (let i = 0; i < 40; i++) {
      await db.fork({ name: `w${i}` });
      if (i % 3 === 1) await db.discard({ branch: `w${i - 1}` });
      await db.put({ branch: `w${i}`, table: 'own', id: 'a', record: { i } });
      await db.batch({ rows: Array.from({ length: 20 }, (_, k) => ({ table: 't', id: `k${k}`, record: { text: noise(i * 20 + k) } })) });
      await db.flush();
      const lists = await listed(db);
      const at = new Date(Math.ceil(clock.nowMicros() / 1000)).toISOString();
      noted.push({ at, lists });
      clock.step(300_000);
    }
    await db.flush();
    const isReached = ({ at }: Noted): boolean => Date.parse(at) * 1000 >= clock.nowMicros() - 3_600_000_000;
    const reached = noted.filter(isReached);
    const gone = noted.filter((each) => !isReached(each));
    expect(db.stats()['history_start']).toBeGreaterThan(0);
    await expectAll(db, reached);
    for (const { at } of gone) expect(await failure(db.branches({ at }))).toMatchObject({ code: '22023' });
    await db.close();
    rmSync(join(folder, 'cache'), { recursive: true });
    db = await open(folder, options);
    await expectAll(db, reached);
    await db.close();
  });

  test('a world of a run that crashed is flagged from the next opening until it is confirmed', async () => {
    const crashed = newFolder();
    const running = await open(crashed);
    await running.fork({ name: 'draft' });
    await running.put({ branch: 'draft', table: 't', id: 'a', record: {} });
    const before = `#${head(running)}`;
    const folder = newFolder();
    // What a crash leaves: the folder as it is while a process has it open.
    cpSync(crashed, folder, { recursive: true });
    await running.close();
    let db = await open(folder);
    const opened = `#${head(db)}`;
    await db.confirm({ branch: 'draft' });
    const confirmed = `#${head(db)}`;
    for (let pass = 0; pass < 2; pass++) {
      for (const [at, flagged] of [
        [before, false],
        [opened, true],
        [confirmed, false],
      ] as const) {
        expect(await db.world({ branch: 'draft', at }), at).toMatchObject({ flagged, version: 1 });
      }
      await db.close();
      db = await open(folder);
    }
    await db.close();
  });

  test('a name is that of the world that had it then, an id of one world', async () => {
    const folder = newFolder();
    let db = await open(folder);
    await db.fork({ name: 'draft' });
    await db.put({ branch: 'draft', table: 't', id: 'a', record: {} });
    const before = `#${head(db)}`;
    await db.set_meta({ branch: 'draft', meta: { intent: 'later' } });
    const { id } = await db.world({ branch: 'draft' });
    await db.discard({ branch: 'draft' });
    await db.fork({ name: 'draft' });
    for (let pass = 0; pass < 2; pass++) {
      for (const branch of ['draft', id]) expect(await db.world({ branch, at: before })).toMatchObject({ id, name: 'draft', meta: {}, version: 1 });
      expect(await failure(db.world({ branch: id, at: `#${head(db)}` }))).toMatchObject({ code: '3D000' });
      await db.close();
      db = await open(folder);
    }
    await db.close();
  });
});

test('a page of worlds of a moment continues with the same moment', async () => {
  const db = await open(newFolder());
  for (const name of ['a', 'b', 'c']) await db.fork({ name });
  const at = `#${head(db)}`;
  await db.discard({ branch: 'b' });
  await db.fork({ name: 'd' });
  const first = await db.branches({ at, limit: 2 });
  expect(first.branches.map(({ name }) => name)).toEqual(['main', 'a']);
  const second = await db.branches({ at, limit: 2, after: first.next! });
  expect(second).toMatchObject({ branches: [{ name: 'b' }, { name: 'c' }], next: null });
  expect((await db.branches({ at, after: 'b', prefix: 'c' })).branches).toHaveLength(1);
  expect((await db.branches({ at, prefix: 'd' })).branches).toEqual([]);
  await db.close();
});

test('many moments in one go, beside checkpoints and writes, each give their own state', async () => {
  const db = await open(newFolder(), { checkpointLogBytes: 2000, checkpointRest: 0 });
  const noted: Noted[] = [];
  for (let i = 0; i < 40; i++) {
    await db.fork({ name: `w${i}` });
    if (i % 3 === 2) await db.discard({ branch: `w${i - 1}` });
    await db.put({ branch: `w${i}`, table: 'own', id: 'a', record: { i } });
    noted.push({ at: `#${head(db)}`, lists: { worlds: (await db.branches()).branches } });
  }
  const asked = Promise.all([...noted, ...noted].map(async ({ at }) => ({ at, lists: { worlds: (await db.branches({ at })).branches } })));
  for (let i = 0; i < 10; i++) {
    await db.put({ table: 'other', id: `k${i}`, record: { i } });
    await db.flush();
  }
  expect(await asked).toEqual([...noted, ...noted]);
  await db.close();
});

test('who decided a merge, and what waited then, is read after it was decided', async () => {
  const db = await open(newFolder());
  await db.set_merge_policy({ name: 'careful', rules: { max_rows: 0 } });
  await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful' });
  const ann = db.commandsOf(db.directory.byName('ann')!);
  await ann.fork({ name: 'draft' });
  await ann.put({ branch: 'draft', table: 't', id: 'a', record: { n: 1 } });
  expect(await failure(ann.merge({ branch: 'draft' }))).toMatchObject({ code: '42501' });
  const waited = `#${head(db)}`;
  await db.review({ branch: 'draft', verdict: 'reject', reason: 'not today' });
  const rejected = `#${head(db)}`;
  await db.discard({ branch: 'draft' });
  await db.alter_agent({ name: 'ann', disabled: true });
  expect((await db.reviews()).reviews).toEqual([]);
  const summary = [{ table: 't', deleted: 0, updated: 0, inserted: 1 }];
  const [then] = (await db.reviews({ at: waited })).reviews;
  expect(then).toMatchObject({ world: 'draft', owner: 'ann', policy: 'careful', verdict: null, changes: summary });
  expect(then).not.toHaveProperty('decided_by');
  expect((await db.reviews({ at: rejected })).reviews).toMatchObject([{ verdict: 'reject', reason: 'not today', decided_by: null, changes: summary }]);
  expect((await db.agents({ at: rejected })).agents).toMatchObject([{ name: 'ann', disabled: false }]);
  expect((await db.merge_outcomes({ at: waited })).outcomes).toMatchObject([{ agent: 'ann', open: 1, rejected: 0, holds: 1 }]);
  expect((await db.merge_outcomes({ at: rejected })).outcomes).toMatchObject([{ agent: 'ann', open: 0, rejected: 1 }]);
  await db.close();
});

test('a moment that is none, lies in the future, or before the log is refused by every list', async () => {
  const clock = new SteppedClock();
  const db = await open(newFolder(), { clock });
  const lists = ['branches', 'worlds', 'world', 'reviews', 'agents', 'merge_outcomes', 'merge_policies', 'merge_checks', 'readers', 'settings', 'outbox'];
  for (const name of lists) {
    const call = (at: string): Promise<SvcError> =>
      failure(((db.commands as unknown as Record<string, (input: object) => Promise<unknown>>)[name] ?? db.commands.branches)({ at }));
    expect(await call('yesterday'), name).toMatchObject({ code: '22007', message: '"yesterday" is not a time' });
    expect(await call('2026-02-30'), name).toMatchObject({ code: '22007' });
    expect(await call('2999-01-01'), name).toMatchObject({ code: '22007', message: '"2999-01-01" lies in the future' });
    expect(await call('#999999'), name).toMatchObject({ code: '22007' });
    expect(await call('#0'), name).toMatchObject({ code: '22023' });
    expect(await call('-30m'), name).toMatchObject({ code: '22023' });
    expect(await call(''), name).toMatchObject({ code: '22023' });
  }
  await db.close();
});
