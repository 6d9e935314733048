/** What a foreign key does, as the statement that Postgres runs for it: the context of what is raised meanwhile (ri_triggers.c). */
import type { SqlType } from '../types/type.ts';
import type { ForeignKey, SqlTable } from './table.ts';

/** `columns`: those that SET NULL and SET DEFAULT set. */
export function actionText(
  table: SqlTable,
  target: SqlTable,
  key: ForeignKey,
  action: ForeignKey['onDelete'],
  deleted: boolean,
  columns: readonly number[],
): string {
  const relation = `${table.inheritance?.partitionBy == null ? 'ONLY ' : ''}${quoted(table.schema)}.${quoted(table.name)}`;
  const isCascade = action === 'cascade';
  const first = isCascade && !deleted ? key.columns.length : 0;
  const where = key.columns.map((column, i) => {
    const own = table.columns[column];
    const other = target.columns[key.targetColumns[i]];
    return `$${first + i + 1}${asOperand(other.type)} OPERATOR(pg_catalog.=) ${quoted(own.name)}${asOperand(own.type)}`;
  });
  const condition = `WHERE ${where.join(' AND ')}`;
  if (isCascade && deleted) return `DELETE FROM ${relation} ${condition}`;
  const value = (i: number): string => (isCascade ? `$${i + 1}` : action === 'set null' ? 'NULL' : 'DEFAULT');
  const set = columns.map((column, i) => `${quoted(table.columns[column].name)} = ${value(i)}`);
  return `UPDATE ${relation} SET ${set.join(', ')} ${condition}`;
}

/** Always in quotes. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The equality of varchar is that of text. */
function asOperand({ name }: SqlType): string {
  return name === 'varchar' ? '::pg_catalog.text' : '';
}
