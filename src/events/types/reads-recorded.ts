/** The read set of the envelope's world: by tree, all of it, ranges of keys, or keys. */
import { jsonEvent } from '../define-event.ts';

export interface ReadsRecorded {
  type: 'readsRecorded';
  reads: { [tree: string]: { whole?: true; ranges?: [string | number | null, string | number | null][]; keys?: (string | number)[] } };
}

export const readsRecorded = jsonEvent<ReadsRecorded>('readsRecorded', 35);
