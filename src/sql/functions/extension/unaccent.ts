/** The function of the extension unaccent: letters without their accents, ligatures as two letters. */
import type { FunctionModule } from '../define.ts';

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  ß: 'ss',
  ẞ: 'SS',
  Þ: 'TH',
  þ: 'th',
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ł: 'L',
  ł: 'l',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  ĸ: 'q',
};

function unaccent(text: string): string {
  let out = '';
  for (const character of text) {
    const known = character < '\x80' ? character : LETTERS[character];
    if (known !== undefined) out += known;
    else {
      const bare = character.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
      // Other scripts keep their marks: the extension's rules cover Latin, Greek and Cyrillic.
      out += /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(bare) ? bare : character;
    }
  }
  return out;
}

export const UNACCENT: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'unaccent', args: ['text'], returns: 'text', volatility: 'stable', doc: 'A text without accents (unaccent).', impl: unaccent },
  ],
};
