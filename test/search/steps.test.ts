/** Reading texts and sorting words in steps gives what it gives at once, with a turn for others in between. */
import { expect, test } from 'vitest';
import { sortedInSteps } from '../../src/base/sorted-in-steps.ts';
import { CONFIGURATIONS } from '../../src/sql/functions/search/configurations.ts';
import { lexemesOf, lexemeSteps } from '../../src/sql/functions/search/vectors.ts';
import { NumberBlocks } from '../../src/search/number-blocks.ts';
import { buildLists, PRODUCTS_A_STEP } from '../../src/search/vector-lists.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { clausesOf } from '../../src/search/query-text.ts';
import { seeded } from './seeded.ts';

const ENGLISH = CONFIGURATIONS.find(({ name }) => name === 'english')!;

function stepsOf<T>(work: Generator<void, T>): { steps: number; value: T } {
  for (let steps = 0; ; steps++) {
    const next = work.next();
    if (next.done === true) return { steps, value: next.value };
  }
}

test('a long text is read in steps of some hundred words', () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `word${i % 700} lamps`).join(' ');
  const [once, inSteps]: [string[], string[]] = [[], []];
  const last = lexemesOf(ENGLISH, text, 0, (lexeme, place) => once.push(`${lexeme} ${place}`));
  const { steps, value } = stepsOf(lexemeSteps(ENGLISH, text, 0, (lexeme, place) => inSteps.push(`${lexeme} ${place}`)));
  expect(inSteps).toEqual(once);
  expect(value).toBe(last);
  expect(steps).toBeGreaterThan(40_000 / 512);
});

test.each([0, 1, 4096, 4097, 30_000])('%i items are sorted in steps as at once, equal ones in their order', (count) => {
  const next = seeded(count + 1);
  const items = Array.from({ length: count }, (_, i) => ({ key: Math.floor(next() * 500), i }));
  const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  const { steps, value } = stepsOf(sortedInSteps(items, compare));
  expect(value).toEqual(items.toSorted(compare));
  expect(steps).toBeGreaterThanOrEqual(Math.ceil(count / 4096));
});

test.each([
  [2000, 64],
  [600, 16_000],
])('lists of %i vectors of %i dimensions are built in steps of bounded work', (count, dimensions) => {
  const floats = NumberBlocks.floats(count, dimensions);
  const next = seeded(count);
  for (let i = 0; i < count; i++) {
    const [numbers, from] = [floats.numbers(i), floats.offset(i)];
    for (let n = 0; n < dimensions; n++) numbers[from + n] = next() - 0.5;
  }
  const rows = Uint32Array.from({ length: count }, (_, i) => i);
  const { steps, value } = stepsOf(buildLists({ tree: emptyTree(true), sizeBytes: 0, dimensions, floats, rows, lengthMax: 1, otherDimensions: 0 }));
  const lists = value.starts.length - 1;
  expect(value.count).toBe(count);
  // Each vector is compared with each center, also in the rounds that find the centers.
  expect(steps).toBeGreaterThanOrEqual((2 * count * lists * dimensions) / PRODUCTS_A_STEP);
});

test('the text of a search, which is read at once, has a bound', () => {
  expect(clausesOf(ENGLISH, 'the '.repeat(16_384))).toEqual([]);
  expect(() => clausesOf(ENGLISH, 'the '.repeat(16_385))).toThrow(expect.objectContaining({ code: '54000' }));
});
