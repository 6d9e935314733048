/**
 * The target of INSERT, UPDATE, DELETE and MERGE: a table, or the table behind an updatable view (manual, CREATE VIEW, "Updatable
 * Views"), also through several views.
 */
import { isAgentOwner } from '../../base/agent-owner.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { refuseOtherDatabase } from './other-database.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query, Select, SelectItem, TableItem } from '../ast/query.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import { ownedWord, type SqlTable } from '../schema/table.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import type { ColumnAccess, RelationAccess } from './access.ts';
import { type Binder, fail, failNowhere, type NamedRelation } from './binder.ts';
import { bindExpression } from './expression.ts';
import { maskOf } from './mask.ts';
import { type Relation, Scope } from './scope.ts';
import { SYSTEM_COLUMNS, systemColumns } from './system-columns.ts';

interface ViewTarget {
  readonly name: string;
  readonly schema: string;
  /** What its query selects from, and its alias there. */
  readonly inner: WriteTarget;
  readonly innerAlias: string;
  readonly items: readonly SelectItem[];
  readonly where: Expression | null;
  readonly check: 'none' | 'local' | 'cascaded';
  readonly defaults: readonly (string | null)[];
}
export interface WriteTarget {
  readonly table: SqlTable;
  readonly view: ViewTarget | null;
  readonly name: string;
  readonly schema: string;
  /** Names that the statement may use; `index` in the table's columns, null for a computed or system column of a view. */
  readonly columns: readonly { readonly name: string; readonly index: number | null; readonly ofSystem?: boolean }[];
  readonly access: RelationAccess;
}

const VERBS = { insert: 'insert into', update: 'update', delete: 'delete from', merge: 'merge into' } as const;
export type Verb = keyof typeof VERBS;
/** For MERGE the branches decide. */
const NEEDS: Readonly<Record<Verb, number>> = { insert: PRIVILEGE.INSERT, update: PRIVILEGE.UPDATE, delete: PRIVILEGE.DELETE, merge: 0 };

export function writeTarget(binder: Binder, item: TableItem, verb: Verb): WriteTarget {
  const { schema, name, at } = item.name;
  if (item.asOf !== null) fail('25006', 'a past moment cannot be changed', item.asOf.at, { hint: 'Fork it first: its fork can be changed.' });
  refuseOtherDatabase(binder.env, item.name);
  const found = binder.names.relation(schema, name, binder.unchecked);
  if (found === null) fail('42P01', `relation "${schema === null ? '' : `${schema}.`}${name}" does not exist`, at);
  return targetOf(binder, found, name, verb, at, item.only);
}

/** An INSERT goes to the table itself unless it is partitioned; other commands include all descendants. */
function wholeOf(binder: Binder, table: SqlTable, verb: Verb): SqlTable {
  if (verb === 'insert' && table.inheritance?.partitionBy == null) return table;
  return binder.names.whole?.(table) ?? table;
}

