/** Merge of a branch, its dry run, rebase, and undo of a merge. */
import type { Sequence } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { runSteps } from '../base/run-steps.ts';
import { inTurns, LOST_MAX } from '../base/slices.ts';
import { CATALOG_TREE, countRows, EFFECT_TREE, inverse, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import type { Merged } from '../events/types/merged.ts';
import type { Undone } from '../events/types/undone.ts';
import { decodeEvent } from '../events/codec.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import { authorize, isMain } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { admitChanges, admitRows } from '../worlds/admit-changes.ts';
import { readCatalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { worldId } from '../worlds/names.ts';
import { approverOf } from '../worlds/merge/approved.ts';
import { mergeBase } from '../worlds/merge/merge-base.ts';
import { isDefinitionKey } from '../worlds/merge/definition-names.ts';
import { planMergeSteps } from '../worlds/merge/plan.ts';
import { mergedRows } from '../worlds/merge/summary.ts';
import { rowChange, rowIn, ShapeTable } from '../tree/row-change.ts';
import type { HeldRows } from '../worlds/external.ts';
import type { World } from '../worlds/world.ts';
import type { DefinitionChange, MergeInput, MergePreview, MergeReply, RebaseInput, RunControl, UndoMergeInput } from './contract.ts';
import { definitionsBetween, readerOf } from './definitions.ts';
import { staleVersion } from './diff.ts';
import { conflictError } from './merge-conflicts.ts';
import { checkSeen, mergeHashSteps } from './merge-hash.ts';
import type { MergeAttempt, MergeGuard } from './merge-guard.ts';
import { prepareMerge, planned, stillHolds } from './planned-merge.ts';
import { rowsOfDefinitions } from './rows-of-definitions.ts';
import { commitUndo, type Undoing, wouldGoBack } from './undo.ts';
import { directForks, openForks } from './worlds.ts';
import { refuseUnmaskingChanges } from './masks-kept.ts';

/** Plans the merge in one tick; changes nothing. */
export function attemptMerge(context: Context, input: MergeInput): MergeAttempt {
  return runSteps(attemptSteps(context, input, false));
}

/** `attemptMerge` in steps. `allow` is called once both worlds are resolved, before planning. */
function* attemptSteps(
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
function sharedRoots(context: Context, input: MergeInput): Node[] {
  const branch = context.writable(input.branch);
  const target = targetOf(context, input, branch);
  return [branch, target].map((world) => context.state.worlds.share(world)).concat(context.state.worlds.common(branch, target).roots);
}

/** 22023 for `confirm` where the merge is not a plain one. */
function checkConfirm(input: MergeInput): void {
  if (input.confirm !== true) return;
  const refused = (['into', 'only_tables', 'only_keys', 'columns', 'picks'] as const).find((name) => input[name] !== undefined && input[name] !== false);
  if (refused === undefined) return;
  throw new SvcError('22023', `confirm takes a flagged world whole, not with ${refused}`, {
    hint: 'Look at its diff and give the `version` that you have seen.',
  });
}

function isPart(input: MergeInput): boolean {
  return input.only_tables !== undefined || input.only_keys !== undefined;
}

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

/** The hash of what the merge changes; of a large merge in time slices, after which `stillHolds` says whether it is still that. */
function hashOf(context: Context, attempt: MergeAttempt, signal?: AbortSignal): string | Promise<string> {
  return inTurns(mergeHashSteps(attempt), true, {
    roots: () => [attempt.sides.ours.root, attempt.sides.theirs.root],
    hold: (root) => context.engine.hold(root),
    between: () => signal?.throwIfAborted(),
  });
}

/** What an external Postgres says of changes of `main`, where tables are attached. */
async function externalPreview(
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

/** Lets a cancellation be received that arrived during a long tick. */
async function checkCancelled(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return;
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** Planning that took longer yields before the commit. */
const LONG_PLAN_MS = 25;

const NOTHING_OVER: ReadonlyMap<number, TreeChanges> = new Map();

/** Times that a merge is judged again because a world changed while its checks ran. */
const ATTEMPTS_MAX = 20;

export async function mergeWorld(
  context: Context,
  input: MergeInput,
  by: Principal,
  guard: MergeGuard,
  approved = false,
  control: RunControl = {},
): Promise<MergeReply> {
  const outside: Outside = { held: null };
  try {
    return await mergeInto(context, input, by, guard, approved, control, outside);
  } finally {
    await outside.held?.release();
  }
}

/** What a merge holds in an external Postgres while it is planned again. */
interface Outside {
  held: HeldRows | null;
}

/** Attempts after which rows that change in an external Postgres stay locked while the merge is planned again. */
const UNLOCKED_MAX = 2;

async function mergeInto(
  context: Context,
  input: MergeInput,
  by: Principal,
  guard: MergeGuard,
  approved: boolean,
  control: RunControl,
  outside: Outside,
): Promise<MergeReply> {
  const { signal } = control;
  checkConfirm(input);
  await context.engine.admit();
  /** Plans that became invalid. */
  let lost = 0;
  for (let attempts = 1; ; attempts++) {
    const begunMs = performance.now();
    const steps = attemptSteps(
      context,
      input,
      false,
      (from, into) => {
        // An approving reviewer needs no right to merge: the guard has allowed it.
        if (!approved) authorize(by, { what: 'merge', branch: from, into, isParent: into.number === from.parent });
      },
      approved,
      by,
    );
    const made = planned(context, steps, () => sharedRoots(context, input), lost < LOST_MAX, control);
    const attempt = made instanceof Promise ? await made : made;
    const { branch, target, stays, plan } = attempt;
    const whole = !isPart(input) && input.picks === undefined && !plan.derives;
    const ahead = lost < LOST_MAX ? prepareMerge(context, attempt, !(made instanceof Promise), whole, control) : null;
    const ready = ahead instanceof Promise ? await ahead : ahead;
    const hash = input.diff === undefined ? null : lost < LOST_MAX ? hashOf(context, attempt, signal) : runSteps(mergeHashSteps(attempt));
    if (hash !== null) checkSeen(input.diff!, hash instanceof Promise ? await hash : hash, branch.name);
    if ((made instanceof Promise || ahead instanceof Promise || hash instanceof Promise) && !stillHolds(context, attempt)) {
      lost++;
      continue;
    }
    const confirmed = input.confirm === true && !stays;
    if (context.state.worlds.isFlagged(branch) && input.version === undefined && !confirmed) {
      throw new SvcError('55000', `world "${branch.name}" was open during a crash and is flagged`, {
        hint: 'Look at its diff, then merge with that `version`, or with `confirm: true` to take it as it is; or discard it.',
      });
    }
    // The fork point of the target moves to its parent's current state, as in a rebase.
    if (branch.number === target.parent && !isPart(input)) guard.rebasing(target);
    if (!stays && branch.children > 0) throw openForks(branch, directForks(context, branch), 'merged');
    if (plan.conflicts.length > 0) {
      guard.conflicted(attempt, by);
      throw conflictError(branch.name, target.name, plan.conflicts);
    }
    const { versions } = attempt;
    let passage = guard.judge(attempt, by, signal);
    const late = attempts === 1 && signal !== undefined && performance.now() - begunMs > LONG_PLAN_MS;
    if (passage instanceof Promise || late) {
      passage = await passage;
      await checkCancelled(signal);
      // The worlds have changed since the judgement.
      if (branch.version !== versions.branch || target.version !== versions.target || branch.status !== 'open' || target.status !== 'open') {
        if (attempts < ATTEMPTS_MAX) continue;
        throw new SvcError('40001', `"${target.name}" changed each time the merge checks had run`, { hint: 'Merge again, or make the checks faster.' });
      }
    }
    const merged = mergedRows(plan);
    // Rights may have been revoked while the checks ran.
    if (!approved) authorize(by, { what: 'merge', branch, into: target, isParent: target.number === branch.parent });
    refuseUnmaskingChanges(context, by, target, plan.changes);
    admitChanges(context, by, target, plan.changes, 'merge');
    const eventOf = (over: ReadonlyMap<number, TreeChanges> = NOTHING_OVER): Merged => ({
      type: 'merged',
      branch: branch.number,
      stays,
      // With merges by column or rows kept as ours, a row may differ from both sides.
      whole: whole && over.size === 0,
      disjoint: plan.disjoint,
      changes: over.size === 0 ? plan.changes : plan.changes.map((each) => over.get(each.tree) ?? each),
      baseChanges: plan.baseChanges,
      common: isPart(input) ? 'part' : 'all',
      carries: !isMain(target),
      passage,
    });
    let sequence: Sequence;
    if (context.external?.concerns(branch, target, plan.changes) === true) {
      const written = await context.external.write({
        target,
        root: context.state.worlds.share(target),
        changes: plan.changes,
        by,
        ...(signal === undefined ? {} : { signal }),
        held: outside.held,
        keepLocks: attempts > UNLOCKED_MAX,
        holds: () => stillHolds(context, attempt),
        event: (over) => {
          if (!approved) authorize(by, { what: 'merge', branch, into: target, isParent: target.number === branch.parent });
          return eventOf(over);
        },
      });
      outside.held = 'again' in written ? written.held : null;
      if ('again' in written) {
        if (attempts < ATTEMPTS_MAX) continue;
        throw new SvcError('40001', `rows of the merge changed each time, in Postgres or in "${target.name}"`, { hint: 'Merge again.' });
      }
      sequence = written.done;
    } else ({ sequence } = context.engine.commit({ ...eventOf(), built: ready?.built }, target.number, actorName(by), ready?.encoded ?? null));
    const reply: MergeReply = { merged, ...(plan.converged === 0 ? {} : { converged: plan.converged }), ...(stays ? { version: branch.version } : {}) };
    await context.engine.durable(sequence);
    return reply;
  }
}

export async function rebaseWorld(
  context: Context,
  input: RebaseInput,
  by: Principal,
  guard: MergeGuard,
  control: RunControl = {},
): Promise<{ ok: true; rebased: number; version: number }> {
  await context.engine.admit();
  const { columns, picks, resolve, version: seen, strict } = input;
  const asMerge: MergeInput = { branch: input.branch, columns, picks, resolve, version: seen, strict };
  for (let tries = 1; ; tries++) {
    const branch = context.writable(input.branch);
    authorize(by, { what: 'change', world: branch, as: 'rebase' });
    context.parentOf(branch);
    guard.rebasing(branch);
    const made = planned(context, attemptSteps(context, asMerge, false), () => sharedRoots(context, asMerge), tries <= LOST_MAX, control);
    const attempt = made instanceof Promise ? await made : made;
    if (made instanceof Promise && !stillHolds(context, attempt)) continue;
    const { target, plan } = attempt;
    if (plan.conflicts.length > 0) throw conflictError(branch.name, target.name, plan.conflicts);
    if (made instanceof Promise) {
      authorize(by, { what: 'change', world: branch, as: 'rebase' });
      guard.rebasing(branch);
    }
    admitRows(by, branch, Object.keys(input.picks ?? {}).length);
    const rebased = countRows(plan.changes) + rowsOfDefinitions(context.engine.pager, target.root, plan.changes);
    const { sequence } = context.engine.commit({ type: 'rebased', changes: plan.changes }, branch.number, actorName(by));
    const { version } = branch;
    await context.engine.durable(sequence);
    return { ok: true, rebased, version };
  }
}

type UndoReply = { ok: true; parent: string; at: string; undone: number; skipped: number } & Pick<MergePreview, 'postgres'>;

export async function undoMerge(context: Context, input: UndoMergeInput, by: Principal, control: RunControl = {}): Promise<UndoReply> {
  await context.engine.admit();
  return commitUndo(context, () => undoing(context, input, by, control), input.skip_changed === true, control);
}

/** The world's latest merge and its undo against the current state. */
function undoing(context: Context, input: UndoMergeInput, by: Principal, control: RunControl): Undoing<Promise<UndoReply>> {
  const branch = mergedWorld(context, input.branch);
  const note = branch.merges.findLast(({ undone }) => !undone);
  if (branch.merges.length === 0) throw new SvcError('55000', `world "${branch.name}" was never merged`);
  if (note === undefined) throw new SvcError('55000', `the merge of world "${branch.name}" was undone already`);
  const target = context.state.worlds.byNumber(note.into);
  if (target === null) throw new SvcError('55000', `the world that "${branch.name}" was merged into is gone`);
  if (note.sequence < context.engine.log.first || note.sequence <= context.state.history.lastAtOrBefore(target.number, context.horizon)) {
    throw new SvcError('55000', `the merge of "${branch.name}" lies before the history that is kept`, { hint: 'See the setting history_retention.' });
  }
  authorize(by, { what: 'undo' });
  const merge = readMerge(context, note.sequence);
  const { pager } = context.engine;
  const now = context.state.worlds.share(target);
  const then = context.past.rootAt(target.number, note.sequence, now);
  const before = context.past.rootAt(target.number, (note.sequence - 1) as typeof note.sequence, now);
  const undoInput = {
    typed: context.typed,
    name: target.name,
    now,
    then,
    before,
    definitions: merge.changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [],
    // Fields of documents stay: later rows may use them, and an unused one does no harm.
    rows: merge.changes
      .filter(({ tree }) => tree !== CATALOG_TREE && tree !== SEQUENCE_TREE && tree !== EFFECT_TREE)
      .map(({ tree, numeric, rows }) => {
        const old = childRoot(pager, before, tree);
        return { tree, numeric, keys: [...rows].map(({ key }) => key), was: (key: Key) => rowIn(pager, old, key) };
      }),
  };
  return {
    world: target,
    version: target.version,
    input: undoInput,
    what: (rows) => `merged ${rows}`,
    async commit({ changes, skipped }) {
      authorize(by, { what: 'undo' });
      for (const { tree, numeric, rows } of merge.changes) {
        const pending = tree === EFFECT_TREE ? [...rows].flatMap((row) => rowChangeBack(pager, now, row)) : [];
        if (pending.length > 0) changes.push({ tree, numeric, rows: pending });
      }
      if (input.dry_run === true)
        return {
          ok: true,
          parent: target.name,
          at: formatMicros(context.engine.lastAt),
          undone: countRows(changes) + rowsOfDefinitions(pager, now, changes),
          skipped,
          ...wouldGoBack(context, target, changes),
          ...(await externalPreview(context, target, now, changes, control.signal)),
        };
      refuseUnmaskingChanges(context, by, target, changes);
      admitChanges(context, by, target, changes, context.state.attachment.source === null ? 'write' : 'undo');
      const baseChanges =
        branch.status === 'open' && countRows(merge.baseChanges) > 0 && holdsBaseChanges(branch, target, note.sequence)
          ? baseChangesBack(context, branch, target, merge.baseChanges)
          : [];
      const undone = countRows(changes) + rowsOfDefinitions(pager, now, changes);
      const eventOf = (over: ReadonlyMap<number, TreeChanges> = NOTHING_OVER): Undone => ({
        type: 'undone',
        branch: branch.number,
        merge: note.sequence,
        changes: over.size === 0 ? changes : changes.map((each) => over.get(each.tree) ?? each),
        baseChanges,
      });
      const { version } = target;
      let sequence: Sequence;
      if (context.external?.concerns(branch, target, changes) === true) {
        const written = await context.external.write({
          target,
          root: now,
          changes,
          by,
          ...(control.signal === undefined ? {} : { signal: control.signal }),
          held: null,
          keepLocks: false,
          holds: () => target.version === version && target.status === 'open' && context.state.worlds.byNumber(target.number) === target,
          event: (over) => {
            authorize(by, { what: 'undo' });
            return eventOf(over);
          },
        });
        // Planned again: Postgres had other rows, which main has now.
        if ('again' in written) return undoMerge(context, input, by, control);
        sequence = written.done;
      } else ({ sequence } = context.engine.commit(eventOf(), target.number, actorName(by)));
      await context.engine.durable(sequence);
      return { ok: true, parent: target.name, at: formatMicros(context.engine.lastAt), undone, skipped };
    },
  };
}

/** The world whose merge is to be undone: an ended one if a newer one of the name was never merged. */
function mergedWorld(context: Context, name: string): World {
  const named = context.find(name);
  if (named === null)
    throw new SvcError('3D000', `there is no world "${name.slice(0, 80)}"`, { hint: 'Name the world that was merged; its name works after it is gone.' });
  if (named.merges.length > 0 || named.name !== name) return named;
  const merged = context.state.worlds.endedNamed(name).filter(({ number, merges }) => number !== named.number && merges.some(({ undone }) => !undone));
  if (merged.length === 0) return named;
  const ids = merged.map(({ number, created }) => worldId(number, created));
  if (merged.length === 1) return context.find(ids[0])!;
  throw new SvcError('55000', `${merged.length} worlds named "${name}" were merged and are gone: ${ids.slice(-5).join(', ')}, the latest last`, {
    hint: 'Name the one that is meant by its id.',
    status: 409,
    data: { ids },
  });
}

/** The inverse of the merge's `baseChanges` for rows that are unchanged in the common base since. */
function baseChangesBack(context: Context, branch: World, target: World, baseChanges: TreeChanges[]): TreeChanges[] {
  const { pager } = context.engine;
  const [root] = context.state.worlds.common(branch, target).roots;
  return inverse(baseChanges).map(({ tree, numeric, rows }) => {
    const there = childRoot(pager, root, tree);
    return { tree, numeric, rows: [...rows].filter(({ key, before }) => (before === null) === (rowIn(pager, there, key) === null)) };
  });
}

/** Whether the common base still contains what the merge moved: a later full merge has replaced it. */
function holdsBaseChanges(branch: World, target: World, merge: World['merges'][number]['sequence']): boolean {
  for (const [child, parent] of [
    [branch, target],
    [target, branch],
  ]) {
    if (child.parent === parent.number) return Math.max(child.rebased, child.met?.at ?? 0) < merge;
  }
  return branch.met?.pairs?.includes(target.number) === true;
}

/** Effects that the merge brought are removed, if still present. */
function rowChangeBack(pager: Pager, root: Node, { key, before }: RowChange): RowChange[] {
  const now = rowIn(pager, childRoot(pager, root, EFFECT_TREE), key);
  return before === null && now !== null ? [rowChange(key, now, null, new ShapeTable())] : [];
}

function readMerge(context: Context, sequence: World['merges'][number]['sequence']): { changes: TreeChanges[]; baseChanges: TreeChanges[] } {
  for (const record of context.engine.log.read(sequence)) {
    const event = decodeEvent(record.type, record.version, record.payload);
    if (event.type === 'merged') return event;
    break;
  }
  throw new SvcError('XX001', `event ${sequence} should be a merge`);
}
