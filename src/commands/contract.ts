/**
 * The shapes of every operation on worlds and rows: what goes in, what comes out. The field names are
 * the contract's; times are ISO 8601 UTC with microseconds. Every call may raise `SvcError`; the codes
 * stand beside each operation. An entrance adds nothing to these shapes, so HTTP, MCP, SQL and the
 * embedding API answer alike. The naive model in `test/model` implements the same interface.
 */
import type { Principal } from '../session/principal.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Row = { [column: string]: Json };

/** A branch is a world's name or id; where it is only read, also `<name>@<time>` (`main@-10m`, `main@2026-01-01T00:00:00Z`, `main@#42`). */
export interface OnBranch {
  branch?: string;
}

export interface WorldView {
  name: string;
  id: string;
  /** Name of the parent; null for `main`. */
  parent: string | null;
  /** 0 for `main`, parent's depth + 1 otherwise. */
  depth: number;
  created: string;
  /** Count of committed writes to this world since it was forked. */
  version: number;
  flagged: boolean;
  meta: { [key: string]: Json };
  /** Agent that owns it; null for the database's own user. */
  owner: string | null;
  expires: string | null;
  active: string;
  pinned: boolean;
  checkpoints: { name: string; at: string }[];
  /** Of a world that is gone: how it ended, when, and for a merged one the world that it was merged into. */
  state?: 'merged' | 'discarded';
  ended?: string;
  into?: string | null;
}

export interface BranchesInput {
  /** At most so many; the reply then has `next`. */
  limit?: number;
  /** Worlds that are younger than this one: `next` of the page before, a name or an id. */
  after?: string;
  /** Worlds whose names begin so. */
  prefix?: string;
}

export interface GetInput extends OnBranch {
  table: string;
  id: string;
}
export interface PutInput extends OnBranch {
  table: string;
  id: string;
  record: Row;
}
export interface DeleteInput extends OnBranch {
  table: string;
  id: string;
}
export interface BatchInput extends OnBranch {
  rows: { table: string; id: string; record: Row | null }[];
}
export interface FindInput extends OnBranch {
  table: string;
  where?: Row;
  limit?: number;
  offset?: number;
}
export interface FindReply {
  total: number;
  hits: { id: string; score: number; row: Row }[];
  /** null when there are no more. */
  next_offset: number | null;
}

export interface ForkInput {
  name: string;
  /** Not given: `main`. null: nothing; the new world is empty and has no parent. */
  from?: string | null;
  meta?: { [key: string]: Json };
}
export interface SetMetaInput extends OnBranch {
  meta: { [key: string]: Json };
}
export interface HistoryInput extends OnBranch {
  limit?: number;
  /** Only events before and after an event (its id, as in `next`) or a moment. */
  before?: string;
  after?: string;
  /** Both together: the history of one row, through merges into the worlds that wrote it. */
  table?: string;
  id?: string;
  /** With the definitions that each event changed; not of one row. */
  definitions?: boolean;
}
export interface WorldName {
  name: string;
  id: string;
}
/** How the merge of an agent's world was let through: see `Passage`. `by` approved it, where somebody did. */
export interface Approval {
  way: 'rules' | 'none' | 'approved' | 'person';
  policy: string | null;
  by: string | null;
}
export interface HistoryEvent {
  /** `#` and its number in the log: what `before` and `after` take, and `name@#42` reads the state behind it. */
  id: string;
  at: string;
  world: string;
  event: string;
  /** Rows that it changed; of merges, undone merges, rebases and restores with those that only a definition changed. */
  rows: number;
  /** Of merges and their undoing: the world merged and the one merged into, by name and id. */
  branch?: WorldName;
  into?: WorldName;
  /** Of a rebase: the world that the branch stands on from then on. */
  onto?: WorldName;
  /** Of an undone merge: the merge's id. */
  undoes?: string;
  /** Who did it (null: the database's own user). Of merges, undone merges, rebases and restores, and in the history of a row. */
  by?: string | null;
  approval?: Approval;
  definitions?: DefinitionChange[];
  /** In the history of a row only. */
  change?: 'insert' | 'update' | 'delete';
  /** What changed: the whole row where it came or went. */
  before?: Row | null;
  after?: Row | null;
  columns?: string[];
  /** Of a write in another world than the one asked for: the event by which it came. */
  via?: string;
}
export interface HistoryReply {
  events: HistoryEvent[];
  /** What `before` takes for the next page; null on the last one. */
  next: string | null;
  /** Where history begins: what happened before is not known any more. */
  since: string | null;
}
export interface RestoreInput extends OnBranch {
  at?: string;
  checkpoint?: string;
}
export interface UndoMergeInput {
  branch: string;
  skip_changed?: boolean;
}
export interface DiscardInput {
  branch: string;
  cascade?: boolean;
}

