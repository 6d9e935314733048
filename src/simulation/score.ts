/** Converts the result of the score query to the number by which worlds are ordered. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Environment } from '../sql/types/environment.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';

const NUMBERS = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric']);

/** 21000, 22004 and 22023 for anything but exactly one number; 22003 for infinities and NaN, which JSON cannot represent. */
export function numberOf(rows: readonly (readonly Value[])[], type: SqlType, env: Environment): number {
  if (rows.length !== 1) throw new SvcError('21000', `the score gives ${rows.length} rows, and must give one number`);
  const [value] = rows[0];
  if (value === null) throw new SvcError('22004', 'the score is null, and must be a number');
  if (!NUMBERS.has(type.name)) throw new SvcError('22023', `the score is of type ${type.title}, and must be a number`);
  const score = Number(type.json(value, env));
  if (!Number.isFinite(score)) throw new SvcError('22003', `the score is ${String(type.json(value, env))}, and must be a finite number`);
  return score;
}
