/** Containment of documents, and keys that equal documents share. Order is in jsonb-order.ts. */
import { compareNumbers, numberKey } from './json-number.ts';
import { quoteJson } from './json-string.ts';
import { type JsonNode, JsonObject, isJsonArray, isJsonNumber, isScalar } from './json-tree.ts';

/** A text that is equal for equal documents: printTree without trailing zeros of numbers. */
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
  return top && isJsonArray(outer) ? arrayHolds(outer, inner) : equalScalars(outer, inner);
}

function arrayHolds(items: readonly JsonNode[], wanted: JsonNode): boolean {
  const scalar = isScalar(wanted);
  for (const item of items) if (scalar ? equalScalars(item, wanted) : containsTree(item, wanted, false)) return true;
  return false;
}

/** `b` is a scalar. */
function equalScalars(a: JsonNode, b: JsonNode): boolean {
  if (a === b) return true;
  return isJsonNumber(b) && isJsonNumber(a) && compareNumbers(a, b) === 0;
}
