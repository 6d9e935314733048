/** `date_bin`: rounds down to a grid of equal strides from an origin. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import { isInfinite, isTimestampRange, MICROS_PER_DAY } from '../../types/time/calendar.ts';
import { intervalOutOfRange, isInfiniteInterval } from '../../types/time/interval-value.ts';
import { timestampOutOfRange } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, fitsInt64, multiplyWhole, subtractWhole } from '../../types/time/whole-arithmetic.ts';
import { whole, type Whole } from '../../types/value.ts';
import type { FunctionModule } from '../define.ts';

function bin(stride: Interval, timestamp: Whole, origin: Whole): Whole {
  if (isInfinite(timestamp)) return timestamp;
  if (isInfinite(origin)) throw new SvcError('22008', 'origin out of range');
  if (isInfiniteInterval(stride)) throw new SvcError('22008', 'timestamps cannot be binned into infinite intervals');
  if (stride.months !== 0) throw new SvcError('0A000', 'timestamps cannot be binned into intervals containing months or years');
  const step = addWhole(multiplyWhole(stride.days, MICROS_PER_DAY), stride.micros);
  if (!fitsInt64(step)) throw intervalOutOfRange();
  if (step <= 0) throw new SvcError('22008', 'stride must be greater than zero');
  const distance = subtractWhole(timestamp, origin);
  if (!fitsInt64(distance)) throw intervalOutOfRange();
  const remainder: Whole = typeof distance === 'number' && typeof step === 'number' ? (distance % step) + 0 : whole(BigInt(distance) % BigInt(step));
  const start = subtractWhole(timestamp, remainder);
  const result = remainder < 0 ? subtractWhole(start, step) : start;
  if (!isTimestampRange(result)) throw timestampOutOfRange();
  return result;
}

const doc = 'Start of the stride that holds the timestamp, counted from the origin.';

export const binning: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'date_bin', args: ['interval', 'timestamp', 'timestamp'], returns: 'timestamp', doc, impl: bin },
    { kind: 'scalar', name: 'date_bin', args: ['interval', 'timestamptz', 'timestamptz'], returns: 'timestamptz', doc, impl: bin },
  ],
};
