/**
 * Parses dates and timestamps in any order and style that Postgres accepts (manual, appendix B). Fields come from
 * datetime-tokens.ts, their meaning from datetime-fields.ts; this is the loop over them.
 */
import type { Environment } from '../environment.ts';
import type { Whole } from '../value.ts';
import { civilFromDays, dayOfTimestamp, daysFromCivil, momentOf, SECONDS_PER_DAY, timestampOf } from './calendar.ts';
import {
  DATE,
  DAY,
  DAYLIGHT,
  DAYLIGHT_MODIFIER,
  DateTimeFields,
  ERA,
  fractionOf,
  leadingInt,
  MERIDIEM,
  MONTH,
  readDate,
  readNumber,
  readOffset,
  readRunTogether,
  readTime,
  setFractionOfDay,
  setJulianDay,
  completeDate,
  completeHour,
  TIME,
  timeOverflows,
  WEEKDAY,
  ZONE,
} from './datetime-fields.ts';
import { DATETIME_SIZE_MAX, datetimeWord, isDigit, splitFields, type Field, type Special } from './datetime-tokens.ts';
import { BAD_FORMAT, FIELD_OVERFLOW, InputFailure } from './input-failure.ts';
import { findAbbreviation, findZone, sessionZone, type AbbreviationMeaning, type Zone } from './zones.ts';
import { addWhole } from './whole-arithmetic.ts';

export type DateTimeInput =
  { readonly kind: 'fields'; readonly fields: DateTimeFields; readonly offset: number } | { readonly kind: 'epoch' | 'infinity' | '-infinity' };

type Dynamic = Extract<AbbreviationMeaning, { kind: 'dynamic' }>;

/** The wall clock of the session's zone at the start of the transaction. */
export function localNow(env: Environment): Whole {
  const zone = sessionZone(env.timeZone);
  return addWhole(env.transactionStart, zone.offsetAt(Math.floor(Number(env.transactionStart) / 1e6)) * 1_000_000);
}

export function localSeconds(fields: DateTimeFields): number {
  return daysFromCivil(fields.year, fields.month, fields.day) * SECONDS_PER_DAY + (fields.hour * 60 + fields.minute) * 60 + fields.second;
}

export function readDateTime(text: string, env: Environment): DateTimeInput {
  const list = splitFields(text, DATETIME_SIZE_MAX);
  const session = sessionZone(env.timeZone);
  const order = env.dateOrder;
  const fields = new DateTimeFields();
  let seen = 0;
  let offset = 0;
  let special: 'epoch' | 'infinity' | '-infinity' | null = null;
  /** A word that determines the next field. */
  let announced: 'time' | 'julian' | 'other' | null = null;
  let textMonth = false;
  let julian = false;
  let bc = false;
  let meridiem: 'am' | 'pm' | null = null;
  let namedZone: Zone | null = null;
  let dynamic: Dynamic | null = null;

  for (const field of list) {
    const value = field.text;
    let bits: number;
    switch (field.kind) {
      case 'date':
        if (announced === 'julian') {
          const { value: day, end } = leadingInt(value);
          setJulianDay(fields, day);
          julian = true;
          offset = readOffset(value.slice(end));
          bits = DATE | TIME | ZONE;
          announced = null;
        } else if (announced !== null || (seen & (MONTH | DAY)) === (MONTH | DAY)) {
          if (isDigit(value.charCodeAt(0)) || announced !== null) {
            if (announced !== null && announced !== 'time') throw BAD_FORMAT;
            announced = null;
            const dash = value.indexOf('-');
            if (seen & TIME || dash < 0) throw BAD_FORMAT;
            offset = readOffset(value.slice(dash));
            bits = readRunTogether(value.slice(0, dash), seen, fields) | ZONE;
          } else {
            namedZone = zoneNamed(value);
            bits = ZONE;
          }
        } else bits = readDate(value, seen, fields, order);
        break;
      case 'time':
        if (announced !== null && announced !== 'time') throw BAD_FORMAT;
        announced = null;
        bits = readTime(value, fields);
        if (timeOverflows(fields)) throw FIELD_OVERFLOW;
        break;
      case 'zone':
        offset = readOffset(value);
        bits = ZONE;
        break;
      case 'number':
        if (announced !== null) {
          bits = readAnnounced(value, announced, seen, fields);
          if (announced === 'julian') julian = true;
          announced = null;
        } else {
          const point = value.indexOf('.');
          if (point >= 0 && !(seen & DATE)) bits = readDate(value, seen, fields, order);
          else if (point > 2) bits = readRunTogether(value, seen, fields);
          else if (value.length >= 6 && !(seen & DATE && seen & TIME)) bits = readRunTogether(value, seen, fields);
          else bits = readNumber(value, textMonth, seen, fields, order);
        }
        break;
      default: {
        const abbreviation = findAbbreviation(value, session, env.abbreviations);
        if (abbreviation !== null) {
          bits = ZONE | (abbreviation.kind === 'daylight' ? DAYLIGHT : 0);
          if (abbreviation.kind === 'dynamic') dynamic = abbreviation;
          else offset = abbreviation.offset;
          break;
        }
        const word = datetimeWord(value);
        if (word === undefined) {
          // Zones without punctuation in their names: Japan, UTC.
          namedZone = findZone(value);
          if (namedZone === null) throw BAD_FORMAT;
          bits = ZONE;
          break;
        }
        switch (word.kind) {
          case 'ignore':
            continue;
          case 'special':
            bits = readSpecial(word.value, fields, env);
            if (word.value === 'epoch' || word.value === 'infinity' || word.value === '-infinity') special = word.value;
            else special = null;
            if (word.value === 'now') offset = session.offsetAt(Math.floor(Number(env.transactionStart) / 1e6));
            else if (word.value === 'allballs') offset = 0;
            break;
          case 'month':
            bits = MONTH;
            if (seen & MONTH && !textMonth && !(seen & DAY) && fields.month >= 1 && fields.month <= 31) {
              // The presumed month is the day.
              fields.day = fields.month;
              bits = DAY;
            }
            textMonth = true;
            fields.month = word.value;
            break;
          case 'dst':
            bits = DAYLIGHT_MODIFIER | DAYLIGHT;
            offset += 3600;
            break;
          case 'meridiem':
            bits = MERIDIEM;
            meridiem = word.value;
            break;
          case 'era':
            bits = ERA;
            bc = word.value === 'bc';
            break;
          case 'weekday':
            bits = WEEKDAY;
            break;
          case 'unit':
          case 'time':
            if (announced !== null || (word.kind === 'time' && (seen & DATE) !== DATE)) throw BAD_FORMAT;
            bits = 0;
            announced = word.kind === 'time' ? 'time' : word.value === 'julian' ? 'julian' : 'other';
            break;
          default:
            throw BAD_FORMAT;
        }
      }
    }
    if (bits & seen) throw BAD_FORMAT;
    seen |= bits;
  }
  if (announced !== null) throw BAD_FORMAT;
  if (special !== null) return { kind: special };

  completeDate(fields, seen, julian, bc);
  completeHour(fields, meridiem);
  if ((seen & DATE) !== DATE) throw BAD_FORMAT;
  if (namedZone !== null || dynamic !== null || !(seen & ZONE)) {
    if (seen & DAYLIGHT_MODIFIER) throw BAD_FORMAT;
    const local = localSeconds(fields);
    offset = dynamic !== null ? dynamic.zone.offsetOfAbbreviation(dynamic.abbreviation, local) : (namedZone ?? session).offsetAtLocal(local);
  }
  return { kind: 'fields', fields, offset };
}

