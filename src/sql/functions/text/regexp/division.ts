/**
 * How Postgres divides a match among the parts of an expression: a tree of the relevant parts (groups, choices, loops over groups,
 * mixtures of greedy and lazy), each with its preference by the rules of the manual (9.7.3.5). Parts without groups and mixtures are
 * treated as one.
 */
import type { Node } from './syntax.ts';

export type Division = { readonly node: Node; readonly shortest: boolean } & (
  | { readonly op: 'whole' }
  | { readonly op: 'group'; readonly index: number; readonly child: Division }
  | { readonly op: 'pair'; readonly left: Division; readonly right: Division }
  | { readonly op: 'either'; readonly branches: readonly Division[] }
  | { readonly op: 'loop'; readonly child: Division; readonly min: number; readonly max: number }
);

const LONGER = 1;
const SHORTER = 2;
const MIXED = 4;
const CAPTURES = 8;

interface Built {
  division: Division;
  flags: number;
}

const preference = (flags: number): number => flags & (LONGER | SHORTER);
const upward = (flags: number): number => (flags & (MIXED | CAPTURES)) | ((flags << 2) & (flags << 1) & MIXED);
const messy = (flags: number): boolean => (flags & (MIXED | CAPTURES)) !== 0;
const combine = (a: number, b: number): number => upward(a | b) | (preference(a) || preference(b));

function whole(node: Node, flags: number): Built {
  return { division: { op: 'whole', node, shortest: (flags & SHORTER) !== 0 }, flags };
}

function pair(left: Built, right: Built, flags: number): Built {
  const node: Node = { kind: 'concat', items: [left.division.node, right.division.node] };
  return { division: { op: 'pair', node, shortest: (flags & SHORTER) !== 0, left: left.division, right: right.division }, flags };
}

export function divide(root: Node): Division {
  return build(root).division;
}

function build(node: Node): Built {
  if (node.kind === 'concat') return branch(node.items);
  if (node.kind === 'either') {
    const branches = node.branches.map(build);
    let flags = LONGER;
    for (const each of branches) flags |= upward(flags | each.flags);
    if (!messy(flags)) return whole(node, flags);
    return { division: { op: 'either', node, shortest: false, branches: branches.map((each) => each.division) }, flags };
  }
  return branch([node]);
}

function sequence(items: readonly Node[]): Node {
  return items.length === 1 ? (items[0] as Node) : { kind: 'concat', items };
}

function branch(items: readonly Node[]): Built {
  const plain: Node[] = [];
  let flags = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Node;
    const quantified = item.kind === 'repeat';
    const atom = atomOf(quantified ? item.body : item);
    const wanted = quantified && !item.exact ? (item.greedy ? LONGER : SHORTER) : 0;
    if (quantified && item.max === 0) continue;
    const together = flags | wanted | atom.flags;
    if ((quantified ? item.body : item).kind !== 'group' && !messy(upward(together))) {
      plain.push(item);
      flags = together;
      continue;
    }
    const before = whole(sequence(plain), flags);
    let part = quantified ? repeated(item, atom, wanted) : atom;
    const rest = items.slice(i + 1);
    if (rest.length > 0) {
      const after = branch(rest);
      const partFlags = combine(wanted, atom.flags);
      const joined = partFlags | combine(partFlags, after.flags);
      const both = part.flags | after.flags;
      const simple = plain.length > 0 && part.division.op === 'whole' && after.division.op === 'whole' && !messy(upward(both));
      part = simple ? whole({ kind: 'concat', items: [part.division.node, after.division.node] }, both) : pair(part, after, joined);
    }
    return plain.length === 0 ? part : pair(before, part, flags | combine(flags, part.flags));
  }
  return whole(sequence(plain), flags);
}

function atomOf(node: Node): Built {
  if (node.kind === 'group') {
    const child = build(node.body);
    const flags = child.flags | CAPTURES;
    return { division: { op: 'group', node, shortest: child.division.shortest, index: node.index, child: child.division }, flags };
  }
  return node.kind === 'either' || node.kind === 'concat' || node.kind === 'repeat' ? build(node) : whole(node, 0);
}

function repeated(item: Node & { kind: 'repeat' }, atom: Built, wanted: number): Built {
  const { min, max } = item;
  const own = atom.flags & (LONGER | SHORTER | MIXED);
  if (min === 1 && max === 1 && (wanted === 0 || own === 0 || wanted === own)) return atom;
  const flags = combine(wanted, atom.flags);
  if ((atom.flags & CAPTURES) === 0) return whole(item, flags);
  if (min > 0) {
    // x{m,n} is x{m-1,n-1}x: only the last iteration captures groups.
    const before: Node = { ...item, min: min - 1, max: max - 1 };
    return pair(whole(before, preference(flags)), atom, flags);
  }
  return { division: { op: 'loop', node: item, shortest: (flags & SHORTER) !== 0, child: atom.division, min, max }, flags };
}
