/** Statements that create, alter and drop objects. */
import type { Expression } from './expression.ts';
import type { Query, RelationName } from './query.ts';
import type { TypeName } from './type-name.ts';
import type { Delete, Insert, Merge, Update } from './write.ts';
import type { ResetVariable, SetVariable } from './session.ts';
import type { Statement } from './statement.ts';

/** `name = value` in WITH (…), COPY options, sequence options, role options: Postgres's definition elements (DefElem). */
export interface Option {
  namespace: string | null;
  name: string;
  value: OptionValue | null;
  action: 'none' | 'set' | 'add' | 'drop';
  at: number;
}
export type OptionValue =
  | { type: 'string'; value: string }
  | { type: 'integer'; value: number }
  /** A wider integer or a decimal. */
  | { type: 'number'; text: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'star' }
  | { type: 'typeName'; value: TypeName }
  | { type: 'role'; value: Role }
  | { type: 'list'; values: OptionValue[] }
  | { type: 'options'; values: Option[] }
  /** `SET name = value` of a function. */
  | { type: 'setting'; value: SetVariable | ResetVariable };

export interface Role {
  /** `name` is set only for `named`. */
  kind: 'named' | 'currentRole' | 'currentUser' | 'sessionUser' | 'public';
  name: string | null;
  at: number;
}

export interface Deferral {
  deferrable: boolean;
  initiallyDeferred: boolean;
}
export type ForeignKeyAction = 'noAction' | 'restrict' | 'cascade' | 'setNull' | 'setDefault';
export interface ForeignKeyTarget {
  table: RelationName;
  /** Empty: the primary key. */
  columns: string[];
  match: 'simple' | 'full' | 'partial';
  onUpdate: ForeignKeyAction;
  onDelete: ForeignKeyAction;
  /** `SET NULL (a)`. */
  onDeleteColumns: string[];
}
interface ConstraintHead {
  name: string | null;
  at: number;
}
export interface IndexParameters {
  include: string[];
  options: Option[];
  tablespace: string | null;
}
export interface CheckConstraint extends ConstraintHead {
  type: 'check';
  condition: Expression;
  noInherit: boolean;
  notValid: boolean;
  notEnforced: boolean;
}
/** `columns` is empty for a column constraint. */
export interface KeyConstraint extends ConstraintHead, Deferral, IndexParameters {
  type: 'primaryKey' | 'unique';
  columns: string[];
  nullsNotDistinct: boolean;
  /** ADD … USING INDEX name. */
  usingIndex: string | null;
}
export interface ExclusionConstraint extends ConstraintHead, Deferral, IndexParameters {
  type: 'exclude';
  method: string | null;
  elements: { element: IndexElement; operator: string[] }[];
  where: Expression | null;
}
export interface ForeignKeyConstraint extends ConstraintHead, Deferral {
  type: 'foreignKey';
  /** Empty for a column constraint. */
  columns: string[];
  references: ForeignKeyTarget;
  notValid: boolean;
  notEnforced: boolean;
}
/** `column` is set for a table constraint of PostgreSQL 18. */
export interface NotNullConstraint extends ConstraintHead {
  type: 'notNull';
  column: string | null;
  noInherit: boolean;
  notValid: boolean;
}
export interface NullConstraint extends ConstraintHead {
  type: 'null';
}
export interface DefaultConstraint extends ConstraintHead {
  type: 'default';
  value: Expression;
}
export interface IdentityConstraint extends ConstraintHead {
  type: 'identity';
  always: boolean;
  options: Option[];
}
/** GENERATED ALWAYS AS (value) STORED or VIRTUAL; the default is VIRTUAL in 18, and 15 requires STORED. */
export interface GeneratedConstraint extends ConstraintHead {
  type: 'generated';
  value: Expression;
  stored: boolean;
}
export type TableConstraint = CheckConstraint | KeyConstraint | ExclusionConstraint | ForeignKeyConstraint | NotNullConstraint;
export type ColumnConstraint =
  CheckConstraint | KeyConstraint | ForeignKeyConstraint | NotNullConstraint | NullConstraint | DefaultConstraint | IdentityConstraint | GeneratedConstraint;

