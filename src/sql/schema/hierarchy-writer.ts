/** Writes to a table and its descendants: each row goes to the table that stores it, in that table's column order. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';
import { refuseForeignWrite } from './foreign-tables.ts';
import { type Hierarchy, inColumns, indexBelow, keyBehind, memberKey, memberOf, memberPrefix, partitionTest, router, samePlaces } from './hierarchy.ts';
import { noArbiter, notInPartition } from './row-errors.ts';
import type { RowsWriter, WriterMark } from './rows-writer.ts';
import type { StatementWrites } from './statement-writes.ts';
import type { Index, SqlTable } from './table.ts';
import type { RowChecker, TableWriter } from './table-writer.ts';

type WholeMark = readonly WriterMark[];

/** The target of a row; a row that violates the bound of the top, itself a partition, is refused before routing. */
function routeOf({ schema, compiler, env }: StatementWrites, whole: Hierarchy): ((row: readonly Value[]) => number) | null {
  if (whole.partitions === null) return null;
  const { top } = whole;
  const route = router(whole, compiler, env);
  const belongs = partitionTest(schema, top, compiler);
  if (belongs === null) return route;
  return (row) => {
    if (!belongs(row)) throw notInPartition(top, row, env);
    return route(row);
  };
}

export class HierarchyWriter implements TableWriter {
  readonly #writes: StatementWrites;
  readonly #whole: Hierarchy;
  readonly #route: ((row: readonly Value[]) => number) | null;
  readonly #byTable: ReadonlyMap<number, number>;
  readonly #writers: (RowsWriter | undefined)[] = [];
  /** Columns of the top that the partition keys of any level read; null: any (an expression). */
  readonly #keyed: ReadonlySet<number> | null;
  readonly #arbiters = new Map<number, Index | 'key' | null>();
  /** Whether a row of the top has the member's form. */
  readonly #same: readonly boolean[];
  /** Whether routing alone establishes that a row satisfies the member's bounds. */
  readonly #placed: boolean;

  constructor(writes: StatementWrites, table: SqlTable) {
    this.#writes = writes;
    this.#whole = table.whole!;
    this.#byTable = new Map(this.#whole.members.map((member, i) => [member.table.number, i]));
    this.#route = routeOf(writes, this.#whole);
    this.#keyed = keyedColumns(this.#whole);
    const { top, members } = this.#whole;
    this.#same = members.map((member) => member.columns.length === member.table.columns.length && samePlaces(member.columns));
    this.#placed = this.#route !== null && writes.schema.parentOf(top)?.inheritance?.partitionBy == null;
    this.#proposes = writes.hooks !== null && this.#whole.members.some((_, i) => this.#writer(i).proposes);
  }

  #writer(at: number): RowsWriter {
    return (this.#writers[at] ??= this.#writes.writer(this.#whole.members[at].table));
  }

  /** Finds the row's member and its key there, `#at` and `#own`: the next row is mostly in the same one. */
  #find(key: Key): RowsWriter {
    if (key !== this.#found) {
      if (!(key as string).startsWith(this.#prefix)) {
        this.#prefix = memberPrefix(key as string);
        this.#at = this.#byTable.get(memberOf(this.#prefix))!;
      }
      this.#own = keyBehind(this.#prefix, key as string);
      this.#found = key;
    }
    return this.#writer(this.#at);
  }
  #found: Key | null = null;
  /** Matches no key. */
  #prefix = '?';
  #at = 0;
  #own: Key = 0;

