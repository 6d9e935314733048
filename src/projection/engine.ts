/**
 * The engine: one log, the projections folded from it, and the checkpoints that persist them.
 *
 *   decide (commands) ─► commit ─► log.append ─► every projection's apply ─► sync(sequence) ─► reply
 *                                     │
 *                       checkpoint ◄──┘  by dirty bytes, by log bytes, by time, at close
 *
 * A commit is applied in memory as soon as it is appended; a call that read its effect waits for its
 * sync before replying, so nothing is acknowledged that a crash could undo. If the sync fails, the state
 * is rebuilt from the newest super-root up to what is on disk, and writers are refused until the disk
 * takes writes again (`outage.ts`).
 */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { Slices } from '../base/slices.ts';
import { encodedInParts, decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../events/codec.ts';
import type { Committed, Merged, Envelope, Event, HistoryPlace } from '../events/event.ts';
import type { BaseHead, BasePart } from '../log/base-file.ts';
import { FRAME_PAYLOAD_MAX, payloadLength } from '../log/format.ts';
import type { LogChunk, LogPayload, LogPosition, LogStore } from '../log/log-store.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import { childRoot, setChildRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { Pager } from '../tree/pager.ts';
import { emptyTree } from '../tree/write.ts';
import { type Collected, collectPages } from '../tree/collect.ts';
import { verifyPages } from '../tree/verify.ts';
import { writeOut, type WriteOutStats } from '../tree/write-out.ts';
import type { Encoded } from './encoded.ts';
import type { Projection, ProjectionDefinition } from './projection.ts';
import { isDiskError, Outage } from './outage.ts';
import { futureTrimPoints, nextPressure, thinned, trimPoint, worthCollecting, worthTrimming } from './retention.ts';
import type { UndoKeeper } from './undo-keeper.ts';
import { readStoredPages, storedPagesSetting } from './stored-pages.ts';
import { isUsable, readSuperRoots, settingName, type SuperRoot, superRootSetting, versionsIn } from './super-root.ts';

export interface EngineOptions {
  log: LogStore & { readonly folderId: string };
  store: PageStore;
  clock: Clock;
  cacheBytes: number;
  /** A checkpoint starts when this many bytes were copied or created since the last … */
  dirtyBytes: number;
  /** … or this many were logged … */
  checkpointLogBytes: number;
  /** After a checkpoint by logged bytes, the next one waits this many times the last one's duration, so that many small ones do not take all processor time. */
  checkpointRest: number;
  /** … or this long passed with commits. */
  checkpointMs: number;
  /** How far back history reaches, in microseconds. */
  historyRetentionMicros: number;
  /** Trimming less of the log than this does not pay for a base. */
  trimBytes: number;
  bases: Bases;
  /** Keeps the undo log, by segments of the log. */
  undo: UndoKeeper;
  /** Throws 53100 if the folder may not grow. */
  ensureSpace(): void;
  /** Whether the folder is over its ceiling: maintenance then frees space even without writes. */
  overCeiling(): boolean;
  /** Rejects while the disk takes no writes. */
  probe(): Promise<void>;
  /** Time between two attempts to end an outage. */
  repairMs: number;
  onProgress?: (progress: { phase: string; done: number; total: number }) => void;
  /** Creates the error for a reader that met a damaged page: it is retried once the cache is rebuilt. */
  rerun?: () => unknown;
  /** Receives messages about damage that was found, and what was done. */
  say?: (message: string) => void;
  /** Called at checkpoints and at close: everything up to `sequence` is on disk. */
  onDurable?: (sequence: Sequence) => void;
  /** Acknowledged events that the log has lost, accepted at opening. */
  lost?: { from: Sequence; to: Sequence } | null;
  /** The page store is in memory because the disk is full: nothing is written until `reopen` succeeds. */
  isTemporaryStore?: boolean;
}

/** Stores bases, next to the log's segments. */
export interface Bases {
  newest(): { head: BaseHead; parts: () => IterableIterator<BasePart & { payload: Uint8Array }>; bytes: number } | null;
  write(head: BaseHead, parts: Iterable<BasePart>, between: () => Promise<void>): Promise<number>;
  removeBefore(sequence: Sequence): void;
}

/** Directories above the trees of rows: super-root, worlds, live worlds, one world. */
const REF_DEPTH = 4;

/** Fixed cost of replaying an event, in bytes of payload. */
const EVENT_WORK = 64;

/** After a failed write of a base, the next attempt waits this long. */
const BASE_REST_MS = 60_000;

/** Entries of history dropped by the first event of a trim; later events take more while one takes less than SWEEP_MS. */
const SWEEP_ENTRIES_MIN = 100;
const SWEEP_MS = 3;

type Kinds<P extends Record<string, Projection>> = { readonly [Name in keyof P]: ProjectionDefinition<string, P[Name]> };

function versionsOf(kinds: Readonly<Record<string, { readonly version: number }>>): Record<string, number> {
  return Object.fromEntries(Object.entries(kinds).map(([name, { version }]) => [name, version]));
}

/** Yields to the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Engine<P extends Record<string, Projection>> {
  readonly log: EngineOptions['log'];
  readonly pager: Pager;
  readonly clock: Clock;
  readonly state: P;
  readonly superRoots: SuperRoot[];
  readonly #options: EngineOptions;
  /** How far back history reaches: a setting of the database. */
  historyRetentionMicros: number;
  readonly #kinds: Kinds<P>;
  #projections: Projection[];
  #lastAt: Micros = 0 as Micros;
  #bytesSince = 0;
  /** Payload bytes of all events applied, see SuperRoot. */
  #work = 0;
  #restUntilMs = 0;
  #pressure = 1;
  #pagesWritten = 0;
  #pageBytesWritten = 0;
  #pagesAtCollection = 0;
  #pagesKept = 0;
  /** Live pages of the last collection; null before the first one and after super-roots were dropped, when the next result is unknown. */
  #pagesLive: number | null = null;
  #pagesNewest = 0;
  #eventsSince = 0;
  #checkpoint: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failure: SvcError | null = null;
  #onFailure: ((error: SvcError) => void)[] = [];
  readonly outage: Outage;
  #onOutage: ((error: SvcError | null) => void)[] = [];
  #storeFailed = false;
  #baseRestUntilMs = 0;
  /** History before this is trimmed; 0: none is. */
  historyStart: { sequence: Sequence; at: Micros } = { sequence: 0 as Sequence, at: 0 as Micros };
  #baseBytes = 0;
  #maintaining: Promise<void> | null = null;
  /** Called before an event of a world (of the branch, for its merge) is appended; may append events itself. */
  onCommit: ((world: WorldNumber) => void) | null = null;
  collected = 0;
  checkpoints = 0;
  replayed = 0;

  private constructor(options: EngineOptions, kinds: Kinds<P>, pager: Pager, superRoots: SuperRoot[]) {
    this.log = options.log;
    this.pager = pager;
    this.clock = options.clock;
    this.superRoots = superRoots;
    this.#options = options;
    this.historyRetentionMicros = options.historyRetentionMicros;
    this.#kinds = kinds;
    this.state = {} as P;
    this.#projections = [];
    this.#begin(superRoots.at(-1) ?? null);
    this.outage = new Outage(
      {
        restore: () => this.#restore(),
        mend: () => this.#mend(),
        lost: (error) => this.#fail(faultIn('the state could not be reset to what is on disk', error)),
        changed: (error) => {
          if (error === null && this.#release !== null) this.#noteRun();
          if (this.#healing) return;
          for (const listener of this.#onOutage) listener(error);
        },
      },
      options.repairMs,
    );
  }

  /** The projections with the slots of their definitions. */
  get #slots(): (readonly [slot: number, projection: Projection])[] {
    return Object.values<ProjectionDefinition<string, Projection>>(this.#kinds).map(({ slot }, i) => [slot, this.#projections[i]] as const);
  }

  /** Creates the projections from the super-root, or empty. */
  #begin(newest: SuperRoot | null): void {
    const top = newest === null ? null : this.pager.load(newest.page);
    for (const name in this.#kinds) {
      const { slot, make } = this.#kinds[name];
      this.state[name] = make(this.pager, top === null ? null : childRoot(this.pager, top, slot));
    }
    this.#projections = Object.values(this.state);
    this.#work = newest?.work ?? 0;
  }

  /** Loads the newest usable super-root, replays the tail of the log, and marks the run as open. */
  static async open<P extends Record<string, Projection>>(
    options: EngineOptions,
    kinds: Kinds<P>,
    release: string,
    hasMain: (state: P) => boolean,
  ): Promise<Engine<P>> {
    try {
      return await Engine.#openOver(options, kinds, release, hasMain);
    } catch (error) {
      if (!(error instanceof CacheDamage)) throw error;
      options.say?.(`${error.message}: the page cache is thrown away and rebuilt from the log`);
      await options.store.renew();
      return Engine.#openOver(options, kinds, release, hasMain);
    }
  }

  static async #openOver<P extends Record<string, Projection>>(
    options: EngineOptions,
    kinds: Kinds<P>,
    release: string,
    hasMain: (state: P) => boolean,
  ): Promise<Engine<P>> {
    const { store } = options;
    const versions = versionsOf(kinds);
    const usable = usableSuperRoots(options, versions);
    const newest = usable.at(-1) ?? null;
    dropPagesAfter(store, newest, usable);
    const pager = new Pager(store, options.cacheBytes, newest?.nextPage ?? 1);
    pager.stored = newest === null ? null : readStoredPages(store, newest.nextPage);
    const engine = new Engine<P>(options, kinds, pager, usable);
    engine.#lastAt = (newest?.at ?? 0) as Micros;
    const base = options.bases.newest();
    if (base !== null) engine.historyStart = { sequence: base.head.sequence, at: base.head.at };
    engine.#baseBytes = base?.bytes ?? 0;
    engine.#beginUndo(newest?.sequence ?? base?.head.sequence ?? ((options.log.first - 1) as Sequence));
    await engine.#replay(newest ?? (await engine.#fromBase(base)));
    pager.onDamage = (damage, stale) => engine.#met(damage, stale);
    options.undo.onDamage = (damage) => engine.#heal(damage);
    engine.log.onFailure = (error) => engine.outage.begin(error, engine.log.durable);
    engine.#release = release;
    engine.#hasMain = () => hasMain(engine.state);
    const isNew = engine.log.head === 0;
    try {
      engine.#noteRun();
    } catch (error) {
      // The event is in the log, from which the state is being rebuilt.
      if (!engine.#healing) throw error;
      await engine.outage.held;
    }
    try {
      await engine.log.sync(engine.log.head);
    } catch (error) {
      // A full disk is still readable; the run is recorded, and writes accepted, once there is space.
      if (isNew || !isDiskError(error)) throw error;
      engine.#release = release;
      await engine.outage.held;
    }
    if (options.isTemporaryStore === true && engine.outage.error === null) {
      engine.#storeFailed = true;
      engine.outage.begin(
        new SvcError('53100', 'the disk is full: the page cache cannot be opened', { hint: 'Free some megabytes; the database then continues automatically.' }),
        engine.log.durable,
      );
      await engine.outage.held;
    } else if (options.isTemporaryStore === true) engine.#storeFailed = true;
    engine.#timer = setInterval(() => {
      if (engine.#eventsSince > 0) void engine.checkpoint();
      else if (options.overCeiling()) void engine.#freeSpace();
      else if (engine.#isTrimDue) void engine.runMaintenance();
    }, options.checkpointMs);
    engine.#timer.unref();
    return engine;
  }

  /** Appends `opened`, by which a later opening detects a crash, and creates `main` if it is missing. */
  #noteRun(): void {
    const release = this.#release!;
    this.#release = null;
    const { lost = null } = this.#options;
    this.commit(
      { type: 'opened', release, ...(this.log.head === 0 ? { first: true as const } : {}), ...(lost === null ? {} : { lost }) },
      0 as WorldNumber,
      '',
    );
    if (!this.#hasMain()) this.commit({ type: 'forked', name: 'main', parent: 0 as WorldNumber, owner: null, meta: {}, changes: [] }, 0 as WorldNumber, '');
  }
  /** Whether `main` exists: a process may die between the first and the second event of a folder. */
  #hasMain!: () => boolean;
  /** Set while this run's `opened` is not in the log yet. */
  #release: string | null = null;

  /** Start of a replay without a super-root; null: at the first event. */
  async #fromBase(base: ReturnType<Bases['newest']>): Promise<SuperRoot | null> {
    if (base !== null) return this.#loadBase(base);
    if (this.log.first === 1) return null;
    throw new SvcError('XX001', `the log begins at event ${this.log.first} and has no base for what came before`, {
      hint: 'Restore the folder from a backup; nothing was changed.',
    });
  }

  async #loadBase(base: NonNullable<ReturnType<Bases['newest']>>): Promise<SuperRoot> {
    const bySlot = new Map(this.#slots);
    let n = 0;
    for (const { slot, payload } of base.parts()) {
      bySlot.get(slot)?.load(payload);
      if (++n % 20 === 0) {
        this.#options.onProgress?.({ phase: 'loading the base', done: n, total: n });
        await turn();
      }
    }
    this.#lastAt = base.head.at;
    return this.#writeSuperRoot(base.head.sequence, nextOf(this.log, base.head.sequence));
  }

  #beginUndo(sequence: Sequence): void {
    const dropped = this.#options.undo.begin(sequence, this.log.folderId);
    if (dropped.length > 0) this.pager.store.write({ pages: [], settings: dropped }, { sync: false });
  }

  /** Whether the undo log segment should end; events between segments are read from the log. */
  get #isLong(): boolean {
    return this.#work - this.#cutAt > this.#options.checkpointLogBytes;
  }

  #cutUndo(through: Sequence, next: LogPosition): void {
    this.#options.undo.cut(through, next);
    this.#cutAt = this.#work;
  }
  #cutAt = 0;

  /** The last event that the replay has looked ahead to. */
  #foreseen: Sequence = 0 as Sequence;

  async #replay(from: SuperRoot | null): Promise<void> {
    const { log } = this;
    const first = (from === null ? log.first : from.sequence + 1) as Sequence;
    if (first > log.head) return;
    const total = log.head - first + 1;
    let sliceEnds = Date.now() + 50;
    for (const projection of this.#projections) {
      for (const _ of projection.foresee?.(log.read(first, from?.next)) ?? []) {
        if (Date.now() < sliceEnds) continue;
        await turn();
        sliceEnds = Date.now() + 50;
      }
    }
    this.#foreseen = log.head;
    for (const record of log.read(first, from?.next)) {
      const event = decodeEvent(record.type, record.version, record.payload);
      this.#lastAt = Math.max(this.#lastAt, record.at) as Micros;
      this.#apply(event, { sequence: record.sequence, at: record.at, world: record.world, actor: record.actor });
      this.#bytesSince += record.payload.length;
      this.#work += record.payload.length + EVENT_WORK;
      this.replayed++;
      if (this.pager.dirtyBytes > this.#options.dirtyBytes && (this.outage.error === null || this.#healing)) {
        // The log ahead is on disk, so the super-root may cover exactly what has been applied.
        await this.#writeSuperRoot(record.sequence, nextOf(log, record.sequence));
      } else if (this.#isLong) this.#cutUndo(record.sequence, nextOf(log, record.sequence));
      if ((this.replayed & 255) === 0 && Date.now() > sliceEnds) {
        this.#options.onProgress?.({ phase: 'replaying the log', done: this.replayed, total });
        await turn();
        sliceEnds = Date.now() + 50;
      }
    }
    // Nothing lies ahead any more.
    for (const projection of this.#projections) for (const _ of projection.foresee?.([]) ?? []);
    if (this.replayed > 1000) this.#options.onProgress?.({ phase: 'replaying the log', done: total, total });
  }

  /** Called with each event before it is appended. */
  onAppend: ((event: Event, world: WorldNumber, locksChecked: boolean) => void) | null = null;

  /** Appends the event and folds it. The caller has decided in this same tick. `encoded`: changes of a large commit, encoded in advance. */
  commit(event: Event, world: WorldNumber, actor: string, encoded: Encoded | null = null, locksChecked = false): Envelope {
    this.check();
    this.onCommit?.(event.type === 'merged' ? event.branch : world);
    this.onAppend?.(event, world, locksChecked);
    const now = this.clock.nowMicros();
    // While the clock is behind the newest event, each event still gets a time of its own.
    const at = (now >= this.#lastAt ? now : this.#lastAt + 1) as Micros;
    const payload = encoded === null || (event.type !== 'committed' && event.type !== 'merged') ? encodeEvent(event) : assembled(event, encoded);
    const number = event.type === 'forked' || event.type === 'worldKept' ? ((this.log.head + 1) as number as WorldNumber) : world;
    const sequence = this.log.append({ type: EVENT_TYPES[event.type], version: versionOf(event), at, world: number, actor, payload });
    this.#lastAt = at;
    this.log.start();
    const envelope: Envelope = { sequence, at, world: number, actor };
    try {
      this.#apply(event, envelope);
    } catch (cause) {
      if (this.#reruns.has(cause as object)) {
        // The event is in the log, and the state being rebuilt from it will have it.
        throw new SvcError('40003', `the page cache turned out damaged while event ${sequence} was written; it is rebuilt from the log`, {
          hint: 'Look whether the change is there before you repeat it.',
        });
      }
      this.#fail(
        new SvcError('XX000', `event ${sequence} could not be applied: ${(cause as Error).message}`, {
          cause,
          hint: 'Restart the server; the log holds everything that was acknowledged.',
        }),
      );
      throw cause;
    }
    const work = payloadLength(payload) + EVENT_WORK;
    this.#bytesSince += work;
    this.#work += work;
    this.#eventsSince++;
    if (this.#isLong) this.#cutUndo(sequence, this.log.end);
    if (this.pager.dirtyBytes > this.#options.dirtyBytes || (this.#bytesSince > this.#options.checkpointLogBytes && performance.now() >= this.#restUntilMs)) {
      void this.checkpoint();
    }
    return envelope;
  }

  #apply(event: Event, envelope: Envelope): void {
    for (const projection of this.#projections) projection.apply(event, envelope);
    this.#options.undo.note(event, envelope);
  }

  /** Resolves once everything up to `sequence` is on disk. Call it in the tick in which the effect was read. */
  durable(sequence: Sequence): Promise<void> {
    return this.log.sync(sequence);
  }

  /** Backpressure: more is dirty than memory should hold. */
  get backpressure(): boolean {
    return this.pager.dirtyBytes > this.#options.dirtyBytes * 2;
  }

  /** Waits under backpressure. Writers call it before they decide. */
  async admit(): Promise<void> {
    this.check();
    while (this.backpressure) {
      await this.checkpoint();
      this.check();
    }
  }

  /** Runs a read. If a failed write undoes what it read, the read runs again on the durable state. */
  async read<T>(look: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.outage.held !== null) await this.outage.held;
      if (this.#failure !== null) throw this.#failure;
      const { count } = this.outage;
      try {
        return await look();
      } catch (error) {
        if (this.outage.count === count) throw error;
      }
    }
  }

  /**
   * Runs a write. A result based on state that was undone meanwhile is replaced by the outage's error. While the cache is rebuilt writes wait; a write that
   * met the damage may have committed, and is not retried.
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#healing) await this.outage.held;
    this.check();
    const { count } = this.outage;
    try {
      return await work();
    } catch (error) {
      if (this.outage.count === count) throw error;
      if (!this.#reruns.has(error as object)) this.check();
      else {
        await this.outage.held;
        throw new SvcError('40001', 'the page cache turned out damaged and was rebuilt from the log', { hint: 'Try again.', cause: error });
      }
      throw error;
    }
  }

  /** Runs a write that makes the folder grow permanently. */
  async writeIfSpace<T>(work: () => Promise<T>): Promise<T> {
    if (this.#healing) await this.outage.held;
    this.check();
    this.ensureSpace();
    return this.write(work);
  }

  /** 53100 if the folder may not grow. */
  ensureSpace(): void {
    this.#options.ensureSpace();
  }

  /** Throws the error that stopped the engine or makes it refuse writes, if any. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.outage.error !== null) throw this.outage.error;
  }

  get failure(): SvcError | null {
    return this.#failure;
  }

  get lastAt(): Micros {
    return this.#lastAt;
  }

  /** Current time for relative times: the clock, or the newest event's time if the clock is behind it. */
  now(): Micros {
    return Math.max(this.#lastAt, this.clock.nowMicros()) as Micros;
  }

  /** How far the clock is behind the newest event, which was written with a clock ahead. */
  get clockBehindMs(): number {
    return Math.max(0, Math.floor((this.#lastAt - this.clock.nowMicros()) / 1000));
  }

  onFailure(listener: (error: SvcError) => void): void {
    this.#onFailure.push(listener);
  }

  #fail(error: SvcError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const listener of this.#onFailure) listener(error);
  }

  /** The listener gets the error when writes begin to be refused, and null once they are accepted again. */
  onOutage(listener: (error: SvcError | null) => void): void {
    this.#onOutage.push(listener);
  }

  /** Background work failed that began when `count` outages had been. */
  #troubled(count: number, what: string, error: unknown): void {
    // Interrupted by an outage that is being handled.
    if (this.outage.count !== count) return;
    if (error instanceof CacheDamage) this.#heal(error);
    else if (isDiskError(error)) {
      // Nodes may be marked as written without being so: only pages of whole super-roots can be trusted.
      this.#storeFailed = true;
      this.outage.begin(error, this.log.durable);
    } else this.#fail(faultIn(what, error));
  }

  /** Throws if an outage has begun since `count` was read. */
  #uninterrupted(count: number): void {
    if (this.outage.count !== count) throw new SvcError('58030', 'interrupted by a failed write');
  }

  /** A page cannot be read. `stale`: it belonged to a cache that has been dropped. */
  #met(damage: CacheDamage, stale: boolean): unknown {
    // During a rebuild, damage means that the disk returns something else than was just written.
    if (this.#healing && !stale) return damage;
    if (!stale) this.#heal(damage);
    const rerun = this.#options.rerun?.() ?? damage;
    this.#reruns.add(rerun as object);
    return rerun;
  }
  readonly #reruns = new WeakSet<object>();

  /** Drops the page cache and rebuilds from the log. Readers and writers wait for it. */
  #heal(damage: CacheDamage): void {
    if (this.#failure !== null || this.outage.error !== null) return;
    this.#options.say?.(`${damage.message}: the page cache is thrown away and rebuilt from the log`);
    this.#healing = true;
    const begunMs = performance.now();
    this.outage.begin(damage, this.log.durable, true);
    void this.outage.held!.then(() => {
      this.#healing = false;
      if (this.#failure === null) this.#options.say?.(`the page cache was rebuilt from the log in ${Math.round(performance.now() - begunMs)} ms`);
    });
  }
  #healing = false;

  /** The new state is built next to the old one, whose pages are gone: a read that does not wait gets what is in memory, or is retried. */
  async #rebuild(): Promise<void> {
    const { log, pager } = this;
    await this.#checkpoint;
    await this.#maintaining;
    await log.sync(log.head);
    await pager.store.renew();
    this.#storeFailed = false;
    pager.renewed();
    this.superRoots.length = 0;
    this.#held.clear();
    this.onForget?.();
    const made = {} as P;
    for (const name in this.#kinds) made[name] = this.#kinds[name].make(pager, null);
    this.#projections = Object.values(made);
    this.#work = 0;
    this.#bytesSince = 0;
    this.#pagesLive = null;
    this.#pagesAtCollection = this.#pagesWritten;
    this.#pagesKept = 0;
    const base = this.#options.bases.newest();
    this.#beginUndo(base?.head.sequence ?? ((log.first - 1) as Sequence));
    this.#cutAt = 0;
    await this.#replay(await this.#fromBase(base));
    Object.assign(this.state, made);
    this.onForget?.();
    this.#eventsSince = 1;
  }

  /** Rebuilds the state from the newest super-root up to the last event on disk. */
  async #restore(): Promise<void> {
    if (this.#healing) return this.#rebuild();
    const { log, pager } = this;
    await this.#checkpoint;
    await this.#maintaining;
    // After a failure of the page store alone, appended events may still become durable.
    if (log.failure === null) await log.sync(log.head).catch(() => {});
    const newest = this.superRoots.at(-1) ?? null;
    pager.dirtyBytes = 0;
    this.#bytesSince = 0;
    this.onForget?.();
    this.#begin(newest);
    this.#options.undo.rewind(newest?.sequence ?? this.historyStart.sequence);
    this.#cutAt = this.#work;
    await this.#replay(newest);
    // Replayed events wait for a checkpoint.
    this.#eventsSince = 1;
  }

  async #mend(): Promise<void> {
    if (!this.#healing) await this.#options.probe();
    if (this.log.failure !== null) await this.log.repair();
    if (!this.#storeFailed) return;
    await this.outage.hold(() => this.pager.store.reopen());
    this.#storeFailed = false;
  }

  /** Writes the dirty pages and a super-root while writers run; does nothing during an outage. */
  checkpoint(): Promise<void> {
    if (this.#checkpoint !== null) return this.#checkpoint;
    if (this.#failure !== null || this.outage.error !== null) return Promise.resolve();
    const { count } = this.outage;
    const run = this.#writeSuperRoot(this.log.head, this.log.end)
      .then(async (root) => {
        await this.log.hashed();
        this.commit({ type: 'sealed', covers: root.sequence, root: root.hash, treeHead: this.log.treeHead().root }, 0 as WorldNumber, '');
        this.#eventsSince = Math.max(0, this.#eventsSince - 1);
        if (!this.#closing) void this.runMaintenance();
      })
      .catch((error: unknown) => this.#troubled(count, 'a checkpoint failed', error))
      .finally(() => {
        this.#checkpoint = null;
      });
    this.#checkpoint = run;
    return run;
  }

  async #writeSuperRoot(sequence: Sequence, next: LogPosition): Promise<SuperRoot> {
    const { pager, log } = this;
    const { count } = this.outage;
    // Counts its own time only, not that of other work between slices.
    const slices = new Slices();
    const at = this.#lastAt;
    const work = this.#work;
    const edit = pager.newEdit();
    let top: Node = emptyTree(true, edit);
    for (const [slot, projection] of this.#slots) top = setChildRoot(pager, top, slot, projection.seal(), edit);
    this.#cutUndo(sequence, next);
    pager.dirtyBytes = 0;
    this.#bytesSince = 0;
    this.#eventsSince = 0;
    const partial = this.#projections.some((projection) => projection.partial === true);
    const stats: WriteOutStats = { pages: 0, bytes: 0 };
    for (const _ of writeOut(pager, top, stats, () => slices.over)) {
      await slices.rest();
      this.#uninterrupted(count);
    }
    for (const settings of this.#options.undo.unwritten(sequence)) {
      pager.store.write({ pages: [], settings }, { sync: false });
      await slices.rest();
      this.#uninterrupted(count);
    }
    const { busyMs } = slices;
    await Promise.all([log.sync(sequence), pager.store.syncAhead?.()]);
    // In an outage the state will be undone; this root would not match it.
    this.#uninterrupted(count);
    const root: SuperRoot = {
      sequence,
      at,
      page: top.id,
      hash: Buffer.from(top.hash!).toString('hex'),
      next,
      nextPage: pager.nextId,
      work,
      versions: versionsIn(versionsOf(this.#kinds), partial),
      folder: log.folderId,
      ...(partial ? { foreseen: this.#foreseen } : {}),
    };
    pager.store.write({ pages: [], settings: [superRootSetting(root)] }, { sync: true });
    for (const projection of this.#projections) projection.written?.();
    if (!partial) this.#dropSuperRoots(this.superRoots.filter(({ foreseen }) => foreseen !== undefined));
    this.#options.onDurable?.(sequence);
    this.superRoots.push(root);
    this.checkpoints++;
    this.#pagesWritten += stats.pages;
    this.#pagesNewest = stats.pages;
    this.#pageBytesWritten += stats.bytes;
    this.#restUntilMs = performance.now() + busyMs * this.#options.checkpointRest;
    return root;
  }

  /** Maintenance after a checkpoint: thins super-roots, trims the log once a base is durable, collects pages. Everything yields. */
  runMaintenance(): Promise<void> {
    if (this.#houseHeld > 0) return Promise.resolve();
    if (this.#failure !== null || this.outage.error !== null) return Promise.resolve();
    const { count } = this.outage;
    this.#maintaining ??= this.#maintain()
      .catch((error: unknown) => this.#troubled(count, 'maintenance failed', error))
      .finally(() => {
        this.#maintaining = null;
      });
    return this.#maintaining;
  }

  /** Trims without writes while the folder is over its ceiling. A trim begins at a super-root, before which whole segments are dropped. */
  #freeSpace(): Promise<void> {
    return this.superRoots.at(-1)?.next.segment === this.log.end.segment ? this.runMaintenance() : this.checkpoint();
  }

  /** No maintenance runs, and so no log file is removed, from the time this resolves until the returned function is called. */
  async pauseMaintenance(): Promise<() => void> {
    this.#houseHeld++;
    await this.#maintaining;
    return () => {
      this.#houseHeld--;
    };
  }
  #houseHeld = 0;

  /** Where history may begin: the newest super-root before the horizon. */
  get #trimPoint(): SuperRoot | null {
    const point = trimPoint(this.superRoots, (this.clock.nowMicros() - this.historyRetentionMicros) as Micros);
    return point !== null && point.sequence > this.historyStart.sequence ? point : null;
  }

  #isWorth(point: SuperRoot): boolean {
    const freed = this.log.bytesBefore(point.next);
    return this.#options.overCeiling() ? freed > 0 : worthTrimming(freed, this.log.sizeBytes - freed, this.#baseBytes, this.#options.trimBytes);
  }

  /** History must be trimmed by retention even without writes. */
  get #isTrimDue(): boolean {
    const point = this.#trimPoint;
    return point !== null && performance.now() >= this.#baseRestUntilMs && this.#isWorth(point);
  }

  async #maintain(): Promise<void> {
    let trimmed = false;
    const point = this.#trimPoint;
    if (point !== null) {
      const worth = this.#isWorth(point);
      if (worth && (await this.#trim(point))) {
        trimmed = true;
        this.#dropSuperRoots(this.superRoots.filter(({ sequence }) => sequence < point.sequence));
        this.pager.store.write({ pages: [], settings: this.#options.undo.forget(point.sequence) }, { sync: false });
      }
    }
    this.#dropSuperRoots(this.#thinned());
    // Marking all pages must be paid for by a trim or by pages written since the last time.
    const written = this.#pagesWritten - this.#pagesAtCollection;
    if (!trimmed && !worthCollecting(written, this.#pagesKept)) return;
    this.#pagesAtCollection = this.#pagesWritten;
    // If no super-root was dropped, all pages written since the last collection are live: the result is known.
    const before = this.#pagesLive;
    if (before !== null && this.#pressed(before, this.#pagesKept + written)) this.#dropSuperRoots(this.#thinned());
    for (;;) {
      const { live, marked } = await this.#collect();
      if (this.#closing) return;
      this.#pagesKept = marked;
      this.#pagesLive = live;
      if (!this.#pressed(live, marked)) return;
      const more = this.#thinned();
      if (more.length === 0) return;
      this.#dropSuperRoots(more);
    }
  }

  #thinned(): SuperRoot[] {
    return thinned(this.superRoots, this.#pressure, futureTrimPoints(this.superRoots, this.historyRetentionMicros, this.historyStart.sequence));
  }

  /** Sets the pressure by the pages that are kept; true if it rose. */
  #pressed(live: number, kept: number): boolean {
    const before = this.#pressure;
    const pageBytes = this.#pageBytesWritten / Math.max(1, this.#pagesWritten);
    this.#pressure = nextPressure(before, { live, all: kept, newest: this.#pagesNewest }, pageBytes, this.log.sizeBytes);
    return this.#pressure > before;
  }

  #dropSuperRoots(dropped: readonly SuperRoot[]): void {
    if (dropped.length === 0) return;
    this.#pagesLive = null;
    for (const root of dropped) this.superRoots.splice(this.superRoots.indexOf(root), 1);
    this.pager.store.write({ pages: [], settings: dropped.map(({ sequence }) => ({ name: settingName(sequence), value: null })) }, { sync: true });
  }

  /** Protects the pages below a world's directory during a read over several ticks. The caller calls the returned function when done. */
  hold(directory: Node): () => void {
    this.#held.set(directory, (this.#held.get(directory) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const count = (this.#held.get(directory) ?? 1) - 1;
      if (count === 0) this.#held.delete(directory);
      else this.#held.set(directory, count);
    };
  }
  readonly #held = new Map<Node, number>();

  async #collect(): Promise<Collected> {
    this.onForget?.();
    const { count } = this.outage;
    const limit = this.superRoots.at(-1)!.nextPage;
    const slices = new Slices();
    const sweep = collectPages(this.pager, this.superRoots.map(({ page }) => page).reverse(), limit, REF_DEPTH, () => slices.over, this.#held.keys());
    for (let step = sweep.next(); ; step = sweep.next()) {
      if (step.done === true) {
        this.collected += step.value.swept;
        this.pager.store.write({ pages: [], settings: [storedPagesSetting(this.pager.stored)] }, { sync: false });
        return step.value;
      }
      await slices.rest();
      this.#uninterrupted(count);
      if (this.#closing) return { live: 0, marked: 0, swept: 0 };
    }
  }

  /** False if the disk refuses the base: the log stays as it is for now. */
  async #trim(point: SuperRoot): Promise<boolean> {
    if (performance.now() < this.#baseRestUntilMs) return false;
    const { log, pager } = this;
    const { count } = this.outage;
    const top = pager.load(point.page);
    const slots = this.#slots;
    function* parts(): Iterable<BasePart> {
      for (const [slot, projection] of slots) {
        const root = childRoot(pager, top, slot);
        if (root !== null) for (const payload of projection.dump(root)) yield { slot, payload };
      }
    }
    const between = async (): Promise<void> => {
      await turn();
      this.#uninterrupted(count);
    };
    try {
      this.#baseBytes = await this.#options.bases.write({ sequence: point.sequence, at: point.at, folderId: log.folderId }, parts(), between);
    } catch (error) {
      this.#uninterrupted(count);
      if (!isDiskError(error)) throw error;
      this.#baseRestUntilMs = performance.now() + BASE_REST_MS;
      return false;
    }
    this.#uninterrupted(count);
    // The next opening begins with the base: history before it is gone.
    this.historyStart = { sequence: point.sequence, at: point.at };
    await log.sync(await this.#sweep(point));
    this.#uninterrupted(count);
    try {
      await log.trim(point.sequence);
      this.#options.bases.removeBefore(point.sequence);
    } catch (error) {
      // A file that cannot be removed does no harm; the next trim removes it.
      if (!(error instanceof SvcError)) throw error;
    }
    return true;
  }

  /** Drops history before the point from the projections, in events of a few milliseconds each. Returns the last one's sequence. */
  async #sweep({ sequence: through, at }: SuperRoot): Promise<Sequence> {
    const { count } = this.outage;
    let from: HistoryPlace = { world: 0, sequence: 0 };
    let entries = SWEEP_ENTRIES_MIN;
    for (;;) {
      const begunMs = performance.now();
      let to: HistoryPlace | null = null;
      for (const projection of this.#projections) {
        const end = projection.sweepEnd?.(from, entries) ?? null;
        if (end !== null && (to === null || end.world < to.world || (end.world === to.world && end.sequence < to.sequence))) to = end;
      }
      const gone = this.#projections.flatMap((projection) => projection.forgets?.(through, from, to) ?? []);
      const { sequence } = this.commit({ type: 'swept', through, at, from, to, gone }, 0 as WorldNumber, '');
      if (to === null) return sequence;
      from = to;
      const tookMs = performance.now() - begunMs;
      if (tookMs > SWEEP_MS) entries = Math.max(SWEEP_ENTRIES_MIN, Math.floor(entries / 2));
      else if (tookMs < SWEEP_MS / 3) entries *= 2;
      await turn();
      this.#uninterrupted(count);
    }
  }

  /** Called when old super-roots are dropped, so that caches of their nodes are released. */
  onForget: (() => void) | null = null;
  #closing = false;

  /** Re-reads every page that the newest super-root reaches and compares it with the hash its parent keeps. */
  async verifyPages(signal?: AbortSignal): Promise<{ pages: number; bytes: number }> {
    await this.checkpoint();
    if (this.outage.held !== null) await this.outage.held;
    if (this.#failure !== null) throw this.#failure;
    const newest = this.superRoots.at(-1);
    // An outage before the first checkpoint.
    if (newest === undefined) throw this.outage.error!;
    const total = { pages: 0, bytes: 0 };
    const slices = new Slices();
    try {
      for (const _ of verifyPages(this.pager.store, newest.page, Buffer.from(newest.hash, 'hex'), total)) {
        if (!slices.over) continue;
        signal?.throwIfAborted();
        await slices.rest();
      }
    } catch (error) {
      if (error instanceof CacheDamage) this.#heal(error);
      throw error;
    }
    return total;
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#maintaining !== null) await this.#maintaining;
    if (this.#checkpoint !== null) await this.#checkpoint;
    if (this.outage.error !== null) await this.outage.retry();
    try {
      await this.checkpoint();
      this.check();
      this.commit({ type: 'closed' }, 0 as WorldNumber, '');
      await this.log.sync(this.log.head);
      this.#options.onDurable?.(this.log.durable);
      await this.#checkpoint;
    } catch (error) {
      // Everything acknowledged is on disk; the next opening continues from there.
      if (!(error instanceof SvcError)) throw error;
    } finally {
      this.outage.close();
      await this.outage.held;
      await this.log.close();
      await this.pager.store.close();
    }
  }
}

function assembled(event: Committed | Merged, encoded: Encoded): LogPayload {
  const chunks: LogChunk[] = [];
  for (const part of encodedInParts(event, (changes) => encoded.has(changes))) {
    if (!(part instanceof Uint8Array)) {
      for (const chunk of encoded.get(part)!) chunks.push(chunk);
      continue;
    }
    for (let at = 0; at < part.length; at += FRAME_PAYLOAD_MAX) {
      const bytes = part.subarray(at, Math.min(part.length, at + FRAME_PAYLOAD_MAX));
      chunks.push({ bytes, length: bytes.length, compressed: false });
    }
  }
  return chunks;
}

function faultIn(what: string, error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  return new SvcError('XX000', `${what}: ${(error as Error).message}`, { cause: error });
}

/** Super-roots that this release can continue from with this log, oldest first. */
function usableSuperRoots(options: EngineOptions, versions: Record<string, number>): SuperRoot[] {
  return readSuperRoots(options.store).filter((root) => isUsable(root, versions, options.log));
}

/** Drops pages left by a crash during a checkpoint, or all of them without a usable super-root. */
function dropPagesAfter(store: PageStore, newest: SuperRoot | null, usable: readonly SuperRoot[]): void {
  const keep = new Set(usable.map(({ sequence }) => sequence));
  const settings: { name: string; value: Uint8Array | null }[] = readSuperRoots(store)
    .filter(({ sequence }) => !keep.has(sequence))
    .map(({ sequence }) => ({ name: settingName(sequence), value: null }));
  if (newest === null) settings.push(storedPagesSetting(null));
  if (settings.length > 0) store.write({ pages: [], settings }, { sync: true });
  for (;;) {
    const deletes = store.ids(newest?.nextPage ?? 0, 10_000);
    if (deletes.length === 0) return;
    store.write({ pages: [], deletes }, { sync: false });
  }
}

function nextOf(log: LogStore, sequence: Sequence): LogPosition {
  if (sequence === log.head) return log.end;
  for (const record of log.read((sequence + 1) as Sequence)) return record.position;
  return log.end;
}
