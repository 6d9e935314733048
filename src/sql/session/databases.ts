/** Worlds as databases: the entrance of the wire protocol names worlds so. */
import type { Context } from '../../worlds/context.ts';
import type { CatalogDatabase } from '../catalog/catalog-session.ts';

export function worldsAsDatabases(context: Context): readonly CatalogDatabase[] {
  // Numbers of worlds are sequences of the log: shifted, so that no other object has them.
  return [...context.worlds.open()].map(({ name, number }) => ({ oid: 1_000_000_000 + number, name }));
}
