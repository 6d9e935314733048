/** Common defaults of types, so that a type's file contains only its own. */
import { SvcError } from '../../base/errors/svc-error.ts';
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

/** A pseudo-type; `given`: what differs from the defaults. */
export function makePseudoType(name: string, oid: number, given: Partial<SqlType> = {}): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category: 'P',
    length: 4,
    repr: 'object',
    arrayOid: 0,
    ordered: false,
    hashable: false,
    parse: () => {
      throw new SvcError('0A000', `cannot accept a value of type ${name}`);
    },
    format: () => {
      throw new SvcError('0A000', `cannot display a value of type ${name}`);
    },
    ...given,
  });
}
