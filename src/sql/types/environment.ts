/** The environment of functions besides their arguments: the session's settings, clocks and randomness, all injected. */
import { type Abbreviations, INPUT_ABBREVIATIONS } from './time/zone-abbreviations.ts';
import type { SqlType } from './type.ts';
import type { Value, Whole } from './value.ts';

/** Privilege checks for functions. Roles by oid: 0 is PUBLIC. Names are unquoted. */
export interface Rights {
  /** The current user; 0 if it is no role, with all privileges. */
  readonly role: number;
  roleNamed(name: string): number | null;
  isSuperuser(role: number): boolean;
  /** Whether the role has the privilege on the object (false also for a missing one), or its grant option. */
  held(role: number, kind: 'r' | 'S' | 'n' | 'f' | 'T' | 'd' | 'l' | 't' | 'F' | 'V', object: number, privilege: string, grantable: boolean): boolean;
  /** SET and ALTER SYSTEM of a parameter. */
  heldOnParameter(role: number, name: string, privilege: string, grantable: boolean): boolean;
  /** On the column itself. */
  heldOnColumn(role: number, object: number, attnum: number, privilege: string, grantable: boolean): boolean;
  columnsOf(object: number): readonly number[];
  hasRole(role: number, of: number, how: 'usage' | 'member', admin: boolean): boolean;
  /** Whether the column is masked for the session. */
  masked(table: number, attnum: number): boolean;
  /** Whether policies apply to the current user's queries on the table. */
  rowSecurityActive(table: number): boolean;
}

/** Information about the statement for event trigger functions: rows as the functions of 9.29 give them, null if there are none. */
export interface EventTriggerFacts {
  commands(): Value[][];
  dropped(): Value[][] | null;
  readonly rewrite: { readonly table: number; readonly reason: number } | null;
}

/** Large objects, by oid or by descriptor. Bytes are strings of one character each; the errors are Postgres's. */
export interface LargeObjectAccess {
  /** `oid` 0: assigns a free one. `what` is named in the error if the session is read-only. */
  create(oid: number, what: string): number;
  unlink(oid: number): void;
  fromBytes(oid: number, data: string): number;
  /** `length` null: to its end. */
  get(oid: number, offset: Whole, length: number | null): string;
  put(oid: number, offset: Whole, data: string): void;
  open(oid: number, flags: number): number;
  close(descriptor: number): void;
  read(descriptor: number, length: number): string;
  write(descriptor: number, data: string): number;
  /** `narrow`: 22003 if the result does not fit an int4. */
  seek(descriptor: number, offset: Whole, whence: number, narrow: boolean): number;
  tell(descriptor: number, narrow: boolean): number;
  truncate(descriptor: number, bytes: Whole): void;
  /** A server file; the statement may have to be retried for it. */
  import(path: string, oid: number): number;
  export(oid: number, path: string): void;
}

/** What was done in a world since it was opened, or since `resetAt` (microseconds since 2000). */
export interface DatabaseActivity {
  readonly commits: number;
  readonly rollbacks: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly deadlocks: number;
  readonly temporaryFiles: number;
  readonly resetAt: Whole | null;
}

