/** Rows of pg_timezone_names and pg_timezone_abbrevs, which are views and functions. */
import { Interval } from '../../types/interval.ts';
import type { Abbreviations } from '../../types/time/zone-abbreviations.ts';
import { ZONE_LINKS } from '../../types/time/zone-links.ts';
import { findZone } from '../../types/time/zones.ts';
import type { Value } from '../../types/value.ts';

const HALF_YEAR_SECONDS = 15_778_800;

function span(seconds: number): Interval {
  return new Interval(0, 0, seconds * 1_000_000);
}

/** Offsets at a time: seconds since 2000. */
export function zoneNameRows(now: number): Value[][] {
  const rows: Value[][] = [];
  for (const name of new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...ZONE_LINKS])) {
    const zone = findZone(name);
    if (zone === null) continue;
    const offset = zone.offsetAt(now);
    // Summer time is the half of the year with the larger offset.
    const daylight = offset > Math.min(zone.offsetAt(now - HALF_YEAR_SECONDS), zone.offsetAt(now + HALF_YEAR_SECONDS));
    rows.push([name, zone.abbreviationAt(now), span(offset), daylight]);
  }
  return rows;
}

export function abbreviationRows(now: number, abbreviations: Abbreviations): Value[][] {
  const rows: Value[][] = [];
  for (const [name, { kind, offset, zone }] of abbreviations) {
    const seconds = kind === 'dynamic' ? (findZone(zone!)?.offsetAt(now) ?? 0) : offset;
    rows.push([name.toUpperCase(), span(seconds), kind === 'daylight']);
  }
  return rows;
}
