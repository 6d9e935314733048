/** Prepares queries and writes: bound, optimized and compiled once per schema, settings and parameter types. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { runSteps } from '../../base/run-steps.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { Query } from '../ast/query.ts';
import type { Delete, Insert, Merge, Update } from '../ast/write.ts';
import { Binder, type Moments, type Names } from '../bind/binder.ts';
import type { Parameters } from '../bind/coerce.ts';
import type { FunctionBodies } from '../bind/inline-functions.ts';
import { bindQuery, bindQuerySteps } from '../bind/query.ts';
import { asStored } from '../bind/rule-mark.ts';
import { mayUpdateSettings } from '../bind/settings-rule.ts';
import { applyRules, type RuleStep, resultStepOf } from '../bind/rules.ts';
import { bindWrite } from '../bind/write.ts';
import { Compilation } from '../exec/compilation.ts';
import { compile, type Executable } from '../exec/compile.ts';
import type { ExecContext } from '../exec/context.ts';
import type { Bound } from '../plan/bound.ts';
import type { ScalarFunction, SetFunction, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { LockStrength, Plan } from '../plan/logical.ts';
import { optimizeSteps } from '../plan/rules/optimize.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { boundsOf, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { SessionEnvironment } from './environment.ts';
import { type Access, accessOf } from './check-access.ts';
import { type Coerced, computedApart, type GenericPlan, merged, mustAgree, readsByKeys, sameAccess } from './generic-plan.ts';
import { withIndexExpressions } from './index-expressions.ts';
import { resultColumns } from './column-origins.ts';
import { withoutPositions } from './without-positions.ts';
import { refuseForeign } from './foreign/refuse-foreign.ts';
import type { ResultColumn } from './results.ts';
import { withBodies, type WithBodies } from './with-bodies.ts';

export type QueryStatement = Query | Insert | Update | Delete | Merge;

export interface Prepared {
  /** An error of planning, raised at run time. */
  readonly failure: SvcError | null;
  readonly executable: Executable;
  readonly plan: Plan;
  /** The statement itself writes (a WITH inside a reading one may, too). */
  readonly writes: 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE' | null;
  readonly modifies: boolean;
  /** It locks rows, takes advisory locks or sleeps, so it may have to be retried. */
  readonly locks: boolean;
  /** The strength with which it locks rows. */
  readonly rowLock: LockStrength | null;
  /** Tables that it reads or writes. */
  readonly tables: readonly SqlTable[];
  readonly columns: readonly ResultColumn[];
  /** Of the columns, if the statement specifies collations; `''`: conflicting ones. */
  readonly collations: readonly (string | null)[] | null;
  readonly parameters: readonly SqlType[];
  /** The first parameter of undetermined type. */
  readonly undetermined: number | null;
  /** The plan is valid while the schema and the settings are: nothing in it was read from the clock or another state. */
  readonly lasting: boolean;
  /** It reads rows of tables by their whole keys, and nothing else of the world. */
  readonly byKeys: boolean;
  /** The relations that it accesses, for privilege checks. */
  readonly access: Access;
  /** The statements after rule rewriting, in the order to run: this one or its replacements. */
  readonly steps?: readonly Prepared[];
  /** The step whose rows are returned; -1: none. */
  readonly resultStep?: number;
  /** Planned at run time: an expression after AS OF decides the state of names. */
  readonly again?: (values: readonly Value[]) => Prepared;
  /** The source of each step. */
  readonly sources?: readonly RuleStep['from'][];
}

const plans = new WeakMap<object, Map<string, Prepared>>();

/** Parameters of undetermined type are text, unless the statement is prepared by name. */
function firstUndetermined(types: readonly (SqlType | null)[]): number | null {
  const index = types.findIndex((type) => type === null || type.name === 'unknown');
  return index < 0 ? null : index + 1;
}

