/** A plan with parts replaced, including those inside subqueries of expressions. */
import type { Bound, BoundSort } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { anyIn, rewrite } from './walk.ts';

/** `change` gives null to descend, or the replacement of the node. Nodes without changes below stay the same objects. */
export function mapPlan(plan: Plan, change: (plan: Plan) => Plan | null): Plan {
  const replaced = change(plan);
  if (replaced !== null) return replaced;
  const go = (each: Plan): Plan => mapPlan(each, change);
  return mapExpressions(mapInputs(plan, go), (value) => (hasPlan(value) ? rewrite(value, () => null, go) : value));
}

function hasPlan(value: Bound): boolean {
  return anyIn(value, ({ kind }) => kind === 'exists' || kind === 'subquery' || kind === 'arrayQuery' || kind === 'quantifiedQuery');
}

export function mapInputs(plan: Plan, go: (plan: Plan) => Plan): Plan {
  switch (plan.op) {
    case 'scan':
    case 'foreignScan':
    case 'hierarchyScan':
    case 'virtualScan':
    case 'values':
    case 'functionScan':
    case 'cteScan':
      return plan;
    case 'rankedScan': {
      const visible = plan.visible === null ? null : go(plan.visible);
      return visible === plan.visible ? plan : { ...plan, visible };
    }
    case 'append': {
      const inputs = plan.inputs.map(go);
      return inputs.every((input, i) => input === plan.inputs[i]) ? plan : { ...plan, inputs };
    }
    case 'join':
    case 'setOperation': {
      const left = go(plan.left);
      const right = go(plan.right);
      return left === plan.left && right === plan.right ? plan : { ...plan, left, right };
    }
    case 'with': {
      const definitions = plan.definitions.map((each) => {
        const inner = go(each.plan);
        return inner === each.plan ? each : { ...each, plan: inner };
      });
      const body = go(plan.body);
      return body === plan.body && definitions.every((each, i) => each === plan.definitions[i]) ? plan : { ...plan, definitions, body };
    }
    case 'recursive': {
      const start = go(plan.start);
      const step = go(plan.step);
      return start === plan.start && step === plan.step ? plan : { ...plan, start, step };
    }
    default: {
      const input = go(plan.input);
      return input === plan.input ? plan : { ...plan, input };
    }
  }
}

/** The node with each of its own expressions changed. */
export function mapExpressions(plan: Plan, change: (value: Bound) => Bound): Plan {
  let changed = false;
  const go = (value: Bound): Bound => {
    const out = change(value);
    if (out !== value) changed = true;
    return out;
  };
  const orNull = <T extends Bound | null>(value: T): T => (value === null ? value : (go(value) as T));
  const all = (list: readonly Bound[]): readonly Bound[] => list.map(go);
  const sorts = (list: readonly BoundSort[]): readonly BoundSort[] => list.map((key) => ({ ...key, value: go(key.value) }));
  const items = <T extends { readonly value: Bound }>(list: readonly T[]): readonly T[] => list.map((item) => ({ ...item, value: go(item.value) }));
  let out: Plan;
  switch (plan.op) {
    case 'scan': {
      const { access } = plan;
      if (access === undefined) return plan;
      out = {
        ...plan,
        access: {
          ...access,
          equal: all(access.equal),
          ...(access.oneOf === undefined ? {} : { oneOf: all(access.oneOf) }),
          ...(access.lower === undefined ? {} : { lower: { ...access.lower, value: go(access.lower.value) } }),
          ...(access.upper === undefined ? {} : { upper: { ...access.upper, value: go(access.upper.value) } }),
        },
      };
      break;
    }
    case 'virtualScan':
      if (plan.lookup === undefined) return plan;
      out = { ...plan, lookup: { ...plan.lookup, values: all(plan.lookup.values) } };
      break;
    case 'values':
      out = { ...plan, rows: plan.rows.map(all) };
      break;
    case 'functionScan':
      out = { ...plan, functions: plan.functions.map((each) => ({ ...each, call: { ...each.call, args: all(each.call.args) } })) };
      break;
    case 'projectSet':
      out = { ...plan, functions: plan.functions.map((each) => ({ ...each, call: { ...each.call, args: all(each.call.args) } })) };
      break;
    case 'filter':
      out = { ...plan, predicate: go(plan.predicate) };
      break;
    case 'project':
      out = { ...plan, items: items(plan.items) };
      break;
    case 'join':
      out = { ...plan, on: orNull(plan.on) };
      break;
    case 'aggregate':
      out = {
        ...plan,
        groups: items(plan.groups),
        aggregates: plan.aggregates.map((each) => ({
          ...each,
          args: all(each.args),
          direct: all(each.direct),
          orderBy: sorts(each.orderBy),
          filter: orNull(each.filter),
        })),
      };
      break;
    case 'window': {
      const { frame } = plan;
      const edge = (each: typeof frame.start): typeof frame.start => ('offset' in each ? { ...each, offset: go(each.offset) } : each);
      out = {
        ...plan,
        partitionBy: all(plan.partitionBy),
        orderBy: sorts(plan.orderBy),
        frame: { ...frame, start: edge(frame.start), end: edge(frame.end) },
        functions: plan.functions.map((each) => ({ ...each, args: all(each.args), filter: orNull(each.filter) })),
      };
      break;
    }
    case 'distinct':
      if (plan.on === null) return plan;
      out = { ...plan, on: all(plan.on) };
      break;
    case 'sort':
      out = { ...plan, keys: sorts(plan.keys) };
      break;
    case 'limit':
      out = { ...plan, limit: orNull(plan.limit), offset: orNull(plan.offset), ties: plan.ties === null ? null : sorts(plan.ties) };
      break;
    case 'insert':
      out = {
        ...plan,
        ...(plan.check === undefined ? {} : { check: { ...plan.check, value: go(plan.check.value) } }),
        conflict:
          plan.conflict === null
            ? null
            : {
                ...plan.conflict,
                set: plan.conflict.set === null ? null : items(plan.conflict.set),
                where: orNull(plan.conflict.where),
                ...(plan.conflict.check === undefined ? {} : { check: { ...plan.conflict.check, value: go(plan.conflict.check.value) } }),
                ...(plan.conflict.unmet === undefined ? {} : { unmet: { ...plan.conflict.unmet, value: go(plan.conflict.unmet.value) } }),
              },
        returning: plan.returning === null ? null : items(plan.returning),
      };
      break;
    case 'update':
      out = {
        ...plan,
        ...(plan.check === undefined ? {} : { check: { ...plan.check, value: go(plan.check.value) } }),
        set: items(plan.set),
        returning: plan.returning === null ? null : items(plan.returning),
      };
      break;
    case 'merge':
      out = {
        ...plan,
        branches: plan.branches.map((branch) => ({
          ...branch,
          when: orNull(branch.when),
          set: items(branch.set),
          ...(branch.check === undefined ? {} : { check: { ...branch.check, value: go(branch.check.value) } }),
        })),
        returning: plan.returning === null ? null : items(plan.returning),
      };
      break;
    case 'delete':
      out = { ...plan, returning: plan.returning === null ? null : items(plan.returning) };
      break;
    default:
      return plan;
  }
  return changed ? out : plan;
}
