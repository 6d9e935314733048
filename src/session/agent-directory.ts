/** Agents as principals: one live object per id, over the current agent states. */
import type { AgentState } from '../events/agent.ts';
import { AgentUsage } from './agent-usage.ts';
import type { Agent, Principal } from './principal.ts';
import { isAgentToken, tokenHash } from './token.ts';

/** The source of states: the agents projection. */
export interface AgentStates {
  /** Incremented with each change; omitted if states never change. */
  readonly changes?: number;
  /** Agents that are not dropped. */
  byName(name: string): AgentState | null;
  byTokenHash(hash: string): AgentState | null;
  /** Includes dropped ones, until another takes the name; omitted if none is ever dropped. */
  lastByName?(name: string): AgentState | null;
}

type AgentPrincipal = Extract<Principal, { kind: 'agent' }>;

class LiveAgent implements Agent {
  readonly id: string;
  readonly name: string;
  readonly usage = new AgentUsage();
  readonly #states: () => AgentStates;

  constructor({ id, name }: AgentState, states: () => AgentStates) {
    this.id = id;
    this.name = name;
    this.#states = states;
  }

  get state(): AgentState | null {
    const states = this.#states();
    if (states === this.#of && states.changes === this.#changes && this.#changes !== undefined) return this.#state;
    const now = states.byName(this.name);
    this.#of = states;
    this.#changes = states.changes;
    // A later agent of the same name is another agent.
    this.#state = now !== null && now.id === this.id ? now : null;
    return this.#state;
  }
  /** The last state looked up; it is needed many times per statement. */
  #state: AgentState | null = null;
  #of: AgentStates | null = null;
  #changes: number | undefined;
}

export class AgentDirectory {
  /** A function, because states are rebuilt after a failed write. */
  readonly #states: () => AgentStates;
  readonly #principals = new Map<string, AgentPrincipal>();

  constructor(states: () => AgentStates) {
    this.#states = states;
  }

  /** Includes disabled ones; null for an unknown or dropped one. */
  byName(name: string): AgentPrincipal | null {
    const state = this.#states().byName(name);
    return state === null ? null : this.#of(state);
  }

  /** Whether the name was that of a dropped agent and is unused now. */
  wasDropped(name: string): boolean {
    const states = this.#states();
    return states.byName(name) === null && (states.lastByName?.(name) ?? null) !== null;
  }

  /** The enabled agent with this token. */
  byToken(token: string): AgentPrincipal | null {
    if (!isAgentToken(token)) return null;
    const state = this.#states().byTokenHash(tokenHash(token));
    return state === null || state.disabled ? null : this.#of(state);
  }

  #of(state: AgentState): AgentPrincipal {
    let known = this.#principals.get(state.id);
    if (known === undefined) {
      known = { kind: 'agent', agent: new LiveAgent(state, this.#states) };
      this.#principals.set(state.id, known);
    }
    return known;
  }
}
