/**
 * Calls all functions and operators of the library with growing arguments, each through a server next to a client that runs
 * `SELECT 1`: the longest answer shows which of them block others. Prints the worst.
 */
import type { SqlFunction, SqlOperator } from '../../src/sql/functions/define.ts';
import { LIBRARY } from '../../src/sql/library/library.ts';
import { errorOf, type WireClient } from '../wire/wire-client.ts';

export interface Walked {
  readonly sql: string;
  /** The longest answer beside it: of time, or of processor time where that is less. */
  readonly readMs: number;
  readonly tookMs: number;
  readonly code: string | undefined;
}

/** An argument of a type that has some `size` characters, elements or nodes; null where the type has no large values. */
function argument(type: string, size: number): string | null {
  switch (type) {
    case 'text':
    case 'varchar':
    case 'bpchar':
    case 'anyelement':
    case 'anycompatible':
    case 'anynonarray':
    case 'any':
    case 'unknown':
    case 'citext':
      return `repeat('ab, ', ${size / 4})`;
    case 'bytea':
      return `convert_to(repeat('abcd', ${size / 4}), 'UTF8')`;
    case 'json':
    case 'jsonb':
      return `('[' || repeat('1,', ${size / 2}) || '1]')::${type}`;
    case 'jsonpath':
      return `'$[*] ? (@ > 1)'`;
    case 'xml':
      return `('<a>' || repeat('<b/>', ${size / 4}) || '</a>')::xml`;
    case 'tsvector':
      return `to_tsvector('simple', (SELECT string_agg('w' || g, ' ') FROM generate_series(1, ${size / 8}) g))`;
    case 'tsquery':
      return `'w1 & w2 & !w3'::tsquery`;
    case 'numeric':
      return `repeat('7', ${Math.min(size / 10, 50_000)})::numeric`;
    case 'anyarray':
    case 'anycompatiblearray':
    case '_int4':
    case '_int8':
      return `(SELECT array_agg(g) FROM generate_series(1, ${size / 4}) g)`;
    case '_text':
      return `string_to_array(repeat('a,', ${size / 2}), ',')`;
    case 'polygon':
    case 'path':
      return `('(' || repeat('(1,2),', ${Math.min(size / 6, 20_000)}) || '(3,4))')::${type}`;
    case 'varbit':
    case 'bit':
      return `repeat('10', ${size / 2})::varbit`;
    case 'int4':
    case 'int8':
      return String(Math.min(size, 1_000_000));
    case 'int2':
      return '7';
    case 'float8':
    case 'float4':
      return '1.5';
    case 'bool':
      return 'true';
    case 'name':
    case 'cstring':
      return `'name'`;
    case 'date':
    case 'timestamp':
    case 'timestamptz':
    case 'interval':
    case 'time':
      return type === 'interval' ? `interval '1 day'` : `now()::${type}`;
    default:
      return null;
  }
}

/** Of which functions are walked over, too. */
export const EXTENSIONS = 'CREATE EXTENSION pgcrypto; CREATE EXTENSION pg_trgm; CREATE EXTENSION fuzzystrmatch;';

/** They ask the system, not their arguments. */
const LEFT_OUT =
  /^(pg_|_pg|lo_|txid|current_|set|nextval|currval|lastval|has_|inet_|dblink|query_to|table_to|schema_to|database_to|cursor_to|crosstab|connectby|ts_stat|row_security)/;

function callOf(fn: SqlFunction, size: number): string | null {
  if ((fn.kind !== 'scalar' && fn.kind !== 'set') || fn.volatility === 'volatile' || fn.args.length === 0 || LEFT_OUT.test(fn.name)) return null;
  if (fn.extension !== undefined && fn.extension !== 'pgcrypto' && fn.extension !== 'pg_trgm' && fn.extension !== 'fuzzystrmatch') return null;
  const args = fn.args.slice(0, fn.args.length - (fn.optional ?? 0)).map((type) => argument(type, size));
  if (args.includes(null) || !args.some((arg) => arg!.includes('(') || fn.args.includes('int4'))) return null;
  const call = `${/^[a-z_][a-z0-9_]*$/.test(fn.name) ? fn.name : `"${fn.name}"`}(${args.join(', ')})`;
  return fn.kind === 'set' ? `SELECT count(*) FROM ${call} q` : `SELECT (${call}) IS NULL`;
}

function operationOf(operator: SqlOperator, size: number): string | null {
  if (operator.extension !== undefined) return null;
  const left = operator.left === null ? '' : argument(operator.left, size);
  const right = argument(operator.right, size);
  return left === null || right === null ? null : `SELECT (${left} ${operator.name} ${right}) IS NULL`;
}

/** All statements of the walk with arguments of a size, each once. */
export function statements(size: number): string[] {
  const all = new Set<string>();
  for (const overloads of LIBRARY.allFunctions()) for (const fn of overloads) add(callOf(fn, size));
  for (const overloads of LIBRARY.allOperators()) for (const operator of overloads) add(operationOf(operator, size));
  return [...all];

  function add(sql: string | null): void {
    if (sql !== null) all.add(sql);
  }
}

/** Runs a statement while `reader` asks, as on a machine of one's own. */
export async function beside(runner: WireClient, reader: WireClient, sql: string): Promise<Walked> {
  let readMs = 0;
  let over = false;
  const begun = performance.now();
  const reads = (async () => {
    while (!over) {
      const before = performance.now();
      const used = process.cpuUsage();
      await reader.query('SELECT 1');
      // The reader is in the server's process: it is kept waiting where it rests, too.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const { user, system } = process.cpuUsage(used);
      readMs = Math.max(readMs, Math.min(performance.now() - before, (user + system) / 1000));
    }
  })();
  const reply = await runner.query(sql).finally(() => {
    over = true;
  });
  await reads;
  return { sql, readMs, tookMs: performance.now() - begun, code: reply.some(({ type }) => type === 'E') ? errorOf(reply)['C'] : undefined };
}

/** Walks until the time is over; the worst first. `every`: one statement in n. */
export async function walk(
  runner: WireClient,
  reader: WireClient,
  { size, every = 1, untilMs, log }: { readonly size: number; readonly every?: number; readonly untilMs: number; readonly log?: (sql: string) => void },
): Promise<Walked[]> {
  const found: Walked[] = [];
  const all = statements(size);
  for (let i = 0; i < all.length && performance.now() < untilMs; i += every) {
    log?.(all[i]);
    found.push(await beside(runner, reader, all[i]));
  }
  return found.sort((a, b) => b.readMs - a.readMs);
}
