/** Calls of functions in PL/pgSQL, and DO. */
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
import { inFrame } from './fragment.ts';
import { type Gathered, Interpreter } from './run.ts';
import { Scope, type Variable } from './scope.ts';
import { runNonatomic, type Steps } from './steps.ts';

/** Arguments by name and as `$n`, OUT variables, FOUND. */
function scopeOf(session: SqlSession, fn: UserFunction, args: readonly Value[], types: readonly SqlType[]): { scope: Scope; out: Variable[] } {
  const scope = new Scope(null, fn.object.name);
  const schema = session.schema();
  const out: Variable[] = [];
  let next = 0;
  fn.object.args.forEach(({ name, mode, type: oid }, i) => {
    const given = mode === 'in' || mode === 'inout' || mode === 'variadic' || (mode === 'out' && fn.object.procedure);
    const declared = schema.typeByOid(oid)!;
    const type = isPolymorphic(declared.name) ? ((given ? types[next] : undefined) ?? declared) : declared;
    const value = given && mode !== 'out' ? (args[next] ?? null) : null;
    if (given) next++;
    const known = name !== null && name !== '' ? name : mode === 'table' || mode === 'out' ? `column${i + 1}` : `$${i + 1}`;
    const variable = scope.declare({ name: known, type, value });
    if (known !== `$${i + 1}` && mode !== 'table') scope.names.set(`$${i + 1}`, variable);
    if (mode === 'out' || mode === 'inout' || mode === 'table') out.push(variable);
  });
  scope.declare({ name: 'found', type: session.host.registry.type('bool'), value: false });
  return { scope, out };
}

export function* runProcedural(
  session: SqlSession,
  fn: UserFunction,
  args: readonly Value[],
  types: readonly SqlType[],
  returns: SqlType,
  atomic = true,
): Steps<Value[][]> {
  if (fn.returns.name === 'trigger') throw new SvcError('0A000', 'trigger functions can only be called as triggers');
  const routine = routineOf(session, fn);
  const { scope, out } = scopeOf(session, fn, args, types);
  const { object } = fn;
  const outRow = (): { columns: readonly ResultColumn[]; values: readonly Value[] } => ({
    columns: out.map(({ name, type, typmod }) => ({ name, type, typmod })),
    values: out.map(({ value }) => value),
  });
  const interpreter = new Interpreter({ session, name: object.name, number: object.number, routine, scope, out: outRow, atomic });
  const ended = yield* interpreter.run();
  return inFrame(session, interpreter, () => outcome(session, fn, interpreter, ended, out, returns));
}

/** Rows that a call gives, one where it gives no set. */
function outcome(session: SqlSession, fn: UserFunction, interpreter: Interpreter, ended: boolean, out: readonly Variable[], returns: SqlType): Value[][] {
  const { object } = fn;
  if (object.set) return rowsOf(session, fn, interpreter.gathered, returns);
  if (out.length > 0) {
    const values = out.map(({ value }) => value);
    return fn.columns === null ? [[values[0]]] : [values];
  }
  if (fn.returns.name === 'void' || object.procedure) return [[null]];
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
  return converted(session, value, type, returns, -1);
}

/** Rows of RETURN NEXT and RETURN QUERY, as the caller wants them: columns of OUT, or one value. */
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
      mustFit(columns.length, 1);
      return [converted(session, values[0], columns[0].type, returns, -1)];
    }
    if (columns.length === 1 && fields.length !== 1 && isRecordType(columns[0].type)) return [converted(session, values[0], columns[0].type, returns, -1)];
    mustFit(columns.length, fields.length);
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

function mustFit(count: number, wanted: number): void {
  if (count === wanted) return;
  throw new SvcError('42804', 'structure of query does not match function result type', {
    detail: `Number of returned columns (${count}) does not match expected column count (${wanted}).`,
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

/** DO: a block without arguments, between whose statements others are let in. */
export async function runDo(session: SqlSession, statement: Do): Promise<StatementResult> {
  session.startStatement();
  return runNonatomic(session, (atomic) => doSteps(session, statement, atomic));
}

export function* doSteps(session: SqlSession, { language, code }: Do, atomic: boolean): Steps<StatementResult> {
  if (language !== null && language !== 'plpgsql') {
    if (language === 'sql') throw new SvcError('0A000', 'language "sql" does not support inline code execution');
    throw new SvcError('42704', `language "${language}" does not exist`);
  }
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
