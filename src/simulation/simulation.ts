/**
 * The commands `simulate` and `replay`.
 *
 *   base state ──threads──► scores, changes ──rank──► the best ──log──► worlds with their recipe
 *                                                                              │ replay
 *                             compare ◄── changes ◄──a thread── base state ◄───┘
 */
import { availableParallelism } from 'node:os';
import type { Sequence } from '../base/brands.ts';
import { ByteReader } from '../base/bytes.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { ReplayInput, ReplayReply, RunControl, SimulatedWorld, SimulateInput, SimulateReply } from '../commands/contract.ts';
import type { MergeGuard } from '../commands/merge-guard.ts';
import { readChanges } from '../events/changes.ts';
import type { Recipe } from '../events/types/simulated.ts';
import { authorize, READ } from '../session/authorize.ts';
import { actorName, describe, isOwnUser, OWNER, type Principal } from '../session/principal.ts';
import { chargeWrite, quotaOf } from '../session/quotas.ts';
import { temporaryFile } from '../sql/session/temporary-file.ts';
import type { Node } from '../tree/node.ts';
import { applyToWorld } from '../worlds/apply.ts';
import type { Context } from '../worlds/context.ts';
import { checkWorldName, worldId } from '../worlds/names.ts';
import { under } from '../worlds/system-settings.ts';
import type { World } from '../worlds/world.ts';
import { differingRows } from './differing-rows.ts';
import { WorldKeeper } from './keep-worlds.ts';
import { Results } from './results.ts';
import type { Job, Runner } from './sandbox.ts';
import { Threads, THREADS_MAX } from './threads.ts';
import { worldSeed } from './world-random.ts';

export interface SimulationParts {
  readonly context: Context;
  readonly guard: MergeGuard;
  readonly workMemBytes: number;
  /** Temporary files are encrypted. */
  readonly sealed: boolean;
  /** Cache size for pages of the base in each thread. */
  readonly cacheBytes: number;
}

type Wanted = Required<SimulateInput>;

export class Simulations {
  readonly #context: Context;
  readonly #guard: MergeGuard;
  readonly #workMemBytes: number;
  readonly #sealed: boolean;
  readonly #threads: Threads;
  readonly #keeper: WorldKeeper;
  /** Prefixes of worlds of running simulations. */
  readonly #prefixes = new Set<string>();

  constructor({ context, guard, workMemBytes, sealed, cacheBytes }: SimulationParts) {
    this.#context = context;
    this.#guard = guard;
    this.#workMemBytes = workMemBytes;
    this.#sealed = sealed;
    this.#threads = new Threads(context.engine.pager, cacheBytes);
    this.#keeper = new WorldKeeper(context);
    context.engine.onOutage((error) => {
      if (error === null) void this.#keeper.dropUnfinished().catch(() => {});
    });
  }

  /** Called after the folder was opened, before any request. */
  open(): Promise<void> {
    return this.#keeper.dropUnfinished();
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  simulate(input: SimulateInput, by: Principal = OWNER, control: RunControl = {}): Promise<SimulateReply> {
    return this.#context.engine.writeIfSpace(async () => {
      chargeWrite(by);
      const wanted = wantedOf(input);
      if (this.#prefixes.has(wanted.prefix)) throw taken(`a simulation with the prefix "${wanted.prefix}" is running`);
      this.#prefixes.add(wanted.prefix);
      try {
        return await this.#simulate(wanted, by, control);
      } finally {
        this.#prefixes.delete(wanted.prefix);
      }
    });
  }

