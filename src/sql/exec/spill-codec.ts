/**
 * Rows as bytes in a temporary file, batch by batch: for one run of one process only, so types of records are
 * kept by reference.
 *
 *   batch   length 4, count 4, then the values column by column
 *   value   tag 1: 0 null, 1 false, 2 true, 3 number (8), 4 bigint and 5 string (length 4, UTF-16LE or latin-1),
 *           6 numeric, 7 interval, 8 timetz, 9 array, 10 record, 11 latin-1 string, 12 range, 13 multirange,
 *           14 tsvector and 15 tsquery (as text), 16 geometric, 17 vector and halfvec, 18 sparsevec
 */
import { ArrayValue } from '../types/array-value.ts';
import { Geometry } from '../types/geometry.ts';
import { Interval } from '../types/interval.ts';
import { Numeric } from '../types/numeric.ts';
import { MultirangeValue, RangeValue } from '../types/range-value.ts';
import { RecordValue } from '../types/record-value.ts';
import { sparseOf, SparseVector } from '../types/sparsevec.ts';
import { TimeTz } from '../types/timetz.ts';
import { tsQueryText } from '../types/tsquery.ts';
import { parseTsQuery } from '../types/tsquery-parse.ts';
import { TsQuery } from '../types/tsquery-tree.ts';
import { parseTsVector, TsVector, tsVectorText } from '../types/tsvector.ts';
import type { SqlType } from '../types/type.ts';
import type { Value, Whole } from '../types/value.ts';
import type { Batch } from './batch.ts';

export class SpillCodec {
  #bytes = Buffer.alloc(65536);
  #at = 0;
  readonly #types: (readonly SqlType[])[] = [];

  encode(batch: Batch): Buffer {
    this.#at = 4;
    this.#number(batch.count);
    for (const column of batch.columns) for (let i = 0; i < batch.count; i++) this.#value(column[i]);
    this.#bytes.writeUInt32LE(this.#at - 4, 0);
    return this.#bytes.subarray(0, this.#at);
  }

  /** Of the bytes after the length. */
  decode(bytes: Buffer, width: number): Batch {
    const reader = new Reader(bytes, this.#types);
    const count = reader.number();
    const columns: Value[][] = [];
    for (let c = 0; c < width; c++) {
      const column: Value[] = new Array(count);
      for (let i = 0; i < count; i++) column[i] = reader.value();
      columns.push(column);
    }
    return { count, columns };
  }

  #room(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#at + length));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }

  #tag(tag: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = tag;
  }

  #number(value: number): void {
    this.#room(8);
    this.#bytes.writeDoubleLE(value, this.#at);
    this.#at += 8;
  }

  #text(value: string, encoding: 'latin1' | 'utf16le'): void {
    const length = encoding === 'latin1' ? value.length : value.length * 2;
    this.#number(length);
    this.#room(length);
    this.#bytes.write(value, this.#at, encoding);
    this.#at += length;
  }

  #value(value: Value): void {
    switch (typeof value) {
      case 'number':
        this.#tag(3);
        return this.#number(value);
      case 'boolean':
        return this.#tag(value ? 2 : 1);
      case 'bigint':
        this.#tag(4);
        return this.#text(String(value), 'latin1');
      case 'string': {
        let latin = true;
        for (let i = 0; i < value.length && latin; i++) latin = value.charCodeAt(i) < 256;
        this.#tag(latin ? 11 : 5);
        return this.#text(value, latin ? 'latin1' : 'utf16le');
      }
      default:
    }
    if (value === null) return this.#tag(0);
    if (value instanceof Numeric) {
      this.#tag(6);
      this.#value(value.coefficient);
      return this.#number(value.scale);
    }
    if (value instanceof Interval) {
      this.#tag(7);
      this.#number(value.months);
      this.#number(value.days);
      return this.#value(value.micros);
    }
    if (value instanceof TimeTz) {
      this.#tag(8);
      this.#number(value.micros);
      return this.#number(value.offset);
    }
    if (value instanceof ArrayValue) {
      this.#tag(9);
      this.#number(value.lengths.length);
      value.lengths.forEach((length, i) => {
        this.#number(length);
        this.#number(value.lowers[i]);
      });
      this.#number(value.elements.length);
      for (const element of value.elements) this.#value(element);
      return;
    }
    if (value instanceof RangeValue) {
      this.#tag(12);
      this.#number((value.empty ? 1 : 0) | (value.lowerInc ? 2 : 0) | (value.upperInc ? 4 : 0));
      this.#value(value.lower);
      return this.#value(value.upper);
    }
    if (value instanceof MultirangeValue) {
      this.#tag(13);
      this.#number(value.ranges.length);
      for (const range of value.ranges) this.#value(range);
      return;
    }
    if (value instanceof Float32Array) {
      this.#tag(17);
      this.#number(value.length);
      for (const component of value) this.#number(component);
      return;
    }
    if (value instanceof SparseVector) {
      this.#tag(18);
      this.#number(value.dimensions);
      this.#number(value.indices.length);
      value.indices.forEach((index, i) => {
        this.#number(index);
        this.#number(value.values[i]);
      });
      return;
    }
    if (value instanceof TsVector || value instanceof TsQuery) {
      const vector = value instanceof TsVector;
      this.#tag(vector ? 14 : 15);
      return this.#value(vector ? tsVectorText(value) : tsQueryText(value));
    }
    if (value instanceof Geometry) {
      this.#tag(16);
      this.#number(value.closed ? 1 : 0);
      this.#number(value.numbers.length);
      for (const number of value.numbers) this.#number(number);
      return;
    }
    this.#tag(10);
    let types = this.#types.indexOf(value.types);
    if (types < 0) types = this.#types.push(value.types) - 1;
    this.#number(types);
    for (const field of value.fields) this.#value(field);
  }
}

