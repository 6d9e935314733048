/** `review`: Decides a held merge: `approve` merges it as it was held, `reject` keeps it unmerged, `pass` leaves it to a person. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  branch: s.requiredBranch,
  verdict: Type.Union([Type.Literal('approve'), Type.Literal('reject'), Type.Literal('pass')]),
  reason: Type.Optional(Type.String({ maxLength: 10_000 })),
  version: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the branch, as it was seen: another is refused (40001).' })),
  diff: s.seenDiff,
  confirm_deletes: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows the merge deletes, where a policy asks for the count.' })),
});
export type ReviewInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, merged: Type.Optional(s.count) });
export type ReviewReply = Static<typeof output>;

export const reviewOperation = defineOperation({
  name: 'review',
  summary: 'Decides a held merge: `approve` merges it as it was held, `reject` keeps it unmerged, `pass` leaves it to a person.',
  input,
  output,
  capability: 'read',
  effect: 'write',
  errors: ['23514', '40001', '42501', '55000', 'SV409'],
  examples: [{ input: { branch: 'draft', verdict: 'approve' }, output: { ok: true, merged: 3 } }],
  sql: {
    result: [
      ['world', 'text'],
      ['verdict', 'text'],
      ['merged', 'int8'],
    ],
  },
  mcp: {
    title: 'Review a held merge',
    description: "For a policy's reviewer: approve merges as held, reject keeps it unmerged, pass leaves it to a person.",
    fields: ['branch', 'verdict', 'reason'],
    words: { branch: '' },
    destructive: true,
    text: ({ merged }, { given: { branch, verdict } }) =>
      merged === undefined ? `${verdict}: ${branch} stays unmerged` : `approved: merged ${merged} changes`,
  },
  run: ({ services, input, by }) => services.governance.review(input, by),
});
