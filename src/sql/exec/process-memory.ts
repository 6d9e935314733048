/**
 * Memory of all statements in this process together: rows of results and of joins, groups, lists and working tables, variables of
 * functions. A statement counts what it holds (`run.ts`, `session/result-memory.ts`) here too; past half of the heap further
 * requests are refused, since the process would not survive the end of its heap. Small statements are never refused.
 */
import { getHeapStatistics } from 'node:v8';
import { SvcError } from '../../base/errors/svc-error.ts';

const HEAP_BYTES = getHeapStatistics().heap_size_limit;
/** The other half is for pages, plans and garbage. */
export const ALL_BYTES_MAX = HEAP_BYTES / 2;
/** The default limit of one statement. */
export const STATEMENT_BYTES_STANDARD = Math.floor(HEAP_BYTES / 4);
/** A statement with no more than this is not limited by the sum: a thousand of them still fit. */
const SMALL_BYTES = 256 * 1024;

let all = 0;

/** Bytes that all statements hold. */
export function heldByAll(): number {
  return all;
}

/** A statement that then holds `own` bytes takes them. 53200 if all together hold too much. */
export function takeMemory(bytes: number, own: number): void {
  all += bytes;
  if (all <= ALL_BYTES_MAX || own <= SMALL_BYTES || bytes <= 0) return;
  all -= bytes;
  throw new SvcError('53200', 'out of memory', {
    detail: `The statements of all sessions together may hold ${megabytes(ALL_BYTES_MAX)}, half of the server's heap, and it is taken.`,
    hint: 'Try again when other statements have ended, let it read fewer rows, or give the server a larger heap (NODE_OPTIONS=--max-old-space-size=…).',
  });
}

export function giveMemory(bytes: number): void {
  all -= bytes;
}

/** 53200: one statement exceeds its limit. */
export function statementTooLarge(most: number): SvcError {
  return new SvcError('53200', 'out of memory', {
    detail: `The rows and values that the statement holds take more than ${megabytes(most)}.`,
    hint: 'Let it read fewer rows, or fewer columns of them. The limit is SVC_STATEMENT_MEMORY of the server, or max_memory_mb of the agent.',
  });
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / (1 << 20))} MB`;
}
