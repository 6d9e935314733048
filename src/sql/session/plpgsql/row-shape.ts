/** Compares a row's columns with those that a function declares, by position, as Postgres does. */
import type { SqlType } from '../../types/type.ts';

/** The first difference, or null. */
export function difference(given: readonly SqlType[], wanted: readonly SqlType[]): string | null {
  if (given.length !== wanted.length) return `Number of returned columns (${given.length}) does not match expected column count (${wanted.length}).`;
  const at = given.findIndex(({ oid }, i) => oid !== wanted[i].oid);
  return at < 0 ? null : `Returned type ${given[at].title} does not match expected type ${wanted[at].title} in column ${at + 1}.`;
}
