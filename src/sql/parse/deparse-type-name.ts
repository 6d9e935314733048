/** Types as format_type prints them, for names that were SQL keywords; other names as written. */
import type { Expression } from '../ast/expression.ts';
import type { TypeName } from '../ast/type-name.ts';
import { quoteIdentifier, quoteNames } from '../../base/quote-identifier.ts';

/** SQL keywords of pg_catalog types; `time` and `timestamp` have words after their precision. */
const KEYWORDS: Record<string, [before: string, behind: string]> = {
  bool: ['boolean', ''],
  int2: ['smallint', ''],
  int4: ['integer', ''],
  int8: ['bigint', ''],
  float4: ['real', ''],
  float8: ['double precision', ''],
  numeric: ['numeric', ''],
  varchar: ['character varying', ''],
  time: ['time', ' without time zone'],
  timetz: ['time', ' with time zone'],
  timestamp: ['timestamp', ' without time zone'],
  timestamptz: ['timestamp', ' with time zone'],
  varbit: ['bit varying', ''],
  json: ['json', ''],
};
/** These default to a modifier of 1 when written without. */
const KEYWORDS_WITH_LENGTH: Record<string, string> = { bpchar: 'character', bit: 'bit' };

/** The bits of an interval's first modifier (utils/timestamp.h). */
const INTERVAL_FIELDS: Record<number, string> = {
  4: ' year',
  2: ' month',
  8: ' day',
  1024: ' hour',
  2048: ' minute',
  4096: ' second',
  6: ' year to month',
  1032: ' day to hour',
  3080: ' day to minute',
  7176: ' day to second',
  3072: ' hour to minute',
  7168: ' hour to second',
  6144: ' minute to second',
};

export function deparseTypeName(type: TypeName, deparse: (expression: Expression) => string): string {
  const typmods = type.typmods.map(deparse);
  let name: string;
  if (type.columnOf !== null) name = `${quoteNames([...type.columnOf, type.name])}%TYPE`;
  else name = (type.schema === 'pg_catalog' ? ofCatalog(type, typmods) : null) ?? plain(type, typmods);
  for (const bound of type.arrayBounds) name += bound < 0 ? '[]' : `[${bound}]`;
  return type.setOf ? `SETOF ${name}` : name;
}

function inParentheses(typmods: string[]): string {
  return typmods.length === 0 ? '' : `(${typmods.join(',')})`;
}

function plain(type: TypeName, typmods: string[]): string {
  return (type.schema === null ? '' : `${quoteIdentifier(type.schema)}.`) + quoteIdentifier(type.name) + inParentheses(typmods);
}

function ofCatalog(type: TypeName, typmods: string[]): string | null {
  if (type.name === 'interval') return interval(type, typmods);
  if (type.name in KEYWORDS_WITH_LENGTH) return typmods.length > 0 ? KEYWORDS_WITH_LENGTH[type.name] + inParentheses(typmods) : quoteIdentifier(type.name);
  const keyword = KEYWORDS[type.name];
  return keyword === undefined ? null : keyword[0] + inParentheses(typmods) + keyword[1];
}

function interval(type: TypeName, typmods: string[]): string | null {
  if (typmods.length === 0) return 'interval';
  const mask = type.typmods[0];
  const fields = mask.type === 'integer' ? INTERVAL_FIELDS[mask.value] : undefined;
  if (fields === undefined) return `interval${inParentheses(typmods.slice(1))}`;
  return `interval${fields}${inParentheses(typmods.slice(1))}`;
}
