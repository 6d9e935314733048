/**
 * What rows of a world's catalog tree say: one object a row, as JSON. Numbers come from the whole database's
 * numbering, so the same object has one number in every world that has it.
 *
 * Definitions hold only what is true without a statement: SQL text where an expression is meant, type oids
 * (enums have their object number), and for indexes the cells and codes that the fold needs to keep them.
 */
import { FIRST_OWN_OID } from '../base/first-own-oid.ts';
import { KIND, type Shape } from '../tree/datum.ts';

/** Types of document fields; `unknown` while only nulls were seen. */
export type DocumentType = 'unknown' | 'boolean' | 'bigint' | 'double precision' | 'text' | 'jsonb';

export interface TableObject {
  what: 'table';
  number: number;
  name: string;
  document: true;
}
export interface ColumnObject {
  what: 'column';
  number: number;
  table: number;
  name: string;
  type: DocumentType;
}
export interface SchemaObject {
  what: 'schema';
  number: number;
  name: string;
}
/** A typed table. */
export interface RelationObject {
  what: 'relation';
  number: number;
  schema: string;
  name: string;
  /** Column numbers of the primary key; empty for a hidden row number. */
  key: number[];
  /** Whether its tree has numeric keys. */
  numeric: boolean;
  /** The primary key's constraint; `parent`: that of the partitioned table that it is part of. */
  primaryKey: { number: number; name: string; parent?: number } | null;
  /** Highest attnum ever given. */
  attnums: number;
  /** Numbers of columns that were dropped: rows may still hold their cells, so they are not given again. */
  dropped: number[];
  /** A changed epoch starts the table's tree empty: TRUNCATE, and rows that get other keys. */
  epoch: number;
  /** Of a temporary table. */
  onCommit?: 'delete rows' | 'drop';
  /** A materialized view: the query whose rows it holds. */
  query?: { sql: string; uses: { object: number; columns: number[] }[]; populated: boolean };
  /** Numbers of the tables that it inherits from, in order; of a partition the one that it is part of. */
  parents?: number[];
  /** PARTITION BY: it has no rows of its own. */
  partitionBy?: PartitionKeyObject;
  /** Of a partition: which rows of its parent it holds. */
  bound?: PartitionBoundObject;
  /** OF: oid of a composite type. */
  ofType?: number;
  /** Of a foreign table: it has no rows of its own. */
  foreign?: { server: number; options: string[] };
}
export interface PartitionKeyObject {
  strategy: 'range' | 'list' | 'hash';
  /** Each a column by its number or an expression as SQL text, with the type that it gives; `words`: collation and operator class as written. */
  elements: { column: number | null; expression: string | null; type: number; typmod: number; words?: string }[];
}
/** Values are texts of the key's types, as rows keep them. */
export type PartitionBoundObject =
  | { kind: 'default' }
  | { kind: 'list'; values: (string | null)[] }
  | { kind: 'range'; from: PartitionDatum[]; to: PartitionDatum[] }
  | { kind: 'hash'; modulus: number; remainder: number };
