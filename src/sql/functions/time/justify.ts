/** Normal forms of intervals, and `isfinite`. */
import { isInfinite } from '../../types/time/calendar.ts';
import { isFiniteInterval, justifyDays, justifyHours, justifyInterval } from '../../types/time/interval-arithmetic.ts';
import type { Whole } from '../../types/value.ts';
import type { FunctionModule } from '../define.ts';

const isFiniteValue = (value: Whole): boolean => !isInfinite(value);
const doc = 'False for infinity and -infinity.';

export const justification: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'justify_hours', args: ['interval'], returns: 'interval', doc: 'Turns 24 hours into a day.', impl: justifyHours },
    { kind: 'scalar', name: 'justify_days', args: ['interval'], returns: 'interval', doc: 'Turns 30 days into a month.', impl: justifyDays },
    {
      kind: 'scalar',
      name: 'justify_interval',
      args: ['interval'],
      returns: 'interval',
      doc: 'Turns 24 hours into a day and 30 days into a month.',
      impl: justifyInterval,
    },
    { kind: 'scalar', name: 'isfinite', args: ['date'], returns: 'bool', doc, impl: isFiniteValue },
    { kind: 'scalar', name: 'isfinite', args: ['timestamp'], returns: 'bool', doc, impl: isFiniteValue },
    { kind: 'scalar', name: 'isfinite', args: ['timestamptz'], returns: 'bool', doc, impl: isFiniteValue },
    { kind: 'scalar', name: 'isfinite', args: ['interval'], returns: 'bool', doc, impl: isFiniteInterval },
  ],
};
