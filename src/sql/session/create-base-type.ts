/**
 * CREATE TYPE name, which makes a shell, and CREATE TYPE name (INPUT = …, OUTPUT = …), which turns it into a base type. Its I/O
 * functions must be built-in functions under other names (LANGUAGE internal), so its values are those of a built-in type. Manual,
 * CREATE TYPE.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type BaseObject, type BaseTypeParts, namedNumberName } from '../../worlds/definition.ts';
import type { Option } from '../ast/define.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { type FunctionFacts, functionsBySignature, functionsBySymbol, signatureKey, typeFacts } from '../catalog/facts.ts';
import { layoutOf } from '../catalog/type-rows.ts';
import { findFunction } from '../schema/functions.ts';
import type { Ddl } from '../schema/ddl.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import type { UserFunction } from '../schema/schema.ts';
import { refuseTakenType } from '../schema/user-types.ts';
import type { SqlType } from '../types/type.ts';
import { missingSchema } from './missing-objects.ts';
import { binderOf, targetName } from './define-table.ts';
import { define } from './define.ts';
import { isTrue, routineName, textOf, typeNameOf } from './definition-options.ts';
import { sameForm } from './internal-function.ts';
import type { StatementResult } from './results.ts';
import { calledWith } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

const CSTRING = 2275;
const INTERNAL = 2281;
const INT4 = 23;
const OID = 26;
const BOOL = 16;
const BYTEA = 17;

interface Named {
  readonly schema: string;
  readonly name: string;
}

/** 42501. */
function mustBeSuperuser(session: SqlSession): void {
  if (!session.authority.superuser) throw new SvcError('42501', 'must be superuser to create a base type');
}

function placed(session: SqlSession, name: readonly string[], at: number): Named {
  return targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: name[name.length - 1], at });
}

function putShell(ddl: Ddl, { schema, name }: Named): BaseObject {
  refuseTakenType(ddl, schema, name);
  const object: BaseObject = { what: 'base', number: 0, array: 0, schema, name, made: null };
  object.number = ddl.numberFor(object);
  ddl.put(object);
  return object;
}

export function createShellType(session: SqlSession, name: readonly string[], at: number): StatementResult {
  session.startStatement();
  mustBeSuperuser(session);
  const target = placed(session, name, at);
  return define(session, 'CREATE TYPE', (ddl) => void putShell(ddl, target));
}

/** Creates the shell type when a function is the first to name it. */
export function shellForResult(session: SqlSession, name: readonly string[], shown: string, at: number): SqlType {
  session.sendNotice({
    severity: 'NOTICE',
    code: '42704',
    message: `type "${shown}" is not yet defined`,
    detail: 'Creating a shell type definition.',
  });
  const target = placed(session, name, at);
  schemaMustExist(session.schema(), target.schema);
  define(session, 'CREATE FUNCTION', (ddl) => void putShell(ddl, target));
  return session.schema().typeByName(target.schema, target.name)!;
}

type Given = ReadonlyMap<string, Option>;

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  `like internallength input output receive send typmod_in typmod_out analyze subscript category preferred delimiter element default passedbyvalue
  alignment storage collatable`
    .split(/\s+/)
    .map((name) => [name, name])
    .concat([['analyse', 'analyze']]),
);

function givenOf(session: SqlSession, options: readonly Option[]): Given {
  const given = new Map<string, Option>();
  for (const option of options) {
    const name = NAMES[option.name];
    if (name === undefined) {
      session.sendNotice({ severity: 'WARNING', code: '42601', message: `type attribute "${option.name}" not recognized`, position: option.at + 1 });
    } else if (given.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: option.at + 1 });
    else given.set(name, option);
  }
  return given;
}

export function createBaseType(session: SqlSession, name: readonly string[], options: readonly Option[], at: number): StatementResult {
  session.startStatement();
  mustBeSuperuser(session);
  const target = placed(session, name, at);
  schemaMustExist(session.schema(), target.schema);
  const found = session.schema().ownType(target.schema, target.name);
  if (found === null && session.schema().typeByName(target.schema, target.name) === null) {
    throw new SvcError('42710', `type "${target.name}" does not exist`, {
      hint: 'Create the type as a shell type, then create its I/O functions, then do a full CREATE TYPE.',
    });
  }
  if (found?.object.what !== 'base' || found.object.made !== null) throw new SvcError('42710', `type "${target.name}" already exists`);
  const shell = found.object;
  const given = givenOf(session, options);
  const parts = { ...layout(session, given), ...looks(session, given), ...functions(session, given, found.type) };
  checkLayout(parts);
  return define(session, 'CREATE TYPE', (ddl) => {
    const array = ddl.objects.number(namedNumberName('base array', shell.schema, shell.name));
    ddl.put({ ...shell, array, made: parts });
  });
}

/** Types that are SQL keywords have other names in the catalog. */
const ALIGNMENTS: Readonly<Record<string, string>> = {
  double: 'd',
  float8: 'd',
  int4: 'i',
  int2: 's',
  char: 'c',
  bpchar: 'c',
};
const STORAGES: Readonly<Record<string, string>> = { plain: 'p', external: 'e', extended: 'x', main: 'm' };