export type PartitionDatum = 'min' | 'max' | { value: string };
/** A column of a typed table. */
export interface AttributeObject {
  what: 'attribute';
  number: number;
  table: number;
  name: string;
  attnum: number;
  /** Oid. */
  type: number;
  typmod: number;
  notNull: boolean;
  /** SQL text. */
  default: string | null;
  identity: 'always' | 'by default' | null;
  /** SQL text. */
  generated: string | null;
  /** Text of the value that rows have which were stored before the column was added. */
  missing: string | null;
  /** The same as a cell. */
  missingCell: number | string | boolean | null;
  /** How many parents have it; left out for none. */
  inherited?: number;
  /** It is there because of parents alone. */
  notLocal?: true;
  /** Of a foreign table's column. */
  options?: string[];
  /** Locale of its collation of ICU, where that is not deterministic: keys lie by what it holds for equal. */
  folding?: string;
}
/** How a cell is written into a key that sorts as bytes; `list`: a hidden cell holds several keys, each an entry of its own (key-list.ts). */
export type KeyCode = 'bool' | 'i32' | 'i64' | 'f64' | 'text' | 'bin' | 'raw' | 'list';
export interface IndexKeyObject {
  /** Number of the column, or null for an expression. */
  column: number | null;
  /** SQL text. */
  expression: string | null;
  /** Oid of the column's or the expression's type. */
  type: number;
  typmod: number;
  descending: boolean;
  nullsFirst: boolean;
  /** The cell of the row that the key is made of: the column's own, or a hidden one that writers keep. */
  cell: number;
  code: KeyCode;
  /** Name of the operator class where it is not the standard one. */
  operatorClass?: string;
  /** Number of the operator class where it is one of the world. */
  ownClass?: number;
  /** As of a column (AttributeObject). */
  folding?: string;
}
/** Left out: btree. */
export type IndexMethod = 'hash' | 'gin' | 'gist' | 'spgist' | 'brin';
export interface IndexObject {
  what: 'index';
  method?: IndexMethod;
  /** It has no tree: it is only written down, for those who ask what was defined. */
  recorded?: true;
  number: number;
  table: number;
  name: string;
  unique: boolean;
  nullsNotDistinct: boolean;
  columns: IndexKeyObject[];
  /** Column numbers. */
  include: number[];
  /** SQL text of a partial index's condition, and the hidden cell that holds whether a row meets it. */
  where: string | null;
  whereCell: number | null;
  /** Name of the unique constraint that it stands for. */
  constraint: string | null;
  /** A primary key that is deferrable: rows lie under hidden numbers, since two of one key may stand side by side for a while. */
  primary?: true;
  deferrable: boolean;
  initiallyDeferred: boolean;
  /** Number of the index of the partitioned table that it is part of. */
  parent?: number;
  /** Of an exclusion constraint: names of the operators, one a column, and the access method as written. */
  exclusion?: { operators: string[]; method: string };
}
export interface CheckObject {
  what: 'check';
  number: number;
  table: number;
  name: string;
  condition: string;
  /** Numbers of the columns that it reads. */
  columns: number[];
  /** Rows that were there when it was made were not looked at. */
  notValid?: true;
  /** How many parents have it; left out for none. */
  inherited?: number;
  notLocal?: true;
  noInherit?: true;
}
export type KeyAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';
export interface ForeignKeyObject {
  what: 'foreign key';
  number: number;
  table: number;
  name: string;
  columns: number[];
  target: number;
  targetColumns: number[];
  onDelete: KeyAction;
  onUpdate: KeyAction;
  deleteColumns: number[];
  matchFull: boolean;
  deferrable: boolean;
  initiallyDeferred: boolean;
  notValid?: true;
  /** Number of the foreign key of the partitioned table that it is part of. */
  parent?: number;
}
export interface ViewObject {
  what: 'view';
  number: number;
  schema: string;
  name: string;
  sql: string;
  /** `default`: SQL text of what INSERT through the view puts where nothing is given. */
  columns: { name: string; type: number; typmod: number; default?: string }[];
  /** WITH CHECK OPTION. */
  check?: 'local' | 'cascaded';
  /** WITH (security_invoker). */
  invoker?: true;
  /** WITH (security_barrier). */
  barrier?: true;
  /** Numbers of the relations and types that it reads, and of their columns. */
  uses: { object: number; columns: number[] }[];
}
export interface SequenceObject {
  what: 'sequence';
  number: number;
  schema: string;
  name: string;
  /** Oid of int2, int4 or int8. */
  type: number;
  /** Whole numbers as text: they may lie beyond 2^53. */
  increment: string;
  min: string;
  max: string;
  start: string;
  cache: number;
  cycle: boolean;
  ownedBy: { table: number; column: number } | null;
}
export interface EnumObject {
  what: 'enum';
  number: number;
  array: number;
  schema: string;
  name: string;
  /**
   * `order` never changes, so keys made of it stay right when labels are put between. `stored`: what rows hold of a label that was
   * renamed, or made under a name that another one had; of any other they hold the label.
   */
  labels: { label: string; order: number; stored?: string }[];
}
/** What rows hold of the label. */
export function labelId({ label, stored }: EnumObject['labels'][number]): string {
  return stored ?? label;
}
export interface DomainObject {
  what: 'domain';
  number: number;
  array: number;
  schema: string;
  name: string;
  /** Oid of the type that it restricts, which may be another domain. */
  base: number;
  typmod: number;
  notNull: boolean;
  /** SQL text. */
  default: string | null;
  /** Conditions over VALUE. */
  checks: { number: number; name: string; condition: string; notValid?: true }[];
}
/** CREATE TYPE … AS (…). */
export interface CompositeObject {
  what: 'composite';
  number: number;
  array: number;
  schema: string;
  name: string;
  /** Highest attnum ever given. Cells keep fields by their attnums, so they stay readable when attributes come and go. */
  attnums: number;
  attributes: { attnum: number; name: string; type: number; typmod: number }[];
}
/** CREATE TYPE … AS RANGE, with the multirange type over it. */
export interface RangeObject {
  what: 'range';
  number: number;
  array: number;
  multirange: number;
  multirangeArray: number;
  schema: string;
  name: string;
  multirangeName: string;
  /** Oid of the type of the bounds. */
  subtype: number;
  /** What SUBTYPE_DIFF and COLLATION name; told, and not asked. */
  difference?: RoutineReference;
  collation?: string;
}
/** CREATE TYPE by functions for its texts: a base type. Without them a shell, which nothing can be of yet. */
export interface BaseObject {
  what: 'base';
  number: number;
  /** 0 of a shell. */
  array: number;
  schema: string;
  name: string;
  /** null: a shell. */
  made: BaseTypeParts | null;
}
export interface BaseTypeParts {
  /** Oid of the system's type that the input function reads: values are its values. */
  over: number;
  /** Oid of the system's type whose texts the output function writes. */
  shown: number;
  /** Oids of functions; 0: there is none. */
  input: number;
  output: number;
  receive: number;
  send: number;
  analyze: number;
  /** As in pg_type. */
  length: number;
  byValue: boolean;
  align: string;
  storage: string;
  category: string;
  preferred: boolean;
  delimiter: string;
  collatable: boolean;
  /** Text of a value. */
  default: string | null;
}
export type TypeObject = EnumObject | DomainObject | CompositeObject | RangeObject | BaseObject;
/** A function or procedure in SQL. */
export interface FunctionObject {
  what: 'function';
  number: number;
  schema: string;
  name: string;
  procedure: boolean;
  /** Types are oids; `default` is SQL text. */
  args: { name: string | null; mode: 'in' | 'out' | 'inout' | 'variadic' | 'table'; type: number; default: string | null }[];
  /** Oid of the result; of a function with several columns 2249 (record). */
  returns: number;
  set: boolean;
  /** Columns of a relation whose rows it returns. */
  columns: { name: string; type: number }[] | null;
  body: string;
  /** How the body was written: as text, `RETURN value`, or `BEGIN ATOMIC …`. */
  form: 'text' | 'return' | 'atomic';
  volatility: 'immutable' | 'stable' | 'volatile';
  strict: boolean;
  /** It runs with the rights of its owner, not of who calls it. */
  definer?: boolean;
  /** Left out: unsafe. */
  parallel?: 'safe' | 'restricted';
  leakproof?: boolean;
  /** What its author says it costs, and how many rows it gives; left out: 100, and 1000 of a set. */
  cost?: number;
  rows?: number;
  /** Name of the function that helps to plan its calls. */
  support?: string;
  window?: boolean;
  /** Numbers of what a body kept as SQL reads, writes and calls, with the columns. */
  uses?: { object: number; columns: number[] }[];
  /** Settings that hold while it runs. */
  settings?: { name: string; value: string }[];
  /** Left out: SQL. Of an internal one `body` is the name in C of the system's function that it calls. */
  language?: 'plpgsql' | 'internal';
  /** It is an aggregate: `body` is empty, `returns` is what the last of its functions gives. */
  aggregate?: AggregateParts;
}
/** A function of the world by its number, or one of the system's by its name; which one of the name, its arguments say. */
export type RoutineReference = { own: number } | { name: string };
export interface AggregateParts {
  /** Oid of the type of the state. */
  state: number;
  /** Text of the first state; null: null. */
  initial: string | null;
  step: RoutineReference;
  finish: RoutineReference | null;
  /** The last function is given nulls in place of the arguments after the state. */
  finishExtra: boolean;
  /** Arguments before ORDER BY of an ordered-set aggregate. */
  direct?: number;
  hypothetical?: boolean;
  /** What changes no result here and is only written down. */
  recorded?: RecordedAggregateParts;
}
/** How an aggregate could be computed elsewhere or faster, as its author has said it. */
export interface RecordedAggregateParts {
  combine?: RoutineReference;
  /** What the last function does to the state; left out: nothing, and of an ordered-set aggregate anything. */
  modify?: 'read_only' | 'shareable' | 'read_write';
  /** Bytes that a state is expected to take. */
  spaceBytes?: number;
  /** Oid of the operator by which an index finds the result. */
  sort?: number;
  moving?: {
    state: number;
    step: RoutineReference;
    inverse: RoutineReference;
    finish: RoutineReference | null;
    finishExtra?: boolean;
    modify?: 'read_only' | 'shareable' | 'read_write';
    spaceBytes?: number;
    initial: string | null;
  };
}
export interface OperatorObject {
  what: 'operator';
  number: number;
  schema: string;
  name: string;
  /** Oid of the type on its left; 0 of a prefix operator. */
  left: number;
  right: number;
  returns: number;
  routine: RoutineReference;
  /** Names as they were written. */
  commutator: string | null;
  negator: string | null;
  merges: boolean;
  hashes: boolean;
  /** Names of the system's functions that would estimate how many rows fulfil it. */
  restrict?: string;
  join?: string;
}
/** Operator classes of one access method whose operators go together. */
export interface OperatorFamilyObject {
  what: 'operator family';
  number: number;
  schema: string;
  name: string;
  /** Name of the access method. */
  method: string;
}
/** What an index may do with a type. Its operators and functions are members of its family that name it. */
export interface OperatorClassObject {
  what: 'operator class';
  number: number;
  schema: string;
  name: string;
  method: string;
  /** Oid of a family of the world or of the system's. */
  family: number;
  /** Oid of the type. */
  type: number;
  /** Indexes over the type have it where they name none. */
  standard: boolean;
  /** Oid of the type that an index stores; 0: the type itself. */
  key: number;
}
interface FamilyMember {
  number: number;
  family: number;
  /** Strategy of an operator, number of a support function. */
  place: number;
  /** Oids of the types that it is for. */
  left: number;
  right: number;
  /** Number of the class that needs it; 0: the family has it without a class. */
  class: number;
}
export interface FamilyOperatorObject extends FamilyMember {
  what: 'family operator';
  /** One of the world by its number, one of the system by its name: it is between `left` and `right`. */
  operator: RoutineReference;
  /** Oid of the family of btree that orders what the operator gives; 0: it searches. */
  sort: number;
}
export interface FamilyFunctionObject extends FamilyMember {
  what: 'family function';
  routine: RoutineReference;
  /** Oids of the types of its arguments. */
  args: number[];
}
export interface CastObject {
  what: 'cast';
  number: number;
  /** Oids. */
  from: number;
  to: number;
  context: 'implicit' | 'assignment' | 'explicit';
  method: 'binary' | 'io' | 'function';
  /** With `function` alone. */
  routine: RoutineReference | null;
  /** How many arguments it takes: the value, its modifier, whether the cast was written out. */
  args: number;
}
export interface CommentObject {
  what: 'comment';
  /** Object number, and the attnum of a column or 0. */
  object: number;
  attnum: number;
  text: string;
}
/** COMMENT ON LARGE OBJECT: their numbers are not of those that other objects share. */
export interface LargeObjectCommentObject {
  what: 'large object comment';
  /** Oid of the large object. */
  object: number;
  text: string;
}
/** Owner of an object; one without this row is the database's own user's. */
export interface RightsObject {
  what: 'rights';
  /** Object number; 1 for the world itself. */
  object: number;
  /** Oid of a role. */
  owner: number;
  /** Its privileges are those of its `grant` rows; otherwise what such objects have from the start. */
  explicit: boolean;
}
/** Who wrote the definition of an object that no person has approved: an agent, the guest or a session in safe mode. Its owner may be somebody else. */
export interface AuthorObject {
  what: 'author';
  /** Object number. */
  object: number;
  /** Oid of an owner that is no role (identity/agent-owner.ts). */
  by: number;
  name: string;
}
/** What one role gave another on an object or (attnum above 0) a column. One a row, so that two branches' grants merge. */
export interface GrantObject {
  what: 'grant';
  object: number;
  attnum: number;
  /** Oids of roles; grantee 0 is everybody. */
  grantee: number;
  grantor: number;
  /** Letters of Postgres's ACLs, each followed by `*` where it may be passed on. */
  privileges: string;
  /** Place in the list. */
  order: number;
}
/** What objects that `role` makes get: ALTER DEFAULT PRIVILEGES. */
export interface DefaultRightsObject {
  what: 'default rights';
  role: number;
  /** Number of the schema, or 0 for all. */
  scope: number;
  kind: 'r' | 'S' | 'f' | 'T' | 'n';
  /** `grantee=privileges/grantor` with oids. */
  acl: string[];
}
/** SECURITY LABEL FOR anon ON COLUMN. */
export interface LabelObject {
  what: 'label';
  object: number;
  attnum: number;
  text: string;
}
/**
 * A label whose column or table was dropped: the mask goes with the column's identity (its number, or its name in a table of that name) to what is
 * made in its place, and to the moments when it was there.
 */