export interface ColumnDefinition {
  type: 'column';
  name: string;
  /** null for a column of a typed table or a partition. */
  dataType: TypeName | null;
  collation: string[] | null;
  /** Position of COLLATE. */
  collationAt?: number;
  storage: string | null;
  compression: string | null;
  constraints: ColumnConstraint[];
  /** Of a foreign table's column. */
  foreignOptions?: Option[];
  at: number;
}
export type LikeOption = 'comments' | 'compression' | 'constraints' | 'defaults' | 'generated' | 'identity' | 'indexes' | 'statistics' | 'storage';
export interface LikeClause {
  type: 'like';
  table: RelationName;
  including: LikeOption[];
  at: number;
}
/** In written order: LIKE is replaced by its columns. */
export type TableElement = ColumnDefinition | TableConstraint | LikeClause;

export type Persistence = 'permanent' | 'unlogged' | 'temporary';
export interface PartitionKey {
  strategy: 'list' | 'range' | 'hash';
  elements: { column: string | null; value: Expression | null; collation: string[] | null; operatorClass: string[] | null; at: number }[];
  at: number;
}
export type PartitionBound =
  | { type: 'default'; at: number }
  | { type: 'hash'; modulus: number; remainder: number; at: number }
  | { type: 'list'; values: Expression[]; at: number }
  | { type: 'range'; from: RangeDatum[]; to: RangeDatum[]; at: number };
export type RangeDatum = { type: 'minValue' } | { type: 'maxValue' } | { type: 'value'; value: Expression };

