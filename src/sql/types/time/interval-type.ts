/** `interval`: months, days and microseconds are separate; two are equal if their lengths in months of 30 days and days of 24 hours are. */
import type { Interval } from '../interval.ts';
import { makeType } from '../make-type.ts';
import type { SqlType } from '../type.ts';
import { parseInterval } from './interval-input.ts';
import { formatInterval } from './interval-output.ts';
import { coerceInterval, formatIntervalTypmod } from './interval-typmod.ts';
import { compareIntervals, linearMicros } from './interval-value.ts';

export const intervalType: SqlType = makeType({
  oid: 1186,
  name: 'interval',
  title: 'interval',
  category: 'T',
  preferred: true,
  length: 16,
  repr: 'object',
  arrayOid: 1187,
  parse: parseInterval,
  format: (value, env) => formatInterval(value as Interval, env.intervalStyle),
  compare: (a, b) => compareIntervals(a as Interval, b as Interval),
  hashKey: (value) => linearMicros(value as Interval),
  json: (value) => formatInterval(value as Interval, 'iso_8601'),
  coerce: coerceInterval,
  formatTypmod: formatIntervalTypmod,
});
