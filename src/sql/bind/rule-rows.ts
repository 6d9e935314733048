/**
 * OLD and NEW in the actions of rules (manual, 41.4): the rows that the statement reads, and in place of NEW's columns the
 * expressions that it writes, which every action computes again, as in Postgres. An action that uses neither, of a statement whose
 * condition does not read the relation, runs once for the statement's other items.
 */
import type { Expression } from '../ast/expression.ts';
import type { Insert, RuleRows, PolicyChanged } from '../ast/write.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { visitBound } from '../plan/rules/walk.ts';
import type { Binder } from './binder.ts';
import { bindExpression } from './expression.ts';
import { type BoundFrom, joinOf } from './from.ts';
import { asStored } from './rule-mark.ts';
import { type Relation, Scope } from './scope.ts';
import { assign, bindAssignments, columnsBy, filtered, foundRows, insertSource, targetRows } from './write.ts';
import { over, type WriteTarget, writeTarget } from './write-target.ts';

type Row = (index: number) => Bound;

export function bindRuleRows(binder: Binder, item: RuleRows, scope: Scope): BoundFrom {
  if (item.of === null) return unknownRows(binder, item);
  const { of, relation } = item;
  return asStored(binder, of.rule, () => {
    const own = besides(scope);
    const into = writeTarget(binder, of.table, of.type);
    if (of.type === 'insert') {
      const { plan, values } = unfolded(binder, insertSource(binder, of, into, own));
      const now = withGenerated(binder, into, (index) => values[index]);
      return made(binder, filtered(binder, plan, unlessRules(binder, of, into, null, now)), into, relation, null, now);
    }
    const { input, scan, old, beside } = targetRows(binder, of, into, own);
    if (beside !== null && !item.named && of.unless === undefined) return { plan: beside, namespace: { relations: [], columns: [] } };
    const before = columnsBy(into.table, old);
    let found = foundRows(binder, into, input, scan, old, [of.type]);
    if (of.type === 'delete') return made(binder, filtered(binder, found, unlessRules(binder, of, into, before, null)), into, relation, before, null);
    own.clause = 'set';
    const { set, subqueries } = bindAssignments(binder, of.set, into, own, old);
    for (const plan of subqueries) found = joinOf('single', found, plan, null);
    // An expression with a query is computed once per row: a plan occurs in one place only.
    const computed = set
      .filter(({ value }) => hasQuery(value))
      .map((each) => ({ ...each, column: binder.column('', each.value.type, each.value.typmod), index: each.column }));
    if (computed.length > 0) {
      const items = [
        ...found.columns.map((column) => ({ id: column.id, value: binder.use(column) })),
        ...computed.map(({ column, value }) => ({ id: column.id, value })),
      ];
      found = { op: 'project', input: found, items, columns: [...found.columns, ...computed.map(({ column }) => column)] };
    }
    const after = withGenerated(binder, into, (index) => {
      const once = computed.find((each) => each.index === index);
      if (once !== undefined) return binder.use(once.column);
      return set.find(({ column }) => column === index)?.value ?? before(index);
    });
    return made(binder, filtered(binder, found, unlessRules(binder, of, into, before, after)), into, relation, before, after);
  });
}

function made(binder: Binder, plan: Plan, into: WriteTarget, relation: number, old: Row | null, now: Row | null): BoundFrom {
  return { plan, namespace: { relations: rowsOf(binder, levelOf(into, relation), old, now), columns: [] } };
}

/** The view or table with the rule, in a chain of views. */
function levelOf(into: WriteTarget, relation: number): WriteTarget {
  let level = into;
  while (level.access.relation !== relation && level.view !== null) level = level.view.inner;
  return level;
}

/** Reading them needs no privilege on the relation beyond that of the write. */
function rowsOf(binder: Binder, level: WriteTarget, old: Row | null, now: Row | null): Relation[] {
  const row = (alias: string, value: Row): Relation => {
    const relation = over(binder, level, alias, value);
    return { ...relation, columns: relation.columns.map(({ name, value: own }) => ({ name, value: own })), system: [], byName: true };
  };
  return [old === null ? [] : [row('old', old)], now === null ? [] : [row('new', now)]].flat();
}

