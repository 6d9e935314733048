/**
 * Values from Postgres's binary formats (the types' receive functions): parameters of the wire protocol, COPY binary. Errors as in
 * Postgres: 08P01 for missing bytes, 22P03 for invalid values and excess bytes, and the types' own.
 */
import { REGISTERED } from '../types/registered.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Environment } from '../types/environment.ts';
import { boxOf } from '../types/geometric-types.ts';
import { isZero } from '../types/geometric-line.ts';
import { Geometry } from '../types/geometry.ts';
import { Interval } from '../types/interval.ts';
import { columnsOf, isRecordType, type RecordColumn } from '../types/record-type.ts';
import { addressOf, networkOf } from '../types/ip-address.ts';
import { mergedRanges } from '../types/multirange.ts';
import { makeRange } from '../types/range-order.ts';
import { successorOf } from '../types/range-type.ts';
import { EMPTY_RANGE, MultirangeValue, type RangeValue } from '../types/range-value.ts';
import { RecordValue } from '../types/record-value.ts';
import { isDateRange, isTimestampRange, MICROS_PER_DAY } from '../types/time/calendar.ts';
import { TimeTz } from '../types/timetz.ts';
import { TS_POSITION_MAX, TS_POSITIONS_MAX, TS_WORD_BYTES_MAX } from '../types/ts-word-reader.ts';
import { type TsNode, tsPair, TsQuery, tsWord } from '../types/tsquery-tree.ts';
import { type TsEntry, type TsVector, tsVectorOf } from '../types/tsvector.ts';
import type { SqlType } from '../types/type.ts';
import { hyphenate } from '../types/uuid.ts';
import { halfValue } from '../types/halfvec.ts';
import { SPARSE_ELEMENTS_MAX, sparseOf } from '../types/sparsevec.ts';
import { checkedComponent, checkedDimensions } from '../types/vector.ts';
import type { Value, Whole } from '../types/value.ts';
import { readNumeric } from './binary-numeric.ts';
import { BinaryReader } from './binary-reader.ts';

/** Reads a value from what remains of the reader. */
export type BinaryReceiver = (reader: BinaryReader, typmod: number, env: Environment) => Value;

const INT32 = { min: -2147483648, max: 2147483647 } as const;
const INT64 = { min: -9223372036854775808n, max: 9223372036854775807n } as const;
/** Types whose binary form is a version followed by their text. */
const VERSIONED: ReadonlySet<string> = new Set(['jsonb', 'jsonpath', 'ltree', 'lquery', 'ltxtquery']);
const TEXT_VERSION = 1;
const NAME_BYTES_MAX = 63;
/** Offsets are inside ±16 hours. */
const OFFSET_LIMIT = 57_600;
const DIMENSIONS_MAX = 6;
/** Postgres's MaxArraySize on machines of 64 bits. */
const ELEMENTS_MAX = 134_217_727;
const FIELDS_MAX = 1664;
const BITS_MAX = 83_886_080;

const text: BinaryReceiver = (reader) => reader.text();
const unsigned: BinaryReceiver = (reader) => reader.uint32();
const timestamp: BinaryReceiver = (reader) => {
  const value = reader.int64();
  if (value === INT64.max) return Infinity;
  if (value === INT64.min) return -Infinity;
  if (!isTimestampRange(value)) throw new SvcError('22008', 'timestamp out of range');
  return value;
};

function timeOfDay(micros: Whole): number {
  if (micros < 0 || micros > MICROS_PER_DAY) throw new SvcError('22008', 'time out of range');
  return micros as number;
}

function receiveBits(reader: BinaryReader): string {
  const length = reader.int32();
  if (length < 0 || length > BITS_MAX) throw new SvcError('22P03', 'invalid length in external bit string');
  let bits = '';
  for (let i = 0; i < length; i += 8) bits += reader.uint8().toString(2).padStart(8, '0');
  return bits.slice(0, length);
}

