/** What merges and their dry runs do in turns of their own. */
import { inTurns } from '../base/slices.ts';
import type { Context } from '../worlds/context.ts';
import { mergeHashSteps } from './merge-hash.ts';
import type { MergeAttempt } from './merge-guard.ts';

/** The hash of what the merge changes; of a large merge in time slices, after which `stillHolds` says whether it is still that. */
export function hashOf(context: Context, attempt: MergeAttempt, signal?: AbortSignal): string | Promise<string> {
  return inTurns(mergeHashSteps(attempt), true, {
    roots: () => [attempt.sides.ours.root, attempt.sides.theirs.root],
    hold: (root) => context.engine.hold(root),
    between: () => signal?.throwIfAborted(),
  });
}

/** Lets a cancellation be received that arrived during a long tick. */
export async function checkCancelled(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return;
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
