/** Type descriptions in information_schema: the columns that `columns`, `parameters`, `routines` and others share. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { OID } from '../schema/oids.ts';
import type { SqlType } from '../types/type.ts';

export interface TypeDescription {
  readonly dataType: string;
  readonly characterMaximum: number | null;
  readonly characterOctets: number | null;
  readonly precision: number | null;
  readonly radix: number | null;
  readonly scale: number | null;
  readonly datetimePrecision: number | null;
  readonly intervalType: string | null;
}

/** Maximum bytes of a character in UTF8. */
const CHARACTER_BYTES = 4;
const TEXT_OCTETS = 1_073_741_824;

const BINARY: Readonly<Record<number, number>> = { [OID.int2]: 16, [OID.int4]: 32, [OID.int8]: 64, [OID.float4]: 24, [OID.float8]: 53 };

/** `userDefined`: a user-defined type. */
export function describeType(type: SqlType, typmod: number, userDefined: boolean): TypeDescription {
  const { oid } = type;
  let dataType: string;
  if (type.element !== null && type.length === -1) dataType = 'ARRAY';
  else dataType = userDefined ? 'USER-DEFINED' : type.title;
  let characterMaximum: number | null = null;
  let characterOctets: number | null = null;
  let precision: number | null = null;
  let radix: number | null = null;
  let scale: number | null = null;
  let datetimePrecision: number | null = null;
  let intervalType: string | null = null;
  switch (oid) {
    case OID.text:
      characterOctets = TEXT_OCTETS;
      break;
    case OID.varchar:
    case OID.bpchar:
      if (typmod >= 4) {
        characterMaximum = typmod - 4;
        characterOctets = characterMaximum * CHARACTER_BYTES;
      } else characterOctets = TEXT_OCTETS;
      break;
    case OID.bit:
    case OID.varbit:
      if (typmod > 0) characterMaximum = typmod;
      break;
    case OID.int2:
    case OID.int4:
    case OID.int8:
      precision = BINARY[oid];
      radix = 2;
      scale = 0;
      break;
    case OID.float4:
    case OID.float8:
      precision = BINARY[oid];
      radix = 2;
      break;
    case OID.numeric:
      radix = 10;
      if (typmod >= 4) {
        precision = ((typmod - 4) >> 16) & 0xffff;
        scale = (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
      }
      break;
    case OID.date:
      datetimePrecision = 0;
      break;
    case OID.time:
    case OID.timetz:
    case OID.timestamp:
    case OID.timestamptz:
      datetimePrecision = typmod < 0 ? 6 : typmod;
      break;
    case OID.interval: {
      const digits = typmod & 0xffff;
      datetimePrecision = typmod < 0 || digits === 0xffff ? 6 : digits;
      const words =
        typmod < 0
          ? ''
          : type
              .formatTypmod(typmod)
              .replace(/\(\d+\)$/, '')
              .trim();
      intervalType = words === '' ? null : words.toUpperCase();
      break;
    }
    default:
  }
  return { dataType, characterMaximum, characterOctets, precision, radix, scale, datetimePrecision, intervalType };
}

/** `specific_name` of a routine. */
export function specificName(name: string, oid: number): string {
  return `${name}_${oid}`;
}

export function quotedName(name: string): string {
  return quoteIdentifier(name);
}
