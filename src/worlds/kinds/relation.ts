/** A typed table, a partition, a materialized view or a foreign table. */
import { namedNumberName, tableDefinitionKey } from './keys.ts';
import { type Kind, scoped } from './kind.ts';
import { inSchema, inText, type Reference, toColumns, toNumbered, toRelation, toType, toUsed } from './reference.ts';

export interface RelationObject {
  what: 'relation';
  number: number;
  schema: string;
  name: string;
  /** Column numbers of the primary key; empty for a hidden row number. */
  key: number[];
  /** Whether its tree has numeric keys. */
  numeric: boolean;
  /** The primary key's constraint; `parent`: that of the partitioned table it belongs to. */
  primaryKey: { number: number; name: string; parent?: number } | null;
  /** Highest attnum ever assigned. */
  attnums: number;
  /** Numbers of dropped columns: rows may still hold their cells, so they are not reused. */
  dropped: number[];
  /** A new epoch starts the table's tree empty: TRUNCATE, and rows that get new keys. */
  epoch: number;
  /** For a temporary table. */
  onCommit?: 'delete rows' | 'drop';
  /** For a materialized view: its query. */
  query?: { sql: string; uses: { object: number; columns: number[] }[]; populated: boolean };
  /** Numbers of the tables that it inherits from, in order; for a partition, the partitioned table. */
  parents?: number[];
  /** PARTITION BY: it has no rows of its own. */
  partitionBy?: PartitionKeyObject;
  /** For a partition: its bound. */
  bound?: PartitionBoundObject;
  /** OF: oid of a composite type. */
  ofType?: number;
  /** Records that are put may have further fields: each becomes a column. Its key is one column of text. */
  documents?: true;
  /** The text of the key's column is stored in the keys of rows alone. */
  idsInKeys?: true;
  /** For a foreign table: it has no rows of its own. */
  foreign?: { server: number; options: string[] };
}
export interface PartitionKeyObject {
  strategy: 'range' | 'list' | 'hash';
  /** Each element is a column number or an expression as SQL text, with its type; `words`: collation and operator class as written. */
  elements: { column: number | null; expression: string | null; type: number; typmod: number; words?: string }[];
}
/** Values are texts of the key's types, as in rows. */
export type PartitionBoundObject =
  | { kind: 'default' }
  | { kind: 'list'; values: (string | null)[] }
  | { kind: 'range'; from: PartitionDatum[]; to: PartitionDatum[] }
  | { kind: 'hash'; modulus: number; remainder: number };
export type PartitionDatum = 'min' | 'max' | { value: string };

/** Epoch of the rows of a table of either form; 0 for one without definitions of its own, and for what is no table. */
export function epochOfObject(object: { readonly what: string } | undefined): number {
  return object?.what === 'relation' ? (object as RelationObject).epoch : 0;
}

export const RELATION: Kind<RelationObject> = {
  key: ({ number }) => tableDefinitionKey(number),
  numberName: ({ schema, name, numeric }) => relationNumberName(schema, name, numeric),
  numbers: ({ number, primaryKey }) => (primaryKey === null ? [number] : [number, primaryKey.number]),
  furtherNames: ({ number, primaryKey }) => (primaryKey === null ? [] : [[primaryKeyNumberName(number, primaryKey.name), primaryKey.number]]),
  references,
  address: ({ number }) => ({ kind: 'table', number }),
  codeHolder: ({ number, query }) => (query === undefined ? null : number),
  words: ({ name }) => `table ${name}`,
  path: ({ schema, name }) => `table:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `relation\0${schema}\0${name}`,
  merge: {
    join: {
      attnums: (_, ours, theirs) => Math.max(ours.attnums, theirs.attnums),
      dropped: (_, ours, theirs) => [...new Set([...ours.dropped, ...theirs.dropped])],
    },
    // Rows are merged individually: which side truncated does not matter any more, and an epoch of theirs would clear our tree.
    ours: ['epoch'],
    counters: ['attnums', 'dropped', 'epoch'],
  },
  affects: { checked: ({ bound, parents }) => (bound === undefined || parents === undefined ? null : [parents, bound]) },
};

export function relationNumberName(schema: string, name: string, numeric: boolean): string {
  return namedNumberName(numeric ? 'numeric table' : 'table', schema, name);
}

export function primaryKeyNumberName(table: number, name: string): string {
  return namedNumberName('primary key', String(table), name);
}

function references({ number, schema, query, foreign, parents, bound, ofType, key, primaryKey, partitionBy }: RelationObject): Reference[] {
  const out = [inSchema(schema), ...toUsed(query?.uses)];
  if (foreign !== undefined) out.push(toNumbered('server', foreign.server, { called: 'its server' }));
  // Partitions are dropped with their table; inheritance children must be listed. A child left without its parent by a merge is reported by the result
  // check.
  for (const parent of parents ?? []) out.push(toRelation(parent, { how: bound === undefined ? 'needs' : 'part', walked: 'drop' }));
  if (ofType !== undefined) out.push(toType(ofType, { walked: 'drop' }));
  // Dropping a column of a key rebuilds the rows under new keys.
  for (const column of key) out.push({ to: 'column', table: number, column, how: 'follows', walked: 'neither' });
  if (primaryKey?.parent !== undefined) out.push(toNumbered('index', primaryKey.parent, { how: 'part', walked: 'neither' }));
  for (const { column, expression, type } of partitionBy?.elements ?? []) {
    out.push(...toColumns(number, [column], { walked: 'neither' }), ...inText(number, expression, { walked: 'neither' }), toType(type, { walked: 'drop' }));
  }
  return out;
}
