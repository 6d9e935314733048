/** Postgres's fixed types, functions, operators and casts, decoded from data/ on first use. */
import { AGGREGATES } from './data/aggregates.ts';
import { CASTS } from './data/casts.ts';
import { FUNCTION_DEFAULTS, FUNCTION_PARAMETERS, FUNCTION_TRAITS } from './data/function-traits.ts';
import { FUNCTIONS } from './data/functions.ts';
import { OPERATORS } from './data/operators.ts';
import { SYMBOLS } from './data/symbols.ts';
import { TYPES } from './data/types.ts';

export interface TypeFacts {
  readonly oid: number;
  readonly name: string;
  readonly length: number;
  readonly byValue: boolean;
  readonly kind: string;
  readonly category: string;
  readonly preferred: boolean;
  readonly delimiter: string;
  readonly element: number;
  readonly array: number;
  readonly input: number;
  readonly output: number;
  readonly receive: number;
  readonly send: number;
  readonly modIn: number;
  readonly modOut: number;
  readonly analyze: number;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
  readonly subscript: number;
}
export interface FunctionFacts {
  readonly oid: number;
  readonly name: string;
  readonly returns: number;
  readonly kind: string;
  readonly volatility: string;
  readonly strict: boolean;
  readonly set: boolean;
  readonly args: readonly number[];
}
/** Planner properties of a function. */
export interface FunctionTraits {
  readonly leakproof: boolean;
  /** s, r or u: safe, restricted or unsafe. */
  readonly parallel: string;
  readonly cost: number;
  readonly rows: number;
  readonly language: number;
  readonly support: number;
}
/** Of functions whose parameters have names or other modes than IN; null as in pg_proc. */
export interface FunctionParameters {
  readonly modes: readonly string[] | null;
  readonly types: readonly number[] | null;
  readonly names: readonly string[] | null;
}
export interface OperatorFacts {
  readonly oid: number;
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly result: number;
  readonly commutator: number;
  readonly negator: number;
  readonly code: number;
  readonly restrict: number;
  readonly join: number;
  readonly merges: boolean;
  readonly hashes: boolean;
}
export interface CastFacts {
  readonly oid: number;
  readonly code: number;
  readonly context: string;
  readonly method: string;
}

export function fields(text: string): string[][] {
  return text.split('\n').map((line) => line.split(' '));
}

/** Of extensions, in the same form. */
const EXTENSION_TYPES = `9801 vector -1 f b U f , 0 9802 0 0 0 0 0 0 0 i e 0 0
9802 _vector -1 f b A f , 9801 0 750 751 2400 2401 0 0 3816 i x 0 6179
9815 halfvec -1 f b U f , 0 9816 0 0 0 0 0 0 0 i e 0 0
9816 _halfvec -1 f b A f , 9815 0 750 751 2400 2401 0 0 3816 i x 0 6179
9817 sparsevec -1 f b U f , 0 9818 0 0 0 0 0 0 0 i e 0 0
9818 _sparsevec -1 f b A f , 9817 0 750 751 2400 2401 0 0 3816 i x 0 6179
9803 citext -1 f b S f , 0 9804 0 0 0 0 0 0 0 i x 100 0
9804 _citext -1 f b A f , 9803 0 750 751 2400 2401 0 0 3816 i x 100 6179
9805 hstore -1 f b U f , 0 9806 0 0 0 0 0 0 0 i x 0 0
9806 _hstore -1 f b A f , 9805 0 750 751 2400 2401 0 0 3816 i x 0 6179
9807 query_int -1 f b U f , 0 9808 0 0 0 0 0 0 0 i p 0 0
9808 _query_int -1 f b A f , 9807 0 750 751 2400 2401 0 0 3816 i x 0 6179
9809 ltree -1 f b U f , 0 9810 0 0 0 0 0 0 0 i x 0 0
9810 _ltree -1 f b A f , 9809 0 750 751 2400 2401 0 0 3816 i x 0 6179
9811 lquery -1 f b U f , 0 9812 0 0 0 0 0 0 0 i x 0 0
9812 _lquery -1 f b A f , 9811 0 750 751 2400 2401 0 0 3816 i x 0 6179
9813 ltxtquery -1 f b U f , 0 9814 0 0 0 0 0 0 0 i x 0 0
9814 _ltxtquery -1 f b A f , 9813 0 750 751 2400 2401 0 0 3816 i x 0 6179`;

/** Pseudo-types known only to the catalogs: results of handlers of languages, indexes and tables. */
export const HANDLER_TYPES: ReadonlySet<number> = new Set([2280, 325, 269]);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const typeFacts = once((): ReadonlyMap<number, TypeFacts> => {
  const out = new Map<number, TypeFacts>();
  for (const row of [...fields(TYPES), ...fields(EXTENSION_TYPES)]) {
    const n = (i: number): number => Number(row[i]);
    out.set(n(0), {
      oid: n(0),
      name: row[1],
      length: n(2),
      byValue: row[3] === 't',
      kind: row[4],
      category: row[5],
      preferred: row[6] === 't',
      delimiter: row[7],
      element: n(8),
      array: n(9),
      input: n(10),
      output: n(11),
      receive: n(12),
      send: n(13),
      modIn: n(14),
      modOut: n(15),
      analyze: n(16),
      align: row[17],
      storage: row[18],
      collation: n(19),
      subscript: n(20),
    });
  }
  return out;
});

