/** The partition keys of a partitioned table's append, for pruning by later joins and for ordered appends. */
import type { ColumnId } from '../bound.ts';
import type { AppendKey, AppendPlan, HierarchyScanPlan } from '../logical.ts';
import type { PartitionNode } from '../../schema/hierarchy.ts';
import type { KeyTest } from '../../schema/partition-keys.ts';
import type { Value } from '../../types/value.ts';

/** The scan's column for this element of the node's key; undefined for an expression, and if it is not read. */
function columnOfKey(scan: HierarchyScanPlan, node: PartitionNode, element: number): ColumnId | undefined {
  const { column } = node.table.inheritance!.partitionBy!.elements[element];
  const at = column === null ? -1 : scan.source.indexOf(node.columns.indexOf(column));
  return at < 0 ? undefined : scan.columns[at].id;
}

/** `kept`: the members that are the append's inputs. */
export function joinedKeys(scan: HierarchyScanPlan, top: PartitionNode, kept: readonly number[]): readonly AppendKey[] {
  const found = new Map<ColumnId, { node: PartitionNode; element: number }[]>();
  const visit = (node: PartitionNode): void => {
    node.keys.types.forEach((_, element) => {
      const id = columnOfKey(scan, node, element);
      if (id === undefined) return;
      const places = found.get(id);
      if (places === undefined) found.set(id, [{ node, element }]);
      else places.push({ node, element });
    });
    for (const child of node.children) if (typeof child !== 'number') visit(child);
  };
  visit(top);
  return [...found].map(([id, places]): AppendKey => {
    const inputs = (testOf: (element: number) => KeyTest, values: readonly Value[]): boolean[] => {
      const closed = new Set<number>();
      for (const { node, element } of places) node.keys.kept(testOf(element), values).forEach((keep, i) => keep || close(node.children[i], closed));
      return kept.map((member) => !closed.has(member));
    };
    return {
      id,
      among: (values) => inputs((element) => ({ kind: 'any', parts: values.map((_, value) => ({ kind: 'compare', element, operator: '=', value })) }), values),
      between: (least, greatest) => inputs(betweenTest, [least, greatest]),
    };
  });
}

function betweenTest(element: number): KeyTest {
  return {
    kind: 'all',
    parts: [
      { kind: 'compare', element, operator: '>=', value: 0 },
      { kind: 'compare', element, operator: '<=', value: 1 },
    ],
  };
}

function close(child: PartitionNode | number, closed: Set<number>): void {
  if (typeof child === 'number') closed.add(child);
  else for (const each of child.children) close(each, closed);
}

/** The ends of the top level's ranges among the inputs; undefined if there are none, or with a default partition, which may contain anything. */
export function rangesOf(scan: HierarchyScanPlan, top: PartitionNode, kept: readonly number[]): AppendPlan['ranges'] {
  const { strategy, elements } = top.table.inheritance!.partitionBy!;
  if (strategy !== 'range') return undefined;
  const ids = elements.map((_, element) => columnOfKey(scan, top, element));
  const unread = ids.indexOf(undefined);
  const keys = (unread < 0 ? ids : ids.slice(0, unread)) as ColumnId[];
  if (keys.length === 0) return undefined;
  const left = new Set(kept);
  const ends: number[] = [];
  let end = 0;
  for (const [i, child] of top.children.entries()) {
    const inside = new Set<number>();
    close(child, inside);
    const count = [...inside].filter((member) => left.has(member)).length;
    if (count === 0) continue;
    if (i === top.keys.default) return undefined;
    ends.push((end += count));
  }
  return { keys, ends };
}
