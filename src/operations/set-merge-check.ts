/** `set_merge_check`: Makes a merge check, or replaces one: a SELECT over what a merge would make; rows it finds are what is wrong. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { quoteIdentifier } from '../base/quote-identifier.ts';
import { mergeChecksOperation } from './merge-checks.ts';
import { tableText } from './text/drafts.ts';
import { draftReads } from './draft.ts';

const input = s.input({
  name: s.ruleName,
  query: Type.String({ minLength: 1, description: 'One SELECT that changes nothing.' }),
  tables: Type.Optional(Type.Array(s.table, { description: 'Run only where one of these changes; default: every merge.' })),
  timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000, description: 'Default 1000.' })),
  create: Type.Optional(Type.Boolean({ description: 'true: only make a new one; false: only replace one there is.' })),
});
export type SetMergeCheckInput = Static<typeof input>;
const output = s.mergeCheck;

export const setMergeCheckOperation = defineOperation({
  name: 'set_merge_check',
  summary: 'Makes a merge check, or replaces one: a SELECT over what a merge would make; rows it finds are what is wrong.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  effectOf: draftReads,
  errors: ['42601', '42704', '42710', '42P01'],
  examples: [{ input: { name: 'no_negative_stock', query: 'SELECT id, stock FROM items WHERE stock < 0', tables: ['items'] } }],
  mcp: {
    title: 'Set a merge check',
    description: 'A SELECT whose rows say what is wrong in a merge result. Needs admin; in safe mode it drafts the SQL.',
    fields: ['name', 'query', 'tables', 'timeout_ms'],
    words: { name: '', query: '', tables: 'Default: every merge.' },
    idempotent: true,
    text: ({ name, tables }) => `check ${name} runs on ${tables.length === 0 ? 'every merge' : `merges that change ${tables.join(', ')}`}`,
    draft: async ({ name, tables, query }, { given: { timeout_ms }, other }) => {
      const isThere = (await other(mergeChecksOperation, {})).checks.some((each) => each.name === name);
      const on = tables.length === 0 ? '' : ` ON (${tables.map(tableText).join(', ')})`;
      const timeout = timeout_ms === undefined ? '' : ` TIMEOUT ${timeout_ms}`;
      // A comment at its end must not include the semicolon.
      const end = query.includes('--') ? '\n' : '';
      return [`CREATE ${isThere ? 'OR REPLACE ' : ''}MERGE CHECK ${quoteIdentifier(name)}${on}${timeout} AS ${query}${end}`];
    },
  },
  run: ({ services, input, by, control }) => services.governance.setMergeCheck(input, by, control.draft),
});
