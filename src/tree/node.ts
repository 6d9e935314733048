/**
 * The two kinds of node of a copy-on-write B+tree.
 *
 *   Inner: keys[i] is the lowest key below child i (keys[0] is not read); counts[i] is its number of rows
 *   Leaf:  keys in order, column-major cells
 *
 * A node whose `edit` equals the writer's token belongs to that writer and is changed in place; any other
 * is copied first. `id` is 0 until the node is written to the page store; from then on it never changes.
 * A child is held by pointer (`kids[i]`) while it is dirty and by page id (`ids[i]`) once it is written. For negative ids see
 * `later-leaves.ts`.
 */
import { type Datum, KIND, type Key, type Kind, type Shape, TAG } from './datum.ts';
import type { Group } from './gathered.ts';
import type { LaterLeaf } from './later-leaves.ts';
import { roomFor, Vec } from './vec.ts';

/** Leaves split past either bound. 8 KB keeps the copy that a write makes in the low microseconds. */
export const LEAF_ROWS_MAX = 256;
export const LEAF_BYTES_MAX = 8192;
export const INNER_FANOUT_MAX = 128;
/** Scans read groups of 2^6 children of an inner node as one: see `gathered.ts`. */
export const GROUP_SHIFT = 6;

export type Node = Leaf | Inner;

/** The bytes of a leaf's page, and its columns. */
export interface LeafBytes {
  readonly bytes: Uint8Array;
  column(at: number): Vec;
  /** Text keys, all or one, and their positions in the bytes. */
  keys(): string[];
  key(i: number): string;
  hasKey(i: number, key: string): boolean;
  /** First of keys [from, to) that is not below `key`. */
  firstAtLeast(from: number, to: number, key: string): number;
  keyBytes(): Uint8Array;
}

export class Leaf {
  readonly isLeaf = true as const;
  readonly height = 0 as const;
  id = 0;
  edit: number;
  hash: Uint8Array | null = null;
  /** Set by the cache's clock. */
  used = false;
  count = 0;
  numeric: boolean;
  nkeys: Float64Array;
  /** null: not decoded from `#keyPage` yet. */
  #skeys: string[] | null = [];
  /** Page with the encoded text keys. */
  #keyPage: LeafBytes | null = null;
  /** Keys decoded singly so far. */
  #singleKeys = 0;
  /** False while another leaf may share the array of keys: most copies change cells only. */
  #ownKeys = true;
  /** Never changed in place, so that leaves with the same columns share it. */
  colIds: readonly number[] = [];
  /** null: not decoded from `#page` yet. */
  #cols: (Vec | null)[] = [];
  /** Whether some column is not decoded. */
  #lacks = false;
  #page: LeafBytes | null = null;
  /** Estimate of the encoded size, for splitting. */
  bytes = 16;
  /** Bytes charged to the cache for it. */
  charge = 0;

  /** `nkeys`: the keys of a numeric leaf, if decoded. */
  constructor(numeric: boolean, edit: number, nkeys: Float64Array = numeric ? new Float64Array(8) : EMPTY_KEYS) {
    this.numeric = numeric;
    this.edit = edit;
    this.nkeys = nkeys;
  }

  /** A leaf backed by a page; columns and text keys (`nkeys` null) are decoded on first use. */
  static ofPage(nkeys: Float64Array | null, count: number, colIds: readonly number[], page: LeafBytes, edit: number): Leaf {
    const leaf = nkeys === null ? new Leaf(false, edit) : new Leaf(true, edit, nkeys);
    if (nkeys === null) {
      leaf.#skeys = null;
      leaf.#keyPage = page;
    }
    leaf.#ownKeys = false;
    leaf.count = count;
    leaf.colIds = colIds;
    leaf.#cols = colIds.map(() => null);
    leaf.#lacks = true;
    leaf.#page = page;
    leaf.bytes = page.bytes.length;
    return leaf;
  }

