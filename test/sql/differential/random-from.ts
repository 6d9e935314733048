/** Random FROM clauses: tables, subqueries, VALUES, functions and LATERAL items, joined in every way. */
import { group, list, optional, type Piece } from './piece.ts';
import { constant, expression, leaf, predicate, type Scope, type ScopeColumn } from './random-expression.ts';
import type { Table } from './random-schema.ts';
import { PLAIN_TYPES, type SqlType } from './random-type.ts';
import type { Seeded } from './seeded.ts';

/** An item and what it puts in scope. */
interface Item {
  sql: Piece;
  columns: ScopeColumn[];
  rows: string[];
  /** Names that it has for USING. */
  names: { name: string; type: SqlType }[];
  lateral: boolean;
  size: number;
}

/** Products of more rows than these are not made. */
const SIZE_MAX = 20_000;

const JOINS = [' JOIN ', ' LEFT JOIN ', ' RIGHT JOIN ', ' CROSS JOIN ', ' FULL JOIN ', ', '];

export interface From {
  from: Piece;
  scope: Scope;
  size: number;
}

export function fromClause(random: Seeded, tables: readonly Table[], newAlias: () => string, types: readonly SqlType[] = PLAIN_TYPES, outer?: Scope): From {
  const base: Scope = { random, columns: outer?.columns ?? [], tables, types, newAlias };
  const wide = types.length > PLAIN_TYPES.length;
  const joined = joinTree(base, random.pick(wide ? [0, 0, 0, 1, 1, 2, 3] : [0, 0, 0, 1, 1, 2]), wide);
  const columns = [...joined.columns, ...(outer === undefined ? [] : [...joined.columns, ...outer.columns])];
  return { from: joined.sql, scope: { ...base, columns, rows: joined.rows }, size: joined.size };
}

function joinTree(scope: Scope, joins: number, wide: boolean): Item {
  const { random } = scope;
  let left = tableItem(scope, random.pick(scope.tables));
  if (wide && random.chance(0.2)) left = anyItem(scope, left, false);
  for (; joins > 0; joins--) {
    if (wide && joins >= 2 && random.chance(0.25)) {
      left = join(scope, left, joinTree(scope, 1, false));
      joins--;
    } else left = join(scope, left, wide && random.chance(0.45) ? anyItem(scope, left, true) : tableItem(scope, random.pick(scope.tables)));
  }
  return left;
}

function join(scope: Scope, left: Item, right: Item): Item {
  const { random } = scope;
  const merged: Omit<Item, 'sql'> = {
    columns: [...left.columns, ...right.columns],
    rows: [...left.rows, ...right.rows],
    names: [],
    lateral: left.lateral || right.lateral,
    size: Math.max(left.size, right.size) * 2,
  };
  let kind = random.pick(JOINS);
  // Only inner and left joins give their left side to the right one.
  if (right.lateral && (kind === ' RIGHT JOIN ' || kind === ' FULL JOIN ')) kind = ' LEFT JOIN ';
  const product = left.size * right.size;
  const large = product > SIZE_MAX;
  if (large && (kind === ', ' || kind === ' CROSS JOIN ')) kind = ' JOIN ';
  // A comma binds less than JOIN, so what stands left of it is not in scope of a later ON: parentheses around all of it are not allowed either.
  if (kind === ', ') kind = ' CROSS JOIN ';
  if (kind === ' CROSS JOIN ') return { ...merged, sql: group([left.sql, kind, nested(right)], [left.sql]), size: product };
  const shared = left.names.filter((a) => right.names.some((b) => b.name === a.name && b.type === a.type));
  if (!large && shared.length > 0 && random.chance(0.25)) {
    const using = random.some(shared).slice(0, 2);
    const alias = random.chance(0.3) ? scope.newAlias() : null;
    const own = alias === null ? [] : using.map(({ name, type }) => ({ sql: `${alias}.${name}`, type }));
    const condition = ` USING (${using.map(({ name }) => name).join(', ')})${alias === null ? '' : ` AS ${alias}`}`;
    return {
      ...merged,
      columns: [...merged.columns, ...own],
      sql: group([left.sql, kind, nested(right), condition], [left.sql]),
      size: Math.min(product, SIZE_MAX),
    };
  }
  const equal = equality(random, left.columns, right.columns, large);
  if (equal === null) {
    if (kind === ' FULL JOIN ') kind = ' LEFT JOIN ';
    return {
      ...merged,
      sql: group([left.sql, kind, nested(right), group([' ON ', predicate({ ...scope, columns: merged.columns, tables: [] }, 2)], [' ON true'])]),
      size: product,
    };
  }
  // FULL JOIN takes mergeable conditions only, so it gets equalities of two columns.
  const on =
    kind === ' FULL JOIN ' ? ` ON ${equal}` : group([' ON ', joinCondition({ ...scope, columns: [...merged.columns, ...scope.columns] }, equal, large)]);
  return { ...merged, sql: group([left.sql, kind, nested(right), on], [left.sql]) };
}

