/**
 * Zones as POSIX TZ strings: `EST5EDT`, `<+05>-5`, `CET-1CEST,M3.5.0,M10.5.0/3`. Offsets count west of UTC there. Postgres allows an
 * empty name, so `+05` is five hours *west*.
 */
import { dayOfWeek, daysFromCivil, civilFromDays, daysInMonth, isLeapYear, SECONDS_PER_DAY } from './calendar.ts';

export interface PosixZone {
  readonly standardName: string;
  /** Seconds east of UTC. */
  readonly standardOffset: number;
  readonly daylight: { readonly name: string; readonly offset: number; readonly start: Rule; readonly end: Rule } | null;
}

type Rule = { readonly kind: 'julian' | 'day' | 'week'; readonly month: number; readonly week: number; readonly day: number; readonly time: number };

/** Default rules for a daylight-saving time without rules. */
const DEFAULT_RULES = ',M3.2.0,M11.1.0';

export function parsePosixZone(text: string): PosixZone | null {
  const name = /^(?:<([^>]*)>|([^\d,+-]*))/.exec(text)!;
  const offset = offsetAt(text, name[0].length);
  if (offset === null) return null;
  const standardName = name[1] ?? name[2]!;
  if (offset.end === text.length) return { standardName, standardOffset: -offset.seconds, daylight: null };

  const rest = text.slice(offset.end);
  const daylightName = /^(?:<([^>]*)>|([^\d,+-]*))/.exec(rest)!;
  const label = daylightName[1] ?? daylightName[2]!;
  if (label === '') return null;
  let at = daylightName[0].length;
  let daylightOffset = -offset.seconds + 3600;
  if (at < rest.length && rest[at] !== ',' && rest[at] !== ';') {
    const own = offsetAt(rest, at);
    if (own === null) return null;
    daylightOffset = -own.seconds;
    at = own.end;
  }
  const rules = /^[,;]([^,]+),([^,]+)$/.exec(at === rest.length ? DEFAULT_RULES : rest.slice(at));
  const start = rules && parseRule(rules[1]!);
  const end = rules && parseRule(rules[2]!);
  if (!start || !end) return null;
  return { standardName, standardOffset: -offset.seconds, daylight: { name: label, offset: daylightOffset, start, end } };
}

function offsetAt(text: string, at: number): { seconds: number; end: number } | null {
  const match = /^([+-]?)(\d{1,3})(?::(\d{1,2})(?::(\d{1,2}))?)?/.exec(text.slice(at));
  if (match === null) return null;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  if (hours > 167 || minutes > 59 || seconds > 60) return null;
  const total = hours * 3600 + minutes * 60 + seconds;
  return { seconds: match[1] === '-' ? 0 - total : total, end: at + match[0].length };
}

function parseRule(text: string): Rule | null {
  const match = /^(?:J(\d{1,3})|M(\d{1,2})\.(\d)\.(\d)|(\d{1,3}))(?:\/(.+))?$/.exec(text);
  if (match === null) return null;
  let time = 7200;
  if (match[6] !== undefined) {
    const given = offsetAt(match[6], 0);
    if (given === null || given.end !== match[6].length) return null;
    time = given.seconds;
  }
  if (match[1] !== undefined) return ruleIf(Number(match[1]) >= 1 && Number(match[1]) <= 365, 'julian', 0, 0, Number(match[1]), time);
  if (match[5] !== undefined) return ruleIf(Number(match[5]) <= 365, 'day', 0, 0, Number(match[5]), time);
  const [month, week, day] = [Number(match[2]), Number(match[3]), Number(match[4])];
  return ruleIf(month >= 1 && month <= 12 && week >= 1 && week <= 5 && day <= 6, 'week', month, week, day, time);
}

function ruleIf(valid: boolean, kind: Rule['kind'], month: number, week: number, day: number, time: number): Rule | null {
  return valid ? { kind, month, week, day, time } : null;
}

/** Seconds east of UTC at a time in seconds since 2000-01-01 UTC. */
export function posixOffsetAt(zone: PosixZone, seconds: number): number {
  const { daylight, standardOffset } = zone;
  if (daylight === null) return standardOffset;
  const { year } = civilFromDays(Math.floor((seconds + standardOffset) / SECONDS_PER_DAY));
  const start = ruleSeconds(daylight.start, year) - standardOffset;
  const end = ruleSeconds(daylight.end, year) - daylight.offset;
  const inside = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end;
  return inside ? daylight.offset : standardOffset;
}

/** Local seconds since 2000-01-01 of the rule's transition in a year. */
function ruleSeconds(rule: Rule, year: number): number {
  const first = daysFromCivil(year, 1, 1);
  let day: number;
  if (rule.kind === 'julian') day = first + rule.day - 1 + (isLeapYear(year) && rule.day >= 60 ? 1 : 0);
  else if (rule.kind === 'day') day = first + rule.day;
  else {
    const monthStart = daysFromCivil(year, rule.month, 1);
    day = monthStart + ((rule.day - dayOfWeek(monthStart) + 7) % 7) + (rule.week - 1) * 7;
    if (day >= monthStart + daysInMonth(year, rule.month)) day -= 7;
  }
  return day * SECONDS_PER_DAY + rule.time;
}
