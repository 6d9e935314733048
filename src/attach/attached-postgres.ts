/**
 * The external Postgres of a database: write-backs, previews, refreshes and unresolved transactions, one at a time. No connection is kept
 * between them.
 */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Committed } from '../events/types/committed.ts';
import { actorName, type Principal, OWNER, SYSTEM } from '../session/principal.ts';
import { authorize, isMain } from '../session/authorize.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { Node } from '../tree/node.ts';
import type { PendingWriteBack } from '../worlds/attachment.ts';
import type { Context } from '../worlds/context.ts';
import type { External, ExternalPreview, WriteBack, WrittenBack } from '../worlds/external.ts';
import { preparedChanges } from '../worlds/prepared-changes.ts';
import type { World } from '../worlds/world.ts';
import { type AttachOptions, type AttachReply, attachTables } from './attach-tables.ts';
import { HeldConnection } from './held-connection.ts';
import { checkDrift, checkIdentity } from './drift.ts';
import { durableXid } from './durable-xid.ts';
import { complete, type Completing, drop, type Fate, fateOf, intend, unresolved } from './intents.ts';
import { mirrored } from './mirrored-rows.ts';
import { previewOf } from './preview.ts';
import { differences, type OnProgress, type RefreshedTable, refuseMoved } from './refresh.ts';
import { admitSent, sentRows } from './sent-rows.ts';
import { SourceConnection } from './source-connection.ts';
import { isAnswered, sourceError } from './source-errors.ts';
import { advanceSequences } from './source-sequences.ts';
import { readSequences, type SourceSequence } from './source-types.ts';
import { takePositions } from './taken-positions.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import { apply, changedSince, type Differing, lockAll, madeOtherwise, operatorsOf, takenOver } from './write-back.ts';

export interface AttachedPostgresParts {
  readonly context: Context;
  readonly hooks: Completing;
  /** The connection string, or null; read for each connection, as it may change in the environment. */
  address(): string | null;
  session(branch: string, by: Principal): SqlSession;
  onNotice(message: string): void;
}

const LIMITS_MS = { lockMs: 5000, statementMs: 60_000 };
/** Pause between questions for the fate of a transaction. */
const ASK_MS = 2000;
/** How long a merge waits for the fate of its transaction. */
const RESOLVE_MS = 10_000;
const DOING = 'the merge cannot be written to Postgres';

export class AttachedPostgres implements External {
  readonly #parts: AttachedPostgresParts;
  readonly #context: Context;
  /** The last of the calls, which run in order. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  /** What Postgres said last of the pending transaction. */
  #said: { xid: string; fate: Fate; reason: string | null } | null = null;

  constructor(parts: AttachedPostgresParts) {
    this.#parts = parts;
    this.#context = parts.context;
  }

  /** Asks for the fate of a transaction that a crash left; it asks again later where there is no answer. */
  async open(): Promise<void> {
    if (this.#pending !== null) await this.#resolveOnce();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#last.catch(() => {});
  }

  get #pending(): PendingWriteBack | null {
    return this.#context.state.attachment.pending;
  }

