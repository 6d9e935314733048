/** ICU collations of a world, and the refusal of keys that cannot use their order or equality. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type IcuCollation, icuCollation } from '../types/icu-collation.ts';
import { canFold } from '../types/folded-text.ts';
import { icuLocale } from '../types/icu-locales.ts';
import type { Ddl } from './ddl.ts';
import { collationsOf, domainCollation, factsOf } from './facts.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';
import type { SqlType } from '../types/type.ts';

/** null for a collation that orders by code point, and for a missing one. */
export function icuCollationNamed(schema: Schema, name: string): IcuCollation | null {
  for (const own of schema.collations.values())
    if (own.name === name) return own.icu === undefined ? null : icuCollation(own.icu.locale, own.icu.deterministic);
  return systemIcuCollation(name);
}

/** A predefined one. */
export function systemIcuCollation(name: string): IcuCollation | null {
  const locale = icuLocale(name);
  return locale === null ? null : icuCollation(locale, true);
}

/** The locale of a column with a nondeterministic collation that keys support; null for any other. */
export function foldingLocale(schema: Schema, type: SqlType, collation: string | null): string | null {
  const name = collation ?? domainCollation(schema, type) ?? null;
  const found = name === null ? null : icuCollationNamed(schema, name);
  return found === null || found.deterministic || !canFold(type, found) ? null : found.locale;
}

/**
 * 0A000 for keys with an equality that keys do not support, for exclusion constraints with one that is not of texts, and for
 * partitioning by an ICU order. Checked once the table and its facts exist.
 */
export function refuseCollatedKeys(ddl: Ddl, number: number): void {
  const { schema } = ddl;
  const table = schema.tables.get(number);
  if (table === undefined) return;
  const own = collationsOf(schema, table);
  const of = (column: number | null, given: string | null | undefined): IcuCollation | null => {
    const name = given ?? (column === null ? null : own?.[column]) ?? null;
    return name === null ? null : icuCollationNamed(schema, name);
  };
  const refuse = (what: string): never => {
    throw new SvcError('0A000', `${what} of table "${table.name}" by ICU collations are not supported`);
  };
  const isFolding = (column: number | null, given?: string | null): boolean => of(column, given)?.deterministic === false;
  const unkeyed = (): never => refuse('such unique keys and exclusion constraints over nondeterministic columns');
  if (table.key.columns.some((column) => table.columns[column].folding === undefined && isFolding(column))) unkeyed();
  for (const index of table.indexes) {
    if (!index.unique && !index.excludes) continue;
    const given = factsOf(schema, index.number)?.collations;
    index.columns.forEach(({ column, folding }, i) => {
      if (folding === undefined ? isFolding(column, given?.[i]) : index.excludes) unkeyed();
    });
  }
  for (const { column, words } of table.inheritance?.partitionBy?.elements ?? []) {
    const found = of(column, /COLLATE "?([^"\s]+)"?/.exec(words)?.[1]);
    if (found !== null && (table.inheritance!.partitionBy!.strategy === 'range' || !found.deterministic)) refuse('partitions');
  }
}

/** Whether a column of the table has an ICU collation. */
export function hasIcuColumn(schema: Schema, table: SqlTable): boolean {
  return collationsOf(schema, table)?.some((name) => name !== null && icuCollationNamed(schema, name) !== null) === true;
}
