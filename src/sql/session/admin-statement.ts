/** Statements about the database as a whole: agents, the audit, settings. */
import { parseDurationMs } from '../../base/duration.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AgentInput, AgentQuotas, AgentView, AlterAgentInput } from '../../commands/contract.ts';
import { SYSTEM_SETTINGS } from '../../worlds/system-settings.ts';
import type { SetDefault } from '../ast/session.ts';
import type { AlterSystem, BackupTo, DefineAgent, DropAgent, Duration, Rule, Show, ShowAudit, Text, UndoAgent } from '../ast/world.ts';
import { done, type StatementResult } from './results.ts';
import { setSessionDefault } from './session-defaults.ts';
import { settingText } from './set-show.ts';
import type { SqlSession } from './sql-session.ts';
import { answer } from './statement-columns.ts';
import { undoneByTable } from './undone-by-table.ts';

type AdminStatement = DefineAgent | DropAgent | ShowAudit | UndoAgent | AlterSystem | BackupTo | (Show & { type: 'showAgents' });

export async function runAdmin(session: SqlSession, statement: AdminStatement): Promise<StatementResult> {
  const { commands } = session;
  switch (statement.type) {
    case 'createAgent': {
      session.preventInTransactionBlock('CREATE AGENT');
      const { agent, token } = await commands.create_agent(agentInput(statement));
      session.administered?.('CREATE AGENT', agent.name);
      return answer(session, statement, 'CREATE AGENT', [[agent.name, agent.id, token]]);
    }
    case 'alterAgent': {
      session.preventInTransactionBlock('ALTER AGENT');
      const input: AlterAgentInput = { ...agentInput(statement), ...(statement.disabled === null ? {} : { disabled: statement.disabled }) };
      const { agent } = await commands.alter_agent(input);
      session.administered?.('ALTER AGENT', agent.name);
      return agents(session, statement, 'ALTER AGENT', [agent]);
    }
    case 'dropAgent':
      session.preventInTransactionBlock('DROP AGENT');
      await commands.drop_agent({ name: statement.name });
      session.administered?.('DROP AGENT', statement.name);
      return done('DROP AGENT');
    case 'showAgents':
      session.preventInTransactionBlock('SHOW AGENTS');
      return agents(session, statement, 'SHOW', (await commands.show_agents(atOf(statement))).agents);
    case 'showAudit': {
      session.preventInTransactionBlock('SHOW AUDIT');
      const { events } = await commands.show_audit({
        ...(statement.agent === null ? {} : { agent: statement.agent }),
        ...(statement.limit === null ? {} : { limit: statement.limit }),
        ...(statement.before === null ? {} : { before: statement.before }),
        ...(statement.after === null ? {} : { after: statement.after }),
      });
      return answer(
        session,
        statement,
        'SHOW',
        events.map(({ id, at, agent, world, action, rows }) => [at, agent, world, action, rows, id]),
      );
    }
    case 'undoAgent': {
      session.preventInTransactionBlock('UNDO AGENT');
      const reply = await commands.undo_agent({
        branch: session.branch,
        name: statement.name,
        skip_changed: statement.skipChanged,
        dry_run: statement.dryRun,
        ...(statement.since === null ? {} : { since: statement.since.value }),
      });
      if (statement.dryRun) return answer(session, statement, 'UNDO AGENT', undoneByTable(reply));
      return answer(session, statement, 'UNDO AGENT', [[reply.world, reply.undone, reply.skipped]]);
    }
    case 'backup': {
      session.preventInTransactionBlock('BACKUP');
      const { files, bytes } = await session.controlled((control) => commands.backup({ to: statement.to.value }, control));
      session.administered?.('BACKUP', statement.to.value);
      return answer(session, statement, 'BACKUP', [[files, bytes]]);
    }
    case 'alterSystem':
      return alterSystem(session, statement);
  }
}

