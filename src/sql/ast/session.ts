/** Statements about the session, its transaction, prepared statements and cursors, and maintenance. */
import type { Option, Role } from './define.ts';
import type { Expression } from './expression.ts';
import type { Query, RelationName } from './query.ts';
import type { Statement } from './statement.ts';
import type { TypeName } from './type-name.ts';

/** `value` null: TO DEFAULT. Values are constants, or a cast for SET TIME ZONE INTERVAL; a bare name is a string. */
export interface SetVariable {
  type: 'set';
  name: string;
  values: Expression[] | null;
  /** SET … FROM CURRENT: `values` is null. */
  fromCurrent: boolean;
  local: boolean;
  at: number;
}
/** `name` null: RESET ALL. */
export interface ResetVariable {
  type: 'reset';
  name: string | null;
  at: number;
}
/** `name` is `all` for SHOW ALL. */
export interface ShowVariable {
  type: 'show';
  name: string;
  at: number;
}
export interface TransactionModes {
  isolation: 'read uncommitted' | 'read committed' | 'repeatable read' | 'serializable' | null;
  readOnly: boolean | null;
  deferrable: boolean | null;
}
export interface SetTransaction {
  type: 'setTransaction';
  /** SET SESSION CHARACTERISTICS AS TRANSACTION. */
  session: boolean;
  modes: TransactionModes;
  /** SET TRANSACTION SNAPSHOT. */
  snapshot: string | null;
  at: number;
}
/** Empty `names`: ALL. */
export interface SetConstraints {
  type: 'setConstraints';
  names: RelationName[];
  deferred: boolean;
  at: number;
}
/** BEGIN and START TRANSACTION. */
export interface Begin {
  type: 'begin';
  start: boolean;
  modes: TransactionModes;
  at: number;
}
export interface EndTransaction {
  type: 'commit' | 'rollback';
  chain: boolean;
  at: number;
}
export interface Savepoint {
  type: 'savepoint' | 'release' | 'rollbackTo';
  name: string;
  at: number;
}
export interface TwoPhase {
  type: 'prepareTransaction' | 'commitPrepared' | 'rollbackPrepared';
  id: string;
  at: number;
}
export interface Prepare {
  type: 'prepare';
  name: string;
  argTypes: TypeName[];
  statement: Statement;
  at: number;
}
export interface Execute {
  type: 'execute';
  name: string;
  args: Expression[];
  at: number;
}
/** `name` null: ALL. */
export interface Deallocate {
  type: 'deallocate';
  name: string | null;
  at: number;
}
export interface Explain {
  type: 'explain';
  statement: Statement;
  options: Option[];
  at: number;
}
export interface DeclareCursor {
  type: 'declareCursor';
  name: string;
  binary: boolean;
  scroll: boolean | null;
  insensitive: boolean | null;
  hold: boolean;
  query: Query;
  at: number;
}
/** `count` null: ALL. For `absolute` and `relative` it is the position. */
export interface Fetch {
  type: 'fetch' | 'move';
  cursor: string;
  direction: 'forward' | 'backward' | 'absolute' | 'relative';
  count: number | null;
  at: number;
}
/** `name` null: ALL. */
export interface CloseCursor {
  type: 'closeCursor';
  name: string | null;
  at: number;
}
export interface Listen {
  type: 'listen';
  channel: string;
  at: number;
}
/** `channel` null: `*`. */
export interface Unlisten {
  type: 'unlisten';
  channel: string | null;
  at: number;
}
export interface Notify {
  type: 'notify';
  channel: string;
  payload: string | null;
  at: number;
}
export interface Discard {
  type: 'discard';
  what: 'all' | 'plans' | 'sequences' | 'temp';
  at: number;
}
export type LockMode =
  'access share' | 'row share' | 'row exclusive' | 'share update exclusive' | 'share' | 'share row exclusive' | 'exclusive' | 'access exclusive';
export interface LockTable {
  type: 'lockTable';
  tables: { name: RelationName; only: boolean }[];
  mode: LockMode;
  nowait: boolean;
  at: number;
}
/** VACUUM and ANALYZE; no tables: all. */
export interface Vacuum {
  type: 'vacuum' | 'analyze';
  options: Option[];
  tables: { name: RelationName; columns: string[] }[];
  at: number;
}
export interface Reindex {
  type: 'reindex';
  kind: 'index' | 'table' | 'schema' | 'system' | 'database';
  relation: RelationName | null;
  name: string | null;
  options: Option[];
  at: number;
}
export interface Cluster {
  type: 'cluster';
  table: RelationName | null;
  index: string | null;
  options: Option[];
  at: number;
}
/** CHECKPOINT without a name. */
export interface SystemCheckpoint {
  type: 'systemCheckpoint';
  at: number;
}
export interface Do {
  type: 'do';
  language: string | null;
  code: string;
  at: number;
}
/** `call` is a FunctionCall. */
export interface Call {
  type: 'callProcedure';
  call: Expression;
  at: number;
}
/** ALTER DATABASE name SET …, ALTER ROLE name [IN DATABASE d] SET …. `role` null with ALL. */
export interface SetDefault {
  type: 'setDefault';
  database: string | null;
  role: Role | null;
  setting: SetVariable | ResetVariable;
  at: number;
}
/** A statement of Postgres's grammar that svc does not support: `what` is its command, `CREATE TRIGGER`. Raised as 0A000 when it is bound. */
export interface Unsupported {
  type: 'unsupported';
  what: string;
  at: number;
}
export type SessionStatement =
  | SetVariable
  | ResetVariable
  | ShowVariable
  | SetTransaction
  | SetConstraints
  | Begin
  | EndTransaction
  | Savepoint
  | TwoPhase
  | Prepare
  | Execute
  | Deallocate
  | Explain
  | DeclareCursor
  | Fetch
  | CloseCursor
  | Listen
  | Unlisten
  | Notify
  | Discard
  | LockTable
  | Vacuum
  | Reindex
  | Cluster
  | SystemCheckpoint
  | Do
  | Call
  | SetDefault
  | Unsupported;