export interface FormerLabelObject {
  what: 'former label';
  object: number;
  attnum: number;
  /** Number of the column. */
  columnNumber: number;
  /** Names as they stood when it was dropped; `relation` with its schema. */
  relation: string;
  column: string;
  text: string;
}
/** That a world asked for an extension: what it brings is there for all. */
export interface ExtensionObject {
  what: 'extension';
  number: number;
  name: string;
  schema: string;
  version: string;
}
/** CREATE POLICY. Texts are queries of one item over the table, so that whoever renames what they name writes them anew as he does views. */
export interface PolicyObject {
  what: 'policy';
  number: number;
  table: number;
  name: string;
  permissive: boolean;
  command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  /** Oids of roles; 0 is everybody. */
  roles: number[];
  using: string | null;
  check: string | null;
  /** Numbers of the relations, functions and types that the texts name, and of their columns. */
  uses: { object: number; columns: number[] }[];
}
/** ALTER TABLE … ROW LEVEL SECURITY; a table without this row has none. */
export interface RowSecurityObject {
  what: 'row security';
  table: number;
  enabled: boolean;
  forced: boolean;
}
export type TriggerEvent = 'insert' | 'update' | 'delete' | 'truncate';
/** CREATE TRIGGER. */
export interface TriggerObject {
  what: 'trigger';
  number: number;
  /** Number of its table or view. */
  table: number;
  name: string;
  function: RoutineReference;
  timing: 'before' | 'after' | 'instead of';
  events: TriggerEvent[];
  /** FOR EACH ROW. */
  row: boolean;
  /** UPDATE OF: numbers of columns; of a view their places from 1. */
  columns: number[];
  /** SQL text over the rows OLD and NEW. */
  when: string | null;
  args: string[];
  /** Names of the transition tables. */
  oldTable: string | null;
  newTable: string | null;
  /** In which session_replication_role it fires; left out: origin and local. */
  fires?: 'always' | 'replica' | 'never';
  /** A constraint trigger; `from`: number of the other table that it is about. */
  constraint?: { deferrable: boolean; initiallyDeferred: boolean; from: number | null };
  /** Number of the partitioned table's trigger that it is a part of. */
  parent?: number;
}
/** CREATE RULE. Texts name relations with their schemas; whoever renames what they name writes them anew as he does views. */
export interface RuleObject {
  what: 'rule';
  number: number;
  /** Number of its table or view. */
  table: number;
  name: string;
  event: 'insert' | 'update' | 'delete';
  instead: boolean;
  /** SQL text over the rows OLD and NEW. */
  where: string | null;
  /** A statement each; none: NOTHING. */
  actions: string[];
  /** Numbers of the relations and functions that the texts name, and of their columns. */
  uses: { object: number; columns: number[] }[];
  /** In which session_replication_role it is applied; left out: origin and local. */
  fires?: 'always' | 'replica' | 'never';
}
export type DefinitionEvent = 'ddl_command_start' | 'ddl_command_end' | 'sql_drop' | 'table_rewrite';
/** CREATE EVENT TRIGGER. */
export interface EventTriggerObject {
  what: 'event trigger';
  number: number;
  name: string;
  event: DefinitionEvent;
  /** Tags of the commands it fires for, in upper case; left out: all. */
  tags?: string[];
  /** Number of the function. */
  function: number;
  /** In which session_replication_role it fires; left out: origin and local. */
  fires?: 'always' | 'replica' | 'never';
}
/** CREATE COLLATION: a name for an order, which is that of code points for all but those of ICU. */
export interface CollationObject {
  what: 'collation';
  number: number;
  schema: string;
  name: string;
  /** lc_collate and lc_ctype as written. */
  collate: string;
  ctype: string;
  /** Of ICU: the others are empty then. */
  icu?: { locale: string; deterministic: boolean };
}
/** CREATE CONVERSION: written down; texts are converted by what the system has built in. */
export interface ConversionObject {
  what: 'conversion';
  number: number;
  schema: string;
  name: string;
  /** Numbers of encodings. */
  from: number;
  to: number;
  /** Name of the system's function. */
  function: string;
  default: boolean;
}
/** CREATE STATISTICS: written down; estimates do not read it. */
export interface ExtendedStatisticsObject {
  what: 'extended statistics';
  number: number;
  table: number;
  schema: string;
  name: string;
  /** Letters of pg_statistic_ext.stxkind. */
  kinds: string;
  /** Numbers of columns, in order of their attnums. */
  columns: number[];
  /** SQL texts. */
  expressions: string[];
  /** ALTER STATISTICS … SET STATISTICS; -1 as the system likes. */
  target: number;
}
/** CREATE TEXT SEARCH DICTIONARY. */
export interface SearchDictionaryObject {
  what: 'text search dictionary';
  number: number;
  schema: string;
  name: string;
  /** Name of the template. */
  template: string;
  /** In the order they were given; `bare` where the value is a number. */
  options: { name: string; value: string; bare?: true }[];
}
/** CREATE TEXT SEARCH CONFIGURATION. */
export interface SearchConfigurationObject {
  what: 'text search configuration';
  number: number;
  schema: string;
  name: string;
  /** By numbers of types of tokens: the dictionaries that are asked one after the other, by their oids. */
  mappings: { token: number; dictionaries: number[] }[];
}
/** CREATE PUBLICATION: written down; nothing is replicated. What it publishes are rows of their own, so that two branches' additions merge. */
export interface PublicationObject {
  what: 'publication';
  number: number;
  name: string;
  allTables: boolean;
  /** The changes that are published. */
  insert: boolean;
  update: boolean;
  delete: boolean;
  truncate: boolean;
  viaRoot: boolean;
}
/** A table of a publication. */
/** What the world would subscribe to at another server; nothing is ever received. */
export interface SubscriptionObject {
  what: 'subscription';
  number: number;
  name: string;
  /** As libpq reads it; may have a password. */
  connection: string;
  publications: string[];
  /** null: none. */
  slot: string | null;
  enabled: boolean;
  binary: boolean;
  streaming: boolean;
  twoPhase: boolean;
  disableOnError: boolean;
  /** Of the setting synchronous_commit. */
  commit: string;
  /** pg_lsn as text; `0/0`: none is skipped. */
  skip: string;
}
export interface PublicationTableObject {
  what: 'publication table';
  number: number;
  publication: number;
  table: number;
  /** Numbers of columns, in order of their attnums; null: all. */
  columns: number[] | null;
  /** SQL text. */
  where: string | null;
}
/** TABLES IN SCHEMA of a publication. */
export interface PublicationSchemaObject {
  what: 'publication schema';
  number: number;
  publication: number;
  /** Number of the schema. */
  namespace: number;
}
/** CREATE FOREIGN DATA WRAPPER. Options are `name=value` each, here and below. */
export interface WrapperObject {
  what: 'foreign data wrapper';
  number: number;
  name: string;
  /** Of an extension: nobody else can write one. */
  handler: RoutineReference | null;
  validator: RoutineReference | null;
  options: string[];
  /** Name of the extension that it is part of. */
  extension?: string;
}
/** CREATE SERVER. */
export interface ServerObject {
  what: 'server';
  number: number;
  name: string;
  /** Number of its wrapper. */
  wrapper: number;
  type: string | null;
  version: string | null;
  options: string[];
}
export interface UserMappingObject {
  what: 'user mapping';
  number: number;
  server: number;
  /** Oid of a role; 0 is everybody. */
  role: number;
  options: string[];
}
/**
 * What was said of an object, or (`attnum` above 0) of a column, that changes no answer: whoever looks at the catalogs reads it.
 * Of an index, `collations` stand one for each column.
 */
