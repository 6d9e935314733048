/** ltxtquery of the extension ltree: conditions on words at any level, `Europe & Russia*@ & !Transportation`. A value is its text. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isLabelCharacter, labelsOf } from './ltree.ts';
import { fitsLabel, printTreeWord, treeWord, type TreeWord } from './ltree-words.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import { answersWordQuery, parseWordQuery, printWordQuery, type WordQuery, type WordReader } from './word-query.ts';

export const LTXTQUERY_OID = 9813;

const WORD_BYTES_MAX = 255;
const FLAGS = /[@*%]*/y;

const READER: WordReader<TreeWord> = {
  blank: /\s/,
  missing: () => new SvcError('42601', 'operand syntax error'),
  read: (text, at) => {
    let end = at;
    while (end < text.length) {
      const character = String.fromCodePoint(text.codePointAt(end)!);
      if (!isLabelCharacter(character)) break;
      end += character.length;
    }
    if (end === at) return null;
    const word = text.slice(at, end);
    if (Buffer.byteLength(word) > WORD_BYTES_MAX) throw new SvcError('22023', 'operand is too long');
    FLAGS.lastIndex = end;
    const flags = FLAGS.exec(text)![0];
    end += flags.length;
    if (flags !== '' && end < text.length && isLabelCharacter(String.fromCodePoint(text.codePointAt(end)!)))
      throw new SvcError('42601', 'modifiers syntax error');
    return { word: treeWord(word, flags), end };
  },
};

const parsed = (text: string): WordQuery<TreeWord> => parseWordQuery(text, READER);

let lastText = '';
let lastQuery: WordQuery<TreeWord> | null = null;

/** The same query is often matched with many rows. */
function queryOf(value: string): WordQuery<TreeWord> {
  if (lastQuery === null || value !== lastText) {
    lastQuery = parsed(value);
    lastText = value;
  }
  return lastQuery;
}

export function answersTreeQuery(tree: string, query: string): boolean {
  const labels = labelsOf(tree);
  return answersWordQuery(queryOf(query), (word) => labels.some((label) => fitsLabel(word, label)));
}

export const LTXTQUERY: SqlType = makeType({
  oid: LTXTQUERY_OID,
  name: 'ltxtquery',
  title: 'ltxtquery',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 9814,
  ordered: false,
  hashable: false,
  parse: (text) => printWordQuery(parsed(text), printTreeWord),
  format: String,
});
