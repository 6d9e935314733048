/**
 * Values as byte strings whose order is the type's own: keys of rows and entries of indexes, written and read
 * back. Types whose cells order as they are use the cell's code (see worlds/memcomparable); the others have
 * codes of their own here, and where an index needs one, writers keep it in a hidden cell of code `raw`.
 *
 *   numeric    numeric-key.ts                             jsonb      jsonb-key.ts
 *   interval   its length in microseconds, 16 bytes           timetz  UTC microseconds 8, offset 4
 *   enum       the label's order, 8 bytes
 *   array      01 code of the element | 02 null, for each; 00; dimensions with lengths and lower bounds
 *   record     the same without dimensions
 *   vector     01 and a component, for each; 00
 *   tsvector   its size and count, 8 bytes; of each lexeme 00 with places or 01, its UTF-8, 00, and places turned round
 *   tsquery    its size in nodes and bytes, 8 bytes; operators 00 code and sides, words 01, checksum, UTF-8, 00
 *   range      00 empty | 01 lower bound, upper bound; a multirange is its ranges, each behind 01, and 00
 *
 * Texts with a collation that is not deterministic have the codes of what it makes of them.
 * Equal values have equal keys (1.0 and 1.00), so what is read back equals what was written but need not
 * print alike. Text orders by the bytes of its UTF-8: the collation is C.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum, Key } from '../../tree/datum.ts';
import { utf8Key, keyText } from '../../worlds/catalog.ts';
import type { KeyCode } from '../../worlds/definition.ts';
import { complement, decodeCell, encodeCell, encodeSafe } from '../../worlds/memcomparable.ts';
import { ArrayValue } from '../types/array-value.ts';
import { folded } from '../types/citext.ts';
import { foldedText } from '../types/folded-text.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { ltreeOfSortKey, ltreeSortKey } from '../types/ltree.ts';
import { Interval } from '../types/interval.ts';
import { jsonbOf, treeOf } from '../types/jsonb.ts';
import type { Numeric } from '../types/numeric.ts';
import { columnsOf, isRecordType, type RecordColumn } from '../types/record-type.ts';
import { EMPTY_RANGE, MultirangeValue, RangeValue } from '../types/range-value.ts';
import { RecordValue } from '../types/record-value.ts';
import { maskOf } from '../types/ip-address.ts';
import { TimeTz } from '../types/timetz.ts';
import { tsCrc, tsOperatorCode, tsQueryBytes } from '../types/tsquery.ts';
import { type TsNode, tsPair, TsQuery, tsWord } from '../types/tsquery-tree.ts';
import { TsVector } from '../types/tsvector.ts';
import { sparseOf, type SparseVector } from '../types/sparsevec.ts';
import type { SqlType } from '../types/type.ts';
import { type Value, whole } from '../types/value.ts';
import { decodeJsonb, encodeJsonb } from './jsonb-key.ts';
import { decodeNumeric, encodeNumeric } from './numeric-key.ts';
import { OID, OID_ALIASES } from './oids.ts';
import { storageOf } from './storage.ts';

export interface KeyCodec {
  /** The code by which the fold makes the key of the column's own cell; `raw` where it needs a hidden one. */
  readonly code: KeyCode;
  /** Not for null. */
  encode(value: Value): string;
  decode(key: string, at: number): { value: Value; end: number };
}

/** Orders of an enum's labels, which do not change when labels are put between. */
export type LabelOrders = (type: SqlType) => readonly { readonly label: string; readonly order: number }[];

const positions: LabelOrders = (type) => type.labels!.map((label, order) => ({ label, order }));

