/**
 * Writes the kept worlds of a run to the log: the run, one event per world, and the end, before which none of them is
 * visible. A run without its end is dropped: at once if it fails, or when the folder is opened.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { ByteReader } from '../base/bytes.ts';
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { readChanges, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import type { Recipe } from '../events/types/simulated.ts';
import { actorName, ownerName, type Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Context } from '../worlds/context.ts';
import { changesBetween, treeDifference } from '../worlds/changes-between.ts';
import type { World } from '../worlds/world.ts';
import { SIMULATED_ROW } from './one-world.ts';

/** Time slice. */
const SLICE_MS = 3;
/** Worlds dropped by one event. */
const DROPPED_AT_ONCE = 500;

export interface ToKeep {
  readonly base: World;
  /** The base state. */
  readonly root: Node;
  readonly recipe: Recipe;
  /** In the order in which they get their numbers. */
  readonly indexes: readonly number[];
  scoreOf(index: number): number;
  changesOf(index: number): Uint8Array;
}

export class WorldKeeper {
  readonly #context: Context;
  /** Runs that are being written. */
  readonly #writing = new Set<number>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Keeps all of them or none. Returns their numbers; durable when it resolves. `check` is called after each pause. */
  async keep({ base, root, recipe, indexes, scoreOf, changesOf }: ToKeep, by: Principal, check: () => void): Promise<WorldNumber[]> {
    const { engine } = this.#context;
    const { worlds } = this.#context.state;
    const actor = actorName(by);
    const owner = ownerName(by);
    const { pager } = engine;
    const changes = base.root === root ? [] : [...changesBetween(pager, base.root, root), ...treeDifference(pager, base.root, root, SEQUENCE_TREE)];
    const { sequence: run } = engine.commit({ type: 'simulated', recipe, changes }, base.number, actor);
    this.#writing.add(run);
    const { count: outages } = engine.outage;
    const numbers: WorldNumber[] = [];
    try {
      let begunMs = performance.now();
      for (const index of indexes) {
        const event = { type: 'worldKept' as const, run, base: base.number, owner, index, score: scoreOf(index), changes: this.#numbered(changesOf(index)) };
        numbers.push(engine.commit(event, 0 as WorldNumber, actor).world);
        if (performance.now() - begunMs < SLICE_MS) continue;
        await turn();
        await engine.admit();
        check();
        if (engine.outage.count !== outages) throw new SvcError('58030', 'interrupted by a failed write');
        if (worlds.byNumber(base.number) === null) throw new SvcError('3D000', `world "${base.name}" is gone`);
        begunMs = performance.now();
      }
      const { sequence } = engine.commit({ type: 'simulationKept', run, count: numbers.length }, base.number, actor);
      await engine.durable(sequence);
      return numbers;
    } catch (error) {
      this.#writing.delete(run);
      await this.dropUnfinished();
      throw error;
    } finally {
      this.#writing.delete(run);
    }
  }

  /** Assigns unique row numbers to rows of tables without a primary key. */
  #numbered(bytes: Uint8Array): TreeChanges[] {
    const changes = readChanges(new ByteReader(bytes));
    const { objects } = this.#context.state;
    for (const { numeric, rows } of changes) {
      if (!numeric) continue;
      // They come after all other rows, by number.
      let first = rows.length;
      while (first > 0 && (rows[first - 1].key as number) >= SIMULATED_ROW) first--;
      for (let i = first; i < rows.length; i++) rows[i].key = objects.rowNumber();
    }
    return changes;
  }

  /** Drops what unfinished runs left. */
  async dropUnfinished(): Promise<void> {
    const { engine } = this.#context;
    const { worlds } = this.#context.state;
    if (engine.failure !== null || engine.outage.error !== null) return;
    for (const { run, worlds: kept } of worlds.pendingSimulations()) {
      if (this.#writing.has(run)) continue;
      let sequence = 0 as Sequence;
      for (let at = 0; ; at += DROPPED_AT_ONCE) {
        const last = at + DROPPED_AT_ONCE >= kept.length;
        const dropped = kept.slice(at, at + DROPPED_AT_ONCE);
        ({ sequence } = engine.commit({ type: 'simulationDropped', run, worlds: dropped, last }, 0 as WorldNumber, ''));
        if (last) break;
      }
      await engine.durable(sequence);
    }
  }
}