export interface StorageClauses {
  options: Option[];
  onCommit: 'none' | 'preserveRows' | 'deleteRows' | 'drop';
  tablespace: string | null;
  accessMethod: string | null;
}
export interface CreateTable extends StorageClauses {
  type: 'createTable';
  name: RelationName;
  persistence: Persistence;
  ifNotExists: boolean;
  elements: TableElement[];
  inherits: RelationName[];
  ofType: TypeName | null;
  partitionOf: { parent: RelationName; bound: PartitionBound } | null;
  partitionBy: PartitionKey | null;
  /** CREATE FOREIGN TABLE. */
  foreign?: { server: string; options: Option[] };
  at: number;
}
/** Also SELECT INTO and CREATE MATERIALIZED VIEW. */
export interface CreateTableAs extends StorageClauses {
  type: 'createTableAs';
  name: RelationName;
  materializedView: boolean;
  /** It was written as SELECT INTO. */
  into?: true;
  persistence: Persistence;
  ifNotExists: boolean;
  columns: string[];
  /** An Execute for `AS EXECUTE p(…)`. */
  body: Query | Insert | Update | Delete | Merge | { type: 'execute'; name: string; args: Expression[]; at: number };
  withData: boolean;
  at: number;
}
export interface IndexElement {
  /** One of the two. */
  column: string | null;
  value: Expression | null;
  collation: string[] | null;
  operatorClass: string[] | null;
  operatorClassOptions: Option[];
  direction: 'default' | 'asc' | 'desc';
  nulls: 'default' | 'first' | 'last';
}
export interface CreateIndex {
  type: 'createIndex';
  name: string | null;
  table: RelationName;
  only: boolean;
  unique: boolean;
  concurrently: boolean;
  ifNotExists: boolean;
  method: string;
  elements: IndexElement[];
  include: IndexElement[];
  nullsNotDistinct: boolean;
  options: Option[];
  tablespace: string | null;
  where: Expression | null;
  at: number;
}
export interface CreateView {
  type: 'createView';
  name: RelationName;
  replace: boolean;
  persistence: Persistence;
  columns: string[];
  options: Option[];
  query: Query;
  check: 'none' | 'local' | 'cascaded';
  at: number;
}
export interface RefreshMaterializedView {
  type: 'refreshMaterializedView';
  name: RelationName;
  concurrently: boolean;
  withData: boolean;
  at: number;
}
/** Options: as, increment, minvalue, maxvalue (no value: NO …), start, cache, cycle, owned_by (NONE: list of one), restart. */
export interface CreateSequence {
  type: 'createSequence';
  name: RelationName;
  persistence: Persistence;
  ifNotExists: boolean;
  options: Option[];
  at: number;
}
export interface AlterSequence {
  type: 'alterSequence';
  name: RelationName;
  ifExists: boolean;
  options: Option[];
  at: number;
}
export interface CreateSchema {
  type: 'createSchema';
  name: string | null;
  owner: Role | null;
  ifNotExists: boolean;
  elements: Statement[];
  at: number;
}
export interface CreateType {
  type: 'createType';
  name: string[];
  definition:
    | { kind: 'enum'; labels: string[] }
    | { kind: 'composite'; columns: ColumnDefinition[] }
    | { kind: 'range'; options: Option[] }
    | { kind: 'shell' }
    | { kind: 'base'; options: Option[] };
  at: number;
}
export interface AlterEnum {
  type: 'alterEnum';
  name: string[];
  action: { kind: 'add'; label: string; ifNotExists: boolean; neighbor: string | null; after: boolean } | { kind: 'rename'; label: string; to: string };
  at: number;
}
export interface CreateDomain {
  type: 'createDomain';
  name: string[];
  dataType: TypeName;
  collation: string[] | null;
  constraints: ColumnConstraint[];
  at: number;
}
export interface AlterDomain {
  type: 'alterDomain';
  name: string[];
  action:
    | { kind: 'setDefault'; value: Expression }
    | { kind: 'dropDefault' }
    | { kind: 'setNotNull' }
    | { kind: 'dropNotNull' }
    | { kind: 'addConstraint'; constraint: ColumnConstraint }
    | { kind: 'dropConstraint'; name: string; ifExists: boolean; cascade: boolean }
    | { kind: 'validateConstraint'; name: string };
  at: number;
}
export interface FunctionArgument {
  name: string | null;
  mode: 'in' | 'out' | 'inout' | 'variadic' | 'table';
  dataType: TypeName;
  default: Expression | null;
  at: number;
}
export interface CreateFunction {
  type: 'createFunction';
  kind: 'function' | 'procedure';
  name: string[];
  replace: boolean;
  args: FunctionArgument[];
  returns: TypeName | null;
  /** language, as (list of one or two strings), volatility, strict, security, leakproof, window, cost, rows, support, parallel, set. */
  options: Option[];
  /** SQL-standard body: RETURN expression, or BEGIN ATOMIC … END. */
  body: { type: 'return'; value: Expression } | { type: 'atomic'; statements: Statement[] } | null;
  at: number;
}
/** CREATE AGGREGATE. */
export interface CreateAggregate {
  type: 'createAggregate';
  name: string[];
  replace: boolean;
  /** null: given by the option BASETYPE. */
  args: FunctionArgument[] | null;
  /** Number of arguments before ORDER BY; null if there is none. */
  direct: number | null;
  options: Option[];
  at: number;
}
export interface CreateOperator {
  type: 'createOperator';
  name: string[];
  options: Option[];
  at: number;
}
export interface AlterOperator {
  type: 'alterOperator';
  object: ObjectName;
  options: Option[];
  at: number;
}
export interface CreateCast {
  type: 'createCast';
  from: TypeName;
  to: TypeName;
  /** `function` with `routine`. */
  method: 'binary' | 'io' | 'function';
  routine: ObjectName | null;
  context: 'implicit' | 'assignment' | 'explicit';
  at: number;
}
export interface CreateCollation {
  type: 'createCollation';
  name: string[];
  ifNotExists: boolean;
  /** FROM another collation. */
  from: string[] | null;
  options: Option[];
  at: number;
}
export interface CreateConversion {
  type: 'createConversion';
  name: string[];
  /** Names of encodings as written. */
  from: string;
  to: string;
  function: string[];
  default: boolean;
  at: number;
}
/** CREATE TEXT SEARCH kind. */
export interface CreateSearchObject {
  type: 'createSearchObject';
  kind: 'dictionary' | 'configuration' | 'parser' | 'template';
  name: string[];
  options: Option[];
  at: number;
}
export interface AlterSearchDictionary {
  type: 'alterSearchDictionary';
  name: string[];
  /** Options without a value are removed. */
  options: Option[];
  at: number;
}
export interface AlterSearchConfiguration {
  type: 'alterSearchConfiguration';
  name: string[];
  action: 'add' | 'alter' | 'replace' | 'drop';
  /** null: all. */
  tokens: string[] | null;
  /** For `replace` the old one and the new one. */
  dictionaries: string[][];
  ifExists: boolean;
  at: number;
}
export interface CreateStatistics {
  type: 'createStatistics';
  /** null: a default name. */
  name: string[] | null;
  ifNotExists: boolean;
  kinds: string[];
  columns: string[];
  expressions: Expression[];
  table: RelationName;
  at: number;
}
/** ALTER STATISTICS … SET STATISTICS. */
export interface AlterStatistics {
  type: 'alterStatistics';
  name: string[];
  ifExists: boolean;
  target: number;
  at: number;
}
/** The objects of a publication. */
export interface Published {
  tables: { name: RelationName; only: boolean; columns: string[] | null; where: Expression | null }[];
  /** null: CURRENT_SCHEMA. */
  schemas: (string | null)[];
}
export interface CreateOperatorFamily {
  type: 'createOperatorFamily';
  name: string[];
  method: string;
  at: number;
}
export interface CreateOperatorClass {
  type: 'createOperatorClass';
  name: string[];
  family: string[] | null;
  method: string;
  dataType: TypeName;
  standard: boolean;
  items: OperatorClassItem[];
  at: number;
}
export interface AlterOperatorFamily {
  type: 'alterOperatorFamily';
  name: string[];
  method: string;
  /** DROP: operators and functions have only their numbers and types. */
  drop: boolean;
  items: OperatorClassItem[];
  at: number;
}
/** `types`: null if none are written for the item itself. */
export type OperatorClassItem =
  | { kind: 'operator'; place: number; operator: ObjectName | null; sortFamily: string[] | null; types: TypeName[] | null }
  | { kind: 'function'; place: number; routine: ObjectName | null; types: TypeName[] | null }
  | { kind: 'storage'; dataType: TypeName };
