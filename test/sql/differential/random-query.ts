/** Random SELECT statements: joins, grouping, windows, set operations, CTEs, order and limits. */
import { group, list, optional, type Piece, render } from './piece.ts';
import { expression, predicate, type Scope, type ScopeColumn } from './random-expression.ts';
import { type SqlType, type Table, TYPES } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export interface Statement {
  piece: Piece;
  /** Rows come in a defined order: ORDER BY names every output column. */
  ordered: boolean;
  /** Equal values of different spelling (1.0, 1.00) stand for one another: DISTINCT, GROUP BY, set operations, ties. */
  representative: boolean;
}

const DEPTH = 3;
const JOINS = [' JOIN ', ' LEFT JOIN ', ' RIGHT JOIN ', ' CROSS JOIN ', ' FULL JOIN '];

export function randomQuery(random: Seeded, tables: readonly Table[]): Statement {
  let aliases = 0;
  const newAlias = (): string => `x${aliases++}`;
  const types = Array.from({ length: random.between(1, 4) }, () => random.pick(TYPES));
  const body = random.chance(0.12) ? setOperation(random, tables, types, newAlias) : select(random, tables, types, newAlias);
  const ordered = random.chance(0.5);
  const positions = types.map((_, index) => `${index + 1}${random.pick(['', ' DESC', ' ASC NULLS FIRST', ' DESC NULLS LAST'])}`);
  const limit = ordered && random.chance(0.4) ? optional([` LIMIT ${random.between(0, 6)}`, optional([` OFFSET ${random.between(0, 3)}`])]) : '';
  const piece = ordered ? group([body.piece, ` ORDER BY ${positions.join(', ')}`, limit]) : body.piece;
  if (!random.chance(0.1)) return { piece: spoiled(random, piece), ordered, representative: body.representative || ordered };
  const columns = types.map((_, index) => `c${index}`).join(', ');
  const wrapped = group([`WITH w(${columns}) AS `, random.pick(['', 'MATERIALIZED ']), '(', piece, ') SELECT * FROM w'], [piece]);
  return { piece: wrapped, ordered: false, representative: true };
}

/** Now and then a statement that must be refused, so that SQLSTATEs are compared too. */
function spoiled(random: Seeded, piece: Piece): Piece {
  if (!random.chance(0.05)) return piece;
  const fault = random.pick([
    'nosuch',
    'nosuch(1)',
    't0.nosuch',
    `1 + 'a'::text`,
    '(SELECT 1, 2)',
    'sum(count(*))',
    '1::nosuch',
    `'x'::int`,
    '1 / 0',
    `CASE WHEN 1 THEN 2 END`,
  ]);
  return group([`SELECT ${fault} FROM (`, piece, ') s'], [`SELECT ${fault}`]);
}

function setOperation(random: Seeded, tables: readonly Table[], types: readonly SqlType[], newAlias: () => string): { piece: Piece; representative: boolean } {
  const left = select(random, tables, types, newAlias).piece;
  const right = select(random, tables, types, newAlias).piece;
  const operator = random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'INTERSECT ALL', 'EXCEPT', 'EXCEPT ALL']);
  return { piece: group(['(', left, `) ${operator} (`, right, ')'], [left, right]), representative: true };
}

/** FROM items and what they put in scope. */
export function fromClause(random: Seeded, tables: readonly Table[], newAlias: () => string): { from: Piece; scope: Scope } {
  const columns: ScopeColumn[] = [];
  const scope: Scope = { random, columns, tables, newAlias };
  const add = (table: Table): string => {
    const alias = newAlias();
    columns.push(...table.columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type })));
    return `${table.name} ${alias}`;
  };
  let from: Piece = add(random.pick(tables));
  for (let joins = random.pick([0, 0, 0, 1, 1, 2]); joins > 0; joins--) {
    const join = random.pick(JOINS);
    const before = [...columns];
    const item = add(random.pick(tables));
    // FULL JOIN takes mergeable conditions only, so it gets one equality of two columns.
    const on =
      join === ' CROSS JOIN '
        ? ''
        : join === ' FULL JOIN '
          ? ` ON ${equality(random, before, columns)}`
          : group([' ON ', joinCondition(random, scope, before)]);
    from = group([from, join, item, on]);
  }
  return { from, scope };
}

function equality(random: Seeded, before: readonly ScopeColumn[], all: readonly ScopeColumn[]): string {
  const added = all.slice(before.length);
  const pairs = before.flatMap((left) => added.filter((right) => right.type === left.type).map((right) => `${left.sql} = ${right.sql}`));
  return random.pick(pairs);
}

function joinCondition(random: Seeded, scope: Scope, before: readonly ScopeColumn[]): Piece {
  const equal = equality(random, before, scope.columns);
  if (random.chance(0.6)) return equal;
  return group([equal, ' AND ', predicate({ ...scope, tables: [] }, 2)], [equal]);
}

