/**
 * FOR UPDATE and similar: which tables of FROM are locked, how, and where that is refused (manual, SELECT, "The Locking Clause"). A
 * clause without OF means all tables; it applies to subqueries and views like a clause of their own, and skips functions, VALUES and
 * WITH queries, which are refused if OF names them.
 */
import type { Locking } from '../ast/query.ts';
import type { ColumnId } from '../plan/bound.ts';
import type { LockPlan, LockStrength, LockWaiting, Plan } from '../plan/logical.ts';
import type { SqlTable } from '../schema/table.ts';
import { fail, failNowhere } from './binder.ts';
import { lockName } from './lock-name.ts';

const STRENGTHS: readonly LockStrength[] = ['keyShare', 'share', 'noKeyUpdate', 'update'];
const WAITS: readonly LockWaiting[] = ['block', 'skip', 'error'];

/** The lock for a name in FROM: of several clauses the strongest. */
export interface RowLocking {
  readonly strength: LockStrength;
  readonly wait: LockWaiting;
}

/** A locked table of one level of FROM. */
export interface LockedTable extends RowLocking {
  readonly table: SqlTable;
  readonly key: ColumnId;
}

/** The locking clauses of a level while its FROM is bound. */
export class LockClauses {
  readonly #clauses: readonly Locking[];
  readonly #named = new Set<string>();
  readonly targets: LockedTable[] = [];
  readonly at: number;

  constructor(clauses: readonly Locking[], at: number) {
    this.#clauses = clauses;
    this.at = at;
  }

  /** The lock for the name; null if it is not locked. `what`: it has no table rows to lock. */
  of(alias: string, what: string | null = null): RowLocking | null {
    let strength = -1;
    let wait = -1;
    for (const clause of this.#clauses) {
      const named = clause.of.some(({ name }) => name === alias);
      if (named) this.#named.add(alias);
      if (!named && clause.of.length > 0) continue;
      if (what !== null) {
        if (named) fail('0A000', `${lockName(clause.strength)} cannot be applied to ${what}`, clause.of.find(({ name }) => name === alias)!.at);
        continue;
      }
      strength = Math.max(strength, STRENGTHS.indexOf(clause.strength));
      wait = Math.max(wait, WAITS.indexOf(clause.wait));
    }
    return strength < 0 ? null : { strength: STRENGTHS[strength], wait: WAITS[wait] };
  }

  /** 42P01 if OF names nothing in FROM. */
  end(): void {
    for (const { of, strength } of this.#clauses) {
      for (const { schema, name, at } of of) {
        if (schema !== null) fail('42601', `${lockName(strength)} must specify unqualified relation names`, at);
        if (!this.#named.has(name)) fail('42P01', `relation "${name}" in ${lockName(strength)} clause not found in FROM clause`, at);
      }
    }
  }

  /** 0A000 if a locked row may be missing. */
  refuseNullable(plan: Plan): void {
    if (this.targets.length === 0) return;
    const nullable = new Set<ColumnId>();
    const visit = (each: Plan): void => {
      if (each.op !== 'join') return;
      if (each.kind === 'left' || each.kind === 'full') for (const { id } of each.right.columns) nullable.add(id);
      if (each.kind === 'right' || each.kind === 'full') for (const { id } of each.left.columns) nullable.add(id);
      visit(each.left);
      visit(each.right);
    };
    visit(plan);
    for (const { key, strength } of this.targets) {
      if (nullable.has(key)) failNowhere('0A000', `${lockName(strength)} cannot be applied to the nullable side of an outer join`);
    }
  }
}

export function locked(input: Plan, targets: LockPlan['targets']): Plan {
  return targets.length === 0 ? input : { op: 'lock', input, targets, columns: input.columns };
}
