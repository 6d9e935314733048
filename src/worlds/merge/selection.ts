/** The part of a merge that the caller selects: `only_tables` and `only_keys`; everything without them. */
import { nearestName } from '../../base/nearest-name.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { Table } from '../catalog.ts';
import { canonicalRowKey, parseRowKey, rowKey } from '../keys.ts';
import { OBJECTS, PAGES } from '../large-objects.ts';
import { withMembers } from '../lineage.ts';
import type { PlanInput } from './plan.ts';

export interface RowFilter {
  table(name: string): boolean;
  row(table: Table, key: Key): boolean;
}

export function rowFilter(input: PlanInput): RowFilter {
  for (const name of input.only_tables ?? []) refuseUnknown(input, name);
  // A partitioned table has no rows of its own: its name means its partitions.
  const tables = input.only_tables === undefined ? null : withMembers(input.only_tables, [input.base.catalog, input.ours.catalog, input.theirs.catalog]);
  if (input.only_keys === undefined) return { table: (name) => tables === null || tables.has(name), row: () => true };
  const keys = new Map<string, Set<string>>();
  for (const text of input.only_keys) {
    const { table } = parseRowKey(text);
    refuseUnknown(input, table);
    const set = keys.get(table) ?? new Set();
    set.add(canonicalRowKey(text, tableNamed(input, table)));
    keys.set(table, set);
  }
  return {
    table: (name) => tables === null || tables.has(name) || keys.has(name),
    row: (table, key) => tables?.has(table.name) === true || keys.get(table.name)?.has(rowKey(input.typed, table, key)) === true,
  };
}

/** 42P01 if neither side has the table: a merge of only a mistyped table would otherwise succeed without effect. */
function refuseUnknown(input: PlanInput, name: string): void {
  if (tableNamed(input, name) !== undefined) return;
  const near = nearestName(name, [...new Set([input.theirs, input.ours].flatMap(({ catalog }) => [...catalog.tables.keys()]))]);
  throw new SvcError('42P01', `there is no table "${name.slice(0, 80)}" in "${input.theirs.name}" or "${input.ours.name}"; nothing was merged`, {
    hint: near === null ? "List those that changed with the branch's diff." : `Perhaps you meant "${near}".`,
  });
}

export function tableNamed({ base, ours, theirs }: PlanInput, name: string): Table | undefined {
  return theirs.catalog.tables.get(name) ?? ours.catalog.tables.get(name) ?? base.catalog.tables.get(name);
}

/** Numbers of the tables to merge. */
export function tableNumbers({ base, ours, theirs }: PlanInput, wanted: (name: string) => boolean): Set<number> {
  const out = new Set<number>();
  for (const { catalog } of [base, ours, theirs]) {
    for (const { number, name } of catalog.byNumber.values()) if (wanted(name)) out.add(number);
  }
  // A world defines both of them, or none.
  if (out.has(OBJECTS) || out.has(PAGES)) out.add(OBJECTS).add(PAGES);
  return out;
}
