/** Prints trees: in jsonb's format, and indented as jsonb_pretty does. */
import { JSON_DEPTH_MAX, tooDeep } from './json-fault.ts';
import { numberText } from './json-number.ts';
import { quoteJson } from './json-string.ts';
import { type JsonNode, JsonObject, isJsonArray } from './json-tree.ts';
import { Numeric } from './numeric.ts';

/** The text of a jsonb value. 54001 for trees deeper than the parser accepts. */
export function printTree(node: JsonNode, depth = 0): string {
  if (typeof node === 'string') return quoteJson(node);
  if (typeof node === 'number' || typeof node === 'boolean' || node === null) return String(node);
  if (node instanceof Numeric) return numberText(node);
  if (depth >= JSON_DEPTH_MAX) throw tooDeep();
  if (isJsonArray(node)) {
    if (node.length === 0) return '[]';
    let text = `[${printTree(node[0], depth + 1)}`;
    for (let i = 1; i < node.length; i++) text += `, ${printTree(node[i], depth + 1)}`;
    return `${text}]`;
  }
  const { keys, values } = node;
  if (keys.length === 0) return '{}';
  let text = '{';
  for (let i = 0; i < keys.length; i++) {
    if (i > 0) text += ', ';
    text += `${quoteJson(keys[i])}: ${printTree(values[i], depth + 1)}`;
  }
  return `${text}}`;
}

/** jsonb_pretty: four spaces per level; an empty container still takes two lines. */
export function printIndented(node: JsonNode, indent = '\n'): string {
  const inner = `${indent}    `;
  if (isJsonArray(node)) return `[${node.map((item) => inner + printIndented(item, inner)).join(',')}${indent}]`;
  if (node instanceof JsonObject) {
    const members = node.keys.map((key, i) => `${inner}${quoteJson(key)}: ${printIndented(node.values[i], inner)}`);
    return `{${members.join(',')}${indent}}`;
  }
  return printTree(node);
}
