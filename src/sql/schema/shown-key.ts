/** Key columns and expressions in messages: as `pg_get_indexdef` shows a column (manual, 9.26.4). */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import type { Environment } from '../types/environment.ts';
import { looksLikeCall } from './looks-like-call.ts';
import type { SqlTable } from './table.ts';

interface KeyPart {
  readonly column: number | null;
  readonly expression: string | null;
}

export function shownKey(table: SqlTable, parts: readonly KeyPart[], env: Environment): string[] {
  return parts.map(({ column, expression }) => {
    if (column !== null) return quoteIdentifier(table.columns[column].name);
    const text = env.system?.definitions.expression(expression!, table.number, true);
    if (text === undefined || text === null) return expression!;
    return looksLikeCall(text) ? text : `(${text})`;
  });
}
