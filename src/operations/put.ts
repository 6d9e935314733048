/** `put`: Writes a whole row; the first put creates the table. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { putRow } from '../commands/rows.ts';
import * as masked from './masking.ts';

const input = s.input({ branch: s.branchToChange, table: s.table, id: s.id, record: s.record });
export type PutInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, version: s.version });
export type PutReply = Static<typeof output>;

export const putOperation = defineOperation({
  name: 'put',
  summary: 'Writes a whole row; the first put makes the table.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  rows: true,
  mask: masked.writtenTables(({ table }) => [table]),
  errors: ['22003', '25006', '42602', '53100', '54000', '54001', '54011'],
  examples: [{ input: { branch: 'draft', table: 'users', id: 'ann', record: { city: 'Oslo' } }, output: { ok: true, version: 1 } }],
  long: true,
  mcp: {
    title: 'Write a row',
    description: 'Writes a whole row (fields left out are gone). Makes the table if it is new.',
    fields: ['table', 'id', 'record', 'branch'],
    words: { table: '', id: '', record: '', branch: 'World; default main.' },
    destructive: true,
    idempotent: true,
    text: ({ version }) => `ok, version ${version}`,
  },
  run: ({ services, input, by, control }) => putRow(services.context, input, by, control),
});
