/** What goes between a thread of long calls and who waits for one. */
import type { MessagePort } from 'node:worker_threads';
import type { SqlState } from '../../base/errors/sqlstate.ts';
import type { Argument } from './argument-parts.ts';
import type { Sent } from './call-codec.ts';

/** Words of the memory that both look at: how many answers were given, how many of them were taken, whether the call is made, and the thread's heap after it in MB. */
export const GIVEN = 0;
export const TAKEN = 1;
export const STATE = 2;
export const HEAP_MB = 3;
export const WORDS = 4;

/** `begun` by the thread or `dropped` by who asked, whichever comes first. */
export const CALL = { waiting: 0, begun: 1, dropped: 2 } as const;

/** So many answers may wait to be taken. */
export const AHEAD_MAX = 16;
/** Values of a list go in answers of so many. */
export const LIST_STEP = 1024;

/** What a pure function may know of its session. */
export interface Surroundings {
  readonly plain: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string>>;
  /** Names of the types of its arguments, and of what it returns; null where some are a world's own. */
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

/** What is asked for in place of a function: the statements of a text. */
export const PARSE = '#parse';
/** Lists of syntax trees that are longer go by themselves, in answers of so many nodes. */
export const NODES_STEP = 512;

/** Stands in a syntax tree for a list that went by itself. */
export interface Hole {
  readonly hole: number;
}

export type Answer =
  | { readonly type: 'nodes'; readonly list: number; readonly nodes: readonly unknown[] }
  | { readonly type: 'parsed'; readonly statements: unknown }
  | { readonly type: 'list'; readonly values: readonly Sent[] }
  /** `list`: all values of the list were given; `array`: they are the elements of an array. */
  | { readonly type: 'value'; readonly value: Sent; readonly list: boolean; readonly array: boolean }
  | { readonly type: 'error'; readonly error: { readonly code: SqlState; readonly message: string; readonly parts: object } };
