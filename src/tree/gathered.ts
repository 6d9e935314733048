/**
 * Sibling leaves under one inner node, gathered into one set of columns that repeated scans read in place of the leaves. A
 * leaf has some fifty to two hundred rows, and moving to the next costs as much as forty rows of a plain loop; a group has
 * some thousands.
 *
 * Built from leaves and immutable; code that changes children of an inner node drops their groups (`Inner.ungroup`). Columns
 * are built on first use; the pager counts their bytes and evicts groups not read for a while.
 */
import { KIND, TAG, type Kind } from './datum.ts';
import { decimalsOf, readDecimals, type Decimals } from './decimals.ts';
import { hasNoValue, type Inner, type Leaf } from './node.ts';
import type { Pager } from './pager.ts';
import { Vec } from './vec.ts';
import { Zone } from './zone.ts';

/** Columns of consecutive rows, as scans read them. */
export interface Columns {
  readonly count: number;
  readonly nkeys: Float64Array;
  readonly skeys: string[];
  /** Text keys, all or one, for a single read: they are not cached. */
  passingKeys?(): readonly string[];
  passingKey?(i: number): string;
  /** Null if no row has the column. */
  col(id: number): Vec | null;
  /** A text column of decimals, cached in parsed form; tags are null if all rows have a value. */
  decimals?(id: number): GroupDecimals | null;
}

export interface GroupDecimals extends Decimals {
  tags: Uint8Array | null;
  /** Some cell is absent. */
  absent: boolean;
}

/** Bytes of a decimal: a coefficient and two scales. */
const DECIMAL_BYTES = 12;

/** Bytes of a text besides its characters, which leaf and group share. */
const TEXT_BYTES = 8;

export class Group {
  readonly count: number;
  /** Set by readers, for the pager's clock. */
  used = true;
  bytes = 0;
  /** Of these, the bytes counted by the pager. */
  counted = 0;
  /** Undefined: the leaves have no common representation. */
  #vecs = new Map<number, Vec | null | undefined>();
  #decimals = new Map<number, GroupDecimals | null>();
  #nkeys: Float64Array | null = null;
  #skeys: string[] | null = null;
  /** Small, so they are kept when the columns are evicted. */
  readonly #zones = new Map<number, Zone>();

  constructor(count: number) {
    this.count = count;
  }

  vec(id: number, leaves: () => readonly Leaf[]): Vec | null | undefined {
    let vec = this.#vecs.get(id);
    if (vec === undefined && !this.#vecs.has(id)) {
      vec = gatherColumn(leaves(), id, this.count);
      this.#vecs.set(id, vec);
      if (vec) this.bytes += this.count * (vec.kind === KIND.F64 || vec.kind >= KIND.TEXT ? TEXT_BYTES : 4) + (vec.tags === null ? 0 : this.count);
    }
    return vec;
  }

  /** Null if the leaves hold other values than texts. */
  decimals(id: number, leaves: () => readonly Leaf[]): GroupDecimals | null {
    let decimals = this.#decimals.get(id);
    if (decimals === undefined) {
      decimals = gatherDecimals(leaves(), id, this.count);
      this.#decimals.set(id, decimals);
      if (decimals !== null) this.bytes += this.count * (DECIMAL_BYTES + (decimals.wide ? TEXT_BYTES : 0) + (decimals.tags === null ? 0 : 1));
    }
    return decimals;
  }

  zone(id: number, leaves: () => readonly Leaf[]): Zone {
    let zone = this.#zones.get(id);
    if (zone === undefined) {
      zone = new Zone();
      for (const leaf of leaves()) zone.add(leaf.col(id), leaf.count);
      this.#zones.set(id, zone);
    }
    return zone;
  }

  /** The zone of a column, if already computed. */
  knownZone(id: number): Zone | null {
    return this.#zones.get(id) ?? null;
  }

