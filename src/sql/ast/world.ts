/**
 * World statements: svc's own, in addition to Postgres's grammar. Names are kept as written (an unquoted name of letters, digits,
 * `_`, `-` and `.` keeps its case); unquoted names of tables, columns and channels are folded to lower case as in SQL. Texts with
 * JSON, intervals or moments are not parsed: the operations check them.
 */
import type { Expression } from './expression.ts';
import type { Query } from './query.ts';

/** `w`, `w@when`. */
export interface WorldReference {
  name: string;
  when: string | null;
  at: number;
}
export interface Text {
  value: string;
  at: number;
}
/** A duration: an interval's text (`1 day`), text like `1h`, or a number of milliseconds. */
export interface Duration {
  text: string;
  milliseconds: number | null;
  at: number;
}
export type RuleValue = { at: number } & (
  | { kind: 'null' }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'number'; text: string }
  | { kind: 'string'; value: string }
  | { kind: 'interval'; text: string }
  | { kind: 'name'; name: string; quoted: boolean }
  | { kind: 'list'; values: RuleValue[] }
);
/** `name = value` of a policy or an agent's quota; the name is in lower case. */
export interface Rule {
  name: string;
  value: RuleValue;
  at: number;
}
/** `schema.table` or `table`, as one text. */
export type TableText = string;

