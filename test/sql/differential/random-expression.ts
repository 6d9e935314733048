/**
 * Random expressions of a wanted type over the columns in scope.
 *
 * What could raise a data error (a zero divisor, an overflow, a bad cast) is left out: whether it raises depends on which
 * rows are looked at first, and there two right engines may differ.
 */
import { group, list, type Piece } from './piece.ts';
import type { Table } from './random-schema.ts';
import { scalarSubquery, subqueryPredicate } from './random-subquery.ts';
import { castName, literal, type SqlType } from './random-type.ts';
import type { Seeded } from './seeded.ts';

export interface ScopeColumn {
  sql: string;
  type: SqlType;
}

export interface Scope {
  random: Seeded;
  columns: readonly ScopeColumn[];
  /** Aliases that stand for whole rows of tables. */
  rows?: readonly string[];
  /** For subqueries. */
  tables: readonly Table[];
  /** Types that expressions are made over. */
  types: readonly SqlType[];
  /** Aliases are unique in a statement. */
  newAlias: () => string;
}

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

export function leaf(scope: Scope, type: SqlType): Piece {
  const fitting = scope.columns.filter((column) => column.type === type);
  if (fitting.length > 0 && scope.random.chance(0.75)) return scope.random.pick(fitting).sql;
  return scope.random.chance(0.07) ? `NULL::${castName(type)}` : constant(scope.random, type);
}

export function constant(random: Seeded, type: SqlType): Piece {
  return { kind: 'literal', sql: literal(random, type), type: castName(type) };
}

function call(name: string, args: Piece[], simpler: Piece[] = []): Piece {
  return group([`${name}(`, list(args, ', ', args.length), ')'], [...args, ...simpler]);
}

function binary(left: Piece, operator: string, right: Piece, simpler: Piece[] = []): Piece {
  return group(['(', left, ` ${operator} `, right, ')'], simpler);
}

function conditional(scope: Scope, type: SqlType, depth: number, simpler: Piece[]): Piece {
  const { random } = scope;
  const of = random.chance(0.3) ? random.pick(scope.types) : null;
  const branches = Array.from({ length: random.between(1, 2) }, () =>
    group([' WHEN ', of === null ? predicate(scope, depth - 1) : leaf(scope, of), ' THEN ', expression(scope, type, depth - 1)]),
  );
  const other = random.chance(0.7) ? group([' ELSE ', expression(scope, type, depth - 1)], ['']) : '';
  return group(['CASE', of === null ? '' : group([' ', expression(scope, of, depth - 1)]), list(branches, ''), other, ' END'], simpler);
}

const has = (scope: Scope, type: SqlType): boolean => scope.types.includes(type);

/** An int of three digits at most: products and bounds of ranges never leave the type. */
const small = (scope: Scope, depth: number): Piece => group(['(', expression(scope, 'int', depth), ' % 1000)'], ['1']);

