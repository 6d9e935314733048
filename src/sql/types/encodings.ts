/**
 * Encodings by Postgres's numbers and names, from and to Unicode (manual, section 24.3); multibyte ones are in
 * multibyte-encodings.ts. Values of bytea have one character per byte. The mappings are those of Node's decoders; for unassigned
 * bytes of Windows encodings those give a control character and Postgres none.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { utf8Bytes, utf8Text } from './bytes-text.ts';
import { characterCount } from './characters.ts';
import { isMultibyte, multibyte } from './multibyte-encodings.ts';

/** In the order of their numbers. */
export const ENCODINGS: readonly string[] =
  `SQL_ASCII EUC_JP EUC_CN EUC_KR EUC_TW EUC_JIS_2004 UTF8 MULE_INTERNAL LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9
  LATIN10 WIN1256 WIN1258 WIN866 WIN874 KOI8R WIN1251 WIN1252 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 WIN1250 WIN1253 WIN1254 WIN1255 WIN1257 KOI8U
  SJIS BIG5 GBK UHC GB18030 JOHAB SHIFT_JIS_2004`.split(/\s+/);

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
const BY_NAME = new Map([
  ...ENCODINGS.map((name, number) => [plain(name), number] as const),
  ['unicode', 6],
  ['abc', 19],
  ['alt', 20],
  ['koi8', 22],
  ['mskanji', 35],
  ['shiftjis', 35],
  ['sjis', 35],
  ['tcvn', 19],
  ['tcvn5712', 19],
  ['vscii', 19],
  ['win', 23],
  ['win932', 35],
  ['win936', 37],
  ['win949', 38],
  ['win950', 36],
  ['windows949', 38],
  ['windows950', 36],
  ['windows932', 35],
  ['windows936', 37],
]);

/** Of multibyte encodings. */
export const ENCODING_LENGTHS: Readonly<Record<number, number>> = { 1: 3, 2: 2, 3: 3, 4: 4, 5: 3, 6: 4, 7: 4, 35: 2, 36: 2, 37: 2, 38: 2, 39: 4, 40: 3, 41: 2 };

/** -1 if there is none of the name. */
export function encodingNumber(name: string): number {
  return BY_NAME.get(plain(name)) ?? -1;
}

export const SQL_ASCII = 0;
export const UTF8 = 6;
const NONE = 0xfffd;
const FIRST_HIGH = '\x80';
const FIRST_BEYOND_ASCII = 0x80;
const FIRST_BEYOND_CONTROLS = 0xa0;

/** By Postgres's names; `windows`: bytes that decode to control characters are unassigned. */
const DECODERS: Readonly<Record<string, readonly [label: string, windows: boolean]>> = {
  LATIN2: ['iso-8859-2', false],
  LATIN3: ['iso-8859-3', false],
  LATIN4: ['iso-8859-4', false],
  LATIN6: ['iso-8859-10', false],
  LATIN7: ['iso-8859-13', false],
  LATIN8: ['iso-8859-14', false],
  LATIN9: ['iso-8859-15', false],
  ISO_8859_5: ['iso-8859-5', false],
  ISO_8859_6: ['iso-8859-6', false],
  ISO_8859_7: ['iso-8859-7', false],
  ISO_8859_8: ['iso-8859-8', false],
  KOI8R: ['koi8-r', false],
  KOI8U: ['koi8-u', false],
  WIN866: ['ibm866', false],
  // Unassigned bytes are control characters here.
  WIN1256: ['windows-1256', false],
  WIN874: ['windows-874', true],
  WIN1250: ['windows-1250', true],
  WIN1251: ['windows-1251', true],
  WIN1253: ['windows-1253', true],
  WIN1254: ['windows-1254', true],
  WIN1255: ['windows-1255', true],
  WIN1257: ['windows-1257', true],
  WIN1258: ['windows-1258', true],
};

/** From 0xa0 on: Node has no decoder of ISO 8859-16. */
const LATIN10 = ' ĄąŁ€„Š§š©Ș«Ź­źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ';

interface OneByte {
  /** Code points by bytes. */
  readonly points: Uint16Array;
  readonly bytes: ReadonlyMap<number, number>;
}

const made = new Map<string, OneByte | null>();

