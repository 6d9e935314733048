/** Iterative walks over bound expressions and plans: chains of thousands of operators are common. */
import type { Bound, BoundAggregate, BoundSort, ColumnId } from '../bound.ts';
import type { Access, FewAccess, JoinPlan, OutputColumn, Plan, ProjectPlan } from '../logical.ts';

/** Longer lists of constants are treated as one: their elements are not visited. */
const MANY_CONSTANTS = 100;
const constantLists = new WeakMap<readonly unknown[], boolean>();

/** Whether it is a long list of constants only. */
function isConstantList(list: readonly Bound[]): boolean {
  if (list.length < MANY_CONSTANTS) return false;
  let known = constantLists.get(list);
  if (known === undefined) constantLists.set(list, (known = list.every((each) => each.kind === 'constant')));
  return known;
}

/** Whether they are many rows of constants only. */
export function areConstantRows(rows: readonly (readonly Bound[])[]): boolean {
  if (rows.length < MANY_CONSTANTS) return false;
  let known = constantLists.get(rows);
  if (known === undefined) constantLists.set(rows, (known = rows.every((row) => row.every((each) => each.kind === 'constant'))));
  return known;
}

/** The direct children, in order of evaluation; none for a long list of constants. Plans of subqueries are not entered. */
export function childrenOf(e: Bound): readonly Bound[] {
  switch (e.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
      return [];
    case 'quantifiedQuery':
      return [e.compare];
    case 'call':
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least':
      return e.args;
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'field':
      return [e.arg];
    case 'isDistinct':
    case 'nullIf':
      return [e.left, e.right];
    case 'in':
      return isConstantList(e.list) ? [e.arg] : [e.arg, ...e.list];
    case 'quantified':
      return [e.left, e.array];
    case 'case':
      return childrenOfCase(e);
    case 'let':
      return [e.value, e.body];
    case 'array':
      return e.elements;
    case 'row':
      return e.fields;
    case 'subscript':
      return [e.arg, ...e.subscripts.flatMap(({ lower, upper }) => [lower, upper].filter((bound) => bound !== null))];
    case 'rowCompare':
      return [...e.left, ...e.right];
  }
}

const childrenOfCases = new WeakMap<Bound, readonly Bound[]>();

/** Kept where they are many: rules ask each expression for them some twenty times. */
function childrenOfCase(e: Bound & { kind: 'case' }): readonly Bound[] {
  const { branches } = e;
  const isMany = branches.length >= MANY_CONSTANTS;
  const known = isMany ? childrenOfCases.get(e) : undefined;
  if (known !== undefined) return known;
  const children: Bound[] = [];
  for (const { when, then } of branches) children.push(when, then);
  children.push(e.otherwise);
  if (isMany) childrenOfCases.set(e, children);
  return children;
}

/** The expression with other children, in the order of `childrenOf`. */
export function withChildren(e: Bound, to: readonly Bound[]): Bound {
  switch (e.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
      return e;
    case 'quantifiedQuery':
      return { ...e, compare: to[0] };
    case 'call':
    case 'and':
    case 'or':
    case 'coalesce':
    case 'greatest':
    case 'least':
      return { ...e, args: to };
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'field':
      return { ...e, arg: to[0] };
    case 'isDistinct':
    case 'nullIf':
      return { ...e, left: to[0], right: to[1] };
    case 'in':
      return to.length === 1 && e.list.length > 0 ? { ...e, arg: to[0] } : { ...e, arg: to[0], list: to.slice(1) };
    case 'quantified':
      return { ...e, left: to[0], array: to[1] };
    case 'case':
      // oxlint-disable-next-line no-thenable
      return { ...e, branches: e.branches.map((_, i) => ({ when: to[2 * i], then: to[2 * i + 1] })), otherwise: to[to.length - 1] };
    case 'let':
      return { ...e, value: to[0], body: to[1] };
    case 'array':
      return { ...e, elements: to };
    case 'row':
      return { ...e, fields: to };
    case 'subscript': {
      let at = 1;
      return {
        ...e,
        arg: to[0],
        subscripts: e.subscripts.map(({ slice, lower, upper }) => ({
          slice,
          lower: lower === null ? null : to[at++],
          upper: upper === null ? null : to[at++],
        })),
      };
    }
    case 'rowCompare':
      return { ...e, left: to.slice(0, e.left.length), right: to.slice(e.left.length) };
  }
}

