/**
 * Collection of pages: marks what super-roots and held roots reach, in slices, and deletes the rest from the page store.
 *
 * Marking costs a walk of all pages above rows, so it must be paid for by a trim or by pages written since the last collection. Between two collections
 * the numbers of live and of kept pages are known as long as no super-root was dropped.
 */
import { Slices } from '../base/slices.ts';
import { collectPages } from '../tree/collect.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Availability } from './availability.ts';
import type { WrittenPages } from './checkpointer.ts';
import { worthCollecting } from './retention.ts';
import { storedPagesSetting } from './stored-pages.ts';
import type { SuperRoots } from './super-roots.ts';

/** Directories above the trees of rows: super-root, worlds, live worlds, one world. */
const REF_DEPTH = 4;

export interface PageCollectionParts {
  pager: Pager;
  superRoots: SuperRoots;
  availability: Availability;
  /** By checkpoints of this run. */
  written(): WrittenPages;
  /** Caches of old nodes are released. */
  forget(): void;
}

/** Pages found by a collection: reached by the newest super-root, and by any. */
export interface FoundPages {
  readonly live: number;
  readonly kept: number;
}

export class PageCollection {
  /** Pages deleted in this run. */
  collected = 0;
  readonly #parts: PageCollectionParts;
  /** Readers by the directory that they hold. */
  readonly #held = new Map<Node, number>();
  #writtenThen = 0;
  #kept = 0;
  /** Live pages of the last collection, and `superRoots.drops` then; null before the first one. */
  #live: { readonly pages: number; readonly drops: number } | null = null;

  constructor(parts: PageCollectionParts) {
    this.#parts = parts;
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

  /** The page store was emptied: nothing of what was held is stored any more. */
  renewed(): void {
    this.#held.clear();
    this.#live = null;
    this.#writtenThen = this.#parts.written().pages;
    this.#kept = 0;
  }

  /** Whether enough pages were written since the last collection to pay for one. */
  get isWorth(): boolean {
    return worthCollecting(this.#writtenSince, this.#kept);
  }

  get #writtenSince(): number {
    return this.#parts.written().pages - this.#writtenThen;
  }

  /** What a collection would find now; null: unknown. */
  get expected(): FoundPages | null {
    // If no super-root was dropped, all pages written since the last collection are live.
    if (this.#live === null || this.#live.drops !== this.#parts.superRoots.drops) return null;
    return { live: this.#live.pages, kept: this.#kept + this.#writtenSince };
  }

  /** A round of collections begins: later writes pay for the next one. */
  begin(): void {
    this.#writtenThen = this.#parts.written().pages;
  }

  /** Null if it was stopped. */
  async collect(isStopped: () => boolean): Promise<FoundPages | null> {
    const { pager, superRoots, availability, forget } = this.#parts;
    forget();
    const { count } = availability.outage;
    const { list } = superRoots;
    const limit = list.at(-1)!.nextPage;
    const slices = new Slices();
    const sweep = collectPages(pager, list.map(({ page }) => page).reverse(), limit, REF_DEPTH, () => slices.over, this.#held.keys());
    for (let step = sweep.next(); ; step = sweep.next()) {
      if (step.done === true) {
        const { live, marked, swept } = step.value;
        this.collected += swept;
        pager.store.write({ pages: [], settings: [storedPagesSetting(pager.stored)] }, { sync: false });
        if (isStopped()) return null;
        this.#kept = marked;
        this.#live = { pages: live, drops: superRoots.drops };
        return { live, kept: marked };
      }
      await slices.rest();
      availability.checkUninterrupted(count);
      if (isStopped()) return null;
    }
  }
}
