/** Coercion: which type may be used for another, and the cast for it. The rules are those of PostgreSQL's manual, chapter 10 (type conversion). */
import { longInput } from '../functions/long-inputs.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CastContext, SqlCast } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Bound, CastCall, Constant } from '../plan/bound.ts';
import type { Environment } from '../types/environment.ts';
import { rootOf } from '../types/domain-type.ts';
import { columnsOf, isRecordType } from '../types/record-type.ts';
import { shownType } from '../types/shown-type.ts';
import { isOfAnotherState } from '../types/value-rules.ts';
import { declaredName, declaredOid } from './declared-type.ts';
import { EMPTY_QUERY } from '../types/tsquery-tree.ts';
import type { Domain, SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BITS_OF_WHOLE, DOMAIN_CHECK, NOT_NULL, rowCast } from './type-casts.ts';

/** Types of `$n`, as far as they are known; refined while the statement is bound. */
export interface Parameters {
  readonly types: (SqlType | null)[];
  /** Given by the caller: no further ones are inferred. */
  readonly fixed: boolean;
}

/** Types by oid, including user-defined ones (enums and their arrays). */
export interface TypeSource {
  typeByOid(oid: number): SqlType | undefined;
  userType?(schema: string | null, name: string): SqlType | null;
  /** A user-defined cast. */
  userCast?(from: SqlType, to: SqlType): SqlCast | null;
}

type Path =
  | { readonly how: 'same' | 'fields' }
  | { readonly how: 'cast'; readonly cast: SqlCast }
  | { readonly how: 'io' }
  | { readonly how: 'array'; readonly element: Path };

const CONTEXT_RANK: Record<CastContext, number> = { implicit: 0, assignment: 1, explicit: 2 };
const STRING_TYPES = new Set(['text', 'varchar', 'bpchar', 'name']);

export function isPolymorphic(name: string): boolean {
  switch (name) {
    case 'anyelement':
    case 'anyarray':
    case 'anynonarray':
    case 'anyenum':
    case 'anycompatible':
    case 'anycompatiblearray':
    case 'anycompatiblenonarray':
    case 'anyrange':
    case 'anymultirange':
    case 'anycompatiblerange':
    case 'anycompatiblemultirange':
    case 'any':
      return true;
    default:
      return false;
  }
}

export class Coercion {
  readonly registry: Registry;
  /** Of the state that is being bound. */
  types: TypeSource;
  readonly env: Environment;
  readonly parameters: Parameters;

  constructor(registry: Registry, types: TypeSource, env: Environment, parameters: Parameters) {
    this.registry = registry;
    this.types = types;
    this.env = env;
    this.parameters = parameters;
  }

  /** A type by its name in a declaration. */
  named(name: string): SqlType | undefined {
    const own = declaredOid(name);
    if (own !== null) return this.byOid(own) ?? undefined;
    return this.registry.findType(name) ?? this.types.userType?.(null, name) ?? undefined;
  }

  /** The type's name in errors. */
  shown(type: SqlType): string {
    return shownType(type, this.env);
  }

  /** The current type: a parameter's may have been inferred since its node was created. */
  typeOf(value: Bound): SqlType {
    if (value.kind === 'parameter' && value.type.name === 'unknown') return this.parameters.types[value.number - 1] ?? value.type;
    return value.type;
  }

  byOid(oid: number): SqlType | null {
    return this.registry.typeByOid(oid) ?? this.types.typeByOid(oid) ?? null;
  }

  /** The array type over this one; 42704 if there is none. */
  arrayOf(element: SqlType): SqlType {
    const type = element.arrayOid === 0 ? undefined : (this.registry.typeByOid(element.arrayOid) ?? this.types.typeByOid(element.arrayOid));
    if (type === undefined) throw new SvcError('42704', `could not find array type for data type ${element.title}`);
    return type;
  }

