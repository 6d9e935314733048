/** One attempt of a merge or rebase: its worlds, their common base, and the plan over them. */
import { SvcError } from '../base/errors/svc-error.ts';
import { runSteps } from '../base/run-steps.ts';
import type { Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import { readCatalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { approverOf } from '../worlds/merge/approved.ts';
import { mergeBase } from '../worlds/merge/merge-base.ts';
import { planMergeSteps } from '../worlds/merge/plan.ts';
import type { World } from '../worlds/world.ts';
import type { MergeInput } from './contract.ts';
import { staleVersion } from './diff.ts';
import type { MergeAttempt } from './merge-guard.ts';

/** Plans the merge in one tick; changes nothing. */
export function attemptMerge(context: Context, input: MergeInput): MergeAttempt {
  return runSteps(attemptSteps(context, input, false));
}

/** `attemptMerge` in steps. `allow` is called once both worlds are resolved, before planning. */
export function* attemptSteps(
  context: Context,
  input: MergeInput,
  wantRows: boolean,
  allow: (branch: World, target: World) => void = () => {},
  approved = false,
  by: Principal | null = null,
): Generator<void, MergeAttempt> {
  if (input.resolve !== undefined && !['fail', 'ours', 'theirs'].includes(input.resolve))
    throw new SvcError('22023', '`resolve` must be "fail", "ours" or "theirs"');
  for (const list of ['only_tables', 'only_keys'] as const) {
    if (input[list] !== undefined && (!Array.isArray(input[list]) || input[list]!.length === 0))
      throw new SvcError('22023', `\`${list}\` must be a list of one or more`);
  }
  const branch = context.writable(input.branch);
  if (branch.name === 'main' && branch.parent === 0 && input.into === undefined) {
    throw new SvcError('22023', 'main has no parent to be merged into', { hint: 'Name the world in `into`.' });
  }
  const target = targetOf(context, input, branch);
  if (target === branch) throw new SvcError('22023', `world "${branch.name}" cannot be merged into itself`);
  allow(branch, target);
  const stays = input.into !== undefined || input.only_tables !== undefined || input.only_keys !== undefined;
  if (input.version !== undefined && input.version !== branch.version) throw staleVersion(branch.name, input.version, branch.version);
  if (input.target !== undefined && input.target !== target.version) throw staleVersion(target.name, input.target, target.version);
  const { pager } = context.engine;
  const common = context.state.worlds.common(branch, target);
  const base = mergeBase(context, common);
  const sides = {
    base: { name: branch.name, root: base, catalog: readCatalog(pager, base) },
    ours: { name: target.name, root: target.root, catalog: context.catalog(target) },
    theirs: { name: branch.name, root: branch.root, catalog: context.catalog(branch) },
  };
  const versions = { branch: branch.version, target: target.version };
  const plan = yield* planMergeSteps(
    pager,
    context.state.objects,
    {
      typed: context.typed,
      ...sides,
      resolve: input.resolve ?? 'fail',
      approver: by === null ? null : approverOf(by, branch.owner),
      columns: input.columns === true,
      strict: input.strict === true,
      picks: input.picks,
      only_tables: input.only_tables,
      only_keys: input.only_keys,
    },
    // After a full merge the branch's state is the common base; its fork point moves with the rows, so that an undo moves it back.
    { rows: wantRows, baseChanges: stays && (isPart(input) || target.number === branch.parent) },
  );
  return { branch, target, stays, plan, sides, input, versions, bases: common.roots, approved };
}

function targetOf(context: Context, { into }: MergeInput, branch: World): World {
  return into === undefined ? context.parentOf(branch) : context.writable(into);
}

/** Current states of both worlds, which later writes do not change. */
export function sharedRoots(context: Context, input: MergeInput): Node[] {
  const branch = context.writable(input.branch);
  const target = targetOf(context, input, branch);
  return [branch, target].map((world) => context.state.worlds.share(world)).concat(context.state.worlds.common(branch, target).roots);
}

/** 22023 for `confirm` where the merge is not a plain one. */
export function checkConfirm(input: MergeInput): void {
  if (input.confirm !== true) return;
  const refused = (['into', 'only_tables', 'only_keys', 'columns', 'picks'] as const).find((name) => input[name] !== undefined && input[name] !== false);
  if (refused === undefined) return;
  throw new SvcError('22023', `confirm takes a flagged world whole, not with ${refused}`, {
    hint: 'Look at its diff and give the `version` that you have seen.',
  });
}

/** Whether only some of the branch's rows are merged. */
export function isPart(input: MergeInput): boolean {
  return input.only_tables !== undefined || input.only_keys !== undefined;
}
