/** The envelope's world was confirmed. */
import { bareEvent } from '../define-event.ts';

export interface Confirmed {
  type: 'confirmed';
}

export const confirmed = bareEvent<Confirmed>('confirmed', 10);
