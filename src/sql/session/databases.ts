/** Worlds as databases: the entrance of the wire protocol names worlds so. */
import type { Context } from '../../worlds/context.ts';
import type { CatalogDatabase } from '../catalog/catalog-session.ts';

/** Numbers of worlds are sequences of the log: shifted, so that no other object has them. */
export function databaseOid(world: number): number {
  return 1_000_000_000 + world;
}

export function worldsAsDatabases(context: Context): readonly CatalogDatabase[] {
  return [...context.worlds.open()].map(({ name, number }) => ({ oid: databaseOid(number), name, world: number }));
}
