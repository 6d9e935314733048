/** `get`: One row by id. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { cutText } from './text/page.ts';
import { indentedJson } from './text/table.ts';
import { getRow } from '../commands/rows.ts';
import * as masked from './masking.ts';

const input = s.input({ branch: s.branch, table: s.table, id: s.id });
export type GetInput = Static<typeof input>;
const output = Type.Object({ id: Type.String(), row: s.record });
export type GetReply = Static<typeof output>;

export const getOperation = defineOperation({
  name: 'get',
  summary: 'One row by id.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  rows: true,
  mask: masked.tables(({ table }) => [table]),
  errors: ['02000'],
  examples: [{ input: { table: 'users', id: 'ann' }, output: { id: 'ann', row: { city: 'Oslo' } } }],
  mcp: {
    title: 'Read a row',
    description: 'One row of a table, by its id, as JSON.',
    fields: ['table', 'id', 'branch'],
    words: { table: '', id: '', branch: 'World; default main. Where it is read also name@when: main@-10m.' },
    page: {},
    text: ({ row }, { page }) => cutText(indentedJson(row), page.room, 'read parts with sql (SELECT field, substr(field, from, length) …)'),
  },
  run: ({ services, input, by }) => getRow(services.context, input, by),
});