/** 0A000 for a type without an order of keys. */
export function keyCodec(type: SqlType, typmod: number, orders: LabelOrders = positions): KeyCodec {
  switch (type.oid) {
    case OID.bool:
      return cellCodec(type, typmod, 'bool');
    case OID.int2:
    case OID.int4:
      return cellCodec(type, typmod, 'i32');
    case OID.oid:
    case OID.int8:
    case OID.time:
    case OID.timestamp:
    case OID.timestamptz:
      return cellCodec(type, typmod, 'i64');
    case OID.date:
      return dateCodec(cellCodec(type, typmod, 'i64'));
    case OID.float4:
    case OID.float8:
      return cellCodec(type, typmod, 'f64');
    case OID.text:
    case OID.varchar:
    case OID.name:
    case OID.char:
    case OID.uuid:
    case OID.bit:
    case OID.varbit:
    case OID.macaddr:
    case OID.macaddr8:
      return cellCodec(type, typmod, 'text');
    case OID.money:
      return cellCodec(type, typmod, 'i64');
    case OID.inet:
    case OID.cidr:
      return ADDRESS;
    case OID.bpchar:
      return BPCHAR;
    case OID.citext:
      return CITEXT;
    case OID.hstore:
      return cellCodec(type, typmod, 'text');
    case OID.ltree:
      return LTREE;
    case OID.vector:
    case OID.halfvec:
      return VECTOR;
    case OID.sparsevec:
      return SPARSEVEC;
    case OID.bytea:
      return cellCodec(type, typmod, 'bin');
    case OID.numeric:
      // One code for all precisions: a bound of a search may have more digits than the column.
      return NUMERIC;
    case OID.jsonb:
      return JSONB;
    case OID.interval:
      return INTERVAL;
    case OID.timetz:
      return TIMETZ;
    case OID.tsvector:
      return TSVECTOR;
    case OID.tsquery:
      return TSQUERY;
    default:
      if (type.domain !== null) return keyCodec(type.domain.root, -1, orders);
      if (OID_ALIASES.has(type.oid)) return cellCodec(type, typmod, 'i64');
      if (type.labels !== null) return enumCodec(type, orders);
      if (type.range !== null) return rangeCodec(type, orders);
      if (type.element !== null && type.category === 'A') return arrayCodec(type.element, orders);
      if (isRecordType(type)) return recordCodec(columnsOf(type), orders);
      throw new SvcError('42704', `data type ${type.title} has no default operator class for access method "btree"`, {
        hint: 'You must specify an operator class for the index or define a default operator class for the data type.',
      });
  }
}

/** A column of a key, with the collation that its texts are equal by where that is not deterministic. */
export interface KeyColumn {
  readonly type: SqlType;
  readonly typmod?: number;
  readonly folding?: IcuCollation;
}

export function columnCodec({ type, typmod = -1, folding }: KeyColumn, orders: LabelOrders = positions): KeyCodec {
  if (folding === undefined) return keyCodec(type, typmod, orders);
  return { code: 'raw', encode: (value) => encodeCell(foldedText(type, folding, value as string), 'text'), decode: BPCHAR.decode };
}

/** For values that are folded: what statements look up. */
export const FOLDED: KeyCodec = { code: 'raw', encode: (value) => encodeCell(value as string, 'text'), decode: (key, at) => BPCHAR.decode(key, at) };

function cellCodec(type: SqlType, typmod: number, code: KeyCode): KeyCodec {
  const storage = storageOf(type, typmod);
  return {
    code,
    encode: (value) => encodeCell(storage.encode(value), code),
    decode: (key, at) => {
      const { value, end } = decodeCell(key, at, code);
      return { value: storage.decode(value), end };
    },
  };
}

/** Dates are numbers of days; infinity is an end of the range. */
function dateCodec({ code, encode, decode }: KeyCodec): KeyCodec {
  return {
    code,
    encode,
    decode: (key, at) => {
      const { value, end } = decode(key, at);
      return { value: typeof value === 'bigint' ? (value > 0n ? Infinity : -Infinity) : value, end };
    },
  };
}