export interface FactsObject {
  what: 'facts';
  object: number;
  attnum: number;
  /** WITH (…), `name=value` each. */
  options?: string[];
  unlogged?: true;
  /** DISABLE TRIGGER ALL of a table: its foreign keys and those that point at it are not enforced. */
  unenforced?: true;
  /** REPLICA IDENTITY of a table, or that an index is it. */
  replica?: 'f' | 'n' | 'i';
  /** CLUSTER ON of an index. */
  clustered?: true;
  statistics?: number;
  storage?: 'p' | 'e' | 'm' | 'x';
  compression?: 'p' | 'l';
  collation?: string;
  collations?: (string | null)[];
  /** Columns that a primary key has beside those of the key. */
  include?: number[];
}
export interface StatisticsObject {
  what: 'statistics';
  table: number;
  data: unknown;
}
export type CatalogObject =
  | TableObject
  | ColumnObject
  | SchemaObject
  | RelationObject
  | AttributeObject
  | IndexObject
  | CheckObject
  | ForeignKeyObject
  | ViewObject
  | SequenceObject
  | EnumObject
  | BaseObject
  | DomainObject
  | CompositeObject
  | RangeObject
  | FunctionObject
  | OperatorObject
  | OperatorFamilyObject
  | OperatorClassObject
  | FamilyOperatorObject
  | FamilyFunctionObject
  | CastObject
  | CommentObject
  | LargeObjectCommentObject
  | RightsObject
  | AuthorObject
  | GrantObject
  | DefaultRightsObject
  | LabelObject
  | FormerLabelObject
  | ExtensionObject
  | PolicyObject
  | RowSecurityObject
  | TriggerObject
  | RuleObject
  | EventTriggerObject
  | CollationObject
  | ConversionObject
  | ExtendedStatisticsObject
  | SearchDictionaryObject
  | SearchConfigurationObject
  | PublicationObject
  | SubscriptionObject
  | PublicationTableObject
  | PublicationSchemaObject
  | WrapperObject
  | ServerObject
  | UserMappingObject
  | FactsObject
  | StatisticsObject;

