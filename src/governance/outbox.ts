/**
 * The outbox of `main`, for workers that carry out effects: claim some, do them, acknowledge each. Delivery is at least once
 * and in order per channel: while the first effect of a channel is claimed or waits for a retry, the channel waits.
 */
import type { Micros, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { ClaimedEffect, Json, WaitingEffect } from '../commands/contract.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import type { QueuedEffect } from '../worlds/governance.ts';

const CLAIM_MS = 60_000;
const CLAIM_MAX = 1000;
const LISTED = 100;
const LEASE_MS_MAX = 7 * 86_400_000;

export async function claim(
  context: Context,
  { channel, limit = 10, for_ms = CLAIM_MS }: { channel?: string; limit?: number; for_ms?: number },
  by: Principal,
): Promise<{ effects: ClaimedEffect[] }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > CLAIM_MAX) throw new SvcError('22023', `limit is a whole number from 1 to ${CLAIM_MAX}`);
  checkMs(for_ms, 'a claim lasts');
  authorize(by, { what: 'outbox' });
  const { engine } = context;
  const { outbox } = context.state;
  const now = engine.clock.nowMicros();
  const found: QueuedEffect[] = [];
  for (const each of channel === undefined ? outbox.channels() : [channel]) {
    if (found.length >= limit) break;
    for (const effect of outbox.first(each, limit - found.length)) {
      if (effect.until > now) break;
      found.push(effect);
    }
  }
  if (found.length === 0) return { effects: [] };
  const until = (now + for_ms * 1000) as Micros;
  const { sequence } = engine.commit({ type: 'effectHandled', what: 'claim', ids: found.map(({ id }) => id), until }, 0 as WorldNumber, actorName(by));
  await engine.durable(sequence);
  return {
    effects: found.map(({ id, channel: of, payload, by, queued, attempts }) => ({
      id,
      channel: of,
      payload: payload as Json,
      by,
      queued: formatMicros(queued),
      attempts: attempts + 1,
      until: formatMicros(until),
    })),
  };
}

/** The first effects of each channel, as they wait. At most `limit` are read. */
export async function listOutbox(
  context: Context,
  { channel, limit = LISTED, at }: { channel?: string; limit?: number; at?: string },
): Promise<{ effects: WaitingEffect[]; total: number }> {
  const past = at === undefined ? null : await context.stateAt(at);
  const { outbox } = past?.state ?? context.state;
  const now = past?.at ?? context.engine.clock.nowMicros();
  const effects: WaitingEffect[] = [];
  for (const each of channel === undefined ? outbox.channels() : [channel]) {
    if (effects.length >= limit) break;
    for (const { id, channel: of, payload, by, queued, attempts, until, failed } of outbox.first(each, limit - effects.length)) {
      effects.push({
        id,
        channel: of,
        payload: payload as Json,
        by,
        queued: formatMicros(queued),
        attempts,
        until: until > now ? formatMicros(until) : null,
        last_error: failed === undefined ? null : { message: failed.message, at: formatMicros(failed.at), by: failed.by },
      });
    }
  }
  return { effects, total: outbox.count };
}

/** Ends a claim: the effect is done, or is to be tried again after a while; `error` says why the attempt failed, and is kept in the log. */
export async function handle(
  context: Context,
  what: 'ack' | 'retry',
  { id, after_ms: afterMs = 0, error }: { id: string; after_ms?: number; error?: string },
  by: Principal,
): Promise<{ ok: true }> {
  if (error !== undefined && (error === '' || error.length > LIMITS.outboxErrorMax))
    throw new SvcError('22023', `an error has 1 to ${LIMITS.outboxErrorMax} characters`, { hint: 'Send its first lines.' });
  checkMs(afterMs, 'a retry waits');
  authorize(by, { what: 'outbox' });
  const { engine } = context;
  const { outbox } = context.state;
  if (outbox.byId(id) === null) {
    throw new SvcError('42704', `the outbox holds no effect "${String(id).slice(0, 80)}"`, { hint: 'It was acknowledged already, or its merge was undone.' });
  }
  const until = (what === 'ack' ? 0 : engine.clock.nowMicros() + afterMs * 1000) as Micros;
  const { sequence } = engine.commit(
    { type: 'effectHandled', what, ids: [id], until, ...(error === undefined ? {} : { error }) },
    0 as WorldNumber,
    actorName(by),
  );
  await engine.durable(sequence);
  return { ok: true };
}

function checkMs(ms: number, what: string): void {
  if (!Number.isFinite(ms) || ms < 0 || ms > LEASE_MS_MAX) throw new SvcError('22023', `${what} between 0 and ${LEASE_MS_MAX} milliseconds`);
}
