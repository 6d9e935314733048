/** Calls of trigger functions: OLD, NEW and TG_ variables in, the returned row out. Manual, 43.10. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { TriggerEvent } from '../../../worlds/definition.ts';
import type { UserFunction } from '../../schema/schema.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { columnsOf } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { comeBack, goDeeper } from '../call-depth.ts';
import { routineOf } from '../plpgsql/compile.ts';
import { inFrame } from '../call-frames.ts';
import { Idle } from '../plpgsql/idle.ts';
import { Interpreter, type Returned } from '../plpgsql/run.ts';
import { Scope, type Variable } from '../plpgsql/scope.ts';
import { toTheEnd } from '../plpgsql/steps.ts';
import type { SqlSession } from '../sql-session.ts';
import { maskedTransitions } from './masked-transitions.ts';
import { builtInTrigger } from './built-in-triggers.ts';
import { notSupported } from '../internal-function.ts';
import type { ReadyTrigger } from './table-triggers.ts';
import { TransitionTables, type TransitionRows } from './transition-tables.ts';

export interface Transitions {
  readonly old: TransitionRows;
  readonly new: TransitionRows;
}

export type Row = readonly Value[];

const NO_ROWS: Transitions = { old: [], new: [] };

/** The function's result: a row in the order of the table's columns, or null. `moving`: the row is moved from another partition. */
export function callTrigger(
  session: SqlSession,
  trigger: ReadyTrigger,
  event: TriggerEvent,
  old: Row | null,
  row: Row | null,
  transitions: Transitions = NO_ROWS,
  moving = false,
): Row | null {
  const masks = 'object' in trigger.fn ? maskedTransitions(session, trigger, trigger.fn.object.number) : null;
  if (masks === null) return called(session, trigger, event, old, row, transitions);
  const shown = (rows: TransitionRows): TransitionRows => rows.map((each) => masks.shown(session, each));
  const left = moving ? row : old;
  const oldSeen = old === null ? null : masks.shown(session, old);
  const rowSeen = row === null || left === null ? row : masks.shownNew(session, left, row);
  const given = called(session, trigger, event, oldSeen, rowSeen, { old: shown(transitions.old), new: shown(transitions.new) });
  return given === null || row === null || left === null ? given : masks.restored(left, row, given);
}

function called(session: SqlSession, trigger: ReadyTrigger, event: TriggerEvent, old: Row | null, row: Row | null, transitions: Transitions): Row | null {
  const { fn, on, oldTable, newTable } = trigger;
  // The author of the trigger is responsible for the call.
  const author = session.schema().authors.get(on.number);
  goDeeper(session, 'object' in fn ? fn.object.number : on.number);
  if (author !== undefined) session.code.enter(author.by);
  session.triggerDepth++;
  const around = session.transitions;
  const [oldBefore, newBefore] = [oldTable?.list, newTable?.list];
  session.transitions = oldTable === null && newTable === null ? null : tablesOf(trigger);
  if (oldTable !== null) oldTable.list = transitions.old;
  if (newTable !== null) newTable.list = transitions.new;
  try {
    return 'object' in fn ? callOwn(session, trigger, fn, event, old, row) : fn.run(session, trigger, event, old, row);
  } finally {
    if (author !== undefined) session.code.leave();
    comeBack(session);
    session.triggerDepth--;
    session.transitions = around;
    if (oldTable !== null) oldTable.list = oldBefore!;
    if (newTable !== null) newTable.list = newBefore!;
  }
}

const transitionTables = new WeakMap<ReadyTrigger, TransitionTables>();

function tablesOf(trigger: ReadyTrigger): TransitionTables {
  let known = transitionTables.get(trigger);
  if (known === undefined) {
    const tables = [trigger.oldTable, trigger.newTable].filter((table) => table !== null);
    transitionTables.set(trigger, (known = new TransitionTables(trigger.object.number, tables)));
  }
  return known;
}

function callOwn(session: SqlSession, trigger: ReadyTrigger, fn: UserFunction, event: TriggerEvent, old: Row | null, row: Row | null): Row | null {
  const { definer, settings } = fn.object;
  if (settings === undefined && definer !== true) return runTrigger(session, trigger, fn, event, old, row);
  return asOther(session, fn, () => runTrigger(session, trigger, fn, event, old, row));
}

/** Under the function's SECURITY DEFINER and SET clauses. */
function asOther(session: SqlSession, { object: { definer, settings, number } }: UserFunction, run: () => Row | null): Row | null {
  const asOwner = definer === true ? (): Row | null => session.authority.actingAs(session.schema().ownerOf(number), run) : run;
  return settings === undefined ? asOwner() : session.settings.during(settings, asOwner);
}

/** A function prepared for calls of one trigger. */
interface Ready {
  readonly event: TriggerEvent;
  readonly interpreter: Interpreter;
  readonly found: Variable;
  readonly old: Variable;
  readonly row: Variable;
}

const idle = new Idle<Ready>();

