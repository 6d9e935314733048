/** What lists the rules of policies beside their table lists all of them: the contract, SHOW MERGE POLICIES, the description for callers, the reference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RULE_NAMES } from '../../src/governance/policy.ts';
import { mergePoliciesOperation } from '../../src/operations/merge-policies.ts';
import { policy } from '../../src/operations/schemas.ts';
import { setMergePolicyOperation } from '../../src/operations/set-merge-policy.ts';

const RULES = [...RULE_NAMES].sort();
const { description: DESCRIPTION = '' } = setMergePolicyOperation.input.properties.rules as { description?: string };
const REFERENCE = readFileSync(join(import.meta.dirname, '../../docs/reference/governed-merges.md'), 'utf8');

/** Names in the first cells of the section's table. */
function rulesOfReference(text: string): string[] {
  const [, section] = /^## Rules\n(.*?)^## /ms.exec(text)!;
  return [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
}

// contract: policy.17
test.each([
  ['the fields of a policy', Object.keys(policy.properties).filter((name) => name !== 'name' && name !== 'created')],
  ['the columns of SHOW MERGE POLICIES', mergePoliciesOperation.sql!['result'].map(([name]) => name).filter((name) => name !== 'name' && name !== 'created')],
  ['the description of set_merge_policy', /^Rules by name: (.*)\.$/.exec(DESCRIPTION)![1].split(', ')],
  ['the reference', rulesOfReference(REFERENCE)],
])('%s: every rule is there, once', (_where, names) => {
  expect([...names].sort()).toEqual(RULES);
});
