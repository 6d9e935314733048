/** Type modifiers from the numbers in parentheses after a type's name, with Postgres's errors: `numeric(10,2)`, `varchar(5)`. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from './type.ts';
import { SPARSE_DIMENSIONS_MAX } from './sparsevec.ts';
import { VECTOR_DIMENSIONS_MAX } from './vector.ts';

const LENGTH_MAX = 10_485_760;
const BITS_MAX = 83_886_080;
const TIME_DIGITS_MAX = 6;
const PRECISE = new Set(['time', 'timetz', 'timestamp', 'timestamptz', 'interval']);
/** The fields of an interval without any: all of them. */
const ALL_FIELDS = 0x7fff;

function refuse(message: string, code: '22023' | '42601' = '22023'): never {
  throw new SvcError(code, message);
}

function length(title: string, values: readonly number[], max: number): number {
  if (values.length !== 1) refuse('invalid type modifier');
  if (values[0] < 1) refuse(`length for type ${title} must be at least 1`);
  if (values[0] > max) refuse(`length for type ${title} cannot exceed ${max}`);
  return values[0];
}

/** A time type with its precision, for messages. */
function written({ name }: SqlType, digits: number): string {
  const zoned = name.endsWith('tz');
  return `${(zoned ? name.slice(0, -2) : name).toUpperCase()}(${digits})${zoned ? ' WITH TIME ZONE' : ''}`;
}

/** The warning for more than six digits of seconds; null otherwise. */
export function reducedPrecision(type: SqlType, values: readonly number[]): string | null {
  const digits = PRECISE.has(type.name) ? values.at(-1) : undefined;
  if (digits === undefined || digits <= TIME_DIGITS_MAX || (type.name === 'interval' && values.length < 2)) return null;
  return `${written(type, digits)} precision reduced to maximum allowed, ${TIME_DIGITS_MAX}`;
}

/** 22023 for invalid numbers, 42601 for a type without modifiers. Digits of seconds beyond six are cut. */
export function typeModifier(type: SqlType, values: readonly number[]): number {
  switch (type.name) {
    case 'varchar':
      return length('varchar', values, LENGTH_MAX) + 4;
    case 'bpchar':
      return length('char', values, LENGTH_MAX) + 4;
    case 'bit':
    case 'varbit':
      return length(type.name, values, BITS_MAX);
    case 'numeric': {
      const [precision, scale = 0] = values;
      if (values.length === 0 || values.length > 2) refuse('invalid NUMERIC type modifier');
      if (precision < 1 || precision > 1000) refuse(`NUMERIC precision ${precision} must be between 1 and 1000`);
      if (scale < -1000 || scale > 1000) refuse(`NUMERIC scale ${scale} must be between -1000 and 1000`);
      return ((precision << 16) | (scale & 0x7ff)) + 4;
    }
    case 'time':
    case 'timetz':
    case 'timestamp':
    case 'timestamptz': {
      if (values.length !== 1) refuse('invalid type modifier');
      if (values[0] < 0) refuse(`${written(type, values[0])} precision must not be negative`);
      return Math.min(TIME_DIGITS_MAX, values[0]);
    }
    case 'interval': {
      const [fields, precision] = values;
      if (precision !== undefined && precision < 0) refuse(`INTERVAL(${precision}) precision must not be negative`);
      return ((fields & ALL_FIELDS) << 16) | (precision === undefined ? 0xffff : Math.min(TIME_DIGITS_MAX, precision));
    }
    case 'vector':
    case 'halfvec':
    case 'sparsevec': {
      const most = type.name === 'sparsevec' ? SPARSE_DIMENSIONS_MAX : VECTOR_DIMENSIONS_MAX;
      if (values.length > 1) refuse('invalid type modifier');
      if (values[0] < 1) refuse(`dimensions for type ${type.name} must be at least 1`);
      if (values[0] > most) refuse(`dimensions for type ${type.name} cannot exceed ${most}`);
      return values[0];
    }
    default:
      return refuse(`type modifier is not allowed for type "${type.name}"`, '42601');
  }
}
