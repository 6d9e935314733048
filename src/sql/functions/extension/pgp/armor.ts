/** Bytes as text with a checksum (RFC 4880, 6). */
import { SvcError } from '../../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../../types/array-value.ts';
import { pgpError } from './pgp-error.ts';

const BEGIN = '-----BEGIN PGP MESSAGE-----\n';
const END = '\n-----END PGP MESSAGE-----\n';
const LINE = 76;

function crc24(bytes: Buffer): number {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let i = 0; i < 8; i++) {
      crc <<= 1;
      if ((crc & 0x1000000) !== 0) crc ^= 0x1864cfb;
    }
  }
  return crc & 0xffffff;
}

function checksum(bytes: Buffer): string {
  const out = Buffer.alloc(3);
  out.writeUIntBE(crc24(bytes), 0, 3);
  return out.toString('base64');
}

export function armored(bytes: Buffer, headers: readonly (readonly [string, string])[] = []): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  const head = headers.map(([name, value]) => `${name}: ${value}\n`).join('');
  return `${BEGIN}${head}\n${lines.map((line) => `${line}\n`).join('')}=${checksum(bytes)}${END}`;
}

/** Names and values of headers, from two arrays. */
export function armorHeaders(names: ArrayValue, values: ArrayValue): [string, string][] {
  const lists = [names, values].map((each) => {
    if (each.lengths.length > 1) throw new SvcError('2202E', 'wrong number of array subscripts');
    return each.elements as readonly (string | null)[];
  });
  if (lists[0].length !== lists[1].length) throw new SvcError('2202E', 'mismatched array dimensions');
  return lists[0].map((name, i) => {
    const value = lists[1][i];
    const refused = (what: 'key' | 'value', text: string | null): void => {
      if (text === null) throw new SvcError('22004', `null value not allowed for header ${what}`);
      // oxlint-disable-next-line no-control-regex
      if (/[^\x00-\x7f]/.test(text)) throw new SvcError('22023', `header ${what} must not contain non-ASCII characters`);
      if (what === 'key' && text.includes(': ')) throw new SvcError('22023', 'header key must not contain ": "');
      if (text.includes('\n')) throw new SvcError('22023', `header ${what} must not contain newlines`);
    };
    refused('key', name);
    refused('value', value);
    return [name!, value!];
  });
}

interface Parts {
  readonly headers: string;
  readonly body: string;
  readonly sum: string | null;
}

/** The armor may have lines around it. */
function partsOf(text: string): Parts {
  const start = /(?:^|\n)-----BEGIN [^\n]*-----[ \t\r]*\n/.exec(text);
  if (start === null) throw pgpError('armor');
  const inside = text.slice(start.index + start[0].length);
  const end = /(?:^|\n)-----END [^\n]*-----/.exec(inside);
  if (end === null) throw pgpError('armor');
  const content = inside.slice(0, end.index + 1);
  const blank = /^((?:[^\n]*[^\s\n][^\n]*\n)*)[ \t\r]*\n([^]*)$/.exec(content);
  const [headers, body] = blank === null ? ['', content] : [blank[1], blank[2]];
  const sum = /(?:^|\n)=([A-Za-z0-9+/]{4})\s*$/.exec(body);
  return { headers, body: sum === null ? body : body.slice(0, sum.index), sum: sum?.[1] ?? null };
}

export function dearmored(text: string): Buffer {
  const { body, sum } = partsOf(text);
  const compact = body.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) throw pgpError('armor');
  const bytes = Buffer.from(compact, 'base64');
  if (sum === null || sum !== checksum(bytes)) throw pgpError('armor');
  return bytes;
}

export function headersOf(text: string): [string, string][] {
  const { headers } = partsOf(text);
  return headers
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(': ');
      if (at < 0) throw pgpError('armor');
      return [line.slice(0, at), line.slice(at + 2).replace(/\r$/, '')];
    });
}
