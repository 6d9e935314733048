/** The columns of its table that an expression reads, from its text. */
import type { SqlTable } from '../schema/table.ts';
import { parseStoredExpression } from './stored-names.ts';

/** Attnums without duplicates. */
export function readColumns(table: SqlTable, text: string): number[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
    } else if (node !== null && typeof node === 'object') {
      const { type, parts } = node as { type?: unknown; parts?: unknown };
      if (type === 'column' && Array.isArray(parts) && parts.length > 0) names.add(parts[parts.length - 1] as string);
      for (const each of Object.values(node)) visit(each);
    }
  };
  visit(parseStoredExpression(text));
  return table.columns.filter(({ name }) => names.has(name)).map(({ attnum }) => attnum);
}
