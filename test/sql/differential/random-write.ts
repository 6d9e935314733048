/**
 * Random writes. What they leave does not depend on the order of rows: joined rows are told apart by a key, ids move far
 * away at once, and rows that compete for a key come in a given order.
 */
import { group, list, optional, type Piece } from './piece.ts';
import { constant, expression, predicate, type Scope } from './random-expression.ts';
import type { Statement } from './random-query.ts';
import type { Column, Table } from './random-schema.ts';
import { PLAIN_TYPES, type SqlType } from './random-type.ts';
import type { Seeded } from './seeded.ts';

interface Writing {
  random: Seeded;
  table: Table;
  tables: readonly Table[];
  /** Columns that are written, without the id. */
  others: Column[];
  scope: Scope;
  returning: Piece;
}

export function randomWrite(random: Seeded, tables: readonly Table[], types: readonly SqlType[] = PLAIN_TYPES): Statement {
  const table = random.pick(tables);
  let aliases = 0;
  const scope: Scope = {
    random,
    columns: table.columns.map(({ name, type }) => ({ sql: `${table.name}.${name}`, type })),
    tables: table.size > 200 ? tables.filter(({ size }) => size <= 50) : tables,
    types,
    newAlias: () => `x${aliases++}`,
  };
  const others = table.columns.slice(1).filter(({ generated }) => generated !== true);
  const returning = random.chance(0.4) ? optional([' RETURNING ', list(table.columns.map(({ name }) => `${table.name}.${name}`))]) : '';
  const writing: Writing = { random, table, tables, others, scope, returning };
  const wide = types.length > PLAIN_TYPES.length;
  const kind = random.between(0, wide ? 17 : 9);
  return { piece: (KINDS[kind] ?? remove)(writing), ordered: false, representative: false };
}

const KINDS: readonly ((writing: Writing) => Piece)[] = [
  insertValues,
  insertValues,
  insertValues,
  insertSelect,
  update,
  update,
  update,
  update,
  remove,
  remove,
  insertConflict,
  insertConflict,
  updateFrom,
  removeUsing,
  merge,
  merge,
  moveRows,
  modifyingWith,
];

function insertValues({ random, table, others, returning }: Writing): Piece {
  const rows = Array.from({ length: random.between(1, 3) }, () =>
    group([
      `(${random.between(1, 30)}`,
      ...others.map(({ type }) => group([', ', random.chance(0.15) ? 'NULL' : random.chance(0.05) ? 'DEFAULT' : constant(random, type)])),
      ')',
    ]),
  );
  const conflict = random.pick([
    '',
    '',
    ' ON CONFLICT DO NOTHING',
    ...(table.key.length === 1 ? [` ON CONFLICT (id) DO UPDATE SET ${others[0].name} = excluded.${others[0].name}`] : []),
  ]);
  return group([`INSERT INTO ${table.name} (${['id', ...others.map(({ name }) => name)].join(', ')}) VALUES `, list(rows), group([conflict], ['']), returning]);
}

function insertSelect({ random, table, others, scope, returning }: Writing): Piece {
  const items = others.map(({ type }) => group([', ', fitting(scope, type)]));
  const columns = ['id', ...others.map(({ name }) => name)].join(', ');
  return group([
    `INSERT INTO ${table.name} (${columns}) SELECT id + ${random.pick([100, 5000, 1])}`,
    ...items,
    ` FROM ${table.name}`,
    optional([' WHERE ', predicate(scope, 2)]),
    returning,
  ]);
}

/** numeric(8,2) columns could overflow from sums: the value is cut back first. */
function fitting(scope: Scope, type: SqlType): Piece {
  return type === 'numeric' ? group(['(', expression(scope, type, 2), ') % 1000']) : expression(scope, type, 2);
}

function assignments({ random, others, scope }: Writing, target = ''): Piece {
  return list(
    random.some(others).map(({ name, type }) => group([`${target}${name} = `, random.chance(0.05) ? 'DEFAULT' : fitting(scope, type)], [`${name} = NULL`])),
  );
}

function update(writing: Writing): Piece {
  const { table, scope, returning } = writing;
  return group([`UPDATE ${table.name} SET `, assignments(writing), optional([' WHERE ', predicate(scope, 3)]), returning]);
}

function remove({ table, scope, returning }: Writing): Piece {
  return group([`DELETE FROM ${table.name}`, optional([' WHERE ', predicate(scope, 3)]), returning]);
}

/** Rows of another table whose ids may be there; each id comes once. */
function insertConflict({ random, table, tables, others, scope, returning }: Writing): Piece {
  const source = random.pick(tables);
  const own: Scope = { ...scope, columns: source.columns.map(({ name, type }) => ({ sql: `s.${name}`, type })), tables: [] };
  const items = others.map(({ type }) => group([', ', fitting(own, type)]));
  const columns = ['id', ...others.map(({ name }) => name)].join(', ');
  const both: Scope = { ...scope, columns: [...scope.columns, ...table.columns.map(({ name, type }) => ({ sql: `excluded.${name}`, type }))], tables: [] };
  const set = list(random.some(others).map(({ name, type }) => group([`${name} = `, fitting(both, type)], [`${name} = excluded.${name}`])));
  const target = table.key.length > 0 ? ` (${table.key.join(', ')})` : ' (id)';
  const conflict = random.chance(0.3)
    ? ` ON CONFLICT${random.pick([target, ''])} DO NOTHING`
    : group([` ON CONFLICT${target} DO UPDATE SET `, set, optional([' WHERE ', predicate(both, 2)])]);
  const from = `(SELECT DISTINCT ON (id) * FROM ${source.name} ORDER BY ${source.columns.map(({ name }) => name).join(', ')}) s`;
  return group([
    `INSERT INTO ${table.name} (${columns}) SELECT s.id${random.pick(['', ' + 2', ' * 2'])}`,
    ...items,
    ` FROM ${from}`,
    optional([' WHERE ', predicate(own, 2)]),
    conflict,
    returning,
  ]);
}

