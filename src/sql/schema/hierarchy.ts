/**
 * A table with its children or partitions, as statements read and write it:
 *
 *   top ─► members: the tables that store rows, each with the positions of the top's columns in its own
 *       └► partitions: the tree that routes a row to its member
 *
 * Keys of rows in a hierarchy contain the member and the row's key in it.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { Environment } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { PartitionKeys } from './partition-keys.ts';
import { shownKey } from './shown-key.ts';
import { clip } from './implicit-name.ts';
import type { Schema } from './schema.ts';
import type { Index, SqlTable } from './table.ts';

export interface Member {
  readonly table: SqlTable;
  /** Index in the member's columns of each of the top's. */
  readonly columns: readonly number[];
}
export interface PartitionNode {
  readonly table: SqlTable;
  /** Index in the node's columns of each of the top's. */
  readonly columns: readonly number[];
  readonly keys: PartitionKeys;
  /** In the order of `keys`: a node, or the index of a member. */
  readonly children: readonly (PartitionNode | number)[];
}
export interface Hierarchy {
  readonly top: SqlTable;
  readonly members: readonly Member[];
  /** null: inheritance, in which the top itself stores rows. */
  readonly partitions: PartitionNode | null;
}

/** Index in `below`'s columns of each of `above`'s, all of which it has. */
export function columnsBelow(above: SqlTable, below: SqlTable): number[] {
  const at = new Map(below.columns.map(({ name }, i) => [name, i]));
  return above.columns.map(({ name }) => at.get(name) ?? -1);
}

const keysOfSchema = new WeakMap<Schema, Map<number, PartitionKeys>>();

/** The partitions of a partitioned table. */
export function partitionKeys(schema: Schema, table: SqlTable): PartitionKeys {
  let known = keysOfSchema.get(schema);
  if (known === undefined) keysOfSchema.set(schema, (known = new Map()));
  let keys = known.get(table.number);
  if (keys === undefined) {
    const partitions = schema.children(table.number).filter(({ inheritance }) => inheritance!.bound !== null);
    known.set(table.number, (keys = new PartitionKeys(table.inheritance!.partitionBy!, partitions)));
  }
  return keys;
}

export function wholeTable(schema: Schema, table: SqlTable): SqlTable {
  const members: Member[] = [];
  const nodeOf = (own: SqlTable): PartitionNode => {
    const keys = partitionKeys(schema, own);
    const children = keys.tables.map((child): PartitionNode | number => {
      if (child.inheritance!.partitionBy !== null) return nodeOf(child);
      members.push({ table: child, columns: columnsBelow(table, child) });
      return members.length - 1;
    });
    return { table: own, columns: columnsBelow(table, own), keys, children };
  };
  let partitions: PartitionNode | null = null;
  if (table.inheritance?.partitionBy != null) partitions = nodeOf(table);
  else for (const own of [table, ...descendants(schema, table)]) members.push({ table: own, columns: columnsBelow(table, own) });
  return { ...table, key: { numeric: false, columns: table.key.columns }, whole: { top: table, members, partitions } };
}

/** All descendants, each once, nearer ones first. */
export function descendants(schema: Schema, table: SqlTable): SqlTable[] {
  const found = new Map<number, SqlTable>();
  const queue = [table];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const child of schema.children(next.number)) {
      if (found.has(child.number) || child.number === table.number) continue;
      found.set(child.number, child);
      queue.push(child);
    }
  }
  return [...found.values()];
}

// --- keys of rows

export function memberKey(table: number, key: Key): string {
  return prefixOf(table, typeof key === 'number') + key;
}

/** The prefix of the keys of a table's rows. */
export function prefixOf(table: number, numeric: boolean): string {
  return `${table}:${numeric ? 'n' : 't'}`;
}

export function memberPrefix(key: string): string {
  return key.slice(0, key.indexOf(':') + 2);
}

/** The key after the prefix. */
export function keyBehind(prefix: string, key: string): Key {
  const own = key.slice(prefix.length);
  return prefix.endsWith('n') ? Number(own) : own;
}

/** `key`: a whole one, or its prefix. */
export function memberOf(key: string): number {
  return Number(key.slice(0, key.indexOf(':')));
}

export function keyInMember(key: string): Key {
  return keyBehind(memberPrefix(key), key);
}

// --- routing

/** Functions that compute the partition key of a row of the partitioned table. */
function keyValues(compiler: Compiler, table: SqlTable): (row: readonly Value[]) => Value[] {
  const elements = table.inheritance!.partitionBy!.elements.map(({ column, expression, type, typmod }) =>
    column === null ? compiler.expression(table, expression!, type, typmod) : (row: readonly Value[]): Value => row[column],
  );
  return (row) => elements.map((element) => element(row));
}

