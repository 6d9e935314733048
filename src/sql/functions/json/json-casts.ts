/** Casts of jsonb to the scalar types it can hold, and between json and jsonb. Manual, section 8.14. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { numberText, toNumeric } from '../../types/json-number.ts';
import { isJsonNumber, kindOf } from '../../types/json-tree.ts';
import { treeOf } from '../../types/jsonb.ts';
import { Numeric } from '../../types/numeric.ts';
import { type Value, type Whole, whole } from '../../types/value.ts';
import type { FunctionModule, SqlCast } from '../define.ts';

/** The number of a document; anything else cannot be cast to the type of that title. */
function numberOf(text: string, title: string): number | Numeric {
  const tree = treeOf(text);
  if (isJsonNumber(tree)) return tree;
  throw new SvcError('22023', `cannot cast jsonb ${castName(kindOf(tree))} to type ${title}`);
}

/** The kind's name in the error. */
function castName(kind: string): string {
  return kind === 'number' ? 'numeric' : kind;
}

function toBool(text: string): boolean {
  const tree = treeOf(text);
  if (typeof tree === 'boolean') return tree;
  throw new SvcError('22023', `cannot cast jsonb ${castName(kindOf(tree))} to type boolean`);
}

function wholeCast(title: string, low: Whole, high: Whole): (text: string) => Whole {
  return (text) => {
    const node = numberOf(text, title);
    const value = typeof node === 'number' && Number.isInteger(node) ? node : rounded(toNumeric(node));
    if (value < low || value > high) throw new SvcError('22003', `${title} out of range`);
    return value;
  };
}

/** Half away from zero, as numeric rounds. */
function rounded({ coefficient, scale }: Numeric): Whole {
  const unit = 10n ** BigInt(scale);
  const value = BigInt(coefficient);
  return whole((2n * value + (value < 0n ? -unit : unit)) / (2n * unit));
}

function floatCast(title: string, round: (value: number) => number): (text: string) => number {
  return (text) => {
    const node = numberOf(text, title);
    const digits = numberText(node);
    const value = round(Number(digits));
    if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits))) throw new SvcError('22003', `"${digits}" is out of range for type ${title}`);
    return value;
  };
}

function cast(to: string, impl: (text: string) => Value): SqlCast {
  return { from: 'jsonb', to, context: 'explicit', method: 'function', impl };
}

export const JSON_CASTS: FunctionModule = {
  casts: [
    { from: 'json', to: 'jsonb', context: 'assignment', method: 'io' },
    { from: 'jsonb', to: 'json', context: 'assignment', method: 'io' },
    cast('bool', toBool),
    cast('int2', wholeCast('smallint', -32_768, 32_767)),
    cast('int4', wholeCast('integer', -2_147_483_648, 2_147_483_647)),
    cast('int8', wholeCast('bigint', -(2n ** 63n), 2n ** 63n - 1n)),
    cast('float4', floatCast('real', Math.fround)),
    cast(
      'float8',
      floatCast('double precision', (value) => value),
    ),
    cast('numeric', (text) => {
      const node = numberOf(text, 'numeric');
      return toNumeric(node);
    }),
  ],
};
