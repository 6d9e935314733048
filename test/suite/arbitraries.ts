/** What is written at random: few rows and few values, so that both sides meet often. */
import * as fc from 'fast-check';
import type { Json, MergeInput, Row } from '../../src/commands/contract.ts';

export interface Entry {
  table: string;
  id: string;
  record: Row | null;
}

const VALUES: readonly Json[] = [null, true, 1, 2, 1.5, 'x', '1', [], [1, { a: null }], { a: 1 }, { a: 2, é: '🙂' }];

const record: fc.Arbitrary<Row> = fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'ü'), fc.constantFrom(...VALUES), {
  maxKeys: 3,
  noNullPrototype: true,
});

/** A third deletes. */
export function writesArbitrary(tables: readonly string[]): fc.Arbitrary<Entry[]> {
  const entry = fc.record({
    table: fc.constantFrom(...tables),
    id: fc.constantFrom('a', 'b', 'c', 'd/e', '🙂'),
    record: fc.oneof({ weight: 2, arbitrary: record }, { weight: 1, arbitrary: fc.constant(null) }),
  });
  return fc.array(entry, { maxLength: 6 });
}

export const optionsArbitrary: fc.Arbitrary<Pick<MergeInput, 'resolve' | 'columns'>> = fc.record({
  resolve: fc.constantFrom('fail', 'ours', 'theirs'),
  columns: fc.boolean(),
});
