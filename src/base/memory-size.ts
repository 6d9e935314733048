/** Memory sizes as operators write them: `256MB`, `1 GB`, `65536 kB`, `1.5GB`, or a plain number of megabytes. Units are powers of 1024, as in Postgres. */
import { SvcError } from './errors/svc-error.ts';

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 };

/** Bytes, or null if the text is not a size. */
export function parseMemorySize(text: string, unit = 'mb'): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  if (found === null) return null;
  const factor = UNITS[found[2] === '' ? unit : found[2]];
  return factor === undefined ? null : Math.floor(Number(found[1]) * factor);
}

/** Size from an environment variable; 22023 if it is invalid, or less than `least` megabytes. */
export function memorySizeFrom(name: string, text: string | undefined, standard: number, least: number): number {
  if (text === undefined || text === '') return standard;
  const bytes = parseMemorySize(text);
  if (bytes !== null && bytes >= least * UNITS['mb']!) return bytes;
  throw new SvcError('22023', `${name} is "${text}"; it must be a size such as 256MB or 1GB, or a number of megabytes, at least ${least}`);
}
