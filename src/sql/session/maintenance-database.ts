/**
 * The databases that every Postgres server has and that are no worlds: tools connect to them to list, make and drop databases (`createdb`, `dropdb`,
 * `psql -l`, `pg_dumpall`). They are empty and cannot be written to. A world of such a name takes precedence. Only the SQL port has them.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { emptyTree } from '../../tree/write.ts';
import { readCatalog } from '../../worlds/catalog.ts';
import type { Context, Reading } from '../../worlds/context.ts';
import type { CatalogDatabase } from '../catalog/catalog-session.ts';

/** By name, with their oids in Postgres. */
const MAINTENANCE: ReadonlyMap<string, number> = new Map([
  ['postgres', 5],
  ['template1', 1],
]);

export function isMaintenance(context: Context, database: string): boolean {
  return MAINTENANCE.has(database) && context.state.worlds.byName(database) === null;
}

/** An empty state. */
export function maintenanceReading(context: Context): Reading {
  const root = emptyTree(true);
  return { ...context.read('main'), root, catalog: readCatalog(context.engine.pager, root), past: true };
}

export function maintenanceDatabase(name: string): CatalogDatabase {
  return { oid: MAINTENANCE.get(name)!, name, world: 0 };
}

/** 25006 */
export function refuseMaintenance(database: string, what: string): never {
  throw new SvcError('25006', `cannot execute ${what}: the database "${database}" is for maintenance alone and holds nothing`, {
    hint: 'Connect to a world, such as "main", or make one with CREATE DATABASE.',
  });
}
