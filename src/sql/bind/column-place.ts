/** The position of a column in a clause, for errors about bound columns. */
interface Node {
  readonly type?: string;
  readonly at?: number;
  readonly name?: unknown;
  readonly parts?: readonly string[];
}

/** `name`: `relation.column`; arguments of calls accepted by `skip` are skipped. Null if the text has no such name. */
export function columnPlace(root: unknown, name: string, skip: (call: string) => boolean): number | null {
  const dot = name.lastIndexOf('.');
  const relation = name.slice(0, dot);
  const column = name.slice(dot + 1);
  let least: number | null = null;
  const visit = (value: unknown, inQuery: boolean): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) visit(each, inQuery);
      return;
    }
    const node = value as Node;
    if (node.type === 'column') {
      const parts = node.parts!;
      if (parts[parts.length - 1] !== column || (parts.length > 1 && parts[parts.length - 2] !== relation)) return;
      if (least === null || node.at! < least) least = node.at!;
      return;
    }
    // Aggregates of a subquery are its own.
    if (!inQuery && node.type === 'call' && (value as { over: unknown }).over === null && skip((node.name as string[])[(node.name as string[]).length - 1]))
      return;
    for (const each of Object.values(value)) visit(each, inQuery || node.type === 'select');
  };
  visit(root, false);
  return least;
}
