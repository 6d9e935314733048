/** Replies of operations, as far as the pages read them. */
export type Json = null | boolean | number | string | object;
export type Row = Record<string, unknown>;

export interface World {
  name: string;
  id: string;
  parent: string | null;
  depth: number;
  created: string;
  version: number;
  flagged: boolean;
  meta: Record<string, unknown>;
  owner: string | null;
  expires: string | null;
  active: string;
  pinned: boolean;
  checkpoints: { name: string; at: string }[];
  state?: 'merged' | 'discarded';
  ended?: string;
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

export interface Definition {
  object: string;
  change: 'create' | 'alter' | 'drop';
  before: string | null;
  after: string | null;
  statement: string;
}

export interface ReaderOf {
  table: string;
  columns: string[];
  kind: string;
  reader: string;
  detail: string;
}

export interface Effect {
  id: string;
  channel: string;
  payload: Json;
  by: string;
  queued: string;
}

export interface Counts {
  total: number;
  tables: Record<string, number>;
  summary: TableSummary[];
  effects?: Effect[];
  definitions?: Definition[];
  readers?: ReaderOf[];
  coverage?: { analysed: string[]; not_analysed: string[] };
  version: number;
}

export interface Conflict {
  key: string;
  base: Row | null;
  ours: Row | null;
  theirs: Row | null;
  explanation: string;
  code?: string;
  constraint?: string;
}

export interface PreviewRow {
  key: string;
  outcome: 'insert' | 'update' | 'delete' | 'conflict' | 'keep' | 'converged';
  detail: string;
  delete: boolean;
  base: Row | null;
  ours: Row | null;
  theirs: Row | null;
  result: Row | null;
}

export interface Preview {
  rows: PreviewRow[];
  summary: TableSummary[];
  conflicts: Conflict[];
  blocked: { rule: string; message: string }[];
  definitions?: Definition[];
  converged?: number;
  readers: ReaderOf[];
  coverage: { analysed: string[]; not_analysed: string[] };
  version: number;
  target: number;
  confirm_deletes?: { deletes: number; over: number; policy: string };
  postgres?: AttachedPostgres;
  diff?: string;
}

/** What an attached Postgres says of a merge, from a transaction that was rolled back. */
export interface AttachedPostgres {
  source: string;
  at: string;
  error: { code: string; message: string } | null;
  triggers: { table: string; name: string; event: string }[];
  summary: TableSummary[];
  rows: { key: string; changed: boolean; postgres: Row | null }[];
}

export interface Attachment {
  source: { system: string; timeline: number; database: string; lsn: string; read: string } | null;
  tables: { table: string; of: string; masked: string[] }[];
  pending: {
    xid: string;
    branch: string;
    since: string;
    by: string;
    rows: number;
    fate: 'in progress' | 'not known';
    reason: string | null;
    changes: { key: string; aborted: Row | null; committed: Row | null }[];
  } | null;
}

export interface Review {
  world: string;
  owner: string | null;
  policy: string;
  reasons: { rule: string; message: string; found: Json; limit: Json }[];
  asked: string;
  version: number;
  changed_since: boolean;
  scope: Record<string, unknown> | null;
  changes: TableSummary[];
  conflicts?: number;
  definitions?: Definition[];
  effects: { channel: string; count: number }[];
  verdict: string | null;
  reason: string | null;
  decided_by?: string | null;
}

export interface SqlReply {
  results: { command: string; columns: string[]; types: string[]; rows: Row[] }[];
  version: number;
}

export interface HistoryEvent {
  id: string;
  at: string;
  world: string;
  event: string;
  rows: number;
  branch?: { name: string; id: string };
  into?: { name: string; id: string };
  undoes?: string;
  by?: string | null;
  approval?: { way: string; policy: string | null; by: string | null };
  change?: string;
  before?: Row | null;
  after?: Row | null;
  columns?: string[];
  via?: string;
}

export interface AuditEvent {
  id: string;
  at: string;
  agent: string;
  world: string;
  action: string;
  rows: number;
}

export interface Agent {
  name: string;
  id: string;
  can: string[];
  policy: string | null;
  disabled: boolean;
  created: string;
  [quota: string]: unknown;
}

export interface Outcomes {
  agent?: string;
  policy: string | null;
  [count: string]: unknown;
}
