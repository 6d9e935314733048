/** What comes out of an OR, and what it says of one side. */
import { expect, test } from 'vitest';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import { factored, impliedBy, sameForm, isFirstUse } from '../../../src/sql/plan/rules/factor.ts';
import { columnsOf } from '../../../src/sql/plan/rules/walk.ts';
import { and, BOOL, col, int, INT4, not, op, parameter, text, TEXT, World } from '../exec/world.ts';

const world = new World();
const table = (name: string): ReturnType<World['table']> =>
  world.table(
    name,
    [
      { name: 'id', type: INT4 },
      { name: 'n', type: INT4 },
      { name: 's', type: TEXT },
    ],
    [],
    false,
  );
const x = world.scan(table('x'));
const y = world.scan(table('y'));
const or = (...args: Bound[]): Bound => ({ kind: 'or', args, type: BOOL, typmod: -1 });

const a = op('=', col(x, 0), col(y, 0));
const b = op('>', col(x, 1), int(5));
const c = op('<', col(y, 1), int(7));
const d = op('=', col(x, 2), text('s'));

/** Conditions by name, so that tables read well. */
const names = new Map<Bound, string>([
  [a, 'a'],
  [b, 'b'],
  [c, 'c'],
  [d, 'd'],
]);
function written(e: Bound): string {
  for (const [known, name] of names) if (sameForm(known, e)) return name;
  if (e.kind === 'and') return `(${e.args.map(written).join(' & ')})`;
  if (e.kind === 'or') return `(${e.args.map(written).join(' | ')})`;
  return e.kind;
}

test.each<[string, Bound, string[]]>([
  ['a condition', a, ['a']],
  ['conditions', and(a, b), ['a', 'b']],
  ['an OR without anything in common', or(a, b), ['(a | b)']],
  ['what all arms say comes out', or(and(a, b), and(a, c)), ['a', '(b | c)']],
  ['wherever it stands in them', or(and(b, a, d), and(c, a)), ['a', '((b & d) | c)']],
  ['two of them', or(and(a, b, c), and(b, a, d)), ['a', 'b', '(c | d)']],
  ['an arm that says nothing else', or(and(a, b), a), ['a']],
  ['only what every arm says', or(and(a, b), and(a, c), and(b, c)), ['((a & b) | (a & c) | (b & c))']],
  ['an OR beside conditions', and(d, or(and(a, b), and(a, c))), ['d', 'a', '(b | c)']],
  ['written twice, not shared', or(and(op('=', col(x, 0), col(y, 0)), b), and(op('=', col(x, 0), col(y, 0)), c)), ['a', '(b | c)']],
])('%s', (_name, e, parts) => {
  expect(factored(e).map(written)).toEqual(parts);
});

test('what an OR says of one side', () => {
  const own = new Set(x.columns.map(({ id }) => id));
  const about = (e: Bound): boolean => [...columnsOf(e)].every((id) => own.has(id));
  expect(written(impliedBy(or(and(b, c), and(d, c)), about)!)).toBe('(b | d)');
  expect(written(impliedBy(or(and(b, d, c), d), about)!)).toBe('((b & d) | d)');
  expect(impliedBy(or(b, c), about)).toBeNull();
  expect(impliedBy(and(b, d), about)).toBeNull();
  const once = or(b, d);
  expect([isFirstUse(once), isFirstUse(once)]).toEqual([true, false]);
});

test('expressions are alike by what they say', () => {
  const pairs: [Bound, Bound, boolean][] = [
    [int(5), int(5), true],
    [int(5), int(6), false],
    [int(null), int(null), true],
    [int(5), text('5'), false],
    [col(x, 0), col(x, 0), true],
    [col(x, 0), col(y, 0), false],
    [parameter(1, INT4), parameter(1, INT4), true],
    [parameter(1, INT4), parameter(2, INT4), false],
    [op('=', col(x, 0), int(1)), op('=', col(x, 0), int(1)), true],
    [op('=', col(x, 0), int(1)), op('<', col(x, 0), int(1)), false],
    [not(a), not(a), true],
    [not(a), a, false],
    [and(a, b), and(a, b), true],
    [and(a, b), and(b, a), false],
  ];
  for (const [one, other, same] of pairs) {
    expect(sameForm(one, other)).toBe(same);
    expect(sameForm(other, one)).toBe(same);
  }
});
