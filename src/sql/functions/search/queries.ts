/** Texts as queries, through a configuration. Manual, section 12.3.2. */
import { finished, parseTsQuery, parseWebQuery, STOP, type TsDraft } from '../../types/tsquery-parse.ts';
import { type TsPair, TsQuery, tsWord } from '../../types/tsquery-tree.ts';
import type { Configuration } from './configurations.ts';
import { lexemesOf } from './vectors.ts';

const stop: TsDraft = STOP;

function pair(kind: TsPair['kind'], left: TsDraft, right: TsDraft): TsDraft {
  return { kind, left, right, distance: kind === 'phrase' ? 1 : 0 };
}

/** Lexemes of a text in order, separated by a stop for each free position; lexemes of one position are grouped. */
function draftOf(configuration: Configuration, text: string, weight: number, prefix: boolean, between: 'and' | 'phrase'): TsDraft {
  let out: TsDraft | null = null;
  let last = 0;
  let here: TsDraft | null = null;
  const close = (): void => {
    if (here !== null) out = out === null ? here : pair(between, out, here);
    here = null;
  };
  lexemesOf(configuration, text, 0, (lexeme, place) => {
    const word = tsWord(lexeme, weight, prefix);
    if (place === last && here !== null) {
      here = pair('and', here, word);
      return;
    }
    close();
    for (let free = last + 1; last > 0 && free < place; free++) out = out === null ? stop : pair(between, out, stop);
    here = word;
    last = place;
  });
  close();
  return out ?? stop;
}

export function toQuery(configuration: Configuration, text: string): TsQuery {
  return parseTsQuery(text, (word, weight, prefix) => draftOf(configuration, word, weight, prefix, 'phrase'));
}

export function plainQuery(configuration: Configuration, text: string, between: 'and' | 'phrase'): TsQuery {
  return finished(text === '' ? null : draftOf(configuration, text, 0, false, between));
}

export function webQuery(configuration: Configuration, text: string): TsQuery {
  return parseWebQuery(text, (word) => draftOf(configuration, word, 0, false, 'phrase'));
}
