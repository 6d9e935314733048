/** PREPARE and EXECUTE. */
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Execute, Prepare } from '../ast/session.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { argumentScope } from '../bind/scope.ts';
import { Compilation } from '../exec/compilation.ts';
import type { ParsedStatement } from '../parse/parse.ts';
import type { Value } from '../types/value.ts';
import { accessOf, checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import type { Prepared, QueryStatement } from './prepare.ts';
import { done, type StatementResult } from './results.ts';
import type { PreparedStatement, SqlSession } from './sql-session.ts';

const QUERIES = new Set(['select', 'values', 'setOperation', 'insert', 'update', 'delete', 'merge']);

export function* prepareStatementSteps(session: SqlSession, { name, argTypes, statement, at }: Prepare): Steps<StatementResult> {
  if (session.prepared.has(name)) throw new SvcError('42P05', `prepared statement "${name}" already exists`);
  session.startStatement();
  const binder = new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
  const types = argTypes.map((type) => bindTypeName(binder, type).type);
  // Unknown types are inferred from the statement.
  const given = types.map((type) => (type.name === 'unknown' ? null : type));
  if (QUERIES.has(statement.type)) yield* session.planSteps(statement as QueryStatement, given, false);
  const known = QUERIES.has(statement.type) ? session.prepare(statement as QueryStatement, given) : null;
  if (known !== null && known.undetermined !== null) throw new SvcError('42P18', `could not determine data type of parameter $${known.undetermined}`);
  const found = types.map((type, i) => (type.name === 'unknown' ? (known?.parameters[i] ?? type) : type)).concat(known?.parameters.slice(types.length) ?? []);
  session.prepared.set(name, { statement: statement as ParsedStatement, types: found, columns: known?.columns ?? [], text: session.text, at });
  return done('PREPARE');
}

export async function executePrepared(session: SqlSession, statement: Execute): Promise<StatementResult> {
  return runInTurns(session, executePreparedSteps(session, statement));
}

/** The same, in steps. */
export function* executePreparedSteps(session: SqlSession, statement: Execute): Steps<StatementResult> {
  const { prepared, values } = executed(session, statement);
  return yield* session.executeSteps(prepared, values);
}

/** The statement that EXECUTE runs, with its parameters. */
export function executed(session: SqlSession, { name, args }: Execute): { known: PreparedStatement; prepared: Prepared; values: readonly Value[] } {
  const known = session.prepared.get(name);
  if (known === undefined) throw new SvcError('26000', `prepared statement "${name}" does not exist`);
  if (!QUERIES.has(known.statement.type)) throw new SvcError('0A000', 'only queries and writes can be executed by name');
  session.startStatement();
  const prepared = session.prepare(known.statement as QueryStatement, known.types);
  const { columns } = known;
  if (
    columns.length !== prepared.columns.length ||
    columns.some(({ type, typmod }, i) => type.oid !== prepared.columns[i].type.oid || typmod !== prepared.columns[i].typmod)
  ) {
    throw new SvcError('0A000', 'cached plan must not change result type');
  }
  if (args.length !== prepared.parameters.length) {
    throw new SvcError('42601', `wrong number of parameters for prepared statement "${name}"`, {
      detail: `Expected ${prepared.parameters.length} parameters but got ${args.length}.`,
    });
  }
  const binder = new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
  const values = args.map((arg, i): Value => {
    const type = prepared.parameters[i];
    const bound = bindExpression(binder, arg, argumentScope('EXECUTE parameters'));
    const value = binder.coercion.tryCoerce(bound, type, -1, 'assignment', arg.at);
    if (value === null) {
      throw new SvcError('42804', `parameter $${i + 1} of type ${bound.type.title} cannot be coerced to the expected type ${type.title}`, {
        hint: 'You will need to rewrite or cast the expression.',
        position: arg.at + 1,
      });
    }
    checkAccess(session, accessOf(binder));
    const compilation = new Compilation();
    const fn = compilation.scalars([value]);
    return fn(compilation.newRun(execContext(session, [], null)), [])[0];
  });
  return { known, prepared, values };
}
