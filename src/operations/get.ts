/** `get`: One row by id. */
import Type from 'typebox';
import type { GetInput, Row } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const getOperation = defineOperation<GetInput, { id: string; row: Row }>({
  name: 'get',
  summary: 'One row by id.',
  input: s.input({ branch: s.branch, table: s.table, id: s.id }),
  output: Type.Object({ id: Type.String(), row: s.record }),
  capability: 'read',
  effect: 'read',
  errors: ['02000'],
  examples: [{ input: { table: 'users', id: 'ann' }, output: { id: 'ann', row: { city: 'Oslo' } } }],
  handler: (session, input) => session.commands.get(input),
});
