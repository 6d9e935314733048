/**
 * System columns of a stored row:
 *
 *   ctid   from its key, for rows have no physical position here: constant while the key is, in key order for numeric keys
 *   xmin   the transaction that wrote it, by the log (worlds/last-changes.ts)
 */
import { ArrayValue } from '../../types/array-value.ts';
import { Numeric } from '../../types/numeric.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { ReadState } from '../../types/environment.ts';
import type { Call, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

/** Offsets in a block of a tid. */
const OFFSETS = 65_535;
const HALF = 2 ** 31;

function ctidOf(key: number | bigint | string): string {
  if (typeof key === 'string') {
    const hash = new Hash();
    hash.text(key);
    const low = hash.value;
    hash.text('#');
    return `(${low},${(hash.value % OFFSETS) + 1})`;
  }
  const n = Number(key);
  return n >= 1
    ? `(${Math.floor((n - 1) / OFFSETS) % HALF},${((n - 1) % OFFSETS) + 1})`
    : `(${HALF + (Math.floor(-n / OFFSETS) % HALF)},${(-n % OFFSETS) + 1})`;
}

/** FNV-1a over code units, 32 bits. */
class Hash {
  #state = 0x811c9dc5;

  text(text: string): void {
    let h = this.#state;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    this.#state = Math.imul(h ^ 0x1f, 0x01000193);
  }

  get value(): number {
    return this.#state >>> 0;
  }
}

/** Different values of the same type have different texts. */
function textOf(value: Value, type: SqlType): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Numeric) return `${value.coefficient}e${value.scale}`;
  if (value instanceof ArrayValue) return `${value.lengths}/${value.lowers}/${value.elements.map((each) => textOf(each, type.element ?? type)).join()}`;
  return type.hashable ? String(type.hashKey(value)) : JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** Equal for equal rows. */
export function hashOfRow(values: readonly Value[], types: readonly SqlType[]): number {
  const hash = new Hash();
  for (let i = 0; i < values.length; i++) hash.text(textOf(values[i], types[i]));
  return hash.value;
}

export const ROW_CTID: ScalarFunction = { kind: 'scalar', name: 'ctid', args: ['any'], returns: 'tid', doc: 'Place of a row, from its key', impl: ctidOf };

/** The number of a transaction before the history. */
export const FROZEN = 2;

/** `xmin` of the rows of a table, or of those of all tables below it (`whole`): given the key, and the columns of a row that is written. */
export function rowXmin(table: number, whole: boolean, asOf: ReadState | null): ScalarFunction {
  return {
    kind: 'scalar',
    name: 'xmin',
    args: ['any'],
    variadic: 'any',
    returns: 'xid',
    doc: 'The transaction that wrote a row',
    strict: false,
    volatility: 'stable',
    needsCall: true,
    mayWait: true,
    impl: (call: Call, key: Value, ...values: Value[]) => systemOf(call).rowTransaction({ table, whole, asOf }, key, values),
  };
}

/** The same for a row that is given by its columns alone. */
export function writtenXmin(table: number): ScalarFunction {
  return {
    ...HELD_ROW_XMIN,
    args: [],
    variadic: 'any',
    strict: false,
    impl: (call: Call, ...values: Value[]) => systemOf(call).writtenRowTransaction(table, values),
  };
}

/** For a whole table row in a function (OLD, NEW). */
export const HELD_ROW_XMIN: ScalarFunction = {
  kind: 'scalar',
  name: 'xmin',
  args: ['any'],
  returns: 'xid',
  doc: 'The transaction that wrote a row',
  volatility: 'stable',
  needsCall: true,
  mayWait: true,
  impl: (call: Call, { fields }: RecordValue) => systemOf(call).heldRowTransaction(call.argTypes[0].oid, fields),
};
