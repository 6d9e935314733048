/** What the last collection knew of the page store, for the next run: to list its pages, the store would have to be read whole. */
import type { PageStore } from '../storage/page-store.ts';
import { PageSet } from '../tree/page-set.ts';
import type { Pager } from '../tree/pager.ts';

const NAME = 'stored';

/** Null: nothing is known. */
export function storedPagesSetting(stored: Pager['stored']): { name: string; value: Uint8Array | null } {
  return { name: NAME, value: stored === null ? null : stored.pages.encode(stored.limit) };
}

/** `nextPage`: of the super-root that the run begins with; a collection behind it is none that it knows of. */
export function readStoredPages(store: PageStore, nextPage: number): Pager['stored'] {
  const bytes = store.setting(NAME);
  const stored = bytes === undefined ? null : PageSet.decode(Buffer.from(bytes));
  return stored !== null && stored.limit <= nextPage ? stored : null;
}
