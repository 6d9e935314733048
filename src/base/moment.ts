/** Moments as users write them: an ISO time, `-10m`, or `#sequence`. */
import type { Micros } from './brands.ts';
import { formatMicros } from './clock.ts';
import { SvcError } from './errors/svc-error.ts';

export type Moment = { kind: 'at'; at: Micros } | { kind: 'sequence'; sequence: number };

const UNIT_MICROS: Record<string, number> = { ms: 1e3, s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6, w: 604_800e6 };
const AGO = /^-(\d{1,15}(?:\.\d+)?)(ms|s|m|h|d|w)$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** 22007 if it is invalid or in the future. */
export function parseMoment(text: string, now: Micros): Moment {
  const hint = 'Write an ISO time (2026-01-31T12:00:00Z), a time ago (-10m; ms s m h d w) or #sequence.';
  const ago = AGO.exec(text);
  if (ago !== null) return { kind: 'at', at: Math.floor(now - Number(ago[1]) * UNIT_MICROS[ago[2]]) as Micros };
  const sequence = /^#(\d{1,15})$/.exec(text);
  if (sequence !== null) return { kind: 'sequence', sequence: Number(sequence[1]) };
  if (!ISO.test(text)) throw new SvcError('22007', `"${text}" is not a time`, { hint });
  const fraction = /\.(\d{1,6})/.exec(text)?.[1] ?? '';
  let plain = text.replace(/\.\d{1,6}/, '').replace(' ', 'T');
  if (plain.length === 10) plain += 'T00:00:00Z';
  else if (!/(Z|[+-]\d{2}(:?\d{2})?)$/.test(plain)) plain += 'Z';
  plain = plain.replace(/([+-]\d{2})$/, '$1:00');
  const millis = Date.parse(plain);
  // Date.parse reads 30 February as 2 March.
  const day = new Date(`${plain.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(millis) || day.getUTCDate() !== Number(plain.slice(8, 10))) throw new SvcError('22007', `"${text}" is not a time`, { hint });
  const at = (millis * 1000 + Number(fraction.padEnd(6, '0'))) as Micros;
  if (at > now) throw new SvcError('22007', `"${text}" lies in the future`, { hint });
  return { kind: 'at', at };
}

/** Fixes a relative time: `world@-10m` becomes `world@<time>`. Other texts are unchanged. */
export function atFixedMoment(branch: string, now: Micros): string {
  const mark = branch.indexOf('@-');
  if (mark < 0 || !AGO.test(branch.slice(mark + 1))) return branch;
  const moment = parseMoment(branch.slice(mark + 1), now);
  return moment.kind === 'at' ? `${branch.slice(0, mark)}@${formatMicros(moment.at)}` : branch;
}
