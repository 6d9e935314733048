/**
 * Types that occur only in columns of system relations: vectors of numbers (space-separated, 0-based), texts that Postgres stores in
 * special forms, addresses. They are only parsed and printed.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { arrayType, compareArrays } from '../types/array-type.ts';
import { ArrayValue } from '../types/array-value.ts';
import { OID } from '../types/identifiers.ts';
import { INT2 } from '../types/integers.ts';
import { lsnNumber } from '../types/lsn.ts';
import { makeType } from '../types/make-type.ts';
import { ANYARRAY } from '../types/pseudo-types.ts';
import { compositeKey } from '../types/record-key.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const ZERO = [0];

/** A value of int2vector or oidvector. */
export function vector(numbers: readonly number[]): ArrayValue {
  return new ArrayValue(numbers, [numbers.length], ZERO);
}

function vectorType(name: string, oid: number, arrayOid: number, element: SqlType): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category: 'A',
    length: -1,
    repr: 'object',
    arrayOid,
    element,
    parse: (text, _typmod, env) => vector((text.match(/\S+/g) ?? []).map((item) => element.parse(item, -1, env) as number)),
    format: (value) => (value as ArrayValue).elements.join(' '),
    // The shorter one is less, unlike for arrays.
    compare: (a, b) => (a as ArrayValue).elements.length - (b as ArrayValue).elements.length || compareArrays(a as ArrayValue, b as ArrayValue, element),
    hashKey: (value) => compositeKey((value as ArrayValue).elements, (_, item) => item as number),
    json: (value) => (value as ArrayValue).elements.map((item) => item as number),
  });
}

export const INT2VECTOR: SqlType = vectorType('int2vector', 22, 1006, INT2);
export const OIDVECTOR: SqlType = vectorType('oidvector', 30, 1013, OID);

function textual(name: string, oid: number, arrayOid: number, category: string, given: Partial<SqlType> = {}): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category,
    length: -1,
    repr: 'string',
    arrayOid,
    ordered: false,
    hashable: false,
    parse: (text) => text,
    format: String,
    ...given,
  });
}

const closed = (name: string): Partial<SqlType> => ({
  parse: () => {
    throw new SvcError('0A000', `cannot accept a value of type ${name}`);
  },
});

/** Text for grouping, sorting and DISTINCT. Here it contains the SQL text of an expression, as pg_get_expr prints it. */
export const PG_NODE_TREE: SqlType = textual('pg_node_tree', 194, 0, 'Z', {
  ...closed('pg_node_tree'),
  ordered: true,
  hashable: true,
  compare: (a, b) => ((a as string) < (b as string) ? -1 : Number((a as string) > (b as string))),
  hashKey: (value) => value as string,
});

/** `ann=r*w/svc`, stored with oids in place of names, since a role may be renamed. */
export const ACLITEM: SqlType = textual('aclitem', 1033, 1034, 'U', {
  length: 12,
  hashable: true,
  parse: (text, _typmod, { system }) => {
    const found = /^\s*(?:(?:group|user)\s+)?("(?:[^"]|"")*"|[^"=/\s]*)\s*=([A-Za-z*]*)(?:\/("(?:[^"]|"")*"|[^"=/\s]+))?\s*$/.exec(text);
    if (found === null) {
      const [word] = /^\s*("(?:[^"]|"")*"|[^"=/\s]*)/.exec(text)!;
      const key = word.trim();
      if (/=/.test(text) || key === 'group' || key === 'user') throw new SvcError('22P02', 'missing "=" sign');
      throw new SvcError('22P02', `unrecognized key word: "${key}"`, { hint: 'ACL key word must be "group" or "user".' });
    }
    const [, grantee, privileges, grantor] = found;
    if (/[^arwdDxtXUCTcsAm*]/.test(privileges)) throw new SvcError('22P02', 'invalid mode character: must be one of "arwdDxtXUCTcsA"');
    const oid = (name: string): number => {
      const known = system?.roleOid(name) ?? null;
      if (known === null) throw new SvcError('42704', `role "${name.replace(/^"(.*)"$/, '$1')}" does not exist`);
      return known;
    };
    return `${grantee === '' ? '' : oid(grantee)}=${privileges}/${grantor === undefined ? 10 : oid(grantor)}`;
  },
  format: (value, { system }) => {
    const [, grantee, privileges, grantor] = /^(\d*)=(.*)\/(\d+)$/.exec(value as string)!;
    const name = (oid: string): string => system?.roleName(Number(oid)) ?? oid;
    return `${grantee === '' ? '' : name(grantee)}=${privileges}/${name(grantor)}`;
  },
});
export const PG_NDISTINCT: SqlType = textual('pg_ndistinct', 3361, 0, 'Z', closed('pg_ndistinct'));
export const PG_DEPENDENCIES: SqlType = textual('pg_dependencies', 3402, 0, 'Z', closed('pg_dependencies'));
export const PG_MCV_LIST: SqlType = textual('pg_mcv_list', 5017, 0, 'Z', closed('pg_mcv_list'));
const ordered = { ordered: true, hashable: true };
export const INET: SqlType = textual('inet', 869, 1041, 'I', { ...ordered, preferred: true });

const LSN = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;
const lsn = (value: Value): bigint => lsnNumber(value as string);
export const PG_LSN: SqlType = textual('pg_lsn', 3220, 3221, 'U', {
  ...ordered,
  length: 8,
  parse: (text) => {
    const found = LSN.exec(text.trim());
    if (found === null) throw new SvcError('22P02', `invalid input syntax for type pg_lsn: "${text}"`);
    return `${Number.parseInt(found[1], 16).toString(16).toUpperCase()}/${Number.parseInt(found[2], 16).toString(16).toUpperCase()}`;
  },
  compare: (a, b) => (lsn(a) < lsn(b) ? -1 : lsn(a) > lsn(b) ? 1 : 0),
});

const BASE = [INT2VECTOR, OIDVECTOR, PG_NODE_TREE, ACLITEM, PG_NDISTINCT, PG_DEPENDENCIES, PG_MCV_LIST, INET, PG_LSN];

/** With their array types. */
export const CATALOG_TYPES: readonly SqlType[] = [...BASE, ...BASE.filter(({ arrayOid }) => arrayOid !== 0).map((type) => arrayType(type, type.arrayOid))];

/** Pseudo-types in relations.ts: for columns whose values are arrays of texts, of any element type. */
export const UNTYPED: Readonly<Record<string, SqlType>> = { anyarray: ANYARRAY };
