/** Which definitions are dropped, and the orders of drops and creations, by dependencies (schema/drop.ts). */
import { type Definitions, type DropTarget, keyOf } from '../../schema/drop-target.ts';
import { type Dependent, dependents, newestFirst } from '../../schema/dependents.ts';
import { type Part, PLACE } from './part.ts';

/**
 * `seeds` and all their dependents, each after its dependents; parts that go with their owner are left out. Columns and attributes
 * are changed in place, as are tables and types that stay. `goes`: it does not exist afterwards. `free`: keys of those without
 * remaining dependents.
 */
export function goingFirst(
  state: Definitions,
  parts: ReadonlyMap<string, Part>,
  seeds: readonly DropTarget[],
  stays: (part: Part) => boolean,
  goes: (key: string) => boolean,
): { readonly order: readonly Part[]; readonly free: ReadonlySet<string> } {
  const begun = new Set<string>();
  const ended = new Set<string>();
  const held = new Set<string>();
  const order: Part[] = [];
  /** Whether it is dropped without remaining dependents. */
  const visit = (target: DropTarget, from: string | null): boolean => {
    const key = keyOf(target);
    const part = parts.get(key);
    const owner = part?.owner != null && goes(part.owner) ? parts.get(part.owner)! : null;
    // A part exists as long as its owner.
    if (begun.has(key)) return !held.has(key) && ended.has(owner?.key ?? key);
    if (from !== null && (part === undefined || stays(part))) return false;
    if (owner !== null && owner.key !== from && !begun.has(owner.key)) return visit(owner.target!, null);
    if (owner !== null && owner.key !== from && !ended.has(owner.key)) held.add(key);
    begun.add(key);
    // Parts of a column are dropped or kept by the whole difference.
    const next = dependentsOf(state, target).filter((each) => target.kind !== 'column' || !each.part);
    for (const each of newestFirst(state, next)) if (!visit(each.target, key)) held.add(key);
    ended.add(key);
    // If two owners depend on each other, the part that connects them is dropped separately.
    if (part !== undefined && (owner === null || (from !== owner.key && !ended.has(owner.key)))) order.push(part);
    return !held.has(key);
  };
  for (const seed of seeds) visit(seed, null);
  return { order, free: new Set(order.flatMap(({ key }) => (held.has(key) ? [] : [key]))) };
}

/** Its dependents; for an extension, those of its members. */
function dependentsOf(state: Definitions, target: DropTarget): Dependent[] {
  return dependents(state, target).flatMap((each) => (each.target.kind === 'extension member' ? dependents(state, each.target) : [each]));
}

/** A definition to create or change. */
export interface Node {
  readonly part: Part;
  readonly statements: readonly string[];
}

/** No other part needs them. */
const LAST: ReadonlySet<DropTarget['kind']> = new Set(['default', 'index', 'trigger', 'rule', 'policy', 'extended statistics']);

/** Each after its dependencies; otherwise by place and number. `split`: how many come before rows are written. */
export function comingOrder(state: Definitions, nodes: readonly Node[]): { readonly order: readonly Node[]; readonly split: number } {
  const at = new Map(nodes.map((node, i) => [node.part.key, i]));
  const behind: Set<number>[] = nodes.map(() => new Set());
  const needs: Set<number>[] = nodes.map(() => new Set());
  const edge = (from: number | undefined, to: number | undefined): void => {
    if (from === undefined || to === undefined || from === to) return;
    behind[from].add(to);
    needs[to].add(from);
  };
  nodes.forEach(({ part }, i) => {
    if (part.owner !== null) edge(at.get(part.owner), i);
    if (part.target === null || LAST.has(part.target.kind)) return;
    for (const { target, part: isPart } of dependentsOf(state, part.target)) {
      // A sequence exists before the column that owns it.
      if (isPart && target.kind === 'sequence') continue;
      // The functions of a base type are created with it.
      if (keyOf(target) === part.owner) continue;
      edge(i, at.get(keyOf(target)) ?? at.get(keyOf(homeOf(target))));
    }
  });
  const place = nodes.map(({ part }) => part.place);
  // A dependency comes as early as its earliest dependent.
  for (let changed = true; changed;) {
    changed = false;
    nodes.forEach((_, i) => {
      for (const need of needs[i]) {
        if (place[need] <= place[i]) continue;
        place[need] = place[i];
        changed = true;
      }
    });
  }
  const before = (a: number, b: number): boolean => place[a] < place[b] || (place[a] === place[b] && nodes[a].part.number < nodes[b].part.number);
  const order: Node[] = [];
  const left = new Set(nodes.keys());
  let split = 0;
  while (left.size > 0) {
    let next = -1;
    let stuck = -1;
    for (const i of left) {
      if (stuck < 0 || before(i, stuck)) stuck = i;
      if (needs[i].size === 0 && (next < 0 || before(i, next))) next = i;
    }
    // A cycle: the statement that comes first will report it.
    if (next < 0) next = stuck;
    left.delete(next);
    for (const each of behind[next]) needs[each].delete(next);
    order.push(nodes[next]);
    if (place[next] <= PLACE.shapes) split = order.length;
  }
  return { order, split };
}

/** What is changed when a column, an attribute or a domain constraint is. */
function homeOf(target: DropTarget): DropTarget {
  if ('table' in target) return { kind: 'table', number: target.table };
  if ('composite' in target) return { kind: 'type', number: target.composite };
  if ('domain' in target) return { kind: 'type', number: target.domain };
  if ('view' in target) return { kind: 'view', number: target.view };
  return target;
}
