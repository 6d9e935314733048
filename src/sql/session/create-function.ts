/** CREATE FUNCTION and CREATE PROCEDURE: resolves types and checks the body. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type FunctionObject, routinesWithin } from '../../worlds/definition.ts';
import type { AlterFunction, CreateFunction, FunctionArgument, Option } from '../ast/define.ts';
import type { Statement } from '../ast/statement.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { Binder } from '../bind/binder.ts';
import type { SqlType } from '../types/type.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { bindTypeName, type NamedType } from '../bind/type-name.ts';
import { deparseExpression, deparseQuery } from '../parse/deparse.ts';
import { createFunction, functionLike, putFunction } from '../schema/functions.ts';
import { columnsOf, isRecordType } from '../types/record-type.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import { EVENT_TRIGGER, INTERNAL, TRIGGER } from '../types/pseudo-types.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { binderOf, targetName } from './define-table.ts';
import { define, functionFor } from './define.ts';
import { bodyOf, prepareInBody, refusedInBody, resultTypes } from './function-call.ts';
import { shellForResult } from './create-base-type.ts';
import { isSymbol } from './internal-function.ts';
import { mustNotBeGivenMasked } from './mask-guard.ts';
import { mustUseLanguage, mustOwnRoutine, mustUseType } from './ownership.ts';
import { throwPlaced } from './function-place.ts';
import { checkRoutine } from './plpgsql/compile.ts';
import { isQuery, type Prepared } from './prepare.ts';
import { Uses } from './uses.ts';
import { keptBody } from './view-text.ts';
import { settingText } from './set-show.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const LANGUAGES = ['sql', 'plpgsql', 'c', 'internal'];
/** Options that only functions have. */
const PROCEDURE_REFUSES: ReadonlySet<string> = new Set(['volatility', 'strict', 'leakproof', 'cost', 'rows', 'support', 'parallel', 'window']);
const RECORD = 2249;
const VOID = 2278;

export function runCreateFunction(session: SqlSession, statement: CreateFunction): StatementResult {
  const { at, kind } = statement;
  const language = text(statement.options, 'language')?.toLowerCase() ?? (statement.body === null ? null : 'sql');
  if (language === null) throw new SvcError('42P13', 'no language specified');
  if (!LANGUAGES.includes(language)) throw new SvcError('42704', `language "${language}" does not exist`);
  session.startStatement();
  mustUseLanguage(session, language);
  if (language === 'c') throw new SvcError('0A000', `CREATE ${kind.toUpperCase()} in ${language} is not supported`, { position: at + 1 });
  if (statement.body !== null && language !== 'sql') throw new SvcError('42P13', 'inline SQL function body only valid for language SQL');
  const object: FunctionObject = { ...functionObject(session, statement), ...(language === 'sql' ? {} : { language: language as FunctionObject['language'] }) };
  if (language === 'internal') checkInternal(session, object);
  mustNotBeGivenMasked(session, object.name);
  let number = 0;
  const result = define(session, `CREATE ${kind.toUpperCase()}`, (ddl) => {
    const known = statement.replace ? functionLike(ddl.schema, object) : null;
    if (known !== null) {
      mustOwnRoutine(session, known);
      mustStayOfType(ddl.schema, known, object);
    }
    number = createFunction(ddl, object, statement.replace);
  });
  if (language === 'internal') return result;
  refusePseudoTypes(session.schema().functions.get(number)!);
  if (language === 'plpgsql') {
    if (session.settings.get('check_function_bodies') !== 'off') checkRoutine(session, session.schema().functions.get(number)!);
    return result;
  }
  // The function may be recursive.
  const user = session.schema().functions.get(number)!;
  if (session.settings.get('check_function_bodies') === 'off' && statement.body === null) return result;
  const { functionDepth } = session;
  try {
    // What the body reports must not include the running functions in its context.
    const uses = checkBody(session, user);
    const isKept = statement.body !== null && user.inputs.every(({ type }) => !isPolymorphic(type.name));
    const body = isKept ? keptBody(session, user) : user.object.body;
    if (uses.length > 0 || body !== user.object.body) define(session, result.command, (ddl) => putFunction(ddl, number, { uses, body }));
  } catch (error) {
    if (!(error instanceof SvcError) || statement.body !== null || functionDepth > 0) throw error;
    throwPlaced(error, session.text, object.body, `SQL function "${object.name}"`);
  }
  return result;
}

