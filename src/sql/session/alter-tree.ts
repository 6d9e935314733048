/**
 * ALTER TABLE on tables with children or partitions: what a child inherits changes with its parents and cannot be changed alone
 * (manual, 5.10.1 and 5.11.2).
 */
import { mentions } from '../../worlds/merge/definition-names.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AttributeObject } from '../../worlds/definition.ts';
import type { AlterAction } from '../ast/define.ts';
import { type AlterSpec, alterTable, attributeOf } from '../schema/alter-table.ts';
import type { ConstraintSpec } from '../schema/create-table.ts';
import type { Ddl } from '../schema/ddl.ts';
import { descendants } from '../schema/hierarchy.ts';
import { checksOf, fewerParents } from '../schema/inherit.ts';
import { isPartitioned } from '../schema/partitions.ts';
import { hasPrimaryKey, type SqlTable } from '../schema/table.ts';
import { define } from './define.ts';
import { parseExpressionText } from './names.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { rewriteViews } from './view-text.ts';

type SpecOf = (table: SqlTable, action: AlterAction) => AlterSpec | null;

const NO_ONLY = { hint: 'Do not specify the ONLY keyword.' };

/** The session and the table that is altered. */
interface Place {
  readonly session: SqlSession;
  readonly command: string;
  readonly only: boolean;
  readonly specOf: SpecOf;
  readonly results: StatementResult[];
}

function run({ session, command, results }: Place, change: (ddl: Ddl) => void): void {
  results.push(define(session, command, change));
}

const now = ({ session }: Place, { number }: SqlTable): SqlTable => session.schema().tables.get(number)!;
const childrenOf = ({ session }: Place, { number }: SqlTable): readonly SqlTable[] => session.schema().children(number);

function attribute({ session }: Place, table: SqlTable, column: string): AttributeObject | undefined {
  return session
    .schema()
    .catalog.byNumber.get(table.number)
    ?.relation?.attributes.find(({ name }) => name === column);
}

function wrong(message: string, options: { hint?: string } = {}): never {
  throw new SvcError('42P16', message, options);
}

/** Whether the table has parents or children, so that changes must be propagated. */
export function isTied(session: SqlSession, table: SqlTable): boolean {
  return table.inheritance !== null || session.schema().children(table.number).length > 0;
}

/** Runs the action on the table and, if it is inherited, on its children. */
export function alterTree(session: SqlSession, command: string, table: SqlTable, action: AlterAction, only: boolean, specOf: SpecOf): StatementResult[] {
  const place: Place = { session, command, only, specOf, results: [] };
  change(place, table, action, false);
  return place.results;
}

function apply(place: Place, table: SqlTable, action: AlterAction): void {
  const spec = place.specOf(table, action);
  if (spec !== null) run(place, (ddl) => alterTable(ddl, table.number, [spec]));
}

function below(place: Place, table: SqlTable, action: AlterAction): void {
  if (place.only) return;
  for (const child of childrenOf(place, table)) change(place, now(place, child), action, true);
}

/** A column that is inherited from another parent, too, keeps its type. */
function refuseOtherParents(place: Place, table: SqlTable, column: string): void {
  const all = descendants(place.session.schema(), table);
  const altered = new Set([table.number, ...all.map(({ number }) => number)]);
  for (const each of all) {
    const parents = each.inheritance!.parents.filter((number) => altered.has(number)).length;
    if ((attribute(place, each, column)?.inherited ?? 0) > parents) wrong(`cannot alter inherited column "${column}" of relation "${each.name}"`);
  }
}

