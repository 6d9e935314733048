/** WITH: definitions bound in order, recursive ones as a start and a step; one that is read once is inlined. */
import { runSteps } from '../../base/run-steps.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Expression } from '../ast/expression.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { SqlType } from '../types/type.ts';
import type { CommonTable, Query, SetOperation, With } from '../ast/query.ts';
import type { Delete, Insert, Merge, Update } from '../ast/write.ts';
import type { Plan } from '../plan/logical.ts';
import { columnStart, startOf } from '../ast/start-of.ts';
import { Binder, fail, failNowhere } from './binder.ts';
import { typeCollation } from './collation.ts';
import { bindExpression } from './expression.ts';
import { mapPlan } from './plan-map.ts';
import { bindQuery, bindQuerySteps, coerceColumns } from './query.ts';
import { checkRecursiveStep, inOrderOfUse, names, placeOf } from './recursion-check.ts';
import { applyRules } from './rules.ts';
import { Scope } from './scope.ts';
import { withoutSearchAndCycle } from './search-cycle.ts';
import { hasVolatile } from './volatile.ts';
import { bindWrite } from './write.ts';

export function bindWith(binder: Binder, clause: With, scope: Scope): void {
  runSteps(bindWithSteps(binder, clause, scope));
}

export function* bindWithSteps(binder: Binder, clause: With, scope: Scope): Generator<void, void> {
  if (clause.tables.length > LIMITS.commonTablesMax) {
    failNowhere('54001', 'statement too complex', {
      detail: `A WITH clause defines ${clause.tables.length} queries; at most ${LIMITS.commonTablesMax} are planned.`,
    });
  }
  const taken = new Set<string>();
  for (const { name, at } of clause.tables) {
    if (taken.has(name)) fail('42712', `WITH query name "${name}" specified more than once`, at);
    taken.add(name);
  }
  if (!clause.recursive) for (const { name } of clause.tables) scope.laterTables.add(name);
  for (const written of clause.recursive ? inOrderOfUse(clause.tables) : clause.tables) {
    const table = plain(binder, written, scope);
    const number = binder.commonTableNumber();
    const { body } = table;
    const modifies = body.type === 'insert' || body.type === 'update' || body.type === 'delete' || body.type === 'merge';
    let plan: Plan;
    if (modifies) {
      if (clause.recursive && names(body, table.name)) fail('42P19', `recursive query "${table.name}" must not contain data-modifying statements`, table.at);
      if (scope.parent !== null) fail('0A000', 'WITH clause containing a data-modifying statement must be at the top level', table.at);
      plan = bindWrite(binder, asOneStep(binder, body), scope);
    } else if (clause.recursive && names(body, table.name)) plan = bindRecursive(binder, table, body, number, scope);
    else plan = (yield* bindQuerySteps(binder, body, scope, {})).plan;
    yield;
    if (table.columns.length > plan.columns.length) {
      fail('42P10', `WITH query "${table.name}" has ${plan.columns.length} columns available but ${table.columns.length} columns specified`, table.at);
    }
    const columns = plan.columns.map((column, i) => (i < table.columns.length ? { ...column, name: table.columns[i] } : column));
    const silent = modifies && body.returning === null;
    scope.laterTables.delete(table.name);
    scope.commonTables.set(table.name, { number, columns: silent ? null : columns, recursive: false, used: 0 });
    scope.definitions.push({ number, name: table.name, plan, modifies });
    if (table.materialized === true) scope.materialized.add(number);
  }
}

/** Rules must rewrite a statement in WITH into exactly one statement. */
function asOneStep(binder: Binder, body: Insert | Update | Delete | Merge): Insert | Update | Delete | Merge {
  if (binder.names.hasRules !== true) return body;
  const newBinder = (): Binder => new Binder(binder.names, binder.registry, binder.env, { types: [], fixed: false });
  const steps = applyRules(newBinder, body);
  if (steps === null) return body;
  const refused = (what: string): never => failNowhere('0A000', `${what} rules are not supported for data-modifying statements in WITH`);
  if (steps.length === 0) return refused('DO INSTEAD NOTHING');
  if (steps.some(({ from }) => from === 'conditional instead') || ('unless' in body && body.unless !== undefined)) return refused('conditional DO INSTEAD');
  if (steps.some(({ from, statement }) => from === 'original' && 'unless' in statement)) return refused('conditional DO INSTEAD');
  if (steps.some(({ from }) => from === 'also')) return refused('DO ALSO');
  if (steps.length > 1) return refused('multi-statement DO INSTEAD');
  const [{ statement }] = steps;
  return statement.type === 'insert' || statement.type === 'update' || statement.type === 'delete' ? statement : body;
}

