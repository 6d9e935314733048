/** Random grouped queries: keys, grouping sets, aggregates of every kind, HAVING, and windows over groups. */
import { group, list, optional, type Piece, render } from './piece.ts';
import { expression, predicate, type Scope, type ScopeColumn } from './random-expression.ts';
import { castName, PLAIN_TYPES, type SqlType } from './random-type.ts';

export function grouped(scope: Scope, types: readonly SqlType[], from: Piece, where: Piece): Piece {
  const { random } = scope;
  const wide = scope.types.length > PLAIN_TYPES.length;
  const keys: ScopeColumn[] = random.chance(0.75) ? random.some(scope.columns).slice(0, wide ? 3 : 2) : [];
  if (wide && keys.length > 0 && random.chance(0.25)) keys[0] = keyExpression(scope);
  const ofKeys: Scope = { ...scope, columns: keys, rows: [], tables: [] };
  const by = groupBy(scope, keys, wide);
  const item = (type: SqlType): Piece => {
    if (by.sets && type === 'int' && random.chance(0.4))
      return `grouping(${random
        .some(keys)
        .map(({ sql }) => sql)
        .join(', ')})`;
    if (keys.some((key) => key.type === type) && random.chance(0.6)) return expression(ofKeys, type, 1);
    const made = aggregate(scope, type);
    if (!wide || type !== 'bigint' || !random.chance(0.25)) return made;
    return group([`${random.pick(['rank()', 'count(*)', 'min(count(*))'])} OVER (ORDER BY `, aggregate(scope, 'bigint'), ')'], [made]);
  };
  const items = types.map((type, at) => group([item(type), ` AS c${at}`]));
  const having = random.chance(0.25) ? optional([' HAVING ', aggregate(scope, 'bool')]) : '';
  return group(['SELECT ', list(items, ', ', items.length), ' FROM ', from, where, by.piece, having]);
}

/** An expression over a column: a constant would be a position, or no key at all. */
function keyExpression(scope: Scope): ScopeColumn {
  const column = scope.random.pick(scope.columns);
  for (let tries = 0; tries < 5; tries++) {
    const sql = render(expression({ ...scope, columns: [column], rows: [], tables: [] }, column.type, 2));
    if (sql.includes(column.sql) && sql !== column.sql) return { sql, type: column.type };
  }
  return column;
}

function groupBy(scope: Scope, keys: readonly ScopeColumn[], wide: boolean): { piece: Piece; sets: boolean } {
  const { random } = scope;
  if (keys.length === 0) return { piece: '', sets: false };
  const names = keys.map(({ sql }) => sql).join(', ');
  const plain = group([' GROUP BY ', list(keys.map(({ sql }) => sql))]);
  const sets = (text: string): { piece: Piece; sets: boolean } => ({ piece: group([` GROUP BY ${text}`], [plain]), sets: true });
  switch (random.between(0, wide ? 8 : 5)) {
    case 3:
      return sets(`ROLLUP (${names})`);
    case 4:
      return sets(`CUBE (${names})`);
    case 5:
    case 6: {
      const lists = Array.from(
        { length: random.between(1, 3) },
        () =>
          `(${
            random.chance(0.25)
              ? ''
              : random
                  .some(keys)
                  .map(({ sql }) => sql)
                  .join(', ')
          })`,
      );
      // Each key stands somewhere, so that it may stand in the select list.
      return sets(`GROUPING SETS (${[...lists, `(${names})`].join(', ')})`);
    }
    case 7:
      return sets(`${random.pick(['', 'DISTINCT '])}${keys.map(({ sql }) => `${random.pick(['', 'ROLLUP ', 'CUBE '])}(${sql})`).join(', ')}`);
    case 8:
      return sets(`DISTINCT ROLLUP (${names}), CUBE (${random.pick(keys).sql})`);
    default:
      return { piece: plain, sets: false };
  }
}

