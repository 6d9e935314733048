/**
 * Names that are read by a person who decides about them: worlds, checkpoints, channels. Two of them that look the same are the same, so beyond
 * ASCII a name is letters, marks and digits of one script (or of the scripts that Japanese, Korean or Chinese is written with), in normal form,
 * and holds nothing that is not seen (Unicode TR 36 and TR 39, "single script"). What was named before stays readable.
 */

/** One file of Unicode's scripts each; those that are written together stand together. */
const SCRIPTS: readonly RegExp[] = [
  ...(
    'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam ' +
    'Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Tifinagh'
  )
    .split(' ')
    .map((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u')),
  // With the marks that Unicode gives to several scripts: the long vowel's, the iteration mark.
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[ー々])*$/u,
  /^(?:\p{Script=Han}|\p{Script=Hangul})*$/u,
  /^(?:\p{Script=Han}|\p{Script=Bopomofo})*$/u,
];

/** Why the name deceives; null where it does not. */
export function deceptionIn(name: string): string | null {
  if (/^[\x21-\x7e]*$/.test(name)) return null;
  if (!name.isWellFormed()) return 'it is not valid text';
  const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.exec(name.replaceAll(' ', ''))?.[0];
  if (unseen !== undefined) return `it holds ${codePoint(unseen)}, which is not seen`;
  if (name.normalize('NFKC') !== name) return 'it is not in the normal form of Unicode (NFKC)';
  // What ASCII has beside letters goes with all scripts.
  const own = name.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, (char) => (char < '\x80' ? '' : char)).replaceAll(/[0-9]/g, '');
  const strange = /[^\p{L}\p{M}\p{Nd}]/u.exec(own)?.[0] ?? /\p{Script=Inherited}/u.exec(own)?.[0];
  if (strange !== undefined) return `it holds ${codePoint(strange)}, which is no letter or digit of a script`;
  return SCRIPTS.some((script) => script.test(own)) ? null : 'its letters are of several scripts, or of one that is not in use';
}

/** Letters that look like those of `main`, within each script (TR 39, confusables). */
const LOOKS: Readonly<Record<string, string>> = {
  ...looks('m', 'ᴍмʍɱµμ'),
  ...looks('a', 'ᴀаɑαⲁ'),
  ...looks('i', 'ɪіıɩιӏ1l|!ј'),
  ...looks('n', 'пոηɴŋ'),
};

function looks(like: string, chars: string): Record<string, string> {
  return Object.fromEntries(Array.from(chars, (char) => [char, like]));
}

/** Whether it can be taken for another name: `like`, in lower case. */
export function looksLike(name: string, like: string): boolean {
  if (name === like || Math.abs(name.length - like.length) > 2 * like.length) return false;
  const plain = Array.from(name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''), (char) => LOOKS[char] ?? char).join('');
  return plain === like || plain.replaceAll('rn', 'm') === like;
}

function codePoint(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
