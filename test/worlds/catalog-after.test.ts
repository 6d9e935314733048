/** A catalog that is derived from another one by changes of definitions is the catalog that decoding them all gives. */
import { expect, test } from 'vitest';
import type { RowChange } from '../../src/tree/datum.ts';
import { buildCatalog, type Catalog, catalogAfter } from '../../src/worlds/catalog.ts';
import { type CatalogObject, catalogObject, columnDefinition, DEFINITION_SHAPE, tableDefinition } from '../../src/worlds/definition.ts';
import { columnDefinitionKey, tableDefinitionKey } from '../../src/worlds/kinds/keys.ts';
import { Random } from '../suite/random.ts';

const TABLES = [16_384, 16_390, 16_400];
const COLUMNS = [1, 2, 3];
const TYPES = ['bigint', 'text', 'jsonb'] as const;

const change = (key: string, after: string | null): RowChange => ({
  key,
  shape: DEFINITION_SHAPE,
  before: null,
  after: after === null ? null : [after],
});
const table = (number: number, exists: boolean): RowChange => change(tableDefinitionKey(number), exists ? tableDefinition(number, `t${number}`) : null);
const column = (of: number, number: number, type: (typeof TYPES)[number] | null): RowChange =>
  change(columnDefinitionKey(of, of + number), type === null ? null : columnDefinition(of, of + number, `c${number}`, type));

function decoded(definitions: ReadonlyMap<string, string>): Catalog {
  const objects = new Map<string, CatalogObject>();
  for (const key of [...definitions.keys()].toSorted()) objects.set(key, catalogObject(definitions.get(key)!));
  return buildCatalog(objects);
}

function shown(catalog: Catalog): unknown {
  return [...catalog.byNumber.values()]
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, name, columns, byName }) => ({ number, name, columns, named: [...byName.keys()].toSorted() }));
}

test('columns that outlived their table are there when it returns', () => {
  const all = [table(16_384, true), column(16_384, 1, 'text'), column(16_384, 2, 'bigint')];
  const without = catalogAfter(catalogAfter(decoded(new Map()), all), [table(16_384, false), column(16_384, 1, null)]);
  const back = catalogAfter(without, [table(16_384, true), column(16_384, 3, 'jsonb')]);
  expect([...back.byNumber.get(16_384)!.byName.keys()].toSorted()).toEqual(['c2', 'c3']);
});

test('random changes of tables and columns, each apart from its table', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed);
    const definitions = new Map<string, string>();
    let catalog = decoded(definitions);
    for (let step = 0; step < 20; step++) {
      const rows = new Map<string, RowChange>();
      for (let i = 0; i <= random.below(4); i++) {
        const of = random.of(TABLES);
        const row = random.chance(0.4) ? table(of, random.chance(0.5)) : column(of, random.of(COLUMNS), random.chance(0.3) ? null : random.of(TYPES));
        rows.set(row.key as string, row);
      }
      for (const [key, { after }] of rows) {
        if (after === null) definitions.delete(key);
        else definitions.set(key, after[0] as string);
      }
      // Decoding all is another way to the same catalog, and a start of its own.
      catalog = catalogAfter(random.chance(0.2) ? decoded(definitions) : catalog, [...rows.values()]);
      expect(shown(catalog), `seed ${seed}, step ${step}`).toEqual(shown(decoded(definitions)));
    }
  }
});