function zoneNamed(name: string): Zone {
  const zone = findZone(name);
  if (zone === null) throw new InputFailure('zone', name);
  return zone;
}

/** A number after `J` (Julian day, with a fraction of the day) or `T` (time run together). */
export function readAnnounced(text: string, announced: 'time' | 'julian' | 'other', seen: number, fields: DateTimeFields): number {
  const { value, end } = leadingInt(text);
  if (end < text.length && text[end] !== '.') throw BAD_FORMAT;
  if (announced === 'julian') {
    setJulianDay(fields, value);
    if (end === text.length) return DATE;
    setFractionOfDay(fields, fractionOf(text.slice(end)));
    return DATE | TIME;
  }
  if (announced !== 'time') throw BAD_FORMAT;
  return readRunTogether(text, seen | DATE, fields);
}

function readSpecial(word: Special, fields: DateTimeFields, env: Environment): number {
  switch (word) {
    case 'now': {
      Object.assign(fields, momentOf(localNow(env)));
      return DATE | TIME | ZONE;
    }
    case 'today':
    case 'yesterday':
    case 'tomorrow': {
      const shift = word === 'today' ? 0 : word === 'tomorrow' ? 1 : -1;
      const date = civilFromDays(dayOfTimestamp(localNow(env)) + shift);
      fields.year = date.year;
      fields.month = date.month;
      fields.day = date.day;
      return DATE;
    }
    case 'allballs':
      fields.hour = 0;
      fields.minute = 0;
      fields.second = 0;
      return TIME | ZONE;
    default:
      return DATE | TIME | ZONE;
  }
}

