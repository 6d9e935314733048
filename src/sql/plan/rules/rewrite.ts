/** A plan with other inputs or expressions; unchanged nodes stay the same object. */
import type { Bound, BoundAggregate, BoundSetFunction, BoundSort, ColumnId } from '../bound.ts';
import type { Access, Plan, SetOperationPlan } from '../logical.ts';
import { areConstantRows, inputsOf, rewriteBound, useOf } from './walk.ts';

/** `inputs` in the order of `inputsOf`. */
export function withInputs(plan: Plan, inputs: readonly Plan[]): Plan {
  if (inputsOf(plan).every((input, i) => input === inputs[i])) return plan;
  switch (plan.op) {
    case 'scan':
    case 'foreignScan':
    case 'hierarchyScan':
    case 'virtualScan':
    case 'values':
    case 'functionScan':
    case 'cteScan':
      return plan;
    case 'rankedScan':
      return { ...plan, visible: inputs[0] };
    case 'append':
      return { ...plan, inputs };
    case 'join':
    case 'setOperation':
      return { ...plan, left: inputs[0], right: inputs[1] };
    case 'with':
      return { ...plan, definitions: plan.definitions.map((definition, i) => ({ ...definition, plan: inputs[i] })), body: inputs[inputs.length - 1] };
    case 'recursive':
      return { ...plan, start: inputs[0], step: inputs[1] };
    default:
      return { ...plan, input: inputs[0] };
  }
}

/** Bottom-up. */
export function rewritePlan(plan: Plan, change: (plan: Plan) => Plan): Plan {
  return change(
    withInputs(
      plan,
      inputsOf(plan).map((input) => rewritePlan(input, change)),
    ),
  );
}

/** The plan's own expressions changed; not those of its inputs. */
export function withBounds(plan: Plan, change: (e: Bound) => Bound): Plan {
  const sort = (key: BoundSort): BoundSort => ({ ...key, value: change(key.value) });
  const optional = (e: Bound | null): Bound | null => (e === null ? null : change(e));
  const call = (f: BoundSetFunction): BoundSetFunction => ({ ...f, args: f.args.map(change) });
  const item = (i: { readonly id: ColumnId; readonly value: Bound }): { id: ColumnId; value: Bound } => ({ id: i.id, value: change(i.value) });
  switch (plan.op) {
    case 'scan':
      if (plan.few !== undefined) {
        const { unless } = plan.few;
        return { ...plan, few: { ...accessWith(plan.few, change), ...(unless === undefined ? {} : { unless: change(unless) }) } };
      }
      return plan.access === undefined ? plan : { ...plan, access: accessWith(plan.access, change) };
    case 'rankedScan':
      if (plan.by.kind === 'distance') return { ...plan, by: { ...plan.by, value: change(plan.by.value) } };
      return { ...plan, by: { ...plan.by, text: change(plan.by.text), limit: optional(plan.by.limit) } };
    case 'append':
      return plan.prune === null ? plan : { ...plan, prune: { ...plan.prune, values: plan.prune.values.map(change) } };
    case 'virtualScan':
      return plan.lookup === undefined ? plan : { ...plan, lookup: { ...plan.lookup, values: plan.lookup.values.map(change) } };
    case 'values':
      return areConstantRows(plan.rows) ? plan : { ...plan, rows: plan.rows.map((row) => row.map(change)) };
    case 'functionScan':
      return { ...plan, functions: plan.functions.map((f) => ({ ...f, call: call(f.call) })) };
    case 'filter':
      return { ...plan, predicate: change(plan.predicate) };
    case 'project':
      return { ...plan, items: plan.items.map(item) };
    case 'projectSet':
      return { ...plan, functions: plan.functions.map((f) => ({ ...f, call: call(f.call) })) };
    case 'join':
      return plan.on === null ? plan : { ...plan, on: change(plan.on) };
    case 'aggregate':
      return {
        ...plan,
        groups: plan.groups.map(item),
        aggregates: plan.aggregates.map((a): BoundAggregate => ({
          ...a,
          args: a.args.map(change),
          direct: a.direct.map(change),
          orderBy: a.orderBy.map(sort),
          filter: optional(a.filter),
        })),
      };
    case 'window':
      return {
        ...plan,
        partitionBy: plan.partitionBy.map(change),
        orderBy: plan.orderBy.map(sort),
        functions: plan.functions.map((f) => ({ ...f, args: f.args.map(change), filter: optional(f.filter) })),
      };
    case 'distinct':
      return plan.on === null ? plan : { ...plan, on: plan.on.map(change) };
    case 'sort':
      return { ...plan, keys: plan.keys.map(sort) };
    case 'limit':
      return { ...plan, limit: optional(plan.limit), offset: optional(plan.offset), ties: plan.ties === null ? null : plan.ties.map(sort) };
    case 'insert':
      return {
        ...plan,
        ...(plan.check === undefined ? {} : { check: { ...plan.check, value: change(plan.check.value) } }),
        conflict:
          plan.conflict === null
            ? null
            : {
                ...plan.conflict,
                set: plan.conflict.set === null ? null : plan.conflict.set.map((one) => ({ ...one, value: change(one.value) })),
                where: optional(plan.conflict.where),
                ...(plan.conflict.check === undefined ? {} : { check: { ...plan.conflict.check, value: change(plan.conflict.check.value) } }),
                ...(plan.conflict.unmet === undefined ? {} : { unmet: { ...plan.conflict.unmet, value: change(plan.conflict.unmet.value) } }),
              },
        returning: plan.returning === null ? null : plan.returning.map(item),
      };
    case 'update':
      return {
        ...plan,
        set: plan.set.map((one) => ({ ...one, value: change(one.value) })),
        ...(plan.check === undefined ? {} : { check: { ...plan.check, value: change(plan.check.value) } }),
        returning: plan.returning === null ? null : plan.returning.map(item),
      };
    case 'merge':
      return {
        ...plan,
        branches: plan.branches.map((branch) => ({
          ...branch,
          when: optional(branch.when),
          set: branch.set.map((one) => ({ ...one, value: change(one.value) })),
          ...(branch.check === undefined ? {} : { check: { ...branch.check, value: change(branch.check.value) } }),
        })),
        returning: plan.returning === null ? null : plan.returning.map(item),
      };
    case 'delete':
      return { ...plan, returning: plan.returning === null ? null : plan.returning.map(item) };
    default:
      return plan;
  }
}

