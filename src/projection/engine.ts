/**
 * The engine: one log, the projections folded from it, and the checkpoints that persist them. It composes its parts and is their front; each part owns
 * its own state.
 *
 *   decide (commands) ─► commit.ts ─► log.append ─► projection-set.ts: every projection's apply ─► sync(sequence) ─► reply
 *                            │
 *                            └─► checkpointer.ts ─► maintenance.ts: trim.ts, page-collection.ts
 *
 *   availability.ts: gates of reads and writes; on a failed write or damage ─► recovery.ts: restore, rebuild, and opening
 *
 * A commit is applied in memory as soon as it is appended; a call that read its effect waits for its sync before replying, so nothing is acknowledged
 * that a crash could undo. If the sync fails, the state is rebuilt from the newest super-root up to what is on disk, and writers are refused until the
 * disk takes writes again.
 */
import type { Durations } from '../base/durations.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { Listeners } from '../base/listeners.ts';
import type { Envelope, Event } from '../events/event.ts';
import { CacheDamage } from '../storage/page-store.ts';
import type { Node } from '../tree/node.ts';
import { Pager } from '../tree/pager.ts';
import { Availability } from './availability.ts';
import { Checkpointer } from './checkpointer.ts';
import { Committer } from './commit.ts';
import type { Encoded } from './encoded.ts';
import type { CommitScope, EngineLog, EngineOptions } from './engine-options.ts';
import { EventTimes } from './event-times.ts';
import { Maintenance } from './maintenance.ts';
import type { Outage } from './outage.ts';
import { PageCollection } from './page-collection.ts';
import type { Projection } from './projection.ts';
import { type Kinds, ProjectionSet, versionsOf } from './projection-set.ts';
import { Recovery } from './recovery.ts';
import { readStoredPages } from './stored-pages.ts';
import type { SuperRoot } from './super-root.ts';
import { SuperRoots, takeSuperRoots } from './super-roots.ts';
import { Trimmer } from './trim.ts';
import { verifyStoredPages } from './verify.ts';

/** What the log says of a run, and whether the folder's first world exists. */
export interface Run<P> {
  readonly release: string;
  hasMain(state: P): boolean;
}

/** The engine's own events belong to no world and no actor. */
const NO_WORLD = 0 as WorldNumber;

export class Engine<P extends Record<string, Projection>> implements CommitScope<P> {
  readonly log: EngineLog;
  readonly pager: Pager;
  readonly clock: Clock;
  readonly state: P;
  readonly outage: Outage;
  readonly #options: EngineOptions<P>;
  readonly #times: EventTimes;
  readonly #superRoots: SuperRoots;
  readonly #availability: Availability;
  readonly #committer: Committer<P>;
  readonly #checkpointer: Checkpointer;
  readonly #collection: PageCollection;
  readonly #trimmer: Trimmer;
  readonly #maintenance: Maintenance;
  readonly #recovery: Recovery;
  readonly #forgets = new Listeners<void>();
  readonly #covers = new Listeners<void>();
  /** Roots that checkpoints write beside their own. */
  #wanted: () => readonly Node[] = () => [];
  #timer: NodeJS.Timeout | null = null;

