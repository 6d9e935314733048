/**
 * What worlds do beside each commit: pending reads of the world are appended before it, its changes are noted for readers, and transactions whose locks it
 * ignores are doomed. Worlds of an unresolved write-back do not change. Made before the engine, which calls it, and then given to the Context, which shares its state.
 */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import type { Event } from '../events/event.ts';
import { LockTable } from '../locks/lock-table.ts';
import type { CommitScope, EngineHooks } from '../projection/engine-options.ts';
import { refusePending } from './attached-changes.ts';
import { catalogOfWorld } from './catalog.ts';
import { changesOf, doomHolders } from './doom.ts';
import { PendingReads } from './pending-reads.ts';
import { RecentChanges } from './recent-changes.ts';
import type { State } from './state.ts';

export class WorldHooks implements EngineHooks<State> {
  /** Locks of open transactions. */
  readonly locks = new LockTable();
  /** Of all worlds. */
  readonly recent = new RecentChanges();
  readonly reads = new PendingReads();
  /** The event being committed completes the pending write-back. */
  completes = false;

  beforeCommit(engine: CommitScope<State>, world: WorldNumber): void {
    this.reads.beforeCommit(engine, world);
  }

  beforeAppend({ log, pager, state }: CommitScope<State>, event: Event, number: WorldNumber, locksChecked: boolean): void {
    const { pending } = state.attachment;
    if (pending !== null && !this.completes) refusePending(pending, event, number);
    this.recent.add(event, (log.head + 1) as Sequence, log.durable);
    if (locksChecked || this.locks.count === 0) return;
    const changes = changesOf(event);
    const world = changes === null ? null : state.worlds.byNumber(number);
    if (world === null) return;
    doomHolders(this.locks, pager, world, catalogOfWorld(pager, world), changes!, event.type === 'rebased');
  }

  undone(durable: Sequence): void {
    this.recent.undo(durable);
  }
}
