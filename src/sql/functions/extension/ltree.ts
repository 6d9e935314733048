/** Functions and operators of the extension ltree. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { checkLevels, compareLtree, labelsOf, parseLtree } from '../../types/ltree.ts';
import { fitsPattern } from '../../types/lquery.ts';
import { answersTreeQuery } from '../../types/ltxtquery.ts';
import { compareText } from '../../types/text-order.ts';
import { sixOperators, type Tests } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';
import { op, scalarsOf } from './declare.ts';

const scalar = scalarsOf('ltree');

function invalidPositions(): SvcError {
  return new SvcError('22023', 'invalid positions');
}

function joined(a: string, b: string): string {
  if (a === '' || b === '') return a + b;
  checkLevels(labelsOf(a).length + labelsOf(b).length);
  return `${a}.${b}`;
}

function part(tree: string, start: number, end: number): string {
  const labels = labelsOf(tree);
  if (start < 0 || end < 0 || start >= labels.length || start > end) throw invalidPositions();
  return labels.slice(start, end).join('.');
}

/** A start before the beginning counts from the end again, as in the extension. */
function path(tree: string, start: number, length?: number): string {
  const count = labelsOf(tree).length;
  let from = start < 0 ? count + start : start;
  if (from < 0) from += count;
  if (length === undefined) return part(tree, from, count);
  return part(tree, from, length < 0 ? count + length : from + length);
}

function position(tree: string, wanted: string, from = 0): number {
  const labels = labelsOf(tree);
  const sought = labelsOf(wanted);
  if (labels.length === 0 || sought.length === 0) return -1;
  for (let at = from < 0 ? Math.max(0, labels.length + from) : from; at + sought.length <= labels.length; at++) {
    if (sought.every((label, i) => labels[at + i] === label)) return at;
  }
  return -1;
}

const isAncestor = (upper: string, lower: string): boolean => upper === '' || upper === lower || lower.startsWith(`${upper}.`);
const isDescendant = (lower: string, upper: string): boolean => isAncestor(upper, lower);

/** The common ancestor; null for an empty list, or with an empty element. */
function commonAncestor(trees: readonly string[]): string | null {
  if (trees.length === 0 || trees.includes('')) return null;
  const [first, ...others] = trees.map(labelsOf);
  let count = first.length - 1;
  for (const other of others) {
    let same = 0;
    while (same < Math.min(count, other.length - 1) && first[same] === other[same]) same++;
    count = same;
  }
  return first.slice(0, count).join('.');
}

function texts(array: ArrayValue): readonly string[] {
  if (array.lengths.length > 1) throw new SvcError('2202E', 'array must be one-dimensional');
  if (array.elements.includes(null)) throw new SvcError('22004', 'array must not contain nulls');
  return array.elements as readonly string[];
}

/** The order as a number that is greater the earlier the trees differ. */
function order(a: string, b: string): number {
  const [own, other] = [labelsOf(a), labelsOf(b)];
  const shorter = Math.min(own.length, other.length);
  for (let i = 0; i < shorter; i++) {
    if (own[i] === other[i]) continue;
    const [x, y] = [Buffer.from(own[i]), Buffer.from(other[i])];
    const common = Math.min(x.length, y.length);
    const difference = x.subarray(0, common).equals(y.subarray(0, common)) ? x.length - y.length : Math.sign(compareText(own[i], other[i]));
    return difference * 10 * (own.length - i + 1);
  }
  return (own.length - other.length) * 10 * (own.length - shorter + 1);
}

type Test = (left: string, right: string) => boolean;
type Named = readonly [name: string, proc: string];

const swapped =
  (test: Test): Test =>
  (left, right) =>
    test(right, left);

/** A relation between a tree and another type: both directions, for single trees and arrays of them. */
interface Relation {
  readonly other: string;
  readonly test: Test;
  readonly doc: string;
  /** For a tree and the other, and vice versa; then for an array of trees. */
  readonly plain: Named;
  readonly turned: Named;
  readonly ofMany: Named;
  readonly turnedOfMany: Named;
  /** The first matching tree of an array. */
  readonly first: Named;
}

