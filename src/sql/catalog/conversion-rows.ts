/** pg_conversion: Postgres's conversions, and user-defined ones, which are not used. Those of multibyte encodings are refused at use. */
import { CONVERSIONS } from './data/conversions.ts';
import { functionsBySignature, signatureKey } from './facts.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Schema } from '../schema/schema.ts';
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

/** User-defined ones. */
export function ownConversionRows(schema: Schema): Row[] {
  return [...schema.conversions.values()].map(({ number, name, schema: own, from, to, function: by, default: isDefault }) => [
    number,
    name,
    schema.schemas.get(own) ?? 0,
    schema.ownerOf(number),
    from,
    to,
    conversionFunction(by)?.oid ?? 0,
    isDefault,
  ]);
}

/** The name of a built-in one; null if none has the oid. */
export function conversionName(oid: number): string | null {
  return fields().find((each) => Number(each[0]) === oid)?.[1] ?? null;
}

/** The oid of a built-in one. */
export function conversionNamed(name: string): number | null {
  const found = fields().find((each) => each[1] === name);
  return found === undefined ? null : Number(found[0]);
}

export interface ConversionFunction {
  readonly oid: number;
  /** The pairs of encodings that it converts. */
  readonly pairs: readonly (readonly [from: number, to: number])[];
}

/** null if no function of the name converts. */
export function conversionFunction(name: string): ConversionFunction | null {
  const facts = functionsBySignature().get(signatureKey(name, CONVERTS));
  if (facts === undefined) return null;
  const pairs = fields().filter((each) => Number(each[4]) === facts.oid);
  return pairs.length === 0 ? null : { oid: facts.oid, pairs: pairs.map((each) => [Number(each[2]), Number(each[3])]) };
}

/** Parameters of conversion functions: encodings, source, destination, its length, and whether to continue after an error. */
export const CONVERTS: readonly number[] = [23, 23, 2275, 2281, 23, 16];

/** Oids of the functions behind them. */
export function conversionFunctions(): number[] {
  return fields().map((each) => Number(each[4]));
}
