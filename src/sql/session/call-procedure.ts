/** CALL: there are no procedures, so none has the name and the types. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call } from '../ast/session.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { signature } from '../bind/function.ts';
import { Scope } from '../bind/scope.ts';
import type { SqlSession } from './sql-session.ts';

export function callProcedure(session: SqlSession, { call, at }: Call): never {
  session.startStatement();
  if (call.type !== 'call') throw new SvcError('42601', 'CALL wants a procedure', { position: at + 1 });
  const binder = new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
  const types = call.args.map((arg) => binder.coercion.typeOf(bindExpression(binder, arg, new Scope(null))));
  const name = call.name.join('.');
  if (binder.registry.functions(name).length > 0) {
    throw new SvcError('42809', `${signature(name, types)} is not a procedure`, { hint: 'To call a function, use SELECT.', position: call.at + 1 });
  }
  throw new SvcError('42883', `procedure ${signature(name, types)} does not exist`, {
    hint: 'No procedure matches the given name and argument types. You might need to add explicit type casts.',
    position: call.at + 1,
  });
}
