/** The index that would serve a filter of `find`, as the statement that makes it. */
import { quoteIdentifier, quoteNames, quoteString } from '../../base/quote-identifier.ts';
import type { Json, Row } from '../../commands/contract.ts';
import { nestedField } from '../../worlds/nested-field.ts';
import { OID } from './oids.ts';
import type { SqlColumn, SqlTable } from './table.ts';

/** null if one of the values cannot be found by an index: null, or in a column whose type has no order. */
export function suggestedIndex(table: SqlTable, where: Row): string | null {
  const columnNamed = (name: string): SqlColumn | undefined => table.columns.find((each) => each.name === name);
  const parts = Object.entries(where).map(([given, value]): string | null => {
    const found = nestedField(given, (name) => columnNamed(name) !== undefined);
    if (found === null || value === null) return null;
    const column = columnNamed(found.name)!;
    return found.path.length === 0 ? columnPart(column) : memberPart(column, found.path, value);
  });
  if (parts.length === 0 || parts.includes(null)) return null;
  const name = table.schema === 'public' ? quoteIdentifier(table.name) : quoteNames([table.schema, table.name]);
  return `CREATE INDEX ON ${name} (${parts.join(', ')})`;
}

function columnPart({ name, type }: SqlColumn): string | null {
  return type.ordered ? quoteIdentifier(name) : null;
}

/** Of JSON that has no order only texts are found, by their text. */
function memberPart({ name, type }: SqlColumn, path: readonly string[], value: Json): string | null {
  if (type.oid !== OID.jsonb && !(type.oid === OID.json && typeof value === 'string')) return null;
  const steps = path.map((member, i) => `${type.oid === OID.json && i === path.length - 1 ? '->>' : '->'} ${quoteString(member)}`);
  return `(${quoteIdentifier(name)} ${steps.join(' ')})`;
}
