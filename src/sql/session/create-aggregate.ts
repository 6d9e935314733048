/** CREATE AGGREGATE: resolves its functions and checks their types. Manual, CREATE AGGREGATE and 38.12. */
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import type { AggregateParts, FunctionObject } from '../../worlds/definition.ts';
import type { CreateAggregate, FunctionArgument, Option } from '../ast/define.ts';
import type { TypeName } from '../ast/type-name.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { createFunction, functionLike } from '../schema/functions.ts';
import type { SqlType } from '../types/type.ts';
import { checkMovingParts, checkParallel, checkSerial, checkWords, movingParts, parallelOf, recordedParts } from './aggregate-options.ts';
import { binderOf, targetName } from './define-table.ts';
import { define } from './define.ts';
import { isTrue, routineName, textOf, typeNameOf } from './definition-options.ts';
import { mustOwnRoutine, mustUseType } from './ownership.ts';
import type { StatementResult } from './results.ts';
import { aggregateRoutine, isStrict, startsState } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

/** Options of partial, parallel and moving aggregation: catalog-only. */
const RECORDED = new Set(
  'sspace,combinefunc,serialfunc,deserialfunc,msfunc,minvfunc,mstype,msspace,mfinalfunc,mfinalfunc_extra,mfinalfunc_modify,minitcond,sortop,parallel,finalfunc_modify'.split(
    ',',
  ),
);
/** Option names of the first releases of Postgres. */
const OLD_NAMES: Readonly<Record<string, string>> = { sfunc1: 'sfunc', stype1: 'stype', initcond1: 'initcond' };
const INTERNAL = 'internal';

export function runCreateAggregate(session: SqlSession, statement: CreateAggregate): StatementResult {
  session.startStatement();
  const object = aggregateObject(session, statement);
  return define(session, 'CREATE AGGREGATE', (ddl) => {
    const known = statement.replace ? functionLike(ddl.schema, object) : null;
    if (known !== null) mustOwnRoutine(session, known);
    createFunction(ddl, object, statement.replace);
  });
}

