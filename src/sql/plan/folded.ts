/**
 * Folding of texts under a nondeterministic collation (`foldedText`), as expressions: equality under the collation is equality of
 * folded texts, so that it can be hashed, looked up and put into lists as any other.
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

/** One function per collation and type: expressions are equal only if their functions are the same. */
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

/** The folded value, or array with folded elements; a folded value stays as it is. */
export function folded(value: Bound, collation: IcuCollation): Bound {
  if (underFold(value, collation) !== null) return value;
  return { kind: 'call', fn: functionOf(collation, value.type), proc: FOLD, args: [value], type: value.type, typmod: -1 };
}

/** The argument of a folding by the collation; null for other expressions. */
export function underFold(e: Bound, collation: IcuCollation): Bound | null {
  return e.kind === 'call' && e.proc === FOLD && functions.get(collation)?.some(({ fn }) => fn === e.fn) === true ? e.args[0] : null;
}