  /** Parts are made in the order in which they need each other; where two need each other, the earlier one gets a function. */
  private constructor(options: EngineOptions<P>, kinds: Kinds<P>, { release, hasMain }: Run<P>, list: SuperRoot[]) {
    const { log, store, clock, undo, hooks, lost = null, isTemporaryStore = false } = options;
    const newest = list.at(-1) ?? null;
    const forget = (): void => this.#forgets.call();
    const commit = (event: Event): Envelope => this.commit(event, NO_WORLD, '');
    const availability = new Availability({
      ...options,
      restore: () => this.#recovery.restore(),
      rebuild: () => this.#recovery.rebuild(),
      undone: (durable) => hooks.undone(durable),
      ended: () => this.#recovery.noteRun(),
    });
    const pager = new Pager(store, options.cacheBytes, newest?.nextPage ?? 1, (damage, stale) => availability.pageDamaged(damage, stale));
    pager.stored = newest === null ? null : readStoredPages(store, newest.nextPage);
    const superRoots = new SuperRoots(store, list);
    const projections = new ProjectionSet(kinds, pager, undo, newest?.page ?? null);
    const times = new EventTimes(clock, (newest?.at ?? 0) as Micros);
    const shared = { ...options, pager, projections: projections as ProjectionSet<Record<string, Projection>>, superRoots, times, availability };
    const also = { alsoWritten: () => this.#wanted(), covered: () => this.#covers.call() };
    const checkpointer = new Checkpointer({ ...shared, ...also, commit, maintain: () => void this.#maintenance.run() }, newest?.work ?? 0);
    const collection = new PageCollection({ ...shared, written: () => checkpointer.written, forget });
    const trimmer = new Trimmer({ ...shared, commit }, options.historyRetentionMicros);
    const maintenance = new Maintenance({ ...shared, checkpointer, trimmer, collection });
    this.log = log;
    this.pager = pager;
    this.clock = clock;
    this.state = projections.state;
    this.outage = availability.outage;
    this.#options = options;
    this.#times = times;
    this.#superRoots = superRoots;
    this.#availability = availability;
    this.#checkpointer = checkpointer;
    this.#collection = collection;
    this.#trimmer = trimmer;
    this.#maintenance = maintenance;
    this.#committer = new Committer({ log, projections, times, availability, checkpointer, hooks, engine: this });
    this.#recovery = new Recovery({
      ...shared,
      checkpointer,
      collection,
      trimmer,
      maintenance,
      release,
      lost,
      isTemporaryStore,
      forget,
      commit,
      hasMain: () => hasMain(this.state),
    });
  }

  /** Loads the newest usable super-root, replays the tail of the log, and marks the run as open. A damaged page cache is dropped first. */
  static async open<P extends Record<string, Projection>>(options: EngineOptions<P>, kinds: Kinds<P>, run: Run<P>): Promise<Engine<P>> {
    try {
      return await Engine.#openOver(options, kinds, run);
    } catch (error) {
      if (!(error instanceof CacheDamage)) throw error;
      options.say?.(`${error.message}: the page cache is thrown away and rebuilt from the log`);
      await options.store.renew();
      return Engine.#openOver(options, kinds, run);
    }
  }

  static async #openOver<P extends Record<string, Projection>>(options: EngineOptions<P>, kinds: Kinds<P>, run: Run<P>): Promise<Engine<P>> {
    const engine = new Engine<P>(options, kinds, run, takeSuperRoots(options.store, versionsOf(kinds), options.log));
    await engine.#recovery.open();
    engine.#timer = setInterval(() => engine.#tick(), options.checkpointMs);
    engine.#timer.unref();
    return engine;
  }

  #tick(): void {
    if (this.#checkpointer.isDue) void this.checkpoint();
    else this.#maintenance.tick();
  }

  // --- writing

  /** Waits under backpressure. Writers call it before they decide. */
  admit(): Promise<void> {
    return this.#checkpointer.admit();
  }

  /** Backpressure: more is dirty than memory should hold. */
  get backpressure(): boolean {
    return this.#checkpointer.backpressure;
  }

  /** 53100 if the folder may not grow. */
  ensureSpace(): void {
    this.#options.ensureSpace();
  }

  /** Appends the event and folds it. The caller has decided in this same tick. `encoded`: changes of a large commit, encoded in advance. */
  commit(event: Event, world: WorldNumber, actor: string, encoded: Encoded | null = null, locksChecked = false): Envelope {
    return this.#committer.commit(event, world, actor, encoded, locksChecked);
  }

  /** Resolves once everything up to `sequence` is on disk. Call it in the tick in which the effect was read. */
  durable(sequence: Sequence): Promise<void> {
    return this.log.sync(sequence);
  }

  // --- gates

  /** Runs a read. If a failed write undoes what it read, the read runs again on the durable state. */
  read<T>(look: () => Promise<T>): Promise<T> {
    return this.#availability.read(look);
  }