export interface DiffInput extends OnBranch {
  to?: string;
  sql?: boolean;
  count?: boolean;
  limit?: number;
  after?: string;
  deletes?: boolean;
  /** Also who reads what changes, for the whole diff. */
  readers?: boolean;
  version?: number;
}
/** Who reads columns that a change touches. */
export interface ReaderOf {
  table: string;
  /** Empty: the table as a whole. */
  columns: string[];
  /** `view`, `materialized view`, `row policy`, `foreign key`, `check`, `generated column`, `index`, `unique index`, `merge check`, `policy`, or what a registered reader says. */
  kind: string;
  reader: string;
  detail: string;
}
export interface ReaderCoverage {
  analysed: string[];
  not_analysed: string[];
}
export interface Change {
  key: string;
  before: Row | null;
  after: Row | null;
  columns: string[];
}
export interface TableSummary {
  table: string;
  deleted: number;
  updated: number;
  inserted: number;
}
export interface Effect {
  id: string;
  channel: string;
  payload: Json;
  by: string;
  queued: string;
}
/** A definition that differs. `before` and `after` are its SQL texts in the two states; `statement` makes the change. */
export interface DefinitionChange {
  /** In words, as SQL names it: `table t`, `column t.v`, `view cheap`, `function f(integer)`, `constraint t_pkey on t`. */
  object: string;
  change: 'create' | 'alter' | 'drop';
  before: string | null;
  after: string | null;
  statement: string;
}
/** Which fields are present follows the mode, see the contract's table. */
export interface DiffReply {
  changes?: Change[];
  next?: string | null;
  sql?: string[];
  total?: number;
  tables?: { [table: string]: number };
  summary?: TableSummary[];
  effects?: Effect[];
  /** Where definitions differ; on the first page only, and not with `sql`. */
  definitions?: DefinitionChange[];
  readers?: ReaderOf[];
  coverage?: ReaderCoverage;
  version?: number;
}

export type Resolve = 'fail' | 'ours' | 'theirs';
export interface MergeInput {
  branch: string;
  resolve?: Resolve;
  version?: number;
  confirm?: boolean;
  columns?: boolean;
  picks?: { [key: string]: 'ours' | 'theirs' | Row | null };
  only_tables?: string[];
  only_keys?: string[];
  into?: string;
  target?: number;
  dry_run?: boolean;
  confirm_deletes?: number;
  /** What both sides changed alike is a conflict, too. */
  strict?: boolean;
}
export interface Conflict {
  key: string;
  base: Row | null;
  ours: Row | null;
  theirs: Row | null;
  /** One sentence that names both worlds and both values. */
  explanation: string;
  /** SQLSTATE of the constraint that the result would break; left out where both sides changed one thing. */
  code?: string;
  /** Its name, where it has one. */
  constraint?: string;
}
export interface MergeReply {
  merged: number;
  /** Rows that both sides had changed alike, where there are any: they are not counted as merged. */
  converged?: number;
  /** The branch's new version, when it stays. */
  version?: number;
}
export interface PreviewRow {
  key: string;
  /** `insert`, `update`, `delete`, `conflict`, `keep` (settled as ours), `converged` (both sides changed it alike). */
  outcome: 'insert' | 'update' | 'delete' | 'conflict' | 'keep' | 'converged';
  detail: string;
  delete: boolean;
  base: Row | null;
  ours: Row | null;
  theirs: Row | null;
  result: Row | null;
}
export interface MergePreview {
  rows: PreviewRow[];
  summary: TableSummary[];
  conflicts: Conflict[];
  blocked: { rule: string; message: string }[];
  /** What the merge changes of definitions; left out where it changes none. */
  definitions?: DefinitionChange[];
  /** As in MergeReply. */
  converged?: number;
  readers: ReaderOf[];
  coverage: ReaderCoverage;
  version: number;
  target: number;
  /** Where a person must give the number of deletes. */
  confirm_deletes?: { deletes: number; over: number; policy: string };
}
export interface RebaseInput {
  branch: string;
  columns?: boolean;
  picks?: MergeInput['picks'];
  resolve?: Resolve;
  version?: number;
  strict?: boolean;
}

