/**
 * jsonb's btree order, from the texts: Object > Array > Boolean > Number > String > Null, then counts, then members. Manual, section
 * 8.14.4. A sort compares more documents than a cache of trees could hold.
 */
import { compareNumbers, numberNodeFromText } from './json-number.ts';
import { compareUtf8 } from './json-string.ts';
import { partsOf } from './jsonb-text.ts';

const RANK = { null: 0, string: 1, number: 2, boolean: 3, array: 4, object: 5 } as const;

function rank(text: string): number {
  switch (text.charCodeAt(0)) {
    case 123:
      return RANK.object;
    case 91:
      return RANK.array;
    case 116:
    case 102:
      return RANK.boolean;
    case 34:
      return RANK.string;
    case 110:
      return RANK.null;
    default:
      return RANK.number;
  }
}

/** Compares two documents. An empty array at the top is below every scalar: an oddity of Postgres. */
export function compareJsonb(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '[]' && rank(b) < RANK.array) return -1;
  if (b === '[]' && rank(a) < RANK.array) return 1;
  return compareParts(a, b);
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const kind = rank(a);
  const other = rank(b);
  if (kind !== other) return kind - other;
  switch (kind) {
    case RANK.string:
      return compareStrings(a, b);
    case RANK.number:
      return compareNumberTexts(a, b);
    case RANK.boolean:
      return a === 'true' ? 1 : -1;
    default: {
      const left = partsOf(a);
      const right = partsOf(b);
      if (left.length !== right.length) return left.length - right.length;
      for (let i = 0; i < left.length; i++) {
        const order = compareParts(left[i], right[i]);
        if (order !== 0) return order;
      }
      return 0;
    }
  }
}

function compareStrings(a: string, b: string): number {
  return compareUtf8(unquote(a), unquote(b));
}

function unquote(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function compareNumberTexts(a: string, b: string): number {
  // Doubles represent fifteen digits exactly, so they keep the order.
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b);
  return compareNumbers(numberNodeFromText(a), numberNodeFromText(b));
}