function select(random: Seeded, tables: readonly Table[], types: readonly SqlType[], newAlias: () => string): { piece: Piece; representative: boolean } {
  const { from, scope } = fromClause(random, tables, newAlias);
  const where = random.chance(0.6) ? optional([' WHERE ', predicate(scope, DEPTH)]) : '';
  const roll = random.next();
  if (roll < 0.25) return grouped(scope, types, from, where);
  const windows = roll < 0.4;
  const items = types.map((type) => (windows && random.chance(0.6) ? windowCall(scope, type) : expression(scope, type, DEPTH)));
  const distinct = !windows && random.chance(0.15);
  const piece = group(['SELECT ', distinct ? 'DISTINCT ' : '', list(named(items), ', ', items.length), ' FROM ', from, where]);
  return { piece, representative: distinct || windows };
}

function named(items: readonly Piece[]): Piece[] {
  return items.map((item, index) => group([item, ` AS c${index}`]));
}

function grouped(scope: Scope, types: readonly SqlType[], from: Piece, where: Piece): { piece: Piece; representative: boolean } {
  const { random } = scope;
  const keys = random.chance(0.75) ? random.some(scope.columns).slice(0, 2) : [];
  const ofKeys: Scope = { ...scope, columns: keys, tables: [] };
  const item = (type: SqlType): Piece => (keys.some((key) => key.type === type) && random.chance(0.6) ? expression(ofKeys, type, 1) : aggregate(scope, type));
  const having = random.chance(0.25) ? optional([' HAVING ', aggregate(scope, 'bool')]) : '';
  const kind = random.pick(['', '', '', 'ROLLUP', 'CUBE']);
  const names = keys.map(({ sql }) => sql).join(', ');
  const by = keys.length === 0 ? '' : kind === '' ? ` GROUP BY ${names}` : group([` GROUP BY ${kind} (${names})`], [` GROUP BY ${names}`]);
  return { piece: group(['SELECT ', list(named(types.map(item)), ', ', types.length), ' FROM ', from, where, by, having]), representative: true };
}

/** Sums of floats depend on the order of rows, so floats are only counted and compared. */
function aggregate(scope: Scope, type: SqlType): Piece {
  const { random } = scope;
  const of = (argument: SqlType): Piece => expression({ ...scope, tables: [] }, argument, 2);
  const filter = random.chance(0.15) ? optional([' FILTER (WHERE ', predicate({ ...scope, tables: [] }, 2), ')']) : '';
  const distinct = random.chance(0.15) ? 'DISTINCT ' : '';
  if (type === 'bool') {
    return random.chance(0.5)
      ? group(['(', aggregate(scope, 'bigint'), random.pick([' > ', ' = ', ' <= ']), String(random.between(0, 4)), ')'])
      : group([random.pick(['bool_and(', 'bool_or(']), of('bool'), ')', filter]);
  }
  if (type === 'bigint') {
    return random.chance(0.5)
      ? group([`count(${distinct}`, of(random.pick(TYPES)), ')', filter], ['count(*)'])
      : group([`sum(${distinct}`, of('int'), ')', filter], ['count(*)']);
  }
  if (type === 'numeric') return group([random.pick(['sum(', 'avg(']), distinct, of(random.pick(['numeric', 'bigint'])), ')', filter]);
  if (type === 'text' && random.chance(0.3)) return stringAggregate(of('text'));
  return group([random.pick(['min(', 'max(']), of(type), ')', filter]);
}

function stringAggregate(value: Piece): Piece {
  // Ordered by its own value, the result does not depend on the order of rows.
  return group(['string_agg(', value, `, ',' ORDER BY `, render(value), ')'], ['NULL::text']);
}

function windowCall(scope: Scope, type: SqlType): Piece {
  const { random } = scope;
  const keys = scope.columns.filter((column) => column.sql.endsWith('.id'));
  const partition = random.chance(0.6) ? optional([`PARTITION BY ${random.pick(scope.columns).sql} `]) : '';
  // Ids of all joined tables together tell rows apart unless an outer join repeats nothing but nulls.
  const total = `ORDER BY ${keys.map(({ sql }) => sql).join(', ')}`;
  const plain = { ...scope, tables: [] };
  if (type === 'bigint' && random.chance(0.6)) {
    const name = random.pick(['row_number()', 'rank()', 'dense_rank()', 'count(*)']);
    const order = name === 'rank()' || name === 'dense_rank()' ? `ORDER BY ${random.pick(scope.columns).sql}${random.pick(['', ' DESC'])}` : total;
    return group([name, ' OVER (', partition, order, ')'], ['0::bigint']);
  }
  if (type === 'bool' || type === 'bigint') return expression(scope, type, 2);
  const frame = optional([
    random.pick([
      ' ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING',
      ' ROWS UNBOUNDED PRECEDING',
      ' ROWS BETWEEN 2 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW',
      ' GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW',
      ' RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
      ' ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
    ]),
  ]);
  const name = random.pick(['min', 'max', 'first_value', 'last_value', 'lag', 'lead']);
  return group(
    [`${name}(`, expression(plain, type, 2), ') OVER (', partition, total, name === 'lag' || name === 'lead' ? '' : frame, ')'],
    [`NULL::${type === 'float' ? 'float8' : type}`],
  );
}
