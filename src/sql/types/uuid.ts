/** uuid: 36 lower-case characters, whose order as text is the order of the bytes. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LOOSE = /^(\{?)[0-9a-fA-F]{4}(?:-?[0-9a-fA-F]{4}){7}(\}?)$/;

export function parseUuid(text: string): string {
  if (CANONICAL.test(text)) return text;
  const match = LOOSE.exec(text);
  if (match === null || (match[1] === '') !== (match[2] === '')) throw new SvcError('22P02', `invalid input syntax for type uuid: "${text}"`);
  return hyphenate(text.replace(/[{}-]/g, '').toLowerCase());
}

/** 32 hex digits in groups of 8, 4, 4, 4 and 12. */
export function hyphenate(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const UUID: SqlType = makeType({
  oid: 2950,
  name: 'uuid',
  title: 'uuid',
  category: 'U',
  length: 16,
  repr: 'string',
  arrayOid: 2951,
  parse: parseUuid,
  format: String,
});
