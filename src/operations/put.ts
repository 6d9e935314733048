/** `put`: Writes a whole row; the first put makes the table. */
import Type from 'typebox';
import type { PutInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const putOperation = defineOperation<PutInput, { ok: true; version: number }>({
  name: 'put',
  summary: 'Writes a whole row; the first put makes the table.',
  input: s.input({ branch: s.branchToChange, table: s.table, id: s.id, record: s.record }),
  output: Type.Object({ ok: s.ok, version: s.version }),
  capability: 'write_own',
  effect: 'append',
  errors: ['22003', '25006', '42602', '53100', '54000', '54001', '54011'],
  examples: [{ input: { branch: 'draft', table: 'users', id: 'ann', record: { city: 'Oslo' } }, output: { ok: true, version: 1 } }],
  long: true,
  handler: (session, input, control) => session.commands.put(input, undefined, control),
});
