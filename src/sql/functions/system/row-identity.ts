/**
 * System columns of a stored row. Rows have neither a physical position nor a creating transaction here, so both are derived from
 * the row:
 *
 *   ctid   from its key: constant while the key is, in key order for numeric keys
 *   xmin   from its values: changes if any of them does, for optimistic locking.
 *          A write must return what is read later, so statements never see a transaction's number; functions that test
 *          whether their own transaction wrote the row they were given (`OLD.xmin`) do.
 */
import { ArrayValue } from '../../types/array-value.ts';
import { Numeric } from '../../types/numeric.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { RecordValue } from '../../types/record-value.ts';
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

/** Lower ids are those of permanent transactions. */
const FIRST_XID = 3;

export function versionOf(values: readonly Value[], types: readonly SqlType[]): number {
  const hash = new Hash();
  for (let i = 0; i < values.length; i++) hash.text(textOf(values[i], types[i]));
  return FIRST_XID + (hash.value % (2 ** 32 - FIRST_XID));
}

export const ROW_CTID: ScalarFunction = { kind: 'scalar', name: 'ctid', args: ['any'], returns: 'tid', doc: 'Place of a row, from its key', impl: ctidOf };

export const ROW_XMIN: ScalarFunction = {
  kind: 'scalar',
  name: 'xmin',
  args: [],
  variadic: 'any',
  returns: 'xid',
  doc: 'Version of a row, from its values',
  strict: false,
  needsCall: true,
  impl: ({ argTypes }: { readonly argTypes: readonly SqlType[] }, ...values: Value[]) => versionOf(values, argTypes),
};

/** For a whole table row in a function (OLD, NEW): the transaction's number if this transaction wrote the row. */
export const HELD_ROW_XMIN: ScalarFunction = {
  kind: 'scalar',
  name: 'xmin',
  args: ['any'],
  returns: 'xid',
  doc: 'Version of a row, from its transaction or its values',
  volatility: 'stable',
  needsCall: true,
  impl: (call: Call, { fields, types }: RecordValue) => {
    const system = systemOf(call);
    if (!system.isOwnRow(call.argTypes[0].oid, fields)) return versionOf(fields, types);
    return Number(BigInt.asUintN(32, BigInt(system.transactionId())));
  },
};