async function alterSystem(session: SqlSession, { action, at }: AlterSystem): Promise<StatementResult> {
  session.preventInTransactionBlock('ALTER SYSTEM');
  const { commands } = session;
  if (action.kind === 'reset' && action.name === null) {
    for (const name of Object.keys(SYSTEM_SETTINGS)) await commands.set_setting({ name, value: null });
    setSessionDefault(session, { type: 'setDefault', database: null, role: null, setting: { type: 'reset', name: null, at }, at });
    session.administered?.('ALTER SYSTEM', 'ALL');
    return done('ALTER SYSTEM');
  }
  const name = action.name!.toLowerCase();
  if (!Object.hasOwn(SYSTEM_SETTINGS, name)) {
    if (session.settings.get(name) === undefined) throw new SvcError('42704', `unrecognized configuration parameter "${action.name}"`, { position: at + 1 });
    // Settings of sessions: as in Postgres, the initial value of new ones.
    const setting: SetDefault['setting'] =
      action.kind === 'reset' ? { type: 'reset', name, at } : { type: 'set', name, values: action.values, fromCurrent: false, local: false, at };
    setSessionDefault(session, { type: 'setDefault', database: null, role: null, setting, at });
    session.administered?.('ALTER SYSTEM', name);
    return done('ALTER SYSTEM');
  }
  await commands.set_setting({ name, value: action.kind === 'reset' || action.values === null ? null : settingText(name, action.values) });
  session.administered?.('ALTER SYSTEM', name);
  return done('ALTER SYSTEM');
}

const QUOTAS: Record<keyof AgentQuotas, 'count' | 'duration'> = {
  max_worlds: 'count',
  max_changes: 'count',
  writes_per_minute: 'count',
  world_ttl: 'duration',
  max_query_ms: 'duration',
  max_concurrent: 'count',
  max_memory_mb: 'count',
  max_idle_ms: 'duration',
};

function agentInput({ name, can, settings, policy }: DefineAgent): AgentInput {
  const input: AgentInput = { name };
  if (can !== null) input.can = can;
  for (const rule of settings) input[quotaName(rule)] = quotaValue(rule, QUOTAS[quotaName(rule)]);
  if (policy !== null) input.policy = policy.kind === 'none' ? null : policy.name;
  return input;
}

function quotaName({ name, at }: Rule): keyof AgentQuotas {
  if (!Object.hasOwn(QUOTAS, name)) {
    throw new SvcError('22023', `there is no quota "${name}"`, { hint: `There are ${Object.keys(QUOTAS).join(', ')}.`, position: at + 1 });
  }
  return name as keyof AgentQuotas;
}

/** null means off, as 0 does. */
function quotaValue({ name, value }: Rule, kind: 'count' | 'duration'): number {
  if (value.kind === 'null') return 0;
  const text = value.kind === 'number' || value.kind === 'interval' ? value.text : value.kind === 'string' ? value.value : '';
  const number = kind === 'duration' ? parseDurationMs(text) : /^\d+$/.test(text) ? Number(text) : null;
  if (number !== null && Number.isSafeInteger(number)) return number;
  throw new SvcError('22023', `invalid value for quota "${name}"`, {
    hint: kind === 'duration' ? "It takes milliseconds or a length of time like '1h' or '30 days'." : 'It takes a whole number of 0 or more.',
    position: value.at + 1,
  });
}

/** The duration of ALTER WORLD … SET TTL. 22023 if it is invalid. */
/** The moment of `AS OF 'moment'`, as operations take it. */
export function atOf({ asOf }: { readonly asOf: Text | null }): { at?: string } {
  return asOf === null ? {} : { at: asOf.value };
}

export function durationOf({ text, milliseconds, at }: Duration): number {
  const ms = milliseconds ?? parseDurationMs(text);
  if (ms === null)
    throw new SvcError('22023', `"${text.slice(0, 80)}" is no length of time`, { hint: "Write milliseconds, '1h' or '30 days'.", position: at + 1 });
  return ms;
}

function agents(session: SqlSession, statement: AdminStatement, command: string, list: readonly AgentView[]): StatementResult {
  return answer(
    session,
    statement,
    command,
    list.map((agent) => [
      agent.name,
      agent.id,
      agent.can,
      { max_worlds: agent.max_worlds, max_changes: agent.max_changes, writes_per_minute: agent.writes_per_minute },
      agent.world_ttl,
      agent.created,
      agent.disabled,
      { max_query_ms: agent.max_query_ms, max_concurrent: agent.max_concurrent, max_memory_mb: agent.max_memory_mb, max_idle_ms: agent.max_idle_ms },
    ]),
  );
}
