/** The events of a random session with every command in it, as the log of a real database holds them. */
import type { Envelope, Event } from '../../src/events/event.ts';
import { type Database, open } from '../../src/database.ts';
import { GUEST } from '../../src/session/principal.ts';
import { decodeEvent, EVENT_TYPES } from '../../src/events/codec.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { Random, randomFrom } from '../suite/random.ts';
import { CommandGenerator } from '../suite/random-commands.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';
import { findSoFar } from '../find-so-far.ts';

export interface Recorded {
  event: Event;
  envelope: Envelope;
}

export async function recordedEvents(seed: number, steps: number): Promise<Recorded[]> {
  let fs = new FaultyFileSystem(randomFrom(seed));
  const clock = new SteppedClock();
  const random = new Random(seed);
  // Three runs, the first without a clean end.
  for (let run = 0; run < 3; run++) {
    const db = await open('/db', { fs, clock, openStore: async () => new MemoryPageStore() });
    // The crash has flagged some.
    for (const world of (await db.branches()).branches) if (world.flagged) await db.confirm({ branch: world.name });
    await identities(db, run);
    await governance(db, run);
    const generator = new CommandGenerator(db, random, false);
    for (let step = 0; step < steps / 3; step++) {
      clock.step();
      const { name, input } = await generator.next(clock.iso(), () => {});
      const call = db[name] as (given: unknown) => Promise<unknown>;
      await call(input).catch(() => {});
    }
    await simulations(db, run);
    const roles = [
      `CREATE ROLE reader${run}; CREATE USER ann${run} PASSWORD 'x' IN ROLE reader${run}; ALTER ROLE ann${run} CREATEDB`,
      run === 0
        ? 'CREATE ROLE lapsed; GRANT lapsed TO reader0'
        : run === 1
          ? 'DROP ROLE IF EXISTS lapsed; REVOKE reader0 FROM ann0'
          : 'CREATE ROLE last; DROP ROLE last',
    ];
    for (const sql of roles) await db.sql({ sql });
    // The running database continues on a disk of its own.
    if (run === 0) fs = fs.copy();
    else await db.close();
  }
  const log = await FolderLog.open({ fs, folder: '/db/log' });
  const out = [...log.read(1 as Sequence)].map(({ type, version, payload, sequence, at, world, actor }) => ({
    event: decodeEvent(type, version, payload),
    envelope: { sequence, at, world, actor },
  }));
  await log.close();
  return [...out, ...attachment(out.at(-1)!.envelope)];
}

/** Events of an external Postgres, which no session reaches: tables attached twice, a write-back that was dropped, and one whose fate is not known. */
function attachment(last: Envelope): Recorded[] {
  const source = { system: '7713517849183847877', timeline: 1, database: 'shop', lsn: '0/1949D80', snapshot: '730:730:' };
  const column = { type: 'integer', identity: null, mask: null };
  const columns = [
    { name: 'id', attnum: 1, key: true, ...column },
    { name: 'v', attnum: 3, key: false, ...column, mask: 'NULL' },
  ];
  const tables = [{ name: 'orders', schema: 'public', table: 'orders', oid: 16385, columns }];
  const intent = { type: 'writeBackIntended', system: source.system, timeline: 1, branch: 999_998 as WorldNumber, rows: 1 } as const;
  const completes = { type: EVENT_TYPES.merged, version: 1, payload: new Uint8Array(100_000).fill(7) };
  const events: Event[] = [
    { type: 'attached', source, tables: [...tables, { ...tables[0], name: 'old', table: 'old', oid: 16390 }] },
    { ...intent, xid: '730', completes },
    { type: 'writeBackDropped', xid: '730', by: 'postgres' },
    { type: 'attached', source: { ...source, timeline: 2 }, tables },
    { ...intent, xid: '731', completes },
  ];
  return events.map((event, i) => ({ event, envelope: { ...last, sequence: (last.sequence + 1 + i) as Sequence, at: (last.at + 1 + i) as Micros } }));
}

/** Worlds that are kept, merged, discarded and stay; a run that broke off while it kept them. */
async function simulations(db: Database, run: number): Promise<void> {
  await db.sql({ sql: 'CREATE TABLE IF NOT EXISTS simulated (id int PRIMARY KEY, v float8); CREATE TABLE IF NOT EXISTS simulated_notes (note text)' });
  const script = `INSERT INTO simulated VALUES ($1 + ${run * 10}, random()); INSERT INTO simulated_notes VALUES ($1::text)`;
  const call = { script, score: 'SELECT -$1', threads: 1 };
  await db.simulate({ worlds: 4, prefix: `sim${run}`, ...call, keep: 3 });
  await db.merge({ branch: `sim${run}_0`, confirm: true });
  await db.discard({ branch: `sim${run}_1` });
  await db.simulate({ worlds: 1, prefix: `only${run}`, ...call, script: '' });
  await db.discard({ branch: `only${run}_0` });
  let looks = 0;
  const { signal } = new AbortController();
  signal.throwIfAborted = () => {
    if (++looks > 1) throw new Error('enough');
  };
  await db
    .simulate({ worlds: 1000, prefix: `broken${run}`, ...call, script: `INSERT INTO simulated_notes VALUES ($1::text)` }, GUEST, { signal })
    .catch(() => {});
}

