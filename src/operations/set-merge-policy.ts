/** `set_merge_policy`: Makes a merge policy, or changes the rules that are given. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import { plainJson } from './exact-input.ts';
import * as s from './schemas.ts';
import { quoteIdentifier } from '../base/quote-identifier.ts';
import { ruleSchemas } from './rule-schemas.ts';
import { mergePoliciesOperation } from './merge-policies.ts';
import { literal } from './text/drafts.ts';
import { rulesText } from './text/reviews.ts';
import { draftReads } from './draft.ts';

const input = s.input({
  name: s.ruleName,
  rules: s.jsonObject(
    'Rules by name: max_rows, max_deletes, rows_per_hour, deletes_per_hour, max_age, tables, review_tables, review_columns, schema, overwrite, critical, check_reads, require_scope, strict, confirm_deletes_over, reviewer.',
  ),
  agents: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Agents that come under the policy.' })),
  create: Type.Optional(Type.Boolean({ description: 'true: only make a new one; false: only change one there is.' })),
});
export type SetMergePolicyInput = Static<typeof input>;
const output = s.policy;

export const setMergePolicyOperation = defineOperation({
  name: 'set_merge_policy',
  summary: 'Makes a merge policy, or changes the rules that are given.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  effectOf: draftReads,
  errors: ['42703', '42704', '42710', '42P01'],
  examples: [{ input: { name: 'careful', rules: { max_rows: 50, tables: ['orders', 'items'], review_columns: ['orders.price'] } } }],
  mcp: {
    title: 'Set a merge policy',
    description: 'Makes or changes a policy, and puts agents under it. Needs admin; in safe mode it drafts the SQL for a person.',
    fields: ['name', 'rules', 'agents'],
    words: { name: '', agents: '' },
    shown: { rules: ruleSchemas() },
    idempotent: true,
    text: ({ name, created: _created, ...rules }, { given: { agents = [] } }) =>
      `policy ${name}: ${rulesText(rules)}${agents.length === 0 ? '' : `\nagents under it: ${agents.join(', ')}`}`,
    draft: async (_reply, { given: { name, rules, agents = [] }, other }) => {
      const isThere = (await other(mergePoliciesOperation, {})).policies.some((each) => each.name === name);
      const list = Object.entries(rules).map(([rule, value]) => `${rule} = ${literal(value)}`);
      const own = quoteIdentifier(name);
      return [
        ...(isThere && list.length === 0 ? [] : [`${isThere ? 'ALTER' : 'CREATE'} MERGE POLICY ${own} (${list.join(', ')})`]),
        ...agents.map((agent) => `ALTER AGENT ${quoteIdentifier(agent)} POLICY ${own}`),
      ];
    },
  },
  run: ({ services, input, by, control }) => services.governance.setMergePolicy(plainJson(input), by, control.draft),
});