const PRODUCERS: Record<SqlType, (scope: Scope, depth: number) => Piece> = {
  int(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, has(scope, 'ints') ? 14 : 8);
    const number = (): Piece => expression(scope, 'int', depth);
    const cut = (): Piece => small(scope, depth);
    if (roll <= 2) return binary(cut(), random.pick(['+', '-', '*', '&', '|', '#']), cut());
    if (roll === 3) return binary(number(), random.pick(['/', '%']), String(random.pick([2, 3, 7, -4])));
    if (roll === 4) return call('abs', [cut()]);
    if (roll === 5) return call(random.pick(['length', 'octet_length', 'ascii']), [expression(scope, 'text', depth)]);
    if (roll === 6) return group(['extract(', random.pick(['year', 'month', 'day', 'dow']), ' FROM ', expression(scope, 'date', depth), ')::int']);
    if (roll === 7) return call('strpos', [expression(scope, 'text', depth), expression(scope, 'text', depth)]);
    if (roll === 9) return call('cardinality', [expression(scope, random.pick(['ints', 'texts']), depth)]);
    if (roll === 10) return group(['(', expression(scope, 'ints', depth), `)[${random.between(0, 3)}]`]);
    if (roll === 11) return call('array_position', [expression(scope, 'texts', depth), expression(scope, 'text', depth)]);
    if (roll === 12) return call(random.pick(['lower', 'upper']), [expression(scope, 'range', depth)]);
    if (roll === 13) return group(['(', expression(scope, 'pair', depth), ').a']);
    if (roll === 14) return call('array_length', [expression(scope, random.pick(['ints', 'texts']), depth), '1']);
    return group(['(-', cut(), ')']);
  },
  bigint(scope, depth) {
    const cut = (): Piece => group(['(', expression(scope, 'bigint', depth), ' % 100000)'], ['1::bigint']);
    if (scope.random.chance(0.4)) return group([expression(scope, 'int', depth), '::bigint']);
    return binary(cut(), scope.random.pick(['+', '-', '*']), cut());
  },
  numeric(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 4);
    const number = (): Piece => expression(scope, 'numeric', depth);
    if (roll <= 1) return binary(number(), random.pick(['+', '-']), number());
    if (roll === 2) return call(random.pick(['round', 'trunc']), [number(), String(random.between(0, 3))]);
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
    const roll = random.between(0, has(scope, 'jsonb') ? 12 : 7);
    const text = (): Piece => expression(scope, 'text', depth);
    if (roll <= 1) return binary(text(), '||', text());
    if (roll === 2) return call(random.pick(['upper', 'lower', 'reverse', 'trim', 'md5', 'initcap']), [text()]);
    if (roll === 3) return call('substr', [text(), String(random.between(-1, 3)), String(random.between(0, 4))]);
    if (roll === 4) return call(random.pick(['replace', 'translate']), [text(), `'a'`, text()]);
    if (roll === 5) return call(random.pick(['left', 'right']), [text(), String(random.between(-2, 3))]);
    if (roll === 6) return call('concat', [text(), expression(scope, random.pick(['int', 'numeric', 'bool', 'date']), depth)]);
    if (roll === 8) return binary(expression(scope, 'jsonb', depth), '->>', random.pick([`'a'`, `'b'`, '0', '-1']));
    if (roll === 9) return group([expression(scope, random.pick(['jsonb', 'range', 'mood', 'ints', 'texts', 'pair']), depth), '::text']);
    if (roll === 10) return call('array_to_string', [expression(scope, random.pick(['ints', 'texts']), depth), `'-'`, random.pick([`'n'`, 'NULL'])]);
    if (roll === 11) return group(['(', expression(scope, 'pair', depth), ').b']);
    if (roll === 12 && (scope.rows?.length ?? 0) > 0) return group([scope.random.pick(scope.rows!), '::text']);
    return group([expression(scope, random.pick(['int', 'bigint', 'numeric', 'bool', 'date', 'timestamp']), depth), '::text']);
  },
  bool(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, has(scope, 'ints') ? 22 : 13);
    const type = random.pick(scope.types);
    const value = (): Piece => expression(scope, type, depth);
    if (roll <= 2) return binary(value(), random.pick(['=', '<>', '<', '<=', '>', '>=']), value(), ['true']);
    if (roll === 3) return group(['(', list([predicate(scope, depth), predicate(scope, depth)], random.pick([' AND ', ' OR '])), ')']);
    if (roll === 4) return group(['(NOT ', predicate(scope, depth), ')']);
    if (roll === 5) return group(['(', value(), random.pick([' IS NULL', ' IS NOT NULL']), ')'], ['true']);
    if (roll === 6) return group(['(', value(), random.pick([' IN ', ' NOT IN ']), '(', list([value(), leaf(scope, type), leaf(scope, type)]), '))'], ['true']);
    if (roll === 7)
      return group(
        ['(', value(), random.pick([' BETWEEN ', ' NOT BETWEEN ', ' BETWEEN SYMMETRIC ']), leaf(scope, type), ' AND ', leaf(scope, type), ')'],
        ['true'],
      );
    if (roll === 8) return group(['(', expression(scope, 'text', depth), random.pick(PATTERNS), ')'], ['true']);
    if (roll === 9) return binary(value(), random.pick(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM']), value(), ['true']);
    if ((roll === 10 || roll === 11) && scope.tables.length > 0) return subqueryPredicate(scope, depth);
    if (roll === 12) return rowComparison(scope, depth);
    if (roll === 13 && (scope.rows?.length ?? 0) > 0)
      return group(['(', random.pick(scope.rows!), random.pick([' IS NULL', ' IS NOT NULL', '.* IS NULL']), ')']);
    if (roll === 14) {
      const of = random.pick(['int', 'text'] as const);
      const sign = random.pick(['= ANY', '<> ALL', '< ANY', '>= ALL']);
      // The cast tells an array from a subquery of several rows.
      const array = of === 'int' ? 'ints' : 'texts';
      return group(['(', expression(scope, of, depth), ` ${sign} (`, expression(scope, array, depth), `::${castName(array)}))`], ['true']);
    }
    if (roll === 15) {
      const of = random.pick(['ints', 'texts', 'range'] as const);
      return binary(expression(scope, of, depth), random.pick(['@>', '<@', '&&']), expression(scope, of, depth), ['true']);
    }
    if (roll === 16)
      return binary(expression(scope, 'range', depth), random.pick(['<<', '>>', '-|-', '&<', '&>']), expression(scope, 'range', depth), ['true']);
    if (roll === 17) return binary(expression(scope, 'range', depth), '@>', expression(scope, 'int', depth), ['true']);
    if (roll === 18) return binary(expression(scope, 'jsonb', depth), random.pick(['@>', '<@']), expression(scope, 'jsonb', depth), ['true']);
    if (roll === 19) return binary(expression(scope, 'jsonb', depth), random.pick(['?', '?|', '?&']) === '?' ? '?' : '?|', `'{a,b}'`, ['true']);
    if (roll === 20)
      return call('jsonb_path_exists', [expression(scope, 'jsonb', depth), random.pick([`'$.a ? (@ > 1)'`, `'$[*]'`, `'$.b.a'`, `'$.** ? (@ == 2)'`])]);
    if (roll === 21) return call(random.pick(['isempty', 'lower_inf', 'upper_inf']), [expression(scope, 'range', depth)]);
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
  ints(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 5);
    const array = (): Piece => expression(scope, 'ints', depth);
    if (roll <= 1) return group(['ARRAY[', list([expression(scope, 'int', depth), leaf(scope, 'int')]), ']']);
    if (roll === 2) return binary(array(), '||', random.chance(0.5) ? array() : expression(scope, 'int', depth));
    if (roll === 3) return call(random.pick(['array_remove', 'array_append']), [array(), expression(scope, 'int', depth)]);
    if (roll === 4) return call('array_replace', [array(), leaf(scope, 'int'), leaf(scope, 'int')]);
    return group(['(', array(), `)[${random.pick(['1:2', '2:', ':1', '2:1'])}]`]);
  },
  texts(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 3);
    if (roll === 0) return group(['ARRAY[', list([expression(scope, 'text', depth), leaf(scope, 'text')]), ']']);
    if (roll === 1) return call('string_to_array', [expression(scope, 'text', depth), random.pick([`'a'`, `' '`, 'NULL', `''`])]);
    if (roll === 2) return call('array_prepend', [expression(scope, 'text', depth), expression(scope, 'texts', depth)]);
    return binary(expression(scope, 'texts', depth), '||', expression(scope, 'texts', depth));
  },
  jsonb(scope, depth) {
    const { random } = scope;
    const roll = random.between(0, 6);
    const json = (): Piece => expression(scope, 'jsonb', depth);
    if (roll <= 1) return binary(json(), '->', random.pick([`'a'`, `'b'`, '0', '1', '-1']));
    if (roll === 2) return binary(json(), '#>', random.pick([`'{a}'`, `'{b,a}'`, `'{0,a}'`]));
    if (roll === 3)
      return call('jsonb_build_object', [`'a'`, expression(scope, random.pick(['int', 'text', 'bool', 'ints', 'jsonb']), depth), `'c'`, leaf(scope, 'text')]);
    if (roll === 4) return call('jsonb_build_array', [expression(scope, random.pick(['int', 'text', 'bool']), depth), leaf(scope, 'jsonb')]);
    if (roll === 5)
      return call('to_jsonb', [expression(scope, random.pick(['int', 'text', 'ints', 'texts', 'pair', 'mood', 'range', 'date', 'timestamp']), depth)]);
    return random.chance(0.5) ? call('jsonb_strip_nulls', [json()]) : binary(json(), '||', json());
  },
  range(scope, depth) {
    const { random } = scope;
    const range = (): Piece => expression(scope, 'range', depth);
    if (random.chance(0.5)) {
      const [a, b] = [small(scope, depth - 1), small(scope, depth - 1)];
      return group(['int4range(least(', a, ', ', b, '), greatest(', a, ', ', b, `), '${random.pick(['[)', '[]', '()', '(]'])}')`], [range()]);
    }
    return random.chance(0.5) ? binary(range(), '*', range()) : call('range_merge', [range(), range()]);
  },
  mood(scope, depth) {
    const { random } = scope;
    if (random.chance(0.5)) return group(['(enum_range(NULL::mood))[', expression(scope, 'int', depth), ' % 4]']);
    return call(random.pick(['coalesce', 'greatest']), [expression(scope, 'mood', depth), expression(scope, 'mood', depth)]);
  },
  pair(scope, depth) {
    return group(['ROW(', expression(scope, 'int', depth), ', ', expression(scope, 'text', depth), ')::pair']);
  },
};

const PATTERNS = [
  ` LIKE 'a%'`,
  ` NOT LIKE '%b%'`,
  ` LIKE '_'`,
  ` ILIKE 'A%'`,
  ` LIKE 'x\\%y'`,
  ` ~ '^[ab]+$'`,
  ` !~ 'b.*a'`,
  ` ~* 'Z{2}'`,
  ` SIMILAR TO '(a|b)%'`,
  ` LIKE ANY (ARRAY['a%', NULL])`,
];

function rowComparison(scope: Scope, depth: number): Piece {
  const { random } = scope;
  const types = [random.pick(scope.types), random.pick(scope.types)];
  const row = (): Piece => group(['(', expression(scope, types[0], depth), ', ', leaf(scope, types[1]), ')']);
  if (random.chance(0.2)) return group(['(', row(), random.pick([' IN ', ' NOT IN ']), '(', row(), ', ', row(), '))'], ['true']);
  return binary(row(), random.pick(['=', '<>', '<', '<=', '>', 'IS DISTINCT FROM']), row(), ['true']);
}
