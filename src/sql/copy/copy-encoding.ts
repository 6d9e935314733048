/**
 * Encodings of COPY's ENCODING option. UTF-8 goes through as it is; encodings of one byte a character are turned into
 * UTF-8 before lines are looked for, which is safe as all of them hold ASCII. Encodings of several bytes are not known.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

export interface CopyEncoding {
  /** As Postgres prints it: `LATIN1`. */
  readonly name: string;
  /** For the encodings of one byte, characters by byte, '' where there is none; null for UTF-8. */
  readonly characters: readonly string[] | null;
}

/** Postgres's names and the WHATWG's, manual 24.3.1. LATIN1 is no entry, as the WHATWG takes it for windows-1252. */
const SINGLE_BYTE: Record<string, string> = {
  LATIN2: 'iso-8859-2',
  LATIN3: 'iso-8859-3',
  LATIN4: 'iso-8859-4',
  LATIN6: 'iso-8859-10',
  LATIN7: 'iso-8859-13',
  LATIN8: 'iso-8859-14',
  LATIN9: 'iso-8859-15',
  LATIN10: 'iso-8859-16',
  ISO_8859_5: 'iso-8859-5',
  ISO_8859_6: 'iso-8859-6',
  ISO_8859_7: 'iso-8859-7',
  ISO_8859_8: 'iso-8859-8',
  KOI8R: 'koi8-r',
  KOI8U: 'koi8-u',
  WIN866: 'ibm866',
  WIN874: 'windows-874',
  WIN1250: 'windows-1250',
  WIN1251: 'windows-1251',
  WIN1252: '',
  WIN1253: 'windows-1253',
  WIN1254: 'windows-1254',
  WIN1255: 'windows-1255',
  WIN1256: 'windows-1256',
  WIN1257: 'windows-1257',
  WIN1258: 'windows-1258',
};

/** Bytes 0x80 to 0x9f of WIN1252, which Node 20's decoder takes for LATIN1. */
const WIN1252 = '€,,‚,ƒ,„,…,†,‡,ˆ,‰,Š,‹,Œ,,Ž,,,‘,’,“,”,•,–,—,˜,™,š,›,œ,,ž,Ÿ'.split(',');

/** Other spellings, lower case and without punctuation, as Postgres compares them. */
const ALIASES: Record<string, string> = {
  unicode: 'UTF8',
  sqlascii: 'SQL_ASCII',
  iso88591: 'LATIN1',
  iso88592: 'LATIN2',
  iso88593: 'LATIN3',
  iso88594: 'LATIN4',
  iso885910: 'LATIN6',
  iso885913: 'LATIN7',
  iso885914: 'LATIN8',
  iso885915: 'LATIN9',
  iso885916: 'LATIN10',
  windows866: 'WIN866',
  alt: 'WIN866',
  windows874: 'WIN874',
  windows1250: 'WIN1250',
  windows1251: 'WIN1251',
  win: 'WIN1251',
  windows1252: 'WIN1252',
  windows1253: 'WIN1253',
  windows1254: 'WIN1254',
  windows1255: 'WIN1255',
  windows1256: 'WIN1256',
  windows1257: 'WIN1257',
  windows1258: 'WIN1258',
  abc: 'WIN1258',
  tcvn: 'WIN1258',
  tcvn5712: 'WIN1258',
  vscii: 'WIN1258',
  koi8: 'KOI8R',
};

/** Known to Postgres, of several bytes a character or without a table here. */
const UNSUPPORTED = new Set([
  'eucjp',
  'euccn',
  'euckr',
  'euctw',
  'eucjis2004',
  'muleinternal',
  'latin5',
  'iso88599',
  'johab',
  'sjis',
  'shiftjis',
  'mskanji',
  'win932',
  'windows932',
  'big5',
  'win950',
  'windows950',
  'gbk',
  'win936',
  'windows936',
  'uhc',
  'win949',
  'windows949',
  'gb18030',
  'shiftjis2004',
]);

export const UTF8: CopyEncoding = { name: 'UTF8', characters: null };

const known = new Map<string, CopyEncoding>([
  ['utf8', UTF8],
  ['sqlascii', { name: 'SQL_ASCII', characters: null }],
]);

/** null for a name that is none; 0A000 for an encoding of Postgres's that is not known here. */
export function encodingByName(name: string): CopyEncoding | null {
  let key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  key = (ALIASES[key] ?? key).toLowerCase().replace('_', '');
  const made = known.get(key);
  if (made !== undefined) return made;
  if (UNSUPPORTED.has(key)) throw new SvcError('0A000', `encoding "${name}" is not supported`);
  const title = key === 'latin1' ? 'LATIN1' : Object.keys(SINGLE_BYTE).find((other) => other.toLowerCase().replaceAll('_', '') === key);
  if (title === undefined) return null;
  const encoding = { name: title, characters: charactersOf(title) };
  known.set(key, encoding);
  return encoding;
}

function charactersOf(title: string): string[] {
  if (title === 'LATIN1') return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  if (title === 'WIN1252') return Array.from({ length: 256 }, (_, byte) => (byte >= 0x80 && byte < 0xa0 ? WIN1252[byte - 0x80] : String.fromCharCode(byte)));
  const decoder = new TextDecoder(SINGLE_BYTE[title]);
  return Array.from({ length: 256 }, (_, byte) => {
    const character = decoder.decode(Uint8Array.of(byte));
    // The WHATWG maps holes of the Windows pages to control characters, Postgres to nothing.
    const code = character.charCodeAt(0);
    return code === 0xfffd || (title.startsWith('WIN') && code >= 0x80 && code < 0xa0) ? '' : character;
  });
}

/** Bytes of the encoding as UTF-8. */
export function toUtf8(encoding: CopyEncoding, bytes: Uint8Array): Uint8Array {
  const { characters } = encoding;
  if (characters === null) return bytes;
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const character = characters[bytes[i]];
    if (character === '') throw noEquivalent(hex(bytes.subarray(i, i + 1)), encoding.name, 'UTF8');
    text += character;
  }
  return Buffer.from(text, 'utf8');
}

const reversed = new WeakMap<CopyEncoding, Map<string, number>>();

/** A text in the encoding. */
export function fromText(encoding: CopyEncoding, text: string): Uint8Array {
  const { characters } = encoding;
  if (characters === null) return Buffer.from(text, 'utf8');
  let bytesOf = reversed.get(encoding);
  if (bytesOf === undefined) reversed.set(encoding, (bytesOf = new Map(characters.map((character, byte) => [character, byte]))));
  const bytes = Buffer.allocUnsafe(text.length);
  let size = 0;
  for (const character of text) {
    const byte = bytesOf.get(character);
    if (byte === undefined) throw noEquivalent(hex(Buffer.from(character, 'utf8')), 'UTF8', encoding.name);
    bytes[size++] = byte;
  }
  return bytes.subarray(0, size);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(' ');
}

function noEquivalent(sequence: string, from: string, to: string): SvcError {
  return new SvcError('22P05', `character with byte sequence ${sequence} in encoding "${from}" has no equivalent in encoding "${to}"`);
}
