/** Types of extensions that are not there before CREATE EXTENSION: clients look for their names to see what a server has. */
import { OID } from './oids.ts';
import type { Schema } from './schema.ts';

const EXTENSIONS: ReadonlyMap<number, string> = new Map([
  [OID.citext, 'citext'],
  [OID.citext + 1, 'citext'],
  [OID.hstore, 'hstore'],
  [OID.hstore + 1, 'hstore'],
]);

/** Their types of arrays come behind them. */
export const HIDDEN_TYPES: readonly number[] = [...EXTENSIONS.keys()];

export function isHiddenType({ extensions }: Pick<Schema, 'extensions'>, oid: number): boolean {
  const name = EXTENSIONS.get(oid);
  return name !== undefined && extensions.get(name) === undefined;
}
