/**
 * A transaction was given its number before its end, because it asked for it: the number is the sequence of this event, and later ones
 * are higher. The transaction's `committed` event names it. The envelope's world is 0.
 */
import { bareEvent } from '../define-event.ts';

export interface Numbered {
  type: 'numbered';
}

export const numbered = bareEvent<Numbered>('numbered', 36);
