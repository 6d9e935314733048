/** Worlds as databases, by the names that the wire protocol uses. */
import type { Context } from '../../worlds/context.ts';
import type { CatalogDatabase } from '../catalog/catalog-session.ts';

/** World numbers are log sequences; the shift keeps them apart from the oids of other objects. */
export function databaseOid(world: number): number {
  return 1_000_000_000 + world;
}

export function worldsAsDatabases(context: Context): readonly CatalogDatabase[] {
  return [...context.state.worlds.open()].map(({ name, number }) => ({ oid: databaseOid(number), name, world: number }));
}
