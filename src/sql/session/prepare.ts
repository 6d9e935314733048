/** Queries and writes made ready to run: bound, optimized, compiled – once a schema, setting and parameter types. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Query } from '../ast/query.ts';
import type { Delete, Insert, Merge, Update } from '../ast/write.ts';
import { Binder, type Names } from '../bind/binder.ts';
import { bindQuery } from '../bind/query.ts';
import { bindWrite } from '../bind/write.ts';
import { compile, type Executable } from '../exec/compile.ts';
import type { Registry } from '../functions/registry.ts';
import type { LockStrength, Plan } from '../plan/logical.ts';
import { optimize } from '../plan/rules/optimize.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { boundsOf, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { SessionEnvironment } from './environment.ts';
import { type Access, accessOf } from './check-access.ts';
import { withIndexExpressions } from './index-expressions.ts';
import { resultColumns } from './column-origins.ts';
import type { ResultColumn } from './results.ts';

export type QueryStatement = Query | Insert | Update | Delete | Merge;

export interface Prepared {
  /** What planning found, which running says. */
  readonly failure: SvcError | null;
  readonly executable: Executable;
  readonly plan: Plan;
  /** The statement itself changes rows (a WITH inside one that only reads may too). */
  readonly writes: 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE' | null;
  readonly modifies: boolean;
  /** It locks rows or takes advisory locks, so that it may have to run again. */
  readonly locks: boolean;
  /** The strength with which it locks rows. */
  readonly rowLock: LockStrength | null;
  /** Tables that it reads or writes. */
  readonly tables: readonly SqlTable[];
  readonly columns: readonly ResultColumn[];
  readonly parameters: readonly SqlType[];
  /** The plan holds as long as the schema and the settings do: nothing in it was read from the clock or another state. */
  readonly lasting: boolean;
  /** What it does to relations, for privileges. */
  readonly access: Access;
}

const plans = new WeakMap<object, Map<string, Prepared>>();

export interface PrepareParts {
  readonly names: Names;
  readonly registry: Registry;
  readonly env: SessionEnvironment;
  readonly statistics: Statistics;
  /** What names mean: another schema or search path, another plan. null: not to be kept. */
  readonly key: string | null;
  /** Rows of each node are counted, for EXPLAIN ANALYZE. */
  readonly analyze?: boolean;
  /** Inside a function: its arguments by name. */
  readonly argumentNames?: Binder['argumentNames'];
}

/**
 * Constants are worked out when a statement is planned, which Postgres does when it runs: `1/0` is an error of
 * EXECUTE, not of PREPARE, and of Bind or Execute, not of Parse.
 */
function planned(bound: Plan, parts: PrepareParts): Pick<Prepared, 'executable' | 'plan' | 'failure'> {
  try {
    const plan = optimize(bound, withIndexExpressions(parts.statistics, parts.names, parts.registry, parts.env));
    return { executable: compile(plan, { analyze: parts.analyze === true }), plan, failure: null };
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

export function isWrite(statement: { readonly type: string }): statement is Insert | Update | Delete | Merge {
  return statement.type === 'insert' || statement.type === 'update' || statement.type === 'delete' || statement.type === 'merge';
}

export function prepare(statement: QueryStatement, given: readonly (SqlType | null)[], fixed: boolean, parts: PrepareParts): Prepared {
  const key = parts.key === null ? null : `${parts.key};${fixed ? 'only' : ''};${given.map((type) => type?.oid ?? 0).join()}`;
  const known = key === null ? undefined : plans.get(statement)?.get(key);
  if (known !== undefined) return known;
  const { env } = parts;
  const clockBefore = env.clockReads;
  const parameters = { types: [...given], fixed };
  const binder = new Binder(parts.names, parts.registry, env, parameters);
  binder.argumentNames = parts.argumentNames ?? null;
  const writes = isWrite(statement);
  const bound = writes ? bindWrite(binder, statement, null) : bindQuery(binder, statement, null, {}).plan;
  const { executable, plan, failure } = planned(bound, parts);
  const prepared: Prepared = {
    failure,
    executable,
    plan,
    writes: writes ? (statement.type.toUpperCase() as Prepared['writes']) : null,
    modifies: writes || (statement.with?.tables.some(({ body }) => isWrite(body)) ?? false),
    ...locksOf(plan),
    columns: resultColumns(plan),
    parameters: parameters.types.map((type) => type ?? parts.registry.type('text')),
    // A literal like 'now' was read with the clock of this statement.
    access: accessOf(binder),
    lasting: key !== null && env.clockReads === clockBefore && !binder.usedOtherStates,
  };
  if (key === null || !prepared.lasting) return prepared;
  let own = plans.get(statement);
  if (own === undefined) plans.set(statement, (own = new Map()));
  if (own.size > 16) own.clear();
  own.set(key, prepared);
  return prepared;
}

/** What of the plan has to do with locks. */
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
    const calls = p.op === 'functionScan' || p.op === 'projectSet' ? p.functions.map(({ call }) => call.fn.name) : [];
    if (calls.some((name) => ADVISORY.test(name))) locks = true;
    for (const e of boundsOf(p)) {
      visitBound(e, (at) => {
        if (at.kind === 'call' && ADVISORY.test(at.fn.name)) locks = true;
        if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') stack.push(at.plan);
      });
    }
    stack.push(...inputsOf(p));
  }
  return { locks, rowLock, tables: [...tables] };
}

const ADVISORY = /^pg_(try_)?advisory_/;
