/** Encodings by number and name: everything is UTF8. */
import type { FunctionModule } from '../define.ts';

/** In the order of their numbers. */
const ENCODINGS = `SQL_ASCII EUC_JP EUC_CN EUC_KR EUC_TW EUC_JIS_2004 UTF8 MULE_INTERNAL LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9
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

/** Of those whose characters take more than a byte. */
const MAX_LENGTHS: Readonly<Record<number, number>> = { 1: 3, 2: 2, 3: 3, 4: 4, 5: 3, 6: 4, 7: 4, 35: 2, 36: 2, 37: 2, 38: 2, 39: 4, 40: 3, 41: 2 };

export const encodingFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'pg_encoding_to_char',
      args: ['int4'],
      returns: 'name',
      doc: 'Name of an encoding.',
      volatility: 'stable',
      impl: (number: number) => ENCODINGS[number] ?? '',
    },
    {
      kind: 'scalar',
      name: 'pg_char_to_encoding',
      args: ['name'],
      returns: 'int4',
      doc: 'Number of an encoding, -1 where there is none.',
      volatility: 'stable',
      impl: (name: string) => BY_NAME.get(plain(name)) ?? -1,
    },
    {
      kind: 'scalar',
      name: 'pg_encoding_max_length',
      args: ['int4'],
      returns: 'int4',
      doc: 'Bytes that a character can take.',
      impl: (number: number) => (ENCODINGS[number] === undefined ? null : (MAX_LENGTHS[number] ?? 1)),
    },
    { kind: 'scalar', name: 'getdatabaseencoding', args: [], returns: 'name', doc: 'UTF8.', volatility: 'stable', impl: () => 'UTF8' },
    { kind: 'scalar', name: 'pg_client_encoding', args: [], returns: 'name', doc: 'UTF8.', volatility: 'stable', impl: () => 'UTF8' },
  ],
};
