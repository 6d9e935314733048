/** The English stemmer of Snowball ("Porter2"), as of its version 2. Rules: https://snowballstem.org/algorithms/english/stemmer.html */

const WHOLE: Readonly<Record<string, string>> = {
  skis: 'ski',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
  idly: 'idl',
  gently: 'gentl',
  ugly: 'ugli',
  early: 'earli',
  only: 'onli',
  singly: 'singl',
  sky: 'sky',
  news: 'news',
  howe: 'howe',
  atlas: 'atlas',
  cosmos: 'cosmos',
  bias: 'bias',
  andes: 'andes',
};

/** Unchanged after removing the plural. */
const AFTER_PLURAL = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);

const VOWEL = 'aeiouy';
const isVowel = (letter: string | undefined): boolean => letter !== undefined && VOWEL.includes(letter);

const STEP_2: readonly (readonly [suffix: string, by: string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];

const STEP_3: readonly (readonly [suffix: string, by: string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const STEP_4 = ['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize', 'ion', 'al', 'er', 'ic'];

/** End of the first consonant after a vowel, from there on. */
function region(word: string, from: number): number {
  let at = from;
  while (at < word.length && !isVowel(word[at])) at++;
  while (at < word.length && isVowel(word[at])) at++;
  return Math.min(at + 1, word.length);
}

function endsShort(word: string): boolean {
  const end = word.length;
  if (end < 2 || isVowel(word[end - 1]) || !isVowel(word[end - 2])) return false;
  return end === 2 || (!'wxY'.includes(word[end - 1]) && !isVowel(word[end - 3]));
}

function hasVowel(text: string): boolean {
  for (const letter of text) if (VOWEL.includes(letter)) return true;
  return false;
}

/** `given` in lower case. */
export function englishStem(given: string): string {
  if (Object.hasOwn(WHOLE, given)) return WHOLE[given];
  if (given.length < 3 || (given.length < 6 && [...given].length < 3)) return given;
  let word = given.startsWith("'") ? given.slice(1) : given;
  const hasY = word.includes('y');
  if (hasY) word = marked(word);
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  const first = prefix === null ? region(word, 0) : prefix[0].length;
  const second = region(word, first);
  word = withoutPlural(word.replace(/'(?:s'?)?$/, ''));
  if (!AFTER_PLURAL.has(word)) {
    word = step1b(word, first);
    if (word.length > 2 && /[yY]$/.test(word) && !isVowel(word[word.length - 2])) word = `${word.slice(0, -1)}i`;
    word = step2(word, first);
    word = step3(word, first, second);
    word = step4(word, second);
    word = step5(word, first, second);
  }
  return hasY ? word.replaceAll('Y', 'y') : word;
}

/** A y at the start or after a vowel is a consonant: Y. */
function marked(word: string): string {
  let out = '';
  for (let i = 0; i < word.length; i++) out += word[i] === 'y' && (i === 0 || isVowel(out[i - 1])) ? 'Y' : word[i];
  return out;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return word.endsWith('s') && hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, first: number): string {
  const found = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word);
  if (found === null) return word;
  const stem = word.slice(0, found.index);
  if (found[0].startsWith('ee')) return found.index >= first ? `${stem}ee` : word;
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return stem.length === first && endsShort(stem) ? `${stem}e` : stem;
}

function step2(word: string, first: number): string {
  for (const [suffix, by] of STEP_2) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < first) return word;
    if (suffix === 'ogi' && word[at - 1] !== 'l') return word;
    if (suffix === 'li' && !'cdeghkmnrt'.includes(word[at - 1])) return word;
    return word.slice(0, at) + by;
  }
  return word;
}

function step3(word: string, first: number, second: number): string {
  for (const [suffix, by] of STEP_3) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    return at < (suffix === 'ative' ? second : first) ? word : word.slice(0, at) + by;
  }
  return word;
}

function step4(word: string, second: number): string {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    return at < second || (suffix === 'ion' && word[at - 1] !== 's' && word[at - 1] !== 't') ? word : word.slice(0, at);
  }
  return word;
}

function step5(word: string, first: number, second: number): string {
  const at = word.length - 1;
  const stem = word.slice(0, at);
  if (word.endsWith('e')) return at >= second || (at >= first && !endsShort(stem)) ? stem : word;
  return word.endsWith('ll') && at >= second ? stem : word;
}
