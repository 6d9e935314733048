/** A tool for models: input, required capabilities, and text output. */
import Type, { type TSchema } from 'typebox';
import { may } from '../session/authorize.ts';
import type { Capability } from '../session/capability.ts';
import type { Principal } from '../session/principal.ts';
import type { AllCommands } from '../commands/contract.ts';
import type { Report } from './progress.ts';

export interface ModelSession {
  readonly principal: Principal;
  readonly commands: AllCommands;
  /** Only worlds of this session (or the guest) may be changed; statements on worlds and settings are refused. */
  readonly safe: boolean;
}

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to call it, what it answers. */
  readonly description: string;
  readonly input: TSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean; readonly idempotentHint?: boolean };
  /** Listed if the principal has one of them (all of `all`); everything else is checked by the call itself. */
  readonly needs: readonly Capability[];
  readonly all?: readonly Capability[];
  /** Not listed in safe mode. */
  readonly unsafe?: boolean;
  run(session: ModelSession, input: Input, call: ToolCall): Promise<string>;
}

export type AnyTool = Tool<never>;

export function isListed(tool: AnyTool, { principal, safe }: ModelSession): boolean {
  if (safe) return tool.unsafe !== true;
  return tool.needs.some((capability) => may(principal, capability)) && (tool.all ?? []).every((capability) => may(principal, capability));
}

// --- pages

/** The rows that fit after `offset`, and how to continue. */
export const continueFrom =
  (offset: number): ((shown: number) => string) =>
  (shown) =>
    `call again with offset ${offset + shown}`;

// --- parts of inputs

const word = { minLength: 1, pattern: '^\\S+$' };
export const branch = Type.Optional(Type.String({ ...word, description: 'World; default main. Where it is read also name@when: main@-10m.' }));
export const ownBranch = Type.Optional(Type.String({ ...word, description: 'World; default main.' }));
export const someBranch = Type.String({ ...word, description: 'World.' });
export const table = Type.String(word);
export const id = Type.String(word);
export const name = Type.String(word);
export const flag = (description: string): TSchema => Type.Optional(Type.Boolean({ description }));
export const whole = (minimum: number, description?: string, maximum?: number): TSchema =>
  Type.Optional(Type.Integer({ minimum, ...(maximum === undefined ? {} : { maximum }), ...(description === undefined ? {} : { description }) }));
export const offset = whole(0);
export const record = Type.Record(Type.String(), Type.Unknown());
export const resolve = Type.Optional(
  Type.Union([Type.Literal('fail'), Type.Literal('ours'), Type.Literal('theirs')], {
    description: 'Conflicts: fail (default), ours (the world merged into) or theirs (the branch).',
  }),
);
export const rows = Type.Optional(
  Type.Record(Type.String(), Type.Union([Type.Literal('ours'), Type.Literal('theirs'), Type.Literal('delete'), record]), {
    description: 'How single rows end: "table/id" → ours, theirs, delete, or the row.',
  }),
);

export function input(properties: Record<string, TSchema>): TSchema {
  return Type.Object(properties, { additionalProperties: false });
}

/** `rows` in the form of the merge command. */
export function picksOf(given: Record<string, 'ours' | 'theirs' | 'delete' | object> | undefined): Record<string, never> | undefined {
  if (given === undefined) return undefined;
  return Object.fromEntries(Object.entries(given).map(([key, pick]) => [key, pick === 'delete' ? null : pick])) as Record<string, never>;
}
