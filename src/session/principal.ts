/**
 * The authenticated identity of a caller, for every entrance. A principal is determined once per request or connection; its
 * rights are looked up at each statement, so that disabling an agent or changing its quotas takes effect at once.
 */
import type { AgentState } from '../events/agent.ts';
import type { AgentUsage } from './agent-usage.ts';

/** An agent, one object per id for the life of the process. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  /** The current state; null once it was dropped. */
  readonly state: AgentState | null;
  /** Its quota counters. */
  readonly usage: AgentUsage;
}

/** A role of SQL. Privileges decide about rows and tables; worlds and the server need a superuser. */
export interface RolePrincipal {
  readonly kind: 'role';
  readonly oid: number;
  readonly name: string;
  readonly superuser: boolean;
  /** May fork worlds, as CREATEDB allows creating databases in Postgres. */
  readonly createdb: boolean;
  /** Maximum number of sessions; -1: no limit. */
  readonly connectionLimit: number;
}

/** The database's own user, operated by a model: reads everything, forks, and changes only what this session forked. */
export interface SafePrincipal {
  readonly kind: 'safe';
  /** Numbers of the worlds. */
  readonly forked: Set<number>;
  /** Kept in the metadata of its worlds: the session, and the client's name once it has given it. */
  session?: string;
}

/** `masked`: reads masked columns masked whatever its rights, as a session that serves a model does; `whole`: reads them unmasked. */
export type Sight = 'masked' | 'whole';

export type Principal = { /** Where it is not as the kind says. */ readonly sight?: Sight } &
  /** The database's own user: a person at the shell, or with the server's token. */
  (
    | { readonly kind: 'owner' }
    /** Background workers. */
    | { readonly kind: 'system' }
    /** Clients without a token in safe mode. */
    | { readonly kind: 'guest' }
    | { readonly kind: 'agent'; readonly agent: Agent }
    | SafePrincipal
    | RolePrincipal
  );

export const OWNER: Principal = { kind: 'owner' };
export const SYSTEM: Principal = { kind: 'system' };
export const GUEST: Principal = { kind: 'guest' };

/** Names not allowed for agents. */
export const RESERVED_NAMES: readonly string[] = ['guest', 'system'];

/** The actor name in the log; '' is the database's own user. Agent names contain no colon. */
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

/** Owner of the worlds that it forks; null: the database's own user. */
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

/** Whether it may see passwords stored in plain text: not agents, the guest and models. */
export function seesSecrets({ kind, sight }: Principal): boolean {
  return sight === undefined ? kind !== 'agent' && kind !== 'guest' : sight === 'whole';
}

/** May do everything, including what later releases add. */
export function isOwnUser(principal: Principal): boolean {
  return principal.kind === 'owner' || principal.kind === 'system' || (principal.kind === 'role' && principal.superuser);
}