/** 0: off. Durations are milliseconds. */
export interface AgentQuotas {
  max_worlds?: number;
  max_changes?: number;
  writes_per_minute?: number;
  world_ttl?: number;
  max_query_ms?: number;
  max_concurrent?: number;
  max_memory_mb?: number;
  max_idle_ms?: number;
}
export interface AgentInput extends AgentQuotas {
  name: string;
  /** Default `read`, `fork`, `write_own`. */
  can?: string[];
  policy?: string | null;
}
export interface AlterAgentInput extends AgentInput {
  disabled?: boolean;
}
export interface AgentView extends Required<AgentQuotas> {
  name: string;
  id: string;
  can: string[];
  policy: string | null;
  disabled: boolean;
  created: string;
}
export interface AuditInput {
  agent?: string;
  limit?: number;
  /** As in HistoryInput. */
  before?: string;
  after?: string;
}
export interface AuditReply {
  events: AuditEvent[];
  next: string | null;
}
export interface AuditEvent {
  /** As in HistoryEvent. */
  id: string;
  at: string;
  agent: string;
  world: string;
  action: string;
  rows: number;
}
export interface KeepInput {
  branch: string;
  pinned?: boolean;
  /** Milliseconds; null: back to its owner's. */
  ttl?: number | null;
}
export interface SettingView {
  name: string;
  value: string;
  description: string;
}
export interface UndoAgentInput extends OnBranch {
  name: string;
  since?: string;
  skip_changed?: boolean;
}

/** One or more statements; parameters go with one statement. */
export interface SqlInput extends OnBranch {
  sql: string;
  params?: readonly unknown[];
  /** Cancels what runs (57014). Of callers in this process only: no entrance reads it from a message. */
  signal?: AbortSignal;
}
export interface SqlReply {
  /** One a statement. `command` is Postgres's tag; statements without rows have no columns. */
  results: { command: string; columns: string[]; types: string[]; rows: Row[] }[];
  /** The branch's, after a write. */
  version: number;
}

/**
 * Errors common to all: 3D000 no such world (404), 25006 writing to a past moment (400),
 * 22023/22P02/22007 bad input (400), 42501 the principal may not (403). Without `by` it is the database's own user.
 */
/** How a long run is followed, what it may tell, and how it is given up: with the signal's reason (57014), and nothing is changed. */
export interface RunControl {
  readonly signal?: AbortSignal;
  /** Called before the first row of a table is told in statements; may throw. */
  tells?(table: string): void;
  onProgress?(done: number, total: number): void;
}

export interface Commands {
  /** 02000 when there is no row. `row` is the record as it was put, without `id`. */
  get(input: GetInput, by?: Principal): Promise<{ id: string; row: Row }>;
  /** Replaces the whole row. The first put makes a document table. */
  put(input: PutInput, by?: Principal, control?: RunControl): Promise<{ ok: true; version: number }>;
  /** 02000 when there is no row. */
  delete(input: DeleteInput, by?: Principal, control?: RunControl): Promise<{ ok: true; version: number }>;
  /** All or nothing; the last entry for a key wins; deleting a missing row is no error; an empty batch moves no version. `count` is the number of entries. */
  batch(input: BatchInput, by?: Principal, control?: RunControl): Promise<{ ok: true; count: number; version: number }>;
  /** Rows in key order (bytewise). An unknown table has no rows (total 0). `where`: all must be equal (JSON equality). limit default 20, at most 10 000; score 0. */
  find(input: FindInput, by?: Principal): Promise<FindReply>;

