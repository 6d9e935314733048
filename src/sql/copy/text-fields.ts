/** Fields of a line in COPY's text format. Manual: COPY, Text Format. */
import { utf8Bytes, utf8Text } from '../types/bytes-text.ts';
import type { CopyField } from './copy-reader.ts';
import type { CopyOptions } from './copy-options.ts';

export type FieldParser = (text: string, start: number, end: number, marked: boolean, fields: CopyField[]) => number;

/** Puts the fields of `text` from `start` to `end` into `fields` and gives their number. If `marked` is false there is no backslash in it. */
export function textFields(options: CopyOptions): FieldParser {
  const { delimiter, null: nullText, default: defaultText } = options;
  const plainNull = nullText.includes('\\') ? null : nullText;
  const plainDefault = defaultText === null || defaultText.includes('\\') ? null : defaultText;
  return (text, start, end, marked, fields) => {
    if (marked) {
      return markedFields(text, start, end, delimiter, nullText, defaultText, fields);
    }
    let count = 0;
    let at = start;
    for (;;) {
      let stop = text.indexOf(delimiter, at);
      const last = stop < 0 || stop >= end;
      if (last) stop = end;
      const field = text.slice(at, stop);
      fields[count++] = field === plainNull ? null : field === plainDefault ? undefined : field;
      if (last) return count;
      at = stop + 1;
    }
  };
}

function markedFields(text: string, start: number, end: number, delimiter: string, nullText: string, defaultText: string | null, fields: CopyField[]): number {
  let count = 0;
  const delimiterCode = delimiter.charCodeAt(0);
  let at = start;
  for (;;) {
    let stop = at;
    let escapes = false;
    let raw = end;
    for (; stop < end; stop++) {
      const code = text.charCodeAt(stop);
      if (code === delimiterCode) break;
      if (code === 92) {
        escapes = true;
        // A backslash at the end of the data is ignored.
        if (++stop >= end) {
          stop = end;
          raw = end - 1;
          break;
        }
      }
    }
    if (stop < end) raw = stop;
    const field = text.slice(at, raw);
    fields[count++] = field === nullText ? null : field === defaultText ? undefined : escapes ? unescapeText(field) : field;
    if (stop >= end) return count;
    at = stop + 1;
  }
}

const LETTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([^]))/g;

/** Escapes give bytes: several can form one character, and invalid ones are 22021. */
function unescapeText(field: string): string {
  let bytewise = false;
  const replaced = field.replace(ESCAPE, (_, octal: string | undefined, hex: string | undefined, character: string) => {
    if (character !== undefined) return LETTERS[character] ?? character;
    const byte = octal !== undefined ? Number.parseInt(octal, 8) & 255 : Number.parseInt(hex!, 16);
    if (byte === 0 || byte > 127) bytewise = true;
    return String.fromCharCode(byte);
  });
  if (!bytewise) return replaced;
  return utf8Text(
    utf8Bytes(field).replace(ESCAPE, (_, octal: string | undefined, hex: string | undefined, character: string) => {
      if (character !== undefined) return LETTERS[character] ?? character;
      return String.fromCharCode(octal !== undefined ? Number.parseInt(octal, 8) & 255 : Number.parseInt(hex!, 16));
    }),
  );
}