/** Visits every expression at and below `root`; subquery plans are not entered. */
export function visitBound(root: Bound, visit: (e: Bound) => void): void {
  const stack: Bound[] = [root];
  for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
    visit(e);
    const children = childrenOf(e);
    for (let i = 0; i < children.length; i++) stack.push(children[i]);
  }
}

/** Bottom-up; `change` gets each expression with its children already changed. */
export function rewriteBound(root: Bound, change: (e: Bound) => Bound): Bound {
  const done = new Map<Bound, Bound>();
  const stack: { e: Bound; entered: boolean }[] = [{ e: root, entered: false }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { e } = top;
    if (done.has(e)) continue;
    const children = childrenOf(e);
    if (!top.entered && children.length > 0) {
      stack.push({ e, entered: true });
      for (const child of children) stack.push({ e: child, entered: false });
      continue;
    }
    const to = children.map((child) => done.get(child)!);
    done.set(e, change(to.every((child, i) => child === children[i]) ? e : withChildren(e, to)));
  }
  return done.get(root)!;
}

export function inputsOf(plan: Plan): readonly Plan[] {
  switch (plan.op) {
    case 'scan':
    case 'foreignScan':
    case 'hierarchyScan':
    case 'virtualScan':
    case 'values':
    case 'functionScan':
    case 'cteScan':
      return [];
    case 'rankedScan':
      return plan.visible === null ? [] : [plan.visible];
    case 'append':
      return plan.inputs;
    case 'join':
    case 'setOperation':
      return [plan.left, plan.right];
    case 'with':
      return [...plan.definitions.map((definition) => definition.plan), plan.body];
    case 'recursive':
      return [plan.start, plan.step];
    default:
      return [plan.input];
  }
}

const sorts = (keys: readonly BoundSort[]): Bound[] => keys.map((key) => key.value);
const aggregate = (a: BoundAggregate): Bound[] => [...a.args, ...a.direct, ...sorts(a.orderBy), ...(a.filter === null ? [] : [a.filter])];

/** The expressions of an access: equalities, the list, lower and upper bound, and those of each part of a union. */
export function accessBounds(access: Access): Bound[] {
  return [
    ...access.equal,
    ...(access.oneOf ?? []),
    ...(access.lower === undefined ? [] : [access.lower.value]),
    ...(access.upper === undefined ? [] : [access.upper.value]),
    ...(access.search === undefined ? [] : [access.search.value]),
    ...(access.union ?? []).flatMap(accessBounds),
  ];
}

export function fewBounds(few: FewAccess): Bound[] {
  return few.unless === undefined ? accessBounds(few) : [...accessBounds(few), few.unless];
}

