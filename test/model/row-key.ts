/** `<table>/<id>`, with `,` `/` `%` and white space percent-escaped in both parts. */
import { SvcError } from '../../src/base/errors/svc-error.ts';

export function escapePart(text: string): string {
  let out = '';
  for (const char of text)
    out += /[,/%\s]/.test(char) ? [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('') : char;
  return out;
}

export function rowKey(table: string, id: string): string {
  return `${escapePart(table)}/${escapePart(id)}`;
}

export function parseRowKey(key: string): { table: string; id: string } {
  const parts = key.split('/');
  const bad = new SvcError('22023', `"${key}" is not <table>/<id>`);
  // An id may hold a plain slash when a user writes the key by hand.
  if (parts.length < 2 || parts[0] === '' || parts.slice(1).join('/') === '') throw bad;
  try {
    return { table: decodeURIComponent(parts[0]), id: decodeURIComponent(parts.slice(1).join('/')) };
  } catch {
    throw bad;
  }
}
