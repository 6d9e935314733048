/** The tools for models: made from operations, and `describe`, which has none. */
import Type, { type TSchema } from 'typebox';
import type { AllCommands, RunControl } from '../commands/contract.ts';
import type { AnyOperation } from '../operations/define-operation.ts';
import { acceptedInput, withoutAliases } from '../operations/field-aliases.ts';
import { type AnyModelTool, isUnsafe, listedFor, type ModelCall, type Page, readsOnly } from '../operations/model-tool.ts';
import { TEXT_MAX, TOKEN_CHARACTERS, TOKENS_MAX } from '../operations/text/table.ts';
import { may } from '../session/authorize.ts';
import type { Capability } from '../session/capability.ts';
import type { Principal } from '../session/principal.ts';
import { draftText } from './drafts.ts';
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

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Checks the arguments. */
  readonly input: TSchema;
  /** Input with other schemas for the fields in it, as the list shows them. */
  readonly shown: TSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean; readonly idempotentHint?: boolean };
  /** Listed if the principal has one of `some` and all of `all`; everything else is checked by the call itself. */
  readonly needs: { readonly some: readonly Capability[]; readonly all: readonly Capability[] };
  /** Not listed in safe mode. */
  readonly unsafe: boolean;
  run(session: ModelSession, input: Record<string, unknown>, call: ToolCall): Promise<string>;
}

export function isListed(tool: Tool, { principal, safe }: ModelSession): boolean {
  if (safe) return !tool.unsafe;
  return tool.needs.some.some((capability) => may(principal, capability)) && tool.needs.all.every((capability) => may(principal, capability));
}

// --- fields of the tools alone

export const maxTokens = Type.Optional(Type.Integer({ minimum: 100, maximum: TOKENS_MAX, description: 'Of the answer; default 6000.' }));
export const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const limitOf = (most: number): TSchema => Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `Default ${most}.` }));

export function roomOf(tokens: unknown): number {
  return typeof tokens === 'number' ? tokens * TOKEN_CHARACTERS : TEXT_MAX;
}

/** A name has no white space. */
const NAMES = new Set(['table', 'name', 'branch', 'world', 'prefix', 'into', 'to', 'as', 'checkpoint', 'vector_field']);

export function toolOf(operation: AnyOperation, made: AnyModelTool): Tool {
  const name = made.name ?? operation.name;
  const readOnlyHint = readsOnly(operation, made);
  const { input, own } = inputOf(operation, made);
  return {
    name,
    title: made.title,
    description: made.description,
    input,
    shown: made.shown === undefined ? input : shownOf(input, made.shown),
    annotations: readOnlyHint
      ? { readOnlyHint }
      : { readOnlyHint, destructiveHint: made.destructive === true, ...(made.idempotent === true ? { idempotentHint: true } : {}) },
    needs: listedFor(operation, made),
    unsafe: isUnsafe(operation, made),
    async run({ commands, safe }, arguments_, { signal, report }) {
      const { limit = made.page?.limit ?? 0, offset: from = 0, max_tokens } = own.length === 0 ? {} : (arguments_ as Record<string, number | undefined>);
      const page: Page = { limit, offset: own.includes('offset') ? from : 0, room: roomOf(max_tokens) };
      const fields = Object.fromEntries(Object.entries(arguments_).filter(([field]) => !own.includes(field)));
      const given: unknown = withoutAliases(operation, { ...fields, ...made.fixed });
      const asked: unknown = made.asked === undefined ? given : made.asked(given, page);
      const words = made.progress ?? 'rows read';
      const control: RunControl = {
        signal,
        onProgress: (done, total) => report(done, total, `${done} of about ${total} ${words}`),
        ...(safe && made.draft !== undefined ? { draft: true } : {}),
      };
      const call: ModelCall<unknown, unknown> = {
        given,
        page,
        ask: (other) => method(commands, operation)(other, control),
        other: (another, other) => method(commands, another as AnyOperation)(other, { signal }) as never,
      };
      try {
        const reply = await method(commands, operation)(asked, control);
        if (safe && made.draft !== undefined) return draftText(await made.draft(reply, call));
        return await made.text(reply, call);
      } catch (error) {
        throw made.refusal === undefined ? error : made.refusal(error, given);
      }
    },
  };
}

type Method = (input: unknown, control: RunControl) => Promise<unknown>;

function method(commands: AllCommands, { name }: AnyOperation): Method {
  return (commands as unknown as Record<string, Method>)[name];
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema & { pattern?: string; type?: string }>>;
  readonly required?: readonly string[];
}

function inputOf(operation: AnyOperation, made: AnyModelTool): { input: TSchema; own: readonly string[] } {
  const { properties, required = [] } = acceptedInput(operation) as unknown as ObjectSchema;
  const fields = made.fields ?? Object.keys((operation.input as ObjectSchema).properties);
  const shown = fields.map((field) => {
    const schema = properties[field];
    const isWord = NAMES.has(field) && schema.type === 'string' && schema.pattern === undefined;
    const words = made.words?.[field];
    const { description, maximum, ...bare } = schema as TSchema & { description?: string; maximum?: number };
    const text = words ?? description ?? '';
    const isBounded = maximum !== undefined && made.bounded?.includes(field) !== true;
    const described = { ...bare, ...(isBounded ? { maximum } : {}), ...(text === '' ? {} : { description: text }) };
    return [field, isWord ? { ...described, minLength: 1, pattern: '^\\S+$' } : described] as const;
  });
  const pages =
    made.page === undefined
      ? {}
      : {
          ...(made.page.limit === undefined ? {} : { limit: limitOf(made.page.limit) }),
          ...(made.page.offset === true ? { offset } : {}),
          max_tokens: maxTokens,
        };
  const demanded = fields.filter((field) => required.includes(field) || made.required?.includes(field) === true);
  return {
    input: Type.Unsafe({
      type: 'object',
      properties: { ...Object.fromEntries(shown), ...pages },
      ...(demanded.length === 0 ? {} : { required: demanded }),
      additionalProperties: false,
    } as unknown as TSchema),
    own: Object.keys(pages),
  };
}

function shownOf(input: TSchema, others: Readonly<Record<string, TSchema>>): TSchema {
  const { properties } = input as unknown as ObjectSchema;
  const replaced = Object.entries(others).map(([field, schema]) => {
    const { description } = properties[field] as { description?: string };
    return [field, { ...(description === undefined ? {} : { description }), ...schema }] as const;
  });
  return { ...input, properties: { ...properties, ...Object.fromEntries(replaced) } } as TSchema;
}
