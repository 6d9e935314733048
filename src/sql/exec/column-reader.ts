/**
 * One column of a scan's leaves, in one form for any representation in the leaf: generated code reads `values[i]` and `tags[i]` (0:
 * a value). A leaf without the column, or with absent cells, shows the column's `missing` value. Each reader keeps one kind of
 * array, so that the loop over it stays monomorphic; only whole numbers past 2^53 change it, and then `wide` selects the other copy
 * of the loop.
 */
import { type Datum, KIND, type Kind, TAG } from '../../tree/datum.ts';
import { decimalsOf, put, readDecimals, type Decimals } from '../../tree/decimals.ts';
import type { Columns } from '../../tree/gathered.ts';
import { cellsAs } from '../../tree/node.ts';
import type { Coded, Vec } from '../../tree/vec.ts';
import { keyText } from '../../worlds/catalog.ts';
import type { SqlColumn, Storage } from '../schema/table.ts';
import { Numeric } from '../types/numeric.ts';
import { whole } from '../types/value.ts';
import { OID } from '../schema/oids.ts';
import type { Rep } from './operand.ts';

/** Leaves split past 256 rows; one that is being built may have a few more. */
const ROWS = 512;

/** The maximum of a group of leaves. */
const ROWS_MAX = 16384;
const NO_TAGS = new Uint8Array(ROWS_MAX);
const NO_WISHES: ReaderWishes = { codes: false };
/** The codes if each row has a text of its own. */
const EACH = new Uint16Array(ROWS_MAX);
for (let i = 0; i < ROWS_MAX; i++) EACH[i] = i;
const ALL_NULL = new Uint8Array(ROWS_MAX).fill(TAG.NULL);

function flat(tags: Uint8Array, count: number): Uint8Array {
  return count <= tags.length ? tags : new Uint8Array(count).fill(tags[0]);
}

export interface ColumnReader {
  read(leaf: Columns): void;
  /** The same for the single row `at`: the other rows are not read. */
  readRow(leaf: Columns, at: number): void;
  readonly wide: boolean;
}

/** Properties of a reader for the compiler. */
export interface ReaderForm {
  readonly rep: Rep;
  readonly scale: number;
  readonly nullable: boolean;
  /** Cells are datums that `storage.decode` converts. */
  readonly decoded: boolean;
  /** It can number the distinct texts of a leaf. */
  readonly coded: boolean;
  make(wishes: ReaderWishes): ColumnReader;
  /** Numerics that are stored as texts, read as coefficients and scales. */
  readonly decimals?: () => ColumnReader;
}

/** What the code needs of a reader besides the values. */
export interface ReaderWishes {
  codes: boolean;
}

export function readerForm(column: SqlColumn): ReaderForm {
  const { storage, type } = column;
  const missing: Datum = column.missing === null ? null : storage.encode(column.missing);
  const nullable = !column.notNull;
  const shape = (rep: Rep, scale: number, decoded: boolean, make: (wishes: ReaderWishes) => ColumnReader, coded = false): ReaderForm => ({
    rep,
    scale,
    nullable,
    decoded,
    coded,
    make,
  });
  const id = column.number;
  if (isDecimalText(column)) {
    const form = shape(type.repr, 0, true, () => new TextReader(id, missing, storage.kind, true, NO_WISHES));
    return { ...form, decimals: () => new DecimalReader(id, (column.missing as Numeric | null) ?? null) };
  }
  if (storage.form === 'parsed')
    return shape(
      type.repr,
      0,
      true,
      () => new TextReader(id, missing, storage.kind, storage.kind === KIND.BIN || storage.kind === KIND.TEXT || storage.kind === KIND.JSON, NO_WISHES),
    );
  switch (storage.kind) {
    case KIND.I32:
    case KIND.BOOL:
      if (storage.form === 'decimal') return shape('scaled', storage.scale, false, () => new SmallReader(id, missing));
      return shape(type.repr, 0, false, () => new SmallReader(id, missing));
    case KIND.F64:
    case KIND.I64:
      if (storage.form === 'decimal') return shape('scaled', storage.scale, false, () => new NumberReader(id, missing, storage));
      return shape(type.repr, 0, false, () => new NumberReader(id, missing, storage));
    default:
      return shape(type.repr, 0, false, (wishes) => new TextReader(id, missing, storage.kind, true, wishes), true);
  }
}

/** A numeric column without a fixed scale. */
export function isDecimalText({ storage, type }: SqlColumn): boolean {
  return storage.form === 'parsed' && storage.kind === KIND.TEXT && (type.domain === null ? type : type.domain.root).oid === OID.numeric;
}

/** Tags of a column in the form for generated code. */
function tagsOf(vec: Vec, count: number): Uint8Array {
  return vec.tags ?? flat(NO_TAGS, count);
}

