/** The dry run of a merge. */
import type { TreeChanges } from '../events/changes.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { isMain } from '../session/authorize.ts';
import type { Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import type { World } from '../worlds/world.ts';
import { isDefinitionKey } from '../worlds/merge/definition-names.ts';
import type { DefinitionChange, MergeInput, MergePreview, RunControl } from './contract.ts';
import { definitionsBetween, readerOf } from './definitions.ts';
import type { MergeAttempt, MergeGuard } from './merge-guard.ts';
import { planned } from './planned-merge.ts';
import { attemptSteps, checkConfirm, sharedRoots } from './merge-attempt.ts';
import { checkCancelled, hashOf } from './merge-turns.ts';

export async function previewMerge(context: Context, input: MergeInput, by: Principal, guard: MergeGuard, control: RunControl = {}): Promise<MergePreview> {
  const { signal } = control;
  checkConfirm(input);
  // The reply shows the states at the start of the call.
  const wantRows = input.count !== true;
  const attempt = await planned(context, attemptSteps(context, input, wantRows, undefined, false, by), () => sharedRoots(context, input), true, control);
  const { plan, versions } = attempt;
  const diff = input.hash === true ? await hashOf(context, attempt, signal) : undefined;
  const definitions = mergedDefinitions(context, attempt, by);
  const reply: MergePreview = {
    rows: plan.rows,
    summary: plan.summary,
    conflicts: plan.conflicts,
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(plan.converged === 0 ? {} : { converged: plan.converged }),
    ...(await guard.preview(attempt, by, signal)),
    ...(await externalPreview(context, attempt.target, attempt.sides.ours.root, attempt.plan.changes, signal)),
    version: versions.branch,
    target: versions.target,
    ...(diff === undefined ? {} : { diff }),
  };
  await context.engine.durable(context.engine.log.head);
  await checkCancelled(signal);
  return reply;
}

/** What an external Postgres says of changes of `main`, where tables are attached. */
export async function externalPreview(
  context: Context,
  target: World,
  root: Node,
  changes: TreeChanges[],
  signal: AbortSignal | undefined,
): Promise<Pick<MergePreview, 'postgres'>> {
  if (context.external === null || context.state.attachment.source === null || !isMain(target)) return {};
  return { postgres: await context.external.preview(target, root, changes, signal) };
}

/** Definitions that the merge changes; with definitions in conflict, those that the branch changed. */
export function mergedDefinitions(context: Context, { plan, sides }: MergeAttempt, by: Principal): DefinitionChange[] {
  const rows = (number: number): number =>
    plan.changes.find(({ tree }) => tree === number)?.rows.length ?? childRoot(context.engine.pager, sides.theirs.root, number)?.count ?? 0;
  const isOpen = plan.conflicts.some(({ key, code }) => code === undefined && isDefinitionKey(key));
  const [before, after] = isOpen ? [sides.base.catalog, sides.theirs.catalog] : [sides.ours.catalog, plan.result];
  return definitionsBetween(context.typed, before, after, readerOf(context, by), rows);
}
