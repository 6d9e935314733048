/** Expressions that are written alike, wherever they stand. */
import type { Expression } from '../ast/expression.ts';

/** An expression without its places, to be compared with another. */
export function writtenAs(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) =>
    key === 'at' || (key === 'schema' && value === 'pg_catalog') ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}
