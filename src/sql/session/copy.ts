/**
 * COPY: rows between a table (or query) and a stream of bytes of the entrance.
 *
 *   FROM   chunks ─► reader ─► values by column ─► INSERT … SELECT over what was read ─► transaction
 *   TO     query ─► batches ─► writer ─► chunks
 */
import { inQuotes } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Copy, Insert } from '../ast/write.ts';
import type { RelationAccess } from '../bind/access.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { bindWrite } from '../bind/write.ts';
import { BinaryCopyReader } from '../copy/binary-copy-reader.ts';
import { BinaryCopyWriter } from '../copy/binary-copy-writer.ts';
import { fieldContext, lineContext, withContext } from '../copy/copy-context.ts';
import { copyOptions } from '../copy/copy-options.ts';
import { CopyReader } from '../copy/copy-reader.ts';
import { CopyWriter } from '../copy/copy-writer.ts';
import { YIELD } from '../exec/batch.ts';
import type { ExecContext, InsertProgress } from '../exec/context.ts';
import { Compilation } from '../exec/compilation.ts';
import { ALL_BYTES_MAX } from '../exec/process-memory.ts';
import { compile, type Executable } from '../exec/compile.ts';
import type { BinaryWriter } from '../formats/binary-writer.ts';
import { parse } from '../parse/parse.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import { optimize } from '../plan/rules/optimize.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { StatementWrites } from '../schema/statement-writes.ts';
import type { SqlColumn, SqlTable } from '../schema/table.ts';
import type { TableWriter } from '../schema/table-writer.ts';
import { checkDomain } from '../types/domain-type.ts';
import type { Value } from '../types/value.ts';
import { accessOf, checkAccess } from './check-access.ts';
import { expressionText } from './define-table.ts';
import { execContext } from './exec-context.ts';
import { Execution } from './execution.ts';
import type { Prepared } from './prepare.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';
import { prepareLargeCommit } from './large-commit.ts';
import { type StatementTriggers, triggersOf } from './triggers/statement-triggers.ts';
import { isQuery, type QueryStatement } from './prepare.ts';
import { keysIntoItself } from '../schema/keys-into-itself.ts';
import { checkDeferred, waitsForCommit } from '../schema/statement-writes.ts';
import { refuseForeignWrite } from '../schema/foreign-tables.ts';
import { fileStreams, mayCopyFile } from './server-files.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { isSystemCatalog } from './system-relation.ts';

/** The streams of an entrance for COPY FROM STDIN and TO STDOUT. */
export interface CopyStreams {
  /** Chunks until null. Rejects if the client aborts. */
  input(columns: number, binary: boolean): { next(): Promise<Uint8Array | null> };
  output(columns: number, binary: boolean): CopyOutput;
}

/** Takes one piece at a time, a row or what surrounds the rows, between `begin` and `end`. */
export interface CopyOutput {
  readonly out: BinaryWriter;
  begin(): void;
  /** A promise if the client is slow. */
  end(): Promise<void> | null;
  finish(): Promise<void> | void;
}

/** Rows that are read before they are inserted. */
const ROWS_AT_ONCE = 1000;
/**
 * Input bytes whose rows are buffered before they go to the transaction. A load of one buffer is written to the world directly; a
 * larger one goes through the transaction's own tree, and is read from it again at commit.
 */
const BYTES_GATHERED = Math.min(256 * 1024 * 1024, ALL_BYTES_MAX / 8);

export async function runCopy(session: SqlSession, statement: Copy): Promise<StatementResult> {
  session.startStatement();
  if (statement.table !== null) checkCopyable(session, statement);
  if (statement.file !== null || statement.program) {
    mayCopyFile(session, statement);
    return copyFile(session, statement);
  }
  const { streams } = session;
  if (streams === null) throw new SvcError('0A000', 'COPY needs an entrance that streams', { hint: 'Use the SQL wire protocol.' });
  session.startStatement();
  return statement.direction === 'from' ? copyFrom(session, statement, streams) : copyTo(session, statement, streams);
}

/** Checks that the relation can be copied. As in Postgres, the client sends its rows before the error of a relation that cannot take them. */
function checkCopyable(session: SqlSession, statement: Copy): void {
  const found = session.names().relation(statement.table!.schema, statement.table!.name);
  try {
    tableOf(session, statement);
  } catch (error) {
    const columns =
      found?.kind === 'view' ? found.columns.length : found?.kind === 'table' && found.table.materialized !== null ? found.table.columns.length : 0;
    if (statement.direction === 'from' && statement.file === null && !statement.program && columns > 0) session.streams?.input(columns, false);
    throw error;
  }
}

