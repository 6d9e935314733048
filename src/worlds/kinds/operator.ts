/** CREATE OPERATOR. */
import { namedNumberName, operatorKey } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, toRoutine, toType } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface OperatorObject {
  what: 'operator';
  number: number;
  schema: string;
  name: string;
  /** Oid of the left operand's type; 0 for a prefix operator. */
  left: number;
  right: number;
  returns: number;
  routine: RoutineReference;
  /** Names as written. */
  commutator: string | null;
  negator: string | null;
  merges: boolean;
  hashes: boolean;
  /** Names of the system's selectivity estimators. */
  restrict?: string;
  join?: string;
}

export const OPERATOR: Kind<OperatorObject> = {
  key: ({ number }) => operatorKey(number),
  numberName: ({ schema, name, left, right }) => namedNumberName('operator', schema, `${name}(${left},${right})`),
  numbers: ownNumber,
  references: ({ left, right, returns, routine, schema }) => [toType(left), toType(right), toType(returns), ...toRoutine(routine), inSchema(schema)],
  address: ({ number }) => ({ kind: 'operator', number }),
  codeHolder: ofItself,
  words: ({ name }) => `operator ${name}`,
  path: ({ schema, name, left, right }, names) =>
    `operator:${scoped(schema, name)}(${[left, right].map((oid) => (oid === 0 ? 'NONE' : names.type(oid))).join(',')})`,
  scopedName: ({ schema, name, left, right }) => `operator\0${schema}\0${name}(${left},${right})`,
};
