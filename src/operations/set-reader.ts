/** `set_reader`: Registers a reader, so that diffs and merges name it where they change what it reads. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  name: s.ruleName,
  table: s.table,
  columns: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Default: all.' })),
  kind: Type.Optional(Type.String({ minLength: 1, description: 'Default `external`.' })),
  critical: Type.Optional(Type.Boolean({ description: 'A policy can make a person look before what it reads changes.' })),
  detail: Type.Optional(Type.String()),
  create: Type.Optional(Type.Boolean({ description: 'true: only make a new one; false: only replace one there is.' })),
});
export type SetReaderInput = Static<typeof input>;
const output = s.reader;

export const setReaderOperation = defineOperation({
  name: 'set_reader',
  summary: 'Registers a reader, so that diffs and merges name it where they change what it reads.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['42703', '42704', '42710', '42P01'],
  examples: [{ input: { name: 'sales_dashboard', table: 'orders', columns: ['price'], kind: 'dashboard', critical: true } }],
  run: ({ services, input, by }) => services.governance.setReader(input, by),
});