  /** Backs the leaf by a page that encodes all of it; columns become views. `nkeys`: null for text keys, which stay strings if they are. */
  backBy(nkeys: Float64Array | null, page: LeafBytes): void {
    if (nkeys !== null) this.nkeys = nkeys;
    else this.#keyPage = page;
    this.#ownKeys = false;
    this.#page = page;
  }

  get skeys(): string[] {
    return (this.#skeys ??= this.#keyPage!.keys());
  }

  set skeys(keys: string[]) {
    this.#skeys = keys;
    this.#keyPage = null;
  }

  /** Text keys, all or one, for a single read: not cached. */
  passingKeys(): readonly string[] {
    return this.#skeys ?? this.#keyPage!.keys();
  }

  passingKey(i: number): string {
    return this.#skeys === null ? this.#keyPage!.key(i) : this.#skeys[i];
  }

  /** Whether text keys are decoded. */
  get hasStringKeys(): boolean {
    return this.#skeys !== null;
  }

  /** Encoded text keys; null if there are only strings. */
  get keyBytes(): Uint8Array | null {
    return this.#keyPage === null ? null : this.#keyPage.keyBytes();
  }

  get cols(): Vec[] {
    if (this.#lacks) {
      for (let c = 0; c < this.#cols.length; c++) this.#column(c);
      this.#lacks = false;
    }
    return this.#cols as Vec[];
  }

  set cols(cols: Vec[]) {
    this.#cols = cols;
    this.#lacks = false;
    this.#page = null;
  }

  /** The columns for reading a row or two: not cached. */
  passing(): readonly Vec[] {
    return this.#lacks ? this.#cols.map((vec, at) => vec ?? this.#page!.column(at)) : (this.#cols as Vec[]);
  }

  #column(at: number): Vec {
    return (this.#cols[at] ??= this.#page!.column(at));
  }

  /** Decodes everything, because the page is about to be outdated. */
  #leavePage(): void {
    if (this.#page === null) return;
    void this.cols;
    this.#page = null;
  }

  /** The page, if one encodes all of the leaf. */
  get page(): LeafBytes | null {
    return this.#page;
  }

  /** Memory of the leaf: its objects and columns, and decoded texts in addition to their bytes. */
  get held(): number {
    let held = LEAF_OBJECT_BYTES + this.bytes;
    if (!this.numeric && this.#skeys !== null) held += STRING_BYTES * this.count;
    const cols = this.#cols;
    for (let c = 0; c < cols.length; c++) {
      const vec = cols[c];
      if (vec === null) continue;
      held += VEC_OBJECT_BYTES;
      if (vec.hasStrings) held += STRING_BYTES * this.count + this.bytes / cols.length;
      else held += vec.fewBytes;
    }
    return held;
  }

  key(i: number): Key {
    if (this.numeric) return this.nkeys[i];
    if (this.#skeys !== null) return this.#skeys[i];
    return ++this.#singleKeys > SINGLE_KEYS_MAX ? this.skeys[i] : this.#keyPage!.key(i);
  }

  #hasKey(i: number, key: Key): boolean {
    if (this.numeric) return this.nkeys[i] === key;
    return this.#skeys === null ? this.#keyPage!.hasKey(i, key as string) : this.#skeys[i] === key;
  }

  /** First index whose key is not below `key`; all before `from` are below it. */
  lowerBound(key: Key, from = 0): number {
    let lo = from;
    let hi = this.count;
    if (lo >= hi) return hi;
    if (this.numeric) {
      const keys = this.nkeys;
      const k = key as number;
      // Keys assigned in sequence have few gaps: check the interpolated position before searching.
      const near = k - keys[0];
      if (near < hi && keys[near] === k) return near;
      if (keys[hi - 1] < k) return hi;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (keys[mid] < k) lo = mid + 1;
        else hi = mid;
      }
    } else {
      const keys = this.#skeys;
      const k = key as string;
      if (keys === null) return this.#keyPage!.firstAtLeast(lo, hi, k);
      if (keys[hi - 1] < k) return hi;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (keys[mid] < k) lo = mid + 1;
        else hi = mid;
      }
    }
    return lo;
  }

  /** Index of the key, or -1; all before `from` are below it. */
  find(key: Key, from = 0): number {
    const i = this.lowerBound(key, from);
    return i < this.count && this.#hasKey(i, key) ? i : -1;
  }

  /** The column's vec, or null if no row of this leaf has it. */
  col(id: number): Vec | null {
    const at = this.colIds.indexOf(id);
    return at < 0 ? null : this.#column(at);
  }

  cell(i: number, id: number): Datum {
    const at = this.colIds.indexOf(id);
    return at < 0 ? undefined : this.#column(at).get(i);
  }

  /** A copy owned by `edit`; vecs stay shared until written. */
  copy(edit: number): Leaf {
    const copy = new Leaf(this.numeric, edit, this.nkeys);
    copy.count = this.count;
    copy.#skeys = this.#skeys;
    copy.#keyPage = this.#keyPage;
    copy.#ownKeys = false;
    this.#ownKeys = false;
    copy.colIds = this.colIds;
    copy.#cols = this.cols.slice();
    copy.#page = this.#page;
    copy.bytes = this.bytes;
    return copy;
  }

  #keysToChange(): void {
    this.#leavePage();
    if (this.#ownKeys) return;
    if (this.numeric) this.nkeys = this.nkeys.slice();
    else this.skeys = this.#skeys === null ? this.#keyPage!.keys() : this.#skeys.slice();
    this.#ownKeys = true;
  }

  slice(from: number, to: number, edit: number): Leaf {
    const part = new Leaf(this.numeric, edit);
    part.count = to - from;
    if (this.numeric) {
      part.nkeys = new Float64Array(roomFor(to - from));
      part.nkeys.set(this.nkeys.subarray(from, to));
    } else part.skeys = this.skeys.slice(from, to);
    part.colIds = this.colIds;
    part.cols = this.cols.map((vec) => vec.slice(from, to, edit));
    part.bytes = part.measure();
    return part;
  }

  /** A read-only leaf with these columns of the row at `i`. */
  single(i: number, edit: number, ids: readonly number[] = this.colIds): Leaf {
    const row = new Leaf(this.numeric, edit, this.numeric ? new Float64Array(1) : EMPTY_KEYS);
    row.count = 1;
    if (this.numeric) row.nkeys[0] = this.nkeys[i];
    else row.skeys = [this.key(i) as string];
    row.colIds = ids;
    for (let c = 0; c < ids.length; c++) {
      const at = this.colIds.indexOf(ids[c]);
      if (at >= 0) row.cols.push(this.#column(at).single(i, edit));
      else row.colIds = row.colIds.filter((id) => id !== ids[c]);
    }
    return row;
  }

  measure(): number {
    let bytes = 16;
    for (let i = 0; i < this.count; i++) bytes += this.rowBytes(i);
    return bytes;
  }

  rowBytes(i: number): number {
    let bytes = this.numeric ? 8 : 4 + this.skeys[i].length;
    for (let c = 0; c < this.cols.length; c++) bytes += this.cols[c].cellBytes(i);
    return bytes;
  }

  /** The vec at `at`, owned by `edit` and of the wanted kind; converts values if the kind changes. */
  ownCol(at: number, kind: Kind, edit: number): Vec {
    this.#leavePage();
    const { cols } = this;
    let vec = cols[at];
    if (vec.kind !== kind) {
      const wide = convertVec(vec, this.count, kind, edit);
      cols[at] = wide;
      return wide;
    }
    if (vec.edit !== edit) {
      vec = vec.slice(0, this.count, edit);
      cols[at] = vec;
    }
    return vec;
  }

  #columnIndex(id: number, kind: Kind): number {
    const at = this.colIds.indexOf(id);
    if (at >= 0) return at;
    this.colIds = [...this.colIds, id];
    this.cols = [...this.cols, Vec.absent(kind, this.count, this.edit)];
    return this.cols.length - 1;
  }

  /** Inserts or replaces the whole row. The leaf must be owned. */
  upsert(key: Key, shape: Shape, values: Datum[]): void {
    const i = this.lowerBound(key);
    const exists = i < this.count && this.key(i) === key;
    if (exists) {
      this.bytes -= this.rowBytes(i);
      for (let c = 0; c < this.cols.length; c++) {
        if (!shape.ids.includes(this.colIds[c]) && this.cols[c].tag(i) !== 2) {
          this.ownCol(c, this.cols[c].kind, this.edit).set(i, undefined);
        }
      }
    } else {
      this.#keysToChange();
      if (this.numeric) {
        if (this.count === this.nkeys.length) {
          const grown = new Float64Array((this.count + (this.count >> 1) + 8) & ~7);
          grown.set(this.nkeys);
          this.nkeys = grown;
        }
        this.nkeys.copyWithin(i + 1, i, this.count);
        this.nkeys[i] = key as number;
      } else if (i === this.count) this.skeys.push(key as string);
      else this.skeys.splice(i, 0, key as string);
      for (let c = 0; c < this.cols.length; c++) {
        const { kind } = this.cols[c];
        this.ownCol(c, kind, this.edit).insert(i, this.count, this.count > 0 && kind !== KIND.REF && hasValue(shape, values, this.colIds[c]));
      }
      this.count++;
    }
    this.#setCells(i, shape, values);
    this.bytes += this.rowBytes(i);
  }

  /** Changes some columns of the row at `i`. The leaf must be owned. */
  update(i: number, shape: Shape, values: Datum[]): void {
    this.bytes -= this.#cellsBytes(i, shape);
    this.#setCells(i, shape, values);
    this.bytes += this.#cellsBytes(i, shape);
  }

  #cellsBytes(i: number, { ids }: Shape): number {
    let bytes = 0;
    for (let c = 0; c < ids.length; c++) {
      const at = this.colIds.indexOf(ids[c]);
      if (at >= 0) bytes += this.cols[at].cellBytes(i);
    }
    return bytes;
  }

