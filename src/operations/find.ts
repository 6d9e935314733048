/** `find`: Rows of a table in key order, filtered by equality. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { findRows } from '../commands/find.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.branch,
  table: s.table,
  where: Type.Optional(s.jsonObject('Field → value; all must be equal.')),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.findLimitMax, description: 'Default 20.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })),
  text: Type.Optional(Type.String({ description: 'Full-text search; not in this release.' })),
  vector: Type.Optional(Type.Array(Type.Number(), { description: 'Vector search; not in this release.' })),
  vector_field: Type.Optional(Type.String()),
  ef: Type.Optional(Type.Integer({ minimum: 0, maximum: 4096 })),
});
export type FindInput = Static<typeof input>;
const output = Type.Object({
  total: s.count,
  hits: Type.Array(Type.Object({ id: Type.String(), score: Type.Number(), row: s.record })),
  next_offset: Type.Union([s.count, Type.Null()]),
});
export type FindReply = Static<typeof output>;

export const findOperation = defineOperation({
  name: 'find',
  summary: 'Rows of a table in key order, filtered by equality.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  rows: true,
  mask: masked.tables(({ table }) => [table]),
  errors: ['0A000'],
  examples: [
    {
      input: { table: 'users', where: { city: 'Oslo' }, limit: 10 },
      output: { total: 1, hits: [{ id: 'ann', score: 0, row: { city: 'Oslo' } }], next_offset: null },
    },
  ],
  run: ({ services, input, by }) => {
    if (input.text !== undefined || input.vector !== undefined || input.vector_field !== undefined) {
      throw new SvcError('0A000', 'find by `text` or `vector` is not in this release', { hint: 'Filter with `where`.' });
    }
    return findRows(services.context, input, by);
  },
});