/** Schemas of sessions' temporary tables begin so; they are in no world. */
export const TEMPORARY_SCHEMA = 'pg_temp_';

export function isTemporarySchema(name: string): boolean {
  return name.startsWith(TEMPORARY_SCHEMA);
}

export const DEFINITION = 1;
export const DEFINITION_SHAPE: Shape = { ids: [DEFINITION], kinds: [KIND.JSON] };

export function catalogObject(definition: string): CatalogObject {
  return JSON.parse(definition) as CatalogObject;
}

/** Key of an object's row. What belongs to a table stands together, in order of numbers. */
export function definitionKey(object: CatalogObject): string {
  switch (object.what) {
    case 'table':
    case 'relation':
      return tableDefinitionKey(object.number);
    case 'column':
    case 'attribute':
      return columnDefinitionKey(object.table, object.number);
    case 'index':
      return `i${pad(object.table)}${pad(object.number)}`;
    case 'check':
    case 'foreign key':
      return `k${pad(object.table)}${pad(object.number)}`;
    case 'schema':
      return `s${pad(object.number)}`;
    case 'view':
      return `v${pad(object.number)}`;
    case 'sequence':
      return `q${pad(object.number)}`;
    case 'enum':
      return `e${pad(object.number)}`;
    case 'base':
      return `ub${pad(object.number)}`;
    case 'domain':
      return `o${pad(object.number)}`;
    case 'composite':
      return `p${pad(object.number)}`;
    case 'range':
      return `r${pad(object.number)}`;
    case 'function':
      return `f${pad(object.number)}`;
    case 'operator':
      return operatorKey(object.number);
    case 'cast':
      return `h${pad(object.number)}`;
    case 'operator family':
      return operatorFamilyKey(object.number);
    case 'operator class':
      return operatorClassKey(object.number);
    case 'family operator':
      return `ua${pad(object.number)}`;
    case 'family function':
      return `ug${pad(object.number)}`;
    case 'comment':
      return `m${pad(object.object)}${pad(object.attnum)}`;
    case 'large object comment':
      return `ul${pad(object.object)}`;
    case 'facts':
      return factsKey(object.object, object.attnum);
    case 'rights':
      return `a${pad(object.object)}`;
    case 'author':
      return `uh${pad(object.object)}`;
    case 'grant':
      return `a${pad(object.object)}${pad(object.attnum)}${pad(object.grantee)}${pad(object.grantor)}`;
    case 'default rights':
      return `d${pad(object.role)}${pad(object.scope)}${object.kind}`;
    case 'label':
      return `l${pad(object.object)}${pad(object.attnum)}`;
    case 'former label':
      return `lf${pad(object.object)}${pad(object.columnNumber)}`;
    case 'extension':
      return `x${pad(object.number)}`;
    case 'policy':
      return `y${pad(object.table)}${pad(object.number)}`;
    case 'row security':
      return rowSecurityKey(object.table);
    case 'trigger':
      return `j${pad(object.table)}${pad(object.number)}`;
    case 'rule':
      return `ur${pad(object.table)}${pad(object.number)}`;
    case 'event trigger':
      return `ue${pad(object.number)}`;
    case 'collation':
      return `b${pad(object.number)}`;
    case 'conversion':
      return `un${pad(object.number)}`;
    case 'text search dictionary':
      return searchDictionaryKey(object.number);
    case 'text search configuration':
      return `uc${pad(object.number)}`;
    case 'publication':
      return publicationKey(object.number);
    case 'subscription':
      return `uq${pad(object.number)}`;
    case 'publication table':
      return `ut${pad(object.table)}${pad(object.number)}`;
    case 'publication schema':
      return `us${pad(object.number)}`;
    case 'foreign data wrapper':
      return wrapperKey(object.number);
    case 'server':
      return serverKey(object.number);
    case 'user mapping':
      return `um${pad(object.server)}${pad(object.number)}`;
    case 'extended statistics':
      return `n${pad(object.table)}${pad(object.number)}`;
    case 'statistics':
      return `z${pad(object.table)}`;
  }
}

