/**
 * Time zones: name to rules, UTC to local and back.
 *
 * Offsets are seconds *east* of UTC; times are whole seconds since 2000-01-01, UTC or local as stated. IANA rules come from Intl. A
 * lookup there costs about a microsecond, so a zone caches transitions in pages of two years, and the constant range of the last
 * result; a repeated conversion costs a few comparisons.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { SECONDS_PER_DAY } from './calendar.ts';
import { parsePosixZone, posixOffsetAt } from './posix-zone.ts';
import { type Abbreviations, shownAbbreviations, type AbbreviationsByOffset } from './zone-abbreviations.ts';

const UNIX_EPOCH_SECONDS = -946_684_800;
/** Before it every zone keeps its local mean time (the first transition of any zone is of 1844). */
const FIRST_SECOND = -6_311_347_200;
/** Rules repeat with the calendar, every 400 years; later times use those of the years 2400 to 2799. */
const CYCLE_SECONDS = 12_622_780_800;
const LAST_SECOND = 2 * CYCLE_SECONDS;
/** No zone is known to change its offset and change it back within one step (12 days). */
const STEP_SECONDS = 2 ** 20;
const PAGE_SECONDS = STEP_SECONDS * 64;

/** offsets[i] applies from times[i] (inclusive) to times[i+1]. */
interface Page {
  readonly times: number[];
  readonly offsets: number[];
}

export class Zone {
  readonly name: string;
  /** The offset of a constant zone, otherwise null. */
  readonly fixedOffset: number | null;
  readonly #probe: (seconds: number) => number;
  readonly #abbreviations: AbbreviationsByOffset;
  readonly #pages: (Page | undefined)[] = [];
  /** The last result and the range in which it applies. */
  #offset: number;
  #from: number;
  #until: number;

  constructor(name: string, fixedOffset: number | null, probe: (seconds: number) => number, abbreviations: AbbreviationsByOffset) {
    this.name = name;
    this.fixedOffset = fixedOffset;
    this.#probe = probe;
    this.#abbreviations = abbreviations;
    this.#offset = fixedOffset ?? 0;
    this.#from = fixedOffset === null ? Infinity : -Infinity;
    this.#until = fixedOffset === null ? -Infinity : Infinity;
  }

