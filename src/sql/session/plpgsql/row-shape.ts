/** Whether rows have the columns that a function promises: their number and types, as Postgres compares rows by place. */
import type { SqlType } from '../../types/type.ts';

/** What differs; null: nothing. */
export function difference(given: readonly SqlType[], wanted: readonly SqlType[]): string | null {
  if (given.length !== wanted.length) return `Number of returned columns (${given.length}) does not match expected column count (${wanted.length}).`;
  const at = given.findIndex(({ oid }, i) => oid !== wanted[i].oid);
  return at < 0 ? null : `Returned type ${given[at].title} does not match expected type ${wanted[at].title} in column ${at + 1}.`;
}