export function operatorKey(number: number): string {
  return `g${pad(number)}`;
}

export function operatorFamilyKey(number: number): string {
  return `uf${pad(number)}`;
}

export function operatorClassKey(number: number): string {
  return `uo${pad(number)}`;
}

export function searchDictionaryKey(number: number): string {
  return `ud${pad(number)}`;
}

export function publicationKey(number: number): string {
  return `up${pad(number)}`;
}

export function wrapperKey(number: number): string {
  return `uw${pad(number)}`;
}

export function serverKey(number: number): string {
  return `uv${pad(number)}`;
}

export function factsKey(object: number, attnum: number): string {
  return `j${pad(object)}${pad(attnum)}`;
}

export function rowSecurityKey(table: number): string {
  return `w${pad(table)}`;
}

export function tableDefinitionKey(table: number): string {
  return `t${pad(table)}`;
}

export function columnDefinitionKey(table: number, column: number): string {
  return `c${pad(table)}${pad(column)}`;
}

export function tableDefinition(number: number, name: string): string {
  return JSON.stringify({ what: 'table', number, name, document: true } satisfies TableObject);
}

export function columnDefinition(table: number, number: number, name: string, type: DocumentType): string {
  return JSON.stringify({ what: 'column', number, table, name, type } satisfies ColumnObject);
}

