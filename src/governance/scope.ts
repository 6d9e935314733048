/** The scope that a world's `meta` declares, and what of a merge lies outside it. A scope that cannot be parsed allows nothing. */
import { exactJsonText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Json, Row } from '../commands/contract.ts';
import type { Meta } from '../events/meta.ts';
import { type Changed, isAllowed } from './changed.ts';
import type { Reason } from '../worlds/governance.ts';

export const SCOPE_KEYS = ['may_change', 'tenant', 'max_rows', 'max_deletes'] as const;

export interface Scope {
  /** `table` or `table.column`; null: not declared. */
  may_change: string[] | null;
  /** Column → value that each changed row of a table with that column must have, before and after. */
  tenant: { [column: string]: Json } | null;
  max_rows: number | null;
  max_deletes: number | null;
}

/** 22023 for a key of the wrong type; null if no scope is declared. */
export function scopeOf(meta: Meta): Scope | null {
  if (!SCOPE_KEYS.some((key) => Object.hasOwn(meta, key))) return null;
  const { may_change, tenant, max_rows, max_deletes } = meta;
  if (may_change !== undefined && (!Array.isArray(may_change) || !may_change.every((name) => typeof name === 'string' && name !== ''))) {
    throw new SvcError('22023', 'meta.may_change is a list of `table` or `table.column`');
  }
  if (tenant !== undefined && (tenant === null || typeof tenant !== 'object' || Array.isArray(tenant) || Object.keys(tenant).length === 0)) {
    throw new SvcError('22023', 'meta.tenant is an object of column to value, for example {"tenant_id": 7}');
  }
  for (const [key, value] of [
    ['max_rows', max_rows],
    ['max_deletes', max_deletes],
  ] as const) {
    if (value !== undefined && (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)) {
      throw new SvcError('22023', `meta.${key} is a whole number of 0 or more`);
    }
  }
  return {
    may_change: (may_change as string[] | undefined) ?? null,
    tenant: (tenant as Scope['tenant'] | undefined) ?? null,
    max_rows: (max_rows as number | undefined) ?? null,
    max_deletes: (max_deletes as number | undefined) ?? null,
  };
}

/** Rows of a changed table before and after, as JSON records; only read if a tenant is declared. */
export type RowsOf = (table: number) => Iterable<{ key: string; before: Row | null; after: Row | null }>;

/** What the merge changes outside the scope: one reason per key of the scope. `before`: what earlier partial merges of the branch changed. */
export function outsideScope(scope: Scope, changed: Changed, rowsOf: RowsOf, before = { rows: 0, deletes: 0 }): Reason[] {
  const reasons: Reason[] = [];
  const add = (what: string, found: unknown, limit: unknown): void => {
    reasons.push({ rule: 'scope', message: `scope: ${what}`, found, limit });
  };
  if (scope.may_change !== null) {
    const outside = changed.tables.flatMap((table) => {
      const { names, name, columns, changed: rows } = table;
      const allowed = scope.may_change!;
      // Changed definitions have a reason of their own.
      if (rows === 0 || isAllowed(table, allowed)) return [];
      const free = [...columns].filter((column) => ![...names].some((each) => allowed.includes(`${each}.${column}`)));
      return columns.size === 0 ? [name] : free.map((column) => `${name}.${column}`);
    });
    if (outside.length > 0) add(`the merge changes ${listed(outside)}, the world declared ${listed(scope.may_change)}`, outside, scope.may_change);
    if (changed.definitions.length > 0)
      add(`the merge ${listed(changed.definitions)}, which a declared scope does not cover`, changed.definitions, scope.may_change);
  }
  if (scope.tenant !== null) {
    const foreign = foreignRows(scope.tenant, changed, rowsOf);
    if (foreign.length > 0) add(`the merge changes ${listed(foreign)} outside the tenant ${JSON.stringify(scope.tenant)}`, foreign, scope.tenant);
  }
  const over = (what: string, now: number, earlier: number, limit: number | null): void => {
    if (limit === null || now === 0 || now + earlier <= limit) return;
    const who = earlier > 0 ? 'with the parts merged before the branch' : 'the merge';
    add(`${who} ${what} ${now + earlier} rows, the world declared at most ${limit}`, now + earlier, limit);
  };
  over('changes', changed.rows, before.rows, scope.max_rows);
  over('deletes', changed.deletes, before.deletes, scope.max_deletes);
  return reasons;
}

/** Rows shown in a reason. */
const SHOWN_MAX = 10;

function foreignRows(tenant: NonNullable<Scope['tenant']>, changed: Changed, rowsOf: RowsOf): string[] {
  const out: string[] = [];
  for (const { number } of changed.tables) {
    for (const { key, before, after } of rowsOf(number)) {
      const foreign = Object.entries(tenant).some(([column, value]) =>
        [before, after].some((row) => row !== null && Object.hasOwn(row, column) && exactJsonText(row[column]) !== exactJsonText(value)),
      );
      if (foreign) out.push(key);
      if (out.length > SHOWN_MAX) return out;
    }
  }
  return out;
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