/** A table with SEARCH or CYCLE, rewritten without. */
function plain(binder: Binder, table: CommonTable, scope: Scope): CommonTable {
  const { body, search, cycle } = table;
  if (search === null && cycle === null) return table;
  if (body.type !== 'setOperation' || body.operator !== 'union' || !names(body, table.name)) fail('42601', 'WITH query is not recursive', table.at);
  // Bound once only to learn its column names.
  checkRecursiveStep(body.inputs[body.inputs.length - 1], table.name);
  const own = bindQuery(binder, body.inputs[0], scope, {}).plan.columns.map(({ name }, i) => table.columns[i] ?? name);
  return withoutSearchAndCycle(cycle === null ? table : { ...table, cycle: withTypedMarks(binder, cycle, scope) }, body, own);
}

/** Both marks as their common type. */
function withTypedMarks(binder: Binder, cycle: NonNullable<CommonTable['cycle']>, scope: Scope): NonNullable<CommonTable['cycle']> {
  const marks = [cycle.markValue, cycle.markDefault];
  const bound = marks.map((mark) => bindExpression(binder, mark, scope));
  const type = binder.coercion.commonType(bound, 'CYCLE', (i) => startOf(marks[i]));
  bound.forEach((mark, i) => binder.coercion.coerce(mark, type, -1, 'implicit', startOf(marks[i])));
  if (!type.ordered && !type.hashable) failNowhere('42883', `could not identify an equality operator for type ${type.title}`);
  // A mark of a user-defined type is written with a cast, qualified if necessary.
  const written = marks.find((mark, i) => mark.type === 'cast' && bound[i].type === type);
  const [markValue, markDefault] = marks.map((mark, i): Expression =>
    bound[i].type === type ? mark : { type: 'cast', arg: mark, to: written?.type === 'cast' ? written.to : nameOf(type, mark.at), at: mark.at },
  );
  return { ...cycle, markValue, markDefault };
}

function nameOf({ name, element }: SqlType, at: number): TypeName {
  return { schema: null, name: element?.name ?? name, typmods: [], arrayBounds: element === null ? [] : [-1], setOf: false, columnOf: null, at };
}

function bindRecursive(binder: Binder, table: CommonTable, body: Query, number: number, scope: Scope): Plan {
  if (body.type !== 'setOperation' || body.operator !== 'union') {
    fail('42P19', `recursive query "${table.name}" does not have the form non-recursive-term UNION [ALL] recursive-term`, table.at);
  }
  if (body.orderBy.length > 0) fail('0A000', 'ORDER BY in a recursive query is not implemented', startOf(body.orderBy[0].value));
  if (body.offset !== null) fail('0A000', 'OFFSET in a recursive query is not implemented', startOf(body.offset));
  if (body.limit !== null) fail('0A000', 'LIMIT in a recursive query is not implemented', startOf(body.limit));
  if (body.locking.length > 0) failNowhere('0A000', 'FOR UPDATE/SHARE in a recursive query is not implemented');
  const inner = new Scope(scope);
  if (body.with !== null) bindWith(binder, body.with, inner);
  const first: Query = body.inputs.length === 2 ? body.inputs[0] : ({ ...body, with: null, inputs: body.inputs.slice(0, -1) } satisfies SetOperation);
  if (names(first, table.name))
    fail('42P19', `recursive reference to query "${table.name}" must not appear within its non-recursive term`, placeOf(first, table.name));
  checkRecursiveStep(body.inputs[body.inputs.length - 1], table.name);
  const start = bindQuery(binder, first, inner, {}).plan;
  const columns = start.columns.map((column, i) => ({ ...column, id: binder.id(), name: table.columns[i] ?? column.name }));
  if (binder.collations !== null) columns.forEach(({ id }, i) => binder.collations!.copyColumn(start.columns[i].id, id));
  inner.commonTables.set(table.name, { number, columns, recursive: true, ...(table.carried === undefined ? {} : { carried: table.carried }), used: 0 });
  let step = bindQuery(binder, body.inputs[body.inputs.length - 1], inner, { keepUnknown: true }).plan;
  if (step.columns.length !== columns.length) fail('42601', 'each UNION query must have the same number of columns', body.at);
  step.columns.forEach(({ type, typmod }, i) => {
    const own = columns[i];
    const common = type === own.type || type.name === 'unknown' ? own.type : binder.coercion.commonOf([own.type, type], 'UNION', body.at);
    const commonTypmod = type === own.type && typmod === own.typmod ? typmod : -1;
    if (common !== own.type || commonTypmod !== own.typmod) {
      const title = (of: SqlType, mod: number): string => `${of.title}${of.formatTypmod(mod)}`;
      fail(
        '42804',
        `recursive query "${table.name}" column ${i + 1} has type ${title(own.type, own.typmod)} in non-recursive term but type ${title(common, commonTypmod)} overall`,
        columnStart(first, i),
        {
          hint: 'Cast the output of the non-recursive term to the correct type.',
        },
      );
    }
  });
  const { collations } = binder;
  if (collations !== null) {
    columns.forEach(({ id, type }, i) => {
      if (typeCollation(type) === null) return;
      const own = collations.output(start.columns[i].id, type);
      const overall = collations.combined([own, collations.output(step.columns[i].id, type)], true);
      if (overall.name !== own.name) {
        fail(
          '42P21',
          `recursive query "${table.name}" column ${i + 1} has collation "${own.name}" in non-recursive term but collation "${overall.name ?? '(null)'}" overall`,
          columnStart(first, i),
          { hint: 'Use the COLLATE clause to set the collation of the non-recursive term.' },
        );
      }
      collations.setColumn(id, overall);
    });
  }
  step = coerceColumns(
    binder,
    step,
    columns.map(({ type }) => type),
    'implicit',
    body.at,
  );
  return withDefinitions(binder, inner, { op: 'recursive', number, start, step, all: body.all, columns });
}

