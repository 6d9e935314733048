/** A world of the model: plain maps, and a whole copy of them for every moment it ever had. */
import type { Bases } from './model-bases.ts';
import type { HistoryEvent, Json, Row } from '../../src/commands/contract.ts';
import { compareBytes, equalJson } from './json.ts';

/** Table → id → record. A record in here is never changed, only replaced. */
export type Tables = Map<string, Map<string, Row>>;

export interface RowState {
  table: string;
  id: string;
  before: Row | null;
  after: Row | null;
}

export interface Snapshot {
  sequence: number;
  at: number;
  version: number;
  tables: Tables;
  base: Tables;
}

export interface MergeNote {
  into: ModelWorld;
  stays: boolean;
  /** What the merge changed in the world merged into. */
  rows: RowState[];
  /** How it moved the fork point of the branch's rows. */
  baseChanges: RowState[];
  undone: boolean;
  at: number;
}

export interface ModelWorld {
  id: string;
  name: string;
  parent: ModelWorld | null;
  created: number;
  active: number;
  version: number;
  owner: string | null;
  meta: { [key: string]: Json };
  open: boolean;
  tables: Tables;
  /** The fork point: the parent's rows when the world was forked. */
  base: Tables;
  checkpoints: { name: string; at: number; tables: Tables }[];
  merges: MergeNote[];
  bases: Bases;
  snapshots: Snapshot[];
  events: (Omit<HistoryEvent, 'at' | 'world'> & { at: number })[];
}

export function copyTables(tables: Tables): Tables {
  return new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
}

export function rowOf(tables: Tables, table: string, id: string): Row | null {
  return tables.get(table)?.get(id) ?? null;
}

export function setRow(tables: Tables, table: string, id: string, row: Row | null): void {
  if (row === null) {
    tables.get(table)?.delete(id);
    return;
  }
  if (!tables.has(table)) tables.set(table, new Map());
  tables.get(table)!.set(id, row);
}

/** Every row that differs, by table and then id, bytewise. */
export function differences(before: Tables, after: Tables): RowState[] {
  const out: RowState[] = [];
  for (const table of sorted([...before.keys(), ...after.keys()])) {
    for (const id of sorted([...(before.get(table)?.keys() ?? []), ...(after.get(table)?.keys() ?? [])])) {
      const was = rowOf(before, table, id);
      const is = rowOf(after, table, id);
      if (!equalJson(was, is)) out.push({ table, id, before: was, after: is });
    }
  }
  return out;
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].sort(compareBytes);
}