function pointsOf(name: string): Uint16Array | null {
  const points = Uint16Array.from({ length: 256 }, (_, byte) => byte);
  const fill = (text: string, from: number): void => {
    for (let i = 0; i < text.length; i++) points[from + i] = text.charCodeAt(i);
  };
  const high = (label: string, from: number): string => new TextDecoder(label).decode(Uint8Array.from({ length: 256 - from }, (_, i) => from + i));
  switch (name) {
    case 'LATIN1':
      return points;
    case 'LATIN5':
      fill(high('windows-1254', FIRST_BEYOND_CONTROLS), FIRST_BEYOND_CONTROLS);
      return points;
    case 'LATIN10':
      fill(LATIN10, FIRST_BEYOND_CONTROLS);
      return points;
    case 'WIN1252':
      // Apart from the letters with a caron it is Windows-1254; Node's own decoder of this one is that of LATIN1 in some releases.
      fill(high('windows-1254', FIRST_BEYOND_ASCII).slice(0, FIRST_BEYOND_CONTROLS - FIRST_BEYOND_ASCII), FIRST_BEYOND_ASCII);
      points[0x8e] = 0x17d;
      points[0x9e] = 0x17e;
      break;
    default: {
      const decoder = DECODERS[name];
      if (decoder === undefined) return null;
      fill(high(decoder[0], FIRST_BEYOND_ASCII), FIRST_BEYOND_ASCII);
      if (!decoder[1]) return points;
    }
  }
  for (let i = FIRST_BEYOND_ASCII; i < points.length; i++) if (points[i] >= FIRST_BEYOND_ASCII && points[i] < FIRST_BEYOND_CONTROLS) points[i] = NONE;
  return points;
}

function oneByte(encoding: number): OneByte | null {
  const name = ENCODINGS[encoding];
  const known = made.get(name);
  if (known !== undefined) return known;
  const points = pointsOf(name);
  const own =
    points === null ? null : { points, bytes: new Map([...points].flatMap((point, byte): [number, number][] => (point === NONE ? [] : [[point, byte]]))) };
  made.set(name, own);
  return own;
}

/** Whether conversion to and from it is supported. */
export function converts(encoding: number): boolean {
  return encoding === UTF8 || encoding === SQL_ASCII || oneByte(encoding) !== null || isMultibyte(ENCODINGS[encoding]);
}