export interface CreateSubscription {
  type: 'createSubscription';
  name: string;
  connection: string;
  publications: string[];
  options: Option[];
  at: number;
}
export interface AlterSubscription {
  type: 'alterSubscription';
  name: string;
  action: 'options' | 'connection' | 'set' | 'add' | 'drop' | 'refresh' | 'enabled' | 'skip';
  connection: string | null;
  publications: string[];
  options: Option[];
  at: number;
}
export interface CreatePublication {
  type: 'createPublication';
  name: string;
  allTables: boolean;
  published: Published;
  options: Option[];
  at: number;
}
export interface AlterPublication {
  type: 'alterPublication';
  name: string;
  /** `options` with `options`, the others with `published`. */
  action: 'add' | 'set' | 'drop' | 'options';
  published: Published;
  options: Option[];
  at: number;
}
/** CREATE and ALTER FOREIGN DATA WRAPPER. A `routine` of null: NO HANDLER, NO VALIDATOR. */
export interface DefineWrapper {
  type: 'createWrapper' | 'alterWrapper';
  name: string;
  functions: { what: 'handler' | 'validator'; routine: string[] | null; at: number }[];
  options: Option[];
  at: number;
}
export interface CreateServer {
  type: 'createServer';
  name: string;
  serverType: string | null;
  version: string | null;
  wrapper: string;
  ifNotExists: boolean;
  options: Option[];
  at: number;
}
export interface AlterServer {
  type: 'alterServer';
  name: string;
  /** undefined: unchanged. */
  version?: string | null;
  options: Option[];
  at: number;
}
export interface DefineUserMapping {
  type: 'createUserMapping' | 'alterUserMapping' | 'dropUserMapping';
  user: Role;
  server: string;
  /** IF [NOT] EXISTS. */
  lenient: boolean;
  options: Option[];
  at: number;
}
export interface ImportForeignSchema {
  type: 'importForeignSchema';
  server: string;
  into: string;
  at: number;
}
/** ALTER FUNCTION … with options of CREATE FUNCTION. */
export interface AlterFunction {
  type: 'alterFunction';
  kind: 'function' | 'procedure' | 'routine';
  object: ObjectName;
  /** As of CREATE FUNCTION, except language and as. */
  options: Option[];
  at: number;
}
export interface CreateExtension {
  type: 'createExtension';
  name: string;
  ifNotExists: boolean;
  options: Option[];
  at: number;
}
/** ALTER EXTENSION … UPDATE; `version` null: to the newest. */
export interface UpdateExtension {
  type: 'updateExtension';
  name: string;
  version: string | null;
  at: number;
}
/** ALTER COLLATION … REFRESH VERSION. */
export interface RefreshCollation {
  type: 'refreshCollation';
  name: string[];
  at: number;
}
export interface CreateDatabase {
  type: 'createDatabase';
  name: string;
  options: Option[];
  at: number;
}
/** ALTER DATABASE … WITH options, or REFRESH COLLATION VERSION. */
export interface AlterDatabase {
  type: 'alterDatabase';
  name: string;
  action: 'options' | 'refresh';
  options: Option[];
  at: number;
}
export interface DropDatabase {
  type: 'dropDatabase';
  name: string;
  ifExists: boolean;
  force: boolean;
  at: number;
}
export interface CreateRole {
  type: 'createRole';
  kind: 'role' | 'user' | 'group';
  name: string;
  options: Option[];
  at: number;
}
export interface AlterRole {
  type: 'alterRole';
  role: Role;
  options: Option[];
  at: number;
}
export interface DropRole {
  type: 'dropRole';
  roles: Role[];
  ifExists: boolean;
  at: number;
}