  /** Runs a write, which is refused during an outage. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return this.#availability.write(work);
  }

  /** Runs a write that makes the folder grow permanently. */
  writeIfSpace<T>(work: () => Promise<T>): Promise<T> {
    return this.#availability.writeIfSpace(work);
  }

  /** Throws the error that stopped the engine or makes it refuse writes, if any. */
  check(): void {
    this.#availability.check();
  }

  get failure(): SvcError | null {
    return this.#availability.failure;
  }

  /** Called once with the error that stops the engine. Returns the function that ends the subscription. */
  onFailure(listener: (error: SvcError) => void): () => void {
    return this.#availability.onFailure(listener);
  }

  /** The listener gets the error when writes begin to be refused, and null once they are accepted again. Returns the function that ends the subscription. */
  onOutage(listener: (error: SvcError | null) => void): () => void {
    return this.#availability.onOutage(listener);
  }

  // --- time and history

  get lastAt(): Micros {
    return this.#times.last;
  }

  /** Current time for relative times: the clock, or the newest event's time if the clock is behind it. */
  now(): Micros {
    return this.#times.now();
  }

  /** How far the clock is behind the newest event, which was written with a clock ahead. */
  get clockBehindMs(): number {
    return this.#times.clockBehindMs;
  }

  /** How far back history reaches: a setting of the database. */
  get historyRetentionMicros(): number {
    return this.#trimmer.retentionMicros;
  }

  set historyRetentionMicros(micros: number) {
    this.#trimmer.retentionMicros = micros;
  }

  /** History before this is trimmed; 0: none is. */
  get historyStart(): { sequence: Sequence; at: Micros } {
    return this.#trimmer.historyStart;
  }

  /** Oldest first; always the same array. */
  get superRoots(): readonly SuperRoot[] {
    return this.#superRoots.list;
  }

  /** Protects the pages below a world's directory during a read over several ticks. The caller calls the returned function when done. */
  hold(directory: Node): () => void {
    return this.#collection.hold(directory);
  }

  /** The listener is called when pages of old nodes may be deleted, so that it releases caches of them. Returns the function that ends the subscription. */
  onForget(listener: () => void): () => void {
    return this.#forgets.add(listener);
  }

  /**
   * `roots`: of earlier states that their caller holds. Checkpoints write them beside their own, so that what was made from them can be used after a
   * start; `covered` is called when a super-root was written, which covers all pages up to then.
   */
  wants(roots: () => readonly Node[], covered: () => void): void {
    this.#wanted = roots;
    this.#covers.add(covered);
  }

  // --- background work

  /** Writes the dirty pages and a super-root while writers run; does nothing during an outage. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.checkpoint();
  }

  /** Maintenance after a checkpoint: thins super-roots, trims the log once a base is durable, collects pages. Everything yields. */
  runMaintenance(): Promise<void> {
    return this.#maintenance.run();
  }

  /** No maintenance runs, and so no log file is removed, from the time this resolves until the returned function is called. */
  pauseMaintenance(): Promise<() => void> {
    return this.#maintenance.pause();
  }

  /** Re-reads every page that the newest super-root reaches and compares it with the hash its parent keeps. */
  verifyPages(signal?: AbortSignal): Promise<{ pages: number; bytes: number }> {
    return verifyStoredPages(
      { store: this.pager.store, superRoots: this.#superRoots, availability: this.#availability, checkpointer: this.#checkpointer },
      signal,
    );
  }

  /** In this run: events replayed, super-roots written, pages collected. */
  /** Times of checkpoints, and when the last one ended. */
  get checkpointTimes(): { readonly times: Durations; readonly endedAt: number } {
    return this.#checkpointer;
  }

  get counts(): { replayed: number; checkpoints: number; collected: number } {
    return { replayed: this.#recovery.replayed, checkpoints: this.#checkpointer.count, collected: this.#collection.collected };
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#maintenance.stop();
    await this.#checkpointer.running;
    if (this.outage.error !== null) await this.outage.retry();
    try {
      await this.checkpoint();
      this.check();
      this.commit({ type: 'closed' }, NO_WORLD, '');
      await this.log.sync(this.log.head);
      this.#options.onDurable?.(this.log.durable);
      await this.#checkpointer.running;
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
