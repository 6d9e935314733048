/** `reviews`: Lists merges that wait for a person. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['reviews'];

export const reviewsOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'reviews',
  summary: 'Lists merges that wait for a person.',
  input: s.input({}),
  output: Type.Object({ reviews: Type.Array(s.review) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session, input) => session.commands.reviews(input),
});
