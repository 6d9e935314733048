/** `transform_null_equals`: a comparison `=` with a literal NULL becomes IS NULL. Manual, section 20.13.2. */
import type { Expression } from './expression.ts';

/** The test for the comparison; null for another operator, or if no side is the keyword NULL. */
export function nullTestOf(expression: Expression): (Expression & { type: 'isNull' }) | null {
  if (expression.type !== 'operator') return null;
  const { operator, left, right, at } = expression;
  if (left === null || operator.schema !== null || operator.name !== '=') return null;
  if (left.type !== 'null' && right.type !== 'null') return null;
  return { type: 'isNull', arg: left.type === 'null' ? right : left, negated: false, at };
}

/** A statement with all its comparisons with NULL as tests: stored definitions must not depend on a setting. */
export function withNullTests<T>(node: T): T {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((each: unknown) => withNullTests(each)) as T;
  const entries = Object.entries(node).map(([key, value]) => [key, withNullTests(value as unknown)] as const);
  const out = entries.every(([key, value]) => value === (node as Record<string, unknown>)[key]) ? node : (Object.fromEntries(entries) as T);
  return (((out as { type?: unknown }).type === 'operator' ? nullTestOf(out as Expression) : null) as T | null) ?? out;
}