/** Rules may rewrite the query into exactly one other statement. */
function refuseRules(sources: NonNullable<Prepared['sources']>): void {
  const refused =
    sources.length === 0
      ? 'DO INSTEAD NOTHING'
      : sources.includes('conditional instead')
        ? 'conditional DO INSTEAD'
        : sources.includes('also')
          ? 'DO ALSO'
          : sources.length > 1
            ? 'multi-statement DO INSTEAD'
            : null;
  if (refused !== null) throw new SvcError('0A000', `${refused} rules are not supported for COPY`);
}

async function copyFile(session: SqlSession, statement: Copy): Promise<StatementResult> {
  // A refused statement leaves the file unchanged.
  if (statement.direction === 'from') mayInsert(session, tableOf(session, statement), columnsOf(tableOf(session, statement), statement.columns));
  else checkAccess(session, session.prepare(toQuery(session, statement).query, []).access);
  const { streams, close } = await fileStreams(statement);
  try {
    return await (statement.direction === 'from' ? copyFrom(session, statement, streams) : copyTo(session, statement, streams));
  } finally {
    await close();
  }
}

function tableOf(session: SqlSession, { table: name, direction }: Copy): SqlTable {
  const found = session.names().relation(name!.schema, name!.name);
  if (found?.kind === 'table' && found.table.foreign !== undefined) {
    if (direction === 'from') refuseForeignWrite(session.schema(), found.table, 'insert into');
    throw new SvcError('42809', `cannot copy from foreign table "${name!.name}"`, { hint: 'Try the COPY (SELECT ...) TO variant.' });
  }
  if (found?.kind === 'table' && found.table.materialized !== null) {
    if (direction === 'from') throw new SvcError('42809', `cannot copy to materialized view "${name!.name}"`);
    throw new SvcError('42809', `cannot copy from materialized view "${name!.name}"`, { hint: 'Try the COPY (SELECT ...) TO variant.' });
  }
  if (found === null) {
    throw new SvcError('42P01', `relation "${name!.schema === null ? '' : `${name!.schema}.`}${name!.name}" does not exist`);
  }
  if (found.kind === 'table') return found.table;
  // Its INSTEAD OF trigger receives each row.
  if (direction === 'from' && found.kind === 'view' && found.instead?.events.includes('insert') === true) return found.instead.table;
  const isView = found.kind === 'view' || (found.kind === 'virtual' && found.relation.view === true);
  const what = isView ? 'view' : 'relation';
  if (direction === 'to') {
    throw new SvcError('42809', `cannot copy from ${what} "${name!.name}"`, { hint: 'Try the COPY (SELECT ...) TO variant.' });
  }
  if (found.kind === 'virtual' && !session.authority.free) throw new SvcError('42501', `permission denied for ${isView ? 'view' : 'table'} ${name!.name}`);
  if (found.kind === 'virtual' && !isView) throw isSystemCatalog(name!.name);
  const hint = isView ? 'To enable copying to a view, provide an INSTEAD OF INSERT trigger.' : undefined;
  throw new SvcError('42809', `cannot copy to ${what} "${name!.name}"`, { hint });
}

/** The columns that are copied, in their order. */
function columnsOf(table: SqlTable, names: readonly string[]): SqlColumn[] {
  if (names.length === 0) return table.columns.filter(({ generated }) => generated === null);
  return names.map((name, i) => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined) throw new SvcError('42703', `column "${name}" of relation "${table.name}" does not exist`);
    if (column.generated !== null) {
      throw new SvcError('42P10', `column "${name}" is a generated column`, { detail: 'Generated columns cannot be used in COPY.' });
    }
    if (names.indexOf(name) < i) throw new SvcError('42701', `column "${name}" specified more than once`);
    return column;
  });
}

/** 42501, before the client sends rows. */
function mayInsert(session: SqlSession, { number, name, view }: SqlTable, columns: readonly SqlColumn[]): void {
  const inserted = new Set(columns.map(({ attnum }) => attnum));
  const none = new Set<number>();
  const access: RelationAccess = {
    relation: number,
    kind: view === true ? 'view' : 'table',
    name,
    as: null,
    needs: PRIVILEGE.INSERT,
    selected: none,
    inserted,
    updated: none,
  };
  checkAccess(session, accessOf({ access: [access], calls: new Set() }));
}

