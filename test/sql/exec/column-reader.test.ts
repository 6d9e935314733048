/** One row of a leaf reads as it does where the whole leaf is read, whatever its columns are held as. */
import { expect, test } from 'vitest';
import { readerForm } from '../../../src/sql/exec/column-reader.ts';
import type { SqlColumn } from '../../../src/sql/schema/table.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { type Datum, KIND, type Kind } from '../../../src/tree/datum.ts';
import { Leaf } from '../../../src/tree/node.ts';
import { decodePage, encodePage } from '../../../src/tree/page-format.ts';
import { BOOL, FLOAT8, INT4, INT8, NUMERIC, storageOf, TEXT } from './world.ts';

function columnOf(type: SqlType, missing: Value, scale?: number): SqlColumn {
  const storage = storageOf(type, scale);
  return { number: 1, attnum: 1, name: 'c', type, typmod: -1, storage, notNull: false, default: null, identity: null, generated: null, missing };
}

/** Rows of which every fifth is null and every seventh has no cell. */
function leafOf(kind: Kind, cell: (i: number) => Datum): Leaf {
  const leaf = new Leaf(true, 1);
  for (let i = 0; i < 90; i++) leaf.upsert(i * 2, { ids: [1, 2], kinds: [kind, KIND.I32] }, [i % 7 === 3 ? undefined : i % 5 === 2 ? null : cell(i), i]);
  return leaf;
}

interface Shown {
  readonly values: ArrayLike<unknown>;
  readonly tags: Uint8Array;
  readonly wide: boolean;
}

const CASES: readonly [title: string, column: SqlColumn, kind: Kind, cell: (i: number) => Datum][] = [
  ['int4', columnOf(INT4, null), KIND.I32, (i) => i - 9],
  ['int4 with a value for rows from before', columnOf(INT4, 77), KIND.I32, (i) => i],
  ['bool', columnOf(BOOL, null), KIND.BOOL, (i) => i % 2 === 0],
  ['int8 as doubles', columnOf(INT8, null), KIND.F64, (i) => i * 1e9],
  ['int8 as 32 bits', columnOf(INT8, 5), KIND.I32, (i) => -i],
  ['int8 as 64 bits', columnOf(INT8, null), KIND.I64, (i) => BigInt(i) * 1_000_000_007n],
  ['int8 past 2^53', columnOf(INT8, 5), KIND.I64, (i) => (i % 4 === 0 ? 2n ** 60n + BigInt(i) : BigInt(i))],
  ['float8', columnOf(FLOAT8, null), KIND.F64, (i) => i / 3],
  ['texts of their own', columnOf(TEXT, null), KIND.TEXT, (i) => `row ${i}${i % 3 === 0 ? ' mit Ümlaut' : ''}${'y'.repeat(i)}`],
  ['texts with one for rows from before', columnOf(TEXT, 'before'), KIND.TEXT, (i) => `row ${i}`],
  ['texts that come again', columnOf(TEXT, null), KIND.TEXT, (i) => `city ${i % 4}`],
  ['numerics as texts', columnOf(NUMERIC, null), KIND.TEXT, (i) => `${i}.25`],
  ['decimals', columnOf(NUMERIC, null, 2), KIND.F64, (i) => i * 25],
  ['a column that no row has', { ...columnOf(TEXT, 'none'), number: 9 }, KIND.TEXT, (i) => `${i}`],
];

test.each(CASES)('%s', (_, column, kind, cell) => {
  const form = readerForm(column);
  const made = leafOf(kind, cell);
  const page = encodePage(made);
  const all = form.make({ codes: false }) as unknown as Shown & { read(leaf: Leaf): void };
  const one = form.make({ codes: false }) as unknown as Shown & { readRow(leaf: Leaf, at: number): void };
  // From far rows on to near ones, often enough that texts are decoded in one go at the end; then again.
  const decoded = decodePage(page, 1) as Leaf;
  for (const leaf of [decoded, decodePage(page, 2) as Leaf, made, decoded]) {
    for (let n = 0; n < leaf.count; n++) {
      const at = (n * 37 + 5) % leaf.count;
      one.readRow(leaf, at);
      const got = { null: one.tags[at] !== 0, value: one.tags[at] !== 0 ? null : one.values[at] };
      all.read(decodePage(page, 3) as Leaf);
      expect(got, `row ${at}`).toEqual({ null: all.tags[at] !== 0, value: all.tags[at] !== 0 ? null : all.values[at] });
      if (typeof got.value === 'bigint') expect(one.wide).toBe(true);
    }
  }
});
