/** The type numeric. */
import { makeType } from './make-type.ts';
import { compare, hashKey, type Numeric } from './numeric.ts';
import { coerceNumeric, formatNumeric, parseNumeric, typmodPrecision, typmodScale } from './numeric-text.ts';
import type { SqlType } from './type.ts';

export const NUMERIC: SqlType = makeType({
  oid: 1700,
  name: 'numeric',
  title: 'numeric',
  category: 'N',
  length: -1,
  repr: 'numeric',
  arrayOid: 1231,
  parse: (text, typmod) => coerceNumeric(parseNumeric(text), typmod),
  format: (value) => formatNumeric(value as Numeric),
  compare: (a, b) => compare(a as Numeric, b as Numeric),
  hashKey: (value) => hashKey(value as Numeric),
  coerce: (value, typmod) => coerceNumeric(value as Numeric, typmod),
  formatTypmod: (typmod) => (typmod < 4 ? '' : `(${typmodPrecision(typmod)},${typmodScale(typmod)})`),
});
