/** How a procedure is inlined in generated code instead of being called. */
import type { Emitter } from '../emitter.ts';
import type { Operand, Rep } from '../operand.ts';

export interface InlineRule {
  readonly rep: Rep;
  /** Statements that set the parts of `out`, a `decimal`; only reached if no argument is null. */
  readonly decimal?: (g: Emitter, args: readonly Operand[], out: Operand) => void;
  /** Of a `scaled` result. */
  readonly scale?: number;
  /** An expression over arguments that may be placeholders of nulls; it cannot fail. */
  readonly total?: (g: Emitter, args: readonly Operand[]) => string;
  /** Statements that set `out`; only reached if no argument is null. */
  readonly steps?: (g: Emitter, args: readonly Operand[], out: string) => void;
}

/** Chosen by the forms of the arguments; null if the procedure has to be called. */
export type Inline = (args: readonly Operand[]) => InlineRule | null;
