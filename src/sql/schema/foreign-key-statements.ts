/** A foreign key's action as the statement that Postgres runs for it: the context of errors during the action (ri_triggers.c). */
import { inQuotes } from '../../base/quote-identifier.ts';
import type { SqlType } from '../types/type.ts';
import type { ForeignKey, SqlTable } from './table.ts';

/** `columns`: the targets of SET NULL and SET DEFAULT. */
export function actionText(
  table: SqlTable,
  target: SqlTable,
  key: ForeignKey,
  action: ForeignKey['onDelete'],
  deleted: boolean,
  columns: readonly number[],
): string {
  const relation = `${table.inheritance?.partitionBy == null ? 'ONLY ' : ''}${inQuotes(table.schema)}.${inQuotes(table.name)}`;
  const isCascade = action === 'cascade';
  const first = isCascade && !deleted ? key.columns.length : 0;
  const where = key.columns.map((column, i) => {
    const own = table.columns[column];
    const other = target.columns[key.targetColumns[i]];
    return `$${first + i + 1}${asOperand(other.type)} OPERATOR(pg_catalog.=) ${inQuotes(own.name)}${asOperand(own.type)}`;
  });
  const condition = `WHERE ${where.join(' AND ')}`;
  if (isCascade && deleted) return `DELETE FROM ${relation} ${condition}`;
  const value = (i: number): string => (isCascade ? `$${i + 1}` : action === 'set null' ? 'NULL' : 'DEFAULT');
  const set = columns.map((column, i) => `${inQuotes(table.columns[column].name)} = ${value(i)}`);
  return `UPDATE ${relation} SET ${set.join(', ')} ${condition}`;
}

/** varchar uses the equality of text. */
function asOperand({ name }: SqlType): string {
  return name === 'varchar' ? '::pg_catalog.text' : '';
}
