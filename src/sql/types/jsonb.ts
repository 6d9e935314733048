/** The type jsonb: its value is the text that Postgres prints; parsed trees (json-tree.ts) are in a small cache. */
import { parseExactJson } from '../../base/exact-json.ts';
import { TextCache } from './json-cache.ts';
import { treeKey } from './json-compare.ts';
import { printTree } from './json-print.ts';
import { type JsonNode, parseTree } from './json-tree.ts';
import { compareJsonb } from './jsonb-order.ts';
import { makeType } from './make-type.ts';
import type { Json } from './type.ts';

const trees = new TextCache<JsonNode & (object | string | number | boolean | null)>(parseTree);

/** The tree of a jsonb value. */
export function treeOf(text: string): JsonNode {
  return trees.get(text);
}

/** The jsonb value of a tree. The tree is cached, since a result is often the next operator's operand. */
export function jsonbOf(tree: JsonNode): string {
  const text = printTree(tree);
  if (typeof tree === 'object' && tree !== null) trees.put(text, tree);
  return text;
}

/** A number with a zero as last digit after the point: only such texts can differ and yet be equal. */
const TRAILING_ZERO = /\.\d*0(?!\d)/;

export const JSONB = makeType({
  oid: 3802,
  name: 'jsonb',
  title: 'jsonb',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 3807,
  // Not cached: input is mostly stored, not processed.
  parse: (text) => printTree(parseTree(text)),
  format: (value) => value as string,
  compare: (a, b) => compareJsonb(a as string, b as string),
  hashKey: (value) => (TRAILING_ZERO.test(value as string) ? treeKey(treeOf(value as string)) : (value as string)),
  json: (value) => parseExactJson(value as string) as Json,
});
