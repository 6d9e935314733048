/**
 * A comparison of a date with a known timestamp, as in `d < date '1995-01-01' + interval '1 month'`, becomes a comparison of dates:
 * that can be looked up, estimated and evaluated without a call.
 */
import { timeComparisons } from '../../functions/time/comparisons.ts';
import type { SqlOperator } from '../../functions/define.ts';
import type { Bound, Call } from '../bound.ts';

const DAY_MICROS = 86_400_000_000;
/** Timestamps as numbers, without the infinities. */
const MICROS_MAX = Number.MAX_SAFE_INTEGER;

const OF_DATES = new Map<string, SqlOperator>();
for (const operator of timeComparisons.operators!) if (operator.left === 'date' && operator.right === 'date') OF_DATES.set(operator.name, operator);

const TURNED: Record<string, string> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The comparison with a date, or the expression as it is. */
export function dateBound(e: Call): Bound {
  if (e.args.length !== 2 || TURNED[e.fn.name] === undefined || !/^(date_.._timestamp|timestamp_.._date)$/.test(e.proc)) return e;
  const turned = e.proc.startsWith('timestamp');
  const [date, moment] = turned ? [e.args[1], e.args[0]] : e.args;
  if (moment.kind !== 'constant' || typeof moment.value !== 'number' || Math.abs(moment.value) > MICROS_MAX) return e;
  const day = Math.floor(moment.value / DAY_MICROS);
  const exact = day * DAY_MICROS === moment.value;
  let name = turned ? TURNED[e.fn.name] : e.fn.name;
  // Within a day: the day itself is before the moment.
  if (!exact) {
    if (name === '=') return e;
    name = name[0] === '<' ? '<=' : '>';
  }
  const fn = OF_DATES.get(name)!;
  return { ...e, fn, proc: fn.proc, args: [date, { kind: 'constant', value: day, type: date.type, typmod: -1 }] };
}
