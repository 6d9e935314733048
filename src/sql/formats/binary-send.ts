/**
 * Values in Postgres's binary formats (the types' send functions): results of the wire protocol, COPY binary.
 *
 *     writeBinary(out, type, value, env)   appends to a buffer; binarySender(type) finds the function once per column
 *     sendBinary(type, value, env)         bytes of one value
 */
import { REGISTERED } from '../types/registered.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ArrayValue } from '../types/array-value.ts';
import type { Environment } from '../types/environment.ts';
import type { Geometry } from '../types/geometry.ts';
import type { Interval } from '../types/interval.ts';
import type { Numeric } from '../types/numeric.ts';
import type { MultirangeValue, RangeValue } from '../types/range-value.ts';
import { isRecordType } from '../types/record-type.ts';
import type { RecordValue } from '../types/record-value.ts';
import { bytesOf, familyOf, maskOf } from '../types/ip-address.ts';
import type { TimeTz } from '../types/timetz.ts';
import { tsOperatorCode } from '../types/tsquery.ts';
import type { TsNode, TsQuery } from '../types/tsquery-tree.ts';
import type { TsVector } from '../types/tsvector.ts';
import { shownXml } from '../types/xml/declaration.ts';
import type { SqlType } from '../types/type.ts';
import type { Value, Whole } from '../types/value.ts';
import { writeNumeric } from './binary-numeric.ts';
import { halfBits } from '../types/halfvec.ts';
import type { SparseVector } from '../types/sparsevec.ts';
import { BinaryWriter } from './binary-writer.ts';

/** Appends a value (not null), without its length. */
export type BinarySender = (out: BinaryWriter, value: Value, env: Environment) => void;

const INT32 = { min: -2147483648, max: 2147483647 } as const;
const INT64 = { min: -9223372036854775808n, max: 9223372036854775807n } as const;
/** Types whose binary form is a version followed by their text. */
const TEXT_VERSION = 1;

const text: BinarySender = (out, value) => out.utf8(value as string);
const unsigned: BinarySender = (out, value) => out.int32(value as number);
const int64: BinarySender = (out, value) => out.int64(value as Whole);
const timestamp: BinarySender = (out, value) => out.int64(value === Infinity ? INT64.max : value === -Infinity ? INT64.min : (value as Whole));

/** The number of bits, then the bits, the last byte padded with zeros. */
function sendBits(out: BinaryWriter, value: Value): void {
  const bits = value as string;
  out.int32(bits.length);
  for (let i = 0; i < bits.length; i += 8) out.byte(Number.parseInt(bits.slice(i, i + 8).padEnd(8, '0'), 2));
}

/** Family as in the socket library (2 and 3), mask, whether it is a cidr, bytes. */
function sendAddress(out: BinaryWriter, value: string, cidr: number): void {
  out.byte(familyOf(value) === 4 ? 2 : 3);
  out.byte(maskOf(value));
  out.byte(cidr);
  const bytes = bytesOf(value);
  out.byte(bytes.length);
  for (const byte of bytes) out.byte(byte);
}

function sendHex(out: BinaryWriter, value: Value): void {
  for (const byte of (value as string).split(':')) out.byte(Number.parseInt(byte, 16));
}

function sendNumbers(out: BinaryWriter, { numbers }: Geometry): void {
  for (const number of numbers) out.float64(number);
}

function sendPoints(out: BinaryWriter, value: Geometry): void {
  out.int32(value.numbers.length / 2);
  sendNumbers(out, value);
}

function sendText(out: BinaryWriter, value: string): void {
  out.utf8(value);
  out.byte(0);
}

/** The number of lexemes; each zero-terminated, with the number of positions and the positions with their weights. */
function sendVector(out: BinaryWriter, { lexemes, positions }: TsVector): void {
  out.int32(lexemes.length);
  lexemes.forEach((lexeme, i) => {
    sendText(out, lexeme);
    const own = positions[i] ?? [];
    out.int16(own.length);
    for (const each of own) out.int16(each);
  });
}