/** A join that stands right of another one is put into parentheses. */
function nested(item: Item): Piece {
  return item.rows.length > 1 ? group(['(', item.sql, ')']) : item.sql;
}

/** Of large sides, one is looked up by its id. */
function equality(random: Seeded, left: readonly ScopeColumn[], right: readonly ScopeColumn[], large: boolean): string | null {
  const isKey = ({ sql }: ScopeColumn): boolean => sql.endsWith('.id');
  const pairs = left.flatMap((a) => right.filter((b) => b.type === a.type && (!large || isKey(a) || isKey(b))).map((b) => `${a.sql} = ${b.sql}`));
  return pairs.length === 0 ? null : random.pick(pairs);
}

function joinCondition(scope: Scope, equal: string, large: boolean): Piece {
  const { random } = scope;
  const roll = random.next();
  if (roll < 0.5) return equal;
  const other = predicate({ ...scope, tables: random.chance(0.2) ? scope.tables : [] }, 2);
  if (roll < 0.85 || large) return group([equal, ' AND ', other], [equal]);
  if (roll < 0.92) return group([other], ['true']);
  return group(['(', equal, ' OR ', other, ')'], [equal]);
}

function tableItem(scope: Scope, table: Table): Item {
  const alias = scope.newAlias();
  const columns = table.columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type }));
  return { sql: `${table.name} ${alias}`, columns, rows: [alias], names: table.columns, lateral: false, size: Math.max(table.size, 1) };
}

/** What stands beside tables in FROM; with `lateral` it may look at the columns left of it. */
function anyItem(scope: Scope, left: Item, lateral: boolean): Item {
  const { random } = scope;
  const outer: Scope = lateral ? { ...scope, columns: [...left.columns, ...scope.columns] } : scope;
  const roll = random.next();
  const small = left.size <= 200;
  if (roll < 0.15) return valuesItem(scope);
  if (roll < 0.45) return functionItem(outer, lateral);
  if (roll < 0.7 && lateral && small) return lateralItem(outer);
  return subqueryItem(scope);
}

function item(alias: string, sql: Piece, columns: readonly { name: string; type: SqlType }[], size: number, lateral = false): Item {
  return { sql, columns: columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type })), rows: [alias], names: [...columns], lateral, size };
}

function valuesItem(scope: Scope): Item {
  const { random } = scope;
  const alias = scope.newAlias();
  const columns = [
    { name: 'id', type: 'int' as SqlType },
    ...Array.from({ length: random.between(1, 2) }, (_, at) => ({ name: `c${at + 1}`, type: random.pick(scope.types) })),
  ];
  const rows = Array.from({ length: random.between(1, 4) }, () => {
    const values = columns.map(({ type }) =>
      random.chance(0.15)
        ? `NULL::${type === 'float' ? 'float8' : type === 'range' ? 'int4range' : type === 'ints' ? 'int[]' : type === 'texts' ? 'text[]' : type}`
        : constant(random, type),
    );
    return group(['(', list(values, ', ', values.length), ')']);
  });
  return item(alias, group(['(VALUES ', list(rows), `) AS ${alias} (${columns.map(({ name }) => name).join(', ')})`]), columns, rows.length);
}

