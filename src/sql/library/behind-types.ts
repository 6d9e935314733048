/**
 * The functions behind types and casts, by Postgres's names: `int4in('5')`, `dateout(d)`, `int4send(5)`, `int4(2.5)`,
 * `varchar('abc'::varchar, 6, true)`. They are derived from the types and casts, which stay the only definition.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { castFacts, functionFacts, type FunctionFacts, typeFacts } from '../catalog/facts.ts';
import type { Call, FunctionModule, ScalarFunction, SqlCast } from '../functions/define.ts';
import { sendBinary } from '../formats/binary-send.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' } as const;

function declared(facts: FunctionFacts, typeName: (oid: number) => string, given: Pick<ScalarFunction, 'impl' | 'needsCall' | 'doc'>): ScalarFunction {
  return {
    kind: 'scalar',
    name: facts.name,
    args: facts.args.map(typeName),
    returns: typeName(facts.returns),
    volatility: VOLATILITY[facts.volatility as keyof typeof VOLATILITY],
    strict: facts.strict,
    ...given,
  };
}

/** Types that need more than a text for parsing: the element type, the subtype. */
function isGeneric(type: SqlType): boolean {
  return type.category === 'P' && type.name !== 'cstring' && type.name !== 'void';
}

function ofType(type: SqlType, typeName: (oid: number) => string): ScalarFunction[] {
  const facts = typeFacts().get(type.oid);
  if (facts === undefined) return [];
  const out: ScalarFunction[] = [];
  const add = (oid: number, given: Pick<ScalarFunction, 'impl' | 'needsCall' | 'doc'>): void => {
    const fn = functionFacts().get(oid);
    if (fn !== undefined && !fn.args.includes(INTERNAL_OID)) out.push(declared(fn, typeName, given));
  };
  // array_in, range_in and similar serve many types: their declared result is a pseudo-type.
  if (type.element === null && type.range === null && type.labels === null && type.name !== 'record' && !isGeneric(type)) {
    add(facts.input, {
      doc: 'Reads a value from its text.',
      needsCall: true,
      impl: ({ env }: Call, text: string, _oid?: Value, typmod?: number) => {
        const value = type.parse(text, type.name === 'interval' ? (typmod ?? -1) : -1, env);
        if (typmod !== undefined && typmod > (LENGTHS_MAX[type.name] ?? Infinity)) {
          throw new SvcError('53200', 'out of memory', { detail: `Failed on request of size ${typmod}.` });
        }
        return typmod === undefined || typmod < 0 ? value : type.coerce(value, typmod, false);
      },
    });
  }
  add(facts.output, { doc: 'The text of a value.', needsCall: true, impl: ({ env, argTypes }: Call, value: Value) => argTypes[0].format(value, env) });
  add(facts.send, {
    doc: 'The binary form of a value.',
    needsCall: true,
    impl: ({ env, argTypes }: Call, value: Value) => Buffer.from(sendBinary(argTypes[0], value, env)).toString('latin1'),
  });
  const zone = type.name.endsWith('tz') ? ' with time zone' : ' without time zone';
  const suffix = TIMES.has(type.name) ? zone : '';
  add(facts.modOut, { doc: 'The text of a type’s modifier.', impl: (typmod: number) => (typmod < 0 ? suffix : type.formatTypmod(typmod) + suffix) });
  return out;
}

const INTERNAL_OID = 2281;
const TIMES = new Set(['time', 'timetz', 'timestamp', 'timestamptz']);
const TIME_DIGITS_MAX = 6;
/** Maximum lengths for padding: more would not fit. */
const LENGTHS_MAX: Readonly<Record<string, number>> = { bpchar: 10485760 + 4, bit: 83886080 };

function ofCast(cast: SqlCast, byName: ReadonlyMap<string, SqlType>, typeName: (oid: number) => string): ScalarFunction[] {
  const from = byName.get(cast.from);
  const to = byName.get(cast.to);
  const facts = from === undefined || to === undefined ? undefined : functionFacts().get(castFacts().get(`${from.oid} ${to.oid}`)?.code ?? 0);
  if (facts === undefined || cast.impl === undefined || facts.args.length !== 1 || facts.args[0] !== from!.oid || facts.returns !== to!.oid) return [];
  return [declared(facts, typeName, { doc: `A value of ${from!.title} as ${to!.title}.`, needsCall: cast.needsCall, impl: cast.impl })];
}

/** `varchar(value, typmod, explicit)`: applies a type modifier. */
function ofModifier(type: SqlType, typeName: (oid: number) => string): ScalarFunction[] {
  const facts = functionFacts().get(castFacts().get(`${type.oid} ${type.oid}`)?.code ?? 0);
  if (facts === undefined) return [];
  return [
    declared(facts, typeName, {
      doc: 'A value under its type’s modifier.',
      impl: (value: Value, typmod: number, explicit = false) => {
        if (typmod < 0 || (type.name.startsWith('time') && !type.name.startsWith('timestamp') && typmod > TIME_DIGITS_MAX)) return value;
        if (typmod > (LENGTHS_MAX[type.name] ?? Infinity)) throw new SvcError('53200', 'out of memory', { detail: `Failed on request of size ${typmod}.` });
        return type.coerce(value, typmod, explicit);
      },
    }),
  ];
}

export function behindTypes(types: readonly SqlType[], modules: readonly FunctionModule[]): FunctionModule {
  const byOid = new Map(types.map((type) => [type.oid, type]));
  const byName = new Map(types.map((type) => [type.name, type]));
  const typeName = (oid: number): string => byOid.get(oid)?.name ?? 'internal';
  const seen = new Set<string>();
  const behind = [
    ...[...byOid.values()].flatMap((type) => [...ofType(type, typeName), ...ofModifier(type, typeName)]),
    ...modules.flatMap(({ casts = [] }) => casts.flatMap((cast) => ofCast(cast, byName, typeName))),
  ].filter(({ name, args }) => {
    const key = `${name}(${args.join()})`;
    if (seen.has(key) || args.includes('internal')) return false;
    seen.add(key);
    return true;
  });
  return { behind };
}
