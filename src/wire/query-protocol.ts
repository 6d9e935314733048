/**
 * The query protocol of one session: simple and extended queries, COPY, function calls. Messages are processed sequentially;
 * `busy` is set while one is in progress, and `idle` is called when it is done.
 *
 * Everything is durable before the client is informed: replies are gathered, and before they are sent, `#untilDurable` waits for
 * the log. While a statement runs, output is sent whenever enough is pending, and the statement continues when the client has
 * taken it.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { CacheRenewal } from '../locks/cache-renewal.ts';
import { RetryStatement } from '../locks/lock-wait.ts';
import type { Fetch } from '../sql/ast/session.ts';
import type { ParsedStatement } from '../sql/parse/parse.ts';
import { type Cursor, cursorOver, dropCursor, fetchCursor } from '../sql/session/cursors.ts';
import { findGeneric, findGenericOf, type GenericRun, noteShape, valuesOf } from '../sql/session/generic-statement.ts';
import { isQuery, type Prepared, type QueryStatement } from '../sql/session/prepare.ts';
import type { CopyOutput } from '../sql/session/copy.ts';
import type { Notice, StatementResult } from '../sql/session/results.ts';
import { hasLargeCommit, prepareLargeCommit } from '../sql/session/large-commit.ts';
import { runStatement } from '../sql/session/run-statement.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import { serialization } from '../sql/session/session-locks.ts';
import { isBound, runTransaction } from '../sql/session/transaction-statement.ts';
import type { TransactionMark } from '../sql/session/transaction.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import { CopyInput } from './copy-input.ts';
import { asSvcError, writeError, writeNotice } from './error-message.ts';
import { readFunctionCall } from './function-call.ts';
import { BrokenFraming, type MessageReader } from './message-reader.ts';
import type { MessageWriter } from './message-writer.ts';
import type { ParameterStatus } from './parameter-status.ts';
import { readFormats, readParameters } from './parameters.ts';
import { Portal, STEP, type Step } from './portal.ts';
import { BACKEND, FRONTEND, WIRE_LIMITS } from './protocol.ts';
import { ALL_BINARY, ALL_TEXT, checkFormats, valueWriters, writeRowDescription } from './row-format.ts';
import { admitOutput } from './unsent-output.ts';
import { ResultMemory } from '../sql/session/result-memory.ts';
import { WireStatement } from './wire-statement.ts';

/** The protocol's interface to its connection. */
export interface Connection {
  readonly reader: MessageReader;
  readonly out: MessageWriter;
  /** Number of times that output was sent. */
  readonly sends: number;
  /** Enough output is pending to be sent before the tick ends. */
  readonly full: boolean;
  /** Backpressure: resolves when a slow client has taken the output; null if it keeps up. */
  readonly backpressure: Promise<void> | null;
  /** The connection is about to end, and says why once nothing runs. */
  readonly ending: boolean;
  /** Output must be sent when the tick ends. */
  due(): void;
  /** Sends pending output; a promise if the client is slow. */
  send(): Promise<void> | null;
  /** The current message is done. */
  idle(): void;
  /** The client sent Terminate. */
  terminate(): void;
  /** Resumes reading. */
  more(): void;
  fault(error: SvcError): void;
  /** A statement was refused for lack of a right or a quota. */
  refused(error: SvcError): void;
  /** Ends the connection: its state cannot be trusted. */
  broken(error: unknown): void;
}

const READY = { idle: code('I'), transaction: code('T'), failed: code('E') };
function code(letter: string): number {
  return letter.charCodeAt(0);
}

export class QueryProtocol {
  readonly session: SqlSession;
  readonly #connection: Connection;
  readonly #out: MessageWriter;
  readonly #reader: MessageReader;
  readonly #status: ParameterStatus;
  /** Sends pending notifications. */
  readonly #notify: () => void;
  #unnamed: WireStatement | null = null;
  readonly #portals = new Map<string, Portal>();
  #unnamedPortal: Portal | null = null;
  /** After an error everything up to Sync is skipped. */
  #skipping = false;
  busy = false;
  copyInput: CopyInput | null = null;

