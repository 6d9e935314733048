/** The operations table: every operation, in the order of the reference. */
import type { AnyOperation } from './define-operation.ts';
import { createAgentOperation } from './create-agent.ts';
import { alterAgentOperation } from './alter-agent.ts';
import { dropAgentOperation } from './drop-agent.ts';
import { agentsOperation, showAgentsOperation } from './agents.ts';
import { auditOperation, showAuditOperation } from './audit.ts';
import { undoAgentOperation } from './undo-agent.ts';
import { keepOperation } from './keep.ts';
import { settingsOperation } from './settings.ts';
import { setSettingOperation } from './set-setting.ts';
import { verifyOperation } from './verify.ts';
import { backupOperation } from './backup.ts';
import { batchOperation } from './batch.ts';
import { branchesOperation } from './branches.ts';
import { checkpointOperation } from './checkpoint.ts';
import { confirmOperation } from './confirm.ts';
import { deleteOperation } from './delete.ts';
import { diffOperation } from './diff.ts';
import { discardOperation } from './discard.ts';
import { findOperation } from './find.ts';
import { forkOperation } from './fork.ts';
import { getOperation } from './get.ts';
import { historyOperation } from './history.ts';
import { mergeOperation } from './merge.ts';
import { putOperation } from './put.ts';
import { rebaseOperation } from './rebase.ts';
import { restoreOperation } from './restore.ts';
import { rollbackOperation } from './rollback.ts';
import { setMetaOperation } from './set-meta.ts';
import { sqlOperation } from './sql.ts';
import { undoMergeOperation } from './undo-merge.ts';
import { mergePoliciesOperation } from './merge-policies.ts';
import { setMergePolicyOperation } from './set-merge-policy.ts';
import { dropMergePolicyOperation } from './drop-merge-policy.ts';
import { checkMergePolicyOperation } from './check-merge-policy.ts';
import { mergeChecksOperation } from './merge-checks.ts';
import { setMergeCheckOperation } from './set-merge-check.ts';
import { dropMergeCheckOperation } from './drop-merge-check.ts';
import { readersOperation } from './readers.ts';
import { setReaderOperation } from './set-reader.ts';
import { dropReaderOperation } from './drop-reader.ts';
import { reviewsOperation } from './reviews.ts';
import { reviewOperation } from './review.ts';
import { mergeOutcomesOperation } from './merge-outcomes.ts';
import { notifyOnMergeOperation } from './notify-on-merge.ts';
import { checkReadsOperation } from './check-reads.ts';
import { outboxOperation } from './outbox.ts';
import { claimOutboxOperation } from './claim-outbox.ts';
import { ackOutboxOperation } from './ack-outbox.ts';
import { retryOutboxOperation } from './retry-outbox.ts';
import { replayOperation } from './replay.ts';
import { simulateOperation } from './simulate.ts';
import { attachmentOperation } from './attachment.ts';
import { decideWriteBackOperation } from './decide-write-back.ts';
import { refreshAttachmentOperation } from './refresh-attachment.ts';
import { worldOperation } from './world.ts';

const PUBLIC = [
  getOperation,
  putOperation,
  deleteOperation,
  batchOperation,
  findOperation,
  forkOperation,
  branchesOperation,
  worldOperation,
  setMetaOperation,
  historyOperation,
  checkpointOperation,
  restoreOperation,
  rollbackOperation,
  undoMergeOperation,
  discardOperation,
  diffOperation,
  mergeOperation,
  rebaseOperation,
  confirmOperation,
  simulateOperation,
  replayOperation,
  sqlOperation,
  createAgentOperation,
  alterAgentOperation,
  dropAgentOperation,
  agentsOperation,
  auditOperation,
  undoAgentOperation,
  keepOperation,
  settingsOperation,
  setSettingOperation,
  verifyOperation,
  backupOperation,
  mergePoliciesOperation,
  setMergePolicyOperation,
  dropMergePolicyOperation,
  checkMergePolicyOperation,
  mergeChecksOperation,
  setMergeCheckOperation,
  dropMergeCheckOperation,
  readersOperation,
  setReaderOperation,
  dropReaderOperation,
  reviewsOperation,
  reviewOperation,
  mergeOutcomesOperation,
  checkReadsOperation,
  notifyOnMergeOperation,
  outboxOperation,
  claimOutboxOperation,
  ackOutboxOperation,
  retryOutboxOperation,
  attachmentOperation,
  refreshAttachmentOperation,
  decideWriteBackOperation,
] as const;
/** Of statements of SQL alone. */
const OF_SQL = [showAgentsOperation, showAuditOperation] as const;

export type Table = (typeof PUBLIC)[number] | (typeof OF_SQL)[number];
export const OPERATIONS: readonly AnyOperation[] = PUBLIC;
export const ALL_OPERATIONS: readonly AnyOperation[] = [...PUBLIC, ...OF_SQL];

export function operationByName(name: string): AnyOperation | undefined {
  return OPERATIONS.find((operation) => operation.name === name || operation.aliases?.includes(name));
}
