/** Writes to a table and all below it: each row goes to the table that holds it, in that table's order of columns. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';
import { type Hierarchy, inColumns, indexBelow, keyInMember, memberKey, memberOf, router } from './hierarchy.ts';
import type { RowsWriter, WriterMark } from './rows-writer.ts';
import type { StatementWrites } from './statement-writes.ts';
import type { Index, SqlTable } from './table.ts';
import type { RowChecker, TableWriter } from './table-writer.ts';

type WholeMark = readonly WriterMark[];

export class HierarchyWriter implements TableWriter {
  readonly #writes: StatementWrites;
  readonly #whole: Hierarchy;
  readonly #route: ((row: readonly Value[]) => number) | null;
  readonly #byTable: ReadonlyMap<number, number>;
  readonly #writers: (RowsWriter | undefined)[] = [];
  /** Columns of the top that some level's partition key reads; null: any (an expression). */
  readonly #keyed: ReadonlySet<number> | null;
  readonly #arbiters = new Map<number, Index | 'key' | null>();

  constructor(writes: StatementWrites, table: SqlTable) {
    this.#writes = writes;
    this.#whole = table.whole!;
    this.#byTable = new Map(this.#whole.members.map((member, i) => [member.table.number, i]));
    this.#route = this.#whole.partitions === null ? null : router(this.#whole, writes.compiler, writes.env);
    this.#keyed = keyedColumns(this.#whole);
    this.#proposes = writes.hooks !== null && this.#whole.members.some((_, i) => this.#writer(i).proposes);
  }

  #writer(at: number): RowsWriter {
    return (this.#writers[at] ??= this.#writes.writer(this.#whole.members[at].table));
  }

  #at(key: Key): { at: number; writer: RowsWriter; own: Key } {
    const at = this.#byTable.get(memberOf(key as string))!;
    return { at, writer: this.#writer(at), own: keyInMember(key as string) };
  }

  /** A row of a member in the top's order. */
  #up(row: readonly Value[], at: number): readonly Value[] {
    const { columns, table } = this.#whole.members[at];
    if (columns.length === table.columns.length && columns.every((column, i) => column === i)) return row;
    return columns.map((column) => row[column]);
  }

  #down(row: readonly Value[], at: number): readonly Value[] {
    const { columns, table } = this.#whole.members[at];
    const out = inColumns(row, columns);
    if (out.length === table.columns.length) return out;
    return [...out, ...new Array<Value>(table.columns.length - out.length).fill(null)];
  }

  #place(row: readonly Value[]): number {
    return this.#route === null ? 0 : this.#route(row);
  }

  get proposes(): boolean {
    return this.#proposes;
  }
  readonly #proposes: boolean;

  /** In the partition where the row is to go; 0A000 where it would go to another one then. */
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
    return memberKey(writer.table.number, writer.insert(this.#down(row, at)));
  }

  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null {
    const at = this.#place(row);
    const writer = this.#writer(at);
    let own: Index | 'key' | null = null;
    if (arbiter !== null) {
      own = this.#arbiters.get(at) ?? null;
      if (own === null) this.#arbiters.set(at, (own = indexBelow(this.#writes.schema, this.#whole.top, arbiter, writer.table)));
      if (own === null) throw new SvcError('42P10', 'there is no unique or exclusion constraint matching the ON CONFLICT specification');
    }
    const found = writer.conflict(this.#down(row, at), own);
    return found === null ? null : memberKey(writer.table.number, found);
  }

  read(key: Key): Value[] | null {
    const { at, writer, own } = this.#at(key);
    const row = writer.read(own);
    return row === null ? null : (this.#up(row, at) as Value[]);
  }

  written(key: Key): boolean {
    const { writer, own } = this.#at(key);
    return writer.written(own);
  }

  change(key: Key, columns: readonly number[], values: readonly Value[]): boolean {
    if (this.#moves(columns)) return false;
    const { at, writer, own } = this.#at(key);
    if (this.#set !== columns) {
      this.#set = columns;
      this.#setBelow = [];
    }
    const below = (this.#setBelow[at] ??= columns.map((column) => this.#whole.members[at].columns[column]));
    return writer.change(own, below, values);
  }
  /** Columns that `change` was given last, and where they are in the members. */
  #set: readonly number[] | null = null;
  #setBelow: (readonly number[])[] = [];

  /** Whether a row whose columns change may belong in another partition. */
  #moves(columns: readonly number[]): boolean {
    return this.#route !== null && (this.#keyed === null || columns.some((column) => this.#keyed!.has(column)));
  }

  update(key: Key, columns: readonly number[], values: readonly Value[], check?: RowChecker): readonly Value[] | null {
    const { at, writer, own } = this.#at(key);
    const places = this.#whole.members[at].columns;
    if (writer.proposesUpdates) {
      const set = columns.map((column) => places[column]);
      const next = writer.proposeUpdate(own, set, values);
      if (next === null) return null;
      const row = this.#up(next, at);
      check?.(this.#up(writer.computed(next), at));
      const to = this.#route === null ? at : this.#route(row);
      return to === at ? this.#up(writer.replace(own, next, set), at) : this.#move(writer, own, at, row, to);
    }
    if (this.#moves(columns)) {
      const row = (this.#up(writer.read(own)!, at) as Value[]).slice();
      columns.forEach((column, i) => (row[column] = values[i]));
      const to = this.#place(row);
      if (to !== at) check?.(row);
      if (to !== at) return this.#move(writer, own, at, row, to);
    }
    const after = writer.update(
      own,
      columns.map((column) => places[column]),
      values,
      check === undefined ? undefined : (row) => check(this.#up(row, at)),
    );
    return after === null ? null : this.#up(after, at);
  }

  /** The row leaves one partition for another: to foreign keys it is one that has changed. */
  #move(writer: RowsWriter, key: Key, from: number, row: readonly Value[], to: number): readonly Value[] | null {
    if (!writer.proposeDelete(key)) return null;
    writer.leave(key, this.#down(row, from));
    const target = this.#writer(to);
    const proposed = target.propose(this.#down(row, to), true);
    if (proposed === null) return null;
    const made = target.insert(proposed, true);
    this.#movedTo.set(memberKey(writer.table.number, key), memberKey(target.table.number, made));
    return this.#up(target.read(made)!, to);
  }

  /** Of a row that has gone to another table, until the next statement. */
  keyAfter(key: Key): Key {
    return this.#movedTo.get(key as string) ?? key;
  }
  readonly #movedTo = new Map<string, string>();

  delete(key: Key): boolean {
    const { writer, own } = this.#at(key);
    return writer.delete(own);
  }

  /** For `backTo`. */
  mark(): WholeMark {
    return this.#whole.members.map((_, i) => this.#writers[i]?.mark() ?? { rows: 0, moved: 0 });
  }

  /** Takes back the rows that were inserted since the mark. */
  backTo(marks: WholeMark): void {
    marks.forEach((mark, i) => this.#writers[i]?.backTo(mark));
  }

  /** The row that has these values in these columns of the top, which are those of a key or unique index of it. */
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