function aggregateObject(session: SqlSession, statement: CreateAggregate): FunctionObject {
  const { name: parts, at } = statement;
  const options = new Map<string, Option>();
  for (const option of statement.options) {
    const name = OLD_NAMES[option.name.toLowerCase()] ?? option.name.toLowerCase();
    if (name === 'hypothetical' && isTrue(option) && statement.direct == null) throw new SvcError('42P13', 'only ordered-set aggregates can be hypothetical');
    if (KNOWN.has(name) || RECORDED.has(name)) options.set(name, option);
    else session.notice('42601', `aggregate attribute "${option.name}" not recognized`, 'WARNING');
  }
  checkWords(options);
  const target = targetName(session, { catalog: null, schema: parts.length > 1 ? parts[parts.length - 2] : null, name: parts[parts.length - 1], at });
  const binder = binderOf(session);
  const typeOf = (written: TypeName): SqlType => bindTypeName(binder, written).type;
  const stateOption = options.get('stype');
  if (stateOption === undefined) throw new SvcError('42P13', 'aggregate stype must be specified');
  const stepName = routineName(options.get('sfunc'));
  if (stepName === null) throw new SvcError('42P13', 'aggregate sfunc must be specified');
  checkMovingParts(options);
  if (statement.args !== null && options.has('basetype')) throw new SvcError('42P13', 'basetype is redundant with aggregate input type specification');
  const hypothetical = options.has('hypothetical') && isTrue(options.get('hypothetical')!);
  const args = statement.args ?? oldArguments(options.get('basetype'), at);
  if (args.some(({ mode }) => mode !== 'in' && mode !== 'variadic')) throw new SvcError('42P13', 'aggregates cannot have output arguments');
  if (args.some((arg) => arg.default !== null)) throw new SvcError('42P13', 'aggregates cannot accept default values');
  const types = args.map(({ dataType, mode }) => {
    const type = typeOf(dataType);
    if (dataType.setOf) throw new SvcError('42P13', 'aggregates cannot accept set arguments');
    if (mode === 'variadic' && type.element === null && type.name !== 'any' && type.name !== 'anyarray' && type.name !== 'anycompatiblearray')
      throw new SvcError('42P13', 'VARIADIC parameter must be an array');
    mustUseType(session, type);
    return type;
  });
  const state = withoutPlace(() => typeOf(typeNameOf(stateOption, 'stype')));
  mustUseType(session, state);
  if (state.name === INTERNAL || (state.category === 'P' && !isPolymorphic(state.name))) {
    const hint = { hint: 'Use a type whose values SQL can hold.' };
    throw new SvcError('42P13', `aggregate transition data type cannot be ${state.title}`, state.name === INTERNAL ? hint : {});
  }
  checkSerial(options);
  const movingOption = options.get('mstype');
  const moving = movingOption === undefined ? null : withoutPlace(() => typeOf(typeNameOf(movingOption, 'mstype')));
  const initial = options.has('initcond') ? textOf(options.get('initcond')!) : null;
  if (initial !== null && !isPolymorphic(state.name)) state.parse(initial, -1, binder.env);
  const movingInitial = options.get('minitcond');
  if (moving !== null && movingInitial !== undefined && !isPolymorphic(moving.name)) moving.parse(textOf(movingInitial), -1, binder.env);
  checkParallel(options);
  if (isPolymorphic(state.name) && !types.some((type) => isPolymorphic(type.name))) {
    throw new SvcError('42P13', 'cannot determine transition data type', {
      detail: `A result of type ${state.title} requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.`,
    });
  }
  const direct = statement.direct === null ? undefined : statement.direct;
  const stepped = types.slice(direct ?? 0);
  if (hypothetical && !matchesDirect(types.slice(0, direct), stepped))
    throw new SvcError('42P13', 'a hypothetical-set aggregate must have direct arguments matching its aggregated arguments');
  const step = aggregateRoutine(session, stepName, [state, ...stepped]);
  if (step.returns.oid !== state.oid) throw new SvcError('42804', `return type of transition function ${stepName.join('.')} is not ${state.title}`);
  if (initial === null && isStrict(step.fn) && direct === undefined) {
    const [first] = stepped;
    const fits = first !== undefined && startsState(session, first, state);
    if (!fits) {
      throw new SvcError('42P13', 'must not omit initial value when transition function is strict and transition type is not compatible with input type');
    }
  }
  const given = direct === undefined ? [] : types.slice(0, direct);
  const movingFound = moving === null ? undefined : movingParts(session, options, moving, stepped, direct === undefined ? null : given);
  const finishExtra = options.has('finalfunc_extra') && isTrue(options.get('finalfunc_extra')!);
  const finishName = routineName(options.get('finalfunc'));
  const finish = finishName === null ? null : aggregateRoutine(session, finishName, [state, ...given, ...(finishExtra ? stepped : [])]);
  if (finish !== null && finishExtra && isStrict(finish.fn)) throw new SvcError('42P13', 'final function with extra arguments must not be declared STRICT');
  const recorded = { ...recordedParts(session, options, state, stepped), ...(movingFound === undefined ? {} : { moving: movingFound }) };
  const returns = finish?.returns ?? state;
  const aggregate: AggregateParts = {
    state: state.oid,
    initial,
    step: step.reference,
    finish: finish?.reference ?? null,
    finishExtra,
    ...(direct === undefined ? {} : { direct }),
    ...(hypothetical ? { hypothetical } : {}),
    ...(Object.keys(recorded).length === 0 ? {} : { recorded }),
  };
  return {
    what: 'function',
    number: 0,
    schema: target.schema,
    name: target.name,
    procedure: false,
    args: args.map(({ name, mode }, i) => ({ name, mode, type: types[i].oid, default: null })),
    returns: returns.oid,
    set: false,
    columns: null,
    body: '',
    form: 'text',
    volatility: 'immutable',
    strict: false,
    ...parallelOf(options),
    aggregate,
  };
}

/** The last direct arguments have the types of the aggregated ones. */
function matchesDirect(direct: readonly SqlType[], aggregated: readonly SqlType[]): boolean {
  return aggregated.length <= direct.length && direct.slice(direct.length - aggregated.length).every((type, i) => type.name === aggregated[i].name);
}

const KNOWN = new Set(['sfunc', 'stype', 'initcond', 'finalfunc', 'finalfunc_extra', 'basetype', 'hypothetical']);

/** BASETYPE = type, or "ANY" for none. */
function oldArguments(option: Option | undefined, at: number): FunctionArgument[] {
  if (option === undefined) throw new SvcError('42P13', 'aggregate input type must be specified');
  const { value } = option;
  if (value?.type === 'string' && value.value.toLowerCase() === 'any') return [];
  const dataType = typeNameOf(option, 'basetype');
  if (dataType.name.toLowerCase() === 'any' && dataType.schema === null) return [];
  return [{ name: null, mode: 'in', dataType, default: null, at }];
}
