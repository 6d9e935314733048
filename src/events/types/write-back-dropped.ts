/** The intended transaction of Postgres did not commit: nothing follows. `by`: who found that, Postgres or a person. */
import { jsonEvent } from '../define-event.ts';

export interface WriteBackDropped {
  type: 'writeBackDropped';
  xid: string;
  by: 'postgres' | 'person';
}

export const writeBackDropped = jsonEvent<WriteBackDropped>('writeBackDropped', 46);
