/** ALTER TABLE … INHERIT, NO INHERIT, ATTACH and DETACH PARTITION, OF, NOT OF; ALTER INDEX … ATTACH PARTITION. */
import type { SqlState } from '../../base/errors/sqlstate.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { isTemporarySchema } from '../../worlds/definition.ts';
import type { AlterAction } from '../ast/define.ts';
import type { RelationName } from '../ast/query.ts';
import { indexObjects, relationObject } from '../schema/alter-table.ts';
import { ordinaryRows } from '../schema/ordinary-rows.ts';
import type { Ddl } from '../schema/ddl.ts';
import { becomeChild, leaveParent, refuseCircle } from '../schema/inherit.ts';
import { attachPartition, detachPartition, isPartitioned, sameIndex } from '../schema/partitions.ts';
import { partitionKeys } from '../schema/hierarchy.ts';
import type { Relation } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { define, relationNamed, tableNamed } from './define.ts';
import { partitionBoundSpec, boundPlaces } from './define-partition.ts';
import { refuseOpen } from '../schema/documents-option.ts';
import { refuseParent, rowColumns } from './define-table.ts';
import { mustOwnTable, mustSeeMasked } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

type Own = Extract<AlterAction, { type: 'inherit' | 'noInherit' | 'attachPartition' | 'detachPartition' | 'of' | 'notOf' }>;

const OWN = new Set<AlterAction['type']>(['inherit', 'noInherit', 'attachPartition', 'detachPartition', 'of', 'notOf']);

export function isInheritanceAction(action: AlterAction): action is Own {
  return OWN.has(action.type);
}

function named(session: SqlSession, name: RelationName): SqlTable {
  const table = tableNamed(session, name);
  mustOwnTable(session, table);
  // The rows would be read under the masks of other tables.
  mustSeeMasked(session, table);
  return table;
}

export function alterInheritance(session: SqlSession, command: string, table: SqlTable, action: Own): StatementResult {
  const refused = (message: string, detail?: string): never => {
    throw new SvcError('42809', message, detail === undefined ? {} : { detail });
  };
  if (action.type !== 'of' && action.type !== 'notOf') mustSeeMasked(session, table);
  switch (action.type) {
    case 'inherit': {
      const parent = named(session, action.parent);
      if (table.inheritance !== null && table.inheritance.bound !== null) refused('cannot change inheritance of a partition');
      if (isPartitioned(table)) refused('cannot change inheritance of partitioned table');
      if (isTyped(session, table)) refused('cannot change inheritance of typed table');
      if (parent.inheritance?.bound != null) throw new SvcError('42809', 'cannot inherit from a partition');
      refuseParent(parent);
      refuseOpen(table);
      if (isTemporarySchema(parent.schema) && !isTemporarySchema(table.schema)) refused(`cannot inherit from temporary relation "${parent.name}"`);
      if (table.inheritance?.parents.includes(parent.number) === true)
        throw new SvcError('42P07', `relation "${parent.name}" would be inherited from more than once`);
      return define(session, command, (ddl) => {
        refuseCircle(ddl, parent, table);
        becomeChild(ddl, ordinaryRows(ddl, parent), ordinaryRows(ddl, table), {});
      });
    }
    case 'noInherit': {
      const parent = named(session, action.parent);
      if (table.inheritance !== null && table.inheritance.bound !== null) refused('cannot change inheritance of a partition');
      if (table.inheritance?.parents.includes(parent.number) !== true)
        throw new SvcError('42P01', `relation "${parent.name}" is not a parent of relation "${table.name}"`);
      return define(session, command, (ddl) => leaveParent(ddl, parent, table));
    }
    case 'attachPartition': {
      if (!isPartitioned(table)) throw new SvcError('42P17', `table "${table.name}" is not partitioned`);
      const child = named(session, action.partition);
      refuseOtherKind(table, isTemporarySchema(child.schema), 'attach');
      refuseOpen(child);
      const bound = partitionBoundSpec(session, action.bound!, table);
      return define(session, command, (ddl) => attachPartition(ddl, table, ordinaryRows(ddl, child), bound, boundPlaces(action.bound!)));
    }
    case 'detachPartition': {
      if (!isPartitioned(table)) throw new SvcError('42P17', `table "${table.name}" is not partitioned`);
      const child = named(session, action.partition);
      if (action.concurrently) {
        if (session.transaction?.explicit === true) throw new SvcError('25001', 'ALTER TABLE ... DETACH CONCURRENTLY cannot run inside a transaction block');
        if (partitionKeys(session.schema(), table).default >= 0)
          throw new SvcError('55000', 'cannot detach partitions concurrently when a default partition exists');
      }
      if (child.inheritance?.bound == null || !child.inheritance.parents.includes(table.number))
        throw new SvcError('42P01', `relation "${child.name}" is not a partition of relation "${table.name}"`);
      return define(session, command, (ddl) => detachPartition(ddl, table, child));
    }
    case 'of': {
      const type = rowColumns(session, action.dataType);
      if (table.inheritance !== null && table.inheritance.parents.length > 0) refused('typed tables cannot inherit');
      type.columns.forEach((column, i) => {
        const own = table.columns[i];
        if (own === undefined) throw new SvcError('42804', `table is missing column "${column.name}"`);
        if (own.name !== column.name) throw new SvcError('42804', `table has column "${own.name}" where type requires "${column.name}"`);
        if (own.type.oid !== column.type.oid || own.typmod !== column.typmod)
          throw new SvcError('42804', `table "${table.name}" has different type for column "${column.name}"`);
      });
      const extra = table.columns[type.columns.length];
      if (extra !== undefined) throw new SvcError('42804', `table has extra column "${extra.name}"`);
      return define(session, command, (ddl) => ddl.put({ ...relationObject(ddl, table.number), ofType: type.oid }));
    }
    case 'notOf':
      if (!isTyped(session, table)) refused(`"${table.name}" is not a typed table`);
      return define(session, command, (ddl) => {
        const { ofType: _, ...plain } = relationObject(ddl, table.number);
        ddl.put(plain);
      });
  }
}