/** Services of the session's world for functions: its sequences and names of oids. Lookups give null if there is nothing. */
export interface System {
  /** Absent if there are no restrictions. */
  readonly rights?: Rights;
  readonly user: string;
  readonly database: string;
  hasDatabase(name: string): boolean;
  readonly backendPid: number;
  /** By the oid of a database; null if there is none. */
  databaseActivity(oid: number): DatabaseActivity | null;
  /** Of the session's own world. */
  resetActivity(): void;
  /** Rows of pg_stat_statements, with texts or without. */
  statements(texts: boolean): readonly Value[][];
  statementsInfo(): readonly Value[][];
  /** Forgets statements of a role, a database and an id; 0 for any. */
  resetStatements(role: number, database: number, id: Whole): void;
  /** Nesting depth of triggers. */
  readonly triggerDepth: number;
  /** Whether the current transaction has added this label to an enum; absent without a transaction. */
  isNewLabel?(enumOid: number, label: string): boolean;
  /** The DDL statement whose event triggers are firing; null otherwise. */
  readonly eventTrigger: EventTriggerFacts | null;
  /** Existing schemas of the search path, `pg_catalog` first where `implicit`. */
  schemas(implicit: boolean): readonly string[];
  /** Oid of the session's temporary schema; 0: none. */
  readonly temporarySchema: number;
  /** 55000, 2200H and 42P01 as in Postgres. By oid of the sequence. */
  nextval(sequence: number): Whole;
  currval(sequence: number): Whole;
  setval(sequence: number, value: Whole, called: boolean): Whole;
  lastval(): Whole;
  /** By name as written in SQL (quotes, schema). */
  relationOid(name: string): number | null;
  /** Qualified if the search path does not find it. */
  relationName(oid: number): string | null;
  typeOid(name: string): number | null;
  /** `typmod` null: only the type's name, as format_type(oid, NULL) gives it. */
  typeTitle(oid: number, typmod: number | null): string | null;
  functionOid(name: string): number | null;
  functionName(oid: number): string | null;
  operatorOid(name: string): number | null;
  operatorName(oid: number): string | null;
  schemaOid(name: string): number | null;
  schemaName(oid: number): string | null;
  roleOid(name: string): number | null;
  roleName(oid: number): string | null;
  relationVisible(oid: number): boolean;
  typeVisible(oid: number): boolean;
  viewDefinition(oid: number): string | null;
  indexDefinition(oid: number, column: number): string | null;
  constraintDefinition(oid: number): string | null;
  comment(object: number, attnum: number): string | null;
  serialSequence(table: string, column: string): string | null;
  /** Estimated bytes; for oid 0, of the whole world. */
  relationSize(oid: number): Whole;
  /** Constant for the transaction, unique, and higher than those given before; the rows that it writes get it as `xmin`. */
  transactionId(): Whole;
  /** The same if it has one; else one above those of all that have ended. */
  nextTransactionId(): Whole;
  /** The highest number so far. */
  newestTransactionId(): Whole;
  /** Numbers of transactions that run, in order. */
  runningTransactions(): readonly Whole[];
  /** Whether such a transaction of this server was rolled back. */
  wasRolledBack(id: bigint): boolean;
  /**
   * The transaction that wrote a row; `values`: its columns if the statement writes it, else none. 2: before the history. The statement may have to be
   * retried after more of the log was read.
   */
  rowTransaction(of: TableRead, key: Value, values: readonly Value[]): number;
  /** The same for a row by its columns alone: of tables with a primary key, else 2. */
  writtenRowTransaction(table: number, row: readonly Value[]): number;
  /** The same for a row as its table's row type. */
  heldRowTransaction(rowType: number, row: readonly Value[]): number;
  /** The same if already assigned: by a request, or a write. */
  assignedTransactionId(): Whole | null;
  /** Sends a message to the client. `position`: characters from 1 in the text of a statement that is bound. */
  notice(code: string, message: string, position?: number, severity?: 'WARNING'): void;
  /** Queued until commit. */
  notify(channel: string, payload: string): void;
  /** Channels that the session listens to. */
  channels(): readonly string[];
  /** Exports the transaction's snapshot for other sessions; returns its name. */
  exportSnapshot(): string;
  /** Takes an advisory lock, for the session or the transaction; false if another session holds it and `wait` is false. */
  takeAdvisory(key: string, shared: boolean, forTransaction: boolean, wait: boolean): boolean;
  /** False if the session does not hold it. */
  giveAdvisory(key: string, shared: boolean): boolean;
  giveAllAdvisory(): void;
  /** Sessions that block another one. */
  blockingPids(pid: number): readonly number[];
  /** Cancels a session's statement, or terminates it; false if there is none. 42501 for a session of another user. */
  stop(pid: number, what: 'query' | 'process'): boolean;
  /** Returns when the time has passed: the statement may have to be retried for that. */
  sleep(ms: number): void;
  /** Addresses and ports of both ends of the connection, as text; null without one, or for a Unix socket. */
  readonly connection: { readonly address: string; readonly port: number; readonly serverAddress: string; readonly serverPort: number } | null;
  /** Rows of a user-defined function; `types` are the argument types in this call. */
  callFunction(number: number, args: readonly (Value | undefined)[], types: readonly SqlType[], returns: SqlType): Value[][];
  /** Columns and rows of a query given as text. */
  queryRows(text: string): NamedRows;
  /** Its columns alone: it does not run. */
  queryColumns(text: string): Omit<NamedRows, 'rows'>;
  /** The next rows of a cursor; 34000 if there is none of the name. */
  fetchRows(cursor: string, count: number): NamedRows;
  /** Refuses options that are invalid for file_fdw or for the session: 42501, 42601, HV00D and COPY's errors. */
  checkFileOptions(options: readonly string[], catalog: number): void;
  readonly definitions: Definitions;
  readonly largeObjects: LargeObjectAccess;
  /** COMMENT ON ROLE (pg_authid) and ON DATABASE (pg_database). */
  sharedComment(oid: number, catalog: string): string | null;
  /** Settings in order of names. */
  settings(): Iterable<ShownSetting>;
  /** When the server started: microseconds since 2000-01-01 00:00 UTC. */
  readonly startedAt: Whole;
}

