/** `reviews`: Lists held merges. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { reviewsText } from './text/reviews.ts';

const input = s.input({});
export type ReviewsInput = Static<typeof input>;
const output = Type.Object({ reviews: Type.Array(s.review) });
export type ReviewsReply = Static<typeof output>;

export const reviewsOperation = defineOperation({
  name: 'reviews',
  summary: 'Lists merges that wait for a person, and rejected ones until their worlds change or are gone.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
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
    ],
  },
  mcp: {
    title: 'List reviews',
    description: 'Merges that wait for a person, with reasons and changes.',
    page: { offset: true },
    text: reviewsText,
  },
  run: ({ services, by }) => services.governance.reviews(by),
});