export interface PrepareParts {
  readonly names: Names;
  readonly registry: Registry;
  readonly env: SessionEnvironment;
  readonly statistics: Statistics;
  readonly bodies: FunctionBodies;
  /** The schema and search path that the plan depends on. null: do not cache. */
  readonly key: string | null;
  /** Rows of each node are counted, for EXPLAIN ANALYZE. */
  readonly analyze?: boolean;
  /** Values of expressions after AS OF. */
  readonly moments: Moments;
  /** The plan for these parameter values, if AS OF depends on them or on the clock. */
  readonly again: (values: readonly Value[]) => Prepared;
  /** Inside a function: its arguments by name. */
  readonly argumentNames?: Binder['argumentNames'];
}

/** Constants are folded at plan time, but Postgres does so at run time: `1/0` is an error of EXECUTE, not of PREPARE, and of Bind or Execute, not of Parse. */
function* planned({ made, inliner }: WithBodies<Plan>, bound: Plan, parts: PrepareParts): Generator<void, Pick<Prepared, 'executable' | 'plan' | 'failure'>> {
  try {
    const plan = yield* optimizeSteps(made, withIndexExpressions(parts.statistics, parts.names, parts.registry, parts.env, inliner));
    yield;
    refuseForeign(plan, parts.names);
    const executable = compile(plan, { analyze: parts.analyze === true });
    // Machine code is generated at the first run.
    yield;
    return { executable, plan, failure: null };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const fail = (): never => {
      throw error;
    };
    return { executable: { columns: bound.columns, run: fail, code: fail }, plan: bound, failure: error };
  }
}

export function isQuery(statement: { readonly type: string }): statement is QueryStatement {
  return statement.type === 'select' || statement.type === 'values' || statement.type === 'setOperation' || isWrite(statement);
}

/** A statement that returns rows and does not write itself. */
export function isRows(statement: { readonly type: string }): statement is Query {
  return isQuery(statement) && !isWrite(statement);
}

export function isWrite(statement: { readonly type: string }): statement is Insert | Update | Delete | Merge {
  return statement.type === 'insert' || statement.type === 'update' || statement.type === 'delete' || statement.type === 'merge';
}

/** Yields at yield points. */
export type PrepareSteps = Generator<void, Prepared>;

export function prepare(statement: QueryStatement, given: readonly (SqlType | null)[], fixed: boolean, parts: PrepareParts): Prepared {
  return known(statement, planKeyOf(given, fixed, parts.key)) ?? runSteps(prepareSteps(statement, given, fixed, parts));
}

export function planKeyOf(given: readonly (SqlType | null)[], fixed: boolean, key: string | null): string | null {
  return key === null ? null : `${key};${fixed ? 'only' : ''};${given.map((type) => type?.oid ?? 0).join()}`;
}

function known(statement: QueryStatement, key: string | null): Prepared | undefined {
  return key === null ? undefined : plans.get(statement)?.get(key);
}

/** The same in steps, for statements that take longer than others should wait. The definitions are those of the first step. */
export function* prepareSteps(statement: QueryStatement, given: readonly (SqlType | null)[], fixed: boolean, parts: PrepareParts): PrepareSteps {
  const key = planKeyOf(given, fixed, parts.key);
  const before = known(statement, key);
  if (before !== undefined) return before;
  const keeps = key !== null;
  let prepared = ruled(statement, given, fixed, parts, keeps);
  if (prepared === null) {
    const bound = yield* bindOver(statement, { types: [...given], fixed }, parts);
    yield;
    prepared = yield* finished(bound, parts, keeps);
  }
  if (key === null || !prepared.lasting) return prepared;
  let own = plans.get(statement);
  if (own === undefined) plans.set(statement, (own = new Map()));
  if (own.size > 16) own.clear();
  own.set(key, prepared);
  return prepared;
}

interface BoundStatement {
  readonly statement: QueryStatement;
  readonly plan: Plan;
  readonly parameters: readonly SqlType[];
  readonly binder: Binder;
  readonly clockReads: number;
  readonly positionsReported: number;
  readonly undetermined: number | null;
}