function ready(session: SqlSession, trigger: ReadyTrigger, fn: UserFunction, event: TriggerEvent): Ready {
  const { name, number } = fn.object;
  const scope = new Scope(constants(session, trigger, event), name);
  const { registry } = session.host;
  const record = registry.type('record');
  const found = scope.declare({ name: 'found', type: registry.type('bool'), value: false });
  const old = scope.declare({ name: 'old', type: record });
  const row = scope.declare({ name: 'new', type: record });
  const interpreter = new Interpreter({ session, name, number, routine: routineOf(session, fn), scope, out: nothingOut, atomic: true });
  return { event, interpreter, found, old, row };
}

function runTrigger(session: SqlSession, trigger: ReadyTrigger, fn: UserFunction, event: TriggerEvent, old: Row | null, row: Row | null): Row | null {
  if (fn.object.language === 'internal') {
    const own = builtInTrigger(fn.object.body);
    if (own === undefined) throw notSupported(fn);
    return own.run(session, trigger, event, old, row);
  }
  const list = idle.of(session, trigger);
  let at = list.length - 1;
  while (at >= 0 && list[at].event !== event) at--;
  const own = at < 0 ? ready(session, trigger, fn, event) : at === list.length - 1 ? list.pop()! : list.splice(at, 1)[0];
  const { interpreter } = own;
  own.found.begin(false);
  beginRow(own.old, trigger, old, false);
  // NEW of a BEFORE trigger has no other references.
  beginRow(own.row, trigger, row, trigger.object.timing === 'before');
  const ended = endedAtOnce(session, interpreter);
  const { returned } = interpreter;
  let given: Row | null = null;
  if (ended && returned?.value instanceof RecordValue && returned.type === trigger.on.rowType) given = trigger.object.row ? returned.value.fields : null;
  else given = inFrame(session, interpreter, () => givenBy(trigger, ended, returned));
  interpreter.reset();
  idle.give(list, own);
  return given;
}

function endedAtOnce(session: SqlSession, interpreter: Interpreter): boolean {
  const { nonatomic } = session;
  session.nonatomic = false;
  try {
    return interpreter.runNow() ?? toTheEnd(session, interpreter.run());
  } finally {
    session.nonatomic = nonatomic;
  }
}

/** The row that the function has returned. 2F005, 42804. */
function givenBy(trigger: ReadyTrigger, ended: boolean, returned: Returned | null): Row | null {
  if (!ended) throw new SvcError('2F005', 'control reached end of trigger procedure without RETURN');
  if (returned === null || returned.value === null || !trigger.object.row) return null;
  const { value, type } = returned;
  if (!(value instanceof RecordValue)) {
    throw new SvcError('42804', 'cannot return non-composite value from function returning composite type');
  }
  return type === trigger.on.rowType ? value.fields : fitting(value, type, trigger);
}

const nothingOut = (): { columns: []; values: [] } => ({ columns: [], values: [] });

/** A `record` variable, initialized with a row of the table. */
function beginRow(variable: Variable, { on }: ReadyTrigger, row: Row | null, owned: boolean): void {
  variable.begin(row === null ? null : new RecordValue(row, on.types), owned);
  variable.type = on.rowType;
  variable.assigned = true;
}

/** A row of another type, matched column by column. */
function fitting({ fields, types }: RecordValue, type: SqlType, { on }: ReadyTrigger): Row {
  const given = columnsOf(type)?.map((column) => column.type) ?? types;
  const misfit = (detail: string): SvcError => new SvcError('42804', 'returned row structure does not match the structure of the triggering table', { detail });
  if (given.length !== on.types.length) {
    throw misfit(`Number of returned columns (${given.length}) does not match expected column count (${on.types.length}).`);
  }
  given.forEach((each, i) => {
    if (each.oid !== on.types[i].oid) throw misfit(`Returned type ${each.title} does not match expected type ${on.types[i].title} in column ${i + 1}.`);
  });
  return fields;
}

const constantScopes = new WeakMap<ReadyTrigger, Map<TriggerEvent, Scope>>();

/** TG_ variables, which are the same in each call. */
function constants(session: SqlSession, trigger: ReadyTrigger, event: TriggerEvent): Scope {
  let byEvent = constantScopes.get(trigger);
  if (byEvent === undefined) constantScopes.set(trigger, (byEvent = new Map()));
  let scope = byEvent.get(event);
  if (scope !== undefined) return scope;
  byEvent.set(event, (scope = new Scope(null, null)));
  const { object, on } = trigger;
  const { registry } = session.host;
  const declare = (name: string, type: string, value: Value): void => {
    scope!.declare({ name, type: registry.type(type), value });
  };
  declare('tg_name', 'name', object.name);
  declare('tg_when', 'text', object.timing.toUpperCase());
  declare('tg_level', 'text', object.row ? 'ROW' : 'STATEMENT');
  declare('tg_op', 'text', event.toUpperCase());
  declare('tg_relid', 'oid', on.number);
  declare('tg_relname', 'name', on.name);
  declare('tg_table_name', 'name', on.name);
  declare('tg_table_schema', 'name', on.schema);
  declare('tg_nargs', 'int4', object.args.length);
  declare('tg_argv', '_text', object.args.length === 0 ? null : new ArrayValue(object.args, [object.args.length], [0]));
  return scope;
}
