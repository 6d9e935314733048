/** The last collection's knowledge of the page store, saved for the next run: listing the pages would mean reading the whole store. */
import type { PageStore } from '../storage/page-store.ts';
import { PageSet } from '../tree/page-set.ts';
import type { Pager } from '../tree/pager.ts';

const NAME = 'stored';

/** Null: unknown. */
export function storedPagesSetting(stored: Pager['stored']): { name: string; value: Uint8Array | null } {
  return { name: NAME, value: stored === null ? null : stored.pages.encode(stored.limit) };
}

/** `nextPage`: of the super-root that the run begins with; a later collection is ignored. */
export function readStoredPages(store: PageStore, nextPage: number): Pager['stored'] {
  const bytes = store.setting(NAME);
  const stored = bytes === undefined ? null : PageSet.decode(Buffer.from(bytes));
  return stored !== null && stored.limit <= nextPage ? stored : null;
}
