/**
 * Labels of masked columns, in the syntax of PostgreSQL Anonymizer:
 *
 *   MASKED WITH VALUE <expression>            MASKED WITH FUNCTION <call over the row's columns>
 *
 * Any SQL function may be used, and of the `anon` schema those that are SQL expressions.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import { parse } from '../parse/parse.ts';

const LABEL = /^\s*MASKED\s+WITH\s+(VALUE|FUNCTION)\s+(.+?)\s*;?\s*$/is;
const KEPT_MAX = 1000;
const known = new Map<string, Expression>();

/** By name: SQL over `$1`, `$2` …, each replaced by an argument in parentheses. */
const FUNCTIONS: Readonly<Record<string, { readonly args: number; readonly sql: string }>> = {
  partial: { args: 4, sql: 'pg_catalog.left(($1)::text, $2) || ($3)::text || pg_catalog.right(($1)::text, $4)' },
  partial_email: {
    args: 1,
    sql:
      `pg_catalog.left(pg_catalog.split_part(($1)::text, '@', 1), 2) || '******@' || pg_catalog.left(pg_catalog.split_part(($1)::text, '@', 2), 2)` +
      ` || '******.' || pg_catalog.regexp_replace(($1)::text, '^.*\\.', '')`,
  },
  hash: { args: 1, sql: `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(($1)::text, 'UTF8')), 'hex')` },
  random_int_between: { args: 2, sql: 'pg_catalog.floor(pg_catalog.random() * (($2) - ($1) + 1) + ($1))::integer' },
  random_zip: { args: 0, sql: `pg_catalog.lpad(pg_catalog.floor(pg_catalog.random() * 100000)::text, 5, '0')` },
  random_string: { args: 1, sql: `pg_catalog.upper(pg_catalog.left(pg_catalog.repeat(pg_catalog.md5(pg_catalog.random()::text), ($1) / 32 + 1), $1))` },
};

/** The expression that replaces the column. 22023 for an invalid label, 42883 for an unknown function. */
export function maskExpression(label: string): Expression {
  let out = known.get(label);
  if (out === undefined) {
    out = parsed(label);
    if (known.size >= KEPT_MAX) known.clear();
    known.set(label, out);
  }
  return out;
}

function parsed(label: string): Expression {
  const found = LABEL.exec(label);
  if (found === null) {
    throw new SvcError('22023', `'${label}' is not a valid label for a column`, { hint: "Write 'MASKED WITH VALUE …' or 'MASKED WITH FUNCTION …'." });
  }
  const value = expression(found[2]);
  if (found[1].toUpperCase() === 'VALUE') return value;
  if (value.type !== 'call') throw new SvcError('22023', `'${label}' is not a valid label for a column: no function is called`);
  return replaced(value) as Expression;
}

function expression(sql: string): Expression {
  const [statement, ...more] = parse(`SELECT ${sql}`);
  if (more.length > 0 || statement?.type !== 'select' || statement.items.length !== 1 || statement.from.length > 0 || statement.where !== null) {
    throw new SvcError('42601', 'a mask is one expression');
  }
  return statement.items[0].value;
}

/** Expands calls of `anon` functions. */
function replaced(node: unknown): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map(replaced);
  const out = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaced(value)])) as unknown as Expression;
  if (out.type !== 'call' || out.name.length < 2 || out.name[out.name.length - 2] !== 'anon') return out;
  const name = out.name[out.name.length - 1];
  const fn = FUNCTIONS[name];
  if (fn === undefined || fn.args !== out.args.length) {
    throw new SvcError('42883', `function anon.${name} with ${out.args.length} arguments does not exist`, {
      hint: `There are ${Object.keys(FUNCTIONS).join(', ')}.`,
    });
  }
  return withArguments(expression(fn.sql), out.args);
}

function withArguments(node: unknown, args: readonly Expression[]): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((each) => withArguments(each, args));
  const own = node as Expression;
  if (own.type === 'parameter') return args[own.number - 1];
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withArguments(value, args)]));
}
