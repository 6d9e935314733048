/** Parses PL/pgSQL functions: at CREATE, with Postgres's checks, and again when called. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { isPolymorphic } from '../../bind/coerce.ts';
import { parseRoutine } from '../../plpgsql/parse.ts';
import type { RoutineFacts, VariableKind } from '../../plpgsql/checks.ts';
import type { Routine } from '../../plpgsql/syntax.ts';
import type { UserFunction } from '../../schema/schema.ts';
import { isRecordType } from '../../types/record-type.ts';
import type { SqlType } from '../../types/type.ts';
import { placeInStatement, throwPlaced } from '../function-place.ts';
import type { SqlSession } from '../sql-session.ts';
import { declaredType } from './declared-type.ts';
import { inFrame } from '../call-frames.ts';
import { Scope } from './scope.ts';

const routines = new WeakMap<UserFunction, Routine>();

/** At a call. 42601. */
export function routineOf(session: SqlSession, fn: UserFunction): Routine {
  let routine = routines.get(fn);
  if (routine === undefined) {
    const { body, name } = fn.object;
    let line = 1;
    const frame = { sql: body, shift: 0, line: () => `compilation of PL/pgSQL function "${name}" near line ${line}` };
    routine = inFrame(session, frame, () => {
      try {
        return parseRoutine(body);
      } catch (error) {
        line = lineOf(error, body);
        throw error;
      }
    });
    routines.set(fn, routine);
  }
  return routine;
}

function lineOf(error: unknown, body: string): number {
  if (!(error instanceof SvcError)) return 1;
  if (typeof error.data?.line === 'number') return error.data.line;
  return error.position === undefined ? 1 : body.slice(0, error.position - 1).split('\n').length;
}

/** The predeclared variables of a trigger function. */
const TRIGGER_VARIABLES: readonly { readonly name: string; readonly kind: VariableKind }[] = [
  { name: 'new', kind: 'row' },
  { name: 'old', kind: 'row' },
  ...['name', 'when', 'level', 'op', 'relid', 'relname', 'table_name', 'table_schema', 'nargs', 'argv'].map((name) => ({
    name: `tg_${name}`,
    kind: 'scalar' as const,
  })),
];

/** At CREATE. */
export function checkRoutine(session: SqlSession, fn: UserFunction): void {
  const { object, returns } = fn;
  const schema = session.schema();
  const parameters = object.args.flatMap(({ name, type }, i) => {
    const kind = kindOfType(schema.typeByOid(type)!);
    return [{ name: `$${i + 1}`, kind }, ...(name === null || name === '' ? [] : [{ name, kind }])];
  });
  if (isPolymorphic(returns.name) && !object.args.some(({ mode }) => mode === 'out' || mode === 'inout')) parameters.push({ name: '$0', kind: 'scalar' });
  if (object.args.length > 0) refuseArguments(session, fn);
  if (returns.name === 'event_trigger') parameters.push({ name: 'tg_event', kind: 'scalar' }, { name: 'tg_tag', kind: 'scalar' });
  if (returns.name === 'trigger') parameters.push(...TRIGGER_VARIABLES);
  const out = object.args.some(({ mode }) => mode === 'out' || mode === 'inout' || mode === 'table');
  const kind = object.set ? 'set' : object.procedure ? 'procedure' : returns.name === 'void' || returns.name === 'event_trigger' ? 'void' : 'value';
  checked(session, object.body, { name: object.name, parameters, out, returns: kind });
}

/** Trigger functions have no declared arguments. */
function refuseArguments(session: SqlSession, { object, returns }: UserFunction): void {
  if (returns.name !== 'trigger' && returns.name !== 'event_trigger') return;
  const error =
    returns.name === 'trigger'
      ? new SvcError('42P13', 'trigger functions cannot have declared arguments', {
          hint: 'The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.',
        })
      : new SvcError('42P13', 'event trigger functions cannot have declared arguments');
  throwPlaced(error, session.text, object.body, `compilation of PL/pgSQL function "${object.name}" near line 1`);
}

/** The block of a DO. */
export function checkBlock(session: SqlSession, code: string): Routine {
  return checked(session, code, { name: 'inline_code_block', parameters: [], out: false, returns: 'void' });
}

function checked(session: SqlSession, body: string, own: Pick<RoutineFacts, 'name' | 'parameters' | 'out' | 'returns'>): Routine {
  const extra = (setting: string): boolean => {
    const names = session.settings.get(setting)!.toLowerCase();
    return names === 'all' || names.includes('shadowed_variables');
  };
  const facts: RoutineFacts = {
    ...own,
    kindOf: (written) => kindOfType(typeOf(session, written)),
    syntax: (text) => void session.parseUncached(text),
    shadowing: extra('plpgsql.extra_errors') ? 'error' : extra('plpgsql.extra_warnings') ? 'warning' : null,
    warn: (message, position) => {
      const at = placeInStatement(session.text, body, position);
      session.sendNotice({ severity: 'WARNING', code: '42712', message, ...(at === null ? {} : { position: at }) });
    },
  };
  try {
    return parseRoutine(body, facts);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const context = `compilation of PL/pgSQL function "${own.name}" near line ${lineOf(error, body)}`;
    return throwPlaced(error, session.text, body, context);
  }
}

function kindOfType(type: SqlType): VariableKind {
  return isRecordType(type) ? 'row' : type.name === 'refcursor' ? 'refcursor' : 'scalar';
}

const CAST = 'SELECT NULL::';

/** Positions are in the type's text. */
function typeOf(session: SqlSession, written: string): SqlType {
  try {
    return declaredType({ session, name: '', conflict: 'error', scope: new Scope(null, null) }, written).type;
  } catch (error) {
    if (!(error instanceof SvcError) || error.position === undefined) throw error;
    const { code, message, hint } = error;
    throw new SvcError(code, message, { position: Math.max(1, error.position - CAST.length), ...(hint === undefined ? {} : { hint }), cause: error });
  }
}
