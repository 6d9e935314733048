/** Random WITH clauses: plain and materialized, one over another, and recursive ones that end. */
import { group, list, optional, type Piece } from './piece.ts';
import { expression, predicate, type Scope } from './random-expression.ts';
import type { Column, Table } from './random-schema.ts';
import type { SqlType } from './random-type.ts';
import type { Seeded } from './seeded.ts';

export function withClause(random: Seeded, tables: readonly Table[], types: readonly SqlType[], newAlias: () => string): { piece: Piece; tables: Table[] } {
  const made: Table[] = [];
  const parts: Piece[] = [];
  let recursive = false;
  for (let count = random.between(1, 2); count > 0; count--) {
    const recurse = random.chance(0.4);
    recursive ||= recurse;
    const name = `w${made.length}`;
    const source = random.pick([...made, ...tables]);
    const cte = recurse ? recursiveTable(random, name, source, newAlias, types) : plainTable(random, name, source, newAlias, types);
    parts.push(cte.piece);
    made.push(cte.table);
  }
  return { piece: group([`WITH ${recursive ? 'RECURSIVE ' : ''}`, list(parts, ', ', parts.length), ' ']), tables: made };
}

function relation(name: string, columns: Column[], size: number): Table {
  return { name, columns, constraints: {}, rows: [], size, key: [], storage: '', after: [], kind: 'view' };
}

function plainTable(random: Seeded, name: string, source: Table, newAlias: () => string, types: readonly SqlType[]): { piece: Piece; table: Table } {
  const alias = newAlias();
  const scope: Scope = {
    random,
    columns: source.columns.map((column) => ({ sql: `${alias}.${column.name}`, type: column.type })),
    tables: [],
    types,
    newAlias,
  };
  const columns: Column[] = [
    { name: 'id', type: 'int' },
    ...Array.from({ length: random.between(1, 3) }, (_, at) => ({ name: `c${at + 1}`, type: random.pick(types) })),
  ];
  const where = random.chance(0.5) ? optional([' WHERE ', predicate(scope, 2)]) : '';
  const head = `${name} (${columns.map((column) => column.name).join(', ')}) AS ${random.pick(['', 'MATERIALIZED ', 'NOT MATERIALIZED '])}(SELECT `;
  const values = columns.map(({ type }) => expression(scope, type, 2));
  return { piece: group([head, list(values, ', ', values.length), ` FROM ${source.name} ${alias}`, where, ')']), table: relation(name, columns, source.size) };
}

/** Steps are counted, or repeated rows are left out, or cycles are cut: each ends. */
function recursiveTable(random: Seeded, name: string, source: Table, newAlias: () => string, types: readonly SqlType[]): { piece: Piece; table: Table } {
  const [a, b] = [newAlias(), newAlias()];
  const scope = (alias: string): Scope => ({
    random,
    columns: source.columns.map((column) => ({ sql: `${alias}.${column.name}`, type: column.type })),
    tables: [],
    types,
    newAlias,
  });
  const type = random.pick(types.filter((each) => each !== 'numeric'));
  const links = source.columns.filter((column) => column.type === 'int');
  const link = random.pick(links).name;
  const start = `SELECT ${a}.id, `;
  const where = optional([' WHERE ', predicate(scope(a), 1)]);
  if (random.chance(0.4) && source.size <= 200) {
    // A walk over rows that name one another.
    const edge = `${b}.${link} = ${name}.id`;
    const columns: Column[] = [{ name: 'id', type: 'int' }];
    return {
      piece: group([
        `${name} (id) AS (SELECT ${a}.id FROM ${source.name} ${a}`,
        where,
        ` UNION SELECT ${b}.id FROM ${name} JOIN ${source.name} ${b} ON ${edge})`,
      ]),
      table: relation(name, columns, source.size),
    };
  }
  const columns: Column[] = [
    { name: 'id', type: 'int' },
    { name: 'c1', type },
  ];
  const own: Scope = { ...scope(a), columns: columns.map((column) => ({ sql: `${name}.${column.name}`, type: column.type })) };
  // A text that is put into itself at each step would grow beyond all bounds.
  const step = type === 'text' ? group(['left(', expression(own, type, 1), ', 40)']) : expression(own, type, 1);
  const union = random.pick(['UNION', 'UNION ALL']);
  const cut = group([' WHERE (', predicate(scope(a), 1), `) AND ${a}.id < 6`], [` WHERE ${a}.id < 3`]);
  const column = source.columns.find((each) => each.type === type);
  const first: Piece = column === undefined ? expression(scope(a), type, 1) : `${a}.${column.name}`;
  return {
    piece: group([
      `${name} (id, c1) AS (`,
      start,
      first,
      ` FROM ${source.name} ${a}`,
      cut,
      ` ${union} SELECT ${name}.id + ${random.between(1, 2)}, `,
      step,
      ` FROM ${name} WHERE ${name}.id < 8)`,
    ]),
    table: relation(name, columns, 20),
  };
}