/** The expressions of a plan's own node. */
export function boundsOf(plan: Plan): readonly Bound[] {
  switch (plan.op) {
    case 'scan': {
      if (plan.few !== undefined) return fewBounds(plan.few);
      return plan.access === undefined ? [] : accessBounds(plan.access);
    }
    case 'rankedScan':
      if (plan.by.kind === 'distance') return [plan.by.value];
      return plan.by.limit === null ? [plan.by.text] : [plan.by.text, plan.by.limit];
    case 'append':
      return plan.prune?.values ?? [];
    case 'virtualScan':
      return plan.lookup?.values ?? [];
    case 'values':
      return areConstantRows(plan.rows) ? [] : plan.rows.flat();
    case 'functionScan':
      return plan.functions.flatMap((f) => f.call.args);
    case 'filter':
      return [plan.predicate];
    case 'project':
      return plan.items.map((item) => item.value);
    case 'projectSet':
      return plan.functions.flatMap((f) => f.call.args);
    case 'join':
      return plan.on === null ? [] : [plan.on];
    case 'aggregate':
      return [...plan.groups.map((group) => group.value), ...plan.aggregates.flatMap(aggregate)];
    case 'window': {
      const { start, end } = plan.frame;
      const offsets = [start, end].flatMap((edge) => ('offset' in edge ? [edge.offset] : []));
      const range = plan.frame.inRange === null ? [] : [plan.frame.inRange.minus, plan.frame.inRange.plus];
      return [
        ...plan.partitionBy,
        ...sorts(plan.orderBy),
        ...offsets,
        ...range,
        ...plan.functions.flatMap((f) => [...f.args, ...(f.filter === null ? [] : [f.filter])]),
      ];
    }
    case 'distinct':
      return plan.on ?? [];
    case 'sort':
      return [...sorts(plan.keys), ...[plan.top?.limit, plan.top?.offset].filter((bound) => bound !== null && bound !== undefined)];
    case 'limit':
      return [...[plan.limit, plan.offset].filter((bound) => bound !== null), ...(plan.ties === null ? [] : sorts(plan.ties))];
    case 'insert':
      return [
        ...(plan.conflict?.set ?? []).map((set) => set.value),
        ...(plan.conflict?.where == null ? [] : [plan.conflict.where]),
        ...(plan.conflict?.check === undefined ? [] : [plan.conflict.check.value]),
        ...(plan.conflict?.unmet === undefined ? [] : [plan.conflict.unmet.value]),
        ...(plan.check === undefined ? [] : [plan.check.value]),
        ...(plan.returning ?? []).map((item) => item.value),
      ];
    case 'update':
      return [
        ...plan.set.map((set) => set.value),
        ...(plan.check === undefined ? [] : [plan.check.value]),
        ...(plan.returning ?? []).map((item) => item.value),
      ];
    case 'merge':
      return [
        ...plan.branches.flatMap(({ when, set, check }) => [
          ...(when === null ? [] : [when]),
          ...set.map(({ value }) => value),
          ...(check === undefined ? [] : [check.value]),
        ]),
        ...(plan.returning ?? []).map(({ value }) => value),
      ];
    case 'delete':
      return (plan.returning ?? []).map((item) => item.value);
    default:
      return [];
  }
}

/** Ids that a node defines besides those of its inputs. */
function madeBy(plan: Plan): readonly ColumnId[] {
  switch (plan.op) {
    case 'insert':
      return [
        ...plan.row,
        plan.rowKey,
        ...(plan.conflict?.excluded ?? []),
        ...(plan.conflict?.xmax === undefined ? [] : [plan.conflict.xmax]),
        ...(plan.conflict?.check?.row ?? []),
        ...(plan.conflict?.unmet?.row ?? []),
        ...(plan.check?.row ?? []),
      ];
    case 'update':
      return [...plan.row, ...(plan.rowKey === undefined ? [] : [plan.rowKey]), ...(plan.check?.row ?? [])];
    case 'merge':
      return [...plan.row, plan.done.id, ...plan.branches.flatMap(({ check }) => check?.row ?? [])];
    case 'window':
      return plan.frame.inRange === null ? [] : [plan.frame.inRange.value, plan.frame.inRange.base, plan.frame.inRange.offset];
    default:
      return [];
  }
}

/** Columns that an expression reads, including its subqueries' correlation. */
export function columnsOf(e: Bound, into: Set<ColumnId> = new Set()): Set<ColumnId> {
  const own = new Set<ColumnId>();
  const bound: ColumnId[] = [];
  visitBound(e, (at) => {
    if (at.kind === 'column') own.add(at.id);
    else if (at.kind === 'let') bound.push(at.id);
    else if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery') for (const id of freeColumns(at.plan)) own.add(id);
    else if (at.kind === 'quantifiedQuery') {
      for (const id of freeColumns(at.plan)) own.add(id);
      for (const column of at.plan.columns) bound.push(column.id);
    }
  });
  for (const id of bound) own.delete(id);
  for (const id of own) into.add(id);
  return into;
}

/** Nodes that pass their input's columns through. */
const PASSING = new Set<Plan['op']>(['filter', 'sort', 'limit', 'distinct', 'lock', 'join']);