/** Another state than the statement's own. */
export interface ReadState {
  readonly world: string | null;
  readonly when: string | null;
}

export interface TableRead {
  readonly table: number;
  /** With the rows of all tables below it, under their keys. */
  readonly whole: boolean;
  readonly asOf: ReadState | null;
}

/** A result with its columns by name and type. */
export interface NamedRows {
  readonly names: readonly string[];
  readonly types: readonly SqlType[];
  readonly rows: readonly (readonly Value[])[];
}

/** A setting as pg_settings and pg_show_all_settings() list it. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly doc: string;
}

/** Kinds of objects that are found along the search path. */
export type NamedKind = 'relation' | 'type' | 'function' | 'operator' | 'collation' | 'opclass' | 'opfamily' | 'other';

/** An object as pg_identify_object reports it: names as written in SQL, and (null if absent) unquoted. */
export interface ObjectIdentity {
  readonly type: string;
  readonly schema: string | null;
  readonly name: string | null;
  readonly identity: string | null;
  readonly names: readonly string[] | null;
  readonly args: readonly string[];
}

/** Objects with a stable identity until their definition changes. */
export interface SearchConfigurationDefinition {
  readonly name: string;
  readonly mappings: readonly { readonly token: number; readonly dictionaries: readonly number[] }[];
}
export interface SearchDictionaryDefinition {
  readonly name: string;
  readonly template: string;
  readonly options: readonly { readonly name: string; readonly value: string }[];
}

