/** An index, with the constraint that it stands for. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable } from './kind.ts';
import { inText, ofTable, type Reference, toColumns, toNumbered } from './reference.ts';

/** How a cell is written into a key that sorts as bytes; `list`: a hidden cell holds several keys, each an entry of its own (key-list.ts). */
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
  /** The cell of the row that the key is made of: the column's own, or a hidden one that writers keep. */
  cell: number;
  code: KeyCode;
  /** Name of the operator class where it is not the standard one. */
  operatorClass?: string;
  /** Number of the operator class where it is one of the world. */
  ownClass?: number;
  /** As of a column (AttributeObject). */
  folding?: string;
}
/** Left out: btree. */
export type IndexMethod = 'hash' | 'gin' | 'gist' | 'spgist' | 'brin';
export interface IndexObject {
  what: 'index';
  method?: IndexMethod;
  /** It has no tree: it is only written down, for those who ask what was defined. */
  recorded?: true;
  number: number;
  table: number;
  name: string;
  unique: boolean;
  nullsNotDistinct: boolean;
  columns: IndexKeyObject[];
  /** Column numbers. */
  include: number[];
  /** SQL text of a partial index's condition, and the hidden cell that holds whether a row meets it. */
  where: string | null;
  whereCell: number | null;
  /** Name of the unique constraint that it stands for. */
  constraint: string | null;
  /** A primary key that is deferrable: rows lie under hidden numbers, since two of one key may stand side by side for a while. */
  primary?: true;
  deferrable: boolean;
  initiallyDeferred: boolean;
  /** Number of the index of the partitioned table that it is part of. */
  parent?: number;
  /** Of an exclusion constraint: names of the operators, one a column, and the access method as written. */
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

/** A hidden cell of an index: of its n-th column, or of its condition (-1). */
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
  // One without its parent becomes the table's own in a merge.
  if (parent !== undefined) out.push(toNumbered('index', parent, { how: 'part', walked: 'drop' }));
  return out;
}