/** 42883 if there is no such built-in function; an empty name means the function's own. */
function checkInternal(session: SqlSession, object: FunctionObject): void {
  const schema = session.schema();
  if (object.returns === INTERNAL.oid && !object.args.some(({ type }) => type === INTERNAL.oid)) {
    throw new SvcError('42P13', 'unsafe use of pseudo-type "internal"', {
      detail: 'A result of type internal requires at least one input of type internal.',
    });
  }
  schemaMustExist(schema, object.schema);
  if (object.body === '') object.body = object.name;
  if (!isSymbol(object.body)) throw new SvcError('42883', `there is no built-in function named "${object.body}"`);
}

/** A type's I/O function must keep the built-in function that it had when the type was created. */
function mustStayOfType(schema: Schema, known: FunctionObject, object: FunctionObject): void {
  if (object.language === known.language && object.body === known.body) return;
  for (const type of schema.types.values()) {
    if (type.object.what === 'base' && routinesWithin(type.object).includes(known.number))
      throw new SvcError('0A000', `cannot change what function "${known.name}" calls because type ${type.name} stands on it`);
  }
}

/** Refuses pseudo-types, which have no values. */
function refusePseudoTypes({ object, inputs }: UserFunction): void {
  const found = inputs.find(({ type }) => (type.category === 'P' || type.name === 'unknown') && type.name !== 'record' && !isPolymorphic(type.name));
  if (found === undefined) return;
  if (object.language === 'plpgsql') throw new SvcError('0A000', `PL/pgSQL functions cannot accept type ${found.type.title}`);
  throw new SvcError('42P13', `SQL functions cannot have arguments of type ${found.type.title}`);
}

