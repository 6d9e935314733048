/** Effects as rows of a world's effect tree. The key is the effect's id, which sorts by creation. */
import type { Micros } from '../base/brands.ts';
import { KIND, type RowChange, type Shape } from '../tree/datum.ts';

export interface PendingEffect {
  id: string;
  channel: string;
  /** JSON. */
  payload: unknown;
  by: string;
  queued: Micros;
}

const CHANNEL = 1;
const PAYLOAD = 2;
const BY = 3;
const QUEUED = 4;

export const EFFECT_SHAPE: Shape = { ids: [CHANNEL, PAYLOAD, BY, QUEUED], kinds: [KIND.TEXT, KIND.JSON, KIND.TEXT, KIND.F64] };

export function effectRow({ id, channel, payload, by, queued }: PendingEffect): RowChange {
  return { key: id, shape: EFFECT_SHAPE, before: null, after: [channel, JSON.stringify(payload), by, queued] };
}

/** The effect that a change adds; null if it adds none. */
export function effectOf({ key, before, after, shape }: RowChange): PendingEffect | null {
  if (before !== null || after === null) return null;
  const cell = (id: number): unknown => after[shape.ids.indexOf(id)];
  return {
    id: key as string,
    channel: cell(CHANNEL) as string,
    payload: JSON.parse(cell(PAYLOAD) as string) as unknown,
    by: cell(BY) as string,
    queued: cell(QUEUED) as Micros,
  };
}
