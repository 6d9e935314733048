/**
 * A write-back commits twice: in Postgres, then in the log. Before the first, the log has an intent with the transaction's id; after a crash
 * or a cut connection Postgres says what became of that transaction.
 *
 *   intent, synced ─► COMMIT ─► completing event            crash or cut ─► pg_xact_status ─► committed: completing event
 *                                                                                        ├─► aborted: `writeBackDropped`
 *                                                                                        └─► not known: a person decides
 */
import type { Sequence } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../events/codec.ts';
import type { Merged } from '../events/types/merged.ts';
import type { Undone } from '../events/types/undone.ts';
import type { PendingWriteBack } from '../worlds/attachment.ts';
import type { Context } from '../worlds/context.ts';
import type { World } from '../worlds/world.ts';
import type { Identity, SourceConnection } from './source-connection.ts';

/** `not known`: for good, unless a person says it. */
export type Fate = 'committed' | 'aborted' | 'in progress' | 'not known';

export interface Completing {
  /** The event being committed completes the pending write-back. */
  completes: boolean;
}

/** Appends the intent in the current tick. */
export function intend(
  context: Context,
  target: World,
  event: Merged | Undone,
  actor: string,
  xid: string,
  { system, timeline }: Identity,
  rows: number,
): Sequence {
  // A copy: the buffer is used again for the intent itself.
  const payload = new Uint8Array(encodeEvent(event));
  return context.engine.commit(
    {
      type: 'writeBackIntended',
      xid,
      system,
      timeline,
      branch: event.branch,
      rows,
      completes: { type: EVENT_TYPES[event.type], version: versionOf(event), payload },
    },
    target.number,
    actor,
  ).sequence;
}

/** Commits the event that the intent promised. */
export function complete(context: Context, hooks: Completing, pending: PendingWriteBack): Sequence {
  const { type, version } = pending.completes;
  const event = decodeEvent(type, version, context.state.attachment.payload());
  hooks.completes = true;
  try {
    return context.engine.commit(event, pending.into, pending.actor).sequence;
  } finally {
    hooks.completes = false;
  }
}

export function drop(context: Context, pending: PendingWriteBack, by: 'postgres' | 'person', actor: string): Sequence {
  return context.engine.commit({ type: 'writeBackDropped', xid: pending.xid, by }, pending.into, actor).sequence;
}

/** What Postgres says of the transaction, and why it is not known. */
export async function fateOf(from: SourceConnection, { xid, system, timeline }: PendingWriteBack): Promise<{ fate: Fate; reason: string | null }> {
  const identity = await from.identity();
  if (identity.system !== system) return { fate: 'not known', reason: `Postgres at ${from.shown} is another server (system ${identity.system})` };
  // A standby may be behind, and take the transaction for one that is aborted or has not begun.
  const [[standby]] = await from.rows('SELECT pg_catalog.pg_is_in_recovery()');
  if (standby === 't') return { fate: 'in progress', reason: `Postgres at ${from.shown} is a standby: the primary knows` };
  // A promoted standby may have lost the transaction and given its id to another one.
  if (identity.timeline !== timeline)
    return {
      fate: 'not known',
      reason: `Postgres is on timeline ${identity.timeline} now, and the transaction was of timeline ${timeline}: the server was restored, or a standby was promoted`,
    };
  try {
    const [[status]] = await from.rows('SELECT pg_catalog.pg_xact_status($1::pg_catalog.xid8)', [xid]);
    if (status === 'committed' || status === 'aborted' || status === 'in progress') return { fate: status, reason: null };
    return { fate: 'not known', reason: 'Postgres has forgotten the transaction: it is too long ago' };
  } catch (error) {
    if ((error as { code?: string }).code !== '22023') throw error;
    return { fate: 'not known', reason: 'Postgres has not come to that transaction: the server was restored from a backup' };
  }
}

/** The error of a merge whose fate is open. */
export function unresolved({ xid, at }: Pick<PendingWriteBack, 'xid' | 'at'>, cause: unknown): SvcError {
  return new SvcError(
    '08007',
    `the connection to Postgres was lost while it committed transaction ${xid} (since ${formatMicros(at)}): whether the merge is done is not known yet`,
    {
      hint: 'Do not repeat it. svc asks Postgres until it answers, and the merge is completed or dropped then; the operation `attachment` shows that.',
      cause,
    },
  );
}
