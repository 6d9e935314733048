/** Rows that may have given values in some columns, by an index; a reader of the rows compares the values again. */
import { ExactNumber, exactJsonText, positionalText } from '../../base/exact-json.ts';
import type { Json, Row } from '../../commands/contract.ts';
import { STORED } from '../types/environment.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowsBetween, scan } from '../../tree/read.ts';
import type { DocumentType } from '../../worlds/definition.ts';
import { doubleShownAs, fieldValue } from '../../worlds/document.ts';
import { ROW_KEY } from '../../worlds/index-keys.ts';
import { nestedField } from '../../worlds/nested-field.ts';
import { indexedPath } from './indexed-path.ts';
import { valueOfJson } from './json-value.ts';
import { OID } from './oids.ts';
import { encodePart } from './key-codec.ts';
import type { Schema } from './schema.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Index, IndexColumn, SqlTable } from './table.ts';

/** With more of the rows, reading them one by one costs more than reading all of them. */
const PART_MAX = 0.1;

/** The rows' keys in order; null if no index narrows them. `where` has values of the columns' types. */
export function equalKeys(schema: Schema, table: SqlTable, pager: Pager, root: Node, where: Row): Key[] | null {
  const wanted = wantedValues(table, where);
  let best: { index: Index; columns: number } | null = null;
  for (const index of table.indexes) {
    if (index.entries !== 'ordered' || index.where !== null) continue;
    const first = index.columns.findIndex((column) => wanted(column) === undefined);
    const columns = first < 0 ? index.columns.length : first;
    if (columns > (best?.columns ?? 0)) best = { index, columns };
  }
  if (best === null) return null;
  const { index, columns } = best;
  const parts = schema.indexParts(index);
  let prefix = '';
  for (let i = 0; i < columns; i++) {
    const value = wanted(index.columns[i])!();
    if (value === null) return [];
    prefix += encodePart(parts[i], value);
  }
  const entries = childRoot(pager, root, index.number);
  if (entries === null) return [];
  if (rowsBetween(pager, entries, prefix, `${prefix}\xff`) > Math.max(1000, entries.count * PART_MAX)) return null;
  const keys: Key[] = [];
  scan(pager, entries, prefix, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      if (!leaf.skeys[i].startsWith(prefix)) return false;
      keys.push(leaf.cell(i, ROW_KEY) as Key);
    }
    return true;
  });
  return keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The value that a column of an index has in all rows that `where` wants; undefined if they may have several, and null if no row has it. */
function wantedValues(table: SqlTable, where: Row): (of: IndexColumn) => (() => Value) | undefined {
  const isColumn = (name: string): boolean => table.columns.some((each) => each.name === name);
  const inside = Object.entries(where).flatMap(([given, json]) => {
    const nested = isColumn(given) ? null : nestedField(given, isColumn);
    return nested === null ? [] : [{ ...nested, json: fieldValue(json) }];
  });
  return ({ column, expression, type }) => {
    if (column !== null) {
      const { name, field, type: own } = table.columns[column];
      if (!Object.hasOwn(where, name) || where[name] === null) return undefined;
      return () => (field === undefined ? valueOfJson(where[name], own, -1) : valueInField(field, own, fieldValue(where[name])));
    }
    const indexed = inside.length === 0 || expression === null ? null : indexedPath(expression);
    if (indexed === null || type.oid !== (indexed.isText ? OID.text : OID.jsonb)) return undefined;
    const found = inside.find(
      ({ name, path }) => name === indexed.name && path.length === indexed.path.length && path.every((each, i) => each === indexed.path[i]),
    );
    if (found === undefined) return undefined;
    const { json } = found;
    if (!indexed.isText) return () => type.parse(exactJsonText(json), -1, STORED);
    // Numbers that are equal have several texts: 1.5 and 1.50.
    return typeof json === 'string' ? () => json : undefined;
  };
}

/** The value that cells of a field have which are equal to the JSON; null if none is: a text is no number, and 2.5 no integer. */
export function valueInField(field: DocumentType, type: SqlType, json: Json): Value {
  switch (field) {
    case 'jsonb':
      return valueOfJson(json, type, -1);
    case 'bigint': {
      const text = typeof json === 'number' || json instanceof ExactNumber ? positionalText(String(json)) : null;
      if (text === null || !/^-?[0-9]+(\.0*)?$/.test(text)) return null;
      const whole = BigInt(text.split('.')[0]);
      return BigInt.asIntN(64, whole) === whole ? type.parse(String(whole), -1, STORED) : null;
    }
    case 'double precision':
      return doubleShownAs(json);
    case 'text':
      return typeof json === 'string' ? json : null;
    case 'boolean':
      return typeof json === 'boolean' ? json : null;
    case 'unknown':
      return null;
  }
}
