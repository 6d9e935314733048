/** Messages between the main thread and the threads of a run. */
import type { ErrorParts } from '../base/errors/svc-error.ts';
import type { SqlState } from '../base/errors/sqlstate.ts';
import type { MessagePort } from 'node:worker_threads';
import type { Job } from './sandbox.ts';

/** Indexes in the memory shared by all threads of a run. */
export const NEXT = 0;
export const STOP = 1;
export const SHARED_WORDS = 2;

/** Worlds taken by a thread at a time. */
export const TAKEN_AT_ONCE = 8;

export interface Begin {
  readonly type: 'begin';
  readonly job: Job;
  /** Page number of the base state's root. */
  readonly root: number;
  readonly cacheBytes: number;
  readonly pages: MessagePort;
  readonly bell: Int32Array;
  readonly shared: Int32Array;
  /** Range of worlds: from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  /** Return the changes. */
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
  /** NaN for an error. */
  readonly scores: readonly number[];
  readonly errors: readonly (string | null)[];
  readonly rows: readonly number[];
  /** For each world in order: end of its changes in `bytes`. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}
/** No worlds are left. */
export interface Over {
  readonly type: 'over';
}
/** The whole run has failed. */
export interface Failed {
  readonly type: 'failed';
  readonly error: { readonly code: SqlState; readonly message: string } & Pick<ErrorParts, 'detail' | 'hint' | 'position'>;
}
export type FromThread = Ready | Ran | Over | Failed;
