/**
 * VACUUM, ANALYZE, REINDEX, CLUSTER. Trees keep their own counts and order, and pages are collected by themselves: there is
 * nothing to do but what Postgres says of names and of who may.
 */
import type { Cluster, Reindex, Vacuum } from '../ast/session.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { factsOf } from '../schema/facts.ts';
import { mustHaveHandler, tableWrapper } from '../schema/foreign-tables.ts';
import type { SqlTable } from '../schema/table.ts';
import { markClustered } from './define-facts.ts';
import { referencedName } from './define-table.ts';
import { define, relationNamed } from './define.ts';
import { schemaObject } from './owned-objects.ts';
import { mustOwn, mustOwnRelation, ownedNumber } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function maintain(session: SqlSession, { type, tables }: Vacuum): StatementResult {
  if (type === 'vacuum') session.settle('VACUUM');
  const { authority } = session;
  for (const { name } of tables) {
    const target = referencedName(session, name);
    const own = session.schema().relation(target.schema, target.name);
    if (own !== null && (own.kind !== 'table' || (type === 'vacuum' && own.table.foreign !== undefined))) {
      session.notice('01000', `skipping "${name.name}" --- cannot ${type} non-tables or special system tables`, 'WARNING');
      continue;
    }
    session.mustBeTable(name);
    if (own?.kind === 'table' && own.table.foreign !== undefined) mustHaveHandler(tableWrapper(session.schema(), own.table));
    if (authority.free) continue;
    const found = relationNamed(session, name);
    if (authority.privileges(session.schema()).owns(authority.role, ownedNumber(found))) continue;
    session.notice('01000', `skipping "${name.name}" --- only table or database owner can ${type} it`, 'WARNING');
  }
  return done(type.toUpperCase(), session.notices);
}

export function reindex(session: SqlSession, { kind, relation, name, options }: Reindex): StatementResult {
  if (relation === null) session.settle(`REINDEX ${kind.toUpperCase()}`);
  else if (options.some((option) => option.name === 'concurrently')) session.settle('REINDEX CONCURRENTLY');
  session.startStatement();
  if (relation !== null) {
    const found = relationNamed(session, relation);
    if (kind === 'table' && found.kind === 'table' && found.table.foreign !== undefined)
      throw new SvcError('42809', `"${relation.name}" is not a table or materialized view`);
    mustOwnRelation(session, found, relation.name);
  } else if (kind === 'schema' && name !== null) mustOwn(session, 'schema', schemaObject(session, name).number, name);
  else if (kind === 'database' || kind === 'system') mustOwn(session, 'database', 1, session.system.database);
  return done('REINDEX');
}

export function cluster(session: SqlSession, { table, index }: Cluster): StatementResult {
  if (table === null) session.settle('CLUSTER');
  session.startStatement();
  if (table === null) return done('CLUSTER');
  const found = relationNamed(session, table);
  mustOwnRelation(session, found, table.name);
  if (found.kind !== 'table' || found.table.foreign !== undefined) throw new SvcError('42809', `"${table.name}" is not a table or materialized view`);
  const own = found.table;
  if (index === null) {
    const marked = indexNumbers(session, own).some((number) => factsOf(session.schema(), number)?.clustered === true);
    if (!marked) throw new SvcError('42704', `there is no previously clustered index for table "${table.name}"`);
    return done('CLUSTER');
  }
  if (own.primaryKey !== index && !own.indexes.some(({ name }) => name === index))
    throw new SvcError('42704', `index "${index}" for table "${table.name}" does not exist`);
  const object = own.indexes.find(({ name }) => name === index);
  if (object !== undefined && !['btree', 'gist'].includes(object.method))
    throw new SvcError('0A000', `cannot cluster on index "${index}" because access method does not support clustering`);
  if (object !== undefined && object.where !== null) throw new SvcError('0A000', `cannot cluster on partial index "${index}"`);
  // The order of rows is that of the key whatever this says: only the mark is kept.
  if (own.inheritance?.partitionBy == null) define(session, 'CLUSTER', (ddl) => markClustered(ddl, own, index));
  return done('CLUSTER');
}

function indexNumbers(session: SqlSession, table: SqlTable): number[] {
  const key = session.schema().primaryKeyNumber(table);
  return [...(key === undefined ? [] : [key]), ...table.indexes.map(({ number }) => number)];
}
