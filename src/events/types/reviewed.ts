/** A verdict on the held merge of the envelope's world. An approval is recorded by the merge itself. */
import { jsonEvent } from '../define-event.ts';

export interface Reviewed {
  type: 'reviewed';
  verdict: 'reject' | 'pass';
  reason: string | null;
}

export const reviewed = jsonEvent<Reviewed>('reviewed', 32);