/** Parses a time of day, with the offset of its zone on the given date or today. */
export function readTimeOfDay(text: string, env: Environment): { fields: DateTimeFields; offset: number } {
  const list = splitFields(text, DATETIME_SIZE_MAX);
  const session = sessionZone(env.timeZone);
  const order = env.dateOrder;
  const fields = new DateTimeFields();
  let seen = 0;
  let offset = 0;
  let announced: 'time' | 'julian' | 'other' | null = null;
  let julian = false;
  let bc = false;
  let meridiem: 'am' | 'pm' | null = null;
  let namedZone: Zone | null = null;
  let dynamic: Dynamic | null = null;

  for (let i = 0; i < list.length; i++) {
    const field = list[i]!;
    const value = field.text;
    let bits: number;
    switch (field.kind) {
      case 'date':
        if (i === 0 && list.length >= 2 && (list.at(-1)!.kind === 'date' || list[1]!.kind === 'time')) bits = readDate(value, seen, fields, order);
        else if (isDigit(value.charCodeAt(0))) {
          const dash = value.indexOf('-');
          if (seen & TIME || dash < 0) throw BAD_FORMAT;
          offset = readOffset(value.slice(dash));
          bits = readConcatenated(list, i, value.slice(0, dash), seen, fields) | ZONE;
        } else {
          namedZone = zoneNamed(value);
          field.kind = 'zone';
          bits = ZONE;
        }
        break;
      case 'time':
        if (announced !== null && announced !== 'time') throw BAD_FORMAT;
        announced = null;
        bits = readTime(value, fields);
        break;
      case 'zone':
        offset = readOffset(value);
        bits = ZONE;
        break;
      case 'number':
        if (announced !== null) {
          bits = readAnnounced(value, announced, seen, fields);
          if (announced === 'julian') julian = true;
          else field.kind = 'time';
          announced = null;
        } else {
          const point = value.indexOf('.');
          if (point >= 0) {
            if (i === 0 && list.length >= 2 && list.at(-1)!.kind === 'date') bits = readDate(value, seen, fields, order);
            else if (point > 2) bits = readConcatenated(list, i, value, seen, fields);
            else throw BAD_FORMAT;
          } else if (value.length > 4) bits = readConcatenated(list, i, value, seen, fields);
          else bits = readNumber(value, false, seen | DATE, fields, order);
        }
        break;
      default: {
        const abbreviation = findAbbreviation(value, session, env.abbreviations);
        if (abbreviation !== null) {
          bits = ZONE | (abbreviation.kind === 'daylight' ? DAYLIGHT : 0);
          if (abbreviation.kind === 'dynamic') dynamic = abbreviation;
          else offset = abbreviation.offset;
          field.kind = 'zone';
          break;
        }
        const word = datetimeWord(value);
        if (word === undefined) {
          namedZone = findZone(value);
          if (namedZone === null) throw BAD_FORMAT;
          bits = ZONE;
          break;
        }
        switch (word.kind) {
          case 'ignore':
            continue;
          case 'special':
            if (word.value === 'now') {
              const { hour, minute, second, micros } = momentOf(localNow(env));
              Object.assign(fields, { hour, minute, second, micros });
              bits = TIME;
            } else if (word.value === 'allballs') {
              fields.hour = 0;
              fields.minute = 0;
              fields.second = 0;
              bits = TIME | ZONE;
            } else throw BAD_FORMAT;
            break;
          case 'dst':
            bits = DAYLIGHT_MODIFIER | DAYLIGHT;
            offset += 3600;
            break;
          case 'meridiem':
            bits = MERIDIEM;
            meridiem = word.value;
            break;
          case 'era':
            bits = ERA;
            bc = word.value === 'bc';
            break;
          case 'unit':
          case 'time':
            if (announced !== null) throw BAD_FORMAT;
            bits = 0;
            announced = word.kind === 'time' ? 'time' : word.value === 'julian' ? 'julian' : 'other';
            break;
          default:
            throw BAD_FORMAT;
        }
      }
    }
    if (bits & seen) throw BAD_FORMAT;
    seen |= bits;
  }
  if (announced !== null) throw BAD_FORMAT;

  completeDate(fields, seen, julian, bc);
  completeHour(fields, meridiem);
  if (timeOverflows(fields)) throw FIELD_OVERFLOW;
  if (!(seen & TIME)) throw BAD_FORMAT;

  if (namedZone !== null && namedZone.fixedOffset !== null) {
    if (seen & DAYLIGHT_MODIFIER) throw BAD_FORMAT;
    offset = namedZone.fixedOffset;
  } else if (namedZone !== null || dynamic !== null || !(seen & ZONE)) {
    if (seen & DAYLIGHT_MODIFIER) throw BAD_FORMAT;
    if ((seen & DATE) !== DATE) {
      // A named zone requires the complete date; otherwise it is today's.
      if (namedZone !== null || seen & DATE) throw BAD_FORMAT;
      const { year, month, day } = civilFromDays(dayOfTimestamp(localNow(env)));
      Object.assign(fields, { year, month, day });
    }
    const local = localSeconds(fields);
    offset = dynamic !== null ? dynamic.zone.offsetOfAbbreviation(dynamic.abbreviation, local) : (namedZone ?? session).offsetAtLocal(local);
  }
  return { fields, offset };
}

function readConcatenated(list: readonly Field[], i: number, text: string, seen: number, fields: DateTimeFields): number {
  const bits = readRunTogether(text, seen | DATE, fields);
  list[i]!.kind = 'time';
  return bits;
}

/** The local timestamp of fields; a time of 24:00 and more is on the next day. */
export function timestampOfFields(fields: DateTimeFields): Whole {
  const time = ((fields.hour * 60 + fields.minute) * 60 + fields.second) * 1_000_000 + fields.micros;
  return timestampOf(daysFromCivil(fields.year, fields.month, fields.day), time);
}
