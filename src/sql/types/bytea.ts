/** bytea: a string of one character per byte. */
import { bytesToEscape, bytesToHex, escapeToBytes, hexToBytes } from './bytes-text.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

export function parseBytea(text: string): string {
  return text.startsWith('\\x') ? hexToBytes(text, 2) : escapeToBytes(text);
}

export const BYTEA: SqlType = makeType({
  oid: 17,
  name: 'bytea',
  title: 'bytea',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 1001,
  parse: parseBytea,
  format: (value, env) => (env.byteaOutput === 'hex' ? `\\x${bytesToHex(value as string)}` : bytesToEscape(value as string)),
  json: (value) => `\\x${bytesToHex(value as string)}`,
});
