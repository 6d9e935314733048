/// <reference lib="esnext.disposable" preserve="true" />
/**
 * An SQL session: a world, settings, prepared statements, at most one transaction. The statements of one text are one transaction
 * unless BEGIN and COMMIT say otherwise, as in Postgres's simple query protocol.
 *
 *   text ──parse──► statements ──each──► query (plan, batches) | define | session | world statement ──► result
 */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import type { AllCommands, RunControl } from '../../commands/contract.ts';
import { formatDurationMs } from '../../base/duration.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { turn } from '../../base/turns.ts';
import { authorize } from '../../session/authorize.ts';
import type { AgentUsage } from '../../session/agent-usage.ts';
import type { AgentState } from '../../events/agent.ts';
import { actorName, type Agent, describe, type Principal } from '../../session/principal.ts';
import { ROLES_TREE } from '../../events/changes.ts';
import { quotaOf } from '../../session/quotas.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Key } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import { type Catalog, readCatalog } from '../../worlds/catalog.ts';
import { type Masks, masksWith, NO_MASKS } from '../../worlds/masks.ts';
import { masksOfWorld } from '../../worlds/world-masks.ts';
import { readSequence, type SequenceState } from '../../worlds/sequences.ts';
import { CacheRenewal } from '../../locks/cache-renewal.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import { admitChanges, admitGrowth, refuseProtected } from '../../worlds/admit-changes.ts';
import { ReadSet } from '../../worlds/read-set.ts';
import { under } from '../../worlds/system-settings.ts';
import type { RowToLock } from '../../worlds/typed-tables.ts';
import type { World } from '../../worlds/world.ts';
import type { AsOf, RelationName } from '../ast/query.ts';
import type { Names } from '../bind/binder.ts';
import type { CatalogNames } from '../catalog/catalog-names.ts';
import { type CatalogRelations, systemRelations } from '../catalog/system-relations.ts';
import type { KeyCodec } from '../exec/context.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import { treeStatistics } from '../exec/statistics.ts';
import { YIELD } from '../exec/batch.ts';
import { standardStrings } from '../parse/backslash-strings.ts';
import { type ParsedStatement, parse } from '../parse/parse.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import type { ForeignRows, Reads } from '../exec/context.ts';
import { Schema, schemaOf, type Sequence as SqlSequence } from '../schema/schema.ts';
import { sequenceStart } from '../schema/sequence-values.ts';
import { type StatementParts, StatementWrites } from '../schema/statement-writes.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Listener } from './channels.ts';
import type { Loop } from './plpgsql/loop.ts';
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import { Authority } from './authority.ts';
import { RunningCode } from './running-code.ts';
import { type CallFrame, contextLines, inFrame, TextFrame } from './call-frames.ts';
import { compilerOf } from './compiler.ts';
import type { CopyStreams } from './copy.ts';
import { worldsAsDatabases } from './databases.ts';
import type { Reading } from '../../worlds/context.ts';
import { isMaintenance, maintenanceDatabase, maintenanceReading, refuseMaintenance } from './maintenance-database.ts';
import { type Cursor, endCursors, keepHeld } from './cursors.ts';
import { checkWaiting } from './deferred-constraints.ts';
import { SessionEnvironment } from './environment.ts';
import { Execution } from './execution.ts';
import type { SqlHost } from './host.ts';
import { largeObjectsIn } from './large-objects.ts';
import { FileTransfer, FileTransfers } from './large-object-files.ts';
import { type Guard, type Reader, SessionNames } from './names.ts';
import { FileRows } from './foreign/file-rows.ts';
import { isSent, Messages } from './messages.ts';
import { heldLocks } from './held-locks.ts';
import { keyCodecOf } from './key-codec.ts';
import { sliced } from './large-commit.ts';
import { areTyped, type Parameters, parameterValues, unnamedParameters } from './parameters.ts';
import { withBodiesOf } from './with-bodies.ts';
import { atFixedMoment } from '../../base/moment.ts';
import { inZone, SessionMoments } from './moments.ts';
import { SessionBodies } from './function-bodies.ts';
import { LONG_PLAN_MIN, PlannedAhead } from './plan-ahead.ts';
import { isQuery, planKeyOf, type Prepared, prepare, prepareGeneric, type PrepareParts, prepareSteps, type QueryStatement } from './prepare.ts';
import type { GenericPlan } from './generic-plan.ts';
import { quotingAllNames } from '../catalog/quoting-all-names.ts';
import { findGeneric, findGenericOf, type GenericRun, noteShape, valuesOf } from './generic-statement.ts';
import { STATEMENT_BYTES_STANDARD } from '../exec/process-memory.ts';
import { ResultMemory } from './result-memory.ts';
import type { Notice, ResultColumn, StatementResult } from './results.ts';
import { checkNames } from './role-rows.ts';
import { type RowObjects, rowObjects } from './row-objects.ts';
import { RowReads } from './row-reads.ts';
import { statementRows } from './statement-statistics.ts';
import { StatementTracking, TRACKING } from './statement-tracking.ts';
import { runStatement } from './run-statement.ts';
import { Sequences } from './sequences.ts';
import { SessionLocks, serialization } from './session-locks.ts';
import { SessionSystem } from './session-system.ts';
import { startDefaults } from './session-defaults.ts';
import { durationMs, Settings } from './settings.ts';
import { LONG_TEXT_MIN, parseAhead } from '../compute/parse-ahead.ts';
import { LongCalls } from './long-calls.ts';
import { LogRead } from './row-transactions.ts';
import { Sleep, Sleeps } from './sleeps.ts';
import { Transaction, type TransactionMark } from './transaction.ts';
import type { DefinitionWatch } from './event-triggers/definition-watch.ts';
import { fireDeferred } from './triggers/deferred-triggers.ts';
import { StatementTriggers, triggersOf } from './triggers/statement-triggers.ts';
import type { TransitionTables } from './triggers/transition-tables.ts';
import { authorizeStatement } from './statement-rights.ts';
import { TemporaryTables } from './temporary-tables.ts';

/** Retries after which a statement fails. Each retry holds more locks, so this is not reached in practice. */
const RETRIES_MAX = 1000;

/** Statements that a failed transaction still accepts. */
const ENDING: ReadonlySet<string> = new Set(['rollback', 'rollbackTo', 'commit', 'prepareTransaction']);

export interface PreparedStatement {
  readonly statement: ParsedStatement;
  readonly types: readonly (SqlType | null)[];
  /** The result columns when it was prepared, which each run must give. */
  readonly columns: readonly ResultColumn[];
  readonly text: string;
  readonly at: number;
}

export class SqlSession {
  readonly host: SqlHost;
  /** The client's identity; the commands of worlds are bound to it. */
  readonly principal: Principal;
  readonly commands: AllCommands;
  readonly settings = new Settings();
  /** The roles that its statements run as. */
  readonly authority: Authority;
  /** The code that runs below the statement. */
  readonly code = new RunningCode(this);
  readonly env: SessionEnvironment;
  readonly system: SessionSystem;
  readonly sequences: Sequences;
  readonly locks: SessionLocks;
  readonly sleeps = new Sleeps();
  readonly files = new FileTransfers();
  /** A statement is running. */
  running = false;
  readonly prepared = new Map<string, PreparedStatement>();
  readonly cursors = new Map<string, Cursor>();
  /** Number of portals that OPEN named in this session; never reset, as in Postgres. */
  unnamedPortals = 0;
  /** Called with agents and settings that its statements changed, for the server's log. */
  administered: ((what: string, name: string) => void) | null = null;
  /** Each statement counts for `max_concurrent`; false if the request itself is counted. */
  counted = true;
  /** The running statement is part of a multi-statement text. */
  isMultiStatement = false;
  /** Of a list: others follow the running statement. */
  isFollowed = false;
  readonly temporary = new TemporaryTables();
  /** The agent of the session, if any: its quotas and state are looked up at each statement. */
  readonly #agent: Agent | null;
  /** The agent's state when the last statement began; null if no quotas apply. */
  #state: AgentState | null = null;
  /** The last statement that was allowed without being charged, and the agent's state then. */
  #allowed: object | null = null;
  #allowedState: AgentState | null = null;
  /** As the client named it. */
  get branch(): string {
    return this.#branch;
  }
  set branch(branch: string) {
    this.#branch = branch;
    this.#reads = atFixedMoment(branch, this.host.context.engine.now());
    this.#maintenance = null;
  }
  #branch!: string;
  /** In a database that is no world: its empty state. */
  #maintenance: Reading | null = null;

  /** Enters the world or moment, or a maintenance database. 3D000 if there is none. */
  connect(database: string): void {
    const { context } = this.host;
    this.branch = database;
    if (isMaintenance(context, database)) this.#maintenance = maintenanceReading(context);
    else context.read(database);
  }

