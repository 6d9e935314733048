/** `find`: Rows of a table in key order, filtered by equality. */
import Type from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FindInput, FindReply } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const findOperation = defineOperation<FindInput & { text?: string; vector?: number[]; vector_field?: string; ef?: number }, FindReply>({
  name: 'find',
  summary: 'Rows of a table in key order, filtered by equality.',
  input: s.input({
    branch: s.branch,
    table: s.table,
    where: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Field → value; all must be equal.' })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.findLimitMax, description: 'Default 20.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })),
    text: Type.Optional(Type.String({ description: 'Full-text search; not in this release.' })),
    vector: Type.Optional(Type.Array(Type.Number(), { description: 'Vector search; not in this release.' })),
    vector_field: Type.Optional(Type.String()),
    ef: Type.Optional(Type.Integer({ minimum: 0, maximum: 4096 })),
  }),
  output: Type.Object({
    total: s.count,
    hits: Type.Array(Type.Object({ id: Type.String(), score: Type.Number(), row: s.record })),
    next_offset: Type.Union([s.count, Type.Null()]),
  }),
  capability: 'read',
  effect: 'read',
  errors: ['0A000'],
  examples: [
    {
      input: { table: 'users', where: { city: 'Oslo' }, limit: 10 },
      output: { total: 1, hits: [{ id: 'ann', score: 0, row: { city: 'Oslo' } }], next_offset: null },
    },
  ],
  handler: (session, input) => {
    if (input.text !== undefined || input.vector !== undefined || input.vector_field !== undefined) {
      throw new SvcError('0A000', 'find by `text` or `vector` is not in this release', { hint: 'Filter with `where`.' });
    }
    return session.commands.find(input);
  },
});
