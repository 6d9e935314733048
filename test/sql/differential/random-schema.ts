/**
 * Random tables with rows full of nulls and repeated values.
 *
 * `randomSchema` makes plain ones; `wideSchema` takes all types and makes partitioned and inherited tables, views, further
 * indexes, foreign keys, checks and generated columns, and some tables with rows by the thousand, so that plans differ.
 */
import { group, type Piece, render } from './piece.ts';
import { COLUMN_TYPES, literal, PLAIN_TYPES, type SqlType, TYPE_STATEMENTS, valueOfRow, WIDE_TYPES } from './random-type.ts';
import type { Seeded } from './seeded.ts';

export interface Column {
  name: string;
  type: SqlType;
  /** Not written by statements. */
  generated?: boolean;
}

export interface Table {
  name: string;
  /** The first is `id integer`. */
  columns: Column[];
  /** What follows the type of a column. */
  constraints: Record<string, string>;
  rows: string[][];
  /** About how many rows it has. */
  size: number;
  /** A SELECT that gives the rows of a large table. */
  source?: Piece;
  /** Columns that tell its rows apart; views and inherited tables have none. */
  key: string[];
  /** After the list of columns. */
  storage: string;
  /** Definitions that follow the table. */
  after: string[];
  kind: 'table' | 'view';
}

export function randomSchema(random: Seeded): Table[] {
  return Array.from({ length: random.between(1, 3) }, (_, index) => {
    const columns: Column[] = [{ name: 'id', type: 'int' }];
    // Shared names make USING joins and ambiguous references possible.
    for (let at = random.between(2, 6); at > 0; at--) columns.push({ name: `c${columns.length}`, type: random.pick(PLAIN_TYPES) });
    const rows = randomRows(random, columns, random.between(0, 12));
    return { name: `t${index}`, columns, constraints: {}, rows, size: rows.length, key: ['id'], storage: '', after: [], kind: 'table' };
  });
}

function randomRows(random: Seeded, columns: readonly Column[], count: number): string[][] {
  return Array.from({ length: count }, (_, id) => [
    String(id + 1),
    ...columns.slice(1).map(({ type, generated }) => (generated === true ? 'DEFAULT' : random.chance(0.2) ? 'NULL' : literal(random, type))),
  ]);
}

export function wideSchema(random: Seeded): Table[] {
  const tables: Table[] = [];
  for (let count = random.between(2, 4); count > 0; count--) tables.push(wideTable(random, tables));
  if (random.chance(0.4)) tables.push(randomView(random, random.pick(tables), 'v0'));
  return tables;
}

function wideTable(random: Seeded, before: readonly Table[]): Table {
  const name = `t${before.length}`;
  const columns: Column[] = [{ name: 'id', type: 'int' }];
  for (let at = random.between(2, 6); at > 0; at--) {
    // The same name has the same type in most tables, for USING.
    const at = `c${columns.length}`;
    const like = before.length > 0 && random.chance(0.5) ? random.pick(before).columns.find((column) => column.name === at) : undefined;
    columns.push({ name: at, type: like?.type ?? random.pick(WIDE_TYPES) });
  }
  const table: Table = { name, columns, constraints: {}, rows: [], size: 0, key: ['id'], storage: '', after: [], kind: 'table' };
  const kind = random.next();
  if (kind < 0.15) partition(random, table);
  constrain(random, table, before);
  fill(random, table);
  if (kind > 0.9) inherit(random, table);
  addIndexes(random, table);
  return table;
}

