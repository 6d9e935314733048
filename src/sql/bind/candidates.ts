/** Overload resolution, for functions and operators (manual, 10.2 and 10.3). */
import { rootOf } from '../types/domain-type.ts';
import type { SqlType } from '../types/type.ts';
import { type Coercion, isPolymorphic } from './coerce.ts';
import { declaredName } from './declared-type.ts';

/** An overload by its declared types, one per given argument (a variadic one already expanded). */
export interface Candidate<T> {
  readonly what: T;
  readonly declared: readonly string[];
}

/** The one candidate that the rules prefer; null: none matches; 'ambiguous': several do. */
export function chooseCandidate<T>(coercion: Coercion, candidates: readonly Candidate<T>[], asGiven: readonly SqlType[]): Candidate<T> | null | 'ambiguous' {
  let given = asGiven;
  let names = given.map(declaredName);
  let exact = candidates.find(({ declared }) => declared.every((name, i) => name === names[i]));
  if (exact === undefined && asGiven.some(({ domain }) => domain !== null)) {
    given = asGiven.map(rootOf);
    names = given.map(declaredName);
    exact = candidates.find(({ declared }) => declared.every((name, i) => name === names[i]));
  }
  if (exact !== undefined) return exact;
  let left = candidates.filter(({ declared }) => declared.every((name, i) => coercion.fits(given[i], name)) && polymorphicAgrees(coercion, declared, given));
  if (left.length === 0) return null;
  if (left.length === 1) return left[0];
  const unknown = given.map((type) => type.name === 'unknown');
  left = most(left, ({ declared }) => count(declared, (name, i) => !unknown[i] && name === names[i]));
  if (left.length === 1) return left[0];
  left = most(left, ({ declared }) => count(declared, (name, i) => !unknown[i] && (name === names[i] || isPreferred(coercion, name, given[i].category))));
  if (left.length === 1) return left[0];
  if (!unknown.includes(true)) return 'ambiguous';
  const byCategory = filterByCategory(coercion, left, unknown);
  if (byCategory !== null) left = byCategory;
  if (left.length === 1) return left[0];
  // Literals get the type that all other arguments share.
  const known = given.filter((_, i) => !unknown[i]);
  if (known.length > 0 && known.every((type) => type === known[0])) {
    const assumed = given.map(() => known[0]);
    const same = left.filter(({ declared }) => declared.every((name) => coercion.fits(known[0], name)) && polymorphicAgrees(coercion, declared, assumed));
    if (same.length === 1) return same[0];
  }
  return 'ambiguous';
}

function filterByCategory<T>(coercion: Coercion, candidates: readonly Candidate<T>[], unknown: readonly boolean[]): Candidate<T>[] | null {
  const wanted: (string | null)[] = [];
  const wantPreferred: boolean[] = [];
  for (let i = 0; i < unknown.length; i++) {
    wanted.push(null);
    wantPreferred.push(false);
    if (!unknown[i]) continue;
    let category: string | null = null;
    let conflict = false;
    for (const { declared } of candidates) {
      const own = categoryOf(coercion, declared[i]);
      if (category === null) {
        category = own;
        wantPreferred[i] = isPreferred(coercion, declared[i], own);
      } else if (category === own) {
        wantPreferred[i] ||= isPreferred(coercion, declared[i], own);
      } else if (own === 'S') {
        category = 'S';
        wantPreferred[i] = isPreferred(coercion, declared[i], own);
      } else if (category !== 'S') conflict = true;
    }
    if (conflict && category !== 'S') return null;
    wanted[i] = category;
  }
  const kept = candidates.filter(({ declared }) =>
    declared.every((name, i) => {
      if (!unknown[i]) return true;
      const category = categoryOf(coercion, name);
      return category === wanted[i] && (!wantPreferred[i] || isPreferred(coercion, name, category));
    }),
  );
  return kept.length === 0 ? null : kept;
}

function categoryOf(coercion: Coercion, name: string): string {
  if (isPolymorphic(name)) return 'P';
  return coercion.named(name)?.category ?? 'P';
}

function isPreferred(coercion: Coercion, name: string, category: string): boolean {
  if (isPolymorphic(name)) return false;
  const type = coercion.registry.findType(name);
  return type !== undefined && type.preferred && type.category === category;
}

function count(declared: readonly string[], test: (name: string, i: number) => boolean): number {
  let n = 0;
  for (let i = 0; i < declared.length; i++) if (test(declared[i], i)) n++;
  return n;
}

function most<T>(list: readonly Candidate<T>[], score: (candidate: Candidate<T>) => number): Candidate<T>[] {
  let best = -1;
  let out: Candidate<T>[] = [];
  for (const candidate of list) {
    const own = score(candidate);
    if (own > best) {
      best = own;
      out = [candidate];
    } else if (own === best) out.push(candidate);
  }
  return out;
}

