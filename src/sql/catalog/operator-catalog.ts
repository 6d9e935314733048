/** pg_operator, pg_cast, pg_opfamily, pg_opclass and pg_am. */
import type { SqlType } from '../types/type.ts';
import type { Registry } from '../functions/registry.ts';
import { ACCESS_METHODS, OPERATOR_CLASSES, OPERATOR_FAMILIES } from './data/access-methods.ts';
import { FAMILY_FUNCTIONS, FAMILY_OPERATORS } from './data/family-members.ts';
import { castFacts, fields, FreeOids, operatorFacts, operatorKey } from './facts.ts';
import { BTREE, OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

export interface OperatorEntry {
  readonly oid: number;
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly result: number;
  /** Name of its extension. */
  readonly extension: string | undefined;
}

export class OperatorCatalog {
  readonly byOid = new Map<number, OperatorEntry>();
  readonly byName = new Map<string, OperatorEntry[]>();
  readonly byKey = new Map<string, OperatorEntry>();

  constructor(registry: Registry) {
    const oid = (name: string): number => registry.findType(name)?.oid ?? 0;
    const free = new FreeOids();
    for (const operators of registry.allOperators()) {
      for (const { name, left, right, returns, extension } of operators) {
        const key = operatorKey(name, left === null ? 0 : oid(left), oid(right));
        if (this.byKey.has(key)) continue;
        const facts = operatorFacts().get(key);
        const sides = { left: left === null ? 0 : oid(left), right: oid(right), result: oid(returns) };
        const entry: OperatorEntry = { oid: facts?.oid ?? free.for(key), name, ...sides, extension };
        this.byKey.set(key, entry);
        this.byOid.set(entry.oid, entry);
        const list = this.byName.get(name);
        if (list === undefined) this.byName.set(name, [entry]);
        else list.push(entry);
      }
    }
  }

  /** Oid of `=` between two types, through the operator over anyarray or anyenum if the type has none of its own. */
  equality(left: number, right: number): number {
    return (this.byKey.get(operatorKey('=', left, right)) ?? this.byKey.get(operatorKey('=', left, left)))?.oid ?? 0;
  }

  /** Oid of an operator between two values of a type. */
  named(name: string, type: number): number {
    return this.byKey.get(operatorKey(name, type, type))?.oid ?? 0;
  }

  rows(): Row[] {
    return [...this.byKey].map(([key, { oid, name, left, right, result }]): Row => {
      const facts = operatorFacts().get(key);
      const known = (other: number | undefined): number => (other !== undefined && this.byOid.has(other) ? other : 0);
      // prettier-ignore
      return [
        oid, name, PG_CATALOG, OWNER, left === 0 ? 'l' : 'b', facts?.merges ?? false, facts?.hashes ?? false, left, right, result,
        known(facts?.commutator), known(facts?.negator), facts?.code ?? 0, facts?.restrict ?? 0, facts?.join ?? 0,
      ];
    });
  }
}

const CONTEXTS = { implicit: 'i', assignment: 'a', explicit: 'e' } as const;
const METHODS = { binary: 'b', io: 'i', function: 'f' } as const;

export function castRows(registry: Registry): Row[] {
  const free = new FreeOids();
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const { from, to, context, method } of registry.allCasts()) {
    const source = registry.findType(from)?.oid ?? 0;
    const target = registry.findType(to)?.oid ?? 0;
    const key = `${source} ${target}`;
    const facts = castFacts().get(key);
    seen.add(key);
    rows.push([
      facts?.oid ?? free.for(`${from}:${to}`),
      source,
      target,
      facts?.code ?? 0,
      facts?.context ?? CONTEXTS[context],
      facts?.method ?? METHODS[method],
    ]);
  }
  // Casts from a type to itself, which apply its modifier.
  for (const [key, { oid, code, context, method }] of castFacts()) {
    const [source, target] = key.split(' ').map(Number);
    if (!seen.has(key) && source === target && registry.typeByOid(source) !== undefined) rows.push([oid, source, target, code, context, method]);
  }
  return rows;
}

/** Those of the extension vector; Postgres gives them numbers when it is created. */
const VECTOR_METHODS: readonly (readonly [oid: number, name: string])[] = [
  [9990, 'hnsw'],
  [9991, 'ivfflat'],
];

/** Of ranked search, listed where there is such an index. */
const BM25_METHOD: readonly [oid: number, name: string] = [9992, 'bm25'];

