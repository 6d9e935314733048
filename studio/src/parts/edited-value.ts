/** Values of a row as text that a person changes, and back. Numbers stay as they are written. */
import { exactJsonText, parseExactJson } from '../../../src/base/exact-json.ts';
import { CallError } from '../api.ts';
import { textOf } from './text.ts';

function isArray(type: string): boolean {
  return type.endsWith('[]');
}

/** null: it is null. Arrays and documents are written as JSON, also a document that is one string. */
export function editable(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null;
  return isArray(type) || type === 'json' || type === 'jsonb' ? exactJsonText(value) : textOf(value);
}

/** What `sql` takes as a parameter. 22P02 (400) for an array that is not one. */
export function asParameter(text: string | null, type: string, column: string): unknown {
  if (text === null || !isArray(type)) return text;
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    // Refused below.
  }
  if (Array.isArray(value)) return value;
  throw new CallError(400, { code: '22P02', message: `${column} is not an array in JSON`, hint: 'Write it as ["a", null] or [1, 2].' });
}
