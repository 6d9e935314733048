/** Merge checks: one query each over what a merge would make; rows that it finds are what is wrong. */
import { exactJsonText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Row } from '../commands/contract.ts';
import type { Node } from '../tree/node.ts';
import type { Catalog } from '../worlds/catalog.ts';
import type { Laid } from '../worlds/governance.ts';
import type { World } from '../worlds/world.ts';

export interface MergeCheck {
  /** Empty: every merge. */
  tables: string[];
  timeout_ms: number;
  query: string;
}

export const CHECK_TIMEOUT_MS = 1000;

/** The state that a merge would make. */
export interface ResultState {
  readonly world: World;
  readonly root: Node;
  readonly catalog: Catalog;
}

/** Runs one query over a state, reading only; gives at most `limit` rows. 57014 past the timeout, or when it is given up. */
export type CheckRunner = (state: ResultState, query: string, timeoutMs: number, limit: number, signal?: AbortSignal) => Promise<Row[]>;

export interface BrokenCheck {
  name: string;
  message: string;
  rows: Row[];
}

/** Rows shown of what a check found. */
const SHOWN_MAX = 20;

/** 57014 where one is not done in time; another error of a query breaks its check, for it says nothing good. */
export async function runChecks(checks: readonly Laid[], state: ResultState, run: CheckRunner, signal?: AbortSignal): Promise<BrokenCheck[]> {
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
        throw new SvcError('57014', `merge check "${name}" did not end within ${timeout_ms} ms; nothing was merged`, {
          hint: 'Make its query faster, or raise its timeout.',
          cause: error,
        });
      }
      broken.push({ name, message: `its query failed: ${error.message} (${error.code})`, rows: [] });
      continue;
    }
    if (rows.length === 0) continue;
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