  #setCells(i: number, shape: Shape, values: Datum[]): void {
    for (let c = 0; c < shape.ids.length; c++) {
      const value = values[c];
      if (value === undefined && this.colIds.indexOf(shape.ids[c]) < 0) continue;
      const at = this.#columnIndex(shape.ids[c], shape.kinds[c]);
      const wanted = value === undefined || value === null ? this.cols[at].kind : shape.kinds[c];
      if (wanted !== this.cols[at].kind && hasNoValue(this.cols[at], this.count)) this.#retype(at, wanted);
      this.ownCol(at, widest(this.cols[at].kind, wanted), this.edit).set(i, adapt(value, wanted, this.cols[at].kind));
    }
  }

  /** Sets rows at `places` to the cells of `source` from `from` on. The leaf must be owned. */
  setColumn(id: number, source: Vec, from: number, places: readonly number[]): void {
    const at = this.colIds.indexOf(id);
    if (at < 0 && places.length === this.count) {
      this.#addColumn(id, source, from);
      return;
    }
    if (at < 0 || this.cols[at].kind !== source.kind) {
      const wide: Shape = { ids: [id], kinds: [source.kind] };
      const plain: Shape = { ids: [id], kinds: [source.kind === KIND.I64 ? KIND.F64 : source.kind] };
      for (let k = 0; k < places.length; k++) {
        const value = source.get(from + k);
        this.update(places[k], typeof value === 'bigint' ? wide : plain, [value]);
      }
      return;
    }
    const vec = this.ownCol(at, source.kind, this.edit);
    for (let k = 0; k < places.length; k++) this.bytes -= vec.cellBytes(places[k]);
    vec.setCells(source, from, places);
    for (let k = 0; k < places.length; k++) this.bytes += vec.cellBytes(places[k]);
  }

  /** Adds a column with the cells of `source` from `from` on. */
  #addColumn(id: number, source: Vec, from: number): void {
    const { count } = this;
    if (isAbsent(source, from, from + count)) return;
    this.#leavePage();
    const vec = source.slice(from, from + count, this.edit);
    this.colIds = [...this.colIds, id];
    this.cols = [...this.cols, vec];
    for (let i = 0; i < count; i++) this.bytes += vec.cellBytes(i);
  }

  /** A column without values takes the kind of its first one; nulls stay nulls. */
  #retype(at: number, kind: Kind): void {
    this.#leavePage();
    const vec = Vec.absent(kind, this.count, this.edit);
    for (let i = 0; i < this.count; i++) vec.set(i, this.cols[at].get(i));
    this.cols[at] = vec;
  }

  removeAt(i: number): void {
    this.bytes -= this.rowBytes(i);
    this.#keysToChange();
    if (this.numeric) this.nkeys.copyWithin(i, i + 1, this.count);
    else this.skeys.splice(i, 1);
    for (let c = 0; c < this.cols.length; c++) this.ownCol(c, this.cols[c].kind, this.edit).remove(i, this.count);
    this.count--;
  }
}

