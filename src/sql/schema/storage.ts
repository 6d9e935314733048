/**
 * Storage of values of a type in leaves.
 *
 *   BOOL  bool                                    I32  int2 int4
 *   F64   oid int8 date time timestamp(tz) float4 float8; a whole number beyond 2^53 makes its leaf's column I64
 *   F64   numeric(p,s) with p ≤ 18 and s ≥ 0, as its coefficient at scale s
 *   TEXT  text varchar bpchar name "char" uuid json jsonb, enums as the ids of labels; everything else as the type's text
 *   BIN   bytea; vector, as the bytes of its components
 *
 * In an I64 column the infinities of a timestamp are the ends of the 64-bit range and a decimal's NaN is the second lowest value:
 * `decode` converts them, and direct readers of such a column must do so too.
 */
import { STORED } from '../types/environment.ts';
import { parseExactJson } from '../../base/exact-json.ts';
import type { Json } from '../../commands/contract.ts';
import { KIND, type Datum } from '../../tree/datum.ts';
import { I64_INFINITY, I64_MINUS_INFINITY, I64_NAN } from '../../tree/vec.ts';
import { canonicalJson } from '../../worlds/document.ts';
import { Numeric } from '../types/numeric.ts';
import { storedText, storedValue } from '../types/stored-text.ts';
import type { LabelIds, SqlType } from '../types/type.ts';
import { type Value, whole } from '../types/value.ts';
import { halfvecBytes, halfvecOfBytes } from '../types/halfvec.ts';
import { vectorBytes, vectorOfBytes } from '../types/vector.ts';
import { OID, OID_ALIASES } from './oids.ts';
import type { Storage } from './table.ts';

const asValue = (datum: Datum): Value => datum as Value;
const asDatum = (value: Value): Datum => value as Datum;

const direct = (kind: Storage['kind']): Storage => ({ kind, form: 'direct', scale: 0, encode: asDatum, decode: asValue });

const BOOL = direct(KIND.BOOL);
const I32 = direct(KIND.I32);
const F64 = direct(KIND.F64);
const TEXT = direct(KIND.TEXT);
const BIN = direct(KIND.BIN);
const TIMESTAMP: Storage = {
  ...F64,
  decode: (datum) => (typeof datum !== 'bigint' ? (datum as Value) : datum === I64_INFINITY ? Infinity : datum === I64_MINUS_INFINITY ? -Infinity : datum),
};

const VECTOR: Storage = {
  kind: KIND.BIN,
  form: 'parsed',
  scale: 0,
  encode: (value) => vectorBytes(value as Float32Array),
  decode: (datum) => vectorOfBytes(datum as string),
};

const HALFVEC: Storage = {
  ...VECTOR,
  encode: (value) => halfvecBytes(value as Float32Array),
  decode: (datum) => halfvecOfBytes(datum as string),
};

const parsed = new WeakMap<SqlType, Storage>();
const decimals: Storage[] = [];

export function storageOf(type: SqlType, typmod: number): Storage {
  switch (type.oid) {
    case OID.bool:
      return BOOL;
    case OID.int2:
    case OID.int4:
      return I32;
    case OID.oid:
    case OID.int8:
    case OID.date:
    case OID.time:
    case OID.money:
    case OID.float4:
    case OID.float8:
      return F64;
    case OID.timestamp:
    case OID.timestamptz:
      return TIMESTAMP;
    case OID.text:
    case OID.varchar:
    case OID.bpchar:
    case OID.name:
    case OID.char:
    case OID.uuid:
    case OID.bit:
    case OID.varbit:
    case OID.macaddr:
    case OID.macaddr8:
    case OID.json:
    case OID.xml:
    case OID.jsonb:
    case OID.jsonpath:
    case OID.citext:
    case OID.hstore:
    case OID.query_int:
    case OID.ltree:
    case OID.lquery:
    case OID.ltxtquery:
      return TEXT;
    case OID.bytea:
      return BIN;
    case OID.vector:
      return VECTOR;
    case OID.halfvec:
      return HALFVEC;
    case OID.numeric: {
      const scale = decimalScale(typmod);
      return scale === null ? parsedStorage(type) : (decimals[scale] ??= decimal(scale));
    }
    default:
      if (type.domain !== null) return storageOf(type.domain.root, -1);
      if (type.made !== undefined) return storageOf(type.made.over, -1);
      if (OID_ALIASES.has(type.oid)) return F64;
      return type.labels === null ? parsedStorage(type) : type.labelIds === undefined ? TEXT : labelStorage(type, type.labelIds);
  }
}

/** Scale of numeric(p,s) if all values fit 18 digits at that scale; otherwise null. */
export function decimalScale(typmod: number): number | null {
  if (typmod < 4) return null;
  const precision = ((typmod - 4) >> 16) & 0xffff;
  // Eleven bits with a sign, as Postgres packs them.
  const scale = (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
  return precision <= 18 && scale >= 0 && scale <= 18 ? scale : null;
}

function decimal(scale: number): Storage {
  return {
    kind: KIND.F64,
    form: 'decimal',
    scale,
    encode: (value) => {
      const { coefficient, scale: from } = value as Numeric;
      if (from === scale || typeof coefficient !== 'number' || !Number.isFinite(coefficient)) {
        return from === scale || typeof coefficient === 'number' ? coefficient : rescaled(coefficient, scale - from);
      }
      const scaled = from < scale ? coefficient * 10 ** (scale - from) : Number.NaN;
      return Number.isSafeInteger(scaled) ? scaled : rescaled(BigInt(coefficient), scale - from);
    },
    decode: (datum) => (datum === I64_NAN || datum !== datum ? new Numeric(Number.NaN, 0) : new Numeric(datum as number | bigint, scale)),
  };
}

/** A value assigned to the column has its scale already; a shorter scale only comes from trailing zeros. */
function rescaled(coefficient: bigint, digits: number): number | bigint {
  return whole(digits >= 0 ? coefficient * 10n ** BigInt(digits) : coefficient / 10n ** BigInt(-digits));
}

function parsedStorage(type: SqlType): Storage {
  let storage = parsed.get(type);
  if (storage === undefined) {
    storage = {
      kind: KIND.TEXT,
      form: 'parsed',
      scale: 0,
      encode: (value) => storedText(type, value, STORED),
      decode: (datum) => storedValue(type, datum as string, STORED),
    };
    parsed.set(type, storage);
  }
  return storage;
}

function labelStorage(type: SqlType, { idOf, labelOf }: LabelIds): Storage {
  let storage = parsed.get(type);
  if (storage === undefined) {
    storage = { kind: KIND.TEXT, form: 'parsed', scale: 0, encode: (value) => idOf(value as string), decode: (datum) => labelOf(datum as string) };
    parsed.set(type, storage);
  }
  return storage;
}

/** A document's jsonb is stored as JSON text with sorted keys. */
export function documentJson(type: SqlType): Storage {
  return {
    kind: KIND.JSON,
    form: 'parsed',
    scale: 0,
    encode: (value) => canonicalJson(parseExactJson(type.format(value, STORED)) as Json, 'jsonb', 0),
    decode: (datum) => type.parse(datum as string, -1, STORED),
  };
}

/** The physical kind of one cell: a whole number beyond 2^53 needs 64 bits. */
export function kindOfCell(kind: Storage['kind'], datum: Datum): Storage['kind'] {
  return typeof datum === 'bigint' && kind === KIND.F64 ? KIND.I64 : kind;
}
