/**
 * Random expressions of a wanted type over the columns in scope.
 *
 * What could raise a data error (a zero divisor, an overflow, a bad cast) is left out: whether it raises depends on which
 * rows are looked at first, and there two right engines may differ.
 */
import { group, list, type Piece } from './piece.ts';
import { literal, type SqlType, type Table, TYPES } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export interface ScopeColumn {
  sql: string;
  type: SqlType;
}

export interface Scope {
  random: Seeded;
  columns: readonly ScopeColumn[];
  /** For subqueries. */
  tables: readonly Table[];
  /** Aliases are unique in a statement. */
  newAlias: () => string;
}

const COMPARABLE: readonly SqlType[] = TYPES;

export function expression(scope: Scope, type: SqlType, depth: number): Piece {
  const { random } = scope;
  if (depth <= 0 || random.chance(0.15)) return leaf(scope, type);
  const roll = random.next();
  const simpler = [leaf(scope, type), 'NULL::' + castName(type)];
  if (roll < 0.12) return conditional(scope, type, depth, simpler);
  if (roll < 0.2) return call('coalesce', [expression(scope, type, depth - 1), expression(scope, type, depth - 1)], simpler);
  if (roll < 0.26) return call('nullif', [expression(scope, type, depth - 1), leaf(scope, type)], simpler);
  if (roll < 0.3 && type !== 'bool')
    return call(random.pick(['greatest', 'least']), [expression(scope, type, depth - 1), expression(scope, type, depth - 1)], simpler);
  if (roll < 0.36 && scope.tables.length > 0) return scalarSubquery(scope, type, depth, simpler);
  const made = PRODUCERS[type](scope, depth - 1);
  return group([made], simpler);
}

export function predicate(scope: Scope, depth: number): Piece {
  return expression(scope, 'bool', depth);
}

function leaf(scope: Scope, type: SqlType): Piece {
  const fitting = scope.columns.filter((column) => column.type === type);
  if (fitting.length > 0 && scope.random.chance(0.75)) return scope.random.pick(fitting).sql;
  return scope.random.chance(0.07) ? `NULL::${castName(type)}` : literal(scope.random, type);
}

export function castName(type: SqlType): string {
  return type === 'float' ? 'float8' : type;
}

function call(name: string, args: Piece[], simpler: Piece[] = []): Piece {
  return group([`${name}(`, list(args, ', ', args.length), ')'], [...args, ...simpler]);
}

function binary(left: Piece, operator: string, right: Piece, simpler: Piece[] = []): Piece {
  return group(['(', left, ` ${operator} `, right, ')'], simpler);
}

function conditional(scope: Scope, type: SqlType, depth: number, simpler: Piece[]): Piece {
  const branches = Array.from({ length: scope.random.between(1, 2) }, () =>
    group([' WHEN ', predicate(scope, depth - 1), ' THEN ', expression(scope, type, depth - 1)]),
  );
  const other = scope.random.chance(0.7) ? group([' ELSE ', expression(scope, type, depth - 1)], ['']) : '';
  return group(['CASE', list(branches, ''), other, ' END'], simpler);
}

function scalarSubquery(scope: Scope, type: SqlType, depth: number, simpler: Piece[]): Piece {
  const { random } = scope;
  const inner = subScope(scope);
  const value = expression(inner.scope, type, depth - 2);
  const where = random.chance(0.7) ? group([' WHERE ', predicate(inner.scope, depth - 2)], ['']) : '';
  // Booleans have no min, floats no exact sum; min and max of the rest do not depend on order.
  const aggregate = type === 'bool' ? 'bool_or' : random.pick(['min', 'max']);
  // The value is made one level below: an aggregate over nothing but outer columns would belong to the outer query.
  const source = scope.newAlias();
  return group([`(SELECT ${aggregate}(${source}.v) FROM (SELECT `, value, ` AS v FROM ${inner.from}`, where, `) ${source})`], simpler);
}

function subScope(scope: Scope): { scope: Scope; from: string } {
  const table = scope.random.pick(scope.tables);
  const alias = scope.newAlias();
  const own = table.columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type }));
  return { from: `${table.name} ${alias}`, scope: { ...scope, columns: [...own, ...own, ...scope.columns] } };
}

