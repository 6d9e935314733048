/**
 * vector(n): float4 components, 1 to 16000 of them, none NaN or infinite. The type, its texts, messages and wire form are those of
 * the extension pgvector. Cells contain the components as bytes, so that a scan over distances parses nothing.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { formatFloat4 } from './float-text.ts';
import { writeFixedFloat4 } from './float4-digits.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export const VECTOR_OID = 9801;
export const VECTOR_DIMENSIONS_MAX = 16_000;

const NUMBER = /[\t\n\v\f\r ]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf(?:inity)?|nan))[\t\n\v\f\r ]*/iy;

export function invalidVector(type: VectorName, text: string, detail?: string): SvcError {
  return new SvcError('22P02', `invalid input syntax for type ${type}: "${text}"`, detail === undefined ? {} : { detail });
}

/** The types with components; errors name them. */
export type VectorName = 'vector' | 'halfvec' | 'sparsevec';

/** 22000 for an invalid component. */
export function checkedComponent(value: number, type: VectorName = 'vector'): number {
  if (value !== value) throw new SvcError('22000', `NaN not allowed in ${type}`);
  if (value === Infinity || value === -Infinity) throw new SvcError('22000', `infinite value not allowed in ${type}`);
  return value;
}

export function checkedDimensions(count: number, type: VectorName = 'vector'): void {
  if (count < 1) throw new SvcError('22000', `${type} must have at least 1 dimension`);
  if (count > VECTOR_DIMENSIONS_MAX) throw new SvcError('54000', `${type} cannot have more than ${VECTOR_DIMENSIONS_MAX} dimensions`);
}

export function parseVector(text: string, typmod: number): Float32Array {
  return ofDimensions(parseComponents(text, 'vector', Math.fround), typmod);
}

/** `[1,2,3]`; `rounded` to the type's precision. */
export function parseComponents(text: string, type: VectorName, rounded: (value: number) => number): Float32Array {
  const invalid = (of: string, detail?: string): SvcError => invalidVector(type, of, detail);
  let at = 0;
  const skip = (): void => {
    while (' \t\n\v\f\r'.includes(text[at] ?? 'x')) at++;
  };
  skip();
  if (text[at] !== '[') throw invalid(text, 'Vector contents must start with "[".');
  at++;
  skip();
  if (text[at] === ']') throw new SvcError('22000', `${type} must have at least 1 dimension`);
  const out: number[] = [];
  for (;;) {
    if (out.length === VECTOR_DIMENSIONS_MAX) throw new SvcError('54000', `${type} cannot have more than ${VECTOR_DIMENSIONS_MAX} dimensions`);
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text);
    if (found === null) throw invalid(text);
    const [whole, number] = found;
    const value = rounded(/[a-z]/i.test(number) && !/\d/.test(number) ? wordNumber(number) : Number(number));
    if (!Number.isFinite(value) && /\d/.test(number)) throw new SvcError('22003', `"${number}" is out of range for type ${type}`);
    out.push(checkedComponent(value, type));
    at += whole.length;
    const next = text[at++];
    if (next === ',') continue;
    if (next === ']') break;
    throw invalid(text, next === undefined ? 'Unexpected end of input.' : undefined);
  }
  skip();
  if (at < text.length) throw invalid(text, 'Junk after closing right brace.');
  return Float32Array.from(out);
}

function wordNumber(word: string): number {
  const sign = word.startsWith('-') ? -1 : 1;
  return /nan/i.test(word) ? Number.NaN : sign * Infinity;
}

/** 22000 if the dimension differs from the column's. */
export function ofDimensions(vector: Float32Array, typmod: number): Float32Array {
  if (typmod > 0 && vector.length !== typmod) throw new SvcError('22000', `expected ${typmod} dimensions, not ${vector.length}`);
  return vector;
}

/** Used again for each text: 16 bytes for each component, the longest with its comma. */
let textBytes = Buffer.alloc(0);

export function vectorText(vector: Float32Array, extraFloatDigits = 1): string {
  const room = vector.length * 16 + 2;
  if (textBytes.length < room) textBytes = Buffer.alloc(room);
  textBytes[0] = 0x5b;
  let at = 1;
  for (let i = 0; i < vector.length; i++) {
    if (i > 0) textBytes[at++] = 0x2c;
    const end = extraFloatDigits > 0 ? writeFixedFloat4(vector[i], textBytes, at) : 0;
    at = end > 0 ? end : at + textBytes.latin1Write(formatFloat4(vector[i], extraFloatDigits), at);
  }
  textBytes[at++] = 0x5d;
  return textBytes.latin1Slice(0, at);
}

/** By components, the shorter one first if it is a prefix of the other. */
export function compareVectors(a: Float32Array, b: Float32Array): number {
  const count = Math.min(a.length, b.length);
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return a.length - b.length;
}

/** Bytes of the components, one character each. Both zeros are equal. */
export function vectorBytes(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('latin1');
}

export function vectorOfBytes(bytes: string): Float32Array {
  const out = new Float32Array(bytes.length >> 2);
  Buffer.from(out.buffer).write(bytes, 'latin1');
  return out;
}

export const VECTOR: SqlType = makeType({
  oid: VECTOR_OID,
  name: 'vector',
  title: 'vector',
  category: 'U',
  length: -1,
  repr: 'object',
  arrayOid: 9802,
  parse: parseVector,
  format: (value) => vectorText(value as Float32Array),
  compare: (a, b) => compareVectors(a as Float32Array, b as Float32Array),
  hashKey: (value) => vectorBytes((value as Float32Array).map((component) => component + 0)),
  coerce: (value: Value, typmod) => ofDimensions(value as Float32Array, typmod),
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});