/** `through`: numbers of the views that lead here. */
function targetOf(binder: Binder, found: NamedRelation, name: string, verb: Verb, at: number, only: boolean, through: readonly number[] = []): WriteTarget {
  switch (found.kind) {
    case 'table': {
      const table = only ? found.table : wholeOf(binder, found.table, verb);
      if (verb === 'merge' && found.table.foreign !== undefined) {
        throw new SvcError('0A000', `cannot execute MERGE on relation "${name}"`, { detail: 'This operation is not supported for foreign tables.' });
      }
      if (table.materialized !== null) failNowhere('42809', `cannot change materialized view "${table.name}"`);
      const access = binder.accesses(table.number, ownedWord(table), table.name, NEEDS[verb]);
      const columns = table.columns.map((column, index) => ({ name: column.name, index }));
      return { table, view: null, name: table.name, schema: table.schema, columns, access };
    }
    case 'view': {
      if (found.kept !== undefined) failNowhere('42809', `cannot change materialized view "${found.name}"`);
      if (through.includes(found.number)) failNowhere('42P17', `infinite recursion detected in rules for relation "${found.name}"`);
      const event = verb === 'merge' ? null : verb;
      const ruled = binder.names.rules?.(found.number) ?? null;
      if (ruled !== null && ruled.rules.some((rule) => rule.event === event && rule.instead && rule.condition === null))
        return asTable(found, ruled.table, binder.accesses(found.number, 'view', found.name, NEEDS[verb]));
      if (found.instead !== undefined) {
        const { table, events } = found.instead;
        if (event === null) {
          throw new SvcError('0A000', `cannot execute MERGE on relation "${name}"`, { detail: 'This operation is not supported for views.', position: at + 1 });
        }
        if (events.includes(event)) {
          return asTable(found, table, binder.accesses(found.number, 'view', found.name, NEEDS[verb]));
        }
      }
      if (event === null && notUpdatable(binder, found.query) !== null) {
        throw new SvcError('0A000', `cannot execute MERGE on relation "${name}"`, { detail: 'This operation is not supported for views.', position: at + 1 });
      }
      const refused = refusal(binder, found.query);
      const query = found.query as Select;
      const [from] = refused === null ? query.from : [];
      const behind = from?.type === 'table' ? binder.names.relation(from.name.schema, from.name.name, true) : null;
      if (refused !== null || from?.type !== 'table' || behind === null) return readOnly(name, verb, refused);
      if (behind.kind === 'virtual' || behind.kind === 'other') return readOnly(name, verb, 'Views that do not select from a single table or view');
      const access = binder.accesses(found.number, 'view', found.name, NEEDS[verb]);
      const outer = binder.viewOwner;
      const { byAgent } = binder;
      if (isAgentOwner(found.owner)) binder.byAgent = true;
      if (found.invoker !== true) binder.viewOwner = found.owner;
      const inner = targetOf(binder, behind, from.name.name, verb, at, from.only, [...through, found.number]);
      binder.viewOwner = outer;
      binder.byAgent = byAgent;
      const innerAlias = from.alias?.name ?? inner.name;
      const innerNames = inner.columns.map((column, i) => from.alias?.columns[i] ?? column.name);
      const columns = query.items.map(({ value, alias }, i) => {
        const last = value.type === 'column' && !value.star ? value.parts[value.parts.length - 1] : null;
        const place = last === null ? -1 : innerNames.indexOf(last);
        const index = place < 0 ? null : inner.columns[place].index;
        const ofSystem = place < 0 ? last !== null && SYSTEM_COLUMNS.has(last) : inner.columns[place].ofSystem === true;
        return { name: found.columns[i] ?? alias ?? '?column?', index, ofSystem };
      });
      const view = {
        name: found.name,
        schema: found.schema,
        inner,
        innerAlias,
        items: query.items,
        where: query.where,
        check: found.check ?? 'none',
        defaults: found.defaults ?? [],
      };
      return { table: inner.table, view, name: found.name, schema: found.schema, columns, access };
    }
    case 'virtual':
      return refuseSystem(binder, found.relation, name, verb, at);
    case 'other':
      return fail('42809', `"${name}" is ${found.what}, not a table`, at);
  }
}

/** A view whose rows are written by triggers or rules. */
function asTable({ name, schema }: { readonly name: string; readonly schema: string }, table: SqlTable, access: RelationAccess): WriteTarget {
  return { table, view: null, name, schema, columns: table.columns.map((column, index) => ({ name: column.name, index })), access };
}

/** SQL text of a column's default through views; null: the table's own. */
export function viewDefault({ view, columns }: WriteTarget, index: number): string | null {
  if (view === null) return null;
  const at = columns.findIndex((column) => column.index === index);
  return (at < 0 ? null : view.defaults[at]) ?? viewDefault(view.inner, index);
}

/** The updatable columns of a view; null if its rows are not updatable. */
export function writableColumns(binder: Binder, view: NamedRelation & { kind: 'view' }): readonly boolean[] | null {
  if (notUpdatable(binder, view.query) !== null) return null;
  const { columns, table } = targetOf(binder, view, view.name, 'update', 0, false);
  if (table.foreign !== undefined) return null;
  return columns.map(({ index }) => index !== null);
}

/** null if the view is updatable; otherwise the reason why not. `through`: numbers of the views that lead here. */
export function notUpdatable(binder: Binder, query: Query, through: readonly number[] = []): string | null {
  const refused = refusal(binder, query);
  if (refused !== null) return refused;
  const [from] = (query as Select).from;
  const behind = from?.type === 'table' ? binder.names.relation(from.name.schema, from.name.name) : null;
  if (behind?.kind === 'view')
    return through.includes(behind.number) ? 'Views that select from themselves' : notUpdatable(binder, behind.query, [...through, behind.number]);
  return behind?.kind === 'table' ? null : 'Views that do not select from a single table or view';
}

