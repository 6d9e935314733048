/** Rows of system relations: their shape, and what they say of a schema that Postgres has too. */
import { STORED } from '../../../src/sql/types/environment.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { relationDefinitions } from '../../../src/sql/catalog/relation-definitions.ts';
import { systemRelations } from '../../../src/sql/catalog/system-relations.ts';
import type { Registry } from '../../../src/sql/functions/registry.ts';
import type { VirtualRelation } from '../../../src/sql/plan/logical.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import type { CatalogObject } from '../../../src/worlds/definition.ts';
import { makeRegistry, makeSchema } from './library.ts';
import { CUSTOMERS, SHOP } from './shop.ts';

let registry: Registry;
let relation: (name: string) => VirtualRelation;

beforeAll(async () => {
  registry = await makeRegistry();
  const relations = systemRelations(makeSchema(registry, SHOP), registry, { user: 'ada', database: 'main' });
  relation = (name) => {
    const [schema, own] = name.includes('.') ? name.split('.') : ['pg_catalog', name];
    return relations.find(schema, own)!.relation;
  };
});

describe('every relation', () => {
  it('has rows of its width whose values print', () => {
    for (const [name] of relationDefinitions(registry)) {
      const own = relation(name);
      const { columns } = own;
      for (const row of own.rows()) {
        if (row.length !== columns.length) expect.fail(`${name} has a row of ${row.length} values`);
        row.forEach((value, i) => {
          if (value === null) return;
          const text = value === undefined ? 'undefined' : columns[i].type.format(value, STORED);
          if (typeof text !== 'string' || /undefined|NaN|\[object/.test(text)) expect.fail(`${name}.${columns[i].name}: ${text}`);
        });
      }
    }
  });

  it('has columns of types that the library knows', () => {
    for (const [name, { columns }] of relationDefinitions(registry)) {
      for (const column of columns) expect(registry.typeByOid(column.type.oid), `${name}.${column.name}`).toBe(column.type);
    }
  });

  it('finds rows by its hashed columns', () => {
    for (const [name] of relationDefinitions(registry)) {
      const own = relation(name);
      const rows = [...own.rows()];
      for (const column of own.hashed) {
        const value = rows.at(-1)?.[column];
        if (value === undefined || value === null) continue;
        const expected = rows.filter((row) => row[column] !== null && own.columns[column].type.compare(row[column], value) === 0);
        expect([...own.find(column, value)], `${name}.${own.columns[column].name}`).toEqual(expected);
      }
    }
  });
});

describe('a look before all rows are there', () => {
  it('finds what is found among all', () => {
    const asText = (rows: Iterable<readonly unknown[]>, { columns }: VirtualRelation): string[] =>
      Array.from(rows, (row) => row.map((value, i) => (value === null ? 'null' : columns[i].type.format(value as Value, STORED))).join('|')).sort();
    for (const [name] of relationDefinitions(registry)) {
      const all = relation(name);
      const rows = [...all.rows()];
      const fresh = systemRelations(makeSchema(registry, SHOP), registry, { user: 'ada', database: 'main' });
      const [schema, own] = name.split('.');
      const narrow = fresh.find(schema, own)!.relation;
      for (const column of all.hashed) {
        const { type } = all.columns[column];
        const values = new Map(rows.flatMap((row) => (row[column] === null ? [] : [[type.hashKey(row[column]), row[column]]])));
        // The first are those of the world.
        for (const [key, value] of [...values].slice(0, 40)) {
          const expected = rows.filter((row) => row[column] !== null && type.hashKey(row[column]) === key);
          expect(asText(narrow.find(column, value), all), `${name}.${all.columns[column].name}`).toEqual(asText(expected, all));
        }
      }
    }
  });
});

describe('catalogs of many tables', () => {
  it('are made quickly', () => {
    const objects: CatalogObject[] = [];
    for (let t = 0; t < 1000; t++) {
      const number = 100_000 + t * 100;
      const primaryKey = { number: number + 50, name: `t${t}_pkey` };
      objects.push({
        what: 'relation',
        number,
        schema: 'public',
        name: `t${t}`,
        key: [number + 1],
        numeric: true,
        primaryKey,
        attnums: 10,
        dropped: [],
        epoch: 0,
      });
      for (let c = 1; c <= 10; c++) {
        objects.push({
          ...(SHOP.find((each) => each.what === 'attribute') as CatalogObject & { what: 'attribute' }),
          default: null,
          number: number + c,
          table: number,
          name: `c${c}`,
          attnum: c,
        });
      }
    }
    // Warm: what is the same for all worlds is there.
    for (let i = 0; i < 3; i++) {
      const warm = systemRelations(makeSchema(registry, objects), registry, { user: 'ada', database: 'main' });
      for (const name of ['pg_class', 'pg_attribute']) expect([...warm.find('pg_catalog', name)!.relation.rows()].length).toBeGreaterThan(2000);
    }
    const schema = makeSchema(registry, objects);
    const started = performance.now();
    const relations = systemRelations(schema, registry, { user: 'ada', database: 'main' });
    const classes = [...relations.find('pg_catalog', 'pg_class')!.relation.rows()];
    const attributes = relations.find('pg_catalog', 'pg_attribute')!.relation;
    const count = [...attributes.rows()].length;
    const made = performance.now();
    const found = [...attributes.find(0, 100_000)];
    const hashed = performance.now();
    for (let i = 0; i < 10_000; i++) attributes.find(0, 100_000 + (i % 1000) * 100);
    const looked = performance.now();
    console.log(`made ${(made - started).toFixed(1)} ms, hashed ${(hashed - made).toFixed(1)} ms, a look ${((looked - hashed) / 10).toFixed(2)} µs`);
    expect(classes.length).toBeGreaterThan(2000);
    expect(count).toBeGreaterThan(16_000);
    expect(found.length).toBe(16);
  });
});

it('knows the table by oid', () => {
  const [row] = relation('pg_class').find(0, CUSTOMERS);
  expect(row.slice(0, 3)).toEqual([CUSTOMERS, 'customers', 2200]);
});