/** Catalog lookups by oid; texts as Postgres's functions of similar names print them. null if there is no such object. */
export interface Definitions {
  visible(kind: NamedKind, oid: number): boolean | null;
  type(oid: number): SqlType | null;
  collationOid(name: string): number | null;
  collationName(oid: number): string | null;
  /** For user-defined objects; `kind` of text search. */
  searchOid(kind: 'configuration' | 'dictionary', name: string): number | null;
  searchName(kind: 'configuration' | 'dictionary', oid: number): string | null;
  searchConfiguration(oid: number): SearchConfigurationDefinition | null;
  searchDictionary(oid: number): SearchDictionaryDefinition | null;
  /** `abs(integer)`: with argument types. The caller raises 42883 and 42725. */
  procedureOid(text: string): number | null;
  procedureName(oid: number): string | null;
  operatorSignatureOid(text: string): number | null;
  operatorSignature(oid: number): string | null;
  /** Number of functions (operators) with the unqualified name. */
  functionCount(name: string): number;
  operatorCount(name: string): number;
  functionArguments(oid: number, identity: boolean): string | null;
  /** Default of the argument with this number, from 1, among all; null if it has none. */
  functionDefault(oid: number, argument: number): string | null;
  functionResult(oid: number): string | null;
  functionDefinition(oid: number): string | null;
  functionBody(oid: number): string | null;
  view(oid: number, pretty: boolean): string | null;
  trigger(oid: number, pretty: boolean): string | null;
  index(oid: number, column: number, pretty: boolean): string | null;
  constraint(oid: number, pretty: boolean): string | null;
  rule(oid: number, pretty: boolean): string | null;
  statisticsColumns(oid: number): string | null;
  statisticsDefinition(oid: number): string | null;
  statisticsExpressions(oid: number): readonly string[] | null;
  partitionKey(oid: number): string | null;
  partitionConstraint(oid: number): string | null;
  foreignObjectOid(kind: 'foreign-data wrapper' | 'server', name: string): number | null;
  foreignObjectExists(kind: 'foreign-data wrapper' | 'server', oid: number): boolean;
  /** Whether the relation can be published; null if it is missing. */
  publishable(oid: number): boolean | null;
  /** Whether records with further fields widen the table; null if it is missing. */
  takesDocuments(oid: number): boolean | null;
  /** The tables of a publication: oid, attnums (null: all), condition; null if there is no such publication. */
  publicationTables(name: string): readonly (readonly [number, readonly number[] | null, string | null])[] | null;
  /** A partitioned table or index, or a part of one, with its descendants: oid, parent, whether it is a leaf, level. */
  partitionTree(oid: number): readonly (readonly [number, number | null, boolean, number])[];
  /** From itself upwards. */
  partitionAncestors(oid: number): readonly number[];
  /** Whether a row with these partition key values belongs in the partition. */
  inHashPartition(parent: number, modulus: number, remainder: number, types: readonly SqlType[], values: readonly Value[]): boolean;
  /** An expression as pg_get_expr prints it, from the text in a pg_node_tree column. */
  expression(text: string, relation: number, pretty: boolean): string | null;
  /** Comment of an object in one catalog, or (`catalog` null) in any. */
  comment(oid: number, catalog: string | null, attnum: number): string | null;
  columnNumber(relation: number, name: string): number | null;
  /** `table t`, `column c of table t`, `function f(integer)` …: catalog by its oid, `column` 0 for the object itself. */
  describe(catalog: number, oid: number, column: number): string | null;
  identify(catalog: number, oid: number, column: number): ObjectIdentity;
  /** Catalog, oid, column number; 42P01, 42883 … if there is no such object. */
  address(type: string, names: readonly (string | null)[], args: readonly (string | null)[]): readonly [number, number, number];
  /** pg_class.relname. */
  relationBareName(oid: number): string | null;
  /** pg_class.relkind. */
  relationKind(oid: number): string | null;
  updatable(oid: number, attnum: number): number;
  /** For btree: the order of the n-th column. */
  indexColumn(index: number, column: number): { readonly descending: boolean; readonly nullsFirst: boolean; readonly included: boolean } | null;
  /** Indexes and tables whose sizes are included in a table's. */
  indexesOf(table: number): readonly number[];
  sequence(oid: number): {
    readonly start: Whole;
    readonly min: Whole;
    readonly max: Whole;
    readonly increment: Whole;
    readonly cycle: boolean;
    readonly cache: number;
    readonly type: number;
  } | null;
}

export interface Environment {
  /** Only in a session; stored texts are parsed without one. */
  readonly system?: System;
  /** IANA name or a fixed offset as Postgres writes it; the setting TimeZone. */
  readonly timeZone: string;
  readonly dateStyle: 'ISO' | 'SQL' | 'Postgres' | 'German';
  readonly dateOrder: 'MDY' | 'DMY' | 'YMD';
  readonly intervalStyle: 'postgres' | 'postgres_verbose' | 'sql_standard' | 'iso_8601';
  readonly extraFloatDigits: number;
  readonly byteaOutput: 'hex' | 'escape';
  /** Whether unquoted NULL is a null in an array's text; false: it is that text. */
  readonly arrayNulls: boolean;
  /** Time zone abbreviations for input, by their lower-case names (`timezone_abbreviations`). */
  readonly abbreviations: Abbreviations;
  /** Whether printed names are always quoted. */
  readonly quotesAll: boolean;
  /** Microseconds since 2000-01-01 00:00 UTC. */
  readonly transactionStart: Whole;
  readonly statementStart: Whole;
  clock(): Whole;
  /** 0 ≤ x < 1. */
  random(): number;
  seedRandom(seed: number): void;
  randomBytes(count: number): Uint8Array;
  /** A setting by its lower-case name, or undefined if there is none. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string | null, local: boolean): void;
}

/** The meaning of stored text must not depend on a session's settings. */
export const STORED: Environment = {
  timeZone: 'UTC',
  dateStyle: 'ISO',
  dateOrder: 'MDY',
  intervalStyle: 'postgres',
  extraFloatDigits: 1,
  byteaOutput: 'hex',
  arrayNulls: true,
  quotesAll: false,
  abbreviations: INPUT_ABBREVIATIONS,
  transactionStart: 0,
  statementStart: 0,
  clock: () => 0,
  random: () => 0,
  seedRandom: () => {},
  randomBytes: (count) => new Uint8Array(count),
  setting: () => undefined,
  setSetting: () => {},
};
