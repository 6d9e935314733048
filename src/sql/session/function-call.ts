/**
 * A call of an SQL function: runs its statements in order over the transaction's state and returns the rows of the last. It runs to
 * its end within the call, so functions may be used wherever an expression may.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { plainExpression } from '../ast/plain-select.ts';
import { bindExpression } from '../bind/expression.ts';
import { argumentNamesOf } from '../bind/user-functions.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { Scope } from '../bind/scope.ts';
import { Compilation } from '../exec/compilation.ts';
import type { UserFunction } from '../schema/schema.ts';
import { columnsOf, isRecordType } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import type { NamedRows } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { comeBack, goDeeper } from './call-depth.ts';
import { type CallFrame, located } from './call-frames.ts';
import { accessOf, checkAccess } from './check-access.ts';
import { binderOf } from './define-table.ts';
import { cursorRows } from './cursors.ts';
import { execContext } from './exec-context.ts';
import { InnerRun } from './inner-run.ts';
import { runInternal } from './internal-function.ts';
import { parseExpressionText } from './names.ts';
import type { Statement } from '../ast/statement.ts';
import { runProcedural } from './plpgsql/call.ts';
import { compute, type Simple, simpleOf } from './plpgsql/fragment.ts';
import { runUtility } from './plpgsql/queries.ts';
import { runAtOnce, type Steps } from './plpgsql/steps.ts';
import { polymorphicType } from './polymorphic-type.ts';
import { type Prepared, type QueryStatement, isQuery } from './prepare.ts';
import type { ResultColumn } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const statements = new WeakMap<UserFunction, readonly Statement[]>();

/** The statements of a body; 0A000 if one of them ends the transaction. */
export function bodyOf(session: SqlSession, fn: UserFunction): readonly Statement[] {
  let known = statements.get(fn);
  if (known === undefined) {
    known = session.parseUncached(fn.object.body);
    for (const { type } of known) {
      const what = refusedInBody(type);
      if (what !== undefined) throw new SvcError('0A000', `${what} is not allowed in an SQL function`);
    }
    statements.set(fn, known);
  }
  return known;
}

export function refusedInBody(type: string): string | undefined {
  return REFUSED[type];
}

const REFUSED: Readonly<Record<string, string>> = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  savepoint: 'SAVEPOINT',
  release: 'RELEASE',
  rollbackTo: 'ROLLBACK TO',
  prepareTransaction: 'PREPARE TRANSACTION',
  copy: 'COPY',
};

/** A statement of a body, with the function's arguments as parameters. */
export function prepareInBody(session: SqlSession, fn: UserFunction, statement: QueryStatement, types: readonly SqlType[]): Prepared {
  return session.prepareIn(statement, types, argumentNamesOf(fn));
}

/** A call inside a query, run without yielding. */
export function callFunction(
  session: SqlSession,
  number: number,
  given: readonly (Value | undefined)[],
  types: readonly SqlType[],
  returns: SqlType,
): Value[][] {
  return runAtOnce(session, callSteps(session, number, given, types, returns));
}

export function* callSteps(
  session: SqlSession,
  number: number,
  given: readonly (Value | undefined)[],
  types: readonly SqlType[],
  returns: SqlType,
  atomic = true,
): Steps<Value[][]> {
  const schema = session.schema();
  const fn = schema.functions.get(number);
  if (fn === undefined) throw new SvcError('42883', `function with OID ${number} does not exist`);
  const { definer, settings } = fn.object;
  const body = (inside = true): Steps<Value[][]> => {
    const args = argumentsOf(session, fn, given);
    switch (fn.object.language) {
      case 'plpgsql':
        return runProcedural(session, fn, args, types, returns, inside);
      case 'internal':
        return internalSteps(session, fn, args, types, returns);
      case undefined:
        return runBody(session, fn, args, types, returns);
    }
  };
  const run = (): Value[][] => runAtOnce(session, body());
  const asOwner = definer === true ? (): Value[][] => session.authority.actingAs(schema.ownerOf(number), run) : run;
  goDeeper(session, number);
  try {
    if (settings !== undefined) return session.settings.during(settings, asOwner);
    if (definer === true) return asOwner();
    return yield* body(atomic);
  } finally {
    comeBack(session);
  }
}

// oxlint-disable-next-line require-yield -- It has the form of the other languages' calls.
function* internalSteps(session: SqlSession, fn: UserFunction, args: readonly Value[], types: readonly SqlType[], returns: SqlType): Steps<Value[][]> {
  return runInternal(session.env, () => binderOf(session).coercion, fn, args, types, returns);
}

function argumentsOf(session: SqlSession, fn: UserFunction, given: readonly (Value | undefined)[]): Value[] {
  return fn.inputs.map((input, i) => given[i] ?? (given[i] === undefined && input.default !== null ? defaultValue(session, input.default, input.type) : null));
}

