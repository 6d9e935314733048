/** The super-roots of the page store, in memory and stored alike: each is one setting of the store, written and deleted with a sync. */
import type { PageStore } from '../storage/page-store.ts';
import { storedPagesSetting } from './stored-pages.ts';
import { isUsable, readSuperRoots, settingName, type SuperRoot, superRootSetting } from './super-root.ts';

export class SuperRoots {
  /** Oldest first. The array stays the same: readers of past states keep it. */
  readonly list: SuperRoot[];
  /** How often some were dropped: their pages are no longer reached. */
  drops = 0;
  readonly #store: PageStore;

  constructor(store: PageStore, list: SuperRoot[]) {
    this.#store = store;
    this.list = list;
  }

  get newest(): SuperRoot | null {
    return this.list.at(-1) ?? null;
  }

  /** Its pages are written; with it they are durable. */
  add(root: SuperRoot): void {
    this.#store.write({ pages: [], settings: [superRootSetting(root)] }, { sync: true });
    this.list.push(root);
  }

  drop(dropped: readonly SuperRoot[]): void {
    if (dropped.length === 0) return;
    this.drops++;
    for (const root of dropped) this.list.splice(this.list.indexOf(root), 1);
    this.#store.write({ pages: [], settings: dropped.map(({ sequence }) => ({ name: settingName(sequence), value: null })) }, { sync: true });
  }

  /** The store was emptied. */
  clear(): void {
    this.drops++;
    this.list.length = 0;
  }
}

/**
 * At opening: the super-roots that this release can continue from with this log, oldest first. Deletes the others, and pages that a crash during a
 * checkpoint has left, or all pages without a usable super-root.
 */
export function takeSuperRoots(
  store: PageStore,
  versions: Readonly<Record<string, number>>,
  log: { folderId: string; first: number; head: number },
): SuperRoot[] {
  const usable: SuperRoot[] = [];
  const settings: { name: string; value: Uint8Array | null }[] = [];
  for (const root of readSuperRoots(store)) {
    if (isUsable(root, versions, log)) usable.push(root);
    else settings.push({ name: settingName(root.sequence), value: null });
  }
  const newest = usable.at(-1);
  if (newest === undefined) settings.push(storedPagesSetting(null));
  if (settings.length > 0) store.write({ pages: [], settings }, { sync: true });
  for (;;) {
    const deletes = store.ids(newest?.nextPage ?? 0, 10_000);
    if (deletes.length === 0) return usable;
    store.write({ pages: [], deletes }, { sync: false });
  }
}
