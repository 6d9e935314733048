/** `check_reads`: Whether what a world relies on changed in its parent since. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { cutLines } from './text/page.ts';
import { checkReads } from '../governance/stale-reads.ts';

const input = s.input({ branch: s.requiredBranch });
export type CheckReadsInput = Static<typeof input>;
const output = Type.Object({
  branch: Type.String(),
  stale: Type.Boolean(),
  changed: Type.Array(Type.Object({ checked_against: Type.String(), changed: Type.Array(Type.String()) })),
});
export type CheckReadsReply = Static<typeof output>;

export const checkReadsOperation = defineOperation({
  name: 'check_reads',
  summary: 'Whether what a world relies on changed in its parent since.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  rows: true,
  errors: ['55000'],
  examples: [{ input: { branch: 'draft' }, output: { branch: 'draft', stale: true, changed: [{ checked_against: 'main', changed: ['orders/5'] }] } }],
  mcp: {
    title: 'Check reads',
    description: 'Whether what a world relies on changed in its parent since.',
    words: { branch: '' },
    page: {},
    text: ({ stale, changed }, { page: { room } }) =>
      stale
        ? changed.map(({ checked_against, changed: keys }) => `changed in ${checked_against}:\n${cutLines(keys, room, () => 'diff lists them all')}`).join('\n')
        : 'nothing that it read has changed',
  },
  run: async ({ services, input }) => checkReads(services.context, input.branch),
});
