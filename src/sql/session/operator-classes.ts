/**
 * CREATE OPERATOR CLASS, CREATE and ALTER OPERATOR FAMILY. A class is a catalog row, and so is each member: an operator or function
 * for two types at a strategy or support number of the family. Manual, CREATE OPERATOR CLASS and 38.16.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { FamilyFunctionObject, FamilyOperatorObject, OperatorClassObject, OperatorFamilyObject, RoutineReference } from '../../worlds/definition.ts';
import type { AlterOperatorFamily, CreateOperatorClass, CreateOperatorFamily, ObjectName, OperatorClassItem } from '../ast/define.ts';
import type { TypeName } from '../ast/type-name.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { functionFacts } from '../catalog/facts.ts';
import { CLASS } from '../catalog/fixed-oids.ts';
import { classesOf, type FamilyMemberObject, type GroupOfType, membersOf, type OperatorGroup } from '../catalog/operator-groups.ts';
import type { Ddl } from '../schema/ddl.ts';
import { type Method, methodNamed } from '../schema/index-methods.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import { METHOD_RULES } from '../schema/operator-strategies.ts';
import type { SqlType } from '../types/type.ts';
import { writtenType } from './missing-objects.ts';
import { argumentTypes } from './create-function.ts';
import { ownOperator } from './create-operator.ts';
import { binderOf, targetName } from './define-table.ts';
import { define } from './define.ts';
import { groupOf, refuseTakenGroup } from './operator-groups.ts';
import { mustBeSuperuser } from './ownership.ts';
import type { StatementResult } from './results.ts';
import { routineFor } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

type Item<K extends OperatorClassItem['kind']> = Extract<OperatorClassItem, { kind: K }>;
type NewOperator = Omit<FamilyOperatorObject, 'number' | 'family' | 'class'>;
type NewFunction = Omit<FamilyFunctionObject, 'number' | 'family' | 'class'>;
type NewMember = NewOperator | NewFunction;

const VOID = 2278;
const INTERNAL = 2281;
const BOOL = 16;
const INT4 = 23;
const INT8 = 20;

export function runCreateOperatorFamily(session: SqlSession, { name, method, at }: CreateOperatorFamily): StatementResult {
  session.startStatement();
  const place = placeOf(session, name, at);
  methodNamed(method);
  mustBeSuperuser(session, 'must be superuser to create an operator family');
  return define(session, 'CREATE OPERATOR FAMILY', (ddl) => {
    schemaMustExist(ddl.schema, place.schema);
    createFamily(session, ddl, { ...place, method });
  });
}

function placeOf(session: SqlSession, name: readonly string[], at: number): { schema: string; name: string } {
  return targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: name[name.length - 1], at });
}

function createFamily(session: SqlSession, ddl: Ddl, place: Omit<OperatorGroup, 'number'>): OperatorFamilyObject {
  refuseTakenGroup(session, 'operator family', place);
  const object: OperatorFamilyObject = { what: 'operator family', number: 0, ...place };
  object.number = ddl.numberFor(object);
  ddl.put(object);
  return object;
}

export function runCreateOperatorClass(session: SqlSession, statement: CreateOperatorClass): StatementResult {
  session.startStatement();
  const { standard, items } = statement;
  const place = placeOf(session, statement.name, statement.at);
  const method = methodNamed(statement.method);
  mustBeSuperuser(session, 'must be superuser to create an operator class');
  const type = typeNamed(session, statement.dataType);
  return define(session, 'CREATE OPERATOR CLASS', (ddl) => {
    schemaMustExist(ddl.schema, place.schema);
    const named = statement.family === null ? null : groupOf(session, 'operator family', method, statement.family);
    const { members, storage } = membersMade(session, method, items, type);
    const key = storageOf(method, type, storage);
    refuseTakenGroup(session, 'operator class', { ...place, method });
    if (standard) refuseSecondStandard(session, method, type, place.name, writtenType(statement.dataType));
    const family = named?.number ?? familyOfClass(session, ddl, { ...place, method });
    const object: OperatorClassObject = { what: 'operator class', number: 0, ...place, method, family, type: type.oid, standard, key };
    object.number = ddl.numberFor(object);
    ddl.put(object);
    for (const member of members) {
      refuseSecondMember(session, member, family);
      putMember(ddl, member, family, classNeeding(session, method, member, family, object));
    }
  });
}

/** Without FAMILY it is the family of the class's own name, created if missing. */
function familyOfClass(session: SqlSession, ddl: Ddl, place: Omit<OperatorGroup, 'number'>): number {
  for (const each of ddl.schema.plain.of('operator family').values()) {
    if (each.schema === place.schema && each.name === place.name && each.method === place.method) return each.number;
  }
  return createFamily(session, ddl, place).number;
}

