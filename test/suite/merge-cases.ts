/** Merges as a table: what both sides start from, what each made of it, what must come out. */
import type { MergeInput } from '../../src/commands/contract.ts';
import type { State } from './open.ts';

export interface MergeCase {
  name: string;
  base: State;
  /** The world merged into. */
  ours: State;
  /** The branch. */
  theirs: State;
  options?: Omit<MergeInput, 'branch' | 'dry_run'>;
  /** The world merged into, afterwards. */
  merged?: State;
  /** Or the keys in conflict, in order. */
  conflicts?: string[];
  /** What comes out with the sides swapped, where it is not the same (a partial merge takes one side's rows only). */
  flipped?: State;
}

const columns = { columns: true };
const ours = { resolve: 'ours' } as const;
const theirs = { resolve: 'theirs' } as const;
const A = { 't/a': { n: 1 } };
const AB = { 't/a': { n: 1 }, 't/b': { n: 1 } };
const wide = { 't/a': { x: 1, y: 1, z: 1 } };

export const MERGE_CASES: readonly MergeCase[] = [
  { name: 'nothing changed on either side', base: A, ours: A, theirs: A, merged: A },
  { name: 'an empty branch of an empty world', base: {}, ours: {}, theirs: {}, merged: {} },
  { name: 'only one side wrote', base: A, ours: A, theirs: { 't/a': { n: 2 } }, merged: { 't/a': { n: 2 } } },
  { name: 'each side updated another row', base: AB, ours: { 't/a': { n: 2 }, 't/b': { n: 1 } }, theirs: { 't/a': { n: 1 }, 't/b': { n: 3 } }, merged: { 't/a': { n: 2 }, 't/b': { n: 3 } } },
  { name: 'each side inserted another row', base: A, ours: { ...A, 't/b': { n: 2 } }, theirs: { ...A, 't/c': { n: 3 } }, merged: { ...A, 't/b': { n: 2 }, 't/c': { n: 3 } } },
  { name: 'both inserted the same row alike', base: {}, ours: A, theirs: A, merged: A },
  { name: 'both inserted the same row differently', base: {}, ours: A, theirs: { 't/a': { n: 2 } }, conflicts: ['t/a'] },
  { name: 'both inserted the same row with other columns', base: {}, ours: { 't/a': { x: 1 } }, theirs: { 't/a': { y: 2 } }, conflicts: ['t/a'] },
  { name: 'by column, both inserted the same row with other columns', base: {}, ours: { 't/a': { x: 1 } }, theirs: { 't/a': { y: 2 } }, options: columns, merged: { 't/a': { x: 1, y: 2 } } },
  { name: 'by column, both inserted one column differently', base: {}, ours: { 't/a': { x: 1, y: 1 } }, theirs: { 't/a': { x: 2, z: 1 } }, options: columns, conflicts: ['t/a'] },
  { name: 'both updated a row to the same value', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 2 } }, merged: { 't/a': { n: 2 } } },
  { name: 'both updated the same column', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, conflicts: ['t/a'] },
  { name: 'both updated the same column, ours wins', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: ours, merged: { 't/a': { n: 2 } } },
  { name: 'both updated the same column, theirs wins', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: theirs, merged: { 't/a': { n: 3 } } },
  { name: 'by column, both updated the same column', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: columns, conflicts: ['t/a'] },
  { name: 'both updated different columns', base: wide, ours: { 't/a': { x: 2, y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 2, z: 1 } }, conflicts: ['t/a'] },
  { name: 'by column, both updated different columns', base: wide, ours: { 't/a': { x: 2, y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 2, z: 1 } }, options: columns, merged: { 't/a': { x: 2, y: 2, z: 1 } } },
  { name: 'by column, one column alike and one apart', base: wide, ours: { 't/a': { x: 2, y: 2, z: 1 } }, theirs: { 't/a': { x: 2, y: 1, z: 3 } }, options: columns, merged: { 't/a': { x: 2, y: 2, z: 3 } } },
  { name: 'by column, one column clashes and ours wins only there', base: wide, ours: { 't/a': { x: 2, y: 2, z: 1 } }, theirs: { 't/a': { x: 3, y: 1, z: 3 } }, options: { ...columns, ...ours }, merged: { 't/a': { x: 2, y: 2, z: 3 } } },
  { name: 'by column, one column clashes and theirs wins only there', base: wide, ours: { 't/a': { x: 2, y: 2, z: 1 } }, theirs: { 't/a': { x: 3, y: 1, z: 3 } }, options: { ...columns, ...theirs }, merged: { 't/a': { x: 3, y: 2, z: 3 } } },
  { name: 'by row, theirs wins the whole row', base: wide, ours: { 't/a': { x: 2, y: 2, z: 1 } }, theirs: { 't/a': { x: 3, y: 1, z: 3 } }, options: theirs, merged: { 't/a': { x: 3, y: 1, z: 3 } } },
  { name: 'one deleted, the other updated', base: A, ours: {}, theirs: { 't/a': { n: 2 } }, conflicts: ['t/a'] },
  { name: 'by column, one deleted and the other updated', base: A, ours: {}, theirs: { 't/a': { n: 2 } }, options: columns, conflicts: ['t/a'] },
  { name: 'one deleted, the other updated, the deletion wins', base: A, ours: {}, theirs: { 't/a': { n: 2 } }, options: ours, merged: {} },
  { name: 'one deleted, the other updated, the update wins', base: A, ours: {}, theirs: { 't/a': { n: 2 } }, options: theirs, merged: { 't/a': { n: 2 } } },
  { name: 'by column, one deleted, the other updated, the update wins', base: A, ours: {}, theirs: { 't/a': { n: 2 } }, options: { ...columns, ...theirs }, merged: { 't/a': { n: 2 } } },
  { name: 'both deleted', base: AB, ours: { 't/b': { n: 1 } }, theirs: { 't/b': { n: 1 } }, merged: { 't/b': { n: 1 } } },
  { name: 'one deleted, the other left it', base: AB, ours: AB, theirs: { 't/b': { n: 1 } }, merged: { 't/b': { n: 1 } } },
  { name: 'one deleted the table\'s every row', base: AB, ours: { ...AB, 't/c': { n: 9 } }, theirs: {}, merged: { 't/c': { n: 9 } } },
  { name: 'a row deleted and another inserted', base: A, ours: { 't/b': { n: 2 } }, theirs: A, merged: { 't/b': { n: 2 } } },
  { name: 'several conflicts in key order', base: { 't/a': { n: 1 }, 't/b': { n: 1 }, 's/z': { n: 1 } }, ours: { 't/a': { n: 2 }, 't/b': { n: 2 }, 's/z': { n: 2 } }, theirs: { 't/a': { n: 3 }, 't/b': { n: 1 } }, conflicts: ['s/z', 't/a'] },
  { name: 'null is not absent', base: { 't/a': { n: null } }, ours: { 't/a': {} }, theirs: { 't/a': { n: 1 } }, conflicts: ['t/a'] },
  { name: 'one put null where the other took the field away', base: A, ours: { 't/a': { n: null } }, theirs: { 't/a': {} }, conflicts: ['t/a'] },
  { name: 'by column, one put null where the other took the field away', base: A, ours: { 't/a': { n: null } }, theirs: { 't/a': {} }, options: columns, conflicts: ['t/a'] },
  { name: 'by column, one put null and the other changed another field', base: wide, ours: { 't/a': { x: null, y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 1, z: 2 } }, options: columns, merged: { 't/a': { x: null, y: 1, z: 2 } } },
  { name: 'by column, one took a field away and the other changed another', base: wide, ours: { 't/a': { y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 1, z: 2 } }, options: columns, merged: { 't/a': { y: 1, z: 2 } } },
  { name: 'by column, one took a field away that the other changed', base: wide, ours: { 't/a': { y: 1, z: 1 } }, theirs: { 't/a': { x: 2, y: 1, z: 1 } }, options: columns, conflicts: ['t/a'] },
  { name: 'by column, both took away different fields', base: wide, ours: { 't/a': { y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 1 } }, options: columns, merged: { 't/a': { y: 1 } } },
  { name: 'both emptied the row', base: A, ours: { 't/a': {} }, theirs: { 't/a': {} }, merged: { 't/a': {} } },
  { name: 'nested JSON is one value', base: { 't/a': { j: { x: 1, y: 1 } } }, ours: { 't/a': { j: { x: 2, y: 1 } } }, theirs: { 't/a': { j: { x: 1, y: 2 } } }, options: columns, conflicts: ['t/a'] },
  { name: 'nested JSON with other key order is equal', base: {}, ours: { 't/a': { j: { x: 1, y: [1, { b: 2, a: 1 }] } } }, theirs: { 't/a': { j: { y: [1, { a: 1, b: 2 }], x: 1 } } }, merged: { 't/a': { j: { x: 1, y: [1, { a: 1, b: 2 }] } } } },
  { name: 'lists in another order differ', base: {}, ours: { 't/a': { j: [1, 2] } }, theirs: { 't/a': { j: [2, 1] } }, conflicts: ['t/a'] },
  { name: 'the text 1 is not the number 1', base: {}, ours: { 't/a': { n: 1 } }, theirs: { 't/a': { n: '1' } }, conflicts: ['t/a'] },
  { name: 'one whole number, one fraction, in different rows', base: A, ours: { ...A, 't/b': { n: 1.5 } }, theirs: { ...A, 't/c': { n: 2 } }, merged: { ...A, 't/b': { n: 1.5 }, 't/c': { n: 2 } } },
  { name: 'a field of one type here and of another there', base: A, ours: { ...A, 't/b': { v: true } }, theirs: { ...A, 't/c': { v: 'yes' } }, merged: { ...A, 't/b': { v: true }, 't/c': { v: 'yes' } } },
  { name: 'a new field on each side', base: AB, ours: { 't/a': { n: 1, x: 'o' }, 't/b': { n: 1 } }, theirs: { 't/a': { n: 1 }, 't/b': { n: 1, y: [1] } }, merged: { 't/a': { n: 1, x: 'o' }, 't/b': { n: 1, y: [1] } } },
  { name: 'by column, the same new field with the same value', base: A, ours: { 't/a': { n: 1, x: 5 } }, theirs: { 't/a': { n: 2, x: 5 } }, options: columns, merged: { 't/a': { n: 2, x: 5 } } },
  { name: 'by column, the same new field with different types', base: A, ours: { 't/a': { n: 1, x: 5 } }, theirs: { 't/a': { n: 1, x: 'five' } }, options: columns, conflicts: ['t/a'] },
  { name: 'a type grew on one side while the other wrote the old type', base: AB, ours: { 't/a': { n: 'one' }, 't/b': { n: 1 } }, theirs: { 't/a': { n: 1 }, 't/b': { n: 7 } }, merged: { 't/a': { n: 'one' }, 't/b': { n: 7 } } },
  { name: 'a type grew on both sides, each its own way', base: AB, ours: { 't/a': { n: 'one' }, 't/b': { n: 1 } }, theirs: { 't/a': { n: 1 }, 't/b': { n: { deep: [null] } } }, merged: { 't/a': { n: 'one' }, 't/b': { n: { deep: [null] } } } },
  { name: 'a new table on each side', base: {}, ours: { 's/a': { n: 1 } }, theirs: { 'u/a': { m: 'x' } }, merged: { 's/a': { n: 1 }, 'u/a': { m: 'x' } } },
  { name: 'the same new table on both sides, other rows and fields', base: {}, ours: { 't/a': { x: 1 } }, theirs: { 't/b': { y: 'b' } }, merged: { 't/a': { x: 1 }, 't/b': { y: 'b' } } },
  { name: 'the same new table on both sides, one field with two types', base: {}, ours: { 't/a': { x: 1 } }, theirs: { 't/b': { x: 'b' } }, merged: { 't/a': { x: 1 }, 't/b': { x: 'b' } } },
  { name: 'pick ours', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': 'ours' } }, merged: { 't/a': { n: 2 } } },
  { name: 'pick theirs', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': 'theirs' } }, merged: { 't/a': { n: 3 } } },
  { name: 'pick a row', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': { n: 4, why: 'agreed' } } }, merged: { 't/a': { n: 4, why: 'agreed' } } },
  { name: 'pick null to delete', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': null } }, merged: {} },
  { name: 'pick a row for a deletion', base: A, ours: {}, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': { n: 4 } } }, merged: { 't/a': { n: 4 } } },
  { name: 'pick the deletion', base: A, ours: {}, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': 'ours' } }, merged: {} },
  { name: 'a pick goes before resolve', base: AB, ours: { 't/a': { n: 2 }, 't/b': { n: 2 } }, theirs: { 't/a': { n: 3 }, 't/b': { n: 3 } }, options: { picks: { 't/a': 'ours' }, resolve: 'theirs' }, merged: { 't/a': { n: 2 }, 't/b': { n: 3 } } },
  { name: 'a pick goes before columns', base: wide, ours: { 't/a': { x: 2, y: 1, z: 1 } }, theirs: { 't/a': { x: 1, y: 2, z: 1 } }, options: { ...columns, picks: { 't/a': 'theirs' } }, merged: { 't/a': { x: 1, y: 2, z: 1 } } },
  { name: 'a pick settles one conflict of two', base: AB, ours: { 't/a': { n: 2 }, 't/b': { n: 2 } }, theirs: { 't/a': { n: 3 }, 't/b': { n: 3 } }, options: { picks: { 't/a': 'ours' } }, conflicts: ['t/b'] },
  { name: 'a pick equal to what is there', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': { n: 2 } } }, merged: { 't/a': { n: 2 } } },
  { name: 'a pick brings a new type', base: A, ours: { 't/a': { n: 2 } }, theirs: { 't/a': { n: 3 } }, options: { picks: { 't/a': { n: 'three', id: 'a' } } }, merged: { 't/a': { n: 'three' } } },
  { name: 'only_tables takes the tables named', base: { 's/a': { n: 1 }, ...A }, ours: { 's/a': { n: 1 }, ...A }, theirs: { 's/a': { n: 2 }, 't/a': { n: 2 } }, options: { only_tables: ['s'] }, merged: { 's/a': { n: 2 }, 't/a': { n: 1 } }, flipped: { 's/a': { n: 2 }, 't/a': { n: 2 } } },
  { name: 'only_tables leaves conflicts of other tables alone', base: { 's/a': { n: 1 }, ...A }, ours: { 's/a': { n: 1 }, 't/a': { n: 3 } }, theirs: { 's/a': { n: 2 }, 't/a': { n: 2 } }, options: { only_tables: ['s'] }, merged: { 's/a': { n: 2 }, 't/a': { n: 3 } }, flipped: { 's/a': { n: 2 }, 't/a': { n: 2 } } },
  { name: 'only_tables of a table nobody changed', base: A, ours: A, theirs: { 't/a': { n: 2 } }, options: { only_tables: ['nothing'] }, merged: A, flipped: { 't/a': { n: 2 } } },
  { name: 'only_keys takes the rows named', base: AB, ours: AB, theirs: { 't/a': { n: 2 }, 't/b': { n: 2 } }, options: { only_keys: ['t/b'] }, merged: { 't/a': { n: 1 }, 't/b': { n: 2 } }, flipped: { 't/a': { n: 2 }, 't/b': { n: 2 } } },
  { name: 'only_keys takes a deletion', base: AB, ours: AB, theirs: { 't/a': { n: 2 } }, options: { only_keys: ['t/b'] }, merged: A, flipped: { 't/a': { n: 2 } } },
  { name: 'only_keys in conflict', base: AB, ours: { 't/a': { n: 3 }, 't/b': { n: 1 } }, theirs: { 't/a': { n: 2 }, 't/b': { n: 2 } }, options: { only_keys: ['t/a'] }, conflicts: ['t/a'] },
  { name: 'only_keys and only_tables together take either', base: { ...AB, 's/a': { n: 1 } }, ours: { ...AB, 's/a': { n: 1 } }, theirs: { 't/a': { n: 2 }, 't/b': { n: 2 }, 's/a': { n: 2 } }, options: { only_keys: ['t/b'], only_tables: ['s'] }, merged: { 't/a': { n: 1 }, 't/b': { n: 2 }, 's/a': { n: 2 } }, flipped: { 't/a': { n: 2 }, 't/b': { n: 2 }, 's/a': { n: 2 } } },
  { name: 'false, zero and the empty text are values', base: { 't/a': { x: true, y: 1, z: 'z' } }, ours: { 't/a': { x: false, y: 1, z: 'z' } }, theirs: { 't/a': { x: true, y: 0, z: '' } }, options: columns, merged: { 't/a': { x: false, y: 0, z: '' } } },
  { name: 'fields named like built-in properties', base: { 't/a': { constructor: 1, toString: 1 } }, ours: { 't/a': { constructor: 2, toString: 1 } }, theirs: { 't/a': { constructor: 1, toString: 2 } }, options: columns, merged: { 't/a': { constructor: 2, toString: 2 } } },
];
