/**
 * Texts as a collation that is not deterministic tells them apart (`foldedText`), as expressions: equality by the collation is that
 * of folded texts, so that it is hashed, looked up and put into lists as any other.
 */
import type { ScalarFunction } from '../functions/define.ts';
import { foldedText } from '../types/folded-text.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import type { SqlType } from '../types/type.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import type { Bound } from './bound.ts';

const FOLD = 'collation_fold';

interface Folding {
  readonly fn: ScalarFunction;
  readonly type: SqlType;
}

const functions = new WeakMap<IcuCollation, Folding[]>();

/** One function of each collation and type: expressions are alike where their functions are the same. */
function functionOf(collation: IcuCollation, type: SqlType): ScalarFunction {
  let known = functions.get(collation);
  if (known === undefined) functions.set(collation, (known = []));
  const found = known.find((each) => each.type === type);
  if (found !== undefined) return found.fn;
  const fold = (value: Value): Value => (value === null ? null : foldedText(type.element ?? type, collation, value as string));
  const impl =
    type.element === null
      ? fold
      : (value: Value): Value => (value instanceof ArrayValue ? new ArrayValue(value.elements.map(fold), value.lengths, value.lowers) : null);
  const fn: ScalarFunction = { kind: 'scalar', name: FOLD, args: [type.name], returns: type.name, doc: '', volatility: 'immutable', impl };
  known.push({ fn, type });
  return fn;
}

/** The value, or each element of an array; what is folded stays as it is. */
export function folded(value: Bound, collation: IcuCollation): Bound {
  if (underFold(value, collation) !== null) return value;
  return { kind: 'call', fn: functionOf(collation, value.type), proc: FOLD, args: [value], type: value.type, typmod: -1 };
}

/** What is folded by the collation; null where nothing is. */
export function underFold(e: Bound, collation: IcuCollation): Bound | null {
  return e.kind === 'call' && e.proc === FOLD && functions.get(collation)?.some(({ fn }) => fn === e.fn) === true ? e.args[0] : null;
}