/** Family; the bits of the mask, a character each, so that a network comes before what is in it; the address. */
const ADDRESS: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const address = value as string;
    const mask = maskOf(address);
    let bits = '';
    for (let i = 0; i < mask; i++) bits += (address.charCodeAt(2 + (i >> 3)) >> (7 - (i & 7))) & 1 ? '\x02' : '\x01';
    return `${address[0]}${bits}\0${address.slice(2)}`;
  },
  decode: (key, at) => {
    const end = key.indexOf('\0', at + 1);
    const last = end + 1 + (key.charCodeAt(at) === 4 ? 4 : 16);
    return { value: `${key[at]}${String.fromCharCode(end - at - 1)}${key.slice(end + 1, last)}`, end: last };
  },
};

/** Trailing blanks do not count. */
const BPCHAR: KeyCodec = {
  code: 'raw',
  encode: (value) => encodeCell((value as string).replace(/ +$/, ''), 'text'),
  decode: (key, at) => decodeCell(key, at, 'text') as { value: Value; end: number },
};

/** Label by label. */
const LTREE: KeyCodec = {
  code: 'raw',
  encode: (value) => encodeCell(ltreeSortKey(value as string), 'text'),
  decode: (key, at) => {
    const { value, end } = decodeCell(key, at, 'text');
    return { value: ltreeOfSortKey(value as string), end };
  },
};

/** In lower case: what a key gives back compares as what was put in. */
const CITEXT: KeyCodec = {
  code: 'raw',
  encode: (value) => encodeCell(folded(value as string), 'text'),
  decode: BPCHAR.decode,
};

/** Component after component, so that a vector comes before those that it begins. */
const VECTOR: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    let key = '';
    for (const component of value as Float32Array) key += `\x01${encodeCell(component + 0, 'f64')}`;
    return `${key}\0`;
  },
  decode: (key, at) => {
    const components: number[] = [];
    for (; key.charCodeAt(at) === 1;) {
      const { value, end } = decodeCell(key, at + 1, 'f64');
      components.push(value as number);
      at = end;
    }
    return { value: Float32Array.from(components), end: at + 1 };
  },
};

/** Components below zero come before the zeros that are not stored, and those after them: each index counts down, or up, from there. */
const SPARSEVEC: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const { dimensions, indices, values } = value as SparseVector;
    let key = '';
    for (let i = 0; i < indices.length; i++) {
      const isBelow = values[i] < 0;
      key += `${isBelow ? '\x01' : '\x03'}${encodeCell(isBelow ? indices[i] : 0 - indices[i], 'f64')}${encodeCell(values[i], 'f64')}`;
    }
    return `${key}\x02${encodeCell(dimensions, 'f64')}`;
  },
  decode: (key, at) => {
    const elements: [number, number][] = [];
    for (; key.charCodeAt(at) !== 2;) {
      const index = decodeCell(key, at + 1, 'f64');
      const component = decodeCell(key, index.end, 'f64');
      elements.push([Math.abs(index.value as number), component.value as number]);
      at = component.end;
    }
    const { value: dimensions, end } = decodeCell(key, at + 1, 'f64');
    return { value: sparseOf(dimensions as number, elements), end };
  },
};

const NUMERIC: KeyCodec = {
  code: 'raw',
  encode: (value) => encodeNumeric(value as Numeric),
  decode: decodeNumeric,
};

const JSONB: KeyCodec = {
  code: 'raw',
  encode: (value) => encodeJsonb(treeOf(value as string)),
  decode: (key, at) => {
    const { node, end } = decodeJsonb(key, at);
    return { value: jsonbOf(node), end };
  },
};

const DAY_MICROS = 86_400_000_000n;

const INTERVAL: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const { months, days, micros } = value as Interval;
    const span = (BigInt(months) * 30n + BigInt(days)) * DAY_MICROS + BigInt(micros);
    const high = span >> 63n;
    return encodeSafe(Number(high)) + encodeCell(span - (high << 63n), 'i64');
  },
  decode: (key, at) => {
    const span = (BigInt(decodeCell(key, at, 'i64').value as number) << 63n) + BigInt(decodeCell(key, at + 8, 'i64').value as number | bigint);
    return { value: new Interval(0, Number(span / DAY_MICROS), whole(span % DAY_MICROS)), end: at + 16 };
  },
};