function receiveAddress(reader: BinaryReader, cidr: boolean): string {
  const type = cidr ? 'cidr' : 'inet';
  const wrong = (what: string): SvcError => new SvcError('22P03', `invalid ${what} in external "${type}" value`);
  const family = reader.uint8();
  if (family !== 2 && family !== 3) throw wrong('address family');
  const mask = reader.uint8();
  if (mask > (family === 2 ? 32 : 128)) throw wrong('bits');
  reader.uint8();
  const count = reader.uint8();
  if (count !== (family === 2 ? 4 : 16)) throw wrong('length');
  const bytes: number[] = [];
  for (let i = 0; i < count; i++) bytes.push(reader.uint8());
  const value = addressOf(family === 2 ? 4 : 6, mask, bytes);
  if (cidr && networkOf(value) !== value) throw new SvcError('22P03', 'invalid external "cidr" value', { detail: 'Value has bits set to right of mask.' });
  return value;
}

function receiveHex(reader: BinaryReader, count: number): string {
  const bytes: string[] = [];
  for (let i = 0; i < count; i++) bytes.push(reader.uint8().toString(16).padStart(2, '0'));
  return bytes.join(':');
}

function receiveNumbers(reader: BinaryReader, count: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < count; i++) out.push(reader.float64());
  return out;
}

function receivePoints(reader: BinaryReader, type: string): number[] {
  const count = reader.int32();
  if (count <= 0 || count > ELEMENTS_MAX) throw new SvcError('22P03', `invalid number of points in external "${type}" value`);
  return receiveNumbers(reader, 2 * count);
}

function receiveVector(reader: BinaryReader): TsVector {
  const count = reader.int32();
  if (count < 0 || count > ELEMENTS_MAX) throw new SvcError('XX000', 'invalid size of tsvector');
  const words: TsEntry[] = [];
  for (let i = 0; i < count; i++) {
    const text = reader.zeroEnded();
    const places = reader.uint16();
    if (Buffer.byteLength(text) >= TS_WORD_BYTES_MAX) throw new SvcError('XX000', 'invalid tsvector: lexeme too long');
    if (places > TS_POSITIONS_MAX) throw new SvcError('XX000', 'unexpected number of tsvector positions');
    const positions: number[] = [];
    for (let k = 0; k < places; k++) {
      positions.push(reader.uint16());
      if (k > 0 && (positions[k] & TS_POSITION_MAX) <= (positions[k - 1] & TS_POSITION_MAX)) throw new SvcError('XX000', 'position information is misordered');
    }
    words.push({ text, positions: places === 0 ? null : positions });
  }
  return tsVectorOf(words);
}

const QUERY_OPERATORS = ['not', 'and', 'or', 'phrase'] as const;

function receiveQuery(reader: BinaryReader): TsQuery {
  let left = reader.uint32();
  if (left > ELEMENTS_MAX) throw new SvcError('XX000', 'invalid size of tsquery');
  const receive = (): TsNode => {
    if (left-- <= 0) throw new SvcError('XX000', 'malformed tsquery: operand not found');
    const type = reader.uint8();
    if (type === 1) {
      const weight = reader.uint8();
      const prefix = reader.uint8() !== 0;
      const text = reader.zeroEnded();
      if (weight > 15) throw new SvcError('XX000', 'invalid tsquery: invalid weight bitmap');
      if (Buffer.byteLength(text) >= TS_WORD_BYTES_MAX) throw new SvcError('XX000', 'invalid tsquery: operand too long');
      return tsWord(text, weight, prefix);
    }
    if (type !== 2) throw new SvcError('XX000', `unrecognized tsquery node type: ${type}`);
    const code = reader.uint8();
    const kind = QUERY_OPERATORS[code - 1];
    if (kind === undefined) throw new SvcError('XX000', `invalid tsquery: unrecognized operator type ${code}`);
    if (kind === 'not') return { kind, right: receive() };
    const distance = kind === 'phrase' ? reader.int16() : 0;
    const right = receive();
    return tsPair(kind, receive(), right, distance);
  };
  const root = left === 0 ? null : receive();
  if (left > 0) throw new SvcError('XX000', 'malformed tsquery: extra nodes');
  return new TsQuery(root);
}

