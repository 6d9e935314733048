/** Dictionary templates: dictionaries from the options of CREATE TEXT SEARCH DICTIONARY. Manual, section 12.6. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { lowerCase } from '../../types/letter-case.ts';
import { type Stem, stemmerOf } from './stemmers.ts';
import { stopWordsIn } from './stop-words.ts';

export const TEMPLATE_NAMES: readonly string[] = ['simple', 'synonym', 'ispell', 'thesaurus', 'snowball'];

export type Lexizer = (token: string) => readonly string[] | null;
export type TemplateOptions = readonly { readonly name: string; readonly value: string }[];

const STEMS_KEPT_MAX = 50_000;
/** Longer words are not stemmed. */
const STEMMED_BYTES_MAX = 1000;
const NONE: readonly string[] = [];

/** Stems words of a language; recent ones are cached. */
export function stemmer(language: string, stopWords: ReadonlySet<string> = new Set()): Lexizer {
  let stem: Stem | null = null;
  const stems = new Map<string, readonly string[]>();
  return (token) => {
    const known = stems.get(token);
    if (known !== undefined) return known;
    const word = lowerCase(token);
    stem ??= stemmerOf(language)!;
    const out = word === '' || stopWords.has(word) ? NONE : [Buffer.byteLength(word) > STEMMED_BYTES_MAX ? word : stem(word)];
    if (stems.size >= STEMS_KEPT_MAX) stems.clear();
    stems.set(token, out);
    return out;
  };
}

/** Snowball stemmers that are not available here. */
const OTHER_LANGUAGES = new Set(['basque', 'catalan', 'porter', 'yiddish']);

function missingFile(what: string, file: string): SvcError {
  return new SvcError('F0000', `could not open ${what} file "${file}": No such file or directory`);
}

function stopWordsOf(name: string): ReadonlySet<string> {
  const words = stopWordsIn(name);
  if (words === undefined) throw missingFile('stop-word', `${name}.stop`);
  return words;
}

function booleanOf(name: string, value: string): boolean {
  const word = value.toLowerCase();
  if (['true', 'on', '1'].includes(word)) return true;
  if (['false', 'off', '0'].includes(word)) return false;
  throw new SvcError('42601', `${name} requires a Boolean value`);
}

/** Option values by lower-case name, for the template's options. */
function valuesOf(title: string, options: TemplateOptions, known: Readonly<Record<string, string>>): Map<string, string> {
  const out = new Map<string, string>();
  for (const { name, value } of options) {
    if (known[name] === undefined) throw new SvcError('22023', `unrecognized ${title} parameter: "${name}"`);
    if (out.has(name)) throw new SvcError('22023', `multiple ${known[name]} parameters`);
    out.set(name, value);
    if (name === 'stopwords') stopWordsOf(value);
    if (name === 'accept') booleanOf(name, value);
  }
  return out;
}

function required(values: ReadonlyMap<string, string>, name: string, shown: string): string {
  const value = values.get(name);
  if (value === undefined) throw new SvcError('22023', `missing ${shown} parameter`);
  return value;
}

/** 22023 for invalid options, F0000 for files: only stop words of languages are available. */
export function lexizerOf(template: string, options: TemplateOptions): Lexizer {
  switch (template) {
    case 'simple': {
      const values = valuesOf('simple dictionary', options, { stopwords: 'StopWords', accept: 'Accept' });
      const list = values.get('stopwords');
      const stopWords = list === undefined ? new Set<string>() : stopWordsOf(list);
      const accept = booleanOf('accept', values.get('accept') ?? 'true');
      return (token) => {
        const word = lowerCase(token);
        if (word === '' || stopWords.has(word)) return NONE;
        return accept ? [word] : null;
      };
    }
    case 'snowball': {
      const values = valuesOf('Snowball', options, { stopwords: 'StopWords', language: 'Language' });
      const language = required(values, 'language', 'Language');
      const known = language.toLowerCase();
      if (OTHER_LANGUAGES.has(known)) throw new SvcError('0A000', `the Snowball stemmer for language "${language}" is not supported`);
      if (stemmerOf(known) === null) throw new SvcError('42704', `no Snowball stemmer available for language "${language}" and encoding "UTF8"`);
      const list = values.get('stopwords');
      return stemmer(known, list === undefined ? undefined : stopWordsOf(list));
    }
    case 'synonym': {
      const values = valuesOf('synonym', options, { synonyms: 'Synonyms', casesensitive: 'CaseSensitive' });
      throw missingFile('synonym', `${required(values, 'synonyms', 'Synonyms')}.syn`);
    }
    case 'thesaurus': {
      const values = valuesOf('Thesaurus', options, { dictfile: 'DictFile', dictionary: 'Dictionary' });
      throw missingFile('thesaurus', `${required(values, 'dictfile', 'DictFile')}.ths`);
    }
    case 'ispell': {
      const values = valuesOf('Ispell', options, { dictfile: 'DictFile', afffile: 'AffFile', stopwords: 'StopWords' });
      required(values, 'afffile', 'AffFile');
      throw missingFile('dictionary', `${required(values, 'dictfile', 'DictFile')}.dict`);
    }
    default:
      throw new SvcError('42704', `text search template "${template}" does not exist`);
  }
}
