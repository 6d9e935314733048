/** Statistics taken from the trees at plan time: counts of inner nodes, and a few leaves as a sample. */
import { childRoot } from '../../tree/directory.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { searchTerm } from '../schema/search-keys.ts';
import { searchRanges } from './search-ranges.ts';
import { accessBounds } from '../plan/rules/walk.ts';
import { keyText } from '../../worlds/catalog.ts';
import { readCell } from '../schema/row-reader.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { KeyCodec } from './context.ts';
import { entriesIn, keyRanges } from './scan.ts';

const SAMPLE_LEAVES = 24;
/** Of each sampled leaf: rows of one leaf have much in common. */
const SAMPLE_ROWS = 64;

const sampled = new WeakMap<Node, Map<number, number>>();

/** `directory`: where a table's tree and its indexes' are found. */
export function treeStatistics(pager: Pager, directory: (table: number) => Node, keys: KeyCodec): Statistics {
  const tree = (table: number, number = table): Node | null => childRoot(pager, directory(table), number);
  return {
    rows: (table) => tree(table.number)?.count ?? 0,
    distinct(table, column) {
      const node = tree(table.number);
      if (node === null || node.count === 0) return 1;
      if (table.key.columns.length === 1 && table.key.columns[0] === column) return node.count;
      let known = sampled.get(node);
      if (known === undefined) sampled.set(node, (known = new Map()));
      let distinct = known.get(column);
      if (distinct === undefined) known.set(column, (distinct = sampleDistinct(pager, node, table, column)));
      return distinct;
    },
    together(table, columns) {
      const node = tree(table.number);
      if (node === null || node.count === 0) return 1;
      const has = (some: readonly number[]): boolean => some.length > 0 && some.every((column) => columns.includes(column));
      if (
        has(table.key.columns) ||
        table.indexes.some(({ unique, where, columns: of }) => unique && where === null && has(of.map(({ column }) => column ?? -1)))
      )
        return node.count;
      let known = sampledTogether.get(node);
      if (known === undefined) sampledTogether.set(node, (known = new Map()));
      const key = columns.join();
      let distinct = known.get(key);
      if (distinct === undefined) known.set(key, (distinct = sampleTogether(pager, node, table, columns)));
      return distinct;
    },
    share(table, column, passes) {
      const node = tree(table.number);
      if (node === null || node.count === 0) return null;
      let passed = 0;
      let taken = 0;
      try {
        for (const { values } of sampleOf(pager, node, table, column)) {
          taken += values.length;
          for (const value of values) if (value !== null && passes(value)) passed++;
        }
      } catch {
        // What fails here may never be evaluated for that row when the statement runs.
        return null;
      }
      // Half a row if none passed.
      return Math.max(passed, 0.5) / taken;
    },
    accessRows(table, access) {
      const listed = access.oneOf?.length ?? 0;
      if (listed > LISTED_MAX) {
        const every = Math.ceil(listed / LISTED_MAX);
        const rows = this.accessRows(table, { ...access, oneOf: access.oneOf!.filter((_, i) => i % every === 0) });
        return rows === null ? null : Math.min(rows * every, tree(table.number)?.count ?? 0);
      }
      const bounds = accessBounds(access);
      const values = bounds.map((e) => (e.kind === 'constant' ? e.value : undefined));
      const node = tree(table.number, access.index?.number ?? table.number);
      if (node === null) return 0;
      if (values.some((value) => value === undefined)) return null;
      if (access.search !== undefined) {
        const { column, by, type } = access.search;
        return Math.min(tree(table.number)?.count ?? 0, searchRanges(pager, node, column, searchTerm(by, type, values[0]!)).rows);
      }
      return entriesIn(pager, node, keyRanges(keys, table, access, values as Exclude<(typeof values)[number], undefined>[]));
    },
  };
}

/** Longer lists are sampled. */
const LISTED_MAX = 2000;

/** Values of a column in a leaf with `rows` rows. */
interface LeafSample {
  readonly rows: number;
  readonly values: readonly Value[];
}

const samples = new WeakMap<Node, Map<number, readonly LeafSample[]>>();

/** Of a few leaves, spread over the tree. */
function sampleOf(pager: Pager, root: Node, table: SqlTable, column: number): readonly LeafSample[] {
  let own = samples.get(root);
  if (own === undefined) samples.set(root, (own = new Map()));
  let sample = own.get(column);
  if (sample === undefined) own.set(column, (sample = takeSample(pager, root, table, column)));
  return sample;
}

