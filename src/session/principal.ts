/**
 * Who asks, whatever the entrance. A principal is known once, when a request or a connection is let in; what it may is
 * looked up anew at each statement, so that disabling an agent or changing its quotas acts at once.
 */
import type { AgentState } from '../events/agent.ts';
import type { AgentUsage } from './agent-usage.ts';

/** An agent as long as the process lives: one object for each id. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  /** As it is now; null once it was dropped. */
  readonly state: AgentState | null;
  /** What its quotas count in memory. */
  readonly usage: AgentUsage;
}

/** A role of SQL. What it may to rows and tables its privileges say; worlds and the server belong to superusers. */
export interface RolePrincipal {
  readonly kind: 'role';
  readonly oid: number;
  readonly name: string;
  readonly superuser: boolean;
  /** May fork worlds, as CREATEDB lets a role of Postgres make databases. */
  readonly createdb: boolean;
  /** Sessions at once; -1: no limit. */
  readonly connectionLimit: number;
}

/** The database's own user with a model at the keyboard: reads everything, forks, and changes only what this session forked. */
export interface SafePrincipal {
  readonly kind: 'safe';
  /** Numbers of the worlds. */
  readonly forked: Set<number>;
}

/** `masked`: reads masked columns masked whatever its rights, as a session that serves a model does; `whole`: sees what they hold. */
export type Sight = 'masked' | 'whole';

export type Principal = { /** Where it is not as the kind says. */ readonly sight?: Sight } &
  /** The database's own user: a person at the shell, or with the server's token. */
  (
    | { readonly kind: 'owner' }
    /** Background workers. */
    | { readonly kind: 'system' }
    /** Everybody without a token under safe mode. */
    | { readonly kind: 'guest' }
    | { readonly kind: 'agent'; readonly agent: Agent }
    | SafePrincipal
    | RolePrincipal
  );

export const OWNER: Principal = { kind: 'owner' };
export const SYSTEM: Principal = { kind: 'system' };
export const GUEST: Principal = { kind: 'guest' };

/** Names that no agent can have. */
export const RESERVED_NAMES: readonly string[] = ['guest', 'system'];

/** How the log names who did it; '' is the database's own user. No agent's name holds a colon. */
export function actorName(principal: Principal): string {
  switch (principal.kind) {
    case 'owner':
    case 'safe':
      return '';
    case 'system':
      return 'system';
    case 'guest':
      return 'guest';
    case 'agent':
      return principal.agent.name;
    case 'role':
      return `role:${principal.name}`;
  }
}

/** Whom the worlds belong to that it forks; null: the database's own user. */
export function ownerName(principal: Principal): string | null {
  if (principal.kind === 'guest') return 'guest';
  return principal.kind === 'agent' ? principal.agent.name : null;
}

/** For messages. */
export function describe(principal: Principal): string {
  switch (principal.kind) {
    case 'owner':
      return "the database's own user";
    case 'safe':
      return 'a session in safe mode';
    case 'system':
      return 'the system';
    case 'guest':
      return 'the guest';
    case 'agent':
      return `agent "${principal.agent.name}"`;
    case 'role':
      return `role "${principal.name}"`;
  }
}

/** Whether it is told passwords that are kept as they were given: not agents, the guest and models. */
export function seesSecrets({ kind, sight }: Principal): boolean {
  return sight === undefined ? kind !== 'agent' && kind !== 'guest' : sight === 'whole';
}

/** Everything is allowed, whatever a later release adds. */
export function isOwnUser(principal: Principal): boolean {
  return principal.kind === 'owner' || principal.kind === 'system' || (principal.kind === 'role' && principal.superuser);
}
