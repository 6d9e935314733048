/**
 * What a merge does, as a hash: who approves a merge sends the hash that the dry run showed, and a merge that has come to do something
 * else is refused (40001). It covers the rows, definitions and effects as they will be in the world merged into, and the conflicts, but
 * not positions of sequences, which are not shown. Rows that the merge does not touch may change meanwhile.
 *
 * The key is this process's own: without it a caller who may not see a masked column could check guesses of its value.
 */
import { createHmac, type Hmac, randomBytes } from 'node:crypto';
import { exactJsonText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { SEQUENCE_TREE } from '../events/changes.ts';
import type { Datum } from '../tree/datum.ts';
import type { MergeAttempt } from './merge-guard.ts';

const KEY = randomBytes(32);
const ROWS_A_STEP = 1000;

/** Steps of the hash, 64 hex digits. */
export function* mergeHashSteps({ plan, versions, branch, target }: MergeAttempt): Generator<void, string> {
  const hmac = createHmac('sha256', KEY);
  hmac.update(`${branch.number} ${versions.branch} ${target.number}\n`);
  for (const { tree, rows } of plan.changes) {
    if (tree === SEQUENCE_TREE) continue;
    hmac.update(`tree ${tree} ${rows.length}\n`);
    let parts: string[] = [];
    for (const { key, shape, before, after } of rows) {
      parts.push(datumText(key), shape.ids.join(), sideText(before), sideText(after));
      if (parts.length < 4 * ROWS_A_STEP) continue;
      take(hmac, parts);
      parts = [];
      yield;
    }
    take(hmac, parts);
  }
  // Of a conflict the sides are shown, and no change of its row is planned.
  take(
    hmac,
    plan.conflicts.map((conflict) => exactJsonText(conflict)),
  );
  return hmac.digest('hex');
}

/** 40001 if the merge is not the one that was seen. */
export function checkSeen(seen: string, now: string, branch: string): void {
  if (seen === now) return;
  throw new SvcError('40001', `the merge of "${branch}" is not the one that was seen: what it changes is different now`, {
    hint: 'Look at its dry run again, and send the `diff` of that.',
    data: { diff: now },
  });
}

function take(hmac: Hmac, parts: readonly string[]): void {
  // Lengths first, so that no two lists have one text.
  for (const part of parts) hmac.update(`${part.length}:`).update(part);
  hmac.update('\n');
}

function sideText(side: readonly Datum[] | null): string {
  return side === null ? '-' : side.map(datumText).join('\u0001');
}

function datumText(value: Datum): string {
  if (value === undefined) return 'u';
  if (value === null) return 'n';
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (typeof value === 'number') return Object.is(value, -0) ? 'd-0' : `d${value}`;
  return typeof value === 'bigint' ? `i${value}` : `b${value}`;
}