type TypeLayout = Pick<BaseTypeParts, 'length' | 'byValue' | 'align' | 'storage'>;

/** The layout that LIKE gives, and the explicit options. */
function layout(session: SqlSession, given: Given): TypeLayout {
  const like = given.get('like');
  const { length, byValue, align, storage } = like === undefined ? { length: -1, byValue: false, align: 'i', storage: 'p' } : likeLayout(session, like);
  const lengthGiven = given.get('internallength');
  const byValueGiven = given.get('passedbyvalue');
  return {
    length: lengthGiven === undefined ? length : lengthOf(lengthGiven),
    byValue: byValueGiven === undefined ? byValue : isTrue(byValueGiven),
    align: wordOf(given.get('alignment'), 'alignment', ALIGNMENTS) ?? align,
    storage: wordOf(given.get('storage'), 'storage', STORAGES) ?? storage,
  };
}

function likeLayout(session: SqlSession, like: Option): TypeLayout {
  try {
    const { type } = bindTypeName(binderOf(session), typeNameOf(like));
    return layoutOf(type);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== '42704') throw error;
    throw new SvcError(error.code, error.message, { cause: error });
  }
}

function lengthOf(option: Option): number {
  if (option.value?.type === 'integer') return option.value.value;
  const text = textOf(option);
  if (text.toLowerCase() === 'variable') return -1;
  throw new SvcError('42601', `invalid argument for internallength: "${text}"`);
}

function wordOf(option: Option | undefined, what: string, words: Readonly<Record<string, string>>): string | undefined {
  if (option === undefined) return undefined;
  const text = textOf(option);
  const word = words[text.toLowerCase()];
  if (word === undefined) throw new SvcError('22023', `${what} "${text}" not recognized`);
  return word;
}

type Looks = Pick<BaseTypeParts, 'category' | 'preferred' | 'delimiter' | 'collatable' | 'default'>;

const FIRST_PRINTABLE = 32;
const LAST_PRINTABLE = 126;

function looks(session: SqlSession, given: Given): Looks {
  const text = (name: string): string | null => {
    const option = given.get(name);
    return option === undefined ? null : textOf(option);
  };
  const truth = (name: string): boolean => {
    const option = given.get(name);
    return option !== undefined && isTrue(option);
  };
  const category = (text('category') ?? 'U').slice(0, 1);
  const code = category.charCodeAt(0);
  if (!(code >= FIRST_PRINTABLE && code <= LAST_PRINTABLE)) {
    throw new SvcError('22023', `invalid type category "${text('category')!}": must be simple ASCII`);
  }
  const element = given.get('element');
  if (element !== undefined) {
    const { type } = bindTypeName(binderOf(session), typeNameOf(element));
    if (type.category === 'P') throw new SvcError('42804', `array element type cannot be ${type.title}`);
  }
  const preferred = truth('preferred');
  const collatable = truth('collatable');
  for (const name of ['element', 'subscript', 'typmod_in', 'typmod_out']) {
    if (name === 'typmod_out' && !given.has('typmod_in')) continue;
    if (given.has(name) && given.has('input') && given.has('output'))
      throw new SvcError('0A000', `type attribute "${name}" is not supported`, { position: given.get(name)!.at + 1 });
  }
  return { category, preferred, delimiter: (text('delimiter') ?? ',').slice(0, 1) || ',', collatable, default: text('default') };
}

type Functions = Pick<BaseTypeParts, 'input' | 'output' | 'receive' | 'send' | 'analyze' | 'over' | 'shown'>;

function functions(session: SqlSession, given: Given, type: SqlType): Functions {
  const named = (name: string): string[] | null => routineName(given.get(name));
  const [input, output, receive, send, analyze] = ['input', 'output', 'receive', 'send', 'analyze'].map(named);
  if (input === null) throw new SvcError('42P17', 'type input function must be specified');
  if (output === null) throw new SvcError('42P17', 'type output function must be specified');
  if (given.has('typmod_out') && !given.has('typmod_in')) {
    throw new SvcError('42P17', 'type modifier output function is useless without a type modifier input function');
  }
  const reads = oneOf(session, 'type input function', input, CSTRING);
  mustReturn('type input function', input, reads, type);
  const writes = taking(session, output, [type.oid]);
  const cstring = session.host.registry.typeByOid(CSTRING)!;
  mustReturn('type output function', output, writes, cstring);
  const receives = receive === null ? null : oneOf(session, 'type receive function', receive, INTERNAL);
  if (receives !== null) mustReturn('type receive function', receive!, receives, type);
  const sends = send === null ? null : taking(session, send, [type.oid]);
  if (sends !== null) mustReturn('type send function', send!, sends, session.host.registry.typeByOid(BYTEA)!);
  const analyzes = analyze === null ? null : taking(session, analyze, [INTERNAL]);
  if (analyzes !== null) mustReturn('type analyze function', analyze!, analyzes, session.host.registry.typeByOid(BOOL)!);
  for (const [what, name, { volatility }] of [
    ['input', input, reads],
    ['output', output, writes],
    ...(receives === null ? [] : [['receive', receive!, receives] as const]),
    ...(sends === null ? [] : [['send', send!, sends] as const]),
  ] as const) {
    if (volatility === 'volatile') session.notice('42P17', `type ${what} function ${name.join('.')} should not be volatile`, 'WARNING');
  }
  return {
    ...form(session, reads, writes),
    input: reads.oid,
    output: writes.oid,
    receive: receives?.oid ?? 0,
    send: sends?.oid ?? 0,
    analyze: analyzes?.oid ?? 0,
  };
}

