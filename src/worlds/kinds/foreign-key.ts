/** FOREIGN KEY of a table. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';
import { ofTable, type Reference, toColumns, toNumbered, toRelation } from './reference.ts';

export type KeyAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';
export interface ForeignKeyObject {
  what: 'foreign key';
  number: number;
  table: number;
  name: string;
  columns: number[];
  target: number;
  targetColumns: number[];
  onDelete: KeyAction;
  onUpdate: KeyAction;
  deleteColumns: number[];
  matchFull: boolean;
  deferrable: boolean;
  initiallyDeferred: boolean;
  notValid?: true;
  /** Number of the partitioned table's foreign key that it is part of. */
  parent?: number;
}

export const FOREIGN_KEY: Kind<ForeignKeyObject> = {
  key: ({ table, number }) => `k${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('foreign key', String(table), name),
  numbers: ownNumber,
  references,
  address: ({ table, name }) => ({ kind: 'constraint', table, name }),
  words: ({ name }) => `constraint ${name}`,
  path: ({ table, name }, names) => `constraint:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `constraint\0${table}\0${name}`,
  affects: { checked: (key) => key },
};

function references({ table, columns, target, targetColumns, deleteColumns, parent }: ForeignKeyObject): Reference[] {
  const out = [
    ofTable(table),
    toRelation(target, { called: 'the table that it points at' }),
    ...toColumns(table, columns),
    ...toColumns(target, targetColumns, { how: 'needs' }),
  ];
  // DROP CONSTRAINT searches for foreign keys over the columns of the dropped key.
  out.push({ to: 'unique key', table: target, columns: targetColumns, how: 'needs', walked: 'merge' });
  // ON DELETE SET NULL (columns): some of its own.
  out.push(...toColumns(table, deleteColumns, { walked: 'neither' }));
  if (parent !== undefined) out.push(toNumbered('foreign key', parent, { how: 'part', walked: 'neither' }));
  return out;
}