  /** What is known of the pending transaction. */
  get said(): { fate: Fate; reason: string | null } | null {
    const pending = this.#pending;
    if (pending === null) return null;
    return this.#said?.xid === pending.xid ? this.#said : { fate: 'in progress', reason: null };
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => {}).then(work);
    this.#last = run;
    return run;
  }

  #connect(doing: string): Promise<SourceConnection> {
    const address = this.#parts.address();
    if (address === null) {
      return Promise.reject(
        new SvcError('08001', `${doing}: this process has no address of Postgres`, {
          hint: 'Start it with SVC_ATTACH_URL or DATABASE_URL in its environment, or svc serve --attach-url-env NAME.',
        }),
      );
    }
    return SourceConnection.open(address, doing);
  }

  // --- merges

  concerns(_branch: World, target: World, changes: readonly TreeChanges[]): boolean {
    return this.#context.state.attachment.source !== null && isMain(target) && admitSent(this.#context, target, changes);
  }

  async preview(target: World, root: Node, changes: TreeChanges[], signal?: AbortSignal): Promise<ExternalPreview> {
    signal?.throwIfAborted();
    return previewOf(this.#context, target, root, changes, () => this.#connect(DOING));
  }

  write(request: WriteBack): Promise<WrittenBack> {
    return this.#alone(() => this.#write(request));
  }

  async #write(request: WriteBack): Promise<WrittenBack> {
    const context = this.#context;
    const { attachment } = context.state;
    request.signal?.throwIfAborted();
    if (this.#pending !== null) throw unresolved(this.#pending, undefined);
    if (!request.holds()) return { again: true, held: request.held };
    const sent = sentRows(context, request.target, request.root, request.changes);
    if (sent.count === 0) return this.#withoutPostgres(request);
    const release = context.engine.hold(request.root);
    const held = request.held instanceof HeldConnection ? request.held.take() : null;
    const to =
      held ??
      (await this.#connect(DOING).catch((error: unknown) => {
        release();
        throw error;
      }));
    const cancel = (): void => to.cut();
    request.signal?.addEventListener('abort', cancel);
    let kept: HeldConnection | null = null;
    try {
      if (held === null) await to.beginWrite(LIMITS_MS);
      const identity = await checkIdentity(to, attachment.source!);
      await checkDrift(
        to,
        sent.tables.map(({ rows }) => rows.attached),
      );
      const operators = await operatorsOf(to, sent.tables);
      await lockAll(to, sent.tables, operators);
      // Definitions cannot change from here on.
      await checkDrift(
        to,
        sent.tables.map(({ rows }) => rows.attached),
      );
      const moved = await changedSince(to, sent.tables, operators);
      if (moved.length > 0) {
        if (request.keepLocks) kept = new HeldConnection(to);
        else await to.run('ROLLBACK');
        await this.#take(moved);
        return { again: true, held: kept };
      }
      await apply(to, sent.tables, operators);
      const made = await madeOtherwise(to, sent.tables, operators);
      await advanceSequences(to, sent.tables);
      const xid = await durableXid(to, () => this.#connect(DOING));
      request.signal?.throwIfAborted();
      if (!request.holds()) {
        await to.run('ROLLBACK');
        return { again: true, held: null };
      }
      const over = takenOver(context, request.root, sent, made);
      const intent = intend(context, request.target, request.event(over), actorName(request.by), xid, identity, sent.count);
      request.signal?.removeEventListener('abort', cancel);
      return { done: await this.#commit(to, intent) };
    } catch (error) {
      kept?.take();
      kept = null;
      request.signal?.throwIfAborted();
      throw sourceError(error, to.shown, DOING);
    } finally {
      request.signal?.removeEventListener('abort', cancel);
      release();
      if (kept === null) await to.close();
    }
  }

  /** Nothing of what changes is in Postgres: masked columns, cells of indexes. */
  #withoutPostgres(request: WriteBack): WrittenBack {
    const { sequence } = this.#context.engine.commit(request.event(new Map()), request.target.number, actorName(request.by));
    return { done: sequence };
  }

  /** From the intent to the completing event. */
  async #commit(to: SourceConnection, intent: Sequence): Promise<Sequence> {
    const { engine } = this.#context;
    const pending = this.#pending!;
    try {
      await engine.durable(intent);
    } catch (error) {
      await to.run('ROLLBACK').catch(() => {});
      this.#watch();
      throw error;
    }
    try {
      await to.run('COMMIT');
    } catch (error) {
      if (isAnswered(error)) {
        await engine.durable(drop(this.#context, pending, 'postgres', 'system'));
        throw error;
      }
      return await this.#afterCut(pending, error);
    }
    return this.#complete(pending);
  }

  #complete(pending: PendingWriteBack): Sequence {
    try {
      return complete(this.#context, this.#parts.hooks, pending);
    } catch (error) {
      this.#watch();
      throw error;
    }
  }

  /** The connection was lost during COMMIT. */
  async #afterCut(pending: PendingWriteBack, cause: unknown): Promise<Sequence> {
    const until = performance.now() + RESOLVE_MS;
    while (performance.now() < until && !this.#closed) {
      const ended = await this.#ask(pending).catch(() => null);
      if (ended?.fate === 'committed') return ended.sequence;
      if (ended?.fate === 'aborted') {
        throw new SvcError('08006', 'the connection to Postgres was lost before it committed: nothing was merged, on either side', {
          hint: 'Merge again.',
          status: 503,
          cause,
        });
      }
      if (ended?.fate === 'not known') break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.#watch();
    throw unresolved(pending, cause);
  }

  // --- transactions whose fate is open

  /** Asks once, and ends the pending write-back if Postgres knows. */
  async #ask(pending: PendingWriteBack): Promise<{ fate: Fate; sequence: Sequence }> {
    const from = await this.#connect('the fate of a merge cannot be learnt');
    try {
      const { fate, reason } = await fateOf(from, pending);
      this.#said = { xid: pending.xid, fate, reason };
      let sequence = 0 as Sequence;
      if (fate === 'committed') sequence = complete(this.#context, this.#parts.hooks, pending);
      else if (fate === 'aborted') sequence = drop(this.#context, pending, 'postgres', 'system');
      await this.#context.engine.durable(sequence);
      return { fate, sequence };
    } finally {
      await from.close();
    }
  }

  async #resolveOnce(): Promise<void> {
    const pending = this.#pending;
    if (pending === null || this.#closed) return;
    try {
      const { fate } = await this.#ask(pending);
      if (fate === 'committed' || fate === 'aborted') {
        this.#parts.onNotice(
          `transaction ${pending.xid} of Postgres ${fate === 'committed' ? 'was committed: its merge is completed' : 'was not committed: its merge is dropped'}`,
        );
        return;
      }
    } catch (error) {
      if (this.#said?.xid !== pending.xid) this.#said = { xid: pending.xid, fate: 'in progress', reason: (error as Error).message };
      this.#parts.onNotice(`the fate of transaction ${pending.xid} is not known yet: ${(error as Error).message}`);
    }
    this.#watch();
  }

  #watch(): void {
    if (this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#alone(() => this.#resolveOnce()), ASK_MS);
    this.#timer.unref();
  }

  /** A person says what became of the transaction. 42501 for others, 55000 if it is not pending or Postgres knows. */
  decide(xid: string, outcome: 'committed' | 'aborted', by: Principal): Promise<void> {
    authorize(by, { what: 'admin', as: 'decide the fate of a merge' });
    return this.#alone(async () => {
      const pending = this.#pending;
      if (pending === null || pending.xid !== xid) {
        throw new SvcError('55000', `no merge waits for transaction ${xid.slice(0, 40)} of Postgres`, {
          hint: 'The operation `attachment` shows what is pending.',
        });
      }
      const sequence = outcome === 'committed' ? complete(this.#context, this.#parts.hooks, pending) : drop(this.#context, pending, 'person', actorName(by));
      await this.#context.engine.durable(sequence);
    });
  }

  // --- reading Postgres

  /** Takes rows that Postgres has otherwise into `main`; rows that block them are found by a refresh. */
  async #take(rows: readonly Differing[]): Promise<void> {
    const context = this.#context;
    const main = context.writable('main');
    let changes: TreeChanges[];
    try {
      changes = mirrored(context, context.state.worlds.share(main), rows);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      await this.#refresh(() => {});
      return;
    }
    if (changes.length === 0) return;
    const { sequence } = context.engine.commit({ type: 'committed', how: 'write', changes }, main.number, actorName(SYSTEM));
    await context.engine.durable(sequence);
  }

  attach(options: AttachOptions, by: Principal): Promise<AttachReply> {
    authorize(by, { what: 'admin', as: 'attach tables' });
    return this.#alone(async () => {
      const from = await this.#connect('the tables cannot be attached');
      const session = this.#parts.session('main', by);
      try {
        const reply = await attachTables(this.#context, session, from, options, by);
        await this.#context.engine.durable(this.#context.engine.log.head);
        return reply;
      } finally {
        session.close();
        await from.close();
      }
    });
  }

  refresh(by: Principal, onProgress: OnProgress): Promise<RefreshedTable[]> {
    authorize(by, { what: 'admin', as: 'refresh attached tables' });
    return this.#alone(() => this.#refresh(onProgress, by));
  }

  async #refresh(onProgress: OnProgress, by: Principal = SYSTEM): Promise<RefreshedTable[]> {
    const context = this.#context;
    const { engine, state } = context;
    const { source } = state.attachment;
    if (source === null) throw new SvcError('55000', 'no table is attached', { hint: 'Attach tables with: svc attach <folder> --tables …' });
    if (this.#pending !== null) throw unresolved(this.#pending, undefined);
    const doing = 'the attached tables cannot be refreshed';
    const from = await this.#connect(doing);
    const main = context.writable('main');
    const then = state.worlds.share(main);
    const release = engine.hold(then);
    try {
      const tables = state.attachment.tables();
      await from.beginSnapshot(tables.map(({ oid }) => oid));
      const identity = await checkIdentity(from, source);
      await checkDrift(from, tables);
      const { snapshot, lsn } = await from.position();
      const sequences = await readSequences(
        from,
        tables.map(({ oid }) => oid),
      );
      const found = await differences(context, then, from, tables, onProgress);
      const ready = await preparedChanges(context, then, found.changes);
      refuseMoved(context, then, tables);
      const changed: Committed = { type: 'committed', how: 'write', changes: found.changes, ...(ready === null ? {} : { built: ready.built }) };
      if (found.changes.length > 0) engine.commit(changed, main.number, actorName(by), ready?.encoded ?? null);
      await this.#takePositions(sequences, tables);
      const { sequence } = engine.commit({ type: 'attached', source: { ...identity, lsn, snapshot }, tables: [...tables] }, main.number, actorName(by));
      await engine.durable(sequence);
      return found.tables;
    } catch (error) {
      throw sourceError(error, from.shown, doing);
    } finally {
      release();
      await from.close();
    }
  }

  async #takePositions(sequences: readonly SourceSequence[], tables: readonly AttachedTable[]): Promise<void> {
    if (sequences.length === 0) return;
    const session = this.#parts.session('main', OWNER);
    try {
      await takePositions(session, sequences, tables);
    } finally {
      session.close();
    }
  }

  /** The tables stay in `main` as its own. 42P01 for one that is not attached. */
  detach(names: readonly string[], by: Principal): Promise<void> {
    authorize(by, { what: 'admin', as: 'detach tables' });
    return this.#alone(async () => {
      const { engine, state } = this.#context;
      const { attachment } = state;
      const missing = names.filter((name) => attachment.named(name) === null);
      if (missing.length > 0 || attachment.source === null) throw new SvcError('42P01', `not attached: ${missing.join(', ')}`);
      if (this.#pending !== null) throw unresolved(this.#pending, undefined);
      const tables = attachment.tables().filter(({ name }) => !names.includes(name));
      const { sequence } = engine.commit({ type: 'attached', source: attachment.source, tables }, this.#context.writable('main').number, actorName(by));
      await engine.durable(sequence);
    });
  }
}
