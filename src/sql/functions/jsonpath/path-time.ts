/** Dates and times as items of JSON paths: results of `.datetime()`, their comparison, and their ISO 8601 text. Manual, section 9.16.2. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../../types/environment.ts';
import { civilFromDays, dayOfTimestamp, daysFromCivil, isJulianRange, timeOfTimestamp, timestampOf } from '../../types/time/calendar.ts';
import { localToUtc, timestampOfDate } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import { resolveFields } from '../time/from-char.ts';
import { templateOf } from '../time/template.ts';
import { readByTemplate } from '../time/template-reader.ts';

export type PathTimeType = 'date' | 'time' | 'timetz' | 'timestamp' | 'timestamptz';

const TITLES: Record<PathTimeType, string> = {
  date: 'date',
  time: 'time without time zone',
  timetz: 'time with time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
};

export class PathTime {
  readonly type: PathTimeType;
  /** Days, or microseconds: of the day, since 2000 in local time, or (timestamptz) since 2000 in UTC. */
  readonly value: Whole;
  /** Seconds east of UTC, for types with a zone. */
  readonly offset: number;

  constructor(type: PathTimeType, value: Whole, offset = 0) {
    this.type = type;
    this.value = value;
    this.offset = offset;
  }

  get title(): string {
    return TITLES[this.type];
  }

  toString(): string {
    switch (this.type) {
      case 'date':
        return dateText(this.value as number);
      case 'time':
        return timeText(this.value as number);
      case 'timetz':
        return timeText(this.value as number) + offsetText(this.offset);
      case 'timestamp':
        return timestampText(this.value);
      case 'timestamptz':
        return timestampText(addWhole(this.value, this.offset * 1_000_000)) + offsetText(this.offset);
    }
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dateText(days: number): string {
  const { year, month, day } = civilFromDays(days);
  return `${String(year < 1 ? 1 - year : year).padStart(4, '0')}-${two(month)}-${two(day)}${year < 1 ? ' BC' : ''}`;
}

function timeText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros % 1_000_000;
  const shown = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return fraction === 0 ? shown : `${shown}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60));
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function timestampText(timestamp: Whole): string {
  const day = dayOfTimestamp(timestamp);
  return `${dateText(day)}T${timeText(timeOfTimestamp(timestamp, day))}`;
}

const ISO = /^(\d{4,}-\d{1,2}-\d{1,2})?(?:(?:^|[ T])(\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)\s*([+-]\d{1,2}(?::?\d{2})?)?)?\s*$/;

/** By a template (22007 and 22008 if the text does not match), or by the ISO forms: 22031 if it matches none. */
export function readPathTime(text: string, template: string | null, env: Environment): PathTime {
  if (template !== null) return readPattern(text, template, env);
  const found = ISO.exec(text);
  try {
    if (found !== null && (found[1] !== undefined || found[2] !== undefined)) return readPattern(text, isoPattern(text, found), env);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
  throw new SvcError('22031', `datetime format is not recognized: "${text}"`, {
    hint: 'Use a datetime template argument to specify the input data format.',
  });
}

function isoPattern(text: string, [, date, clock, offset]: RegExpExecArray): string {
  const zone = offset === undefined ? '' : `${/\s[+-]/.test(text) ? ' ' : ''}${offset.length > 3 ? 'TZH:TZM' : 'TZH'}`;
  const time = clock === undefined ? '' : `HH24:MI:SS${clock.includes('.') ? '.US' : ''}${zone}`;
  const between = date === undefined || clock === undefined ? '' : text[date.length] === 'T' ? '"T"' : ' ';
  return `${date === undefined ? '' : 'yyyy-mm-dd'}${between}${time}`;
}

const NEITHER = 'datetime format is not dated and not timed';
const SEPARATORS = "-./,':; ";

/** The standard's templates have few separators, and other characters only in quotes. */
function checkSeparators(pattern: string): void {
  for (const node of templateOf(pattern)) {
    if (node.kind !== 'pattern' && !node.quoted && !SEPARATORS.includes(node.text)) {
      throw new SvcError('22007', `invalid datetime format separator: "${node.text}"`);
    }
  }
}

function readPattern(text: string, pattern: string, env: Environment): PathTime {
  if (pattern === '') throw new SvcError('22007', NEITHER);
  checkSeparators(pattern);
  const { year, month, day, time, offset } = resolveFields(readByTemplate(text, pattern, env, true), text);
  const words = pattern.replace(/"[^"]*"/g, '').toUpperCase();
  const hasDate = /YY|Y|MON|MM|RM|DD|DAY|DY|WW|IW|CC|(?<!T)J/.test(words.replaceAll('TZM', '').replaceAll('TZH', ''));
  const hasTime = /HH|MI|SS|MS|US|FF\d|AM|PM|A\.M\.|P\.M\./.test(words);
  const zoned = /TZ|OF/.test(words);
  if (!hasDate) {
    if (!hasTime) throw new SvcError('22007', NEITHER);
    if (!zoned) return new PathTime('time', time);
    return new PathTime('timetz', time, offset ?? 0);
  }
  if (!isJulianRange(year, month)) throw new SvcError('22008', 'timestamp out of range');
  const days = daysFromCivil(year, month, day);
  if (!hasTime) {
    if (zoned) throw new SvcError('22007', 'datetime format is zoned but not timed');
    return new PathTime('date', days);
  }
  const local = timestampOf(days, time);
  if (!zoned) return new PathTime('timestamp', local);
  const east = offset ?? 0;
  return new PathTime('timestamptz', addWhole(local, -east * 1_000_000), east);
}

/** Compares two; null if they are not comparable. 0A000 if that needs the session's zone and it may not be used. */
export function comparePathTimes(a: PathTime, b: PathTime, zoned: boolean, env: Environment): number | null {
  const timeOfDay = (type: PathTimeType): boolean => type === 'time' || type === 'timetz';
  if (timeOfDay(a.type) !== timeOfDay(b.type)) return null;
  const order = (x: Whole, y: Whole): number => (x < y ? -1 : x > y ? 1 : 0);
  if (timeOfDay(a.type)) {
    if (a.type === b.type && a.type === 'time') return order(a.value, b.value);
    const [x, y] = [a, b].map((each) => zonedTime(each, zoned, env));
    return order((x.value as number) - x.offset * 1e6, (y.value as number) - y.offset * 1e6) || order(y.offset, x.offset);
  }
  if (a.type !== 'timestamptz' && b.type !== 'timestamptz') {
    const local = ({ type, value }: PathTime): Whole => (type === 'date' ? timestampOfDate(value as number) : value);
    return order(local(a), local(b));
  }
  const instant = (each: PathTime): Whole => {
    if (each.type === 'timestamptz') return each.value;
    if (!zoned) throw needsZone(each.type, 'timestamptz');
    return localToUtc(each.type === 'date' ? timestampOfDate(each.value as number) : each.value, sessionZone(env.timeZone));
  };
  return order(instant(a), instant(b));
}

function zonedTime(each: PathTime, zoned: boolean, env: Environment): PathTime {
  if (each.type === 'timetz') return each;
  if (!zoned) throw needsZone('time', 'timetz');
  const now = Math.floor(Number(env.transactionStart) / 1_000_000);
  return new PathTime('timetz', each.value, sessionZone(env.timeZone).offsetAt(now));
}

function needsZone(from: PathTimeType, to: PathTimeType): SvcError {
  return new SvcError('0A000', `cannot convert value from ${from} to ${to} without time zone usage`, {
    hint: 'Use *_tz() function for time zone support.',
  });
}
