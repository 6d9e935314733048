/**
 * A merge policy: the rules under which an agent's merge passes without a reviewer. One table gives each rule's type and
 * default; SQL and operations read policies through it.
 */
import { parseDurationMs } from '../base/duration.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Json, PolicyView } from '../commands/contract.ts';
import { type Catalogs, columnNamed, type NamedObjects, tablesNamed } from './named-objects.ts';

export type Policy = Omit<PolicyView, 'name' | 'created'>;

/** As stored: `objects` are what its names refer to. */
export type StoredPolicy = Policy & { readonly objects?: NamedObjects };

export type RuleForm = 'count' | 'age' | 'names' | 'flag' | 'agent';

const RULES: { readonly [R in keyof Policy]: { form: RuleForm; default: Policy[R] } } = {
  max_rows: { form: 'count', default: null },
  max_deletes: { form: 'count', default: null },
  rows_per_hour: { form: 'count', default: null },
  deletes_per_hour: { form: 'count', default: null },
  max_age: { form: 'age', default: null },
  tables: { form: 'names', default: [] },
  review_tables: { form: 'names', default: [] },
  review_columns: { form: 'names', default: [] },
  schema: { form: 'flag', default: false },
  overwrite: { form: 'flag', default: false },
  critical: { form: 'flag', default: false },
  check_reads: { form: 'flag', default: false },
  require_scope: { form: 'flag', default: false },
  strict: { form: 'flag', default: false },
  confirm_deletes_over: { form: 'count', default: null },
  reviewer: { form: 'agent', default: null },
};

export const RULE_NAMES = Object.keys(RULES) as (keyof Policy)[];
export const RULE_FORMS: readonly (readonly [rule: string, form: RuleForm])[] = RULE_NAMES.map((rule) => [rule, RULES[rule].form]);
export const POLICY_NAME = /^[A-Za-z0-9_-]{1,128}$/;

/** The given rules over the known ones or the defaults. 22023 names a rule that is unknown or of the wrong type. */
export function policyWith(known: StoredPolicy | null, given: { readonly [rule: string]: Json }): StoredPolicy {
  const policy: Record<string, unknown> = { ...(known ?? defaultPolicy()) };
  for (const [rule, value] of Object.entries(given)) {
    if (!Object.hasOwn(RULES, rule)) {
      throw new SvcError('22023', `there is no rule "${rule.slice(0, 80)}"`, { hint: `Rules are ${RULE_NAMES.join(', ')}.` });
    }
    policy[rule] = ruleValue(rule, RULES[rule as keyof Policy].form, value);
  }
  return policy as unknown as StoredPolicy;
}

/** The policy with the names in the given rules resolved now; other rules keep what they refer to. 42P01, 42703. */
export function withObjects(policy: StoredPolicy, given: { readonly [rule: string]: Json }, catalogs: Catalogs): StoredPolicy {
  const { objects: known = {}, ...rules } = policy;
  const objects: Record<string, readonly number[]> = {};
  for (const rule of ['tables', 'review_tables', 'review_columns'] as const) {
    for (const name of rules[rule]) {
      if (Object.hasOwn(given, rule)) objects[name] = (rule === 'review_columns' ? columnNamed : tablesNamed)(name, catalogs, `the rule "${rule}"`);
      else if (Object.hasOwn(known, name)) objects[name] = known[name];
    }
  }
  return { ...rules, objects };
}

export function defaultPolicy(): Policy {
  return Object.fromEntries(Object.entries(RULES).map(([rule, { default: value }]) => [rule, Array.isArray(value) ? [...value] : value])) as unknown as Policy;
}

function ruleValue(rule: string, form: RuleForm, value: Json): unknown {
  const refuse = (wanted: string): never => {
    throw new SvcError('22023', `the rule "${rule}" takes ${wanted}, not ${JSON.stringify(value).slice(0, 80)}`);
  };
  switch (form) {
    case 'count':
      return value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
        ? value
        : refuse('a whole number of 0 or more, or null');
    case 'flag':
      return typeof value === 'boolean' ? value : refuse('true or false');
    case 'agent':
      return value === null || (typeof value === 'string' && POLICY_NAME.test(value)) ? value : refuse('the name of an agent, or null');
    case 'age':
      if (value !== null && ageMs(value as string | number) === null) refuse("a time like '1h' (ms s m h d w), milliseconds, or null");
      return value;
    case 'names': {
      if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && name !== '')) return refuse('a list of names');
      if (rule === 'review_columns' && !value.every((name) => (name as string).includes('.'))) return refuse('a list of `table.column`');
      return [...new Set(value as string[])];
    }
  }
}

/** Milliseconds of `1h`, `1 hour` or a number; null if it is not a duration. */
export function ageMs(value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' ? parseDurationMs(value) : null;
}