  /** The cast between two types in a context, or null. */
  path(from: SqlType, to: SqlType, context: CastContext): Path | null {
    if (from === to || from.oid === to.oid) return { how: isOfAnotherState(from, to) ? 'io' : 'same' };
    if (from.domain !== null || to.domain !== null) return this.path(rootOf(from), rootOf(to), context);
    if (from.name === 'unknown' || to.name === 'unknown') return { how: 'io' };
    const cast = this.registry.cast(declaredName(from), declaredName(to)) ?? this.types.userCast?.(from, to) ?? undefined;
    if (cast !== undefined) return CONTEXT_RANK[cast.context] <= CONTEXT_RANK[context] ? { how: 'cast', cast } : null;
    if (to.name === '_record' && from.element !== null && isRecordType(from.element)) return { how: 'same' };
    // Vectors of numbers are subscripted like arrays, but an array is no vector.
    if (from.element !== null && to.element !== null && to.name !== 'oidvector' && to.name !== 'int2vector') {
      const element = this.path(from.element, to.element, context);
      return element === null ? null : { how: 'array', element };
    }
    // Through text: to a string type by assignment, from one when explicit.
    if (
      STRING_TYPES.has(to.name) &&
      (from.category !== 'P' || from.name === 'void' || from.name === 'anyarray' || isRecordType(from)) &&
      context !== 'implicit'
    )
      return { how: 'io' };
    if (STRING_TYPES.has(from.name) && context === 'explicit' && to.category !== 'P') return { how: 'io' };
    if (columnsOf(to) !== null && isRecordType(from) && (from.name === 'record' || context === 'explicit')) return { how: 'fields' };
    // A function that takes any row gets the actual row type.
    if (to.name === 'record' && isRecordType(from)) return { how: 'same' };
    return null;
  }

  /** Whether an argument of this type is implicitly accepted for the declared one. */
  fits(from: SqlType, to: string): boolean {
    if (to === 'any' || to === 'anyelement' || to === 'anycompatible') return true;
    if (from.name === 'unknown') return true;
    if (to === 'anyrange' || to === 'anycompatiblerange') return from.range?.multi === false;
    if (to === 'anymultirange' || to === 'anycompatiblemultirange') return from.range?.multi === true;
    if (to === 'anyarray' || to === 'anycompatiblearray') return from.element !== null || from.name === 'anyarray';
    if (to === 'anynonarray' || to === 'anycompatiblenonarray') return from.element === null;
    if (to === 'anyenum') return from.labels !== null;
    if (declaredName(from) === to) return true;
    if (from.domain !== null && to === declaredName(from.domain.root)) return true;
    const target = this.named(to);
    if (target === undefined) return false;
    if (to === 'record' && (from.name === 'record' || from.category === 'C')) return true;
    return this.path(from, target, 'implicit') !== null;
  }

  /** The value as `to`; 42846 if the context allows no cast. */
  coerce(value: Bound, to: SqlType, typmod: number, context: CastContext, at: number): Bound {
    const out = this.tryCoerce(value, to, typmod, context, at);
    if (out !== null) return out;
    const from = this.typeOf(value);
    throw new SvcError(context === 'explicit' ? '42846' : '42804', `cannot cast type ${this.shown(from)} to ${this.shown(to)}`, { position: at + 1 });
  }

  tryCoerce(value: Bound, to: SqlType, typmod: number, context: CastContext, at: number): Bound | null {
    const from = this.typeOf(value);
    const explicit = context === 'explicit';
    if (value.kind === 'parameter' && value.type.name === 'unknown') {
      const known = this.parameters.types[value.number - 1];
      if (known === null || known === undefined) {
        if (to.name === 'unknown') return value;
        this.parameters.types[value.number - 1] = to;
      }
      const typed: Bound = { ...value, type: this.parameters.types[value.number - 1]! };
      return typed.type === to ? this.withTypmod(typed, typmod, explicit) : this.tryCoerce(typed, to, typmod, context, at);
    }
    if (to.domain !== null && (from.oid !== to.oid || isOfAnotherState(from, to))) {
      // Constraints of base domains are checked together with its own, unless the value already is of one of those domains.
      let { domain } = to;
      for (let below: Domain | null = domain.base.domain; below !== null && domain.base.oid !== from.oid; below = below.base.domain) domain = below;
      const inner = this.tryCoerce(value, domain.base, domain.typmod, context, at);
      return inner === null ? null : { kind: 'call', fn: DOMAIN_CHECK, proc: DOMAIN_CHECK.name, args: [inner], type: to, typmod: -1 };
    }
    if (from.name === 'unknown' && value.kind === 'constant') {
      if (to.name === 'unknown') return value;
      // A large document is parsed at run time, with yields. Arrays are not: comparisons with one are planned by its elements.
      if (to.element === null && typeof value.value === 'string' && longInput(to)?.long!.isLong(value.value) === true) {
        const text: Bound = { ...value, type: this.registry.type('text') };
        return this.withTypmod({ kind: 'cast', method: 'io', type: to, typmod: -1, arg: text, cast: null, explicit }, typmod, explicit);
      }
      return this.literal(value, to, typmod, explicit, at);
    }
    // The low bits are taken, so the length is needed before the bit string is built.
    if (to.name === 'bit' && explicit && (rootOf(from).name === 'int4' || rootOf(from).name === 'int8')) {
      const length: Bound = { kind: 'constant', type: this.registry.type('int4'), typmod: -1, value: typmod };
      return { kind: 'call', fn: BITS_OF_WHOLE, proc: BITS_OF_WHOLE.name, args: [value, length], type: to, typmod };
    }
    const path = this.path(from, to, context);
    if (path === null) return null;
    if (from.domain !== null && (from.oid !== to.oid || isOfAnotherState(from, to))) {
      const root = this.relabelled(value, from.domain.root);
      return path.how === 'same' ? this.withTypmod(root, typmod, explicit) : this.tryCoerce(root, to, typmod, context, at);
    }
    if (path.how === 'same') return this.withTypmod(value, typmod, explicit);
    if (path.how === 'fields') return this.#fields(value, to, context, at);
    const cast = this.#apply(value, to, path, explicit);
    return this.withTypmod(cast, typmod, explicit);
  }

