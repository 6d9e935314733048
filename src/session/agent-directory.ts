/** Agents as principals: one live object for each id, over whatever holds their states now. */
import type { AgentState } from '../events/agent.ts';
import { AgentUsage } from './agent-usage.ts';
import type { Agent, Principal } from './principal.ts';
import { isAgentToken, tokenHash } from './token.ts';

/** What holds the states: the agents projection. */
export interface AgentStates {
  /** Rises with each change; left out where states never change. */
  readonly changes?: number;
  /** Agents that were not dropped. */
  byName(name: string): AgentState | null;
  byTokenHash(hash: string): AgentState | null;
  /** Also a dropped one, until another takes its name; left out where none is ever dropped. */
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
    // A later agent of the same name is another one.
    this.#state = now !== null && now.id === this.id ? now : null;
    return this.#state;
  }
  /** The state as it was looked up last, asked for many times a statement. */
  #state: AgentState | null = null;
  #of: AgentStates | null = null;
  #changes: number | undefined;
}

export class AgentDirectory {
  /** Asked each time: after a failed write the states are made anew. */
  readonly #states: () => AgentStates;
  readonly #principals = new Map<string, AgentPrincipal>();

  constructor(states: () => AgentStates) {
    this.#states = states;
  }

  /** Also where it is disabled; null for an unknown or dropped one. */
  byName(name: string): AgentPrincipal | null {
    const state = this.#states().byName(name);
    return state === null ? null : this.#of(state);
  }

  /** Whether the name was an agent's, and is nobody's now. */
  wasDropped(name: string): boolean {
    const states = this.#states();
    return states.byName(name) === null && (states.lastByName?.(name) ?? null) !== null;
  }

  /** The enabled agent that the token belongs to. */
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
