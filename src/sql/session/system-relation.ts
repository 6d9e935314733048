/** System relations cannot be changed: the errors for attempts. A superuser of Postgres may do more. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationName } from '../ast/query.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { SqlSession } from './sql-session.ts';

/** null if the name means a relation of the world, or none. */
export function systemRelation(session: SqlSession, { schema, name }: Pick<RelationName, 'schema' | 'name'>): VirtualRelation | null {
  const found = session.names().relation(schema, name);
  return found?.kind === 'virtual' && found.relation.oid < FIRST_OWN_OID ? found.relation : null;
}

export function isSystemCatalog(name: string): SvcError {
  return new SvcError('42501', `permission denied: "${name}" is a system catalog`);
}

/** 42501 if the name means a system relation, which not even superusers change. */
export function refuseSystemRelation(session: SqlSession, name: Pick<RelationName, 'schema' | 'name'>): void {
  const found = systemRelation(session, name);
  if (found === null) return;
  throw session.authority.free ? isSystemCatalog(name.name) : new SvcError('42501', `must be owner of ${found.view === true ? 'view' : 'table'} ${name.name}`);
}
