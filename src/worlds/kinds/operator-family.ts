/** CREATE OPERATOR FAMILY: compatible operator classes of one access method. */
import { namedNumberName, operatorFamilyKey } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema } from './reference.ts';

export interface OperatorFamilyObject {
  what: 'operator family';
  number: number;
  schema: string;
  name: string;
  /** Name of the access method. */
  method: string;
}

export const OPERATOR_FAMILY: Kind<OperatorFamilyObject> = {
  key: ({ number }) => operatorFamilyKey(number),
  numberName: ({ schema, method, name }) => namedNumberName('operator family', schema, `${method}:${name}`),
  numbers: ownNumber,
  references: ({ schema }) => [inSchema(schema)],
  address: ({ number }) => ({ kind: 'operator family', number }),
  codeHolder: ofItself,
  words: ({ name }) => `operator family ${name}`,
  path: ({ schema, name, method }) => `operator family:${scoped(schema, name)} using ${method}`,
  scopedName: ({ method, schema, name }) => `operator family\0${method}\0${schema}\0${name}`,
};