/** Object kinds of COMMENT, DROP, ALTER … RENAME and similar. */
export type ObjectKind =
  | 'table'
  | 'view'
  | 'materialized view'
  | 'index'
  | 'sequence'
  | 'foreign table'
  | 'column'
  | 'attribute'
  | 'constraint'
  | 'domain constraint'
  | 'schema'
  | 'type'
  | 'domain'
  | 'function'
  | 'procedure'
  | 'routine'
  | 'aggregate'
  | 'operator'
  | 'collation'
  | 'cast'
  | 'database'
  | 'role'
  | 'extension'
  | 'trigger'
  | 'rule'
  | 'policy'
  | 'statistics'
  | 'language'
  | 'tablespace'
  | 'access method'
  | 'conversion'
  | 'event trigger'
  | 'foreign data wrapper'
  | 'server'
  | 'operator class'
  | 'operator family'
  | 'publication'
  | 'subscription'
  | 'transform'
  | 'large object'
  | 'text search configuration'
  | 'text search dictionary'
  | 'text search parser'
  | 'text search template'
  | 'default privileges'
  | 'user mapping';
/**
 * An object by name. `name` has the parts as written; for a column the last is the column's, for a constraint, trigger, rule or
 * policy the last is its own and the earlier ones are its table's. `args` is null without an argument list.
 */
