/** Functions with SQL keyword syntax: EXTRACT (… FROM …) and similar (ruleutils.c, get_func_sql_syntax). */
import type { Expression, FunctionCall } from '../ast/expression.ts';
import { printExpression } from './deparse-expression.ts';
import type { Printer } from './deparse-printer.ts';

/** `%1` is the first argument, and so on. */
function patternOf(call: FunctionCall): string | null {
  const count = call.args.length;
  switch (call.name[call.name.length - 1]) {
    case 'timezone':
      return count === 2 ? '(%2 AT TIME ZONE %1)' : count === 1 ? '(%1 AT LOCAL)' : null;
    case 'overlaps':
      return count === 4 ? '((%1, %2) OVERLAPS (%3, %4))' : null;
    case 'position':
      return count === 2 ? 'POSITION((%2) IN (%1))' : null;
    case 'overlay':
      return count === 4 ? 'OVERLAY(%1 PLACING %2 FROM %3 FOR %4)' : count === 3 ? 'OVERLAY(%1 PLACING %2 FROM %3)' : null;
    case 'substring':
      if (call.similar === true) return count === 3 ? 'SUBSTRING(%1 SIMILAR %2 ESCAPE %3)' : null;
      return count === 3 ? 'SUBSTRING(%1 FROM %2 FOR %3)' : count === 2 ? 'SUBSTRING(%1 FROM %2)' : null;
    case 'btrim':
      return trim('BOTH', count);
    case 'ltrim':
      return trim('LEADING', count);
    case 'rtrim':
      return trim('TRAILING', count);
    case 'pg_collation_for':
      return count === 1 ? 'COLLATION FOR (%1)' : null;
    case 'xmlexists':
      return count === 2 ? 'XMLEXISTS((%1) PASSING (%2))' : null;
    case 'system_user':
      return count === 0 ? 'SYSTEM_USER' : null;
    default:
      return null;
  }
}

function trim(side: string, count: number): string {
  if (count === 2) return `TRIM(${side} %2 FROM %1)`;
  // More than two come from a list for which Postgres finds no function.
  return `TRIM(${side} FROM ${Array.from({ length: count }, (_, i) => `%${i + 1}`).join(', ')})`;
}

const NORMAL_FORMS = new Set(['nfc', 'nfd', 'nfkc', 'nfkd']);

/** False if the call is none of these: it is then printed as a plain call. */
export function printSqlSyntax(out: Printer, call: FunctionCall): boolean {
  const name = call.name[call.name.length - 1];
  const [first, second] = call.args as (Expression | undefined)[];
  if (name === 'extract' && first?.type === 'string' && second !== undefined) {
    out.text += `EXTRACT(${/^[a-z_]+$/.test(first.value) ? first.value : `'${first.value.replaceAll("'", "''")}'`} FROM `;
    printExpression(out, second, null);
    out.text += ')';
    return true;
  }
  if (name === 'normalize' || name === 'is_normalized') {
    const form = second?.type === 'string' ? second.value : null;
    if (first === undefined || (second !== undefined && (form === null || !NORMAL_FORMS.has(form.toLowerCase())))) return false;
    out.text += name === 'normalize' ? 'NORMALIZE(' : '(';
    printExpression(out, first, name === 'normalize' ? null : call);
    if (name === 'normalize') out.text += form === null ? ')' : `, ${form})`;
    else out.text += ` IS ${form === null ? '' : `${form} `}NORMALIZED)`;
    return true;
  }
  const pattern = patternOf(call);
  if (pattern === null) return false;
  for (const part of pattern.split(/(%\d+)/)) {
    if (part.startsWith('%')) printExpression(out, call.args[Number(part.slice(1)) - 1], call);
    else out.text += part;
  }
  return true;
}
