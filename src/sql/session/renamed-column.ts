/** SQL text of a table's expressions with one column renamed. */
import type { Expression } from '../ast/expression.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { parseExpressionText } from './names.ts';

export function renamedColumnText(sql: string, table: string, from: string, to: string): string {
  return deparseExpression(renamed(parseExpressionText(sql), table, from, to) as Expression);
}

function renamed(node: unknown, table: string, from: string, to: string): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((each: unknown) => renamed(each, table, from, to));
  const item = node as { type?: string; parts?: string[] };
  if (
    item.type === 'column' &&
    item.parts !== undefined &&
    item.parts[item.parts.length - 1] === from &&
    (item.parts.length === 1 || item.parts[item.parts.length - 2] === table)
  ) {
    return { ...node, parts: [...item.parts.slice(0, -1), to] };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, renamed(value, table, from, to)]));
}
