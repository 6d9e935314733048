/** Short declarations for files with many plain functions. */
import type { ScalarFunction } from '../define.ts';

/** An immutable, strict function. */
export function scalar(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}
