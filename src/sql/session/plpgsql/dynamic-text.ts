/**
 * Dynamic SQL of PL/pgSQL (EXECUTE, FOR … IN EXECUTE, OPEN … FOR EXECUTE): parsed once per text, and texts that differ only in their
 * literals share a generic plan where that is equivalent.
 */
import { parse, type ParsedStatement } from '../../parse/parse.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { findGeneric, noteShape, valuesOf } from '../generic-statement.ts';
import { isQuery, type Prepared } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';

export interface DynamicText {
  /** null for other statements, or several. */
  readonly query: { readonly prepared: Prepared; readonly values: readonly Value[] } | null;
  /** Empty if a query uses a generic plan. */
  readonly statements: readonly ParsedStatement[];
}

/** Dynamic SQL sees no names of the function. */
export const NO_NAMES = { owner: '', numbers: new Map<string, number>() };

export function dynamicText(session: SqlSession, given: string, types: readonly SqlType[], values: readonly Value[]): DynamicText {
  const text = session.standard(given);
  const known = session.host.dynamic.get(text);
  if (known === undefined && types.length === 0) {
    const found = findGeneric(session.host, text);
    const query = found === null ? null : valuesOf(session, found);
    if (query !== null) return { query, statements: [] };
  }
  const statements = known ?? parsed(session, text);
  const [statement] = statements;
  const isOne = statements.length === 1 && isQuery(statement);
  return { query: isOne ? { prepared: session.prepareIn(statement, types, NO_NAMES), values } : null, statements };
}

/** The parsed statements of a text. */
export function dynamicStatements(session: SqlSession, given: string): readonly ParsedStatement[] {
  const text = session.standard(given);
  return session.host.dynamic.get(text) ?? parsed(session, text);
}

function parsed({ host }: SqlSession, text: string): readonly ParsedStatement[] {
  const statements = parse(text);
  host.dynamic.set(text, statements);
  noteShape(host, text, statements);
  return statements;
}
