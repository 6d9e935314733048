/**
 * TABLESAMPLE: each row is taken at random, for both methods (there are no pages to sample). With REPEATABLE the row's key decides,
 * so that the result is repeatable.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TableSample } from '../ast/query.ts';
import type { ScalarFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression } from './expression.ts';
import type { TableScan } from './from.ts';
import { Scope } from './scope.ts';

/** `scan` gives the key as its last column. */
export function sampled(binder: Binder, scan: TableScan, sample: TableSample, keepKey = false): Plan {
  const method = sample.method[sample.method.length - 1];
  if (method !== 'bernoulli' && method !== 'system') fail('42704', `tablesample method ${method} does not exist`, sample.at);
  if (sample.args.length !== 1) fail('2202H', `tablesample method ${method} requires 1 argument, not ${sample.args.length}`, sample.at);
  const scope = new Scope(null);
  scope.clause = 'limit';
  const float8 = binder.type('float8');
  const number = (at: number): Bound => {
    const expression = at === 0 ? sample.args[0] : sample.repeatable!;
    return binder.coercion.coerce(bindExpression(binder, expression, scope), float8, -1, 'assignment', expression.at);
  };
  const key = scan.columns[scan.columns.length - 1];
  const seed = sample.repeatable === null ? null : number(1);
  const take = (chance: () => number, percent: number | null): boolean => {
    if (percent === null) throw outOfRange('2202H', 'TABLESAMPLE parameter cannot be null');
    if (!(percent >= 0 && percent <= 100)) throw outOfRange('2202H', 'sample percentage must be between 0 and 100');
    return percent === 100 || chance() * 100 < percent;
  };
  const impl =
    seed === null
      ? (call: { env: { random(): number } }, percent: number | null): boolean => take(() => call.env.random(), percent)
      : (_call: unknown, percent: number | null, from: number | null, own: unknown): boolean => {
          if (from === null) throw outOfRange('2202G', 'TABLESAMPLE REPEATABLE parameter cannot be null');
          return take(() => hashed(`${from}:${String(own)}`), percent);
        };
  const args: Bound[] = seed === null ? [number(0)] : [number(0), seed, binder.use(key)];
  const fn: ScalarFunction = {
    kind: 'scalar',
    name: 'tablesample',
    args: args.map((arg) => arg.type.name),
    returns: 'bool',
    doc: '',
    strict: false,
    needsCall: true,
    volatility: seed === null ? 'volatile' : 'immutable',
    impl: impl as ScalarFunction['impl'],
  };
  const predicate: Bound = { kind: 'call', fn, proc: 'tablesample', args, type: binder.type('bool'), typmod: -1 };
  const filtered: Plan = { op: 'filter', input: scan, predicate, columns: scan.columns };
  if (keepKey) return filtered;
  const columns = scan.columns.slice(0, -1);
  return { op: 'project', input: filtered, items: columns.map((column) => ({ id: column.id, value: binder.use(column) })), columns };
}

function outOfRange(code: '2202H' | '2202G', message: string): SvcError {
  return new SvcError(code, message);
}

/** FNV-1a with a final mix, as a fraction of one. */
function hashed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}
