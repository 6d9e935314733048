/** Views of extensions. They are system relations, which the catalogs show in the extension's schema once CREATE EXTENSION was run. */
import { INFO_COLUMNS, STATEMENT_COLUMNS } from '../functions/extension/stat-statements.ts';
import type { Schema } from '../schema/schema.ts';

/** As data/relations.ts. */
export const EXTENSION_RELATIONS = [
  ['12990 v c pg_stat_statements', STATEMENT_COLUMNS],
  ['12991 v c pg_stat_statements_info', INFO_COLUMNS],
]
  .map(([relation, columns]) => `${relation} ${columns}`)
  .join('\n');

export const RELATION_EXTENSIONS: ReadonlyMap<number, string> = new Map([
  [12990, 'pg_stat_statements'],
  [12991, 'pg_stat_statements'],
]);

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['pg_stat_statements', 'pg_stat_statements'],
  ['pg_stat_statements_info', 'pg_stat_statements'],
]);

/** The schema in which a system relation of this name in this schema is found: inside, views of extensions are relations of pg_catalog. */
export function systemSchemaOf({ extensions }: Pick<Schema, 'extensions'>, schema: string, name: string): string | null {
  const extension = BY_NAME.get(name);
  if (extension === undefined) return schema === 'pg_catalog' || schema === 'information_schema' ? schema : null;
  return extensions.get(extension)?.schema === schema ? 'pg_catalog' : null;
}
