/** `check_merge_policy`: Tries rules on a branch's real changes; saves nothing. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import { plainJson } from './exact-input.ts';
import * as s from './schemas.ts';
import { cutLines } from './text/page.ts';

const input = s.input({
  branch: s.requiredBranch,
  name: Type.Optional(s.ruleName),
  rules: Type.Optional(s.jsonObject("Rules over those of the named policy, or over the defaults; with neither, those of the branch's owner.")),
});
export type CheckMergePolicyInput = Static<typeof input>;
const output = Type.Object({ passes: Type.Boolean(), reasons: s.reasons, rows: s.count, deletes: s.count });
export type CheckMergePolicyReply = Static<typeof output>;

export const checkMergePolicyOperation = defineOperation({
  name: 'check_merge_policy',
  summary: "Tries rules on a branch's real changes; saves nothing.",
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['42704'],
  examples: [{ input: { branch: 'draft', rules: { max_rows: 10 } } }],
  mcp: {
    title: 'Try a merge policy',
    description: "Tries a policy, or rules, on a branch's real changes; saves nothing.",
    words: { branch: '', name: '', rules: 'As in set_merge_policy.' },
    page: {},
    text: ({ passes, reasons, rows, deletes }, { page: { room } }) => {
      const what = `${rows} changed rows, ${deletes} deletes`;
      if (passes) return `passes: ${what}`;
      return `needs a person: ${what}\n${cutLines(
        reasons.map(({ message }) => `- ${message}`),
        room,
        () => 'call again with a higher max_tokens',
      )}`;
    },
  },
  run: ({ services, input, by }) => services.governance.checkMergePolicy(plainJson(input), by),
});