function pad(number: number): string {
  return String(number).padStart(15, '0');
}

/**
 * The name by which all worlds find one number for what they make alike; null for objects that are numbered
 * anew. A typed table's name goes with the form of its keys, a column's with its type: trees and cells of two
 * forms never share a number.
 */
export function numberName(object: CatalogObject): string | null {
  switch (object.what) {
    case 'table':
      return object.name;
    case 'column':
      return `${object.table}\0${object.name}`;
    case 'relation':
      return relationNumberName(object.schema, object.name, object.numeric);
    case 'attribute':
      return attributeNumberName(object.table, object.name, object.type, object.typmod);
    case 'schema':
      return namedNumberName('schema', '', object.name);
    case 'view':
    case 'sequence':
    case 'enum':
    case 'base':
    case 'domain':
    case 'composite':
    case 'range':
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'extended statistics':
      return namedNumberName(object.what, object.schema, object.name);
    case 'function':
      return namedNumberName(object.procedure ? 'procedure' : 'function', object.schema, `${object.name}(${inputTypes(object).join()})`);
    case 'operator':
      return namedNumberName('operator', object.schema, `${object.name}(${object.left},${object.right})`);
    case 'operator family':
    case 'operator class':
      return namedNumberName(object.what, object.schema, `${object.method}:${object.name}`);
    case 'family operator':
    case 'family function':
      return namedNumberName(object.what, String(object.family), `${object.place}(${object.left},${object.right})`);
    case 'cast':
      return namedNumberName('cast', '', `${object.from}:${object.to}`);
    case 'index':
    case 'check':
    case 'foreign key':
    case 'policy':
    case 'trigger':
    case 'rule':
      return namedNumberName(object.what, String(object.table), object.name);
    case 'row security':
    case 'comment':
    case 'large object comment':
    case 'facts':
    case 'rights':
    case 'author':
    case 'grant':
    case 'default rights':
    case 'label':
    case 'former label':
    case 'statistics':
      return null;
    case 'extension':
    case 'publication':
    case 'subscription':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
      return namedNumberName(object.what, '', object.name);
    case 'user mapping':
      return namedNumberName(object.what, String(object.server), String(object.role));
    case 'publication table':
      return namedNumberName(object.what, String(object.publication), String(object.table));
    case 'publication schema':
      return namedNumberName(object.what, String(object.publication), String(object.namespace));
  }
}

export function relationNumberName(schema: string, name: string, numeric: boolean): string {
  return namedNumberName(numeric ? 'numeric table' : 'table', schema, name);
}

export function attributeNumberName(table: number, name: string, type: number, typmod: number): string {
  return `\0column\0${table}\0${name}\0${type}\0${typmod}`;
}

export function namedNumberName(what: string, scope: string, name: string): string {
  return `\0${what}\0${scope}\0${name}`;
}

/** Types of the arguments that a call gives. */
export function inputTypes({ args, procedure }: FunctionObject): number[] {
  return args.filter(({ mode }) => mode !== 'table' && (mode !== 'out' || procedure)).map(({ type }) => type);
}

/** What people call it. */
export function routineWord({ procedure, aggregate }: FunctionObject): 'function' | 'procedure' | 'aggregate' {
  return aggregate !== undefined ? 'aggregate' : procedure ? 'procedure' : 'function';
}

/** The function of the world that is meant; null for one of the system's. */
export function ownRoutine(reference: RoutineReference | null): number | null {
  return reference !== null && 'own' in reference ? reference.own : null;
}

/** All functions that an aggregate names. */
export function routinesOf({ step, finish, recorded }: AggregateParts): RoutineReference[] {
  const { combine = null, moving } = recorded ?? {};
  return [step, finish, combine, moving?.step ?? null, moving?.inverse ?? null, moving?.finish ?? null].filter((each) => each !== null);
}

/** Numbers below it are the system's. */
export const FIRST_OWN = FIRST_OWN_OID;

