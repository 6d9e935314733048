/** Comparison of jsonb documents: order, containment, existence of keys. */
import type { ArrayValue } from '../../types/array-value.ts';
import { containsTree } from '../../types/json-compare.ts';
import { printTree } from '../../types/json-print.ts';
import { type JsonNode, JsonObject, isJsonArray, parseTree } from '../../types/json-tree.ts';
import { hasMember, isObjectText, memberText } from '../../types/jsonb-text.ts';
import { JSONB, treeOf } from '../../types/jsonb.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

/** For up to this many members, searching the text beats parsing all of it. */
const MEMBERS_MAX = 4;

function contains(outer: string, inner: string): boolean {
  return outer === inner || containsNode(outer, treeOf(inner), true);
}

/** Objects of few members are searched in the text; everything else as trees. */
function containsNode(outer: string, inner: JsonNode, top: boolean): boolean {
  if (!(inner instanceof JsonObject) || inner.keys.length > MEMBERS_MAX || !isObjectText(outer)) {
    return containsTree(top ? treeOf(outer) : parseTree(outer), inner, top);
  }
  const { keys, values } = inner;
  for (let i = 0; i < keys.length; i++) {
    const part = memberText(outer, keys[i]);
    if (part === null) return false;
    const value = values[i];
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) {
      // Each value has one spelling.
      if (part !== printTree(value)) return false;
    } else if (!containsNode(part, value, false)) return false;
  }
  return true;
}

function exists(tree: JsonNode, key: string): boolean {
  if (tree instanceof JsonObject) return tree.indexOf(key) !== -1;
  return isJsonArray(tree) ? tree.includes(key) : tree === key;
}

function existsAny(text: string, keys: ArrayValue): boolean {
  const tree = treeOf(text);
  return keys.elements.some((key) => key !== null && exists(tree, key as string));
}

function existsAll(text: string, keys: ArrayValue): boolean {
  const tree = treeOf(text);
  return keys.elements.every((key) => key === null || exists(tree, key as string));
}

const ORDER: readonly (readonly [string, string, string, string, (order: number) => boolean])[] = [
  ['=', 'jsonb_eq', '=', '<>', (order) => order === 0],
  ['<>', 'jsonb_ne', '<>', '=', (order) => order !== 0],
  ['<', 'jsonb_lt', '>', '>=', (order) => order < 0],
  ['>', 'jsonb_gt', '<', '<=', (order) => order > 0],
  ['<=', 'jsonb_le', '>=', '>', (order) => order <= 0],
  ['>=', 'jsonb_ge', '<=', '<', (order) => order >= 0],
];

const OPERATORS: readonly SqlOperator[] = [
  ...ORDER.map(([name, proc, commutator, negator, holds]): SqlOperator => ({
    name,
    left: 'jsonb',
    right: 'jsonb',
    returns: 'bool',
    proc,
    commutator,
    negator,
    impl: (a: string, b: string) => holds(JSONB.compare(a, b)),
  })),
  { name: '@>', left: 'jsonb', right: 'jsonb', returns: 'bool', proc: 'jsonb_contains', commutator: '<@', impl: contains },
  { name: '<@', left: 'jsonb', right: 'jsonb', returns: 'bool', proc: 'jsonb_contained', commutator: '@>', impl: (a: string, b: string) => contains(b, a) },
  {
    name: '?',
    left: 'jsonb',
    right: 'text',
    returns: 'bool',
    proc: 'jsonb_exists',
    impl: (text: string, key: string) => (isObjectText(text) ? hasMember(text, key) : exists(treeOf(text), key)),
  },
  { name: '?|', left: 'jsonb', right: '_text', returns: 'bool', proc: 'jsonb_exists_any', impl: existsAny },
  { name: '?&', left: 'jsonb', right: '_text', returns: 'bool', proc: 'jsonb_exists_all', impl: existsAll },
];

export const JSONB_COMPARE: FunctionModule = {
  operators: OPERATORS,
  functions: [
    ...OPERATORS.map(({ proc, left, right, impl, name }): ScalarFunction => ({
      kind: 'scalar',
      name: proc,
      args: [left!, right],
      returns: 'bool',
      doc: `What the operator ${name} calls.`,
      impl,
    })),
    {
      kind: 'scalar',
      name: 'jsonb_cmp',
      args: ['jsonb', 'jsonb'],
      returns: 'int4',
      doc: 'Order of two documents: -1, 0 or 1.',
      impl: (a: string, b: string) => Math.sign(JSONB.compare(a, b)),
    },
  ],
};
