/** One contract for every projection of the list: what it is depends on the events alone. */
import { describe, expect, test } from 'vitest';
import { projections, type Projections } from '../../projections/index.ts';
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { HistoryPlace } from '../../src/events/types/swept.ts';
import type { Projection } from '../../src/projection/projection.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { Random } from '../suite/random.ts';
import { type Contents, contentsOf, withoutEmptyTrees } from './contents.ts';
import { type Recorded, recordedEvents } from './recorded-events.ts';

type Name = keyof Projections;
const NAMES = Object.keys(projections) as Name[];

interface Readings<P> {
  /** All it answers about what the events name. */
  all: (projection: P, numbers: WorldNumber[]) => unknown;
  /** What it answers where nothing is. */
  unknown: (projection: P) => unknown[];
  /** Whether a base holds all of it; else it holds what a trim leaves. */
  baseKeepsAll: boolean;
}

const READINGS: { [N in Name]: Readings<Projections[N]> } = {
  worlds: {
    baseKeepsAll: true,
    all: (worlds, numbers) => ({
      count: worlds.count,
      worlds: numbers.map((number) => {
        const world = worlds.byNumber(number) ?? worlds.endedByNumber(number);
        if (world === null) return null;
        const { root: _root, base: _base, catalog: _catalog, edit: _edit, used: _used, ...record } = world;
        return { record, flagged: worlds.isFlagged(world), byName: worlds.everByName(world.name)?.number };
      }),
    }),
    unknown: (worlds) => {
      const main = worlds.byName('main');
      return [
        worlds.byNumber(999_999 as WorldNumber),
        worlds.endedByNumber(999_999 as WorldNumber),
        worlds.byName('never'),
        worlds.everByName('never'),
        main === null ? null : worlds.checkpointRoot(main, 'never'),
      ];
    },
  },
  history: {
    baseKeepsAll: false,
    all: (history, numbers) =>
      numbers.map((number) => ({
        list: history.list(number, 10_000),
        version: history.versionAt(number, 999_999 as Sequence),
        last: history.lastAtOrBefore(number, 9e15 as Micros),
      })),
    // 0 is no sequence and no version: the word of this projection for none.
    unknown: (history) => {
      const number = 999_999 as WorldNumber;
      const none = [...history.list(number, 10), history.versionAt(number, 5 as Sequence), history.lastAtOrBefore(number, 5 as Micros)];
      return none.map((each) => (each === 0 ? null : each));
    },
  },
  roles: {
    baseKeepsAll: true,
    all: (roles) => [...roles.current.rows].sort(([a], [b]) => (a < b ? -1 : 1)),
    unknown: (roles) => [roles.current.byName('never'), roles.current.byOid(99_999), roles.current.membership(99_999, 99_998)],
  },
  objects: {
    baseKeepsAll: true,
    all: (objects) => ({
      tables: ['t', 's', 'tä/x', 's.t'].map((name) => [objects.table(name), objects.column(objects.table(name) ?? 0, 'n')]),
    }),
    unknown: (objects) => [objects.table('never'), objects.column(1, 'never'), objects.column(objects.table('t') ?? 0, 'never')],
  },
  agents: {
    baseKeepsAll: true,
    all: (agents) => ({
      list: agents.list(),
      everyone: [...agents.everyone()].map(({ name }) => name).sort(),
      bot: agents.byName('bot'),
      gone: [agents.byName('gone'), agents.lastByName('gone')],
      byHash: agents.list().map(({ tokenHash }) => agents.byTokenHash(tokenHash)?.name),
    }),
    unknown: (agents) => [agents.byName('never'), agents.lastByName('never'), agents.byTokenHash('never')],
  },
  settings: {
    baseKeepsAll: true,
    all: (settings) => ['max_worlds', 'protect_main', 'world_idle_ttl'].map((name) => settings.get(name)),
    unknown: (settings) => [settings.get('never')],
  },
  audit: {
    baseKeepsAll: false,
    all: (audit) => [null, 'guest', 'bot', 'system'].map((actor) => audit.list(actor, 10_000)),
    unknown: (audit) => audit.list('never', 10),
  },
  governance: {
    baseKeepsAll: true,
    all: (governance, numbers) => ({
      laid: (['policy', 'check', 'reader'] as const).map((kind) => [governance.count(kind), governance.all(kind)]),
      held: [governance.allHeld(), numbers.map((number) => governance.held(number))],
    }),
    unknown: (governance) => [governance.named('policy', 'never'), governance.named('check', 'never'), governance.held(999_999 as WorldNumber)],
  },
  outbox: {
    baseKeepsAll: true,
    all: (outbox) => ({
      count: outbox.count,
      channels: outbox.channels(),
      all: outbox.queued(null),
      first: outbox.channels().map((channel) => outbox.first(channel, 2)),
      byId: outbox.queued(null).map(({ id }) => outbox.byId(id)),
    }),
    unknown: (outbox) => [outbox.byId('never'), ...outbox.queued('never'), ...outbox.first('never', 5)],
  },
  reads: {
    baseKeepsAll: true,
    all: (reads, numbers) => numbers.map((number) => reads.of(number)),
    unknown: (reads) => [reads.of(999_999 as WorldNumber)],
  },
  attachment: {
    baseKeepsAll: true,
    all: (attachment) => ({
      source: attachment.source,
      at: attachment.at,
      tables: attachment.tables(),
      named: attachment.named('orders'),
      pending: attachment.pending,
      payload: Buffer.from(attachment.payload()).toString('hex'),
    }),
    unknown: (attachment) => [attachment.named('never')],
  },
  outcomes: {
    baseKeepsAll: true,
    all: (outcomes) => ({ all: outcomes.all(), hour: ['bot', 'guest'].map((agent) => outcomes.mergedSince(agent, 0 as Micros)) }),
    unknown: (outcomes) => [outcomes.mergedSince('never', 0 as Micros).rows === 0 ? null : 'rows'],
  },
};