function shown(bytes: string): string {
  return Array.from(bytes, (byte) => `0x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join(' ');
}

function untranslatable(bytes: string, from: number, to: number): SvcError {
  return new SvcError(
    '22P05',
    `character with byte sequence ${shown(bytes)} in encoding "${ENCODINGS[from]}" has no equivalent in encoding "${ENCODINGS[to]}"`,
  );
}

/** Pairs that Postgres converts directly, not through UTF8. */
const DIRECT: readonly (readonly string[])[] = [
  ['LATIN2', 'WIN1250'],
  ['KOI8R', 'WIN1251', 'WIN866', 'ISO_8859_5'],
  ['EUC_JP', 'SJIS'],
  ['EUC_TW', 'BIG5'],
  ['EUC_JIS_2004', 'SHIFT_JIS_2004'],
];

function noConversion(from: number, to: number): SvcError {
  if (from !== UTF8 && to !== UTF8 && !DIRECT.some((all) => all.includes(ENCODINGS[from]) && all.includes(ENCODINGS[to])))
    return new SvcError('42883', `default conversion function for encoding "${ENCODINGS[from]}" to "${ENCODINGS[to]}" does not exist`);
  if (ENCODINGS[from] === 'MULE_INTERNAL' || ENCODINGS[to] === 'MULE_INTERNAL')
    return new SvcError('42883', `default conversion function for encoding "${ENCODINGS[from]}" to "${ENCODINGS[to]}" does not exist`);
  return new SvcError('0A000', `conversion between ${ENCODINGS[from]} and ${ENCODINGS[to]} is not supported`);
}

/** Characters of an encoding with their bytes, undefined for unassigned bytes; 22021 for an invalid sequence. */
function eachCharacter(bytes: string, encoding: number, visit: (own: string, character: string | undefined) => void): void {
  const several = multibyte(ENCODINGS[encoding]);
  const table = several === null ? oneByte(encoding) : null;
  checkBytes(bytes, encoding);
  for (let at = 0; at < bytes.length;) {
    const own = bytes.slice(at, (at += several?.lengthAt(bytes, at) ?? 1));
    if (several !== null) visit(own, own < FIRST_HIGH ? own : several.characterOf(own));
    else {
      const point = table!.points[own.charCodeAt(0)];
      visit(own, point === NONE ? undefined : String.fromCharCode(point));
    }
  }
}

/** Bytes of a character; undefined if the encoding does not have it. */
function bytesOf(character: string, encoding: number): string | undefined {
  const point = character.codePointAt(0) as number;
  if (point < FIRST_BEYOND_ASCII) return character;
  const several = multibyte(ENCODINGS[encoding]);
  if (several !== null) return several.bytesOf(character);
  const byte = oneByte(encoding)!.bytes.get(point);
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** Number of characters in an encoding, including unassigned ones; 22021 for an invalid sequence. */
export function encodedCount(bytes: string, encoding: number): number {
  if (encoding === UTF8 || (encoding !== SQL_ASCII && !converts(encoding))) return characterCount(decodeBytes(bytes, encoding));
  checkBytes(bytes, encoding);
  if (encoding === SQL_ASCII) return bytes.length;
  let count = 0;
  eachCharacter(bytes, encoding, () => count++);
  return count;
}

/** Number of trailing bytes that are an incomplete character. */
export function cutCharacter(bytes: string, encoding: number): number {
  const several = multibyte(ENCODINGS[encoding]);
  if (several === null) return 0;
  let at = 0;
  while (at < bytes.length) {
    const length = several.lengthAt(bytes, at);
    const left = bytes.length - at;
    if (length < 0) return left < ENCODING_LENGTHS[encoding] ? left : 0;
    at += length;
  }
  return 0;
}

function checkBytes(bytes: string, encoding: number): void {
  const several = multibyte(ENCODINGS[encoding]);
  if (several !== null) {
    for (let at = 0; at < bytes.length;) {
      const length = several.lengthAt(bytes, at);
      if (length < 0) throw new SvcError('22021', `invalid byte sequence for encoding "${ENCODINGS[encoding]}": ${shown(bytes.slice(at, at - length))}`);
      at += length;
    }
    return;
  }
  const zero = bytes.indexOf('\0');
  if (zero >= 0) throw new SvcError('22021', `invalid byte sequence for encoding "${ENCODINGS[encoding]}": 0x00`);
}

/** Decodes bytes; 22021 and 22P05 for invalid ones. */
export function decodeBytes(bytes: string, encoding: number): string {
  if (encoding === UTF8 || encoding === SQL_ASCII) return utf8Text(bytes);
  if (!converts(encoding)) throw noConversion(encoding, UTF8);
  let out = '';
  eachCharacter(bytes, encoding, (own, character) => {
    if (character === undefined) throw untranslatable(own, encoding, UTF8);
    out += character;
  });
  return out;
}

/** The bytes of a text in an encoding; 22P05 for characters that it does not have. */
export function encodeText(text: string, encoding: number): string {
  if (encoding === UTF8 || encoding === SQL_ASCII) return utf8Bytes(text);
  if (!converts(encoding)) throw noConversion(UTF8, encoding);
  let out = '';
  for (const character of text) {
    const bytes = bytesOf(character, encoding);
    if (bytes === undefined) throw untranslatable(utf8Bytes(character), UTF8, encoding);
    out += bytes;
  }
  return out;
}

/** The same without errors: characters that the encoding does not have become question marks. */
export function encodeLossy(text: string, encoding: number): string {
  if (encoding === UTF8 || encoding === SQL_ASCII || !converts(encoding)) return utf8Bytes(text);
  let out = '';
  for (const character of text) out += bytesOf(character, encoding) ?? '?';
  return out;
}

/** Bytes of one encoding in another one. */
export function convertBytes(bytes: string, from: number, to: number): string {
  if (from === to || from === SQL_ASCII || to === SQL_ASCII) {
    checkBytes(bytes, from === SQL_ASCII ? to : from);
    if (from === UTF8 || to === UTF8) utf8Text(bytes);
    return bytes;
  }
  if (from !== UTF8 && to !== UTF8) {
    checkBytes(bytes, from);
    const error = noConversion(from, to);
    if (error.code === '42883' || !converts(from) || !converts(to)) throw error;
    let out = '';
    eachCharacter(bytes, from, (own, character) => {
      const there = character === undefined ? undefined : bytesOf(character, to);
      if (there === undefined) throw untranslatable(own, from, to);
      out += there;
    });
    return out;
  }
  return encodeText(decodeBytes(bytes, from), to);
}
