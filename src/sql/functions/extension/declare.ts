/** Short declarations for extension files: the reference line names the extension. */
import type { ScalarFunction, SqlOperator } from '../define.ts';

export type DeclareScalar = (
  name: string,
  args: readonly string[],
  returns: string,
  doc: string,
  impl: ScalarFunction['impl'],
  more?: Partial<ScalarFunction>,
) => ScalarFunction;

/** Declares immutable, strict functions of the extension. */
export function scalarsOf(extension: string): DeclareScalar {
  return (name, args, returns, doc, impl, more = {}) => ({ kind: 'scalar', name, args, returns, doc: `${doc} (${extension}).`, impl, ...more });
}

export function op(
  name: string,
  left: string | null,
  right: string,
  returns: string,
  proc: string,
  impl: SqlOperator['impl'],
  more: Partial<SqlOperator> = {},
): SqlOperator {
  return { name, left, right, returns, proc, impl, ...more };
}
