/** CREATE CONVERSION: catalog-only; texts are converted by built-in conversions. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema } from './reference.ts';

export interface ConversionObject {
  what: 'conversion';
  number: number;
  schema: string;
  name: string;
  /** Numbers of encodings. */
  from: number;
  to: number;
  /** Name of the system's function. */
  function: string;
  default: boolean;
}

export const CONVERSION: Kind<ConversionObject> = {
  key: ({ number }) => `un${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('conversion', schema, name),
  numbers: ownNumber,
  references: ({ schema }) => [inSchema(schema)],
  address: ({ number }) => ({ kind: 'conversion', number }),
  codeHolder: ofItself,
  words: ({ name }) => `conversion ${name}`,
  path: ({ schema, name }) => `conversion:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `conversion\0${schema}\0${name}`,
};
