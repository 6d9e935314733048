/**
 * The one place where rights are checked, for every entrance: commands call it once they have resolved their worlds, in the
 * tick in which they commit; SQL sessions call it for each statement. 42501 (403) for what the principal may not do.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { type Capability, USUAL_CAPABILITIES } from './capability.ts';
import { actorName, describe, type Principal } from './principal.ts';

/** The facts about a world that rights depend on. */
export interface WorldFacts {
  readonly name: string;
  readonly parent: number;
  readonly owner: string | null;
  readonly number?: number;
}

export type Need =
  /** Reading worlds, including their past. */
  | { readonly what: 'read' }
  /** Rows, tables, metadata, named checkpoints; discarding. `as`: wording for the refusal. */
  | { readonly what: 'change'; readonly world: WorldFacts; readonly as?: string }
  | { readonly what: 'fork'; readonly world: WorldFacts; readonly past: boolean }
  /** Creating a world without a parent. */
  | { readonly what: 'create'; readonly world: string }
  | { readonly what: 'merge'; readonly branch: WorldFacts; readonly into: WorldFacts; readonly isParent: boolean }
  | { readonly what: 'restore'; readonly world: WorldFacts }
  /** Undoing merges, or an agent's changes. */
  | { readonly what: 'undo' }
  /** Simulating from a past moment. */
  | { readonly what: 'simulatePast' }
  | { readonly what: 'outbox' }
  /** Agents, settings, backup, verify, pinning. `as`: wording for the refusal. */
  | { readonly what: 'admin'; readonly as: string };

export const READ: Need = { what: 'read' };

export function isMain(world: WorldFacts): boolean {
  return world.parent === 0 && world.name === 'main';
}

export function authorize(principal: Principal, need: Need): void {
  switch (principal.kind) {
    case 'owner':
    case 'system':
      return;
    case 'role':
      if (principal.superuser) return;
      break;
    case 'agent':
      enabled(principal);
      break;
    default:
  }
  const missing = lacking(principal, need);
  if (missing === null) return;
  throw new SvcError('42501', `${describe(principal)} may not ${attempt(need)}: ${missing}`, { hint: hint(principal, need) });
}

/** 42501 if the principal is an agent that was disabled or dropped. */
export function enabled(principal: Principal): void {
  if (principal.kind !== 'agent') return;
  const { state } = principal.agent;
  if (state !== null && !state.disabled) return;
  throw new SvcError('42501', `agent "${principal.agent.name}" ${state === null ? 'was dropped' : 'is disabled'}`, {
    hint: 'Ask an administrator of the database.',
  });
}

export function may(principal: Principal, capability: Capability): boolean {
  switch (principal.kind) {
    case 'owner':
    case 'system':
      return true;
    case 'role':
      return principal.superuser || ROLE_CAPABILITIES.includes(capability) || (capability === 'fork' && principal.createdb);
    case 'guest':
    case 'safe':
      return USUAL_CAPABILITIES.includes(capability);
    case 'agent': {
      const can = principal.agent.state?.can;
      return can !== undefined && (can.includes(capability) || can.includes('admin'));
    }
  }
}

/** Privileges on tables decide the rest. */
const ROLE_CAPABILITIES: readonly Capability[] = ['read', 'write_own', 'write', 'write_main'];