/** Up to this many text keys are decoded singly; each takes as long as three when all are decoded at once. */
const SINGLE_KEYS_MAX = 16;
/** Estimated bytes of a leaf's objects, a column with its arrays, and a string with its array slot. */
const LEAF_OBJECT_BYTES = 600;
const VEC_OBJECT_BYTES = 300;
const STRING_BYTES = 48;
/** An inner node has one hash object per child. */
const INNER_ENTRY_BYTES = 240;

const EMPTY_KEYS = new Float64Array(0);

export class Inner {
  readonly isLeaf = false as const;
  /** 1 directly above the leaves. */
  readonly height: number;
  id = 0;
  edit: number;
  hash: Uint8Array | null = null;
  used = false;
  charge = 0;
  keys: Key[] = [];
  kids: (Node | null)[] = [];
  ids: number[] = [];
  counts: number[] = [];
  hashes: (Uint8Array | null)[] = [];
  /** For a node right above leaves: the gathered groups of its children; true if one was scanned once. */
  groups: (Group | true | null)[] = [];
  /** Clean children read through this node, a cache of the pager; valid if the id matches. */
  near: (Node | null)[] | null = null;
  /** Lazy children, by their negative ids. */
  later: Map<number, LaterLeaf> | null = null;

  constructor(height: number, edit: number) {
    this.height = height;
    this.edit = edit;
  }

