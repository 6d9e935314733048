/** Evaluates the rules of a policy for a merge. Pure: all facts are arguments. Each message begins with the rule's name. */
import type { Reason } from '../worlds/governance.ts';
import { type Changed, isAllowed } from './changed.ts';
import { columnsNow, namesNow } from './named-objects.ts';
import { ageMs, type StoredPolicy, type Policy } from './policy.ts';
import type { Reading } from './readers.ts';
import { listed } from './scope.ts';

export interface Facts {
  readonly changed: Changed;
  /** Rows changed by the parent since the fork whose changes would be lost. */
  readonly overwritten: number;
  /** Rows that both sides changed to the same value. */
  readonly alike: number;
  /** Age of the fork. */
  readonly ageMs: number;
  /** What the branch, and worlds forked from it, have already merged by rules. */
  readonly before: { rows: number; deletes: number };
  /** What the agent's other merges brought into main within the last hour. */
  readonly lastHour: { rows: number; deletes: number };
  /** Readers of what changes. */
  readonly readers: readonly Reading[];
  /** Keys in the branch's read set that changed since; null if it does not check its reads. */
  readonly stale: readonly string[] | null;
  /** A violated scope; null if none is declared. */
  readonly scope: readonly Reason[] | null;
  readonly declares: { may_change: boolean; tenant: boolean };
}

export function brokenRules(policy: StoredPolicy, facts: Facts): Reason[] {
  const { changed, before, lastHour } = facts;
  const reasons: Reason[] = [];
  const add = (rule: keyof Policy, text: string, found: unknown, limit: unknown): void => {
    reasons.push({ rule, message: `${rule}: ${text}`, found, limit });
  };
  const over = (rule: keyof Policy, found: number, what: string): void => {
    const limit = policy[rule] as number | null;
    if (limit !== null && found > limit) add(rule, `${what} ${found} rows, the policy allows ${limit}`, found, limit);
  };
  const who = (sum: number): string => (sum > 0 ? 'with the parts merged before the branch' : 'the merge');
  // A branch has one budget for all its partial merges; a merge without changes uses none of it.
  if (changed.rows > 0) over('max_rows', changed.rows + before.rows, `${who(before.rows)} changes`);
  if (changed.deletes > 0) over('max_deletes', changed.deletes + before.deletes, `${who(before.deletes)} deletes`);
  over('rows_per_hour', changed.rows + lastHour.rows, 'with its merges of the last hour the agent changes');
  // A merge without deletes uses none of the budget.
  if (changed.deletes > 0) over('deletes_per_hour', changed.deletes + lastHour.deletes, 'with its merges of the last hour the agent deletes');
  if (policy.max_age !== null) {
    const limit = ageMs(policy.max_age)!;
    if (facts.ageMs > limit) {
      add('max_age', `the branch was forked ${seconds(facts.ageMs)} ago, the policy allows ${seconds(limit)}`, Math.round(facts.ageMs), policy.max_age);
    }
  }
  if (policy.tables.length > 0) {
    const outside = changed.tables.filter((table) => !isAllowed(table, policy.tables, policy.objects)).map(({ name }) => name);
    if (outside.length > 0) add('tables', `the merge changes ${listed(outside)}, the policy allows ${listed(policy.tables)}`, outside, policy.tables);
  }
  // A renamed table is judged by every name that it has or had.
  const watched = policy.review_tables.length === 0 ? null : namesNow(policy.review_tables, policy.objects, changed.known);
  const review = watched === null ? [] : changed.tables.filter(({ names }) => [...names].some((name) => watched.has(name))).map(({ name }) => name);
  if (review.length > 0) add('review_tables', `the merge changes ${listed(review)}, which requires a review`, review, policy.review_tables);
  if (policy.review_columns.length > 0) {
    const columns = new Set(changed.tables.flatMap(({ names, columns: of }) => [...names].flatMap((name) => [...of].map((column) => `${name}.${column}`))));
    const found = [...columnsNow(policy.review_columns, policy.objects, changed.known)].filter((column) => columns.has(column));
    if (found.length > 0) add('review_columns', `the merge changes ${listed(found)}, which requires a review`, found, policy.review_columns);
  }
  if (!policy.schema && changed.definitions.length > 0) add('schema', `the merge ${listed(changed.definitions)}`, changed.definitions, false);
  if (!policy.overwrite && facts.overwritten > 0) {
    add('overwrite', `the merge overwrites ${facts.overwritten} rows that the parent changed since the fork`, facts.overwritten, false);
  }
  if (policy.strict && facts.alike > 0) {
    add('strict', `both sides changed ${facts.alike} row${facts.alike === 1 ? '' : 's'} alike`, facts.alike, true);
  }
  if (!policy.critical) {
    const critical = facts.readers.filter((reader) => reader.critical);
    if (critical.length > 0) {
      const names = critical.map(({ reader, table, columns }) => `${reader} (${columns.map((column) => `${table}.${column}`).join(', ') || table})`);
      add('critical', `the merge changes what critical readers read: ${listed(names)}`, names, false);
    }
  }
  if (policy.check_reads && facts.stale !== null && facts.stale.length > 0) {
    add('check_reads', `the branch read ${listed(facts.stale)}, which changed since (stale reads)`, facts.stale, true);
  }
  if (policy.require_scope && !facts.declares.may_change && !facts.declares.tenant) {
    add('require_scope', 'the branch declares neither `may_change` nor `tenant` in its meta', null, true);
  }
  if (facts.scope !== null) reasons.push(...facts.scope);
  return reasons;
}

function seconds(ms: number): string {
  const s = ms / 1000;
  return s < 120 ? `${Number(s.toFixed(1))} s` : s < 7200 ? `${Number((s / 60).toFixed(1))} min` : `${Number((s / 3600).toFixed(1))} h`;
}
