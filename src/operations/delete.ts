/** `delete`: Deletes a row. */
import Type from 'typebox';
import type { DeleteInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const deleteOperation = defineOperation<DeleteInput, { ok: true; version: number }>({
  name: 'delete',
  summary: 'Deletes a row.',
  input: s.input({ branch: s.branchToChange, table: s.table, id: s.id }),
  output: Type.Object({ ok: s.ok, version: s.version }),
  capability: 'write_own',
  effect: 'append',
  errors: ['02000', '25006', '53100'],
  examples: [{ input: { branch: 'draft', table: 'users', id: 'ann' }, output: { ok: true, version: 2 } }],
  long: true,
  handler: (session, input, control) => session.commands.delete(input, undefined, control),
});
