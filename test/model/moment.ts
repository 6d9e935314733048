/** `-10m`, an ISO time or `#sequence`. */
import { SvcError } from '../../src/base/errors/svc-error.ts';

const UNITS_MICROS: { [unit: string]: number } = { ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9, d: 8.64e10, w: 6.048e11 };

export function parseMoment(text: string, nowMicros: number): { at: number } | { sequence: number } {
  const ago = /^-(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text);
  if (ago) return { at: nowMicros - Number(ago[1]) * UNITS_MICROS[ago[2]] };
  const sequence = /^#(\d+)$/.exec(text);
  if (sequence) return { sequence: Number(sequence[1]) };
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text);
  if (iso) {
    const [, day, time = '00:00', fraction = '', zone = 'Z'] = iso;
    const millis = Date.parse(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`);
    const at = millis * 1000 + Number(fraction.padEnd(6, '0'));
    if (at <= nowMicros) return { at };
  }
  throw new SvcError('22007', `"${text}" is not a time, or lies in the future`);
}