class Reader {
  readonly #bytes: Buffer;
  readonly #types: readonly (readonly SqlType[])[];
  #at = 0;

  constructor(bytes: Buffer, types: readonly (readonly SqlType[])[]) {
    this.#bytes = bytes;
    this.#types = types;
  }

  number(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  #text(encoding: 'latin1' | 'utf16le'): string {
    const length = this.number();
    this.#at += length;
    return this.#bytes.toString(encoding, this.#at - length, this.#at);
  }

  value(): Value {
    switch (this.#bytes[this.#at++]) {
      case 0:
        return null;
      case 1:
        return false;
      case 2:
        return true;
      case 3:
        return this.number();
      case 4:
        return BigInt(this.#text('latin1'));
      case 5:
        return this.#text('utf16le');
      case 11:
        return this.#text('latin1');
      case 6: {
        const coefficient = this.value() as Whole;
        return new Numeric(coefficient, this.number());
      }
      case 7: {
        const months = this.number();
        const days = this.number();
        return new Interval(months, days, this.value() as Whole);
      }
      case 8: {
        const micros = this.number();
        return new TimeTz(micros, this.number());
      }
      case 9: {
        const lengths: number[] = [];
        const lowers: number[] = [];
        for (let dimensions = this.number(); dimensions > 0; dimensions--) {
          lengths.push(this.number());
          lowers.push(this.number());
        }
        const elements: Value[] = [];
        for (let count = this.number(); count > 0; count--) elements.push(this.value());
        return new ArrayValue(elements, lengths, lowers);
      }
      case 12: {
        const flags = this.number();
        const lower = this.value();
        return new RangeValue(lower, this.value(), (flags & 2) !== 0, (flags & 4) !== 0, (flags & 1) !== 0);
      }
      case 13: {
        const ranges: RangeValue[] = [];
        for (let count = this.number(); count > 0; count--) ranges.push(this.value() as RangeValue);
        return new MultirangeValue(ranges);
      }
      case 17: {
        const vector = new Float32Array(this.number());
        for (let i = 0; i < vector.length; i++) vector[i] = this.number();
        return vector;
      }
      case 14:
        return parseTsVector(this.value() as string);
      case 15:
        return parseTsQuery(this.value() as string);
      case 16: {
        const closed = this.number() === 1;
        const numbers: number[] = [];
        for (let count = this.number(); count > 0; count--) numbers.push(this.number());
        return new Geometry(numbers, closed);
      }
      case 18: {
        const dimensions = this.number();
        return sparseOf(
          dimensions,
          Array.from({ length: this.number() }, () => [this.number(), this.number()] as const),
        );
      }
      default: {
        const types = this.#types[this.number()];
        return new RecordValue(
          types.map(() => this.value()),
          types,
        );
      }
    }
  }
}

/** Approximate memory of a batch, from a sample of its rows. */
export function batchBytes(batch: Batch): number {
  let bytes = 0;
  const step = Math.max(1, Math.floor(batch.count / 16));
  let taken = 0;
  for (let i = 0; i < batch.count; i += step) {
    taken++;
    for (const column of batch.columns) bytes += valueBytes(column[i]);
  }
  return taken === 0 ? 0 : (bytes / taken) * batch.count;
}

/** Including the slot that holds it. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? 8 : 24;
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof TsVector) return 72 + 72 * value.lexemes.length;
  if (value instanceof Geometry) return 72 + 8 * value.numbers.length;
  if (value instanceof ArrayValue) return 72 + listBytes(value.elements);
  if (value instanceof RecordValue) return 72 + listBytes(value.fields);
  if (value instanceof Float32Array) return 72 + value.byteLength;
  if (value instanceof SparseVector) return 200 + value.indices.byteLength + value.values.byteLength;
  // A whole number beyond 2^53 is measured by its digits.
  if (value instanceof Numeric) return typeof value.coefficient === 'bigint' ? 256 : 56;
  return 56;
}

/** Longer lists are sampled. */
const LIST_SAMPLE = 64;

function listBytes(values: readonly unknown[]): number {
  const { length } = values;
  const step = Math.max(1, Math.floor(length / LIST_SAMPLE));
  let bytes = 0;
  let taken = 0;
  for (let i = 0; i < length; i += step) {
    bytes += 8 + valueBytes(values[i]);
    taken++;
  }
  return taken === 0 ? 0 : Math.ceil((bytes / taken) * length);
}