const TIMETZ: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const { micros, offset } = value as TimeTz;
    return encodeSafe(micros - offset * 1_000_000) + encodeCell(-offset, 'i32');
  },
  decode: (key, at) => {
    const offset = -(decodeCell(key, at + 8, 'i32').value as number);
    return { value: new TimeTz((decodeCell(key, at, 'i64').value as number) + offset * 1_000_000, offset), end: at + 12 };
  },
};

const uint32 = (value: number): string => String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const uint16 = (value: number): string => String.fromCharCode((value >>> 8) & 255, value & 255);
const read32 = (key: string, at: number): number =>
  ((key.charCodeAt(at) << 24) | (key.charCodeAt(at + 1) << 16) | (key.charCodeAt(at + 2) << 8) | key.charCodeAt(at + 3)) >>> 0;
const read16 = (key: string, at: number): number => (key.charCodeAt(at) << 8) | key.charCodeAt(at + 1);

/** In the order of compareTsVectors, where more and later places come first. */
const TSVECTOR: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const vector = value as TsVector;
    let out = uint32(vector.sizeBytes) + uint32(vector.lexemes.length);
    vector.lexemes.forEach((lexeme, i) => {
      const places = vector.positions[i];
      out += `${places === null ? '\x01' : '\0'}${utf8Key(lexeme)}\0`;
      if (places === null) return;
      out += uint16(0xffff - places.length);
      for (const each of places) out += uint16(0xffff - (((each & 0x3fff) << 2) | (each >>> 14)));
    });
    return out;
  },
  decode: (key, from) => {
    const lexemes: string[] = [];
    const positions: (number[] | null)[] = [];
    let at = from + 8;
    for (let left = read32(key, from + 4); left > 0; left--) {
      const zero = key.indexOf('\0', at + 1);
      lexemes.push(keyText(key.slice(at + 1, zero)));
      const placed = key.charCodeAt(at) === 0;
      at = zero + 1;
      if (!placed) {
        positions.push(null);
        continue;
      }
      const places: number[] = [];
      const count = 0xffff - read16(key, at);
      at += 2;
      for (let k = 0; k < count; k++, at += 2) {
        const packed = 0xffff - read16(key, at);
        places.push((packed >>> 2) | ((packed & 3) << 14));
      }
      positions.push(places);
    }
    return { value: new TsVector(lexemes, positions), end: at };
  },
};

const QUERY_KINDS = ['phrase', 'or', 'and', 'not'] as const;

/** In the order of compareTsQueries: weights and prefixes are not in it. */
const TSQUERY: KeyCodec = {
  code: 'raw',
  encode: (value) => {
    const query = value as TsQuery;
    const part = (node: TsNode): string => {
      if (node.kind === 'word') return `\x01${uint32(0x7fffffff - tsCrc(node.text))}${utf8Key(node.text)}\0`;
      const own = `\0${String.fromCharCode(4 - tsOperatorCode(node.kind))}${part(node.right)}`;
      if (node.kind === 'not') return own;
      return `${own}${part(node.left)}${node.kind === 'phrase' ? uint16(0xffff - node.distance) : ''}`;
    };
    return uint32(query.size) + uint32(tsQueryBytes(query)) + (query.root === null ? '' : part(query.root));
  },
  decode: (key, from) => {
    let at = from + 8;
    const part = (): TsNode => {
      if (key.charCodeAt(at) === 1) {
        const zero = key.indexOf('\0', at + 5);
        const text = keyText(key.slice(at + 5, zero));
        at = zero + 1;
        return tsWord(text);
      }
      const kind = QUERY_KINDS[key.charCodeAt(at + 1)];
      at += 2;
      const right = part();
      if (kind === 'not') return { kind, right };
      const left = part();
      if (kind !== 'phrase') return tsPair(kind, left, right);
      at += 2;
      return tsPair(kind, left, right, 0xffff - read16(key, at - 2));
    };
    return { value: new TsQuery(read32(key, from) === 0 ? null : part()), end: at };
  },
};

