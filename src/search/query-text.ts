/**
 * The text of a search as clauses. Words are read as `to_tsvector` reads them; a row matches if it has one of them.
 *
 *     red lamp      either word, or both
 *     "red lamp"    the words in this order, side by side; each phrase must occur
 *     lam*          every word that begins so
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Configuration } from '../sql/functions/search/configurations.ts';
import { lexemesOf } from '../sql/functions/search/vectors.ts';
import { lowerCase } from '../sql/types/letter-case.ts';

export type Clause =
  | { readonly kind: 'word'; readonly lexeme: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Lexemes with their distances from the first one. */
  | { readonly kind: 'phrase'; readonly words: readonly { readonly lexeme: string; readonly offset: number }[] };

/** Clauses cost a pass over their rows each. */
const CLAUSES_MAX = 1024;
/** The words are read in one turn. */
const LENGTH_MAX = 65_536;
const PARTS = /"([^"]*)"?|([^\s"]+)/g;

/** In the order of the text, without repetitions. */
export function clausesOf(configuration: Configuration, text: string): Clause[] {
  if (text.length > LENGTH_MAX)
    throw new SvcError('54000', `the text of a search has at most ${LENGTH_MAX} characters, this one has ${text.length}`, { hint: 'Search with fewer words.' });
  const out = new Map<string, Clause>();
  const add = (clause: Clause): void => {
    const name = JSON.stringify(clause);
    if (!out.has(name)) out.set(name, clause);
    if (out.size > CLAUSES_MAX) {
      throw new SvcError('54000', `a search has at most ${CLAUSES_MAX} words and phrases`, { hint: 'Search with fewer words.' });
    }
  };
  const addWords = (words: string): void => void lexemesOf(configuration, words, 0, (lexeme) => add({ kind: 'word', lexeme }));
  // Words between phrases and prefixes are read together: the parser joins some of them, as in URLs.
  let words = '';
  for (const [part, phrase, word] of text.matchAll(PARTS)) {
    if (phrase === undefined && !(word.length > 1 && word.endsWith('*'))) {
      words += `${part} `;
      continue;
    }
    addWords(words);
    words = '';
    if (phrase === undefined) for (const prefix of prefixesOf(configuration, word.slice(0, -1))) add({ kind: 'prefix', prefix });
    else addPhrase(configuration, phrase, add);
  }
  addWords(words);
  return [...out.values()];
}

function addPhrase(configuration: Configuration, phrase: string, add: (clause: Clause) => void): void {
  const words: { lexeme: string; place: number }[] = [];
  lexemesOf(configuration, phrase, 0, (lexeme, place) => words.push({ lexeme, place }));
  if (words.length === 1) add({ kind: 'word', lexeme: words[0].lexeme });
  else if (words.length > 1) add({ kind: 'phrase', words: words.map(({ lexeme, place }) => ({ lexeme, offset: place - words[0].place })) });
}

/** As `to_tsquery('foo:*')`: the beginning is stemmed like a word; a stop word stays as it is, since it begins other words. */
function prefixesOf(configuration: Configuration, word: string): string[] {
  const lexemes: string[] = [];
  lexemesOf(configuration, word, 0, (lexeme) => lexemes.push(lexeme));
  return lexemes.length > 0 ? lexemes : [lowerCase(word)];
}
