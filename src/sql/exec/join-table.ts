/**
 * The build side of a hash join: rows in columns, those of equal keys chained in order. Numbers are in typed arrays with null flags
 * beside them, so reading a value needs neither a type test nor an allocation.
 */
import type { SqlType } from '../types/type.ts';
import type { Value, Whole } from '../types/value.ts';
import { KeyTables, type KeyKind } from './keys.ts';
import { dummy, fromValue, operand, unscaled, type Operand, type Rep } from './operand.ts';
import type { Emitter } from './emitter.ts';
import { TooLarge } from './passes.ts';
import type { Run } from './run.ts';
import { batchBytes } from './spill-codec.ts';
import { numericOf } from './whole-arithmetic.ts';

/** Memory of a row in the table's chains. */
const ROW_BYTES = 40;

/** A key with this many rows has many. */
const LONG = 32;

/** How a column is stored. */
export interface ColumnForm {
  readonly rep: Rep;
  readonly scale: number;
  readonly nullable: boolean;
}

type KeptColumn = Int32Array | Float64Array | Value[];

const NO_FLAGS = new Uint8Array(0);

function isTyped(rep: Rep): boolean {
  return rep === 'i32' || rep === 'bool' || rep === 'f64' || rep === 'whole' || rep === 'scaled';
}

function columnOf(rep: Rep, capacity: number): KeptColumn {
  if (rep === 'i32' || rep === 'bool') return new Int32Array(capacity);
  return isTyped(rep) ? new Float64Array(capacity) : [];
}

export class JoinTable {
  count = 0;
  /** Capacity of the typed arrays. */
  capacity = 64;
  /** No key has two rows: the row of a key is the one with its number. */
  unique = true;
  readonly columns: KeptColumn[];
  /** 1 for null; empty for columns without nulls. */
  readonly flags: Uint8Array[];
  readonly tables: KeyTables;
  /** First and last row of each key. */
  first = new Int32Array(this.capacity);
  #last = new Int32Array(this.capacity);
  /** The next row of the same key, or -1. */
  next = new Int32Array(this.capacity);
  /** Set for full joins once the table is built. */
  matched = NO_FLAGS;
  #keys = 0;