function polymorphicAgrees(coercion: Coercion, declared: readonly string[], given: readonly SqlType[]): boolean {
  return resolvePolymorphic(coercion, declared, given) !== null;
}

/** The actual types of the polymorphic names of a declaration. */
export interface Polymorphic {
  element: SqlType | null;
  array: SqlType | null;
  compatible: SqlType | null;
  range: SqlType | null;
  multirange: SqlType | null;
}

export function resolvePolymorphic(coercion: Coercion, declared: readonly string[], given: readonly SqlType[]): Polymorphic | null {
  const out: Polymorphic = { element: null, array: null, compatible: null, range: null, multirange: null };
  const compatible: SqlType[] = [];
  let usesCompatible = false;
  for (let i = 0; i < declared.length; i++) {
    const type = given[i];
    switch (declared[i]) {
      case 'anyelement':
      case 'anynonarray':
      case 'anyenum':
        if (type.name === 'unknown') break;
        if (out.element !== null && out.element !== type) return null;
        out.element = type;
        break;
      case 'anyarray': {
        if (type.name === 'unknown') break;
        const array = rootOf(type);
        // A statistics column has arrays of any type, which a function accepts if it needs no more.
        if (array.element === null && (array.name !== 'anyarray' || declared.some((each) => each !== 'anyarray' && isPolymorphic(each)))) return null;
        if (out.array !== null && out.array !== array) return null;
        out.array = array;
        break;
      }
      case 'anyrange':
      case 'anymultirange':
      case 'anycompatiblerange':
      case 'anycompatiblemultirange': {
        if (type.name === 'unknown') break;
        const own = rootOf(type);
        if (own.range === null) return null;
        const range = own.range.multi ? coercion.byOid(own.range.oid) : own;
        if (range === null || (out.range !== null && out.range.oid !== range.oid)) return null;
        out.range = range;
        break;
      }
      case 'anycompatible':
      case 'anycompatiblenonarray':
        usesCompatible = true;
        if (type.name !== 'unknown') compatible.push(type);
        break;
      case 'anycompatiblearray':
        usesCompatible = true;
        if (type.name === 'unknown') break;
        if (type.element === null) return null;
        compatible.push(type.element);
        break;
    }
  }
  if (out.range !== null) {
    const { subtype, multirangeOid } = out.range.range!;
    if (out.element !== null && rootOf(out.element).oid !== rootOf(subtype).oid) return null;
    out.element = subtype;
    out.multirange = coercion.byOid(multirangeOid);
  }
  if (out.array !== null) {
    if (out.element !== null && out.array.element !== out.element) return null;
    out.element = out.array.element;
  } else if (out.element !== null && declared.includes('anyarray')) {
    if (out.element.arrayOid === 0) return null;
    out.array = coercion.arrayOf(out.element);
  }
  const ofRange =
    out.range !== null && declared.some((each) => each === 'anycompatiblerange' || each === 'anycompatiblemultirange') ? out.range.range!.subtype : null;
  if (ofRange !== null) compatible.push(ofRange);
  if (usesCompatible) {
    try {
      out.compatible = coercion.commonOf(compatible, 'arguments', 0);
    } catch {
      return null;
    }
    // The bounds of a range have its subtype.
    if (ofRange !== null && out.compatible.oid !== ofRange.oid) return null;
  }
  return out;
}

/** The actual type of a declared name in this call. */
export function actualType(coercion: Coercion, name: string, found: Polymorphic, given: SqlType | null): SqlType {
  const { registry } = coercion;
  switch (name) {
    case 'anyelement':
    case 'anynonarray':
    case 'anyenum':
      return found.element ?? registry.type('text');
    case 'anyarray':
      return found.array ?? (found.element === null ? (given ?? registry.type('_text')) : coercion.arrayOf(found.element));
    case 'anyrange':
    case 'anycompatiblerange':
      return found.range ?? given ?? registry.type('text');
    case 'anymultirange':
    case 'anycompatiblemultirange':
      return found.multirange ?? given ?? registry.type('text');
    case 'anycompatible':
    case 'anycompatiblenonarray':
      return found.compatible ?? registry.type('text');
    case 'anycompatiblearray':
      return coercion.arrayOf(found.compatible ?? registry.type('text'));
    case 'any':
      return given === null || given.name === 'unknown' ? registry.type('text') : given;
    default:
      // Row types of system relations are not in the registry.
      if (given !== null && declaredName(rootOf(given)) === name) return rootOf(given);
      return coercion.named(name) ?? registry.type(name);
  }
}
