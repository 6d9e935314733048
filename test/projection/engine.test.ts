/** The engine around one small projection: what passes the hooks, and who is notified. */
import { afterEach, expect, test } from 'vitest';
import type { Sequence, WorldNumber } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { FolderLog } from '../../src/log/folder-log.ts';
import { Engine } from '../../src/projection/engine.ts';
import type { CommitScope, EngineHooks } from '../../src/projection/engine-options.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { UndoKeeper } from '../../src/projection/undo-keeper.ts';
import { CacheDamage } from '../../src/storage/page-store.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

const WORLD = 7 as WorldNumber;
const NO_WORLD = 0 as WorldNumber;

/** Keeps no tree: the types of events since it was made. */
class Types implements Projection {
  readonly seen: string[] = [];
  readonly #pager: Pager;

  constructor(pager: Pager) {
    this.#pager = pager;
  }

  apply({ type }: Event): void {
    this.seen.push(type);
  }
  seal(): ReturnType<typeof emptyTree> {
    return emptyTree(true, this.#pager.newEdit());
  }
  *dump(): Iterable<null> {}
  load(): void {}
}

const kinds = { types: defineProjection({ name: 'types', slot: 1, version: 1, make: (pager) => new Types(pager) }) };
type Kinds = { types: Types };

const NO_UNDO: UndoKeeper = {
  begin: () => [],
  rewind: () => {},
  note: () => {},
  cut: () => {},
  unwritten: () => [],
  forget: () => [],
  onDamage: () => () => {},
};

class Noting implements EngineHooks<Kinds> {
  readonly noted: string[] = [];
  /** Committed before the next event of the world. */
  pending: Event | null = null;

  beforeCommit(engine: CommitScope<Kinds>, world: WorldNumber): void {
    const event = this.pending;
    this.pending = null;
    if (event !== null && world === WORLD) engine.commit(event, world, '');
  }
  beforeAppend({ log, state }: CommitScope<Kinds>, { type }: Event, _world: WorldNumber, locksChecked: boolean): void {
    this.noted.push(`${log.head + 1} ${type} after ${state.types.seen.length}${locksChecked ? ', checked' : ''}`);
  }
  undone(durable: Sequence): void {
    this.noted.push(`undone after ${durable}`);
  }
}

const opened: Engine<Kinds>[] = [];

async function open(fs: FaultyFileSystem, hooks: Noting): Promise<Engine<Kinds>> {
  const log = await FolderLog.open({ fs, folder: '/db/log' });
  const engine = await Engine.open<Kinds>(
    {
      log,
      store: new MemoryPageStore(),
      clock: new SteppedClock(),
      hooks,
      cacheBytes: 1e7,
      dirtyBytes: 1e7,
      checkpointLogBytes: 1e9,
      checkpointRest: 3,
      checkpointMs: 1e9,
      historyRetentionMicros: 3_600_000_000,
      trimBytes: 1e9,
      bases: { newest: () => null, write: async () => 0, removeBefore: () => {} },
      undo: NO_UNDO,
      ensureSpace: () => {},
      overCeiling: () => false,
      probe: async () => {},
      repairMs: 10,
    },
    kinds,
    { release: '1', hasMain: ({ types }) => types.seen.includes('forked') },
  );
  opened.push(engine);
  return engine;
}

afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

const meta = (n: number): Event => ({ type: 'metaChanged', meta: { n } });

test('events of the opening pass the hooks, replayed ones do not', async () => {
  const fs = new FaultyFileSystem(() => 0.5);
  const first = new Noting();
  await (await open(fs, first)).close();
  opened.length = 0;
  expect(first.noted).toEqual(['1 opened after 0', '2 forked after 1', '3 sealed after 2', '4 closed after 3']);
  const second = new Noting();
  const engine = await open(fs, second);
  expect(engine.state.types.seen).toEqual(['opened', 'forked', 'sealed', 'closed', 'opened']);
  expect(second.noted).toEqual(['5 opened after 4']);
});

test('a hook may commit an event of its own, which precedes the one that it is called for', async () => {
  const hooks = new Noting();
  const engine = await open(new FaultyFileSystem(() => 0.5), hooks);
  hooks.pending = meta(1);
  const { sequence }: Envelope = engine.commit(meta(2), WORLD, '', null, true);
  expect(sequence).toBe(4);
  expect(hooks.noted.slice(2)).toEqual(['3 metaChanged after 2', '4 metaChanged after 3, checked']);
});

test('a failed write reports to the hooks what was undone, before those who follow outages, until they end their subscription', async () => {
  const fs = new FaultyFileSystem(() => 0.5);
  const hooks = new Noting();
  const engine = await open(fs, hooks);
  const end = engine.onOutage((error) => hooks.noted.push(error === null ? 'over' : error.code));
  const fail = async (): Promise<void> => {
    const { sequence } = engine.commit(meta(1), NO_WORLD, '');
    fs.faults = { syncsToFail: 1 };
    await expect(engine.durable(sequence)).rejects.toBeInstanceOf(SvcError);
    await engine.outage.retry();
  };
  await fail();
  end();
  await fail();
  expect(hooks.noted.slice(2)).toEqual(['3 metaChanged after 2', 'undone after 2', '58030', 'over', '3 metaChanged after 2', 'undone after 2']);
  expect(engine.state.types.seen).toEqual(['opened', 'forked']);
});

test('a rebuild of the page cache undoes nothing and is no outage for those who follow them', async () => {
  const hooks = new Noting();
  const engine = await open(new FaultyFileSystem(() => 0.5), hooks);
  engine.onOutage(() => hooks.noted.push('outage'));
  let forgets = 0;
  engine.onForget(() => forgets++);
  const before = engine.state.types;
  expect(() => engine.pager.load(1_000_000)).toThrow(CacheDamage);
  await engine.read(async () => {});
  expect([hooks.noted.length, engine.outage.count, forgets]).toEqual([2, 1, 2]);
  expect(engine.state.types).not.toBe(before);
  expect(engine.state.types.seen).toEqual(['opened', 'forked']);
});
