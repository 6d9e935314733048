/**
 * Row security at bind time (manual, chapter 5.8): the policies that apply to a command on a table, their conditions on rows that
 * are read, and checks on rows that are written.
 *
 *   read      scan ──► filter (USING) ──► barrier ──► masks, conditions of the query
 *   written   new row ──► check (WITH CHECK), which refuses the row before constraints are checked
 *
 * A row passes if any permissive policy for the command accepts it (without one, no row passes) and all restrictive policies do.
 * Null counts as false.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { PolicyCommand } from '../ast/define.ts';
import type { ScalarFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan, State } from '../plan/logical.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail, type Names } from './binder.ts';
import { bindExpression } from './expression.ts';
import { Scope } from './scope.ts';

/** A stored policy: its conditions over the table by the name that they use, and column names if they differ there. */
export interface RowPolicy {
  readonly name: string;
  readonly permissive: boolean;
  readonly command: PolicyCommand;
  readonly using: RowCondition | null;
  readonly check: RowCondition | null;
}
export interface RowCondition {
  readonly condition: Expression;
  readonly alias: string;
  readonly columns: readonly string[];
}

/** The applicable policies of each relevant state: all of these must accept a row. */
export type PolicySets = readonly PolicySet[];
export interface PolicySet {
  readonly policies: readonly RowPolicy[];
  /** Policies of today, which read the current state, while those of another state read that state. */
  readonly today: boolean;
}

type Command = Exclude<PolicyCommand, 'all'>;

/** A check on a written row, with the policy that its error names. */
interface Asked {
  /** Of a restrictive policy. */
  readonly policy: string | null;
  readonly condition: Bound;
}

export class TablePolicies {
  readonly #binder: Binder;
  readonly #table: SqlTable;
  readonly #sets: PolicySets;
  readonly #names: Names;
  readonly #state: State | null;

  constructor(binder: Binder, table: SqlTable, sets: PolicySets, names: Names, state: State | null) {
    this.#binder = binder;
    this.#table = table;
    this.#sets = sets;
    this.#names = names;
    this.#state = state;
  }

  /** Conditions on the rows that a command reads. */
  using(command: Command, value: (index: number) => Bound): Bound[] {
    return this.#conditions(command, value, ({ using }) => using).map(({ condition }) => condition);
  }

