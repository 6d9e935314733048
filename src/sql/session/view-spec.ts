/** A view's query in stored form: qualified names and expanded stars, so that later changes do not alter it. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CreateView } from '../ast/define.ts';
import type { JoinItem, Query, RelationName } from '../ast/query.ts';
import type { Recording } from '../bind/binder.ts';
import { bindQuery } from '../bind/query.ts';
import { mapPlan } from '../bind/plan-map.ts';
import { boundsOf, columnsOf } from '../plan/rules/walk.ts';
import { deparseQuery } from '../parse/deparse.ts';
import type { ColumnId } from '../plan/bound.ts';
import type { ViewSpec } from '../schema/other-objects.ts';
import { binderOf } from './define-table.ts';
import { mustUseType } from './ownership.ts';
import type { SqlSession } from './sql-session.ts';

export function newRecording(): Recording {
  return {
    tables: new Map(),
    stars: new Map(),
    qualified: new Map(),
    joins: new Map(),
    uses: new Map(),
    keyed: new Set(),
    calls: [],
    types: new Map(),
    operators: new Set(),
    collations: new Set(),
    items: new Map(),
    references: new Map(),
  };
}

/** Whether the query has a writing WITH, which a view must not have. */
export function writesInWith(query: Query): boolean {
  return query.with?.tables.some(({ body }) => body.type === 'insert' || body.type === 'update' || body.type === 'delete' || body.type === 'merge') === true;
}

export function viewSpec(
  session: SqlSession,
  { query, columns: names, at }: Pick<CreateView, 'query' | 'columns' | 'at'>,
): Pick<ViewSpec, 'sql' | 'columns' | 'uses'> & { collations: readonly (string | null)[] | null } {
  const binder = binderOf(session);
  const recording = newRecording();
  binder.recording = recording;
  const { plan } = bindQuery(binder, query, null, {});
  if (binder.coercion.parameters.types.length > 0) throw new SvcError('42P02', 'there is no parameter $1', { position: at + 1 });
  if (names.length > plan.columns.length) throw new SvcError('42601', 'CREATE VIEW specifies more column names than columns');
  plan.columns.forEach(({ name, type }, i) => {
    // A named row type; `record` cannot be a column of a relation.
    if (type.name === 'record' || type.category === 'P') throw new SvcError('42P16', `column "${names[i] ?? name}" has pseudo-type ${type.title}`);
    mustUseType(session, type);
  });
  const used = new Set<ColumnId>(plan.columns.map(({ id }) => id));
  mapPlan(plan, (each) => {
    for (const value of boundsOf(each)) columnsOf(value, used);
    return null;
  });
  mapPlan(plan, (each) => {
    if (each.op !== 'scan' && each.op !== 'foreignScan' && each.op !== 'hierarchyScan' && each.op !== 'rankedScan') return null;
    const own = recording.uses.get(each.table.number) ?? new Set<number>();
    each.columns.forEach(({ id }, i) => {
      const source = each.source[i];
      if (used.has(id) && typeof source === 'number') own.add(each.table.columns[source].number);
    });
    recording.uses.set(each.table.number, own);
    return null;
  });
  const { collations } = binder;
  const derived = collations === null ? null : plan.columns.map(({ id, type }) => collations.kept(id, type));
  derived?.forEach((collation, i) => {
    if (collation !== '') return;
    throw new SvcError('42P22', `could not determine which collation to use for view column "${names[i] ?? plan.columns[i].name}"`, {
      hint: 'Use the COLLATE clause to set the collation explicitly.',
    });
  });
  const kept = rewritten(query, recording) as Query;
  return {
    collations: derived,
    sql: deparseQuery(kept).trim(),
    columns: plan.columns.map(({ name, type, typmod }, i) => ({ name: names[i] ?? name, type: type.oid, typmod })),
    uses: [...[...recording.uses].map(([object, columns]) => ({ object, columns: [...columns] })), ...keysUsed(session, recording)],
  };
}

/** Primary keys that the query depends on: columns outside GROUP BY are functionally dependent on them. */
function keysUsed(session: SqlSession, { keyed }: Recording): { object: number; columns: number[] }[] {
  const { catalog } = session.schema();
  return [...keyed].flatMap((table) => {
    const key = catalog.byNumber.get(table)?.relation?.object.primaryKey;
    return key == null ? [] : [{ object: key.number, columns: [] }];
  });
}

/** The tree with the names that binding resolved. */
export function rewritten(node: unknown, recording: Pick<Recording, 'tables' | 'stars' | 'joins' | 'qualified'>): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) {
    return node.flatMap((each: unknown) => {
      const items = typeof each === 'object' && each !== null ? recording.stars.get(each) : undefined;
      return items ?? [rewritten(each, recording)];
    });
  }
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) out[key] = rewritten(value, recording);
  const schema = recording.tables.get(node);
  if (schema !== undefined) out['name'] = { ...(out['name'] as RelationName), schema };
  const parts = recording.qualified.get(node);
  if (parts !== undefined) return { ...out, parts: [...parts] };
  const shared = recording.joins.get(node);
  return shared === undefined ? out : { ...out, ...joinedBy(shared, (node as JoinItem).kind) };
}

/** A natural join with its columns listed: columns that are added later do not count. */
function joinedBy(shared: readonly string[], kind: JoinItem['kind']): Partial<JoinItem> {
  if (shared.length > 0) return { natural: false, using: [...shared] };
  return kind === 'inner' ? { natural: false, kind: 'cross' } : { natural: false, on: { type: 'boolean', value: true, at: 0 } };
}
