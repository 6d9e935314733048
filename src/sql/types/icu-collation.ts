/**
 * ICU collations, through the runtime's collators. A locale is a BCP 47 tag whose keywords configure the comparison
 * (`und-u-ks-level2`, `en-u-kn-true`), or the older form (`de@collation=phonebook;colStrength=secondary`). Manual, section 24.2.2.3.
 *
 * A deterministic collation only orders: equality is equality of texts. A nondeterministic one has classes of equal texts: keys for
 * them exist if a language has the root order (collation-keys.ts); otherwise classes are numbered in order of appearance.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { CollationKeys, type CollationLevel, isRootOrder } from './collation-keys.ts';
import { compareText } from './text-order.ts';

export interface IcuCollation {
  readonly locale: string;
  readonly deterministic: boolean;
  compare(a: string, b: string): number;
  /** For a nondeterministic one: a text that is equal exactly if `compare` gives 0, in every process; null if unavailable. */
  readonly keyOf: ((text: string) => string) | null;
  /** Equal exactly if `compare` gives 0, in this process. 54000 for too many classes of equal texts. */
  hashKey(text: string): string | number;
  upper(text: string): string;
  lower(text: string): string;
  /** Each word with its first letter in upper case. */
  title(text: string): string;
}

/** Maximum number of different texts that one process numbers for a nondeterministic collation. */
const TEXTS_MAX = 1_000_000;

const SENSITIVITY: Readonly<Record<string, Intl.CollatorOptions['sensitivity']>> = { level1: 'base', level2: 'accent', level3: 'variant' };

const LEVELS: Readonly<Record<string, CollationLevel>> = { level1: 1, level2: 2, level3: 3 };

/** Keywords of the older form. */
const OLD_KEYS: Readonly<Record<string, string>> = {
  collation: 'co',
  colstrength: 'ks',
  colnumeric: 'kn',
  colcasefirst: 'kf',
  colalternate: 'ka',
  colcaselevel: 'kc',
  colbackwards: 'kb',
  colnormalization: 'kk',
  colreorder: 'kr',
};
const OLD_VALUES: Readonly<Record<string, string>> = {
  primary: 'level1',
  secondary: 'level2',
  tertiary: 'level3',
  quaternary: 'level4',
  identical: 'identic',
  yes: 'true',
  no: 'false',
  'non-ignorable': 'noignore',
  phonebook: 'phonebk',
  dictionary: 'dict',
  traditional: 'trad',
};

interface LocaleParts {
  readonly base: string;
  readonly keys: ReadonlyMap<string, string>;
}

function partsOf(locale: string): LocaleParts {
  const [tag, old] = locale.split('@', 2);
  const keys = new Map<string, string>();
  for (const each of (old ?? '').split(';').filter((part) => part !== '')) {
    const [key, value = ''] = each.toLowerCase().split('=', 2);
    keys.set(OLD_KEYS[key] ?? key, OLD_VALUES[value] ?? value);
  }
  const [base, extension = ''] = tag.replaceAll('_', '-').split(/-u-/i, 2);
  let key = '';
  for (const word of extension
    .toLowerCase()
    .split('-')
    .filter((part) => part !== '')) {
    if (word.length === 2) keys.set((key = word), '');
    else if (key !== '') keys.set(key, keys.get(key) === '' ? word : `${keys.get(key)!}-${word}`);
  }
  return { base: base.replace(/-x-icu$/i, ''), keys };
}

/** For locales with keys: strengths, and ignored punctuation. Case first affects only the order. */
function keysOf(locale: string): CollationKeys | null {
  const { base, keys } = partsOf(locale);
  const on = (key: string): boolean => ['', 'true'].includes(keys.get(key) ?? 'false');
  const level = LEVELS[keys.get('ks') ?? 'level3'];
  if (!isRootOrder(base) || level === undefined || on('kn') || on('kc') || (keys.get('co') ?? 'standard') !== 'standard') return null;
  return new CollationKeys(level, keys.get('ka') === 'shifted');
}