function change(place: Place, table: SqlTable, action: AlterAction, inherited: boolean): void {
  const { only } = place;
  const children = childrenOf(place, table);
  switch (action.type) {
    case 'addColumn':
      return addColumn(place, table, action, inherited);
    case 'dropColumn':
      return dropColumn(place, table, action, inherited);
    case 'setType': {
      const own = attribute(place, table, action.column);
      if (!inherited && (own?.inherited ?? 0) > 0) wrong(`cannot alter inherited column "${action.column}"`);
      if (!inherited && !only) refuseOtherParents(place, table, action.column);
      refuseKey(table, action.column, 'alter');
      if (only && children.length > 0) wrong(`type of inherited column "${action.column}" must be changed in child tables too`);
      apply(place, table, action);
      return below(place, table, action);
    }
    case 'setNotNull':
      if (only && isPartitioned(table) && children.length > 0) wrong('constraint must be added to child tables too', NO_ONLY);
      apply(place, table, action);
      return below(place, table, action);
    case 'dropNotNull': {
      if (only && isPartitioned(table) && children.length > 0) wrong('cannot remove constraint from only the partitioned table when partitions exist', NO_ONLY);
      const parent = place.session.schema().parentOf(table);
      if (!inherited && parent?.columns.find(({ name }) => name === action.column)?.notNull === true)
        wrong(`column "${action.column}" is marked NOT NULL in parent table`);
      apply(place, table, action);
      return below(place, table, action);
    }
    case 'setDefault':
    case 'dropDefault':
      apply(place, table, action);
      return below(place, table, action);
    case 'dropExpression': {
      if (only && children.length > 0) wrong('ALTER TABLE / DROP EXPRESSION must be applied to child tables too');
      if (!inherited && (attribute(place, table, action.column)?.inherited ?? 0) > 0) wrong('cannot drop generation expression from inherited column');
      apply(place, table, action);
      return below(place, table, action);
    }
    case 'addConstraint':
      return addConstraint(place, table, action, inherited);
    case 'dropConstraint':
      return dropConstraint(place, table, action, inherited);
    case 'validateConstraint':
      apply(place, table, action);
      if (!checksOfTable(place, table).some(({ name, noInherit }) => name === action.name && noInherit !== true)) {
        // Each part of a foreign key is validated separately.
        return below(place, table, action);
      }
      if (only && children.length > 0) wrong('constraint must be validated on child tables too');
      return below(place, table, action);
    default:
      return apply(place, table, action);
  }
}

function checksOfTable({ session }: Place, table: SqlTable): ReturnType<typeof checksOf> {
  return (session.schema().catalog.byNumber.get(table.number)?.relation?.constraints ?? []).filter((each) => each.what === 'check') as ReturnType<
    typeof checksOf
  >;
}

export function refuseKey(table: SqlTable, column: string, verb: 'alter' | 'drop'): void {
  const elements = table.inheritance?.partitionBy?.elements ?? [];
  if (elements.some((each) => (each.column === null ? mentions(each.expression!, column) : table.columns[each.column].name === column)))
    wrong(`cannot ${verb} column "${column}" because it is part of the partition key of relation "${table.name}"`);
}

function addColumn(place: Place, table: SqlTable, action: Extract<AlterAction, { type: 'addColumn' }>, inherited: boolean): void {
  const { name } = action.column;
  const children = childrenOf(place, table);
  if (!inherited && table.inheritance !== null && table.inheritance.bound !== null) throw new SvcError('42809', 'cannot add column to a partition');
  if (children.length > 0 && action.column.constraints.some(({ type }) => type === 'identity'))
    wrong('cannot recursively add identity column to table that has child tables');
  const there = table.columns.find((each) => each.name === name);
  const spec = place.specOf(table, action);
  if (spec?.kind !== 'add column') return;
  if (inherited && there !== undefined) {
    if (there.type.oid !== spec.column.type.oid || there.typmod !== spec.column.typmod)
      throw new SvcError('42804', `child table "${table.name}" has different type for column "${name}"`);
    return run(place, (ddl) => {
      const own = attributeOf(ddl, table, name);
      ddl.put({ ...own, inherited: (own.inherited ?? 0) + 1 });
      ddl.notice('00000', `merging definition of column "${name}" for child "${table.name}"`);
    });
  }
  if (there === undefined && place.only && children.length > 0) wrong('column must be added to child tables too');
  const column = inherited ? { ...spec.column, inherited: 1, local: false } : spec.column;
  // Keys of the parent need the column in every child first.
  run(place, (ddl) => alterTable(ddl, table.number, [{ ...spec, column, constraints: [] }]));
  if (there !== undefined) return;
  below(place, table, spec.column.serial ? withDefaultOf(now(place, table), action, spec.column.type.name) : action);
  if (inherited) return;
  for (const constraint of spec.constraints) addSpec(place, now(place, table), constraint);
}

/** Children of a table with a serial column use the parent's sequence. */
function withDefaultOf(table: SqlTable, action: Extract<AlterAction, { type: 'addColumn' }>, type: string): typeof action {
  const { column } = action;
  const value = parseExpressionText(table.columns.find(({ name }) => name === column.name)!.default!);
  const head = { name: null, at: column.at };
  const constraints: typeof column.constraints = [
    ...column.constraints,
    { type: 'notNull', ...head, column: null, noInherit: false, notValid: false },
    { type: 'default', ...head, value },
  ];
  return { ...action, column: { ...column, dataType: { ...column.dataType!, schema: 'pg_catalog', name: type }, constraints } };
}