function bind(statement: QueryStatement, given: readonly (SqlType | null)[], fixed: boolean, parts: PrepareParts): BoundStatement {
  return runSteps(bindOver(statement, { types: [...given], fixed }, parts));
}

function* bindOver(statement: QueryStatement, parameters: Parameters, parts: PrepareParts): Generator<void, BoundStatement> {
  const { clockReads, positionsReported } = parts.env;
  const binder = newBinder(parameters, parts);
  const plan = isWrite(statement) ? bindWrite(binder, statement, null) : yield* bindRead(binder, statement);
  return {
    statement,
    plan,
    binder,
    clockReads,
    positionsReported,
    undetermined: firstUndetermined(parameters.types),
    parameters: parameters.types.map((type) => type ?? parts.registry.type('text')),
  };
}

function newBinder(parameters: Parameters, parts: PrepareParts): Binder {
  const binder = new Binder(parts.names, parts.registry, parts.env, parameters);
  binder.argumentNames = binder.givenArguments = parts.argumentNames ?? null;
  binder.moments = parts.moments;
  return binder;
}

function* bindRead(binder: Binder, query: Query): Generator<void, Plan> {
  const mark = query.type === 'select' ? query.rule : undefined;
  if (mark !== undefined) return asStored(binder, mark, () => bindQuery(binder, query, null, {}).plan);
  return (yield* bindQuerySteps(binder, query, null, {})).plan;
}

/** A write to a relation with rules; null: no rule applies. */
function ruled(statement: QueryStatement, given: readonly (SqlType | null)[], fixed: boolean, parts: PrepareParts, keeps: boolean): Prepared | null {
  if (!isWrite(statement) || (parts.names.hasRules !== true && !mayUpdateSettings(statement))) return null;
  const steps = applyRules(() => newBinder({ types: [...given], fixed }, parts), statement);
  if (steps === null || statement.type === 'merge') return null;
  const resultStep = resultStepOf(steps, statement.type);
  // They share their parameters: a type found in one step applies to all.
  const parameters: Parameters = { types: [...given], fixed };
  const bound = steps.map((step) => runSteps(bindOver(step.statement, parameters, parts)));
  const types = parameters.types.map((type) => type ?? parts.registry.type('text'));
  const prepared = bound.map((each) => runSteps(finished({ ...each, parameters: types }, parts, keeps)));
  const nothing = (): Prepared => runSteps(finished({ ...runSteps(bindOver(NOTHING, { types: [], fixed: true }, parts)), parameters: types }, parts, keeps));
  const main = resultStep < 0 ? nothing() : prepared[resultStep];
  return {
    ...main,
    failure: prepared.find(({ failure }) => failure !== null)?.failure ?? null,
    writes: statement.type.toUpperCase() as Prepared['writes'],
    modifies: true,
    locks: prepared.some(({ locks }) => locks),
    tables: [...new Set(prepared.flatMap(({ tables }) => tables))],
    columns: resultStep < 0 ? [] : main.columns,
    lasting: prepared.every(({ lasting }) => lasting),
    byKeys: false,
    again: prepared.find(({ again }) => again !== undefined)?.again,
    steps: prepared,
    resultStep,
    sources: steps.map(({ from }) => from),
  };
}

/** INSTEAD NOTHING: a statement without rows. */
const NOTHING: Query = plainSelect([], [], { type: 'boolean', value: false, at: 0 }, 0);