/** A relation with one row for each id. */
function distinctSource(random: Seeded, tables: readonly Table[]): { sql: string; columns: Column[] } {
  const { name, columns, key } = random.pick(tables);
  if (key.length === 1) return { sql: `${name} s`, columns };
  return { sql: `(SELECT DISTINCT ON (id) * FROM ${name} ORDER BY ${columns.map((column) => column.name).join(', ')}) s`, columns };
}

/** Which column of the target names the id of the source. */
function link({ random, table }: Writing): string {
  return `${table.name}.${random.pick(table.columns.filter(({ type }) => type === 'int')).name} = s.id`;
}

function joined(writing: Writing): { sql: string; condition: Piece; scope: Scope } {
  const { random, tables, scope } = writing;
  const { sql, columns } = distinctSource(random, tables);
  const both: Scope = {
    ...scope,
    columns: [...scope.columns, ...columns.map(({ name, type }) => ({ sql: `s.${name}`, type }))],
    tables: random.chance(0.3) ? scope.tables : [],
  };
  return { sql, condition: group([link(writing), optional([' AND ', predicate(both, 2)])]), scope: both };
}

function updateFrom(writing: Writing): Piece {
  const { table, returning } = writing;
  const { sql, condition, scope } = joined(writing);
  return group([`UPDATE ${table.name} SET `, assignments({ ...writing, scope }), ` FROM ${sql} WHERE `, condition, returning]);
}

function removeUsing(writing: Writing): Piece {
  const { sql, condition } = joined(writing);
  return group([`DELETE FROM ${writing.table.name} USING ${sql} WHERE `, condition, writing.returning]);
}

function merge(writing: Writing): Piece {
  const { random, table, tables, others, scope } = writing;
  const { sql, columns } = distinctSource(random, tables);
  const ofSource: Scope = { ...scope, columns: columns.map(({ name, type }) => ({ sql: `s.${name}`, type })), tables: [] };
  const both: Scope = { ...ofSource, columns: [...scope.columns, ...ofSource.columns] };
  const values = group(['s.id', ...others.map(({ type }) => group([', ', fitting(ofSource, type)]))]);
  const names = ['id', ...others.map(({ name }) => name)].join(', ');
  const clauses: Piece[] = [];
  for (let count = random.between(1, 3); count > 0; count--) {
    const matched = random.chance(0.6);
    const when = optional([' AND ', predicate(matched ? both : ofSource, 2)]);
    const roll = random.between(0, 5);
    if (!matched) clauses.push(group([' WHEN NOT MATCHED', when, roll === 0 ? ' THEN DO NOTHING' : group([` THEN INSERT (${names}) VALUES (`, values, ')'])]));
    else if (roll <= 1) clauses.push(group([' WHEN MATCHED', when, roll === 0 ? ' THEN DO NOTHING' : ' THEN DELETE']));
    else clauses.push(group([' WHEN MATCHED', when, ' THEN UPDATE SET ', assignments({ ...writing, scope: both })]));
  }
  return group([`MERGE INTO ${table.name} USING ${sql} ON `, `${table.name}.id = s.id`, list(clauses, '')]);
}

/** Keys change; rows of partitioned tables may go to another partition. */
function moveRows(writing: Writing): Piece {
  const { random, table, scope, returning } = writing;
  const offset = random.pick([10_000, -20_000, 50_000]);
  return group([
    `UPDATE ${table.name} SET id = id + ${offset}`,
    group([', ', assignments(writing)], ['']),
    optional([' WHERE ', predicate(scope, 2)]),
    returning,
  ]);
}

/** Writes of several tables in one statement: what one returns, another one takes. */
function modifyingWith(writing: Writing): Piece {
  const { random, table, tables, scope } = writing;
  const columns = table.columns.map(({ name }) => name).join(', ');
  const first = random.chance(0.5)
    ? group([`DELETE FROM ${table.name}`, optional([' WHERE ', predicate(scope, 2)])])
    : group([`UPDATE ${table.name} SET `, assignments(writing), optional([' WHERE ', predicate(scope, 2)])]);
  const head = group(['WITH d AS (', first, ` RETURNING ${columns}) `]);
  const other = tables.find(({ name, kind }) => name !== table.name && kind === 'table');
  const ofRows: Scope = { ...scope, columns: table.columns.map(({ name, type }) => ({ sql: `d.${name}`, type })), tables: [] };
  if (other === undefined || random.chance(0.4)) {
    return group([head, 'SELECT d.id, ', expression(ofRows, random.pick(scope.types), 2), ' FROM d', optional([` LEFT JOIN ${table.name} b ON b.id = d.id`])]);
  }
  const written = other.columns.slice(1).filter(({ generated }) => generated !== true);
  const values = written.map(({ type }) => group([', ', fitting(ofRows, type)]));
  const names = ['id', ...written.map(({ name }) => name)].join(', ');
  return group([head, `INSERT INTO ${other.name} (${names}) SELECT d.id + 70000`, ...values, ' FROM d', random.chance(0.3) ? ' RETURNING id' : '']);
}
