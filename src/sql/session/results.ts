/** The result of a statement, before an entrance encodes it. */
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

export interface ResultColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** Table and attribute of a plain column; 0 for computed ones. */
  readonly table?: number;
  readonly attnum?: number;
}
export interface Notice {
  readonly severity: 'NOTICE' | 'WARNING' | 'INFO' | 'LOG' | 'DEBUG';
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
  /** Position in the text of the statement, in characters from 1. */
  readonly position?: number;
  /** The context lines: the call stack. */
  readonly where?: string;
}
export interface StatementResult {
  /** Postgres's command tag: `SELECT 3`, `INSERT 0 1`, `CREATE TABLE`. */
  readonly command: string;
  /** null if the statement returns no rows at all. */
  readonly columns: readonly ResultColumn[] | null;
  readonly rows: readonly (readonly Value[])[];
  readonly notices: readonly Notice[];
  /** Rows of a binary cursor: binary unless the client names a format. */
  readonly binary?: boolean;
}

export function done(command: string, notices: readonly Notice[] = []): StatementResult {
  return { command, columns: null, rows: [], notices };
}