const RECEIVERS = new Map<string, BinaryReceiver>([
  ['bool', (reader) => reader.byte() !== 0],
  ['int2', (reader) => reader.int16()],
  ['int4', (reader) => reader.int32()],
  ['int8', (reader) => reader.int64()],
  ['xid8', (reader) => reader.uint64()],
  ['float4', (reader) => reader.float32()],
  ['float8', (reader) => reader.float64()],
  ['numeric', (reader) => readNumeric(reader)],
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  [
    'name',
    (reader) => {
      const size = reader.remaining;
      const name = reader.text();
      if (size > NAME_BYTES_MAX) throw new SvcError('42622', 'identifier too long', { detail: 'Identifier must be less than 64 characters.' });
      return name;
    },
  ],
  ['unknown', text],
  ['refcursor', text],
  ['cstring', text],
  [
    'char',
    (reader) => {
      const byte = reader.byte();
      return byte === 0 ? '' : String.fromCharCode(byte);
    },
  ],
  ['bytea', (reader) => reader.latin1()],
  ['uuid', (reader) => hyphenate(reader.hex(16))],
  [
    'date',
    (reader) => {
      const days = reader.int32();
      if (days === INT32.max) return Infinity;
      if (days === INT32.min) return -Infinity;
      if (!isDateRange(days)) throw new SvcError('22008', 'date out of range');
      return days;
    },
  ],
  ['time', (reader) => timeOfDay(reader.int64())],
  [
    'timetz',
    (reader) => {
      const micros = timeOfDay(reader.int64());
      const west = reader.int32();
      if (west <= -OFFSET_LIMIT || west >= OFFSET_LIMIT) throw new SvcError('22009', 'time zone displacement out of range');
      return new TimeTz(micros, 0 - west);
    },
  ],
  ['timestamp', timestamp],
  ['timestamptz', timestamp],
  [
    'interval',
    (reader) => {
      const micros = reader.int64();
      const days = reader.int32();
      return new Interval(reader.int32(), days, micros);
    },
  ],
  ['xid', unsigned],
  ['cid', unsigned],
  ['tid', (reader) => `(${reader.uint32()},${reader.uint16()})`],
  ['bit', receiveBits],
  ['varbit', receiveBits],
  ['inet', (reader) => receiveAddress(reader, false)],
  ['cidr', (reader) => receiveAddress(reader, true)],
  ['macaddr', (reader) => receiveHex(reader, 6)],
  ['macaddr8', (reader) => receiveHex(reader, reader.remaining === 6 ? 6 : 8)],
  ['money', (reader) => reader.int64()],
  ['vector', receiveComponents],
  ['halfvec', receiveHalves],
  ['sparsevec', receiveSparse],
  ['void', () => ''],
  ['point', (reader) => new Geometry(receiveNumbers(reader, 2))],
  ['lseg', (reader) => new Geometry(receiveNumbers(reader, 4))],
  ['box', (reader) => boxOf(receiveNumbers(reader, 4))],
  [
    'line',
    (reader) => {
      const numbers = receiveNumbers(reader, 3);
      if (isZero(numbers[0]) && isZero(numbers[1])) throw new SvcError('22P03', 'invalid line specification: A and B cannot both be zero');
      return new Geometry(numbers);
    },
  ],
  [
    'circle',
    (reader) => {
      const numbers = receiveNumbers(reader, 3);
      if (numbers[2] < 0) throw new SvcError('22P03', 'invalid radius in external "circle" value');
      return new Geometry(numbers);
    },
  ],
  [
    'path',
    (reader) => {
      const closed = reader.uint8() !== 0;
      return new Geometry(receivePoints(reader, 'path'), closed);
    },
  ],
  ['polygon', (reader) => new Geometry(receivePoints(reader, 'polygon'))],
  ['tsvector', receiveVector],
  ['tsquery', receiveQuery],
]);
for (const name of ['oid', ...REGISTERED]) {
  RECEIVERS.set(name, unsigned);
}

const found = new WeakMap<SqlType, BinaryReceiver>();

