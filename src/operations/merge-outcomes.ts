/** `merge_outcomes`: Outcomes of agents' worlds, by agent or by policy. For the database's own user. */
import Type, { type Static } from 'typebox';
import { defineOperation, type ResultColumn } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({
  by: Type.Optional(Type.Union([Type.Literal('agent'), Type.Literal('policy')], { description: 'Default `agent`.' })),
  at: s.asOf,
});
export type MergeOutcomesInput = Static<typeof input>;
const output = Type.Object({ since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), outcomes: Type.Array(s.mergeOutcomes) });
export type MergeOutcomesReply = Static<typeof output>;

const outcomeColumns: readonly ResultColumn[] = [
  ['policy', 'text'],
  ['worlds', 'int8'],
  ['on_rules', 'int8'],
  ['no_policy', 'int8'],
  ['approved', 'int8'],
  ['rejected', 'int8'],
  ['discarded', 'int8'],
  ['open', 'int8'],
  ['partly_merged', 'int8'],
  ['before_window', 'int8'],
  ['conflicts', 'int8'],
  ['stale_reads', 'int8'],
  ['check_refusals', 'int8'],
  ['holds', 'int8'],
  ['rules_rate', 'float8'],
];

export const mergeOutcomesOperation = defineOperation({
  name: 'merge_outcomes',
  summary: "What became of agents' worlds, by agent or by policy. For the database's own user.",
  input,
  output,
  capability: 'admin',
  effect: 'read',
  errors: ['22007', '42501'],
  examples: [{ input: { by: 'policy' } }],
  sql: { agent: [['agent', 'text'], ...outcomeColumns], policy: outcomeColumns },
  run: ({ services, input, by }) => services.governance.mergeOutcomes(input, by),
});
