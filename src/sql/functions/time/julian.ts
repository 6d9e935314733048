/**
 * Julian days and ISO weeks by Postgres's own formulas, which are also defined for the fields of an interval (month 0, day -5),
 * where calendar functions would differ.
 */

export function julianDay(year: number, month: number, day: number): number {
  const shifted = month > 2 ? month + 1 : month + 13;
  const y = month > 2 ? year + 4800 : year + 4799;
  const century = Math.trunc(y / 100);
  return y * 365 - 32167 + Math.trunc(y / 4) - century + Math.trunc(century / 4) + Math.trunc((7834 * shifted) / 256) + day;
}

/** 0 is Sunday. */
export function weekday(julian: number): number {
  const r = (julian + 1) % 7;
  return r < 0 ? r + 7 : r;
}

/** Monday of week 1 of a year. */
function firstMonday(year: number): number {
  const fourth = julianDay(year, 1, 4);
  return fourth - weekday(fourth - 1);
}

/** Monday of a week. */
export function julianOfWeek(year: number, week: number): number {
  return (week - 1) * 7 + firstMonday(year);
}

export function isoWeek(year: number, month: number, day: number): number {
  const julian = julianDay(year, month, day);
  let start = firstMonday(year);
  if (julian < start) start = firstMonday(year - 1);
  const week = Math.trunc((julian - start) / 7) + 1;
  if (week >= 52) {
    const next = firstMonday(year + 1);
    if (julian >= next) return Math.trunc((julian - next) / 7) + 1;
  }
  return week;
}

export function isoYear(year: number, month: number, day: number): number {
  const julian = julianDay(year, month, day);
  let result = year;
  let start = firstMonday(year);
  if (julian < start) {
    start = firstMonday(year - 1);
    result--;
  }
  const week = Math.trunc((julian - start) / 7) + 1;
  if (week >= 52 && julian >= firstMonday(year + 1)) result++;
  return result;
}

export function isoDayOfYear(year: number, month: number, day: number): number {
  return julianDay(year, month, day) - julianOfWeek(isoYear(year, month, day), 1) + 1;
}