const some = (test: Test) => (trees: ArrayValue, other: string) => texts(trees).some((tree) => test(tree, other));
const someTurned = (test: Test) => (other: string, trees: ArrayValue) => texts(trees).some((tree) => test(tree, other));
const firstOf = (test: Test) => (trees: ArrayValue, other: string) => texts(trees).find((tree) => test(tree, other)) ?? null;

const RELATIONS: readonly Relation[] = [
  {
    other: 'ltree',
    test: isAncestor,
    doc: 'Whether a tree is above another, or the same',
    plain: ['@>', 'ltree_isparent'],
    turned: ['<@', 'ltree_risparent'],
    ofMany: ['@>', '_ltree_isparent'],
    turnedOfMany: ['<@', '_ltree_r_isparent'],
    first: ['?@>', '_ltree_extract_isparent'],
  },
  {
    other: 'ltree',
    test: isDescendant,
    doc: 'Whether a tree is below another, or the same',
    plain: ['<@', 'ltree_risparent'],
    turned: ['@>', 'ltree_isparent'],
    ofMany: ['<@', '_ltree_risparent'],
    turnedOfMany: ['@>', '_ltree_r_risparent'],
    first: ['?<@', '_ltree_extract_risparent'],
  },
  {
    other: 'lquery',
    test: fitsPattern,
    doc: 'Whether a tree is as a pattern says',
    plain: ['~', 'ltq_regex'],
    turned: ['~', 'ltq_rregex'],
    ofMany: ['~', '_ltq_regex'],
    turnedOfMany: ['~', '_ltq_rregex'],
    first: ['?~', '_ltq_extract_regex'],
  },
  {
    other: 'ltxtquery',
    test: answersTreeQuery,
    doc: 'Whether a tree has the words that a query asks for',
    plain: ['@', 'ltxtq_exec'],
    turned: ['@', 'ltxtq_rexec'],
    ofMany: ['@', '_ltxtq_exec'],
    turnedOfMany: ['@', '_ltxtq_rexec'],
    first: ['?@', '_ltxtq_extract_exec'],
  },
];

/** One of several patterns suffices. */
const anyPattern = (tree: string, patterns: ArrayValue): boolean => texts(patterns).some((pattern) => fitsPattern(tree, pattern));
const anyOfMany = (trees: ArrayValue, patterns: ArrayValue): boolean => texts(trees).some((tree) => anyPattern(tree, patterns));

interface Operation {
  readonly left: string;
  readonly right: string;
  readonly named: Named;
  readonly commutator: string;
  readonly doc: string;
  readonly impl: SqlOperator['impl'];
}

const OPERATIONS: readonly Operation[] = [
  ...RELATIONS.flatMap(({ other, test, doc, plain, turned, ofMany, turnedOfMany }): Operation[] => [
    { left: 'ltree', right: other, named: plain, commutator: turned[0], doc, impl: test },
    // Between two trees the reverse is a relation of its own.
    ...(other === 'ltree' ? [] : [{ left: other, right: 'ltree', named: turned, commutator: plain[0], doc, impl: swapped(test) }]),
    { left: '_ltree', right: other, named: ofMany, commutator: turnedOfMany[0], doc: `${doc}, of one of several`, impl: some(test) },
    { left: other, right: '_ltree', named: turnedOfMany, commutator: ofMany[0], doc: `${doc}, of one of several`, impl: someTurned(test) },
  ]),
  { left: 'ltree', right: '_lquery', named: ['?', 'lt_q_regex'], commutator: '?', doc: 'Whether a tree is as one of the patterns says', impl: anyPattern },
  {
    left: '_lquery',
    right: 'ltree',
    named: ['?', 'lt_q_rregex'],
    commutator: '?',
    doc: 'Whether a tree is as one of the patterns says',
    impl: (patterns: ArrayValue, tree: string) => anyPattern(tree, patterns),
  },
  {
    left: '_ltree',
    right: '_lquery',
    named: ['?', '_lt_q_regex'],
    commutator: '?',
    doc: 'Whether one of the trees is as one of the patterns says',
    impl: anyOfMany,
  },
  {
    left: '_lquery',
    right: '_ltree',
    named: ['?', '_lt_q_rregex'],
    commutator: '?',
    doc: 'Whether one of the trees is as one of the patterns says',
    impl: (patterns: ArrayValue, trees: ArrayValue) => anyOfMany(trees, patterns),
  },
];