export interface CreateWorld {
  type: 'createWorld';
  name: string;
  from: WorldReference | null;
  meta: Text | null;
  at: number;
}
export interface UseWorld {
  type: 'useWorld';
  world: WorldReference;
  at: number;
}
/** SHOW; lists of the whole folder take AS OF 'moment'. */
export interface Show {
  type: 'showWorld' | 'showMetrics' | 'showAgents' | 'showMergePolicies' | 'showMergeChecks' | 'showReviews' | 'showReaders';
  asOf: Text | null;
  at: number;
}
/** SHOW WORLDS [LIKE 'pattern'] [AFTER w] [LIMIT n] [AS OF 'moment'] */
export interface ShowWorlds {
  type: 'showWorlds';
  like: string | null;
  after: string | null;
  limit: number | null;
  asOf: Text | null;
  at: number;
}
/** VERIFY: reads everything on disk again. */
export interface Verify {
  type: 'verify';
  at: number;
}
export interface DropWorld {
  type: 'dropWorld';
  name: string;
  cascade: boolean;
  at: number;
}
export interface AlterWorld {
  type: 'alterWorld';
  name: string;
  action:
    { kind: 'setMeta'; meta: Text } | { kind: 'pin' } | { kind: 'unpin' } | { kind: 'setTtl'; ttl: Duration } | { kind: 'resetTtl' } | { kind: 'confirm' };
  at: number;
}
export interface DiffWorld {
  type: 'diffWorld';
  world: WorldReference;
  to: WorldReference | null;
  tables: TableText[] | null;
  after: Text | null;
  limit: number | null;
  output: 'changes' | 'count' | 'sql' | 'readers';
  at: number;
}
export type Resolve = 'fail' | 'ours' | 'theirs';
export interface MergeWorld {
  type: 'mergeWorld';
  name: string;
  into: string | null;
  resolve: Resolve | null;
  byColumns: boolean;
  strict: boolean;
  onlyTables: TableText[] | null;
  onlyKeys: string[] | null;
  /** JSON: key to `"ours"`, `"theirs"`, a row or null. */
  rows: Text | null;
  version: number | null;
  target: number | null;
  confirm: boolean;
  confirmDeletes: number | null;
  dryRun: boolean;
  at: number;
}
export interface RebaseWorld {
  type: 'rebaseWorld';
  name: string;
  resolve: Resolve | null;
  byColumns: boolean;
  strict: boolean;
  rows: Text | null;
  version: number | null;
  at: number;
}
export interface RestoreWorld {
  type: 'restoreWorld';
  name: string;
  to: { kind: 'moment'; when: Text } | { kind: 'checkpoint'; name: string };
  at: number;
}
export interface CreateCheckpoint {
  type: 'createCheckpoint';
  name: string;
  world: string | null;
  at: number;
}
export interface UndoMerge {
  type: 'undoMerge';
  name: string;
  skipChanged: boolean;
  dryRun: boolean;
  at: number;
}
export interface UndoAgent {
  type: 'undoAgent';
  name: string;
  since: Text | null;
  skipChanged: boolean;
  dryRun: boolean;
  at: number;
}
export interface ShowHistory {
  type: 'showHistory';
  world: WorldReference | null;
  /** `table/id`, as merges and differences name a row; null: of the world. */
  row: Text | null;
  limit: number | null;
  before: string | null;
  after: string | null;
  definitions: boolean;
  at: number;
}
export interface ShowAudit {
  type: 'showAudit';
  agent: string | null;
  limit: number | null;
  before: string | null;
  after: string | null;
  at: number;
}
/** ALTER takes the same clauses and changes the given ones; `policy` is null if none was given, `none` for POLICY NULL. */
export interface DefineAgent {
  type: 'createAgent' | 'alterAgent';
  name: string;
  can: string[] | null;
  settings: Rule[];
  policy: { kind: 'named'; name: string } | { kind: 'none' } | null;
  /** ALTER AGENT n ENABLE | DISABLE. */
  disabled: boolean | null;
  at: number;
}
export interface DropAgent {
  type: 'dropAgent';
  name: string;
  at: number;
}
export interface DefineMergePolicy {
  type: 'createMergePolicy' | 'alterMergePolicy';
  name: string;
  rules: Rule[];
  at: number;
}
export interface DropMergePolicy {
  type: 'dropMergePolicy';
  name: string;
  releaseAgents: boolean;
  at: number;
}
export interface CreateMergeCheck {
  type: 'createMergeCheck';
  name: string;
  tables: TableText[];
  timeoutMs: number | null;
  query: Query;
  queryText: string;
  /** OR REPLACE. */
  replaces?: true;
  at: number;
}
export interface DropMergeCheck {
  type: 'dropMergeCheck';
  name: string;
  at: number;
}
export interface ReviewWorld {
  type: 'reviewWorld';
  name: string;
  verdict: 'approve' | 'reject' | 'pass';
  reason: string | null;
  confirmDeletes: number | null;
  at: number;
}
export interface ShowMergeOutcomes {
  type: 'showMergeOutcomes';
  byPolicy: boolean;
  asOf: Text | null;
  at: number;
}
export interface CreateReader {
  type: 'createReader';
  name: string;
  table: TableText;
  /** Empty: all. */
  columns: string[];
  kind: string | null;
  critical: boolean;
  detail: string | null;
  at: number;
}
export interface DropReader {
  type: 'dropReader';
  name: string;
  at: number;
}
export interface NotifyOnMerge {
  type: 'notifyOnMerge';
  channel: string;
  payload: Expression | null;
  at: number;
}
export interface ClaimOutbox {
  type: 'claimOutbox';
  channel: string | null;
  limit: number | null;
  for: Duration | null;
  at: number;
}
export interface AckOutbox {
  type: 'ackOutbox';
  id: string;
  at: number;
}
export interface RetryOutbox {
  type: 'retryOutbox';
  id: string;
  after: Duration | null;
  /** Why the attempt failed. */
  error: Text | null;
  at: number;
}
export interface Simulate {
  type: 'simulate';
  worlds: number;
  prefix: string;
  script: Text;
  score: Text;
  from: WorldReference | null;
  keep: number | 'all';
  order: 'asc' | 'desc';
  seed: number;
  threads: number;
  at: number;
}
export interface ReplayWorld {
  type: 'replayWorld';
  name: string;
  as: string | null;
  at: number;
}
/** ALTER SYSTEM SET name = values | DEFAULT (null), RESET name | ALL (`name` null). Parsed by Postgres's grammar. */
export interface AlterSystem {
  type: 'alterSystem';
  action: { kind: 'set'; name: string; values: Expression[] | null } | { kind: 'reset'; name: string | null };
  at: number;
}
/** BACKUP TO 'folder'. */
export interface BackupTo {
  type: 'backup';
  to: Text;
  at: number;
}
export type WorldStatement =
  | BackupTo
  | CreateWorld
  | UseWorld
  | Verify
  | Show
  | DropWorld
  | AlterWorld
  | DiffWorld
  | MergeWorld
  | RebaseWorld
  | RestoreWorld
  | CreateCheckpoint
  | UndoMerge
  | UndoAgent
  | ShowWorlds
  | ShowHistory
  | ShowAudit
  | DefineAgent
  | DropAgent
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
  | RetryOutbox
  | Simulate
  | ReplayWorld
  | AlterSystem;
