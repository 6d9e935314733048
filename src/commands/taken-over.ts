/** Rows that an external Postgres made otherwise than they were sent. */
import type { TreeChanges } from '../events/changes.ts';

/** An external Postgres has all rows as they were sent. */
export const NOTHING_OVER: ReadonlyMap<number, TreeChanges> = new Map();
