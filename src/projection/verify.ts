/** Verification of stored pages: every page that the newest super-root reaches is read again and compared with the hash that its parent keeps. */
import { Slices } from '../base/slices.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import { verifyPages } from '../tree/verify.ts';
import type { Availability } from './availability.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { SuperRoots } from './super-roots.ts';

export interface VerifyParts {
  readonly store: PageStore;
  readonly superRoots: SuperRoots;
  readonly availability: Availability;
  readonly checkpointer: Checkpointer;
}

/** Begins with a checkpoint, so that what was committed before is verified too. Damage starts a rebuild of the cache and is thrown. */
export async function verifyStoredPages(parts: VerifyParts, signal?: AbortSignal): Promise<{ pages: number; bytes: number }> {
  const { store, superRoots, availability, checkpointer } = parts;
  await checkpointer.checkpoint();
  if (availability.outage.held !== null) await availability.outage.held;
  if (availability.failure !== null) throw availability.failure;
  const { newest } = superRoots;
  // An outage before the first checkpoint.
  if (newest === null) throw availability.outage.error!;
  const total = { pages: 0, bytes: 0 };
  const slices = new Slices();
  try {
    for (const _ of verifyPages(store, newest.page, Buffer.from(newest.hash, 'hex'), total)) {
      if (!slices.over) continue;
      signal?.throwIfAborted();
      await slices.rest();
    }
  } catch (error) {
    if (error instanceof CacheDamage) availability.rebuildCache(error);
    throw error;
  }
  return total;
}