export function isTyped(session: SqlSession, { number }: SqlTable): boolean {
  return session.schema().catalog.byNumber.get(number)?.relation?.object.ofType !== undefined;
}

/** Attaches the index of a partition to the index of the partitioned table. */
export function attachIndex(session: SqlSession, whole: Relation & { kind: 'index' }, name: RelationName): StatementResult {
  const part = relationNamed(session, name);
  if (part.kind !== 'index') throw new SvcError('42P17', `"${name.name}" is not an index`);
  mustOwnTable(session, part.table);
  const nameOf = ({ index, table }: Relation & { kind: 'index' }): string => index?.name ?? table.primaryKey!;
  const refused = (detail: string, code: SqlState = '55000'): never => {
    throw new SvcError(code, `cannot attach index "${nameOf(part)}" as a partition of index "${nameOf(whole)}"`, { detail });
  };
  if (!isPartitioned(whole.table)) throw new SvcError('42809', `"${nameOf(whole)}" is not a partitioned index`);
  return define(session, 'ALTER INDEX', (ddl) => {
    const { schema } = ddl;
    const numberOf = ({ index, table }: Relation & { kind: 'index' }): number => index?.number ?? schema.primaryKeyNumber(table)!;
    const own = numberOf(part);
    const parent = numberOf(whole);
    const current = schema.parentIndex(own);
    if (current === parent) return;
    if (current !== undefined) refused(`Index "${nameOf(part)}" is already attached to another index.`);
    if (schema.parentOf(part.table)?.number !== whole.table.number)
      refused(`Index "${nameOf(part)}" is not an index on any partition of table "${whole.table.name}".`);
    const taken = schema.primaryKeyNumber(part.table);
    const others = [...part.table.indexes.map(({ number }) => number), ...(taken === undefined ? [] : [taken])];
    if (others.some((number) => schema.parentIndex(number) === parent)) refused(`Another index is already attached for partition "${part.table.name}".`);
    if (!sameIndex(whole, part)) refused('The index definitions do not match.', '42P17');
    if ((whole.index === null || whole.index.constraint !== null) && part.index !== null && part.index.constraint === null)
      refused(
        `The index "${nameOf(whole)}" belongs to a constraint in table "${whole.table.name}" but no constraint exists for index "${nameOf(part)}".`,
        '42P17',
      );
    attach(ddl, part, parent);
  });
}

/** 42809: temporary tables take temporary partitions only. */
export function refuseOtherKind(table: SqlTable, isChildTemporary: boolean, verb: 'attach' | 'create'): void {
  const temporary = isTemporarySchema(table.schema);
  if (temporary === isChildTemporary) return;
  const [one, other] = temporary ? ['permanent', 'temporary'] : ['temporary', 'permanent'];
  throw new SvcError('42809', `cannot ${verb} a ${one} relation as partition of ${other} relation "${table.name}"`);
}

function attach(ddl: Ddl, { index, table }: Relation & { kind: 'index' }, parent: number): void {
  if (index === null) {
    const relation = relationObject(ddl, table.number);
    ddl.put({ ...relation, primaryKey: { ...relation.primaryKey!, parent } });
  } else ddl.put({ ...indexObjects(ddl, table).find(({ number }) => number === index.number)!, parent });
}