  /** A row of a member in the top's order. */
  #up(row: readonly Value[], at: number): readonly Value[] {
    return this.#same[at] ? row : this.#whole.members[at].columns.map((column) => row[column]);
  }

  #down(row: readonly Value[], at: number): readonly Value[] {
    if (this.#same[at]) return row;
    const { columns, table } = this.#whole.members[at];
    const out = inColumns(row, columns);
    if (out.length === table.columns.length) return out;
    return [...out, ...new Array<Value>(table.columns.length - out.length).fill(null)];
  }

  /** 55000 and 0A000 for a foreign partition. */
  #place(row: readonly Value[]): number {
    if (this.#route === null) return 0;
    const at = this.#route(row);
    const { table } = this.#whole.members[at];
    if (table.foreign !== undefined) refuseForeignWrite(this.#writes.schema, table, 'insert into');
    return at;
  }

  get proposes(): boolean {
    return this.#proposes;
  }
  readonly #proposes: boolean;

  /** Runs BEFORE triggers in the target partition; 0A000 if they would move the row to another one. */
  propose(row: readonly Value[]): readonly Value[] | null {
    const at = this.#place(row);
    const writer = this.#writer(at);
    if (!writer.proposes) return row;
    const own = writer.propose(this.#down(row, at));
    if (own === null) return null;
    const now = this.#up(own, at);
    if (this.#route !== null && this.#otherPlace(now, at)) {
      const { schema, name } = writer.table;
      throw new SvcError('0A000', 'moving row to another partition during a BEFORE FOR EACH ROW trigger is not supported', {
        detail: `Before executing trigger "${writer.called}", the row was to be in partition "${schema}.${name}".`,
      });
    }
    return now;
  }

  #otherPlace(row: readonly Value[], at: number): boolean {
    try {
      return this.#place(row) !== at;
    } catch {
      return true;
    }
  }

  insert(row: readonly Value[]): Key {
    const at = this.#place(row);
    const writer = this.#writer(at);
    return memberKey(writer.table.number, writer.insert(this.#down(row, at), false, this.#placed));
  }

  add(row: readonly Value[]): void {
    const at = this.#place(row);
    this.#writer(at).insert(this.#down(row, at), false, this.#placed);
  }

  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null {
    const at = this.#place(row);
    const writer = this.#writer(at);
    let own: Index | 'key' | null = null;
    if (arbiter !== null) {
      own = this.#arbiters.get(at) ?? null;
      if (own === null) this.#arbiters.set(at, (own = indexBelow(this.#writes.schema, this.#whole.top, arbiter, writer.table)));
      if (own === null) throw noArbiter();
    }
    const found = writer.conflict(this.#down(row, at), own);
    return found === null ? null : memberKey(writer.table.number, found);
  }

  read(key: Key): Value[] | null {
    const writer = this.#find(key);
    const row = writer.read(this.#own);
    return row === null ? null : (this.#up(row, this.#at) as Value[]);
  }

  written(key: Key): boolean {
    const writer = this.#find(key);
    return writer.written(this.#own);
  }

  change(key: Key, columns: readonly number[], values: readonly Value[]): boolean {
    const writer = this.#find(key);
    const at = this.#at;
    const own = this.#own;
    const below = this.#below(columns, at);
    if (!this.#mayMove) return writer.change(own, below, values, this.#placed);
    const to = this.#goesTo(writer, own, at, columns, values);
    if (to < 0) return false;
    return to === at ? writer.change(own, below, values, this.#placed) : this.#moveAtOnce(writer, own, at, to, columns, values);
  }

  /** Positions of the top's columns in a member; a statement passes the same list for all of its rows. */
  #below(columns: readonly number[], at: number): readonly number[] {
    if (this.#set !== columns) {
      this.#set = columns;
      this.#setBelow = [];
      this.#mayMove = this.#moves(columns);
    }
    return (this.#setBelow[at] ??= columns.map((column) => this.#whole.members[at].columns[column]));
  }
  #set: readonly number[] | null = null;
  #setBelow: (readonly number[])[] = [];
  #mayMove = false;

  /** Whether changed columns may move a row to another partition. */
  #moves(columns: readonly number[]): boolean {
    return this.#route !== null && (this.#keyed === null || columns.some((column) => this.#keyed!.has(column)));
  }

  /** The target member for these values, by the changed columns alone; -1: the whole row is needed. */
  #goesTo(writer: RowsWriter, own: Key, at: number, columns: readonly number[], values: readonly Value[]): number {
    if (this.#keyed === null) return -1;
    const asked = (this.#asked ??= new Array<Value>(this.#whole.top.columns.length).fill(null));
    const places = (this.#askedColumns ??= [...this.#keyed]);
    const below = (this.#askedBelow[at] ??= places.map((column) => this.#whole.members[at].columns[column]));
    if (!writer.readInto(asked, places, own, below)) return -1;
    for (let i = 0; i < columns.length; i++) asked[columns[i]] = values[i];
    return this.#place(asked);
  }
  #asked: Value[] | null = null;
  #askedColumns: readonly number[] | null = null;
  readonly #askedBelow: (readonly number[])[] = [];

  /** As `#move`, if no trigger and no foreign key reads the row; false, without effect, if one may. */
  #moveAtOnce(writer: RowsWriter, own: Key, from: number, to: number, columns: readonly number[], values: readonly Value[]): boolean {
    const target = this.#writer(to);
    if (target.hooked) return false;
    const taken = writer.takeOut(own);
    if (taken === null) return false;
    const row = this.#up(taken, from) as Value[];
    for (let i = 0; i < columns.length; i++) row[columns[i]] = values[i];
    target.insert(this.#down(row, to), true, this.#placed);
    return true;
  }

  update(key: Key, columns: readonly number[], values: readonly Value[], check?: RowChecker): readonly Value[] | null {
    const writer = this.#find(key);
    const at = this.#at;
    const own = this.#own;
    const set = this.#below(columns, at);
    if (writer.proposesUpdates) {
      const next = writer.proposeUpdate(own, set, values);
      if (next === null) return null;
      const row = this.#up(next, at);
      check?.(this.#up(writer.computed(next), at));
      const to = this.#route === null ? at : this.#route(row);
      return to === at ? this.#up(writer.replace(own, next, set), at) : this.#move(writer, own, at, row, to);
    }
    if (this.#mayMove) {
      const row = (this.#up(writer.read(own)!, at) as Value[]).slice();
      columns.forEach((column, i) => (row[column] = values[i]));
      const to = this.#place(row);
      if (to !== at) check?.(row);
      if (to !== at) return this.#move(writer, own, at, row, to);
    }
    const after = writer.update(own, set, values, check === undefined ? undefined : (row) => check(this.#up(row, at)));
    return after === null ? null : this.#up(after, at);
  }

  /** Moves the row to another partition: to foreign keys it is a changed row. */
  #move(writer: RowsWriter, key: Key, from: number, row: readonly Value[], to: number): readonly Value[] | null {
    if (!writer.proposeDelete(key)) return null;
    writer.leave(key, this.#down(row, from));
    const target = this.#writer(to);
    const proposed = target.propose(this.#down(row, to), true);
    if (proposed === null) return null;
    const made = target.insert(proposed, true, this.#placed && !target.proposes);
    this.#movedTo.set(memberKey(writer.table.number, key), memberKey(target.table.number, made));
    return this.#up(target.read(made)!, to);
  }

  /** The key of a row that was moved to another table, until the next statement. */
  keyAfter(key: Key): Key {
    return this.#movedTo.get(key as string) ?? key;
  }
  readonly #movedTo = new Map<string, string>();

  delete(key: Key): boolean {
    const writer = this.#find(key);
    return writer.delete(this.#own);
  }

  /** For `backTo`. */
  mark(): WholeMark {
    return this.#whole.members.map((_, i) => this.#writers[i]?.mark() ?? { rows: 0, moved: 0 });
  }

  /** Rolls back rows that were inserted since the mark. */
  backTo(marks: WholeMark): void {
    marks.forEach((mark, i) => this.#writers[i]?.backTo(mark));
  }

  /** The row with these values in these columns of the top, which are those of a key or unique index of it. */
  keyOf(columns: readonly number[], values: readonly Value[]): { readonly table: number; readonly key: Key } | null {
    const row = new Array<Value>(this.#whole.top.columns.length).fill(null);
    columns.forEach((column, i) => (row[column] = values[i]));
    let at = 0;
    try {
      at = this.#place(row);
    } catch (error) {
      if (error instanceof SvcError && error.code === '23514') return null;
      throw error;
    }
    const writer = this.#writer(at);
    const key = writer.keyOf(
      columns.map((column) => this.#whole.members[at].columns[column]),
      values,
    );
    return key === null ? null : { table: writer.table.number, key };
  }
}

function keyedColumns({ partitions }: Hierarchy): ReadonlySet<number> | null {
  const out = new Set<number>();
  const stack = partitions === null ? [] : [partitions];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const { column } of node.table.inheritance!.partitionBy!.elements) {
      if (column === null) return null;
      out.add(node.columns.indexOf(column));
    }
    for (const child of node.children) if (typeof child !== 'number') stack.push(child);
  }
  return out;
}
