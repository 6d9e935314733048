/** Messages between a thread of long calls and its caller. */
import type { MessagePort } from 'node:worker_threads';
import type { SqlState } from '../../base/errors/sqlstate.ts';
import type { Argument } from './argument-parts.ts';
import type { Sent } from './call-codec.ts';

/** Words of the shared memory: the number of answers given, the number taken, the state of the call, and the thread's heap after it in MB. */
export const GIVEN = 0;
export const TAKEN = 1;
export const STATE = 2;
export const HEAP_MB = 3;
export const WORDS = 4;

/** `begun` by the thread or `dropped` by the caller, the first of the two. */
export const CALL = { waiting: 0, begun: 1, dropped: 2 } as const;

/** Backpressure: answers that may wait to be taken. */
export const AHEAD_MAX = 16;
/** Number of list values per answer. */
export const LIST_STEP = 1024;

/** The part of the session that a pure function may use. */
export interface Surroundings {
  readonly plain: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string>>;
  /** Names of its argument types, and of its result; null if some are user-defined. */
  readonly types: { readonly args: readonly string[]; readonly returns: string } | null;
}

export interface Asked {
  readonly key: string;
  readonly args: readonly Argument[];
  /** null: the function is called without. */
  readonly surroundings: Surroundings | null;
  readonly port: MessagePort;
  readonly words: Int32Array;
}

/** In place of a function: parses the statements of a text. */
export const PARSE = '#parse';
/** Longer lists of syntax trees are sent separately, in answers of this many nodes. */
export const NODES_STEP = 512;

/** A placeholder in a syntax tree for a list that was sent separately. */
export interface Hole {
  readonly hole: number;
}

export type Answer =
  | { readonly type: 'nodes'; readonly list: number; readonly nodes: readonly unknown[] }
  | { readonly type: 'parsed'; readonly statements: unknown }
  | { readonly type: 'list'; readonly values: readonly Sent[] }
  /** `list`: all values of the list were sent; `array`: they are the elements of an array. */
  | { readonly type: 'value'; readonly value: Sent; readonly list: boolean; readonly array: boolean }
  | { readonly type: 'error'; readonly error: { readonly code: SqlState; readonly message: string; readonly parts: object } };
