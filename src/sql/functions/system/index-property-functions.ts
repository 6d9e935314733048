/** Index properties (manual, section 9.26.4, tables of index properties): all are like btree. */
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

const METHOD: Readonly<Record<string, boolean>> = { can_order: true, can_unique: true, can_multi_col: true, can_exclude: true, can_include: true };
const INDEX: Readonly<Record<string, boolean>> = { clusterable: true, index_scan: true, bitmap_scan: true, backward_scan: true };
const BTREE = 403;

function columnProperty(call: Call, index: number, column: number, property: string): boolean | null {
  const found = systemOf(call).definitions.indexColumn(index, column);
  if (found === null) return null;
  const name = property.toLowerCase();
  if (name === 'returnable') return true;
  if (name === 'distance_orderable') return false;
  if (found.included)
    return ['asc', 'desc', 'nulls_first', 'nulls_last'].includes(name) ? null : ['orderable', 'search_array', 'search_nulls'].includes(name) ? false : null;
  switch (name) {
    case 'asc':
      return !found.descending;
    case 'desc':
      return found.descending;
    case 'nulls_first':
      return found.nullsFirst;
    case 'nulls_last':
      return !found.nullsFirst;
    case 'orderable':
    case 'search_array':
    case 'search_nulls':
      return true;
    default:
      return null;
  }
}

export const indexPropertyFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'pg_indexam_has_property',
      args: ['oid', 'text'],
      returns: 'bool',
      doc: 'Whether an access method can do something.',
      volatility: 'stable',
      impl: (method: number, property: string) => (method === BTREE ? (METHOD[property.toLowerCase()] ?? null) : null),
    },
    {
      kind: 'scalar',
      name: 'pg_index_has_property',
      args: ['regclass', 'text'],
      returns: 'bool',
      doc: 'Whether an index can do something.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, index: number, property: string) =>
        systemOf(call).definitions.relationKind(index) === 'i' ? (INDEX[property.toLowerCase()] ?? null) : null,
    },
    {
      kind: 'scalar',
      name: 'pg_index_column_has_property',
      args: ['regclass', 'int4', 'text'],
      returns: 'bool',
      doc: 'Whether a column of an index can do something.',
      volatility: 'stable',
      needsCall: true,
      impl: columnProperty,
    },
  ],
};