  /** 42P04 name in use; 42602 bad name (empty, white space, `@`, `/`, starts with `_tx_`, over 256 characters, or of the form of a world id). `world` is the new world's view. */
  fork(input: ForkInput, by?: Principal): Promise<{ ok: true; world: WorldView }>;
  /** Open worlds, oldest first. `next` where a limit was given: null on the last page. 3D000 where `after` names no world. */
  branches(input?: BranchesInput, by?: Principal): Promise<{ branches: WorldView[]; next?: string | null }>;
  /** A gone world answers within retention, with `state` and `ended`. */
  world(input: OnBranch, by?: Principal): Promise<WorldView>;
  /** A null value removes the key; `owner` and `expires` are refused (22023). Does not move `version`. */
  set_meta(input: SetMetaInput, by?: Principal): Promise<WorldView>;
  /**
   * Newest first. With `table` and `id` of one row: 02000 where there is no such row and never was within history.
   * Event words: `create`, `fork`, `write`, `commit`, `merge`, `merge part`, `discard`, `restore`, `undo merge`, `rebase`, `checkpoint`, `metadata`, `confirm`. A gone world's name still answers within retention.
   */
  history(input: HistoryInput, by?: Principal, control?: RunControl): Promise<HistoryReply>;
  /** 42710 the name is taken in this world. */
  checkpoint(input: OnBranch & { name: string }, by?: Principal): Promise<{ ok: true; at: string }>;
  /** Exactly one of `at` and `checkpoint` (22023); unknown checkpoint 42704; unreadable or future time 22007; before history 22023. `restored` is the number of rows changed; one ordinary write, so the version rises by one. */
  restore(input: RestoreInput, by?: Principal): Promise<{ ok: true; restored: number }>;
  /** Restore to a named checkpoint. */
  rollback(input: OnBranch & { checkpoint: string }, by?: Principal): Promise<{ ok: true; restored: number }>;
  /** 55000 never merged or already undone; 40001 rows changed since, `data.changed` lists the keys. `undone` counts rows put back, `skipped` the rows left alone. `parent` is the name of the world merged into. */
  undo_merge(input: UndoMergeInput, by?: Principal, control?: RunControl): Promise<{ ok: true; parent: string; at: string; undone: number; skipped: number }>;
  /** 2BP01 open forks without `cascade`, naming them; 22023 for main. `discarded` lists names, only with cascade. */
  discard(input: DiscardInput, by?: Principal): Promise<{ ok: true; discarded?: string[] }>;

  /** 40001 when `version` is stale; 22023 for bad combinations (`sql` with `limit`/`after`). */
  diff(input: DiffInput, by?: Principal, control?: RunControl): Promise<DiffReply>;
  /** SV409 conflicts (data.conflicts); 40001 stale `version` or `target`; 55000 flagged world without version or confirm; 2BP01 open forks on a full merge; 22023 merging main. */
  merge(input: MergeInput & { dry_run?: false }, by?: Principal, control?: RunControl): Promise<MergeReply>;
  preview(input: MergeInput, by?: Principal, control?: RunControl): Promise<MergePreview>;
  /** `rebased` counts the branch's changed rows that now stand on the parent as it is. */
  rebase(input: RebaseInput, by?: Principal, control?: RunControl): Promise<{ ok: true; rebased: number; version: number }>;
  /** Takes a crash-flagged world as it is. */
  confirm(input: OnBranch, by?: Principal): Promise<WorldView>;
}

export interface PolicyView {
  name: string;
  created: string;
  max_rows: number | null;
  max_deletes: number | null;
  rows_per_hour: number | null;
  deletes_per_hour: number | null;
  /** As it was given: `1h`, or milliseconds. */
  max_age: string | number | null;
  tables: string[];
  review_tables: string[];
  /** `table.column`. */
  review_columns: string[];
  schema: boolean;
  overwrite: boolean;
  critical: boolean;
  check_reads: boolean;
  require_scope: boolean;
  /** A merge waits where both sides changed a row alike. */
  strict: boolean;
  /** Deletes above which a person gives their exact number; null: never asked. */
  confirm_deletes_over: number | null;
  /** Agent that may decide held merges. */
  reviewer: string | null;
}
export interface CheckView {
  name: string;
  /** Empty: every merge. */
  tables: string[];
  timeout_ms: number;
  query: string;
  created: string;
}
export interface ReaderView {
  name: string;
  table: string;
  /** Empty: all. */
  columns: string[];
  kind: string;
  critical: boolean;
  detail: string;
  created: string;
}
export interface ReviewView {
  world: string;
  owner: string | null;
  policy: string;
  reasons: { rule: string; message: string; found: Json; limit: Json }[];
  asked: string;
  version: number;
  changed_since: boolean;
  scope: { [key: string]: Json } | null;
  /** What the branch changes, rows in conflict included. */
  changes: TableSummary[];
  /** Rows and definitions in conflict, where there are any. */
  conflicts?: number;
  /** As in MergePreview. */
  definitions?: DefinitionChange[];
  effects: { channel: string; count: number }[];
  /** A reviewer's, which leaves the merge to a person. */
  verdict: 'reject' | 'pass' | null;
  reason: string | null;
}
export interface MergeOutcomes {
  agent?: string;
  policy: string | null;
  worlds: number;
  on_rules: number;
  no_policy: number;
  approved: number;
  rejected: number;
  discarded: number;
  open: number;
  partly_merged: number;
  before_window: number;
  conflicts: number;
  stale_reads: number;
  check_refusals: number;
  holds: number;
  rules_rate: number | null;
}
export interface ClaimedEffect extends Effect {
  attempts: number;
  until: string;
}

