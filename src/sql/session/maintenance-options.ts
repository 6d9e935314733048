/** Options of VACUUM, ANALYZE, REINDEX and CLUSTER: checked as in Postgres (commands/vacuum.c, indexcmds.c, cluster.c), and otherwise ignored. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { optionText } from '../ast/option-text.ts';
import type { Option } from '../ast/define.ts';
import type { Cluster, Reindex, Vacuum } from '../ast/session.ts';
import { isTrue, textOf } from './definition-options.ts';

const WORKERS_MAX = 1024;

function unknown(command: string, { name, at }: Option): SvcError {
  return new SvcError('42601', `unrecognized ${command} option "${name}"`, { position: at + 1 });
}

export interface VacuumOptions {
  readonly analyze: boolean;
  readonly full: boolean;
  readonly pages: boolean;
  readonly toast: boolean;
}

export function vacuumOptions({ type, options, tables }: Vacuum): VacuumOptions {
  const on = new Map<string, boolean>();
  let workers = 0;
  for (const option of options) {
    const name = option.name.toLowerCase();
    const own = SWITCHES[name];
    if (own === 'both' || (own === 'vacuum' && type === 'vacuum')) on.set(name, isTrue(option));
    else if (type === 'analyze') throw unknown('ANALYZE', option);
    else if (name === 'index_cleanup') {
      if (option.value !== null && optionText(option.value)?.toLowerCase() !== 'auto') isTrue(option);
    } else if (name === 'parallel') workers = workersOf(option);
    else throw unknown('VACUUM', option);
  }
  const full = on.get('full') === true;
  const analyze = type === 'analyze' || on.get('analyze') === true;
  if (full && workers > 0) throw new SvcError('0A000', 'VACUUM FULL cannot be performed in parallel');
  if (!analyze && tables.some(({ columns }) => columns.length > 0))
    throw new SvcError('0A000', 'ANALYZE option must be specified when a column list is provided');
  return { analyze, full, pages: on.get('disable_page_skipping') !== true, toast: on.get('process_toast') !== false };
}

const SWITCHES: Readonly<Record<string, 'both' | 'vacuum' | undefined>> = {
  verbose: 'both',
  skip_locked: 'both',
  analyze: 'vacuum',
  freeze: 'vacuum',
  full: 'vacuum',
  disable_page_skipping: 'vacuum',
  process_toast: 'vacuum',
  truncate: 'vacuum',
};

function workersOf(option: Option): number {
  const { value, at } = option;
  if (value === null) throw new SvcError('42601', `parallel option requires a value between 0 and ${WORKERS_MAX}`, { position: at + 1 });
  const text = optionText(value) ?? '';
  if (value.type !== 'integer' || !/^-?\d+$/.test(text)) throw new SvcError('42601', `${option.name} requires an integer value`);
  const workers = Number(text);
  if (workers < 0 || workers > WORKERS_MAX)
    throw new SvcError('42601', `parallel workers for vacuum must be between 0 and ${WORKERS_MAX}`, { position: at + 1 });
  return workers;
}

/** Conflicts that VACUUM reports once it knows that it may run. */
export function refuseTogether({ full, pages, toast }: VacuumOptions): void {
  if (full && !pages) throw new SvcError('0A000', 'VACUUM option DISABLE_PAGE_SKIPPING cannot be used with FULL');
  if (full && !toast) throw new SvcError('0A000', 'PROCESS_TOAST required with VACUUM FULL');
}

export function reindexOptions({ options }: Reindex): { readonly concurrently: boolean; readonly tablespace: string | null } {
  let concurrently = false;
  let tablespace: string | null = null;
  for (const option of options) {
    const name = option.name.toLowerCase();
    if (name === 'verbose') isTrue(option);
    else if (name === 'concurrently') concurrently = isTrue(option);
    else if (name === 'tablespace') tablespace = textOf(option);
    else throw unknown('REINDEX', option);
  }
  return { concurrently, tablespace };
}

export function checkClusterOptions({ options }: Cluster): void {
  for (const option of options) {
    if (option.name.toLowerCase() !== 'verbose') throw unknown('CLUSTER', option);
    isTrue(option);
  }
}