  /** Checks on a new row: WITH CHECK, or USING if a policy has no other condition or `found` requires it. */
  #asked(command: Command, value: (index: number) => Bound, found: boolean): Asked[] {
    // For a written row the permissive policies are checked first.
    const all = this.#conditions(command, value, ({ using, check }) => (found ? using : (check ?? using)));
    return [...all.filter(({ policy }) => policy === null), ...all.filter(({ policy }) => policy !== null)];
  }

  #conditions(command: Command, value: (index: number) => Bound, of: (policy: RowPolicy) => RowCondition | null): Asked[] {
    const binder = this.#binder;
    const number = this.#table.number;
    if (binder.securing.has(number)) throw new SvcError('42P17', `infinite recursion detected in policy for relation "${this.#table.name}"`);
    binder.securing.add(number);
    try {
      return this.#sets.flatMap((set): Asked[] => {
        const own = set.policies.filter((policy) => policy.command === 'all' || policy.command === command);
        const bound = (policy: RowPolicy): Bound[] => {
          const text = of(policy);
          if (text === null) return [];
          const bind = (): Bound => bindCondition(binder, this.#table, text, value);
          if (this.#state === null && binder.state === null) return [bind()];
          return [set.today ? binder.within(null, null, bind) : binder.within(this.#state, this.#names, bind)];
        };
        const restrictive = own
          .filter(({ permissive }) => !permissive)
          .flatMap((policy) => bound(policy).map((condition) => ({ policy: policy.name, condition })));
        const permissive = own.filter((policy) => policy.permissive).flatMap(bound);
        if (permissive.length === 0) return [{ policy: null, condition: binder.constant('bool', false) }];
        return [...restrictive, { policy: null, condition: either(binder, permissive) }];
      });
    } finally {
      binder.securing.delete(number);
    }
  }

  /** True, or 42501 with this message. `kind` found: an existing row that will be changed must be visible to the command. */
  check(
    asked: readonly { readonly command: Command; readonly found: boolean }[],
    kind: 'new' | 'new found' | 'target',
    value: (index: number) => Bound,
  ): Bound {
    const { name } = this.#table;
    let out = this.#binder.constant('bool', true);
    for (const { command, found } of asked) {
      for (const { policy, condition } of this.#asked(command, value, found)) {
        const row = kind === 'target' ? 'target row' : 'new row';
        const which = policy === null ? '' : ` "${policy}"`;
        const how = kind === 'new' ? '' : ' (USING expression)';
        out = refusing(this.#binder, out, condition, `${row} violates row-level security policy${which}${how} for table "${name}"`);
      }
    }
    return out;
  }
}

/** null if no policy applies. `as`: the owner of the enclosing view; `names`: of the state that the table is read in. */
export function policiesOf(
  binder: Binder,
  table: SqlTable,
  as: number | null,
  names: Names = binder.names,
  state: State | null = binder.state,
): TablePolicies | null {
  // A view's stored query does not depend on its creator's policies.
  if (binder.recording !== null) return null;
  const sets = names.policies?.(table, as) ?? [];
  return sets.length === 0 ? null : new TablePolicies(binder, table, sets, names, state);
}

/** Rows that satisfy the conditions. No leaking condition is pushed below (plan/rules/pushdown.ts). */
export function guarded(binder: Binder, rows: Plan, conditions: readonly Bound[]): Plan {
  const { columns } = rows;
  const input: Plan = { op: 'filter', input: rows, predicate: binder.and(conditions)!, columns };
  return barrier(binder, input);
}

/** Leaking conditions from above stay above it. */
export function barrier(binder: Binder, input: Plan): Plan {
  const { columns } = input;
  return { op: 'project', input, items: columns.map((column) => ({ id: column.id, value: binder.use(column) })), barrier: true, columns };
}

function either(binder: Binder, conditions: readonly Bound[]): Bound {
  return conditions.length === 1 ? conditions[0] : { kind: 'or', type: binder.type('bool'), typmod: -1, args: conditions };
}

function bindCondition(binder: Binder, table: SqlTable, { condition, alias, columns: names }: RowCondition, value: (index: number) => Bound): Bound {
  const scope = new Scope(null);
  scope.clause = 'where';
  const columns = table.columns.map(({ name }, i) => ({ name: names[i] ?? name, value: value(i) }));
  const tableoid: Bound = { kind: 'constant', type: binder.type('oid'), typmod: -1, value: table.number };
  scope.namespace = { relations: [{ alias, schema: table.schema, columns, table, system: [{ name: 'tableoid', value: tableoid }] }], columns };
  const { stored, home, argumentNames } = binder;
  // Names were resolved at the policy's creation, and cannot mean arguments of an enclosing function.
  binder.stored = true;
  binder.home = table.schema;
  binder.argumentNames = null;
  binder.depth++;
  try {
    return binder.coercion.toBoolean(bindExpression(binder, condition, scope), 'POLICY', 0);
  } finally {
    binder.stored = stored;
    binder.home = home;
    binder.argumentNames = argumentNames;
    binder.depth--;
    if (binder.depth > 60) fail('54001', 'policies are nested too deeply', 0);
  }
}

function refusing(binder: Binder, before: Bound, condition: Bound, message: string): Bound {
  const type = binder.type('bool');
  const fn: ScalarFunction = {
    kind: 'scalar',
    name: 'row_security_check',
    args: [],
    returns: 'bool',
    volatility: 'volatile',
    strict: false,
    doc: 'Whether a row that is written meets the policies of its table.',
    impl: (_before: Value, holds: boolean | null): Value => {
      if (holds === true) return true;
      throw new SvcError('42501', message);
    },
  };
  return { kind: 'call', fn, proc: 'row_security_check', args: [before, condition], type, typmod: -1 };
}
