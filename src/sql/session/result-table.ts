/** Rows of statements that are no queries, from plain values. */
import { exactJsonText } from '../../base/exact-json.ts';
import type { Value } from '../types/value.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export type ColumnKind = 'text' | 'int8' | 'float8' | 'bool' | 'jsonb' | 'timestamptz';

export function table(
  session: SqlSession,
  command: string,
  columns: readonly (readonly [string, ColumnKind])[],
  rows: readonly (readonly unknown[])[],
): StatementResult {
  const { registry } = session.host;
  const types = columns.map(([name, kind]) => ({ name, type: registry.type(kind), typmod: -1 }));
  return {
    command: `${command}${command === 'SHOW' || command.startsWith('DIFF') ? ` ${rows.length}` : ''}`,
    columns: types,
    rows: rows.map((row) =>
      row.map((value, i): Value => {
        if (value === null || value === undefined) return null;
        const { type } = types[i];
        if (type.name === 'jsonb') return type.parse(exactJsonText(value), -1, session.env);
        return typeof value === 'string' && type.name !== 'text' ? type.parse(value, -1, session.env) : (value as Value);
      }),
    ),
    notices: session.notices,
  };
}
