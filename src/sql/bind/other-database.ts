/** Names with a database before their schema mean the one that the session is in: 0A000 for any other. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationName } from '../ast/query.ts';
import type { Environment } from '../types/environment.ts';

export function refuseOtherDatabase({ system }: Environment, { catalog, schema, name, at }: RelationName): void {
  if (catalog === null || system === undefined || catalog === system.database) return;
  throw new SvcError('0A000', `cross-database references are not implemented: "${catalog}.${schema}.${name}"`, { position: at + 1 });
}
