/** SQL text of a table's expressions with columns renamed. */
import type { Expression } from '../ast/expression.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { parseExpressionText } from './names.ts';

export function renamedColumnText(sql: string, table: string, names: ReadonlyMap<string, string>): string {
  return deparseExpression(renamed(parseExpressionText(sql), table, names) as Expression);
}

function renamed(node: unknown, table: string, names: ReadonlyMap<string, string>): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((each: unknown) => renamed(each, table, names));
  const item = node as { type?: string; parts?: string[] };
  if (item.type === 'column' && item.parts !== undefined && (item.parts.length === 1 || item.parts[item.parts.length - 2] === table)) {
    const to = names.get(item.parts[item.parts.length - 1]);
    if (to !== undefined) return { ...node, parts: [...item.parts.slice(0, -1), to] };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, renamed(value, table, names)]));
}
