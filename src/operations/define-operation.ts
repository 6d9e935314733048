/**
 * One operation, whole: what goes in, what comes out, who may, what can go wrong. HTTP routes and their
 * validation, the OpenAPI document and the reference derive from it; a handler knows no transport.
 */
import type { TSchema } from 'typebox';
import type { RunControl } from '../commands/contract.ts';
import type { SqlState } from '../base/errors/sqlstate.ts';
import type { Capability } from '../session/capability.ts';
import type { Session } from './session.ts';

export interface Operation<Input = unknown, Output = unknown> {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly input: TSchema;
  readonly output: TSchema;
  /** The least that allows it where it is allowed at all, for readers; commands authorize by the world at hand. */
  readonly capability: Capability;
  readonly effect: 'read' | 'append';
  /** Beside the ones every operation can raise. */
  readonly errors: readonly SqlState[];
  readonly examples: readonly { input: Input; output?: Output }[];
  /** A method, so that the table can hold operations of every input. */
  handler(session: Session, input: Input, control?: RunControl): Promise<Output>;
  /** It may take long, and is given up with its request. */
  readonly long?: true;
}

export type AnyOperation = Operation<unknown, unknown>;

export function defineOperation<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output> {
  return operation;
}

/** Errors that any operation may raise: bad input, no such world, storage. */
export const COMMON_ERRORS: readonly SqlState[] = ['22023', '22P02', '3D000', '42501', '53300', '53400', '57P01', '58030'];
