/** Three-way merge, one row at a time, with nothing shared and nothing skipped. */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Conflict, Json, MergeInput, PreviewRow, Resolve, Row, TableSummary } from '../../src/commands/contract.ts';
import { checkRecord } from './checks.ts';
import { compareBytes, copyJson, copyRow, equalJson, fieldOf } from './json.ts';
import { differences, rowOf, type RowState, type Tables } from './model-world.ts';
import { parseRowKey, rowKey } from './row-key.ts';

export interface ThreeWay {
  /** The world merged into. */
  ours: { name: string; tables: Tables };
  /** The branch. */
  theirs: { name: string; tables: Tables };
  base: Tables;
}

export type MergeOptions = Pick<MergeInput, 'resolve' | 'columns' | 'picks' | 'only_tables' | 'only_keys'>;

export interface MergePlan {
  /** What changes in the world merged into. */
  changes: RowState[];
  /** Each row of the branch that the merge decides: base → theirs. */
  baseChanges: RowState[];
  rows: PreviewRow[];
  conflicts: Conflict[];
  summary: TableSummary[];
  /** Rows that both sides changed alike. */
  converged: number;
}

type Decision = { result: Row | null } | { clash: string };

export function planMerge({ base, ours, theirs }: ThreeWay, options: MergeOptions): MergePlan {
  const plan: MergePlan = { changes: [], baseChanges: [], rows: [], conflicts: [], summary: [], converged: 0 };
  for (const table of [...(options.only_tables ?? []), ...(options.only_keys ?? []).map((key) => parseRowKey(key).table)]) {
    if (![base, ours.tables, theirs.tables].some((tables) => tables.has(table))) throw new SvcError('42P01', `there is no table "${table}"`);
  }
  const wanted = filterOf(options);
  const picks = picksOf(options.picks);
  for (const change of differences(base, theirs.tables)) {
    const { table, id } = change;
    if (!wanted(table, id)) continue;
    plan.baseChanges.push(change);
    const key = rowKey(table, id);
    const pick = picks.get(key);
    picks.delete(key);
    const ourRow = rowOf(ours.tables, table, id);
    const theirRow = change.after;
    if (pick === undefined && equalJson(ourRow, theirRow)) {
      const three = { base: copyRow(change.before), ours: copyRow(ourRow), theirs: copyRow(theirRow) };
      plan.rows.push({ key, outcome: 'converged', detail: 'converged', delete: false, ...three, result: copyRow(ourRow) });
      plan.converged++;
      continue;
    }
    const decision = decide(change.before, ourRow, theirRow, id, pick, options);
    const three = { base: copyRow(change.before), ours: copyRow(ourRow), theirs: copyRow(theirRow) };
    if ('clash' in decision) {
      const explanation = `${key}${decision.clash}: "${ours.name}" has ${JSON.stringify(ourRow)}, "${theirs.name}" has ${JSON.stringify(theirRow)}.`;
      plan.conflicts.push({ key, ...three, explanation });
      plan.rows.push({ key, outcome: 'conflict', detail: explanation, delete: false, ...three, result: null });
      continue;
    }
    const { result } = decision;
    const outcome = equalJson(ourRow, result) ? 'keep' : result === null ? 'delete' : ourRow === null ? 'insert' : 'update';
    plan.rows.push({ key, outcome, detail: outcome, delete: outcome === 'delete', ...three, result: copyRow(result) });
    if (outcome !== 'keep') plan.changes.push({ table, id, before: ourRow, after: result });
  }
  for (const key of picks.keys()) throw new SvcError('22023', `"${key}" is no row that "${theirs.name}" changed`);
  plan.rows.sort((a, b) => Number(b.delete) - Number(a.delete));
  plan.summary = summarise(plan.changes);
  return plan;
}

function decide(
  base: Row | null,
  ours: Row | null,
  theirs: Row | null,
  id: string,
  pick: Pick_ | undefined,
  { columns, resolve = 'fail' }: MergeOptions,
): Decision {
  if (pick === 'ours') return { result: ours };
  if (pick === 'theirs') return { result: theirs };
  if (pick === null) return { result: null };
  if (pick !== undefined) return { result: checkRecord(id, pick) };
  if (equalJson(base, ours)) return { result: theirs };
  if (columns === true && ours !== null && theirs !== null) return byColumn(base, ours, theirs, resolve);
  if (resolve === 'ours') return { result: ours };
  if (resolve === 'theirs') return { result: theirs };
  return { clash: '' };
}

function byColumn(base: Row | null, ours: Row, theirs: Row, resolve: Resolve): Decision {
  const result: [string, Json][] = [];
  const clashes: string[] = [];
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const was = fieldOf(base, name);
    const our = fieldOf(ours, name);
    const their = fieldOf(theirs, name);
    let value = our;
    if (equalJson(our, was)) value = their;
    else if (!equalJson(their, was) && !equalJson(our, their)) {
      if (resolve === 'fail') clashes.push(name);
      if (resolve === 'theirs') value = their;
    }
    if (value !== undefined) result.push([name, copyJson(value)]);
  }
  return clashes.length > 0 ? { clash: ` in ${clashes.join(', ')}` } : { result: Object.fromEntries(result) };
}

type Pick_ = 'ours' | 'theirs' | Row | null;

function picksOf(picks: MergeInput['picks'] = {}): Map<string, Pick_> {
  const out = new Map<string, Pick_>();
  for (const [key, pick] of Object.entries(picks)) {
    const { table, id } = parseRowKey(key);
    if (typeof pick === 'string' && pick !== 'ours' && pick !== 'theirs') throw new SvcError('22023', 'a pick is "ours", "theirs", a row or null');
    out.set(rowKey(table, id), pick);
  }
  return out;
}

function filterOf({ only_tables, only_keys }: MergeOptions): (table: string, id: string) => boolean {
  if (only_tables === undefined && only_keys === undefined) return () => true;
  const keys = new Set(
    (only_keys ?? []).map((key) => {
      const { table, id } = parseRowKey(key);
      return rowKey(table, id);
    }),
  );
  return (table, id) => only_tables?.includes(table) === true || keys.has(rowKey(table, id));
}

/** Tables that delete most come first. */
export function summarise(changes: readonly RowState[]): TableSummary[] {
  const byTable = new Map<string, TableSummary>();
  for (const { table, before, after } of changes) {
    if (!byTable.has(table)) byTable.set(table, { table, deleted: 0, updated: 0, inserted: 0 });
    byTable.get(table)![after === null ? 'deleted' : before === null ? 'inserted' : 'updated']++;
  }
  return [...byTable.values()].sort((a, b) => b.deleted - a.deleted || compareBytes(a.table, b.table));
}