/** The member for a row of the top; 23514 if there is none. */
export function router({ partitions }: Hierarchy, compiler: Compiler, env: Environment): (row: readonly Value[]) => number {
  const steps = new Map<PartitionNode, (row: readonly Value[]) => readonly Value[]>();
  return (row) => {
    for (let node = partitions!; ;) {
      let values = steps.get(node);
      if (values === undefined) steps.set(node, (values = keyFromTop(compiler, node)));
      const key = values(row);
      const child = node.keys.find(key);
      if (child < 0) throw noPartition(node.table, key, env);
      const next = node.children[child];
      if (typeof next === 'number') return next;
      node = next;
    }
  };
}

/** The node's partition key of a row of the top; the returned list is reused. */
function keyFromTop(compiler: Compiler, { table, columns }: PartitionNode): (row: readonly Value[]) => readonly Value[] {
  const { elements } = table.inheritance!.partitionBy!;
  const places = elements.map(({ column }) => (column === null ? -1 : columns.indexOf(column)));
  if (places.includes(-1)) {
    const values = keyValues(compiler, table);
    return (row) => values(inColumns(row, columns));
  }
  const key = new Array<Value>(places.length).fill(null);
  return (row) => {
    for (let i = 0; i < places.length; i++) key[i] = row[places[i]];
    return key;
  };
}

/** Whether columns have the same positions above and below. */
export function samePlaces(columns: readonly number[]): boolean {
  return columns.every((column, i) => column === i);
}

/** The row's values at these positions. */
export function inColumns(row: readonly Value[], columns: readonly number[]): readonly Value[] {
  if (samePlaces(columns)) return row;
  const out: Value[] = new Array<Value>(columns.length).fill(null);
  for (let i = 0; i < columns.length; i++) if (columns[i] >= 0) out[columns[i]] = row[i];
  return out;
}

function noPartition(table: SqlTable, key: readonly Value[], env: Environment): SvcError {
  const { elements } = table.inheritance!.partitionBy!;
  const texts = key.map((value, i) => {
    if (value === null) return 'null';
    const text = elements[i].type.format(value, env);
    return Buffer.byteLength(text) <= 64 ? text : `${clip(text, 64)}...`;
  });
  return new SvcError('23514', `no partition of relation "${table.name}" found for row`, {
    detail: `Partition key of the failing row contains (${shownKey(table, elements, env).join(', ')}) = (${texts.join(', ')}).`,
    status: 400,
    data: { schema: table.schema, table: table.name },
  });
}

/** The partitioned tables above a partition, nearer ones first. */
export function partitionedAbove(schema: Schema, table: SqlTable): SqlTable[] {
  const out: SqlTable[] = [];
  for (let parent = schema.parentOf(table); parent?.inheritance?.partitionBy != null; parent = schema.parentOf(parent)) out.push(parent);
  return out;
}

/** Whether a row satisfies the partition's bounds and its ancestors'; null for a table that is no partition. */
export function partitionTest(
  schema: Schema,
  table: SqlTable,
  compiler: Compiler,
  bound = table.inheritance?.bound ?? null,
): ((row: readonly Value[]) => boolean) | null {
  if (bound === null) return null;
  const levels: ((row: readonly Value[]) => boolean)[] = [];
  let child = table;
  for (const parent of partitionedAbove(schema, table)) {
    const keys = partitionKeys(schema, parent);
    const { number: own } = child;
    const at = keys.tables.findIndex(({ number }) => number === own);
    child = parent;
    const places = columnsBelow(parent, table);
    const values = keyValues(compiler, parent);
    const same = places.every((place, i) => place === i) && places.length === table.columns.length;
    levels.push((row) => keys.find(values(same ? row : places.map((place) => row[place]))) === at);
  }
  return levels.length === 0 ? null : (row) => levels.every((test) => test(row));
}

/** A member's index that is part of the top's; null if it has none. */
export function indexBelow(schema: Schema, top: SqlTable, index: Index | 'key', member: SqlTable): Index | 'key' | null {
  // The chain of parent indexes goes up from the member's.
  const wanted = index === 'key' ? schema.primaryKeyNumber(top) : index.number;
  const leads = (from: number | undefined): boolean => {
    for (let at = from; at !== undefined; at = schema.parentIndex(at)) if (at === wanted) return true;
    return false;
  };
  if (member.number === top.number) return index;
  if (member.primaryKey !== null && leads(schema.primaryKeyNumber(member))) return 'key';
  return member.indexes.find(({ number }) => leads(number)) ?? null;
}
