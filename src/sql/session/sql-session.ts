/**
 * One session of SQL: a world, settings, prepared statements, at most one transaction. Statements of one text
 * are one transaction unless BEGIN and COMMIT say otherwise, as in Postgres's simple query protocol.
 *
 *   text ──parse──► statements ──each──► query (plan, batches) | define | session | world statement ──► result
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import type { AllCommands } from '../../commands/contract.ts';
import { formatDurationMs } from '../../base/duration.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { authorize } from '../../session/authorize.ts';
import { actorName, type Principal } from '../../session/principal.ts';
import { ROLES_TREE } from '../../events/changes.ts';
import { enterRunning, quotaOf } from '../../session/quotas.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import { changesBetween } from '../../worlds/row-change.ts';
import { admitChanges, refuseProtected } from '../../worlds/admit-changes.ts';
import { under } from '../../worlds/system-settings.ts';
import type { World } from '../../worlds/world.ts';
import type { AsOf, RelationName } from '../ast/query.ts';
import type { Names } from '../bind/binder.ts';
import type { CatalogNames } from '../catalog/catalog-names.ts';
import { type CatalogRelations, systemRelations } from '../catalog/system-relations.ts';
import type { KeyCodec } from '../exec/context.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import { treeStatistics } from '../exec/statistics.ts';
import { YIELD } from '../exec/batch.ts';
import { type ParsedStatement, parse } from '../parse/parse.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { Schema, schemaOf, type Sequence as SqlSequence } from '../schema/schema.ts';
import { readState, type SequenceState, sequenceStart } from '../schema/sequence-values.ts';
import { type StatementParts, StatementWrites } from '../schema/statement-writes.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Listener } from './channels.ts';
import { Authority } from './authority.ts';
import { compilerOf } from './compiler.ts';
import type { CopyStreams } from './copy.ts';
import { worldsAsDatabases } from './databases.ts';
import { type Cursor, endCursors } from './cursors.ts';
import { checkWaiting } from './deferred-constraints.ts';
import { SessionEnvironment } from './environment.ts';
import { Execution } from './execution.ts';
import type { SqlHost } from './host.ts';
import { type Reader, SessionNames } from './names.ts';
import { keyCodecOf } from './key-codec.ts';
import { parameterValues } from './parameters.ts';
import { type Prepared, prepare, type QueryStatement } from './prepare.ts';
import type { Notice, ResultColumn, StatementResult } from './results.ts';
import { checkNames } from './role-rows.ts';
import { runStatement } from './run-statement.ts';
import { Sequences } from './sequences.ts';
import { SessionSystem } from './session-system.ts';
import { durationMs, Settings } from './settings.ts';
import { authorizeStatement } from './statement-rights.ts';
import { Transaction } from './transaction.ts';

/** A statement list that nobody has been told of yet is run again where another writer was first. */
const ATTEMPTS_MAX = 6;

export interface PreparedStatement {
  readonly statement: ParsedStatement;
  readonly types: readonly (SqlType | null)[];
  /** What it gave when it was prepared, and must give whenever it runs. */
  readonly columns: readonly ResultColumn[];
  readonly text: string;
  readonly at: number;
}

export class SqlSession {
  readonly host: SqlHost;
  /** Who asks; the commands of worlds are bound to it. */
  readonly principal: Principal;
  readonly commands: AllCommands;
  readonly settings = new Settings();
  /** As whom its statements run. */
  readonly authority: Authority;
  readonly env: SessionEnvironment;
  readonly system: SessionSystem;
  readonly sequences: Sequences;
  readonly prepared = new Map<string, PreparedStatement>();
  readonly cursors = new Map<string, Cursor>();
  /** Told of agents and settings that its statements changed, for the server's log. */
  administered: ((what: string, name: string) => void) | null = null;
  /** Each statement counts for `max_concurrent`; not where the request that brought it does. */
  counted = true;
  /** The statement being run is one of several that were sent together. */
  listed = false;
  /** Name, id or `name@when`. */
  branch: string;
  transaction: Transaction | null = null;
  notices: Notice[] = [];
  /** Who is told of notifications; null where the entrance cannot. */
  listener: Listener | null = null;
  /** Where the entrance can, the bytes of COPY. */
  streams: CopyStreams | null = null;
  readonly #listening: { readonly world: number; readonly channel: string | null; readonly on: boolean }[] = [];
  /** What must be on disk before anybody is told of what was read or written. */
  #seen = 0;
  #deadline = Infinity;
  #cancelled = false;
  /** Nothing of the list is committed yet: it can be run again. */
  restarts = false;
  text = '';