/** The receive function of a type; 42883 for pseudo-types without a binary form. */
export function binaryReceiver(type: SqlType): BinaryReceiver {
  let receiver = found.get(type);
  if (receiver === undefined) found.set(type, (receiver = receiverFor(type)));
  return receiver;
}

function receiverFor(type: SqlType): BinaryReceiver {
  if (type.domain !== null) {
    const { base, typmod } = type.domain;
    const receive = binaryReceiver(base);
    return (reader, _, env) => {
      const value = receive(reader, typmod, env);
      type.domain!.check(value, env);
      return value;
    };
  }
  if (type.made !== undefined) {
    if (!type.made.receives) throw new SvcError('42883', `no binary input function available for type ${type.title}`);
    return binaryReceiver(type.made.over);
  }
  if (type.element !== null) return arrayReceiver(type.element);
  if (type.range !== null) return rangeReceiver(type);
  if (isRecordType(type)) return recordReceiver(columnsOf(type));
  if (type.labels !== null || type.name === 'json' || type.name === 'xml') return (reader, _, env) => type.parse(reader.text(), -1, env);
  if (VERSIONED.has(type.name)) {
    return (reader, _, env) => {
      const version = reader.uint8();
      if (version !== TEXT_VERSION) throw new SvcError('XX000', `unsupported ${type.name} version number ${version}`);
      return type.parse(reader.text(), -1, env);
    };
  }
  const receiver = RECEIVERS.get(type.name);
  if (receiver === undefined) throw new SvcError('42883', `no binary input function available for type ${type.title}`);
  return (reader, typmod, env) => {
    const value = receiver(reader, typmod, env);
    return typmod === -1 ? value : type.coerce(value, typmod, false);
  };
}

function arrayReceiver(element: SqlType): BinaryReceiver {
  const receive = binaryReceiver(element);
  return (reader, typmod, env) => {
    const dimensions = reader.int32();
    if (dimensions < 0) throw new SvcError('22P03', `invalid number of dimensions: ${dimensions}`);
    if (dimensions > DIMENSIONS_MAX) {
      throw new SvcError('54000', `number of array dimensions (${dimensions}) exceeds the maximum allowed (${DIMENSIONS_MAX})`);
    }
    const flags = reader.int32();
    if (flags !== 0 && flags !== 1) throw new SvcError('22P03', 'invalid array flags');
    const oid = reader.uint32();
    if (oid !== element.oid) {
      throw new SvcError('42804', `binary data has array element type ${describe(oid, env)} instead of expected ${element.oid} (${element.title})`);
    }
    const lengths: number[] = [];
    const lowers: number[] = [];
    for (let i = 0; i < dimensions; i++) {
      lengths.push(reader.int32());
      lowers.push(reader.int32());
    }
    const elements: Value[] = [];
    const count = elementCount(lengths, lowers);
    for (let i = 0; i < count; i++) elements.push(receiveField(reader, receive, typmod, env, `array element ${i + 1}`));
    return new ArrayValue(elements, lengths, lowers);
  };
}

function elementCount(lengths: readonly number[], lowers: readonly number[]): number {
  let count = lengths.length === 0 ? 0 : 1;
  for (let i = 0; i < lengths.length; i++) {
    count *= lengths[i];
    if (lengths[i] < 0 || count > ELEMENTS_MAX) throw new SvcError('54000', `array size exceeds the maximum allowed (${ELEMENTS_MAX})`);
  }
  lengths.forEach((length, i) => {
    if (lowers[i] + length > INT32.max) throw new SvcError('54000', `array lower bound is too large: ${lowers[i]}`);
  });
  return count;
}