  constructor(session: SqlSession, connection: Connection, status: ParameterStatus, notify: () => void) {
    this.session = session;
    this.#connection = connection;
    this.#out = connection.out;
    this.#reader = connection.reader;
    this.#status = status;
    this.#notify = notify;
    session.streams = {
      input: (columns, binary) => {
        this.#copyResponse(BACKEND.copyInResponse, columns, binary);
        this.#sendOn().catch(this.#broken);
        this.copyInput = new CopyInput(() => this.#connection.more());
        // CopyData may have arrived together with the statement.
        queueMicrotask(() => this.#connection.more());
        return this.copyInput;
      },
      output: (columns, binary) => this.#copyOutput(columns, binary),
    };
    session.messages.sink = {
      send: (notice) => this.#sendNotice(notice),
      get backpressure() {
        return connection.backpressure;
      },
    };
    session.portal = (name) => this.#portalAsCursor(name);
  }

  /** Processes the reader's current message. */
  handle(type: number): void {
    // After an error in an extended query everything is skipped up to Sync.
    if (this.#skipping && type !== FRONTEND.sync && type !== FRONTEND.terminate && KNOWN.has(type)) return;
    // Earlier replies stay ahead of this message's notices.
    this.#rowsBegin();
    switch (type) {
      case FRONTEND.query:
        this.busy = true;
        this.#simple();
        return;
      case FRONTEND.parse:
      case FRONTEND.bind:
      case FRONTEND.describe:
      case FRONTEND.close:
        this.#guarded(type);
        return;
      case FRONTEND.execute:
        this.busy = true;
        this.#execute();
        return;
      case FRONTEND.sync:
        this.busy = true;
        this.#skipping = false;
        this.#end();
        return;
      case FRONTEND.flush:
        this.flush();
        return;
      case FRONTEND.functionCall:
        this.busy = true;
        this.#call()
          .catch((error: unknown) => this.#refuse(error))
          .then(() => this.#end())
          .catch(this.#broken);
        return;
      case FRONTEND.copyData:
      case FRONTEND.copyDone:
      case FRONTEND.copyFail:
        // Left over from a failed COPY.
        return;
      case FRONTEND.terminate:
        this.#connection.terminate();
        return;
      default:
        throw new BrokenFraming('08P01', `invalid frontend message type ${type}`);
    }
  }

  /** A message that was too large has been skipped. */
  dropped(type: number): void {
    const error = this.#reader.droppedForRoom
      ? new SvcError('53200', 'out of memory', {
          detail: `Large messages that are not all there yet may take ${WIRE_LIMITS.unreadBytesMax >> 20} MB, of all connections together: this one was dropped.`,
          hint: 'Try again when other clients have sent theirs.',
        })
      : new SvcError('54000', 'the message is larger than 64 MB and was dropped');
    if (this.copyInput !== null) {
      this.copyInput.fail(error);
      return;
    }
    if (type === FRONTEND.copyData || this.#skipping) return;
    this.busy = true;
    this.#refuse(error);
    if (type === FRONTEND.query || type === FRONTEND.functionCall) this.#end();
    else {
      this.#skipping = true;
      this.#done();
    }
  }

  /** Errors that belong to no statement end the connection, not the server. */
  readonly #broken = (error: unknown): void => this.#connection.broken(error);

  /** The first ReadyForQuery. */
  greet(): void {
    this.busy = true;
    this.#ready();
  }

  /** Cancels the running statement. */
  cancel(): void {
    this.session.cancel();
    this.copyInput?.fail(new SvcError('57014', 'canceling statement due to user request'));
  }

  /** Sends pending output once it is durable. */
  flush(): void {
    this.busy = true;
    this.#flush().catch(this.#broken);
  }

  // --- shared by all messages

  #done(): void {
    this.busy = false;
    this.#connection.idle();
  }

  /** Writes the error; the session's transaction has failed. */
  #refuse(thrown: unknown): void {
    this.copyInput = null;
    let error: SvcError;
    if (thrown instanceof CacheRenewal) error = thrown.refusal();
    else if (thrown instanceof RetryStatement) error = serialization('concurrent update');
    else error = asSvcError(thrown);
    if (error.code === '57014' && this.#connection.ending) {
      this.#silent = true;
      this.session.fail();
      return;
    }
    if (error.code === 'XX000') this.#connection.fault(error);
    else if (error.code === '42501' || error.code === '53300' || error.code === '53400') this.#connection.refused(error);
    this.session.fail();
    this.#notices();
    writeError(this.#out, error, 'ERROR');
    if (this.session.isSynced) this.#connection.due();
  }

  /** The statement was cancelled because the connection ends, which is the only error sent. */
  #silent = false;

  #notices(): void {
    const { notices } = this.session;
    if (notices.length === 0) return;
    for (const notice of notices) writeNotice(this.#out, notice);
    this.session.notices = [];
  }

  /** Sends a notice at once, after output from before the statement's rows and ahead of pending rows: those are dropped if the statement has to run again. */
  #sendNotice(notice: Notice): boolean {
    const out = this.#out;
    if (out.begun) return false;
    if (out.length > WIRE_LIMITS.messagesBytesMax) {
      throw new SvcError('53200', 'out of memory', { detail: 'The client does not read the messages that it is sent.' });
    }
    this.#notices();
    const from = this.#rowsStart;
    const rows = from < out.length ? Buffer.from(out.filled.subarray(from, out.length)) : null;
    const tagAt = this.#tagSends === this.#connection.sends ? this.#tagFrom - from : -1;
    out.rewind(from);
    writeNotice(out, notice);
    if (this.session.isSynced && this.#connection.backpressure === null) void this.#connection.send();
    this.#noticeSent = true;
    this.#rowsBegin();
    if (rows !== null) out.bytes(rows);
    if (tagAt >= 0) {
      this.#tagFrom = this.#rowsFrom + tagAt;
      this.#tagSends = this.#rowsSends;
    }
    return true;
  }
  #noticeSent = false;

  /** From here on output is rows of the statement. */
  #rowsBegin(): void {
    this.#rowsFrom = this.#out.length;
    this.#rowsSends = this.#connection.sends;
  }
  #rowsFrom = 0;
  #rowsSends = -1;

  /** 40001 if rows have been sent of a statement that would be retried because of the cache: damage may be found at any row. */
  #refuseGiven(stopped: RetryStatement): void {
    if (stopped instanceof CacheRenewal && (this.#continued || this.#rowsSends !== this.#connection.sends)) throw stopped.refusal();
  }
  /** A previous Execute has sent rows of the portal. */
  #continued = false;

  /** Start of the unsent rows. */
  get #rowsStart(): number {
    return this.#rowsSends === this.#connection.sends ? Math.min(this.#rowsFrom, this.#out.length) : 0;
  }

  /** Waits until everything that was read or written is durable. */
  async #untilDurable(): Promise<void> {
    const synced = this.session.untilSynced();
    if (synced === null) return;
    this.session.hold();
    await synced;
  }

  /** Commits an implicit transaction, then sends ReadyForQuery; at once if everything is durable. */
  #end(): void {
    const { session } = this;
    // Many small statements of one Sync are a large commit, too.
    if (hasLargeCommit(session) && session.transaction?.explicit === false && session.transaction.ahead === null) {
      prepareLargeCommit(session)
        .then(
          () => this.#commitAndReady(),
          (error: unknown) => this.#refuseAndReady(error),
        )
        .catch(this.#broken);
    } else this.#commitAndReady();
  }

  #commitAndReady(): void {
    const { session } = this;
    try {
      if (session.transaction !== null && !session.transaction.explicit) session.endList();
      const synced = session.untilSynced();
      if (synced !== null) {
        session.betweenStatements();
        synced
          .then(
            () => this.#ready(),
            (error: unknown) => this.#refuseAndReady(error),
          )
          .catch(this.#broken);
        return;
      }
    } catch (error) {
      this.#refuse(error);
    }
    this.#ready();
  }

  #refuseAndReady(error: unknown): void {
    this.#refuse(error);
    this.#ready();
  }

  #ready(): void {
    if (this.#silent) {
      this.#done();
      return;
    }
    const { transaction } = this.session;
    if (transaction === null) {
      this.#dropPortals();
    } else this.session.betweenStatements();
    this.#status.report();
    this.#notify();
    const out = this.#out;
    out.begin(BACKEND.readyForQuery);
    out.byte(transaction === null ? READY.idle : transaction.failed ? READY.failed : READY.transaction);
    out.end();
    this.#connection.due();
    this.#done();
  }

  #dropPortals(): void {
    this.#unnamedPortal?.close();
    this.#unnamedPortal = null;
    if (this.#portals.size === 0) return;
    for (const portal of this.#portals.values()) portal.close();
    this.#portals.clear();
  }

  #commandComplete(tag: string): void {
    const { tracking } = this.session;
    if (tracking !== null) tracking.end(tag);
    const out = this.#out;
    this.#tagFrom = out.length;
    this.#tagSends = this.#connection.sends;
    out.begin(BACKEND.commandComplete);
    out.text(tag);
    out.end();
  }
  /** Start of the latest tag, unless it has been sent. */
  #tagFrom = 0;
  #tagSends = -1;

  /** Runs a portal to its end or to the wanted rows; true if it is done. `step` is where it stopped before. */
  async #drain(portal: Portal, step: Step = portal.run(this.session, this.#out)): Promise<boolean> {
    const { session } = this;
    for (;;) {
      switch (step) {
        case STEP.yield:
          await session.pause();
          break;
        case STEP.full: {
          await this.#untilDurable();
          this.#admitOutput();
          const wait = this.#connection.send();
          if (wait !== null) {
            session.hold();
            await wait;
            session.checkCancel();
          }
          break;
        }
        case STEP.suspended:
          return false;
        case STEP.done:
          return true;
      }
      step = portal.run(session, this.#out);
    }
  }

  /** Drops rows that exceed the output limit. */
  #admitOutput(): void {
    try {
      admitOutput(this.#out.length);
    } catch (error) {
      this.#out.rewind(this.#rowsStart);
      throw error;
    }
  }

  // --- simple query

  #simple(): void {
    let pending: Promise<void> | null;
    try {
      const text = this.#reader.text();
      this.#reader.end();
      this.#unnamed = null;
      pending = this.#list(text);
    } catch (error) {
      this.#refuse(error);
      this.#end();
      return;
    }
    if (pending === null) {
      this.#end();
      return;
    }
    pending
      .catch((error: unknown) => this.#refuse(error))
      .then(() => this.#end())
      .catch(this.#broken);
  }

  /** A single query runs within this tick if possible; then returns null. */
  #list(given: string): Promise<void> | null {
    const { session } = this;
    const text = session.standard(given);
    if (text !== given) this.#notices();
    const known = session.host.statements.get(text);
    const found = known === undefined ? findGeneric(session.host, text) : null;
    if (found === null && known === undefined && session.isLongText(text)) return session.parseAhead(text).then(() => this.#list(text) ?? undefined);
    const statements = found === null ? (known ?? session.parse(text)) : NONE;
    if (found === null && statements.length === 0) {
      this.#out.empty(BACKEND.emptyQueryResponse);
      return null;
    }
    session.text = text;
    session.isMultiStatement = statements.length > 1;
    const first = found === null ? statements[0] : found.generic.statement;
    if (statements.length > 1 || !isQuery(first)) return this.#listSlowly(text, statements);
    if (known === undefined && found === null) noteShape(session.host, text, statements);
    // Reads need only a state.
    const admission = first.type === 'select' ? session.stateThere() : session.admission();
    session.isSingleStatement = session.transaction === null;
    const from = this.#out.length;
    const run = (): Promise<void> | null => (found === null ? this.#query(first) : this.#generic(found, () => session.parse(text)[0]));
    let pending: Promise<void> | null = null;
    try {
      pending = admission === null ? run() : after(admission, run);
    } catch (error) {
      // Not even the definitions could be read: nothing has been done yet.
      if (!(error instanceof CacheRenewal) || session.transaction?.explicit === true || this.#out.length !== from) throw error;
      if (session.transaction !== null) session.rollback();
      pending = after(session.stateThere() ?? Promise.resolve(), run);
    } finally {
      if (pending === null) session.isSingleStatement = false;
    }
    if (pending === null) {
      this.#endList();
      return null;
    }
    return pending
      .finally(() => {
        session.isSingleStatement = false;
      })
      .then(() => this.#endList());
  }

  /** An error of the commit replaces the last statement's tag, as in Postgres, since the statement is not complete. */
  #endList(): void {
    const { session } = this;
    if (session.transaction === null || session.transaction.explicit) return;
    try {
      session.endList();
    } catch (error) {
      if (this.#tagSends === this.#connection.sends) this.#out.rewind(Math.min(this.#tagFrom, this.#out.length));
      throw error;
    }
  }

  async #listSlowly(text: string, statements: readonly ParsedStatement[]): Promise<void> {
    const { session } = this;
    const admission = session.admission();
    if (admission !== null) await admission;
    session.isSingleStatement = statements.length === 1 && session.transaction === null && isQuery(statements[0]);
    try {
      for (const statement of statements) {
        session.isFollowed = statement !== statements.at(-1);
        const found = session.isMultiStatement ? findGenericOf(session.host, text, statement) : null;
        const pending = found === null ? this.#one(statement) : this.#generic(found, () => statement);
        if (pending !== null) await pending;
        this.#status.followEncoding();
      }
      if (hasLargeCommit(session) && session.transaction?.explicit === false) await prepareLargeCommit(session);
    } finally {
      session.isSingleStatement = false;
    }
    this.#endList();
  }

  /** One statement of a simple query; null if it is done already. */
  #one(statement: ParsedStatement): Promise<void> | null {
    if (isQuery(statement)) return this.#query(statement);
    const { session } = this;
    session.enter(statement);
    this.#rowsBegin();
    return session.withLockRetry(() => runStatement(session, statement, [])).then((result) => this.#result(result));
  }

  #query(statement: ParsedStatement & QueryStatement): Promise<void> | null {
    const { session } = this;
    session.enter(statement);
    const mark = session.transaction?.mark() ?? null;
    session.startStatement(true);
    const ask = (): Promise<void> | null => this.#ask(() => this.#simpleStatement(statement), [], mark);
    const ahead = session.planAhead(statement, NO_TYPES, true);
    return ahead === null ? ask() : after(ahead, ask);
  }

  /** A statement with a generic plan, falling back to its own plan if that does not apply. */
  #generic(found: GenericRun, parsed: () => ParsedStatement): Promise<void> | null {
    const { session } = this;
    session.enter(found.generic.statement);
    const mark = session.transaction?.mark() ?? null;
    session.startStatement(true);
    const run = valuesOf(session, found);
    const own = (): WireStatement => this.#simpleStatement(parsed() as ParsedStatement & QueryStatement);
    if (run === null) return this.#ask(own, [], mark);
    let statement = this.#generals.get(run.prepared);
    if (statement === undefined) {
      statement = new WireStatement(session, '', '', found.generic.statement, [], true, run.prepared);
      this.#generals.set(run.prepared, statement);
    }
    return this.#ask(own, run.values, mark, statement);
  }
  readonly #generals = new WeakMap<Prepared, WireStatement>();

  #simpleStatement(statement: ParsedStatement & QueryStatement): WireStatement {
    let own = this.#simples.get(statement);
    if (own === undefined) this.#simples.set(statement, (own = new WireStatement(this.session, '', '', statement, [], true)));
    return own;
  }
  readonly #simples = new WeakMap<ParsedStatement, WireStatement>();

  /** The rows of a started statement. `own` creates it again for a retry; `first` is the one to begin with. */
  #ask(own: () => WireStatement, values: readonly Value[], mark: TransactionMark | null, first: WireStatement | null = null): Promise<void> | null {
    const from = this.#out.length;
    this.#noticeSent = false;
    this.#continued = false;
    this.#rowsBegin();
    const statement = first ?? own();
    const portal = this.#portalOf(statement, values);
    let step: Step | RetryStatement;
    try {
      portal.start(this.session, 0);
      step = portal.run(this.session, this.#out);
    } catch (error) {
      portal.close();
      if (!(error instanceof RetryStatement)) throw error;
      step = error;
    }
    if (step !== STEP.done) return this.#askOn(own, portal, step, from, mark);
    this.#asked(portal);
    return null;
  }

  #portalOf(statement: WireStatement, values: readonly Value[], describe = true): Portal {
    const { session } = this;
    const columns = statement.describe(session);
    if (statement.failure !== null) throw statement.failure;
    if (describe && columns !== null) statement.writeDescription(this.#out, columns, ALL_TEXT);
    this.#rowsBegin();
    return new Portal('', statement, values, ALL_TEXT, session.transaction);
  }

  #asked(portal: Portal): void {
    portal.close();
    if (this.session.notices.length > 0) this.#notices();
    this.#commandComplete(portal.tag);
  }

  async #askOn(own: () => WireStatement, begun: Portal, stopped: Step | RetryStatement, start: number, mark: TransactionMark | null): Promise<void> {
    const { session } = this;
    let portal = begun;
    let from = start;
    let next = stopped;
    for (;;) {
      try {
        if (next instanceof RetryStatement) {
          this.#refuseGiven(next);
          // Only messages have been sent: a statement that may be retried returns its rows when it is done.
          const noticeSent = this.#noticeSent;
          this.#out.rewind(noticeSent ? this.#rowsStart : from);
          await session.retryStatement(next, mark);
          session.startStatement(true);
          from = this.#out.length;
          portal = this.#portalOf(own(), [], !noticeSent);
          portal.start(session, 0);
          next = portal.run(session, this.#out);
        }
        await this.#drain(portal, next);
        this.#asked(portal);
        return;
      } catch (error) {
        portal.close();
        if (!(error instanceof RetryStatement)) throw error;
        next = error;
      }
    }
  }

  async #result(result: StatementResult): Promise<void> {
    if (this.copyInput !== null) this.copyInput = null;
    this.#sendNotices(result);
    if (result.columns !== null) {
      const formats = result.binary === true ? ALL_BINARY : ALL_TEXT;
      writeRowDescription(this.#out, result.columns, formats);
      const portal = new Portal('', this.#none(), [], formats, null);
      portal.give(result, 0);
      await this.#drain(portal);
      this.#commandComplete(portal.tag);
    } else this.#commandComplete(result.command);
  }

  #sendNotices(result: StatementResult): void {
    const { session } = this;
    const gathered = session.notices;
    this.#notices();
    if (result.notices !== gathered) for (const notice of result.notices) if (!gathered.includes(notice)) session.sendNotice(notice);
  }

  #none(): WireStatement {
    return new WireStatement(this.session, '', '', null, []);
  }

  // --- function call

  async #call(): Promise<void> {
    const { session } = this;
    session.refuseFailed(CALL);
    session.startStatement(true);
    const { text, types, values, formats } = readFunctionCall(this.#reader, session);
    const [statement] = session.parse(text);
    session.text = text;
    session.isMultiStatement = false;
    session.enter(statement);
    const admission = session.admission();
    if (admission !== null) await admission;
    const result = await session.withLockRetry(() => runStatement(session, statement, { types, values }));
    this.#sendNotices(result);
    const value = result.rows[0][0];
    const [write] = valueWriters(result.columns!, formats);
    const out = this.#out;
    out.begin(BACKEND.functionCallResponse);
    if (value === null) out.int32(-1);
    else write(out, value, session.env);
    out.end();
  }

  // --- extended query

  #guarded(type: number): void {
    try {
      if (type === FRONTEND.bind) this.#bind();
      else if (type === FRONTEND.parse) this.#parse();
      else if (type === FRONTEND.describe) this.#describe();
      else this.#close();
    } catch (error) {
      this.#refuse(error);
      this.#skipping = true;
    }
  }

