/**
 * Keys of values in inverted indexes (USING gin and gist), and the search terms of conditions. The index only narrows: each row that
 * it finds is rechecked, so keys may be truncated and a term may be weaker than its condition.
 *
 *   tsvector   a lexeme's UTF-8, 00
 *   array      01 the element's key | 00 for an array without elements; nulls have none
 *   hstore     K a key, P a pair: key, 00, value; UTF-8, 00
 *   text       each trigram (types/trigrams.ts) in UTF-8, 00
 *   range      two keys (range-keys.ts)
 *   jsonb      K a key or a string in an array, S another string, N a number, T true, F false, Z null; UTF-8, 00
 */
import { utf8Key } from '../../worlds/catalog.ts';
import { LISTED_KEY_BYTES_MAX } from '../../worlds/key-list.ts';
import { ArrayValue } from '../types/array-value.ts';
import { pairsOf } from '../types/hstore.ts';
import { isJsonArray, isJsonNumber, JsonObject, type JsonNode } from '../types/json-tree.ts';
import { jsonbOf, treeOf } from '../types/jsonb.ts';
import type { RangeValue } from '../types/range-value.ts';
import { trigramsOf, trigramsOfPattern } from '../types/trigrams.ts';
import type { TsNode, TsQuery } from '../types/tsquery-tree.ts';
import type { TsVector } from '../types/tsvector.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { keyCodec } from './key-codec.ts';
import { EMPTY_KEY, isNumbered, keysAround, keysAroundRange, type KeysBetween, keysWithin, rangeKeys } from './range-keys.ts';

/** The keys of matching rows: a key, a prefix, a range, any of several terms, all of them; `any` of none matches no row, and null matches every row. */
export type SearchTerm =
  | null
  | { readonly kind: 'key' | 'prefix'; readonly key: string }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'any' | 'all'; readonly terms: readonly SearchTerm[] };

const NOTHING: SearchTerm = { kind: 'any', terms: [] };
const NO_ELEMENTS = '\0';

function rootOf(type: SqlType): SqlType {
  return type.domain === null ? type : type.domain.root;
}

/** Whether the method indexes lists of keys for the type, by this operator class (null: the default one). */
export function hasListedKeys(method: 'gin' | 'gist', type: SqlType, operatorClass: string | null): boolean {
  const root = rootOf(type);
  if (root.name === 'tsvector' || root.name === 'hstore' || (root.element !== null && root.category === 'A')) return true;
  if (isText(root)) return operatorClass?.endsWith('_trgm_ops') === true;
  return method === 'gin' ? root.name === 'jsonb' : root.range !== null && !root.range.multi && isNumbered(rootOf(root.range.subtype));
}

function isText(root: SqlType): boolean {
  return root.name === 'text' || root.name === 'varchar';
}

function cut(text: string): string {
  return text.length > LISTED_KEY_BYTES_MAX ? text.slice(0, LISTED_KEY_BYTES_MAX) : text;
}

const textKey = (text: string): string => `${cut(utf8Key(text))}\0`;

export function listedKeys(type: SqlType, value: Value): string[] {
  const root = rootOf(type);
  if (root.name === 'tsvector') return (value as TsVector).lexemes.map(textKey);
  if (root.name === 'jsonb') return jsonKeys(treeOf(value as string));
  if (root.name === 'hstore') return hstoreKeys(value as string);
  if (isText(root)) return [...trigramsOf(value as string)].map(textKey);
  if (root.range !== null) return rangeKeys(value as RangeValue);
  const { elements } = value as ArrayValue;
  return elements.length === 0 ? [NO_ELEMENTS] : elementKeys(root, elements);
}

function elementKeys(type: SqlType, elements: readonly Value[]): string[] {
  const codec = keyCodec(type.element!, -1);
  return elements.filter((each) => each !== null).map((each) => `\x01${cut(codec.encode(each))}`);
}

function hstoreKeys(value: string): string[] {
  return [...pairsOf(value)].flatMap(([key, own]) => [`K${textKey(key)}`, pairKey(key, own)]);
}

function pairKey(key: string, value: string | null): string {
  return `P${textKey(`${key}\u0000${value === null ? '' : `=${value}`}`)}`;
}

function jsonKeys(tree: JsonNode): string[] {
  const out: string[] = [];
  const walk = (node: JsonNode, inArray: boolean): void => {
    if (isJsonArray(node)) for (const item of node) walk(item, true);
    else if (node instanceof JsonObject) {
      node.keys.forEach((key, i) => {
        out.push(`K${textKey(key)}`);
        walk(node.values[i], false);
      });
    } else if (typeof node === 'string') out.push(`${inArray ? 'K' : 'S'}${textKey(node)}`);
    else if (isJsonNumber(node)) out.push(`N${textKey(String(Number(jsonbOf(node))))}`);
    else out.push(node === null ? 'Z' : node ? 'T' : 'F');
  };
  // A document that is a single string matches like the item of an array.
  walk(tree, true);
  return out;
}