  /** At a UTC time. */
  offsetAt(seconds: number): number {
    if (seconds >= this.#from && seconds < this.#until) return this.#offset;
    if (seconds < FIRST_SECOND) return this.#remember(-Infinity, FIRST_SECOND, this.#probe(FIRST_SECOND));
    if (seconds >= LAST_SECOND) return this.offsetAt(inLastCycle(seconds));
    const page = this.#pageOf(seconds);
    let i = page.times.length - 1;
    while (page.times[i]! > seconds) i--;
    return this.#remember(page.times[i]!, page.times[i + 1] ?? page.times[0]! + PAGE_SECONDS, page.offsets[i]!);
  }

  /**
   * At a local time. A skipped one (spring forward) uses the offset before the transition, a repeated one the offset after it:
   * standard time both ways, as in Postgres.
   */
  offsetAtLocal(local: number): number {
    if (local >= LAST_SECOND) return this.offsetAtLocal(inLastCycle(local));
    const earlier = local - SECONDS_PER_DAY;
    const later = local + SECONDS_PER_DAY;
    if (earlier >= this.#from && later < this.#until) return this.#offset;
    const before = this.offsetAt(earlier);
    if (this.offsetAt(later) === before) return before;
    const boundary = this.nextTransition(earlier, later)!;
    const after = this.offsetAt(boundary);
    const beforeTime = local - before;
    const afterTime = local - after;
    if (beforeTime < boundary && afterTime < boundary) return before;
    if (beforeTime >= boundary && afterTime >= boundary) return after;
    return beforeTime > afterTime ? before : after;
  }

  /** The first change of offset after a UTC time, at most `limit`; null without one. */
  nextTransition(seconds: number, limit: number): number | null {
    const offset = this.offsetAt(seconds);
    let at = seconds;
    while (at < limit) {
      // The lookup of `at` sets the range around it in #from and #until.
      const until = this.#until;
      if (until > limit) return null;
      if (this.offsetAt(until) !== offset) return until;
      at = until;
    }
    return null;
  }

  abbreviationAt(seconds: number): string {
    const offset = this.offsetAt(seconds);
    const shown = this.#abbreviations.get(offset);
    if (shown !== undefined) {
      const unix = seconds - UNIX_EPOCH_SECONDS;
      for (let i = shown.length - 1; i >= 0; i--) {
        if (shown[i]!.from <= unix) return shown[i]!.text === '' ? formatOffset(offset) : shown[i]!.text;
      }
    }
    return this.fixedOffset === null && offset % 900 !== 0 ? 'LMT' : formatOffset(offset);
  }

  /** The offsets at which the zone shows an abbreviation (in upper case); empty if it never does. */
  offsetsOf(abbreviation: string): number[] {
    if (abbreviation === 'LMT' && this.fixedOffset === null) return [this.offsetAt(FIRST_SECOND - 1)];
    const offsets: number[] = [];
    for (const [offset, shown] of this.#abbreviations) {
      if (shown.some(({ text }) => text.toUpperCase() === abbreviation)) offsets.push(offset);
    }
    return offsets;
  }

  /** The meaning of a changing abbreviation at a local time: its last use at or before it, otherwise its first after it. */
  offsetOfAbbreviation(abbreviation: string, local: number): number {
    const zoneOffset = this.offsetAtLocal(local);
    const offsets = this.offsetsOf(abbreviation);
    if (offsets.length === 0) return zoneOffset;
    if (offsets.length === 1) return offsets[0]!;
    for (let at = local - zoneOffset; at >= FIRST_SECOND; at -= STEP_SECONDS) {
      if (this.abbreviationAt(at) === abbreviation) return this.offsetAt(at);
    }
    for (let at = Math.max(local - zoneOffset, FIRST_SECOND); at < CYCLE_SECONDS; at += STEP_SECONDS) {
      if (this.abbreviationAt(at) === abbreviation) return this.offsetAt(at);
    }
    return zoneOffset;
  }

  #remember(from: number, until: number, offset: number): number {
    this.#from = from;
    this.#until = until;
    this.#offset = offset;
    return offset;
  }

  #pageOf(seconds: number): Page {
    const index = Math.floor((seconds - FIRST_SECOND) / PAGE_SECONDS);
    return (this.#pages[index] ??= this.#buildPage(FIRST_SECOND + index * PAGE_SECONDS));
  }

  #buildPage(start: number): Page {
    let offset = this.#probe(start);
    const page: Page = { times: [start], offsets: [offset] };
    for (let at = start; at < start + PAGE_SECONDS; at += STEP_SECONDS) {
      const next = this.#probe(at + STEP_SECONDS);
      if (next === offset) continue;
      const boundary = this.#bisect(at, at + STEP_SECONDS);
      // A change exactly at the end belongs to the next page.
      if (boundary >= start + PAGE_SECONDS) break;
      page.times.push(boundary);
      page.offsets.push(next);
      offset = next;
    }
    return page;
  }

  /** The second at which the offset of `low` ends, somewhere up to `high`. */
  #bisect(low: number, high: number): number {
    const offset = this.#probe(low);
    let [inside, outside] = [low, high];
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (this.#probe(middle) === offset) inside = middle;
      else outside = middle;
    }
    return outside;
  }
}

function inLastCycle(seconds: number): number {
  return seconds - (Math.floor(seconds / CYCLE_SECONDS) - 1) * CYCLE_SECONDS;
}

/** `+0530`, as zones without an abbreviation show themselves. */
function formatOffset(offset: number): string {
  const total = Math.abs(offset);
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(total / 60) % 60;
  const text = (offset < 0 ? '-' : '+') + two(Math.floor(total / 3600));
  if (total % 60 !== 0) return text + two(minutes) + two(total % 60);
  return minutes === 0 ? text : text + two(minutes);
}

/** IANA names without a slash. Intl also accepts ICU's old ones (`PST`, `IST`), with meanings that differ from Postgres's. */
const PLAIN_NAMES = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan ' +
    'Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu'
  )
    .toLowerCase()
    .split(' '),
);

const NO_ABBREVIATIONS: AbbreviationsByOffset = new Map();
const zonesByName = new Map<string, Zone | null>();
/** Names come from users, so the cache is bounded. */
const ZONES_REMEMBERED_MAX = 5000;

/** The zone of an IANA name (in any case) or POSIX string, or null. */
export function findZone(name: string): Zone | null {
  let zone = zonesByName.get(name);
  if (zone === undefined) {
    zone = loadZone(name);
    if (zonesByName.size >= ZONES_REMEMBERED_MAX) zonesByName.clear();
    zonesByName.set(name, zone);
  }
  return zone;
}

let lastName = '';
let lastZone: Zone | null = null;

/** The zone of the setting TimeZone. */
export function sessionZone(name: string): Zone {
  if (name === lastName && lastZone !== null) return lastZone;
  const zone = findZone(name);
  if (zone === null) throw new SvcError('22023', `time zone "${name}" not recognized`);
  lastName = name;
  lastZone = zone;
  return zone;
}

