/** `batch`: Writes and deletes many rows, all or nothing. */
import Type from 'typebox';
import type { BatchInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const batchOperation = defineOperation<BatchInput, { ok: true; count: number; version: number }>({
  name: 'batch',
  summary: 'Writes and deletes many rows, all or nothing.',
  description: 'The last entry for a key wins; deleting a missing row is no error; an empty batch moves no version.',
  input: s.input({
    branch: s.branchToChange,
    rows: Type.Array(Type.Object({ table: s.table, id: s.id, record: s.recordOrNull }, { additionalProperties: false })),
  }),
  output: Type.Object({ ok: s.ok, count: s.count, version: s.version }),
  capability: 'write_own',
  effect: 'append',
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
  handler: (session, input, control) => session.commands.batch(input, undefined, control),
});