/** Sums of floats depend on the order of rows, so floats are only counted and compared. */
export function aggregate(scope: Scope, type: SqlType): Piece {
  const { random } = scope;
  const plain: Scope = { ...scope, tables: [] };
  const of = (argument: SqlType): Piece => expression(plain, argument, 2);
  const filter = random.chance(0.15) ? optional([' FILTER (WHERE ', predicate(plain, 2), ')']) : '';
  const distinct = random.chance(0.15) ? 'DISTINCT ' : '';
  const nothing = `NULL::${castName(type)}`;
  if (type === 'bool') {
    return random.chance(0.5)
      ? group(['(', aggregate(scope, 'bigint'), random.pick([' > ', ' = ', ' <= ']), String(random.between(0, 4)), ')'])
      : group([random.pick(['bool_and(', 'bool_or(', 'every(']), of('bool'), ')', filter]);
  }
  if (type === 'bigint') {
    const roll = random.next();
    if (roll < 0.5) return group([`count(${distinct}`, of(random.pick(scope.types)), ')', filter], ['count(*)']);
    if (roll < 0.6 && (scope.rows?.length ?? 0) > 0) return group([`count(${distinct}${random.pick(scope.rows!)}.*)`, filter], ['count(*)']);
    if (roll < 0.7)
      return group([`${random.pick(['rank', 'dense_rank'])}(${random.between(0, 5)}) WITHIN GROUP (ORDER BY `, of('int'), ')', filter], ['count(*)']);
    return group([`sum(${distinct}`, of('int'), ')', filter], ['count(*)']);
  }
  if (type === 'numeric') {
    if (random.chance(0.15)) return group([`${random.pick(['var_pop', 'stddev_samp', 'variance'])}(`, of('int'), ')', filter]);
    return group([random.pick(['sum(', 'avg(']), distinct, of(random.pick(['numeric', 'bigint'])), ')', filter]);
  }
  if (type === 'text' && random.chance(0.3)) return ordered(distinct, of('text'), (value) => `string_agg(${value}, ','`, filter, nothing);
  if (type === 'float' && random.chance(0.3)) return group(['percentile_cont(0.5) WITHIN GROUP (ORDER BY ', of('float'), ')', filter], [nothing]);
  if (type === 'ints' && random.chance(0.5)) return ordered(distinct, of('int'), (value) => `array_agg(${value}`, filter, nothing);
  if (type === 'texts' && random.chance(0.5)) return ordered(distinct, of('text'), (value) => `array_agg(${value}`, filter, nothing);
  if (type === 'jsonb' && random.chance(0.5))
    return ordered(distinct, of(random.pick(['int', 'text', 'jsonb', 'bool'])), (value) => `jsonb_agg(${value}`, filter, nothing);
  if (type === 'int' && random.chance(0.15)) return group([random.pick(['bit_and(', 'bit_or(', 'bit_xor(']), of('int'), ')', filter]);
  if (random.chance(0.2)) {
    const name = random.pick(['mode()', 'percentile_disc(0.5)', 'percentile_disc(0.9)']);
    // A bare literal would leave the type open.
    return group(
      [`${name} WITHIN GROUP (ORDER BY `, type === 'text' ? group([of(type), '::text']) : of(type), random.pick(['', ' DESC']), ')', filter],
      [nothing],
    );
  }
  if (type === 'jsonb' || type === 'range' || type === 'pair')
    return group(['(', ordered('', of(type), (value) => `array_agg(${value}`, filter, nothing), ')[1]'], [nothing]);
  return group([random.pick(['min(', 'max(']), of(type), ')', filter]);
}

/** Ordered by its own value, the result does not depend on the order of rows. */
function ordered(distinct: string, value: Piece, call: (value: string) => string, filter: Piece, nothing: string): Piece {
  const text = render(value);
  return group([call(`${distinct}${text}`), ` ORDER BY ${text})`, filter], [nothing]);
}