export function fixedZone(offset: number, abbreviation: string): Zone {
  return new Zone(abbreviation, offset, () => offset, new Map([[offset, [{ from: -Infinity, text: abbreviation }]]]));
}

function loadZone(name: string): Zone | null {
  if (name.length > 255) return null;
  const lower = name.toLowerCase();
  if (lower === 'factory') return fixedZone(0, '-00');
  if (PLAIN_NAMES.has(lower) || /^[a-z]+\/[a-z]/.test(lower)) {
    const zone = loadIanaZone(lower);
    if (zone !== null) return zone;
  }
  const posix = parsePosixZone(name.toUpperCase());
  if (posix === null) return null;
  if (posix.daylight === null) return fixedZone(posix.standardOffset, posix.standardName);
  const abbreviations = new Map([
    [posix.standardOffset, [{ from: -Infinity, text: posix.standardName }]],
    [posix.daylight.offset, [{ from: -Infinity, text: posix.daylight.name }]],
  ]);
  const probe = (seconds: number): number => (seconds <= FIRST_SECOND ? posix.standardOffset : posixOffsetAt(posix, seconds));
  return new Zone(name, null, probe, abbreviations);
}

/**
 * Zones defined by a rule alone: Intl maps them to a city, which had local mean time before 1918 and other summer times between the
 * wars and until 1967. The rule itself has neither.
 */
const AMERICAN_STANDARD: ReadonlyMap<string, number> = new Map([
  ['est5edt', -5 * 3600],
  ['cst6cdt', -6 * 3600],
  ['mst7mdt', -7 * 3600],
  ['pst8pdt', -8 * 3600],
]);

/** The years before 1918, 1920 to 1941 and 1946 to 1966. */
function isCityTime(seconds: number): boolean {
  if (seconds >= -1_041_379_200) return false;
  return seconds < -2_587_680_000 || (seconds >= -2_524_608_000 && seconds < -1_830_384_000) || seconds >= -1_704_153_600;
}

function loadIanaZone(lower: string): Zone | null {
  if (lower.startsWith('systemv/') || lower === 'etc/unknown') return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: lower, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
  const abbreviations = shownAbbreviations(lower);
  const standard = AMERICAN_STANDARD.get(lower);
  const probe =
    standard === undefined
      ? (seconds: number): number => intlOffset(format, seconds)
      : (seconds: number): number => (isCityTime(seconds) ? standard : intlOffset(format, seconds));
  const gmt = /^etc\/gmt([+-])(\d+)$/.exec(lower);
  if (gmt !== null || (abbreviations.size === 1 && /^(etc\/.*|gmt.*|uct|utc|zulu|universal|greenwich)$/.test(lower))) {
    const offset = probe(0);
    return new Zone(lower, offset, probe, abbreviations.size === 0 ? NO_ABBREVIATIONS : abbreviations);
  }
  return new Zone(lower, null, probe, abbreviations);
}

/** `1/1/1900, GMT-04:56:02` ends in the offset; plain `GMT` is 0. */
function intlOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const text = format.format((seconds - UNIX_EPOCH_SECONDS) * 1000);
  const at = text.lastIndexOf('GMT') + 3;
  if (at >= text.length) return 0;
  const total = Number(text.slice(at + 1, at + 3)) * 3600 + Number(text.slice(at + 4, at + 6)) * 60 + Number(text.slice(at + 7, at + 9));
  return text[at] === '-' ? 0 - total : total;
}

/** The meaning of an abbreviation in input: from the session's zone, otherwise from Postgres's default set. */
export type AbbreviationMeaning =
  { readonly kind: 'standard' | 'daylight'; readonly offset: number } | { readonly kind: 'dynamic'; readonly zone: Zone; readonly abbreviation: string };

export function findAbbreviation(lower: string, session: Zone, abbreviations: Abbreviations): AbbreviationMeaning | null {
  const known = abbreviations.get(lower);
  const abbreviation = lower.toUpperCase();
  const offsets = session.offsetsOf(abbreviation);
  if (offsets.length === 1) return { kind: known?.kind === 'daylight' ? 'daylight' : 'standard', offset: offsets[0]! };
  if (offsets.length > 1) return { kind: 'dynamic', zone: session, abbreviation };
  if (known === undefined) return null;
  if (known.kind !== 'dynamic') return { kind: known.kind, offset: known.offset };
  return { kind: 'dynamic', zone: sessionZone(known.zone!), abbreviation };
}