class Instance<N extends Name> {
  readonly pager: Pager;
  readonly projection: Projections[N];
  readonly #name: N;

  constructor(name: N, pager = new Pager(new MemoryPageStore(), 1e9, 1), root: Node | null = null) {
    this.#name = name;
    this.pager = pager;
    this.projection = projections[name].make(pager, root) as Projections[N];
  }

  apply(events: readonly Recorded[]): this {
    for (const { event, envelope } of events) this.projection.apply(event, envelope);
    return this;
  }

  /** Writes it out as a checkpoint does; the hash of its root commits to all of it. */
  seal(): Node {
    const root = this.projection.seal();
    for (const _ of writeOut(this.pager, root, { pages: 0, bytes: 0 }));
    (this.projection as Projection).written?.();
    return root;
  }

  /** Sealed, forgotten and opened again from its pages only. */
  reloaded(): Instance<N> {
    const { id } = this.seal();
    const pager = new Pager(this.pager.store, 1e9, this.pager.nextId);
    return new Instance(this.#name, pager, pager.load(id));
  }

  dumped(): Uint8Array[] {
    const root = this.seal();
    return [...this.projection.dump(root)].filter((part) => part !== null);
  }

  load(parts: readonly Uint8Array[]): this {
    for (const part of parts) this.projection.load(part);
    return this;
  }

  get contents(): Contents {
    return contentsOf(this.pager, this.projection.seal());
  }

  answers(events: readonly Recorded[]): unknown {
    const numbers = [...new Set(events.map(({ envelope }) => envelope.world))].filter((number) => number > 0);
    return (READINGS[this.#name].all as (projection: Projection, numbers: WorldNumber[]) => unknown)(this.projection, numbers);
  }
}

const BEGINNING: HistoryPlace = { world: 0, sequence: 0 };

function forgotten(all: readonly Instance<Name>[], through: Sequence, from: HistoryPlace, to: HistoryPlace | null): number[] {
  return all.flatMap(({ projection }) => (projection as Projection).forgets?.(through, from, to) ?? []);
}

/** The events that a trim up to `through` adds with `entries` entries per slice. */
function slices(events: readonly Recorded[], through: Envelope, entries: number): Recorded[] {
  const out: Recorded[] = [];
  const all = NAMES.map((name) => new Instance(name).apply(events));
  const { sequence, at } = events.at(-1)!.envelope;
  for (let from = BEGINNING; ;) {
    const to = (all[NAMES.indexOf('history')].projection as Projection).sweepEnd!(from, entries);
    const event: Event = { type: 'swept', through: through.sequence, at: through.at, from, to, gone: forgotten(all, through.sequence, from, to) };
    const envelope = { sequence: (sequence + out.length + 1) as Sequence, at, world: 0 as WorldNumber, actor: '' };
    out.push({ event, envelope });
    for (const instance of all) instance.apply([{ event, envelope }]);
    if (to === null) return out;
    from = to;
  }
}

/** The session, then a trim of its first half, which all projections have a say in, and a life after it. */
async function recorded(seed: number): Promise<{ events: Recorded[]; half: number }> {
  const events = await recordedEvents(seed, 240);
  const half = Math.floor(events.length / 2);
  const all = NAMES.map((name) => new Instance(name).apply(events));
  const through = events[half - 1].envelope;
  const gone = forgotten(all, through.sequence, BEGINNING, null);
  const next = (event: Event, world = 0): Recorded => {
    const { sequence, at } = events.at(-1)!.envelope;
    return { event, envelope: { sequence: (sequence + 1) as Sequence, at: (at + 1) as Micros, world: world as WorldNumber, actor: '' } };
  };
  events.push(next({ type: 'opened', release: 'test' }));
  events.push(next({ type: 'trimmed', through: through.sequence, at: through.at, gone }));
  const main = events.find(({ event }) => event.type === 'forked')!.envelope.world;
  for (let n = 0; n < 5; n++) events.push(next({ type: 'metaChanged', meta: { n } }, main));
  // A later trim, in slices.
  const later = events[Math.floor(events.length * 0.8)].envelope;
  events.push(...slices(events, later, 7));
  return { events, half };
}

const sessions = await Promise.all([1, 2, 3].map(recorded));

test('the sessions hold events of every type', () => {
  const types = new Set(sessions.flatMap(({ events }) => events.map(({ event }) => event.type)));
  expect([...types].sort()).toEqual(
    [
      'opened',
      'closed',
      'committed',
      'forked',
      'merged',
      'undone',
      'rebased',
      'discarded',
      'metaChanged',
      'checkpointed',
      'confirmed',
      'sealed',
      'simulated',
      'worldKept',
      'simulationKept',
      'simulationDropped',
      'attached',
      'writeBackIntended',
      'writeBackDropped',
      'rolesChanged',
      'swept',
      'trimmed',
      'policyChanged',
      'mergeHeld',
      'reviewed',
      'refused',
      'effectHandled',
      'readsRecorded',
      'numbered',
      'agentChanged',
      'agentDropped',
      'configured',
      'kept',
    ].sort(),
  );
});

test('a trim in slices of any size is the trim in one', () => {
  for (const [seed, { events: all, half }] of sessions.entries()) {
    const events = all.slice(
      0,
      all.findIndex(({ event }) => event.type === 'trimmed'),
    );
    for (const through of [events[half - 1].envelope, events[events.length - 3].envelope]) {
      const whole = NAMES.map((name) => new Instance(name).apply(events));
      const gone = forgotten(whole, through.sequence, BEGINNING, null);
      const envelope: Envelope = { ...events.at(-1)!.envelope, world: 0 as WorldNumber };
      for (const instance of whole) instance.apply([{ event: { type: 'trimmed', through: through.sequence, at: through.at, gone }, envelope }]);
      for (const entries of [1, 2, 3, 10, 1000]) {
        const sliced = NAMES.map((name) => new Instance(name).apply([...events, ...slices(events, through, entries)]));
        sliced.forEach(({ contents }, i) => expect(contents, `session ${seed}, slices of ${entries}`).toEqual(whole[i].contents));
      }
    }
  }
});

test('slots are unique, and each projection has the name that the list has for it', () => {
  expect(new Set(NAMES.map((name) => projections[name].slot)).size).toBe(NAMES.length);
  for (const name of NAMES) expect(projections[name].name).toBe(name);
});

describe.each(NAMES)('projection %s', (name) => {
  test('the same events give the same root', () => {
    for (const { events } of sessions) {
      const [a, b] = [new Instance(name).apply(events), new Instance(name).apply(events)];
      expect(Buffer.from(a.seal().hash!).toString('hex')).toBe(Buffer.from(b.seal().hash!).toString('hex'));
      expect(a.contents).toEqual(b.contents);
    }
  });

  test('an event is only read: folding it leaves it as it was', () => {
    for (const { events } of sessions) {
      const before = JSON.stringify(events);
      new Instance(name).apply(events);
      expect(JSON.stringify(events)).toBe(before);
    }
  });

  test('sealed and loaded again, it has the same state and folds on alike', () => {
    for (const { events } of sessions) {
      for (const at of [0, 1, Math.floor(events.length / 3), events.length - 3, events.length]) {
        const live = new Instance(name).apply(events.slice(0, at));
        const again = live.reloaded();
        expect(again.contents, `after ${at} events`).toEqual(live.contents);
        expect(again.answers(events), `after ${at} events`).toEqual(live.answers(events));
        live.apply(events.slice(at));
        again.apply(events.slice(at));
        expect(again.contents, `from event ${at} on`).toEqual(live.contents);
        expect(again.answers(events), `from event ${at} on`).toEqual(live.answers(events));
      }
    }
  });

  test('a replay in slices with seals between is a replay in one go', () => {
    for (const [seed, { events }] of sessions.entries()) {
      const whole = new Instance(name).apply(events);
      const random = new Random(seed);
      let sliced = new Instance(name);
      for (let at = 0; at < events.length;) {
        const size = 1 + random.below(40);
        sliced.apply(events.slice(at, at + size));
        if (random.chance(0.3)) sliced = sliced.reloaded();
        else sliced.seal();
        at += size;
      }
      expect(sliced.contents).toEqual(whole.contents);
      expect(sliced.answers(events)).toEqual(whole.answers(events));
    }
  });

  test('a sealed state does not change while the fold continues', () => {
    for (const { events, half } of sessions) {
      const live = new Instance(name).apply(events.slice(0, half));
      const sealed = live.projection.seal();
      const then = contentsOf(live.pager, sealed);
      live.apply(events.slice(half));
      expect(contentsOf(live.pager, sealed)).toEqual(then);
    }
  });

  test('dumped and loaded into an empty one it is what a base keeps of it', () => {
    for (const { events, half } of sessions) {
      const whole = new Instance(name).apply(events.slice(0, half));
      const once = new Instance(name).load(whole.dumped());
      const twice = new Instance(name).load(once.dumped());
      expect(withoutEmptyTrees(twice.contents)).toEqual(withoutEmptyTrees(once.contents));
      expect(twice.answers(events)).toEqual(once.answers(events));
      if (!READINGS[name].baseKeepsAll) continue;
      expect(withoutEmptyTrees(once.contents)).toEqual(withoutEmptyTrees(whole.contents));
      expect(once.answers(events)).toEqual(whole.answers(events));
    }
  });

  test('a base and the events after it, the trim included, give what all events give', () => {
    for (const { events, half } of sessions) {
      const whole = new Instance(name).apply(events);
      const loaded = new Instance(name).load(new Instance(name).apply(events.slice(0, half)).dumped()).apply(events.slice(half));
      expect(withoutEmptyTrees(loaded.contents)).toEqual(withoutEmptyTrees(whole.contents));
      expect(loaded.answers(events)).toEqual(whole.answers(events));
    }
  });

  test('what is not there is null, in an empty one and in a full one', () => {
    const empty = new Instance(name);
    const full = new Instance(name).apply(sessions[0].events);
    for (const { projection } of [empty, full]) {
      const answers = (READINGS[name].unknown as (projection: Projection) => unknown[])(projection);
      expect(
        answers.every((answer) => answer === null),
        JSON.stringify(answers),
      ).toBe(true);
    }
  });
});