  async #simulate(wanted: Wanted, by: Principal, control: RunControl): Promise<SimulateReply> {
    const begunMs = performance.now();
    const context = this.#context;
    const { engine } = context;
    const { worlds } = context.state;
    await engine.admit();
    const { world: base, root, past, seen } = context.read(wanted.from);
    if (base.status !== 'open') throw new SvcError('3D000', `world "${base.name}" is gone`, { hint: 'Simulate from its parent at a moment before.' });
    this.#admit(base, past, wanted, by);
    if (!past) worlds.share(base);
    const release = engine.hold(root);
    const keep = wanted.keep === 'all' ? wanted.worlds : Math.min(wanted.keep, wanted.worlds);
    const results = new Results(0, wanted.worlds, keep, wanted.order === 'asc', () => temporaryFile(this.#sealed));
    const { count: outages } = engine.outage;
    try {
      const changed = changedAt(context, base, past ? seen : lastChange(base));
      const runner = this.#runnerFor(by);
      const job = this.#job(base, changed.at, wanted, runner);
      let readyMs = begunMs;
      await this.#threads.run({
        job,
        root,
        first: 0,
        end: wanted.worlds,
        keep: keep > 0,
        threads: wanted.threads === 0 ? availableParallelism() : wanted.threads,
        signal: control.signal,
        onReady: () => (readyMs = performance.now()),
        onRan: (ran) => {
          results.add(ran);
          control.onProgress?.(results.done, wanted.worlds);
        },
      });
      const ranMs = performance.now();
      if (engine.outage.count !== outages) throw new SvcError('58030', 'interrupted by a failed write');
      const ranked = results.ranked();
      const kept = ranked.slice(0, keep).filter((index) => !results.errors.has(index));
      const ids = await this.#keep(base, root, changed, wanted, runner, kept, results, by, control);
      const endMs = performance.now();
      return {
        worlds: ranked.map((index): SimulatedWorld => {
          const id = ids.get(index) ?? null;
          return {
            world: `${wanted.prefix}_${index}`,
            id,
            index,
            seed: worldSeed(wanted.seed, index),
            score: results.errors.has(index) ? null : results.scores[index],
            error: results.errors.get(index) ?? null,
            kept: id !== null,
          };
        }),
        base: base.name,
        at: formatMicros(changed.at),
        timings: {
          fork_ms: rounded(readyMs - begunMs),
          run_ms: rounded(ranMs - readyMs),
          discard_ms: rounded(endMs - ranMs),
          total_ms: rounded(endMs - begunMs),
        },
      };
    } finally {
      results.changes.close();
      release();
    }
  }

  /** Checks made before anything runs. */
  #admit(base: World, past: boolean, { worlds, prefix, keep }: Wanted, by: Principal): void {
    if (by.kind === 'role' && !by.superuser) throw new SvcError('42501', `permission denied: ${describe(by)} is no superuser`);
    authorize(by, { what: 'fork', world: base, past: false });
    if (past) authorize(by, { what: 'simulatePast' });
    this.#guard.forking({}, by);
    this.#quotas(worlds, by);
    if (keep !== 0) this.#namesFree(prefix, worlds);
  }

  #quotas(count: number, by: Principal): void {
    const { system } = this.#context;
    const { worlds } = this.#context.state;
    if (system.maxWorlds > 0 && worlds.count - 1 + count > system.maxWorlds) {
      throw new SvcError('53400', `${count} worlds more than the ${worlds.count - 1} beside main would be over max_worlds (${system.maxWorlds})`, {
        hint: 'Simulate fewer worlds, or merge or discard some first.',
      });
    }
    const own = quotaOf(by, 'max_worlds');
    if (own === 0) return;
    const has = worlds.ownedCount(actorName(by));
    if (has + count > own)
      throw new SvcError('42501', `${describe(by)} has ${has} worlds and may have ${own} (max_worlds): ${count} more are too many`, {
        hint: 'Simulate fewer worlds, or merge or discard some first.',
      });
  }

  #namesFree(prefix: string, count: number): void {
    for (const name of this.#context.state.worlds.namedUnder(`${prefix}_`)) {
      const index = name.slice(prefix.length + 1);
      if (/^(0|[1-9]\d{0,6})$/.test(index) && Number(index) < count) throw taken(`there is a world "${name}" already`);
    }
  }

  #runnerFor(by: Principal): Runner {
    const { ceilings, statementTimeoutMs } = this.#context.system;
    return {
      name: isOwnUser(by) ? null : actorName(by),
      statementMs: under(under(ceilings.statementTimeoutMs, quotaOf(by, 'max_query_ms')), statementTimeoutMs),
      memoryMb: quotaOf(by, 'max_memory_mb'),
      rowsMax: quotaOf(by, 'max_changes'),
    };
  }

  #job(base: World, at: Job['base']['at'], { script, score, seed }: Pick<Recipe, 'script' | 'score' | 'seed'>, runner: Runner): Job {
    const { name, number, created } = base;
    return { base: { name, number, created, at }, script, score, seed, runner, workMemBytes: this.#workMemBytes, sealed: this.#sealed };
  }

  async #keep(
    base: World,
    root: Node,
    { sequence, at }: { sequence: Sequence; at: Recipe['at'] },
    { prefix, script, score, seed, worlds: count }: Wanted,
    runner: Runner,
    kept: readonly number[],
    results: Results,
    by: Principal,
    control: RunControl,
  ): Promise<Map<number, string>> {
    const ids = new Map<number, string>();
    if (kept.length === 0) return ids;
    // The base world may have changed while it ran.
    const now = this.#context.state.worlds.byNumber(base.number);
    if (now === null) throw new SvcError('3D000', `world "${base.name}" is gone`);
    authorize(by, { what: 'fork', world: now, past: false });
    this.#quotas(kept.length, by);
    this.#namesFree(prefix, count);
    const indexes = [...kept].sort((a, b) => a - b);
    const recipe: Recipe = { prefix, script, score, seed, sequence, at, runner: runner.name };
    const numbers = await this.#keeper.keep(
      { base: now, root, recipe, indexes, scoreOf: (index) => results.scores[index], changesOf: (index) => results.changes.get(index) },
      by,
      () => control.signal?.throwIfAborted(),
    );
    const { worlds } = this.#context.state;
    numbers.forEach((number, i) => {
      const world = worlds.byNumber(number);
      if (by.kind === 'safe') by.forked.add(number);
      if (world !== null) ids.set(indexes[i], worldId(number, world.created));
    });
    return ids;
  }

  // --- replay

  replay(input: ReplayInput, by: Principal = OWNER, control: RunControl = {}): Promise<ReplayReply> {
    if (input.as === undefined) {
      return this.#context.engine.read(() => {
        authorize(by, READ);
        return this.#replay(input, by, control);
      });
    }
    return this.#context.engine.writeIfSpace(() => {
      chargeWrite(by);
      return this.#replay(input, by, control);
    });
  }

  async #replay({ world: name, as }: ReplayInput, by: Principal, control: RunControl): Promise<ReplayReply> {
    const context = this.#context;
    const { engine } = context;
    const { worlds } = context.state;
    if (by.kind === 'role' && !by.superuser) throw new SvcError('42501', `permission denied: ${describe(by)} is no superuser`);
    if (typeof name !== 'string') throw new SvcError('22023', 'world must be the name of a world');
    const world = context.writable(name);
    const { simulated } = world;
    const run = simulated === undefined ? null : worlds.simulation(simulated.run);
    if (simulated === undefined || run === null) {
      throw new SvcError('22023', `world "${world.name}" was not kept by a simulation`, {
        hint: 'Only worlds that `simulate` or `replay` kept can be replayed.',
      });
    }
    const { recipe } = run;
    const base = worlds.byNumber(run.base);
    if (base === null) throw new SvcError('3D000', `the base of world "${world.name}" is gone`);
    authorize(by, { what: 'fork', world: base, past: false });
    if (as !== undefined) {
      checkWorldName(as);
      this.#guard.forking({}, by);
      this.#quotas(1, by);
      if (worlds.byName(as) !== null) throw taken(`there is a world "${as}" already`);
    }
    const root = this.#baseRoot(world, base, recipe);
    const releases = [engine.hold(root), engine.hold(worlds.share(world))];
    const keptRoot = world.root;
    const results = new Results(simulated.index, 1, 1, false, () => temporaryFile(this.#sealed));
    try {
      const runner = { ...this.#runnerFor(by), name: recipe.runner };
      const job = this.#job(base, recipe.at, recipe, runner);
      const { index } = simulated;
      await this.#threads.run({
        job,
        root,
        first: index,
        end: index + 1,
        keep: true,
        threads: 1,
        signal: control.signal,
        onReady: () => {},
        onRan: (ran) => results.add(ran),
      });
      const error = results.errors.get(index) ?? null;
      const score = error === null ? results.scores[0] : null;
      const { pager } = engine;
      let made = root;
      if (error === null) made = applyToWorld(pager, root, readChanges(new ByteReader(results.changes.get(index))), pager.newEdit());
      const rows = differingRows(pager, keptRoot, made);
      let replay: string | null = null;
      if (as !== undefined && error === null) {
        if (worlds.byName(as) !== null) throw taken(`there is a world "${as}" already`);
        const [number] = await this.#keeper.keep(
          { base, root, recipe: { ...recipe, name: as }, indexes: [index], scoreOf: () => score!, changesOf: () => results.changes.get(index) },
          by,
          () => {},
        );
        if (by.kind === 'safe') by.forked.add(number);
        replay = as;
      }
      const identical = error === null && rows === 0 && score === simulated.score;
      return { world: world.name, replay, identical, rows_differing: rows, score, recorded_score: simulated.score, error };
    } finally {
      results.changes.close();
      for (const release of releases) release();
    }
  }

  /** The base state. 22023 if it was trimmed from history. */
  #baseRoot(world: World, base: World, { sequence }: Recipe): Node {
    const context = this.#context;
    if (lastChange(base) <= sequence) return context.state.worlds.share(base);
    try {
      return context.rootAt(base, `#${sequence}`).root;
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '22023') throw error;
      throw new SvcError('22023', `world "${world.name}" cannot be replayed: its base, "${base.name}" at #${sequence}, lies before the history that is kept`, {
        detail: error.message,
        hint: 'See the setting history_retention.',
        cause: error,
      });
    }
  }
}