  #mayStart(statement: ParsedStatement | null): void {
    if (statement !== null) this.session.refuseFailed(statement);
  }

  #parse(): void {
    const reader = this.#reader;
    const { session } = this;
    const name = reader.text();
    const text = reader.text();
    const count = reader.uint16();
    const oids = new Array<number>(count);
    for (let i = 0; i < count; i++) oids[i] = reader.int32() >>> 0;
    reader.end();
    const standard = session.standard(text);
    const parsed = (): Promise<void> | null => this.#parsed(name, text, standard, oids);
    const pending = session.isLongText(standard) ? after(session.parseAhead(standard), parsed) : parsed();
    if (pending === null) return;
    this.busy = true;
    pending.then(() => this.#done()).catch((error: unknown) => this.#refuseAndSkip(error));
  }

  /** null if it is done. */
  #parsed(name: string, text: string, standard: string, oids: readonly number[]): Promise<void> | null {
    const { session } = this;
    const statements = session.parse(standard);
    this.#notices();
    if (statements.length > 1) throw new SvcError('42601', 'cannot insert multiple commands into a prepared statement');
    if (name !== '' && session.prepared.has(name)) throw new SvcError('42P05', `prepared statement "${name}" already exists`);
    const parsed = statements[0] ?? null;
    this.#mayStart(parsed);
    const types = oids.map((oid) => this.#type(oid));
    session.text = text;
    let ahead: Promise<void> | null = null;
    if (parsed !== null && isQuery(parsed)) {
      session.startStatement(true);
      ahead = session.planAhead(parsed, types, false, true);
    }
    if (ahead !== null) return ahead.then(() => this.#made(name, text, parsed, types));
    this.#made(name, text, parsed, types);
    return null;
  }

  #made(name: string, text: string, parsed: ParsedStatement | null, types: readonly (SqlType | null)[]): void {
    const { session } = this;
    const statement = new WireStatement(session, name, text, parsed, types);
    if (name === '') this.#unnamed = statement;
    else {
      this.#weigh(1, 0, text.length);
      session.prepared.set(name, statement);
    }
    this.#out.empty(BACKEND.parseComplete);
  }

  /** Counts the session's statements and portals, including new ones. 53200 if they take too much memory. */
  #weigh(statements: number, portals: number, length: number): void {
    const { prepared, statementBytes } = this.session;
    let bytes = (prepared.size + statements) * STATEMENT_BYTES + (this.#portals.size + portals) * PORTAL_BYTES;
    if (bytes < WEIGHED_BYTES && length < LONG_TEXT) return;
    if (length >= LONG_TEXT) this.#longTexts += length;
    // Some of the long ones may be gone.
    if (this.#longTexts > WEIGHED_BYTES) this.#longTexts = [...prepared.values()].reduce((sum, { text }) => sum + text.length, length);
    bytes += this.#longTexts;
    try {
      this.#memory.weigh(bytes, statementBytes);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== '53200') throw error;
      throw new SvcError('53200', 'out of memory', {
        detail: `The session keeps ${prepared.size} prepared statements and ${this.#portals.size} portals.`,
        hint: 'Close those that are not needed any more, or DEALLOCATE them.',
      });
    }
  }
  readonly #memory = new ResultMemory();
  #longTexts = 0;

  /** The connection is gone. */
  release(): void {
    this.#memory.release();
    this.#dropPortals();
  }

  /** null: to be inferred. */
  #type(oid: number): SqlType | null {
    if (oid === 0 || oid === UNKNOWN_OID) return null;
    const type = this.session.schema().typeByOid(oid);
    if (type === null) throw new SvcError('42704', `type with OID ${oid} does not exist`);
    return type;
  }

  #statement(name: string): WireStatement {
    if (name === '') {
      if (this.#unnamed === null) throw new SvcError('26000', 'unnamed prepared statement does not exist');
      return this.#unnamed;
    }
    const found = this.session.prepared.get(name);
    if (found === undefined) throw new SvcError('26000', `prepared statement "${name}" does not exist`);
    if (found instanceof WireStatement) return found;
    // Created by PREPARE.
    this.session.startStatement();
    const made = new WireStatement(this.session, name, found.text, found.statement, found.types);
    this.session.prepared.set(name, made);
    return made;
  }

  #bind(): void {
    const reader = this.#reader;
    const { session } = this;
    const portalName = reader.text();
    const name = reader.textLike(this.#bound);
    this.#bound = name;
    const statement = this.#statement(name);
    this.#mayStart(statement.parsed);
    // Values like 'now' are read in the transaction that the statement runs in.
    const transaction = statement.query === null && statement.types.length === 0 ? session.transaction : session.startStatement(true);
    const values = readParameters(this.#afterFormats(), portalName, statement.name, statement.types, this.#formats, session.env);
    const formats = readFormats(reader);
    reader.end();
    if (formats.length > 1 && statement.query !== null) checkFormats(formats, statement.columns.length);
    if (statement.failure !== null) throw statement.failure;
    const portal = new Portal(portalName, statement, values, formats, transaction);
    if (portalName === '') {
      this.#unnamedPortal?.close();
      this.#unnamedPortal = portal;
    } else {
      this.#weigh(0, 1, 0);
      portal.weigh(session);
      const known = this.#portals.get(portalName);
      if (known !== undefined) {
        if (this.#lives(known)) throw new SvcError('42P03', `cursor "${portalName}" already exists`);
        known.close();
      }
      this.#portals.set(portalName, portal);
    }
    this.#out.empty(BACKEND.bindComplete);
  }
  /** The statement bound last. */
  #bound = '';
  #formats: readonly number[] = ALL_TEXT;
  #afterFormats(): MessageReader {
    this.#formats = readFormats(this.#reader);
    return this.#reader;
  }

  #lives(portal: Portal): boolean {
    return portal.livesIn(this.session.transaction);
  }

  #portal(name: string): Portal {
    const portal = name === '' ? this.#unnamedPortal : (this.#portals.get(name) ?? this.#cursor(name));
    if (portal === null || !this.#lives(portal)) throw new SvcError('34000', `portal "${name}" does not exist`);
    return portal;
  }

  /** FETCH and MOVE continue a portal created by Bind; so do later Executes of it. */
  async #portalAsCursor(name: string): Promise<Cursor | null> {
    const portal = this.#portals.get(name);
    if (portal === undefined || portal.statement.query === null || !this.#lives(portal)) return null;
    const { session } = this;
    if (portal.cursor === null) {
      const rows = await portal.rest(session);
      portal.cursor = cursorOver(portal.statement.columns, rows, portal.transaction);
    }
    return portal.cursor;
  }

  /** A cursor of DECLARE is a portal too; Execute continues where FETCH would. */
  #cursor(name: string): Portal | null {
    const cursor = this.session.cursors.get(name);
    if (cursor === undefined) return null;
    const portal = new Portal(name, this.#none(), [], ALL_TEXT, cursor.transaction);
    portal.cursor = cursor;
    return portal;
  }

  #describe(): void {
    const reader = this.#reader;
    const out = this.#out;
    const { session } = this;
    const kind = reader.byte();
    const name = reader.text();
    reader.end();
    if (kind === STATEMENT) {
      const statement = this.#statement(name);
      this.#mayStart(statement.parsed);
      if (statement.query !== null) session.startStatement(true);
      out.begin(BACKEND.parameterDescription);
      out.int16(statement.types.length);
      for (const { oid } of statement.types) out.int32(oid);
      out.end();
      this.#describeColumns(statement, ALL_TEXT);
    } else if (kind === PORTAL) {
      const portal = this.#portal(name);
      this.#mayStart(portal.statement.parsed);
      if (portal.cursor !== null) writeRowDescription(this.#out, portal.cursor.columns, ALL_TEXT);
      else this.#describeColumns(portal.statement, portal.formats);
    } else throw new SvcError('08P01', `invalid DESCRIBE message subtype ${kind}`);
  }

  #describeColumns(statement: WireStatement, formats: readonly number[]): void {
    const columns = statement.describe(this.session);
    if (columns === null) this.#out.empty(BACKEND.noData);
    else statement.writeDescription(this.#out, columns, formats);
  }

  #close(): void {
    const reader = this.#reader;
    const kind = reader.byte();
    const name = reader.text();
    reader.end();
    if (kind === STATEMENT) {
      if (name === '') this.#unnamed = null;
      else this.session.prepared.delete(name);
    } else if (kind === PORTAL) {
      if (name === '') {
        this.#unnamedPortal?.close();
        this.#unnamedPortal = null;
      } else {
        this.#portals.get(name)?.close();
        if (!this.#portals.delete(name)) dropCursor(this.session.cursors, name);
      }
    } else throw new SvcError('08P01', `invalid CLOSE message subtype ${kind}`);
    this.#out.empty(BACKEND.closeComplete);
  }

  #execute(): void {
    try {
      const reader = this.#reader;
      const name = reader.text();
      const rows = Math.max(0, reader.int32());
      reader.end();
      const portal = this.#portal(name);
      if (portal.cursor !== null) {
        this.busy = true;
        this.#executeCursor(portal, rows).then(
          () => this.#done(),
          (error: unknown) => this.#refuseAndSkip(error),
        );
        return;
      }
      const { parsed, query } = portal.statement;
      const pending = query !== null ? this.#executeQuery(portal, rows) : parsed !== null ? this.#executeOther(portal, parsed, rows) : null;
      if (pending !== null) {
        pending
          .then(
            () => this.#done(),
            (error: unknown) => this.#refuseAndSkip(error),
          )
          .catch(this.#broken);
        return;
      }
      if (parsed === null) this.#out.empty(BACKEND.emptyQueryResponse);
    } catch (error) {
      this.#refuseAndSkip(error);
      return;
    }
    this.#done();
  }

  #refuseAndSkip(error: unknown): void {
    this.#refuse(error);
    this.#skipping = true;
    this.#done();
  }

  /** Runs within this tick if possible; then returns null. */
  #executeQuery(portal: Portal, rows: number): Promise<void> | null {
    const { session } = this;
    if (portal.over && portal.writesRows && portal.tag !== '' && rows === 0) throw new SvcError('55000', `portal "${portal.name}" cannot be run`);
    session.enter(portal.statement.parsed!);
    const admission = portal.statement.query!.type === 'select' ? session.stateThere() : session.admission();
    if (admission !== null) return this.#executeSlowly(portal, rows, admission);
    const mark = session.transaction?.lightMark() ?? null;
    this.#continued = portal.ran;
    let step: Step;
    session.commitsThisTick = true;
    this.#rowsBegin();
    try {
      portal.start(session, rows);
      step = portal.run(session, this.#out);
    } catch (error) {
      if (!(error instanceof RetryStatement)) throw error;
      return this.#executeOn(portal, rows, error, mark);
    } finally {
      session.commitsThisTick = false;
    }
    if (step === STEP.yield || step === STEP.full) return this.#executeOn(portal, rows, step, mark);
    this.#executed(portal, step === STEP.done);
    return null;
  }

  #executed(portal: Portal, done: boolean): void {
    if (this.session.notices.length > 0) this.#notices();
    if (done) this.#commandComplete(portal.tag);
    else {
      this.session.pin();
      this.#out.empty(BACKEND.portalSuspended);
    }
  }

  async #executeSlowly(portal: Portal, rows: number, admission: Promise<void>): Promise<void> {
    this.session.hold();
    await admission;
    this.#continued = portal.ran;
    const mark = this.session.transaction?.lightMark() ?? null;
    this.#rowsBegin();
    portal.start(this.session, rows);
    await this.#executeOn(portal, rows, STEP.yield, mark);
  }

  /** Continues over several ticks, restarting if it had to wait for others. */
  async #executeOn(portal: Portal, rows: number, first: Step | RetryStatement, mark: TransactionMark | null): Promise<void> {
    const { session } = this;
    let stopped = first;
    for (;;) {
      try {
        let step: Step | undefined;
        if (stopped instanceof RetryStatement) {
          this.#refuseGiven(stopped);
          this.#out.rewind(this.#rowsStart);
          await session.retryStatement(stopped, mark);
          this.#rowsBegin();
          portal.restart(session);
          portal.start(session, rows);
        } else {
          step = stopped;
          if (!portal.ran) portal.start(session, rows);
        }
        this.#executed(portal, await this.#drain(portal, step));
        return;
      } catch (error) {
        if (!(error instanceof RetryStatement)) throw error;
        stopped = error;
      }
    }
  }

  async #executeCursor(portal: Portal, rows: number): Promise<void> {
    const { session } = this;
    const fetch: Fetch = { type: 'fetch', cursor: portal.name, direction: 'forward', count: rows === 0 ? null : rows, at: 0 };
    session.enter({ ...fetch, range: { start: 0, end: 0 } });
    const fetched = await fetchCursor(session, fetch);
    const suspended = rows > 0 && fetched.rows.length === rows;
    portal.give({ ...fetched, command: `SELECT ${fetched.rows.length}` }, 0);
    await this.#drain(portal);
    if (suspended) this.#out.empty(BACKEND.portalSuspended);
    else this.#commandComplete(portal.tag);
  }

  /** BEGIN, COMMIT and similar statements finish in this tick; then returns null. */
  #executeOther(portal: Portal, statement: ParsedStatement, rows: number): Promise<void> | null {
    const { session } = this;
    if (portal.over) {
      portal.again(rows);
      return this.#giveOther(portal);
    }
    session.enter(statement);
    const admission = session.admission();
    if (admission !== null || !isBound(statement) || (statement.type === 'commit' && hasLargeCommit(session))) {
      return this.#executeOtherSlowly(portal, statement, rows, admission);
    }
    session.text = portal.statement.text;
    session.isMultiStatement = false;
    const mark = statement.type === 'commit' ? session.transaction?.mark() : undefined;
    let result: StatementResult;
    try {
      result = runTransaction(session, statement);
    } catch (error) {
      if (!(error instanceof RetryStatement)) throw error;
      return this.#executeOtherSlowly(portal, statement, rows, session.retryStatement(error, mark));
    }
    this.#sendNotices(result);
    portal.give(result, rows);
    portal.run(session, this.#out);
    this.#commandComplete(portal.tag);
    return null;
  }

  async #executeOtherSlowly(portal: Portal, statement: ParsedStatement, rows: number, admission: Promise<void> | null): Promise<void> {
    const { session } = this;
    if (admission !== null) await admission;
    session.text = portal.statement.text;
    session.isMultiStatement = false;
    const { types } = portal.statement;
    const result = await session.withLockRetry(() => runStatement(session, statement, { types, values: portal.values }));
    this.copyInput = null;
    this.#sendNotices(result);
    portal.give(result, rows);
    await this.#giveOther(portal);
  }

  async #giveOther(portal: Portal): Promise<void> {
    if (await this.#drain(portal)) this.#commandComplete(portal.tag);
    else this.#out.empty(BACKEND.portalSuspended);
  }

  async #flush(): Promise<void> {
    try {
      await this.#untilDurable();
    } catch (error) {
      this.#refuse(error);
      this.#skipping = true;
    }
    // Full output is sent at once: gathered replies wait for a turn of the loop, which a client that keeps sending would delay.
    if (this.#connection.full) void this.#connection.send();
    else this.#connection.due();
    this.#done();
  }

  // --- COPY

  #copyResponse(type: number, columns: number, binary: boolean): void {
    const out = this.#out;
    const format = binary ? 1 : 0;
    out.begin(type);
    out.byte(format);
    out.int16(columns);
    for (let i = 0; i < columns; i++) out.int16(format);
    out.end();
  }

  #copyOutput(columns: number, binary: boolean): CopyOutput {
    this.#copyResponse(BACKEND.copyOutResponse, columns, binary);
    const out = this.#out;
    return {
      out,
      begin: () => out.begin(BACKEND.copyData),
      end: () => {
        out.end();
        return this.#connection.full ? this.#sendOn() : null;
      },
      finish: () => out.empty(BACKEND.copyDone),
    };
  }

  async #sendOn(): Promise<void> {
    await this.#untilDurable();
    this.#admitOutput();
    const wait = this.#connection.send();
    if (wait !== null) await wait;
  }
}

async function after(admission: Promise<void>, run: () => Promise<void> | null): Promise<void> {
  await admission;
  const pending = run();
  if (pending !== null) await pending;
}

/** Estimated memory of a prepared statement with its plan, or of a portal not started. */
const STATEMENT_BYTES = 32 * 1024;
const PORTAL_BYTES = 4096;
/** Texts from this length on are counted exactly. */
const LONG_TEXT = 64 * 1024;
/** Below this the total is not computed more precisely. */
const WEIGHED_BYTES = 16 * 1024 * 1024;
const NONE: readonly ParsedStatement[] = [];
const NO_TYPES: readonly SqlType[] = [];
/** How a function call is treated in a failed transaction. */
const CALL = { type: 'select' } as const;
const UNKNOWN_OID = 705;
const KNOWN: ReadonlySet<number> = new Set(Object.values(FRONTEND));
const STATEMENT = code('S');
const PORTAL = code('P');
