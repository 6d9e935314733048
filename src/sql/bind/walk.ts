/** Walking and rewriting bound expressions. */
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';

/** The expressions directly below one; those inside plans of subqueries are not among them. */
export function children(value: Bound): readonly Bound[] {
  switch (value.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
      return NONE;
    case 'call':
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least':
      return value.args;
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'field':
      return [value.arg];
    case 'isDistinct':
    case 'nullIf':
      return [value.left, value.right];
    case 'in':
      return [value.arg, ...value.list];
    case 'quantified':
      return [value.left, value.array];
    case 'case':
      return [...value.branches.flatMap(({ when, then }) => [when, then]), value.otherwise];
    case 'let':
      return [value.value, value.body];
    case 'array':
      return value.elements;
    case 'row':
      return value.fields;
    case 'subscript':
      return [value.arg, ...value.subscripts.flatMap(({ lower, upper }) => [lower, upper].filter((each) => each !== null))];
    case 'rowCompare':
      return [...value.left, ...value.right];
    case 'quantifiedQuery':
      return [value.compare];
  }
}
const NONE: readonly Bound[] = [];

/** The same expression over changed parts; `change` gives null to go on below, or what stands in the node's place. */
export function rewrite(value: Bound, change: (value: Bound) => Bound | null, inPlan: (plan: Plan) => Plan = (plan) => plan): Bound {
  const replaced = change(value);
  if (replaced !== null) return replaced;
  const go = (each: Bound): Bound => rewrite(each, change, inPlan);
  const all = (list: readonly Bound[]): readonly Bound[] => {
    let changed = false;
    const out = list.map((each) => {
      const now = go(each);
      if (now !== each) changed = true;
      return now;
    });
    return changed ? out : list;
  };
  switch (value.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
      return value;
    case 'exists':
    case 'subquery':
    case 'arrayQuery': {
      const plan = inPlan(value.plan);
      return plan === value.plan ? value : { ...value, plan };
    }
    case 'call': {
      // Chains of operators lean left and may be deep: down in a loop, then up again.
      if (value.args.length === 2 && value.args[0].kind === 'call') {
        const chain: (Bound & { kind: 'call' })[] = [];
        let at: Bound = value;
        let bottom: Bound | null = null;
        while (at.kind === 'call' && at.args.length === 2) {
          if (chain.length > 0) {
            const replacedHere = change(at);
            if (replacedHere !== null) {
              bottom = replacedHere;
              break;
            }
          }
          chain.push(at);
          at = at.args[0];
        }
        let built = bottom ?? go(at);
        for (let i = chain.length - 1; i >= 0; i--) {
          const node = chain[i];
          const right = go(node.args[1]);
          built = built === node.args[0] && right === node.args[1] ? node : { ...node, args: [built, right] };
        }
        return built;
      }
      const args = all(value.args);
      return args === value.args ? value : { ...value, args };
    }
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least': {
      const args = all(value.args);
      return args === value.args ? value : { ...value, args };
    }
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'field': {
      const arg = go(value.arg);
      return arg === value.arg ? value : { ...value, arg };
    }
    case 'isDistinct':
    case 'nullIf':
      return { ...value, left: go(value.left), right: go(value.right) };
    case 'in':
      return { ...value, arg: go(value.arg), list: all(value.list) };
    case 'quantified':
      return { ...value, left: go(value.left), array: go(value.array) };
    case 'case':
      return { ...value, branches: value.branches.map(({ when, then }) => ({ when: go(when), then: go(then) })), otherwise: go(value.otherwise) };
    case 'let':
      return { ...value, value: go(value.value), body: go(value.body) };
    case 'array':
      return { ...value, elements: all(value.elements) };
    case 'row':
      return { ...value, fields: all(value.fields) };
    case 'subscript':
      return {
        ...value,
        arg: go(value.arg),
        subscripts: value.subscripts.map(({ slice, lower, upper }) => ({
          slice,
          lower: lower === null ? null : go(lower),
          upper: upper === null ? null : go(upper),
        })),
      };
    case 'rowCompare':
      return { ...value, left: all(value.left), right: all(value.right) };
    case 'quantifiedQuery':
      return { ...value, compare: go(value.compare), plan: inPlan(value.plan) };
  }
}

