/** The restriction of predicates on the partition key, as a test for pruning. */
import type { PartitionNode } from '../../schema/hierarchy.ts';
import type { KeyTest } from '../../schema/partition-keys.ts';
import type { Bound } from '../bound.ts';
import type { HierarchyScanPlan } from '../logical.ts';
import { bindingsOf } from './access.ts';
import { columnsOf, conjuncts } from './walk.ts';

/** The test, and the expressions of its values; null if the predicates do not restrict the key. */
export interface BoundTest {
  readonly test: KeyTest;
  readonly values: readonly Bound[];
}

export function partitionTest(scan: HierarchyScanPlan, node: PartitionNode, predicates: readonly Bound[]): BoundTest | null {
  const values: Bound[] = [];
  const test = testOf(scan, node, predicates, values);
  return test === null ? null : { test, values };
}

function testOf(scan: HierarchyScanPlan, node: PartitionNode, predicates: readonly Bound[], values: Bound[]): KeyTest | null {
  const parts: KeyTest[] = [];
  const add = (value: Bound): number => values.push(value) - 1;
  const { elements } = node.table.inheritance!.partitionBy!;
  elements.forEach((own, element) => {
    const at = own.column === null ? -1 : scan.source.indexOf(node.columns.indexOf(own.column));
    const subject: Bound | null = at < 0 ? (scan.expressions?.(node, element) ?? null) : { kind: 'column', ...scan.columns[at] };
    if (subject === null) return;
    for (const e of predicates) {
      if (e.kind === 'isNull' && e.arg.kind === 'column' && subject.kind === 'column' && e.arg.id === subject.id)
        parts.push({ kind: 'null', element, negated: e.negated });
    }
    const found = bindingsOf(scan, predicates, subject, own.type, { subqueries: true });
    if (found === null) return;
    if (found.equal !== undefined) parts.push({ kind: 'compare', element, operator: '=', value: add(found.equal) });
    if (found.lower !== undefined) parts.push({ kind: 'compare', element, operator: found.lower.inclusive ? '>=' : '>', value: add(found.lower.value) });
    if (found.upper !== undefined) parts.push({ kind: 'compare', element, operator: found.upper.inclusive ? '<=' : '<', value: add(found.upper.value) });
    if (found.oneOf !== undefined) {
      const list = found.oneOf;
      parts.push({
        kind: 'any',
        parts: list.map((value): KeyTest => ({
          kind: 'compare',
          element,
          operator: '=',
          value: add(value),
          ...(value.type.element === null ? {} : { array: true }),
        })),
      });
    }
  });
  for (const e of predicates) {
    if (e.kind !== 'or') continue;
    const before = values.length;
    const arms = e.args.map((arm) => testOf(scan, node, conjuncts(arm), values));
    if (arms.every((arm) => arm !== null)) parts.push({ kind: 'any', parts: arms });
    else values.length = before;
  }
  return parts.length === 0 ? null : { kind: 'all', parts };
}

/** Whether the values are known at plan time. */
export function isConstant({ values }: BoundTest): boolean {
  return values.every(({ kind }) => kind === 'constant');
}

/** Whether they can be computed before the first row is read: none depends on a row of the scan itself. */
export function isKnownAtStart({ columns }: HierarchyScanPlan, { values }: BoundTest): boolean {
  return values.every((value) => columns.every(({ id }) => !columnsOf(value).has(id)));
}