/** Functions of the world that the object calls. */
export function routinesWithin(object: CatalogObject): number[] {
  switch (object.what) {
    case 'function':
      return object.aggregate === undefined
        ? []
        : routinesOf(object.aggregate)
            .map(ownRoutine)
            .filter((each) => each !== null);
    case 'range':
      return [ownRoutine(object.difference ?? null)].filter((each) => each !== null);
    case 'base': {
      const { input = 0, output = 0, receive = 0, send = 0, analyze = 0 } = object.made ?? {};
      return [input, output, receive, send, analyze].filter((oid) => oid >= FIRST_OWN);
    }
    case 'operator':
    case 'cast':
    case 'family function':
    case 'trigger': {
      const own = ownRoutine(object.what === 'trigger' ? object.function : object.routine);
      return own === null ? [] : [own];
    }
    case 'event trigger':
      return [object.function];
    case 'foreign data wrapper':
      return [object.handler, object.validator].map(ownRoutine).filter((each) => each !== null);
    default:
      return [];
  }
}

/** Every number that the object takes. */
export function numbersOf(object: CatalogObject): number[] {
  switch (object.what) {
    case 'comment':
    case 'large object comment':
    case 'facts':
    case 'rights':
    case 'author':
    case 'grant':
    case 'default rights':
    case 'label':
    case 'former label':
    case 'row security':
    case 'statistics':
      return [];
    case 'enum':
    case 'composite':
      return [object.number, object.array];
    case 'base':
      return typeOids(object);
    case 'domain':
      return [object.number, object.array, ...object.checks.map(({ number }) => number)];
    case 'range':
      return [object.number, object.array, object.multirange, object.multirangeArray];
    case 'relation':
      return object.primaryKey === null ? [object.number] : [object.number, object.primaryKey.number];
    case 'index':
      return [object.number, ...object.columns.map(({ cell }) => cell), ...(object.whereCell === null ? [] : [object.whereCell])];
    default:
      return [object.number];
  }
}

/** Names of the other numbers that the object takes. */
export function furtherNames(object: CatalogObject): [name: string, number: number][] {
  switch (object.what) {
    case 'relation':
      return object.primaryKey === null ? [] : [[primaryKeyNumberName(object.number, object.primaryKey.name), object.primaryKey.number]];
    case 'enum':
    case 'base':
    case 'composite':
      if (object.array === 0) return [];
      return [[namedNumberName(`${object.what} array`, object.schema, object.name), object.array]];
    case 'domain':
      return [
        [namedNumberName('domain array', object.schema, object.name), object.array],
        ...object.checks.map(({ name, number }): [string, number] => [namedNumberName('domain check', String(object.number), name), number]),
      ];
    case 'range':
      return rangeNumberNames(object.schema, object.name, [object.array, object.multirange, object.multirangeArray]);
    case 'index': {
      const cells = object.columns.flatMap(({ column, cell }, i): [string, number][] =>
        cell === column ? [] : [[cellNumberName(object.table, object.name, i), cell]],
      );
      return object.whereCell === null ? cells : [...cells, [cellNumberName(object.table, object.name, -1), object.whereCell]];
    }
    default:
      return [];
  }
}

export function primaryKeyNumberName(table: number, name: string): string {
  return namedNumberName('primary key', String(table), name);
}

/** A hidden cell of an index: of its n-th column, or of its condition (-1). */
export function cellNumberName(table: number, index: string, n: number): string {
  return namedNumberName('cell', `${table}\0${index}`, String(n));
}

export function rangeNumberNames(schema: string, name: string, numbers: readonly number[]): [name: string, number: number][] {
  return ['range array', 'multirange', 'multirange array'].map((what, i) => [namedNumberName(what, schema, name), numbers[i]]);
}

export function isTypeObject(object: CatalogObject | undefined): object is TypeObject {
  return object?.what === 'enum' || object?.what === 'base' || object?.what === 'domain' || object?.what === 'composite' || object?.what === 'range';
}

/** Oids of the type and of those over it. */
export function typeOids(object: TypeObject): number[] {
  if (object.what === 'range') return [object.number, object.array, object.multirange, object.multirangeArray];
  return object.array === 0 ? [object.number] : [object.number, object.array];
}

/** Oids of the types that it is made of. */
export function typesWithin(object: TypeObject): number[] {
  switch (object.what) {
    case 'enum':
    case 'base':
      return [];
    case 'domain':
      return [object.base];
    case 'composite':
      return object.attributes.map(({ type }) => type);
    case 'range':
      return [object.subtype];
  }
}

/** Row types of relations have no rows of their own: their oids follow from the relation's number, above all that are given. */
const ROW_TYPES = 0x9000_0000;
const ROW_ARRAYS = 0xc000_0000;
const ROW_TYPES_MAX = 0x1000_0000;

export function rowTypeOid(relation: number): number {
  return ROW_TYPES + relation;
}

export function rowArrayOid(relation: number): number {
  return ROW_ARRAYS + relation;
}

/** The relation whose row type (or the array over it) the oid is; null for any other type. */
export function relationOfRowType(oid: number): number | null {
  if (oid >= ROW_TYPES && oid < ROW_TYPES + ROW_TYPES_MAX) return oid - ROW_TYPES;
  return oid >= ROW_ARRAYS && oid < ROW_ARRAYS + ROW_TYPES_MAX ? oid - ROW_ARRAYS : null;
}