function storageOf(method: Method, type: SqlType, storage: SqlType | null): number {
  if (storage === null || storage.oid === type.oid) return 0;
  if (!METHOD_RULES[method].storage) throw new SvcError('42P17', `storage type cannot be different from data type for access method "${method}"`);
  return storage.oid;
}

function refuseSecondStandard(session: SqlSession, method: Method, type: SqlType, name: string, written: string): void {
  for (const each of classesOf(session.schema())) {
    if (!each.standard || each.method !== method || each.type !== type.oid) continue;
    throw new SvcError('42710', `could not make operator class "${name}" be default for type ${written}`, {
      detail: `Operator class "${each.name}" already is the default.`,
    });
  }
}

export function runAlterOperatorFamily(session: SqlSession, { name, method: word, drop, items }: AlterOperatorFamily): StatementResult {
  session.startStatement();
  const method = methodNamed(word);
  const family = groupOf(session, 'operator family', method, name);
  mustBeSuperuser(session, 'must be superuser to alter an operator family');
  return define(session, 'ALTER OPERATOR FAMILY', (ddl) => {
    if (session.definitionWatch !== null) session.definitionWatch.subject = family.number;
    if (drop) return dropMembers(session, ddl, method, family, items);
    const { members } = membersMade(session, method, items, null);
    for (const member of members) {
      if (findMember(session, member, family.number) !== null)
        throw new SvcError('42710', `${shown(session, member)} already exists in operator family "${family.name}"`);
      refuseSecondMember(session, member, family.number);
      putMember(ddl, member, family.number, classNeeding(session, method, member, family.number, null));
    }
  });
}

// --- items

interface Made {
  readonly members: readonly NewMember[];
  readonly storage: SqlType | null;
}

/** `type`: of the class; null for loose members of a family. */
function membersMade(session: SqlSession, method: Method, items: readonly OperatorClassItem[], type: SqlType | null): Made {
  const members: NewMember[] = [];
  let storage: SqlType | null = null;
  for (const item of items) {
    if (item.kind === 'storage') {
      if (type === null) throw new SvcError('42601', 'STORAGE cannot be specified in ALTER OPERATOR FAMILY');
      if (storage !== null) throw new SvcError('42P17', 'storage type specified more than once');
      storage = typeNamed(session, item.dataType);
      continue;
    }
    checkPlace(method, item);
    const member = item.kind === 'operator' ? operatorMade(session, method, item, type) : functionMade(session, method, item, type);
    if (members.some((each) => isSame(each, member))) {
      const { place, left, right } = member;
      throw new SvcError('42P17', `${item.kind} number ${place} for (${titleOf(session, left)},${titleOf(session, right)}) appears more than once`);
    }
    members.push(member);
  }
  return { members, storage };
}

/** 42P17. */
function checkPlace(method: Method, { kind, place }: Item<'operator' | 'function'>): void {
  const most = METHOD_RULES[method][kind === 'operator' ? 'strategies' : 'functions'];
  if (place < 1 || place > most) throw new SvcError('42P17', `invalid ${kind} number ${place}, must be between 1 and ${most}`);
}

