/** The columns of COPY's FORCE_… options. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ForcedColumns } from './copy-options.ts';

/** The columns of one COPY. */
export interface CopyTarget {
  /** For errors; '' for a query. */
  readonly relation: string;
  /** Names in field order. */
  readonly columns: readonly string[];
  /** All columns of the table; of a query they are the same. */
  readonly tableColumns?: readonly string[];
  /** Which columns have a default, for the option DEFAULT. */
  readonly defaults?: readonly boolean[];
}

/** One flag per column, null if none is set; 42703 for a missing column, 42P10 for one outside the column list. */
export function forcedColumns(option: 'FORCE_QUOTE' | 'FORCE_NOT_NULL' | 'FORCE_NULL', forced: ForcedColumns, target: CopyTarget): boolean[] | null {
  if (forced === 'all') return target.columns.map(() => true);
  if (forced.length === 0) return null;
  const flags = target.columns.map(() => false);
  for (const name of forced) {
    const index = target.columns.indexOf(name);
    if (index >= 0) {
      flags[index] = true;
      continue;
    }
    if (target.tableColumns?.includes(name) === true) throw new SvcError('42P10', `${option} column "${name}" not referenced by COPY`);
    throw new SvcError(
      '42703',
      target.relation === '' ? `column "${name}" does not exist` : `column "${name}" of relation "${target.relation}" does not exist`,
    );
  }
  return flags;
}
