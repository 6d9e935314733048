/** Names of sequences in the texts of defaults: `nextval('no')`, `nextval('sales.no'::regclass)`. */
import { quoteIdentifier } from '../base/quote-identifier.ts';

export interface SequenceName {
  readonly schema: string;
  readonly name: string;
}

/** The default with the sequence's new name; `home` is the schema of the default's table, where a bare name may be meant. */
export function renameInDefault(sql: string, home: string | undefined, from: SequenceName, to: SequenceName): string {
  if (!/nextval/i.test(sql)) return sql;
  const whole = text(from.schema, from.name);
  if (sql.includes(whole)) return sql.replace(whole, () => text(to.schema, to.name));
  const bare = text(from.name);
  if (!sql.includes(bare) || (from.schema !== 'public' && home !== from.schema)) return sql;
  return sql.replace(bare, () => (from.schema === to.schema ? text(to.name) : text(to.schema, to.name)));
}

function text(...parts: readonly string[]): string {
  return `'${parts.map((part) => quoteIdentifier(part).replaceAll("'", "''")).join('.')}'`;
}
