/** OPTIONS (…) of foreign data: applies ADD, SET and DROP, and calls the wrapper's validator with the result. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RoutineReference } from '../../../worlds/definition.ts';
import type { Option } from '../../ast/define.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { textOf } from '../definition-options.ts';
import { callFunction } from '../function-call.ts';
import { invoke, referenced } from '../routine-reference.ts';
import type { SqlSession } from '../sql-session.ts';

/** 42704, 42710. */
export function changedForeignOptions(before: readonly string[], options: readonly Option[]): string[] {
  const out = [...before];
  for (const option of options) {
    const { name, action } = option;
    const at = out.findIndex((each) => each.startsWith(`${name}=`));
    if (action === 'drop' || action === 'set') {
      if (at < 0) throw new SvcError('42704', `option "${name}" not found`);
      if (action === 'drop') out.splice(at, 1);
      else out[at] = `${name}=${textOf(option)}`;
    } else {
      if (at >= 0) throw new SvcError('42710', `option "${name}" provided more than once`);
      out.push(`${name}=${textOf(option)}`);
    }
  }
  return out;
}

/** `catalog`: oid of the catalog that the options belong to, which a validator receives. */
export function validatedOptions(
  session: SqlSession,
  validator: RoutineReference | null,
  before: readonly string[],
  options: readonly Option[],
  catalog: number,
): string[] {
  const out = changedForeignOptions(before, options);
  if (validator !== null) validate(session, validator, out, catalog);
  return out;
}

function validate(session: SqlSession, validator: RoutineReference, options: readonly string[], catalog: number): void {
  const { registry } = session.host;
  const types = [registry.type('_text'), registry.type('oid')];
  const values = [new ArrayValue([...options]), catalog];
  if ('own' in validator) {
    const { returns } = session.schema().functions.get(validator.own)!;
    callFunction(session, validator.own, values, types, returns);
    return;
  }
  const { env } = session;
  invoke(referenced(session.schema(), registry, validator, types), { env, argTypes: types, returnType: registry.type('bool') }, values);
}