function operatorMade(session: SqlSession, method: Method, { place, operator, sortFamily }: Item<'operator'>, type: SqlType | null): NewOperator {
  const { name, args } = operator!;
  if (args === null && type === null) throw new SvcError('42601', 'operator argument types must be specified in ALTER OPERATOR FAMILY');
  const types = args === null ? [type!.oid, type!.oid] : (argumentTypes(session, args) ?? []);
  const found = exactOperator(session, name, types);
  if (types.length === 1) throw new SvcError('42P17', 'index operators must be binary');
  const [left, right] = types;
  let sort = 0;
  if (sortFamily !== null) {
    sort = groupOf(session, 'operator family', 'btree', sortFamily).number;
    if (!METHOD_RULES[method].ordering) throw new SvcError('42P17', `access method "${method}" does not support ordering operators`);
  } else if (found.returns !== BOOL) throw new SvcError('42P17', 'index search operators must return boolean');
  return { what: 'family operator', place, left, right, operator: found.reference, sort };
}

/** The operator with exactly these types: 42883. */
function exactOperator(session: SqlSession, name: readonly string[], types: readonly number[]): { reference: RoutineReference; returns: number } {
  const [left, right] = types.length === 1 ? [0, types[0]] : types;
  const own = ownOperator(session, name, left, right);
  if (own !== null) return { reference: { own: own.object.number }, returns: own.object.returns };
  const { registry } = session.host;
  const last = name[name.length - 1];
  const schema = session.schema();
  const [leftName, rightName] = [left === 0 ? null : schema.typeByOid(left)?.name, schema.typeByOid(right)?.name];
  const system = name.length === 1 || name[name.length - 2] === 'pg_catalog' ? registry.operators(last) : [];
  const found = system.find((each) => each.left === leftName && each.right === rightName);
  if (found !== undefined) return { reference: { name: last }, returns: registry.findType(found.returns)?.oid ?? 0 };
  const [a, b] = [left === 0 ? '' : `${titleOf(session, left)} `, titleOf(session, right)];
  throw new SvcError('42883', `operator does not exist: ${a}${name.join('.')} ${b}`);
}

interface Routine {
  readonly reference: RoutineReference;
  readonly args: readonly number[];
  readonly returns: number;
}

function functionMade(session: SqlSession, method: Method, item: Item<'function'>, type: SqlType | null): NewFunction {
  const { place } = item;
  const given = item.types === null ? null : typePair(session, item.types);
  const routine = routineNamed(session, item.routine!);
  const expected = expectedTypes(method, place, routine, given, type);
  const [left, right] = given ?? expected ?? (type === null ? [0, 0] : [type.oid, type.oid]);
  if (left === 0 || right === 0) throw new SvcError('42P17', 'associated data types must be specified for index support function');
  if (method === 'btree' && place === 4 && left !== right) throw new SvcError('42P17', 'btree equal image functions must not be cross-type');
  return { what: 'family function', place, left, right, routine: routine.reference, args: [...routine.args] };
}

/** One type means both. */
function typePair(session: SqlSession, types: readonly TypeName[]): [number, number] {
  if (types.length > 2) throw new SvcError('42601', 'one or two argument types must be specified');
  const [left, right = left] = types.map((each) => typeNamed(session, each).oid);
  return [left, right];
}

function routineNamed(session: SqlSession, { name, args }: ObjectName): Routine {
  const schema = session.schema();
  if (args !== null) {
    const oids = argumentTypes(session, args) ?? [];
    const system = supportFunctions(name).find((each) => each.args.join() === oids.join());
    if (system !== undefined) return system;
    const { reference, returns } = routineFor(
      session,
      name,
      oids.map((oid) => schema.typeByOid(oid)!),
    );
    return { reference, args: oids, returns: returns.oid };
  }
  const last = name[name.length - 1];
  const all = routinesNamed(session, name);
  if (all.length === 0) throw new SvcError('42883', `could not find a function named "${name.join('.')}"`);
  if (all.length > 1) {
    throw new SvcError('42725', `function name "${last}" is not unique`, { hint: 'Specify the argument list to select the function unambiguously.' });
  }
  return all[0];
}

