/** Rules of access methods for operator classes: numbers of strategies and support functions, and the required ones. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from '../types/type.ts';
import { type Method, takes } from './index-methods.ts';
import type { Schema } from './schema.ts';

interface MethodRules {
  /** Highest strategy number; methods without fixed strategies accept any. */
  readonly strategies: number;
  readonly functions: number;
  /** The support function that parses options. */
  readonly optionsFunction: number;
  /** An index may store values of another type than the column's. */
  readonly storage: boolean;
  /** Operators may order the result (ORDER BY). */
  readonly ordering: boolean;
  /** Support functions that a class depends on; null: all. */
  readonly needed: readonly number[] | null;
  /** Operators between two values of a class's type belong to the class. */
  readonly ownOperators: boolean;
}

const ANY = 32_767;

/** Manual, 38.16.2 and 38.16.3. */
export const METHOD_RULES: Readonly<Record<Method, MethodRules>> = {
  btree: { strategies: 5, functions: 5, optionsFunction: 5, storage: false, ordering: false, needed: [1], ownOperators: true },
  hash: { strategies: 1, functions: 3, optionsFunction: 3, storage: false, ordering: false, needed: [1], ownOperators: true },
  gist: { strategies: ANY, functions: 11, optionsFunction: 10, storage: true, ordering: true, needed: [1, 2, 5, 6, 7], ownOperators: false },
  spgist: { strategies: ANY, functions: 7, optionsFunction: 6, storage: true, ordering: true, needed: [1, 2, 3, 4, 5], ownOperators: false },
  gin: { strategies: ANY, functions: 7, optionsFunction: 7, storage: true, ordering: false, needed: [2, 3], ownOperators: false },
  hnsw: { strategies: ANY, functions: 3, optionsFunction: 0, storage: false, ordering: true, needed: [1], ownOperators: false },
  ivfflat: { strategies: ANY, functions: 5, optionsFunction: 0, storage: false, ordering: true, needed: [1], ownOperators: false },
  bm25: { strategies: 0, functions: 0, optionsFunction: 0, storage: false, ordering: true, needed: [], ownOperators: false },
  brin: { strategies: ANY, functions: 15, optionsFunction: 5, storage: true, ordering: false, needed: null, ownOperators: true },
};

const ORDER = ['<', '<=', '=', '>=', '>'];

/** Whether an index with the user-defined class orders and finds values as one with the type's default class would. */
export function followsType({ plain }: Schema, number: number, type: SqlType): boolean {
  const { method, key } = plain.of('operator class').get(number)!;
  if ((method !== 'btree' && method !== 'hash') || !type.ordered || key !== 0) return false;
  const expected = method === 'btree' ? ORDER : ['='];
  const own = [...plain.of('family operator').values()].filter((each) => each.class === number && each.sort === 0);
  return own.length > 0 && own.every(({ operator, place, left }) => left === type.oid && 'name' in operator && operator.name === expected[place - 1]);
}

/** Types that share the values of another, by oid: varchar is text, cidr is inet. */
const SAME_VALUES: ReadonlyMap<number, number> = new Map([
  [1043, 25],
  [650, 869],
]);

/** 42804 if a user-defined class is not for the type. */
export function mustAccept({ plain }: Schema, number: number, type: SqlType): void {
  const own = plain.of('operator class').get(number)!;
  const root = type.domain === null ? type : type.domain.root;
  if (own.type === root.oid || own.type === SAME_VALUES.get(root.oid) || takes(POLYMORPHIC.get(own.type) ?? '', root)) return;
  throw new SvcError('42804', `operator class "${own.name}" does not accept data type ${type.title}`);
}

/** Polymorphic types. */
const POLYMORPHIC: ReadonlyMap<number, string> = new Map([
  [2277, 'anyarray'],
  [3831, 'anyrange'],
  [4537, 'anymultirange'],
]);
