/** CALL inside a function: OUT arguments are variables that receive the procedure's results. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Expression } from '../../ast/expression.ts';
import type { Call } from '../../ast/session.ts';
import { deparseExpression } from '../../parse/deparse.ts';
import type { Fragment } from '../../plpgsql/syntax.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { inFrame, TextFrame } from '../call-frames.ts';
import { readyCall } from '../call-procedure.ts';
import { callSteps } from '../function-call.ts';
import { assignValue } from './assign.ts';
import type { Interpreter } from './run.ts';
import type { Steps } from './steps.ts';
import { inFrameSteps } from './fragment.ts';

interface Parsed {
  readonly statement: Call;
  readonly args: readonly { readonly argument: Expression; readonly fragment: Fragment }[];
}

const parsed = new WeakMap<Fragment, Parsed>();

function parsedCall(at: Interpreter, sql: Fragment): Parsed {
  let known = parsed.get(sql);
  if (known === undefined) {
    const [statement] = at.session.parseUncached(sql.text);
    if (statement?.type !== 'callProcedure' || statement.call.type !== 'call') throw new SvcError('42601', 'CALL wants a procedure');
    const { call } = statement;
    const args = call.args.map((argument) => ({ argument, fragment: { text: deparseExpression(argument), at: sql.at } }));
    const numbered = { ...call, args: call.args.map((_, i): Expression => ({ type: 'parameter', number: i + 1, at: 0 })) };
    parsed.set(sql, (known = { statement: { ...statement, call: numbered }, args }));
  }
  return known;
}

export function* callInside(at: Interpreter, sql: Fragment): Steps<void> {
  const { session } = at;
  const { statement, args } = parsedCall(at, sql);
  const types: SqlType[] = [];
  const values: Value[] = [];
  for (const { fragment } of args) {
    const { value, type } = yield* at.value(fragment);
    types.push(type);
    values.push(value);
  }
  const frame = new TextFrame('SQL statement', sql.text);
  const { user, values: given, types: declared, returns } = inFrame(session, frame, () => readyCall(session, statement, { types, values }));
  const rows = yield* inFrameSteps(session, frame, () => callSteps(session, user.object.number, given, declared, returns, at.atomic));
  if (user.columns === null || rows.length === 0) return;
  const places = user.object.args.flatMap(({ mode }, i) => (mode === 'out' || mode === 'inout' ? [i] : []));
  for (const [i, place] of places.entries()) {
    const argument = args[place]?.argument;
    if (argument?.type !== 'column' || argument.star) {
      throw new SvcError(
        '42601',
        `procedure parameter ${user.object.args[place].name === null ? place + 1 : `"${user.object.args[place].name}"`} is an output parameter but corresponding argument is not writable`,
      );
    }
    assignValue(session, at.scope, { parts: argument.parts, path: null, at: 0 }, rows[0][i], user.columns[i].type);
  }
}