/** Support functions that only access methods call, by catalog name. */
function supportFunctions(name: readonly string[]): Routine[] {
  const last = name[name.length - 1];
  if (name.length > 1 && name[name.length - 2] !== 'pg_catalog') return [];
  const named = [...functionFacts().values()].filter((each) => each.name === last && each.args.includes(INTERNAL));
  return named.map(({ args, returns }) => ({ reference: { name: last }, args, returns }));
}

function routinesNamed(session: SqlSession, name: readonly string[]): Routine[] {
  const { registry } = session.host;
  const last = name[name.length - 1];
  const scope = name.length > 1 ? name[name.length - 2] : null;
  const schemas = scope === null ? session.system.schemas(false) : [scope];
  const own = schemas.flatMap((schema) => session.schema().functionsNamed(schema, last));
  const system = scope === null || scope === 'pg_catalog' ? registry.functions(last) : [];
  const oid = (type: string): number => registry.findType(type)?.oid ?? 0;
  return [
    ...own.map(({ object, inputs, returns }) => ({ reference: { own: object.number }, args: inputs.map(({ type }) => type.oid), returns: returns.oid })),
    ...supportFunctions(name),
    ...system.flatMap((fn) => (fn.kind === 'scalar' ? [{ reference: { name: last }, args: fn.args.map(oid), returns: oid(fn.returns) }] : [])),
  ];
}

/** Checks the signature of a support function: 42P17. Gives the types that it is for if its arguments determine them. */
function expectedTypes(
  method: Method,
  place: number,
  { args, returns }: Routine,
  given: readonly [number, number] | null,
  type: SqlType | null,
): [number, number] | null {
  const must = (holds: boolean, text: string): void => {
    if (!holds) throw new SvcError('42P17', text);
  };
  if (place === METHOD_RULES[method].optionsFunction) {
    const what = 'associated data types for operator class options parsing functions must match';
    if (given !== null) {
      if (type !== null) must(given[0] === type.oid && given[1] === type.oid, `${what} opclass input type`);
      else must(given[0] === given[1], `left and right ${what}`);
    }
    if (returns === VOID && args.length === 1 && args[0] === INTERNAL) return null;
    throw new SvcError('42P17', 'invalid operator class options parsing function', {
      hint: 'Valid signature of operator class options parsing function is (internal) RETURNS void.',
    });
  }
  if (method === 'btree') {
    switch (place) {
      case 1:
        must(args.length === 2, 'btree comparison functions must have two arguments');
        must(returns === INT4, 'btree comparison functions must return integer');
        return [args[0], args[1]];
      case 2:
        must(args.length === 1 && args[0] === INTERNAL, 'btree sort support functions must accept type "internal"');
        must(returns === VOID, 'btree sort support functions must return void');
        return null;
      case 3:
        must(args.length === 5, 'btree in_range functions must have five arguments');
        must(returns === BOOL, 'btree in_range functions must return boolean');
        return [args[0], args[2]];
      default:
        must(args.length === 1, 'btree equal image functions must have one argument');
        must(returns === BOOL, 'btree equal image functions must return boolean');
        return null;
    }
  }
  if (method === 'hash') {
    if (place === 1) {
      must(args.length === 1, 'hash function 1 must have one argument');
      must(returns === INT4, 'hash function 1 must return integer');
    } else {
      must(args.length === 2, 'hash function 2 must have two arguments');
      must(returns === INT8, 'hash function 2 must return bigint');
    }
    return [args[0], args[0]];
  }
  return null;
}

function typeNamed(session: SqlSession, written: TypeName): SqlType {
  return bindTypeName(binderOf(session), written).type;
}

function titleOf(session: SqlSession, oid: number): string {
  return session.schema().typeByOid(oid)?.title ?? String(oid);
}

// --- members of families

type PlaceOf = Pick<NewMember, 'what' | 'place' | 'left' | 'right'>;

