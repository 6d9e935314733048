/** Binds a rule at its definition, over empty OLD and NEW rows, to find its dependencies and result columns. */
import { plainSelect } from '../../ast/plain-select.ts';
import type { Expression } from '../../ast/expression.ts';
import type { RuleRows } from '../../ast/write.ts';
import type { Binder } from '../../bind/binder.ts';
import { bindQuery } from '../../bind/query.ts';
import { namesRows, type RuleAction, withRows } from '../../bind/rules.ts';
import { bindWrite } from '../../bind/write.ts';
import type { Plan } from '../../plan/logical.ts';

export interface WrittenRule {
  /** Number of the table or view. */
  readonly table: number;
  readonly event: 'insert' | 'update' | 'delete';
}

function rowsOf({ table, event }: WrittenRule, node: unknown, open = false): RuleRows {
  return { type: 'ruleRows', of: null, relation: table, event, named: namesRows(node, event), open, at: 0 };
}

export function bindCondition(binder: Binder, rule: WrittenRule, condition: Expression): void {
  const query = plainSelect([{ value: condition, alias: null, at: condition.at }], [rowsOf(rule, condition, true)], condition, condition.at);
  bindQuery(binder, query, null, {});
}

/** The plan of the action; null for NOTIFY. */
export function bindAction(binder: Binder, rule: WrittenRule, action: RuleAction): Plan | null {
  if (action.type === 'notify') return null;
  const made = withRows(action, null, rowsOf(rule, action), undefined);
  return made.type === 'insert' || made.type === 'update' || made.type === 'delete' ? bindWrite(binder, made, null) : bindQuery(binder, made, null, {}).plan;
}
