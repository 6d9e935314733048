/**
 * VACUUM, ANALYZE, REINDEX, CLUSTER. Trees keep their own counts and order, and pages are collected by themselves: there is
 * nothing to do but what Postgres says of names and of who may.
 */
import type { Cluster, Reindex, Vacuum } from '../ast/session.ts';
import { relationNamed } from './define.ts';
import { schemaObject } from './owned-objects.ts';
import { mustOwn, mustOwnRelation, ownedNumber } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function maintain(session: SqlSession, { type, tables }: Vacuum): StatementResult {
  const { authority } = session;
  for (const { name } of tables) {
    session.mustBeTable(name);
    if (authority.free) continue;
    const found = relationNamed(session, name);
    if (authority.privileges(session.schema()).owns(authority.role, ownedNumber(found))) continue;
    session.notice('01000', `skipping "${name.name}" --- only table or database owner can ${type} it`, 'WARNING');
  }
  return done(type.toUpperCase(), session.notices);
}

export function reindex(session: SqlSession, { kind, relation, name }: Reindex): StatementResult {
  session.startStatement();
  if (relation !== null) mustOwnRelation(session, relationNamed(session, relation), relation.name);
  else if (kind === 'schema' && name !== null) mustOwn(session, 'schema', schemaObject(session, name).number, name);
  else if (kind === 'database' || kind === 'system') mustOwn(session, 'database', 1, session.system.database);
  return done('REINDEX');
}

export function cluster(session: SqlSession, { table }: Cluster): StatementResult {
  session.startStatement();
  if (table !== null) mustOwnRelation(session, relationNamed(session, table), table.name);
  return done('CLUSTER');
}