/** The number of words and operators; each operator before its right and then its left side. */
function sendQuery(out: BinaryWriter, { size, root }: TsQuery): void {
  out.int32(size);
  const send = (node: TsNode): void => {
    if (node.kind === 'word') {
      out.byte(1);
      out.byte(node.weight);
      out.byte(node.prefix ? 1 : 0);
      sendText(out, node.text);
      return;
    }
    out.byte(2);
    out.byte(tsOperatorCode(node.kind));
    if (node.kind === 'phrase') out.int16(node.distance);
    send(node.right);
    if (node.kind !== 'not') send(node.left);
  };
  if (root !== null) send(root);
}

const SENDERS = new Map<string, BinarySender>([
  ['bool', (out, value) => out.byte(value === true ? 1 : 0)],
  ['int2', (out, value) => out.int16(value as number)],
  ['int4', (out, value) => out.int32(value as number)],
  ['int8', int64],
  ['xid8', int64],
  ['float4', (out, value) => out.float32(value as number)],
  ['float8', (out, value) => out.float64(value as number)],
  ['numeric', (out, value) => writeNumeric(out, value as Numeric)],
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  ['name', text],
  ['unknown', text],
  ['refcursor', text],
  ['cstring', text],
  ['json', text],
  ['xml', (out, value) => out.utf8(shownXml(value as string))],
  ...['jsonb', 'jsonpath', 'ltree', 'lquery', 'ltxtquery'].map((name): [string, BinarySender] => [
    name,
    (out, value) => {
      out.byte(TEXT_VERSION);
      out.utf8(value as string);
    },
  ]),
  ['char', (out, value) => out.byte(value === '' ? 0 : (value as string).charCodeAt(0))],
  ['bytea', (out, value) => out.latin1(value as string)],
  ['uuid', (out, value) => out.uuid(value as string)],
  ['date', (out, value) => out.int32(value === Infinity ? INT32.max : value === -Infinity ? INT32.min : (value as number))],
  ['time', int64],
  [
    'timetz',
    (out, value) => {
      const { micros, offset } = value as TimeTz;
      out.int64(micros);
      // Postgres counts seconds west of UTC.
      out.int32(-offset);
    },
  ],
  ['timestamp', timestamp],
  ['timestamptz', timestamp],
  [
    'interval',
    (out, value) => {
      const { months, days, micros } = value as Interval;
      out.int64(micros);
      out.int32(days);
      out.int32(months);
    },
  ],
  ['xid', unsigned],
  ['cid', unsigned],
  [
    'tid',
    (out, value) => {
      const comma = (value as string).indexOf(',');
      out.int32(Number((value as string).slice(1, comma)));
      out.int16(Number((value as string).slice(comma + 1, -1)));
    },
  ],
  ['bit', sendBits],
  ['varbit', sendBits],
  ['inet', (out, value) => sendAddress(out, value as string, 0)],
  ['cidr', (out, value) => sendAddress(out, value as string, 1)],
  ['macaddr', sendHex],
  ['macaddr8', sendHex],
  ['money', int64],
  [
    'vector',
    (out, value) => {
      const vector = value as Float32Array;
      out.int16(vector.length);
      out.int16(0);
      for (const component of vector) out.float32(component);
    },
  ],
  [
    'halfvec',
    (out, value) => {
      const vector = value as Float32Array;
      out.int16(vector.length);
      out.int16(0);
      for (const component of vector) out.int16((halfBits(component) << 16) >> 16);
    },
  ],
  [
    'sparsevec',
    (out, value) => {
      const { dimensions, indices, values } = value as SparseVector;
      out.int32(dimensions);
      out.int32(indices.length);
      out.int32(0);
      for (const index of indices) out.int32(index);
      for (const component of values) out.float32(component);
    },
  ],
  ['void', () => {}],
  ...['point', 'lseg', 'box', 'line', 'circle'].map((name): [string, BinarySender] => [name, (out, value) => sendNumbers(out, value as Geometry)]),
  [
    'path',
    (out, value) => {
      out.byte((value as Geometry).closed ? 1 : 0);
      sendPoints(out, value as Geometry);
    },
  ],
  ['polygon', (out, value) => sendPoints(out, value as Geometry)],
  ['tsvector', (out, value) => sendVector(out, value as TsVector)],
  ['tsquery', (out, value) => sendQuery(out, value as TsQuery)],
]);
for (const name of ['oid', ...REGISTERED]) {
  SENDERS.set(name, unsigned);
}

