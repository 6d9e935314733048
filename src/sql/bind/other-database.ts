/** Names qualified with a database: it must be the current one, otherwise 0A000. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationName } from '../ast/query.ts';
import type { Environment } from '../types/environment.ts';

export function refuseOtherDatabase({ system }: Environment, { catalog, schema, name, at }: RelationName): void {
  if (catalog === null || system === undefined || catalog === system.database) return;
  throw new SvcError('0A000', `cross-database references are not implemented: "${catalog}.${schema}.${name}"`, { position: at + 1 });
}
