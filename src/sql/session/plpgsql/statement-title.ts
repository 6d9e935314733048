/** Postgres's name of a PL/pgSQL statement in error contexts. */
import type { Statement } from '../../plpgsql/syntax.ts';

const TITLES: Readonly<Record<Statement['kind'], string>> = {
  block: 'statement block',
  assign: 'assignment',
  if: 'IF',
  case: 'CASE',
  loop: 'LOOP',
  while: 'WHILE',
  count: 'FOR with integer loop variable',
  forQuery: 'FOR over SELECT rows',
  forExecute: 'FOR over EXECUTE statement',
  forCursor: 'FOR over cursor',
  foreach: 'FOREACH over array',
  exit: 'EXIT',
  return: 'RETURN',
  returnNext: 'RETURN NEXT',
  returnQuery: 'RETURN QUERY',
  returnExecute: 'RETURN QUERY',
  raise: 'RAISE',
  assert: 'ASSERT',
  sql: 'SQL statement',
  perform: 'PERFORM',
  execute: 'EXECUTE',
  call: 'CALL',
  diagnostics: 'GET DIAGNOSTICS',
  open: 'OPEN',
  fetch: 'FETCH',
  close: 'CLOSE',
  null: 'NULL',
  transaction: 'COMMIT',
};

export function titleOf(s: Statement): string {
  if (s.kind === 'exit' && s.next) return 'CONTINUE';
  if (s.kind === 'diagnostics' && s.stacked) return 'GET STACKED DIAGNOSTICS';
  if (s.kind === 'fetch' && s.move) return 'MOVE';
  if (s.kind === 'transaction' && s.what === 'rollback') return 'ROLLBACK';
  return TITLES[s.kind];
}