interface Routine {
  readonly oid: number;
  readonly returns: number;
  readonly volatility: string;
  readonly user: UserFunction | null;
}

/** Takes the argument alone, or with the element type and the modifier. */
function oneOf(session: SqlSession, what: string, name: readonly string[], argument: number): Routine {
  const alone = find(session, name, [argument]);
  const full = find(session, name, [argument, OID, INT4]);
  if (alone !== null && full !== null) throw new SvcError('42725', `${what} ${name.join('.')} has multiple matches`);
  return full ?? alone ?? taking(session, name, [argument]);
}

/** 42883. */
function taking(session: SqlSession, name: readonly string[], args: readonly number[]): Routine {
  const found = find(session, name, args);
  if (found !== null) return found;
  const types = args.map((oid) => session.schema().typeByOid(oid)!);
  throw new SvcError('42883', `function ${calledWith(name, types)} does not exist`);
}

function find(session: SqlSession, name: readonly string[], args: readonly number[]): Routine | null {
  const absent = missingSchema(session, name);
  if (absent !== null) throw new SvcError('3F000', absent);
  const last = name[name.length - 1];
  const builtIn = name.length === 1 || name[0] === 'pg_catalog' ? functionsBySignature().get(signatureKey(last, args)) : undefined;
  if (builtIn !== undefined) {
    const volatility = builtIn.volatility === 'v' ? 'volatile' : 'stable';
    return { oid: builtIn.oid, returns: builtIn.returns, volatility, user: null };
  }
  const places = name.length === 1 ? session.system.schemas(false) : [name[0]];
  const user = findFunction(session.schema(), places, 'function', last, args, last);
  return user === null ? null : { oid: user.object.number, returns: user.object.returns, volatility: user.object.volatility, user };
}

function mustReturn(what: string, name: readonly string[], { returns }: Routine, type: SqlType): void {
  if (returns !== type.oid) throw new SvcError('42P17', `${what} ${name.join('.')} must return type ${type.title}`);
}

/** The built-in types that the input function returns and the output function takes. */
function form(session: SqlSession, reads: Routine, writes: Routine): Pick<BaseTypeParts, 'over' | 'shown'> {
  const { registry } = session.host;
  const read = behind(reads).find(({ oid, returns }) => typeFacts().get(returns)?.input === oid);
  const over = read === undefined ? undefined : registry.typeByOid(read.returns);
  const isPlain = over !== undefined && over.category !== 'P' && over.element === null && over.range === null && over.labels === null;
  if (!isPlain) throw unsupported(reads, 'input');
  const written = behind(writes).find(({ oid, args }) => typeFacts().get(args[0])?.output === oid);
  const shown = written === undefined ? undefined : registry.typeByOid(written.args[0]);
  if (shown === undefined || !sameForm(registry, over, shown)) throw unsupported(writes, 'output');
  return { over: over.oid, shown: shown.oid };
}

/** The built-in C functions of the name that the function calls. */
function behind({ user }: Routine): readonly FunctionFacts[] {
  return user?.object.language === 'internal' ? (functionsBySymbol().get(user.object.body) ?? []) : [];
}

function unsupported({ user }: Routine, what: 'input' | 'output'): SvcError {
  return new SvcError('0A000', `"${user?.object.body ?? ''}" is not supported as the ${what} function of a type`, {
    detail: 'Values of a base type are those of one type of the system, which both functions have to be of.',
  });
}

const ALIGNED: Readonly<Record<number, string>> = { 1: 'c', 2: 's', 4: 'i', 8: 'd' };

/** The checks of Postgres's TypeCreate. */
function checkLayout({ length, byValue, align, storage }: TypeLayout): void {
  const invalid = (message: string): SvcError => new SvcError('42P17', message);
  if (length <= 0 && length !== -1 && length !== -2) throw invalid(`invalid type internal size ${length}`);
  if (byValue) {
    if (ALIGNED[length] === undefined) throw invalid(`internal size ${length} is invalid for passed-by-value type`);
    if (align !== ALIGNED[length]) throw invalid(`alignment "${align}" is invalid for passed-by-value type of size ${length}`);
  } else if (length === -1 && align !== 'i' && align !== 'd') throw invalid(`alignment "${align}" is invalid for variable-length type`);
  else if (length === -2 && align !== 'c') throw invalid(`alignment "${align}" is invalid for variable-length type`);
  if (storage !== 'p' && length !== -1) throw invalid('fixed-size types must have storage PLAIN');
}
