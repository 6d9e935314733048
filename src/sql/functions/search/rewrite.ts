/** ts_rewrite: replaces parts of a query, in any order of operands. Manual, section 12.4.2.1. */
import { compareTsNodes, tsOperatorCode } from '../../types/tsquery.ts';
import { type TsNode, type TsOperand, TsQuery } from '../../types/tsquery-tree.ts';

/** A tree with n-ary `and` and `or`. */
interface Wide {
  readonly kind: TsNode['kind'];
  readonly word: TsOperand | null;
  readonly distance: number;
  children: Wide[];
  /** Inserted: not examined again. */
  fixed: boolean;
}

/** Of two operands the right one first, as Postgres stores them. */
function widened(node: TsNode, flatten: boolean): Wide {
  if (node.kind === 'word') return { kind: 'word', word: node, distance: 0, children: [], fixed: false };
  if (node.kind === 'not') return { kind: 'not', word: null, distance: 0, children: [widened(node.right, flatten)], fixed: false };
  const children = [widened(node.right, flatten), widened(node.left, flatten)];
  const flat = node.kind === 'phrase' || !flatten ? children : children.flatMap((child) => (child.kind === node.kind ? child.children : [child]));
  return { kind: node.kind, word: null, distance: node.distance, children: flat, fixed: false };
}

function narrowed({ kind, word, distance, children }: Wide): TsNode {
  if (word !== null) return word;
  if (kind === 'not') return { kind, right: narrowed(children[0]) };
  let rest = [...children];
  while (rest.length > 2) {
    const first: Wide = { kind, word: null, distance, children: [rest[0], rest[1]], fixed: false };
    rest = [first, rest[rest.length - 1], ...rest.slice(2, -1)];
  }
  return { kind: kind as 'and' | 'or' | 'phrase', right: narrowed(rest[0]), left: narrowed(rest[1]), distance };
}

function compare(a: Wide, b: Wide): number {
  if (a.word !== null || b.word !== null) {
    if (a.word === null) return -1;
    if (b.word === null) return 1;
    return compareTsNodes(a.word, b.word);
  }
  if (a.kind !== b.kind) return tsOperatorCode(b.kind as 'and') - tsOperatorCode(a.kind as 'and');
  if (a.children.length !== b.children.length) return b.children.length - a.children.length;
  for (let i = 0; i < a.children.length; i++) {
    const order = compare(a.children[i], b.children[i]);
    if (order !== 0) return order;
  }
  return b.distance - a.distance;
}

function sorted(node: Wide): Wide {
  for (const child of node.children) sorted(child);
  if (node.kind !== 'phrase') node.children.sort(compare);
  return node;
}

function copied(node: Wide): Wide {
  return { ...node, children: node.children.map(copied), fixed: true };
}

function matched(node: Wide, target: Wide, by: Wide | null): Wide | null {
  if (node.fixed || node.kind !== target.kind) return node;
  if (node.children.length === target.children.length) return compare(node, target) === 0 ? by && copied(by) : node;
  if (node.children.length < target.children.length || target.children.length === 0) return node;
  const rest: Wide[] = [];
  let k = 0;
  for (let i = 0; i < node.children.length; i++) {
    const order = k < target.children.length ? compare(node.children[i], target.children[k]) : -1;
    if (order > 0) return node;
    if (order === 0) k++;
    else rest.push(node.children[i]);
  }
  if (k < target.children.length) return node;
  if (by !== null) rest.push(copied(by));
  node.children = rest;
  return sorted(node);
}

function replaced(node: Wide, target: Wide, by: Wide | null): Wide | null {
  const out = matched(node, target, by);
  if (out === null || out.fixed || out.word !== null) return out;
  out.children = out.children.map((child) => replaced(child, target, by)).filter((child) => child !== null);
  if (out.children.length === 0) return null;
  return out.children.length === 1 && out.kind !== 'not' ? out.children[0] : out;
}

export function rewritten(query: TsQuery, target: TsQuery, by: TsQuery): TsQuery {
  if (query.root === null || target.root === null) return query;
  const tree = replaced(sorted(widened(query.root, true)), sorted(widened(target.root, true)), by.root === null ? null : widened(by.root, false));
  return new TsQuery(tree === null ? null : narrowed(tree));
}
