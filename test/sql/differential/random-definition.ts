/** Random definitions over tables that are there, most of which succeed. */
import type { Table } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export function randomDefinition(random: Seeded, tables: readonly Table[], at: number): string {
  const { name, columns } = random.pick(tables.filter(({ kind }) => kind === 'table'));
  const column = random.pick(columns).name;
  const new_ = `n${at}`;
  return random.pick([
    `ALTER TABLE ${name} ADD COLUMN ${new_} int DEFAULT ${at}`,
    `ALTER TABLE ${name} ADD COLUMN ${new_} text`,
    `ALTER TABLE ${name} ADD COLUMN ${new_} serial`,
    `ALTER TABLE ${name} DROP COLUMN ${column} CASCADE`,
    `ALTER TABLE ${name} RENAME COLUMN ${column} TO ${new_}`,
    `ALTER TABLE ${name} ALTER COLUMN ${column} TYPE text USING ${column}::text`,
    `ALTER TABLE ${name} ALTER COLUMN id TYPE bigint`,
    `ALTER TABLE ${name} ALTER COLUMN ${column} DROP DEFAULT`,
    `ALTER TABLE ${name} ADD CONSTRAINT ${new_} CHECK (id > -${at})`,
    `ALTER TABLE ${name} ADD CONSTRAINT ${new_} UNIQUE (id, ${column})`,
    `ALTER TABLE ${name} RENAME TO ${new_}`,
    `CREATE INDEX ${new_} ON ${name} (${column})`,
    `CREATE INDEX ${new_} ON ${name} ((${column} IS NULL), id) WHERE id % 2 = 0`,
    `CREATE VIEW ${new_} AS SELECT * FROM ${name} WHERE id > ${at}`,
    `CREATE MATERIALIZED VIEW ${new_} AS SELECT count(*) c FROM ${name}`,
    `CREATE TABLE ${new_} AS SELECT * FROM ${name}`,
    `CREATE TABLE ${new_} (id serial PRIMARY KEY, v int DEFAULT ${at}); INSERT INTO ${new_} (v) SELECT g FROM generate_series(1, ${at + 1}) g`,
    `CREATE TABLE ${new_} (LIKE ${name} INCLUDING ALL)`,
    `TRUNCATE ${name} CASCADE`,
    `DROP TABLE ${name} CASCADE`,
    `COMMENT ON TABLE ${name} IS 'at ${at}'`,
    `CREATE SEQUENCE ${new_}; SELECT nextval('${new_}') FROM generate_series(1, ${at + 1})`,
    `ALTER TABLE ${name} DISABLE TRIGGER USER`,
  ]);
}
