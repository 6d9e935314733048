/** CREATE TRIGGER. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable, ownNumber } from './kind.ts';
import { inText, onRelation, type Reference, toColumns, toNumbered, toRelation, toRoutine } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export type TriggerEvent = 'insert' | 'update' | 'delete' | 'truncate';
export interface TriggerObject {
  what: 'trigger';
  number: number;
  /** Number of its table or view. */
  table: number;
  name: string;
  function: RoutineReference;
  timing: 'before' | 'after' | 'instead of';
  events: TriggerEvent[];
  /** FOR EACH ROW. */
  row: boolean;
  /** UPDATE OF: column numbers; for a view, positions from 1. */
  columns: number[];
  /** SQL text over the rows OLD and NEW. */
  when: string | null;
  args: string[];
  /** Names of the transition tables. */
  oldTable: string | null;
  newTable: string | null;
  /** session_replication_role in which it fires; omitted: origin and local. */
  fires?: 'always' | 'replica' | 'never';
  /** For a constraint trigger; `from`: number of the other table. */
  constraint?: { deferrable: boolean; initiallyDeferred: boolean; from: number | null };
  /** Number of the partitioned table's trigger that it belongs to. */
  parent?: number;
}

export const TRIGGER: Kind<TriggerObject> = {
  key: ({ table, number }) => `j${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('trigger', String(table), name),
  numbers: ownNumber,
  references,
  address: ({ table, name }) => ({ kind: 'trigger', table, name }),
  codeHolder: ofItsTable,
  words: ({ name }) => `trigger ${name}`,
  path: ({ table, name }, names) => `trigger:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `trigger\0${table}\0${name}`,
};

function references({ table, function: routine, columns, when, constraint, parent }: TriggerObject): Reference[] {
  return [
    onRelation(table),
    // Triggers of partitions are dropped with the partitioned table's.
    ...toRoutine(routine, parent === undefined ? {} : { walked: 'merge' }),
    ...toColumns(table, columns, { how: 'needs' }),
    ...inText(table, when),
    ...(constraint?.from == null ? [] : [toRelation(constraint.from, { walked: 'drop' })]),
    ...(parent === undefined ? [] : [toNumbered('trigger', parent, { how: 'part', walked: 'drop' })]),
  ];
}