  /** Evicts its columns: they are rebuilt on the next read. */
  clear(): void {
    this.#vecs = new Map();
    this.#decimals = new Map();
    this.#nkeys = null;
    this.#skeys = null;
    this.bytes = 0;
    this.counted = 0;
  }

  numberKeys(leaves: () => readonly Leaf[]): Float64Array {
    if (this.#nkeys === null) {
      this.#nkeys = new Float64Array(this.count);
      let at = 0;
      for (const leaf of leaves()) {
        this.#nkeys.set(leaf.nkeys.subarray(0, leaf.count), at);
        at += leaf.count;
      }
      this.bytes += 8 * this.count;
    }
    return this.#nkeys;
  }

  textKeys(leaves: () => readonly Leaf[]): string[] {
    if (this.#skeys === null) {
      this.#skeys = [];
      for (const leaf of leaves()) {
        const keys = leaf.passingKeys();
        for (let i = 0; i < leaf.count; i++) this.#skeys.push(keys[i]);
      }
      this.bytes += TEXT_BYTES * this.count;
    }
    return this.#skeys;
  }
}

/** A group during one scan, with access to its leaves. */
export class GroupView implements Columns {
  readonly count: number;
  readonly #pager: Pager;
  readonly #inner: Inner;
  readonly #group: Group;
  readonly #numeric: boolean;
  readonly #from: number;
  readonly #to: number;
  #leaves: Leaf[] | null = null;

  constructor(pager: Pager, inner: Inner, group: Group, from: number, to: number) {
    this.count = group.count;
    this.#pager = pager;
    this.#inner = inner;
    this.#group = group;
    this.#numeric = typeof inner.keys[1] === 'number';
    this.#from = from;
    this.#to = to;
  }

