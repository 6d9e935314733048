/**
 * jsonb documents as byte strings in their order (types/jsonb-order.ts; manual, section 8.14.4).
 *
 *   00 [] at the top, which Postgres orders below all others
 *   01 null | 02 string, UTF-8, 00 | 03 number, as numeric | 04 false | 05 true
 *   06 count(4) items | 07 count(4) of each member its key, UTF-8, 00, and its value
 *
 * A string of jsonb contains no zero byte. Members are in jsonb's key order, so for two objects of equal size the first differing
 * key or value decides.
 */
import { assert } from '../../base/assert.ts';
import { encodeCell, decodeCell } from '../../worlds/memcomparable.ts';
import { numberNode, toNumeric } from '../types/json-number.ts';
import { type JsonNode, isJsonArray, isJsonNumber, JsonObject } from '../types/json-tree.ts';
import { decodeNumeric, encodeNumeric } from './numeric-key.ts';

export function encodeJsonb(node: JsonNode): string {
  return isJsonArray(node) && node.length === 0 ? '\x00' : encodeNode(node);
}

function encodeNode(node: JsonNode): string {
  if (node === null) return '\x01';
  if (typeof node === 'string') return `\x02${encodeCell(node, 'text')}`;
  if (isJsonNumber(node)) return `\x03${encodeNumeric(toNumeric(node))}`;
  if (typeof node === 'boolean') return node ? '\x05' : '\x04';
  if (isJsonArray(node)) {
    let out = `\x06${encodeCell(node.length, 'i32')}`;
    for (const item of node) out += encodeNode(item);
    return out;
  }
  const { keys, values } = node;
  let out = `\x07${encodeCell(keys.length, 'i32')}`;
  for (let i = 0; i < keys.length; i++) out += encodeCell(keys[i], 'text') + encodeNode(values[i]);
  return out;
}

/** The document at `at` of a key; numbers lack their trailing zeros. */
export function decodeJsonb(key: string, at: number): { node: JsonNode; end: number } {
  switch (key.charCodeAt(at)) {
    case 0:
      return { node: [], end: at + 1 };
    case 1:
      return { node: null, end: at + 1 };
    case 2: {
      const { value, end } = decodeCell(key, at + 1, 'text');
      return { node: value as string, end };
    }
    case 3: {
      const { value, end } = decodeNumeric(key, at + 1);
      return { node: numberNode(value), end };
    }
    case 4:
    case 5:
      return { node: key.charCodeAt(at) === 5, end: at + 1 };
    case 6: {
      const items: JsonNode[] = [];
      let from = at + 5;
      for (let left = decodeCell(key, at + 1, 'i32').value as number; left > 0; left--) {
        const { node, end } = decodeJsonb(key, from);
        items.push(node);
        from = end;
      }
      return { node: items, end: from };
    }
    case 7: {
      const keys: string[] = [];
      const values: JsonNode[] = [];
      let from = at + 5;
      for (let left = decodeCell(key, at + 1, 'i32').value as number; left > 0; left--) {
        const name = decodeCell(key, from, 'text');
        const { node, end } = decodeJsonb(key, name.end);
        keys.push(name.value as string);
        values.push(node);
        from = end;
      }
      return { node: new JsonObject(keys, values), end: from };
    }
    default:
      assert(false, `a key of jsonb begins with a mark of 0 to 7, not ${key.charCodeAt(at)}`);
  }
}