/** Adds a bound constraint to the table and its children. */
function addSpec(place: Place, table: SqlTable, spec: ConstraintSpec): void {
  const before = new Set(checksOfTable(place, table).map(({ name }) => name));
  run(place, (ddl) => alterTable(ddl, table.number, [{ kind: 'add constraint', constraint: spec }]));
  if (spec.kind !== 'check' || spec.noInherit === true) return;
  const added = checksOfTable(place, table).find(({ name }) => !before.has(name));
  if (added !== undefined) for (const child of childrenOf(place, table)) addCheckBelow(place, now(place, child), { ...spec, name: added.name });
}

function addCheckBelow(place: Place, table: SqlTable, spec: Extract<ConstraintSpec, { kind: 'check' }>): void {
  const there = checksOfTable(place, table).find(({ name }) => name === spec.name);
  if (there !== undefined) {
    if (there.condition !== spec.condition) throw new SvcError('42710', `constraint "${spec.name!}" for relation "${table.name}" already exists`);
    if (there.noInherit === true) wrong(`constraint "${spec.name!}" conflicts with non-inherited constraint on relation "${table.name}"`);
    return run(place, (ddl) => {
      ddl.notice('00000', `merging constraint "${spec.name!}" with inherited definition`);
      ddl.put({ ...there, inherited: (there.inherited ?? 0) + 1 });
    });
  }
  run(place, (ddl) => alterTable(ddl, table.number, [{ kind: 'add constraint', constraint: { ...spec, inherited: 1, local: false } }]));
  for (const child of childrenOf(place, table)) addCheckBelow(place, now(place, child), spec);
}

function dropColumn(place: Place, table: SqlTable, action: Extract<AlterAction, { type: 'dropColumn' }>, inherited: boolean): void {
  const { column } = action;
  const own = attribute(place, table, column);
  const children = childrenOf(place, table);
  if (own !== undefined) {
    if (!inherited && (own.inherited ?? 0) > 0) wrong(`cannot drop inherited column "${column}"`);
    refuseKey(table, column, 'drop');
    if (place.only && isPartitioned(table) && children.length > 0) wrong('cannot drop column from only the partitioned table when partitions exist', NO_ONLY);
    for (const child of children) {
      const theirs = attribute(place, child, column);
      if (theirs === undefined) continue;
      if (!place.only && theirs.inherited === 1 && theirs.notLocal === true) dropColumn(place, now(place, child), action, true);
      else run(place, (ddl) => ddl.put(fewerParents(theirs, place.only)));
    }
    run(place, (ddl) => rewriteViews(place.session, ddl, [{ number: table.number, gone: column }]));
  }
  apply(place, now(place, table), action);
}

function addConstraint(place: Place, table: SqlTable, action: Extract<AlterAction, { type: 'addConstraint' }>, inherited: boolean): void {
  const { constraint } = action;
  const children = childrenOf(place, table);
  if (constraint.type === 'check' && !constraint.noInherit && place.only && children.length > 0) wrong('constraint must be added to child tables too');
  if (constraint.type === 'foreignKey' && place.only && isPartitioned(table)) {
    throw new SvcError(
      '42809',
      `cannot use ONLY for foreign key on partitioned table "${table.name}" referencing relation "${constraint.references.table.name}"`,
    );
  }
  if ((constraint.type === 'primaryKey' || constraint.type === 'unique') && constraint.usingIndex !== null && isPartitioned(table))
    throw new SvcError('0A000', 'ALTER TABLE / ADD CONSTRAINT USING INDEX is not supported on partitioned tables');
  if (constraint.type === 'notNull' && constraint.column !== null) return change(place, table, { type: 'setNotNull', column: constraint.column }, inherited);
  const spec = place.specOf(table, action);
  if (spec?.kind !== 'add constraint') return;
  const own = spec.constraint;
  if (own.kind === 'check') {
    const there = own.name === null ? undefined : checksOfTable(place, table).find(({ name }) => name === own.name);
    if (there !== undefined && there.notLocal === true && there.condition === own.condition) {
      return run(place, (ddl) => {
        ddl.notice('00000', `merging constraint "${own.name!}" with inherited definition`);
        const { notLocal: _, ...local } = there;
        ddl.put(local);
      });
    }
    return addSpec(place, table, own);
  }
  // Partitions get the key itself.
  if (own.kind === 'primary key' && !hasPrimaryKey(table) && !isPartitioned(table)) {
    for (const column of own.columns) below(place, table, { type: 'setNotNull', column });
  }
  run(place, (ddl) =>
    alterTable(ddl, table.number, [
      { kind: 'add constraint', constraint: place.only && (own.kind === 'primary key' || own.kind === 'unique') ? { ...own, only: true } : own },
    ]),
  );
}

