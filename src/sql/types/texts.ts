/** text, varchar, bpchar, name, "char" and unknown. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { utf8Bytes } from './bytes-text.ts';
import { characterCount, cutBytes, sliceCharacters } from './characters.ts';
import { makeType } from './make-type.ts';
import { compareBlankPadded, compareText, trimBlanks } from './text-order.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

const same = (text: string): string => text;
const compare = (a: Value, b: Value): number => compareText(a as string, b as string);
const formatLength = (typmod: number): string => (typmod >= 4 ? `(${typmod - 4})` : '');

/** Length of a name in bytes, NAMEDATALEN - 1. */
const NAME_BYTES_MAX = 63;

/** The text truncated to `limit` characters; truncating anything but blanks is 22001 unless the cast is explicit. */
function cut(text: string, limit: number, explicit: boolean, title: string): string {
  const kept = sliceCharacters(text, 0, limit);
  if (!explicit && trimBlanks(text.slice(kept.length)) !== '') throw new SvcError('22001', `value too long for type ${title}(${limit})`);
  return kept;
}

export function coerceVarchar(text: string, typmod: number, explicit: boolean): string {
  if (typmod < 4 || text.length <= typmod - 4) return text;
  const limit = typmod - 4;
  return characterCount(text) <= limit ? text : cut(text, limit, explicit, 'character varying');
}

let blanksKnown = '';

/** Cached, since many rows of a load need the same one. */
function blanks(count: number): string {
  if (blanksKnown.length !== count) blanksKnown = ' '.repeat(count);
  return blanksKnown;
}

export function coerceBpchar(text: string, typmod: number, explicit: boolean): string {
  if (typmod < 4) return text;
  const limit = typmod - 4;
  const count = characterCount(text);
  if (count <= limit) return count === limit ? text : count === 0 ? blanks(limit) : text + ' '.repeat(limit - count);
  return cut(text, limit, explicit, 'character');
}

export function toName(text: string): string {
  return cutBytes(text, NAME_BYTES_MAX);
}

/** "char" holds one byte: the first of the text's, or that of a `\ooo`; '' means byte 0. */
export function toChar(text: string): string {
  if (/^\\[0-7]{3}$/.test(text)) {
    const byte = Number.parseInt(text.slice(1), 8) & 255;
    return byte === 0 ? '' : String.fromCharCode(byte);
  }
  return utf8Bytes(text.slice(0, 2)).slice(0, 1);
}

export function formatChar(value: string): string {
  return value === '' || value.charCodeAt(0) < 128 ? value : `\\${value.charCodeAt(0).toString(8)}`;
}

export const TEXT: SqlType = makeType({
  oid: 25,
  name: 'text',
  title: 'text',
  category: 'S',
  preferred: true,
  length: -1,
  repr: 'string',
  arrayOid: 1009,
  parse: same,
  format: String,
  compare,
});

export const VARCHAR: SqlType = makeType({
  oid: 1043,
  name: 'varchar',
  title: 'character varying',
  category: 'S',
  length: -1,
  repr: 'string',
  arrayOid: 1015,
  parse: (text, typmod) => coerceVarchar(text, typmod, false),
  format: String,
  compare,
  coerce: (value, typmod, explicit) => coerceVarchar(value as string, typmod, explicit),
  formatTypmod: formatLength,
});

export const BPCHAR: SqlType = makeType({
  oid: 1042,
  name: 'bpchar',
  title: 'character',
  category: 'S',
  length: -1,
  repr: 'string',
  arrayOid: 1014,
  parse: (text, typmod) => coerceBpchar(text, typmod, false),
  format: String,
  compare: (a, b) => compareBlankPadded(a as string, b as string),
  hashKey: (value) => trimBlanks(value as string),
  coerce: (value, typmod, explicit) => coerceBpchar(value as string, typmod, explicit),
  formatTypmod: formatLength,
});

export const NAME: SqlType = makeType({
  oid: 19,
  name: 'name',
  title: 'name',
  category: 'S',
  length: 64,
  repr: 'string',
  arrayOid: 1003,
  parse: toName,
  format: String,
  compare,
});

export const CHAR: SqlType = makeType({
  oid: 18,
  name: 'char',
  title: '"char"',
  category: 'Z',
  length: 1,
  repr: 'string',
  arrayOid: 1002,
  parse: toChar,
  format: (value) => formatChar(value as string),
  compare,
});

/** The name of a cursor. It has no operators, as in Postgres. */
export const REFCURSOR: SqlType = makeType({
  oid: 1790,
  name: 'refcursor',
  title: 'refcursor',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 2201,
  ordered: false,
  hashable: false,
  parse: same,
  format: String,
  compare,
});

export const UNKNOWN: SqlType = makeType({
  oid: 705,
  name: 'unknown',
  title: 'unknown',
  category: 'X',
  length: -2,
  repr: 'string',
  arrayOid: 0,
  ordered: false,
  hashable: false,
  parse: same,
  format: String,
  compare,
});
