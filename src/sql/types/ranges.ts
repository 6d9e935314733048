/** Postgres's built-in ranges and multiranges. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { INT4, INT8 } from './integers.ts';
import { NUMERIC } from './numeric-type.ts';
import { rangeTypes, type RangeNames } from './range-type.ts';
import type { Successor } from './range-order.ts';
import { isDateRange } from './time/calendar.ts';
import { dateType } from './time/date-type.ts';
import { timestampType, timestamptzType } from './time/timestamp-type.ts';
import type { SqlType } from './type.ts';
import { whole } from './value.ts';

const nextInt4: Successor = (value) => {
  if (value === 2147483647) throw new SvcError('22003', 'integer out of range');
  return (value as number) + 1;
};
const nextInt8: Successor = (value) => {
  const next = BigInt(value as number | bigint) + 1n;
  if (next > 9223372036854775807n) throw new SvcError('22003', 'bigint out of range');
  return whole(next);
};
const nextDate: Successor = (value) => {
  if (value === Infinity || value === -Infinity) return value;
  const next = (value as number) + 1;
  if (!isDateRange(next)) throw new SvcError('22008', 'date out of range');
  return next;
};

function names(name: string, oid: number, multirangeOid: number, multirangeArrayOid: number, next: Successor | null): RangeNames {
  return { oid, arrayOid: oid + 1, name: `${name}range`, multirangeOid, multirangeArrayOid, multirangeName: `${name}multirange`, next };
}

const PAIRS = [
  rangeTypes(INT4, names('int4', 3904, 4451, 6150, nextInt4)),
  rangeTypes(NUMERIC, names('num', 3906, 4532, 6151, null)),
  rangeTypes(timestampType, names('ts', 3908, 4533, 6152, null)),
  rangeTypes(timestamptzType, names('tstz', 3910, 4534, 6153, null)),
  rangeTypes(dateType, names('date', 3912, 4535, 6155, nextDate)),
  rangeTypes(INT8, names('int8', 3926, 4536, 6157, nextInt8)),
];

export const RANGES: readonly SqlType[] = PAIRS.map(({ range }) => range);
export const MULTIRANGES: readonly SqlType[] = PAIRS.map(({ multirange }) => multirange);
