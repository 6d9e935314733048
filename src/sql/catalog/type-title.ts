/** Types as format_type prints them, and the inverse. */
import { inQuotes, isQuotingAll, quoteNames } from '../../base/quote-identifier.ts';
import type { SqlType } from '../types/type.ts';

/** Types that can print a modifier; those with SQL keywords print none if they take none. */
const MODIFIED = new Set(
  'bpchar varchar bit varbit numeric interval time timetz timestamp timestamptz vector halfvec sparsevec bool int2 int4 int8 float4 float8'.split(' '),
);
/** Types whose modifier follows the first word: `timestamp(3) with time zone`. */
const SPLIT = new Set(['time', 'timetz', 'timestamp', 'timestamptz']);

/** Types with SQL keywords instead of names. */
const WORDS = new Set([...MODIFIED].filter((name) => !['vector', 'halfvec', 'sparsevec'].includes(name)));

/** The unqualified name of a type: SQL keywords, or the name, quoted by the current rules. */
export function shownName(type: SqlType): string {
  return !isQuotingAll() || (WORDS.has(type.name) && type.oid < FIRST_OF_WORLD) ? type.title : inQuotes(type.name);
}
const FIRST_OF_WORLD = 16_384;

/** `typmod` null: the SQL name alone (`character`, not `bpchar`). */
export function typeTitle(type: SqlType, typmod: number | null, named: (type: SqlType) => string): string {
  if (type.element !== null && type.name.startsWith('_')) return `${typeTitle(type.element, typmod, named)}[]`;
  if (type.name === 'bpchar' && typmod === -1) return 'bpchar';
  // SQL's bit without a length means length 1.
  if (type.name === 'bit' && typmod === -1) return '"bit"';
  const own = typmod === null || typmod < 0 ? '' : type.formatTypmod(typmod);
  // A type without modifiers shows the number.
  const suffix = own === '' && typmod !== null && typmod >= 0 && !MODIFIED.has(type.name) ? `(${typmod})` : own;
  if (suffix === '') return named(type);
  if (SPLIT.has(type.name)) {
    const [first, ...rest] = type.title.split(' ');
    return `${first}${suffix} ${rest.join(' ')}`;
  }
  return named(type) + suffix;
}

/** SQL names of pg_catalog types. */
const ALIASES: Record<string, string> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  dec: 'numeric',
  boolean: 'bool',
  'character varying': 'varchar',
  'char varying': 'varchar',
  character: 'bpchar',
  char: 'bpchar',
  'national character': 'bpchar',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  'bit varying': 'varbit',
};

export interface WrittenType {
  /** null if the words were SQL keywords. */
  readonly text: string | null;
  readonly name: string;
  readonly array: boolean;
}

/** A type's name without its modifiers: `numeric(10,2)[]` is numeric, an array. */
export function writtenType(text: string): WrittenType {
  let rest = text.trim();
  let array = false;
  for (;;) {
    const found = /\s*(?:\[\d*\]|\sarray)$/i.exec(rest);
    if (found === null) break;
    array = true;
    rest = rest.slice(0, found.index);
  }
  rest = rest.replace(/\s*\(\s*\d+\s*(?:,\s*-?\d+\s*)?\)/, '');
  const words = rest.trim().toLowerCase().replace(/\s+/g, ' ');
  const alias = ALIASES[words];
  if (alias !== undefined) return { text: null, name: alias, array };
  if (words.startsWith('interval ')) return { text: null, name: 'interval', array };
  return { text: rest, name: words, array };
}

export function qualifiedTitle(type: SqlType, schema: string): string {
  return quoteNames([schema, type.name]);
}