  constructor(host: SqlHost, branch: string, principal: Principal) {
    this.host = host;
    this.branch = branch;
    this.principal = principal;
    this.commands = host.commandsOf(principal);
    this.sequences = new Sequences(host.allocator);
    this.authority = new Authority(this);
    for (const each of this.authority.defaults()) {
      const at = each.indexOf('=');
      this.settings.start(each.slice(0, at), each.slice(at + 1));
    }
    this.system = new SessionSystem(this);
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

  /** The statements of a text, all or (but for what COMMIT ended) nothing. `results` is filled as they run: after an error it holds what was done before. */
  async run(text: string, params: readonly unknown[] = [], results: StatementResult[] = []): Promise<StatementResult[]> {
    const statements = this.parse(text);
    if (params.length > 0 && statements.length > 1) {
      throw new SvcError('42601', 'cannot insert multiple commands into a prepared statement', { hint: 'Send statements with parameters one at a time.' });
    }
    this.text = text;
    this.listed = statements.length > 1;
    const { engine } = this.host.context;
    const alone = this.transaction === null;
    let leaveLine: (() => void) | null = null;
    for (let attempt = 1; ; attempt++) {
      // Reads wait for nothing; who writes waits while too much is dirty.
      this.restarts = alone;
      try {
        if (engine.pager.dirtyBytes > 0) await engine.admit();
        for (const statement of statements) results.push(await this.#one(statement, params));
        this.endList();
        this.hold();
        this.rest();
        leaveLine?.();
        await engine.durable(this.#seen as Sequence);
        return results;
      } catch (error) {
        this.fail();
        this.rest();
        if (error instanceof Outrun && attempt < ATTEMPTS_MAX && this.restarts) {
          results.length = 0;
          leaveLine ??= await this.host.retries.enter();
          continue;
        }
        leaveLine?.();
        await engine.durable(this.#seen as Sequence);
        if (error instanceof Outrun) throw outrunError();
        throw error;
      }
    }
  }

  parse(text: string): readonly ParsedStatement[] {
    const { statements } = this.host;
    let known = statements.get(text);
    if (known === undefined) {
      known = parse(text);
      statements.set(text, known);
    }
    return known;
  }

  async #one(statement: ParsedStatement, params: readonly unknown[]): Promise<StatementResult> {
    this.enter(statement);
    return runStatement(this, statement, params);
  }

  /** What comes before each statement. 25P02 where the transaction has failed. */
  enter(statement: ParsedStatement): void {
    this.refuseFailed(statement);
    authorizeStatement(this, statement);
    if (this.counted) {
      this.rest();
      this.#leave = enterRunning(this.principal);
    }
    this.#startClock();
  }

  /** No statement runs for now: for `max_concurrent`. */
  rest(): void {
    this.#leave?.();
    this.#leave = null;
  }
  #leave: (() => void) | null = null;

  /** The world that the next statement would change; null in the past. */
  get worldToChange(): World | null {
    if (this.transaction !== null) return this.transaction.world;
    const { world, past } = this.host.context.read(this.branch);
    return past ? null : world;
  }

  /** How long the session may idle inside a transaction; 0: for ever. An agent's quota lowers it. */
  get idleInTransactionMs(): number {
    return under(durationMs(this.settings.get('idle_in_transaction_session_timeout')!), quotaOf(this.principal, 'max_idle_ms'));
  }

  refuseFailed(statement: ParsedStatement): void {
    const { transaction } = this;
    if (transaction?.failed === true && statement.type !== 'rollback' && statement.type !== 'rollbackTo' && statement.type !== 'commit') {
      throw new SvcError('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
    }
  }

  #startClock(): void {
    const { settings } = this;
    if (this.#timeoutOf !== settings.version) {
      this.#timeoutOf = settings.version;
      this.#timeoutMs = durationMs(settings.chosen('statement_timeout')!);
    }
    // An agent's quota may have been changed since.
    const timeoutMs = settings.most === null ? this.#timeoutMs : under(this.#timeoutMs, settings.most('statement_timeout'));
    this.#deadline = timeoutMs === 0 ? Infinity : performance.now() + timeoutMs;
    this.#cancelled = false;
    if (this.notices.length > 0) this.notices = [];
  }
  #timeoutOf = -1;
  #timeoutMs = 0;

  // --- for entrances that run statements one by one

  /** What must be on disk before anybody is told of what was seen so far; null where it is. */
  get unsynced(): Promise<void> | null {
    const { engine } = this.host.context;
    return this.#seen <= engine.log.durable && engine.log.failure === null ? null : engine.durable(this.#seen as Sequence);
  }

  /** Waits while too much is dirty; null where nothing is to be waited for. */
  admission(): Promise<void> | null {
    const { engine } = this.host.context;
    return engine.pager.dirtyBytes > 0 ? engine.admit() : null;
  }

  /** Whether another writer was first, so that a commit now would fail. */
  get outrun(): boolean {
    const { transaction } = this;
    return transaction !== null && transaction.dirty && transaction.world !== null && transaction.world.version !== transaction.version;
  }

  cancel(): void {
    this.#cancelled = true;
  }

  checkCancel(): void {
    if (this.#cancelled) throw new SvcError('57014', 'canceling statement due to user request');
    if (performance.now() > this.#deadline) throw new SvcError('57014', 'canceling statement due to statement timeout');
  }

  notice(code: string, message: string, severity: Notice['severity'] = 'NOTICE'): void {
    this.notices.push({ severity, code, message });
  }

  // --- the state that statements see

  /** The open transaction, or one that ends with the statement list. */
  begin(explicit = false): Transaction {
    if (this.transaction !== null) {
      if (explicit) this.transaction.explicit = true;
      return this.transaction;
    }
    const { context } = this.host;
    const reading = context.read(this.branch);
    this.#seen = Math.max(this.#seen, reading.seen);
    this.transaction = new Transaction(context.engine.pager, reading.past ? null : reading.world, reading.root, explicit);
    const { settings } = this;
    settings.begin();
    if (this.#defaultsOf !== settings.version) {
      this.#readOnly = settings.get('default_transaction_read_only') === 'on';
      const isolation = settings.get('default_transaction_isolation')!;
      if (isolation !== settings.get('transaction_isolation')) settings.set('transaction_isolation', isolation, true);
      else this.#defaultsOf = settings.version;
    }
    this.transaction.readOnly = this.#readOnly;
    const now = this.#nowMicros();
    this.#transactionAt = now;
    this.env.begin(now, now);
    return this.transaction;
  }
  /** Settings that new transactions start with were read at this version, and need nothing set. */
  #defaultsOf = -1;
  #readOnly = false;

  #nowMicros(): number {
    return this.host.context.engine.clock.nowMicros() - 946_684_800_000_000;
  }

  /** 25P01 where what is asked for would end with its own statement. */
  mustBeInBlock(what: string): void {
    if (this.transaction?.explicit !== true && !this.listed) throw new SvcError('25P01', `${what} can only be used in transaction blocks`);
  }

  startStatement(): Transaction {
    this.authority.checkAlive();
    const transaction = this.begin();
    transaction.looked = true;
    // Statements that are a transaction of their own have one time, read when it began.
    if (transaction.explicit) {
      if (!transaction.dirty && transaction.world !== null) this.#refresh(transaction, transaction.world);
      this.env.begin(this.#transactionAt, this.#nowMicros());
    }
    return transaction;
  }
  #transactionAt = 0;

  /** READ COMMITTED: a statement sees what was committed before it. (Once the transaction has written, it stays at its moment.) */
  #refresh(transaction: Transaction, world: World): void {
    if (transaction.version === world.version && transaction.base === world.root) return;
    const isolation = this.settings.get('transaction_isolation')!;
    if (isolation !== 'read committed' && isolation !== 'read uncommitted') return;
    if (world.status !== 'open') throw new SvcError('3D000', `world "${world.name}" is gone`);
    transaction.refresh(world.root, world.version);
    this.#seen = Math.max(this.#seen, world.lastWrite);
  }

  /** The world to be written; 25006 in the past and in read-only transactions. */
  writable(what: string): World {
    const { world, readOnly } = this.begin();
    if (world === null) {
      throw new SvcError('25006', `cannot execute ${what}: "${this.branch}" is a past moment`, { hint: 'Fork it first: its fork can be changed.' });
    }
    if (readOnly) throw new SvcError('25006', `cannot execute ${what} in a read-only transaction`);
    authorize(this.principal, { what: 'change', world });
    return world;
  }

  schema(): Schema {
    const { root } = this.begin();
    return schemaOf(readCatalog(this.host.context.engine.pager, root), this.host.lookup);
  }

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

  names(schema = this.schema()): SessionNames {
    const readerKey = this.authority.planKey(schema);
    if (this.#names !== null && this.#names.schema === schema && this.#namesPath === this.searchPath() && this.#namesReader === readerKey) return this.#names;
    this.#namesReader = readerKey;
    this.#namesPath = this.searchPath();
    this.#catalog = this.#catalogOf(schema);
    this.#names = new SessionNames(
      schema,
      this.#catalog,
      this.#namesPath,
      (world, when) => this.#namesAt({ world, when }),
      (sequence) => this.sequenceState(sequence),
      this.#reader(schema),
    );
    return this.#names;
  }
  #names: SessionNames | null = null;
  #namesPath: readonly string[] = [];
  #namesReader = '';

  /** What the current user is kept from; null: nothing. */
  #reader(schema: Schema): Reader | null {
    const { authority } = this;
    if (authority.superuser) return null;
    const { role, free, unmasked } = authority;
    const privileges = authority.privileges(schema);
    return { mayUse: (name) => free || privileges.mayUse(role, name), unmasked };
  }

  #catalogOf(schema: Schema): CatalogRelations {
    const { host, settings, prepared } = this;
    const { user, database } = this.system;
    return systemRelations(schema, host.registry, {
      user,
      database,
      databases: () => worldsAsDatabases(host.context),
      roles: () => this.authority.roles,
      role: () => this.authority.role,
      settings: () => settings.all(),
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
    });
  }

  #namesAt(asOf: Pick<AsOf, 'world' | 'when'>): Names {
    const { pager } = this.host.context.engine;
    const root = this.rootAt(asOf);
    const schema = schemaOf(readCatalog(pager, root), this.host.lookup);
    const stateOf = (sequence: SqlSequence): SequenceState => readState(pager, root, sequence.number) ?? sequenceStart(sequence);
    return new SessionNames(schema, this.#catalogOf(schema), this.searchPath(), (world, when) => this.#namesAt({ world, when }), stateOf, this.#reader(schema));
  }

  /** What a sequence gave last: what this session has not committed counts, as in Postgres. */
  sequenceState(sequence: SqlSequence): SequenceState {
    const { world, root } = this.begin();
    if (world === null) return readState(this.host.context.engine.pager, root, sequence.number) ?? sequenceStart(sequence);
    return this.host.allocator.state(world.number, world.root, sequence);
  }

  /** The state behind AS OF. */
  rootAt({ world, when }: Pick<AsOf, 'world' | 'when'>): Node {
    const { context } = this.host;
    const own = this.branch.split('@')[0];
    const reading = context.read(world === null ? `${own}@${when}` : when === null ? world : `${world}@${when}`);
    this.#seen = Math.max(this.#seen, reading.seen);
    if (!reading.past) context.worlds.share(reading.world);
    if (!this.#readings.has(reading.root)) this.#readings.set(reading.root, context.engine.hold(reading.root));
    return reading.root;
  }
  /** Roots that AS OF reads, until the transaction ends. */
  readonly #readings = new Map<Node, () => void>();

  // --- queries

  /** `fixed`: there are no other parameters than these. */
  prepare(statement: QueryStatement, types: readonly (SqlType | null)[], fixed = false, analyze = false): Prepared {
    const schema = this.schema();
    const { registry } = this.host;
    return prepare(statement, types, fixed, {
      names: this.names(schema),
      registry,
      env: this.env,
      statistics: this.statistics(),
      key: analyze ? null : `${schema.version};${this.env.fingerprint};${this.authority.planKey(schema)}`,
      analyze,
    });
  }

  statistics(): Statistics {
    return treeStatistics(this.host.context.engine.pager, this.begin().root, this.keyCodec());
  }

  /** Rows of a tree by its number. */
  rowCount(tree: number): number {
    return childRoot(this.host.context.engine.pager, this.begin().root, tree)?.count ?? 0;
  }

  /** Runs a query or write to its end. */
  async query(statement: QueryStatement, params: readonly unknown[]): Promise<StatementResult> {
    this.startStatement();
    const prepared = this.prepare(statement, [], params.length === 0);
    const values = parameterValues(params, prepared.parameters, this.env);
    return this.execute(prepared, values);
  }

  async execute(
    prepared: Prepared,
    params: readonly Value[],
    onRows?: (rows: Value[][]) => void,
    onCursor?: (cursor: AnalyzedCursor) => void,
  ): Promise<StatementResult> {
    const execution = new Execution(this, prepared, params);
    onCursor?.(execution.cursor);
    const rows: Value[][] = [];
    // The result stays here until it ends.
    const counted = onRows === undefined && quotaOf(this.principal, 'max_memory_mb') > 0;
    for (;;) {
      const batch = execution.next();
      if (batch === null) break;
      if (batch === YIELD) {
        await this.pause();
        continue;
      }
      // Of a write without RETURNING only the count matters.
      if (prepared.writes !== null && prepared.columns.length === 0) continue;
      const out = onRows === undefined ? rows : [];
      if (counted) execution.cursor.hold(batch);
      const { columns } = batch;
      for (let r = 0; r < batch.count; r++) {
        const row = new Array<Value>(columns.length);
        for (let c = 0; c < columns.length; c++) row[c] = columns[c][r];
        out.push(row);
      }
      onRows?.(out);
    }
    const command = execution.finish();
    const { writes, columns } = prepared;
    return { command, ...(writes !== null && columns.length === 0 ? { columns: null, rows: [] } : { columns, rows }), notices: this.notices };
  }

  writesOver(transaction: Transaction): StatementWrites {
    return new StatementWrites(this.partsOf(transaction));
  }

  /** Ends a statement: its changes, and the constraints that wait for the commit. */
  finish(transaction: Transaction, writes: StatementWrites): void {
    const changes = writes.finish();
    // Where it cannot be committed, the statement says so.
    if (transaction.world !== null) refuseProtected(this.host.context, transaction.world, changes, this.schema().catalog);
    transaction.write(changes);
    const { waiting } = transaction;
    if (writes.deferred.length > 0) transaction.waiting = { ...waiting, items: [...waiting.items, ...writes.deferred] };
  }

  partsOf(transaction: Transaction): StatementParts {
    const { engine, objects } = this.host.context;
    const { deferredNow, immediateNow } = transaction.waiting;
    return {
      pager: engine.pager,
      objects,
      schema: this.schema(),
      root: transaction.root,
      compiler: compilerOf(this),
      env: this.env,
      deferredNow,
      immediateNow,
    };
  }

  keyCodec(): KeyCodec {
    return keyCodecOf(this.schema());
  }

  /** A definition set the sequence back. */
  sequenceSetBack(sequence: number): void {
    const { world } = this.begin();
    if (world !== null) this.sequences.forget(world, sequence);
  }

  catalogNames(): CatalogNames {
    const names = this.names();
    if (this.#catalogNames === null || this.#catalogNamesOf !== names) {
      this.#catalogNames = this.#catalog!.names(this.searchPath());
      this.#catalogNamesOf = names;
    }
    return this.#catalogNames;
  }
  #catalogNames: CatalogNames | null = null;
  #catalogNamesOf: SessionNames | null = null;
  #catalog: CatalogRelations | null = null;

  mustBeTable(name: RelationName): void {
    this.startStatement();
    if (this.names().relation(name.schema, name.name) === null)
      throw new SvcError('42P01', `relation "${name.name}" does not exist`, { position: name.at + 1 });
  }

  /** Lets the event loop turn; what is being read stays as it is meanwhile. */
  async pause(): Promise<void> {
    this.hold();
    await turn();
    this.checkCancel();
  }

  /** Before the event loop turns inside a transaction: nothing of what it reads is changed in place or collected from now on. */
  hold(): void {
    const { transaction } = this;
    if (transaction === null || transaction.held) return;
    const { engine, worlds } = this.host.context;
    if (transaction.world !== null && transaction.world.version === transaction.version) worlds.share(transaction.world);
    transaction.release = engine.hold(transaction.base);
  }

  // --- ends of transactions

  /** After the last statement of a list: what BEGIN did not open is committed. */
  endList(): void {
    if (this.transaction !== null && !this.transaction.explicit) this.commit();
  }

  /** What was done so far in this list is committed before a world statement looks at worlds. */
  settle(what: string): void {
    if (this.transaction?.explicit === true) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
    if (this.transaction !== null) this.commit();
    this.restarts = false;
  }

  commit(): void {
    const { transaction } = this;
    if (transaction === null) return;
    const { context } = this.host;
    if (transaction.roleRows.size > 0 && !transaction.failed) checkNames(context.roles.current, transaction.roleRows);
    const { world } = transaction;
    if (!transaction.failed && (transaction.dirty || this.sequences.dirty) && world !== null) {
      if (world.status !== 'open') throw new SvcError('3D000', `world "${world.name}" is gone`);
      if (world.version !== transaction.version) throw new Outrun();
      this.#checkWaiting(transaction);
      const own = !transaction.dirty ? [] : (transaction.only ?? changesBetween(transaction.pager, transaction.base, transaction.seal()));
      const changes = [...own, ...this.sequences.changes(world).filter(({ tree }) => !own.some((each) => each.tree === tree))];
      // Rights may have been taken away since the statement.
      authorize(this.principal, { what: 'change', world });
      admitChanges(context, this.principal, world, changes);
      if (changes.length > 0) {
        const { sequence } = context.engine.commit(
          { type: 'committed', how: transaction.explicit ? 'commit' : 'write', changes },
          world.number,
          actorName(this.principal),
        );
        this.#seen = Math.max(this.#seen, sequence);
      }
      this.restarts = false;
    }
    if (!transaction.failed && transaction.roleRows.size > 0) this.#commitRoles(transaction);
    if (!transaction.failed && (this.#listening.length > 0 || this.system.notifications.length > 0)) this.#announce(world);
    this.#end(!transaction.failed);
  }

  /** Roles belong to no world: they have an event of their own. */
  #commitRoles({ roleRows }: Transaction): void {
    const { engine, roles } = this.host.context;
    const rows = roles.changes(roleRows);
    if (rows.length === 0) return;
    const changes = [{ tree: ROLES_TREE, numeric: false, rows }];
    const { sequence } = engine.commit({ type: 'rolesChanged', changes }, 0 as WorldNumber, actorName(this.principal));
    this.#seen = Math.max(this.#seen, sequence);
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

  /** What LISTEN and NOTIFY asked for happens with the commit. */
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
    const notifications = this.system.notifications.map(({ channel, payload }) => ({ pid, channel, payload }));
    const deliver = (): void => channels.notify(world.number, notifications);
    const synced = this.unsynced;
    if (synced === null) deliver();
    else void synced.then(deliver, () => {});
  }

  #checkWaiting(transaction: Transaction): void {
    if (transaction.waiting.items.length === 0) return;
    try {
      checkWaiting(transaction, this.partsOf(transaction));
    } catch (error) {
      this.#end(false);
      throw error;
    }
  }

  rollback(): void {
    this.#end(false);
  }

  #end(committed: boolean): void {
    if (this.transaction === null) return;
    if (this.cursors.size > 0) endCursors(this.cursors, this.transaction, committed);
    this.transaction = null;
    this.settings.end(committed);
    this.system.ended();
    this.#listening.length = 0;
    this.sequences.ended();
  }

  /** After an error: an explicit transaction has failed, any other is over. */
  fail(): void {
    if (this.transaction === null) return;
    if (this.transaction.explicit) this.transaction.failed = true;
    else this.#end(false);
  }

  /** A session that is given up leaves nothing behind. */
  close(): void {
    this.#end(false);
    this.rest();
    if (this.listener !== null) this.host.channels.unlisten(null, null, this.listener);
    this.cursors.clear();
  }
}

/** Another writer was first. */
export class Outrun extends Error {}

export function outrunError(): SvcError {
  return new SvcError('40001', 'could not serialize access due to concurrent update', { hint: 'Try the transaction again.' });
}

/** Names of a list like search_path. */
export function splitNames(text: string): string[] {
  const out: string[] = [];
  for (const [, quoted, bare] of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\s]+))\s*(?:,|$)/g))
    out.push(quoted === undefined ? bare.toLowerCase() : quoted.replaceAll('""', '"'));
  return out;
}
