/** MERGE: each row of the join goes to the first WHEN clause of its kind whose condition holds. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import type { ColumnId } from '../plan/bound.ts';
import type { MergePlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Batches } from './batch.ts';
import { typesOf, type Compilation } from './compilation.ts';
import { changed, type Modified, rowTypes } from './modify.ts';
import { rowAt } from './small-sources.ts';

const ACTIONS = { update: 'UPDATE', delete: 'DELETE', insert: 'INSERT' } as const;

export function openMerge(c: Compilation, plan: MergePlan): Modified {
  const { table, returning } = plan;
  const types = typesOf(plan.input);
  const needed = new Set<ColumnId>([plan.key, plan.source]);
  for (const { when, set, check } of plan.branches) {
    if (when !== null) columnsOf(when, needed);
    for (const { value } of set) columnsOf(value, needed);
    if (check !== undefined) columnsOf(check.value, needed);
  }
  const read = new Set<ColumnId>();
  for (const { value } of returning ?? []) columnsOf(value, read);
  const passed = plan.input.columns.map(({ id }) => id).filter((id) => read.has(id));
  for (const id of passed) needed.add(id);
  const ids = [...types.keys()].filter((id) => needed.has(id));
  const input = c.rows(plan.input, ids);
  const columns = ids.map((id) => ({ id, type: types.get(id)! }));
  const branches = plan.branches.map(({ match, when, action, set, check }) => ({
    match,
    action,
    check: check === undefined ? null : c.scalars([check.value], [...columns, ...check.row.map((id, i) => ({ id, type: table.columns[i].type }))]),
    columns: set.map(({ column }) => column),
    when: when === null ? null : c.scalars([when], columns),
    values: c.scalars(
      set.map(({ value }) => value),
      columns,
    ),
  }));
  const events = (['insert', 'update', 'delete'] as const).filter((event) => plan.branches.some(({ action }) => action === event));
  const setColumns = plan.branches.flatMap(({ action, set }) => (action === 'update' ? set.map(({ column }) => column) : []));
  const [key, source] = [ids.indexOf(plan.key), ids.indexOf(plan.source)];
  const places = passed.map((id) => ids.indexOf(id));
  const out = returning === null ? [] : [...plan.row, plan.done.id, ...passed];
  const outTypes = new Map<ColumnId, SqlType>([...types, ...rowTypes(table, plan.row), [plan.done.id, plan.done.type]]);
  return {
    ids: out,
    types: outTypes,
    *open(run): Batches {
      const writer = run.context.writer(table, events, setColumns);
      yield* changed(run, input.open(run), out.length, (batch, i) => {
        const row = rowAt(batch, i);
        const rowKey = row[key] as Key | null;
        const kind = rowKey === null ? 'notMatchedByTarget' : row[source] === null ? 'notMatchedBySource' : 'matched';
        for (const branch of branches) {
          if (branch.match !== kind || (branch.when !== null && branch.when(run, row)[0] !== true)) continue;
          if (branch.action === 'nothing') return null;
          let now: readonly Value[] | null;
          if (branch.action === 'insert') {
            const given = branch.values(run, row);
            const values = writer.proposes ? writer.propose(given) : given;
            if (values === null) return null;
            if (branch.check !== null) branch.check(run, [...row, ...values]);
            if (returning === null) {
              writer.add(values);
              return [];
            }
            now = writer.read(writer.insert(values));
          } else {
            if (writer.written(rowKey!)) {
              throw new SvcError('21000', 'MERGE command cannot affect row a second time', {
                hint: 'Ensure that not more than one source row matches any one target row.',
              });
            }
            if (branch.action === 'delete') {
              now = returning === null ? [] : writer.read(rowKey!);
              if (!writer.delete(rowKey!)) return null;
            } else {
              const values = branch.values(run, row);
              const { check } = branch;
              if (returning === null && check === null && writer.change(rowKey!, branch.columns, values)) return [];
              now = writer.update(rowKey!, branch.columns, values, check === null ? undefined : (next) => void check(run, [...row, ...next]));
              if (now === null) return null;
            }
          }
          return returning === null ? [] : [...now!, ACTIONS[branch.action], ...places.map((place) => row[place])];
        }
        return null;
      });
    },
  };
}