const freeOf = new WeakMap<Plan, ReadonlySet<ColumnId>>();

/** Whether the right side of a join reads columns of the left. */
export function isLateral({ left, right }: JoinPlan): boolean {
  const free = freeColumns(right);
  // Joins of hundreds of tables have thousands of columns on their left, and this runs at each level.
  return free.size > 0 && left.columns.some(({ id }) => free.has(id));
}

/** Columns that a plan names but does not provide: its correlation. */
export function freeColumns(plan: Plan): ReadonlySet<ColumnId> {
  const known = freeOf.get(plan);
  if (known !== undefined) return known;
  const used = new Set<ColumnId>();
  const given = new Set<ColumnId>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'project') {
      // A column that is passed through may be an outer one.
      for (const { id, value } of p.items) if (value.kind !== 'column' || value.id !== id) given.add(id);
    } else if (!PASSING.has(p.op)) for (const column of p.columns) given.add(column.id);
    for (const id of madeBy(p)) given.add(id);
    for (const e of boundsOf(p)) columnsOf(e, used);
    stack.push(...inputsOf(p));
  }
  for (const id of given) used.delete(id);
  freeOf.set(plan, used);
  return used;
}

/** Whether evaluating it twice, or not at all, is visible. */
export function isVolatile(e: Bound): boolean {
  let found = false;
  visitBound(e, (at) => {
    if (at.kind === 'call' && at.fn.volatility === 'volatile') found = true;
    else if (at.kind === 'cast' && at.cast?.volatility === 'volatile') found = true;
    else if ((at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') && planIsVolatile(at.plan))
      found = true;
  });
  return found;
}

const volatilityOf = new WeakMap<Plan, boolean>();

export function planIsVolatile(plan: Plan): boolean {
  let known = volatilityOf.get(plan);
  if (known === undefined) volatilityOf.set(plan, (known = findsVolatile(plan)));
  return known;
}

function findsVolatile(plan: Plan): boolean {
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'insert' || p.op === 'update' || p.op === 'delete' || p.op === 'merge' || p.op === 'lock') return true;
    if (p.op === 'functionScan' && p.functions.some((f) => f.call.fn.volatility === 'volatile')) return true;
    if (p.op === 'projectSet' && p.functions.some((f) => f.call.fn.volatility === 'volatile')) return true;
    if (boundsOf(p).some(isVolatile)) return true;
    stack.push(...inputsOf(p));
  }
  return false;
}

export function hasSubquery(e: Bound): boolean {
  let found = false;
  visitBound(e, (at) => {
    if (isSubquery(at)) found = true;
  });
  return found;
}

/** A query in an expression. */
export function isSubquery(e: Bound): e is Bound & { readonly kind: 'exists' | 'subquery' | 'arrayQuery' | 'quantifiedQuery' } {
  return e.kind === 'exists' || e.kind === 'subquery' || e.kind === 'arrayQuery' || e.kind === 'quantifiedQuery';
}

/** The conjuncts of an AND, in order. */
export function conjuncts(e: Bound): Bound[] {
  const out: Bound[] = [];
  const stack: Bound[] = [e];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'and') for (let i = at.args.length - 1; i >= 0; i--) stack.push(at.args[i]);
    else out.push(at);
  }
  return out;
}

/** `a = b` by an operator. */
export function isEquality(e: Bound): e is Bound & { readonly kind: 'call' } {
  return e.kind === 'call' && e.args.length === 2 && e.fn.name === '=' && !('kind' in e.fn);
}

/** A reference to a column of a plan. */
export function useOf({ id, type, typmod }: OutputColumn): Bound {
  return { kind: 'column', id, type, typmod };
}

/** Whether a projection only removes columns. */
export function onlyLeavesOut({ items }: ProjectPlan): boolean {
  return items.every(({ id, value }) => value.kind === 'column' && value.id === id);
}

/** Whether it contains a subquery that runs for each row. */
export function hasCorrelated(e: Bound): boolean {
  let found = false;
  visitBound(e, (at) => {
    if (isSubquery(at)) found ||= freeColumns(at.plan).size > 0;
  });
  return found;
}
