/**
 * Encodings of one to four bytes per character, from and to Unicode: tables built from the runtime's decoders on first use, with
 * Postgres 15's differences (encoding-differences.ts). Valid byte sequences are those of its wchar.c. Strings of bytes have one
 * character per byte.
 */
import { ENCODING_DIFFERENCES } from './encoding-differences.ts';

export interface Multibyte {
  /** Length of the character at `at`; negative for an invalid sequence: the number of bytes to report. */
  lengthAt(bytes: string, at: number): number;
  /** The character of the bytes; undefined if unassigned. */
  characterOf(bytes: string): string | undefined;
  /** Bytes of a character; undefined if it has none. */
  bytesOf(character: string): string | undefined;
}

interface Form {
  readonly decoder: string;
  /** Whether a trail byte is one. */
  readonly trail: (byte: number) => boolean;
  readonly lead: (byte: number) => boolean;
  /** Length of a character by its first bytes. */
  readonly length: (first: number, second: number) => number;
  /** Whether private use characters are kept. */
  readonly private?: true;
}

const SINGLE_SHIFT_2 = 0x8e;
const SINGLE_SHIFT_3 = 0x8f;
const isEuc = (byte: number): boolean => byte >= 0xa1 && byte <= 0xfe;
const isHigh = (byte: number): boolean => byte >= 0x80;
const isAny = (byte: number): boolean => byte > 0;
const isKana = (byte: number): boolean => byte >= 0xa1 && byte <= 0xdf;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const two = (first: number): number => (isHigh(first) ? 2 : 1);

const FORMS: Readonly<Record<string, Form>> = {
  SJIS: {
    decoder: 'shift_jis',
    lead: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
    trail: (byte) => (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfc),
    length: (first) => (isKana(first) ? 1 : two(first)),
  },
  EUC_JP: {
    decoder: 'euc-jp',
    lead: (byte) => isEuc(byte) || byte === SINGLE_SHIFT_2 || byte === SINGLE_SHIFT_3,
    trail: isEuc,
    length: (first) => (first === SINGLE_SHIFT_3 ? 3 : two(first)),
  },
  EUC_CN: { decoder: 'gbk', lead: isEuc, trail: isEuc, length: two },
  EUC_KR: { decoder: 'euc-kr', lead: isEuc, trail: isEuc, length: two },
  UHC: { decoder: 'euc-kr', lead: isHigh, trail: isAny, length: two, private: true },
  GBK: { decoder: 'gbk', lead: isHigh, trail: isAny, length: two },
  BIG5: { decoder: 'big5', lead: isHigh, trail: isAny, length: two },
  GB18030: {
    decoder: 'gb18030',
    lead: (byte) => byte >= 0x81 && byte <= 0xfe,
    trail: (byte) => (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfe),
    length: (first, second) => (isHigh(first) && isDigit(second) ? 4 : two(first)),
    private: true,
  },
};

const FIRST_LEAD = 0x81;
const LAST = 0xfe;
const FIRST_TRAIL = 0x40;
const FIRST_EUC = 0xa1;

const bytesFromHex = (hex: string): string => Buffer.from(hex, 'hex').latin1Slice();

/** The next byte sequence, in table order. */
function next(bytes: string, firstTrail: number): string {
  const last = bytes.length - 1;
  const byte = bytes.charCodeAt(last);
  if (byte < LAST) return bytes.slice(0, last) + String.fromCharCode(byte + 1);
  const lead = bytes.charCodeAt(last - 1);
  return bytes.slice(0, last - 1) + String.fromCharCode(lead + 1, firstTrail);
}

function* pairs(prefix: string, from: number, firstTrail: number): Iterable<string> {
  for (let lead = from; lead <= LAST; lead++) for (let trail = firstTrail; trail <= LAST; trail++) yield prefix + String.fromCharCode(lead, trail);
}

function isPrivate(text: string): boolean {
  return text >= '\ue000' && text <= '\uf8ff';
}

/** Hangul outside KS X 1001, in Unicode order, fills the codes of UHC that KS X 1001 does not use. */
function addUnifiedHangul(characters: Map<string, string>): void {
  const known = new Set(characters.values());
  let syllable = 0xac00;
  const LAST_SYLLABLE = 0xd7a3;
  for (let lead = FIRST_LEAD; lead <= 0xc6; lead++) {
    for (let trail = 0x41; trail <= LAST; trail++) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81) || (lead >= FIRST_EUC && trail >= FIRST_EUC)) continue;
      while (syllable <= LAST_SYLLABLE && known.has(String.fromCharCode(syllable))) syllable++;
      if (syllable > LAST_SYLLABLE) return;
      characters.set(String.fromCharCode(lead, trail), String.fromCharCode(syllable++));
    }
  }
}