function enumCodec(type: SqlType, orders: LabelOrders): KeyCodec {
  const labels = orders(type);
  const byLabel = new Map(labels.map(({ label, order }) => [label, encodeCell(order, 'f64')]));
  const byOrder = new Map(labels.map(({ label, order }) => [order, label]));
  return {
    code: 'raw',
    encode: (value) => byLabel.get(value as string)!,
    decode: (key, at) => ({ value: byOrder.get(decodeCell(key, at, 'f64').value as number) ?? null, end: at + 8 }),
  };
}

function arrayCodec(element: SqlType, orders: LabelOrders): KeyCodec {
  const codec = keyCodec(element, -1, orders);
  return {
    code: 'raw',
    encode: (value) => {
      const { elements, lengths, lowers } = value as ArrayValue;
      let out = '';
      for (const each of elements) out += each === null ? '\x02' : `\x01${codec.encode(each)}`;
      out += `\0${String.fromCharCode(lengths.length)}`;
      for (let i = 0; i < lengths.length; i++) out += encodeCell(lengths[i], 'i32') + encodeCell(lowers[i], 'i32');
      return out;
    },
    decode: (key, from) => {
      const elements: Value[] = [];
      let at = from;
      for (; key.charCodeAt(at) !== 0;) {
        if (key.charCodeAt(at++) === 2) {
          elements.push(null);
          continue;
        }
        const { value, end } = codec.decode(key, at);
        elements.push(value);
        at = end;
      }
      const lengths: number[] = [];
      const lowers: number[] = [];
      const dimensions = key.charCodeAt(at + 1);
      at += 2;
      for (let i = 0; i < dimensions; i++, at += 8) {
        lengths.push(decodeCell(key, at, 'i32').value as number);
        lowers.push(decodeCell(key, at + 4, 'i32').value as number);
      }
      return { value: new ArrayValue(elements, lengths, lowers), end: at };
    },
  };
}

/** Empty ranges first; then the lower bound, which before its value says whether there is one, and the upper one likewise. */
function rangeCodec(type: SqlType, orders: LabelOrders): KeyCodec {
  const codec = keyCodec(type.range!.subtype, -1, orders);
  const encode = ({ empty, lower, upper, lowerInc, upperInc }: RangeValue): string => {
    if (empty) return '\0';
    const from = lower === null ? '\0' : `\x01${codec.encode(lower)}${lowerInc ? '\0' : '\x01'}`;
    return `\x01${from}${upper === null ? '\x02' : `\x01${codec.encode(upper)}${upperInc ? '\x01' : '\0'}`}`;
  };
  const decode = (key: string, start: number): { value: RangeValue; end: number } => {
    if (key.charCodeAt(start) === 0) return { value: EMPTY_RANGE, end: start + 1 };
    let at = start + 1;
    const bound = (yes: number): { value: Value; inc: boolean } => {
      if (key.charCodeAt(at++) !== 1) return { value: null, inc: false };
      const { value, end } = codec.decode(key, at);
      at = end + 1;
      return { value, inc: key.charCodeAt(end) === yes };
    };
    const lower = bound(0);
    const upper = bound(1);
    return { value: new RangeValue(lower.value, upper.value, lower.inc, upper.inc), end: at };
  };
  if (!type.range!.multi) return { code: 'raw', encode: (value) => encode(value as RangeValue), decode };
  return {
    code: 'raw',
    encode: (value) => `${(value as MultirangeValue).ranges.map((each) => `\x01${encode(each)}`).join('')}\0`,
    decode: (key, start) => {
      const ranges: RangeValue[] = [];
      let at = start;
      while (key.charCodeAt(at++) === 1) {
        const { value, end } = decode(key, at);
        ranges.push(value);
        at = end;
      }
      return { value: new MultirangeValue(ranges), end: at };
    },
  };
}