/** The running statement of an SQL function. A call that Postgres inlines has no frame. */
class BodyFrame implements CallFrame {
  readonly sql: string;
  readonly shift = 0;
  readonly #name: string;
  statement = 0;
  inlined = false;

  constructor({ object }: UserFunction) {
    this.sql = object.body;
    this.#name = object.name;
  }

  line(claimed: boolean): string | null {
    if (this.inlined && !claimed) return null;
    const when = this.statement === 0 || this.inlined ? `during ${this.inlined ? 'inlining' : 'startup'}` : `statement ${this.statement}`;
    return `SQL function "${this.#name}" ${when}`;
  }
}

/** A single expression, which replaces the call. */
function isInlined({ object, returns }: UserFunction, [only, ...more]: readonly Statement[]): boolean {
  if (only === undefined || more.length > 0 || object.set || object.procedure || object.definer === true || object.settings !== undefined) return false;
  return plainExpression(only) !== null && returns.name !== 'record' && !object.strict;
}

interface Inlined {
  readonly key: string;
  readonly types: readonly SqlType[];
  readonly returns: SqlType;
  /** null if it needs rows. */
  readonly simple: Simple | null;
}
const inlined = new WeakMap<UserFunction, Inlined>();

/** The value of a body that is a single expression; undefined if it needs rows. */
function inlineValue(
  session: SqlSession,
  fn: UserFunction,
  statement: QueryStatement & { type: 'select' },
  args: readonly Value[],
  types: readonly SqlType[],
  returns: SqlType,
): Value | undefined {
  if (fn.columns !== null || isRecordType(fn.returns) || isRecordType(returns)) return undefined;
  const key = session.planKey();
  let known = inlined.get(fn);
  if (known === undefined || known.key !== key || known.returns !== returns || !known.types.every((type, i) => type === types[i])) {
    const into = returns.name === 'void' ? null : { type: isPolymorphic(fn.returns.name) ? returns : fn.returns, typmod: -1, cast: true };
    known = { key, types, returns, simple: simpleOf(session, statement, types, argumentNamesOf(fn), into) };
    inlined.set(fn, known);
  }
  return known.simple === null ? undefined : compute(session, known.simple, args);
}

function* runBody(session: SqlSession, fn: UserFunction, args: readonly Value[], types: readonly SqlType[], returns: SqlType): Steps<Value[][]> {
  const actual = fn.inputs.map(({ type }, i) => (isPolymorphic(type.name) ? (types[i] ?? polymorphicType(session, fn, type, types) ?? type) : type));
  const { frames } = session;
  const frame = new BodyFrame(fn);
  let rows: Value[][] = [];
  frames.push(frame);
  try {
    const body = bodyOf(session, fn);
    frame.inlined = isInlined(fn, body);
    if (frame.inlined) {
      const value = inlineValue(session, fn, body[0] as QueryStatement & { type: 'select' }, args, actual, returns);
      if (value !== undefined) return fn.returns.name === 'void' ? [[null]] : [[value]];
    }
    for (const [i, statement] of body.entries()) {
      frame.statement = i + 1;
      if (!isQuery(statement)) {
        yield* runUtility(session, statement, { types: actual, values: args, names: argumentNamesOf(fn) });
        continue;
      }
      const prepared = prepareInBody(session, fn, statement, actual);
      const last = i === body.length - 1;
      const made = runInside(session, prepared, args, last && !fn.object.set ? 1 : Infinity);
      if (last) rows = results(session, fn, prepared, made, returns);
    }
  } catch (error) {
    throw located(frames, error);
  } finally {
    frames.pop();
  }
  if (fn.returns.name === 'void') return fn.object.set ? [] : [[null]];
  return fn.object.set ? rows : [rows[0] ?? (fn.columns ?? [null]).map(() => null)];
}

/** The result rows: OUT columns, or one value, which is composed of the columns if it is a row. */
function results(session: SqlSession, fn: UserFunction, prepared: Prepared, rows: Value[][], returns: SqlType): Value[][] {
  const { columns } = prepared;
  if (fn.columns !== null && columns.length === 1 && isRecordType(columns[0].type)) {
    const types = resultTypes(fn, returns);
    if (types.length > 1) return rows.map(([value]) => spreadRow(value, types));
  }
  const row = fn.columns === null && isRecordType(fn.returns) ? (columnsOf(returns) === null ? fn.returns : returns) : null;
  if (row === null || fn.returns.name === 'void') return coerced(session, prepared, rows, resultTypes(fn, returns));
  if (columns.length === 1 && isRecordType(columns[0].type)) {
    return fn.returns.name === 'record' ? rows : coerced(session, prepared, rows, [row]);
  }
  const fields = columnsOf(row);
  if (fields !== null && fields.length !== columns.length) {
    throw new SvcError('42P13', `return type mismatch in function declared to return ${fn.returns.title}`, {
      detail: `Final statement returns too ${columns.length < fields.length ? 'few' : 'many'} columns.`,
    });
  }
  const types = fields?.map(({ type }) => type) ?? columns.map(({ type }) => type);
  return coerced(session, prepared, rows, types).map((values) => [new RecordValue(values, types)]);
}

