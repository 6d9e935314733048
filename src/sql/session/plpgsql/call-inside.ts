/** CALL inside a function: OUT places are variables, which get what the procedure gives back. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Expression } from '../../ast/expression.ts';
import type { Fragment } from '../../plpgsql/syntax.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { callProcedure } from '../call-procedure.ts';
import { assignValue, placeOf } from './assign.ts';
import type { Interpreter } from './run.ts';
import { Scope } from './scope.ts';
import type { Steps } from './steps.ts';

const parsed = new WeakMap<Fragment, readonly { readonly argument: Expression; readonly fragment: Fragment }[]>();

export function* callInside(at: Interpreter, sql: Fragment): Steps<void> {
  const { session } = at;
  const [statement] = session.parseAnew(sql.text);
  if (statement?.type !== 'callProcedure') throw new SvcError('42601', 'CALL is expected here');
  let args = parsed.get(sql);
  if (args === undefined) {
    args = statement.call.args.map((argument) => ({ argument, fragment: { text: session.textOf(argument), at: sql.at } }));
    parsed.set(sql, args);
  }
  const types: SqlType[] = [];
  const values: Value[] = [];
  for (const { fragment } of args) {
    const { value, type } = yield* at.value(fragment);
    types.push(type);
    values.push(value);
  }
  const call = { ...statement.call, args: statement.call.args.map((_, i): Expression => ({ type: 'parameter', number: i + 1, at: 0 })) };
  const { columns, rows } = callProcedure(session, { ...statement, call }, { types, values });
  if (columns === null || rows.length === 0) return;
  const out = session.outPlaces(call, types);
  out.forEach((place, i) => {
    const { argument } = args[place];
    if (argument.type !== 'column' || argument.star) {
      throw new SvcError('42601', `procedure parameter ${place + 1} is an output parameter but corresponding argument is not writable`);
    }
    const target = { parts: argument.parts, path: null };
    placeOf(at.scope, target);
    assignValue(session, at.scope, target, rows[0][i], columns[i].type);
  });
  void Scope;
}
