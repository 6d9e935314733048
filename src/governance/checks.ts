/** Merge checks: one query each over what a merge would make; rows that it finds are what is wrong. */
import { exactJsonText } from '../base/exact-json.ts';
import { masksOf } from '../worlds/masks.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Row } from '../commands/contract.ts';
import type { Node } from '../tree/node.ts';
import type { Catalog } from '../worlds/catalog.ts';
import type { Laid } from '../worlds/governance.ts';
import type { World } from '../worlds/world.ts';
import type { ChangedTable } from './changed.ts';
import type { NamedObjects } from './named-objects.ts';

export interface MergeCheck {
  /** Empty: every merge. */
  tables: string[];
  timeout_ms: number;
  query: string;
  /** What `tables` mean. */
  objects?: NamedObjects;
}

/** Whether the check looks at what changes in the table, or in one below it. */
export function watches({ tables, objects }: Pick<MergeCheck, 'tables' | 'objects'>, table: Pick<ChangedTable, 'names' | 'above'>): boolean {
  return tables.some((name) => table.names.has(name) || objects?.[name]?.some((number) => table.above.has(number)) === true);
}

export const CHECK_TIMEOUT_MS = 1000;

/** The state that a merge would make. */
export interface ResultState {
  readonly world: World;
  readonly root: Node;
  readonly catalog: Catalog;
}

/** Runs one query over a state, reading only; gives at most `limit` rows. 57014 past the timeout, or when it is given up. */
/** `masked`: as one who sees masked columns masked. */
export type CheckRunner = (state: ResultState, query: string, timeoutMs: number, limit: number, signal?: AbortSignal, masked?: boolean) => Promise<Row[]>;

export interface BrokenCheck {
  name: string;
  message: string;
  rows: Row[];
}

/** Rows shown of what a check found. */
const SHOWN_MAX = 20;

/** Whether somebody who sees masks would find the same rows, so that he may be told of them. */
async function alsoMasked(
  state: ResultState,
  { query, timeout_ms }: MergeCheck,
  rows: readonly Row[],
  run: CheckRunner,
  signal?: AbortSignal,
): Promise<boolean> {
  if (masksOf(state.catalog).columns.size === 0) return true;
  try {
    return exactJsonText(await run(state, query, timeout_ms, SHOWN_MAX + 1, signal, true)) === exactJsonText(rows);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof SvcError)) throw error;
    return false;
  }
}

/**
 * `sees`: who is told sees masked columns. A check that is not done in time is told of as if it were broken with `preview`, which
 * shows what stands in the way, and refuses otherwise (57014); another error of a query breaks its check, for it says nothing good.
 */
export async function runChecks(
  checks: readonly Laid[],
  state: ResultState,
  run: CheckRunner,
  { sees, preview = false, signal }: { sees: boolean; preview?: boolean; signal?: AbortSignal },
): Promise<BrokenCheck[]> {
  const broken: BrokenCheck[] = [];
  for (const { name, value } of checks) {
    const { query, timeout_ms } = value as unknown as MergeCheck;
    let rows: Row[];
    try {
      rows = await run(state, query, timeout_ms, SHOWN_MAX + 1, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SvcError)) throw error;
      if (error.code === '57014') {
        const late = `did not end within ${timeout_ms} ms`;
        if (preview) {
          broken.push({ name, message: late, rows: [] });
          continue;
        }
        throw new SvcError('57014', `merge check "${name}" ${late}; nothing was merged`, {
          hint: 'Make its query faster, or raise its timeout.',
          cause: error,
        });
      }
      const told = sees || masksOf(state.catalog).columns.size === 0 ? `${error.message} (${error.code})` : error.code;
      broken.push({ name, message: `its query failed: ${told}`, rows: [] });
      continue;
    }
    if (rows.length === 0) continue;
    if (!sees && !(await alsoMasked(state, value as unknown as MergeCheck, rows, run, signal))) {
      const count = rows.length > SHOWN_MAX ? `more than ${SHOWN_MAX} rows` : `${rows.length} row${rows.length === 1 ? '' : 's'}`;
      broken.push({ name, message: `found ${count}, over masked columns`, rows: [] });
      continue;
    }
    const shown = rows.slice(0, SHOWN_MAX);
    const more = rows.length > SHOWN_MAX ? ' and more' : '';
    broken.push({
      name,
      message: `found ${shown
        .map((row) => exactJsonText(row))
        .join(', ')
        .slice(0, 2000)}${more}`,
      rows: shown,
    });
  }
  return broken;
}
