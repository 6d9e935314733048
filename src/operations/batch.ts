/** `batch`: Writes and deletes many rows, all or nothing. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { batchRows } from '../commands/rows.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.branchToChange,
  rows: Type.Array(Type.Object({ table: s.table, id: s.id, record: s.recordOrNull }, { additionalProperties: false })),
});
export type BatchInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, count: s.count, version: s.version });
export type BatchReply = Static<typeof output>;

export const batchOperation = defineOperation({
  name: 'batch',
  summary: 'Writes and deletes many rows, all or nothing.',
  description: 'The last entry for a key wins; deleting a missing row is no error; an empty batch moves no version.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  // What is no list is refused by the command.
  effectOf: ({ rows }) => (Array.isArray(rows) && rows.every((row) => row?.record === null) ? 'write' : 'grow'),
  rows: true,
  mask: masked.writtenTables(({ rows }) => rows.map(({ table }) => table)),
  errors: ['22003', '25006', '42602', '53100', '54000', '54001', '54011'],
  examples: [
    {
      input: {
        branch: 'draft',
        rows: [
          { table: 'users', id: 'ann', record: { city: 'Rome' } },
          { table: 'users', id: 'bob', record: null },
        ],
      },
      output: { ok: true, count: 2, version: 3 },
    },
  ],
  long: true,
  run: ({ services, input, by, control }) => batchRows(services.context, input, by, control),
});
