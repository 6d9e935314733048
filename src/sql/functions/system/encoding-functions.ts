/** Encodings by number and name: everything is UTF8. */
import type { FunctionModule } from '../define.ts';

/** In the order of their numbers. */
const ENCODINGS = `SQL_ASCII EUC_JP EUC_CN EUC_KR EUC_TW EUC_JIS_2004 UTF8 MULE_INTERNAL LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9
  LATIN10 WIN1256 WIN1258 WIN866 WIN874 KOI8R WIN1251 WIN1252 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 WIN1250 WIN1253 WIN1254 WIN1255 WIN1257 KOI8U
  SJIS BIG5 GBK UHC GB18030 JOHAB SHIFT_JIS_2004`.split(/\s+/);

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
const BY_NAME = new Map([...ENCODINGS.map((name, number) => [plain(name), number] as const), ['unicode', 6]]);

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
      impl: (number: number) => (ENCODINGS[number] === undefined ? null : number === 6 ? 4 : number > 0 && number < 6 ? 3 : 1),
    },
    { kind: 'scalar', name: 'getdatabaseencoding', args: [], returns: 'name', doc: 'UTF8.', volatility: 'stable', impl: () => 'UTF8' },
    { kind: 'scalar', name: 'pg_client_encoding', args: [], returns: 'name', doc: 'UTF8.', volatility: 'stable', impl: () => 'UTF8' },
  ],
};