/** 0A000 for options that the runtime's collators do not support. */
function collatorOf(locale: string): Intl.Collator {
  const { base, keys } = partsOf(locale);
  const refuse = (key: string): never => {
    throw new SvcError('0A000', `collation attribute "${key}" of ICU locale "${locale}" is not supported`);
  };
  const options: Intl.CollatorOptions = {};
  let collation = '';
  let caseLevel = false;
  for (const [key, given] of keys) {
    const value = given === '' ? 'true' : given;
    if (key === 'co') {
      if (value === 'search') refuse('co');
      if (value !== 'standard') collation = `-u-co-${value}`;
    } else if (key === 'kn') options.numeric = value !== 'false';
    else if (key === 'kf') options.caseFirst = value as 'upper' | 'lower' | 'false';
    else if (key === 'ks') options.sensitivity = SENSITIVITY[value] ?? refuse('ks');
    else if (key === 'ka') options.ignorePunctuation = value === 'shifted';
    else if (key === 'kc') caseLevel = value === 'true';
    else if (key === 'kb' || key === 'kr' || key === 'kv') refuse(key);
  }
  if (caseLevel) {
    if (options.sensitivity !== 'base') refuse('kc');
    options.sensitivity = 'case';
  }
  try {
    return new Intl.Collator(`${languageOf(base)}${collation}`, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError('22023', `could not open collator for locale "${locale}": U_ILLEGAL_ARGUMENT_ERROR`);
  }
}

/** The locale; if unsupported the root order, which is also that of English, and never the process's locale. */
function languageOf(base: string): string {
  try {
    return Intl.Collator.supportedLocalesOf(base).length > 0 ? base : 'en';
  } catch {
    return 'en';
  }
}

/** Numbers of classes of equal texts. */
class Classes {
  readonly #compare: (a: string, b: string) => number;
  readonly #numbers = new Map<string, number>();
  /** One text of each class, in order, and the class's number. */
  readonly #first: { readonly text: string; readonly number: number }[] = [];

  constructor(compare: (a: string, b: string) => number) {
    this.#compare = compare;
  }

  numberOf(text: string): number {
    const seen = this.#numbers.get(text);
    if (seen !== undefined) return seen;
    if (this.#numbers.size >= TEXTS_MAX) throw new SvcError('54000', `more than ${TEXTS_MAX} different texts of a nondeterministic collation`);
    let from = 0;
    let to = this.#first.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#compare(this.#first[middle].text, text) < 0) from = middle + 1;
      else to = middle;
    }
    const there = this.#first[from];
    const isSame = there !== undefined && this.#compare(there.text, text) === 0;
    const number = isSame ? there.number : this.#first.length;
    if (!isSame) this.#first.splice(from, 0, { text, number });
    this.#numbers.set(text, number);
    return number;
  }
}

function make(locale: string, deterministic: boolean): IcuCollation {
  const { compare } = collatorOf(locale);
  const classes = new Classes(compare);
  const keys = deterministic ? null : keysOf(locale);
  const keyOf = keys === null ? null : (text: string): string => keys.keyOf(text);
  const language = languageOf(partsOf(locale).base);
  let words: Intl.Segmenter | null = null;
  return {
    locale,
    deterministic,
    compare: deterministic ? (a, b) => (a === b ? 0 : compare(a, b) || compareText(a, b)) : (a, b) => (a === b ? 0 : compare(a, b)),
    keyOf,
    hashKey: deterministic ? (text) => text : (keyOf ?? ((text) => classes.numberOf(text))),
    upper: (text) => text.toLocaleUpperCase(language),
    lower: (text) => text.toLocaleLowerCase(language),
    title: (text) => {
      words ??= new Intl.Segmenter(language, { granularity: 'word' });
      let out = '';
      for (const { segment } of words.segment(text)) {
        const [first] = segment;
        out += first.toLocaleUpperCase(language) + segment.slice(first.length).toLocaleLowerCase(language);
      }
      return out;
    },
  };
}

const made = new Map<string, IcuCollation>();

/** 22023 for an invalid locale, 0A000 for one whose order is not supported. */
export function icuCollation(locale: string, deterministic: boolean): IcuCollation {
  const name = `${deterministic ? '' : '~'}${locale}`;
  let found = made.get(name);
  if (found === undefined) made.set(name, (found = make(locale, deterministic)));
  return found;
}
