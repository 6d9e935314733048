/**
 * Whether JS finds the same spans as Postgres. JS takes the first alternative and the greediest loop that lead to a match; Postgres
 * takes the longest match (or the shortest one) as a whole and divides it afterwards (manual, 9.7.3.5). They agree if the next
 * character always determines the path, and if a single ambiguous loop is followed only by parts of fixed length, or by parts that
 * are deterministic up to the end of the text.
 */
import { fixedLength, nullable, some, type CharSet, type Node } from './syntax.ts';

/** `$` if it does not also match at the end of a line. */
const TEXT_END = '$';

interface First {
  ascii: bigint;
  beyond: boolean;
}

const NONE: First = { ascii: 0n, beyond: false };

function union(a: First, b: First): First {
  return { ascii: a.ascii | b.ascii, beyond: a.beyond || b.beyond };
}

function disjoint(a: First, b: First): boolean {
  return (a.ascii & b.ascii) === 0n && !(a.beyond && b.beyond);
}

/** The characters that a match of the node can begin with. */
function first(node: Node): First {
  switch (node.kind) {
    case 'set':
      return node;
    case 'group':
    case 'repeat':
      return first(node.body);
    case 'concat':
      return firstOfAll(node.items, NONE);
    case 'either':
      return node.branches.map(first).reduce(union, NONE);
    default:
      return NONE;
  }
}

function firstOfAll(items: readonly Node[], follow: First): First {
  let result = NONE;
  for (const item of items) {
    result = union(result, first(item));
    if (!nullable(item)) return result;
  }
  return union(result, follow);
}

/** For each item the first characters of the items after it, in one pass from the end: patterns may have 100,000 items and more. */
function firstBehind(items: readonly Node[], follow: First): First[] {
  const behind: First[] = [];
  let next = follow;
  for (let i = items.length - 1; i >= 0; i--) {
    behind[i] = next;
    const own = first(items[i]);
    next = nullable(items[i]) ? union(own, next) : own;
  }
  return behind;
}

/** The single characters that a branch begins with. */
function leading(node: Node): CharSet[] {
  if (node.kind === 'set') return [node];
  if (node.kind === 'group') return leading(node.body);
  if (node.kind !== 'concat') return [];
  const sets: CharSet[] = [];
  for (const item of node.items) {
    const own = leading(item);
    sets.push(...own);
    if (own.length === 0 || fixedLength(item) !== own.length) break;
  }
  return sets;
}

/** Whether no text can match both. */
function exclusive(a: Node, b: Node): boolean {
  const [x, y] = [leading(a), leading(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (disjoint(x[i] as CharSet, y[i] as CharSet)) return true;
  return disjoint(first(a), first(b)) && !nullable(a) && !nullable(b);
}

function determined(node: Node, follow: First): boolean {
  switch (node.kind) {
    case 'set':
    case 'empty':
    case 'constraint':
      return true;
    case 'look':
    case 'back':
      return false;
    case 'group':
      return determined(node.body, follow);
    case 'concat': {
      const behind = firstBehind(node.items, follow);
      return node.items.every((item, index) => determined(item, behind[index]));
    }
    case 'either': {
      const { branches } = node;
      const last = branches.length - 1;
      if (branches.some((branch, index) => nullable(branch) && index < last)) return false;
      if (nullable(node) && !disjoint(first(node), follow)) return false;
      for (let i = 0; i < branches.length; i++) {
        const branch = branches[i] as Node;
        if (!determined(branch, follow)) return false;
        for (let k = 0; k < i; k++) {
          const other = branches[k] as Node;
          if (!exclusive(other, branch) && !(branch.kind === 'empty' && disjoint(first(other), follow))) return false;
        }
      }
      return true;
    }
    case 'repeat': {
      const { body, min, max, greedy, exact } = node;
      if (max === 0 || nullable(body) || (!greedy && !exact)) return false;
      const own = first(body);
      if (min !== max && !disjoint(own, follow)) return false;
      return determined(body, max > 1 ? union(own, follow) : follow);
    }
  }
}

const hasGroup = (node: Node): boolean => some(node, (each) => each.kind === 'group');

/** A loop whose iterations have one length, with or without parentheses. */
function steadyLoop(node: Node): (Node & { kind: 'repeat' }) | undefined {
  if (node.kind === 'group') return steadyLoop(node.body);
  if (node.kind !== 'repeat') return undefined;
  const length = fixedLength(node.body);
  const body = node.body.kind === 'group' ? node.body.body : node.body;
  return length !== null && length > 0 && !hasGroup(body) && (node.min > 0 || node.body.kind !== 'group' || node.greedy) ? node : undefined;
}

/** Whether all matches of the node have one length and its groups fixed positions. */
function steady(node: Node): boolean {
  if (fixedLength(node) === null) return false;
  return !some(
    node,
    (each) =>
      (each.kind === 'either' && hasGroup(each)) || each.kind === 'look' || (each.kind === 'repeat' && (each.max === 0 || (!each.greedy && !each.exact))),
  );
}

/**
 * Whether an ambiguous greedy loop has its maximal length in both, since everything after it leads to the end of the text in one
 * way. Postgres divides at groups and maximises what is between two of them together.
 */
function toTheEnd(loop: Node, rest: readonly Node[]): boolean {
  const last = rest.at(-1);
  if (last?.kind !== 'constraint' || last.source !== TEXT_END) return false;
  const group = hasGroup(loop) ? 0 : rest.findIndex(hasGroup);
  const together = group < 0 ? rest : rest.slice(0, group);
  const behind = firstBehind(rest, NONE);
  return together.every(steady) && rest.every((item, i) => determined(item, behind[i]));
}

export function spansAgree(root: Node): boolean {
  const items = root.kind === 'concat' ? root.items : [root];
  const behind = firstBehind(items, NONE);
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Node;
    if (determined(item, behind[i])) continue;
    if (steady(item)) {
      // A choice of one length may hide an ambiguity at the start of the rest, but not change the span.
      if (some(item, (each) => each.kind === 'back')) return false;
      continue;
    }
    const loop = steadyLoop(item);
    if (loop === undefined) return false;
    const rest = items.slice(i + 1);
    if (!rest.every(steady)) return loop.greedy && toTheEnd(item, rest);
    // What precedes a lazy loop must leave the preference of the whole to it: a choice would make it greedy.
    return (
      loop.greedy ||
      items
        .slice(0, i)
        .every((before) => fixedLength(before) !== null && !some(before, (each) => each.kind === 'either' || (each.kind === 'repeat' && !each.exact)))
    );
  }
  return true;
}
