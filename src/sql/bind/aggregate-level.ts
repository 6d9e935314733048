/**
 * The query level of an aggregate: the innermost one whose columns, or whose aggregates, its arguments read, or the one that
 * contains it (manual, 4.2.7). Aggregates are refused by the clause of that level.
 */
import type { Bound, ColumnId } from '../plan/bound.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { fail } from './binder.ts';
import type { Scope } from './scope.ts';

/** Names of clauses in errors. */
export const CLAUSE_NAMES: Partial<Record<Scope['clause'], string>> = {
  where: 'WHERE',
  join: 'JOIN conditions',
  from: 'functions in FROM',
  group: 'GROUP BY',
  values: 'VALUES',
  limit: 'LIMIT',
  returning: 'RETURNING',
  set: 'UPDATE',
  check: 'check constraints',
  default: 'DEFAULT expressions',
  policy: 'policy expressions',
  trigger: 'trigger WHEN conditions',
};

/** `direct`: arguments that are computed once per group, and do not decide the level. */
export function aggregateLevel(
  scope: Scope,
  parts: readonly Bound[],
  direct: readonly Bound[],
  what: 'aggregate functions' | 'grouping operations',
  at: number,
): Scope {
  const used = columnsRead(parts);
  const level = levelOf(scope, used);
  refuseNested(level, used);
  refuseNested(level, columnsRead(direct));
  const title = refusal(level, scope);
  if (title !== null) fail('42803', `${what} are not allowed in ${title}`, at);
  return level;
}

function columnsRead(parts: readonly Bound[]): ReadonlySet<ColumnId> {
  const used = new Set<ColumnId>();
  for (const part of parts) columnsOf(part, used);
  return used;
}

function levelOf(scope: Scope, used: ReadonlySet<ColumnId>): Scope {
  if (used.size === 0) return scope;
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    if (nestedIn(level, used) !== undefined) return level;
    const own = [level.namespace, ...level.lateral].some(({ relations }) =>
      relations.some(({ columns, system }) => [...columns, ...system].some(({ value }) => [...columnsOf(value)].some((id) => used.has(id)))),
    );
    if (own) return level;
  }
  return scope;
}

function nestedIn({ level }: Scope, used: ReadonlySet<ColumnId>): number | undefined {
  for (const [id, at] of level.aggregatesAt) if (used.has(id)) return at;
  return undefined;
}

function refuseNested(level: Scope, used: ReadonlySet<ColumnId>): void {
  const nested = used.size === 0 ? undefined : nestedIn(level, used);
  if (nested !== undefined) fail('42803', 'aggregate function calls cannot be nested', nested);
}

function refusal(level: Scope, scope: Scope): string | null {
  if (level.within !== null && level.within !== 'window definitions') return level.within;
  if (level.clause === 'from' && level !== scope) return 'FROM clause of their own query level';
  return level.clauseTitle ?? CLAUSE_NAMES[level.clause] ?? null;
}
