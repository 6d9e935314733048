/** `merge_policies`: Lists merge policies. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({});
export type MergePoliciesInput = Static<typeof input>;
const output = Type.Object({ policies: Type.Array(s.policy) });
export type MergePoliciesReply = Static<typeof output>;

export const mergePoliciesOperation = defineOperation({
  name: 'merge_policies',
  summary: 'Lists merge policies.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  run: ({ services }) => services.governance.mergePolicies(),
});
