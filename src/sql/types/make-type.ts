/** Fills in what most types share, so that a type's file says only what is its own. */
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

type Given = Pick<SqlType, 'oid' | 'name' | 'title' | 'category' | 'length' | 'repr' | 'arrayOid' | 'parse' | 'format'> & Partial<SqlType>;

/** A type with btree order by `<`, its own value as hash key, its text as JSON and no typmod, unless given otherwise. */
export function makeType(given: Given): SqlType {
  return {
    preferred: false,
    element: null,
    labels: null,
    domain: null,
    range: null,
    ordered: true,
    hashable: true,
    compare: (a, b) => ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0),
    hashKey: (value) => value as string | number | bigint | boolean,
    json: (value, env) => given.format(value, env),
    coerce: (value: Value) => value,
    formatTypmod: () => '',
    ...given,
  };
}
