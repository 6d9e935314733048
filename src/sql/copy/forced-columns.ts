/** Which of COPY's columns an option FORCE_… means. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ForcedColumns } from './copy-options.ts';

/** The columns of one COPY. */
export interface CopyTarget {
  /** As errors name it; '' for a query. */
  readonly relation: string;
  /** Names in the order of the fields. */
  readonly columns: readonly string[];
  /** All columns of the table; of a query they are the same. */
  readonly tableColumns?: readonly string[];
  /** Which columns have a default, for the option DEFAULT. */
  readonly defaults?: readonly boolean[];
}

/** One flag a column, null where none is set; 42703 for a name that the table has not, 42P10 for one that the list has not. */
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
