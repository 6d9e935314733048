/** The system columns of a table's rows, which can be named but are not part of `*`. */
import { MEMBER_OF_KEY } from '../functions/system/member-key.ts';
import { FROZEN, HELD_ROW_XMIN, ROW_CTID, rowXmin, writtenXmin } from '../functions/system/row-identity.ts';
import type { Bound } from '../plan/bound.ts';
import type { State } from '../plan/logical.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Value } from '../types/value.ts';
import type { Binder } from './binder.ts';
import type { RelationColumn } from './scope.ts';

/** The row's key: no text that a user writes is this name. */
export const KEY_COLUMN = '\0key';

export const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['ctid', 'xmin', 'cmin', 'xmax', 'cmax', 'tableoid']);

const NO_PLACE = '(4294967295,0)';

/** Whether the log has its rows. */
function isLogged({ foreign, whole }: SqlTable): boolean {
  return foreign === undefined || whole !== undefined;
}

function xminOf(binder: Binder, table: SqlTable, values: readonly Bound[], key: Bound | null, asOf: State | null): Bound {
  const fn = key === null ? writtenXmin(table.number) : rowXmin(table.number, table.whole !== undefined, asOf);
  return { kind: 'call', fn, proc: fn.name, args: key === null ? values : [key, ...values], type: binder.type('xid'), typmod: -1 };
}

function memberOf(binder: Binder, key: Bound): Bound {
  return { kind: 'call', fn: MEMBER_OF_KEY, proc: MEMBER_OF_KEY.name, args: [key], type: binder.type('oid'), typmod: -1 };
}

/**
 * `values`: the columns of a row that the statement writes; null where it only reads. Without `key` the row's ctid is unknown. `asOf`: the
 * state that is read.
 */
export function systemColumns(
  binder: Binder,
  table: SqlTable,
  values: readonly Bound[] | null,
  key: Bound | null,
  asOf: State | null = null,
): RelationColumn[] {
  const constant = (name: string, type: string, value: Value): RelationColumn => ({
    name,
    value: { kind: 'constant', type: binder.type(type), typmod: -1, value },
  });
  const out = [
    table.whole === undefined || key === null ? constant('tableoid', 'oid', table.number) : { name: 'tableoid', value: memberOf(binder, key) },
    isLogged(table) ? { name: 'xmin', value: xminOf(binder, table, values ?? [], key, asOf) } : constant('xmin', 'xid', FROZEN),
    constant('xmax', 'xid', 0),
    constant('cmin', 'cid', 0),
    constant('cmax', 'cid', 0),
  ];
  if (key === null) return out;
  // A foreign row has no ctid.
  if (table.foreign !== undefined && table.whole === undefined) return [...out, constant('ctid', 'tid', NO_PLACE), { name: KEY_COLUMN, value: key }];
  const ctid: Bound = { kind: 'call', fn: ROW_CTID, proc: ROW_CTID.name, args: [key], type: binder.type('tid'), typmod: -1 };
  return [...out, { name: 'ctid', value: ctid }, { name: KEY_COLUMN, value: key }];
}

/** The system columns that a row alone determines; null if the table is needed. */
export function systemField(binder: Binder, row: Bound, name: string): Bound | null {
  if (name === 'xmin') return { kind: 'call', fn: HELD_ROW_XMIN, proc: HELD_ROW_XMIN.name, args: [row], type: binder.type('xid'), typmod: -1 };
  const zero = { xmax: 'xid', cmin: 'cid', cmax: 'cid' }[name];
  return zero === undefined ? null : { kind: 'constant', type: binder.type(zero), typmod: -1, value: 0 };
}