/** Functions that the index supports, and the side of the indexed value. */
export const SEARCHED: Readonly<Record<string, { readonly side: 0 | 1; readonly by: Search } | undefined>> = {
  ts_match_vq: { side: 0, by: 'query' },
  ts_match_qv: { side: 1, by: 'query' },
  arraycontains: { side: 0, by: 'contains' },
  arraycontained: { side: 0, by: 'within' },
  arrayoverlap: { side: 0, by: 'overlaps' },
  array_eq: { side: 0, by: 'equals' },
  jsonb_contains: { side: 0, by: 'document' },
  jsonb_exists: { side: 0, by: 'key' },
  jsonb_exists_any: { side: 0, by: 'keys' },
  jsonb_exists_all: { side: 0, by: 'allKeys' },
  hs_contains: { side: 0, by: 'pairs' },
  exist: { side: 0, by: 'key' },
  exists_any: { side: 0, by: 'keys' },
  exists_all: { side: 0, by: 'allKeys' },
  texteq: { side: 0, by: 'text' },
  textlike: { side: 0, by: 'like' },
  texticlike: { side: 0, by: 'like' },
  range_overlaps: { side: 0, by: 'overlapsRange' },
  range_contains: { side: 0, by: 'containsRange' },
  range_contained_by: { side: 0, by: 'withinRange' },
  range_contains_elem: { side: 0, by: 'containsPoint' },
  elem_contained_by_range: { side: 1, by: 'containsPoint' },
};

/** Those in the other direction, with the searched value on the left. */
export const TURNED: Readonly<Record<string, { readonly side: 0 | 1; readonly by: Search } | undefined>> = {
  arraycontains: { side: 1, by: 'within' },
  arraycontained: { side: 1, by: 'contains' },
  arrayoverlap: { side: 1, by: 'overlaps' },
  array_eq: { side: 1, by: 'equals' },
  jsonb_contained: { side: 1, by: 'document' },
  hs_contained: { side: 1, by: 'pairs' },
  texteq: { side: 1, by: 'text' },
  range_overlaps: { side: 1, by: 'overlapsRange' },
  range_contains: { side: 1, by: 'withinRange' },
  range_contained_by: { side: 1, by: 'containsRange' },
};

export type Search =
  'query' | 'contains' | 'within' | 'overlaps' | 'equals' | 'document' | 'pairs' | 'key' | 'keys' | 'allKeys' | RangeSearch | 'like' | 'text';
type RangeSearch = 'overlapsRange' | 'containsRange' | 'withinRange' | 'containsPoint';

const exactly = (key: string): SearchTerm => ({ kind: 'key', key });

/** The search term for rows whose value has the relation to this one. */
export function searchTerm(by: Search, type: SqlType, value: Value): SearchTerm {
  if (value === null) return NOTHING;
  switch (by) {
    case 'query': {
      const { root } = value as TsQuery;
      return root === null ? NOTHING : queryTerm(root);
    }
    case 'document':
      return { kind: 'all', terms: jsonKeys(treeOf(value as string)).map(exactly) };
    case 'pairs':
      return { kind: 'all', terms: [...pairsOf(value as string)].map(([key, own]) => exactly(pairKey(key, own))) };
    case 'key':
      return exactly(`K${textKey(value as string)}`);
    case 'keys':
    case 'allKeys': {
      const terms = (value as ArrayValue).elements.filter((each) => each !== null).map((each) => exactly(`K${textKey(each as string)}`));
      return { kind: by === 'keys' ? 'any' : 'all', terms };
    }
    case 'like':
      return withTrigrams(trigramsOfPattern(value as string));
    case 'text':
      return withTrigrams(trigramsOf(value as string));
    case 'containsPoint':
      return { kind: 'any', terms: keysAround(value).map(between) };
    case 'containsRange':
      // All contain the empty range.
      return (value as RangeValue).empty ? null : { kind: 'any', terms: keysAroundRange(value as RangeValue).map(between) };
    case 'overlapsRange':
      return (value as RangeValue).empty ? NOTHING : overlapping(value as RangeValue);
    case 'withinRange':
      return (value as RangeValue).empty ? exactly(EMPTY_KEY) : { kind: 'any', terms: [overlapping(value as RangeValue), exactly(EMPTY_KEY)] };
    default: {
      const { elements } = value as ArrayValue;
      const terms = elementKeys(rootOf(type), elements).map(exactly);
      if (by === 'overlaps') return { kind: 'any', terms };
      if (by === 'within') return { kind: 'any', terms: [...terms, exactly(NO_ELEMENTS)] };
      if (by === 'equals' && elements.length === 0) return exactly(NO_ELEMENTS);
      return { kind: 'all', terms };
    }
  }
}

function withTrigrams(trigrams: ReadonlySet<string>): SearchTerm {
  return trigrams.size === 0 ? null : { kind: 'all', terms: [...trigrams].map((each) => exactly(textKey(each))) };
}

const between = ({ from, to }: KeysBetween): SearchTerm => ({ kind: 'range', from, to });

function overlapping(range: RangeValue): SearchTerm {
  return { kind: 'any', terms: keysWithin(range).map(between) };
}

function queryTerm(node: TsNode): SearchTerm {
  switch (node.kind) {
    case 'word': {
      const key = utf8Key(node.text);
      return node.prefix ? { kind: 'prefix', key: cut(key) } : exactly(textKey(node.text));
    }
    case 'not':
      return null;
    default:
      return { kind: node.kind === 'or' ? 'any' : 'all', terms: [queryTerm(node.left), queryTerm(node.right)] };
  }
}
