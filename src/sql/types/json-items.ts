/** The scalars of a JSON document in text order, with a flag for keys. The text must be valid JSON. */

export type JsonItemKind = 'key' | 'string' | 'numeric' | 'boolean' | 'null';

export interface JsonItem {
  readonly kind: JsonItemKind;
  /** A string without its quotes and escapes, anything else as written. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|true|false|null/g;

export function* jsonItems(document: string): Generator<JsonItem> {
  for (const found of document.matchAll(TOKEN)) {
    const [raw] = found;
    const from = found.index;
    const to = from + raw.length;
    switch (raw[0]) {
      case '"': {
        KEY.lastIndex = to;
        yield { kind: KEY.test(document) ? 'key' : 'string', text: JSON.parse(raw) as string, from, to };
        break;
      }
      case 't':
      case 'f':
        yield { kind: 'boolean', text: raw, from, to };
        break;
      case 'n':
        yield { kind: 'null', text: raw, from, to };
        break;
      default:
        yield { kind: 'numeric', text: raw, from, to };
    }
  }
}

const KEY = /\s*:/y;