/** Why a view's rows are not rows of one table; null if they are. */
function refusal(binder: Binder, query: Query): string | null {
  if (query.type === 'setOperation') return 'Views containing UNION, INTERSECT, or EXCEPT';
  if (query.type === 'values') return 'Views that do not select from a single table or view';
  if (query.distinct !== null) return 'Views containing DISTINCT';
  if (query.groupBy.length > 0) return 'Views containing GROUP BY';
  if (query.having !== null) return 'Views containing HAVING';
  if (query.with !== null) return 'Views containing WITH';
  if (query.limit !== null || query.offset !== null) return 'Views containing LIMIT or OFFSET';
  for (const { value } of query.items) {
    const what = callsIn(binder, value);
    if (what !== null) return `Views that return ${what}`;
  }
  const [from] = query.from;
  if (query.from.length !== 1 || from.type !== 'table' || from.asOf !== null) return 'Views that do not select from a single table or view';
  if (from.sample !== null) return 'Views containing TABLESAMPLE';
  return null;
}

/** An aggregate, window or set-returning function in a select item. */
function callsIn(binder: Binder, root: Expression): string | null {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const next = stack.pop();
    if (next === null || typeof next !== 'object') continue;
    const node = next as { type?: string; name?: unknown; over?: unknown };
    // A subquery is a separate query.
    if (node.type === 'select' || node.type === 'values' || node.type === 'setOperation') continue;
    if (node.type === 'call') {
      if (node.over !== null) return 'window functions';
      const names = node.name as readonly string[];
      const [fn] = binder.registry.functions(names[names.length - 1]);
      if (fn?.kind === 'aggregate') return 'aggregate functions';
      if (fn?.kind === 'set') return 'set-returning functions';
    }
    stack.push(...Object.values(next));
  }
  return null;
}

const ENABLED = { insert: 'inserting into', update: 'updating', delete: 'deleting from' } as const;

/** System views are not updatable; system tables are for superusers, and cannot be changed here. */
function refuseSystem(binder: Binder, { view, oid }: VirtualRelation, name: string, verb: Verb, at: number): never {
  if (oid >= FIRST_OWN_OID) return failNowhere('42809', `cannot change sequence "${name}"`);
  if (view === true) return readOnly(name, verb, null);
  const rights = binder.env.system?.rights;
  if (rights === undefined || rights.role === 0 || rights.isSuperuser(rights.role))
    return fail('42501', `permission denied: "${name}" is a system catalog`, at);
  return failNowhere('42501', `permission denied for table ${name}`);
}

function readOnly(name: string, verb: Verb, why: string | null): never {
  const event = verb === 'insert' ? 'INSERT' : verb === 'update' ? 'UPDATE' : verb === 'delete' ? 'DELETE' : 'MERGE';
  return failNowhere('55000', `cannot ${VERBS[verb]} view "${name}"`, {
    detail: `${why ?? 'Views that do not select from a single table or view'} are not automatically updatable.`,
    hint:
      verb === 'merge'
        ? 'To enable MERGE on the view, change the table behind it.'
        : `To enable ${ENABLED[verb]} the view, provide an INSTEAD OF ${event} trigger or an unconditional ON ${event} DO INSTEAD rule.`,
  });
}

/** Index in the table of a written column; 42703, 0A000. */
export function writtenColumn(target: WriteTarget, name: string, verb: 'insert' | 'update', at: number): number {
  const { table, view, columns } = target;
  const column = columns.find((each) => each.name === name);
  if (column === undefined) fail('42703', `column "${name}" of relation "${view?.name ?? table.name}" does not exist`, at);
  if (column.index !== null) {
    noteWritten(target, column.index, verb);
    return column.index;
  }
  return failNowhere('0A000', `cannot ${VERBS[verb]} column "${name}" of view "${view!.name}"`, {
    detail: `View columns that ${column.ofSystem === true ? 'refer to system columns' : 'are not columns of their base relation'} are not updatable.`,
  });
}

/** Records the column of the table, and those of the views over it. */
function noteWritten(target: WriteTarget, index: number, verb: 'insert' | 'update'): void {
  const { table, view, columns, access } = target;
  const attnum = view === null ? table.columns[index].attnum : columns.findIndex((each) => each.index === index) + 1;
  (verb === 'insert' ? access.inserted : access.updated).add(attnum);
  if (view !== null) noteWritten(view.inner, index, verb);
}

