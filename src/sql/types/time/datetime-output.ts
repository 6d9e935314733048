/** Text of dates, times and timestamps in the four DateStyles, and in XML Schema's, which JSON uses (manual, 8.5.2). */
import type { Environment } from '../environment.ts';
import type { Whole } from '../value.ts';
import {
  civilFromDays,
  dayOfTimestamp,
  dayOfWeek,
  daysFromCivil,
  momentOf,
  secondsOfTimestamp,
  timeOfTimestamp,
  type CivilDate,
  type Moment,
} from './calendar.ts';
import { addWhole } from './whole-arithmetic.ts';
import { sessionZone } from './zones.ts';

export type OutputStyle = Environment['dateStyle'] | 'XSD';

const TWO = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Longest abbreviation of a zone that is printed. */
const ZONE_LENGTH_MAX = 10;

/** 0 to 99 as two digits. */
export function twoDigits(n: number): string {
  return TWO[n]!;
}

/** `.25` for 250 000 µs, '' for none. */
export function fractionText(micros: number): string {
  if (micros === 0) return '';
  const digits = String(micros).padStart(6, '0');
  let end = 6;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return '.' + digits.slice(0, end);
}

/** The year as printed: BC years count from 1. */
function yearText(year: number): string {
  const shown = year > 0 ? year : 1 - year;
  return shown >= 1000 ? String(shown) : String(shown).padStart(4, '0');
}

function dateText(date: CivilDate, style: OutputStyle, order: Environment['dateOrder']): string {
  const [month, day] = [TWO[date.month]!, TWO[date.day]!];
  const dayFirst = order === 'DMY';
  switch (style) {
    case 'ISO':
    case 'XSD':
      return `${yearText(date.year)}-${month}-${day}`;
    case 'SQL':
      return dayFirst ? `${day}/${month}/${yearText(date.year)}` : `${month}/${day}/${yearText(date.year)}`;
    case 'German':
      return `${day}.${month}.${yearText(date.year)}`;
    case 'Postgres':
      return dayFirst ? `${day}-${month}-${yearText(date.year)}` : `${month}-${day}-${yearText(date.year)}`;
  }
}

function infinityText(value: Whole): string | null {
  return value === Infinity ? 'infinity' : value === -Infinity ? '-infinity' : null;
}

export function formatDate(days: number, style: OutputStyle, order: Environment['dateOrder']): string {
  const infinite = infinityText(days);
  if (infinite !== null) return infinite;
  const date = civilFromDays(days);
  const text = dateText(date, style, order);
  return date.year > 0 ? text : text + ' BC';
}

/** A time of day in microseconds; 24:00:00 is one. */
export function formatTime(time: number): string {
  const seconds = Math.floor(time / 1_000_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${TWO[hours]!}:${TWO[minutes - hours * 60]!}:${TWO[seconds - minutes * 60]!}${fractionText(time - seconds * 1_000_000)}`;
}

/** `+05:30`; hours alone if that is exact, except in XML Schema's style. */
export function offsetText(offset: number, style: OutputStyle): string {
  const total = Math.abs(offset);
  const minutes = Math.floor(total / 60);
  const hours = Math.floor(minutes / 60);
  const [minute, second] = [minutes - hours * 60, total - minutes * 60];
  const text = (offset < 0 ? '-' : '+') + (TWO[hours] ?? String(hours));
  if (second !== 0) return `${text}:${TWO[minute]!}:${TWO[second]!}`;
  return minute !== 0 || style === 'XSD' ? `${text}:${TWO[minute]!}` : text;
}

function momentText(moment: Moment, zoned: boolean, style: OutputStyle, order: Environment['dateOrder']): string {
  const time = `${TWO[moment.hour]!}:${TWO[moment.minute]!}:${TWO[moment.second]!}${fractionText(moment.micros)}`;
  const zone = moment.zone?.slice(0, ZONE_LENGTH_MAX);
  let text: string;
  switch (style) {
    case 'ISO':
    case 'XSD':
      text = `${dateText(moment, style, order)}${style === 'XSD' ? 'T' : ' '}${time}`;
      if (zoned) text += offsetText(moment.offset, style);
      break;
    case 'SQL':
    case 'German':
      text = `${dateText(moment, style, order)} ${time}`;
      if (zoned) text += zone !== undefined ? ' ' + zone : offsetText(moment.offset, style);
      break;
    case 'Postgres': {
      const weekday = DAYS[dayOfWeek(daysFromCivil(moment.year, moment.month, moment.day))]!;
      const [month, day] = [MONTHS[moment.month - 1]!, TWO[moment.day]!];
      text = `${weekday} ${order === 'DMY' ? `${day} ${month}` : `${month} ${day}`} ${time} ${yearText(moment.year)}`;
      if (zoned) text += ' ' + (zone ?? offsetText(moment.offset, style));
      break;
    }
  }
  return moment.year > 0 ? text : text + ' BC';
}

export function formatTimestamp(timestamp: Whole, style: OutputStyle, order: Environment['dateOrder']): string {
  const infinite = infinityText(timestamp);
  if (infinite !== null) return infinite;
  if (style === 'ISO' || style === 'XSD') return isoText(timestamp, style);
  return momentText(momentOf(timestamp), false, style, order);
}

/** The usual style without an intermediate Moment. */
function isoText(local: Whole, style: 'ISO' | 'XSD', offset: string = ''): string {
  const day = dayOfTimestamp(local);
  const date = civilFromDays(day);
  const text = `${yearText(date.year)}-${TWO[date.month]!}-${TWO[date.day]!}${style === 'XSD' ? 'T' : ' '}${formatTime(timeOfTimestamp(local, day))}${offset}`;
  return date.year > 0 ? text : text + ' BC';
}

export function formatTimestampTz(timestamp: Whole, style: OutputStyle, order: Environment['dateOrder'], timeZone: string): string {
  const infinite = infinityText(timestamp);
  if (infinite !== null) return infinite;
  const zone = sessionZone(timeZone);
  const seconds = secondsOfTimestamp(timestamp);
  const offset = zone.offsetAt(seconds);
  const local = addWhole(timestamp, offset * 1_000_000);
  if (style === 'ISO' || style === 'XSD') return isoText(local, style, offsetText(offset, style));
  return momentText(momentOf(local, offset, zone.abbreviationAt(seconds)), true, style, order);
}
