/** CREATE, ALTER and DROP OPERATOR. Manual, CREATE OPERATOR and 38.14. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { OperatorObject } from '../../worlds/definition.ts';
import type { AlterOperator, CreateOperator, ObjectName, Option } from '../ast/define.ts';
import { declaredName } from '../bind/declared-type.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import type { UserOperator } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { isTrue, routineName, typeNameOf } from './definition-options.ts';
import { argumentTypes } from './create-function.ts';
import { binderOf, targetName } from './define-table.ts';
import { define } from './define.ts';
import { mustOwn, mustUseType } from './ownership.ts';
import type { StatementResult } from './results.ts';
import { calledWith, routineFor } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

/** Selectivity estimators: catalog-only. */
const ESTIMATORS = new Set(['restrict', 'join']);
const WITHOUT_MEANING = new Set(['sort1', 'sort2', 'ltcmp', 'gtcmp']);
const KNOWN = new Set(['leftarg', 'rightarg', 'procedure', 'function', 'commutator', 'negator', 'hashes', 'merges']);

export function runCreateOperator(session: SqlSession, { name: parts, options: written, at }: CreateOperator): StatementResult {
  session.startStatement();
  const options = new Map<string, Option>();
  const given = new Set(written.map(({ name }) => name.toLowerCase()));
  for (const option of written) {
    const name = option.name.toLowerCase();
    if (KNOWN.has(name) || ESTIMATORS.has(name)) options.set(name, option);
    else if (!WITHOUT_MEANING.has(name)) session.notice('42601', `operator attribute "${option.name}" not recognized`, 'WARNING');
  }
  const target = targetName(session, { catalog: null, schema: parts.length > 1 ? parts[parts.length - 2] : null, name: parts[parts.length - 1], at });
  schemaMustExist(session.schema(), target.schema);
  const routine = routineName(options.get('procedure') ?? options.get('function'));
  if (routine === null) throw new SvcError('42P13', 'operator function must be specified');
  const binder = binderOf(session);
  const typeOf = (side: string): SqlType | null => {
    const option = options.get(side);
    if (option === undefined) return null;
    const written = typeNameOf(option);
    if (written.setOf) throw new SvcError('42P13', 'SETOF type not allowed for operator argument');
    const { type } = bindTypeName(binder, written);
    mustUseType(session, type);
    return type;
  };
  const left = typeOf('leftarg');
  const right = typeOf('rightarg');
  if (right === null) {
    if (left === null) throw new SvcError('42P13', 'operator argument types must be specified');
    throw new SvcError('42P13', 'operator right argument type must be specified', { detail: 'Postfix operators are not supported.' });
  }
  const types = left === null ? [right] : [left, right];
  const found = routineFor(session, routine, types);
  // The function must take exactly these types, not types that they coerce to.
  if (!types.every((type, i) => found.fn.args[i] === declaredName(type))) {
    throw new SvcError('42883', `function ${calledWith(routine, types, session.env)} does not exist`);
  }
  const boolean = found.returns.name === 'bool';
  const binary = left !== null;
  const negator = nameOf(options.get('negator'));
  const commutator = nameOf(options.get('commutator'));
  const [hashes, merges] = ['hashes', 'merges'].map((each) => options.has(each) && isTrue(options.get(each)!));
  if (!binary && commutator !== null) throw new SvcError('42P13', 'only binary operators can have commutators');
  if (!binary && given.has('join')) throw new SvcError('42P13', 'only binary operators can have join selectivity');
  if (!binary && merges) throw new SvcError('42P13', 'only binary operators can merge join');
  if (!binary && hashes) throw new SvcError('42P13', 'only binary operators can hash');
  if (!boolean && negator !== null) throw new SvcError('42P13', 'only boolean operators can have negators');
  if (!boolean && given.has('restrict')) throw new SvcError('42P13', 'only boolean operators can have restriction selectivity');
  if (!boolean && given.has('join')) throw new SvcError('42P13', 'only boolean operators can have join selectivity');
  if (!boolean && merges) throw new SvcError('42P13', 'only boolean operators can merge join');
  if (!boolean && hashes) throw new SvcError('42P13', 'only boolean operators can hash');
  if (negator === target.name && (left === null || left.oid === right.oid)) throw new SvcError('42P13', 'operator cannot be its own negator');
  const restrict = estimator(session, 'restrict', options.get('restrict'));
  const join = estimator(session, 'join', options.get('join'));
  const object: OperatorObject = {
    what: 'operator',
    number: 0,
    schema: target.schema,
    name: target.name,
    left: left?.oid ?? 0,
    right: right.oid,
    returns: found.returns.oid,
    routine: found.reference,
    commutator,
    negator,
    hashes,
    merges,
    ...(restrict === null ? {} : { restrict }),
    ...(join === null ? {} : { join }),
  };
  return define(session, 'CREATE OPERATOR', (ddl) => {
    for (const { object: each } of ddl.schema.operators.values()) {
      if (each.schema === object.schema && each.name === object.name && each.left === object.left && each.right === object.right) {
        throw new SvcError('42723', `operator ${object.name} already exists`);
      }
    }
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

export function runAlterOperator(session: SqlSession, { object, options }: AlterOperator): StatementResult {
  session.startStatement();
  const { object: own } = operatorNamed(session, object);
  mustOwn(session, 'operator', own.number, own.name);
  const { restrict: oldRestrict, join: oldJoin, ...rest } = own;
  let [restrict = null, join = null] = [oldRestrict, oldJoin];
  for (const option of options) {
    const { name } = option;
    if (name === 'restrict') restrict = estimator(session, name, option, true);
    else if (name === 'join') join = estimator(session, name, option, true);
    else if (KNOWN.has(name)) throw new SvcError('42601', `operator attribute "${name}" cannot be changed`);
    else throw new SvcError('42601', `operator attribute "${name}" not recognized`);
  }
  if (own.left === 0 && join !== null) throw new SvcError('42P13', 'only binary operators can have join selectivity');
  return define(session, 'ALTER OPERATOR', (ddl) => {
    ddl.put({ ...rest, ...(restrict === null ? {} : { restrict }), ...(join === null ? {} : { join }) });
  });
}

/** Argument types of the estimators for restrictions and joins. */
const ESTIMATED: Readonly<Record<'restrict' | 'join', readonly string[]>> = {
  restrict: ['internal', 'oid', 'internal', 'integer'],
  join: ['internal', 'oid', 'internal', 'smallint', 'internal'],
};

/** The function's name; null for NONE. 42883 if there is no such built-in function. */
function estimator(session: SqlSession, kind: 'restrict' | 'join', option: Option | undefined, altered = false): string | null {
  if (option?.value === null && !altered) throw new SvcError('42601', `${option.name} requires a parameter`);
  const name = routineName(option);
  if (name === null) return null;
  const { definitions } = session.system;
  const last = name[name.length - 1];
  const types = ESTIMATED[kind];
  // Join estimators of early releases have no fifth argument.
  const known = [types, types.slice(0, 4)].map((each) => definitions.procedureOid(`pg_catalog.${last}(${each.join()})`)).find((oid) => oid !== null);
  if (known === undefined) throw new SvcError('42883', `function ${name.join('.')}(${types.join(', ')}) does not exist`);
  return last;
}

/** 42883 where there is none. */
export function operatorNamed(session: SqlSession, object: ObjectName): UserOperator {
  const found = findOperator(session, object);
  if (found === null) throw new SvcError('42883', `operator does not exist: ${shownOperator(session, object)}`);
  return found;
}

export function findOperator(session: SqlSession, { name, args }: ObjectName): UserOperator | null {
  const types = argumentTypes(session, args) ?? [];
  const [left, right] = types.length === 1 ? [0, types[0]] : types;
  return ownOperator(session, name, left, right);
}

/** A user-defined operator by the oids of its types. */
export function ownOperator(session: SqlSession, name: readonly string[], left: number, right: number): UserOperator | null {
  const last = name[name.length - 1];
  const schemas = name.length > 1 ? [name[name.length - 2]] : session.system.schemas(false);
  for (const schema of schemas) {
    for (const each of session.schema().operators.values()) {
      const { object } = each;
      if (object.schema === schema && object.name === last && object.left === left && object.right === right) return each;
    }
  }
  return null;
}

/** `integer === integer`. */
export function shownOperator(session: SqlSession, { name, args }: ObjectName): string {
  const titles = (argumentTypes(session, args) ?? []).map((oid) => session.schema().typeByOid(oid)?.title ?? String(oid));
  return titles.length === 1 ? `${name.join('.')} ${titles[0]}` : `${titles[0]} ${name.join('.')} ${titles[1]}`;
}

function nameOf(option: Option | undefined): string | null {
  const value = option?.value;
  if (value === undefined || value === null) return null;
  if (value.type === 'string') return value.value;
  const parts = value.type === 'list' ? value.values.flatMap((each) => (each.type === 'string' ? [each.value] : [])) : (routineName(option) ?? []);
  return parts[parts.length - 1] ?? null;
}