function functionObject(session: SqlSession, statement: CreateFunction): FunctionObject {
  const { name: parts, options, kind, at } = statement;
  const procedure = kind === 'procedure';
  options.forEach(({ name, at: place }, i) => {
    if (procedure && PROCEDURE_REFUSES.has(name)) throw new SvcError('42P13', 'invalid attribute in procedure definition', { position: place + 1 });
    if (name !== 'set' && options.findIndex((each) => each.name === name) < i) {
      throw new SvcError('42601', 'conflicting or redundant options', { position: place + 1 });
    }
  });
  const target = targetName(session, { catalog: null, schema: parts.length > 1 ? parts[parts.length - 2] : null, name: parts[parts.length - 1], at });
  const binder = binderOf(session);
  binder.allowsShells = true;
  const language = text(options, 'language')?.toLowerCase() ?? 'sql';
  let defaulted = false;
  const args = statement.args.map((arg: FunctionArgument): FunctionObject['args'][number] => {
    const { type } = unplaced(
      () => typeNamed(session, binder, arg.dataType),
      (name) => `type ${name} does not exist`,
    );
    if (type.shell === true) {
      if (language === 'sql') throw new SvcError('42P13', `SQL function cannot accept shell type ${type.title}`);
      session.notice('42809', `argument type ${type.title} is only a shell`);
    }
    mustUseType(session, type);
    const called = arg.mode === 'in' || arg.mode === 'inout' || arg.mode === 'variadic';
    if (arg.default !== null) {
      if (!called) throw new SvcError('42P13', 'only input parameters can have default values', { position: arg.at + 1 });
      defaulted = true;
      const bound = bindExpression(binder, arg.default, new Scope(null));
      if (!isPolymorphic(type.name) && binder.coercion.tryCoerce(bound, type, -1, 'assignment', arg.at) === null) {
        throw new SvcError('42804', `argument of DEFAULT must be type ${type.title}, not type ${bound.type.title}`, { position: arg.default.at + 1 });
      }
    } else if (defaulted && called) throw new SvcError('42P13', 'input parameters after one with a default value must also have defaults');
    if (procedure && arg.mode === 'out' && defaulted) throw new SvcError('42P13', 'procedure OUT parameters cannot appear after one with a default value');
    if (arg.mode === 'variadic' && type.element === null && type.name !== 'anyarray' && type.name !== 'anycompatiblearray')
      throw new SvcError('42P13', 'VARIADIC parameter must be an array');
    return { name: arg.name, mode: arg.mode, type: type.oid, default: arg.default === null ? null : deparseExpression(arg.default) };
  });
  const variadic = args.findIndex(({ mode }) => mode === 'variadic');
  if (variadic >= 0 && args.slice(variadic + 1).some(({ mode }) => mode !== 'out' && mode !== 'table'))
    throw new SvcError('42P13', 'VARIADIC parameter must be the last input parameter');
  for (const group of [args.filter(({ mode }) => mode !== 'table' && mode !== 'out'), args.filter(({ mode }) => mode !== 'in' && mode !== 'variadic')]) {
    const names = group.flatMap(({ name }) => (name === null ? [] : [name]));
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw new SvcError('42P13', `parameter name "${twice}" used more than once`);
  }
  const out = args.filter(({ mode }) => mode === 'out' || mode === 'inout' || mode === 'table');
  const implied = out.length === 0 ? VOID : out.length === 1 && !procedure ? out[0].type : RECORD;
  let returns = implied;
  const set = statement.returns?.setOf === true || args.some(({ mode }) => mode === 'table');
  if (statement.returns !== null && !args.some(({ mode }) => mode === 'table')) {
    const type = resultType(session, binder, statement.returns, language);
    mustUseType(session, type);
    returns = type.oid;
    if (out.length > 0 && returns !== implied) {
      throw new SvcError(
        '42P13',
        `function result type must be ${implied === RECORD ? 'record' : session.schema().typeByOid(implied)!.title} because of OUT parameters`,
      );
    }
  } else if (statement.returns === null && out.length === 0 && !procedure) throw new SvcError('42P13', 'function result type must be specified');
  const fires = returns === TRIGGER.oid ? TRIGGER : returns === EVENT_TRIGGER.oid ? EVENT_TRIGGER : null;
  if (fires !== null && text(options, 'language')?.toLowerCase() === 'sql') throw new SvcError('42P13', `SQL functions cannot return type ${fires.name}`);
  const result = returns === RECORD ? [] : [returns];
  for (const oid of [...result, ...out.map(({ type }) => type)])
    mustBeDetermined(
      session.schema().typeByOid(oid)!.name,
      args.filter(({ mode }) => mode !== 'out' && mode !== 'table').map(({ type }) => session.schema().typeByOid(type)!.name),
    );
  const body = bodyText(statement);
  return {
    what: 'function',
    number: 0,
    schema: target.schema,
    name: target.name,
    procedure,
    args,
    returns,
    set,
    columns: null,
    ...body,
    volatility: (text(options, 'volatility')?.toLowerCase() ?? 'volatile') as FunctionObject['volatility'],
    strict: isStrict(options) === true,
    ...planFacts(session, options, set),
    ...rightsAndSettings(session, options, []),
  };
}

/** A missing type gets a shell, for a function that will be its I/O function. */
function resultType(session: SqlSession, binder: Binder, written: TypeName, language: string): SqlType {
  let type: SqlType;
  try {
    ({ type } = unplaced(
      () => typeNamed(session, binder, written),
      (name) => `type "${name}" does not exist`,
    ));
  } catch (error) {
    if (language !== 'internal' || !(error instanceof SvcError) || error.code !== '42704' || written.columnOf !== null) throw error;
    const name = written.schema === null ? [written.name] : [written.schema, written.name];
    return shellForResult(session, name, `${name.join('.')}${written.arrayBounds.length > 0 ? '[]' : ''}`, written.at);
  }
  if (type.shell === true) {
    if (language === 'sql') throw new SvcError('42P13', `SQL function cannot return shell type ${type.title}`);
    session.notice('42809', `return type ${type.title} is only a shell`);
  }
  return type;
}