/** Conditions under which INSTEAD rules leave a row to the statement. */
export function unlessRules(binder: Binder, { unless }: PolicyChanged, into: WriteTarget, old: Row | null, now: Row | null): Bound[] {
  return (unless ?? []).map(({ relation, condition, mark }) => {
    const level = levelOf(into, relation);
    const scope = new Scope(null);
    scope.clause = 'where';
    scope.namespace = { relations: rowsOf(binder, level, old, now), columns: [] };
    const left: Expression = { type: 'isBoolean', arg: condition, value: true, negated: true, at: condition.at };
    return asStored(binder, mark, () => bindExpression(binder, left, scope));
  });
}

/** NEW with its future generated columns. */
export function withGenerated(binder: Binder, { table }: WriteTarget, now: Row): Row {
  if (table.columns.every(({ generated }) => generated === null)) return now;
  const scope = new Scope(null);
  scope.clause = 'default';
  scope.namespace = { relations: [], columns: table.columns.map(({ name }, i) => ({ name, value: now(i) })) };
  return (index) => {
    const column = table.columns[index];
    if (column.generated === null) return now(index);
    return assign(binder, bindExpression(binder, binder.names.parseExpression(column.generated), scope), column, 0);
  };
}

/** The rows of an INSERT that its rules leave to it. */
export function leftByRules(binder: Binder, statement: Insert, into: WriteTarget, input: Plan): Plan {
  if (statement.unless === undefined) return input;
  const { plan, values } = unfolded(binder, input);
  const conditions = unlessRules(
    binder,
    statement,
    into,
    null,
    withGenerated(binder, into, (index) => values[index]),
  );
  const columns = input.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  return { op: 'project', input: filtered(binder, plan, conditions), items: columns.map(({ id }, i) => ({ id, value: values[i] })), columns };
}

/** The expressions of an INSERT's columns, over their source rows. */
function unfolded(binder: Binder, input: Plan): { plan: Plan; values: readonly Bound[] } {
  if (input.op === 'values' && input.rows.length === 1 && !input.rows[0].some(hasQuery))
    return { plan: { op: 'values', rows: [[]], columns: [] }, values: input.rows[0] };
  if (input.op === 'project' && !input.items.some(({ value }) => hasQuery(value))) return { plan: input.input, values: input.items.map(({ value }) => value) };
  return { plan: input, values: input.columns.map((column) => binder.use(column)) };
}

function hasQuery(value: Bound): boolean {
  let found = false;
  visitBound(value, ({ kind }) => {
    if (kind === 'subquery' || kind === 'exists' || kind === 'arrayQuery' || kind === 'quantifiedQuery') found = true;
  });
  return found;
}

/** A scope with the names of WITH only. */
function besides(scope: Scope): Scope {
  const own = new Scope(null);
  for (let each: Scope | null = scope; each !== null; each = each.parent) {
    for (const [name, table] of each.commonTables) if (!own.commonTables.has(name)) own.commonTables.set(name, table);
  }
  return own;
}

/** OLD and NEW without a statement, to check a definition. */
function unknownRows(binder: Binder, { relation, event, open }: RuleRows): BoundFrom {
  const table = binder.names.asTable!(relation)!;
  const row = (alias: string): { relation: Relation; columns: Plan['columns'] } => {
    const columns = table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
    const own: Relation = {
      alias,
      schema: null,
      table,
      columns: columns.map((column) => ({ name: column.name, value: binder.use(column) })),
      system: [],
      byName: true,
    };
    if (binder.depth === 0) binder.recording?.items.set(own, { number: relation, columns: own.columns });
    return { relation: own, columns };
  };
  const rows = [event === 'insert' ? [] : [row('old')], event === 'delete' ? [] : [row('new')]].flat();
  const columns = rows.flatMap((each) => each.columns);
  const values = columns.map(({ type, typmod }): Bound => ({ kind: 'constant', type, typmod, value: null }));
  const relations = rows.map((each) => each.relation);
  return { plan: { op: 'values', rows: [values], columns }, namespace: { relations, columns: open ? relations.flatMap((each) => each.columns) : [] } };
}
