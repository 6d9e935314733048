/**
 * Runs of the database: sequence of `opened` → sequence of the next one, when the run did not end cleanly; -1 for the current one. A world written in a run
 * that crashed is flagged until a client confirms it.
 */
import type { Node } from '../../src/tree/node.ts';
import type { WorldRecord } from '../../src/worlds/world.ts';
import { type Edit, endAt, PartTree, SHAPES } from './part-tree.ts';

const OPEN = -1;

/** As a base has it. */
export interface RunsState {
  readonly running: boolean;
  readonly currentRun: number;
  readonly crashes: readonly { from: number; to: number }[];
}

export class Runs {
  readonly #tree: PartTree;
  /** Runs without a clean close. */
  readonly #crashes: { from: number; to: number }[] = [];
  #current = 0;
  #running = false;

  constructor(edit: Edit, root: Node | null) {
    this.#tree = new PartTree(edit, root, true);
    this.#tree.each(null, (leaf, at) => {
      const from = leaf.key(at) as number;
      const to = endAt(leaf, at);
      if (to !== OPEN) this.#crashes.push({ from, to });
      else {
        this.#current = from;
        this.#running = true;
      }
    });
  }

  get root(): Node {
    return this.#tree.root;
  }

  opened(sequence: number): void {
    if (this.#running) this.#crashed({ from: this.#current, to: sequence });
    this.#begin(sequence);
  }

  closed(): void {
    this.#tree.remove(this.#current);
    this.#running = false;
  }

  #begin(sequence: number): void {
    this.#running = true;
    this.#current = sequence;
    this.#tree.put(sequence, SHAPES.end, [OPEN]);
  }

  #crashed(crash: { from: number; to: number }): void {
    this.#crashes.push(crash);
    this.#tree.put(crash.from, SHAPES.end, [crash.to]);
  }

  /** Whether the world was last written in a run that crashed, and not confirmed since. */
  isInDoubt({ lastWrite, confirmed }: Pick<WorldRecord, 'lastWrite' | 'confirmed'>): boolean {
    return this.#crashes.some(({ from, to }) => lastWrite >= from && lastWrite < to && confirmed < to);
  }

  get state(): RunsState {
    return { running: this.#running, currentRun: this.#current, crashes: this.#crashes };
  }

  load({ running, currentRun, crashes }: RunsState): void {
    for (const crash of crashes) this.#crashed(crash);
    this.#running = running;
    this.#current = currentRun;
    if (running) this.#begin(currentRun);
  }
}
