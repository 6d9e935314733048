/** `reviews`: Lists held merges. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { reviewsText } from './text/reviews.ts';

const input = s.input({ at: s.asOf });
export type ReviewsInput = Static<typeof input>;
const output = Type.Object({ reviews: Type.Array(s.review) });
export type ReviewsReply = Static<typeof output>;

export const reviewsOperation = defineOperation({
  name: 'reviews',
  summary: 'Lists merges that wait for a person, and rejected ones until their worlds change or are gone.',
  description:
    'With `at`: those that waited then, with the verdicts given by then. Their `changes` are those of the world since its fork point, and `conflicts` is left out: what a merge would have met is not kept.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  long: true,
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  sql: {
    result: [
      ['world', 'text'],
      ['owner', 'text'],
      ['policy', 'text'],
      ['reasons', 'jsonb'],
      ['asked', 'timestamptz'],
      ['version', 'int8'],
      ['changed_since', 'bool'],
      ['scope', 'jsonb'],
      ['changes', 'jsonb'],
      ['effects', 'jsonb'],
      ['verdict', 'text'],
      ['reason', 'text'],
      ['conflicts', 'int8'],
      ['definitions', 'jsonb'],
      ['decided_by', 'text'],
    ],
  },
  mcp: {
    title: 'List reviews',
    description: 'Merges that wait for a person, with reasons and changes.',
    words: { at: '' },
    page: { offset: true },
    text: reviewsText,
  },
  run: ({ services, input, by, control }) => services.governance.reviews(input, by, control),
});
