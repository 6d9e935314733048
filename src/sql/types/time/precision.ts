/** Rounding to a typmod's 0 to 6 digits of seconds. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { whole, type Whole } from '../value.ts';

const SCALES = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];
/** Below it adding half a second stays within the safe range. */
const SAFE = Number.MAX_SAFE_INTEGER - 1_000_000;

export function checkPrecision(precision: number, type: string): void {
  if (precision < 0 || precision > 6) throw new SvcError('22023', `${type}(${precision}) precision must be between 0 and 6`);
}

/** Rounds microseconds, halves away from zero. */
export function roundMicros(micros: Whole, precision: number): Whole {
  const scale = SCALES[precision]!;
  if (scale === 1) return micros;
  if (typeof micros === 'number' && micros <= SAFE && micros >= -SAFE) {
    if (micros >= 0) {
      const raised = micros + scale / 2;
      return raised - (raised % scale);
    }
    const raised = scale / 2 - micros;
    return 0 - (raised - (raised % scale));
  }
  const wide = BigInt(micros);
  const step = BigInt(scale);
  return whole(wide >= 0n ? ((wide + step / 2n) / step) * step : -((-wide + step / 2n) / step) * step);
}
