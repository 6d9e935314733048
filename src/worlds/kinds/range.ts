/** CREATE TYPE … AS RANGE, with its multirange type. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, scoped } from './kind.ts';
import { inSchema, toRoutine, toType } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface RangeObject {
  what: 'range';
  number: number;
  array: number;
  multirange: number;
  multirangeArray: number;
  schema: string;
  name: string;
  multirangeName: string;
  /** Oid of the type of the bounds. */
  subtype: number;
  /** SUBTYPE_DIFF and COLLATION: catalog-only. */
  difference?: RoutineReference;
  collation?: string;
}

export const RANGE: Kind<RangeObject> = {
  key: ({ number }) => `r${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('range', schema, name),
  numbers: ({ number, array, multirange, multirangeArray }) => [number, array, multirange, multirangeArray],
  furtherNames: ({ schema, name, array, multirange, multirangeArray }) => rangeNumberNames(schema, name, [array, multirange, multirangeArray]),
  references: ({ schema, subtype, difference }) => [inSchema(schema), toType(subtype), ...toRoutine(difference, { walked: 'drop' })],
  address: ({ number }) => ({ kind: 'type', number }),
  codeHolder: ofItself,
  words: ({ name }) => `type ${name}`,
  path: ({ schema, name }) => `type:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `type\0${schema}\0${name}`,
};

export function rangeNumberNames(schema: string, name: string, numbers: readonly number[]): [name: string, number: number][] {
  return ['range array', 'multirange', 'multirange array'].map((what, i) => [namedNumberName(what, schema, name), numbers[i]]);
}
