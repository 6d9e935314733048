/**
 * The locks of all sessions for pg_locks: tables, advisory keys, and each transaction's own number. Row locks are not listed, as in
 * Postgres; a transaction that waits for a row waits for its holder's transaction.
 */
import { modeName } from '../../locks/lock-mode.ts';
import type { LockOwner } from '../../locks/lock-owner.ts';
import type { HeldLock, Lock } from '../../locks/lock-table.ts';
import type { Context } from '../../worlds/context.ts';
import type { CatalogLock } from '../catalog/catalog-session.ts';
import { databaseOid } from './databases.ts';

const EPOCH_MILLIS = 946_684_800_000;

export function heldLocks({ locks }: Context): CatalogLock[] {
  const out: CatalogLock[] = [];
  const owners = new Set<LockOwner>();
  for (const lock of locks.all()) {
    lock.owners.forEach((owner, i) => {
      owners.add(owner);
      if (lock.space.kind === 'row') return;
      for (let mode = 1; mode <= 128; mode *= 2) if ((lock.modes[i] & mode) !== 0) out.push(shown(lock, owner, mode, true, null, null));
    });
    for (const waiter of lock.queue ?? []) {
      owners.add(waiter.owner);
      const [holder] = locks.blockers(waiter);
      out.push(shown(lock, waiter.owner, waiter.mode, false, (waiter.since - EPOCH_MILLIS) * 1000, holder ?? waiter.owner));
    }
  }
  for (const owner of owners) {
    const own = {
      database: null,
      relation: null,
      object: null,
      holder: virtual(owner),
      pid: owner.pid,
      mode: 'ExclusiveLock',
      granted: true,
      waitingSince: null,
    };
    out.push({ ...own, type: 'virtualxid', virtual: virtual(owner), transaction: null });
    if (owner.locks.length > 0) out.push({ ...own, type: 'transactionid', virtual: null, transaction: owner.transaction });
  }
  return out;
}

function virtual(owner: LockOwner): string {
  return `${owner.pid % 1000}/${owner.transaction}`;
}

function shown(lock: HeldLock, owner: LockOwner, mode: number, granted: boolean, waitingSince: number | null, holder: LockOwner | null): CatalogLock {
  const { kind, world } = lock.space;
  const own = { holder: virtual(owner), pid: owner.pid, mode: modeName(kind, mode), granted, waitingSince, virtual: null, relation: null, transaction: null };
  if (kind === 'row') return { ...own, type: 'transactionid', database: null, object: null, transaction: holder!.transaction };
  const { key } = lock as Lock;
  if (kind === 'table') return { ...own, type: 'relation', database: databaseOid(world), object: null, relation: key as number };
  const [first, second, third] = String(key).split(',').map(Number);
  return { ...own, type: 'advisory', database: databaseOid(world), object: [first, second, third] };
}
