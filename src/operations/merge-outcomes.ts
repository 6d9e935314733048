/** `merge_outcomes`: Outcomes of agents' worlds, by agent or by policy. For the database's own user. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  by: Type.Optional(Type.Union([Type.Literal('agent'), Type.Literal('policy')], { description: 'Default `agent`.' })),
});
export type MergeOutcomesInput = Static<typeof input>;
const output = Type.Object({ since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), outcomes: Type.Array(s.mergeOutcomes) });
export type MergeOutcomesReply = Static<typeof output>;

export const mergeOutcomesOperation = defineOperation({
  name: 'merge_outcomes',
  summary: "What became of agents' worlds, by agent or by policy. For the database's own user.",
  input,
  output,
  capability: 'admin',
  effect: 'read',
  errors: ['42501'],
  examples: [{ input: { by: 'policy' } }],
  run: ({ services, input, by }) => services.governance.mergeOutcomes(input, by),
});