  /** The page to read child `i` from; 0 if it is only in memory. */
  pageId(i: number): number {
    const id = this.ids[i];
    return id < 0 ? this.later!.get(id)!.page : id;
  }

  /** Children from `i` on, or only that one, are about to change. */
  ungroup(i: number, alone: boolean): void {
    if (this.groups.length === 0) return;
    const at = i >> GROUP_SHIFT;
    if (!alone) this.groups.length = Math.min(this.groups.length, at);
    else if (at < this.groups.length) this.groups[at] = null;
  }

  get count(): number {
    let rows = 0;
    for (let i = 0; i < this.counts.length; i++) rows += this.counts[i];
    return rows;
  }

  get bytes(): number {
    return 16 + this.keys.length * 72;
  }

  get held(): number {
    return this.keys.length * INNER_ENTRY_BYTES;
  }

  /** Index of the child whose range contains the key. */
  childIndex(key: Key): number {
    const keys = this.keys;
    let lo = 1;
    let hi = keys.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (keys[mid] <= key) lo = mid + 1;
      else hi = mid;
    }
    return lo - 1;
  }

  copy(edit: number): Inner {
    const copy = new Inner(this.height, edit);
    copy.keys = this.keys.slice();
    copy.kids = this.kids.slice();
    copy.ids = this.ids.slice();
    copy.counts = this.counts.slice();
    copy.hashes = this.hashes.slice();
    copy.groups = this.groups.slice();
    if (this.later !== null) copy.later = new Map(this.later);
    return copy;
  }

  slice(from: number, to: number, edit: number): Inner {
    const part = new Inner(this.height, edit);
    part.keys = this.keys.slice(from, to);
    part.kids = this.kids.slice(from, to);
    part.ids = this.ids.slice(from, to);
    part.counts = this.counts.slice(from, to);
    part.hashes = this.hashes.slice(from, to);
    part.later = this.later;
    return part;
  }
}