function constrain(random: Seeded, table: Table, before: readonly Table[]): void {
  const { columns, constraints } = table;
  const [, first] = columns;
  const parent = before.find(({ key, kind }) => kind === 'table' && key.length === 1);
  const target = columns.slice(1).find(({ type }) => type === 'int');
  if (parent !== undefined && target !== undefined && random.chance(0.4)) {
    const action = random.pick([
      '',
      ' ON DELETE CASCADE',
      ' ON DELETE SET NULL',
      ' ON DELETE CASCADE ON UPDATE CASCADE',
      ' ON DELETE SET DEFAULT ON UPDATE SET NULL',
    ]);
    constraints[target.name] = ` REFERENCES ${parent.name} (id)${action}${random.pick(['', '', ' DEFERRABLE INITIALLY DEFERRED'])}`;
  } else if (target !== undefined && random.chance(0.2)) constraints[target.name] = ` CHECK (${target.name} <> 7)`;
  const plain = columns.slice(1).find(({ name }) => constraints[name] === undefined);
  if (plain !== undefined && random.chance(0.2)) constraints[plain.name] = ` DEFAULT ${literal(random, plain.type)}`;
  if (random.chance(0.25)) {
    const of = first.type === 'int' || first.type === 'bigint' ? `(${first.name} % 100) * 2` : `(${first.name} IS NULL)::int + id`;
    columns.push({ name: 'g', type: 'int', generated: true });
    constraints['g'] = ` GENERATED ALWAYS AS (${of}) STORED`;
  }
}

function fill(random: Seeded, table: Table): void {
  const { columns } = table;
  const roll = random.next();
  if (roll < 0.1) return;
  if (roll < 0.75) {
    table.rows = randomRows(random, columns, random.between(1, 14));
    table.size = table.rows.length;
    return;
  }
  const count = random.pick([120, 800, 2500]);
  const written = columns.filter(({ generated }) => generated !== true);
  const values = written.map(({ name, type }) => (name === 'id' ? 'g' : valueOfRow(random, type)));
  const numbers = group(
    [String(count)],
    [String(Math.ceil(count / 4)), String(count - 1), '40', '8', '2'].filter((text) => Number(text) < count),
  );
  table.source = group([
    `INSERT INTO ${table.name} (${written.map(({ name }) => name).join(', ')}) SELECT `,
    values.join(', '),
    ' FROM generate_series(1, ',
    numbers,
    ') g',
  ]);
  table.size = count;
}

function partition(random: Seeded, table: Table): void {
  const { name, columns } = table;
  const by = random.pick(columns.filter(({ type }) => type === 'int' || type === 'text' || type === 'date'));
  if (by.name !== 'id' && random.chance(0.5)) table.key = random.chance(0.5) ? ['id', by.name] : [];
  else if (by.name !== 'id') table.key = [];
  const part = (at: number, bounds: string): string => `CREATE TABLE ${name}_p${at} PARTITION OF ${name} ${bounds}`;
  const kind = random.pick(['RANGE', 'LIST', 'HASH']);
  table.storage = ` PARTITION BY ${kind} (${by.name})`;
  if (kind === 'HASH') {
    table.after = [0, 1, 2].map((at) => part(at, `FOR VALUES WITH (MODULUS 3, REMAINDER ${at})`));
    return;
  }
  const [low, high] = by.type === 'int' ? ['3', '100'] : by.type === 'text' ? [`'ab'`, `'t2'`] : [`'2000-01-01'`, `'2024-02-01'`];
  const bounds =
    kind === 'RANGE'
      ? [`FOR VALUES FROM (MINVALUE) TO (${low})`, `FOR VALUES FROM (${low}) TO (${high})`]
      : [`FOR VALUES IN (${low}${by.name === 'id' || table.key.length > 1 ? '' : ', NULL'})`, `FOR VALUES IN (${high})`];
  table.after = [...bounds.map((each, at) => part(at, each)), part(2, 'DEFAULT')];
}

function inherit(random: Seeded, table: Table): void {
  const { name, columns, rows } = table;
  if (table.storage !== '' || table.source !== undefined) return;
  const kid = `${name}_kid`;
  const own = randomRows(random, columns, random.between(1, 5)).map((row) => `INSERT INTO ${kid} VALUES (${[...row, `'kid'`].join(', ')})`);
  table.after.push(`CREATE TABLE ${kid} (extra text) INHERITS (${name})`, ...own);
  table.key = [];
  table.size = rows.length + own.length;
}

