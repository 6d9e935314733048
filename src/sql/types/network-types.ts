/** inet, cidr, macaddr and macaddr8. Manual, section 8.9. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { compareAddresses, hostText, maskOf, parseAddress, sizeOf } from './ip-address.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

export const INET: SqlType = makeType({
  oid: 869,
  name: 'inet',
  title: 'inet',
  category: 'I',
  preferred: true,
  length: -1,
  repr: 'string',
  arrayOid: 1041,
  parse: (text) => parseAddress(text, false),
  format: (value) => inetText(value as string),
  compare: (a, b) => compareAddresses(a as string, b as string),
});

export function inetText(value: string): string {
  return maskOf(value) === sizeOf(value) ? hostText(value) : cidrText(value);
}

export function cidrText(value: string): string {
  return `${hostText(value)}/${maskOf(value)}`;
}

export const CIDR: SqlType = makeType({
  oid: 650,
  name: 'cidr',
  title: 'cidr',
  category: 'I',
  length: -1,
  repr: 'string',
  arrayOid: 651,
  parse: (text) => parseAddress(text, true),
  format: (value) => cidrText(value as string),
  compare: (a, b) => compareAddresses(a as string, b as string),
});

const FORMS6 = [
  /^([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2}):([0-9a-f]{1,2})$/i,
  /^([0-9a-f]{1,2})-([0-9a-f]{1,2})-([0-9a-f]{1,2})-([0-9a-f]{1,2})-([0-9a-f]{1,2})-([0-9a-f]{1,2})$/i,
  /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})[:-]([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i,
  /^([0-9a-f]{2})([0-9a-f]{2})[.-]([0-9a-f]{2})([0-9a-f]{2})[.-]([0-9a-f]{2})([0-9a-f]{2})$/i,
  /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i,
];

/** Six numbers, which may exceed a byte. */
const WIDE6 = /^([0-9a-f]+([:-]))(?:[0-9a-f]+\2){4}[0-9a-f]+$/i;

/** Six bytes as `08:00:2b:01:02:03`, whose order as text is that of the bytes. */
export const MACADDR: SqlType = makeType({
  oid: 829,
  name: 'macaddr',
  title: 'macaddr',
  category: 'U',
  length: 6,
  repr: 'string',
  arrayOid: 1040,
  parse: (text) => {
    const given = text.trim();
    for (const form of FORMS6) {
      const found = form.exec(given);
      if (found !== null) return canonical(found.slice(1));
    }
    if (WIDE6.test(given)) throw new SvcError('22003', `invalid octet value in "macaddr" value: "${text}"`);
    throw new SvcError('22P02', `invalid input syntax for type macaddr: "${text}"`);
  },
  format: String,
});

function canonical(bytes: readonly string[]): string {
  return bytes.map((byte) => byte.toLowerCase().padStart(2, '0')).join(':');
}

/** Eight bytes; six become eight with ff:fe in the middle. */
export const MACADDR8: SqlType = makeType({
  oid: 774,
  name: 'macaddr8',
  title: 'macaddr8',
  category: 'U',
  length: 8,
  repr: 'string',
  arrayOid: 775,
  parse: (text) => {
    const digits = /^\s*([0-9a-f]{2}(?:([:.-])?[0-9a-f]{2})*)\s*$/i.exec(text)?.[1];
    const separators = new Set(digits?.replace(/[0-9a-f]/gi, '') ?? '');
    const bytes = digits?.replace(/[:.-]/g, '').match(/../g) ?? [];
    if (separators.size > 1 || (bytes.length !== 6 && bytes.length !== 8)) throw new SvcError('22P02', `invalid input syntax for type macaddr8: "${text}"`);
    return canonical(bytes.length === 8 ? bytes : widened(bytes));
  },
  format: String,
});

export function widened(bytes: readonly string[]): string[] {
  return [...bytes.slice(0, 3), 'ff', 'fe', ...bytes.slice(3)];
}