/** Governed merges. Laying rules down takes `admin`, reading them `read`, the outbox `outbox`. */
export interface GovernanceCommands {
  merge_policies(input?: object, by?: Principal): Promise<{ policies: PolicyView[] }>;
  /**
   * Makes the policy or changes the rules that are given, and puts the agents under it: all of it or nothing. 22023 names a rule that is
   * unknown or of the wrong kind, 42P01 and 42703 a table or column that no world has, 42704 an agent. `draft`: everything is
   * checked as if it were done, and nothing is; so everybody may who reads.
   */
  set_merge_policy(
    input: { name: string; rules: { [rule: string]: Json }; create?: boolean; agents?: readonly string[]; draft?: true },
    by?: Principal,
  ): Promise<PolicyView>;
  /** 42704 where there is none; 2BP01 while agents are under it. */
  drop_merge_policy(input: { name: string; release_agents?: boolean; draft?: true }, by?: Principal): Promise<{ ok: true }>;
  /** Tries rules on a branch's real changes; saves nothing. */
  check_merge_policy(
    input: { branch: string; name?: string; rules?: { [rule: string]: Json } },
    by?: Principal,
  ): Promise<{ passes: boolean; reasons: ReviewView['reasons']; rows: number; deletes: number }>;
  merge_checks(input?: object, by?: Principal): Promise<{ checks: CheckView[] }>;
  /** The query is tried on `main` before it is kept: 42601, 42P01 …; 25006 where it would change something. */
  set_merge_check(
    input: { name: string; query: string; tables?: string[]; timeout_ms?: number; create?: boolean; draft?: true },
    by?: Principal,
  ): Promise<CheckView>;
  drop_merge_check(input: { name: string; draft?: true }, by?: Principal): Promise<{ ok: true }>;
  readers(input?: object, by?: Principal): Promise<{ readers: ReaderView[] }>;
  set_reader(
    input: { name: string; table: string; columns?: string[]; kind?: string; critical?: boolean; detail?: string; create?: boolean },
    by?: Principal,
  ): Promise<ReaderView>;
  drop_reader(input: { name: string }, by?: Principal): Promise<{ ok: true }>;
  reviews(input?: object, by?: Principal): Promise<{ reviews: ReviewView[] }>;
  /** 55000 where nothing is held; 40001 where the branch changed since; 42501 who is not the reviewer. */
  review(input: { branch: string; verdict: 'approve' | 'reject' | 'pass'; reason?: string }, by?: Principal): Promise<{ ok: true; merged?: number }>;
  merge_outcomes(input: { by?: 'policy' | 'agent' }, by?: Principal): Promise<{ since: string | null; outcomes: MergeOutcomes[] }>;
  /** What a world relies on that changed in its parent since. 55000 (409) for a world that does not check its reads. */
  check_reads(
    input: { branch: string },
    by?: Principal,
  ): Promise<{ branch: string; stale: boolean; changed: { checked_against: string; changed: string[] }[] }>;
  /** Queues an effect in a branch, to be sent with its merge into `main`. 55000 in `main` itself. */
  notify_on_merge(input: { branch: string; channel: string; payload?: Json }, by?: Principal): Promise<{ ok: true; id: string; version: number }>;
  /** Effects of `main`'s outbox that nobody has, each channel from its start on, for `for_ms` (default 60 000). */
  claim_outbox(input: { channel?: string; limit?: number; for_ms?: number }, by?: Principal): Promise<{ effects: ClaimedEffect[] }>;
  /** 42704 where there is no such effect. */
  ack_outbox(input: { id: string }, by?: Principal): Promise<{ ok: true }>;
  retry_outbox(input: { id: string; after_ms?: number }, by?: Principal): Promise<{ ok: true }>;
}

