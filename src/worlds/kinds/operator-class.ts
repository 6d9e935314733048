/** CREATE OPERATOR CLASS: how an index method handles a type. Its operators and functions are members of its family that refer to it. */
import { namedNumberName, operatorClassKey } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, toNumbered, toType } from './reference.ts';

export interface OperatorClassObject {
  what: 'operator class';
  number: number;
  schema: string;
  name: string;
  method: string;
  /** Oid of a family, user-defined or of the system. */
  family: number;
  /** Oid of the type. */
  type: number;
  /** DEFAULT: used by indexes over the type that name no class. */
  standard: boolean;
  /** Oid of the type stored in the index; 0: the type itself. */
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