/** A notice reports the type that `table.column%TYPE` is converted to, since the function keeps that. */
function typeNamed(session: SqlSession, binder: Binder, written: TypeName): NamedType {
  const named = bindTypeName(binder, written, false);
  if (written.columnOf !== null)
    session.notice('00000', `type reference ${[...written.columnOf, written.name].join('.')}%TYPE converted to ${named.type.title}`);
  return named;
}

const FAMILY = 'anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange';
const COMPATIBLE = 'anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or anycompatiblemultirange';

/** 42P13 if no input determines a polymorphic result. */
function mustBeDetermined(result: string, inputs: readonly string[]): void {
  if (!isPolymorphic(result)) return;
  const compatible = result.startsWith('anycompatible');
  const family = inputs.filter((each) => isPolymorphic(each) && each.startsWith('anycompatible') === compatible);
  const ranges = result.endsWith('range');
  if (ranges ? family.some((each) => each.endsWith('range')) : family.length > 0) return;
  const wanted = !ranges
    ? compatible
      ? COMPATIBLE
      : FAMILY
    : `${compatible ? 'anycompatible' : 'any'}range or ${compatible ? 'anycompatible' : 'any'}multirange`;
  throw new SvcError('42P13', 'cannot determine result data type', { detail: `A result of type ${result} requires at least one input of type ${wanted}.` });
}

/** Errors about types of a signature have no position. */
function unplaced<T>(look: () => T, message: (name: string) => string): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== '42704' || error.position === undefined) throw error;
    const name = /"(.*)"/.exec(error.message)?.[1];
    throw new SvcError(error.code, name === undefined ? error.message : message(name), { cause: error });
  }
}

/** ALTER FUNCTION, PROCEDURE and ROUTINE: changes the attributes of a function, not its body. */
export function alterFunction(session: SqlSession, { kind, object, options }: AlterFunction): StatementResult {
  session.startStatement();
  const command = `ALTER ${kind.toUpperCase()}`;
  const { object: own } = functionFor(session, kind, object);
  mustOwnRoutine(session, own);
  mustNotBeGivenMasked(session, own.name);
  if (own.aggregate !== undefined) throw new SvcError('42809', `"${own.name}" is an aggregate function`);
  options.forEach(({ name, at: place }, i) => {
    const twice = name !== 'set' && options.findIndex((each) => each.name === name) < i;
    if (twice) throw new SvcError('42601', 'conflicting or redundant options', { position: place + 1 });
    if (own.procedure && name !== 'set' && name !== 'security')
      throw new SvcError('42P13', 'invalid attribute in procedure definition', { position: place + 1 });
  });
  const volatility = text(options, 'volatility')?.toLowerCase() as FunctionObject['volatility'] | undefined;
  const strict = isStrict(options);
  return define(session, command, (ddl) =>
    putFunction(ddl, own.number, {
      ...(volatility === undefined ? {} : { volatility }),
      ...(strict === undefined ? {} : { strict }),
      ...planFacts(session, options, own.set),
      ...rightsAndSettings(session, options, own.settings ?? []),
    }),
  );
}

