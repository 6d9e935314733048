/**
 * Columns of a table that other data depends on: unique keys, hidden index cells, generated columns; and, separately, the partition
 * of a row. A change of any other column changes only its cell in the row.
 */
import { mentions } from '../../worlds/merge/definition-names.ts';
import type { IndexValues } from './index-values.ts';
import { columnsBelow, partitionedAbove } from './hierarchy.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

const WORD = /^[\w$]+$/;

/** Columns that SQL texts over a row of the table may read, by word match, which may include too many; null: any. */
export function columnsIn(table: SqlTable, texts: readonly string[]): ReadonlySet<number> | null {
  const out = new Set<number>();
  if (texts.length === 0) return out;
  // By word lookup: a table may have a thousand columns and as many checks.
  const words = new Map<string, number[]>();
  const others: number[] = [];
  table.columns.forEach(({ name }, i) => {
    if (!WORD.test(name)) return others.push(i);
    const word = name.toUpperCase();
    const same = words.get(word);
    if (same === undefined) words.set(word, [i]);
    else same.push(i);
  });
  for (const text of texts) {
    // Whole rows, and names in Unicode escapes.
    if (mentions(text, table.name, 'i') || /U&"/i.test(text)) return null;
    for (const word of text.match(/[\w$]+/g) ?? []) for (const i of words.get(word.toUpperCase()) ?? []) out.add(i);
    for (const i of others) if (mentions(text, table.columns[i].name, 'i')) out.add(i);
  }
  return out;
}

export function followedColumns(table: SqlTable, indexes: readonly IndexValues[]): ReadonlySet<number> {
  const out = new Set<number>();
  const texts: string[] = [];
  for (const { index, cells } of indexes) {
    if (!index.unique && !index.excludes && cells.length === 0) continue;
    for (const { column, expression } of index.columns) {
      if (column !== null) out.add(column);
      if (expression !== null) texts.push(expression);
    }
    if (index.where !== null) texts.push(index.where);
  }
  for (const { generated } of table.columns) if (generated !== null) texts.push(generated);
  return withColumnsIn(table, texts, out);
}

/** Columns that determine the partition of a row, at any level. */
export function placingColumns(schema: Schema, table: SqlTable): ReadonlySet<number> {
  const out = new Set<number>();
  const texts: string[] = [];
  for (const parent of partitionedAbove(schema, table)) {
    const places = columnsBelow(parent, table);
    for (const { column, expression } of parent.inheritance!.partitionBy!.elements) {
      if (column !== null) out.add(places[column]);
      else if (expression !== null) texts.push(expression);
    }
  }
  return withColumnsIn(table, texts, out);
}

function withColumnsIn(table: SqlTable, texts: readonly string[], out: ReadonlySet<number>): ReadonlySet<number> {
  const read = columnsIn(table, texts);
  return read === null ? new Set(table.columns.keys()) : new Set([...out, ...read]);
}
