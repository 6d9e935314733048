/**
 * One operation: input, output, capability, errors, and how models see it. HTTP routes and their validation, the OpenAPI document, the
 * tools for models and the reference are derived from it; handlers are independent of the transport.
 */
import type { Static, TSchema } from 'typebox';
import type { SqlState } from '../base/errors/sqlstate.ts';
import type { RunControl } from '../commands/run-control.ts';
import type { Need } from '../session/authorize.ts';
import type { Capability } from '../session/capability.ts';
import type { Principal } from '../session/principal.ts';
import type { FieldAliases } from './field-aliases.ts';
import type { Mask } from './masking.ts';
import type { ModelTool } from './model-tool.ts';
import type { Services } from './services.ts';

/** `read` is answered during an outage; `write` is not; `grow` is refused above the ceiling of the disk as well. */
export type Effect = 'read' | 'write' | 'grow';

export interface Call<Input> {
  readonly services: Services;
  readonly input: Input;
  readonly by: Principal;
  readonly control: RunControl;
}

/** A column of a world statement's result, and its SQL type. */
export type ResultColumn = readonly [name: string, type: 'text' | 'int8' | 'float8' | 'bool' | 'timestamptz' | 'jsonb'];

export interface Operation<Name extends string, Input extends TSchema, Output extends TSchema> {
  readonly name: Name;
  readonly aliases?: readonly string[];
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly input: Input;
  readonly output: Output;
  /** Second names of fields, taken by every entrance: `{ by_columns: 'columns' }`. */
  readonly fieldAliases?: FieldAliases;
  /** The least that allows it where it is allowed at all, for readers; a change is authorized by the world at hand, in the turn of its commit. */
  readonly capability: Capability;
  /** A second one that it needs as well. */
  readonly also?: Capability;
  /** What a read needs; default READ. */
  readonly needs?: Need;
  readonly effect: Effect;
  /** Where the input decides. */
  effectOf?(input: Static<Input>, control: RunControl): Effect;
  /** It checks the state of the engine itself. */
  readonly gate?: 'own';
  /** It takes or gives whole rows: refused to roles without superuser, whose privileges and policies only SQL asks. */
  readonly rows?: true | ((input: Static<Input>) => boolean);
  /** How masked columns are held back from callers who may not see them. */
  readonly mask?: Mask<Static<Input>, Static<Output>>;
  /** Beside the ones that every operation can raise. */
  readonly errors: readonly SqlState[];
  readonly examples: readonly { input: Static<Input>; output?: Static<Output> }[];
  /** May run long; cancelled when its request ends. */
  readonly long?: true;
  /** Values that only callers in this process may give, by field: an AbortSignal, an empty parent. No entrance reads them from a message. */
  readonly inProcess?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Columns of the statements of SQL that answer with it, by form: `result` where there is one. */
  readonly sql?: Readonly<Record<string, readonly ResultColumn[]>>;
  /** Its tools for models; none: only the other entrances have it. */
  readonly mcp?: ModelTool<Static<Input>, Static<Output>> | readonly ModelTool<Static<Input>, Static<Output>>[];
  run(call: Call<Static<Input>>): Promise<Static<Output>>;
}

/** An operation of any input, as the table holds it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyOperation = Operation<string, any, any>;

export function defineOperation<const Name extends string, Input extends TSchema, Output extends TSchema>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return operation;
}

/** Errors that any operation may raise: bad input, no such world, storage. */
export const COMMON_ERRORS: readonly SqlState[] = ['22023', '22P02', '3D000', '42501', '53300', '53400', '57P01', '58030'];