/** Whether two expressions are the same but for where they were written. Subqueries never are. */
export function sameExpression(a: Bound, b: Bound): boolean {
  if (a === b) return true;
  // Record types are made anew for each row expression: what they hold is compared with the fields.
  if (a.kind !== b.kind || (a.type !== b.type && a.type.oid !== b.type.oid)) return false;
  switch (a.kind) {
    case 'constant': {
      const other = b as typeof a;
      if (a.value === null || other.value === null) return a.value === other.value;
      return a.type.hashable ? a.type.hashKey(a.value) === other.type.hashKey(other.value!) : a.value === other.value;
    }
    case 'column':
      return a.id === (b as typeof a).id;
    case 'parameter':
      return a.number === (b as typeof a).number;
    case 'environment':
      return a.name === (b as typeof a).name && a.precision === (b as typeof a).precision;
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
    case 'quantifiedQuery':
      return a.plan === (b as typeof a).plan;
    case 'call':
      if (a.fn !== (b as typeof a).fn) return false;
      break;
    case 'cast':
      if (a.method !== (b as typeof a).method || a.typmod !== b.typmod) return false;
      break;
    case 'isNull':
    case 'isDistinct':
    case 'in':
      if (a.negated !== (b as typeof a).negated) return false;
      break;
    case 'isBoolean':
      if (a.negated !== (b as typeof a).negated || a.value !== (b as typeof a).value) return false;
      break;
    case 'quantified':
      if (a.quantifier !== (b as typeof a).quantifier || a.operator !== (b as typeof a).operator) return false;
      break;
    case 'rowCompare':
      if (a.op !== (b as typeof a).op) return false;
      break;
    case 'field':
      if (a.index !== (b as typeof a).index) return false;
      break;
    case 'subscript':
      if (a.subscripts.length !== (b as typeof a).subscripts.length) return false;
      break;
    case 'let':
      return false;
    default:
      break;
  }
  const left = children(a);
  const right = children(b);
  return left.length === right.length && left.every((each, i) => sameExpression(each, right[i]));
}

export function anyIn(value: Bound, test: (value: Bound) => boolean): boolean {
  const stack: Bound[] = [value];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (test(next)) return true;
    stack.push(...children(next));
  }
  return false;
}

/** Columns that the expression reads, those that subqueries read from outside included. */
export function columnsUsed(value: Bound, into = new Set<ColumnId>()): Set<ColumnId> {
  anyIn(value, (each) => {
    if (each.kind === 'column') into.add(each.id);
    else if (each.kind === 'exists' || each.kind === 'subquery' || each.kind === 'arrayQuery' || each.kind === 'quantifiedQuery') {
      for (const id of freeColumns(each.plan)) into.add(id);
    }
    return false;
  });
  return into;
}

const FREE = new WeakMap<Plan, ReadonlySet<ColumnId>>();

/** Columns that a plan reads and does not make: its correlation. */
export function freeColumns(plan: Plan): ReadonlySet<ColumnId> {
  const known = FREE.get(plan);
  if (known !== undefined) return known;
  const used = new Set<ColumnId>();
  const made = new Set<ColumnId>();
  visitPlan(plan, used, made);
  for (const id of made) used.delete(id);
  FREE.set(plan, used);
  return used;
}