function rangeReceiver(type: SqlType): BinaryReceiver {
  const { subtype, multi } = type.range!;
  const receive = binaryReceiver(subtype);
  const next = successorOf(type);
  const one: BinaryReceiver = (reader, _, env) => {
    const flags = reader.uint8();
    if ((flags & 1) !== 0) return EMPTY_RANGE;
    const lower = (flags & 8) !== 0 ? null : receiveField(reader, receive, -1, env, 'range bound');
    const upper = (flags & 16) !== 0 ? null : receiveField(reader, receive, -1, env, 'range bound');
    return makeRange(subtype, next, lower, upper, (flags & 2) !== 0, (flags & 4) !== 0);
  };
  if (!multi) return one;
  return (reader, _, env) => {
    const count = reader.int32();
    if (count < 0 || count > ELEMENTS_MAX) throw new SvcError('22P03', 'insufficient data left in message');
    const ranges: RangeValue[] = [];
    for (let i = 0; i < count; i++) ranges.push(receiveField(reader, one, -1, env, 'multirange') as RangeValue);
    return new MultirangeValue(mergedRanges(subtype, ranges));
  };
}

function recordReceiver(columns: readonly RecordColumn[] | null): BinaryReceiver {
  if (columns === null) {
    return () => {
      throw new SvcError('0A000', 'input of anonymous composite types is not implemented');
    };
  }
  const types = columns.map((column) => column.type);
  return (reader, _, env) => {
    const count = reader.int32();
    if (count < 0 || count > FIELDS_MAX || count !== columns.length) {
      throw new SvcError('42804', `wrong number of columns: ${count}, expected ${columns.length}`);
    }
    const fields = columns.map(({ type, typmod }, i) => {
      const oid = reader.uint32();
      if (oid !== type.oid) {
        throw new SvcError('42804', `binary data has type ${describe(oid, env)} instead of expected ${type.oid} (${type.title}) in record column ${i + 1}`);
      }
      return receiveField(reader, binaryReceiver(type), typmod, env, `record column ${i + 1}`);
    });
    return new RecordValue(fields, types);
  };
}

function describe(oid: number, env: Environment): string {
  return `${oid} (${env.system?.typeTitle(oid, -1) ?? '???'})`;
}

/** A length-prefixed value, which must use all of its bytes. */
function receiveField(reader: BinaryReader, receive: BinaryReceiver, typmod: number, env: Environment, place: string): Value {
  const size = reader.int32();
  if (size === -1) return null;
  if (size < -1 || size > reader.remaining) throw new SvcError('22P03', 'insufficient data left in message');
  const outer = reader.enter(size);
  const value = receive(reader, typmod, env);
  if (reader.remaining !== 0) throw new SvcError('22P03', `improper binary format in ${place}`);
  reader.leave(outer);
  return value;
}

/** The value of all the bytes. `typmod` as in pg_attribute, -1 for none. */
export function receiveBinary(type: SqlType, bytes: Uint8Array, typmod: number, env: Environment): Value {
  const reader = new BinaryReader(bytes);
  const value = binaryReceiver(type)(reader, typmod, env);
  if (reader.remaining !== 0) throw new SvcError('22P03', 'incorrect binary data format');
  return value;
}

function receiveComponents(reader: BinaryReader): Value {
  const count = reader.int16();
  checkedDimensions(count);
  const unused = reader.int16();
  if (unused !== 0) throw new SvcError('22000', `expected unused to be 0, not ${unused}`);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) out[i] = checkedComponent(reader.float32());
  return out;
}

function receiveHalves(reader: BinaryReader): Value {
  const count = reader.int16();
  checkedDimensions(count, 'halfvec');
  const unused = reader.int16();
  if (unused !== 0) throw new SvcError('22000', `expected unused to be 0, not ${unused}`);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) out[i] = checkedComponent(halfValue(reader.int16() & 0xffff), 'halfvec');
  return out;
}

/** Dimensions, number of elements, unused; then the indices from 0, and the values. */
function receiveSparse(reader: BinaryReader): Value {
  const dimensions = reader.int32();
  const count = reader.int32();
  const unused = reader.int32();
  if (unused !== 0) throw new SvcError('22000', `expected unused to be 0, not ${unused}`);
  if (count < 0 || count > SPARSE_ELEMENTS_MAX) throw new SvcError('54000', `sparsevec cannot have more than ${SPARSE_ELEMENTS_MAX} non-zero elements`);
  const indices = Array.from({ length: count }, () => reader.int32());
  return sparseOf(
    dimensions,
    indices.map((index) => [index, checkedComponent(reader.float32(), 'sparsevec')]),
  );
}
