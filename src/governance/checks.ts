/** Merge checks: each is one query over the result of a merge; the rows it returns are violations. */
import { exactJsonText } from '../base/exact-json.ts';
import { masksOf } from '../worlds/masks.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Row } from '../commands/contract.ts';
import type { Node } from '../tree/node.ts';
import type { Catalog } from '../worlds/catalog.ts';
import type { StoredRule } from '../worlds/governance.ts';
import type { World } from '../worlds/world.ts';
import type { ChangedTable } from './changed.ts';
import type { NamedObjects } from './named-objects.ts';

export interface MergeCheck {
  /** Empty: every merge. */
  tables: string[];
  timeout_ms: number;
  query: string;
  /** The objects that `tables` resolve to. */
  objects?: NamedObjects;
}

/** Whether the check watches the table or a parent of it. */
export function watches({ tables, objects }: Pick<MergeCheck, 'tables' | 'objects'>, table: Pick<ChangedTable, 'names' | 'above'>): boolean {
  return tables.some((name) => table.names.has(name) || objects?.[name]?.some((number) => table.above.has(number)) === true);
}

export const CHECK_TIMEOUT_MS = 1000;

/** The state that a merge would result in. */
export interface ResultState {
  readonly world: World;
  readonly root: Node;
  readonly catalog: Catalog;
}

/** Runs one read-only query over a state; returns at most `limit` rows. 57014 after the timeout, or when it is cancelled. */
/** `masked`: masked columns are read masked. */
export type CheckRunner = (state: ResultState, query: string, timeoutMs: number, limit: number, signal?: AbortSignal, masked?: boolean) => Promise<Row[]>;

export interface BrokenCheck {
  name: string;
  message: string;
  rows: Row[];
}

/** Rows shown of a check's violations. */
const SHOWN_MAX = 20;

/** Whether the same rows are found with masks, so that they can be shown to a principal who sees masks. */
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
 * `sees`: the principal sees masked columns. A check that times out counts as broken with `preview`, which shows what blocks
 * the merge, and otherwise refuses it (57014). A query that fails breaks its check.
 */
export async function runChecks(
  checks: readonly StoredRule[],
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
      const shown = sees || masksOf(state.catalog).columns.size === 0 ? `${error.message} (${error.code})` : error.code;
      broken.push({ name, message: `its query failed: ${shown}`, rows: [] });
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
