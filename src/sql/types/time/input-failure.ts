/**
 * Reasons for invalid dates and times. Parsers throw these constants (no stack, no allocation); the types convert them to errors
 * that show the whole input.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';

type Kind = 'format' | 'field' | 'month-day' | 'interval' | 'displacement' | 'zone';

export class InputFailure {
  readonly kind: Kind;
  readonly zone: string;

  constructor(kind: Kind, zone = '') {
    this.kind = kind;
    this.zone = zone;
  }
}

export const BAD_FORMAT = new InputFailure('format');
export const FIELD_OVERFLOW = new InputFailure('field');
/** Like FIELD_OVERFLOW, if another order of day and month might have worked. */
export const MONTH_DAY_OVERFLOW = new InputFailure('month-day');
export const INTERVAL_OVERFLOW = new InputFailure('interval');
export const DISPLACEMENT_OVERFLOW = new InputFailure('displacement');

/** The error for a failure, anything else unchanged. `type` is the type's title without its zone clause's default. */
export function inputError(failure: unknown, text: string, type: string): unknown {
  if (!(failure instanceof InputFailure)) return failure;
  switch (failure.kind) {
    case 'field':
      return new SvcError('22008', `date/time field value out of range: "${text}"`);
    case 'month-day':
      return new SvcError('22008', `date/time field value out of range: "${text}"`, { hint: 'Perhaps you need a different "datestyle" setting.' });
    case 'interval':
      return new SvcError('22015', `interval field value out of range: "${text}"`);
    case 'displacement':
      return new SvcError('22009', `time zone displacement out of range: "${text}"`);
    case 'zone':
      return new SvcError('22023', `time zone "${failure.zone}" not recognized`);
    case 'format':
      return new SvcError('22007', `invalid input syntax for type ${type}: "${text}"`);
  }
}
