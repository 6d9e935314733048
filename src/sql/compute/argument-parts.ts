/**
 * Large arguments are sent to a thread in parts: one message with a text of 100 MB would be copied in one turn of the event loop.
 * The caller builds some parts per turn, each in its own memory that is transferred, not copied; the thread joins them.
 *
 *     text    parts of TEXT_STEP characters, latin-1 if they fit a byte, otherwise UTF-16
 *     array   its shape, and parts of ELEMENTS_STEP elements as in a spill file
 */
import { SpillCodec } from '../exec/spill-codec.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { LENGTH_BYTES, received, sent, type Sent } from './call-codec.ts';

/** Shorter texts and lists are sent as they are. */
const TEXT_MIN = 1 << 20;
const ELEMENTS_MIN = 8192;
const TEXT_STEP = 1 << 18;
const ELEMENTS_STEP = 2048;

export interface TextParts {
  readonly kind: 'text';
  readonly parts: { readonly latin: boolean; readonly bytes: Uint8Array }[];
}

export interface ArrayParts {
  readonly kind: 'array';
  readonly lengths: readonly number[];
  readonly lowers: readonly number[];
  readonly parts: Uint8Array[];
}

export type Argument = Sent | TextParts | ArrayParts;

/** Whether it is sent in parts. */
export function isLarge(value: Value | undefined): boolean {
  return typeof value === 'string' ? value.length >= TEXT_MIN : value instanceof ArrayValue && value.elements.length >= ELEMENTS_MIN;
}

/** Arguments in the form to be sent; a step takes less than a millisecond. `moved` collects the memory to transfer. */
export function* argumentsInParts(values: readonly (Value | undefined)[], moved: ArrayBuffer[]): Generator<void, Argument[]> {
  const all: Argument[] = [];
  for (const value of values) {
    if (!isLarge(value)) all.push(sent(value));
    else if (typeof value === 'string') all.push(yield* textParts(value, moved));
    else all.push(yield* arrayParts(value as ArrayValue, moved));
  }
  return all;
}

function* textParts(text: string, moved: ArrayBuffer[]): Generator<void, TextParts> {
  const parts: TextParts['parts'] = [];
  for (let from = 0; from < text.length; from += TEXT_STEP) {
    const part = text.substring(from, from + TEXT_STEP);
    // oxlint-disable-next-line no-control-regex
    const latin = !/[^\0-\xff]/.test(part);
    const bytes = Buffer.allocUnsafeSlow(latin ? part.length : part.length * 2);
    bytes.write(part, 0, latin ? 'latin1' : 'utf16le');
    moved.push(bytes.buffer as ArrayBuffer);
    parts.push({ latin, bytes });
    yield;
  }
  return { kind: 'text', parts };
}

function* arrayParts({ elements, lengths, lowers }: ArrayValue, moved: ArrayBuffer[]): Generator<void, ArrayParts> {
  const codec = new SpillCodec();
  const parts: Uint8Array[] = [];
  for (let from = 0; from < elements.length; from += ELEMENTS_STEP) {
    const column = elements.slice(from, from + ELEMENTS_STEP);
    const bytes = new Uint8Array(codec.encode({ count: column.length, columns: [column] }).subarray(LENGTH_BYTES));
    moved.push(bytes.buffer);
    parts.push(bytes);
    yield;
  }
  return { kind: 'array', lengths, lowers, parts };
}

/** On the thread. */
export function joined(argument: Argument): Value | undefined {
  if (typeof argument !== 'object' || argument === null || argument instanceof Uint8Array) return received(argument);
  if (argument.kind === 'text') return argument.parts.map(({ latin, bytes }) => viewOf(bytes).toString(latin ? 'latin1' : 'utf16le')).join('');
  const elements: Value[] = [];
  const codec = new SpillCodec();
  for (const part of argument.parts) for (const value of codec.decode(viewOf(part), 1).columns[0]) elements.push(value);
  return new ArrayValue(elements, argument.lengths, argument.lowers);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