/** The one row of a statement as the function's columns. 42804 if it does not match. */
function spreadRow(value: Value, wanted: readonly SqlType[]): Value[] {
  if (value === null) return wanted.map(() => null);
  const { fields, types } = value as RecordValue;
  const expects = `but query expects ${wanted.length}.`;
  const at = types.findIndex(({ oid }, i) => i < wanted.length && oid !== wanted[i].oid);
  const detail =
    fields.length !== wanted.length
      ? `Returned row contains ${fields.length} attribute${fields.length === 1 ? '' : 's'}, ${expects}`
      : at >= 0
        ? `Returned type ${types[at].title} at ordinal position ${at + 1}, but query expects ${wanted[at].title}.`
        : null;
  if (detail !== null) throw new SvcError('42804', 'function return row and query-specified return row do not match', { detail });
  return [...fields];
}

/** Column types that the last statement must give. */
export function resultTypes({ columns, returns }: UserFunction, actual: SqlType): readonly SqlType[] {
  const fields = columns === null ? columnsOf(returns) : null;
  if (fields !== null) return fields.map(({ type }) => type);
  return columns === null ? (returns.name === 'void' ? [] : [actual.name === 'record' ? returns : actual]) : outTypes(columns, actual);
}

/** Types of OUT parameters; those of a call where some follow its arguments. */
function outTypes(columns: readonly { type: SqlType }[], actual: SqlType): readonly SqlType[] {
  const row = columns.some(({ type }) => isPolymorphic(type.name)) ? columnsOf(actual) : null;
  return (row !== null && row.length === columns.length ? row : columns).map(({ type }) => type);
}

function runInside(session: SqlSession, prepared: Prepared, params: readonly Value[], most: number): Value[][] {
  const run = new InnerRun(session, prepared, params, most);
  try {
    while (run.next() !== null) session.checkCancel();
  } finally {
    run.close();
  }
  return run.finish();
}

/** The rows of a query that a function gets as text: ts_stat, ts_rewrite, query_to_xml. */
export function queryRows(session: SqlSession, text: string): NamedRows {
  const prepared = preparedText(session, text);
  return { ...namesAndTypes(prepared.columns), rows: runInside(session, prepared, [], Infinity) };
}

/** Its columns only. 42501 as if it ran. */
export function queryColumns(session: SqlSession, text: string): Omit<NamedRows, 'rows'> {
  const { access, columns } = preparedText(session, text);
  checkAccess(session, access);
  return namesAndTypes(columns);
}

function preparedText(session: SqlSession, text: string): Prepared {
  const [statement, ...more] = session.parseUncached(text);
  if (statement === undefined || more.length > 0 || !isQuery(statement)) throw new SvcError('42601', 'the text must be one query');
  const prepared = session.prepareIn(statement, [], { owner: '', numbers: new Map() });
  if (prepared.modifies) throw new SvcError('0A000', 'the query of a function may not write');
  return prepared;
}

/** The next rows of a cursor, by name. 34000. */
export function fetchRows(session: SqlSession, name: string, count: number): NamedRows {
  const cursor = session.cursors.get(name);
  if (cursor === undefined) throw new SvcError('34000', `cursor "${name}" does not exist`);
  const rows = count === 0 ? [] : runAtOnce(session, cursorRows(cursor, { direction: 'forward', count }));
  return { ...namesAndTypes(cursor.columns), rows };
}

function namesAndTypes(columns: readonly ResultColumn[]): Omit<NamedRows, 'rows'> {
  return { names: columns.map(({ name }) => name), types: columns.map(({ type }) => type) };
}

function coerced(session: SqlSession, prepared: Prepared, rows: Value[][], types: readonly SqlType[]): Value[][] {
  if (types.length === 0 || prepared.columns.every(({ type }, i) => type === types[i])) return rows;
  const binder = binderOf(session);
  const columns = prepared.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  const values = types.map((type, i) => binder.coercion.coerce(binder.use(columns[i]), type, -1, 'assignment', 0));
  const compilation = new Compilation();
  const fn = compilation.scalars(values, columns);
  const own = compilation.newRun(execContext(session, [], null));
  return rows.map((row) => fn(own, row).slice());
}

function defaultValue(session: SqlSession, text: string, type: SqlType): Value {
  const binder = binderOf(session);
  binder.stored = true;
  const bound = binder.coercion.coerce(bindExpression(binder, parseExpressionText(text), new Scope(null)), type, -1, 'implicit', 0);
  checkAccess(session, accessOf(binder));
  const compilation = new Compilation();
  const fn = compilation.scalars([bound]);
  return fn(compilation.newRun(execContext(session, [], null)), [])[0];
}