export interface ObjectName {
  name: string[];
  args: FunctionArgument[] | null;
  /** A type or domain given as a type. */
  dataType: TypeName | null;
}
export interface Comment {
  type: 'comment';
  kind: ObjectKind;
  object: ObjectName;
  text: string | null;
  at: number;
}
export interface SecurityLabel {
  type: 'securityLabel';
  provider: string | null;
  kind: ObjectKind;
  object: ObjectName;
  label: string | null;
  at: number;
}
export interface Drop {
  type: 'drop';
  kind: ObjectKind;
  objects: ObjectName[];
  ifExists: boolean;
  cascade: boolean;
  concurrently: boolean;
  at: number;
}
/** `kind` is the renamed object; for a column, attribute or constraint `of` is its container. */
export interface Rename {
  type: 'rename';
  kind: ObjectKind;
  of: ObjectKind | null;
  object: ObjectName;
  to: string;
  ifExists: boolean;
  cascade: boolean;
  only: boolean;
  at: number;
}
export interface SetSchema {
  type: 'setSchema';
  kind: ObjectKind;
  object: ObjectName;
  schema: string;
  ifExists: boolean;
  at: number;
}
export interface SetOwner {
  type: 'setOwner';
  kind: ObjectKind;
  object: ObjectName;
  owner: Role;
  at: number;
}
export type AlterAction =
  /** `cascade`: of an attribute. */
  | { type: 'addColumn'; column: ColumnDefinition; ifNotExists: boolean; cascade: boolean }
  | { type: 'dropColumn'; column: string; ifExists: boolean; cascade: boolean }
  | { type: 'setType'; column: string; dataType: TypeName; collation: string[] | null; using: Expression | null; cascade: boolean }
  | { type: 'setDefault'; column: string; value: Expression }
  | { type: 'dropDefault'; column: string }
  | { type: 'setNotNull'; column: string }
  | { type: 'dropNotNull'; column: string }
  | { type: 'setExpression'; column: string; value: Expression }
  | { type: 'dropExpression'; column: string; ifExists: boolean }
  | { type: 'addIdentity'; column: string; identity: IdentityConstraint }
  | { type: 'setIdentity'; column: string; options: Option[] }
  | { type: 'dropIdentity'; column: string; ifExists: boolean }
  /** `number`: of an index's column. */
  | { type: 'setStatistics'; column: string; number: number | null; value: number }
  | { type: 'setStorage'; column: string; storage: string }
  | { type: 'setCompression'; column: string; method: string }
  | { type: 'addConstraint'; constraint: TableConstraint }
  | { type: 'alterConstraint'; name: string; deferral: Deferral | null }
  | { type: 'validateConstraint'; name: string }
  | { type: 'dropConstraint'; name: string; ifExists: boolean; cascade: boolean }
  | { type: 'setOptions' | 'resetOptions'; options: Option[] }
  | { type: 'setColumnOptions' | 'resetColumnOptions'; column: string; options: Option[] }
  | { type: 'foreignOptions'; options: Option[] }
  | { type: 'columnForeignOptions'; column: string; options: Option[] }
  | { type: 'setOwner'; owner: Role }
  | { type: 'setLogged'; logged: boolean }
  | { type: 'setTablespace'; tablespace: string }
  | { type: 'inherit' | 'noInherit'; parent: RelationName }
  | { type: 'attachPartition'; partition: RelationName; bound: PartitionBound | null }
  | { type: 'detachPartition'; partition: RelationName; concurrently: boolean }
  | { type: 'of'; dataType: TypeName }
  | { type: 'notOf' }
  | { type: 'setAccessMethod'; method: string }
  | { type: 'rules'; enable: boolean; name: string; fire: 'origin' | 'always' | 'replica' }
  | { type: 'rowSecurity'; mode: 'enable' | 'disable' | 'force' | 'noForce' }
  | { type: 'triggers'; enable: boolean; name: string | null; which: 'all' | 'user' | 'named'; fire: 'origin' | 'always' | 'replica' }
  | { type: 'replicaIdentity'; identity: 'default' | 'full' | 'nothing' | 'index'; index: string | null }
  | { type: 'clusterOn'; index: string }
  | { type: 'dropCluster' }
  /** Refused with 0A000 later. */
  | { type: 'other'; what: string };