/** ON CONFLICT DO UPDATE and the branches of MERGE need more privileges than the statement's name implies. */
export function alsoNeeds({ access, view }: WriteTarget, needs: number): void {
  access.needs |= needs;
  if (view !== null) alsoNeeds(view.inner, needs);
}

/** The names over a row of the table whose columns have these ids. */
export function relationOver(binder: Binder, target: WriteTarget, alias: string, ids: readonly ColumnId[], key: ColumnId | null = null): Relation {
  const value = (index: number): Bound => {
    const { type, typmod } = target.table.columns[index];
    return { kind: 'column', id: ids[index], type, typmod };
  };
  return over(binder, target, alias, value, key);
}

export function over(binder: Binder, target: WriteTarget, alias: string, value: (index: number) => Bound, key: ColumnId | null = null): Relation {
  const { table, view, columns, access: to } = target;
  const access = (attnum: number): ColumnAccess => ({ to, attnum });
  if (view === null) {
    const shown = (index: number): Bound => maskOf(binder, table, index, value) ?? value(index);
    const own = table.columns.map(({ name, attnum }, i) => ({ name, value: shown(i), access: access(attnum) }));
    const place: Bound | null = key === null ? null : { kind: 'column', id: key, type: binder.type(table.key.numeric ? 'int8' : 'text'), typmod: -1 };
    const values = own.map((column) => column.value);
    return { alias, schema: null, table, columns: own, system: systemColumns(binder, table, values, table.view === true ? null : place) };
  }
  const system: Relation['system'] = [{ name: 'tableoid', value: { kind: 'constant', type: binder.type('oid'), typmod: -1, value: table.number } }];
  const scope = innerScope(binder, view, value, key);
  const values = inView(binder, view, () => view.items.map((item) => bindExpression(binder, item.value, scope)));
  return {
    alias,
    schema: null,
    table: null,
    columns: columns.map(({ name }, i) => ({ name, value: binder.coercion.resolveUnknown(values[i], 0), access: access(i + 1) })),
    system,
  };
}

/** Conditions of the views over such a row. */
export function viewConditions(binder: Binder, { view }: WriteTarget, value: (index: number) => Bound): Bound[] {
  if (view === null) return [];
  const inner = viewConditions(binder, view.inner, value);
  if (view.where === null) return inner;
  return [...inner, conditionOf(binder, view, view.where, value)];
}

/** The WITH CHECK OPTION conditions for a new row, the innermost view first. */
export function checkOptions(binder: Binder, { view }: WriteTarget, value: (index: number) => Bound, cascaded = false): { name: string; condition: Bound }[] {
  if (view === null) return [];
  const inner = checkOptions(binder, view.inner, value, cascaded || view.check === 'cascaded');
  if (view.where === null || (!cascaded && view.check === 'none')) return inner;
  const condition = conditionOf(binder, view, view.where, value);
  return [...inner, { name: view.name, condition }];
}

function conditionOf(binder: Binder, view: ViewTarget, where: Expression, value: (index: number) => Bound): Bound {
  const scope = innerScope(binder, view, value);
  return inView(binder, view, () => binder.coercion.toBoolean(bindExpression(binder, where, scope), 'WHERE', 0));
}

/** Binds with the names as they were resolved at the view's creation. */
function inView<T>(binder: Binder, { schema }: ViewTarget, bind: () => T): T {
  const { stored, home } = binder;
  binder.stored = true;
  binder.home = schema;
  try {
    return bind();
  } finally {
    binder.stored = stored;
    binder.home = home;
  }
}

function innerScope(binder: Binder, view: ViewTarget, value: (index: number) => Bound, key: ColumnId | null = null): Scope {
  const scope = new Scope(null);
  const shown = over(binder, view.inner, view.innerAlias, value, key);
  // A new row has no ctid.
  const system = key === null && view.inner.view === null ? [...shown.system, { name: 'ctid', value: binder.constant('tid', null) }] : shown.system;
  const relation = { ...shown, system, schema: view.inner.schema };
  scope.namespace = { relations: [relation], columns: relation.columns };
  scope.clause = 'where';
  return scope;
}
