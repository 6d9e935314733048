import type { Compilation } from './compilation.ts';
import type { Operand } from './operand.ts';
export function compileSubquery(_c: Compilation, _x: unknown, e: { kind: string }): Operand {
  throw new Error(`not yet: ${e.kind}`);
}