export interface AlterTable {
  type: 'alterTable';
  kind: 'table' | 'view' | 'materialized view' | 'index' | 'sequence' | 'foreign table' | 'type';
  name: RelationName;
  only: boolean;
  ifExists: boolean;
  actions: (AlterAction & { at: number })[];
  at: number;
}
/** Empty `privileges`: ALL. */
export interface Grant {
  type: 'grant';
  grant: boolean;
  privileges: { name: string | null; columns: string[] }[];
  kind: ObjectKind;
  /** ON ALL TABLES IN SCHEMA …: `objects` are schemas. */
  allInSchema: boolean;
  objects: ObjectName[];
  grantees: Role[];
  /** WITH GRANT OPTION, or GRANT OPTION FOR. */
  grantOption: boolean;
  grantedBy: Role | null;
  cascade: boolean;
  at: number;
}
/** ALTER DEFAULT PRIVILEGES: empty `roles`: the current one; empty `schemas`: all. */
export interface AlterDefaultPrivileges {
  type: 'alterDefaultPrivileges';
  roles: Role[];
  schemas: string[];
  grant: Grant;
  at: number;
}
export interface CreateTrigger {
  type: 'createTrigger';
  replace: boolean;
  constraint: boolean;
  name: string;
  table: RelationName;
  function: string[];
  args: string[];
  row: boolean;
  timing: 'before' | 'after' | 'instead of';
  events: ('insert' | 'update' | 'delete' | 'truncate')[];
  /** UPDATE OF. */
  columns: string[];
  when: Expression | null;
  /** REFERENCING. */
  transitions: { name: string; isNew: boolean; isTable: boolean }[];
  deferrable: boolean;
  initiallyDeferred: boolean;
  from: RelationName | null;
  at: number;
}
/** `filters`: WHEN, as written. */
export interface CreateEventTrigger {
  type: 'createEventTrigger';
  name: string;
  event: string;
  filters: { name: string; values: string[] }[];
  function: string[];
  at: number;
}
export interface AlterEventTrigger {
  type: 'alterEventTrigger';
  name: string;
  fires: 'origin' | 'always' | 'replica' | 'never';
  at: number;
}
export type RuleEvent = 'select' | 'insert' | 'update' | 'delete';
export interface CreateRule {
  type: 'createRule';
  replace: boolean;
  name: string;
  table: RelationName;
  event: RuleEvent;
  instead: boolean;
  where: Expression | null;
  /** Empty: NOTHING. */
  actions: Statement[];
  at: number;
}
export type PolicyCommand = 'all' | 'select' | 'insert' | 'update' | 'delete';
export interface CreatePolicy {
  type: 'createPolicy';
  name: string;
  table: RelationName;
  permissive: boolean;
  command: PolicyCommand;
  roles: Role[];
  using: Expression | null;
  check: Expression | null;
  at: number;
}
/** null parts are unchanged. */
export interface AlterPolicy {
  type: 'alterPolicy';
  name: string;
  table: RelationName;
  roles: Role[] | null;
  using: Expression | null;
  check: Expression | null;
  at: number;
}
export interface DropOwned {
  type: 'dropOwned';
  roles: Role[];
  cascade: boolean;
  at: number;
}
export interface ReassignOwned {
  type: 'reassignOwned';
  roles: Role[];
  to: Role;
  at: number;
}
/** ALTER TABLE ALL IN TABLESPACE … SET TABLESPACE …; no roles: of any owner. */
export interface MoveAll {
  type: 'moveAll';
  kind: 'table' | 'index' | 'materialized view';
  roles: Role[];
  from: string;
  to: string;
  at: number;
}
/** GRANT and REVOKE … ON PARAMETER; no privileges: ALL. */
export interface GrantParameter {
  type: 'grantParameter';
  grant: boolean;
  privileges: string[];
  names: string[];
  grantees: Role[];
  grantOption: boolean;
  grantedBy: Role | null;
  cascade: boolean;
  at: number;
}
export interface GrantRole {
  type: 'grantRole';
  grant: boolean;
  roles: string[];
  grantees: Role[];
  options: Option[];
  grantedBy: Role | null;
  cascade: boolean;
  at: number;
}
export type DefineStatement =
  | AlterDatabase
  | GrantParameter
  | CreateTable
  | CreateTableAs
  | CreateIndex
  | CreateView
  | RefreshMaterializedView
  | CreateSequence
  | AlterSequence
  | CreateSchema
  | CreateType
  | AlterEnum
  | CreateDomain
  | AlterDomain
  | CreateFunction
  | CreateAggregate
  | CreateOperator
  | AlterOperator
  | CreateCast
  | CreateCollation
  | CreateConversion
  | CreateSearchObject
  | AlterSearchDictionary
  | AlterSearchConfiguration
  | CreateStatistics
  | AlterStatistics
  | CreateOperatorFamily
  | CreateOperatorClass
  | AlterOperatorFamily
  | CreateSubscription
  | AlterSubscription
  | CreatePublication
  | AlterPublication
  | DefineWrapper
  | CreateServer
  | AlterServer
  | DefineUserMapping
  | ImportForeignSchema
  | AlterFunction
  | CreateExtension
  | UpdateExtension
  | RefreshCollation
  | CreateDatabase
  | DropDatabase
  | CreateRole
  | AlterRole
  | DropRole
  | Comment
  | SecurityLabel
  | Drop
  | Rename
  | SetSchema
  | SetOwner
  | AlterTable
  | Grant
  | AlterDefaultPrivileges
  | CreatePolicy
  | CreateTrigger
  | CreateEventTrigger
  | AlterEventTrigger
  | CreateRule
  | AlterPolicy
  | DropOwned
  | ReassignOwned
  | MoveAll
  | GrantRole;