function visitPlan(plan: Plan, used: Set<ColumnId>, made: Set<ColumnId>): void {
  for (const { id } of plan.columns)
    if (plan.op !== 'filter' && plan.op !== 'sort' && plan.op !== 'limit' && plan.op !== 'lock' && plan.op !== 'distinct') made.add(id);
  for (const value of planExpressions(plan)) {
    columnsUsed(value, used);
    anyIn(value, (each) => {
      if (each.kind === 'let') made.add(each.id);
      return false;
    });
  }
  switch (plan.op) {
    case 'project':
      for (const { id, value } of plan.items) if (value.kind === 'column' && value.id === id) made.delete(id);
      break;
    case 'insert':
      for (const id of plan.row) made.add(id);
      for (const id of plan.conflict?.excluded ?? []) made.add(id);
      break;
    case 'update':
      for (const id of plan.row) made.add(id);
      break;
    case 'window':
      if (plan.frame.inRange !== null) for (const id of [plan.frame.inRange.value, plan.frame.inRange.base, plan.frame.inRange.offset]) made.add(id);
      break;
    default:
      break;
  }
  for (const input of planInputs(plan)) visitPlan(input, used, made);
}

/** Plans directly below one, subqueries in its expressions not among them. */
export function planInputs(plan: Plan): readonly Plan[] {
  switch (plan.op) {
    case 'scan':
    case 'virtualScan':
    case 'values':
    case 'functionScan':
    case 'cteScan':
      return [];
    case 'join':
    case 'setOperation':
      return [plan.left, plan.right];
    case 'with':
      return [...plan.definitions.map((each) => each.plan), plan.body];
    case 'recursive':
      return [plan.start, plan.step];
    default:
      return [plan.input];
  }
}

/** Expressions that a plan's own node holds. */
export function planExpressions(plan: Plan): readonly Bound[] {
  switch (plan.op) {
    case 'scan': {
      const { access } = plan;
      if (access === undefined) return [];
      return [
        ...access.equal,
        ...(access.oneOf ?? []),
        ...(access.lower === undefined ? [] : [access.lower.value]),
        ...(access.upper === undefined ? [] : [access.upper.value]),
      ];
    }
    case 'virtualScan':
      return plan.lookup === undefined ? [] : [plan.lookup.value];
    case 'values':
      return plan.rows.flat();
    case 'functionScan':
      return plan.functions.flatMap(({ call }) => call.args);
    case 'filter':
      return [plan.predicate];
    case 'project':
      return plan.items.map(({ value }) => value);
    case 'projectSet':
      return plan.functions.flatMap(({ call }) => call.args);
    case 'join':
      return plan.on === null ? [] : [plan.on];
    case 'aggregate':
      return [
        ...plan.groups.map(({ value }) => value),
        ...plan.aggregates.flatMap(({ args, direct, orderBy, filter }) => [
          ...args,
          ...direct,
          ...orderBy.map(({ value }) => value),
          ...(filter === null ? [] : [filter]),
        ]),
      ];
    case 'window':
      return [
        ...plan.partitionBy,
        ...plan.orderBy.map(({ value }) => value),
        ...[plan.frame.start, plan.frame.end].flatMap((edge) => ('offset' in edge ? [edge.offset] : [])),
        ...plan.functions.flatMap(({ args, filter }) => [...args, ...(filter === null ? [] : [filter])]),
        ...(plan.frame.inRange === null ? [] : [plan.frame.inRange.minus, plan.frame.inRange.plus]),
      ];
    case 'distinct':
      return plan.on ?? [];
    case 'sort':
      return plan.keys.map(({ value }) => value);
    case 'limit':
      return [plan.limit, plan.offset, ...(plan.ties ?? []).map(({ value }) => value)].filter((each) => each !== null);
    case 'insert':
      return [
        ...(plan.conflict?.set ?? []).map(({ value }) => value),
        ...(plan.conflict?.where === undefined || plan.conflict.where === null ? [] : [plan.conflict.where]),
        ...(plan.returning ?? []).map(({ value }) => value),
      ];
    case 'update':
      return [...plan.set.map(({ value }) => value), ...(plan.returning ?? []).map(({ value }) => value)];
    case 'merge':
      return [
        ...plan.branches.flatMap(({ when, set }) => [...(when === null ? [] : [when]), ...set.map(({ value }) => value)]),
        ...(plan.returning ?? []).map(({ value }) => value),
      ];
    case 'delete':
      return (plan.returning ?? []).map(({ value }) => value);
    default:
      return [];
  }
}
