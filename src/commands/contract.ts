/**
 * Types of the input and output of every operation on worlds and rows. The field names are the contract's; times are ISO 8601
 * UTC with microseconds. Every call may raise `SvcError`; codes are documented at each operation. Entrances add nothing to
 * these types, so HTTP, MCP, SQL and the embedding API answer alike. The naive model in `test/model` implements the same
 * interface.
 */
import type { HistoryReply } from '../operations/history.ts';
import type { MergeAliases, MergeInput, MergePreview, MergeReply } from '../operations/merge.ts';
import type { AuditReply } from '../operations/audit.ts';
import type { AgentInput } from '../operations/create-agent.ts';
import type { SettingsReply } from '../operations/settings.ts';
import type { SimulateReply } from '../operations/simulate.ts';
import type { SqlReply, SqlText } from '../operations/sql.ts';
import type { Table } from '../operations/table.ts';
import type { Principal } from '../session/principal.ts';
import type { RunControl } from './run-control.ts';

export type { GetInput, GetReply } from '../operations/get.ts';
export type { PutInput, PutReply } from '../operations/put.ts';
export type { DeleteInput, DeleteReply } from '../operations/delete.ts';
export type { BatchInput, BatchReply } from '../operations/batch.ts';
export type { FindInput, FindReply } from '../operations/find.ts';
export type { ForkInput, ForkReply } from '../operations/fork.ts';
export type { BranchesInput, BranchesReply } from '../operations/branches.ts';
export type { WorldInput } from '../operations/world.ts';
export type { SetMetaInput } from '../operations/set-meta.ts';
export type { HistoryInput, HistoryReply } from '../operations/history.ts';
export type { CheckpointInput, CheckpointReply } from '../operations/checkpoint.ts';
export type { RestoreInput, RestoreReply } from '../operations/restore.ts';
export type { RollbackInput, RollbackReply } from '../operations/rollback.ts';
export type { UndoMergeInput, UndoMergeReply } from '../operations/undo-merge.ts';
export type { DiscardInput, DiscardReply } from '../operations/discard.ts';
export type { DiffInput, DiffReply } from '../operations/diff.ts';
export type { MergeInput, MergeReply, MergePreview, PreviewRow } from '../operations/merge.ts';
export type { RebaseInput, RebaseReply } from '../operations/rebase.ts';
export type { ConfirmInput } from '../operations/confirm.ts';
export type { SimulateInput, SimulateReply } from '../operations/simulate.ts';
export type { ReplayInput, ReplayReply } from '../operations/replay.ts';
export type { SqlText, SqlReply } from '../operations/sql.ts';
export type { AgentInput, CreateAgentReply } from '../operations/create-agent.ts';
export type { AlterAgentInput, AlterAgentReply } from '../operations/alter-agent.ts';
export type { DropAgentInput, DropAgentReply } from '../operations/drop-agent.ts';
export type { AgentsInput, AgentsReply } from '../operations/agents.ts';
export type { AuditInput, AuditReply } from '../operations/audit.ts';
export type { UndoAgentInput, UndoAgentReply } from '../operations/undo-agent.ts';
export type { KeepInput } from '../operations/keep.ts';
export type { SettingsInput, SettingsReply } from '../operations/settings.ts';
export type { SetSettingInput, SetSettingReply } from '../operations/set-setting.ts';
export type { VerifyInput, VerifyReply } from '../operations/verify.ts';
export type { BackupInput, BackupReply } from '../operations/backup.ts';
export type { MergePoliciesInput, MergePoliciesReply } from '../operations/merge-policies.ts';
export type { SetMergePolicyInput } from '../operations/set-merge-policy.ts';
export type { DropMergePolicyInput, DropMergePolicyReply } from '../operations/drop-merge-policy.ts';
export type { CheckMergePolicyInput, CheckMergePolicyReply } from '../operations/check-merge-policy.ts';
export type { MergeChecksInput, MergeChecksReply } from '../operations/merge-checks.ts';
export type { SetMergeCheckInput } from '../operations/set-merge-check.ts';
export type { DropMergeCheckInput, DropMergeCheckReply } from '../operations/drop-merge-check.ts';
export type { ReadersInput, ReadersReply } from '../operations/readers.ts';
export type { SetReaderInput } from '../operations/set-reader.ts';
export type { DropReaderInput, DropReaderReply } from '../operations/drop-reader.ts';
export type { ReviewsInput, ReviewsReply } from '../operations/reviews.ts';
export type { ReviewInput, ReviewReply } from '../operations/review.ts';
export type { MergeOutcomesInput, MergeOutcomesReply } from '../operations/merge-outcomes.ts';
export type { CheckReadsInput, CheckReadsReply } from '../operations/check-reads.ts';
export type { NotifyOnMergeInput, NotifyOnMergeReply } from '../operations/notify-on-merge.ts';
export type { ClaimOutboxInput, ClaimOutboxReply } from '../operations/claim-outbox.ts';
export type { AckOutboxInput, AckOutboxReply } from '../operations/ack-outbox.ts';
export type { RetryOutboxInput, RetryOutboxReply } from '../operations/retry-outbox.ts';
export type { AttachmentInput, AttachmentReply } from '../operations/attachment.ts';
export type { RefreshAttachmentInput, RefreshAttachmentReply } from '../operations/refresh-attachment.ts';
export type { DecideWriteBackInput, DecideWriteBackReply } from '../operations/decide-write-back.ts';
export type { AgentView } from '../operations/agent-schemas.ts';
export type {
  Change,
  CheckView,
  ClaimedEffect,
  WaitingEffect,
  Conflict,
  DefinitionChange,
  Effect,
  MergeOutcomes,
  PolicyView,
  ReaderCoverage,
  ReaderOf,
  ReaderView,
  ReviewView,
  TableSummary,
  WorldView,
} from '../operations/schemas.ts';
export type { Json, Row } from '../base/json.ts';
export type { RunControl } from './run-control.ts';
export type { Table } from '../operations/table.ts';

