/** Properties of the written expression that the bound form does not keep. */
import type { Expression } from '../ast/expression.ts';

/** Names of functions that the expression writes with SQL keywords. */
export function wordsOf(expression: Expression): Set<string> {
  const words = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
      return;
    }
    if (node === null || typeof node !== 'object') return;
    const call = node as { type?: unknown; sqlSyntax?: unknown; name?: unknown };
    if (call.type === 'call' && call.sqlSyntax === true && Array.isArray(call.name)) words.add(call.name[call.name.length - 1] as string);
    for (const each of Object.values(node)) visit(each);
  };
  visit(expression);
  return words;
}