const found = new WeakMap<SqlType, BinarySender>();

/** The send function of a type; 42883 for pseudo-types without a binary form. */
export function binarySender(type: SqlType): BinarySender {
  let sender = found.get(type);
  if (sender === undefined) found.set(type, (sender = senderFor(type)));
  return sender;
}

function senderFor(type: SqlType): BinarySender {
  if (type.domain !== null) return binarySender(type.domain.root);
  if (type.made !== undefined) {
    if (!type.made.sends) throw new SvcError('42883', `no binary output function available for type ${type.title}`);
    return binarySender(type.made.over);
  }
  if (type.element !== null) return arraySender(type.element);
  if (type.range !== null) return rangeSender(type);
  if (type.labels !== null) return text;
  if (isRecordType(type)) return sendRecord;
  const sender = SENDERS.get(type.name);
  if (sender === undefined) throw new SvcError('42883', `no binary output function available for type ${type.title}`);
  return sender;
}

/** Dimensions, whether there are nulls, the element type, bounds, then each element with its length. */
function arraySender(element: SqlType): BinarySender {
  const sendElement = binarySender(element);
  return (out, value, env) => {
    const { elements, lengths, lowers } = value as ArrayValue;
    out.int32(lengths.length);
    out.int32(elements.includes(null) ? 1 : 0);
    out.int32(element.oid);
    for (let i = 0; i < lengths.length; i++) {
      out.int32(lengths[i]);
      out.int32(lowers[i]);
    }
    for (let i = 0; i < elements.length; i++) field(out, sendElement, elements[i], env);
  };
}

/** Flags, then each existing bound with its length; a multirange is the number of ranges, and each with its length. */
function rangeSender(type: SqlType): BinarySender {
  const { subtype, multi } = type.range!;
  const sendBound = binarySender(subtype);
  const one: BinarySender = (out, value, env) => {
    const range = value as RangeValue;
    out.byte(rangeFlags(range));
    if (range.lower !== null) field(out, sendBound, range.lower, env);
    if (range.upper !== null) field(out, sendBound, range.upper, env);
  };
  if (!multi) return one;
  return (out, value, env) => {
    const { ranges } = value as MultirangeValue;
    out.int32(ranges.length);
    for (const range of ranges) field(out, one, range, env);
  };
}

function rangeFlags({ empty, lower, upper, lowerInc, upperInc }: RangeValue): number {
  if (empty) return 1;
  return (lowerInc ? 2 : 0) | (upperInc ? 4 : 0) | (lower === null ? 8 : 0) | (upper === null ? 16 : 0);
}

const sendRecord: BinarySender = (out, value, env) => {
  const { fields, types } = value as RecordValue;
  out.int32(fields.length);
  for (let i = 0; i < fields.length; i++) {
    out.int32(types[i].oid);
    field(out, binarySender(types[i]), fields[i], env);
  }
};

/** A length-prefixed value, -1 for null. */
function field(out: BinaryWriter, sender: BinarySender, value: Value, env: Environment): void {
  if (value === null) {
    out.int32(-1);
    return;
  }
  const at = out.beginLength();
  sender(out, value, env);
  out.endLength(at);
}

/** Appends a length-prefixed value, -1 for null: a field of a DataRow message and of COPY binary. */
export function writeBinaryField(out: BinaryWriter, type: SqlType, value: Value, env: Environment): void {
  field(out, binarySender(type), value, env);
}

/** Appends a value (not null), without its length. */
export function writeBinary(out: BinaryWriter, type: SqlType, value: Value, env: Environment): void {
  binarySender(type)(out, value, env);
}

const single = new BinaryWriter();

/** Bytes of a value (not null). */
export function sendBinary(type: SqlType, value: Value, env: Environment): Uint8Array {
  single.take();
  writeBinary(single, type, value, env);
  return single.take();
}
