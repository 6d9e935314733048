/**
 * Expands a scan of a table with descendants to scans of the tables that store rows, each with the predicates over it. Partitions
 * are pruned: at plan time by known values, otherwise when the append starts (parameters, subqueries, outer rows).
 *
 *   filter(hierarchyScan) ──► append(filter(scan p1), filter(scan p2) …)
 */
import type { Bound, ColumnId, Constant } from '../bound.ts';
import type { AppendPlan, ForeignScanPlan, HierarchyScanPlan, Plan, ScanPlan } from '../logical.ts';
import { joinedKeys, rangesOf } from './partition-inputs.ts';
import { MEMBER_KEY, MEMBER_OF_KEY } from '../../functions/system/member-key.ts';
import type { Member, PartitionNode } from '../../schema/hierarchy.ts';
import { OID } from '../../types/identifiers.ts';
import { INT8 } from '../../types/integers.ts';
import { TEXT } from '../../types/texts.ts';
import type { Value } from '../../types/value.ts';
import type { Ids } from './decorrelate.ts';
import { isConstant, isKnownAtStart, partitionTest, type BoundTest } from './partition-test.ts';
import { filtered, withInputs } from './rewrite.ts';
import { columnsOf, conjuncts, hasCorrelated, hasSubquery, inputsOf, isVolatile, rewriteBound } from './walk.ts';

/** Most plans have none: they are returned unchanged. */
export function expandHierarchies(plan: Plan, ids: Ids): Plan {
  return holdsHierarchy(plan) ? expand(plan, ids) : plan;
}

function holdsHierarchy(plan: Plan): boolean {
  return plan.op === 'hierarchyScan' || inputsOf(plan).some(holdsHierarchy);
}

function expand(plan: Plan, ids: Ids): Plan {
  if (plan.op === 'hierarchyScan') return members(plan, [], [], ids);
  if (plan.op === 'filter' && plan.input.op === 'hierarchyScan') {
    const all = conjuncts(plan.predicate);
    const down = all.filter((e) => !isVolatile(e) && !hasSubquery(e));
    const asked = all.filter((e) => !isVolatile(e) && hasSubquery(e) && !hasCorrelated(e));
    return filtered(
      members(plan.input, down, asked, ids),
      all.filter((e) => !down.includes(e)),
    );
  }
  return withInputs(
    plan,
    inputsOf(plan).map((input) => expand(input, ids)),
  );
}

type Chosen = (values: readonly Value[]) => readonly boolean[];

/** `asked`: further predicates above the append. */
function members(scan: HierarchyScanPlan, predicates: readonly Bound[], asked: readonly Bound[], ids: Ids): Plan {
  const { partitions, members: all } = scan.table.whole!;
  let kept: readonly number[] = all.map((_, i) => i);
  const later: BoundTest[] = [];
  const choosers: Chosen[] = [];
  if (partitions !== null && predicates.length + asked.length > 0) {
    const keep = new Array<boolean>(all.length).fill(false);
    const visit = (node: PartitionNode): void => {
      const known = predicates.filter((e) => saysNow(scan, node, e));
      const now = partitionTest(scan, node, known);
      const chosen =
        now === null
          ? null
          : node.keys.kept(
              now.test,
              now.values.map((value) => (value as Constant).value),
            );
      // Of two bounds the first is used, and the known ones have been.
      const open = [...predicates, ...asked].filter((e) => !known.includes(e));
      const found = open.length === 0 ? null : partitionTest(scan, node, [...open, ...known]);
      if (found !== null && !isConstant(found) && isKnownAtStart(scan, found)) {
        later.push(found);
        choosers.push(chooserOf(node, found, all.length));
      }
      node.children.forEach((child, i) => {
        if (chosen !== null && !chosen[i]) return;
        if (typeof child === 'number') keep[child] = true;
        else visit(child);
      });
    };
    visit(partitions);
    kept = kept.filter((i) => keep[i]);
  }
  if (kept.length === 0) return { op: 'values', rows: [], columns: scan.columns };
  const { name } = scan.table;
  const inputs = kept.map((i, at) => memberPlan(scan, all[i], kept.length === 1 ? name : `${name}_${at + 1}`, predicates, ids));
  if (inputs.length === 1) return inputs[0];
  const append: AppendPlan = {
    op: 'append',
    inputs,
    columns: scan.columns,
    prune: null,
    ...(partitions === null ? {} : { keys: joinedKeys(scan, partitions, kept), ranges: rangesOf(scan, partitions, kept) }),
  };
  if (later.length === 0) return append;
  const values = later.flatMap((each) => each.values);
  return { ...append, prune: { values, kept: chosenAtStart(later, choosers, kept) } };
}

