/** jsonb's btree order and equality: Object > Array > Boolean > Number > String > Null, then counts, then members. */
import { compareNumbers, numberKey } from './json-number.ts';
import { compareUtf8, quoteJson } from './json-string.ts';
import { type JsonNode, JsonObject, isJsonArray, isJsonNumber } from './json-tree.ts';

function rank(node: JsonNode): number {
  if (typeof node === 'string') return 1;
  if (typeof node === 'number') return 2;
  if (typeof node === 'boolean') return 3;
  if (node === null) return 0;
  if (isJsonArray(node)) return 4;
  return node instanceof JsonObject ? 5 : 2;
}

/** Order of two documents. An empty array at the top is below every scalar: an oddity that Postgres keeps. */
export function compareTrees(a: JsonNode, b: JsonNode): number {
  if (isJsonArray(a) && a.length === 0 && rank(b) < 4) return -1;
  if (isJsonArray(b) && b.length === 0 && rank(a) < 4) return 1;
  return compareNodes(a, b);
}

function compareNodes(a: JsonNode, b: JsonNode): number {
  const kind = rank(a);
  const other = rank(b);
  if (kind !== other) return kind - other;
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return compareUtf8(a as string, b as string);
    case 2:
      return compareNumbers(a as number, b as number);
    case 3:
      return Number(a) - Number(b);
    case 4: {
      const left = a as readonly JsonNode[];
      const right = b as readonly JsonNode[];
      if (left.length !== right.length) return left.length - right.length;
      for (let i = 0; i < left.length; i++) {
        const order = compareNodes(left[i], right[i]);
        if (order !== 0) return order;
      }
      return 0;
    }
    default: {
      const left = a as JsonObject;
      const right = b as JsonObject;
      if (left.keys.length !== right.keys.length) return left.keys.length - right.keys.length;
      for (let i = 0; i < left.keys.length; i++) {
        const order = compareUtf8(left.keys[i], right.keys[i]) || compareNodes(left.values[i], right.values[i]);
        if (order !== 0) return order;
      }
      return 0;
    }
  }
}

function equalTrees(a: JsonNode, b: JsonNode): boolean {
  return a === b || compareNodes(a, b) === 0;
}

/** A text that equal documents share: what printTree gives, without zeros at the end of numbers. */
export function treeKey(node: JsonNode): string {
  if (typeof node === 'string') return quoteJson(node);
  if (isJsonNumber(node)) return numberKey(node);
  if (isJsonArray(node)) return `[${node.map(treeKey).join(', ')}]`;
  if (node instanceof JsonObject) return `{${node.keys.map((key, i) => `${quoteJson(key)}: ${treeKey(node.values[i])}`).join(', ')}}`;
  return String(node);
}

/** jsonb's `@>`. At the top an array also contains a bare scalar that is among its items. */
export function containsTree(outer: JsonNode, inner: JsonNode, top = true): boolean {
  if (inner instanceof JsonObject) {
    if (!(outer instanceof JsonObject) || outer.keys.length < inner.keys.length) return false;
    for (let i = 0; i < inner.keys.length; i++) {
      const at = outer.indexOf(inner.keys[i]);
      if (at === -1 || !containsTree(outer.values[at], inner.values[i], false)) return false;
    }
    return true;
  }
  if (isJsonArray(inner)) {
    if (!isJsonArray(outer)) return false;
    for (const item of inner) if (!arrayHolds(outer, item)) return false;
    return true;
  }
  if (top && isJsonArray(outer)) return arrayHolds(outer, inner);
  return rank(outer) === rank(inner) && equalTrees(outer, inner);
}

function arrayHolds(items: readonly JsonNode[], wanted: JsonNode): boolean {
  const kind = rank(wanted);
  for (const item of items) {
    if (rank(item) === kind && (kind < 4 ? equalTrees(item, wanted) : containsTree(item, wanted, false))) return true;
  }
  return false;
}
