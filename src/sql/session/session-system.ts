/** The session's services for functions: names of oids, sequences, notifications. */
import { PendingNotifications } from './pending-notifications.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { relationOfRowType } from '../../worlds/definition.ts';
import type { DatabaseActivity, EventTriggerFacts, NamedRows, ShownSetting, System, TableRead } from '../types/environment.ts';
import type { Whole } from '../types/value.ts';
import type { CatalogNames } from '../catalog/catalog-names.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import type { Schema, Sequence } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { databaseOid, worldsAsDatabases } from './databases.ts';
import { checkFileOptions } from './foreign/file-options.ts';
import { callFunction, fetchRows, queryColumns, queryRows } from './function-call.ts';
import { LargeObjects } from './large-objects.ts';
import { statementRows } from './statement-statistics.ts';
import { rowTransaction, writtenRowTransaction } from './row-transactions.ts';
import { SessionRights } from './session-rights.ts';
import type { SqlSession } from './sql-session.ts';

export class SessionSystem implements System {
  readonly #session: SqlSession;
  backendPid: number = process.pid;

  get triggerDepth(): number {
    return this.#session.triggerDepth;
  }

  isNewLabel(enumOid: number, label: string): boolean {
    return this.#session.transaction?.newLabels.get(enumOid)?.has(label) === true;
  }

  get eventTrigger(): EventTriggerFacts | null {
    return this.#session.definitionWatch;
  }

  readonly notifications = new PendingNotifications();

  readonly rights: SessionRights;

  readonly largeObjects: LargeObjects;

  constructor(session: SqlSession) {
    this.#session = session;
    this.rights = new SessionRights(session);
    this.largeObjects = new LargeObjects(session);
  }

  get user(): string {
    return this.#session.authority.currentUser;
  }

  get database(): string {
    return this.#session.branch;
  }

  hasDatabase(name: string): boolean {
    return worldsAsDatabases(this.#session.host.context).some((each) => each.name === name);
  }

  #schema(): Schema {
    return this.#session.schema();
  }

  sharedComment(oid: number, catalog: string): string | null {
    const on = catalog === 'pg_authid' ? 'role' : catalog === 'pg_database' ? 'database' : null;
    const { comments } = this.#session.authority.roles;
    return comments.find((each) => each.on === on && (on === 'role' ? each.object : databaseOid(each.object)) === oid)?.text ?? null;
  }

  schemas(implicit: boolean): readonly string[] {
    const schema = this.#schema();
    const path = this.#session.searchPath().filter((name) => name === 'pg_catalog' || name === 'information_schema' || schema.schemas.has(name));
    if (!implicit) return path;
    const all = path.includes('pg_catalog') ? path : ['pg_catalog', ...path];
    const { schema: own } = this.#session.temporary;
    return own !== null && schema.schemas.has(own) ? [own, ...all] : all;
  }

  channels(): readonly string[] {
    const { listener, host } = this.#session;
    return listener === null ? [] : host.channels.of(listener);
  }

  get temporarySchema(): number {
    const { schema, number } = this.#session.temporary;
    return schema === null ? 0 : (this.#schema().schemas.get(schema) ?? number ?? 0);
  }

  // --- sequences

  #sequence(number: number): Sequence {
    const sequence = this.#schema().sequences.get(number);
    if (sequence !== undefined) return sequence;
    const name = this.relationName(number);
    if (name === null) throw new SvcError('XX000', `could not open relation with OID ${number}`);
    throw new SvcError('42809', `"${name}" is not a sequence`);
  }

