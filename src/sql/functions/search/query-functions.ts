/** Functions and operators of tsquery. Manual, sections 9.13 and 12.4.2. */
import { compareTsQueries, tsQueryText } from '../../types/tsquery.ts';
import { checkedDistance } from '../../types/tsquery-parse.ts';
import { EMPTY_QUERY, type TsNode, tsOperands, type TsPair, tsPair, TsQuery } from '../../types/tsquery-tree.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { rewritten } from './rewrite.ts';

function combined(kind: TsPair['kind'], a: TsQuery, b: TsQuery, distance?: number): TsQuery {
  if (a.root === null) return b;
  return b.root === null ? a : new TsQuery(tsPair(kind, a.root, b.root, distance));
}

/** The part that an index can search: without negations; null if nothing remains. */
function positive(node: TsNode): TsNode | null {
  if (node.kind === 'word') return node;
  if (node.kind === 'not') return null;
  const left = positive(node.left);
  const right = positive(node.right);
  if (left !== null && right !== null) return tsPair(node.kind, left, right, node.distance);
  return node.kind === 'or' ? null : (left ?? right);
}

function tree(query: TsQuery): string {
  if (query.root === null) return '';
  const out = positive(query.root);
  return out === null ? 'T' : tsQueryText(new TsQuery(out));
}

function containsWords(a: TsQuery, b: TsQuery): boolean {
  const own = new Set(tsOperands(a.root).map(({ text }) => text));
  return tsOperands(b.root).every(({ text }) => own.has(text));
}

const scalar = (name: string, args: string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns,
  doc,
  impl,
});

export const TSQUERY_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('tsquery_cmp', ['tsquery', 'tsquery'], 'int4', 'Order of two queries: -1, 0 or 1.', (a: TsQuery, b: TsQuery) => Math.sign(compareTsQueries(a, b))),
    scalar('numnode', ['tsquery'], 'int4', 'How many words and operators.', ({ size }: TsQuery) => size),
    scalar('querytree', ['tsquery'], 'text', 'The part that an index can look for.', tree),
    scalar('tsquery_phrase', ['tsquery', 'tsquery'], 'tsquery', 'The second right behind the first.', (a: TsQuery, b: TsQuery) => combined('phrase', a, b, 1)),
    scalar(
      'tsquery_phrase',
      ['tsquery', 'tsquery', 'int4'],
      'tsquery',
      'The second query, n positions after the first.',
      (a: TsQuery, b: TsQuery, distance: number) => combined('phrase', a, b, checkedDistance(distance)),
    ),
    scalar('ts_rewrite', ['tsquery', 'tsquery', 'tsquery'], 'tsquery', 'A query with a part replaced by another.', rewritten),
  ],
  operators: [
    ...sixOperators('tsquery', 'tsquery', (test) => `tsquery_${test}`, {
      eq: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) === 0,
      ne: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) !== 0,
      lt: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) < 0,
      le: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) <= 0,
      gt: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) > 0,
      ge: (a: TsQuery, b: TsQuery) => compareTsQueries(a, b) >= 0,
    }),
    { name: '&&', left: 'tsquery', right: 'tsquery', returns: 'tsquery', proc: 'tsquery_and', impl: (a: TsQuery, b: TsQuery) => combined('and', a, b) },
    { name: '||', left: 'tsquery', right: 'tsquery', returns: 'tsquery', proc: 'tsquery_or', impl: (a: TsQuery, b: TsQuery) => combined('or', a, b) },
    {
      name: '!!',
      left: null,
      right: 'tsquery',
      returns: 'tsquery',
      proc: 'tsquery_not',
      impl: ({ root }: TsQuery) => (root === null ? EMPTY_QUERY : new TsQuery({ kind: 'not', right: root })),
    },
    {
      name: '<->',
      left: 'tsquery',
      right: 'tsquery',
      returns: 'tsquery',
      proc: 'tsquery_phrase',
      impl: (a: TsQuery, b: TsQuery) => combined('phrase', a, b, 1),
    },
    { name: '@>', left: 'tsquery', right: 'tsquery', returns: 'bool', proc: 'tsq_mcontains', commutator: '<@', impl: containsWords },
    {
      name: '<@',
      left: 'tsquery',
      right: 'tsquery',
      returns: 'bool',
      proc: 'tsq_mcontained',
      commutator: '@>',
      impl: (a: TsQuery, b: TsQuery) => containsWords(b, a),
    },
  ],
};
