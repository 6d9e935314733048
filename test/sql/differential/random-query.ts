/** Random SELECT statements: joins, grouping, windows, set operations, CTEs, order and limits. */
import { group, list, optional, type Piece } from './piece.ts';
import { expression, leaf, predicate, type Scope } from './random-expression.ts';
import { fromClause } from './random-from.ts';
import { grouped } from './random-group.ts';
import type { Table } from './random-schema.ts';
import { PLAIN_TYPES, type SqlType } from './random-type.ts';
import { windowCall } from './random-window.ts';
import { withClause } from './random-with.ts';
import type { Seeded } from './seeded.ts';

export interface Statement {
  piece: Piece;
  /** Rows come in a defined order: ORDER BY names every output column. */
  ordered: boolean;
  /** Equal values of different spelling (1.0, 1.00) stand for one another: DISTINCT, GROUP BY, set operations, ties. */
  representative: boolean;
}

interface Body {
  piece: Piece;
  representative: boolean;
}

const DEPTH = 3;
/** Joins of more rows than these get shallow expressions without subqueries. */
const LARGE = 400;

export function randomQuery(random: Seeded, tables: readonly Table[], kinds: readonly SqlType[] = PLAIN_TYPES): Statement {
  let aliases = 0;
  const newAlias = (): string => `x${aliases++}`;
  const wide = kinds.length > PLAIN_TYPES.length;
  const types = Array.from({ length: random.between(1, 4) }, () => random.pick(kinds));
  const ctes = wide && random.chance(0.15) ? withClause(random, tables, kinds, newAlias) : null;
  const sources = ctes === null ? tables : [...ctes.tables, ...ctes.tables, ...tables];
  const body = random.chance(wide ? 0.15 : 0.12)
    ? setOperation(random, sources, types, newAlias, kinds, wide ? 2 : 1)
    : select(random, sources, types, newAlias, kinds);
  const ordered = random.chance(0.5);
  const positions = types.map((_, index) => `${index + 1}${random.pick(['', ' DESC', ' ASC NULLS FIRST', ' DESC NULLS LAST'])}`);
  const limit = ordered && random.chance(0.4) ? optional([` LIMIT ${random.between(0, 6)}`, optional([` OFFSET ${random.between(0, 3)}`])]) : '';
  let piece = ordered
    ? group([
        body.piece,
        ' ORDER BY ',
        list(
          positions.map((position, at) => group([position], [String(at + 1)])),
          ', ',
          positions.length,
        ),
        limit,
      ])
    : body.piece;
  let total = ordered;
  if (wide && !ordered && random.chance(0.1)) {
    // Rows that tie with the last one come too, so any order is definite enough.
    piece = group([body.piece, ` ORDER BY ${random.pick(positions)} FETCH FIRST ${random.between(1, 5)} ROWS WITH TIES`], [body.piece]);
    total = false;
  }
  if (ctes !== null) piece = group([ctes.piece, piece]);
  if (!random.chance(0.1)) return { piece: spoiled(random, piece), ordered: total, representative: body.representative || ordered || wide };
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

function setOperation(
  random: Seeded,
  tables: readonly Table[],
  types: readonly SqlType[],
  newAlias: () => string,
  kinds: readonly SqlType[],
  depth: number,
): Body {
  const side = (): Piece => {
    if (depth > 1 && random.chance(0.3)) return setOperation(random, tables, types, newAlias, kinds, depth - 1).piece;
    const { piece } = select(random, tables, types, newAlias, kinds);
    if (depth < 2 || !random.chance(0.15)) return piece;
    return group([piece, ` ORDER BY ${types.map((_, at) => at + 1).join(', ')} LIMIT ${random.between(1, 5)}`], [piece]);
  };
  const [left, right] = [side(), side()];
  const operator = random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'INTERSECT ALL', 'EXCEPT', 'EXCEPT ALL']);
  return { piece: group(['(', left, `) ${operator} (`, right, ')'], [left, right]), representative: true };
}

function select(random: Seeded, tables: readonly Table[], types: readonly SqlType[], newAlias: () => string, kinds: readonly SqlType[]): Body {
  const wide = kinds.length > PLAIN_TYPES.length;
  const made = fromClause(random, tables, newAlias, kinds);
  const { from, size } = made;
  const large = size > LARGE;
  const scope: Scope = large && random.chance(0.8) ? { ...made.scope, tables: tables.filter((table) => table.size <= 50) } : made.scope;
  const depth = large ? 2 : DEPTH;
  const where = random.chance(0.6) ? optional([' WHERE ', predicate(scope, depth)]) : '';
  const roll = random.next();
  if (roll < 0.25) return { piece: grouped(scope, types, from, where), representative: true };
  const windows = roll < 0.4;
  const sets = wide && !windows && random.chance(0.12);
  const items = types.map((type) => {
    if (windows && random.chance(0.6)) return windowCall(scope, type);
    if (sets && random.chance(0.7)) return rowsOfItem(scope, type);
    return expression(scope, type, depth);
  });
  if (wide && !windows && random.chance(0.08)) return distinctOn(scope, types, items, from, where);
  const distinct = !windows && random.chance(0.15);
  const piece = group(['SELECT ', distinct ? 'DISTINCT ' : '', list(named(items), ', ', items.length), ' FROM ', from, where]);
  return { piece, representative: distinct || windows };
}

/** A function that returns rows, in the select list. */
function rowsOfItem(scope: Scope, type: SqlType): Piece {
  const plain = { ...scope, tables: [] };
  if (type === 'int') {
    return scope.random.chance(0.5)
      ? group(['unnest(', expression(plain, 'ints', 1), ')'], ['NULL::int'])
      : group(['generate_series(1, ', leaf(scope, 'int'), ' % 4)']);
  }
  if (type === 'text') return group(['unnest(', expression(plain, 'texts', 1), ')'], ['NULL::text']);
  if (type === 'jsonb') {
    const json = leaf(plain, 'jsonb');
    return group(['jsonb_array_elements(CASE jsonb_typeof(', json, `) WHEN 'array' THEN `, json, ' END)']);
  }
  return expression(scope, type, 2);
}

/** The first row of each key in an order that names every output column. */
function distinctOn(scope: Scope, types: readonly SqlType[], items: readonly Piece[], from: Piece, where: Piece): Body {
  const { random } = scope;
  const alias = scope.newAlias();
  const key = random.pick(types.map((_, at) => at));
  const order = [key, ...types.map((_, at) => at).filter((at) => at !== key)].map((at) => `${alias}.c${at}${random.pick(['', ' DESC', ' NULLS FIRST'])}`);
  const inner = group(['SELECT ', list(named(items), ', ', items.length), ' FROM ', from, where]);
  const columns = types.map((_, at) => `${alias}.c${at}`).join(', ');
  const piece = group(
    [`SELECT * FROM (SELECT DISTINCT ON (${alias}.c${key}) ${columns} FROM (`, inner, `) ${alias} ORDER BY ${order.join(', ')}) ${alias}d`],
    [inner],
  );
  return { piece, representative: true };
}

function named(items: readonly Piece[]): Piece[] {
  return items.map((item, index) => group([item, ` AS c${index}`]));
}
