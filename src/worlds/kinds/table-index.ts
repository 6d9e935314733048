/** An index, with the constraint that it implements. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable } from './kind.ts';
import { inText, ofTable, type Reference, toColumns, toNumbered } from './reference.ts';

/** How a cell is encoded in a sort key; `list`: a hidden cell holds several keys, each with an entry of its own (key-list.ts). */
export type KeyCode = 'bool' | 'i32' | 'i64' | 'f64' | 'text' | 'bin' | 'raw' | 'list';
export interface IndexKeyObject {
  /** Number of the column, or null for an expression. */
  column: number | null;
  /** SQL text. */
  expression: string | null;
  /** Oid of the column's or the expression's type. */
  type: number;
  typmod: number;
  descending: boolean;
  nullsFirst: boolean;
  /** The cell that the key is computed from: the column's own, or a hidden one maintained by writers. */
  cell: number;
  code: KeyCode;
  /** Name of the operator class if it is not the default one. */
  operatorClass?: string;
  /** Number of the operator class if it is user-defined. */
  ownClass?: number;
  /** As for a column (AttributeObject). */
  folding?: string;
}
/** Omitted: btree. */
export type IndexMethod = 'hash' | 'gin' | 'gist' | 'spgist' | 'brin' | 'hnsw' | 'ivfflat' | 'bm25';
export interface IndexObject {
  what: 'index';
  method?: IndexMethod;
  /** Catalog-only: it has no tree. */
  recorded?: true;
  number: number;
  table: number;
  name: string;
  unique: boolean;
  nullsNotDistinct: boolean;
  columns: IndexKeyObject[];
  /** Column numbers. */
  include: number[];
  /** SQL text of a partial index's condition, and the hidden cell with its result for a row. */
  where: string | null;
  whereCell: number | null;
  /** Name of the unique constraint that it implements. */
  constraint: string | null;
  /** A deferrable primary key: rows are stored under hidden numbers, because two rows may temporarily have one key. */
  primary?: true;
  deferrable: boolean;
  initiallyDeferred: boolean;
  /** Number of the partitioned table's index that it belongs to. */
  parent?: number;
  /** For an exclusion constraint: names of the operators, one per column, and the access method as written. */
  exclusion?: { operators: string[]; method: string };
}

export const INDEX: Kind<IndexObject> = {
  key: ({ table, number }) => `i${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('index', String(table), name),
  numbers: ({ number, columns, whereCell }) => [number, ...columns.map(({ cell }) => cell), ...(whereCell === null ? [] : [whereCell])],
  furtherNames: ({ table, name, columns, whereCell }) => {
    const cells = columns.flatMap(({ column, cell }, i): [string, number][] => (cell === column ? [] : [[cellNumberName(table, name, i), cell]]));
    return whereCell === null ? cells : [...cells, [cellNumberName(table, name, -1), whereCell]];
  },
  references,
  address: ({ number, table, constraint }) => (constraint === null ? { kind: 'index', number } : { kind: 'constraint', table, name: constraint }),
  codeHolder: ofItsTable,
  words: ({ name }) => `index ${name}`,
  path: ({ table, name, constraint }, names) => {
    const of = names.table(table);
    if (constraint !== null) return `constraint:${of}.${constraint}`;
    const dot = of.lastIndexOf('.');
    return `index:${dot < 0 ? '' : of.slice(0, dot + 1)}${name}`;
  },
  scopedName: ({ table, name }, schemaOf) => {
    const schema = schemaOf(table);
    return schema === null ? null : `relation\0${schema}\0${name}`;
  },
  affects: {
    checked: (index) => (index.unique || index.exclusion !== undefined || hiddenCells(index).length > 0 ? index : null),
    cells: hiddenCells,
  },
};

/** A hidden cell of an index: for its n-th column, or for its condition (-1). */
export function cellNumberName(table: number, index: string, n: number): string {
  return namedNumberName('cell', `${table}\0${index}`, String(n));
}

function hiddenCells({ columns, whereCell }: IndexObject): number[] {
  const cells: number[] = [];
  for (const { column, cell } of columns) if (cell !== column) cells.push(cell);
  if (whereCell !== null) cells.push(whereCell);
  return cells;
}

function references({ table, columns, include, where, constraint, parent }: IndexObject): Reference[] {
  // A constraint over an expression is more than a part of the column.
  const how = constraint === null ? 'follows' : 'needs';
  const out = [ofTable(table)];
  for (const { ownClass } of columns) if (ownClass !== undefined) out.push(toNumbered('operator class', ownClass, { called: 'its operator class' }));
  for (const { column } of columns) if (column !== null) out.push({ to: 'column', table, column, how: 'follows' });
  if (where !== null) out.push(...inText(table, where, { how }));
  for (const { expression } of columns) if (expression !== null) out.push(...inText(table, expression, { how }));
  if (include.length > 0) out.push(...toColumns(table, include));
  for (const { type } of columns) out.push({ to: 'type', oid: type, how: 'needs', walked: 'neither' });
  // Without its parent it becomes the table's own in a merge.
  if (parent !== undefined) out.push(toNumbered('index', parent, { how: 'part', walked: 'drop' }));
  return out;
}
