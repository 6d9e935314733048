/** CREATE COLLATION. Collations other than ICU's order by code point. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber, scoped } from './kind.ts';
import { inSchema } from './reference.ts';

export interface CollationObject {
  what: 'collation';
  number: number;
  schema: string;
  name: string;
  /** lc_collate and lc_ctype as written. */
  collate: string;
  ctype: string;
  /** For ICU: the fields above are then empty. */
  icu?: { locale: string; deterministic: boolean };
}

export const COLLATION: Kind<CollationObject> = {
  key: ({ number }) => `b${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('collation', schema, name),
  numbers: ownNumber,
  references: ({ schema }) => [inSchema(schema)],
  address: ({ number }) => ({ kind: 'collation', number }),
  words: ({ name }) => `collation ${name}`,
  path: ({ schema, name }) => `collation:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `collation\0${schema}\0${name}`,
};