// --- FROM

/** The rows that were read, as the relation that the INSERT selects from. */
class ReadRows implements VirtualRelation {
  readonly oid = 0;
  readonly schema = '';
  readonly name = 'copy input';
  readonly columns: VirtualRelation['columns'];
  readonly hashed: readonly number[] = [];
  list: Value[][] = [];

  constructor(columns: VirtualRelation['columns']) {
    this.columns = columns;
  }

  rows(): Iterable<readonly Value[]> {
    return this.list;
  }

  find(): Iterable<readonly Value[]> {
    return this.list;
  }
}

/** A writer with a mark to roll back to, taken before rows are tried. */
class Gathering<Mark, W extends TableWriter & { mark(): Mark; backTo(mark: Mark): void }> {
  readonly rows: W;
  readonly #mark: Mark;

  constructor(rows: W) {
    this.rows = rows;
    this.#mark = rows.mark();
  }

  back(): void {
    this.rows.backTo(this.#mark);
  }
}

/** WHERE must be a plain condition over the table's columns. */
function checkCondition(session: SqlSession, { columns, name }: SqlTable, where: Expression): void {
  expressionText(session, where, columns, 'boolean', 'COPY FROM WHERE conditions', name);
}

/** `INSERT INTO t (…) SELECT … FROM what was read`: defaults, checks and keys work as for any INSERT. */
class RowsIn {
  readonly #session: SqlSession;
  readonly #source: ReadRows;
  /** null if the rows are stored as they come: there is nothing to compute. */
  readonly #executable: Executable | null;
  readonly #table: SqlTable;
  readonly #conditional: boolean;
  /** Rows are inserted one at a time, for BEFORE triggers. */
  readonly #alone: boolean;
  #writes: StatementWrites | null = null;
  #context: ExecContext | null = null;
  #gathered = 0;
  count = 0;

