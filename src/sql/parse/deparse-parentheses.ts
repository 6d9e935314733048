/** Where the pretty layout needs parentheses (ruleutils.c, isSimpleNode). Without it every operator has its own. */
import type { Expression, OperatorCall } from '../ast/expression.ts';

/** The node around an operand; null at the top. */
export type Parent = Expression | null;

/** Whether `node` needs parentheses as an operand of `parent`. Not for argument lists. */
export function needsParentheses(node: Expression, parent: Expression): boolean {
  switch (node.type) {
    case 'operator':
      // It has its own parentheses.
      if (comparesRowToQuery(node)) return false;
      if (comparesRows(node)) return true;
      return parent.type === 'operator' ? !bindsInside(node, parent) : !standsApart(parent);
    case 'and':
    case 'or':
      // `a AND (b AND c)` is not `a AND b AND c` to the tree.
      if (parent.type === 'or' && node.type === 'and') return false;
      return !standsApart(parent) || parent.type === 'and' || parent.type === 'or' || parent.type === 'not';
    case 'not':
      if (parent.type === 'and' || parent.type === 'or') return false;
      return !standsApart(parent) || parent.type === 'not';
    case 'isNull':
    case 'isBoolean':
    case 'isDistinct':
    case 'isJson':
      return !standsApart(parent);
    case 'subquery':
      return !standsApart(parent) && !(parent.type === 'operator' && comparesRowToQuery(parent));
    case 'exists':
    case 'arrayQuery':
    case 'inQuery':
    case 'quantifiedQuery':
      return !standsApart(parent);
    case 'quantifiedArray':
    case 'between':
    case 'like':
    case 'in':
    case 'collate':
      return true;
    default:
      return false;
  }
}

/** `(a, b) = ( SELECT …)` has parentheses in either layout. */
export function comparesRowToQuery(node: OperatorCall): boolean {
  return node.right.type === 'subquery' && node.left?.type === 'row';
}

/** `ROW(a, b) < ROW(1, 2)` has its own parentheses in either layout, and is no simple operand in the pretty one. */
export function comparesRows({ left, right }: OperatorCall): boolean {
  return left?.type === 'row' && right.type === 'row' && left.explicit && right.explicit;
}

function standsApart(parent: Expression): boolean {
  switch (parent.type) {
    case 'and':
    case 'or':
    case 'not':
    case 'array':
    case 'row':
    case 'coalesce':
    case 'greatest':
    case 'least':
    case 'nullIf':
    case 'case':
    case 'grouping':
      return true;
    case 'call':
      return !parent.sqlSyntax;
    default:
      return false;
  }
}

/** Postgres relies on precedence for these operators only. */
function priority(node: Expression): number {
  if (node.type !== 'operator' || node.left === null || node.operator.schema !== null) return 0;
  const { name } = node.operator;
  return name === '+' || name === '-' ? 1 : name === '*' || name === '/' || name === '%' ? 2 : 0;
}

function bindsInside(node: Expression, parent: Expression): boolean {
  const inner = priority(node);
  const outer = priority(parent);
  if (inner === 0 || outer === 0) return false;
  return inner > outer || (inner === outer && parent.type === 'operator' && parent.left === node);
}
