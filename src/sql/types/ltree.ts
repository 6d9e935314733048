/** ltree of the extension: a path of labels of letters, digits and `_`, `Top.Science.Astronomy`. A value is its text. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { characterCount } from './characters.ts';
import { makeType } from './make-type.ts';
import { compareText } from './text-order.ts';
import type { SqlType } from './type.ts';

export const LTREE_OID = 9809;

export const LEVELS_MAX = 65_535;
const LABEL_CHARACTERS_MAX = 255;
const LABEL = /[\p{L}\p{N}_]/u;

export function isLabelCharacter(character: string): boolean {
  return LABEL.test(character);
}

/** `end`: the position after it, from 1, in characters. */
export function checkLabel(label: string, end: number): void {
  const length = characterCount(label);
  if (length <= LABEL_CHARACTERS_MAX) return;
  throw new SvcError('42622', 'label string is too long', {
    detail: `Label length is ${length}, must be at most ${LABEL_CHARACTERS_MAX}, at character ${end}.`,
  });
}

export function checkLevels(count: number): void {
  if (count > LEVELS_MAX) throw new SvcError('54000', `number of ltree levels (${count}) exceeds the maximum allowed (${LEVELS_MAX})`);
}

/** The text itself: a tree has no other form. */
export function parseLtree(text: string): string {
  let label = '';
  let place = 0;
  for (const character of text) {
    place++;
    if (isLabelCharacter(character)) label += character;
    else if (character === '.' && label !== '') {
      checkLabel(label, place);
      label = '';
    } else throw new SvcError('42601', `ltree syntax error at character ${place}`);
  }
  if (text === '') return text;
  if (label === '') throw new SvcError('42601', 'ltree syntax error', { detail: 'Unexpected end of input.' });
  checkLabel(label, place + 1);
  checkLevels(labelsOf(text).length);
  return text;
}

export function labelsOf(tree: string): string[] {
  return tree === '' ? [] : tree.split('.');
}

const DOTS = /\./g;
const BELOW_LABELS = '\x01';

/** Texts whose order is that of the trees, label by label. */
export function ltreeSortKey(tree: string): string {
  return tree.replace(DOTS, BELOW_LABELS);
}

export function ltreeOfSortKey(key: string): string {
  return key.replaceAll(BELOW_LABELS, '.');
}

export function compareLtree(a: string, b: string): number {
  return compareText(ltreeSortKey(a), ltreeSortKey(b));
}

export const LTREE: SqlType = makeType({
  oid: LTREE_OID,
  name: 'ltree',
  title: 'ltree',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 9810,
  parse: parseLtree,
  format: String,
  compare: (a, b) => compareLtree(a as string, b as string),
});