  constructor(session: SqlSession, table: SqlTable, columns: readonly SqlColumn[], statement: Copy) {
    this.#session = session;
    this.#table = table;
    this.#conditional = statement.where !== null;
    this.#alone = session
      .schema()
      .triggers(table.number)
      .some(({ timing, row, events }) => timing !== 'after' && row && events.includes('insert'));
    this.#source = new ReadRows(columns.map(({ name, type }) => ({ name, type })));
    if (statement.where === null && columns.length === table.columns.length && columns.every((column, i) => column === table.columns[i])) {
      this.#executable = null;
      return;
    }
    const list = columns.map(({ name }) => inQuotes(name)).join(', ');
    const target = `${inQuotes(table.schema)}.${inQuotes(table.name)}${columns.length === 0 ? '' : ` (${list})`}`;
    const parsed = parse(
      `INSERT INTO ${target} OVERRIDING SYSTEM VALUE SELECT ${list} FROM ${inQuotes(this.#source.name)} AS ${inQuotes(table.name)}`,
    )[0] as Insert;
    const { source } = parsed;
    const insert: Insert = statement.where === null || source?.type !== 'select' ? parsed : { ...parsed, source: { ...source, where: statement.where } };
    if (statement.where !== null) checkCondition(session, table, statement.where);
    const names = session.names().beside(new Map([[this.#source.name, this.#source]]));
    const binder = new Binder(names, session.host.registry, session.env, { types: [], fixed: true });
    const plan = bindWrite(binder, insert, null);
    checkAccess(session, accessOf(binder));
    this.#executable = compile(optimize(plan, session.statistics()));
  }

  get waiting(): number {
    return this.#source.list.length;
  }

  /** `line`: the line number, 0 if the format has no lines; `text`: the line. */
  add(row: Value[], line: number, text: string): void {
    this.#source.list.push(row);
    this.#lines.push(line);
    this.#texts.push(text);
  }
  readonly #lines: number[] = [];
  readonly #texts: string[] = [];

  /** The text of the line that caused an error. Postgres shows it until rows are inserted in a batch, when keys are checked. */
  #shown({ code }: SvcError, row: number): string | undefined {
    const batched = code === '23505' || code === '23P01';
    return batched && !this.#alone ? undefined : this.#texts[row];
  }

  /** Counts bytes of input. */
  read(bytes: number): void {
    this.#gathered += bytes;
    const { memory } = this.#session.begin();
    memory.add(bytes);
    memory.check();
  }

  /** Inserts the buffered rows. */
  async flush(): Promise<void> {
    const rows = this.#source.list.length;
    if (rows === 0) return;
    const session = this.#session;
    for (;;) {
      if (this.#writes === null) {
        this.#writes = session.writesOver(session.begin(), this.#triggers);
        this.#triggers = triggersOf(this.#writes);
        if (this.#triggers !== null) this.#triggers.open = true;
        this.#context = execContext(session, [], this.#writes, this.#progress);
      }
      const table = this.#target();
      this.#triggers?.begin(table, ['insert']);
      const writer = this.#writerOf(table, this.#writes);
      const { count } = this;
      // If the rows have to wait for a lock, the effects of BEFORE triggers are rolled back together.
      const careful = this.#triggers !== null;
      const mark = careful ? session.begin().mark() : null;
      const queued = this.#triggers?.mark() ?? 0;
      try {
        if (this.#executable === null) this.#insertAsRead(writer.rows, this.#source.list);
        else await this.#insert(this.#executable);
        break;
      } catch (error) {
        if (!(error instanceof RetryStatement)) throw error;
        // Another transaction may release what is in the way: these rows are retried when it ends, earlier rows stay.
        this.count = count;
        if (mark !== null) {
          session.begin().backTo(mark);
          this.#triggers!.backTo(queued);
          this.#writes = null;
          this.#context = null;
        } else {
          writer.back();
          await this.#handOverPart();
        }
        await session.waitGiven(error);
        session.startStatement();
      }
    }
    this.#source.list = [];
    this.#lines.length = 0;
    this.#texts.length = 0;
    if (this.#gathered >= BYTES_GATHERED || this.#triggers !== null) await this.#handOverPart();
  }

  /** What a view's triggers receive is rolled back with their effects. */
  #writerOf(table: SqlTable, writes: StatementWrites): { readonly rows: TableWriter; back(): void } {
    if (table.view === true) return { rows: this.#triggers!.instead(table), back: () => {} };
    return table.whole === undefined ? new Gathering(writes.writer(table)) : new Gathering(writes.hierarchy(table));
  }

  #insertAsRead(writer: TableWriter, list: readonly Value[][]): void {
    let i = 0;
    try {
      for (; i < list.length; i++) {
        const row = writer.proposes ? writer.propose(list[i]) : list[i];
        if (row !== null) writer.add(row);
        else if (this.#table.view !== true) continue;
        this.count++;
      }
    } catch (error) {
      throw error instanceof SvcError && this.#lines[i] > 0 ? withContext(error, lineContext(this.#table.name, this.#lines[i], this.#shown(error, i))) : error;
    }
  }

  async #insert(executable: Executable): Promise<void> {
    const session = this.#session;
    const progress = this.#progress;
    progress.done = 0;
    progress.writing = false;
    try {
      const cursor = executable.run(this.#context!);
      for (let batch = cursor.next(); batch !== null; batch = cursor.next()) {
        if (batch === YIELD) await session.pause();
        else this.count += batch.count;
      }
    } catch (error) {
      // With a condition that skips rows, the number of rows written does not give the line.
      const line = progress.writing && !this.#conditional ? this.#lines[progress.done] : 0;
      throw error instanceof SvcError && line > 0 ? withContext(error, lineContext(this.#table.name, line, this.#shown(error, progress.done))) : error;
    }
  }
  readonly #progress: InsertProgress = { done: 0, writing: false };

  /** After the last row: runs AFTER triggers. */
  async end(): Promise<void> {
    const session = this.#session;
    if (this.#triggers === null) {
      // A COPY without rows still fires statement triggers.
      if (!session.schema().hasTriggers || this.#writes !== null) return;
      this.#triggers = triggersOf(session.writesOver(session.begin()))!;
      this.#triggers.begin(this.#target(), ['insert']);
    }
    await this.handOver();
    const triggers = this.#triggers;
    triggers.open = false;
    triggers.ended();
    for (const _ of triggers.fireSteps()) await session.pause();
  }
  #triggers: StatementTriggers | null = null;

  #target(): SqlTable {
    return this.#table.inheritance?.partitionBy == null ? this.#table : this.#session.schema().whole(this.#table)!;
  }

  /** Hands the changes to the transaction. */
  async handOver(): Promise<void> {
    if (this.#writes === null) return;
    // From here on they count as changes.
    this.#session.begin().memory.add(-this.#gathered);
    await this.#session.finishGiven(this.#session.begin(), this.#writes);
    this.#writes = null;
    this.#context = null;
    this.#gathered = 0;
  }

  /** The same while more rows come, which earlier rows may refer to. */
  async #handOverPart(): Promise<void> {
    if (this.#heldBack === null) {
      const session = this.#session;
      const { waiting } = session.begin();
      const keys = keysIntoItself(session.schema(), this.#table).filter((key) => !waitsForCommit(waiting, key));
      this.#heldBack = new Set(keys.map(({ number }) => number));
    }
    this.#writes?.holdBack(this.#heldBack);
    await this.handOver();
  }
  #heldBack: ReadonlySet<number> | null = null;

  /** After the last row: the foreign keys that are still unchecked. */
  async checkHeldBack(): Promise<void> {
    const session = this.#session;
    const held = this.#heldBack;
    if (held === null || held.size === 0) return;
    const transaction = session.begin();
    const { items } = transaction.waiting;
    const now = items.filter(({ key }) => held.has(key));
    for (;;) {
      try {
        session.locks.claim(transaction, [], checkDeferred(session.partsOf(transaction), now));
        break;
      } catch (error) {
        if (!(error instanceof RetryStatement)) throw error;
        await session.waitGiven(error);
      }
    }
    transaction.waiting = { ...transaction.waiting, items: items.filter(({ key }) => !held.has(key)) };
  }
}

/** The value of a field that is the marker of the option DEFAULT. */
function defaultMaker(session: SqlSession, table: SqlTable, column: SqlColumn): () => Value {
  const names = session.names();
  const text = names.defaultText(table, table.columns.indexOf(column));
  if (text === null) {
    return () => {
      throw new SvcError('22P04', 'unexpected default marker in COPY data', { detail: `Column "${column.name}" has no default value.` });
    };
  }
  const binder = new Binder(names, session.host.registry, session.env, { types: [], fixed: true });
  binder.stored = true;
  const bound = bindExpression(binder, names.parseExpression(text), new Scope(null));
  checkAccess(session, accessOf(binder));
  const compilation = new Compilation();
  const fn = compilation.scalars([binder.coercion.coerce(bound, column.type, column.typmod, 'assignment', 0)]);
  const run = compilation.newRun(execContext(session, [], null));
  return () => fn(run, [])[0];
}

async function copyFrom(session: SqlSession, statement: Copy, streams: CopyStreams): Promise<StatementResult> {
  const options = copyOptions(statement.options, 'from', session.settings.clientEncoding);
  session.writable('COPY FROM');
  const table = tableOf(session, statement);
  const columns = columnsOf(table, statement.columns);
  mayInsert(session, table, columns);
  if ((session.names().policies?.(table, null) ?? []).length > 0) {
    throw new SvcError('0A000', 'COPY FROM not supported with row-level security', { hint: 'Use INSERT statements instead.' });
  }
  const rows = new RowsIn(session, table, columns, statement);
  const { env } = session;
  let skipped = 0;
  let push: (chunk: Uint8Array) => void;
  let finish: () => void;
  let place = (): string | null => null;
  if (options.format === 'binary') {
    const reader = new BinaryCopyReader(table.name, columns, env);
    const sink = (values: Value[]): void => rows.add(values, 0, '');
    push = (chunk) => reader.push(chunk, sink);
    finish = () => reader.end(sink);
  } else {
    const reader = new CopyReader(options, {
      relation: table.name,
      columns: columns.map(({ name }) => name),
      tableColumns: table.columns.map(({ name }) => name),
      defaults: columns.map((column) => session.names().defaultText(table, table.columns.indexOf(column)) !== null),
    });
    const types = columns.map(({ type, typmod }) => ({ type, typmod }));
    const marked = options.default === null ? null : columns.map((column) => defaultMaker(session, table, column));
    place = () => lineContext(table.name, reader.line);
    const sink = (fields: (string | null | undefined)[], line: number, text: string): void => {
      // The list of fields becomes the row.
      const row = fields as Value[];
      let i = 0;
      let field: string | null | undefined;
      try {
        for (; i < fields.length; i++) {
          field = fields[i];
          if (field !== null) row[i] = field === undefined ? marked![i]() : types[i].type.parse(field, types[i].typmod, env);
          else if (types[i].type.domain !== null) checkDomain(types[i].type, null, env);
        }
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        if (options.onError === 'ignore') {
          skipped++;
          return;
        }
        throw withContext(error, fieldContext(table.name, line, columns[i].name, field));
      }
      rows.add(row, line, text);
    };
    push = (chunk) => reader.push(chunk, sink);
    finish = () => reader.end(sink);
  }
  const input = streams.input(columns.length, options.format === 'binary');
  let begun = performance.now();
  for (;;) {
    session.hold();
    const chunk = await input.next().catch((error: unknown) => {
      const where = place();
      throw error instanceof SvcError && where !== null ? withContext(error, where) : error;
    });
    session.checkCancel();
    if (chunk === null) break;
    push(chunk);
    rows.read(chunk.length);
    if (rows.waiting >= ROWS_AT_ONCE) await rows.flush();
    if (performance.now() - begun > 10) {
      await session.pause();
      begun = performance.now();
    }
  }
  finish();
  await rows.flush();
  await rows.handOver();
  await rows.checkHeldBack();
  await rows.end();
  if (session.transaction?.explicit === false) await prepareLargeCommit(session);
  const { worldToChange } = session;
  if (worldToChange !== null) session.host.activity.wrote(worldToChange.number, 'INSERT', rows.count);
  if (skipped > 0) session.notice('00000', `${skipped} ${skipped === 1 ? 'row was' : 'rows were'} skipped due to data type incompatibility`);
  return done(`COPY ${rows.count}`, session.notices);
}

// --- TO

/** The query to copy from, and its table. */
function toQuery(session: SqlSession, statement: Copy): { query: QueryStatement; relation: string; tableColumns: string[] | undefined } {
  if (statement.query !== null) return { query: statement.query, relation: '', tableColumns: undefined };
  const table = tableOf(session, statement);
  if (table.inheritance?.partitionBy != null)
    throw new SvcError('42809', `cannot copy from partitioned table "${table.name}"`, { hint: 'Try the COPY (SELECT ...) TO variant.' });
  const columns = columnsOf(table, statement.columns);
  const parsed = parse(`SELECT ${columns.map(({ name }) => inQuotes(name)).join(', ')} FROM ONLY ${inQuotes(table.schema)}.${inQuotes(table.name)}`)[0];
  if (!isQuery(parsed)) throw new SvcError('XX000', 'a table does not read as a query');
  return { query: parsed, relation: table.name, tableColumns: table.columns.map(({ name }) => name) };
}

async function copyTo(session: SqlSession, statement: Copy, streams: CopyStreams): Promise<StatementResult> {
  const options = copyOptions(statement.options, 'to', session.settings.clientEncoding);
  const { query, relation, tableColumns } = toQuery(session, statement);
  const prepared = session.prepare(query, []);
  if (prepared.sources !== undefined) refuseRules(prepared.sources);
  if (prepared.writes !== null && prepared.columns.length === 0) throw new SvcError('0A000', 'COPY query must have a RETURNING clause');
  const { columns } = prepared;
  const { env } = session;
  const types = columns.map(({ type }) => type);
  const binary = options.format === 'binary' ? new BinaryCopyWriter(types, env) : null;
  const text = binary !== null ? null : new CopyWriter(options, { relation, columns: columns.map(({ name }) => name), tableColumns });
  const row = binary === null ? text!.rows(types, env) : binary.row.bind(binary);
  const output = streams.output(columns.length, binary !== null);
  const { out } = output;
  if (binary === null && text!.size > 0) {
    output.begin();
    out.bytes(text!.take());
    await output.end();
  }
  // The header of binary data is sent with the first row.
  let headDue = binary !== null;
  const beginRow = (): void => {
    output.begin();
    if (!headDue) return;
    headDue = false;
    binary!.start(out);
  };
  const execution = new Execution(session, prepared, []);
  try {
    for (let batch = execution.next(); batch !== null; batch = execution.next()) {
      if (batch === YIELD) {
        await session.pause();
        continue;
      }
      for (let r = 0; r < batch.count; r++) {
        beginRow();
        row(out, batch.columns, r);
        const wait = output.end();
        if (wait !== null) {
          session.hold();
          await wait;
          session.checkCancel();
        }
      }
    }
    execution.finish();
  } finally {
    execution.close();
  }
  if (binary !== null) {
    beginRow();
    binary.finish(out);
    await output.end();
  }
  await output.finish();
  return done(`COPY ${execution.count}`, session.notices);
}
