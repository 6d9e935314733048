/**
 * Whether evaluating an expression on a row may reveal anything but its value: by an error, or by side effects of a function. Such
 * expressions are not evaluated on rows that policies or a view's own conditions filter out (manual, chapter 41.5). An expression
 * without columns reveals nothing. The functions are those that Postgres marks LEAKPROOF, as far as they occur in conditions.
 */
import type { SqlOperator } from '../../functions/define.ts';
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
      return 'kind' in at.fn ? at.fn.user === undefined && LEAKPROOF.has(at.proc) : isBuiltIn(at.fn);
    case 'cast':
      return at.method === 'binary';
    case 'isDistinct':
    case 'nullIf':
      return isBuiltIn(at.equal);
    case 'in':
      return isBuiltIn(at.equal);
    case 'quantified':
      return isBuiltIn(at.operator);
    default:
      return false;
  }
}

/** A user-defined operator may call any function, under any name. */
function isBuiltIn({ behind, proc }: SqlOperator): boolean {
  return behind === undefined && LEAKPROOF.has(proc);
}

/** Subqueries may name columns of the row, and call any function. */
function namesColumn(e: Bound): boolean {
  if (e.kind === 'column' || e.kind === 'exists' || e.kind === 'subquery' || e.kind === 'arrayQuery' || e.kind === 'quantifiedQuery') return true;
  return childrenOf(e).some(namesColumn);
}
