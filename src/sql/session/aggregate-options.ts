/**
 * Options of CREATE AGGREGATE that describe partial, parallel and moving aggregation. The executor ignores them, but what they name
 * must exist and fit, and they are kept for the catalog and for dumps. Messages and their order: commands/aggregatecmds.c,
 * catalog/pg_aggregate.c.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { FunctionObject, RecordedAggregateParts, RoutineReference } from '../../worlds/definition.ts';
import type { Option } from '../ast/define.ts';
import type { SqlType } from '../types/type.ts';
import { isTrue, routineName, textOf } from './definition-options.ts';
import { aggregateRoutine, isStrict, startsState } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

export type AggregateOptions = ReadonlyMap<string, Option>;

const refuse = (message: string): never => {
  throw new SvcError('42P13', message);
};

/** Moving aggregates need all of their options: an option without MSTYPE is refused, and so is MSTYPE alone. */
export function checkMovingParts(options: AggregateOptions): void {
  if (options.has('mstype')) {
    for (const name of ['msfunc', 'minvfunc']) if (!options.has(name)) refuse(`aggregate ${name} must be specified when mstype is specified`);
    return;
  }
  for (const name of ['msfunc', 'minvfunc', 'mfinalfunc', 'msspace', 'minitcond']) {
    if (!options.has(name)) continue;
    if (name === 'msspace' && Number(textOf(options.get(name)!)) === 0) continue;
    refuse(`aggregate ${name} must not be specified without mstype`);
  }
}

/** Checks the keywords of `sspace`, `parallel`, `finalfunc_modify` …. */
export function checkWords(options: AggregateOptions): void {
  for (const name of ['sspace', 'msspace']) {
    const option = options.get(name);
    if (option !== undefined && option.value?.type !== 'integer' && option.value?.type !== 'number')
      throw new SvcError('42601', `${option.name} requires ${option.value === null ? 'a numeric' : 'an integer'} value`);
  }
  for (const name of ['finalfunc_modify', 'mfinalfunc_modify']) {
    const option = options.get(name);
    if (option !== undefined && !['read_only', 'shareable', 'read_write'].includes(textOf(option).toLowerCase()))
      throw new SvcError('42601', `parameter "${option.name}" must be READ_ONLY, SHAREABLE, or READ_WRITE`);
  }
}

export function checkParallel(options: AggregateOptions): void {
  const option = options.get('parallel');
  if (option !== undefined && !['safe', 'restricted', 'unsafe'].includes(textOf(option).toLowerCase()))
    throw new SvcError('42601', 'parameter "parallel" must be SAFE, RESTRICTED, or UNSAFE');
}

/** Serialization functions need a state of type `internal`, which no aggregate has here. */
export function checkSerial(options: AggregateOptions): void {
  const [first, second] = [options.has('serialfunc'), options.has('deserialfunc')];
  if (first && second) refuse('serialization functions may be specified only when the aggregate transition data type is internal');
  if (first || second) refuse('must specify both or neither of serialization and deserialization functions');
}

/**
 * The functions of a moving aggregate, checked against each other as those of a plain one are. `direct`: types of the arguments
 * before ORDER BY; null for a plain aggregate.
 */
export function movingParts(
  session: SqlSession,
  options: AggregateOptions,
  state: SqlType,
  stepped: readonly SqlType[],
  direct: readonly SqlType[] | null,
): RecordedAggregateParts['moving'] {
  const step = named(options, 'msfunc');
  const back = named(options, 'minvfunc');
  if (step === null || back === null) return undefined;
  const found = aggregateRoutine(session, step, [state, ...stepped]);
  if (found.returns.oid !== state.oid) throw new SvcError('42804', `return type of transition function ${step.join('.')} is not ${state.title}`);
  if (isStrict(found.fn) && !options.has('minitcond') && direct === null) {
    const [first] = stepped;
    const fits = first !== undefined && startsState(session, first, state);
    if (!fits) refuse('must not omit initial value when transition function is strict and transition type is not compatible with input type');
  }
  const inverse = aggregateRoutine(session, back, [state, ...stepped]);
  if (inverse.returns.oid !== state.oid) throw new SvcError('42804', `return type of inverse transition function ${back.join('.')} is not ${state.title}`);
  if (isStrict(inverse.fn) !== isStrict(found.fn)) refuse("strictness of aggregate's forward and inverse transition functions must match");
  const finishExtra = options.has('mfinalfunc_extra') && isTrue(options.get('mfinalfunc_extra')!);
  const last = named(options, 'mfinalfunc');
  const finish = last === null ? null : aggregateRoutine(session, last, [state, ...(direct ?? []), ...(finishExtra ? stepped : [])]).reference;
  return {
    state: state.oid,
    step: found.reference,
    inverse: inverse.reference,
    finish,
    ...(finishExtra ? { finishExtra } : {}),
    ...modifyOf(options, 'mfinalfunc_modify'),
    ...spaceOf(options, 'msspace'),
    initial: options.has('minitcond') ? textOf(options.get('minitcond')!) : null,
  };
}

/** The remaining options that are kept in the catalog. */
export function recordedParts(session: SqlSession, options: AggregateOptions, state: SqlType, stepped: readonly SqlType[]): RecordedAggregateParts {
  const combine = combineFunction(session, options, state);
  const sort = sortOperator(session, options, stepped);
  return {
    ...(combine === null ? {} : { combine }),
    ...modifyOf(options, 'finalfunc_modify'),
    ...spaceOf(options, 'sspace'),
    ...(sort === null ? {} : { sort }),
  };
}

/** Absent means `unsafe`. */
export function parallelOf(options: AggregateOptions): Pick<FunctionObject, 'parallel'> {
  const option = options.get('parallel');
  const word = option === undefined ? 'unsafe' : textOf(option).toLowerCase();
  return word === 'safe' || word === 'restricted' ? { parallel: word } : {};
}

function modifyOf(options: AggregateOptions, name: string): Pick<RecordedAggregateParts, 'modify'> {
  const option = options.get(name);
  return option === undefined ? {} : { modify: textOf(option).toLowerCase() as NonNullable<RecordedAggregateParts['modify']> };
}

function spaceOf(options: AggregateOptions, name: string): Pick<RecordedAggregateParts, 'spaceBytes'> {
  const option = options.get(name);
  const bytes = option === undefined ? 0 : Number(textOf(option));
  return bytes === 0 ? {} : { spaceBytes: bytes };
}

/** 42883 if the argument type has no such operator. */
function sortOperator(session: SqlSession, options: AggregateOptions, stepped: readonly SqlType[]): number | null {
  const name = named(options, 'sortop');
  if (name === null) return null;
  if (stepped.length !== 1) refuse('sort operator can only be specified for single-argument aggregates');
  const title = stepped[0].title;
  const oid = session.system.definitions.operatorSignatureOid(`${name.join('.')}(${title},${title})`);
  if (oid === null) throw new SvcError('42883', `operator does not exist: ${title} ${name.join('.')} ${title}`);
  return oid;
}

/** Resolves COMBINEFUNC, which joins two states. */
function combineFunction(session: SqlSession, options: AggregateOptions, state: SqlType): RoutineReference | null {
  const name = named(options, 'combinefunc');
  if (name === null) return null;
  const { returns, reference } = aggregateRoutine(session, name, [state, state]);
  if (returns.oid !== state.oid) throw new SvcError('42804', `return type of combine function ${name.join('.')} is not ${state.title}`);
  return reference;
}

function named(options: AggregateOptions, name: string): string[] | null {
  return routineName(options.get(name));
}