/** PARALLEL, LEAKPROOF, COST, ROWS, SUPPORT and WINDOW. */
function planFacts(
  session: SqlSession,
  options: readonly Option[],
  set: boolean,
): Pick<FunctionObject, 'parallel' | 'leakproof' | 'cost' | 'rows' | 'support' | 'window'> {
  const out: ReturnType<typeof planFacts> = {};
  for (const { name, value } of options) {
    if (name === 'parallel') {
      const word = value?.type === 'string' ? value.value.toLowerCase() : '';
      if (!PARALLEL.has(word)) throw new SvcError('42601', 'parameter "parallel" must be SAFE, RESTRICTED, or UNSAFE');
      out.parallel = word === 'unsafe' ? undefined : (word as FunctionObject['parallel']);
    } else if (name === 'leakproof' || name === 'window') out[name] = isOn(value);
    else if (name === 'cost' || name === 'rows') {
      const count = value?.type === 'integer' ? value.value : value?.type === 'number' ? Number(value.text) : 0;
      if (!(count > 0)) throw new SvcError('22023', `${name.toUpperCase()} must be positive`);
      if (name === 'rows' && !set) throw new SvcError('22023', 'ROWS is not applicable when function does not return a set');
      out[name] = Math.fround(count);
    } else if (name === 'support') {
      const parts = value?.type === 'list' ? value.values.flatMap((each) => (each.type === 'string' ? [each.value] : [])) : [];
      const called = value?.type === 'string' ? value.value : parts.join('.');
      if (session.catalogNames().supportOid(called) === null) throw new SvcError('42883', `function ${called}(internal) does not exist`);
      if (!session.authority.superuser) throw new SvcError('42501', 'must be superuser to specify a support function');
      out.support = called.replace(/^pg_catalog\./, '');
    } else if (name === 'transform') {
      const [type] = value?.type === 'list' ? value.values.flatMap((each) => (each.type === 'typeName' ? [each.value] : [])) : [];
      const language = text(options, 'language')?.toLowerCase() ?? 'sql';
      const title = type === undefined ? '' : bindTypeName(binderOf(session), type).type.title;
      throw new SvcError('42704', `transform for type ${title} language "${language}" does not exist`);
    }
  }
  if (out.leakproof === true && !session.authority.superuser) throw new SvcError('42501', 'only superuser can define a leakproof function');
  return out;
}

const PARALLEL: ReadonlySet<string> = new Set(['safe', 'restricted', 'unsafe']);

/** undefined if not specified. */
function isStrict(options: readonly Option[]): boolean | undefined {
  const option = options.find(({ name }) => name === 'strict');
  return option === undefined ? undefined : isOn(option.value);
}

function isOn(value: Option['value']): boolean {
  return value === null || (value.type === 'boolean' && value.value) || (value.type === 'integer' && value.value === 1);
}

/** SECURITY DEFINER, and SET clauses merged with those of the function. */
export function rightsAndSettings(
  session: SqlSession,
  options: readonly Option[],
  known: NonNullable<FunctionObject['settings']>,
): Pick<FunctionObject, 'definer' | 'settings'> {
  let settings = known;
  for (const { name, value } of options) {
    if (name !== 'set' || value?.type !== 'setting') continue;
    const { value: setting } = value;
    if (setting.name === null) {
      settings = [];
      continue;
    }
    const key = setting.name.toLowerCase();
    if (key === 'role' || key === 'session_authorization') throw new SvcError('0A000', `a function that sets "${key}" is not supported`);
    settings = settings.filter((each) => each.name !== key);
    if (setting.type === 'reset') continue;
    const given = setting.values === null ? (setting.fromCurrent ? (session.settings.get(key) ?? null) : null) : settingText(key, setting.values);
    const accepted = session.settings.check(key, given);
    if (accepted !== null) settings = [...settings, { name: key, value: accepted }];
  }
  const security = options.find(({ name }) => name === 'security')?.value;
  return {
    ...(security === undefined ? {} : { definer: security?.type === 'boolean' ? security.value : true }),
    ...(settings.length > 0 || known.length > 0 ? { settings } : {}),
  };
}

function text(options: readonly Option[], name: string): string | null {
  const value = options.find((option) => option.name === name)?.value;
  if (value?.type === 'string') return value.value;
  if (value?.type === 'list' && value.values[0]?.type === 'string') return value.values[0].value;
  return null;
}