  /** 42501 if the current user has none of the privileges; those of identity columns come with their tables. */
  #allowed(number: number, any: number): Sequence {
    const sequence = this.#sequence(number);
    const { authority } = this.#session;
    if (authority.free) return sequence;
    const schema = this.#schema();
    const { ownedBy } = sequence;
    const column = ownedBy === null ? undefined : schema.tables.get(ownedBy.table)?.columns.find((each) => each.number === ownedBy.column);
    if ((column?.identity ?? null) !== null || authority.privileges(schema).held(authority.role, 'S', number, any) !== 0) return sequence;
    throw new SvcError('42501', `permission denied for sequence ${sequence.name}`);
  }

  nextval(number: number): Whole {
    const sequence = this.#allowed(number, PRIVILEGE.USAGE | PRIVILEGE.UPDATE);
    const session = this.#session;
    return session.sequences.nextval(session.writable('nextval()'), session.begin().sequences, sequence);
  }

  currval(number: number): Whole {
    return this.#session.sequences.memory.currval(this.#allowed(number, PRIVILEGE.USAGE | PRIVILEGE.SELECT));
  }

  lastval(): Whole {
    const { sequences } = this.#schema();
    return this.#session.sequences.memory.lastval((number) => sequences.has(number));
  }

  setval(number: number, value: Whole, called: boolean): Whole {
    const sequence = this.#allowed(number, PRIVILEGE.UPDATE);
    const session = this.#session;
    return session.sequences.setval(session.writable('setval()'), session.begin().sequences, sequence, value, called);
  }

  // --- names

  checkFileOptions(options: readonly string[], catalog: number): void {
    checkFileOptions(this.#session, options, catalog);
  }

  get definitions(): CatalogNames {
    return this.#session.catalogNames();
  }

  relationOid(name: string): number | null {
    return this.definitions.relationOid(name);
  }
  relationName(oid: number): string | null {
    return this.definitions.relationName(oid);
  }
  typeOid(name: string): number | null {
    return this.definitions.typeOid(name);
  }
  typeTitle(oid: number, typmod: number): string | null {
    return this.definitions.typeTitle(oid, typmod);
  }
  functionOid(name: string): number | null {
    return this.definitions.functionOid(name);
  }
  functionName(oid: number): string | null {
    return this.definitions.functionName(oid);
  }
  operatorOid(name: string): number | null {
    return this.definitions.operatorOid(name);
  }
  operatorName(oid: number): string | null {
    return this.definitions.operatorName(oid);
  }
  schemaOid(name: string): number | null {
    return this.definitions.schemaOid(name);
  }
  schemaName(oid: number): string | null {
    return this.definitions.schemaName(oid);
  }
  roleOid(name: string): number | null {
    return this.definitions.roleOid(name);
  }
  roleName(oid: number): string | null {
    return this.definitions.roleName(oid);
  }
  relationVisible(oid: number): boolean {
    return this.definitions.relationVisible(oid);
  }
  typeVisible(oid: number): boolean {
    return this.definitions.typeVisible(oid);
  }
  viewDefinition(oid: number): string | null {
    return this.definitions.viewDefinition(oid);
  }
  indexDefinition(oid: number, column: number): string | null {
    return this.definitions.indexDefinition(oid, column);
  }
  constraintDefinition(oid: number): string | null {
    return this.definitions.constraintDefinition(oid);
  }
  comment(object: number, attnum: number): string | null {
    return this.#schema().comment(object, attnum);
  }
  serialSequence(table: string, column: string): string | null {
    return this.definitions.serialSequence(table, column);
  }

  relationSize(oid: number): Whole {
    return this.#session.rowCount(oid) * 64;
  }

  assignedTransactionId(): Whole | null {
    const { transaction } = this.#session;
    return transaction !== null && (transaction.number !== null || transaction.own.length > 0) ? this.transactionId() : null;
  }

  transactionId(): Whole {
    return this.#session.host.numbers.of(this.#session, this.#session.begin());
  }

  nextTransactionId(): Whole {
    const { transaction, host } = this.#session;
    return transaction?.number ?? host.context.engine.log.head + 1;
  }

  newestTransactionId(): Whole {
    return this.#session.host.context.engine.log.head;
  }

  runningTransactions(): readonly Whole[] {
    return this.#session.host.numbers.running();
  }

  wasRolledBack(id: bigint): boolean {
    return this.#session.host.numbers.wasRolledBack(Number(id));
  }

  rowTransaction(of: TableRead, key: Value, values: readonly Value[]): number {
    return rowTransaction(this.#session, of, key, values);
  }

  heldRowTransaction(rowType: number, row: readonly Value[]): number {
    return writtenRowTransaction(this.#session, relationOfRowType(rowType) ?? 0, row);
  }

  writtenRowTransaction(table: number, row: readonly Value[]): number {
    return writtenRowTransaction(this.#session, table, row);
  }

  databaseActivity(oid: number): DatabaseActivity | null {
    const { host } = this.#session;
    const found = worldsAsDatabases(host.context).find((each) => each.oid === oid);
    return found === undefined ? null : host.activity.of(found.world);
  }

  resetActivity(): void {
    this.#mustReset('pg_stat_reset', 'reset statistics');
    const { world } = this.#session.begin();
    if (world !== null) this.#session.host.activity.reset(world.number);
  }

  statements(texts: boolean): readonly Value[][] {
    return statementRows(this.#session, texts);
  }

  statementsInfo(): readonly Value[][] {
    return this.#session.host.statistics.info();
  }

  resetStatements(role: number, database: number, id: Whole): void {
    this.#mustReset('pg_stat_statements_reset', 'reset statistics of statements');
    this.#session.host.statistics.reset(role, database, BigInt(id));
  }

  /** 42501 for roles other than superusers, and for code of agents below others' statements. */
  #mustReset(name: string, action: string): void {
    const { authority, code } = this.#session;
    code.mustNotBeLimited(action);
    if (!authority.superuser) throw new SvcError('42501', `permission denied for function ${name}`);
  }

  exportSnapshot(): string {
    return this.#session.exportSnapshot();
  }

  notify(channel: string, payload: string): void {
    if (channel === '') throw new SvcError('22023', 'channel name cannot be empty');
    if (Buffer.byteLength(channel) > 63) throw new SvcError('22023', 'channel name too long');
    if (Buffer.byteLength(payload) >= 8000) throw new SvcError('22023', 'payload string too long');
    this.notifications.add({ channel, payload });
  }

  callFunction(number: number, args: readonly (Value | undefined)[], types: readonly SqlType[], returns: SqlType): Value[][] {
    return callFunction(this.#session, number, args, types, returns);
  }

  queryRows(text: string): NamedRows {
    return queryRows(this.#session, text);
  }

  queryColumns(text: string): Omit<NamedRows, 'rows'> {
    return queryColumns(this.#session, text);
  }

  fetchRows(cursor: string, count: number): NamedRows {
    return fetchRows(this.#session, cursor, count);
  }

  takeAdvisory(key: string, shared: boolean, forTransaction: boolean, wait: boolean): boolean {
    return this.#session.locks.takeAdvisory(key, shared, forTransaction, wait);
  }
  giveAdvisory(key: string, shared: boolean): boolean {
    const given = this.#session.locks.giveAdvisory(key, shared);
    if (!given) this.#session.notice('01000', `you don't own a lock of type ${shared ? 'ShareLock' : 'ExclusiveLock'}`, 'WARNING');
    return given;
  }
  notice(code: string, message: string, position?: number, severity?: 'WARNING'): void {
    if (position !== undefined && this.#session.env.reportsPosition()) return;
    this.#session.notice(code, message, severity, position === undefined ? {} : { position });
  }

  giveAllAdvisory(): void {
    this.#session.locks.giveAllAdvisory();
  }

  blockingPids(pid: number): readonly number[] {
    const { locks } = this.#session.host.context;
    for (const { queue } of locks.all()) {
      for (const waiter of queue ?? []) if (waiter.owner.pid === pid) return [...new Set(locks.blockers(waiter).map((owner) => owner.pid))];
    }
    return [];
  }

  stop(pid: number, what: 'query' | 'process'): boolean {
    const session = this.#session;
    const client = session.host.backends.find(pid, session, what);
    if (client === null && pid !== this.backendPid) {
      session.notice('01000', `PID ${pid} is not a PostgreSQL server process`);
      return false;
    }
    if (what === 'process') client?.terminate();
    else if (client === null) session.cancel();
    else client.cancel();
    return true;
  }

  sleep(ms: number): void {
    this.#session.sleeps.sleep(ms);
  }

  get connection(): System['connection'] {
    const client = this.#session.host.backends.clientOf(this.#session);
    if (client === null || client.address === null) return null;
    return { address: client.address, port: client.port!, serverAddress: client.serverAddress!, serverPort: client.serverPort! };
  }

  settings(): Iterable<ShownSetting> {
    return this.#session.settings.all();
  }

  readonly startedAt: Whole = STARTED_AT;

  ended(): void {
    this.notifications.backTo(0);
  }
}

/** Microseconds since 2000. */
const STARTED_AT = Date.now() * 1000 - 946_684_800_000_000;