export function accessMethodRows(hasExtension: (name: string) => boolean, hasBm25: boolean): Row[] {
  const rows: Row[] = fields(ACCESS_METHODS).map(([oid, name, handler, type]) => [Number(oid), name, Number(handler), type]);
  if (hasExtension('vector')) for (const [oid, name] of VECTOR_METHODS) rows.push([oid, name, 0, 'i']);
  if (hasBm25) rows.push([...BM25_METHOD, 0, 'i']);
  return rows;
}

export function operatorFamilyRows(): Row[] {
  return fields(OPERATOR_FAMILIES).map(([oid, method, name]) => [Number(oid), Number(method), name, PG_CATALOG, OWNER]);
}

/** pg_amop, for existing operators. */
export function familyOperatorRows({ byOid }: OperatorCatalog): Row[] {
  return fields(FAMILY_OPERATORS).flatMap(([oid, family, left, right, strategy, purpose, operator, method, sort]): Row[] =>
    byOid.has(Number(operator))
      ? [[Number(oid), Number(family), Number(left), Number(right), Number(strategy), purpose, Number(operator), Number(method), Number(sort)]]
      : [],
  );
}

/** pg_amproc, for existing functions. */
export function familyFunctionRows(functions: { readonly byOid: ReadonlyMap<number, unknown> }): Row[] {
  return fields(FAMILY_FUNCTIONS).flatMap((row): Row[] => (functions.byOid.has(Number(row[5])) ? [row.map(Number)] : []));
}

interface OperatorClass {
  readonly oid: number;
  readonly method: number;
  readonly name: string;
  readonly family: number;
  readonly type: number;
  readonly standard: boolean;
  readonly key: number;
}
let classes: readonly OperatorClass[] | null = null;

/** Built-in ones. */
export function operatorClasses(): readonly OperatorClass[] {
  classes ??= fields(OPERATOR_CLASSES).map(([oid, method, name, family, type, standard, key]) => ({
    oid: Number(oid),
    method: Number(method),
    name,
    family: Number(family),
    type: Number(type),
    standard: standard === 't',
    key: Number(key),
  }));
  return classes;
}

export function operatorClassRows(): Row[] {
  return operatorClasses().map(({ oid, method, name, family, type, standard, key }) => [oid, method, name, PG_CATALOG, OWNER, family, type, standard, key]);
}

const METHOD_NAMES = new Map([...fields(ACCESS_METHODS).map(([oid, name]) => [Number(oid), name] as const), ...VECTOR_METHODS, BM25_METHOD]);

export function methodName(oid: number): string {
  return METHOD_NAMES.get(oid) ?? '???';
}

const METHODS_BY_NAME = new Map([...METHOD_NAMES].map(([oid, name]) => [name, oid]));

export function methodOid(name: string): number {
  return METHODS_BY_NAME.get(name) ?? 0;
}

/** The operator class of an index column: the named one, or the default of its method for the type. */
export function indexClass(method: string, type: SqlType, name: string | null): number {
  if (method === 'btree') return btreeClass(type);
  const own = operatorClasses().filter((each) => each.method === methodOid(method));
  if (name !== null) return own.find((each) => each.name === name)?.oid ?? 0;
  const wanted =
    type.range !== null
      ? type.range.multi
        ? 4537
        : 3831
      : type.name === 'varchar'
        ? 25
        : type.name === 'cidr'
          ? 869
          : type.element !== null
            ? 2277
            : type.oid;
  return (own.find((each) => each.standard && each.type === wanted) ?? own.find((each) => each.type === wanted))?.oid ?? 0;
}

/** Oid of the access method hash. */
const HASH_METHOD = 405;

export function hashClass(type: Parameters<typeof btreeClass>[0]): number {
  const wanted = type.name === 'varchar' ? 25 : type.element !== null && type.oid !== 30 ? 2277 : type.labels !== null ? 3500 : type.oid;
  return operatorClasses().find((each) => each.method === HASH_METHOD && each.standard && each.type === wanted)?.oid ?? 0;
}

export function btreeClass(type: { readonly oid: number; readonly name: string; readonly element: unknown; readonly labels: unknown }): number {
  const wanted = type.name === 'varchar' ? 25 : type.element !== null && type.oid !== 30 ? 2277 : type.labels !== null ? 3500 : type.oid;
  return operatorClasses().find((each) => each.method === BTREE && each.standard && each.type === wanted)?.oid ?? 0;
}
