/**
 * Functions in a query that are known to write, for callers that accept read-only queries. Functions called in turn and EXECUTE are
 * not examined: they are known only at run time.
 */
import type { SqlFunction } from '../functions/define.ts';
import type { Routine, Statement } from '../plpgsql/syntax.ts';
import type { UserFunction } from '../schema/schema.ts';
import { routineOf } from './plpgsql/compile.ts';
import { isQuery, isWrite } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';

const CHANGES = new Set(`nextval setval pg_notify lo_creat lo_create lo_from_bytea lo_import lo_put lo_truncate lo_truncate64 lo_unlink lowrite`.split(/\s+/));

/** A description of the first of them, or null. */
export function callThatWrites(session: SqlSession, calls: readonly SqlFunction[]): string | null {
  const { functions } = session.schema();
  for (const { name, user } of calls) {
    if (user === undefined) {
      if (CHANGES.has(name)) return `${name}()`;
      continue;
    }
    const own = functions.get(user);
    const what = own === undefined ? null : writeOf(session, own);
    if (what !== null) return `${name}(), which runs ${what}`;
  }
  return null;
}

function writeOf(session: SqlSession, fn: UserFunction): string | null {
  const { language, body } = fn.object;
  if (language === undefined) return writeIn(session, body);
  if (language !== 'plpgsql') return null;
  for (const statement of statementsOf(routineOf(session, fn))) {
    if (statement.kind !== 'sql' && statement.kind !== 'returnQuery') continue;
    const what = writeIn(session, statement.kind === 'sql' ? statement.sql.text : statement.query.text);
    if (what !== null) return what;
  }
  return null;
}

function writeIn(session: SqlSession, text: string): string | null {
  for (const statement of session.parseUncached(text)) {
    if (!isQuery(statement)) continue;
    if (isWrite(statement)) return statement.type.toUpperCase();
    const inner = statement.with?.tables.find(({ body }) => isWrite(body));
    if (inner !== undefined) return inner.body.type.toUpperCase();
  }
  return null;
}

/** All of its statements, including nested ones. */
function* statementsOf({ block }: Routine): Generator<Statement> {
  const left: Statement[] = [block];
  for (;;) {
    const statement = left.pop();
    if (statement === undefined) return;
    yield statement;
    left.push(...below(statement));
  }
}

function below(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'block':
      return [...statement.body, ...statement.handlers.flatMap(({ body }) => body)];
    case 'if':
    case 'case':
      return [...statement.branches.flatMap(({ body }) => body), ...(statement.otherwise ?? [])];
    default:
      return 'body' in statement ? statement.body : [];
  }
}