/** What the principal lacks for `need`, or null. */
function lacking(principal: Principal, need: Need): string | null {
  const needs = (capability: Capability): string | null => (may(principal, capability) ? null : `it needs \`${capability}\``);
  switch (need.what) {
    case 'read':
      return needs('read');
    case 'change':
      return changing(principal, need.world);
    case 'fork':
      if (principal.kind === 'safe') return null;
      if (need.past) return needs('fork') ?? needs('admin');
      return needs('fork') ?? (isMain(need.world) ? null : changing(principal, need.world));
    case 'create':
      return principal.kind === 'safe' ? null : needs('fork');
    case 'merge':
      if (may(principal, 'merge')) return null;
      // The lesser rights, where they are enough.
      if (!may(principal, 'merge_own')) {
        if (!owns(principal, need.branch) || !need.isParent) return 'it needs `merge`';
        return isMain(need.into) && !may(principal, 'write_main') ? 'it needs `merge_own` and `write_main`, or `merge`' : 'it needs `merge_own` or `merge`';
      }
      if (!owns(principal, need.branch)) return 'it forked another world, and needs `merge`';
      if (!need.isParent) return 'into another world than the parent it needs `merge`';
      // The policy judges the merge.
      return isMain(need.into) ? needs('write_main') : changing(principal, need.into);
    case 'restore':
      return needs('restore') ?? changing(principal, need.world);
    case 'undo':
      return needs('restore') ?? needs('merge');
    case 'simulatePast':
      return needs('restore');
    case 'outbox':
      return needs('outbox');
    case 'admin':
      return needs('admin');
  }
}

function changing(principal: Principal, world: WorldFacts): string | null {
  if (isMain(world)) {
    if (!may(principal, 'write_main')) return 'it needs `write_main`';
    const policy = governedBy(principal);
    return policy === null ? null : `it is under the merge policy "${policy}", which lets it change main by merges alone`;
  }
  if (may(principal, 'write')) return null;
  if (!owns(principal, world)) return 'it did not fork that world, and needs `write`';
  return may(principal, 'write_own') ? null : 'it needs `write_own`';
}

/**
 * The agent's merge policy; null: none. For an agent with `admin` it is null, because it could replace the policy; its
 * changes to main go through merges, where the policy applies.
 */
export function governedBy(principal: Principal): string | null {
  if (principal.kind !== 'agent') return null;
  const { state } = principal.agent;
  return state === null || state.can.includes('admin') ? null : state.policy;
}

export function owns(principal: Principal, world: WorldFacts): boolean {
  if (principal.kind === 'safe') return world.number !== undefined && principal.forked.has(world.number);
  return world.owner !== null && (principal.kind === 'agent' || principal.kind === 'guest') && world.owner === actorName(principal);
}

function attempt(need: Need): string {
  switch (need.what) {
    case 'read':
      return 'read';
    case 'change':
      return `${need.as ?? 'change'} world "${need.world.name}"`;
    case 'fork':
      return need.past ? `fork the past of world "${need.world.name}"` : `fork world "${need.world.name}"`;
    case 'create':
      return `create world "${need.world}"`;
    case 'merge':
      return `merge world "${need.branch.name}" into "${need.into.name}"`;
    case 'restore':
      return `restore world "${need.world.name}"`;
    case 'undo':
      return 'undo merges';
    case 'simulatePast':
      return 'simulate from a past moment';
    case 'outbox':
      return 'work on the outbox';
    case 'admin':
      return need.as;
  }
}

function hint(principal: Principal, need: Need): string {
  if ((need.what === 'change' || need.what === 'restore') && isMain(need.world) && governedBy(principal) !== null) {
    return 'Fork a world, change that, and merge it: what the policy allows goes through, the rest waits for a person.';
  }
  // A fork helps to change rows and definitions, not to discard or rebase another world.
  const isOfContent = need.what === 'change' && (need.as === undefined || need.as === 'name a checkpoint of');
  if (principal.kind === 'safe' || principal.kind === 'guest') {
    if (isOfContent) return 'Call fork first and pass its name as `branch`.';
    if (need.what === 'change') return `Only worlds that ${principal.kind === 'safe' ? 'this session' : 'the guest'} forked. Ask a person for others.`;
  }
  if (isOfContent && may(principal, 'fork') && principal.kind !== 'role') return 'Fork a world of your own and change that.';
  if (need.what === 'merge') return 'Ask a person, or an agent that may merge, to merge it.';
  return 'Ask an administrator of the database.';
}