/** A few leaves, spread over the tree. */
function* sampleLeaves(pager: Pager, root: Node): Generator<Leaf> {
  for (let s = 0; s < SAMPLE_LEAVES; s++) {
    let offset = Math.floor(((s + 0.5) / SAMPLE_LEAVES) * root.count);
    let node: Node = root;
    while (!node.isLeaf) {
      let i = 0;
      while (i < node.counts.length - 1 && offset >= node.counts[i]) offset -= node.counts[i++];
      node = pager.kid(node, i);
    }
    yield node;
    if (root.isLeaf) break;
  }
}

function cellOf(table: SqlTable, column: number, leaf: Leaf, i: number): Value {
  return table.document && column === 0 ? keyText(leaf.skeys[i]) : readCell(table.columns[column], leaf, i);
}

function takeSample(pager: Pager, root: Node, table: SqlTable, column: number): LeafSample[] {
  const leaves: LeafSample[] = [];
  for (const leaf of sampleLeaves(pager, root)) {
    const step = root.isLeaf || table.key.columns[0] === column ? 1 : Math.max(1, Math.floor(leaf.count / SAMPLE_ROWS));
    const values: Value[] = [];
    for (let i = 0; i < leaf.count; i += step) values.push(cellOf(table, column, leaf, i));
    leaves.push({ rows: leaf.count, values });
  }
  return leaves;
}

const sampledTogether = new WeakMap<Node, Map<string, number>>();

function sampleTogether(pager: Pager, root: Node, table: SqlTable, columns: readonly number[]): number {
  const leaves: LeafKeys[] = [];
  for (const leaf of sampleLeaves(pager, root)) {
    const step = root.isLeaf ? 1 : Math.max(1, Math.floor(leaf.count / SAMPLE_ROWS));
    const keys: string[] = [];
    for (let i = 0; i < leaf.count; i += step) {
      let key = '';
      for (const column of columns) {
        const value = cellOf(table, column, leaf, i);
        const { type } = table.columns[column];
        const text = value === null ? '' : String(type.hashable ? type.hashKey(value) : value);
        key += `${text.length}:${text}`;
      }
      keys.push(key);
    }
    leaves.push({ rows: leaf.count, keys });
  }
  return distinctByLeaves(root.count, leaves);
}

interface LeafKeys {
  readonly rows: number;
  readonly keys: readonly unknown[];
}

/**
 * Rows of one leaf were often written together and share values, so leaves are the sampling unit: the number of values that only one
 * leaf has, and of those shared with others.
 */
function distinctByLeaves(all: number, leaves: readonly LeafKeys[]): number {
  const met = new Map<unknown, number>();
  let taken = 0;
  let values = 0;
  let rows = 0;
  for (const leaf of leaves) {
    const own = new Map<unknown, number>();
    for (const key of leaf.keys) own.set(key, (own.get(key) ?? 0) + 1);
    for (const key of own.keys()) met.set(key, (met.get(key) ?? 0) + 1);
    taken += own.size;
    values += distinctBySample(leaf.rows, own, leaf.keys.length);
    rows += leaf.rows;
  }
  return distinctBySample(Math.min(all, Math.max(1, Math.round((values * all) / Math.max(1, rows)))), met, taken);
}

/** Values that were seen once estimate those not seen (Haas and Stokes, 1998). */
function distinctBySample(all: number, times: ReadonlyMap<unknown, number>, taken: number): number {
  let once = 0;
  for (const n of times.values()) if (n === 1) once++;
  return Math.max(1, Math.min(all, Math.round((taken * times.size) / (taken - once + (once * taken) / all))));
}

/** How often a value differs from its predecessor. */
function neighbours(values: readonly Value[], type: SqlType): number {
  let changes = 1;
  for (let i = 1; i < values.length; i++) if (values[i] === null || values[i - 1] === null || type.compare(values[i], values[i - 1]) !== 0) changes++;
  return changes;
}

function sampleDistinct(pager: Pager, root: Node, table: SqlTable, column: number): number {
  const { type } = table.columns[column];
  const leaves = sampleOf(pager, root, table, column);
  // Adjacent rows share the key's prefix: each has as many values as the sample's own rows.
  if (table.key.columns[0] === column) {
    const values = leaves.flatMap((leaf) => leaf.values);
    return Math.max(1, Math.round((root.count * neighbours(values, type)) / values.length));
  }
  const keyOf = (value: Value): unknown => (value === null || !type.hashable ? value : type.hashKey(value));
  return distinctByLeaves(
    root.count,
    leaves.map((leaf) => ({ rows: leaf.rows, keys: leaf.values.map(keyOf) })),
  );
}
