/** A merge of the envelope's world, requested by an agent, was refused. */
import { jsonEvent } from '../define-event.ts';

export interface Refused {
  type: 'refused';
  why: 'conflicts' | 'stale reads' | 'check';
}

export const refused = jsonEvent<Refused>('refused', 33);