/** Whether the predicate's restriction on the node's partitions, if any, is known at plan time. */
function saysNow(scan: HierarchyScanPlan, node: PartitionNode, predicate: Bound): boolean {
  const found = partitionTest(scan, node, [predicate]);
  return found === null || isConstant(found);
}

/** The members that a node selects, by values that are known later. */
function chooserOf(node: PartitionNode, { test }: BoundTest, count: number): Chosen {
  return (values) => {
    const out = new Array<boolean>(count).fill(true);
    const close = (child: PartitionNode | number): void => {
      if (typeof child === 'number') out[child] = false;
      else child.children.forEach(close);
    };
    node.keys.kept(test, values).forEach((keep, i) => {
      if (!keep) close(node.children[i]);
    });
    return out;
  };
}

function chosenAtStart(later: readonly BoundTest[], choosers: readonly Chosen[], kept: readonly number[]): Chosen {
  return (values) => {
    const out = kept.map(() => true);
    let from = 0;
    later.forEach((each, i) => {
      const chosen = choosers[i](values.slice(from, from + each.values.length));
      from += each.values.length;
      kept.forEach((member, at) => (out[at] &&= chosen[member]));
    });
    return out;
  };
}

/** The rows of one member under the ids of the whole: inputs of an append share their ids, and each is read separately. */
function memberPlan(scan: HierarchyScanPlan, { table, columns }: Member, alias: string, predicates: readonly Bound[], ids: Ids): Plan {
  const at = scan.source.indexOf('key');
  const source = scan.source.map((each) => (each === 'key' ? each : columns[each]));
  const plain: ScanPlan | ForeignScanPlan = {
    op: table.foreign === undefined ? 'scan' : 'foreignScan',
    table,
    asOf: scan.asOf,
    source,
    columns: scan.columns,
    ...(alias === table.name ? {} : { alias }),
  };
  if (at < 0) return filtered(plain, predicates);
  const own = { ...scan.columns[at], id: ids.fresh(), type: table.key.numeric ? INT8 : TEXT };
  const keyed: ScanPlan | ForeignScanPlan = { ...plain, columns: scan.columns.map((column, i) => (i === at ? own : column)) };
  const oid: Bound = { kind: 'constant', type: OID, typmod: -1, value: table.number };
  const args: Bound[] = [oid, { kind: 'column', id: own.id, type: own.type, typmod: -1 }];
  const key: Bound = { kind: 'call', fn: MEMBER_KEY, proc: MEMBER_KEY.name, args, type: TEXT, typmod: -1 };
  const { id } = scan.columns[at];
  const named = predicates.map((e) => (columnsOf(e).has(id) ? inMember(e, id, key, oid) : e));
  return {
    op: 'project',
    input: filtered(keyed, named),
    items: scan.columns.map((column, i) => ({
      id: column.id,
      value: i === at ? key : { kind: 'column', id: column.id, type: column.type, typmod: column.typmod },
    })),
    columns: scan.columns,
  };
}

/** A predicate on the row's key in one member: there the table is known. */
function inMember(e: Bound, id: ColumnId, key: Bound, oid: Bound): Bound {
  return rewriteBound(e, (at) => {
    if (at.kind === 'call' && at.fn === MEMBER_OF_KEY) return oid;
    return at.kind === 'column' && at.id === id ? key : at;
  });
}
