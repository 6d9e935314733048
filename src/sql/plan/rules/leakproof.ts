/**
 * Whether asking an expression of a row can tell of the row by anything but its value: by an error, or by what a function does beside.
 * Such expressions are not asked of rows that policies or a view's own conditions hold back (manual, chapter 41.5). What names no
 * column of a row tells nothing of it. The functions are those that Postgres marks LEAKPROOF, as far as conditions are made of them.
 */
import type { Bound } from '../bound.ts';
import { childrenOf, visitBound } from './walk.ts';

const COMPARED = [
  'int2 int24 int28 int4 int42 int48 int8 int82 int84 float4 float48 float8 float84',
  'bit bool bpchar bytea char name nametext oid oidvector text textname tid varbit xid xid8',
  'cash_ date_ interval_ macaddr_ macaddr8_ network_ pg_lsn_ text_ time_ timestamp_ timestamptz_ timetz_ uuid_',
].flatMap((types) => types.split(' '));
const ORDERS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const OTHERS = ['nameeqtext', 'nameltext', 'texteqname', 'textnename', 'starts_with', 'md5', 'sha224', 'sha256', 'sha384', 'sha512'];
const LEAKPROOF: ReadonlySet<string> = new Set([...COMPARED.flatMap((type) => ORDERS.map((order) => `${type}${order}`)), ...OTHERS]);

export function isLeakproof(e: Bound): boolean {
  let found = true;
  visitBound(e, (at) => {
    if (found && !safe(at) && namesColumn(at)) found = false;
  });
  return found;
}

function safe(at: Bound): boolean {
  switch (at.kind) {
    case 'constant':
    case 'column':
    case 'parameter':
    case 'environment':
    case 'and':
    case 'or':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'coalesce':
    case 'case':
    case 'let':
    case 'array':
    case 'row':
      return true;
    case 'call':
      return !('user' in at.fn && at.fn.user !== undefined) && LEAKPROOF.has(at.proc);
    case 'cast':
      return at.method === 'binary';
    case 'isDistinct':
    case 'nullIf':
      return LEAKPROOF.has(at.equal.proc);
    case 'in':
      return LEAKPROOF.has(at.equal.proc);
    case 'quantified':
      return LEAKPROOF.has(at.operator.proc);
    default:
      return false;
  }
}

/** Queries inside may name columns of the row, and call whatever they like. */
function namesColumn(e: Bound): boolean {
  if (e.kind === 'column' || e.kind === 'exists' || e.kind === 'subquery' || e.kind === 'arrayQuery' || e.kind === 'quantifiedQuery') return true;
  return childrenOf(e).some(namesColumn);
}