  #read(): Reading {
    return this.#maintenance ?? this.host.context.read(this.#reads);
  }
  /** The same, with a relative time fixed at the moment when the session entered the world. */
  #reads!: string;
  transaction: Transaction | null = null;
  /** Messages that are sent at the end of the statement. */
  notices: Notice[] = [];
  readonly messages = new Messages();
  /** Receives notifications; null if the entrance has no channel for them. */
  listener: Listener | null = null;
  /** The COPY streams, if the entrance has them. */
  streams: CopyStreams | null = null;
  /** A portal of the entrance, for FETCH and MOVE. */
  portal: (name: string) => Promise<Cursor | null> = () => Promise.resolve(null);
  readonly #listening: { readonly world: number; readonly channel: string | null; readonly on: boolean }[] = [];
  /** Durability watermark: the newest event that must be on disk before results are sent. */
  #pendingSequence = 0;
  /** Events read by changes of the open transaction of which only row counts were sent: on disk before the transaction's end is reported. */
  #deferredSequence = 0;
  #deadline = Infinity;
  #cancelled = false;
  /** The statement is the whole text, and is committed as soon as it is done. */
  isSingleStatement = false;
  /** The entrance commits in this turn, or calls `rest` before other sessions run. */
  commitsThisTick = false;
  text = '';

  constructor(host: SqlHost, branch: string, principal: Principal) {
    this.host = host;
    this.branch = branch;
    this.principal = principal;
    this.#outagesApplied = host.context.engine.outage.count;
    this.#agent = principal.kind === 'agent' ? principal.agent : null;
    this.commands = host.commandsOf(principal);
    this.sequences = new Sequences(host.allocator);
    this.authority = new Authority(this);
    startDefaults(this, host.context.find(branch.split('@')[0])?.number ?? 0);
    this.system = new SessionSystem(this);
    this.locks = new SessionLocks(this);
    const { system } = host.context;
    this.settings.system = (name) => system.shown(name);
    if (system.statementTimeoutMs > 0) this.settings.start('statement_timeout', formatDurationMs(system.statementTimeoutMs));
    if (principal.kind === 'agent' || system.ceilings.statementTimeoutMs > 0) {
      this.settings.most = (name) =>
        name === 'statement_timeout'
          ? under(system.ceilings.statementTimeoutMs, quotaOf(principal, 'max_query_ms'))
          : name === 'idle_in_transaction_session_timeout'
            ? quotaOf(principal, 'max_idle_ms')
            : 0;
    }
    this.env = new SessionEnvironment(this.settings, this.system, () => host.context.engine.clock.nowMicros());
  }

  /**
   * Runs the statements of a text, all or (except for what COMMIT ended) none. `results` is filled as they run: after an error it
   * holds the completed ones. Each statement takes those of the parameters that it names.
   */
  async run(given: string, params: readonly unknown[] = [], results: StatementResult[] = []): Promise<StatementResult[]> {
    this.#results.release();
    const text = this.standard(given);
    const known = params.length === 0 ? this.host.statements.get(text) : undefined;
    const found = params.length === 0 && known === undefined ? findGeneric(this.host, text) : null;
    if (found === null && known === undefined && this.isLongText(text)) await this.parseAhead(text);
    const statements = found === null ? (known ?? this.parse(text)) : [found.generic.statement];
    if (params.length === 0 && known === undefined && found === null) noteShape(this.host, text, statements);
    this.text = text;
    this.isMultiStatement = statements.length > 1;
    this.#parametersNamed = 0;
    const { engine } = this.host.context;
    // Reads are never delayed; writers wait while too much is dirty (backpressure). While the disk is full nothing waits: the commit is refused.
    try {
      if (engine.outage.held !== null) await engine.outage.held;
      if (engine.backpressure && engine.outage.error === null) await engine.admit();
      this.isSingleStatement = statements.length === 1 && this.transaction === null && isQuery(statements[0]);
      for (const statement of statements) {
        this.isFollowed = statement !== statements.at(-1);
        const generic = this.isMultiStatement && params.length === 0 ? findGenericOf(this.host, text, statement) : found;
        const result =
          generic === null ? await this.#one(statement, params) : await this.#generic(generic, () => (this.isMultiStatement ? statement : this.parse(text)[0]));
        if (this.tracking !== null) this.tracking.end(result.command);
        results.push(result);
      }
      if (this.isMultiStatement && params.length > this.#parametersNamed) throw unnamedParameters(params.length, this.#parametersNamed);
      this.endList();
      this.betweenStatements();
    } catch (error) {
      this.fail();
      await this.untilSynced();
      throw error;
    } finally {
      this.isSingleStatement = false;
      this.rest();
    }
    await this.untilSynced();
    return results;
  }

  /** The highest number of a parameter that the statements of the list name. */
  #parametersNamed = 0;

  /** The client has gone: the running statement is cancelled, and no other follows. */
  stop(): void {
    this.#stopped = true;
    this.cancel();
  }
  #stopped = false;

  /** No other session runs between the end of the statement and the commit, or `rest`. */
  get prompt(): boolean {
    return this.isSingleStatement || this.commitsThisTick;
  }

  /** The text with standard string literals, converted if `standard_conforming_strings` or `backslash_quote` differ. */
  standard(text: string): string {
    if (!text.includes('\\')) return text;
    const plain = this.settings.get('standard_conforming_strings') === 'off';
    const refuseQuote = this.settings.get('backslash_quote') === 'off';
    if (!plain && !refuseQuote) return text;
    const warns = plain && this.settings.get('escape_string_warning') !== 'off' && isSent('WARNING', this.settings.get('client_min_messages')!);
    return standardStrings(text, {
      plain,
      refuseQuote,
      warn: warns ? (message, hint, position) => void this.notices.push({ severity: 'WARNING', code: '22P06', message, hint, position }) : null,
    });
  }

  /** Whether it has to be parsed on a thread first. */
  isLongText(text: string): boolean {
    return text.length >= LONG_TEXT_MIN && this.#ahead?.text !== text && this.host.statements.get(text) === undefined;
  }

  /** Parses it on a thread; `parse` then finds the result. */
  async parseAhead(text: string): Promise<void> {
    this.#cancelled = false;
    const timeoutMs = durationMs(this.settings.get('statement_timeout')!);
    const deadline = timeoutMs === 0 ? Infinity : performance.now() + timeoutMs;
    const statements = await parseAhead(text, () => {
      if (this.#cancelled || this.#stopped) throw new SvcError('57014', 'canceling statement due to user request');
      if (performance.now() > deadline) throw new SvcError('57014', 'canceling statement due to statement timeout');
    });
    this.#ahead = { text, statements };
  }
  #ahead: { readonly text: string; readonly statements: readonly ParsedStatement[] } | null = null;

  parse(text: string): readonly ParsedStatement[] {
    const { statements } = this.host;
    const ahead = this.#ahead;
    if (ahead !== null) {
      this.#ahead = null;
      if (ahead.text === text) return ahead.statements;
    }
    let known = statements.get(text);
    if (known === undefined) {
      known = parse(text);
      statements.set(text, known);
    }
    return known;
  }

  async #one(statement: ParsedStatement, params: readonly unknown[]): Promise<StatementResult> {
    this.enter(statement);
    return this.withLockRetry(() => runStatement(this, statement, params));
  }

  /** Runs a text by its generic statement, or with a custom plan if that does not apply. */
  async #generic(found: GenericRun, own: () => ParsedStatement): Promise<StatementResult> {
    this.enter(found.generic.statement);
    return this.withLockRetry(() => {
      this.startStatement();
      const run = valuesOf(this, found);
      return run === null ? runStatement(this, own(), []) : this.execute(run.prepared, run.values);
    });
  }

  /** Runs a statement, and retries it when it has to wait for a lock. */
  async withLockRetry<T>(run: () => Promise<T>): Promise<T> {
    const mark = this.transaction?.mark() ?? null;
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof RetryStatement)) throw error;
        await this.retryStatement(error, mark);
      }
    }
  }

  /** Retries of the current statement. */
  #retries = 0;

  /**
   * Rolls back the statement and waits for its lock, so that it can be retried. `mark`: null if the transaction began with it,
   * undefined if it has written nothing.
   */
  async retryStatement(error: RetryStatement, mark?: TransactionMark | null): Promise<void> {
    this.messages.backTo(0);
    await this.#waitForRetry(error, mark);
  }

  /** The same for a statement of a procedure, whose earlier statements stay. */
  async retryInside(error: RetryStatement, mark: TransactionMark | undefined, said: number): Promise<void> {
    if (error instanceof CacheRenewal) throw error.refusal();
    this.messages.backTo(said);
    await this.#waitForRetry(error, mark);
    this.startStatement();
  }

  /** A procedure has committed: the retry count starts again. */
  resetRetries(): void {
    this.#retries = 0;
  }

  async #waitForRetry(error: RetryStatement, mark: TransactionMark | null | undefined): Promise<void> {
    const { transaction } = this;
    const { held } = this.host.context.engine.outage;
    // Not even the definitions could be read.
    if (transaction === null && error instanceof CacheRenewal) return void (await held);
    if (transaction === null || (!(error instanceof Sleep || error instanceof FileTransfer || error instanceof LogRead) && ++this.#retries > RETRIES_MAX))
      throw serialization('concurrent update');
    if (mark !== undefined) {
      const { descriptors } = mark ?? transaction.start;
      transaction.backTo(mark ?? transaction.start);
      transaction.descriptors = descriptors;
    }
    this.betweenStatements();
    if (held !== null) await held;
    const left = this.#deadline - performance.now();
    try {
      await this.locks.wait(error, left);
    } catch (refusal) {
      if (refusal instanceof SvcError && refusal.code === '40P01' && transaction?.world != null) this.host.activity.of(transaction.world.number).deadlocks++;
      throw refusal;
    }
    this.checkCancel();
    // Other sessions may have changed them during the wait.
    this.locks.throwIfDoomed();
  }

  /** Checks before each statement. 25P02 if the transaction has failed. */
  enter(statement: ParsedStatement): void {
    if (this.#stopped) throw new SvcError('57014', 'canceling statement due to user request');
    this.host.totals.statements++;
    this.refuseFailed(statement);
    const state = this.#agent === null ? null : this.#agent.state;
    // A statement that costs nothing and was allowed is allowed again while the principal's state is the same.
    if (statement !== this.#allowed || state !== this.#allowedState) {
      this.#allowed = null;
      if (!authorizeStatement(this, statement)) {
        this.#allowed = statement;
        this.#allowedState = state;
      }
    }
    if (this.counted) {
      this.rest();
      if (state !== null) {
        const { usage } = this.#agent!;
        const most = state.quotas.max_concurrent;
        usage.enter(most, most === 0 ? '' : describe(this.principal));
        this.#running = usage;
      }
    }
    this.#startClock(state);
    this.#entered = statement;
    if (this.tracking !== null) this.tracking.begin(statement);
  }

  /** `max_memory_mb` of the agent; 0: no quota. */
  get maxMemoryMb(): number {
    return this.#agent === null ? 0 : (this.#agent.state?.quotas.max_memory_mb ?? 0);
  }

  /** The memory limit of one statement. */
  get statementBytes(): number {
    const most = this.host.statementBytes ?? STATEMENT_BYTES_STANDARD;
    const quota = this.maxMemoryMb;
    return quota === 0 ? most : Math.min(most, quota * 1_048_576);
  }

  /** No statement runs for now: for `max_concurrent`. */
  rest(): void {
    if (this.running) this.host.times.add(performance.now() - this.#startedAt);
    this.running = false;
    this.#running?.leave();
    this.#running = null;
  }
  #running: AgentUsage | null = null;
  #startedAt = 0;

  /** The world that the next statement would change; null for a past moment. */
  get worldToChange(): World | null {
    if (this.transaction !== null) return this.transaction.world;
    const { world, past } = this.#read();
    return past ? null : world;
  }

  /** idle_in_transaction_session_timeout; 0: none. An agent's quota lowers it. */
  get idleInTransactionMs(): number {
    return under(durationMs(this.settings.get('idle_in_transaction_session_timeout')!), quotaOf(this.principal, 'max_idle_ms'));
  }

  refuseFailed(statement: Pick<ParsedStatement, 'type'>): void {
    const { transaction } = this;
    if (transaction?.failed === true && !ENDING.has(statement.type)) {
      throw new SvcError('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
    }
  }

  #startClock(state: AgentState | null): void {
    const { settings } = this;
    // The agent's quota may have changed.
    if (this.#timeoutOf !== settings.version || this.#state !== state) {
      this.#timeoutOf = settings.version;
      this.#state = state;
      const chosen = durationMs(settings.chosen('statement_timeout')!);
      this.#timeoutMs = settings.most === null ? chosen : under(chosen, settings.most('statement_timeout'));
    }
    const timeoutMs = this.#timeoutMs;
    const now = performance.now();
    // Of a list that is counted as a whole.
    if (this.running) this.host.times.add(now - this.#startedAt);
    this.#deadline = timeoutMs === 0 ? Infinity : now + timeoutMs;
    this.#startedAt = now;
    this.#cancelled = false;
    this.#retries = 0;
    // An abandoned call may have left it raised.
    this.functionDepth = 0;
    this.code.reset();
    this.notices = [];
    this.messages.begin();
    this.locks.begin();
    this.sleeps.begin();
    this.files.begin();
    this.running = true;
  }
  #timeoutOf = -1;
  #timeoutMs = 0;

  // --- for entrances that run statements one by one

  /** Whether everything read so far is on disk. */
  get isSynced(): boolean {
    const { log } = this.host.context.engine;
    if (log.failure !== null) return false;
    this.#applyOutage();
    return !this.#rolledBack && this.#pendingSequence <= log.durable;
  }

  /** Waits until everything read so far is on disk, before results are sent; null if it is. Throws 40001 if it was rolled back by an outage. */
  untilSynced(): Promise<void> | null {
    const synced = this.isSynced;
    this.#acknowledgedSequence = this.#pendingSequence;
    if (synced) return null;
    if (!this.#rolledBack) return this.host.context.engine.durable(this.#pendingSequence as Sequence);
    this.#rolledBack = false;
    return Promise.reject(new SvcError('40001', 'could not serialize access: the state that was read was rolled back'));
  }
  /** Results of events up to here were sent or refused. */
  #acknowledgedSequence = 0;
  /** Events whose results were not sent yet were rolled back. */
  #rolledBack = false;

  /** After an outage sequence numbers are reused: earlier reads count only up to the point of truncation. */
  #applyOutage(): void {
    const { outage } = this.host.context.engine;
    if (outage.count === this.#outagesApplied) return;
    const cut = outage.cuts[this.#outagesApplied];
    if (Math.max(this.#pendingSequence, this.#deferredSequence) > Math.max(cut, this.#acknowledgedSequence)) this.#rolledBack = true;
    this.#outagesApplied = outage.count;
    this.#pendingSequence = Math.min(this.#pendingSequence, cut);
    this.#deferredSequence = Math.min(this.#deferredSequence, cut);
    this.#visibleSequence = Math.min(this.#visibleSequence, cut);
    this.#acknowledgedSequence = Math.min(this.#acknowledgedSequence, cut);
  }
  #outagesApplied: number;

  /** Waits while the state is being rebuilt; null if there is nothing to wait for. */
  stateThere(): Promise<void> | null {
    return this.host.context.engine.outage.held;
  }

  /** The same, and for backpressure. */
  admission(): Promise<void> | null {
    const { engine } = this.host.context;
    if (engine.outage.held !== null) return engine.outage.held.then(() => this.admission() ?? undefined);
    return engine.backpressure && engine.outage.error === null ? engine.admit() : null;
  }

  cancel(): void {
    this.#cancelled = true;
    const error = new SvcError('57014', 'canceling statement due to user request');
    this.locks.abandon(error);
    this.sleeps.wake(error);
    this.#abort?.abort(error);
  }

  /** Runs a long command, and cancels it with the statement. */
  async controlled<T>(run: (control: RunControl) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const leftMs = Math.min(this.#deadline - performance.now(), 2 ** 31 - 1);
    const timer = setTimeout(() => abort.abort(new SvcError('57014', 'canceling statement due to statement timeout')), Math.max(0, leftMs));
    this.#abort = abort;
    try {
      return await run({ signal: abort.signal, ...(this.onProgress === null ? {} : { onProgress: this.onProgress }) });
    } finally {
      clearTimeout(timer);
      this.#abort = null;
    }
  }
  #abort: AbortController | null = null;
  /** Receives the progress of such a command. */
  onProgress: RunControl['onProgress'] | null = null;

  /** Sets a deadline for code that runs outside a statement, in one turn of the event loop. */
  endsWithin(ms: number): void {
    this.#deadline = performance.now() + ms;
  }

  checkCancel(): void {
    if (this.#cancelled) throw new SvcError('57014', 'canceling statement due to user request');
    if (performance.now() > this.#deadline) throw new SvcError('57014', 'canceling statement due to statement timeout');
  }

  /** Sends a message at once if possible, otherwise with the statement's result. */
  sendNotice(notice: Notice): void {
    if (!isSent(notice.severity, this.settings.get('client_min_messages')!)) return;
    if (!this.messages.send(notice)) this.notices.push(notice);
  }

  notice(code: string, message: string, severity: Notice['severity'] = 'NOTICE', parts: Pick<Notice, 'detail' | 'hint' | 'position'> = {}): void {
    this.sendNotice({
      severity,
      code,
      message,
      ...parts,
      ...(this.frames.length === 0 ? {} : { where: contextLines(this.frames) }),
    });
  }

  // --- the state that statements see

  /** The open transaction, or one that ends with the statement list. `noted`: as for `startStatement`. */
  begin(explicit = false, noted = false): Transaction {
    const { transaction } = this;
    if (transaction === null) return this.#begin(explicit, noted);
    if (explicit) transaction.explicit = true;
    return transaction;
  }

  /** The world that the open transaction reads, at any moment. */
  worldNumber = 0 as WorldNumber;

  /** A separate function: V8 would allocate its closure's context at each entry. */
  #begin(explicit: boolean, noted: boolean): Transaction {
    const { context } = this.host;
    const reading = this.#read();
    this.#raiseWatermark(reading.seen, explicit || noted);
    const { pager } = context.engine;
    this.transaction = new Transaction(
      pager,
      context.typed,
      reading.past ? null : reading.world,
      reading.root,
      reading.catalog,
      Math.max(reading.seen, reading.world.number) as Sequence,
      explicit,
      (root) => this.temporary.overlay(pager, root),
    );
    this.worldNumber = reading.world.number;
    this.#outages = context.engine.outage.count;
    const { settings } = this;
    settings.begin();
    if (this.#defaultsOf !== settings.version) {
      this.#readOnly = settings.get('default_transaction_read_only') === 'on';
      const isolation = settings.get('default_transaction_isolation')!;
      if (isolation !== settings.get('transaction_isolation')) settings.set('transaction_isolation', isolation, true);
      else this.#defaultsOf = settings.version;
      this.#isolation = isolation;
    }
    this.isolate(this.#isolation);
    this.transaction.readOnly = this.#readOnly;
    const now = this.#nowMicros();
    this.#transactionAt = now;
    this.env.begin(now, now);
    return this.transaction;
  }
  /** The version of the settings at which new transactions needed no setup. */
  #defaultsOf = -1;
  #readOnly = false;
  #isolation = 'read committed';
  /** Number of outages before the transaction began: a later one has rolled back what it read. */
  #outages = 0;

  /** Sets the isolation level of the open transaction. */
  isolate(level: string): void {
    const transaction = this.transaction!;
    transaction.fresh = level === 'read committed' || level === 'read uncommitted';
    transaction.reads = level === 'serializable' && transaction.world !== null ? new ReadSet() : null;
  }

  #nowMicros(): number {
    return this.host.context.engine.clock.nowMicros() - 946_684_800_000_000;
  }

  /** 25P01 if the effect would end with its own statement; inside a function it lasts until the calling statement ends. */
  mustBeInBlock(what: string): void {
    if (this.transaction?.explicit !== true && !this.isMultiStatement && this.functionDepth === 0)
      throw new SvcError('25P01', `${what} can only be used in transaction blocks`);
  }

  /** The transaction of a nested statement, which sees the enclosing statement's state; after a COMMIT, the current one. */
  nestedTransaction(): Transaction {
    this.recordFullRead();
    return this.transaction?.looked === true ? this.transaction : this.startStatement();
  }

  /**
   * `noted`: the statement reads rows through `rowReads` only, or definitions only. `counts`: it changes rows and returns their
   * number. In a transaction that stays open such a row count need not wait for the disk.
   */
  startStatement(noted = false, counts = false): Transaction {
    this.authority.checkAlive();
    this.#planned = null;
    const transaction = this.begin(false, noted);
    if (this.#momentsAgo.size > 0) this.#momentsAgo.clear();
    const first = !transaction.looked;
    transaction.looked = true;
    if (!noted) this.recordFullRead();
    if (transaction.world !== null) this.#refresh(transaction, transaction.world, first, noted);
    this.rowReads = noted ? (counts && transaction.explicit ? this.#countedReads : this.#rowReads) : null;
    // A statement that is its own transaction has one time, taken when it began.
    if (transaction.explicit) this.env.begin(this.#transactionAt, this.#nowMicros());
    return transaction;
  }
  #transactionAt = 0;

  /** READ COMMITTED: a statement sees what was committed before it. Other levels keep the first statement's snapshot. */
  #refresh(transaction: Transaction, world: World, first: boolean, noted: boolean): void {
    this.locks.throwIfDoomed();
    const { context } = this.host;
    if (context.engine.outage.count !== this.#outages) {
      if (transaction.dirty || !transaction.fresh) throw new SvcError('40001', 'could not serialize access: the state that was read was rolled back');
      this.#outages = context.engine.outage.count;
    }
    if (transaction.dirty) this.locks.secure(transaction);
    if (!transaction.fresh && !first) return;
    const now = context.state.worlds.byNumber(world.number);
    if (now === null) throw new SvcError('3D000', `world "${world.name}" is gone`);
    if (transaction.version === now.version && (transaction.held || transaction.source === now.root)) return;
    transaction.refresh(now, context.catalog(now));
    this.#raiseWatermark(now.lastWrite, noted);
  }

  /**
   * Everything that the statement can see is on disk before its reply is sent. For lookups by key only changes of those rows count,
   * and changes of anything but rows.
   */
  #raiseWatermark(newest: Sequence, noted: boolean): void {
    this.#applyOutage();
    this.#visibleSequence = Math.max(this.#visibleSequence, newest);
    this.#pendingSequence = Math.max(this.#pendingSequence, noted ? this.host.context.recent.rest : newest);
  }
  /** The newest event that statements of the transaction could see. */
  #visibleSequence = 0;

  /** Raises the watermark to everything visible: an error, a function or a trigger may reveal any row. */
  recordFullRead(): void {
    this.#pendingSequence = Math.max(this.#pendingSequence, this.#visibleSequence);
  }

  /** Raises the watermark by the deferred reads, when rows are returned. */
  recordDeferredReads(): void {
    this.#pendingSequence = Math.max(this.#pendingSequence, this.#deferredSequence);
  }

  /** Records the rows that a statement reads; null: it counts as having read everything. */
  rowReads: Reads | null = null;
  readonly #rowReads: Reads = new RowReads((tree, lower, upper) => {
    this.#pendingSequence = Math.max(this.#pendingSequence, this.#newest(tree, lower, upper));
  });
  readonly #countedReads: Reads = new RowReads((tree, lower, upper) => {
    this.#deferredSequence = Math.max(this.#deferredSequence, this.#newest(tree, lower, upper));
  });

  #newest(tree: number, lower: Key | null, upper: Key | null): number {
    const { recent, engine } = this.host.context;
    return recent.newest(tree, lower, upper, engine.log.durable);
  }

  /** The world to write to; 25006 for past moments and in read-only transactions. */
  writable(what: string): World {
    const { world, readOnly } = this.begin();
    if (world === null) {
      if (this.#maintenance !== null) refuseMaintenance(this.branch, what);
      throw new SvcError('25006', `cannot execute ${what}: "${this.branch}" is a past moment`, { hint: 'Fork it first: its fork can be changed.' });
    }
    if (readOnly) throw new SvcError('25006', `cannot execute ${what} in a read-only transaction`);
    authorize(this.principal, { what: 'change', world });
    this.code.authorizeChange(world);
    return world;
  }

  schema(): Schema {
    const transaction = this.begin();
    const catalog = transaction.defines ? readCatalog(this.host.context.engine.pager, transaction.directory(CATALOG_TREE)) : transaction.catalog;
    if (this.#schemaCatalog !== catalog) {
      this.#schema = schemaOf(catalog, this.host.lookup);
      this.#schemaCatalog = catalog;
      this.#track(this.#schema);
    }
    return this.#schema!;
  }
  /** Statements are counted where the extension pg_stat_statements was created. */
  #track({ extensions }: Schema): void {
    if (!extensions.has(TRACKING)) this.tracking = null;
    else if (this.tracking === null && this.functionDepth === 0) {
      this.tracking = new StatementTracking(this);
      this.tracking.begin(this.#entered);
    }
  }
  tracking: StatementTracking | null = null;
  #entered: ParsedStatement | null = null;

  /** Used several times per statement. */
  #schema: Schema | null = null;
  #schemaCatalog: Catalog | null = null;

  searchPath(): readonly string[] {
    const text = this.settings.get('search_path')!;
    if (text !== this.#pathText) {
      this.#pathText = text;
      this.#path = splitNames(text);
      this.#pathRoles = null;
    }
    const { role, roles } = this.authority;
    if (role !== this.#pathRole || roles !== this.#pathRoles) {
      this.#pathRole = role;
      this.#pathRoles = roles;
      const user = this.authority.currentUser;
      this.#pathFound = this.#path.map((name) => (name === '$user' ? user : name));
    }
    return this.#pathFound;
  }
  #pathText = '';
  #path: readonly string[] = [];
  #pathRole = -1;
  #pathRoles: object | null = null;
  #pathFound: readonly string[] = [];

  /** The schemas for unqualified relation names: temporary ones first. */
  lookupPath(): readonly string[] {
    const path = this.searchPath();
    const { schema } = this.temporary;
    if (schema === null) return path;
    if (this.#lookup?.path !== path || this.#lookup.schema !== schema)
      this.#lookup = { path, schema, all: [schema, ...path.filter((name) => name !== 'pg_temp')] };
    return this.#lookup.all;
  }
  /** The schema that a written name means: `pg_temp` is the session's own. */
  schemaMeant(written: string): string {
    return written === 'pg_temp' ? (this.temporary.schema ?? written) : written;
  }

  #lookup: { readonly path: readonly string[]; readonly schema: string; readonly all: readonly string[] } | null = null;

  names(schema = this.schema()): SessionNames {
    const names = this.#plainNames(schema);
    return this.transitions === null ? names : this.transitions.over(names);
  }
  /** The transition tables that the running trigger function sees. */
  transitions: TransitionTables | null = null;
  /** False if only the world itself may be read, or if rights of another principal apply. */
  readsForeign = true;
  /** False if definitions exist without rows: only functions of their arguments may run. */
  readsRelations = true;

  /** The current rows of a foreign table; the one wrapper that reads is file_fdw. */
  foreignRows(table: SqlTable, columns: readonly (number | 'key' | null)[]): ForeignRows {
    if (!this.readsForeign) throw new SvcError('0A000', `foreign table "${table.name}" is not read by simulations and merge checks: its rows are of no world`);
    return new FileRows(this, table, columns);
  }

  /** The current DDL statement, if event triggers record its effects. */
  definitionWatch: DefinitionWatch | null = null;

  #plainNames(schema: Schema): SessionNames {
    const readerKey = this.readerKey(schema);
    if (this.#names !== null && this.#names.schema === schema && this.#namesPath === this.lookupPath() && this.#namesReader === readerKey) return this.#names;
    this.#namesReader = readerKey;
    this.#namesPath = this.lookupPath();
    this.#catalog = this.#catalogOf(schema);
    this.#names = new SessionNames(
      schema,
      this.host.registry,
      this.#catalog,
      this.#namesPath,
      (world, when) => this.#namesAt({ world, when }),
      (sequence) => this.sequenceState(sequence),
      this.#reader(schema),
      this.#guard(),
    );
    this.#names.readsRelations = this.readsRelations;
    return this.#names;
  }
  #names: SessionNames | null = null;
  #namesPath: readonly string[] = [];
  #namesReader = '';

  /** The restrictions of the current user; null: none. */
  #reader(schema: Schema, world: string | null = null): Reader | null {
    const { authority } = this;
    const { role, free, unmasked } = authority;
    if (authority.superuser && unmasked) return null;
    const privileges = authority.privileges(schema);
    return { mayUse: (name) => free || privileges.mayUse(role, name), unmasked, masks: unmasked ? NO_MASKS : this.masks(schema, world) };
  }

  /** The definitions whose rights apply: today's if the session is at a past moment, so that the past reveals nothing that is denied today. */
  today(): Schema {
    const { world } = this.begin();
    if (world !== null) return this.schema();
    const now = this.host.context.find(this.branch.split('@')[0]);
    return now?.status === 'open' ? schemaOf(this.host.context.catalog(now), this.host.lookup) : this.schema();
  }

  /** The part of a plan's key that depends on the reader. */
  readerKey(schema: Schema): string {
    const today = this.begin().world === null ? this.today() : schema;
    const own = this.authority.planKey(schema, today);
    const replica = schema.hasRules && this.#replica ? `${own};replica` : own;
    const masks = this.authority.unmasked ? NO_MASKS : this.masks(schema);
    const key = masks === NO_MASKS ? replica : `${replica};m${masks.version}`;
    return today === schema ? key : `${key};${today.version}`;
  }

  get #replica(): boolean {
    return this.settings.get('session_replication_role') === 'replica';
  }

  #guard(): Guard {
    const { role, roles, rowSecurityOff: off } = this.authority;
    return { role, roles, off, replica: this.#replica, now: this.today() };
  }

  /** `root`: of another state than the transaction's. */
  #catalogOf(schema: Schema, root: Node | null = null): CatalogRelations {
    const { host, settings, prepared } = this;
    const { user, database } = this.system;
    return systemRelations(schema, host.registry, {
      user,
      database,
      path: this.searchPath(),
      elsewhere: root !== null,
      databases: () => (this.#maintenance === null ? worldsAsDatabases(host.context) : [maintenanceDatabase(database), ...worldsAsDatabases(host.context)]),
      roles: () => this.authority.rolesAndAgents,
      role: () => this.authority.role,
      secrets: () => this.authority.secrets,
      settings: () => settings.all(),
      locks: () => heldLocks(host.context),
      backends: () => host.backends.shownTo(this),
      activity: (world) => host.activity.of(world),
      statements: (texts) => statementRows(this, texts),
      statementsInfo: () => host.statistics.info(),
      cursors: () =>
        [...this.cursors].map(([name, { statement, hold, binary, scroll, scrolls, at }]) => ({
          name,
          statement,
          hold,
          binary,
          scroll: scrolls ?? scroll !== false,
          at,
        })),
      prepared: () =>
        [...prepared].map(([name, { text, types, at }]) => ({
          name,
          statement: text,
          preparedAt: at,
          parameters: types.map((type) => type?.oid ?? 0),
          fromSql: true,
        })),
      lastValue: (number) => {
        const sequence = schema.sequences.get(number);
        const state = sequence === undefined ? null : this.sequenceState(sequence);
        return state?.called === true ? state.last : null;
      },
      rowEstimate: (table) => this.rowCount(table),
      hasLargeObject: (oid) => this.system.largeObjects.find(oid) !== null,
      largeObjects: () => (root === null ? this.system.largeObjects.all() : largeObjectsIn(host.context.engine.pager, root)),
    });
  }

  #namesAt(asOf: Pick<AsOf, 'world' | 'when'>): Names {
    const { pager } = this.host.context.engine;
    const root = this.rootAt(asOf);
    const schema = schemaOf(readCatalog(pager, root), this.host.lookup);
    const stateOf = (sequence: SqlSequence): SequenceState => readSequence(pager, root, sequence.number) ?? sequenceStart(sequence);
    const at = (world: string | null, when: string | null): Names => this.#namesAt({ world, when });
    return new SessionNames(
      schema,
      this.host.registry,
      this.#catalogOf(schema, root),
      this.lookupPath(),
      at,
      stateOf,
      this.#reader(schema, asOf.world),
      this.#guard(),
      { inlined: (binder, plan) => withBodiesOf(new SessionBodies(this, schema), binder, plan, this.env) },
    );
  }

  /**
   * The masks for the state with these definitions: including today's masks of the session's world and of the world that it reads,
   * independent of the open transaction.
   */
  masks(schema: Schema = this.schema(), read: string | null = null): Masks {
    const { context } = this.host;
    const own = context.find(this.branch.split('@')[0]);
    const other = read === null ? null : context.find(read.split('@')[0]);
    return masksWith(
      schema.catalog,
      [own, other].map((world) => (world === null ? NO_MASKS : masksOfWorld(context, world))),
    );
  }

  /** The last value of a sequence, committed or not, as in Postgres. */
  sequenceState(sequence: SqlSequence): SequenceState {
    const { world, base, sequences } = this.begin();
    if (world === null) return readSequence(this.host.context.engine.pager, base, sequence.number) ?? sequenceStart(sequence);
    return this.sequences.state(world, sequences, sequence);
  }

  /** The state of an AS OF. */
  rootAt(asOf: Pick<AsOf, 'world' | 'when'>): Node {
    return this.readingAt(asOf).root;
  }

  /** The same with its world and its newest event. */
  readingAt({ world, when: written }: Pick<AsOf, 'world' | 'when'>): Reading {
    const { context } = this.host;
    const when = written === null ? null : inZone(this, written);
    const own = this.branch.split('@')[0];
    const text = world === null ? `${own}@${when}` : when === null ? world : `${world}@${when}`;
    // A relative time means one moment within a statement.
    const known = when?.startsWith('-') === true ? this.#momentsAgo.get(text) : undefined;
    if (known !== undefined) return known;
    const reading = context.read(text);
    this.#raiseWatermark(reading.seen, false);
    if (!reading.past) context.state.worlds.share(reading.world);
    if (!this.#readings.has(reading.root)) this.#readings.set(reading.root, context.engine.hold(reading.root));
    if (when?.startsWith('-') === true) this.#momentsAgo.set(text, reading);
    return reading;
  }
  /** States of this statement's relative times, held with the others. */
  readonly #momentsAgo = new Map<string, Reading>();
  /** Roots that AS OF reads, held until the transaction ends. */
  readonly #readings = new Map<Node, () => void>();

  // --- queries

  /** `fixed`: there are no further parameters. */
  prepare(statement: QueryStatement, types: readonly (SqlType | null)[], fixed = false, analyze = false, values: readonly Value[] | null = null): Prepared {
    const planned = this.#planned;
    if (planned !== null && planned.statement === statement && values === null && planned.key === this.#keyOf(types, fixed, analyze)) return planned.taken();
    return prepare(statement, types, fixed, this.#prepareParts(statement, types, fixed, analyze, values));
  }

  #prepareParts(
    statement: QueryStatement,
    types: readonly (SqlType | null)[],
    fixed: boolean,
    analyze: boolean,
    values: readonly Value[] | null,
  ): PrepareParts {
    return {
      moments: values === null ? this.#moments : new SessionMoments(this, values),
      again: (known) => this.prepare(statement, types, fixed, analyze, known),
      names: this.names(this.schema()),
      registry: this.host.registry,
      env: this.env,
      statistics: this.statistics(),
      bodies: this.bodies,
      key: analyze ? null : this.planKey(),
      analyze,
    };
  }

  #keyOf(types: readonly (SqlType | null)[], fixed: boolean, analyze: boolean): string | null {
    return planKeyOf(types, fixed, analyze ? null : this.planKey());
  }

  /**
   * Plans a running statement in time slices if that takes longer than a turn; null if it is done. `prepare` then finds the plan, or
   * the error, until the next statement begins. `clock`: `statement_timeout` starts here.
   */
  planAhead(statement: QueryStatement, types: readonly (SqlType | null)[], fixed: boolean, clock = false): Promise<void> | null {
    if (!this.#plansLong()) return null;
    if (clock) this.#startClock(this.#agent?.state ?? null);
    const planned = this.#planInTurns(statement, types, fixed, false);
    return planned.turn() ? null : planned.finish(() => this.pause());
  }

  /** Whether planning may take long: a short text may refer to large definitions. */
  #plansLong(): boolean {
    return this.text.length >= LONG_PLAN_MIN || this.schema().longestView >= LONG_PLAN_MIN;
  }

  #planInTurns(statement: QueryStatement, types: readonly (SqlType | null)[], fixed: boolean, analyze: boolean): PlannedAhead {
    const steps = prepareSteps(statement, types, fixed, this.#prepareParts(statement, types, fixed, analyze, null));
    return (this.#planned = new PlannedAhead(statement, this.#keyOf(types, fixed, analyze), steps));
  }

  /** The same within the steps of a statement with a query inside: EXPLAIN, PREPARE, CREATE TABLE AS and DECLARE. */
  *planSteps(statement: QueryStatement, types: readonly (SqlType | null)[], fixed: boolean, analyze = false): Steps<void> {
    if (!this.#plansLong() || this.functionDepth > 0) return;
    const planned = this.#planInTurns(statement, types, fixed, analyze);
    while (!planned.turn()) yield YIELD;
  }
  #planned: PlannedAhead | null = null;

  readonly #moments = new SessionMoments(this, null);

  /** What plans depend on besides their statement. */
  planKey(): string {
    const schema = this.schema();
    const { version } = this.settings;
    const reader = this.readerKey(schema);
    if (this.#planKeyOf !== schema || this.#planKeyVersion !== version || this.#planKeyReader !== reader) {
      this.#planKeyOf = schema;
      this.#planKeyVersion = version;
      this.#planKeyReader = reader;
      this.#planKey = `${schema.version};${this.env.fingerprint};${reader}`;
      this.#expressionKey = `expression ${schema.callables};${this.env.fingerprint};${reader}`;
    }
    return this.transitions === null ? this.#planKey : `${this.#planKey};${this.transitions.key}`;
  }
  #planKeyOf: Schema | null = null;
  #planKeyVersion = -1;
  #planKeyReader = '';
  #planKey = '';
  #expressionKey = '';

  /** As `planKey`, for an expression that was bound without looking up a relation. */
  expressionKey(): string {
    this.planKey();
    return this.#expressionKey;
  }

  prepareGeneric(
    own: QueryStatement,
    generic: QueryStatement,
    given: readonly (SqlType | null)[],
    read: (types: readonly SqlType[]) => Value[],
  ): GenericPlan | null {
    const { registry } = this.host;
    return prepareGeneric(
      own,
      generic,
      given,
      {
        names: this.names(),
        registry,
        env: this.env,
        statistics: this.statistics(),
        bodies: this.bodies,
        key: this.planKey(),
        moments: this.#moments,
        again: (values) => this.prepare(own, [], true, false, values),
      },
      read,
    );
  }

  /** Functions that may be inlined. */
  readonly bodies = new SessionBodies(this);

  /** Prepares a statement of a function's body. */
  prepareIn(
    statement: QueryStatement,
    types: readonly SqlType[],
    argumentNames: NonNullable<PrepareParts['argumentNames']>,
    analyze = false,
    values: readonly Value[] | null = null,
  ): Prepared {
    const schema = this.schema();
    return prepare(statement, types, true, {
      moments: values === null ? this.#moments : new SessionMoments(this, values, argumentNames),
      again: (known) => this.prepareIn(statement, types, argumentNames, analyze, known),
      names: this.names(schema),
      registry: this.host.registry,
      env: this.env,
      statistics: this.statistics(),
      bodies: this.bodies,
      key: analyze ? null : this.planKey(),
      argumentNames,
      analyze,
    });
  }
  /** A procedure or DO is running that may end its transaction, and wait for locks. */
  nonatomic = false;
  /** Loops over queries with rows to come. */
  readonly loops = new Set<Loop>();
  /** Number of nested function calls. */
  functionDepth = 0;
  /** The stack of running functions. */
  readonly frames: CallFrame[] = [];
  /** Number of nested trigger calls. */
  triggerDepth = 0;
  /** Statements whose triggers are running, and whose writes those may have to see. */
  readonly writing: StatementTriggers[] = [];

  /** Hands the writes of enclosing statements to the transaction, so that this statement sees them. */
  flush(): void {
    for (const each of this.writing) each.flush();
  }

  /** Adds changes of a statement, which may continue. Changes that could not be committed are refused here. */
  take(transaction: Transaction, changes: readonly TreeChanges[], shares: readonly RowToLock[] = []): void {
    const { catalog } = this.schema();
    const lasting = this.temporary.permanent(changes, catalog);
    if (transaction.world !== null) refuseProtected(this.host.context, transaction.world, lasting, catalog);
    this.locks.claim(transaction, lasting, shares);
    transaction.write(changes);
  }

  /** Parses without the shared cache: the result may depend on its context. */
  parseUncached(text: string): readonly ParsedStatement[] {
    return parse(this.standard(text));
  }

  statistics(): Statistics {
    const view = this.begin().view();
    return treeStatistics(this.host.context.engine.pager, (table) => view.directory(table), this.keyCodec());
  }

  /** Row count of a tree, by its number. */
  rowCount(tree: number): number {
    return childRoot(this.host.context.engine.pager, this.begin().directory(tree), tree)?.count ?? 0;
  }

  /** Runs a query or write to its end. */
  async runQuery(statement: QueryStatement, params: Parameters): Promise<StatementResult> {
    this.startStatement();
    if (this.functionDepth === 0 && !areTyped(params)) {
      const ahead = this.planAhead(statement, [], params.length === 0);
      if (ahead !== null) await ahead;
    }
    const { prepared, values } = this.withParameters(statement, params);
    return this.execute(prepared, values);
  }

  withParameters(statement: QueryStatement, params: Parameters, analyze = false): { prepared: Prepared; values: readonly Value[] } {
    if (areTyped(params)) {
      const { types, values, names } = params;
      return { prepared: names === undefined ? this.prepare(statement, types, false, analyze) : this.prepareIn(statement, types, names, analyze), values };
    }
    const prepared = this.prepare(statement, [], params.length === 0, analyze);
    const { parameters } = prepared;
    this.#parametersNamed = Math.max(this.#parametersNamed, parameters.length);
    return { prepared, values: parameterValues(this.isMultiStatement ? params.slice(0, parameters.length) : params, parameters, this.env) };
  }

  async execute(prepared: Prepared, params: readonly Value[]): Promise<StatementResult> {
    return runInTurns(this, this.executeSteps(prepared, params));
  }

  /** Runs it in steps; RetryStatement if it has to wait and no rows were returned yet. */
  *executeSteps(
    prepared: Prepared,
    params: readonly Value[],
    onRows?: (rows: Value[][]) => void,
    onCursor?: (cursor: AnalyzedCursor) => void,
  ): Steps<StatementResult> {
    const execution = new Execution(this, prepared, params);
    onCursor?.(execution.cursor);
    const rows: Value[][] = [];
    const memory = new ResultMemory();
    try {
      const command = yield* this.#readSteps(prepared, execution, rows, memory, onRows);
      if (onRows === undefined) this.#results.take(memory);
      const { writes, columns } = prepared;
      return { command, ...(writes !== null && columns.length === 0 ? { columns: null, rows: [] } : { columns, rows }), notices: this.notices };
    } finally {
      memory.release();
    }
  }

  /** Memory of the current text's results, until the next text or the session's end, while the caller holds them. */
  readonly #results = new ResultMemory();

  /** Rows go to `onRows`, otherwise to `rows`. Gives the command tag. */
  *#readSteps(prepared: Prepared, execution: Execution, rows: Value[][], memory: ResultMemory, onRows?: (rows: Value[][]) => void): Steps<string> {
    // A statement that may be retried returns its rows when it is done.
    const kept = prepared.modifies || prepared.locks;
    for (;;) {
      const batch = execution.next();
      if (batch === null) break;
      if (batch === YIELD) {
        yield YIELD;
        continue;
      }
      // Of a write without RETURNING only the count matters.
      if (prepared.writes !== null && prepared.columns.length === 0) continue;
      const out = onRows === undefined || kept ? rows : [];
      if (out === rows) {
        execution.cursor.hold(batch);
        memory.hold(batch);
      }
      const { columns } = batch;
      for (let r = 0; r < batch.count; r++) {
        const row = new Array<Value>(columns.length);
        for (let c = 0; c < columns.length; c++) row[c] = columns[c][r];
        out.push(row);
      }
      if (!kept) onRows?.(out);
    }
    const command = execution.finish();
    if (kept) onRows?.(rows);
    return command;
  }

  /** `open`: triggers of a statement that has written before. */
  writesOver(transaction: Transaction, open: StatementTriggers | null = null): StatementWrites {
    const schema = this.schema();
    if (!schema.hasTriggers) return new StatementWrites(this.partsOf(transaction));
    const hooks = open ?? new StatementTriggers(this, transaction, schema);
    const writes = new StatementWrites(this.partsOf(transaction, hooks));
    hooks.over(writes);
    return writes;
  }

  /** Ends a part of a statement that cannot be retried: it waits for locks in place. */
  async finishGiven(transaction: Transaction, writes: StatementWrites): Promise<void> {
    let changes: readonly TreeChanges[] | null = null;
    for (;;) {
      try {
        changes ??= await this.#finished(writes);
        this.locks.claim(transaction, this.temporary.permanent(changes, this.schema().catalog), writes.shares, false);
        break;
      } catch (error) {
        if (!(error instanceof RetryStatement)) throw error;
        await this.waitGiven(error);
      }
    }
    transaction.write(changes);
    this.#defer(transaction, writes);
    for (const _ of triggersOf(writes)?.fireSteps() ?? []) await this.pause();
  }

  async #finished(writes: StatementWrites): Promise<readonly TreeChanges[]> {
    const steps = sliced(writes.finishSteps());
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }

  /** Waits inside a statement that cannot be retried. */
  async waitGiven(error: RetryStatement): Promise<void> {
    if (error instanceof CacheRenewal) throw error.refusal();
    this.hold();
    await this.locks.wait(error, this.#deadline - performance.now());
    this.checkCancel();
    this.locks.throwIfDoomed();
  }

  /** Ends a statement: adds its changes and its deferred constraints. */
  finish(transaction: Transaction, writes: StatementWrites, changes: readonly TreeChanges[] = writes.finish()): void {
    this.take(transaction, changes, writes.shares);
    this.#defer(transaction, writes);
  }

  /** After `finish`: fires the statement's AFTER triggers. */
  fire(writes: StatementWrites): void {
    triggersOf(writes)?.fire();
  }

  #defer(transaction: Transaction, writes: StatementWrites): void {
    const { waiting } = transaction;
    if (writes.deferred.length > 0) transaction.waiting = { ...waiting, items: [...waiting.items, ...writes.deferred] };
  }

  readonly #inside = (text: string, run: () => void): void => inFrame(this, new TextFrame('SQL statement', text), run);

  partsOf(transaction: Transaction, hooks: StatementTriggers | null = null): StatementParts {
    const { engine } = this.host.context;
    const { objects } = this.host.context.state;
    const { deferredNow, immediateNow } = transaction.waiting;
    const view = transaction.view();
    return {
      pager: engine.pager,
      objects,
      schema: this.schema(),
      root: transaction.base,
      state: view,
      contended: this.locks.contended,
      inside: this.#inside,
      comingTo: this.locks.comingTo,
      compiler: compilerOf(this),
      env: this.env,
      deferredNow,
      immediateNow,
      enforces: this.#replica ? 'none' : undefined,
      hooks,
    };
  }

  keyCodec(): KeyCodec {
    return keyCodecOf(this.schema());
  }

  catalogNames(): CatalogNames {
    const names = this.names();
    const { quotesAll } = this.env;
    if (this.#catalogNames === null || this.#catalogNamesOf !== names || this.#catalogNamesQuote !== quotesAll) {
      const made = this.#catalog!.names(this.lookupPath());
      this.#catalogNames = quotesAll ? quotingAllNames(made) : made;
      this.#catalogNamesOf = names;
      this.#catalogNamesQuote = quotesAll;
    }
    return this.#catalogNames;
  }
  #catalogNamesQuote = false;
  #catalogNames: CatalogNames | null = null;
  #catalogNamesOf: SessionNames | null = null;
  #catalog: CatalogRelations | null = null;

  /** Names over the world's definitions as given. */
  catalogNamesOver(schema: Schema): CatalogNames {
    return this.#catalogOf(schema).names(this.lookupPath());
  }

  mustBeTable(name: RelationName): void {
    this.startStatement();
    if (this.names().relation(name.schema, name.name) === null)
      throw new SvcError('42P01', `relation "${name.schema === null ? '' : `${name.schema}.`}${name.name}" does not exist`);
  }

  readonly longCalls = new LongCalls();

  /** Lets the event loop run; the state that is being read stays valid meanwhile. */
  async pause(): Promise<void> {
    this.hold();
    await (this.messages.sink?.backpressure ?? this.longCalls.rest() ?? turn());
    this.checkCancel();
  }

  /** Before the event loop runs inside a statement: the state that it reads is neither changed in place nor collected. */
  hold(): void {
    const { transaction } = this;
    if (transaction === null) return;
    if (transaction.dirty) this.locks.secure(transaction);
    if (transaction.held) return;
    const { engine } = this.host.context;
    const { worlds } = this.host.context.state;
    if (transaction.world !== null) {
      // The state is already gone if the statement that read it is over.
      if (transaction.world.version !== transaction.version) return;
      worlds.share(transaction.world);
    }
    transaction.hold(engine.hold(transaction.source));
  }

  /** Before the event loop runs between statements: under READ COMMITTED the next one takes a new snapshot. */
  betweenStatements(): void {
    const { transaction } = this;
    if (transaction === null) return;
    if (transaction.dirty) this.locks.secure(transaction);
    if (transaction.keepsBase && (transaction.looked || transaction.world === null)) this.hold();
  }

  /** The current state is read beyond this statement, so it must stay. */
  pin(): void {
    this.hold();
    this.transaction?.pin();
  }

  /** Exports the transaction's snapshot. */
  exportSnapshot(): string {
    const transaction = this.begin();
    const { world } = transaction;
    if (transaction.savepoints.length > 0) throw new SvcError('25001', 'cannot export a snapshot from a subtransaction');
    if (world === null) throw new SvcError('0A000', 'a past moment stays as it is: connect to it instead of exporting a snapshot');
    this.hold();
    const { source, version, seen, catalog } = transaction;
    return this.host.snapshots.export(this.system.backendPid, {
      by: transaction,
      world: world.number,
      root: source,
      version,
      seen,
      catalog,
      release: this.host.context.engine.hold(source),
    });
  }

  /** Imports a snapshot that another transaction exported. */
  importSnapshot(id: string): void {
    const transaction = this.begin();
    if (transaction.looked) throw new SvcError('25001', 'SET TRANSACTION SNAPSHOT must be called before any query');
    if (transaction.savepoints.length > 0) throw new SvcError('25001', 'SET TRANSACTION SNAPSHOT must not be called in a subtransaction');
    if (transaction.fresh) throw new SvcError('0A000', 'a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ');
    const found = this.host.snapshots.find(id);
    if (found === null) throw new SvcError('22023', `invalid snapshot identifier: "${id}"`);
    if (found.world !== transaction.world?.number) throw new SvcError('0A000', 'cannot import a snapshot from a different database');
    transaction.adopt(found, this.host.context.engine.hold(found.root));
  }

  // --- ends of transactions

  /** After the last statement of a list: commits unless BEGIN was given. */
  endList(): void {
    if (this.transaction === null || this.transaction.explicit) return;
    try {
      this.commit();
    } catch (error) {
      // Several statements cannot be retried, and none may be committed twice.
      if (error instanceof RetryStatement && !this.isSingleStatement) throw serialization('concurrent update');
      throw error;
    }
  }

  /** Commits the earlier statements of the list, before a statement that cannot run in a transaction block. */
  preventInTransactionBlock(what: string): void {
    if (this.functionDepth > 0) throw new SvcError('25001', `${what} cannot be executed from a function`);
    if (this.transaction?.explicit === true) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
    const { transaction } = this;
    if (transaction === null) return;
    if (this.isMultiStatement && this.isFollowed && this.#changesKept(transaction)) {
      throw new SvcError('25001', `${what} cannot run inside a transaction block`, {
        hint: 'Statements that are sent together are one transaction, which would end here: send this one alone, or last.',
      });
    }
    this.commit();
  }

  /** Whether its commit keeps anything. */
  #changesKept({ dirty, roleRows, sequences }: Transaction): boolean {
    return dirty || roleRows.size > 0 || sequences.size > 0 || this.#listening.length > 0 || this.system.notifications.length > 0;
  }

  commit(): void {
    const { transaction } = this;
    if (transaction === null) return;
    if (this.cursors.size > 0 && !transaction.failed) keepHeld(this.cursors, transaction);
    const { world, failed } = transaction;
    if (!failed && transaction.waiting.triggers.length > 0) fireDeferred(this);
    // Triggers may have changed roles as well.
    const { roleRows } = transaction;
    if (!failed && roleRows.size > 0) checkNames(this.host.context.state.roles.current, roleRows);
    if (!failed && world !== null && (transaction.dirty || transaction.sequences.size > 0 || this.sequences.dirty)) this.#commitChanges(transaction, world);
    if (!failed && this.temporary.schema !== null) this.temporary.keep(transaction.pager, transaction.seal());
    if (!failed && roleRows.size > 0) this.#commitRoles(transaction);
    if (!failed && (this.#listening.length > 0 || this.system.notifications.length > 0)) this.#announce(world);
    this.#end(!failed);
  }

  #commitChanges(transaction: Transaction, seen: World): void {
    const { context } = this.host;
    const { pager } = context.engine;
    const world = context.state.worlds.byNumber(seen.number);
    if (world === null) throw new SvcError('3D000', `world "${seen.name}" is gone`);
    if (transaction.dirty) {
      this.locks.throwIfDoomed();
      if (context.engine.outage.count !== this.#outages) throw new SvcError('40001', 'could not serialize access: the state that was read was rolled back');
      this.locks.confirm(transaction);
      const moved = transaction.version !== world.version;
      if (moved) {
        if (transaction.reads?.changed(pager, transaction.source, world.root) === true) throw dependencies();
        // The changes of a single statement are valid over any state that they are committed to.
        const needed = transaction.own.length > 1 || transaction.waiting.items.length > 0 || this.temporary.schema !== null;
        if (transaction.fresh && needed) transaction.refresh(world, context.catalog(world));
        else transaction.refuseRedefined(context.catalog(world));
      }
      const { items } = transaction.waiting;
      if (items.length > 0) {
        const parts = this.partsOf(transaction);
        const over = transaction.fresh || !moved ? parts : { ...parts, root: this.locks.merged(transaction), state: undefined };
        this.locks.claim(transaction, [], checkWaiting(transaction, over));
      }
    }
    const own = transaction.dirty ? transaction.changes() : [];
    const all = this.sequences.changes(world, transaction.sequences, own);
    const changes = this.temporary.schema === null ? all : this.temporary.permanent(all, readCatalog(pager, transaction.root));
    if (changes.length === 0) return this.sequences.committed(world, transaction.sequences);
    // Rights may have been revoked since the statement.
    authorize(this.principal, { what: 'change', world });
    admitChanges(context, this.principal, world, changes);
    admitGrowth(context, changes);
    const { ahead } = transaction;
    const { sequence } = context.commitChecked(
      {
        type: 'committed',
        how: transaction.explicit ? 'commit' : 'write',
        ...(transaction.number === null ? {} : { number: transaction.number }),
        changes,
        built: ahead?.built ?? undefined,
      },
      world.number,
      actorName(this.principal),
      ahead?.encoded ?? null,
    );
    this.sequences.committed(world, transaction.sequences);
    this.#raiseWatermark(sequence, false);
  }

  /** Roles belong to no world: they have an event of their own. */
  #commitRoles({ roleRows }: Transaction): void {
    const { engine } = this.host.context;
    const { roles } = this.host.context.state;
    const rows = roles.changes(roleRows);
    if (rows.length === 0) return;
    const changes = [{ tree: ROLES_TREE, numeric: false, rows }];
    const { sequence } = engine.commit({ type: 'rolesChanged', changes }, 0 as WorldNumber, actorName(this.principal));
    this.#raiseWatermark(sequence, false);
  }

  listen(channel: string): void {
    const { world } = this.startStatement();
    if (world !== null) this.#listening.push({ world: world.number, channel, on: true });
  }

  /** null: all. */
  unlisten(channel: string | null): void {
    const { world } = this.startStatement();
    this.#listening.push({ world: world?.number ?? 0, channel, on: false });
  }

  /** LISTEN and NOTIFY take effect with the commit. */
  #announce(world: World | null): void {
    const { channels } = this.host;
    const { listener } = this;
    if (listener !== null) {
      for (const { world: number, channel, on } of this.#listening) {
        if (on) channels.listen(number, channel!, listener);
        else channels.unlisten(null, channel, listener);
      }
    }
    if (world === null || this.system.notifications.length === 0) return;
    const pid = this.system.backendPid;
    const notifications = this.system.notifications.list.map(({ channel, payload }) => ({ pid, channel, payload }));
    const deliver = (): void => channels.notify(world.number, notifications);
    if (this.isSynced) deliver();
    else void this.host.context.engine.durable(this.#pendingSequence as Sequence).then(deliver, () => {});
  }

  savepoint(name: string): void {
    const transaction = this.begin();
    if (transaction.dirty) this.locks.secure(transaction);
    transaction.savepoint(name, this.locks.owner.mark, this.system.notifications.length, this.#listening.length, this.settings.mark());
  }

  /** Also releases locks and discards notifications and listens since the savepoint. */
  rollbackTo(index: number): void {
    const { locks, notifications, listens, settings } = this.transaction!.rollbackTo(index);
    this.settings.backTo(settings);
    this.locks.backTo(locks);
    this.system.notifications.backTo(notifications);
    this.#listening.length = listens;
  }

  rollback(): void {
    this.#end(false);
  }

  #end(committed: boolean): void {
    if (this.transaction === null) return;
    if (this.cursors.size > 0) endCursors(this.cursors, this.transaction, committed);
    const { world } = this.transaction;
    if (world !== null) {
      const counters = this.host.activity.of(world.number);
      if (committed) counters.commits++;
      else counters.rollbacks++;
    }
    this.transaction.ended();
    if (this.transaction.number !== null) this.host.numbers.ended(this.transaction.number, committed);
    this.host.snapshots.ended(this.transaction);
    this.transaction = null;
    this.recordDeferredReads();
    this.locks.release();
    // Clearing an empty map would reallocate it.
    if (this.#readings.size > 0) {
      for (const release of this.#readings.values()) release();
      this.#readings.clear();
      this.#momentsAgo.clear();
    }
    this.files.begin();
    this.settings.end(committed);
    this.system.ended();
    if (this.#listening.length > 0) this.#listening.length = 0;
    this.sequences.ended();
  }

  /** After an error: an explicit transaction has failed, any other is over. */
  fail(): void {
    this.host.totals.statement_errors++;
    this.tracking?.abandon();
    this.recordFullRead();
    if (this.transaction === null) return;
    const { transaction } = this;
    if (!transaction.explicit) {
      this.#end(false);
      return;
    }
    if (transaction.failed) return;
    transaction.failed = true;
    // Only a rollback can follow, so locks taken since the newest savepoint are released at once.
    const last = transaction.savepoints.at(-1);
    transaction.backTo(last ?? transaction.start);
    this.locks.backTo(last?.locks ?? 0);
  }

  /** Runs the statements of a text; the result of the last one, with rows as objects. For programs. */
  async query(text: string, params: readonly unknown[] = []): Promise<RowObjects> {
    const result = (await this.run(text, params)).at(-1);
    return result === undefined ? { command: '', columns: [], types: [], rows: [] } : rowObjects(result, this.env);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /** A closed session leaves nothing behind. */
  close(): void {
    this.#abort?.abort(new SvcError('57014', 'canceling statement due to user request'));
    this.#end(false);
    this.temporary.clear();
    this.locks.close();
    this.host.backends.delete(this);
    this.rest();
    if (this.listener !== null) this.host.channels.unlisten(null, null, this.listener);
    this.cursors.clear();
    this.#results.release();
  }
}

function dependencies(): SvcError {
  return new SvcError('40001', 'could not serialize access due to read/write dependencies among transactions', {
    detail: 'Reason code: Canceled on identification as a pivot, during commit attempt.',
    hint: 'The transaction might succeed if retried.',
  });
}

/** The names of a list such as search_path. */
export function splitNames(text: string): string[] {
  const out: string[] = [];
  for (const [, quoted, bare] of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\s]+))\s*(?:,|$)/g))
    out.push(quoted === undefined ? bare.toLowerCase() : quoted.replaceAll('""', '"'));
  return out;
}
