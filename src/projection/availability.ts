/**
 * Whether the engine serves reads and takes writes, and the calls that wait for it.
 *
 *   serving ──failed write──► outage: reads wait for the durable state, writes are refused (outage.ts) ──► serving
 *           ──damaged page──► rebuild: reads and writes wait; pages are folded again from the log      ──► serving
 *           ──anything else─► failed: everything is refused until a restart
 *
 * Work over several ticks notes `outage.count` when it begins: another count later means that the state it saw may have been undone.
 */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { Listeners } from '../base/listeners.ts';
import type { LogStore } from '../log/log-store.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import { isDiskError, Outage } from './outage.ts';

export interface AvailabilityParts {
  log: LogStore;
  store: PageStore;
  repairMs: number;
  /** See EngineOptions. */
  ensureSpace(): void;
  probe(): Promise<void>;
  rerun?: () => unknown;
  say?: (message: string) => void;
  /** Resets the state in memory to what is on disk. */
  restore(): Promise<void>;
  /** Empties the page store and folds the state again from the log. */
  rebuild(): Promise<void>;
  /** Events after `durable` were undone. */
  undone(durable: Sequence): void;
  /** An outage has ended: writes are taken again. */
  ended(): void;
}

export class Availability {
  readonly outage: Outage;
  readonly #parts: AvailabilityParts;
  #failure: SvcError | null = null;
  /** Nodes may be marked as written without being so: only pages of whole super-roots can be trusted. */
  #storeFailed = false;
  #rebuilding = false;
  #watching = false;
  /** Errors of readers and writers that met a damaged page. */
  readonly #reruns = new WeakSet<object>();
  readonly #failures = new Listeners<SvcError>();
  readonly #outages = new Listeners<SvcError | null>();

  constructor(parts: AvailabilityParts) {
    this.#parts = parts;
    this.outage = new Outage(
      {
        restore: () => (this.#rebuilding ? this.#rebuild() : parts.restore()),
        mend: () => this.#mend(),
        lost: (error) => this.fail(faultIn('the state could not be reset to what is on disk', error)),
        changed: (error) => {
          if (error === null) parts.ended();
          if (this.#rebuilding) return;
          if (error !== null) parts.undone(parts.log.durable);
          this.#outages.call(error);
        },
      },
      parts.repairMs,
    );
  }

  /** The state is replayed: from now on a failed write of the log begins an outage, and a damaged page a rebuild. Before, they fail the opening. */
  watch(): void {
    this.#watching = true;
    this.#parts.log.onFailure((error) => this.outage.begin(error, this.#parts.log.durable));
  }

  get failure(): SvcError | null {
    return this.#failure;
  }

  /** The page cache is being rebuilt: reads and writes wait for `outage.held`. */
  get isRebuilding(): boolean {
    return this.#rebuilding;
  }

  /** Throws the error that stopped the engine or makes it refuse writes, if any. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.outage.error !== null) throw this.outage.error;
  }

  /** Background work may begin. */
  get isHealthy(): boolean {
    return this.#failure === null && this.outage.error === null;
  }

  /** Called once with the error that stops the engine. Returns the function that ends the subscription. */
  onFailure(listener: (error: SvcError) => void): () => void {
    return this.#failures.add(listener);
  }

  /** The listener gets the error when writes begin to be refused, and null once they are accepted again. Returns the function that ends the subscription. */
  onOutage(listener: (error: SvcError | null) => void): () => void {
    return this.#outages.add(listener);
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
    if (this.#rebuilding) await this.outage.held;
    this.check();
    const { count } = this.outage;
    try {
      return await work();
    } catch (error) {
      if (this.outage.count === count) throw error;
      if (!this.isRerun(error)) this.check();
      else {
        await this.outage.held;
        throw new SvcError('40001', 'the page cache turned out damaged and was rebuilt from the log', { hint: 'Try again.', cause: error });
      }
      throw error;
    }
  }

  /** Runs a write that makes the folder grow permanently. */
  async writeIfSpace<T>(work: () => Promise<T>): Promise<T> {
    if (this.#rebuilding) await this.outage.held;
    this.check();
    this.#parts.ensureSpace();
    return this.write(work);
  }

  /** Stops the engine. */
  fail(error: SvcError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#failures.call(error);
  }

  /** Background work failed that began when `count` outages had been. */
  backgroundFailed(count: number, what: string, error: unknown): void {
    // Interrupted by an outage that is being handled.
    if (this.outage.count !== count) return;
    if (error instanceof CacheDamage) this.rebuildCache(error);
    else if (isDiskError(error)) this.storeFailed(error);
    else this.fail(faultIn(what, error));
  }

  /** The page store takes no writes. */
  storeFailed(error: SvcError): void {
    this.#storeFailed = true;
    this.outage.begin(error, this.#parts.log.durable);
  }

  /** Throws if an outage has begun since `count` was read. */
  checkUninterrupted(count: number): void {
    if (this.outage.count !== count) throw new SvcError('58030', 'interrupted by a failed write');
  }

  /** A page cannot be read (`stale`: it belonged to a cache that has been dropped). Returns the error for the reader. */
  pageDamaged(damage: CacheDamage, stale: boolean): unknown {
    if (!this.#watching) return damage;
    // During a rebuild, damage means that the disk returns something else than was just written.
    if (this.#rebuilding && !stale) return damage;
    if (!stale) this.rebuildCache(damage);
    const rerun = this.#parts.rerun?.() ?? damage;
    this.#reruns.add(rerun as object);
    return rerun;
  }

  /** Whether it is an error of `pageDamaged`. */
  isRerun(error: unknown): boolean {
    return this.#reruns.has(error as object);
  }

  /** Drops the page cache and rebuilds it from the log. Readers and writers wait for that. */
  rebuildCache(damage: CacheDamage): void {
    if (!this.isHealthy) return;
    const { log, say } = this.#parts;
    say?.(`${damage.message}: the page cache is thrown away and rebuilt from the log`);
    this.#rebuilding = true;
    const begunMs = performance.now();
    this.outage.begin(damage, log.durable, true);
    void this.outage.held!.then(() => {
      this.#rebuilding = false;
      if (this.#failure === null) say?.(`the page cache was rebuilt from the log in ${Math.round(performance.now() - begunMs)} ms`);
    });
  }

  async #rebuild(): Promise<void> {
    await this.#parts.rebuild();
    this.#storeFailed = false;
  }

  async #mend(): Promise<void> {
    const { log, store, probe } = this.#parts;
    if (!this.#rebuilding) await probe();
    if (log.failure !== null) await log.repair();
    if (!this.#storeFailed) return;
    await this.outage.hold(() => store.reopen());
    this.#storeFailed = false;
  }
}

function faultIn(what: string, error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  return new SvcError('XX000', `${what}: ${(error as Error).message}`, { cause: error });
}
