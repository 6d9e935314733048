/** `age`: a difference in years, months and days of the calendar. */
import { timestampOfDate, ageBetween, utcToLocalUnchecked } from '../../types/time/timestamp-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { currentDate } from './now.ts';

function local(call: Call, timestamp: Whole): Whole {
  return utcToLocalUnchecked(timestamp, sessionZone(call.env.timeZone));
}

export const ageFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'age',
      args: ['timestamp', 'timestamp'],
      returns: 'interval',
      doc: 'First minus second, in years, months and days.',
      impl: ageBetween,
    },
    {
      kind: 'scalar',
      name: 'age',
      args: ['timestamptz', 'timestamptz'],
      returns: 'interval',
      needsCall: true,
      doc: 'First minus second, in years, months and days.',
      impl: (call: Call, a: Whole, b: Whole) => ageBetween(local(call, a), local(call, b)),
    },
    {
      kind: 'scalar',
      name: 'age',
      args: ['timestamp'],
      returns: 'interval',
      volatility: 'stable',
      needsCall: true,
      doc: 'Midnight of today minus the argument.',
      impl: (call: Call, timestamp: Whole) => ageBetween(timestampOfDate(currentDate(call.env)), timestamp),
    },
    {
      kind: 'scalar',
      name: 'age',
      args: ['timestamptz'],
      returns: 'interval',
      volatility: 'stable',
      needsCall: true,
      doc: 'Midnight of today minus the argument.',
      impl: (call: Call, timestamp: Whole) => ageBetween(timestampOfDate(currentDate(call.env)), local(call, timestamp)),
    },
  ],
};
