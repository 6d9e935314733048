/** CALL: a procedure by name and argument types; its OUT values are one row. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call } from '../ast/session.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { resolveFunction, signature } from '../bind/function.ts';
import { argumentScope } from '../bind/scope.ts';
import { Compilation } from '../exec/compilation.ts';
import type { UserFunction } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { accessOf, checkAccess, mustExecute } from './check-access.ts';
import { execContext } from './exec-context.ts';
import { callSteps } from './function-call.ts';
import type { TypedParameters } from './parameters.ts';
import { runNonatomic, type Steps } from './plpgsql/steps.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** A procedure with its arguments bound. */
export interface ReadyCall {
  readonly user: UserFunction;
  readonly values: readonly Value[];
  readonly types: readonly SqlType[];
  readonly returns: SqlType;
}

export async function callProcedure(session: SqlSession, statement: Call, params: TypedParameters): Promise<StatementResult> {
  session.startStatement();
  return runNonatomic(session, (atomic) => callProcedureSteps(session, statement, params, atomic));
}

export function* callProcedureSteps(session: SqlSession, statement: Call, params: TypedParameters, atomic: boolean): Steps<StatementResult> {
  const { user, values, types, returns } = readyCall(session, statement, params);
  const rows = yield* callSteps(session, user.object.number, values, types, returns, atomic);
  if (user.columns === null) return done('CALL', session.notices);
  return {
    command: 'CALL',
    columns: user.columns.map((column) => ({ name: column.name, type: column.type, typmod: -1 })),
    rows,
    notices: session.notices,
  };
}

/** `params`: types of the `$n` in the arguments. */
export function readyCall(session: SqlSession, { call, at }: Call, params: TypedParameters): ReadyCall {
  if (call.type !== 'call') throw new SvcError('42601', 'CALL wants a procedure', { position: at + 1 });
  const names = session.names();
  const { registry } = session.host;
  const binder = new Binder(names, registry, session.env, { types: [...params.types], fixed: true });
  const args = call.args.map((arg) => bindExpression(binder, arg, argumentScope('CALL arguments')));
  const types = args.map((arg) => binder.coercion.typeOf(arg));
  const name = call.name[call.name.length - 1];
  const schema = call.name.length > 1 ? call.name[call.name.length - 2] : null;
  binder.calling = true;
  const found = resolveFunction(binder, name, args, call.argNames, call.variadic, call.at, (fn) => fn.procedure === true, schema);
  if (found === null) {
    if (registry.functions(name).length > 0 || names.functions(schema, name).some(({ procedure }) => procedure !== true)) {
      throw new SvcError('42809', `${signature(binder, name, types)} is not a procedure`, { hint: 'To call a function, use SELECT.', position: call.at + 1 });
    }
    throw new SvcError('42883', `procedure ${signature(binder, call.name.join('.'), types)} does not exist`, {
      hint: 'No procedure matches the given name and argument types. You might need to add explicit type casts.',
      position: call.at + 1,
    });
  }
  const user = session.schema().functions.get(found.fn.user!)!;
  mustExecute(session, user);
  // The privilege for the procedure itself is checked separately.
  binder.calls.delete(found.fn);
  checkAccess(session, accessOf(binder));
  const compilation = new Compilation();
  const fn = compilation.scalars(found.args);
  const values = fn(compilation.newRun(execContext(session, params.values, null)), []).slice();
  return { user, values, types: found.args.map(({ type }) => type), returns: found.type };
}