function decoded(name: string, { decoder: label, private: keepsPrivate }: Form): Map<string, string> {
  const decoder = new TextDecoder(label, { fatal: true });
  const characters = new Map<string, string>();
  const add = (bytes: string): void => {
    let text: string;
    try {
      text = decoder.decode(Buffer.from(bytes, 'latin1'));
    } catch {
      return;
    }
    if (Array.from(text).length === 1 && (keepsPrivate === true || !isPrivate(text))) characters.set(bytes, text);
  };
  if (name === 'SJIS') for (let byte = FIRST_EUC; byte <= 0xdf; byte++) add(String.fromCharCode(byte));
  const firstTrail = label === 'euc-jp' || label === 'euc-kr' || name === 'EUC_CN' ? FIRST_EUC : FIRST_TRAIL;
  for (const bytes of pairs('', FIRST_LEAD, firstTrail)) add(bytes);
  if (name === 'EUC_JP') for (const bytes of pairs(String.fromCharCode(SINGLE_SHIFT_3), FIRST_EUC, FIRST_EUC)) add(bytes);
  return characters;
}

function inRuns(runs: Readonly<Record<string, string>> | undefined, firstTrail: number, visit: (bytes: string, character: string) => void): void {
  for (const [hex, text] of Object.entries(runs ?? {})) {
    let bytes = bytesFromHex(hex);
    for (const character of text) {
      visit(bytes, character);
      bytes = bytes.length === 1 ? bytes : next(bytes, firstTrail);
    }
  }
}

/** GB18030: characters without a two-byte code are numbered, first the rest of the basic plane, then the other planes. */
const FIRST_OF_FOUR = 0x81;
const PLANES_FROM = 189_000;

function fourBytes(count: number): string {
  return String.fromCharCode(
    FIRST_OF_FOUR + Math.floor(count / 12_600),
    0x30 + (Math.floor(count / 1260) % 10),
    FIRST_OF_FOUR + (Math.floor(count / 10) % 126),
    0x30 + (count % 10),
  );
}

function addFourBytes(characters: Map<string, string>): void {
  const known = new Set(characters.values());
  let count = 0;
  for (let point = 0x80; point <= 0xffff; point++) {
    const character = String.fromCharCode(point);
    if ((point >= 0xd800 && point <= 0xdfff) || known.has(character)) continue;
    characters.set(fourBytes(count++), character);
  }
}

function beyondBasicPlane(bytes: string): string | undefined {
  const [a, b, c, d] = Array.from(bytes, (byte) => byte.charCodeAt(0));
  const point = (((a - FIRST_OF_FOUR) * 10 + b - 0x30) * 126 + c - FIRST_OF_FOUR) * 10 + d - 0x30 - PLANES_FROM + 0x10000;
  return point >= 0x10000 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

/** Of several codes of a character in SJIS outside JIS X 0208, the one among IBM's extensions is used for encoding. */
const isOfStandard = (bytes: string): boolean => bytes < '\x85';
const isOfIbm = (bytes: string): boolean => bytes >= '\xfa\x40' && bytes <= '\xfc\x4b';

function make(name: string, form: Form): Multibyte {
  const characters = decoded(name, form);
  const { gone, other, written } = ENCODING_DIFFERENCES[name === 'UHC' ? 'EUC_KR' : name] ?? {};
  const ranges = (gone ?? '')
    .split(' ')
    .filter((range) => range !== '')
    .map((range) => range.split('-').map(bytesFromHex));
  for (const bytes of characters.keys())
    if (ranges.some(([from, to = from]) => bytes.length === from.length && bytes >= from && bytes <= to)) characters.delete(bytes);
  const firstTrail = name.startsWith('EUC') ? FIRST_EUC : FIRST_TRAIL;
  inRuns(other, firstTrail, (bytes, character) => characters.set(bytes, character));
  if (name === 'UHC') addUnifiedHangul(characters);
  if (name === 'GB18030') addFourBytes(characters);
  const back = new Map<string, string>();
  for (const bytes of [...characters.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const character = characters.get(bytes)!;
    if (!back.has(character) || (name === 'SJIS' && isOfIbm(bytes) && !isOfStandard(back.get(character)!))) back.set(character, bytes);
  }
  inRuns(written, firstTrail, (bytes, character) => back.set(character, bytes));
  return {
    lengthAt(bytes, at) {
      const first = bytes.charCodeAt(at);
      if (!isHigh(first)) return first === 0 ? -1 : 1;
      const length = form.length(first, bytes.charCodeAt(at + 1));
      if (length === 1) return 1;
      const wrong = -Math.min(length, bytes.length - at);
      if (at + length > bytes.length || !form.lead(first)) return wrong;
      if (length === 4) return form.lead(bytes.charCodeAt(at + 2)) && isDigit(bytes.charCodeAt(at + 3)) ? 4 : wrong;
      for (let i = at + 1; i < at + length; i++) if (!form.trail(bytes.charCodeAt(i))) return wrong;
      return length;
    },
    characterOf: (bytes) => characters.get(bytes) ?? (bytes.length === 4 ? beyondBasicPlane(bytes) : undefined),
    bytesOf: (character) =>
      back.get(character) ?? (name === 'GB18030' && character.length === 2 ? fourBytes(character.codePointAt(0)! - 0x10000 + PLANES_FROM) : undefined),
  };
}

const made = new Map<string, Multibyte>();

/** By Postgres's name; null if the runtime has no decoder. */
export function multibyte(name: string): Multibyte | null {
  let own = made.get(name);
  if (own === undefined && Object.hasOwn(FORMS, name)) made.set(name, (own = make(name, FORMS[name])));
  return own ?? null;
}

export function isMultibyte(name: string): boolean {
  return Object.hasOwn(FORMS, name);
}
