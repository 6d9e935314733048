/** The envelope's world was discarded. */
import { bareEvent } from '../define-event.ts';

export interface Discarded {
  type: 'discarded';
}

export const discarded = bareEvent<Discarded>('discarded', 8);
