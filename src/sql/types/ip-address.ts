/**
 * Addresses of inet and cidr. A value is a string of one character per byte:
 *
 *     family (4 or 6) · bits of the mask · 4 or 16 bytes of the address
 *
 * Manual, section 8.9.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

export function familyOf(value: string): 4 | 6 {
  return value.charCodeAt(0) as 4 | 6;
}

export function maskOf(value: string): number {
  return value.charCodeAt(1);
}

export function sizeOf(value: string): 32 | 128 {
  return value.charCodeAt(0) === 4 ? 32 : 128;
}

export function bytesOf(value: string): number[] {
  const bytes = new Array<number>(value.length - 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = value.charCodeAt(i + 2);
  return bytes;
}

export function addressOf(family: 4 | 6, mask: number, bytes: readonly number[]): string {
  return String.fromCharCode(family, mask, ...bytes);
}

/** The address as a number. */
export function numberOf(value: string): bigint {
  let out = 0n;
  for (let i = 2; i < value.length; i++) out = (out << 8n) | BigInt(value.charCodeAt(i));
  return out;
}

export function withNumber(value: string, number: bigint, mask = maskOf(value)): string {
  const count = value.length - 2;
  const bytes = new Array<number>(count);
  let rest = number;
  for (let i = count - 1; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return addressOf(familyOf(value), mask, bytes);
}

/** All bits before the end of the mask. */
export function networkMask(value: string, mask = maskOf(value)): bigint {
  const size = BigInt(sizeOf(value));
  return ((1n << BigInt(mask)) - 1n) << (size - BigInt(mask));
}

export function networkOf(value: string): string {
  return withNumber(value, numberOf(value) & networkMask(value));
}

/** The number of common leading bits, at most `most`. */
export function sharedBits(a: string, b: string, most: number): number {
  for (let i = 2; i < a.length; i++) {
    const differing = a.charCodeAt(i) ^ b.charCodeAt(i);
    if (differing !== 0) return Math.min(most, (i - 2) * 8 + Math.clz32(differing) - 24);
  }
  return most;
}

/** Families, then networks, then the longer mask last, then whole addresses. */
export function compareAddresses(a: string, b: string): number {
  if (familyOf(a) !== familyOf(b)) return familyOf(a) - familyOf(b);
  const shorter = Math.min(maskOf(a), maskOf(b));
  const full = sizeOf(a);
  const shared = sharedBits(a, b, full);
  if (shared >= shorter && maskOf(a) !== maskOf(b)) return maskOf(a) - maskOf(b);
  if (shared === full) return 0;
  return a.slice(2) < b.slice(2) ? -1 : 1;
}

export function parseAddress(text: string, cidr: boolean): string {
  const type = cidr ? 'cidr' : 'inet';
  const wrong = (): SvcError => new SvcError('22P02', `invalid input syntax for type ${type}: "${text}"`);
  const slash = text.indexOf('/');
  const host = slash < 0 ? text : text.slice(0, slash);
  const v6 = host.includes(':');
  const parsed = v6 ? parseV6(host) : parseV4(host, cidr);
  if (parsed === null) throw wrong();
  const size = v6 ? 128 : 32;
  let mask = v6 ? 128 : cidr ? classMask(parsed.bytes, parsed.given) : 32;
  if (!v6 && !cidr && parsed.given < 4 && slash < 0) throw wrong();
  if (slash >= 0) {
    const written = text.slice(slash + 1);
    if (!/^\d{1,3}$/.test(written) || Number(written) > size) throw wrong();
    mask = Number(written);
    if (!v6 && parsed.given < 4 && !cidr && parsed.given * 8 < mask) throw wrong();
    if (!v6 && cidr && parsed.given * 8 < mask && parsed.given < 4) parsed.given = 4;
  }
  const value = addressOf(v6 ? 6 : 4, mask, parsed.bytes);
  if (cidr && networkOf(value) !== value) {
    throw new SvcError('22P02', `invalid cidr value: "${text}"`, { detail: 'Value has bits set to right of mask.' });
  }
  return value;
}

/** Without a mask, the network class and the number of written bytes give it. */
function classMask(bytes: readonly number[], given: number): number {
  const [first] = bytes;
  const byClass = first >= 240 ? 32 : first >= 224 ? 8 : first >= 192 ? 24 : first >= 128 ? 16 : 8;
  const mask = Math.max(byClass, given * 8);
  return mask === 8 && first === 224 ? 4 : mask;
}

function parseV4(text: string, short: boolean): { bytes: number[]; given: number } | null {
  const parts = text.split('.');
  const given = parts[parts.length - 1] === '' && parts.length > 1 && short ? parts.length - 1 : parts.length;
  if (given > 4 || given < 1) return null;
  const bytes: number[] = [];
  for (let i = 0; i < given; i++) {
    if (!/^\d{1,3}$/.test(parts[i]) || Number(parts[i]) > 255) return null;
    bytes.push(Number(parts[i]));
  }
  while (bytes.length < 4) bytes.push(0);
  return { bytes, given };
}

function parseV6(text: string): { bytes: number[]; given: number } | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const words: number[][] = [];
  for (const [n, half] of halves.entries()) {
    const list: number[] = [];
    const parts = half === '' ? [] : half.split(':');
    for (const [i, part] of parts.entries()) {
      if (part.includes('.')) {
        const v4 = i === parts.length - 1 && n === halves.length - 1 ? parseV4(part, false) : null;
        if (v4 === null || v4.given !== 4) return null;
        list.push((v4.bytes[0] << 8) | v4.bytes[1], (v4.bytes[2] << 8) | v4.bytes[3]);
      } else {
        if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return null;
        list.push(Number.parseInt(part, 16));
      }
    }
    words.push(list);
  }
  const count = words.reduce((sum, list) => sum + list.length, 0);
  if (halves.length === 1 ? count !== 8 : count > 7) return null;
  const all = halves.length === 1 ? words[0] : [...words[0], ...new Array<number>(8 - count).fill(0), ...words[1]];
  return { bytes: all.flatMap((word) => [word >> 8, word & 255]), given: 16 };
}

/** The address without the mask. */
export function hostText(value: string): string {
  const bytes = bytesOf(value);
  if (familyOf(value) === 4) return bytes.join('.');
  const words: number[] = [];
  for (let i = 0; i < 16; i += 2) words.push((bytes[i] << 8) | bytes[i + 1]);
  // The longest run of zero words, the first of several, is omitted.
  let best = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && words[i + run] === 0) run++;
    if (run > length) {
      best = i;
      length = run;
    }
  }
  // ::1.2.3.4 and ::ffff:1.2.3.4 end with an IPv4 address.
  const mapped = best === 0 && (length === 6 || (length === 5 && words[5] === 0xffff));
  const shown = mapped ? [...words.slice(0, 6).map((word) => word.toString(16)), bytes.slice(12).join('.')] : words.map((word) => word.toString(16));
  if (best < 0) return shown.join(':');
  const end = mapped ? Math.min(best + length, 6) : best + length;
  return `${shown.slice(0, best).join(':')}::${shown.slice(end).join(':')}`;
}
