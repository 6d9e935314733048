/**
 * A row with a text of megabytes or an array of many elements is written in time slices, because encoding it in one tick would block
 * the event loop. The message is begun in the output meanwhile; an error drops it.
 *
 *     begin ─ value, or parts of one ─ over its slice? yield ─ … ─ end
 */
import { ArrayValue } from '../sql/types/array-value.ts';
import type { Batch } from '../sql/exec/batch.ts';
import { arrayParts } from '../sql/exec/long-text.ts';
import type { Environment } from '../sql/types/environment.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import type { MessageWriter } from './message-writer.ts';
import { BACKEND } from './protocol.ts';
import type { ValueWriter } from './row-format.ts';

const TEXT_MIN = 1 << 20;
const ELEMENTS_MIN = 8192;
const TEXT_STEP = 1 << 18;
const SLICE_MS = 2;
/** Batches with large values have few rows. */
const ROWS_MAX = 32;

function isLarge(value: Value): boolean {
  if (typeof value === 'string') return value.length >= TEXT_MIN;
  return value instanceof ArrayValue && value.elements.length >= ELEMENTS_MIN;
}

/** Whether some of its rows must be written by `writeLargeRow`. */
export function hasLargeRows({ count, columns }: Batch): boolean {
  if (count > ROWS_MAX) return false;
  for (let row = 0; row < count; row++) if (isLargeRow(columns, row)) return true;
  return false;
}

export function isLargeRow(columns: readonly (readonly Value[])[], row: number): boolean {
  for (let c = 0; c < columns.length; c++) if (isLarge(columns[c][row])) return true;
  return false;
}

/** Yields after each slice. Values without parts are written at once. */
export function* writeLargeRow(
  out: MessageWriter,
  columns: readonly (readonly Value[])[],
  row: number,
  writers: readonly ValueWriter[],
  env: Environment,
): Generator<void, void> {
  let endMs = performance.now() + SLICE_MS;
  out.begin(BACKEND.dataRow);
  out.int16(writers.length);
  for (let c = 0; c < writers.length; c++) {
    const value = columns[c][row];
    const parts = value !== null && isLarge(value) ? (writers[c].parts?.(value, env) ?? null) : null;
    if (value === null) out.int32(-1);
    else if (parts === null) writers[c](out, value, env);
    else {
      const length = out.beginLength();
      if (typeof value === 'string') out.reserve(value.length);
      for (const part of parts) {
        out.utf8(part);
        if (performance.now() < endMs) continue;
        yield;
        endMs = performance.now() + SLICE_MS;
      }
      out.endLength(length);
    }
  }
  out.end();
}

/** Splits large values of a type into texts; undefined if they have no parts. */
export function partsOf(type: SqlType, binary: boolean): ValueWriter['parts'] {
  const { name } = type;
  if (name === 'text' || name === 'varchar' || name === 'json' || (name === 'jsonb' && !binary)) return (value) => textParts(value as string);
  if (binary) return undefined;
  if (name === 'bytea') return (value, env) => (env.byteaOutput === 'hex' ? hexParts(value as string, type, env) : null);
  if (type.element === null || !name.startsWith('_')) return undefined;
  // One dimension with lower bound 1: nothing precedes the brace.
  return (value, env) => (value instanceof ArrayValue && value.lengths.length === 1 && value.lowers[0] === 1 ? arrayParts(value, type, env) : null);
}

function* textParts(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + TEXT_STEP);
    // Do not split a surrogate pair.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to--;
    yield text.substring(from, to);
    from = to;
  }
}

function* hexParts(bytes: string, type: SqlType, env: Environment): Generator<string> {
  for (let from = 0; from < bytes.length; from += TEXT_STEP) {
    const text = type.format(bytes.substring(from, from + TEXT_STEP), env);
    yield from === 0 ? text : text.slice(2);
  }
}
