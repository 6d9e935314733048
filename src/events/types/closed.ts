/** The process closed the folder in order. */
import { bareEvent } from '../define-event.ts';

export interface Closed {
  type: 'closed';
}

export const closed = bareEvent<Closed>('closed', 2);
