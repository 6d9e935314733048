/** CREATE VIEW. */
import { namedNumberName, viewKey } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, toType, toUsed } from './reference.ts';

export interface ViewObject {
  what: 'view';
  number: number;
  schema: string;
  name: string;
  sql: string;
  /** `default`: SQL text of the default for INSERT through the view. */
  columns: { name: string; type: number; typmod: number; default?: string }[];
  /** WITH CHECK OPTION. */
  check?: 'local' | 'cascaded';
  /** WITH (security_invoker). */
  invoker?: true;
  /** WITH (security_barrier). */
  barrier?: true;
  /** Numbers of the relations and types that it reads, with their columns. */
  uses: { object: number; columns: number[] }[];
}

export const VIEW: Kind<ViewObject> = {
  key: ({ number }) => viewKey(number),
  numberName: ({ schema, name }) => namedNumberName('view', schema, name),
  numbers: ownNumber,
  references: ({ uses, columns, schema }) => [...toUsed(uses), ...columns.map(({ type }) => toType(type)), inSchema(schema)],
  address: ({ number }) => ({ kind: 'view', number }),
  codeHolder: ofItself,
  words: ({ name }) => `view ${name}`,
  path: ({ schema, name }) => `view:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `relation\0${schema}\0${name}`,
};
