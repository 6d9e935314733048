/** The five domains of information_schema, which its columns have: rows of pg_type. Expressions use their base types. */
import { DOMAINS } from './data/fixed-objects.ts';
import { typeFacts } from './facts.ts';
import { INFORMATION_SCHEMA } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { typeRow } from './type-rows.ts';
import { ARRAY, DOMAIN, NONE, VARLENA } from './user-type-rows.ts';

const LINES = DOMAINS.split('\n').map((line) => line.split('|'));

/** With their arrays. */
export function standardDomainRows(): Row[] {
  return LINES.flatMap(([oid, array, name, base, typmod, notNull, text]) => {
    const facts = typeFacts().get(Number(base))!;
    const own = { ...facts, ...NONE, ...DOMAIN, kind: 'd', array: Number(array) };
    const listed = {
      ...NONE,
      ...VARLENA,
      ...ARRAY,
      align: facts.align === 'd' ? 'd' : 'i',
      kind: 'b',
      category: 'A',
      array: 0,
      element: Number(oid),
      collation: facts.collation,
    };
    const parts = { base: Number(base), typmod: Number(typmod), notNull: notNull === 't', default: text === '~' ? null : text };
    return [typeRow(Number(oid), name, INFORMATION_SCHEMA, own, undefined, null, parts), typeRow(Number(array), `_${name}`, INFORMATION_SCHEMA, listed)];
  });
}

/** Qualified; null for other types. */
export function standardDomainTitle(oid: number): string | null {
  for (const [own, array, name] of LINES) {
    if (Number(own) === oid) return `information_schema.${name}`;
    if (Number(array) === oid) return `information_schema.${name}[]`;
  }
  return null;
}