export function cellBytes(kind: Kind, value: Datum): number {
  if (value === null || value === undefined) return 1;
  if (kind === KIND.REF) return 41;
  return typeof value === 'string' ? 5 + value.length : 9;
}

/** The kind that can hold values of both: JSON text holds all, F64 holds I32, I64 holds the whole numbers of both. */
export function widest(a: Kind, b: Kind): Kind {
  if (a === b) return a;
  const narrow = a < b ? a : b;
  const wide = a < b ? b : a;
  // A column with cells beyond 2^53 has whole numbers only: see Vec.set for the infinities of timestamps.
  return narrow >= KIND.I32 && wide <= KIND.I64 ? wide : KIND.JSON;
}

/** Converts a value of kind `from` to a cell of kind `to`. */
export function adapt(value: Datum, from: Kind, to: Kind): Datum {
  if (value === null || value === undefined || from === to || to !== KIND.JSON) return value;
  // JSON has no number that is none: it is a text, as of Postgres's to_json.
  return from === KIND.TEXT || (typeof value === 'number' && !Number.isFinite(value)) ? JSON.stringify(String(value)) : String(value);
}

function hasValue({ ids }: Shape, values: readonly Datum[], id: number): boolean {
  const at = ids.indexOf(id);
  return at >= 0 && values[at] !== null && values[at] !== undefined;
}

export function hasNoValue(vec: Vec, count: number): boolean {
  if (vec.tags === null) return count === 0;
  for (let i = 0; i < count; i++) if (vec.tags[i] === 0) return false;
  return true;
}

/** Whether rows [from, to) do not have the column. */
function isAbsent({ tags }: Vec, from: number, to: number): boolean {
  if (tags === null) return from === to;
  for (let i = from; i < to; i++) if (tags[i] !== TAG.ABSENT) return false;
  return true;
}

/**
 * The cells in a form for readers of `kind`: a column of JSON that became one after the leaf was written, or that is none any more since a merge
 * was undone, is converted. Others are given back as they are.
 */
export function cellsAs(vec: Vec | null, count: number, kind: Kind): Vec | null {
  if (vec === null || (vec.kind === KIND.JSON) === (kind === KIND.JSON)) return vec;
  if (kind === KIND.JSON) return convertVec(vec, count, kind, 0);
  const out = Vec.absent(kind, count, 0);
  for (let i = 0; i < count; i++) out.set(i, cellAs(vec.get(i), vec.kind, kind));
  return out;
}

/** One cell of `cellsAs`. */
export function cellAs(value: Datum, from: Kind, kind: Kind): Datum {
  if (value === null || value === undefined || (from === KIND.JSON) === (kind === KIND.JSON)) return value;
  return kind === KIND.JSON ? adapt(value, from, kind) : (JSON.parse(value as string) as Datum);
}

function convertVec(vec: Vec, count: number, kind: Kind, edit: number): Vec {
  const wide = Vec.absent(kind, count, edit);
  for (let i = 0; i < count; i++) wide.set(i, adapt(vec.get(i), vec.kind, kind));
  return wide;
}