  readonly #forms: readonly ColumnForm[];
  readonly #run: Run;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(run: Run, forms: readonly ColumnForm[], kinds: readonly KeyKind[], bytesMax: number) {
    this.#run = run;
    this.#bytesMax = bytesMax;
    this.#forms = forms;
    this.columns = forms.map(({ rep }) => columnOf(rep, this.capacity));
    this.flags = forms.map(({ rep, nullable }) => (nullable && isTyped(rep) ? new Uint8Array(this.capacity) : NO_FLAGS));
    this.tables = new KeyTables(kinds);
  }

  #look(): void {
    let bytes = this.capacity * ROW_BYTES;
    const others: Value[][] = [];
    for (const column of this.columns) {
      if (Array.isArray(column)) others.push(column);
      else bytes += column.byteLength;
    }
    bytes += batchBytes({ count: this.count, columns: others });
    if (bytes > this.#bytesMax) throw new TooLarge();
    this.#run.hold(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Makes room for more rows. */
  grow(): void {
    this.capacity *= 2;
    this.columns.forEach((column, i) => {
      if (!Array.isArray(column)) this.columns[i] = grown(column, this.capacity);
      if (this.flags[i].length > 0) this.flags[i] = grown(this.flags[i], this.capacity);
    });
    this.first = grown(this.first, this.capacity);
    this.#last = grown(this.#last, this.capacity);
    this.next = grown(this.next, this.capacity);
  }

  /** A number past 2^53 was added: the column stores arbitrary values from here on. */
  widen(at: number): void {
    this.columns[at] = Array.from(this.columns[at] as Float64Array);
  }

  /** The next row has this key (-1: no join key). The capacity suffices. */
  add(key: number): void {
    const row = this.count++;
    if ((row & 4095) === 4095) this.#look();
    this.next[row] = -1;
    if (key < 0) {
      this.unique = false;
      return;
    }
    if (key === this.#keys) {
      this.#keys++;
      this.first[key] = row;
      this.#last[key] = row;
      if (key !== row) this.unique = false;
    } else {
      this.unique = false;
      this.next[this.#last[key]] = row;
      this.#last[key] = row;
    }
  }

  /** The greatest number of rows of a key, or a lower bound that is many. */
  longest(): number {
    if (this.#longest.rows === this.count) return this.#longest.length;
    let longest = Math.min(1, this.count);
    // With fewer surplus rows than that no key can have as many.
    if (this.count - this.#keys >= LONG) {
      for (let key = 0; key < this.#keys && longest < LONG; key++) {
        let length = 0;
        for (let row = this.first[key]; row >= 0 && length < LONG; row = this.next[row]) length++;
        if (length > longest) longest = length;
      }
    } else longest = this.count - this.#keys + 1;
    this.#longest = { rows: this.count, length: longest };
    return longest;
  }
  #longest = { rows: -1, length: 0 };

  value(at: number, row: number): Value {
    if (this.flags[at].length > 0 && this.flags[at][row] !== 0) return null;
    const { rep, scale } = this.#forms[at];
    const value = this.columns[at][row];
    return rep === 'scaled' ? numericOf(value as Whole, scale) : rep === 'bool' ? value !== 0 : value;
  }

  /** The table is no longer needed. */
  release(): void {
    this.#run.release(this.#bytes);
    this.#bytes = 0;
  }
}

function grown<T extends Int32Array | Float64Array | Uint8Array>(from: T, capacity: number): T {
  const into = new (from.constructor as new (length: number) => T)(capacity);
  (into as Uint8Array).set(from as Uint8Array);
  return into;
}

/** Code that adds a row with this key to the table in variable `table`. Gives the forms of its columns. */
export function emitAdd(g: Emitter, table: string, key: string, given: readonly Operand[]): ColumnForm[] {
  const values = given.map((one) => (one.rep === 'decimal' ? unscaled(g, one) : one));
  const forms = values.map(({ rep, scale, n }): ColumnForm => ({ rep, scale, nullable: n !== 'false' }));
  const columns = values.map((_, i) => g.hoist(`${table} column ${i}`, `${table}.columns[${i}]`, true));
  const flags = forms.map(({ rep, nullable }, i) => (nullable && isTyped(rep) ? g.hoist(`${table} flags ${i}`, `${table}.flags[${i}]`, true) : null));
  const reload = [
    ...columns.map((name, i) => `${name} = ${table}.columns[${i}];`),
    ...flags.flatMap((name, i) => (name === null ? [] : [`${name} = ${table}.flags[${i}];`])),
  ].join(' ');
  const row = g.fresh('row');
  g.line(`const ${row} = ${table}.count;`);
  g.line(`if (${row} === ${table}.capacity) { ${table}.grow(); ${reload} }`);
  values.forEach(({ v, n, rep }, i) => {
    if (!isTyped(rep)) {
      g.line(`${columns[i]}.push(${n === 'false' ? v : `${n} ? null : ${v}`});`);
      return;
    }
    if (rep === 'whole' || rep === 'scaled')
      g.line(`if (typeof ${v} !== 'number' && Array.isArray(${columns[i]}) === false) { ${table}.widen(${i}); ${columns[i]} = ${table}.columns[${i}]; }`);
    g.line(`${columns[i]}[${row}] = ${rep === 'bool' ? `${v} ? 1 : 0` : v};`);
    if (flags[i] !== null) g.line(`${flags[i]}[${row}] = ${n} ? 1 : 0;`);
  });
  g.line(`${table}.add(${key});`);
  return forms;
}

/** A column of row `row` of the table; `nulls`: the variable that says that there is no row. */
export function readKept(
  g: Emitter,
  table: string,
  at: number,
  row: string,
  nulls: string | null,
  { rep, scale, nullable }: ColumnForm,
  type: SqlType,
): Operand {
  const values = g.hoist(`${table} column ${at}`, `${table}.columns[${at}]`);
  if (!isTyped(rep)) {
    const r = g.fresh('r');
    g.line(`const ${r} = ${nulls === null ? '' : `${nulls} ? null : `}${values}[${row}];`);
    return nullable || nulls !== null ? fromValue(g, r, type.repr) : operand(r, 'false', rep);
  }
  let n = nulls ?? 'false';
  if (nullable) {
    const flags = g.hoist(`${table} flags ${at}`, `${table}.flags[${at}]`);
    n = g.fresh('n');
    g.line(`const ${n} = ${nulls === null ? '' : `${nulls} || `}${flags}[${row}] !== 0;`);
  }
  const t = g.fresh('t');
  g.line(`const ${t} = ${nulls === null ? '' : `${nulls} ? ${dummy(rep)} : `}${values}[${row}]${rep === 'bool' ? ' !== 0' : ''};`);
  return operand(t, n, rep, scale);
}