/** Whether the cell is absent and has a default. */
function lacksAt(vec: Vec, at: number, missing: Datum): boolean {
  return missing !== null && missing !== undefined && vec.tag(at) === TAG.ABSENT;
}

/** Whether cells with a default are absent. */
function lacks(vec: Vec, count: number, missing: Datum): boolean {
  if (vec.tags === null || missing === null || missing === undefined) return false;
  for (let i = 0; i < count; i++) if (vec.tags[i] === TAG.ABSENT) return true;
  return false;
}

/** Creating typed arrays takes longer than reading a row: readers start with these. */
const NO_INT32 = new Int32Array(0);
const NO_FLOAT64 = new Float64Array(0);
/** Initial capacity of a reader of single rows. */
const ROW_FEW = 64;

class SmallReader implements ColumnReader {
  readonly wide = false;
  values: Int32Array = NO_INT32;
  tags: Uint8Array = NO_TAGS;
  readonly #id: number;
  readonly #missing: Datum;
  #scratch: Int32Array = NO_INT32;

  constructor(id: number, missing: Datum) {
    this.#id = id;
    this.#missing = missing;
  }

  readRow(leaf: Columns, at: number): void {
    const vec = leaf.col(this.#id);
    if (vec === null || (vec.kind !== KIND.I32 && vec.kind !== KIND.BOOL) || lacksAt(vec, at, this.#missing)) return this.read(leaf);
    this.values = vec.i32;
    this.tags = tagsOf(vec, leaf.count);
  }

  read(leaf: Columns): void {
    const count = leaf.count;
    const vec = cellsAs(leaf.col(this.#id), count, KIND.I32);
    if (vec !== null && (vec.kind === KIND.I32 || vec.kind === KIND.BOOL) && !lacks(vec, count, this.#missing)) {
      this.values = vec.i32;
      this.tags = tagsOf(vec, count);
      return;
    }
    if (this.#scratch.length < count) this.#scratch = new Int32Array(Math.max(ROWS, count));
    this.values = this.#scratch;
    if (vec === null) {
      this.tags = flat(this.#missing === null ? ALL_NULL : NO_TAGS, count);
      this.values.fill(Number(this.#missing), 0, count);
      return;
    }
    const tags = new Uint8Array(count);
    this.tags = tags;
    for (let i = 0; i < count; i++) {
      const datum = vec.get(i);
      const value = datum === undefined ? this.#missing : datum;
      if (value === null) tags[i] = TAG.NULL;
      else this.values[i] = Number(value);
    }
  }
}

class NumberReader implements ColumnReader {
  wide = false;
  /** An array of numbers and bigints if `wide`. */
  values: Float64Array = NO_FLOAT64;
  tags: Uint8Array = NO_TAGS;
  readonly #id: number;
  readonly #missing: Datum;
  readonly #storage: Storage;
  #scratch: Float64Array = NO_FLOAT64;

  constructor(id: number, missing: Datum, storage: Storage) {
    this.#id = id;
    this.#missing = missing;
    this.#storage = storage;
  }

  readRow(leaf: Columns, at: number): void {
    const vec = leaf.col(this.#id);
    if (vec === null || lacksAt(vec, at, this.#missing)) return this.read(leaf);
    const { kind } = vec;
    if (kind === KIND.F64) this.values = vec.f64;
    else if (kind === KIND.I64 || kind === KIND.I32) {
      const value = kind === KIND.I32 ? vec.i32[at] : Number(vec.big[at]);
      if (!Number.isSafeInteger(value)) return this.read(leaf);
      if (this.#scratch.length <= at) this.#scratch = new Float64Array(at < ROW_FEW ? ROW_FEW : Math.max(ROWS, leaf.count));
      this.values = this.#scratch;
      this.values[at] = value;
    } else return this.read(leaf);
    this.wide = false;
    this.tags = tagsOf(vec, leaf.count);
  }

  read(leaf: Columns): void {
    const count = leaf.count;
    const vec = cellsAs(leaf.col(this.#id), count, KIND.F64);
    this.wide = false;
    if (vec !== null && vec.kind === KIND.F64 && !lacks(vec, count, this.#missing)) {
      this.values = vec.f64;
      this.tags = tagsOf(vec, count);
      return;
    }
    if (this.#scratch.length < count) this.#scratch = new Float64Array(Math.max(ROWS, count));
    const scratch = this.#scratch;
    this.values = scratch;
    if (vec !== null && !lacks(vec, count, this.#missing)) {
      if (vec.kind === KIND.I32) {
        for (let i = 0; i < count; i++) scratch[i] = vec.i32[i];
        this.tags = tagsOf(vec, count);
        return;
      }
      if (vec.kind === KIND.I64 && this.#narrow(vec.big, count)) {
        this.tags = tagsOf(vec, count);
        return;
      }
    }
    if (vec === null && typeof this.#missing !== 'bigint') {
      this.tags = flat(this.#missing === null ? ALL_NULL : NO_TAGS, count);
      scratch.fill(Number(this.#missing), 0, count);
      return;
    }
    const tags = new Uint8Array(count);
    const values: (number | bigint)[] = [];
    for (let i = 0; i < count; i++) {
      const datum = vec === null ? undefined : vec.get(i);
      const value = datum === undefined ? this.#missing : datum;
      if (value === null) tags[i] = TAG.NULL;
      values.push(value === null ? 0 : this.#numberOf(value));
    }
    this.tags = tags;
    this.wide = true;
    this.values = values as unknown as Float64Array;
  }

  /** A bigint may be an infinity: the storage knows. */
  #numberOf(datum: Datum): number | bigint {
    if (typeof datum === 'number') return datum;
    const value = this.#storage.decode(typeof datum === 'string' ? (/^-?\d+$/.test(datum) ? whole(BigInt(datum)) : Number(datum)) : datum);
    return value instanceof Numeric ? value.coefficient : (value as number | bigint);
  }

  /** Fills the buffer from 64-bit integers by halves; false if one is outside ±(2^53-1). */
  #narrow(big: BigInt64Array, count: number): boolean {
    const halves = new Int32Array(big.buffer, big.byteOffset, big.length * 2);
    const scratch = this.#scratch;
    for (let i = 0; i < count; i++) {
      const high = halves[2 * i + 1];
      if (high >= 2097152 || high < -2097152) return false;
      scratch[i] = high * 4294967296 + (halves[2 * i] >>> 0);
    }
    return true;
  }
}

class TextReader implements ColumnReader {
  readonly wide = false;
  values: readonly string[] = [];
  tags: Uint8Array = NO_TAGS;
  /** If requested: `texts[codes[i]]` is the text of row `i`. */
  codes: Uint16Array = EACH;
  texts: readonly string[] = [];
  readonly #id: number;
  readonly #missing: Datum;
  readonly #kind: Kind;
  readonly #texts: boolean;
  readonly #wishes: ReaderWishes;

  constructor(id: number, missing: Datum, kind: Kind, texts: boolean, wishes: ReaderWishes) {
    this.#wishes = wishes;
    this.#kind = kind;
    this.#id = id;
    this.#missing = missing;
    this.#texts = texts;
  }

  readRow(leaf: Columns, at: number): void {
    const vec = leaf.col(this.#id);
    if (vec !== null && (vec.kind === KIND.JSON) !== (this.#kind === KIND.JSON)) return this.read(leaf);
    if (vec === null || vec.kind < KIND.TEXT || !this.#texts || this.#wishes.codes || vec.hasStrings || lacksAt(vec, at, this.#missing)) return this.read(leaf);
    this.values = vec.textsWith(at);
    this.tags = tagsOf(vec, leaf.count);
  }

  read(leaf: Columns): void {
    const count = leaf.count;
    const vec = cellsAs(leaf.col(this.#id), count, this.#kind);
    if (vec !== null && vec.kind >= KIND.TEXT && this.#texts && !lacks(vec, count, this.#missing)) {
      this.values = vec.strings();
      this.tags = tagsOf(vec, count);
      if (this.#wishes.codes) this.#code(vec.coded());
      return;
    }
    const missing = this.#missing;
    if (vec === null) {
      this.tags = flat(missing === null ? ALL_NULL : NO_TAGS, count);
      this.values = new Array<string>(count).fill(missing === null ? '' : (missing as string));
      this.#code(null);
      return;
    }
    const tags = new Uint8Array(count);
    const values: string[] = [];
    this.values = values;
    this.#code(null);
    for (let i = 0; i < count; i++) {
      const datum = vec.get(i);
      const value = datum === undefined ? missing : datum;
      if (value === null) tags[i] = TAG.NULL;
      values.push(value === null ? '' : ((this.#texts && typeof value !== 'string' ? String(value) : value) as string));
    }
    this.tags = tags;
  }

  #code(coded: Coded | null): void {
    this.texts = coded === null ? this.values : coded.texts;
    this.codes = coded === null ? (this.values.length <= EACH.length ? EACH : Uint16Array.from({ length: this.values.length }, (_, i) => i)) : coded.codes;
  }
}

/** Numerics without a scale: row `i` is `values[i]` × 10^-`scales[i]`, with `shown[i]` digits after the point. */
class DecimalReader implements ColumnReader {
  wide = false;
  /** An array of numbers and bigints if `wide`. */
  values: Float64Array = NO_FLOAT64;
  scales: Uint16Array = EACH;
  shown: Uint16Array = EACH;
  tags: Uint8Array = NO_TAGS;
  readonly #id: number;
  readonly #missing: Numeric | null;
  #scratch: Decimals = decimalsOf(0);

  constructor(id: number, missing: Numeric | null) {
    this.#id = id;
    this.#missing = missing;
  }

  readRow(leaf: Columns): void {
    this.read(leaf);
  }

  read(leaf: Columns): void {
    const { count } = leaf;
    const kept = leaf.decimals?.(this.#id) ?? null;
    if (kept !== null) {
      if (kept.absent && this.#missing !== null) {
        this.#fill({ values: kept.values.slice(), scales: kept.scales.slice(), shown: kept.shown.slice(), wide: kept.wide }, kept.tags!, count);
        return;
      }
      this.#show(kept, kept.tags ?? flat(NO_TAGS, count));
      return;
    }
    if (this.#scratch.scales.length < count) this.#scratch = decimalsOf(Math.max(ROWS, count));
    const into: Decimals = { ...this.#scratch };
    const vec = leaf.col(this.#id);
    if (vec === null || vec.kind !== KIND.TEXT) {
      // No row of the leaf has a value of its own.
      const tags = new Uint8Array(count);
      for (let i = 0; i < count; i++) tags[i] = vec === null ? TAG.ABSENT : vec.tag(i);
      this.#fill(into, tags, count);
      return;
    }
    readDecimals(vec, count, into, 0);
    if (lacks(vec, count, this.#missing as unknown as Datum)) this.#fill(into, vec.tags!, count);
    else this.#show(into, tagsOf(vec, count));
  }

  /** Absent cells show the default. */
  #fill(into: Decimals, from: Uint8Array, count: number): void {
    const missing = this.#missing;
    const tags = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      if (from[i] !== TAG.ABSENT) tags[i] = from[i];
      else if (missing === null) tags[i] = TAG.NULL;
      else put(into, i, missing.coefficient, missing.scale, missing.scale);
    }
    this.#show(into, tags);
  }

  #show({ values, scales, shown, wide }: Decimals, tags: Uint8Array): void {
    this.values = values as Float64Array;
    this.scales = scales;
    this.shown = shown;
    this.wide = wide;
    this.tags = tags;
  }
}

/** The key of a row, for scans that read it. */
export class NumberKeyReader implements ColumnReader {
  readonly wide = false;
  values: Float64Array = NO_FLOAT64;
  tags: Uint8Array = NO_TAGS;

  read(leaf: Columns): void {
    this.values = leaf.nkeys;
    this.tags = flat(NO_TAGS, leaf.count);
  }

  readRow(leaf: Columns): void {
    this.read(leaf);
  }
}
/** Text keys are built on demand: most rows of a leaf may not need theirs. */
export class TextKeyReader implements ColumnReader {
  readonly wide = false;
  readonly values: readonly string[] = [];
  tags: Uint8Array = NO_TAGS;
  #leaf: Columns | null = null;
  /** All keys of the leaf; null if they are built one by one. */
  #keys: readonly string[] | null = null;
  #single = 0;

  read(leaf: Columns): void {
    this.#leaf = leaf;
    this.#keys = leaf.passingKey === undefined ? leaf.skeys : null;
    this.#single = 0;
    this.tags = flat(NO_TAGS, leaf.count);
  }

  readRow(leaf: Columns): void {
    this.read(leaf);
  }

  /** The key of row `i`. */
  key(i: number): string {
    if (this.#keys !== null) return this.#keys[i];
    if (++this.#single <= SINGLE_KEYS_MAX) return this.#leaf!.passingKey!(i);
    return (this.#keys = this.#leaf!.passingKeys!())[i];
  }
}

/** One key costs as much as some three when all are built at once. */
const SINGLE_KEYS_MAX = 32;

/** The id of a document is stored only in its key, as UTF-8 bytes. */
export class DocumentIdReader implements ColumnReader {
  readonly wide = false;
  values: string[] = [];
  tags: Uint8Array = NO_TAGS;

  read(leaf: Columns): void {
    const keys = leaf.skeys;
    this.tags = flat(NO_TAGS, leaf.count);
    this.values = keys;
    for (let i = 0; i < leaf.count; i++) {
      if (keyText(keys[i]) === keys[i]) continue;
      this.values = keys.slice(0, leaf.count).map(keyText);
      return;
    }
  }
  readRow(leaf: Columns, at: number): void {
    const key = leaf.skeys[at];
    this.tags = flat(NO_TAGS, leaf.count);
    const text = keyText(key);
    if (text === key) this.values = leaf.skeys;
    else {
      this.values = new Array<string>(at + 1);
      this.values[at] = text;
    }
  }
}
