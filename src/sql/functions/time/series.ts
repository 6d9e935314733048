/** `generate_series` over timestamps, and `date_add` and `date_subtract`, which step in a given zone. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import { intervalSign, isInfiniteInterval } from '../../types/time/interval-value.ts';
import { addInterval, subtractInterval } from '../../types/time/timestamp-arithmetic.ts';
import { sessionZone, type Zone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { truncateZone } from './at-time-zone.ts';

function* series(start: Whole, stop: Whole, step: Interval, zone: Zone | null): Generator<Whole> {
  const sign = intervalSign(step);
  if (sign === 0) throw new SvcError('22023', 'step size cannot equal zero');
  if (isInfiniteInterval(step)) throw new SvcError('22023', 'step size cannot be infinite');
  for (let at = start; sign > 0 ? at <= stop : at >= stop; at = addInterval(at, step, zone)) yield at;
}

export const timeSeries: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'generate_series',
      args: ['timestamp', 'timestamp', 'interval'],
      returns: 'timestamp',
      doc: 'Timestamps from the first to the second, an interval apart.',
      impl: (start: Whole, stop: Whole, step: Interval) => series(start, stop, step, null),
    },
    {
      kind: 'set',
      name: 'generate_series',
      args: ['timestamptz', 'timestamptz', 'interval'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'Instants from the first to the second, an interval apart.',
      impl: (call: Call, start: Whole, stop: Whole, step: Interval) => series(start, stop, step, sessionZone(call.env.timeZone)),
    },
    {
      kind: 'set',
      name: 'generate_series',
      args: ['timestamptz', 'timestamptz', 'interval', 'text'],
      returns: 'timestamptz',
      needsCall: true,
      doc: 'Instants from the first to the second, an interval apart in the given zone.',
      impl: (call: Call, start: Whole, stop: Whole, step: Interval, zone: string) => series(start, stop, step, truncateZone(call, zone)),
    },
    {
      kind: 'scalar',
      name: 'date_add',
      args: ['timestamptz', 'interval'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'Adds an interval in the zone of the session.',
      impl: (call: Call, timestamp: Whole, span: Interval) => addInterval(timestamp, span, sessionZone(call.env.timeZone)),
    },
    {
      kind: 'scalar',
      name: 'date_add',
      args: ['timestamptz', 'interval', 'text'],
      returns: 'timestamptz',
      needsCall: true,
      doc: 'Adds an interval in the given zone.',
      impl: (call: Call, timestamp: Whole, span: Interval, zone: string) => addInterval(timestamp, span, truncateZone(call, zone)),
    },
    {
      kind: 'scalar',
      name: 'date_subtract',
      args: ['timestamptz', 'interval'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'Subtracts an interval in the zone of the session.',
      impl: (call: Call, timestamp: Whole, span: Interval) => subtractInterval(timestamp, span, sessionZone(call.env.timeZone)),
    },
    {
      kind: 'scalar',
      name: 'date_subtract',
      args: ['timestamptz', 'interval', 'text'],
      returns: 'timestamptz',
      needsCall: true,
      doc: 'Subtracts an interval in the given zone.',
      impl: (call: Call, timestamp: Whole, span: Interval, zone: string) => subtractInterval(timestamp, span, truncateZone(call, zone)),
    },
  ],
};
