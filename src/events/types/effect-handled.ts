/** Effects of the outbox were claimed until a time, are done, or will be retried after a time. */
import type { Micros } from '../../base/brands.ts';
import { jsonEvent } from '../define-event.ts';

export interface EffectHandled {
  type: 'effectHandled';
  what: 'claim' | 'ack' | 'retry';
  ids: string[];
  until: Micros;
  /** Of a retry: why the attempt failed, as its worker said. */
  error?: string;
}

export const effectHandled = jsonEvent<EffectHandled>('effectHandled', 34);