const recordCodec = (columns: readonly RecordColumn[] | null, orders: LabelOrders): KeyCodec => ({
  code: 'raw',
  encode: (value) => {
    const { fields, types } = value as RecordValue;
    let out = '';
    for (let i = 0; i < fields.length; i++) out += fields[i] === null ? '\x02' : `\x01${keyCodec(types[i], -1, orders).encode(fields[i])}`;
    return `${out}\0`;
  },
  decode: (key, from) => {
    if (columns === null) throw new SvcError('0A000', 'a row value cannot be read back from a key');
    const fields: Value[] = [];
    let at = from;
    for (let i = 0; key.charCodeAt(at) !== 0; i++) {
      if (key.charCodeAt(at++) === 2) {
        fields.push(null);
        continue;
      }
      const { value, end } = keyCodec(columns[i].type, -1, orders).decode(key, at);
      fields.push(value);
      at = end;
    }
    return {
      value: new RecordValue(
        fields,
        columns.map(({ type }) => type),
      ),
      end: at + 1,
    };
  },
});

/** One column of a key that may hold null. */
export interface KeyPart {
  readonly codec: KeyCodec;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export function encodePart(part: KeyPart, value: Value): string {
  if (value === null) return part.nullsFirst ? '\x00' : '\x02';
  const bytes = part.codec.encode(value);
  return `\x01${part.descending ? complement(bytes) : bytes}`;
}

export function encodeParts(parts: readonly KeyPart[], values: readonly Value[]): string {
  let out = '';
  for (let i = 0; i < values.length; i++) out += encodePart(parts[i], values[i]);
  return out;
}

/** Columns of a key as `encodeParts` wrote them, and where they end. */
export function decodeParts(parts: readonly KeyPart[], key: string): { values: Value[]; end: number } {
  const values: Value[] = [];
  let at = 0;
  let turned: string | null = null;
  for (const { codec, descending } of parts) {
    if (key.charCodeAt(at++) !== 1) {
      values.push(null);
      continue;
    }
    // Turned round, a code reads as it was written.
    const { value, end } = codec.decode(descending ? (turned ??= complement(key)) : key, at);
    values.push(value);
    at = end;
  }
  return { values, end: at };
}

/**
 * Keys of a table's rows. One int2 or int4 is the number itself; one text is its UTF-8 without an end, as
 * documents have it; anything else is the codes of the columns, which are never null, concatenated.
 */
export interface RowKeyCodec {
  readonly numeric: boolean;
  encode(values: readonly Value[]): Key;
  decode(key: Key): Value[];
}

export function rowKeyCodec(columns: readonly KeyColumn[], orders?: LabelOrders): RowKeyCodec {
  if (columns.length === 0) return { numeric: true, encode: () => 0, decode: () => [] };
  if (columns.length === 1) {
    const { code } = columnCodec(columns[0], orders);
    if (code === 'i32') return { numeric: true, encode: ([value]) => value as number, decode: (key) => [key as number] };
    if (code === 'text') return { numeric: false, encode: ([value]) => utf8Key(value as string), decode: (key) => [keyText(key as string)] };
  }
  const codecs = columns.map((column) => columnCodec(column, orders));
  return {
    numeric: false,
    encode: (values) => {
      let out = '';
      for (let i = 0; i < codecs.length; i++) out += codecs[i].encode(values[i]);
      return out;
    },
    decode: (key) => {
      const values: Value[] = [];
      let at = 0;
      for (const codec of codecs) {
        const { value, end } = codec.decode(key as string, at);
        values.push(value);
        at = end;
      }
      return values;
    },
  };
}

/** What a hidden cell of an index holds for a value. */
export function hiddenKey(codec: KeyCodec, value: Value): Datum {
  return value === null ? null : codec.encode(value);
}
