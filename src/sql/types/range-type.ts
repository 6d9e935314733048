/** Range and multirange types over an ordered type. Manual, section 8.17. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { makeType } from './make-type.ts';
import { mergedRanges } from './multirange.ts';
import { compareRanges, makeRange, type Successor } from './range-order.ts';
import { formatRangeText, parseMultirangeText, parseRangeText } from './range-text.ts';
import { EMPTY_RANGE, MultirangeValue, RangeValue } from './range-value.ts';
import type { Environment } from './environment.ts';
import type { SqlType } from './type.ts';

export interface RangeNames {
  readonly oid: number;
  readonly arrayOid: number;
  readonly name: string;
  readonly multirangeOid: number;
  readonly multirangeArrayOid: number;
  readonly multirangeName: string;
  /** The successor function, by which Postgres decides emptiness; null for continuous types. */
  readonly next: Successor | null;
}

const SUCCESSORS = new WeakMap<SqlType, Successor | null>();

/** For a range type or its multirange. */
export function successorOf(type: SqlType): Successor | null {
  return SUCCESSORS.get(type) ?? null;
}

export function rangeTypes(subtype: SqlType, names: RangeNames): { readonly range: SqlType; readonly multirange: SqlType } {
  const { next, oid, multirangeOid } = names;
  const parse = (text: string, env: Environment): RangeValue => {
    const { empty, lower, upper, lowerInc, upperInc } = parseRangeText(text);
    if (empty) return EMPTY_RANGE;
    const from = lower === null ? null : subtype.parse(lower, -1, env);
    const to = upper === null ? null : subtype.parse(upper, -1, env);
    return makeRange(subtype, next, from, to, lowerInc, upperInc);
  };
  const format = ({ empty, lower, upper, lowerInc, upperInc }: RangeValue, env: Environment): string =>
    formatRangeText({
      empty,
      lower: lower === null ? null : subtype.format(lower, env),
      upper: upper === null ? null : subtype.format(upper, env),
      lowerInc,
      upperInc,
    });
  const key = ({ empty, lower, upper, lowerInc, upperInc }: RangeValue): string => {
    if (empty) return 'e';
    const bound = (value: typeof lower): string => (value === null ? 'n' : String(subtype.hashKey(value)));
    const from = bound(lower);
    return `${lowerInc ? '[' : '('}${from.length}:${from},${bound(upper)}${upperInc ? ']' : ')'}`;
  };
  const range: SqlType = makeType({
    oid,
    name: names.name,
    title: quoteIdentifier(names.name),
    category: 'R',
    length: -1,
    repr: 'object',
    arrayOid: names.arrayOid,
    range: { subtype, oid, multirangeOid, multi: false, of: null },
    parse: (text, _typmod, env) => parse(text, env),
    format: (value, env) => format(value as RangeValue, env),
    compare: (a, b) => compareRanges(subtype, a as RangeValue, b as RangeValue),
    hashKey: (value) => key(value as RangeValue),
  });
  const multirange: SqlType = makeType({
    oid: multirangeOid,
    name: names.multirangeName,
    title: quoteIdentifier(names.multirangeName),
    category: 'R',
    length: -1,
    repr: 'object',
    arrayOid: names.multirangeArrayOid,
    range: { subtype, oid, multirangeOid, multi: true, of: range },
    parse: (text, _typmod, env) =>
      new MultirangeValue(
        mergedRanges(
          subtype,
          parseMultirangeText(text).map((each) => parse(each, env)),
        ),
      ),
    format: (value, env) => `{${(value as MultirangeValue).ranges.map((each) => format(each, env)).join(',')}}`,
    compare: (a, b) => {
      const [left, right] = [(a as MultirangeValue).ranges, (b as MultirangeValue).ranges];
      for (let i = 0; i < left.length && i < right.length; i++) {
        const order = compareRanges(subtype, left[i], right[i]);
        if (order !== 0) return order;
      }
      return left.length - right.length;
    },
    hashKey: (value) => (value as MultirangeValue).ranges.map(key).join(';'),
  });
  SUCCESSORS.set(range, next);
  SUCCESSORS.set(multirange, next);
  return { range, multirange };
}