function accessWith(access: Access, change: (e: Bound) => Bound): Access {
  return {
    ...access,
    equal: access.equal.map(change),
    oneOf: access.oneOf?.map(change),
    lower: access.lower === undefined ? undefined : { ...access.lower, value: change(access.lower.value) },
    upper: access.upper === undefined ? undefined : { ...access.upper, value: change(access.upper.value) },
    search: access.search === undefined ? undefined : { ...access.search, value: change(access.search.value) },
    union: access.union?.map((each) => accessWith(each, change)),
  };
}

/** Columns replaced by expressions, inside subqueries too. */
export function substitute(e: Bound, by: ReadonlyMap<ColumnId, Bound>): Bound {
  return rewriteBound(e, (at) => {
    if (at.kind === 'column') return by.get(at.id) ?? at;
    if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') {
      return { ...at, plan: rewritePlan(at.plan, (plan) => withBounds(plan, (inner) => substitute(inner, by))) };
    }
    return at;
  });
}

/** Plans of the subqueries in an expression replaced. */
export function withSubqueries(e: Bound, change: (plan: Plan) => Plan): Bound {
  return rewriteBound(e, (at) => {
    if (at.kind !== 'exists' && at.kind !== 'subquery' && at.kind !== 'arrayQuery' && at.kind !== 'quantifiedQuery') return at;
    const plan = change(at.plan);
    return plan === at.plan ? at : { ...at, plan };
  });
}

export function conjunction(predicates: readonly Bound[]): Bound | null {
  if (predicates.length <= 1) return predicates.length === 0 ? null : predicates[0];
  return { kind: 'and', args: predicates, type: predicates[0].type, typmod: -1 };
}

export function filtered(plan: Plan, predicates: readonly Bound[]): Plan {
  const predicate = conjunction(predicates);
  if (predicate === null) return plan;
  if (plan.op === 'filter') return { ...plan, predicate: conjunction([plan.predicate, predicate])! };
  return { op: 'filter', input: plan, predicate, columns: plan.columns };
}

/** The columns of a set operation as those of one of its sides. */
export function columnsOfSide({ columns }: SetOperationPlan, side: Plan): ReadonlyMap<ColumnId, Bound> {
  return new Map(columns.map(({ id }, i) => [id, useOf(side.columns[i])]));
}
