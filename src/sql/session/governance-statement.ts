/** Statements about governed merges: policies, checks, readers, reviews, effects. The same commands as the operations, answered as rows. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CheckView, Json, PolicyView, ReaderView } from '../../commands/contract.ts';
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
import { durationOf } from './admin-statement.ts';
import { done, type StatementResult } from './results.ts';
import { type ColumnKind, table } from './result-table.ts';
import type { SqlSession } from './sql-session.ts';

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

type Columns = readonly (readonly [string, ColumnKind])[];

const POLICY: Columns = [
  ['name', 'text'],
  ['max_rows', 'int8'],
  ['max_deletes', 'int8'],
  ['tables', 'jsonb'],
  ['review_tables', 'jsonb'],
  ['schema', 'bool'],
  ['overwrite', 'bool'],
  ['created', 'timestamptz'],
  ['rows_per_hour', 'int8'],
  ['deletes_per_hour', 'int8'],
  ['max_age', 'text'],
  ['review_columns', 'jsonb'],
  ['critical', 'bool'],
  ['check_reads', 'bool'],
  ['require_scope', 'bool'],
  ['strict', 'bool'],
  ['confirm_deletes_over', 'int8'],
  ['reviewer', 'text'],
];
const CHECK: Columns = [
  ['name', 'text'],
  ['tables', 'jsonb'],
  ['timeout_ms', 'int8'],
  ['query', 'text'],
  ['created', 'timestamptz'],
];
const READER: Columns = [
  ['name', 'text'],
  ['table', 'text'],
  ['columns', 'jsonb'],
  ['kind', 'text'],
  ['critical', 'bool'],
  ['detail', 'text'],
  ['created', 'timestamptz'],
];
const REVIEW: Columns = [
  ['world', 'text'],
  ['owner', 'text'],
  ['policy', 'text'],
  ['reasons', 'jsonb'],
  ['asked', 'timestamptz'],
  ['version', 'int8'],
  ['changed_since', 'bool'],
  ['scope', 'jsonb'],
  ['changes', 'jsonb'],
  ['effects', 'jsonb'],
  ['verdict', 'text'],
  ['reason', 'text'],
  ['conflicts', 'int8'],
  ['definitions', 'jsonb'],
];
const EFFECT: Columns = [
  ['id', 'text'],
  ['channel', 'text'],
  ['payload', 'jsonb'],
  ['by', 'text'],
  ['queued', 'timestamptz'],
  ['attempts', 'int8'],
  ['until', 'timestamptz'],
];
const COUNTS = [
  'worlds',
  'on_rules',
  'no_policy',
  'approved',
  'rejected',
  'discarded',
  'open',
  'partly_merged',
  'before_window',
  'conflicts',
  'stale_reads',
  'check_refusals',
  'holds',
] as const;

export async function runGovernance(session: SqlSession, statement: GovernanceStatement): Promise<StatementResult> {
  const { commands } = session;
  const policy = (command: string, views: readonly PolicyView[]): StatementResult =>
    table(
      session,
      command,
      POLICY,
      views.map((view) => POLICY.map(([name]) => (name === 'max_age' && view.max_age !== null ? String(view.max_age) : view[name as keyof PolicyView]))),
    );
  const check = (command: string, views: readonly CheckView[]): StatementResult =>
    table(
      session,
      command,
      CHECK,
      views.map((view) => CHECK.map(([name]) => view[name as keyof CheckView])),
    );
  const reader = (command: string, views: readonly ReaderView[]): StatementResult =>
    table(
      session,
      command,
      READER,
      views.map((view) => READER.map(([name]) => view[name as keyof ReaderView])),
    );
  switch (statement.type) {
    case 'showMergePolicies':
      session.settle('SHOW MERGE POLICIES');
      return policy('SHOW', (await commands.merge_policies()).policies);
    case 'createMergePolicy':
    case 'alterMergePolicy': {
      const command = statement.type === 'createMergePolicy' ? 'CREATE MERGE POLICY' : 'ALTER MERGE POLICY';
      session.settle(command);
      const view = await commands.set_merge_policy({ name: statement.name, rules: rulesOf(statement.rules), create: statement.type === 'createMergePolicy' });
      return policy(command, [view]);
    }
    case 'dropMergePolicy':
      session.settle('DROP MERGE POLICY');
      await commands.drop_merge_policy({ name: statement.name, ...(statement.releaseAgents ? { release_agents: true } : {}) });
      return done('DROP MERGE POLICY');
    case 'showMergeChecks':
      session.settle('SHOW MERGE CHECKS');
      return check('SHOW', (await commands.merge_checks()).checks);
    case 'createMergeCheck': {
      session.settle('CREATE MERGE CHECK');
      const { name, tables, timeoutMs, queryText, replaces } = statement;
      const view = await commands.set_merge_check({
        name,
        query: queryText,
        tables,
        ...(timeoutMs === null ? {} : { timeout_ms: timeoutMs }),
        ...(replaces === true ? {} : { create: true }),
      });
      return check('CREATE MERGE CHECK', [view]);
    }
    case 'dropMergeCheck':
      session.settle('DROP MERGE CHECK');
      await commands.drop_merge_check({ name: statement.name });
      return done('DROP MERGE CHECK');
    case 'showReaders':
      session.settle('SHOW READERS');
      return reader('SHOW', (await commands.readers()).readers);
    case 'createReader': {
      session.settle('CREATE READER');
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
      return reader('CREATE READER', [view]);
    }
    case 'dropReader':
      session.settle('DROP READER');
      await commands.drop_reader({ name: statement.name });
      return done('DROP READER');
    case 'showReviews': {
      session.settle('SHOW REVIEWS');
      const { reviews } = await commands.reviews();
      return table(
        session,
        'SHOW',
        REVIEW,
        reviews.map((view) => REVIEW.map(([name]) => view[name as keyof typeof view])),
      );
    }
    case 'reviewWorld': {
      session.settle('REVIEW WORLD');
      const { name, verdict, reason } = statement;
      const { merged } = await commands.review({ branch: name, verdict, ...(reason === null ? {} : { reason }) });
      return table(
        session,
        'REVIEW WORLD',
        [
          ['world', 'text'],
          ['verdict', 'text'],
          ['merged', 'int8'],
        ],
        [[name, verdict, merged ?? null]],
      );
    }
    case 'showMergeOutcomes': {
      session.settle('SHOW MERGE OUTCOMES');
      const { outcomes } = await commands.merge_outcomes(statement.byPolicy ? { by: 'policy' } : {});
      const columns: Columns = [
        ...(statement.byPolicy ? [] : ([['agent', 'text']] as const)),
        ['policy', 'text'],
        ...COUNTS.map((name) => [name, 'int8'] as const),
        ['rules_rate', 'float8'],
      ];
      return table(
        session,
        'SHOW',
        columns,
        outcomes.map((row) => columns.map(([name]) => row[name as keyof typeof row])),
      );
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
      session.settle('CLAIM OUTBOX');
      const { channel, limit, for: length } = statement;
      const { effects } = await commands.claim_outbox({
        ...(channel === null ? {} : { channel }),
        ...(limit === null ? {} : { limit }),
        ...(length === null ? {} : { for_ms: durationOf(length) }),
      });
      return table(
        session,
        'CLAIM OUTBOX',
        EFFECT,
        effects.map((effect) => EFFECT.map(([name]) => effect[name as keyof typeof effect])),
      );
    }
    case 'ackOutbox':
      session.settle('ACK OUTBOX');
      await commands.ack_outbox({ id: statement.id });
      return done('ACK OUTBOX');
    case 'retryOutbox':
      session.settle('RETRY OUTBOX');
      await commands.retry_outbox({ id: statement.id, ...(statement.after === null ? {} : { after_ms: durationOf(statement.after) }) });
      return done('RETRY OUTBOX');
    default:
      throw new SvcError('XX000', `${statement.type} is no statement about merges`);
  }
}

/** The value of an expression as JSON, read in the session's world. */
async function payloadOf(session: SqlSession, expression: NotifyOnMerge['payload']): Promise<Json> {
  const query: Query = { type: 'values', rows: [[expression!]], with: null, orderBy: [], limit: null, withTies: false, offset: null, locking: [], at: 0 };
  const { columns, rows } = await session.query(query, []);
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
