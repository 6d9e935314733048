/** pg_conversion: the conversions that Postgres has. Those of encodings with more than a byte a character are refused when they are asked for. */
import { CONVERSIONS } from './data/conversions.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

let read: readonly (readonly string[])[] | null = null;

function fields(): readonly (readonly string[])[] {
  return (read ??= CONVERSIONS.split('\n').map((line) => line.split(' ')));
}

export function conversionRows(): Row[] {
  return fields().map(([oid, name, from, to, proc, standard]) => [
    Number(oid),
    name,
    PG_CATALOG,
    OWNER,
    Number(from),
    Number(to),
    Number(proc),
    standard === 't',
  ]);
}

export function isConversion(oid: number): boolean {
  return fields().some((each) => Number(each[0]) === oid);
}

/** Oids of the functions behind them. */
export function conversionFunctions(): number[] {
  return fields().map((each) => Number(each[4]));
}
