/**
 * An operation as a tool for models: the fields that it shows, and how its reply reads. The rest follows from the operation: schema and
 * types from its input, the capability that lists it, the hints whether it reads or destroys. A tool has no logic of its own.
 *
 *   arguments ─► schema ─► second names ─► `asked` ─► operation ─► `text`
 */
import type { Static, TSchema } from 'typebox';
import type { Capability } from '../session/capability.ts';
import type { AnyOperation, Operation } from './define-operation.ts';

/** Fields of the tool alone: which part of a reply is shown. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Characters that the reply may have, from `max_tokens`. */
  readonly room: number;
}

export interface ModelCall<Input, Output> {
  /** The operation's fields, as they were given. */
  readonly given: Input;
  readonly page: Page;
  /** Calls the operation again. */
  ask(input: Input): Promise<Output>;
  /** Calls another one, as the same principal. */
  other<Name extends string, In extends TSchema, Out extends TSchema>(operation: Operation<Name, In, Out>, input: Static<In>): Promise<Static<Out>>;
}

export interface ModelTool<Input, Output> {
  /** Default: the operation's. */
  readonly name?: string;
  readonly title: string;
  /** What it does, when to call it, what it answers. Every word is paid for in each session. */
  readonly description: string;
  /** Fields that it shows, in order; a second name (`fieldAliases`) where a model is to see that. Default: all. */
  readonly fields?: readonly string[];
  /** Descriptions that differ from the operation's; '' for none. */
  readonly words?: Readonly<Record<string, string>>;
  /** Fields that are listed with another schema than the one that checks them. */
  readonly shown?: Readonly<Record<string, TSchema>>;
  /** Fields that the tool requires though the operation has a default. */
  readonly required?: readonly string[];
  /** Fields whose upper bounds `asked` checks, which says what to call instead. */
  readonly bounded?: readonly string[];
  /** Fields that no caller gives. */
  readonly fixed?: Partial<Input>;
  /** Fields of its own where its reply can be long: the default of `limit`, whether there is an `offset`; `max_tokens` comes with them. */
  readonly page?: { readonly limit?: number; readonly offset?: true };
  readonly destructive?: true;
  readonly idempotent?: true;
  /** Words behind the figures of progress notifications; default `rows read`. */
  readonly progress?: string;
  /** The operation's input: defaults of the tool, and last checks. */
  asked?(given: Input, page: Page): Input;
  text(reply: Output, call: ModelCall<Input, Output>): string | Promise<string>;
  /** An error in the words of this tool. */
  refusal?(error: unknown, given: Input): unknown;
  /** In safe mode: statements for a person, after the operation has checked the input as a draft. */
  draft?(reply: Output, call: ModelCall<Input, Output>): readonly string[] | Promise<readonly string[]>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyModelTool = ModelTool<any, any>;

export function modelToolsOf({ mcp }: AnyOperation): readonly AnyModelTool[] {
  return mcp === undefined ? [] : Array.isArray(mcp) ? (mcp as readonly AnyModelTool[]) : [mcp as AnyModelTool];
}

/** Whether a call of the tool changes nothing. */
export function readsOnly(operation: AnyOperation, { fixed }: AnyModelTool): boolean {
  return (operation.effectOf === undefined || fixed === undefined ? operation.effect : operation.effectOf(fixed, {})) === 'read';
}

/** It is listed for those who have one of `some` and all of `all`; the operation itself checks the rest. */
export function listedFor(operation: AnyOperation, tool: AnyModelTool): { some: readonly Capability[]; all: readonly Capability[] } {
  const { capability, also } = operation;
  const all = also === undefined ? [] : [also];
  // A dry run of a change.
  if (operation.effect !== 'read' && readsOnly(operation, tool)) return { some: ['read'], all: [] };
  if (capability === 'merge_own') return { some: ['merge', 'merge_own'], all };
  if (capability !== 'write_own') return { some: [capability], all };
  // What has to name a world cannot mean main.
  const { required = [] } = operation.input as { required?: string[] };
  return { some: required.includes('branch') ? ['write_own', 'write'] : ['write_own', 'write', 'write_main'], all };
}

/** Merging, restoring and what undoes them are not for safe mode. */
export function isUnsafe(operation: AnyOperation, tool: AnyModelTool): boolean {
  return !readsOnly(operation, tool) && (operation.capability === 'merge_own' || operation.capability === 'restore');
}
