/** `delete`: Deletes a row. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { deleteRow } from '../commands/rows.ts';
import * as masked from './masking.ts';

const input = s.input({ branch: s.branchToChange, table: s.table, id: s.id });
export type DeleteInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, version: s.version });
export type DeleteReply = Static<typeof output>;

export const deleteOperation = defineOperation({
  name: 'delete',
  summary: 'Deletes a row.',
  input,
  output,
  capability: 'write_own',
  effect: 'write',
  rows: true,
  mask: masked.writtenTables(({ table }) => [table]),
  errors: ['02000', '25006', '53100'],
  examples: [{ input: { branch: 'draft', table: 'users', id: 'ann' }, output: { ok: true, version: 2 } }],
  long: true,
  mcp: {
    title: 'Delete a row',
    description: 'Deletes one row, by its id.',
    fields: ['table', 'id', 'branch'],
    words: { table: '', id: '', branch: 'World; default main.' },
    destructive: true,
    idempotent: true,
    text: ({ version }) => `ok, version ${version}`,
  },
  run: ({ services, input, by, control }) => deleteRow(services.context, input, by, control),
});
