/** CREATE OPERATOR CLASS: what an index may do with a type. Its operators and functions are members of its family that name it. */
import { namedNumberName, operatorClassKey } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, toNumbered, toType } from './reference.ts';

export interface OperatorClassObject {
  what: 'operator class';
  number: number;
  schema: string;
  name: string;
  method: string;
  /** Oid of a family of the world or of the system's. */
  family: number;
  /** Oid of the type. */
  type: number;
  /** Indexes over the type have it where they name none. */
  standard: boolean;
  /** Oid of the type that an index stores; 0: the type itself. */
  key: number;
}

export const OPERATOR_CLASS: Kind<OperatorClassObject> = {
  key: ({ number }) => operatorClassKey(number),
  numberName: ({ schema, method, name }) => namedNumberName('operator class', schema, `${method}:${name}`),
  numbers: ownNumber,
  references: ({ schema, family, type, key }) => [
    inSchema(schema),
    toNumbered('operator family', family, { how: 'follows', called: 'its operator family' }),
    toType(type),
    toType(key),
  ],
  address: ({ number }) => ({ kind: 'operator class', number }),
  codeHolder: ofItself,
  words: ({ name }) => `operator class ${name}`,
  path: ({ schema, name, method }) => `operator class:${scoped(schema, name)} using ${method}`,
  scopedName: ({ method, schema, name }) => `operator class\0${method}\0${schema}\0${name}`,
};
