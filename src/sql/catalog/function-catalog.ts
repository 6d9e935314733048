/**
 * pg_proc and pg_aggregate: every function of the library, with Postgres's own oid if it has one of the same name and types, and the
 * functions behind types and operators that clients look up by oid (`array_recv`, `int4eq`).
 */
import type { SqlFunction } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import { ArrayValue } from '../types/array-value.ts';
import { vector } from './catalog-types.ts';
import { FAMILY_FUNCTIONS } from './data/family-members.ts';
import { conversionFunctions } from './conversion-rows.ts';
import {
  aggregateFacts,
  castFacts,
  fields,
  FreeOids,
  functionDefaults,
  functionFacts,
  type FunctionFacts,
  functionParameters,
  type FunctionParameters,
  functionsBySignature,
  functionTraits,
  HANDLER_TYPES,
  operatorFacts,
  signatureKey,
  symbolFacts,
  typeFacts,
} from './facts.ts';
import { INFORMATION_SCHEMA, INTERNAL_LANGUAGE, OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

export interface FunctionEntry {
  readonly oid: number;
  readonly name: string;
  readonly args: readonly number[];
  readonly returns: number;
  /** Number of optional trailing arguments. */
  readonly defaults: number;
  /** Its declaration; null if only Postgres's catalogs have it. */
  readonly fn: SqlFunction | null;
  readonly facts: FunctionFacts | undefined;
}

const PLAIN: FunctionParameters = { modes: null, types: null, names: null };

/** The planner support function of this name: from internal to internal. */
export function supportFunction({ byName }: FunctionCatalog, name: string): number | null {
  const own = byName.get(name.replace(/^pg_catalog\./, '')) ?? [];
  return own.find(({ args, returns }) => args.length === 1 && args[0] === INTERNAL && returns === INTERNAL)?.oid ?? null;
}
const INTERNAL = 2281;

const KINDS: Record<SqlFunction['kind'], string> = { scalar: 'f', set: 'f', aggregate: 'a', window: 'w' };

export class FunctionCatalog {
  readonly byOid = new Map<number, FunctionEntry>();
  readonly byName = new Map<string, FunctionEntry[]>();
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
    const unknown: FunctionEntry[] = [];
    for (const functions of registry.allFunctions()) {
      for (const fn of functions) {
        for (const entry of this.#entriesOf(fn)) {
          if (entry.oid === 0) unknown.push(entry);
          else this.#add(entry);
        }
      }
    }
    const free = new FreeOids();
    for (const entry of unknown.sort((a, b) => (signatureKey(a.name, a.args) < signatureKey(b.name, b.args) ? -1 : 1))) {
      this.#add({ ...entry, oid: free.for(signatureKey(entry.name, entry.args)) });
    }
    for (const functions of registry.allCallable()) {
      for (const fn of functions) {
        const facts = functionsBySignature().get(
          signatureKey(
            fn.name,
            fn.args.map((name) => this.#oid(name)),
          ),
        );
        if (facts !== undefined) this.#add({ oid: facts.oid, name: facts.name, args: facts.args, returns: facts.returns, defaults: 0, fn: null, facts });
      }
    }
    for (const oid of supporting(registry)) {
      const facts = functionFacts().get(oid);
      if (facts === undefined || this.byOid.has(oid)) continue;
      this.#add({ oid, name: facts.name, args: facts.args, returns: facts.returns, defaults: 0, fn: null, facts });
    }
  }

  #add(entry: FunctionEntry): void {
    if (this.byOid.has(entry.oid)) return;
    this.byOid.set(entry.oid, entry);
    const list = this.byName.get(entry.name);
    if (list === undefined) this.byName.set(entry.name, [entry]);
    else list.push(entry);
  }

  #oid(type: string): number {
    return this.#registry.findType(type)?.oid ?? 0;
  }

  /** One per number of arguments if Postgres declares them separately, otherwise one with defaults. Oid 0: to be assigned. */
  #entriesOf(fn: SqlFunction): FunctionEntry[] {
    const args = fn.args.map((name) => this.#oid(name));
    if (fn.variadic !== undefined)
      args.push(fn.variadic === 'any' ? this.#oid('any') : fn.variadic === 'anyelement' ? this.#oid('anyarray') : this.#oid(`_${fn.variadic}`));
    const returns = this.#oid(fn.returns);
    const optional = fn.variadic === undefined ? (fn.optional ?? 0) : 0;
    const known: FunctionEntry[] = [];
    for (let count = args.length - optional; count <= args.length; count++) {
      const own = args.slice(0, count);
      const facts = functionsBySignature().get(signatureKey(fn.name, own));
      if (facts !== undefined)
        known.push({ oid: facts.oid, name: fn.name, args: own, returns, defaults: functionDefaults().get(facts.oid)?.length ?? 0, fn, facts });
    }
    if (known.length === 0) return [{ oid: 0, name: fn.name, args, returns, defaults: optional, fn, facts: undefined }];
    return known;
  }

  rows(): Row[] {
    const list = (items: readonly (string | number)[] | null): ArrayValue | null => (items === null ? null : new ArrayValue(items));
    return [...this.byOid.values()].map((entry): Row => {
      const { oid, name, args, returns, defaults, fn, facts } = entry;
      // A function that returns one row counts as set-returning here.
      const set = facts?.set ?? fn?.kind === 'set';
      const kind = facts?.kind ?? KINDS[fn!.kind];
      const volatility = facts?.volatility ?? (fn !== null && 'volatility' in fn ? (fn.volatility ?? 'immutable')[0] : 'i');
      const strict = facts?.strict ?? ((fn?.kind === 'scalar' || fn?.kind === 'set') && fn.strict !== false);
      const traits = functionTraits().get(oid);
      const { modes, types, names } = this.parametersOf(entry);
      // prettier-ignore
      return [
        oid, name, fn?.schema === undefined ? PG_CATALOG : INFORMATION_SCHEMA, OWNER, traits?.language ?? INTERNAL_LANGUAGE, traits?.cost ?? 1, traits?.rows ?? (set ? 1000 : 0), fn?.variadic === undefined ? 0 : this.#oid(fn.variadic),
        traits?.support ?? 0, kind, false, traits?.leakproof ?? false, strict, set, volatility, traits?.parallel ?? 's', args.length, defaults, returns, vector(args), list(types),
        list(modes), list(names), null, null, kind === 'a' ? 'aggregate_dummy' : (symbolFacts().get(oid) ?? name), null, null, null, null,
      ];
    });
  }

  /** Postgres's own parameters if the function is one of its. */
  parametersOf({ oid, args, fn, facts }: FunctionEntry): FunctionParameters {
    if (facts !== undefined) return functionParameters().get(oid) ?? PLAIN;
    const out = fn?.kind === 'set' ? (fn.columns ?? null) : null;
    const given = fn?.argNames ?? null;
    const variadic = fn?.variadic !== undefined;
    const plain = out === null && !variadic;
    return {
      modes: plain ? null : [...args.map((_, i) => (variadic && i === args.length - 1 ? 'v' : 'i')), ...(out ?? []).map(() => 'o')],
      types: plain ? null : [...args, ...(out ?? []).map(({ type }) => this.#oid(type))],
      names: out === null && given === null ? null : [...args.map((_, i) => given?.[i] ?? ''), ...(out ?? []).map(({ name }) => name)],
    };
  }

  aggregateRows(): Row[] {
    const rows: Row[] = [];
    for (const { oid, fn } of this.byOid.values()) {
      if (fn?.kind !== 'aggregate') continue;
      const facts = aggregateFacts().get(oid);
      const kind = fn.orderedSet === undefined ? 'n' : fn.orderedSet.hypothetical ? 'h' : 'o';
      if (facts === undefined) {
        rows.push([oid, kind, fn.orderedSet?.directArgs ?? 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 'r', 'r', 0, 2281, 0, 0, 0, null, null]);
        continue;
      }
      const n = (i: number): number => Number(facts[i]);
      const text = (i: number): string | null => (facts[i] === '_' ? null : facts[i]);
      // prettier-ignore
      rows.push([
        oid, kind, n(2), n(3), n(4), n(5), n(6), n(7), n(8), n(9), n(10), facts[11] === 't', facts[12] === 't', facts[13], facts[14],
        n(15), n(16), n(17), n(18), n(19), text(20), text(21),
      ]);
    }
    return rows;
  }
}

/** Functions of the text search parser and templates, enum I/O, handlers of access methods and of languages, and those behind ranges. */
const ENUM_AND_HANDLERS = [
  3717, 3718, 3719, 3720, 3721, 3725, 3726, 3728, 3729, 3731, 3732, 3740, 3741, 13148, 13149, 3506, 3507, 3532, 3533, 330, 331, 332, 333, 334, 335, 13560,
  13561, 13562, 2398, 2399, 3, 2246, 2247, 2248, 3914, 3915, 3922, 3923, 3924, 3925, 3928, 3929, 3930,
];

/** Functions that rows of pg_proc, pg_type, pg_operator, pg_cast, pg_aggregate and pg_amproc refer to. */
function supporting(registry: Registry): Set<number> {
  const out = new Set<number>([...ENUM_AND_HANDLERS, ...conversionFunctions()]);
  for (const facts of typeFacts().values()) {
    if (registry.typeByOid(facts.oid) === undefined && !HANDLER_TYPES.has(facts.oid)) continue;
    for (const each of [facts.input, facts.output, facts.receive, facts.send, facts.modIn, facts.modOut, facts.analyze, facts.subscript]) out.add(each);
  }
  for (const { code, restrict, join } of operatorFacts().values()) for (const each of [code, restrict, join]) out.add(each);
  for (const { code } of castFacts().values()) out.add(code);
  for (const [, , , , , code] of fields(FAMILY_FUNCTIONS)) out.add(Number(code));
  for (const { support } of functionTraits().values()) out.add(support);
  for (const row of aggregateFacts().values()) for (let i = 3; i <= 10; i++) out.add(Number(row[i]));
  return out;
}