  /** Builds missing columns; false if one cannot be built. */
  has(ids: readonly number[], decimals: readonly number[], keys: boolean): boolean {
    let all = true;
    for (let i = 0; i < ids.length && all; i++) all = this.#group.vec(ids[i], this.#load) !== undefined;
    for (let i = 0; i < decimals.length && all; i++) all = this.#group.decimals(decimals[i], this.#load) !== null;
    if (all && keys) {
      if (this.#numeric) this.#group.numberKeys(this.#load);
      else this.#group.textKeys(this.#load);
    }
    if (this.#group.bytes !== this.#group.counted) this.#pager.countGroup(this.#group);
    this.#group.used = true;
    this.#leaves = null;
    return all;
  }

  zone(id: number): Zone {
    return this.#group.zone(id, this.#load);
  }

  col(id: number): Vec | null {
    return this.#group.vec(id, this.#load) ?? null;
  }

  decimals(id: number): GroupDecimals | null {
    return this.#group.decimals(id, this.#load);
  }

  get nkeys(): Float64Array {
    return this.#group.numberKeys(this.#load);
  }

  get skeys(): string[] {
    return this.#group.textKeys(this.#load);
  }

  readonly #load = (): readonly Leaf[] => {
    if (this.#leaves === null) {
      const missing: number[] = [];
      for (let i = this.#from; i < this.#to; i++) if (this.#inner.kids[i] === null) missing.push(this.#inner.pageId(i));
      this.#pager.prefetch(missing);
      this.#leaves = [];
      for (let i = this.#from; i < this.#to; i++) this.#leaves.push(this.#pager.kid(this.#inner, i) as Leaf);
    }
    return this.#leaves;
  };
}

/** The column of all leaves; undefined if they have no common representation. */
function gatherColumn(leaves: readonly Leaf[], id: number, count: number): Vec | null | undefined {
  let kind: Kind | null = null;
  let mixed = false;
  let tagged = false;
  for (const leaf of leaves) {
    const vec = leaf.col(id);
    if (vec === null || vec.tags !== null) tagged = true;
    // A column without values fits any representation.
    if (vec === null || hasNoValue(vec, leaf.count)) continue;
    if (kind !== null && kind !== vec.kind) {
      if (!isNumber(kind) || !isNumber(vec.kind)) return undefined;
      mixed = true;
    }
    kind = kind === null || vec.kind > kind ? vec.kind : kind;
  }
  if (kind === KIND.REF) return undefined;
  if (kind === null) {
    if (leaves.every((leaf) => leaf.col(id) === null)) return null;
    kind = KIND.TEXT;
  }
  // Most wide columns have few wide numbers: read as doubles, as for a leaf.
  if (kind === KIND.I64 || mixed) {
    if (leaves.every((leaf) => isSafe(leaf.col(id), leaf.count))) kind = KIND.F64;
    else if (mixed) return undefined;
  }
  const out = kind >= KIND.TEXT ? Vec.ofStrings(kind, new Array<string>(count).fill(''), null, 0) : Vec.room(kind, count, 0);
  const tags = tagged ? new Uint8Array(count) : null;
  let at = 0;
  let plain = true;
  for (const leaf of leaves) {
    const vec = leaf.col(id);
    const rows = leaf.count;
    if (vec === null) {
      tags!.fill(TAG.ABSENT, at, at + rows);
      plain = false;
    } else {
      if (vec.tags !== null) {
        for (let i = 0; i < rows; i++) {
          if (vec.tags[i] === TAG.VALUE) continue;
          tags![at + i] = vec.tags[i];
          plain = false;
        }
      }
      if (!hasNoValue(vec, rows)) copyCells(vec, rows, out, at);
    }
    at += rows;
  }
  out.tags = plain ? null : tags;
  return out;
}

function gatherDecimals(leaves: readonly Leaf[], id: number, count: number): GroupDecimals | null {
  const out: GroupDecimals = { ...decimalsOf(count), tags: null, absent: false };
  let at = 0;
  for (const leaf of leaves) {
    const vec = leaf.col(id);
    const rows = leaf.count;
    if (vec === null || hasNoValue(vec, rows)) {
      out.tags ??= new Uint8Array(count);
      for (let i = 0; i < rows; i++) out.tags[at + i] = vec === null ? TAG.ABSENT : vec.tag(i);
    } else if (vec.kind !== KIND.TEXT) return null;
    else {
      readDecimals(vec, rows, out, at);
      if (vec.tags !== null) {
        out.tags ??= new Uint8Array(count);
        for (let i = 0; i < rows; i++) out.tags[at + i] = vec.tags[i];
      }
    }
    at += rows;
  }
  if (out.tags !== null) out.absent = out.tags.includes(TAG.ABSENT);
  return out;
}

function isNumber(kind: Kind): boolean {
  return kind === KIND.I32 || kind === KIND.F64 || kind === KIND.I64;
}

function copyCells(vec: Vec, rows: number, out: Vec, at: number): void {
  if (out.kind >= KIND.TEXT) {
    const from = vec.strings();
    const into = out.strings();
    for (let i = 0; i < rows; i++) into[at + i] = from[i];
  } else if (out.kind === KIND.F64) {
    const into = out.f64;
    if (vec.kind === KIND.F64) into.set(vec.f64.subarray(0, rows), at);
    else if (vec.kind === KIND.I64) for (let i = 0; i < rows; i++) into[at + i] = Number(vec.big[i]);
    else for (let i = 0; i < rows; i++) into[at + i] = vec.i32[i];
  } else if (out.kind === KIND.I64) out.big.set(vec.big.subarray(0, rows), at);
  else out.i32.set(vec.i32.subarray(0, rows), at);
}

function isSafe(vec: Vec | null, count: number): boolean {
  if (vec === null || vec.kind !== KIND.I64) return true;
  const halves = new Int32Array(vec.big.buffer, vec.big.byteOffset, vec.big.length * 2);
  for (let i = 0; i < count; i++) {
    const high = halves[2 * i + 1];
    if (high >= 2097152 || high < -2097152) return false;
  }
  return true;
}
