/** The rules of a merge policy as a schema that lists them, from the table of rules. Their values are checked by it, too, in its own words. */
import Type, { type TSchema } from 'typebox';
import { RULE_FORMS, type RuleForm } from '../governance/policy.ts';

const SCHEMAS: Readonly<Record<RuleForm, TSchema>> = {
  count: Type.Integer(),
  age: Type.String({ description: 'Such as 1h.' }),
  names: Type.Array(Type.String()),
  flag: Type.Boolean(),
  agent: Type.String({ description: 'An agent.' }),
};

export function ruleSchemas(): TSchema {
  return Type.Object(Object.fromEntries(RULE_FORMS.map(([rule, form]) => [rule, Type.Optional(SCHEMAS[form])])), { description: 'null: no such limit.' });
}