function* finished(
  { statement, plan: bound, parameters, binder, clockReads, positionsReported, undetermined }: BoundStatement,
  parts: PrepareParts,
  keeps: boolean,
): PrepareSteps {
  const inlined = withBodies(bound, binder, parts, (inliner) => inliner.plan(bound));
  yield;
  const { executable, plan, failure } = yield* planned(inlined, bound, parts);
  const writes = isWrite(statement);
  return {
    failure,
    executable,
    plan,
    writes: writes ? (statement.type.toUpperCase() as Prepared['writes']) : null,
    modifies: writes || (statement.with?.tables.some(({ body }) => isWrite(body)) ?? false),
    ...locksOf(plan),
    // A partitioned table is expanded in the plan, but the columns are its own.
    columns: resultColumns(bound),
    byKeys: readsByKeys(plan),
    collations: binder.collations === null ? null : bound.columns.map(({ id, type }) => binder.collations!.kept(id, type)),
    parameters,
    access: accessOf(binder, inlined.inliner),
    undetermined,
    // A literal like 'now' was read with this statement's clock, and messages about another state are repeated at each run.
    again: binder.readsMoments ? parts.again : undefined,
    lasting: keeps && parts.env.clockReads === clockReads && parts.env.positionsReported === positionsReported && !binder.usedOtherStates,
  };
}

/**
 * The generic plan of an auto-parameterised statement (generic-statement.ts), with the known parameter types; null unless it is
 * proven equivalent to `own`, the statement with its literals. `read` gives the literals' values.
 */
export function prepareGeneric(
  own: QueryStatement,
  generic: QueryStatement,
  given: readonly (SqlType | null)[],
  parts: PrepareParts,
  read: (types: readonly SqlType[]) => Value[],
): GenericPlan | null {
  if (ruled(own, [], true, parts, false) !== null) return null;
  const literal = withoutPositions(parts.env, () => bind(own, [], true, parts));
  if (parts.env.positionsReported !== literal.positionsReported || literal.binder.readsMoments) return null;
  const open = bind(generic, given, true, parts);
  if (!sameAccess(literal.binder.access, open.binder.access) || literal.binder.collations !== null) return null;
  const { plan, coerced, met } = merged(literal.plan, open.plan, given.length);
  const values = read(open.parameters);
  for (const { parameter, type, typmod, explicit } of coerced) values.push(coerce(values[parameter], type, typmod, explicit));
  mustAgree(met, values);
  const known = [...open.parameters, ...coerced.map(({ type }) => type)];
  const { plan: apart, computed } = computedApart(plan, known.length + 1);
  const prepared = runSteps(finished({ ...open, plan: apart, parameters: [...known, ...computed.map(({ type }) => type)] }, parts, true));
  if (!prepared.lasting || prepared.failure !== null) return null;
  return { prepared, literals: open.parameters, coerced, compute: computed.length === 0 ? null : scalars(computed) };
}

function scalars(values: readonly Bound[]): (context: ExecContext) => Value[] {
  const compilation = new Compilation();
  const fn = compilation.scalars(values);
  return (context) => fn(compilation.newRun(context), []);
}

export function coerce(value: Value, type: SqlType, typmod: number, explicit: Coerced['explicit']): Value {
  return value === null ? null : type.coerce(value, typmod, explicit);
}

/** The locks that a plan takes. */
function locksOf(plan: Plan): Pick<Prepared, 'locks' | 'rowLock' | 'tables'> {
  const tables = new Set<SqlTable>();
  let locks = false;
  let rowLock: LockStrength | null = null;
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'lock') {
      locks = true;
      rowLock = p.targets[0].strength;
    }
    if ('table' in p && (p.op !== 'scan' || p.asOf === null)) tables.add(p.table);
    const calls = p.op === 'functionScan' || p.op === 'projectSet' ? p.functions.map(({ call }) => call.fn) : [];
    if (calls.some(mayWait)) locks = true;
    for (const e of boundsOf(p)) {
      visitBound(e, (at) => {
        if (at.kind === 'call' && mayWait(at.fn)) locks = true;
        if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') stack.push(at.plan);
      });
    }
    stack.push(...inputsOf(p));
  }
  return { locks, rowLock, tables: [...tables] };
}

function mayWait(fn: ScalarFunction | SetFunction | SqlOperator): boolean {
  return 'mayWait' in fn && fn.mayWait === true;
}
