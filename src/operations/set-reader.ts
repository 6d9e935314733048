/** `set_reader`: Registers a reader, so that diffs and merges name it where they change what it reads. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['set_reader'];

export const setReaderOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'set_reader',
  summary: 'Registers a reader, so that diffs and merges name it where they change what it reads.',
  input: s.input({
    name: s.ruleName,
    table: s.table,
    columns: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Default: all.' })),
    kind: Type.Optional(Type.String({ minLength: 1, description: 'Default `external`.' })),
    critical: Type.Optional(Type.Boolean({ description: 'A policy can make a person look before what it reads changes.' })),
    detail: Type.Optional(Type.String()),
    create: Type.Optional(Type.Boolean({ description: 'true: only make a new one; false: only replace one there is.' })),
  }),
  output: s.reader,
  capability: 'admin',
  effect: 'append',
  errors: ['42703', '42704', '42710', '42P01'],
  examples: [{ input: { name: 'sales_dashboard', table: 'orders', columns: ['price'], kind: 'dashboard', critical: true } }],
  handler: (session, input) => session.commands.set_reader(input),
});
