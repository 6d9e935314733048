/**
 * Checks names that people decide by: worlds, checkpoints, channels. Names that look alike must be alike, so beyond ASCII a
 * name has letters, marks and digits of one script (or of the scripts that Japanese, Korean or Chinese combine), in normal
 * form, without invisible characters (Unicode TR 36 and TR 39, "single script"). Existing names stay readable.
 */

/** One regular expression per script, or group of scripts that are written together. */
const SCRIPTS: readonly RegExp[] = [
  ...(
    'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam ' +
    'Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Tifinagh'
  )
    .split(' ')
    .map((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u')),
  // With marks that Unicode assigns to several scripts: the long vowel mark, the iteration mark.
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[ー々])*$/u,
  /^(?:\p{Script=Han}|\p{Script=Hangul})*$/u,
  /^(?:\p{Script=Han}|\p{Script=Bopomofo})*$/u,
];

/** Why the name is deceptive; null if it is not. */
export function deceptionIn(name: string): string | null {
  if (/^[\x21-\x7e]*$/.test(name)) return null;
  if (!name.isWellFormed()) return 'it is not valid text';
  const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.exec(name.replaceAll(' ', ''))?.[0];
  if (unseen !== undefined) return `it holds ${codePoint(unseen)}, which is not seen`;
  if (name.normalize('NFKC') !== name) return 'it is not in the normal form of Unicode (NFKC)';
  // ASCII digits and signs go with all scripts.
  const own = name.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, (char) => (char < '\x80' ? '' : char)).replaceAll(/[0-9]/g, '');
  const strange = /[^\p{L}\p{M}\p{Nd}]/u.exec(own)?.[0] ?? /\p{Script=Inherited}/u.exec(own)?.[0];
  if (strange !== undefined) return `it holds ${codePoint(strange)}, which is no letter or digit of a script`;
  return SCRIPTS.some((script) => script.test(own)) ? null : 'its letters are of several scripts, or of one that is not in use';
}

/** Letters that look like those of `main`, by script (TR 39, confusables). */
const LOOKS: Readonly<Record<string, string>> = {
  ...looks('m', 'ᴍмʍɱµμ'),
  ...looks('a', 'ᴀаɑαⲁ'),
  ...looks('i', 'ɪіıɩιӏ1l|!ј'),
  ...looks('n', 'пոηɴŋ'),
};

function looks(like: string, chars: string): Record<string, string> {
  return Object.fromEntries(Array.from(chars, (char) => [char, like]));
}

/** Whether it can be mistaken for another name: `like`, in lower case. */
export function looksLike(name: string, like: string): boolean {
  if (name === like || Math.abs(name.length - like.length) > 2 * like.length) return false;
  const plain = Array.from(name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''), (char) => LOOKS[char] ?? char).join('');
  return plain === like || plain.replaceAll('rn', 'm') === like;
}

function codePoint(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
