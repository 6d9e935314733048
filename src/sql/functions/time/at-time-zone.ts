/** `AT TIME ZONE` and `AT LOCAL`: proc `timezone`. A zone is an abbreviation, a name, a POSIX string or an interval. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import { isInfinite, isTimestampRange, MICROS_PER_DAY, MICROS_PER_SECOND, secondsOfTimestamp } from '../../types/time/calendar.ts';
import { formatInterval } from '../../types/time/interval-output.ts';
import { isInfiniteInterval } from '../../types/time/interval-value.ts';
import { localToUtc, timestampOutOfRange, utcToLocal } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, divideWhole, subtractWhole } from '../../types/time/whole-arithmetic.ts';
import type { Abbreviations } from '../../types/time/zone-abbreviations.ts';
import { findAbbreviation, findZone, fixedZone, sessionZone, type AbbreviationMeaning, type Zone } from '../../types/time/zones.ts';
import { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

type Dynamic = Extract<AbbreviationMeaning, { kind: 'dynamic' }>;

let lastName = '';
let lastSession: Zone | null = null;
let lastAbbreviations: Abbreviations | null = null;
let lastMeaning: Zone | Dynamic | null = null;

/** Any zone, including fixed abbreviations; abbreviations of changing meaning are returned as such. */
export function zoneByName(call: Call, name: string): Zone | Dynamic {
  const { timeZone, abbreviations } = call.env;
  const session = sessionZone(timeZone);
  if (name === lastName && session === lastSession && abbreviations === lastAbbreviations && lastMeaning !== null) return lastMeaning;
  const abbreviation = findAbbreviation(name.toLowerCase(), session, abbreviations);
  let meaning: Zone | Dynamic | null;
  if (abbreviation === null) meaning = findZone(name);
  else meaning = abbreviation.kind === 'dynamic' ? abbreviation : fixedZone(abbreviation.offset, name.toUpperCase());
  if (meaning === null) throw new SvcError('22023', `time zone "${name}" not recognized`);
  lastName = name;
  lastSession = session;
  lastAbbreviations = abbreviations;
  lastMeaning = meaning;
  return meaning;
}

function isDynamic(meaning: Zone | Dynamic): meaning is Dynamic {
  return 'kind' in meaning;
}

/** The zone of an abbreviation of changing meaning at one instant. */
function zoneAt(meaning: Zone | Dynamic, timestamp: Whole): Zone {
  if (!isDynamic(meaning)) return meaning;
  const seconds = secondsOfTimestamp(timestamp);
  return fixedZone(meaning.zone.offsetOfAbbreviation(meaning.abbreviation, seconds + meaning.zone.offsetAt(seconds)), meaning.abbreviation);
}

function zoneAtLocal(meaning: Zone | Dynamic, local: Whole): Zone {
  if (!isDynamic(meaning)) return meaning;
  return fixedZone(meaning.zone.offsetOfAbbreviation(meaning.abbreviation, secondsOfTimestamp(local)), meaning.abbreviation);
}

/** The zone of `date_trunc` and `generate_series`; an abbreviation of changing meaning means its zone there. */
export function truncateZone(call: Call, name: string): Zone {
  const meaning = zoneByName(call, name);
  return isDynamic(meaning) ? meaning.zone : meaning;
}

export function localToUtcIn(call: Call, name: string, local: Whole): Whole {
  if (isInfinite(local)) return local;
  return localToUtc(local, zoneAtLocal(zoneByName(call, name), local));
}

function offsetOfInterval(call: Call, span: Interval): number {
  if (isInfiniteInterval(span)) throw new SvcError('22023', `interval time zone "${formatInterval(span, call.env.intervalStyle)}" must be finite`);
  if (span.months !== 0 || span.days !== 0) {
    throw new SvcError('22023', `interval time zone "${formatInterval(span, call.env.intervalStyle)}" must not include months or days`);
  }
  // Postgres truncates it to 32 bits.
  return Number(divideWhole(span.micros, MICROS_PER_SECOND)) | 0;
}

function checked(timestamp: Whole): Whole {
  if (!isTimestampRange(timestamp)) throw timestampOutOfRange();
  return timestamp;
}

/** The same instant of day under another offset. */
function moveTimeTz(time: TimeTz, offset: number): TimeTz {
  const moved = (time.micros + (offset - time.offset) * MICROS_PER_SECOND) % MICROS_PER_DAY;
  return new TimeTz(moved < 0 ? moved + MICROS_PER_DAY : moved + 0, offset);
}

function timeTzIn(call: Call, name: string, time: TimeTz): TimeTz {
  const now = call.env.transactionStart;
  return moveTimeTz(time, zoneAt(zoneByName(call, name), now).offsetAt(secondsOfTimestamp(now)));
}

function atTimeZone(args: string[], returns: string, volatility: 'immutable' | 'stable', impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name: 'timezone', args, returns, volatility, needsCall: true, doc: 'AT TIME ZONE: from local time to an instant and back.', impl };
}

export const atTimeZoneFunctions: FunctionModule = {
  functions: [
    atTimeZone(['text', 'timestamp'], 'timestamptz', 'immutable', localToUtcIn),
    atTimeZone(['text', 'timestamptz'], 'timestamp', 'immutable', (call: Call, name: string, timestamp: Whole) =>
      isInfinite(timestamp) ? timestamp : utcToLocal(timestamp, zoneAt(zoneByName(call, name), timestamp)),
    ),
    atTimeZone(['text', 'timetz'], 'timetz', 'stable', timeTzIn),
    atTimeZone(['interval', 'timestamp'], 'timestamptz', 'immutable', (call: Call, span: Interval, local: Whole) =>
      isInfinite(local) ? local : checked(subtractWhole(local, offsetOfInterval(call, span) * MICROS_PER_SECOND)),
    ),
    atTimeZone(['interval', 'timestamptz'], 'timestamp', 'immutable', (call: Call, span: Interval, timestamp: Whole) =>
      isInfinite(timestamp) ? timestamp : checked(addWhole(timestamp, offsetOfInterval(call, span) * MICROS_PER_SECOND)),
    ),
    atTimeZone(['interval', 'timetz'], 'timetz', 'immutable', (call: Call, span: Interval, time: TimeTz) => moveTimeTz(time, offsetOfInterval(call, span))),
    atTimeZone(['timestamp'], 'timestamptz', 'stable', (call: Call, local: Whole) => localToUtc(local, sessionZone(call.env.timeZone))),
    atTimeZone(['timestamptz'], 'timestamp', 'stable', (call: Call, timestamp: Whole) => utcToLocal(timestamp, sessionZone(call.env.timeZone))),
    atTimeZone(['timetz'], 'timetz', 'stable', (call: Call, time: TimeTz) =>
      moveTimeTz(time, sessionZone(call.env.timeZone).offsetAt(secondsOfTimestamp(call.env.transactionStart))),
    ),
  ],
};
