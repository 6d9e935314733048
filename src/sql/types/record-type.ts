/**
 * Record types: `record` itself, whose values alone have their fields, and rows with known columns (composite types, rows of tables
 * and subqueries, column definition lists). Text form: manual, section 8.16.6.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import { compositeKey } from './record-key.ts';
import { checkDomain } from './domain-type.ts';
import { formatRecord, parseRecord } from './record-text.ts';
import { RecordValue } from './record-value.ts';
import type { Environment } from './environment.ts';
import type { Json, SqlType } from './type.ts';

export interface RecordColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** The stored id of the field: attributes of a composite type may be added and dropped. */
  readonly attnum?: number;
}

export interface RecordType extends SqlType {
  /** null if only the value has them. */
  readonly columns: readonly RecordColumn[] | null;
}

const RECORD_OID = 2249;
const RECORD_ARRAY_OID = 2287;

/** Columns of a record type, null for any other type and for plain `record`. */
export function columnsOf(type: SqlType): readonly RecordColumn[] | null {
  return 'columns' in type ? (type as RecordType).columns : null;
}

/** Whether values of the type are RecordValues. */
export function isRecordType(type: SqlType): type is RecordType {
  return 'columns' in type;
}

/** A record with known columns. Without a name it is an anonymous row, with the visible type `record`. */
export function recordType(columns: readonly RecordColumn[] | null, named?: { oid: number; arrayOid: number; name: string; title?: string }): RecordType {
  const type: RecordType = {
    ...makeType({
      oid: named?.oid ?? RECORD_OID,
      name: named?.name ?? 'record',
      title: named?.title ?? named?.name ?? 'record',
      category: named === undefined ? 'P' : 'C',
      length: -1,
      repr: 'object',
      arrayOid: named?.arrayOid ?? RECORD_ARRAY_OID,
      parse: (text, _typmod, env) => {
        if (columns === null) throw new SvcError('0A000', 'input of anonymous composite types is not implemented');
        const texts = parseRecord(text, columns.length);
        return new RecordValue(
          texts.map((field, i) => {
            if (field !== null) return columns[i].type.parse(field, columns[i].typmod, env);
            checkDomain(columns[i].type, null, env);
            return null;
          }),
          columns.map((column) => column.type),
        );
      },
      format: (value, env) => {
        const { fields, types } = value as RecordValue;
        return formatRecord(fields.map((field, i) => (field === null ? null : types[i].format(field, env))));
      },
      compare: (a, b) => compareRecords(a as RecordValue, b as RecordValue),
      hashKey: (value) => {
        const { fields, types } = value as RecordValue;
        return compositeKey(fields, (i, field) => {
          if (!types[i].hashable) throw new SvcError('42883', `could not identify a hash function for type ${types[i].title}`);
          return types[i].hashKey(field);
        });
      },
      json: (value, env) => recordJson(value as RecordValue, columns, env),
    }),
    columns,
  };
  return type;
}

/** The type `record`. */
export const RECORD: RecordType = recordType(null);

/** Names for row_to_json: f1, f2 … if no columns are known. */
export function fieldName(columns: readonly RecordColumn[] | null, position: number): string {
  return columns?.[position]?.name ?? `f${position + 1}`;
}

function recordJson(value: RecordValue, columns: readonly RecordColumn[] | null, env: Environment): Json {
  // Own properties of any name: `__proto__` is a legal column name.
  return Object.fromEntries(value.fields.map((field, i) => [fieldName(columns, i), field === null ? null : value.types[i].json(field, env)]));
}

/** Postgres's record_cmp: field by field, nulls last and equal to each other. */
export function compareRecords(a: RecordValue, b: RecordValue): number {
  const shared = Math.min(a.fields.length, b.fields.length);
  for (let i = 0; i < shared; i++) {
    const type = sameFieldType(a, b, i);
    if (!type.ordered) throw new SvcError('42883', `could not identify a comparison function for type ${type.title}`);
    const x = a.fields[i];
    const y = b.fields[i];
    if (x === null || y === null) {
      if (x === y) continue;
      return x === null ? 1 : -1;
    }
    const order = type.compare(x, y);
    if (order !== 0) return order < 0 ? -1 : 1;
  }
  if (a.fields.length !== b.fields.length) throw differentCounts();
  return 0;
}

/** Postgres's record_eq: null equals null. */
export function equalRecords(a: RecordValue, b: RecordValue): boolean {
  const shared = Math.min(a.fields.length, b.fields.length);
  for (let i = 0; i < shared; i++) {
    const type = sameFieldType(a, b, i);
    if (!type.hashable && !type.ordered) throw new SvcError('42883', `could not identify an equality operator for type ${type.title}`);
    const x = a.fields[i];
    const y = b.fields[i];
    if (x === null || y === null) {
      if (x !== y) return false;
    } else if (type.ordered ? type.compare(x, y) !== 0 : type.hashKey(x) !== type.hashKey(y)) {
      return false;
    }
  }
  if (a.fields.length !== b.fields.length) throw differentCounts();
  return true;
}

function differentCounts(): SvcError {
  return new SvcError('42804', 'cannot compare record types with different numbers of columns');
}

function sameFieldType(a: RecordValue, b: RecordValue, position: number): SqlType {
  const type = a.types[position];
  const other = b.types[position];
  if (type.oid !== other.oid) {
    throw new SvcError('42804', `cannot compare dissimilar column types ${type.title} and ${other.title} at record column ${position + 1}`);
  }
  return type;
}
