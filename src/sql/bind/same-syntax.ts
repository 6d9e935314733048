/** Equality of expressions as written, ignoring positions. */
import type { Expression } from '../ast/expression.ts';

/** An expression without its positions, for comparisons. */
export function writtenAs(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) =>
    key === 'at' || (key === 'schema' && value === 'pg_catalog') ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}
