/**
 * VACUUM, ANALYZE, REINDEX, CLUSTER. Trees maintain their own counts and order, and pages are collected automatically, so only names
 * and privileges are checked.
 */
import type { RelationName } from '../ast/query.ts';
import type { Cluster, Reindex, Vacuum } from '../ast/session.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { factsOf } from '../schema/facts.ts';
import { mustHaveHandler, tableWrapper } from '../schema/foreign-tables.ts';
import type { SqlTable } from '../schema/table.ts';
import { markClustered } from './define-facts.ts';
import { referencedName } from './define-table.ts';
import { define, relationNamed } from './define.ts';
import { schemaObject } from './owned-objects.ts';
import { checkClusterOptions, refuseTogether, reindexOptions, vacuumOptions } from './maintenance-options.ts';
import { mustOwn, mustOwnRelation, ownedNumber } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function maintain(session: SqlSession, statement: Vacuum): StatementResult {
  const { type, tables } = statement;
  const options = vacuumOptions(statement);
  if (type === 'vacuum') session.preventInTransactionBlock('VACUUM');
  refuseTogether(options);
  const { authority } = session;
  for (const { name, columns } of tables) {
    const target = referencedName(session, name);
    const own = session.schema().relation(target.schema, target.name);
    if (own !== null && (own.kind !== 'table' || (type === 'vacuum' && own.table.foreign !== undefined))) {
      session.notice('01000', `skipping "${name.name}" --- cannot ${type} non-tables or special system tables`, 'WARNING');
      continue;
    }
    mustBe(session, name);
    if (own?.kind === 'table' && own.table.foreign !== undefined) mustHaveHandler(tableWrapper(session.schema(), own.table));
    if (own?.kind === 'table') checkColumns(own.table, columns);
    if (authority.free) continue;
    const found = relationNamed(session, name);
    if (authority.privileges(session.schema()).owns(authority.role, ownedNumber(found))) continue;
    session.notice('01000', `skipping "${name.name}" --- only table or database owner can ${type} it`, 'WARNING');
  }
  return done(type.toUpperCase(), session.notices);
}

/** 42P01 if there is no such relation, without a position. */
function mustBe(session: SqlSession, { schema, name }: RelationName): void {
  session.startStatement();
  if (session.names().relation(schema, name) !== null) return;
  if (schema !== null && !session.names().hasSchema(schema)) throw new SvcError('3F000', `schema "${schema}" does not exist`);
  throw new SvcError('42P01', `relation "${schema === null ? name : `${schema}.${name}`}" does not exist`);
}

function checkColumns({ name: table, columns }: SqlTable, named: readonly string[]): void {
  named.forEach((name, i) => {
    if (!columns.some((column) => column.name === name)) throw new SvcError('42703', `column "${name}" of relation "${table}" does not exist`);
    if (named.indexOf(name) < i) throw new SvcError('42701', `column "${name}" of relation "${table}" appears more than once`);
  });
}

export function reindex(session: SqlSession, statement: Reindex): StatementResult {
  const { kind, relation, name } = statement;
  const { concurrently, tablespace } = reindexOptions(statement);
  if (concurrently) session.preventInTransactionBlock('REINDEX CONCURRENTLY');
  if (tablespace !== null && tablespace !== 'pg_default' && tablespace !== 'pg_global')
    throw new SvcError('42704', `tablespace "${tablespace}" does not exist`);
  if (relation === null) session.preventInTransactionBlock(`REINDEX ${kind.toUpperCase()}`);
  session.startStatement();
  if (relation !== null) reindexOne(session, kind, relation, concurrently, tablespace);
  else if (kind === 'schema' && name !== null) mustOwn(session, 'schema', schemaObject(session, name).number, name);
  else if (kind === 'database' || kind === 'system') {
    if (kind === 'system' && concurrently) throw new SvcError('0A000', 'cannot reindex system catalogs concurrently');
    if (name !== null && name !== session.system.database) throw new SvcError('0A000', 'can only reindex the currently open database');
    mustOwn(session, 'database', 1, session.system.database);
  }
  return done('REINDEX');
}

function reindexOne(session: SqlSession, kind: Reindex['kind'], relation: RelationName, concurrently: boolean, tablespace: string | null): void {
  if (session.names().relation(relation.schema, relation.name)?.kind === 'virtual' && session.authority.free) {
    const target = referencedName(session, relation);
    if (session.schema().relation(target.schema, target.name) === null) {
      if (kind === 'index') throw new SvcError('42809', `"${relation.name}" is not an index`);
      if (concurrently) throw new SvcError('0A000', 'cannot reindex system catalogs concurrently');
      return;
    }
  }
  const found = relationNamed(session, relation);
  if (kind === 'index' && found.kind !== 'index') throw new SvcError('42809', `"${relation.name}" is not an index`);
  if (kind === 'table' && (found.kind !== 'table' || found.table.foreign !== undefined))
    throw new SvcError('42809', `"${relation.name}" is not a table or materialized view`);
  mustOwnRelation(session, found, relation.name);
  if (tablespace === 'pg_global') throw new SvcError('22023', 'only shared relations can be placed in pg_global tablespace');
  if (found.kind === 'table' && found.table.inheritance?.partitionBy != null && session.transaction?.explicit === true) {
    throw new SvcError('25001', 'REINDEX TABLE cannot run inside a transaction block', {
      data: { where: `while reindexing partitioned table "${found.table.schema}.${found.table.name}"` },
    });
  }
}

/** 0A000 for an index that a table cannot be clustered on. */
export function mustOrder(table: SqlTable, index: string): void {
  const object = table.indexes.find(({ name }) => name === index);
  if (object === undefined) return;
  if (!['btree', 'gist'].includes(object.method))
    throw new SvcError('0A000', `cannot cluster on index "${index}" because access method does not support clustering`);
  if (object.where !== null) throw new SvcError('0A000', `cannot cluster on partial index "${index}"`);
}

export function cluster(session: SqlSession, statement: Cluster): StatementResult {
  const { table, index } = statement;
  checkClusterOptions(statement);
  if (table === null) session.preventInTransactionBlock('CLUSTER');
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
  if (own.primaryKey !== index && !own.indexes.some(({ name }) => name === index)) {
    const other = session.schema().relation(own.schema, index);
    if (other !== null) throw new SvcError('42809', `"${index}" is not an index${other.kind === 'index' ? ` for table "${own.name}"` : ''}`);
    throw new SvcError('42704', `index "${index}" for table "${table.name}" does not exist`);
  }
  mustOrder(own, index);
  // Rows stay in key order: only the mark is kept.
  if (own.inheritance?.partitionBy == null) define(session, 'CLUSTER', (ddl) => markClustered(ddl, own, index));
  return done('CLUSTER');
}

function indexNumbers(session: SqlSession, table: SqlTable): number[] {
  const key = session.schema().primaryKeyNumber(table);
  return [...(key === undefined ? [] : [key]), ...table.indexes.map(({ number }) => number)];
}
