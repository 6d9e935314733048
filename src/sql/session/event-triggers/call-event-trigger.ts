/** Calls of functions of event triggers. Manual, 43.10.2. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { DefinitionEvent } from '../../../worlds/definition.ts';
import type { UserFunction } from '../../schema/schema.ts';
import { comeBack, goDeeper } from '../call-depth.ts';
import { notSupported } from '../internal-function.ts';
import { routineOf } from '../plpgsql/compile.ts';
import { Interpreter } from '../plpgsql/run.ts';
import { Scope } from '../plpgsql/scope.ts';
import { atOnce, toTheEnd } from '../plpgsql/steps.ts';
import type { SqlSession } from '../sql-session.ts';

export function callEventTrigger(session: SqlSession, fn: UserFunction, event: DefinitionEvent, tag: string): void {
  const { definer, settings, number, returns } = fn.object;
  if (fn.returns.name !== 'event_trigger') throw new SvcError('39P03', `function ${number} returns type ${returns}, not event_trigger`);
  const run = (): void => runFunction(session, fn, event, tag);
  const asOwner = definer === true ? (): void => session.authority.actingAs(session.schema().ownerOf(number), run) : run;
  goDeeper(session, number);
  try {
    if (settings === undefined) asOwner();
    else session.settings.during(settings, asOwner);
  } finally {
    comeBack(session);
  }
}

function runFunction(session: SqlSession, fn: UserFunction, event: DefinitionEvent, tag: string): void {
  const { name, number } = fn.object;
  if (fn.object.language === 'internal') throw notSupported(fn);
  const { registry } = session.host;
  const constants = new Scope(null, null);
  constants.declare({ name: 'tg_event', type: registry.type('text'), value: event });
  constants.declare({ name: 'tg_tag', type: registry.type('text'), value: tag });
  const scope = new Scope(constants, name);
  scope.declare({ name: 'found', type: registry.type('bool'), value: false });
  const out = (): { columns: []; values: [] } => ({ columns: [], values: [] });
  const interpreter = new Interpreter({ session, name, number, routine: routineOf(session, fn), scope, out, atomic: true });
  atOnce(session, () => interpreter.runNow() ?? toTheEnd(session, interpreter.run()));
}
