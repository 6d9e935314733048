/** Code that maps the values of key columns to one number through key tables. */
import type { Emitter } from './emitter.ts';
import type { Operand } from './operand.ts';
import { unscaled } from './operand.ts';
import type { SqlType } from '../types/type.ts';
import { hashKeySource } from './expression.ts';
import { type KeyTable, MixedTable, NumberTable, PAIR, StringTable } from './key-table.ts';
import type { Pipeline } from './pipeline.ts';
import { byCode, UNKNOWN } from './code-ids.ts';

/** The tables of one key; the last of `pairs` (or the only column's) numbers the whole key. */
export class KeyTables {
  readonly columns: KeyTable[];
  readonly pairs: NumberTable[] = [];
  /** Without columns there is one key. */
  #none = 0;

  constructor(kinds: readonly KeyKind[]) {
    this.columns = kinds.map((kind) => (kind === 'number' ? new NumberTable() : kind === 'string' ? new StringTable() : new MixedTable()) as KeyTable);
    for (let i = 1; i < kinds.length; i++) this.pairs.push(new NumberTable());
  }

  get count(): number {
    if (this.pairs.length > 0) return this.pairs[this.pairs.length - 1].count;
    return this.columns.length > 0 ? this.columns[0].count : this.#none;
  }

  id(): number {
    this.#none = 1;
    return 0;
  }

  find(): number {
    return this.#none - 1;
  }
}

export type KeyKind = 'number' | 'string' | 'mixed';

export function keyKind(type: SqlType): KeyKind {
  if (type.repr === 'i32' || type.repr === 'f64' || type.repr === 'whole') return 'number';
  return type.repr === 'string' ? 'string' : 'mixed';
}

/**
 * Gives the variable with the key's number. With `add` new keys get one; otherwise it is -1 for them. Nulls are keys like others if
 * `nulls`, otherwise they make the number -1. `added` writes code for a number that may be new.
 */
export function keyNumber(
  p: Pipeline,
  state: number,
  keys: readonly { readonly operand: Operand; readonly type: SqlType }[],
  add: boolean,
  nulls: boolean,
  tables = p.g.state(state),
  added?: (id: string) => void,
): string {
  const { g } = p;
  const method = add ? 'id' : 'find';
  const result = g.fresh('id');
  if (keys.length === 0) {
    g.line(`const ${result} = ${tables}.${method}();`);
    added?.(result);
    return result;
  }
  g.line(`let ${result} = -1;`);
  let opened = 0;
  keys.forEach((key, i) => {
    const plain = key.operand.rep === 'decimal' ? key.operand : unscaled(g, key.operand);
    const keyed = keySource(g, key.type, plain);
    const table = g.hoist(`${tables} column ${i}`, `${tables}.columns[${i}]`);
    const source = `${table}.${method}(${keyed})`;
    const one = i === 0 ? result : g.fresh('id');
    const ofNull = nulls ? `${table}.${add ? 'idOfNull' : 'findNull'}()` : '-1';
    if (i > 0) g.line(`let ${one} = -1;`);
    // With one column only the slow path leads to a new key.
    const alone = keys.length === 1 && added !== undefined;
    if (plain.n !== 'false') {
      g.open(`if (${plain.n})`);
      g.line(`${one} = ${ofNull};`);
      if (alone) added(one);
      g.close();
      g.open('else');
    }
    if (plain.codes !== undefined && keyed === plain.v) {
      // One lookup per distinct text of a leaf.
      const known = byCode(p.c, g, plain.codes());
      g.line(`${one} = ${known};`);
      g.open(`if (${one} === ${UNKNOWN})`);
      g.line(`${known} = ${one} = ${source};`);
      if (alone) added(one);
      g.close();
    } else if (key.type.repr === 'i32' || key.type.repr === 'whole') {
      const dense = g.hoist(`${table} dense`, `${table}.dense`, true);
      const { v } = plain;
      const inside = key.type.repr === 'i32' ? `${v} >= 0 && ${v} < ${dense}.length` : `${v} >= 0 && ${v} < ${dense}.length && (${v} | 0) === ${v}`;
      g.line(`${one} = ${inside} ? ${dense}[${v}] - 1 : -1;`);
      g.open(`if (${one} < 0)`);
      g.line(`${one} = ${source};${add ? ` ${dense} = ${table}.dense;` : ''}`);
      if (alone) added(one);
      g.close();
    } else {
      g.line(`${one} = ${source};`);
      if (alone) added(one);
    }
    if (plain.n !== 'false') g.close();
    if (i > 0) {
      const pair = g.hoist(`${tables} pair ${i}`, `${tables}.pairs[${i - 1}]`);
      const joined = `${pair}.${method}(${result} * ${PAIR} + ${one})`;
      g.line(add && nulls ? `${result} = ${joined};` : `${result} = ${one} < 0 ? -1 : ${joined};`);
    }
    // After a miss in one column the next is not looked up.
    if (i < keys.length - 1 && !(add && nulls)) {
      g.open(`if (${result} >= 0)`);
      opened++;
    }
  });
  for (; opened > 0; opened--) g.close();
  if (keys.length > 1) added?.(result);
  return result;
}

/** The condition that a row's key is not in the part of this pass; always false with one part. */
export function otherPart(p: Pipeline, state: number, keys: readonly { readonly operand: Operand; readonly type: SqlType }[]): string {
  const { g } = p;
  const count = g.hoist(`passes ${state}`, `S[${state}].count`);
  const current = g.hoist(`pass ${state}`, `S[${state}].current`);
  const sources = keys.map(({ operand, type }) => {
    const plain = operand.rep === 'decimal' ? operand : unscaled(g, operand);
    const source = keySource(g, type, plain);
    return plain.n === 'false' ? source : `(${plain.n} ? null : ${source})`;
  });
  return sources.length === 0 ? `${current} !== 0` : `${count} > 1 && ${g.runtime('partOf')}(${[count, ...sources].join(', ')}) !== ${current}`;
}

/** A decimal gives its key without materialising a value. */
function keySource(g: Emitter, type: SqlType, { rep, v, s }: Operand): string {
  return rep === 'decimal' ? `${g.runtime('decimalKey')}(${v}, ${s})` : hashKeySource(g, type, v);
}

/** The condition that a hash key differs from an earlier one; NaN equals itself. */
export function differs(type: SqlType, key: string, last: string): string {
  return type.repr === 'f64' ? `(${key} !== ${last} && (${key} === ${key} || ${last} === ${last}))` : `${key} !== ${last}`;
}