const PRODUCERS: Record<SqlType, (scope: Scope, depth: number) => Piece> = {
  int(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 8);
    const number = (): Piece => expression(scope, 'int', depth);
    // Operands are cut back to three digits: a product never leaves the type.
    const small = (): Piece => group(['(', number(), ' % 1000)'], ['1']);
    if (roll <= 2) return binary(small(), random.pick(['+', '-', '*']), small());
    if (roll === 3) return binary(number(), random.pick(['/', '%']), String(random.pick([2, 3, 7, -4])));
    if (roll === 4) return call('abs', [small()]);
    if (roll === 5) return call('length', [expression(scope, 'text', depth)]);
    if (roll === 6) return group(['extract(', random.pick(['year', 'month', 'day', 'dow']), ' FROM ', expression(scope, 'date', depth), ')::int']);
    if (roll === 7) return call('strpos', [expression(scope, 'text', depth), expression(scope, 'text', depth)]);
    return group(['(-', small(), ')']);
  },
  bigint(scope, depth) {
    const small = (): Piece => group(['(', expression(scope, 'bigint', depth), ' % 100000)'], ['1::bigint']);
    if (scope.random.chance(0.4)) return group([expression(scope, 'int', depth), '::bigint']);
    return binary(small(), scope.random.pick(['+', '-', '*']), small());
  },
  numeric(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 4);
    const number = (): Piece => expression(scope, 'numeric', depth);
    if (roll <= 1) return binary(number(), random.pick(['+', '-']), number());
    if (roll === 2) return call('round', [number(), String(random.between(0, 3))]);
    if (roll === 3) return group([expression(scope, 'int', depth), '::numeric']);
    return binary(number(), random.pick(['*', '/']), random.pick(['2', '0.5', '3', '-1.25']));
  },
  float(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 3);
    if (roll === 0) return group([expression(scope, 'int', depth), '::float8']);
    if (roll === 1) return call(random.pick(['floor', 'ceil', 'round', 'abs', 'sign']), [expression(scope, 'float', depth)]);
    return binary(expression(scope, 'float', depth), random.pick(['+', '-']), expression(scope, 'float', depth));
  },
  text(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 7);
    const text = (): Piece => expression(scope, 'text', depth);
    if (roll <= 1) return binary(text(), '||', text());
    if (roll === 2) return call(random.pick(['upper', 'lower', 'reverse', 'trim', 'md5']), [text()]);
    if (roll === 3) return call('substr', [text(), String(random.between(-1, 3)), String(random.between(0, 4))]);
    if (roll === 4) return call('replace', [text(), `'a'`, text()]);
    if (roll === 5) return call(random.pick(['left', 'right']), [text(), String(random.between(-2, 3))]);
    if (roll === 6) return call('concat', [text(), expression(scope, random.pick(['int', 'numeric', 'bool', 'date']), depth)]);
    return group([expression(scope, random.pick(['int', 'bigint', 'numeric', 'bool', 'date', 'timestamp']), depth), '::text']);
  },
  bool(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 11);
    const type = random.pick(COMPARABLE);
    const value = (): Piece => expression(scope, type, depth);
    if (roll <= 2) return binary(value(), random.pick(['=', '<>', '<', '<=', '>', '>=']), value(), ['true']);
    if (roll === 3) return group(['(', list([predicate(scope, depth), predicate(scope, depth)], random.pick([' AND ', ' OR '])), ')']);
    if (roll === 4) return group(['(NOT ', predicate(scope, depth), ')']);
    if (roll === 5) return group(['(', value(), random.pick([' IS NULL', ' IS NOT NULL']), ')'], ['true']);
    if (roll === 6) return group(['(', value(), random.pick([' IN ', ' NOT IN ']), '(', list([value(), leaf(scope, type), leaf(scope, type)]), '))'], ['true']);
    if (roll === 7) return group(['(', value(), random.pick([' BETWEEN ', ' NOT BETWEEN ']), leaf(scope, type), ' AND ', leaf(scope, type), ')'], ['true']);
    if (roll === 8)
      return group(
        ['(', expression(scope, 'text', depth), random.pick([' LIKE ', ' NOT LIKE ']), random.pick([`'a%'`, `'%b%'`, `'_'`, `'%'`, `'x\\%y'`]), ')'],
        ['true'],
      );
    if (roll === 9) return binary(value(), random.pick(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM']), value(), ['true']);
    if (roll === 10 && scope.tables.length > 0) return subqueryPredicate(scope, depth);
    return group(['(', predicate(scope, depth), random.pick([' IS TRUE', ' IS NOT TRUE', ' IS FALSE', ' IS UNKNOWN']), ')']);
  },
  date(scope, depth) {
    const { random } = scope;
    if (random.chance(0.4)) return group([expression(scope, 'timestamp', depth), '::date']);
    return binary(expression(scope, 'date', depth), random.pick(['+', '-']), String(random.between(0, 40)));
  },
  timestamp(scope, depth) {
    const { random } = scope;
    if (random.chance(0.3)) return group([expression(scope, 'date', depth), '::timestamp']);
    if (random.chance(0.4)) return call('date_trunc', [random.pick([`'hour'`, `'day'`, `'month'`, `'year'`]), expression(scope, 'timestamp', depth)]);
    const span = random.pick([`interval '1 month'`, `interval '1 day 02:00'`, `interval '90 minutes'`, `interval '1 year'`]);
    return binary(expression(scope, 'timestamp', depth), random.pick(['+', '-']), span);
  },
};

function subqueryPredicate(scope: Scope, depth: number): Piece {
  const { random } = scope;
  const inner = subScope(scope);
  const where = random.chance(0.8) ? group([' WHERE ', predicate(inner.scope, depth - 1)], ['']) : '';
  if (random.chance(0.4)) return group([random.pick(['EXISTS ', 'NOT EXISTS ']), `(SELECT 1 FROM ${inner.from}`, where, ')'], ['true']);
  const type = random.pick(COMPARABLE);
  const operator = random.pick([' IN ', ' NOT IN ', ' = ANY ', ' <> ALL ', ' < ANY ', ' >= ALL ']);
  return group(
    ['(', expression(scope, type, depth - 1), operator, '(SELECT ', expression(inner.scope, type, depth - 1), ` FROM ${inner.from}`, where, '))'],
    ['true'],
  );
}
