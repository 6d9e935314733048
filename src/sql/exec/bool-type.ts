/** The type of conditions that the executor builds itself, for functions that use their result type. */
import { makeType } from '../types/make-type.ts';
import type { SqlType } from '../types/type.ts';

export const BOOL: SqlType = makeType({
  oid: 16,
  name: 'bool',
  title: 'boolean',
  category: 'B',
  length: 1,
  repr: 'bool',
  arrayOid: 1000,
  parse: (text) => text === 't' || text === 'true',
  format: (value) => (value === true ? 't' : 'f'),
});
