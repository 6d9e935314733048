/** Names that a person could take for others are refused; those of any script alone are not. */
import { describe, expect, test } from 'vitest';
import { deceptionIn, looksLike } from '../../src/base/deceptive-name.ts';
import { checkWorldName } from '../../src/worlds/names.ts';

const taken = (name: string): boolean => {
  try {
    checkWorldName(name);
    return true;
  } catch {
    return false;
  }
};

test.each([
  'w',
  'feature-1',
  'a.b_c',
  'price_17',
  'main2',
  'mainly',
  'domain',
  'rain',
  'man',
  'tx',
  "it's",
  'a+b',
  'zürich',
  'façade',
  'Ærø',
  'straße',
  'проба',
  'тест-1',
  'δοκιμή',
  'בדיקה',
  'اختبار',
  'परीक्षण',
  'ทดสอบ',
  '試験',
  'テスト',
  'コーヒー',
  'ひらがな漢字',
  '시험',
  '한국漢字',
  'աբգ',
  'მთავარი',
  'ሙከራ',
  'main_проба'.slice(5),
])('%s is a name', (name) => expect([deceptionIn(name), taken(name)]).toEqual([null, true]));

test.each<[what: string, name: string]>([
  ['Cyrillic а in main', 'mаin'],
  ['Cyrillic і in main', 'maіn'],
  ['Greek α in main', 'mαin'],
  ['two scripts', 'testтест'],
  ['two scripts with a separator', 'test_тест'],
  ['Latin with Han', 'test試験'],
  ['right-to-left override', 'a\u202eb'],
  ['left-to-right mark', 'main\u200e'],
  ['isolate', '\u2066main\u2069'],
  ['zero width space', 'ma\u200bin'],
  ['zero width joiner', 'ma\u200din'],
  ['soft hyphen', 'ma\u00adin'],
  ['byte order mark', '\ufeffmain'],
  ['word joiner', 'main\u2060'],
  ['Hangul filler', 'main\u3164'],
  ['variation selector', 'main\ufe0f'],
  ['tag characters', 'main\u{e0041}'],
  ['combining grapheme joiner', 'ma\u034fin'],
  ['combining mark', 'mai\u0332n'],
  ['not composed', 'zu\u0308rich'],
  ['full width', 'ｍａｉｎ'],
  ['mathematical letters', '𝐦𝐚𝐢𝐧'],
  ['a ligature', 'ﬁx'],
  ['superscript', 'x²'],
  ['no-break space', 'a\u00a0b'],
  ['line separator', 'a\u2028b'],
  ['a control', 'a\u0001b'],
  ['delete', 'a\u007fb'],
  ['a control of the second set', 'a\u0085b'],
  ['escape of a terminal', '\u001b[31mmain'],
  ['private use', 'a\ue000'],
  ['not assigned', 'a\u{e0fff}'],
  ['a pictogram', 'main🚀'],
  ['a dash that is none', 'a‐b'],
  ['a division slash', 'a∕b'],
  ['half a character', 'a\ud800'],
  ['NUL', 'a\0b'],
])('%s is refused', (_what, name) => expect(taken(name)).toBe(false));

describe('what looks like main within one script', () => {
  test.each(['Main', 'MAIN', 'maın', 'rnain', 'ma1n', 'maln', 'ma|n', 'máin', 'maïn', 'mɑin', 'маіп', 'mɑıɴ'])('%s', (name) => {
    expect([looksLike(name, 'main'), taken(name)]).toEqual([true, false]);
  });
  test('main itself is checked by other rules', () => expect(looksLike('main', 'main')).toBe(false));
});
