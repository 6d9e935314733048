/** pg_collation: those of libc order by code point, those of ICU by collators of the runtime. */
import { FIRST_ICU_COLLATION, ICU_LOCALES } from '../types/icu-locales.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Schema } from '../schema/schema.ts';
import type { Row } from './made-relation.ts';

interface CollationEntry {
  readonly oid: number;
  readonly name: string;
  readonly provider: string;
  readonly encoding: number;
  readonly locale: string | null;
}

const COLLATIONS: readonly CollationEntry[] = [
  { oid: 100, name: 'default', provider: 'd', encoding: -1, locale: null },
  { oid: 950, name: 'C', provider: 'c', encoding: -1, locale: 'C' },
  { oid: 951, name: 'POSIX', provider: 'c', encoding: -1, locale: 'POSIX' },
  { oid: 12340, name: 'ucs_basic', provider: 'c', encoding: 6, locale: 'C' },
  { oid: 12341, name: 'C.utf8', provider: 'c', encoding: 6, locale: 'C.utf8' },
  ...ICU_LOCALES.map((locale, i): CollationEntry => ({ oid: FIRST_ICU_COLLATION + i, name: `${locale}-x-icu`, provider: 'i', encoding: -1, locale })),
  { oid: 14000, name: 'C.UTF-8', provider: 'c', encoding: 6, locale: 'C.UTF-8' },
  { oid: 14001, name: 'en_US', provider: 'c', encoding: 6, locale: 'en_US.utf8' },
  { oid: 14002, name: 'en_US.utf8', provider: 'c', encoding: 6, locale: 'en_US.utf8' },
];

const BY_NAME: ReadonlyMap<string, CollationEntry> = new Map(COLLATIONS.map((each) => [each.name, each]));
const BY_OID: ReadonlyMap<number, CollationEntry> = new Map(COLLATIONS.map((each) => [each.oid, each]));

export function collations(): readonly CollationEntry[] {
  return COLLATIONS;
}

/** Oid of a collation by its name; 0 if there is none. */
export function collationNumber(name: string, schema: Schema): number {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known.oid;
  for (const own of schema.collations.values()) if (own.name === name) return own.number;
  return 0;
}

/** A column's collation in information_schema: null for its type's default. */
export function shownCollation(schema: Schema, database: string, name: string | undefined): readonly [string | null, string | null, string | null] {
  if (name === undefined) return [null, null, null];
  const own = [...schema.collations.values()].find((each) => each.name === name);
  return [database, own?.schema ?? 'pg_catalog', name];
}

export function collationByOid(oid: number): string | null {
  return BY_OID.get(oid)?.name ?? null;
}

export function ownCollationRows(schema: Schema): Row[] {
  return [...schema.collations.values()].map(({ number, schema: own, name, collate, ctype, icu }) => {
    const namespace = schema.schemas.get(own) ?? 0;
    if (icu !== undefined) return [number, name, namespace, schema.ownerOf(number), 'i', icu.deterministic, -1, null, null, icu.locale, null];
    const encoding = collate === 'C' || collate === 'POSIX' ? -1 : 6;
    return [number, name, namespace, schema.ownerOf(number), 'c', true, encoding, collate, ctype, null, null];
  });
}

export function collationRows(): Row[] {
  return COLLATIONS.map(({ oid, name, provider, encoding, locale }) => {
    const places = provider === 'i' ? [null, null, locale] : [locale, locale, null];
    return [oid, name, PG_CATALOG, OWNER, provider, true, encoding, ...places, null];
  });
}
