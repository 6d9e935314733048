/** What the threads of a run and the one that serves say to each other. */
import type { ErrorParts } from '../base/errors/svc-error.ts';
import type { SqlState } from '../base/errors/sqlstate.ts';
import type { MessagePort } from 'node:worker_threads';
import type { Job } from './sandbox.ts';

/** Places in the memory that all threads of a run share. */
export const NEXT = 0;
export const STOP = 1;
export const SHARED_WORDS = 2;

/** A thread takes so many worlds at a time. */
export const TAKEN_AT_ONCE = 8;

export interface Begin {
  readonly type: 'begin';
  readonly job: Job;
  /** Number of the page of the base state's root. */
  readonly root: number;
  readonly cacheBytes: number;
  readonly pages: MessagePort;
  readonly bell: Int32Array;
  readonly shared: Int32Array;
  /** Indexes of the worlds: from `first` on, to before `end`. */
  readonly first: number;
  readonly end: number;
  /** What worlds changed is wanted. */
  readonly keep: boolean;
}

/** The texts are planned: worlds begin to run. */
export interface Ready {
  readonly type: 'ready';
}
/** Some worlds, in any order. */
export interface Ran {
  readonly type: 'ran';
  readonly indexes: readonly number[];
  /** NaN where there is an error. */
  readonly scores: readonly number[];
  readonly errors: readonly (string | null)[];
  readonly rows: readonly number[];
  /** Of each world, in the order of indexes: its changes in `bytes` end here. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}
/** No worlds are left. */
export interface Over {
  readonly type: 'over';
}
/** The run as a whole cannot go on. */
export interface Failed {
  readonly type: 'failed';
  readonly error: { readonly code: SqlState; readonly message: string } & Pick<ErrorParts, 'detail' | 'hint' | 'position'>;
}
export type FromThread = Ready | Ran | Over | Failed;