function bodyText({ body, options, at }: CreateFunction): Pick<FunctionObject, 'body' | 'form'> {
  if (body === null) {
    const written = text(options, 'as');
    if (written === null) throw new SvcError('42P13', 'no function body specified');
    const items = options.find(({ name }) => name === 'as')?.value;
    if (items?.type === 'list' && items.values.length > 1) {
      throw new SvcError('42P13', `only one AS item needed for language "${text(options, 'language')?.toLowerCase() ?? 'sql'}"`);
    }
    return { body: written, form: 'text' };
  }
  if (body.type === 'return') return { body: `SELECT ${deparseExpression(body.value)}`, form: 'return' };
  return { body: body.statements.map((statement) => `${statementText(statement, at).trim()};`).join('\n'), form: 'atomic' };
}

function statementText(statement: Statement, at: number): string {
  if (!isQuery(statement)) throw new SvcError('0A000', `${statement.type} is not allowed in an SQL function body`, { position: at + 1 });
  return deparseQuery(statement);
}

/** Binds the body over the argument types: 42P13 if its result does not match. Gives the dependencies of a body that is stored as SQL. */
function checkBody(session: SqlSession, user: UserFunction): NonNullable<FunctionObject['uses']> {
  const uses = new Uses(session.schema());
  const { object, inputs, returns } = user;
  // Errors of what cannot be called are raised by a call.
  if (session.parseUncached(object.body).some(({ type }) => refusedInBody(type) !== undefined)) return [];
  const body = bodyOf(session, user);
  if (inputs.some(({ type }) => isPolymorphic(type.name))) return [];
  let last: Prepared | null = null;
  const types = inputs.map(({ type }) => type);
  for (const statement of body) {
    last = isQuery(statement) ? prepareInBody(session, user, statement, types) : null;
    if (last !== null && object.form !== 'text') uses.add(last.access);
  }
  const found = uses.without(object.number);
  if (returns.oid === VOID) return found;
  const wanted = resultTypes(user, returns);
  const mismatch = (detail: string): SvcError =>
    new SvcError('42P13', `return type mismatch in ${object.procedure ? 'procedure' : 'function'} declared to return ${returns.title}`, { detail });
  if (last === null || (last.writes !== null && last.columns.length === 0)) {
    throw mismatch("Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.");
  }
  if (returns.oid === RECORD && user.columns === null) return found;
  const binder = binderOf(session);
  const [only] = last.columns;
  if (last.columns.length === 1 && columnsOf(returns) !== null) {
    if (binder.coercion.tryCoerce(binder.use(binder.column(only.name, only.type, only.typmod)), returns, -1, 'assignment', 0) !== null) return found;
  }
  // One record may provide all columns; whether it fits is checked at run time.
  if (last.columns.length === 1 && isRecordType(only.type) && user.columns !== null) return found;
  if (last.columns.length !== wanted.length) {
    if (wanted.length === 1) throw mismatch('Final statement must return exactly one column.');
    throw mismatch(`Final statement returns too ${last.columns.length > wanted.length ? 'many' : 'few'} columns.`);
  }
  last.columns.forEach((column, i) => {
    const value = binder.use(binder.column(column.name, column.type, column.typmod));
    if (binder.coercion.tryCoerce(value, wanted[i], -1, 'assignment', 0) !== null) return;
    throw mismatch(
      wanted.length === 1
        ? `Actual return type is ${column.type.title}.`
        : `Final statement returns ${column.type.title} instead of ${wanted[i].title} at column ${i + 1}.`,
    );
  });
  return found;
}

/** The types of an argument list as in DROP and ALTER; null without a list. */
export function argumentTypes(session: SqlSession, args: readonly FunctionArgument[] | null): number[] | null {
  if (args === null) return null;
  const binder = binderOf(session);
  binder.allowsShells = true;
  return args.filter(({ mode }) => mode !== 'out' && mode !== 'table').map(({ dataType }) => bindTypeName(binder, dataType).type.oid);
}
