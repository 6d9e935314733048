/** Statements about governed merges: policies, checks, readers, reviews, effects. The same commands as the operations, answered as rows. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Json, PolicyView } from '../../commands/contract.ts';
import { effectChanges } from '../../governance/effects.ts';
import type {
  AckOutbox,
  ClaimOutbox,
  CreateMergeCheck,
  CreateReader,
  DefineMergePolicy,
  DropMergeCheck,
  DropMergePolicy,
  DropReader,
  NotifyOnMerge,
  RetryOutbox,
  ReviewWorld,
  Rule,
  RuleValue,
  Show,
  ShowMergeOutcomes,
} from '../ast/world.ts';
import type { Query } from '../ast/query.ts';
import { atOf, durationOf } from './admin-statement.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { answer, answerOfFields } from './statement-columns.ts';

export type GovernanceStatement =
  | Show
  | DefineMergePolicy
  | DropMergePolicy
  | CreateMergeCheck
  | DropMergeCheck
  | ReviewWorld
  | ShowMergeOutcomes
  | CreateReader
  | DropReader
  | NotifyOnMerge
  | ClaimOutbox
  | AckOutbox
  | RetryOutbox;

export async function runGovernance(session: SqlSession, statement: GovernanceStatement): Promise<StatementResult> {
  const { commands } = session;
  const views = (command: string, list: readonly object[]): StatementResult => answerOfFields(session, statement, command, list);
  const policies = (command: string, list: readonly PolicyView[]): StatementResult =>
    views(
      command,
      list.map((view) => ({ ...view, max_age: view.max_age === null ? null : String(view.max_age) })),
    );
  switch (statement.type) {
    case 'showMergePolicies':
      session.preventInTransactionBlock('SHOW MERGE POLICIES');
      return policies('SHOW', (await commands.merge_policies(atOf(statement))).policies);
    case 'createMergePolicy':
    case 'alterMergePolicy': {
      const command = statement.type === 'createMergePolicy' ? 'CREATE MERGE POLICY' : 'ALTER MERGE POLICY';
      session.preventInTransactionBlock(command);
      const view = await commands.set_merge_policy({ name: statement.name, rules: rulesOf(statement.rules), create: statement.type === 'createMergePolicy' });
      return policies(command, [view]);
    }
    case 'dropMergePolicy':
      session.preventInTransactionBlock('DROP MERGE POLICY');
      await commands.drop_merge_policy({ name: statement.name, ...(statement.releaseAgents ? { release_agents: true } : {}) });
      return done('DROP MERGE POLICY');
    case 'showMergeChecks':
      session.preventInTransactionBlock('SHOW MERGE CHECKS');
      return views('SHOW', (await commands.merge_checks(atOf(statement))).checks);
    case 'createMergeCheck': {
      session.preventInTransactionBlock('CREATE MERGE CHECK');
      const { name, tables, timeoutMs, queryText, replaces } = statement;
      const view = await commands.set_merge_check({
        name,
        query: queryText,
        tables,
        ...(timeoutMs === null ? {} : { timeout_ms: timeoutMs }),
        ...(replaces === true ? {} : { create: true }),
      });
      return views('CREATE MERGE CHECK', [view]);
    }
    case 'dropMergeCheck':
      session.preventInTransactionBlock('DROP MERGE CHECK');
      await commands.drop_merge_check({ name: statement.name });
      return done('DROP MERGE CHECK');
    case 'showReaders':
      session.preventInTransactionBlock('SHOW READERS');
      return views('SHOW', (await commands.readers(atOf(statement))).readers);
    case 'createReader': {
      session.preventInTransactionBlock('CREATE READER');
      const { name, table, columns, kind, critical, detail } = statement;
      const view = await commands.set_reader({
        name,
        table,
        columns,
        critical,
        ...(kind === null ? {} : { kind }),
        ...(detail === null ? {} : { detail }),
        create: true,
      });
      return views('CREATE READER', [view]);
    }
    case 'dropReader':
      session.preventInTransactionBlock('DROP READER');
      await commands.drop_reader({ name: statement.name });
      return done('DROP READER');
    case 'showReviews': {
      session.preventInTransactionBlock('SHOW REVIEWS');
      const { reviews } = await session.controlled((control) => commands.reviews(atOf(statement), control));
      return views('SHOW', reviews);
    }
    case 'reviewWorld': {
      session.preventInTransactionBlock('REVIEW WORLD');
      const { name, verdict, reason, confirmDeletes } = statement;
      const { merged } = await commands.review({
        branch: name,
        verdict,
        ...(reason === null ? {} : { reason }),
        ...(confirmDeletes === null ? {} : { confirm_deletes: confirmDeletes }),
      });
      return answer(session, statement, 'REVIEW WORLD', [[name, verdict, merged ?? null]]);
    }
    case 'showMergeOutcomes': {
      session.preventInTransactionBlock('SHOW MERGE OUTCOMES');
      const { outcomes } = await commands.merge_outcomes({ ...(statement.byPolicy ? { by: 'policy' } : {}), ...atOf(statement) });
      return views('SHOW', outcomes);
    }
    case 'notifyOnMerge': {
      const world = session.writable('NOTIFY ON MERGE');
      session.startStatement();
      const payload = statement.payload === null ? null : await payloadOf(session, statement.payload);
      const { changes } = effectChanges(world, statement.channel, payload, session.principal, session.host.context.engine.clock.nowMicros());
      session.begin().write(changes);
      return done('NOTIFY ON MERGE');
    }
    case 'claimOutbox': {
      session.preventInTransactionBlock('CLAIM OUTBOX');
      const { channel, limit, for: length } = statement;
      const { effects } = await commands.claim_outbox({
        ...(channel === null ? {} : { channel }),
        ...(limit === null ? {} : { limit }),
        ...(length === null ? {} : { for_ms: durationOf(length) }),
      });
      return views('CLAIM OUTBOX', effects);
    }
    case 'ackOutbox':
      session.preventInTransactionBlock('ACK OUTBOX');
      await commands.ack_outbox({ id: statement.id });
      return done('ACK OUTBOX');
    case 'retryOutbox':
      session.preventInTransactionBlock('RETRY OUTBOX');
      await commands.retry_outbox({
        id: statement.id,
        ...(statement.after === null ? {} : { after_ms: durationOf(statement.after) }),
        ...(statement.error === null ? {} : { error: statement.error.value }),
      });
      return done('RETRY OUTBOX');
    default:
      throw new SvcError('XX000', `${statement.type} is no statement about merges`);
  }
}

/** The value of an expression as JSON, read in the session's world. */
async function payloadOf(session: SqlSession, expression: NotifyOnMerge['payload']): Promise<Json> {
  const query: Query = { type: 'values', rows: [[expression!]], with: null, orderBy: [], limit: null, withTies: false, offset: null, locking: [], at: 0 };
  const { columns, rows } = await session.runQuery(query, []);
  const value = rows[0][0];
  return value === null ? null : (columns![0].type.json(value, session.env) as Json);
}

function rulesOf(rules: readonly Rule[]): { [rule: string]: Json } {
  return Object.fromEntries(rules.map(({ name, value }) => [name, ruleJson(value)]));
}

/** A bare word is text: the name of a table, a column, an agent. */
export function ruleJson(value: RuleValue): Json {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
      return value.value;
    case 'number':
      return Number(value.text);
    case 'string':
      return value.value;
    case 'interval':
      return value.text;
    case 'name':
      return value.name;
    case 'list':
      return value.values.map(ruleJson);
  }
}
