/** The result of a cast to text. It differs from the output function only for bool and bpchar. */
import type { Environment } from '../../types/environment.ts';
import { trimBlanks } from '../../types/text-order.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';

const BOOL_OID = 16;
const BPCHAR_OID = 1042;

/** The value is not null. */
export function textOf(type: SqlType, value: Value, env: Environment): string {
  if (type.oid === BPCHAR_OID) return trimBlanks(value as string);
  if (type.oid === BOOL_OID) return value === true ? 'true' : 'false';
  return type.format(value, env);
}
