/**
 * Second names of an operation's fields: `by_columns` for `columns`, as the tools for models call it. They are taken by every
 * entrance; giving both names of a field is 22023. One place, so that no command meets them.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { SvcError } from '../base/errors/svc-error.ts';

export type FieldAliases = Readonly<Record<string, string>>;

interface Aliased {
  readonly name: string;
  readonly input: TSchema;
  readonly fieldAliases?: FieldAliases;
}

/** The input's schema with the second names in it. */
export function acceptedInput({ input, fieldAliases }: Aliased): TSchema {
  if (fieldAliases === undefined) return input;
  const { properties } = input as TObject;
  const more = Object.entries(fieldAliases).map(([alias, field]) => [alias, { ...properties[field], description: `The same as \`${field}\`.` }] as const);
  const { required } = input as { required?: string[] };
  return Type.Unsafe({ ...input, properties: { ...properties, ...Object.fromEntries(more) }, ...(required === undefined ? {} : { required }) } as TSchema);
}

/** The input with first names alone. */
export function withoutAliases<Input>({ name, fieldAliases }: Pick<Aliased, 'name' | 'fieldAliases'>, input: Input): Input {
  if (fieldAliases === undefined || typeof input !== 'object' || input === null) return input;
  let own: Record<string, unknown> | null = null;
  for (const [alias, field] of Object.entries(fieldAliases)) {
    if (!Object.hasOwn(input, alias)) continue;
    own ??= { ...(input as Record<string, unknown>) };
    const value = own[alias];
    delete own[alias];
    if (value === undefined) continue;
    if (own[field] !== undefined)
      throw new SvcError('22023', `${name}: \`${alias}\` and \`${field}\` are one field, and both are given`, { hint: `Give \`${field}\` alone.` });
    own[field] = value;
  }
  return own === null ? input : (own as Input);
}
