/**
 * `--mask table.column[=value|function]`: what agents see in place of a column's values. The values are replaced in Postgres, while they are
 * read, and never reach the folder.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { inQuotes, quoteString } from '../base/quote-identifier.ts';
import type { SourceColumn, SourceTable } from './source-catalog.ts';
import { writtenColumn, writtenName } from './written-names.ts';

export interface MaskOption {
  /** As it is written: `name` or `schema.name`. */
  readonly table: string;
  readonly column: string;
  /** null: NULL. */
  readonly with: string | null;
}

/** Functions by name, over `value`. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  hash: `pg_catalog.md5(value::pg_catalog.text)`,
  email: `'user-' || pg_catalog.left(pg_catalog.md5(value::pg_catalog.text), 12) || '@example.com'`,
  first_letter: `pg_catalog.left(value::pg_catalog.text, 1) || '***'`,
  last_four: `'****' || pg_catalog.right(value::pg_catalog.text, 4)`,
};

export function parseMask(text: string): MaskOption {
  const at = /^(?:[^"=]|"[^"]*")*=/.exec(text)?.[0].length ?? 0;
  const name = at === 0 ? text : text.slice(0, at - 1);
  const written = writtenColumn(name);
  if (written === null) {
    throw new SvcError('22023', `--mask "${name.slice(0, 80)}" names no column`, {
      hint: `Write table.column, table.column=value, or table.column=function with one of ${Object.keys(FUNCTIONS).join(', ')}, or SQL over \`value\` in brackets: t.c=(upper(value)).`,
    });
  }
  return { ...written, with: at === 0 ? null : text.slice(at) };
}

export function isMasked({ table: written }: MaskOption, { schema, name }: Pick<SourceTable, 'schema' | 'name'>): boolean {
  const wanted = writtenName(written);
  return wanted.table === name && (wanted.schema ?? schema) === schema;
}

/** SQL of the masked value of a column, or null without a mask. The first option that names it counts. */
export function maskOf(masks: readonly MaskOption[], table: SourceTable, column: SourceColumn): string | null {
  const found = masks.find((each) => each.column === column.name && isMasked(each, table));
  if (found === undefined) return null;
  if (found.with === null) return `NULL::${column.type}`;
  const body = Object.hasOwn(FUNCTIONS, found.with) ? FUNCTIONS[found.with] : /^\(.*\)$/s.test(found.with) ? found.with : null;
  if (body === null) return `${quoteString(found.with)}::${column.type}`;
  return `(SELECT (${body})::${column.type} FROM (SELECT source.${inQuotes(column.name)} AS value) AS masked)`;
}