function lastChange(world: World): Sequence {
  return Math.max(world.lastWrite, world.number) as Sequence;
}

/** The event that created the state that the world has at `sequence`. */
function changedAt(context: Context, world: World, sequence: Sequence): { sequence: Sequence; at: Recipe['at'] } {
  return context.state.history.changedAt(world.number, sequence) ?? { sequence, at: world.created };
}

function wantedOf(input: SimulateInput): Wanted {
  const bad = (what: string): never => {
    throw new SvcError('22023', what);
  };
  const { worlds, prefix, script, score, from = 'main', keep = 'all', order = 'desc', seed = 0, threads = 0 } = input;
  if (!Number.isInteger(worlds) || worlds < 1 || worlds > LIMITS.simulatedWorldsMax)
    bad(`worlds must be an integer from 1 to ${LIMITS.simulatedWorldsMax}, not ${String(worlds)}`);
  if (typeof prefix !== 'string') bad('prefix must be a string');
  checkWorldName(`${prefix}_${worlds - 1}`);
  if (prefix === '') bad('prefix must not be empty');
  if (typeof script !== 'string') bad('script must be a string of SQL');
  if (typeof score !== 'string') bad('score must be a string of SQL');
  if (typeof from !== 'string' || from === '') bad('from must be the name of a world');
  if (keep !== 'all' && (!Number.isInteger(keep) || keep < 0)) bad('keep must be "all" or a whole number from 0 on');
  if (order !== 'asc' && order !== 'desc') bad('order must be "asc" or "desc"');
  if (!Number.isSafeInteger(seed)) bad('seed must be an integer within ±(2^53 - 1)');
  if (!Number.isInteger(threads) || threads < 0 || threads > THREADS_MAX) bad(`threads must be an integer from 0 to ${THREADS_MAX}`);
  return { worlds, prefix, script, score, from, keep, order, seed, threads };
}

function taken(what: string): SvcError {
  return new SvcError('42P04', what, { hint: 'Take another prefix or name, or discard that world first.' });
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
