/**
 * Stemmers of Snowball by language: the English one is our own, the others are those that its compiler makes, of the package
 * `@orama/stemmers`. They give what those of PostgreSQL 15 give for the words of Snowball's own test data.
 */
import { createRequire } from 'node:module';
import { SEARCH_LANGUAGES } from '../../types/search-names.ts';
import { englishStem } from './english-stem.ts';

export type Stem = (word: string) => string;

/** Names in the package that are other than Snowball's. */
const PACKAGED_AS: Readonly<Record<string, string>> = { hindi: 'indian' };

const load = createRequire(import.meta.url);
const loaded = new Map<string, Stem>([['english', englishStem]]);

/** Of words in lower case; a word of which nothing would stay is left as it is. Null for a language that there is none for. */
export function stemmerOf(language: string): Stem | null {
  if (!SEARCH_LANGUAGES.includes(language)) return null;
  let stem = loaded.get(language);
  if (stem === undefined) {
    // One of two dozen is used, so each is read when it is asked for.
    const { stemmer } = load(`@orama/stemmers/${PACKAGED_AS[language] ?? language}`) as { stemmer: Stem };
    loaded.set(language, (stem = (word) => stemmer(word) || word));
  }
  return stem;
}
