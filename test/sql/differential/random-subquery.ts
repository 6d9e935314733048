/** Subqueries inside of expressions, over the columns around them: scalar, EXISTS, IN, ANY and ALL, of one column or of rows. */
import { group, list, optional, type Piece } from './piece.ts';
import { expression, leaf, predicate, type Scope } from './random-expression.ts';
import type { SqlType } from './random-type.ts';

/** What gives one value of the type whatever the order of rows is: most types have min and max, floats no exact sum. */
function orderless(scope: Scope, type: SqlType, value: string): string {
  if (type === 'bool') return `bool_or(${value})`;
  if (type === 'jsonb' || type === 'range' || type === 'pair') return `(array_agg(${value} ORDER BY ${value}))[1]`;
  return `${scope.random.pick(['min', 'max'])}(${value})`;
}

export function scalarSubquery(scope: Scope, type: SqlType, depth: number, simpler: Piece[]): Piece {
  const { random } = scope;
  const inner = subScope(scope);
  const value = expression(inner.scope, type, depth - 2);
  const where = random.chance(0.7) ? optional([' WHERE ', predicate(inner.scope, depth - 2)]) : '';
  const roll = random.next();
  if (roll < 0.2) {
    const direction = random.pick(['', ' DESC', ' NULLS FIRST']);
    return group(
      ['(SELECT ', value, ` AS v FROM ${inner.from}`, where, ` ORDER BY v${direction} LIMIT 1`, random.chance(0.3) ? ' OFFSET 1' : '', ')'],
      simpler,
    );
  }
  if (roll < 0.3 && type === 'ints') {
    return group(['ARRAY(SELECT ', expression(inner.scope, 'int', depth - 2), ` AS v FROM ${inner.from}`, where, ' ORDER BY v LIMIT 5)'], simpler);
  }
  if (roll < 0.4 && type === 'bigint') return group([`(SELECT count(*) FROM ${inner.from}`, where, ')'], simpler);
  // The value is made one level below: an aggregate over nothing but outer columns would belong to the outer query.
  const source = scope.newAlias();
  return group([`(SELECT ${orderless(scope, type, `${source}.v`)} FROM (SELECT `, value, ` AS v FROM ${inner.from}`, where, `) ${source})`], simpler);
}

export function subqueryPredicate(scope: Scope, depth: number): Piece {
  const { random } = scope;
  const inner = subScope(scope);
  const where = random.chance(0.8) ? optional([' WHERE ', correlated(inner.scope, scope, depth)]) : '';
  if (random.chance(0.4)) return group([random.pick(['EXISTS ', 'NOT EXISTS ']), `(SELECT 1 FROM ${inner.from}`, where, ')'], ['true']);
  // ROW(…)::pair counts as two columns there.
  const type = random.pick(scope.types.filter((each) => each !== 'pair'));
  const operator = random.pick([' IN ', ' NOT IN ', ' = ANY ', ' <> ALL ', ' < ANY ', ' >= ALL ']);
  if (random.chance(0.2)) {
    const other = random.pick(scope.types);
    const left = group(['(', expression(scope, type, depth - 1), ', ', leaf(scope, other), ')']);
    const right = group([expression(inner.scope, type, depth - 1), ', ', leaf(inner.scope, other)]);
    return group(['(', left, random.pick([' IN ', ' NOT IN ', ' < ANY ', ' <> ALL ']), '(SELECT ', right, ` FROM ${inner.from}`, where, '))'], ['true']);
  }
  const grouped = random.chance(0.15) ? group([' GROUP BY 1']) : '';
  return group(
    ['(', expression(scope, type, depth - 1), operator, '(SELECT ', expression(inner.scope, type, depth - 1), ` FROM ${inner.from}`, where, grouped, '))'],
    ['true'],
  );
}

/** Often an equality with a column from outside, which joins are made of. */
function correlated(inner: Scope, outer: Scope, depth: number): Piece {
  const any = predicate(inner, depth - 1);
  const own = inner.columns.slice(0, inner.columns.length - outer.columns.length);
  const pairs = own.flatMap((a) =>
    outer.columns.filter((b) => b.type === a.type).map((b) => `${a.sql} ${inner.random.pick(['=', '=', '=', '<', '>='])} ${b.sql}`),
  );
  if (pairs.length === 0 || inner.random.chance(0.4)) return any;
  const equal = inner.random.pick(pairs);
  return inner.random.chance(0.6) ? equal : group(['(', list([equal, any], ' AND '), ')']);
}

function subScope(scope: Scope): { scope: Scope; from: string } {
  const table = scope.random.pick(scope.tables);
  const alias = scope.newAlias();
  const own = table.columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type }));
  return { from: `${table.name} ${alias}`, scope: { ...scope, columns: [...own, ...own, ...scope.columns], rows: [alias] } };
}