const TREES: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => compareLtree(a, b) < 0,
  le: (a: string, b: string) => compareLtree(a, b) <= 0,
  gt: (a: string, b: string) => compareLtree(a, b) > 0,
  ge: (a: string, b: string) => compareLtree(a, b) >= 0,
};

const ANCESTORS_MAX = 8;

export const LTREE_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('subltree', ['ltree', 'int4', 'int4'], 'ltree', 'Labels from a position on, before another', part),
    scalar(
      'subpath',
      ['ltree', 'int4', 'int4'],
      'ltree',
      'A number of labels from a position on; a negative position counts from the end, a negative number leaves labels out',
      path,
    ),
    scalar('subpath', ['ltree', 'int4'], 'ltree', 'The labels from a position on; below 0 from the end', path),
    scalar('index', ['ltree', 'ltree'], 'int4', 'Position of a tree in another, -1 if there is none', position),
    scalar(
      'index',
      ['ltree', 'ltree', 'int4'],
      'int4',
      'Position of a tree in another, searched from a position; a negative one counts from the end',
      position,
    ),
    scalar('nlevel', ['ltree'], 'int4', 'How many labels', (tree: string) => labelsOf(tree).length),
    scalar('ltree2text', ['ltree'], 'text', 'The tree as text', (tree: string) => tree),
    scalar('text2ltree', ['text'], 'ltree', 'A text as tree', parseLtree),
    scalar('lca', ['_ltree'], 'ltree', 'What is above all of them', (trees: ArrayValue) => commonAncestor(texts(trees))),
    ...Array.from({ length: ANCESTORS_MAX - 1 }, (_, i) =>
      scalar('lca', new Array<string>(i + 2).fill('ltree'), 'ltree', 'What is above all of them', (...trees: string[]) => commonAncestor(trees)),
    ),
    scalar('ltree_addltree', ['ltree', 'ltree'], 'ltree', 'A tree below another', joined),
    scalar('ltree_addtext', ['ltree', 'text'], 'ltree', 'Labels below a tree', (tree: string, text: string) => joined(tree, parseLtree(text))),
    scalar('ltree_textadd', ['text', 'ltree'], 'ltree', 'A tree below labels', (text: string, tree: string) => joined(parseLtree(text), tree)),
    scalar('ltree_cmp', ['ltree', 'ltree'], 'int4', 'Order of two trees', order),
    ...OPERATIONS.map(({ left, right, named: [, proc], doc, impl }): ScalarFunction => scalar(proc, [left, right], 'bool', doc, impl)),
    ...RELATIONS.map(({ other, test, doc, first: [, proc] }) =>
      scalar(proc, ['_ltree', other], 'ltree', `The first of several: ${doc.toLowerCase()}`, firstOf(test)),
    ),
  ],
  operators: [
    ...sixOperators('ltree', 'ltree', (test) => `ltree_${test}`, TREES),
    op('||', 'ltree', 'ltree', 'ltree', 'ltree_addltree', joined),
    op('||', 'ltree', 'text', 'ltree', 'ltree_addtext', (tree: string, text: string) => joined(tree, parseLtree(text))),
    op('||', 'text', 'ltree', 'ltree', 'ltree_textadd', (text: string, tree: string) => joined(parseLtree(text), tree)),
    // Those with ^ are the same and use no index.
    ...['', '^'].flatMap((prefix) =>
      OPERATIONS.map(({ left, right, named: [name, proc], commutator, impl }) =>
        op(`${prefix}${name}`, left, right, 'bool', proc, impl, { commutator: `${prefix}${commutator}` }),
      ),
    ),
    ...RELATIONS.map(({ other, test, first: [name, proc] }) => op(name, '_ltree', other, 'ltree', proc, firstOf(test))),
  ],
};
