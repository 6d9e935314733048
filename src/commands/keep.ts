/** Retention of worlds: pinning, times to live; and the worker that discards expired worlds. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Micros, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { authorize, isMain } from '../session/authorize.ts';
import { actorName, type Principal, SYSTEM } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import type { World } from '../worlds/world.ts';
import type { KeepInput, WorldView } from './contract.ts';
import { descendantsOf, discardWorld } from './worlds.ts';

export async function keepWorld(context: Context, input: KeepInput, by: Principal): Promise<WorldView> {
  const world = context.writable(input.branch);
  authorize(by, { what: 'admin', as: 'pin worlds or change their time to live' });
  if (isMain(world)) throw new SvcError('22023', 'main is always kept');
  const { ttl } = input;
  if (ttl !== undefined && ttl !== null && (!Number.isSafeInteger(ttl) || ttl <= 0 || ttl > LIMITS.quotaMax))
    throw new SvcError('22023', 'ttl must be a whole number of milliseconds above 0, or null');
  const event = { type: 'kept', pinned: input.pinned ?? world.pinned, ttl: ttl === undefined ? world.ttl : ttl } as const;
  const { sequence } = context.engine.commit(event, world.number, actorName(by));
  const view = context.view(world);
  await context.engine.durable(sequence);
  return view;
}

/** Reads of a world by this process count as use for the idle rule, at this granularity. */
const TICK_MS = 30_000;
const GLANCE_WORLDS = 500;

export class ExpiryWorker {
  readonly #context: Context;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<number> | null = null;
  /** No world can have been idle for long enough before this time. */
  #nextIdle = 0 as Micros;
  #idleOf = 0;

  constructor(context: Context, onError: (error: unknown) => void = () => {}) {
    this.#context = context;
    this.#onError = onError;
  }

  start(everyMs = TICK_MS): void {
    this.#timer = setInterval(() => void this.run().catch(this.#onError), everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#running?.catch(() => {});
  }

  /** Discards expired worlds, as the actor `system`. Returns their number. */
  run(): Promise<number> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<number> {
    const { engine } = this.#context;
    this.#context.tick++;
    if (engine.failure !== null || engine.outage.error !== null) return 0;
    return (await this.#expired()) + (await this.#idle());
  }

  async #expired(): Promise<number> {
    const { engine } = this.#context;
    const { worlds, agents } = this.#context.state;
    const now = engine.clock.nowMicros();
    let gone = 0;
    const due: WorldNumber[] = [];
    for (const number of worlds.withTtl()) due.push(number);
    for (const { name, quotas } of agents.everyone()) {
      if (quotas.world_ttl === 0) continue;
      // Oldest first: after the first that is too young, all are.
      for (const number of worlds.owned(name)) {
        const world = worlds.byNumber(number);
        if (world === null) continue;
        if (world.created + quotas.world_ttl * 1000 > now) break;
        due.push(number);
      }
    }
    // Forks are discarded before their parents.
    for (const number of due.sort((a, b) => b - a)) {
      const world = worlds.byNumber(number);
      if (world === null) continue;
      const expiry = this.#context.expiry(world);
      if (expiry === null || expiry > now || !this.#mayGo(world)) continue;
      gone += await this.#discard(world, true);
    }
    return gone;
  }

  /** Its own forks are discarded with it; a pinned fork, or one with another owner, protects it. */
  #mayGo(world: World): boolean {
    return world.children === 0 || descendantsOf(this.#context, world).every(({ pinned, owner }) => !pinned && owner === world.owner);
  }

  async #idle(): Promise<number> {
    const { engine, system } = this.#context;
    const { worlds } = this.#context.state;
    const ttlMs = system.worldIdleTtlMs;
    if (ttlMs === 0) return 0;
    const now = engine.clock.nowMicros();
    if (this.#idleOf === ttlMs && now < this.#nextIdle) return 0;
    const before = now - ttlMs * 1000;
    const ticks = Math.ceil(ttlMs / TICK_MS);
    let oldest = now as number;
    let gone = 0;
    let after = 0;
    for (;;) {
      const seen = worlds.glance(after, GLANCE_WORLDS);
      if (seen.length === 0) break;
      for (const { number, parent, children, pinned, active, used } of seen) {
        if (parent === 0) continue;
        const recently = (used ?? 0) > 0 && this.#context.tick - used! <= ticks;
        if (active > before || recently || pinned || children > 0) {
          if (!pinned) oldest = Math.min(oldest, active > before ? active : now - ttlMs * 500);
          continue;
        }
        const world = worlds.byNumber(number);
        if (world !== null) gone += await this.#discard(world, false);
      }
      after = seen.at(-1)!.number;
      await turn();
    }
    this.#idleOf = ttlMs;
    this.#nextIdle = (oldest + ttlMs * 1000) as Micros;
    return gone;
  }

  async #discard(world: World, cascade: boolean): Promise<number> {
    const { discarded } = await discardWorld(this.#context, { branch: this.#context.view(world).id, cascade }, SYSTEM);
    return discarded?.length ?? 1;
  }
}
