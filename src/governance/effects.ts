/** Effects that a branch will send: rows of its effect tree, in the same commit as the rows that they belong to. */
import { randomBytes } from 'node:crypto';
import type { Micros } from '../base/brands.ts';
import { deceptionIn } from '../base/deceptive-name.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Json } from '../commands/contract.ts';
import { EFFECT_TREE, type TreeChanges } from '../events/changes.ts';
import { effectRow } from '../events/effect.ts';
import { authorize, isMain } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import type { World } from '../worlds/world.ts';

const CHANNEL_BYTES_MAX = 256;
const PAYLOAD_BYTES_MAX = 1024 * 1024;

let lastMicros = 0;

/** The change that adds the effect; 55000 in `main`. */
export function effectChanges(world: World, channel: string, payload: Json, by: Principal, now: Micros): { id: string; changes: TreeChanges[] } {
  if (isMain(world)) {
    throw new SvcError('55000', 'NOTIFY ON MERGE belongs in a branch: main is merged into nothing', {
      hint: 'Fork a world, queue the effect there, and merge it.',
    });
  }
  if (channel === '' || Buffer.byteLength(channel) > CHANNEL_BYTES_MAX) throw new SvcError('22023', `a channel's name has 1 to ${CHANNEL_BYTES_MAX} bytes`);
  const deception = deceptionIn(channel);
  if (deception !== null)
    throw new SvcError('22023', `this cannot be a channel's name: ${deception}`, { hint: 'Use letters of one script, digits, `_`, `-` and `.`.' });
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes > PAYLOAD_BYTES_MAX) throw new SvcError('54000', `a payload has at most ${PAYLOAD_BYTES_MAX} bytes, this has ${bytes}`);
  // Ids sort by creation.
  lastMicros = Math.max(lastMicros + 1, now);
  const id = `e${lastMicros.toString(16).padStart(14, '0')}${randomBytes(4).toString('hex')}`;
  return { id, changes: [{ tree: EFFECT_TREE, numeric: false, rows: [effectRow({ id, channel, payload, by: actorName(by), queued: now })] }] };
}

export async function notifyOnMerge(
  context: Context,
  { branch, channel, payload = null }: { branch: string; channel: string; payload?: Json },
  by: Principal,
): Promise<{ ok: true; id: string; version: number }> {
  const { engine } = context;
  await engine.admit();
  const world = context.writable(branch);
  authorize(by, { what: 'change', world });
  const { id, changes } = effectChanges(world, channel, payload, by, engine.clock.nowMicros());
  const { sequence } = engine.commit({ type: 'committed', how: 'write', changes }, world.number, actorName(by));
  const { version } = world;
  await engine.durable(sequence);
  return { ok: true, id, version };
}
