/**
 * Offsets of objects in Postgres's binary form of a document, which .keyvalue() uses as ids (src/include/utils/jsonb.h; numbers as
 * in utils/adt/numeric.c).
 *
 *   container   padding to 4 │ header 4 │ an entry of 4 for each item, or key and value │ keys │ items
 *   number      padding to 4 │ length 4 │ header 2 or 4 │ 2 for each digit to the base 10,000
 *   string      its bytes            null, true, false   nothing
 */
import { numberText } from '../../types/json-number.ts';
import { utf8Length } from '../../types/json-string.ts';
import { isJsonArray, isJsonNumber, type JsonNode, JsonObject } from '../../types/json-tree.ts';

const WORD_BYTES = 4;
/** Largest scale and weight of the short header. */
const SHORT_SCALE_MAX = 63;
const SHORT_WEIGHT_MAX = 63;
const SHORT_WEIGHT_MIN = -64;

/** Bytes from the start of the root to each object in it. */
export function objectPlaces(root: JsonNode): ReadonlyMap<JsonObject, number> {
  const places = new Map<JsonObject, number>();
  const end = (node: JsonNode, start: number): number => {
    if (typeof node === 'string') return start + utf8Length(node);
    if (isJsonNumber(node)) return aligned(start) + numberBytes(numberText(node));
    const isObject = node instanceof JsonObject;
    if (!isObject && (node === null || !isJsonArray(node))) return start;
    const place = aligned(start);
    const items = isObject ? node.values : (node as readonly JsonNode[]);
    let at = place + WORD_BYTES * (1 + items.length * (isObject ? 2 : 1));
    if (isObject) {
      if (!places.has(node)) places.set(node, place);
      for (const key of node.keys) at += utf8Length(key);
    }
    for (const item of items) at = end(item, at);
    return at;
  };
  end(root, 0);
  return places;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}

function numberBytes(text: string): number {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  const head = whole.replace(/^0+/, '');
  const wholeGroups = Math.ceil(head.length / 4);
  const groups = `${head.padStart(wholeGroups * 4, '0')}${fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')}`.match(/.{4}/g) ?? [];
  const first = groups.findIndex((group) => group !== '0000');
  const last = groups.findLastIndex((group) => group !== '0000');
  const digits = first < 0 ? 0 : last - first + 1;
  const weight = first < 0 ? 0 : wholeGroups - 1 - first;
  const short = fraction.length <= SHORT_SCALE_MAX && weight <= SHORT_WEIGHT_MAX && weight >= SHORT_WEIGHT_MIN;
  return WORD_BYTES + (short ? 2 : 4) + 2 * digits;
}
