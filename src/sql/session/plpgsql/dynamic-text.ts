/**
 * Texts that PL/pgSQL makes and runs (EXECUTE, FOR … IN EXECUTE, OPEN … FOR EXECUTE): parsed once as long as they come again, and
 * those that differ in their literals alone go by one plan where that is sure to do the same.
 */
import { parse, type ParsedStatement } from '../../parse/parse.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { findGeneral, noteShape, valuesOf } from '../general-statement.ts';
import { isQuery, type Prepared } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';

export interface DynamicText {
  /** null where it is something else, or several statements. */
  readonly query: { readonly prepared: Prepared; readonly values: readonly Value[] } | null;
  /** Empty where a query goes by another one's plan. */
  readonly statements: readonly ParsedStatement[];
}

/** What such a text knows of the names around it. */
export const NO_NAMES = { owner: '', numbers: new Map<string, number>() };

export function dynamicText(session: SqlSession, given: string, types: readonly SqlType[], values: readonly Value[]): DynamicText {
  const text = session.standard(given);
  const known = session.host.dynamic.get(text);
  if (known === undefined && types.length === 0) {
    const found = findGeneral(session.host, text);
    const query = found === null ? null : valuesOf(session, found);
    if (query !== null) return { query, statements: [] };
  }
  const statements = known ?? parsed(session, text);
  const [statement] = statements;
  const isOne = statements.length === 1 && isQuery(statement);
  return { query: isOne ? { prepared: session.prepareIn(statement, types, NO_NAMES), values } : null, statements };
}

/** The statements of such a text. */
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
