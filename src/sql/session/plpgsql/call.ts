/** Calls of functions in PL/pgSQL, and DO. */
import { mustUseLanguage } from '../ownership.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { isPolymorphic } from '../../bind/coerce.ts';
import type { Routine } from '../../plpgsql/syntax.ts';
import type { UserFunction } from '../../schema/schema.ts';
import { columnsOf, isRecordType } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Do } from '../../ast/session.ts';
import { done, type ResultColumn, type StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { checkBlock, routineOf } from './compile.ts';
import { converted } from './assign.ts';
import { inFrame } from '../call-frames.ts';
import { Idle } from './idle.ts';
import { difference } from './row-shape.ts';
import { type Gathered, Interpreter } from './run.ts';
import { Scope, type Variable } from './scope.ts';
import { polymorphicType } from '../polymorphic-type.ts';
import { runNonatomic, type Steps } from './steps.ts';

/** A function with its scope, prepared for a call. */
interface Prepared {
  readonly interpreter: Interpreter;
  readonly routine: Routine;
  /** The input arguments, in order. */
  readonly given: readonly Variable[];
  readonly out: readonly Variable[];
  readonly all: readonly Variable[];
  readonly found: Variable;
  readonly types: readonly SqlType[];
  atomic: boolean;
}

const idle = new Idle<Prepared>();

/** Arguments by name and as `$n`, OUT variables, FOUND. */
function prepared(session: SqlSession, fn: UserFunction, types: readonly SqlType[], atomic: boolean): Prepared {
  const routine = routineOf(session, fn);
  const { object } = fn;
  const scope = new Scope(null, object.name);
  const schema = session.schema();
  const given: Variable[] = [];
  const out: Variable[] = [];
  const all: Variable[] = [];
  object.args.forEach(({ name, mode, type: oid }, i) => {
    const isGiven = mode === 'in' || mode === 'inout' || mode === 'variadic' || (mode === 'out' && object.procedure);
    const declared = schema.typeByOid(oid)!;
    const type = !isPolymorphic(declared.name)
      ? declared
      : ((isGiven ? types[given.length] : undefined) ?? polymorphicType(session, fn, declared, types) ?? declared);
    const known = name !== null && name !== '' ? name : mode === 'table' || mode === 'out' ? `column${i + 1}` : `$${i + 1}`;
    const variable = scope.declare({ name: known, type, value: null });
    if (known !== `$${i + 1}` && mode !== 'table') scope.names.set(`$${i + 1}`, variable);
    if (isGiven) given.push(variable);
    if (mode === 'out' || mode === 'inout' || mode === 'table') out.push(variable);
    all.push(variable);
  });
  if (out.length === 0 && isPolymorphic(fn.returns.name)) {
    // `$0` has the type of the result (manual, 43.3.1).
    all.push(scope.declare({ name: '$0', type: polymorphicType(session, fn, fn.returns, types) ?? fn.returns, value: null }));
  }
  const found = scope.declare({ name: 'found', type: session.host.registry.type('bool'), value: false });
  const outRow = (): { columns: readonly ResultColumn[]; values: readonly Value[] } => ({
    columns: out.map(({ name, type, typmod }) => ({ name, type, typmod })),
    values: out.map(({ value }) => value),
  });
  const interpreter = new Interpreter({ session, name: object.name, number: object.number, routine, scope, out: outRow, atomic });
  return { interpreter, routine, given, out, all, found, types, atomic };
}

export function* runProcedural(
  session: SqlSession,
  fn: UserFunction,
  args: readonly Value[],
  types: readonly SqlType[],
  returns: SqlType,
  atomic = true,
): Steps<Value[][]> {
  if (fn.returns.name === 'trigger' || fn.returns.name === 'event_trigger') {
    throw new SvcError('0A000', 'trigger functions can only be called as triggers', {
      data: { where: `compilation of PL/pgSQL function "${fn.object.name}" near line 1` },
    });
  }
  const list = idle.of(session, fn);
  let at = list.length - 1;
  while (at >= 0 && !(list[at].atomic === atomic && list[at].types.length === types.length && list[at].types.every((type, i) => type === types[i]))) at--;
  const own = at < 0 ? prepared(session, fn, types, atomic) : list.splice(at, 1)[0];
  const { object } = fn;
  const { interpreter, given, out, all, found } = own;
  for (const variable of all) variable.begin(null);
  for (let i = 0; i < given.length; i++) given[i].begin(isOut(fn, i) ? null : (args[i] ?? null));
  found.begin(false);
  interpreter.wanted = object.set ? wantedOf(fn, out, returns) : null;
  interpreter.givesRows = isRecordType(returns) || out.length > 0;
  const ended = interpreter.runNow() ?? (yield* interpreter.run());
  const rows = inFrame(session, interpreter, () => outcome(session, fn, interpreter, ended, out, returns));
  interpreter.reset();
  idle.give(list, own);
  return rows;
}

/** Column types that RETURN QUERY must give; null if any are allowed. */
function wantedOf({ returns: declared }: UserFunction, out: readonly Variable[], returns: SqlType): readonly SqlType[] | null {
  if (out.length > 0) return out.map(({ type }) => type);
  const columns = isRecordType(returns) ? columnsOf(returns) : null;
  if (columns !== null) return columns.map(({ type }) => type);
  return isRecordType(declared) || declared.name === 'void' ? null : [returns];
}

/** An OUT parameter of a procedure has a position among its arguments, and starts as null. */
function isOut({ object }: UserFunction, place: number): boolean {
  if (!object.procedure) return false;
  return object.args.filter(({ mode }) => mode !== 'table')[place]?.mode === 'out';
}

/** The rows of a call; one row if it returns no set. */
function outcome(session: SqlSession, fn: UserFunction, interpreter: Interpreter, ended: boolean, out: readonly Variable[], returns: SqlType): Value[][] {
  const { object } = fn;
  if (object.set) return rowsOf(session, fn, interpreter.gathered, returns);
  if (out.length > 0) {
    const values = out.map(({ value }) => value);
    return fn.columns === null ? [[values[0]]] : [values];
  }
  if (object.procedure) return [[null]];
  if (fn.returns.name === 'void') return [['']];
  if (!ended) throw new SvcError('2F005', 'control reached end of function without RETURN');
  if (interpreter.returned === null) return [[null]];
  const { value, type } = interpreter.returned;
  interpreter.during = "while casting return value to function's return type";
  return [[returnedValue(session, value, type, returns)]];
}

function returnedValue(session: SqlSession, value: Value, type: SqlType, returns: SqlType): Value {
  if (isRecordType(returns) && columnsOf(returns) === null) return value;
  if (isRecordType(returns) && value !== null && !(value instanceof RecordValue)) {
    throw new SvcError('42804', 'cannot return non-composite value from function returning composite type');
  }
  const fields = columnsOf(returns);
  if (fields !== null && value instanceof RecordValue) {
    const wanted = fields.map((field) => field.type);
    const detail = difference(columnsOf(type)?.map((field) => field.type) ?? value.types, wanted);
    if (detail !== null) throw new SvcError('42804', 'returned record type does not match expected record type', { detail });
  }
  return converted(session, value, type, returns, -1);
}

/** Rows of RETURN NEXT and RETURN QUERY in the form for the caller: OUT columns, or one value. */
function rowsOf(session: SqlSession, fn: UserFunction, gathered: readonly Gathered[], returns: SqlType): Value[][] {
  const fields = fn.columns === null ? (isRecordType(returns) ? columnsOf(returns) : null) : fn.columns;
  const apart = fn.columns !== null;
  return gathered.map(({ columns, values, type }) => {
    if (columns === null) {
      const value = fields === null || !apart ? returnedValue(session, values[0], type!, returns) : values[0];
      if (apart && value instanceof RecordValue) return [...value.fields];
      return [value];
    }
    if (fields === null) {
      if (isRecordType(returns))
        return [
          columns.length === 1 && isRecordType(columns[0].type)
            ? values[0]
            : new RecordValue(
                values,
                columns.map((column) => column.type),
              ),
        ];
      return [converted(session, values[0], columns[0].type, returns, -1)];
    }
    if (columns.length === 1 && fields.length !== 1 && isRecordType(columns[0].type)) return [converted(session, values[0], columns[0].type, returns, -1)];
    const row = fields.map((field, i) => converted(session, values[i], columns[i].type, field.type, -1));
    if (apart) return row;
    return [
      new RecordValue(
        row,
        fields.map((field) => field.type),
      ),
    ];
  });
}

const blocks = new Map<string, Routine>();
const BLOCKS_MAX = 100;

function* deeper<T>(session: SqlSession, steps: Steps<T>): Steps<T> {
  session.functionDepth++;
  try {
    return yield* steps;
  } finally {
    session.functionDepth--;
  }
}

/** DO: a block without arguments, which yields between statements. */
export async function runDo(session: SqlSession, statement: Do): Promise<StatementResult> {
  session.startStatement();
  return runNonatomic(session, (atomic) => doSteps(session, statement, atomic));
}

const WITHOUT_BLOCKS: ReadonlySet<string> = new Set(['sql', 'internal', 'c']);

export function* doSteps(session: SqlSession, { language, code }: Do, atomic: boolean): Steps<StatementResult> {
  if (language !== null && language !== 'plpgsql') {
    if (WITHOUT_BLOCKS.has(language)) throw new SvcError('0A000', `language "${language}" does not support inline code execution`);
    throw new SvcError('42704', `language "${language}" does not exist`);
  }
  mustUseLanguage(session, 'plpgsql');
  let routine = blocks.get(code);
  if (routine === undefined) {
    routine = checkBlock(session, code);
    if (blocks.size >= BLOCKS_MAX) blocks.clear();
    blocks.set(code, routine);
  }
  const scope = new Scope(null, 'inline_code_block');
  scope.declare({ name: 'found', type: session.host.registry.type('bool'), value: false });
  const interpreter = new Interpreter({ session, name: 'inline_code_block', routine, scope, out: () => ({ columns: [], values: [] }), atomic });
  yield* deeper(session, interpreter.run());
  return done('DO', session.notices);
}
