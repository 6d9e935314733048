/** The text form of records: `(1,"a b",)`. */
import { SvcError } from '../../base/errors/svc-error.ts';

const QUOTED = /["\\(), \t\n\r\v\f]/;

/** Prints the fields, null for SQL's null. */
export function formatRecord(fields: readonly (string | null)[]): string {
  let text = '(';
  for (let i = 0; i < fields.length; i++) {
    if (i > 0) text += ',';
    const field = fields[i];
    if (field === null) continue;
    text += field === '' || QUOTED.test(field) ? `"${field.replace(/["\\]/g, '$&$&')}"` : field;
  }
  return `${text})`;
}

function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13);
}

/** Reads the texts of as many fields as there are. */
export function parseFields(text: string): (string | null)[] {
  return text === '()' ? [] : read(text, null);
}

/** Reads the texts of exactly `count` fields. */
export function parseRecord(text: string, count: number): (string | null)[] {
  return read(text, count);
}

function read(text: string, count: number | null): (string | null)[] {
  const malformed = (detail: string): SvcError => new SvcError('22P02', `malformed record literal: "${text}"`, { detail });
  let at = 0;
  while (isSpace(text.charCodeAt(at))) at++;
  if (text[at] !== '(') throw malformed('Missing left parenthesis.');
  at++;
  const fields: (string | null)[] = [];
  for (let i = 0; count === null ? i === 0 || text[at] === ',' : i < count; i++) {
    if (i > 0) {
      if (text[at] !== ',') throw malformed('Too few columns.');
      at++;
    }
    if (text[at] === ',' || text[at] === ')') {
      fields.push(null);
      continue;
    }
    let field = '';
    let quoted = false;
    while (quoted || (text[at] !== ',' && text[at] !== ')')) {
      if (at >= text.length) throw malformed('Unexpected end of input.');
      const char = text[at++];
      if (char === '\\') {
        if (at >= text.length) throw malformed('Unexpected end of input.');
        field += text[at++];
      } else if (char === '"') {
        if (!quoted) quoted = true;
        else if (text[at] === '"') {
          field += '"';
          at++;
        } else quoted = false;
      } else {
        field += char;
      }
    }
    fields.push(field);
  }
  if (text[at] === ',') throw malformed('Too many columns.');
  if (text[at] !== ')') throw malformed('Missing right parenthesis.');
  for (at++; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) throw malformed('Junk after right parenthesis.');
  return fields;
}
