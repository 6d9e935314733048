/** Partition keys and bounds in Postgres's format: pg_get_partkeydef and pg_get_expr(relpartbound). */
import type { PartitionBoundObject, PartitionDatum } from '../../worlds/definition.ts';
import { STORED } from '../types/environment.ts';
import { holdsLabels, storedValue } from '../types/stored-text.ts';
import type { SqlType } from '../types/type.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { looksLikeCall } from './looks-like-call.ts';
import type { Partitioning, SqlTable } from './table.ts';

/** `kept`: in stored form, which for enum labels is their ids. */
function literal(kept: string, type: SqlType): string {
  const root = type.domain?.root ?? type;
  const text = holdsLabels(root) ? root.format(storedValue(root, kept, STORED), STORED) : kept;
  switch (root.name) {
    case 'int4':
      return text.startsWith('-') ? `'${text}'` : text;
    case 'numeric':
      return /^\d/.test(text) && /[.eE]/.test(text) ? text : `'${text}'`;
    case 'bool':
      return text === 't' || text === 'true' ? 'true' : 'false';
    default:
      return `'${text.replaceAll("'", "''")}'`;
  }
}

/** `(1, MAXVALUE)`. */
export function boundText(data: readonly PartitionDatum[], types: readonly SqlType[]): string {
  return `(${data.map((datum, i) => (datum === 'min' ? 'MINVALUE' : datum === 'max' ? 'MAXVALUE' : literal(datum.value, types[i]))).join(', ')})`;
}

export function partitionBoundText(bound: PartitionBoundObject, types: readonly SqlType[]): string {
  switch (bound.kind) {
    case 'default':
      return 'DEFAULT';
    case 'hash':
      return `FOR VALUES WITH (modulus ${bound.modulus}, remainder ${bound.remainder})`;
    case 'list':
      return `FOR VALUES IN (${bound.values.map((text) => (text === null ? 'NULL' : literal(text, types[0]))).join(', ')})`;
    case 'range':
      return `FOR VALUES FROM ${boundText(bound.from, types)} TO ${boundText(bound.to, types)}`;
  }
}

/** `a, lower(b)`, with collations and operator classes. */
function partitionKeyColumns(table: SqlTable, { elements }: Partitioning): string {
  return elements
    .map(({ column, expression, words: own }) => {
      const text = column === null ? (looksLikeCall(expression!) ? expression! : `(${expression!})`) : quoteIdentifier(table.columns[column].name);
      return own !== '' ? `${text} ${own}` : text;
    })
    .join(', ');
}

export function partitionKeyText(table: SqlTable, partitioning: Partitioning): string {
  return `${partitioning.strategy.toUpperCase()} (${partitionKeyColumns(table, partitioning)})`;
}