/** A branch is a world's name or id; for reads also `<name>@<time>` (`main@-10m`, `main@2026-01-01T00:00:00Z`, `main@#42`). */
export interface OnBranch {
  branch?: string;
}
export type Resolve = NonNullable<MergeInput['resolve']>;
export type HistoryEvent = HistoryReply['events'][number];
export type Approval = NonNullable<HistoryEvent['approval']>;
export type WorldName = NonNullable<HistoryEvent['branch']>;
export type AuditEvent = AuditReply['events'][number];
export type AgentQuotas = Omit<AgentInput, 'name' | 'can' | 'policy'>;
export type SettingView = SettingsReply['settings'][number];
export type SimulatedWorld = SimulateReply['worlds'][number];
/** `signal` cancels what runs (57014): of callers in this process only, no entrance reads it from a message. */
export type SqlInput = SqlText & { readonly params?: readonly unknown[]; readonly signal?: AbortSignal };

type OperationNamed<Name extends Table['name']> = Extract<Table, { name: Name }>;
/** Second names of fields: `fieldAliases` of the operations. */
interface Aliases {
  rebase: MergeAliases;
  diff: { as_sql?: boolean };
}
type InputOf<Name extends Table['name']> = Parameters<OperationNamed<Name>['run']>[0]['input'] & (Name extends keyof Aliases ? Aliases[Name] : unknown);
type OutputOf<Name extends Table['name']> = Awaited<ReturnType<OperationNamed<Name>['run']>>;
/** An input without required fields may be left out. */
type Arguments<Input, Rest extends unknown[]> = Record<never, never> extends Input ? [input?: Input, ...Rest] : [input: Input, ...Rest];

/** Those whose output follows from the input. */
interface Overloaded<Rest extends unknown[]> {
  merge(input: MergeInput & MergeAliases & { dry_run: true }, ...rest: Rest): Promise<MergePreview>;
  merge(input: MergeInput & MergeAliases & { dry_run?: false }, ...rest: Rest): Promise<MergeReply>;
  merge(input: MergeInput & MergeAliases, ...rest: Rest): Promise<MergeReply | MergePreview>;
  /** `merge` with `dry_run`. */
  preview(input: MergeInput & MergeAliases, ...rest: Rest): Promise<MergePreview>;
  sql(input: SqlInput, ...rest: Rest): Promise<SqlReply>;
}

type Called<Rest extends unknown[]> = Overloaded<Rest> & {
  [Name in Exclude<Table['name'], 'merge' | 'sql'>]: (...args: Arguments<InputOf<Name>, Rest>) => Promise<OutputOf<Name>>;
};

/** Every operation, as one principal calls it. */
export type AllCommands = Called<[control?: RunControl]>;
/** Every operation of the embedding API. Without `by` it is the database's own user. */
export type DirectCommands = Called<[by?: Principal, control?: RunControl]>;
/** Worlds and rows: what the naive model of the tests has as well. */
export type Commands = Pick<
  Called<[by?: Principal]>,
  | 'get'
  | 'put'
  | 'delete'
  | 'batch'
  | 'find'
  | 'fork'
  | 'branches'
  | 'world'
  | 'set_meta'
  | 'history'
  | 'checkpoint'
  | 'restore'
  | 'rollback'
  | 'undo_merge'
  | 'discard'
  | 'diff'
  | 'merge'
  | 'preview'
  | 'rebase'
  | 'confirm'
>;
