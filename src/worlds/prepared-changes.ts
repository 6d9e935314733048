/** Changes of many rows, encoded and applied in steps before they are decided: the turn that commits writes their bytes and swaps trees. */
import { countRows, type TreeChanges } from '../events/changes.ts';
import type { Built } from '../events/built.ts';
import { encodedAhead, type Encoded } from '../projection/encoded.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { inTurns } from '../base/slices.ts';
import { applyToWorldSteps, type Branch } from './apply.ts';
import type { Context } from './context.ts';

/** Fewer rows are encoded and applied in a few milliseconds. */
export const LARGE_ROWS = 5000;

export interface PreparedChanges {
  readonly encoded: Encoded;
  readonly built: Built;
}

/** `base` is pinned meanwhile. `written`: all changes of the event, `changes` those that apply to `base`. */
export function* preparedSteps(
  pager: Pager,
  base: Node,
  changes: readonly TreeChanges[],
  written: readonly TreeChanges[],
  common: Branch | null,
): Generator<boolean | void, PreparedChanges> {
  const encoded = yield* encodedAhead(written);
  const apply = applyToWorldSteps(pager, base, changes, pager.newEdit(), common);
  let bytes = 0;
  for (;;) {
    // Nodes of undecided changes must not trigger a checkpoint.
    const { dirtyBytes } = pager;
    const next = apply.next();
    bytes += pager.dirtyBytes - dirtyBytes;
    pager.dirtyBytes = dirtyBytes;
    if (next.done === true) return { encoded, built: { base, after: next.value, bytes } };
    yield;
  }
}

/** The changes of `base`, prepared in time slices; null for a few rows. */
export async function preparedChanges({ engine }: Context, base: Node, changes: readonly TreeChanges[]): Promise<PreparedChanges | null> {
  if (countRows(changes) <= LARGE_ROWS) return null;
  return inTurns(preparedSteps(engine.pager, base, changes, changes, null), true, {
    roots: () => [base],
    hold: (root) => engine.hold(root),
    between: () => {},
  });
}