function isSame(a: PlaceOf, b: PlaceOf): boolean {
  return a.what === b.what && a.place === b.place && a.left === b.left && a.right === b.right;
}

/** `operator 1(integer,bigint)`. */
function shown(session: SqlSession, { what, place, left, right }: PlaceOf): string {
  return `${wordOf(what)} ${place}(${titleOf(session, left)},${titleOf(session, right)})`;
}

function wordOf(what: FamilyMemberObject['what']): 'operator' | 'function' {
  return what === 'family operator' ? 'operator' : 'function';
}

function findMember(session: SqlSession, wanted: PlaceOf, family: number): { readonly number: number } | null {
  for (const each of membersOf(session.schema(), wanted.what, family)) if (isSame({ ...each, what: wanted.what }, wanted)) return each;
  return null;
}

/** 23505: a number is used once in a family, and an operator has one number in it. */
function refuseSecondMember(session: SqlSession, member: NewMember, family: number): void {
  const taken = (index: string): SvcError => new SvcError('23505', `duplicate key value violates unique constraint "${index}"`);
  if (findMember(session, member, family) !== null) throw taken(member.what === 'family operator' ? 'pg_amop_fam_strat_index' : 'pg_amproc_fam_proc_index');
  if (member.what !== 'family operator') return;
  const known = JSON.stringify(member.operator);
  for (const each of session.schema().plain.of('family operator').values()) {
    const same = each.family === family && JSON.stringify(each.operator) === known && each.left === member.left && each.right === member.right;
    if (same && (each.sort === 0) === (member.sort === 0)) throw taken('pg_amop_opr_fam_index');
  }
}

/** The class that requires the member; 0 if it is loose in the family. */
function classNeeding(session: SqlSession, method: Method, { what, place, left, right }: NewMember, family: number, own: OperatorClassObject | null): number {
  const { needed, ownOperators } = METHOD_RULES[method];
  if (what === 'family function' && needed !== null && !needed.includes(place)) return 0;
  if (what === 'family operator' && !ownOperators) return 0;
  if (needed === null || (method !== 'btree' && method !== 'hash')) return own?.number ?? 0;
  if (left !== right) return 0;
  if (own?.type === left) return own.number;
  const classes: Iterable<GroupOfType> = session.schema().plain.of('operator class').values();
  for (const each of classes) if (each.family === family && each.type === left) return each.number;
  return 0;
}

function putMember(ddl: Ddl, member: NewMember, family: number, needing: number): void {
  const object: FamilyMemberObject = { ...member, number: 0, family, class: needing };
  object.number = ddl.numberFor(object);
  ddl.put(object);
}

function dropMembers(session: SqlSession, ddl: Ddl, method: Method, family: OperatorGroup, items: readonly OperatorClassItem[]): void {
  const gone = items.map((item) => {
    if (item.kind === 'storage') throw new SvcError('42601', 'STORAGE cannot be specified in ALTER OPERATOR FAMILY');
    checkPlace(method, item);
    const [left, right] = typePair(session, item.types ?? []);
    return { what: `family ${item.kind}` as const, place: item.place, left, right };
  });
  for (const each of gone) {
    const found = findMember(session, each, family.number);
    if (found === null) throw new SvcError('42704', `${shown(session, each)} does not exist in operator family "${family.name}"`);
    const own = ddl.schema.plain.of(each.what).get(found.number);
    const describe = (): string =>
      session.system.definitions.describe(each.what === 'family operator' ? CLASS.pg_amop : CLASS.pg_amproc, found.number, 0) ?? shown(session, each);
    if (own === undefined) throw new SvcError('2BP01', `cannot drop ${describe()} because it is required by the database system`);
    if (own.class !== 0) {
      const whole = session.system.definitions.describe(CLASS.pg_opclass, own.class, 0) ?? 'its operator class';
      throw new SvcError('2BP01', `cannot drop ${describe()} because ${whole} requires it`, { hint: `You can drop ${whole} instead.` });
    }
    ddl.remove(own);
  }
}
