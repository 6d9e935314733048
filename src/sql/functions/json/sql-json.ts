/** The implementation of SQL/JSON constructors and predicates, over arguments whose types are in the call. Manual, 9.16.1. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { quoteJson } from '../../types/json-string.ts';
import { isJsonArray, JsonObject, type JsonNode, parseTree } from '../../types/json-tree.ts';
import type { Value } from '../../types/value.ts';
import type { Call } from '../define.ts';
import { keyTextOf, rendererOf } from './json-render.ts';

/** JSON_OBJECT over keys and values in turn. */
export function objectOf(call: Call, values: readonly Value[], absentOnNull: boolean, uniqueKeys: boolean): string {
  const seen = new Set<string>();
  let text = '';
  for (let i = 0; i < values.length; i += 2) {
    const [key, value] = [values[i], values[i + 1]];
    if (key === null) throw new SvcError('22004', 'null value not allowed for object key');
    if (value === null && absentOnNull) continue;
    const name = keyTextOf(call.argTypes[i])(key, call.env);
    if (uniqueKeys) {
      if (seen.has(name)) throw new SvcError('22030', `duplicate JSON object key value: ${quoteJson(name)}`);
      seen.add(name);
    }
    text += `${text === '' ? '' : ', '}${quoteJson(name)} : ${value === null ? 'null' : rendererOf(call.argTypes[i + 1])(value, call.env)}`;
  }
  return `{${text}}`;
}

/** JSON_ARRAY over its elements. */
export function arrayOf(call: Call, values: readonly Value[], absentOnNull: boolean): string {
  const parts: string[] = [];
  values.forEach((value, i) => {
    if (value !== null) parts.push(rendererOf(call.argTypes[i])(value, call.env));
    else if (!absentOnNull) parts.push('null');
  });
  return `[${parts.join(', ')}]`;
}

export type JsonItemKind = 'value' | 'object' | 'array' | 'scalar';

/** IS JSON over a text. */
export function isJson(text: string, kind: JsonItemKind, uniqueKeys: boolean): boolean {
  let node: JsonNode;
  try {
    node = parseTree(text);
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
  const own: JsonItemKind = node instanceof JsonObject ? 'object' : isJsonArray(node) ? 'array' : 'scalar';
  return (kind === 'value' || kind === own) && (!uniqueKeys || !hasDoubleKeys(text));
}

/** For a JSON text: whether an object in it has a duplicate key. */
export function hasDoubleKeys(text: string): boolean {
  const open: (Set<string> | null)[] = [];
  // Only strings and brackets matter; a string before a colon is a key.
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (key !== undefined) {
      const name = JSON.parse(key) as string;
      const keys = open[open.length - 1]!;
      if (keys.has(name)) return true;
      keys.add(name);
    } else if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
  }
  return false;
}
