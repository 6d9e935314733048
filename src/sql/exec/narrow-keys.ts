/** Keys of int2 and int4 have four bytes, and may be compared with an int8: a number out of their range must not be truncated to one within it. */
import type { Access } from '../plan/logical.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const known = new WeakMap<Access, readonly boolean[] | null>();

/** The key columns that may be compared with a number out of their range; null: none. */
export function narrowParts(table: SqlTable, access: Access): readonly boolean[] | null {
  let parts = known.get(access);
  if (parts === undefined) known.set(access, (parts = partsOf(table, access)));
  return parts;
}

function partsOf(table: SqlTable, { index, equal, oneOf, lower, upper }: Access): readonly boolean[] | null {
  const isNarrow = (at: number): boolean => {
    const type = index === null ? table.columns[table.key.columns[at]]?.type : index.columns[at]?.type;
    return type !== undefined && (type.name === 'int2' || type.name === 'int4' || (type.domain !== null && type.domain.root.repr === 'i32'));
  };
  const isWide = ({ name, element }: SqlType): boolean => name === 'int8' || element?.name === 'int8';
  const parts = equal.map(({ type }, at) => isWide(type) && isNarrow(at));
  const last = [...(oneOf ?? []), ...(lower === undefined ? [] : [lower.value]), ...(upper === undefined ? [] : [upper.value])];
  parts.push(last.some(({ type }) => isWide(type)) && isNarrow(equal.length));
  return parts.includes(true) ? parts : null;
}

export function isInt4(value: Value): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

export const INT4_MIN = -2147483648;
export const INT4_MAX = 2147483647;

/** Whether a number is below (-1) or above (1) the range of int4. */
export function sideOfInt4(value: Value): -1 | 0 | 1 {
  if (typeof value !== 'number' && typeof value !== 'bigint') return 0;
  return value < INT4_MIN ? -1 : value > INT4_MAX ? 1 : 0;
}