export const functionFacts = once((): ReadonlyMap<number, FunctionFacts> => {
  const out = new Map<number, FunctionFacts>();
  for (const [oid, name, returns, kind, volatility, strict, set, ...args] of fields(FUNCTIONS)) {
    out.set(Number(oid), {
      oid: Number(oid),
      name,
      returns: Number(returns),
      kind,
      volatility,
      strict: strict === 't',
      set: set === 't',
      args: args.map(Number),
    });
  }
  return out;
});

/** By oid; absent ones have the defaults. */
export const functionTraits = once((): ReadonlyMap<number, FunctionTraits> => {
  const out = new Map<number, FunctionTraits>();
  for (const [oid, leakproof, parallel, cost, rows, language, support] of fields(FUNCTION_TRAITS)) {
    const traits = { leakproof: leakproof === 't', parallel, cost: Number(cost), rows: Number(rows), language: Number(language), support: Number(support) };
    out.set(Number(oid), traits);
  }
  return out;
});

/** By oid. */
export const functionParameters = once((): ReadonlyMap<number, FunctionParameters> => {
  const list = (text: string): string[] | null => (text === '-' ? null : text.split(','));
  return new Map(
    fields(FUNCTION_PARAMETERS).map(([oid, modes, types, names]) => [
      Number(oid),
      { modes: list(modes), types: list(types)?.map(Number) ?? null, names: list(names) },
    ]),
  );
});

/** By oid, the defaults of the last parameters. */
export const functionDefaults = once(
  (): ReadonlyMap<number, readonly string[]> => new Map(fields(FUNCTION_DEFAULTS).map(([oid, ...defaults]) => [Number(oid), defaults])),
);

/** pg_proc.prosrc of the functions with another internal name; null if the language is not internal. By oid. */
export const symbolFacts = once(
  (): ReadonlyMap<number, string | null> => new Map(fields(SYMBOLS).map(([oid, symbol]) => [Number(oid), symbol === '-' ? null : symbol])),
);

/** The functions of a C name for LANGUAGE internal; several may share one. */
export const functionsBySymbol = once((): ReadonlyMap<string, readonly FunctionFacts[]> => {
  const out = new Map<string, FunctionFacts[]>();
  for (const facts of functionFacts().values()) {
    const known = symbolFacts().get(facts.oid);
    if (facts.kind === 'a' || known === null) continue;
    const symbol = known ?? facts.name;
    const list = out.get(symbol);
    if (list === undefined) out.set(symbol, [facts]);
    else list.push(facts);
  }
  return out;
});

export function signatureKey(name: string, args: readonly number[]): string {
  return `${name}(${args.join(' ')})`;
}

/** By `signatureKey`. */
export const functionsBySignature = once(
  (): ReadonlyMap<string, FunctionFacts> => new Map([...functionFacts().values()].map((each) => [signatureKey(each.name, each.args), each])),
);

export const operatorFacts = once((): ReadonlyMap<string, OperatorFacts> => {
  const out = new Map<string, OperatorFacts>();
  for (const [oid, name, left, right, result, commutator, negator, code, restrict, join, merges, hashes] of fields(OPERATORS)) {
    out.set(operatorKey(name, Number(left), Number(right)), {
      oid: Number(oid),
      name,
      left: Number(left),
      right: Number(right),
      result: Number(result),
      commutator: Number(commutator),
      negator: Number(negator),
      code: Number(code),
      restrict: Number(restrict),
      join: Number(join),
      merges: merges === 't',
      hashes: hashes === 't',
    });
  }
  return out;
});

/** `left` 0 for a prefix operator. */
export function operatorKey(name: string, left: number, right: number): string {
  return `${name} ${left} ${right}`;
}

/** By `source target`. */
export const castFacts = once(
  (): ReadonlyMap<string, CastFacts> =>
    new Map(
      fields(CASTS).map(([oid, source, target, code, context, method]) => [`${source} ${target}`, { oid: Number(oid), code: Number(code), context, method }]),
    ),
);

/** Rows of pg_aggregate as texts, by the function's oid. */
export const aggregateFacts = once((): ReadonlyMap<number, readonly string[]> => new Map(fields(AGGREGATES).map((row) => [Number(row[0]), row])));

/** The first of the oids that Postgres leaves free between its own and users'. */
const FREE_FIRST = 14000;
const FREE_LAST = 16383;

/** Assigns oids by name: the same names give the same oids, also after later additions (except for rare clashes). */
export class FreeOids {
  readonly #taken = new Set<number>();

  for(name: string): number {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
    const span = FREE_LAST - FREE_FIRST + 1;
    let oid = FREE_FIRST + (hash % span);
    while (this.#taken.has(oid)) oid = oid === FREE_LAST ? FREE_FIRST : oid + 1;
    this.#taken.add(oid);
    return oid;
  }
}
