/** Array types, one over each element type: text form in array-text.ts, order and equality here. */
import { formatArray, parseArray, parseWholeNumbers } from './array-text.ts';
import { ArrayValue } from './array-value.ts';
import { compositeKey } from './record-key.ts';
import { makeType } from './make-type.ts';
import type { Json, SqlType } from './type.ts';
import type { Value } from './value.ts';

/** box is the only built-in type with another array delimiter than a comma. */
const BOX_OID = 603;

/** Greatest numbers of int2 and int4. */
const WHOLE_MAX = new Map([
  [21, 32_767],
  [23, 2_147_483_647],
]);

/** The delimiter of an array's text. */
export function delimiterOf(element: SqlType): string {
  return element.made?.delimiter ?? (element.oid === BOX_OID ? ';' : ',');
}

/** The array type over a type. A typmod is that of the elements: varchar(3)[]. */
export function arrayType(element: SqlType, oid: number): SqlType {
  const delimiter = delimiterOf(element);
  const delimiterCode = delimiter.charCodeAt(0);
  const bounds = WHOLE_MAX.get(element.oid);
  return makeType({
    oid,
    name: `_${element.name}`,
    title: `${element.title}[]`,
    category: 'A',
    length: -1,
    repr: 'object',
    arrayOid: 0,
    element,
    ordered: element.ordered,
    hashable: element.hashable,
    parse: (text, typmod, env) =>
      (bounds === undefined ? null : parseWholeNumbers(text, -bounds - 1, bounds)) ??
      parseArray(text, delimiterCode, (item) => element.parse(item, typmod, env), env.arrayNulls),
    format: (value, env) => formatArray(value as ArrayValue, delimiter, (item) => element.format(item, env)),
    compare: (a, b) => compareArrays(a as ArrayValue, b as ArrayValue, element),
    hashKey: (value) => {
      const array = value as ArrayValue;
      const { lengths, lowers } = array;
      const shape = lengths.length === 1 && lowers[0] === 1 ? '' : `${lengths.join('x')}@${lowers.join('x')};`;
      return shape + compositeKey(array.elements, (_, item) => element.hashKey(item));
    },
    json: (value, env) => nest(value as ArrayValue, (item) => (item === null ? null : element.json(item, env))),
    coerce: (value, typmod, explicit) => {
      if (typmod === -1) return value;
      return mapArray(value as ArrayValue, (item) => (item === null ? null : element.coerce(item, typmod, explicit)));
    },
    formatTypmod: (typmod) => element.formatTypmod(typmod),
  });
}

/** Btree order: elements, then their number, then dimensions, then lower bounds. Nulls are last and equal each other. */
export function compareArrays(a: ArrayValue, b: ArrayValue, element: SqlType): number {
  const left = a.elements;
  const right = b.elements;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const x = left[i];
    const y = right[i];
    if (x === null || y === null) {
      if (x === y) continue;
      return x === null ? 1 : -1;
    }
    const order = element.compare(x, y);
    if (order !== 0) return order < 0 ? -1 : 1;
  }
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (a.lengths.length !== b.lengths.length) return a.lengths.length < b.lengths.length ? -1 : 1;
  for (let i = 0; i < a.lengths.length; i++) if (a.lengths[i] !== b.lengths[i]) return a.lengths[i] < b.lengths[i] ? -1 : 1;
  for (let i = 0; i < a.lowers.length; i++) if (a.lowers[i] !== b.lowers[i]) return a.lowers[i] < b.lowers[i] ? -1 : 1;
  return 0;
}

/** The `=` operator: different shapes decide at once. */
export function equalArrays(a: ArrayValue, b: ArrayValue, element: SqlType): boolean {
  if (a === b) return true;
  if (a.elements.length !== b.elements.length || !sameShape(a, b)) return false;
  for (let i = 0; i < a.elements.length; i++) {
    const x = a.elements[i];
    const y = b.elements[i];
    if (x === null || y === null ? x !== y : element.compare(x, y) !== 0) return false;
  }
  return true;
}

function sameShape(a: ArrayValue, b: ArrayValue): boolean {
  if (a.lengths.length !== b.lengths.length) return false;
  for (let i = 0; i < a.lengths.length; i++) if (a.lengths[i] !== b.lengths[i] || a.lowers[i] !== b.lowers[i]) return false;
  return true;
}

/** The same array with each element replaced. */
export function mapArray(array: ArrayValue, map: (item: Value) => Value): ArrayValue {
  const { elements } = array;
  const mapped = new Array<Value>(elements.length);
  for (let i = 0; i < elements.length; i++) mapped[i] = map(elements[i]);
  return new ArrayValue(mapped, array.lengths, array.lowers);
}

/** The elements as nested lists, one level per dimension. */
export function nest(array: ArrayValue, leaf: (item: Value) => Json): Json[] {
  const { elements, lengths } = array;
  let at = 0;
  const level = (depth: number): Json[] => {
    const items: Json[] = [];
    for (let i = 0; i < lengths[depth]; i++) items.push(depth === lengths.length - 1 ? leaf(elements[at++]) : level(depth + 1));
    return items;
  };
  return elements.length === 0 ? [] : level(0);
}
