/** Keys of texts by collations: the same for two texts exactly where the runtime's collator holds them for equal. */
import { expect, test } from 'vitest';
import { CollationKeys, type CollationLevel } from '../../../src/sql/types/collation-keys.ts';

const UNASSIGNED = /[\p{Cn}\p{Co}\p{Cs}]/u;
const PIECES = [
  ...'aAeEßæœøoiIиИйЙ-_. é´½ﬀㅏ가각ㇰーカガｶﾞがｧァ・あ〆王⺩龍㋀㏽㉑②①',
  'll·',
  'ŀ',
  '\u034f',
  '\u200d',
  '\u0306',
  '\u0301',
  '\u0323',
  'เ',
  'ก',
  'ำ',
  '가',
];

function characters(): string[] {
  const out: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code === 0xd800) code = 0xe000;
    const each = String.fromCodePoint(code);
    if (!UNASSIGNED.test(each)) out.push(each);
  }
  return out;
}

/** All characters, and words of characters that are joined, split or ignored. */
function texts(): string[] {
  const all = characters();
  let seed = 20_261_126;
  const below = (count: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % count;
  const words = Array.from({ length: 20_000 }, () => {
    let word = '';
    for (let length = 1 + below(5); length > 0; length--) word += below(3) === 0 ? all[below(all.length)] : PIECES[below(PIECES.length)];
    return word;
  });
  return [...all, ...words];
}

test.each<[CollationLevel, string, boolean]>([
  [1, 'base', false],
  [1, 'base', true],
  [2, 'accent', false],
  [2, 'accent', true],
  [3, 'variant', false],
  [3, 'variant', true],
])('level %i (%s), shifted: %s', { timeout: 60_000 }, (level, sensitivity, shifted) => {
  const keys = new CollationKeys(level, shifted);
  const { compare } = new Intl.Collator('en', { sensitivity: sensitivity as 'base', ignorePunctuation: shifted });
  const keyOf = new Map<string, string>();
  let refused = 0;
  const all = texts();
  for (const text of all) {
    try {
      keyOf.set(text, keys.keyOf(text));
    } catch {
      refused++;
    }
  }
  const ordered = [...keyOf.keys()].sort(compare);
  const wrong: string[] = [];
  for (let i = 1; i < ordered.length; i++) {
    const [a, b] = [ordered[i - 1], ordered[i]];
    if ((compare(a, b) === 0) !== (keyOf.get(a) === keyOf.get(b))) wrong.push(JSON.stringify([a, b]));
  }
  expect(wrong).toEqual([]);
  expect(new Set(keyOf.values()).size).toBe(1 + ordered.filter((each, i) => i > 0 && compare(ordered[i - 1], each) !== 0).length);
  // Words that nobody writes, of marks of several scripts.
  expect(refused).toBeLessThan(all.length / 1000);
});