/** Maximum nesting of inlined definitions; a longer chain is materialised in parts. */
const INLINED_DEPTH_MAX = 100;

/**
 * The plan under its definitions; those that are read once and write nothing are inlined. Each plan is walked twice, for any
 * number of definitions: to count reads, then to inline.
 */
export function withDefinitions(binder: Binder, scope: Scope, plan: Plan): Plan {
  if (scope.definitions.length === 0) return plan;
  const readsOf = scope.definitions.map((definition) => readIn(definition.plan));
  const readers = new Map<number, number>();
  const add = (reads: ReadonlyMap<number, number>, sign: number): void => {
    for (const [number, times] of reads) readers.set(number, (readers.get(number) ?? 0) + sign * times);
  };
  add(readIn(plan), 1);
  for (const reads of readsOf) add(reads, 1);
  const inlined = new Map<number, Plan>();
  const dropped = new Set<number>();
  for (let i = scope.definitions.length - 1; i >= 0; i--) {
    const { number, modifies, plan: own } = scope.definitions[i];
    if (modifies) continue;
    // Its reads of itself do not count.
    const times = (readers.get(number) ?? 0) - (readsOf[i].get(number) ?? 0);
    if (times === 0) {
      add(readsOf[i], -1);
      dropped.add(number);
    } else if (times === 1 && !scope.materialized.has(number) && !hasVolatile(own)) inlined.set(number, own);
  }
  const depths = new Map<number, number>();
  scope.definitions.forEach(({ number }, i) => {
    if (!inlined.has(number)) return;
    let depth = 1;
    for (const read of readsOf[i].keys()) depth = Math.max(depth, 1 + (depths.get(read) ?? 0));
    if (depth > INLINED_DEPTH_MAX) inlined.delete(number);
    else depths.set(number, depth);
  });
  // `self`: a recursive table reads its own rows.
  const inline = (tree: Plan, self = -1): Plan =>
    inlined.size === 0
      ? tree
      : mapPlan(tree, (each) => {
          if (each.op !== 'cteScan' || each.number === self) return null;
          const own = inlined.get(each.number);
          if (own === undefined) return null;
          const { columns, source, number } = each;
          const items = columns.map((column, i) => ({ id: column.id, value: binder.use(own.columns[source[i]]) }));
          return { op: 'project', input: inline(own, number), items, columns };
        });
  const body = inline(plan);
  const definitions = scope.definitions
    .filter(({ number }) => !inlined.has(number) && !dropped.has(number))
    .map((each) => ({ ...each, plan: inline(each.plan) }));
  return definitions.length === 0 ? body : { op: 'with', definitions, body, columns: body.columns };
}

/** Number of reads of each common table in the plan. */
function readIn(plan: Plan): Map<number, number> {
  const reads = new Map<number, number>();
  mapPlan(plan, (each) => {
    if (each.op === 'cteScan') reads.set(each.number, (reads.get(each.number) ?? 0) + 1);
    return null;
  });
  return reads;
}