function functionItem(scope: Scope, lateral: boolean): Item {
  const { random } = scope;
  const plain: Scope = { ...scope, tables: [] };
  const alias = scope.newAlias();
  const roll = random.between(0, 6);
  const ordinal = random.chance(0.5);
  const made = (call: Piece, columns: { name: string; type: SqlType }[]): Item => {
    const all: { name: string; type: SqlType }[] = ordinal ? [...columns, { name: 'n', type: 'bigint' }] : columns;
    return item(alias, group([call, `${ordinal ? ' WITH ORDINALITY' : ''} AS ${alias} (${all.map(({ name }) => name).join(', ')})`]), all, 3, lateral);
  };
  if (roll <= 1) return made(group(['unnest(', expression(plain, 'ints', 1), ')'], [`unnest('{1,2}'::int[])`]), [{ name: 'c1', type: 'int' }]);
  if (roll === 2) {
    return made(group(['unnest(', expression(plain, 'ints', 1), ', ', expression(plain, 'texts', 1), ')']), [
      { name: 'c1', type: 'int' },
      { name: 'c2', type: 'text' },
    ]);
  }
  if (roll === 3) {
    return made(group(['ROWS FROM (unnest(', leaf(plain, 'texts'), '), generate_series(1, ', String(random.between(0, 3)), '))']), [
      { name: 'c1', type: 'text' },
      { name: 'id', type: 'int' },
    ]);
  }
  if (roll === 4) {
    const json = leaf(plain, 'jsonb');
    return made(group(['jsonb_array_elements(CASE WHEN jsonb_typeof(', json, `) = 'array' THEN `, json, ' END)']), [{ name: 'c1', type: 'jsonb' }]);
  }
  if (roll === 5) {
    const json = leaf(plain, 'jsonb');
    return made(group(['jsonb_each(CASE WHEN jsonb_typeof(', json, `) = 'object' THEN `, json, ' END)']), [
      { name: 'c1', type: 'text' },
      { name: 'c2', type: 'jsonb' },
    ]);
  }
  const low = leaf(plain, 'int');
  return made(group(['generate_series(', low, ' % 5, ', leaf(plain, 'int'), ` % 6, ${random.pick(['1', '2', '-1'])})`]), [{ name: 'id', type: 'int' }]);
}

/** Rows of one table, filtered, grouped or cut, under new names. */
function subqueryItem(scope: Scope): Item {
  const { random } = scope;
  const alias = scope.newAlias();
  const inner = tableItem(scope, random.pick(scope.tables));
  const own: Scope = { ...scope, columns: inner.columns, rows: inner.rows, tables: inner.size > 200 ? [] : scope.tables };
  const columns = [
    { name: 'id', type: 'int' as SqlType },
    ...Array.from({ length: random.between(1, 2) }, (_, at) => ({ name: `c${at + 1}`, type: random.pick(scope.types) })),
  ];
  const where = random.chance(0.5) ? optional([' WHERE ', predicate(own, 2)]) : '';
  const values = columns.map(({ type }) => expression(own, type, 2));
  const roll = random.next();
  const positions = columns.map((_, at) => `${at + 1}${random.pick(['', ' DESC', ' NULLS FIRST'])}`).join(', ');
  const tail =
    roll < 0.3
      ? optional([` ORDER BY ${positions} LIMIT ${random.between(1, 5)}`])
      : roll < 0.5
        ? optional([' GROUP BY ', columns.map((_, at) => at + 1).join(', ')])
        : '';
  const distinct = roll >= 0.5 && roll < 0.6 ? 'DISTINCT ' : '';
  const sql = group([
    `(SELECT ${distinct}`,
    list(values, ', ', values.length),
    ' FROM ',
    inner.sql,
    where,
    tail,
    `) AS ${alias} (${columns.map(({ name }) => name).join(', ')})`,
  ]);
  return item(alias, sql, columns, roll < 0.3 ? 5 : inner.size);
}

function lateralItem(outer: Scope): Item {
  const { random } = outer;
  const alias = outer.newAlias();
  const inner = tableItem(outer, random.pick(outer.tables));
  const own: Scope = {
    ...outer,
    columns: [...inner.columns, ...inner.columns, ...outer.columns],
    rows: inner.rows,
    tables: random.chance(0.2) ? outer.tables : [],
  };
  const columns = [
    { name: 'id', type: 'int' as SqlType },
    { name: 'c1', type: random.pick(outer.types) },
  ];
  const equal = equality(random, inner.columns, outer.columns, false);
  const where = optional([' WHERE ', equal !== null && random.chance(0.6) ? equal : predicate(own, 2)]);
  const values = columns.map(({ type }) => expression(own, type, 2));
  const grouped = random.chance(0.25);
  const positions = columns.map((_, at) => `${at + 1}${random.pick(['', ' DESC', ' NULLS FIRST'])}`).join(', ');
  const body = grouped
    ? group(['SELECT count(*)::int, ', `min(${inner.columns[0].sql})`, ' FROM ', inner.sql, where])
    : group([
        'SELECT ',
        list(values, ', ', values.length),
        ' FROM ',
        inner.sql,
        where,
        optional([` ORDER BY ${positions}`, optional([` LIMIT ${random.between(1, 3)}`])]),
      ]);
  const given = grouped ? [columns[0], { name: 'c1', type: 'int' as SqlType }] : columns;
  return item(alias, group(['LATERAL (', body, `) AS ${alias} (id, c1)`]), given, 3, true);
}