/** What concerns the database as a whole: needs `admin`, but for `show_agents`, `show_audit` and `settings`, which need `read`. */
export interface AdminCommands {
  /** 22023 bad or reserved name, a dropped agent's name that still owns worlds, unknown capability; 42710 the name is taken; 42704 unknown policy. The token is shown only here. */
  create_agent(input: AgentInput, by?: Principal): Promise<{ agent: AgentView; token: string }>;
  /** Changes what is given. 42704 unknown agent. */
  alter_agent(input: AlterAgentInput, by?: Principal): Promise<{ agent: AgentView }>;
  /** Its token stops; its worlds stay its own. */
  drop_agent(input: { name: string }, by?: Principal): Promise<{ ok: true }>;
  agents(input?: object, by?: Principal): Promise<{ agents: AgentView[] }>;
  show_agents(input?: object, by?: Principal): Promise<{ agents: AgentView[] }>;
  /** What agents, the guest and the system did, newest first. */
  audit(input: AuditInput, by?: Principal): Promise<AuditReply>;
  show_audit(input: AuditInput, by?: Principal): Promise<AuditReply>;
  /** Takes back what the agent did to a world (default `main`). 40001 rows changed since, `data.changed` lists the keys. */
  undo_agent(input: UndoAgentInput, by?: Principal, control?: RunControl): Promise<{ ok: true; world: string; undone: number; skipped: number }>;
  /** Pins a world, or sets how long it lives. */
  keep(input: KeepInput, by?: Principal): Promise<WorldView>;
  /** null: as it is without one. 42704 unknown, 22023 bad value, 42501 past the operator's ceiling. */
  set_setting(input: { name: string; value: string | number | boolean | null }, by?: Principal): Promise<{ ok: true; value: string }>;
  settings(input?: object, by?: Principal): Promise<{ settings: SettingView[] }>;
  /** Re-reads the log and the pages; XX001 names what is damaged. */
  verify(input?: object, by?: Principal, control?: RunControl): Promise<{ pages: number; bytes: number; log_records: number }>;
  /** A copy in a new folder on the server, as of one moment. 42710 where the folder exists, 22023 where it cannot be one. */
  backup(input: { to: string }, by?: Principal, control?: RunControl): Promise<{ files: number; bytes: number }>;
}

export interface SimulateInput {
  /** How many worlds: 1 to 1,048,576. */
  worlds: number;
  /** World i is named `<prefix>_<i>`. */
  prefix: string;
  /** SQL that is run in each world; `$1` is its index from 0, `$2` its seed. */
  script: string;
  /** A SELECT that gives one number. */
  score: string;
  /** Default `main`; also `name@when`. */
  from?: string;
  /** How many of the best worlds stay; default all. */
  keep?: number | 'all';
  order?: 'asc' | 'desc';
  seed?: number;
  /** 0: as many as there are cores. */
  threads?: number;
}
export interface SimulatedWorld {
  world: string;
  /** null for a world that was not kept. */
  id: string | null;
  index: number;
  seed: number;
  /** null where the world failed. */
  score: number | null;
  error: string | null;
  kept: boolean;
}
export interface SimulateReply {
  /** Best first; those that failed last. */
  worlds: SimulatedWorld[];
  /** The base world, and the moment that the worlds take for now: of its last change. */
  base: string;
  at: string;
  timings: { fork_ms: number; run_ms: number; discard_ms: number; total_ms: number };
}
export interface ReplayInput {
  world: string;
  /** Keeps the replay under this name. */
  as?: string;
}
export interface ReplayReply {
  world: string;
  /** The world that the replay was kept as. */
  replay: string | null;
  identical: boolean;
  rows_differing: number;
  score: number | null;
  recorded_score: number;
  error: string | null;
}
export interface SimulationCommands {
  /**
   * Worlds forked from one moment, a script run in each, ordered by a score; the best are kept, and are the caller's own.
   * 22023 bad input; 42601 and what else binding the texts says; 0A000 names what cannot be simulated; 42P04 a name is taken;
   * 53400 and 42501 past `max_worlds`; 57014 when it was given up. A script that fails in one world is that world's `error`.
   */
  simulate(input: SimulateInput, by?: Principal, control?: RunControl): Promise<SimulateReply>;
  /** Makes a kept world again from what it was made of, and compares. 22023 for a world that no simulation kept, or whose base history does not reach. */
  replay(input: ReplayInput, by?: Principal, control?: RunControl): Promise<ReplayReply>;
}

/** With SQL, which stands on the others. */
export interface AllCommands extends Commands, AdminCommands, GovernanceCommands, SimulationCommands {
  /** Statements of one call are one transaction unless they say otherwise; errors carry Postgres's SQLSTATE and, for syntax, a position. */
  sql(input: SqlInput, by?: Principal): Promise<SqlReply>;
}