  /** The same value, as the type that its own is based on. */
  relabelled(value: Bound, to: SqlType): Bound {
    if (value.kind === 'column' || value.kind === 'constant' || value.kind === 'field') return { ...value, type: to, typmod: -1 };
    return { kind: 'cast', method: 'binary', type: to, typmod: -1, arg: value, cast: null, explicit: false };
  }

  /** Casts one row type to another: field by field if the fields are known, otherwise by the values' own types. */
  #fields(value: Bound, to: SqlType, context: CastContext, at: number): Bound | null {
    const from = this.typeOf(value);
    const wanted = columnsOf(to);
    if (wanted === null) return value;
    const given = columnsOf(from);
    if (given === null) return { kind: 'call', fn: rowCast(to), proc: 'row_cast', args: [value], type: to, typmod: -1 };
    if (given.length !== wanted.length) {
      const detail = `Input has too ${given.length < wanted.length ? 'few' : 'many'} columns.`;
      throw new SvcError('42846', `cannot cast type ${this.shown(from)} to ${this.shown(to)}`, { detail, position: at + 1 });
    }
    const part = (field: Bound, i: number): Bound => {
      // A literal became text when the row was built; here it gets its actual type.
      const literal = value.kind === 'row' && field.kind === 'constant' && field.type.name === 'text' && field.typmod === -1;
      if (literal) return this.coerce({ ...field, type: this.registry.type('unknown') }, wanted[i].type, wanted[i].typmod, context, at);
      const out = this.tryCoerce(field, wanted[i].type, wanted[i].typmod, context, at);
      if (out !== null) return out;
      const detail = `Cannot cast type ${this.shown(given[i].type)} to ${this.shown(wanted[i].type)} in column ${i + 1}.`;
      throw new SvcError('42846', `cannot cast type ${this.shown(from)} to ${this.shown(to)}`, { detail, position: at + 1 });
    };
    const names = wanted.map(({ name }) => name);
    if (value.kind === 'row') return { kind: 'row', type: to, typmod: -1, fields: value.fields.map(part), names };
    const fields = given.map(({ type, typmod }, index) => part({ kind: 'field', arg: value, index, type, typmod }, index));
    const row: Bound = { kind: 'row', type: to, typmod: -1, fields, names };
    const missing: Bound = {
      kind: 'isDistinct',
      type: this.registry.type('bool'),
      typmod: -1,
      left: value,
      right: { kind: 'constant', type: from, typmod: -1, value: null },
      equal: NOT_NULL,
      negated: true,
    };
    return { kind: 'case', type: to, typmod: -1, branches: [{ when: missing, then: { kind: 'constant', type: to, typmod: -1, value: null } }], otherwise: row };
  }

  #apply(value: Bound, to: SqlType, path: Path, explicit: boolean): Bound {
    const base = { kind: 'cast', type: to, typmod: -1, arg: value, explicit } as const;
    switch (path.how) {
      case 'same':
      case 'fields':
        return value;
      case 'io':
        return { ...base, method: 'io', cast: null };
      case 'cast':
        if (path.cast.method === 'io') return { ...base, method: 'io', cast: null };
        if (path.cast.method === 'binary') return { ...base, method: 'binary', cast: path.cast };
        return { ...base, method: 'function', cast: path.cast };
      case 'array': {
        const inner = path.element.how === 'cast' && path.element.cast.method === 'function' ? path.element.cast : null;
        if (path.element.how === 'cast' && path.element.cast.method === 'binary') return { ...base, method: 'binary', cast: path.element.cast };
        return { ...base, method: 'array', cast: inner };
      }
    }
  }

  /** A quoted literal as a value of the type; errors have its position. */
  literal(value: Constant, to: SqlType, typmod: number, explicit: boolean, at: number): Constant {
    if (value.value === null) return { ...value, type: to, typmod };
    let parsed: Value;
    try {
      // The fields of an interval declaration give the unit of a plain number.
      parsed = to.parse(value.value as string, to.name === 'interval' ? typmod : -1, this.env);
    } catch (error) {
      if (error instanceof SvcError && error.position === undefined) {
        throw new SvcError(error.code, error.message, {
          detail: error.detail,
          hint: error.hint,
          position: (value.at ?? at) + 1,
          data: error.data,
          cause: error,
        });
      }
      throw error;
    }
    if (parsed === EMPTY_QUERY) this.env.system?.notice('00000', `text-search query doesn't contain lexemes: "${value.value as string}"`, (value.at ?? at) + 1);
    // A literal that is too long has no error position in Postgres.
    const out: Constant = { kind: 'constant', type: to, typmod, value: typmod < 0 ? parsed : to.coerce(parsed, typmod, explicit) };
    return value.collation === undefined ? out : { ...out, collation: value.collation };
  }

  withTypmod(value: Bound, typmod: number, explicit: boolean): Bound {
    if (typmod < 0 || (value.typmod === typmod && value.kind !== 'constant')) return value;
    if (value.kind === 'constant') {
      if (value.value === null) return { ...value, typmod };
      return { ...value, typmod, value: value.type.coerce(value.value, typmod, explicit) };
    }
    return { kind: 'cast', method: 'typmod', type: value.type, typmod, arg: value, cast: null, explicit } satisfies CastCall;
  }

  /** For `WHERE`, `ON`, `CASE WHEN` and similar. */
  toBoolean(value: Bound, clause: string, at: number): Bound {
    const bool = this.registry.type('bool');
    const out = this.tryCoerce(value, bool, -1, 'implicit', at);
    if (out !== null) return out;
    throw new SvcError('42804', `argument of ${clause} must be type boolean, not type ${this.shown(this.typeOf(value))}`, { position: at + 1 });
  }

  /** Unknown becomes text, as at the end of a select list. */
  resolveUnknown(value: Bound, at: number): Bound {
    return this.typeOf(value).name === 'unknown' ? this.coerce(value, this.registry.type('text'), -1, 'implicit', at) : this.#typed(value);
  }

  #typed(value: Bound): Bound {
    const type = this.typeOf(value);
    return type === value.type ? value : ({ ...value, type } as Bound);
  }

  /** The common type of several values (UNION, CASE, ARRAY, VALUES …); `clause` names them in the error. */
  commonType(values: readonly Bound[], clause: string, at: number | ((index: number) => number)): SqlType {
    return this.commonOf(
      values.map((value) => this.typeOf(value)),
      clause,
      at,
    );
  }

  /** `at`: the position of each, or of all. */
  commonOf(given: readonly SqlType[], clause: string, at: number | ((index: number) => number)): SqlType {
    const position = (index: number): number => (typeof at === 'number' ? at : at(index)) + 1;
    const text = this.registry.type('text');
    const [first] = given;
    if (first !== undefined && given.every((type) => type === first) && first.name !== 'unknown') return first;
    const types = given.map(rootOf);
    let best: SqlType | null = null;
    for (let i = 0; i < types.length; i++) {
      const type = types[i];
      if (type.name === 'unknown' || type === best) continue;
      if (best === null) {
        best = type;
        continue;
      }
      if (best.category !== type.category) {
        throw new SvcError('42804', `${clause} types ${this.shown(best)} and ${this.shown(type)} cannot be matched`, { position: position(i) });
      }
      if (!best.preferred && this.path(best, type, 'implicit') !== null && this.path(type, best, 'implicit') === null) best = type;
    }
    best ??= text;
    for (let i = 0; i < types.length; i++) {
      const type = types[i];
      if (type.name !== 'unknown' && this.path(type, best, 'implicit') === null) {
        throw new SvcError('42804', `${clause} could not convert type ${this.shown(type)} to ${this.shown(best)}`, { position: position(i) });
      }
    }
    return best;
  }
}
