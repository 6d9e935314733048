/** pg_subscription. Connection strings, which may contain passwords, are shown to superusers. */
import { ArrayValue } from '../types/array-value.ts';
import { STORED } from '../types/environment.ts';
import { askerOf } from './foreign-rows.ts';
import type { Row } from './made-relation.ts';
import { databaseOid } from './server-rows.ts';
import type { RowSource } from './system-catalog.ts';

export function subscriptionRows(source: RowSource): Row[] {
  const { schema, registry } = source;
  const all = [...schema.plain.of('subscription').values()];
  if (all.length === 0) return [];
  const { roles, role, secrets } = askerOf(source);
  const seesConnections = secrets && roles.isSuperuser(role);
  const database = databaseOid(source.session, source.session.database);
  return all.map((each): Row => [
    each.number,
    database,
    registry.type('pg_lsn').parse(each.skip, -1, STORED),
    each.name,
    schema.ownerOf(each.number),
    each.enabled,
    each.binary,
    each.streaming,
    each.twoPhase ? 'p' : 'd',
    each.disableOnError,
    seesConnections ? each.connection : null,
    each.slot,
    each.commit,
    new ArrayValue(each.publications),
  ]);
}
