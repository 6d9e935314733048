/** CREATE DOMAIN. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, scoped } from './kind.ts';
import { inSchema, toType } from './reference.ts';

export interface DomainObject {
  what: 'domain';
  number: number;
  array: number;
  schema: string;
  name: string;
  /** Oid of the base type, which may be another domain. */
  base: number;
  typmod: number;
  notNull: boolean;
  /** SQL text. */
  default: string | null;
  /** Conditions over VALUE. */
  checks: { number: number; name: string; condition: string; notValid?: true }[];
}

export const DOMAIN: Kind<DomainObject> = {
  key: ({ number }) => `o${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('domain', schema, name),
  numbers: ({ number, array, checks }) => [number, array, ...checks.map((check) => check.number)],
  furtherNames: ({ schema, name, number, array, checks }) => [
    [namedNumberName('domain array', schema, name), array],
    ...checks.map((check): [string, number] => [namedNumberName('domain check', String(number), check.name), check.number]),
  ],
  references: ({ schema, base }) => [inSchema(schema), toType(base)],
  address: ({ number }) => ({ kind: 'type', number }),
  codeHolder: ofItself,
  words: ({ name }) => `type ${name}`,
  path: ({ schema, name }) => `type:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `type\0${schema}\0${name}`,
  affects: {
    // NOT VALID checks guarantee nothing about rows.
    checked: ({ notNull, checks }) => [notNull, checks.filter(({ notValid }) => notValid !== true).map(({ condition }) => condition)],
  },
};
