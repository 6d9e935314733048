/**
 * An event of the log, and what stands beside its payload. An event records outcomes: the changed rows with their values before
 * and after, never a decision to make again. Each type has a file in `types/`, which gives its shape.
 */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { EventType } from './define-event.ts';
import type { EVENTS } from './table.ts';

type ShapeOf<T> = T extends EventType<infer E> ? E : never;

export type Event = ShapeOf<(typeof EVENTS)[number]>;

/** An event as stored in the log, not decoded. */
export interface Recorded {
  readonly sequence: Sequence;
  readonly type: number;
  readonly world: WorldNumber;
  readonly payload: Uint8Array;
}

export interface Envelope {
  sequence: Sequence;
  at: Micros;
  /** The world it belongs to; 0 for the whole database. */
  world: WorldNumber;
  actor: string;
}
