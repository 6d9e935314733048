/**
 * The heart: one log, the projections folded from it, and the checkpoints that keep them.
 *
 *   decide (commands) ─► commit ─► log.append ─► every projection's apply ─► sync(sequence) ─► reply
 *                                     │
 *                       checkpoint ◄──┘  by dirty bytes, by log bytes, by time, at close
 *
 * A commit is applied in memory as soon as it is appended; whoever was shown its effect waits for its
 * sync before replying, so nothing is ever told that a crash could take back.
 */
import { AssertionError } from '../base/assert.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, EVENT_VERSION } from '../events/codec.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { BaseHead, BasePart } from '../log/base-file.ts';
import type { LogPosition, LogStore } from '../log/log-store.ts';
import type { PageStore } from '../storage/page-store.ts';
import { childRoot, setChildRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { Pager } from '../tree/pager.ts';
import { emptyTree } from '../tree/write.ts';
import { type Collected, collectPages } from '../tree/collect.ts';
import { verifyPages } from '../tree/verify.ts';
import { writeOut, type WriteOutStats } from '../tree/write-out.ts';
import type { Projection, ProjectionFactory } from './projection.ts';
import { nextPressure, thinned, trimPoint, worthCollecting, worthTrimming } from './retention.ts';
import { readSuperRoots, settingName, type SuperRoot, superRootSetting } from './super-root.ts';

export interface EngineOptions {
  log: LogStore & { readonly folderId: string };
  store: PageStore;
  clock: Clock;
  cacheBytes: number;
  /** A checkpoint starts when this much was copied or made since the last. */
  dirtyBytes: number;
  /** … or this much was logged. */
  checkpointLogBytes: number;
  /** A checkpoint by logged bytes rests this many times the length of the last one, so that many small ones do not eat the machine. */
  checkpointRest: number;
  /** … or this long passed with commits. */
  checkpointMs: number;
  /** How far back history reaches, in microseconds. */
  historyRetentionMicros: number;
  bases: Bases;
  onProgress?: (progress: { phase: string; done: number; total: number }) => void;
}

/** Where bases are kept: beside the log's segments. */
export interface Bases {
  newest(): { head: BaseHead; parts: () => IterableIterator<BasePart>; bytes: number } | null;
  write(head: BaseHead, parts: Iterable<BasePart>, between: () => Promise<void>): Promise<number>;
  removeBefore(sequence: Sequence): void;
}

/** Directories above the trees of rows: super-root, worlds, live worlds, one world. */
const REF_DEPTH = 4;

/** What an event costs to replay beside its payload, in bytes of payload. */
const EVENT_WORK = 64;

/** Lets everything that waits run before going on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Engine<P extends Record<string, Projection>> {
  readonly log: EngineOptions['log'];
  readonly pager: Pager;
  readonly clock: Clock;
  readonly state: P;
  readonly superRoots: SuperRoot[];
  readonly #options: EngineOptions;
  readonly #projections: Projection[];
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
  #eventsSince = 0;
  #checkpoint: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failure: SvcError | null = null;
  #onFailure: ((error: SvcError) => void)[] = [];
  /** Moments before this are given up; 0 while nothing was. */
  historyStart: { sequence: Sequence; at: Micros } = { sequence: 0 as Sequence, at: 0 as Micros };
  #baseBytes = 0;
  #keeping: Promise<void> | null = null;
  collected = 0;
  checkpoints = 0;
  replayed = 0;

  private constructor(options: EngineOptions, pager: Pager, state: P, superRoots: SuperRoot[]) {
    this.log = options.log;
    this.pager = pager;
    this.clock = options.clock;
    this.state = state;
    this.superRoots = superRoots;
    this.#options = options;
    this.#projections = Object.values(state);
  }

  /** Loads the newest usable super-root, replays the tail of the log, and marks the run as open. */
  static async open<P extends Record<string, Projection>>(
    options: EngineOptions,
    kinds: { [K in keyof P]: { slot: number; version: number; make: ProjectionFactory<P[K]> } },
    release: string,
  ): Promise<Engine<P>> {
    const { store } = options;
    const versions = Object.fromEntries(Object.entries(kinds).map(([name, { version }]) => [name, version]));
    const usable = usableSuperRoots(options, versions);
    const newest = usable.at(-1) ?? null;
    dropPagesAfter(store, newest, usable);
    const pager = new Pager(store, options.cacheBytes, newest?.nextPage ?? 1);
    const top = newest === null ? null : pager.load(newest.page);
    const state = {} as P;
    for (const name in kinds) {
      state[name] = kinds[name].make(pager, top === null ? null : childRoot(pager, top, kinds[name].slot));
    }
    const engine = new Engine<P>(options, pager, state, usable);
    engine.#lastAt = (newest?.at ?? 0) as Micros;
    engine.#work = newest?.work ?? 0;
    const base = options.bases.newest();
    if (base !== null) engine.historyStart = { sequence: base.head.sequence, at: base.head.at };
    engine.#baseBytes = base?.bytes ?? 0;
    let from: SuperRoot | null = newest;
    if (newest === null && base !== null) from = await engine.#loadBase(base);
    else if (newest === null && options.log.first > 1) {
      throw new SvcError('XX001', `the log begins at event ${options.log.first} and has no base for what came before`, {
        hint: 'Restore the folder from a backup; nothing was changed.',
      });
    }
    await engine.#replay(from);
    engine.commit({ type: 'opened', release }, 0 as WorldNumber, '');
    if (engine.log.head === 1)
      engine.commit({ type: 'forked', name: 'main', parent: 0 as WorldNumber, owner: null, meta: {}, changes: [] }, 0 as WorldNumber, '');
    await engine.log.sync(engine.log.head);
    engine.#timer = setInterval(() => {
      if (engine.#eventsSince > 0) void engine.checkpoint();
    }, options.checkpointMs);
    engine.#timer.unref();
    return engine;
  }

  async #loadBase(base: NonNullable<ReturnType<Bases['newest']>>): Promise<SuperRoot> {
    const bySlot = new Map(this.#projections.map((projection) => [projection.slot, projection]));
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

  async #replay(from: SuperRoot | null): Promise<void> {
    const { log } = this;
    const first = (from === null ? log.first : from.sequence + 1) as Sequence;
    if (first > log.head) return;
    const total = log.head - first + 1;
    let sliceEnds = Date.now() + 50;
    for (const record of log.read(first, from?.next)) {
      const event = decodeEvent(record.type, record.version, record.payload);
      this.#lastAt = Math.max(this.#lastAt, record.at) as Micros;
      this.#apply(event, { sequence: record.sequence, at: record.at, world: record.world, actor: record.actor });
      this.#bytesSince += record.payload.length;
      this.#work += record.payload.length + EVENT_WORK;
      this.replayed++;
      if (this.pager.dirtyBytes > this.#options.dirtyBytes) {
        // The log ahead is on disk, so the super-root may cover exactly what has been applied.
        await this.#writeSuperRoot(record.sequence, nextOf(log, record.sequence));
      }
      if ((this.replayed & 255) === 0 && Date.now() > sliceEnds) {
        this.#options.onProgress?.({ phase: 'replaying the log', done: this.replayed, total });
        await turn();
        sliceEnds = Date.now() + 50;
      }
    }
    if (this.replayed > 1000) this.#options.onProgress?.({ phase: 'replaying the log', done: total, total });
  }

  /** Appends the event and folds it. The caller decides from state read in this same turn. */
  commit(event: Event, world: WorldNumber, actor: string): Envelope {
    this.check();
    const at = Math.max(this.#lastAt, this.clock.nowMicros()) as Micros;
    const payload = encodeEvent(event);
    const number = event.type === 'forked' ? ((this.log.head + 1) as number as WorldNumber) : world;
    const sequence = this.log.append({ type: EVENT_TYPES[event.type], version: EVENT_VERSION, at, world: number, actor, payload });
    this.#lastAt = at;
    const envelope: Envelope = { sequence, at, world: number, actor };
    try {
      this.#apply(event, envelope);
    } catch (cause) {
      this.#fail(
        new SvcError('XX000', `event ${sequence} could not be applied: ${(cause as Error).message}`, {
          cause,
          hint: 'Restart the server; the log holds everything that was acknowledged.',
        }),
      );
      throw cause;
    }
    this.#bytesSince += payload.length + EVENT_WORK;
    this.#work += payload.length + EVENT_WORK;
    this.#eventsSince++;
    if (this.pager.dirtyBytes > this.#options.dirtyBytes || (this.#bytesSince > this.#options.checkpointLogBytes && performance.now() >= this.#restUntilMs)) {
      void this.checkpoint();
    }
    return envelope;
  }

  #apply(event: Event, envelope: Envelope): void {
    for (const projection of this.#projections) projection.apply(event, envelope);
  }

  /** Resolves once everything up to `sequence` is on disk. */
  async durable(sequence: Sequence): Promise<void> {
    if (sequence <= this.log.durable) return;
    try {
      await this.log.sync(sequence);
    } catch (error) {
      this.#fail(error as SvcError);
      throw error;
    }
  }

  /** Waits while more is dirty than memory should hold. Writers call it before they decide. */
  async admit(): Promise<void> {
    this.check();
    while (this.pager.dirtyBytes > this.#options.dirtyBytes * 2) await this.checkpoint();
  }

  /** Throws what stopped the engine, if anything did. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  get failure(): SvcError | null {
    return this.#failure;
  }

  get lastAt(): Micros {
    return this.#lastAt;
  }

  onFailure(listener: (error: SvcError) => void): void {
    this.#onFailure.push(listener);
  }

  #fail(error: SvcError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const listener of this.#onFailure) listener(error);
  }

  /** Writes the dirty pages and a super-root beside running writers. */
  checkpoint(): Promise<void> {
    if (this.#checkpoint !== null) return this.#checkpoint;
    const run = this.#writeSuperRoot(this.log.head, this.log.end)
      .then((root) => {
        this.commit({ type: 'sealed', covers: root.sequence, root: root.hash, treeHead: this.log.treeHead().root }, 0 as WorldNumber, '');
        this.#eventsSince = Math.max(0, this.#eventsSince - 1);
        if (!this.#closing) void this.keepHouse();
      })
      .catch((error: unknown) => {
        if (error instanceof AssertionError || !(error instanceof SvcError))
          this.#fail(new SvcError('XX000', `a checkpoint failed: ${(error as Error).message}`, { cause: error }));
        else this.#fail(error);
      })
      .finally(() => {
        this.#checkpoint = null;
      });
    this.#checkpoint = run;
    return run;
  }

  async #writeSuperRoot(sequence: Sequence, next: LogPosition): Promise<SuperRoot> {
    const { pager, log } = this;
    // What the checkpoint itself costs: between its slices other work runs.
    let busyMs = 0;
    let sliceBegunMs = performance.now();
    const at = this.#lastAt;
    const work = this.#work;
    const edit = pager.newEdit();
    let top: Node = emptyTree(true, edit);
    for (const projection of this.#projections) top = setChildRoot(pager, top, projection.slot, projection.seal(), edit);
    pager.dirtyBytes = 0;
    this.#bytesSince = 0;
    this.#eventsSince = 0;
    const stats: WriteOutStats = { pages: 0, bytes: 0 };
    // Beside a busy writer a slice may take half of what the writer's last turn took, or it would never end.
    let sliceMs = 0;
    for (const _ of writeOut(pager, top, stats)) {
      const endMs = performance.now();
      if (endMs - sliceBegunMs < sliceMs) continue;
      busyMs += endMs - sliceBegunMs;
      await turn();
      sliceBegunMs = performance.now();
      sliceMs = Math.min(25, (sliceBegunMs - endMs) / 2);
    }
    busyMs += performance.now() - sliceBegunMs;
    await log.sync(sequence);
    const root: SuperRoot = {
      sequence,
      at,
      page: top.id,
      hash: Buffer.from(top.hash!).toString('hex'),
      next,
      nextPage: pager.nextId,
      work,
      versions: Object.fromEntries(this.#projections.map(({ name, version }) => [name, version])),
      folder: log.folderId,
    };
    pager.store.write({ pages: [], settings: [superRootSetting(root)] }, { sync: true });
    for (const projection of this.#projections) projection.written?.();
    this.superRoots.push(root);
    this.checkpoints++;
    this.#pagesWritten += stats.pages;
    this.#pageBytesWritten += stats.bytes;
    this.#restUntilMs = performance.now() + busyMs * this.#options.checkpointRest;
    return root;
  }

  /**
   * Housekeeping after a checkpoint: thins super-roots, trims the log once a base is durable, collects
   * pages. Everything yields to other work.
   */
  keepHouse(): Promise<void> {
    this.#keeping ??= this.#keepHouse()
      .catch((error: unknown) =>
        this.#fail(error instanceof SvcError ? error : new SvcError('XX000', `housekeeping failed: ${(error as Error).message}`, { cause: error })),
      )
      .finally(() => {
        this.#keeping = null;
      });
    return this.#keeping;
  }

  async #keepHouse(): Promise<void> {
    const { log } = this;
    let trimmed = false;
    const horizon = (this.clock.nowMicros() - this.#options.historyRetentionMicros) as Micros;
    const point = trimPoint(this.superRoots, horizon);
    if (point !== null && point.sequence > this.historyStart.sequence) {
      const freed = log.bytesBefore(point.next);
      if (worthTrimming(freed, log.sizeBytes - freed, this.#baseBytes)) {
        await this.#trim(point);
        trimmed = true;
        this.#dropSuperRoots(this.superRoots.filter(({ sequence }) => sequence < point.sequence));
      }
    }
    this.#dropSuperRoots(thinned(this.superRoots, this.#pressure));
    // Marking all pages is paid for by a trim or by the pages written since the last time.
    if (!trimmed && !worthCollecting(this.#pagesWritten - this.#pagesAtCollection, this.#pagesKept)) return;
    this.#pagesAtCollection = this.#pagesWritten;
    for (;;) {
      const { live, marked } = await this.#collect();
      if (this.#closing) return;
      this.#pagesKept = marked;
      const before = this.#pressure;
      this.#pressure = nextPressure(before, live, marked, this.#pageBytesWritten / Math.max(1, this.#pagesWritten), log.sizeBytes);
      if (this.#pressure <= before) return;
      const more = thinned(this.superRoots, this.#pressure);
      if (more.length === 0) return;
      this.#dropSuperRoots(more);
    }
  }

  #dropSuperRoots(dropped: readonly SuperRoot[]): void {
    if (dropped.length === 0) return;
    for (const root of dropped) this.superRoots.splice(this.superRoots.indexOf(root), 1);
    this.pager.store.write({ pages: [], settings: dropped.map(({ sequence }) => ({ name: settingName(sequence), value: null })) }, { sync: true });
  }

  async #collect(): Promise<Collected> {
    this.onForget?.();
    const limit = this.superRoots.at(-1)!.nextPage;
    const sweep = collectPages(this.pager, this.superRoots.map(({ page }) => page).reverse(), limit, REF_DEPTH);
    for (let step = sweep.next(); ; step = sweep.next()) {
      if (step.done === true) {
        this.collected += step.value.swept;
        return step.value;
      }
      await turn();
      if (this.#closing) return { live: 0, marked: 0, swept: 0 };
    }
  }

  async #trim(point: SuperRoot): Promise<void> {
    const { log, pager } = this;
    const top = pager.load(point.page);
    const projections = this.#projections;
    function* parts(): Iterable<BasePart> {
      for (const projection of projections) {
        const root = childRoot(pager, top, projection.slot);
        if (root !== null) for (const payload of projection.dump(root)) yield { slot: projection.slot, payload };
      }
    }
    this.#baseBytes = await this.#options.bases.write({ sequence: point.sequence, at: point.at, folderId: log.folderId }, parts(), turn);
    const gone = this.#projections.flatMap((projection) => projection.forgets?.(point.sequence) ?? []);
    const { sequence } = this.commit({ type: 'trimmed', through: point.sequence, at: point.at, gone }, 0 as WorldNumber, '');
    await log.sync(sequence);
    this.historyStart = { sequence: point.sequence, at: point.at };
    await log.trim(point.sequence);
    this.#options.bases.removeBefore(point.sequence);
  }

  /** Called when old super-roots go: whoever keeps nodes of theirs lets go of them. */
  onForget: (() => void) | null = null;
  #closing = false;

  /** Re-reads every page that the newest super-root reaches and compares it with the hash its parent keeps. */
  async verifyPages(): Promise<{ pages: number; bytes: number }> {
    await this.checkpoint();
    this.check();
    const newest = this.superRoots.at(-1)!;
    const total = { pages: 0, bytes: 0 };
    let sliceEnds = Date.now() + 20;
    for (const _ of verifyPages(this.pager.store, newest.page, Buffer.from(newest.hash, 'hex'), total)) {
      if (Date.now() < sliceEnds) continue;
      await turn();
      sliceEnds = Date.now() + 20;
    }
    return total;
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#keeping !== null) await this.#keeping;
    if (this.#checkpoint !== null) await this.#checkpoint;
    if (this.#failure === null) {
      await this.checkpoint();
      this.commit({ type: 'closed' }, 0 as WorldNumber, '');
      await this.log.sync(this.log.head);
      if (this.#checkpoint !== null) await this.#checkpoint;
    }
    await this.log.close();
    await this.pager.store.close();
  }
}

/** Super-roots that this release and this log can go on from, oldest first. */
function usableSuperRoots(options: EngineOptions, versions: Record<string, number>): SuperRoot[] {
  const { log, store } = options;
  const wanted = JSON.stringify(Object.entries(versions).sort());
  return readSuperRoots(store).filter(
    (root) =>
      root.folder === log.folderId &&
      root.sequence <= log.head &&
      root.sequence >= log.first - 1 &&
      JSON.stringify(Object.entries(root.versions).sort()) === wanted,
  );
}

/** What a crash in the middle of a checkpoint left behind, or everything where no super-root is usable. */
function dropPagesAfter(store: PageStore, newest: SuperRoot | null, usable: readonly SuperRoot[]): void {
  const keep = new Set(usable.map(({ sequence }) => sequence));
  const settings = readSuperRoots(store)
    .filter(({ sequence }) => !keep.has(sequence))
    .map(({ sequence }) => ({ name: settingName(sequence), value: null }));
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