function addIndexes(random: Seeded, table: Table): void {
  const { name, columns } = table;
  const kinds = ['plain', 'plain', 'two', 'partial', 'expression', 'unique', 'hash', 'gin', 'cover'];
  for (let count = random.pick([0, 0, 1, 2, 3]); count > 0; count--) {
    const column = random.pick(columns);
    const order = random.pick(['', '', ' DESC', ' DESC NULLS LAST', ' NULLS FIRST']);
    const other = random.pick(columns);
    const text = columns.find(({ type }) => type === 'text')?.name;
    const keys = columns.find(({ type }) => type === 'jsonb' || type === 'ints' || type === 'texts')?.name;
    const kind = random.pick(kinds);
    if (kind === 'plain') table.after.push(`CREATE INDEX ON ${name} (${column.name}${order})`);
    else if (kind === 'two') table.after.push(`CREATE INDEX ON ${name} (${column.name}${order}, ${other.name})`);
    else if (kind === 'partial')
      table.after.push(`CREATE INDEX ON ${name} (${column.name}${order}) WHERE ${other.name} IS ${random.pick(['NULL', 'NOT NULL'])}`);
    else if (kind === 'expression') table.after.push(`CREATE INDEX ON ${name} (${text === undefined ? '(id % 7)' : `lower(${text})`}${order})`);
    else if (kind === 'unique' && table.storage === '') table.after.push(`CREATE UNIQUE INDEX ON ${name} (${column.name}, id)`);
    else if (kind === 'hash') table.after.push(`CREATE INDEX ON ${name} USING hash (${column.name})`);
    else if (kind === 'gin' && keys !== undefined) table.after.push(`CREATE INDEX ON ${name} USING gin (${keys})`);
    else if (kind === 'cover') table.after.push(`CREATE INDEX ON ${name} (${column.name}) INCLUDE (${other.name})`);
  }
}

function randomView(random: Seeded, table: Table, name: string): Table {
  const columns = [...table.columns.slice(0, 2), ...table.columns.slice(2).filter(() => random.chance(0.6))];
  const names = columns.map((column) => column.name).join(', ');
  const where = random.pick(['', ' WHERE id > 1', ' WHERE id % 3 <> 1']);
  const after = [`CREATE VIEW ${name} AS SELECT ${names} FROM ${table.name}${where}${random.pick(['', '', ' WITH CHECK OPTION'])}`];
  return {
    name,
    columns,
    constraints: {},
    rows: [],
    size: table.size,
    key: table.key,
    storage: '',
    after: where === '' ? [after[0].replace(' WITH CHECK OPTION', '')] : after,
    kind: 'view',
  };
}

/** One statement a piece; rows come one statement a row, so that dropping one is a step of shrinking. */
export function schemaPieces(tables: readonly Table[], wide = false): Piece[] {
  return [...(wide ? TYPE_STATEMENTS : []), ...tables.flatMap(tablePieces)];
}

function tablePieces(table: Table): Piece[] {
  const { name, kind, storage, after, source, rows, key } = table;
  if (kind === 'view') return after;
  const plainKey = key.length === 1 || (key.length === 0 && storage === '');
  const columns = table.columns.map(
    ({ name: column, type }) =>
      `${column} ${COLUMN_TYPES[type]}${column === 'id' ? (plainKey ? ' PRIMARY KEY' : ' NOT NULL') : ''}${table.constraints[column] ?? ''}`,
  );
  const create = `CREATE TABLE ${name} (${[...columns, ...(key.length > 1 ? [`PRIMARY KEY (${key.join(', ')})`] : [])].join(', ')})${storage}`;
  // Partitions stand before the rows, indexes and children may come after them.
  const partitions = after.filter((sql) => sql.includes(' PARTITION OF '));
  const others = after.filter((sql) => !sql.includes(' PARTITION OF '));
  return [create, ...partitions, ...(source === undefined ? [] : [source]), ...rows.map((row) => `INSERT INTO ${name} VALUES (${row.join(', ')})`), ...others];
}

export function schemaStatements(tables: readonly Table[]): string[] {
  return schemaPieces(tables).map(render);
}
