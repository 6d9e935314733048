/** `database.schema.relation` may name the database that one is in, alone. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RelationName } from '../ast/query.ts';
import type { Environment } from '../types/environment.ts';

/** 0A000. */
export function refuseOtherDatabase({ system }: Environment, { catalog, schema, name, at }: RelationName, placed: boolean): void {
  if (catalog === null || system === undefined || catalog === system.database) return;
  throw new SvcError('0A000', `cross-database references are not implemented: "${catalog}.${schema}.${name}"`, placed ? { position: at + 1 } : {});
}
