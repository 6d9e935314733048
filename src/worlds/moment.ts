/** Moments as users write them: an ISO time, `-10m`, or `#sequence`. */
import type { Micros } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';

export type Moment = { kind: 'at'; at: Micros } | { kind: 'sequence'; sequence: number };

const UNIT_MICROS: Record<string, number> = { ms: 1e3, s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6, w: 604_800e6 };
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** 22007 where it is unreadable or lies in the future. */
export function parseMoment(text: string, now: Micros): Moment {
  const hint = 'Write an ISO time (2026-01-31T12:00:00Z), a time ago (-10m; ms s m h d w) or #sequence.';
  const ago = /^-(\d{1,15}(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text);
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
  if (Number.isNaN(millis)) throw new SvcError('22007', `"${text}" is not a time`, { hint });
  const at = (millis * 1000 + Number(fraction.padEnd(6, '0'))) as Micros;
  if (at > now) throw new SvcError('22007', `"${text}" lies in the future`, { hint });
  return { kind: 'at', at };
}
