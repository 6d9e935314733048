/** Result rows of statements other than queries, from plain values. */
import { exactJsonText } from '../../base/exact-json.ts';
import { Slices } from '../../base/slices.ts';
import type { Value } from '../types/value.ts';
import type { ResultColumn, StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export type ColumnKind = 'text' | 'int8' | 'float8' | 'bool' | 'jsonb' | 'timestamptz';
type Columns = readonly (readonly [string, ColumnKind])[];
type Rows = readonly (readonly unknown[])[];

/** Rows between two clock checks. */
const STEP_ROWS = 20;

export function table(session: SqlSession, command: string, columns: Columns, rows: Rows): StatementResult {
  const types = typesOf(session, columns);
  return result(
    session,
    command,
    types,
    rows.map((row) => valuesOf(session, types, row)),
  );
}

/** The same for many rows, in time slices. */
export async function longTable(session: SqlSession, command: string, columns: Columns, rows: Rows): Promise<StatementResult> {
  const types = typesOf(session, columns);
  const slices = new Slices();
  const values: Value[][] = [];
  for (const row of rows) {
    values.push(valuesOf(session, types, row));
    if (values.length % STEP_ROWS === 0 && slices.over) await slices.rest();
  }
  return result(session, command, types, values);
}

function typesOf(session: SqlSession, columns: Columns): ResultColumn[] {
  return columns.map(([name, kind]) => ({ name, type: session.host.registry.type(kind), typmod: -1 }));
}

function valuesOf(session: SqlSession, types: readonly ResultColumn[], row: readonly unknown[]): Value[] {
  return row.map((value, i): Value => {
    if (value === null || value === undefined) return null;
    const { type } = types[i];
    if (type.name === 'jsonb') return type.parse(exactJsonText(value), -1, session.env);
    return typeof value === 'string' && type.name !== 'text' ? type.parse(value, -1, session.env) : (value as Value);
  });
}

function result(session: SqlSession, command: string, columns: ResultColumn[], rows: Value[][]): StatementResult {
  const counted = command === 'SHOW' || command.startsWith('DIFF');
  return { command: `${command}${counted ? ` ${rows.length}` : ''}`, columns, rows, notices: session.notices };
}
