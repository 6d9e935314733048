/** Random window calls, with a frame of each mode, bound and exclusion. */
import { group, optional, type Piece } from './piece.ts';
import { expression, leaf, type Scope } from './random-expression.ts';
import { castName, type SqlType } from './random-type.ts';

/**
 * Calls that look at single rows are ordered by all columns in scope: rows that tie are then the same row for them.
 * Aggregates whose result has no order among peers take any order.
 */
export function windowCall(scope: Scope, type: SqlType): Piece {
  const { random } = scope;
  const plain = { ...scope, tables: [] };
  const partition = random.chance(0.6) ? optional([`PARTITION BY ${random.pick(scope.columns).sql} `]) : '';
  const directions = ['', '', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST'];
  const total = `ORDER BY ${random.chance(0.3) ? `${random.pick(scope.columns).sql}${random.pick(directions)}, ` : ''}${scope.columns.map(({ sql }) => sql).join(', ')}`;
  const some = random.pick(scope.columns);
  const partial = `ORDER BY ${some.sql}${random.pick(directions)}`;
  const over = (call: Piece, order: string, frame: Piece = ''): Piece => group([call, ' OVER (', partition, order, frame, ')'], [`NULL::${castName(type)}`]);
  const filter = random.chance(0.15) ? optional([' FILTER (WHERE ', expression(plain, 'bool', 2), ')']) : '';
  if (type === 'float') {
    if (random.chance(0.4)) return over(random.pick(['percent_rank()', 'cume_dist()']), partial);
  }
  if (type === 'bigint') {
    const roll = random.between(0, 5);
    if (roll === 0) return over('row_number()', total);
    if (roll === 1) return over(random.pick(['rank()', 'dense_rank()']), partial);
    const call = group(
      [roll === 2 ? 'count(*)' : roll === 3 ? 'count(' : 'sum(', roll === 2 ? '' : expression(plain, 'int', 2), roll === 2 ? '' : ')', filter],
      ['count(*)'],
    );
    return random.chance(0.5) ? over(call, partial, peerFrame(scope, some.type)) : over(call, total, rowFrame(scope));
  }
  if (type === 'int' && random.chance(0.2)) return over(`ntile(${random.between(1, 4)})`, total);
  if (type === 'numeric' && random.chance(0.4)) {
    const call = group([random.pick(['sum(', 'avg(']), expression(plain, random.pick(['numeric', 'bigint']), 2), ')', filter]);
    return random.chance(0.5) ? over(call, partial, peerFrame(scope, some.type)) : over(call, total, rowFrame(scope));
  }
  if (type === 'bool' && random.chance(0.5))
    return over(group([random.pick(['bool_and(', 'bool_or(']), expression(plain, 'bool', 2), ')', filter]), partial, peerFrame(scope, some.type));
  if (type === 'ints' && random.chance(0.4)) return over(group(['array_agg(', expression(plain, 'int', 1), ')', filter]), total, rowFrame(scope));
  const name = random.pick(['min', 'max', 'first_value', 'last_value', 'nth_value', 'lag', 'lead']);
  const moves = name === 'lag' || name === 'lead';
  const extreme = name === 'min' || name === 'max';
  if (extreme && (type === 'bool' || type === 'jsonb' || type === 'range' || type === 'pair'))
    return over(group(['first_value(', expression(plain, type, 2), ')']), total);
  const more: Piece =
    name === 'nth_value'
      ? `, ${random.between(1, 3)}`
      : moves && random.chance(0.5)
        ? group([`, ${random.between(0, 2)}`, optional([', ', leaf(plain, type)])], [''])
        : '';
  return over(group([`${name}(`, expression(plain, type, 2), more, ')']), total, moves ? '' : rowFrame(scope));
}

const EXCLUSIONS = ['', '', ' EXCLUDE CURRENT ROW', ' EXCLUDE GROUP', ' EXCLUDE TIES', ' EXCLUDE NO OTHERS'];

function bounds(scope: Scope, low: string, high: string): string {
  const { random } = scope;
  const starts = ['UNBOUNDED PRECEDING', `${high} PRECEDING`, `${low} PRECEDING`, 'CURRENT ROW', `${low} FOLLOWING`];
  const from = random.between(0, starts.length - 1);
  const ends = ['UNBOUNDED FOLLOWING', `${high} FOLLOWING`, `${low} FOLLOWING`, 'CURRENT ROW', `${low} PRECEDING`];
  // A frame that starts at the row does not end before it, one that starts after it ends after it.
  const to = random.between(0, from <= 2 ? 4 : from === 3 ? 3 : 2);
  return `BETWEEN ${starts[from]} AND ${ends[to]}`;
}

function rowFrame(scope: Scope): Piece {
  const { random } = scope;
  if (random.chance(0.3)) return '';
  return optional([` ${random.pick(['ROWS', 'ROWS', 'GROUPS'])} ${bounds(scope, random.pick(['0', '1']), '2')}${random.pick(EXCLUSIONS)}`]);
}

/** Frames that take peers together, so that the order among them does not show. */
function peerFrame(scope: Scope, type: SqlType): Piece {
  const { random } = scope;
  const exclusion = random.pick(['', '', ' EXCLUDE GROUP']);
  const roll = random.next();
  if (roll < 0.25) return '';
  if (roll < 0.6) return optional([` GROUPS ${bounds(scope, '1', '2')}${exclusion}`]);
  const offsets: Partial<Record<SqlType, [string, string]>> = {
    int: ['1', '4'],
    bigint: ['2', '50'],
    numeric: ['0.5', '10'],
    float: ['0.25', '3'],
    date: [`interval '1 day'`, `interval '1 month'`],
    timestamp: [`interval '2 hours'`, `interval '40 days'`],
  };
  const offset = offsets[type];
  if (offset === undefined)
    return optional([
      ` RANGE BETWEEN ${random.pick(['UNBOUNDED PRECEDING', 'CURRENT ROW'])} AND ${random.pick(['UNBOUNDED FOLLOWING', 'CURRENT ROW'])}${exclusion}`,
    ]);
  return optional([` RANGE ${bounds(scope, ...offset)}${exclusion}`]);
}
