/** Statements that do what a tool would, for a person: identifiers quoted, values escaped. The session that drafts them parses each. */
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import type { Json } from '../../base/json.ts';
import { jsonText } from './table.ts';

/** `table` or `schema.table`, as in a check. */
export function tableText(given: string): string {
  const at = given.indexOf('.');
  return at < 0 ? quoteIdentifier(given) : `${quoteIdentifier(given.slice(0, at))}.${quoteIdentifier(given.slice(at + 1))}`;
}

export function literal(value: Json): string {
  if (Array.isArray(value)) return `(${value.map(literal).join(', ')})`;
  return typeof value === 'string' ? quoteString(value) : jsonText(value);
}