function dropConstraint(place: Place, table: SqlTable, action: Extract<AlterAction, { type: 'dropConstraint' }>, inherited: boolean): void {
  const { session } = place;
  const { name } = action;
  const children = childrenOf(place, table);
  const check = checksOfTable(place, table).find((each) => each.name === name);
  const found = check ?? partOf(place, table, name);
  if (!inherited && found !== undefined && ('inherited' in found ? (found.inherited ?? 0) > 0 : 'parent' in found && found.parent !== undefined))
    wrong(`cannot drop inherited constraint "${name}" of relation "${table.name}"`);
  if (place.only && isPartitioned(table) && children.length > 0 && check !== undefined)
    wrong('cannot remove constraint from only the partitioned table when partitions exist', NO_ONLY);
  if (check !== undefined && check.noInherit !== true) {
    for (const child of children) {
      const theirs = checksOfTable(place, child).find((each) => each.name === name);
      if (theirs === undefined) continue;
      if (!place.only && theirs.inherited === 1 && theirs.notLocal === true) dropConstraint(place, now(place, child), action, true);
      else run(place, (ddl) => ddl.put(fewerParents(theirs, place.only)));
    }
  }
  const key =
    table.primaryKey === name
      ? session.schema().primaryKeyNumber(table)
      : table.indexes.find(({ primary, constraint }) => primary && constraint === name)?.number;
  apply(place, now(place, table), action);
  if (key === undefined) return;
  for (const child of children) {
    const theirs = now(place, child);
    const number = session.schema().primaryKeyNumber(theirs);
    if (number !== undefined && session.schema().catalog.byNumber.get(theirs.number)!.relation!.object.primaryKey!.parent === key)
      dropConstraint(place, theirs, { ...action, name: theirs.primaryKey! }, true);
  }
}

/** A unique key or foreign key that may become part of the parent's. */
function partOf({ session }: Place, table: SqlTable, name: string): { readonly parent?: number } | undefined {
  let found: { readonly parent?: number } | undefined;
  const relation = session.schema().catalog.byNumber.get(table.number)?.relation;
  if (table.primaryKey === name) found = relation?.object.primaryKey ?? undefined;
  found ??= relation?.indexes.find((each) => each.constraint === name);
  found ??= relation?.constraints.find((each) => each.name === name && each.what === 'foreign key') as { parent?: number } | undefined;
  return found;
}

/** RENAME of a column or constraint: refused if inherited, and propagated to children. */
export function renamedBelow(session: SqlSession, table: SqlTable, kind: 'column' | 'constraint', name: string, only: boolean): readonly SqlTable[] {
  const schema = session.schema();
  const relation = schema.catalog.byNumber.get(table.number)?.relation;
  if (relation === null || relation === undefined) return [];
  const own =
    kind === 'column'
      ? relation.attributes.find((each) => each.name === name)
      : relation.constraints.find((each) => each.what === 'check' && each.name === name);
  if (own === undefined) return [];
  const inherited = 'inherited' in own ? (own.inherited ?? 0) : 0;
  if (inherited > 0) wrong(`cannot rename inherited ${kind} "${name}"`);
  if ('noInherit' in own && own.noInherit === true) return [];
  const out: SqlTable[] = [];
  const queue = [...schema.children(table.number)];
  if (only && queue.length > 0) wrong(`inherited ${kind} "${name}" must be renamed in child tables too`);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (out.includes(next)) continue;
    const theirs = schema.catalog.byNumber.get(next.number)!.relation!;
    const object =
      kind === 'column' ? theirs.attributes.find((each) => each.name === name) : theirs.constraints.find((each) => each.what === 'check' && each.name === name);
    if (object === undefined) continue;
    const parents = next.inheritance!.parents.filter((parent) => parent === table.number || out.some(({ number }) => number === parent)).length;
    if (('inherited' in object ? (object.inherited ?? 0) : 0) > parents && !queue.some((other) => next!.inheritance!.parents.includes(other.number)))
      wrong(`cannot rename inherited ${kind} "${name}"`);
    out.push(next);
    queue.push(...schema.children(next.number));
  }
  return out;
}
