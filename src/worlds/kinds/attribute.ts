/** A column of a typed table. */
import { FIELD_OIDS, widestField, type DocumentType } from './document-column.ts';
import { columnDefinitionKey } from './keys.ts';
import type { Kind } from './kind.ts';
import { inText, ofTable, type Reference, toColumns, toRelation, toType } from './reference.ts';

export interface AttributeObject {
  what: 'attribute';
  number: number;
  table: number;
  name: string;
  attnum: number;
  /** Oid. */
  type: number;
  typmod: number;
  notNull: boolean;
  /** SQL text. */
  default: string | null;
  identity: 'always' | 'by default' | null;
  /** SQL text. */
  generated: string | null;
  /** Text of the value that rows have which were stored before the column was added. */
  missing: string | null;
  /** The same value as a cell. */
  missingCell: number | string | boolean | null;
  /** Existing rows got the default when the column was added, each evaluated separately: rows merged in later get theirs too. */
  fills?: true;
  /** Number of parents that have it; omitted for none. */
  inherited?: number;
  /** It is only inherited. */
  notLocal?: true;
  /** For a foreign table's column. */
  options?: string[];
  /** A field that documents brought: the widest type seen, which grows with what is put. It may be absent, and its jsonb is stored as JSON. */
  field?: DocumentType;
  /** Locale of its nondeterministic ICU collation: keys hold folded texts. */
  folding?: string;
}

export const ATTRIBUTE: Kind<AttributeObject> = {
  key: ({ table, number }) => columnDefinitionKey(table, number),
  numberName: ({ table, name, type, typmod, field }) => (field === undefined ? attributeNumberName(table, name, type, typmod) : `${table}\0${name}`),
  // The id of documents has no cells.
  numbers: ({ number }) => (number === 0 ? [] : [number]),
  references,
  address: ({ table, number }) => ({ kind: 'column', table, column: number }),
  codeHolder: ({ table, default: value, generated }) => (value === null && generated === null ? null : table),
  words: ({ name }) => `column ${name}`,
  path: ({ table, name }, names) => `column:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `column\0${table}\0${name}`,
  merge: {
    join: {
      field: (_, ours, theirs) => (ours.field === undefined || theirs.field === undefined ? null : widestField(ours.field, theirs.field)),
      type: (_, ours, theirs) => (ours.field === undefined || theirs.field === undefined ? null : FIELD_OIDS[widestField(ours.field, theirs.field)]),
    },
    counters: ['attnum', 'missing', 'missingCell'],
  },
  affects: { checked: ({ number, notNull, generated, missing, fills }) => [number, notNull, generated, missing, fills === true] },
};

export function attributeNumberName(table: number, name: string, type: number, typmod: number): string {
  return `\0column\0${table}\0${name}\0${type}\0${typmod}`;
}

function references({ table, number, type, default: value, generated }: AttributeObject): Reference[] {
  const out = [ofTable(table), toType(type)];
  if (generated !== null) out.push(...inText(table, generated));
  if (value === null) return out;
  // Defaults are dropped with their table or column, before dependents of their sequences are checked. Functions that they call are found in their texts.
  const by = { kind: 'default', table, column: number } as const;
  out.push(toRelation(table, { how: 'part', walked: 'drop', by }), ...toColumns(table, [number], { how: 'part', walked: 'neither', by }));
  return out;
}