/** Policies, checks and readers; merges that pass, wait, are refused and decided; effects on their way. */
async function governance(db: Database, run: number): Promise<void> {
  await db.set_merge_policy({ name: 'small', rules: { max_rows: 1, tables: ['kept'] } });
  await db.set_merge_policy({ name: `gone${run}`, rules: {} });
  await db.drop_merge_policy({ name: `gone${run}` });
  await db.set_merge_check({ name: 'check', query: 'SELECT 1 WHERE false', tables: ['kept'] });
  await db.set_reader({ name: 'board', table: 'kept', columns: ['n'] });
  await db.set_merge_policy({ name: 'reading', rules: { check_reads: true } });
  await db.sql({ sql: 'SELECT pg_current_xact_id()' });
  await db.create_agent({ name: `relies${run}`, policy: 'reading' });
  const reader = db.directory.byName(`relies${run}`)!;
  for (const world of [`reads-${run}`, `inner-${run}`]) {
    await db.fork({ name: world, from: world.startsWith('inner') ? `reads-${run}` : 'main' }, reader);
    await findSoFar(db, { branch: world, table: world.startsWith('inner') ? 'kept' : 't' }, reader);
    await db.get({ branch: world, table: 'kept', id: 'a' }, reader).catch(() => {});
    await db.put({ branch: world, table: 'kept', id: `r${run}`, record: {} }, reader);
  }
  await db.merge({ branch: `inner-${run}` });
  const name = `merger${run}`;
  await db.create_agent({ name, can: ['read', 'fork', 'write_own', 'write_main', 'merge'], policy: 'small' });
  const by = db.directory.byName(name)!;
  for (const [what, rows] of [
    ['passes', 1],
    ['approved', 2],
    ['rejected', 2],
    ['clashes', 1],
    ['part', 2],
  ] as const) {
    const branch = `${what}-${run}`;
    await db.fork({ name: branch }, by);
    for (let i = 0; i < rows; i++) await db.put({ branch, table: 'kept', id: `${what}${i}`, record: { n: run } }, by);
    await db.notify_on_merge({ branch, channel: what === 'part' ? 'b' : 'a', payload: { run } }, by);
    if (what === 'clashes') await db.put({ table: 'kept', id: 'clashes0', record: { n: -1 - run } });
    await db.merge({ branch, ...(what === 'part' ? { only_keys: ['kept/part0'] } : {}) }, by).catch(() => {});
    if (what === 'approved') await db.review({ branch, verdict: 'approve' });
    if (what === 'rejected') await db.review({ branch, verdict: 'reject', reason: 'no' });
  }
  await db.merge({ branch: `part-${run}` });
  const { effects } = await db.claim_outbox({ limit: 3 });
  for (const [i, { id }] of effects.entries()) {
    if (i === 0) await db.ack_outbox({ id });
    else await db.retry_outbox({ id, after_ms: 1000 });
  }
  if (run === 2) await db.undo_merge({ branch: `passes-${run}` });
}

/** Agents, settings, and worlds of the guest and of an agent. */
async function identities(db: Database, run: number): Promise<void> {
  await db.create_agent({ name: `bot${run === 0 ? '' : run}`, max_worlds: run, world_ttl: 60_000 });
  await db.create_agent({ name: 'gone', can: ['read'] });
  await db.alter_agent({ name: 'gone', disabled: true });
  await db.drop_agent({ name: 'gone' });
  await db.set_setting({ name: 'max_worlds', value: run === 1 ? null : 1000 + run });
  await db.set_setting({ name: 'world_idle_ttl', value: '1 hour' });
  for (const [name, by] of [
    [`of-guest-${run}`, GUEST],
    [`of-bot-${run}`, db.directory.byName('bot')!],
  ] as const) {
    await db.fork({ name }, by);
    await db.put({ branch: name, table: 'kept', id: 'a', record: { n: run } }, by);
    await db.set_meta({ branch: name, meta: { run } }, by);
    await db.keep({ branch: name, pinned: run === 1, ttl: run === 2 ? null : 100_000 });
  }
}
