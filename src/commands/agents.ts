/**
 * Agents: create, alter, drop, list, audit. An agent belongs to the database, not to a world. Its token is shown once; the
 * log stores a hash and a SCRAM verifier.
 */
import { randomBytes } from 'node:crypto';
import type { Micros, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { type AgentState, QUOTAS, type Quotas } from '../events/agent.ts';
import { authorize } from '../session/authorize.ts';
import { CAPABILITIES, USUAL_CAPABILITIES } from '../session/capability.ts';
import { actorName, type Principal, RESERVED_NAMES } from '../session/principal.ts';
import { agentId, scramVerifier, tokenHash, tokenOf } from '../session/token.ts';
import type { Context } from '../worlds/context.ts';
import { boundsOf, eventId, nextPage } from './event-bounds.ts';
import type { AgentInput, AgentsInput, AgentView, AlterAgentInput, AuditInput, AuditReply } from './contract.ts';

const NO_QUOTAS: Quotas = {
  max_worlds: 0,
  max_changes: 0,
  writes_per_minute: 0,
  world_ttl: 0,
  max_query_ms: 0,
  max_concurrent: 0,
  max_memory_mb: 0,
  max_idle_ms: 0,
};

export async function createAgent(context: Context, input: AgentInput, by: Principal): Promise<{ agent: AgentView; token: string }> {
  authorize(by, { what: 'admin', as: 'create agents' });
  const { name } = input;
  checkAgentName(name);
  const { agents } = context.state;
  if (agents.byName(name) !== null) throw new SvcError('42710', `there is an agent "${name}" already`, { hint: 'Take another name.' });
  // A name has one kind of login: an agent's token or a role's password.
  if (context.state.roles.current.byName(name) !== null) throw new SvcError('42710', `there is a role "${name}" already`, { hint: 'Take another name.' });
  const owned = context.state.worlds.ownedCount(name);
  if (owned > 0) {
    throw new SvcError('22023', `the dropped agent "${name}" still owns ${owned} world${owned === 1 ? '' : 's'}`, {
      hint: 'Take another name, or merge or discard those worlds first.',
    });
  }
  const token = tokenOf(randomBytes(32));
  const agent: AgentState = {
    id: agentId(token),
    name,
    tokenHash: tokenHash(token),
    scram: scramVerifier(token, randomBytes(16)),
    can: capabilities(input.can ?? USUAL_CAPABILITIES),
    quotas: quotas(NO_QUOTAS, input),
    policy: policy(context, input.policy ?? null),
    disabled: false,
    created: context.engine.clock.nowMicros(),
  };
  const { sequence } = context.engine.commit({ type: 'agentChanged', agent }, 0 as WorldNumber, actorName(by));
  await context.engine.durable(sequence);
  return { agent: view(agent), token };
}

export async function alterAgent(context: Context, input: AlterAgentInput, by: Principal): Promise<{ agent: AgentView }> {
  authorize(by, { what: 'admin', as: 'alter agents' });
  const before = known(context, input.name);
  const agent: AgentState = {
    ...before,
    can: input.can === undefined ? before.can : capabilities(input.can),
    quotas: quotas(before.quotas, input),
    policy: input.policy === undefined ? before.policy : policy(context, input.policy),
    disabled: input.disabled ?? before.disabled,
  };
  const { sequence } = context.engine.commit({ type: 'agentChanged', agent }, 0 as WorldNumber, actorName(by));
  await context.engine.durable(sequence);
  return { agent: view(agent) };
}

export async function dropAgent(context: Context, input: { name: string }, by: Principal): Promise<{ ok: true }> {
  authorize(by, { what: 'admin', as: 'drop agents' });
  known(context, input.name);
  const { sequence } = context.engine.commit({ type: 'agentDropped', name: input.name }, 0 as WorldNumber, actorName(by));
  await context.engine.durable(sequence);
  return { ok: true };
}

export async function listAgents(context: Context, { at }: AgentsInput = {}): Promise<{ agents: AgentView[] }> {
  if (at !== undefined) return { agents: (await context.stateAt(at)).state.agents.list().map(view) };
  const agents = context.state.agents.list().map(view);
  await context.engine.durable(context.engine.log.head);
  return { agents };
}

export async function listAudit(context: Context, input: AuditInput): Promise<AuditReply> {
  const limit = input.limit ?? 100;
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMITS.auditLimitMax)
    throw new SvcError('22023', `limit must be an integer from 0 to ${LIMITS.auditLimitMax}`);
  const bounds = boundsOf(input, context);
  const { worlds } = context.state;
  const nameOf = (number: WorldNumber): string => (worlds.byNumber(number) ?? worlds.endedByNumber(number))?.name ?? '';
  const found = context.state.audit.list(input.agent ?? null, limit + 1, bounds);
  const events = found.slice(0, limit).map(({ sequence, at, actor, world, action, other, rows }) => ({
    id: eventId(sequence),
    at: formatMicros(at),
    agent: actor,
    world: nameOf(world),
    action: other === 0 ? action : `${action} ${nameOf(other)}`,
    rows,
  }));
  await context.engine.durable(context.engine.log.head);
  return { events, next: nextPage(events, found.length > limit) };
}

export function checkAgentName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,256}$/.test(name)) {
    throw new SvcError('22023', `"${String(name).slice(0, 64)}" cannot be an agent's name`, { hint: 'Use letters, digits, `_` and `-`.' });
  }
  if (RESERVED_NAMES.includes(name)) throw new SvcError('22023', `the name "${name}" is reserved`, { hint: 'Take another name.' });
}

function known(context: Context, name: string): AgentState {
  const agent = context.state.agents.byName(name);
  if (agent === null) throw new SvcError('42704', `there is no agent "${String(name).slice(0, 64)}"`, { hint: 'SHOW AGENTS lists them.' });
  return agent;
}

function capabilities(given: readonly string[]): readonly string[] {
  if (!Array.isArray(given)) throw new SvcError('22023', '`can` must be a list of capabilities');
  for (const each of given) {
    if (!(CAPABILITIES as readonly unknown[]).includes(each)) {
      throw new SvcError('22023', `there is no capability "${String(each).slice(0, 64)}"`, { hint: `There are ${CAPABILITIES.join(', ')}.` });
    }
  }
  return CAPABILITIES.filter((each) => given.includes(each));
}

function quotas(before: Quotas, given: Partial<Quotas>): Quotas {
  const out = { ...before };
  for (const name of QUOTAS) {
    const value = given[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 0 || value > LIMITS.quotaMax)
      throw new SvcError('22023', `${name} must be a whole number of 0 or more; 0 is off`);
    out[name] = value;
  }
  return out;
}

function policy(context: Context, name: string | null): string | null {
  if (name !== null && context.state.governance.named('policy', name) === null)
    throw new SvcError('42704', `there is no merge policy "${String(name).slice(0, 64)}"`, { hint: 'SHOW MERGE POLICIES lists them.' });
  return name;
}

function view({ id, name, can, quotas: limits, policy: merges, disabled, created }: AgentState): AgentView {
  return { name, id, can: [...can], ...limits, policy: merges, disabled, created: formatMicros(created as Micros) };
}
