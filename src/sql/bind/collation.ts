/**
 * Collation derivation: that of COLLATE, otherwise that of the columns in the expression, otherwise the default. All collations
 * except ICU's (collated.ts) order by code point; derivation matters for what is shown (pg_collation_for, catalogs) and for
 * conflicts: 42P21 between two explicit ones, 42P22 if a function needs one and it is indeterminate. Manual, section 23.2.
 * Statements without COLLATE and without columns that have a collation are not analysed.
 */
import { inQuotes, quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import { startOf } from '../ast/start-of.ts';
import type { AggregateFunction, ScalarFunction } from '../functions/define.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { childrenOf } from '../plan/rules/walk.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { rootOf } from '../types/domain-type.ts';
import type { SqlType } from '../types/type.ts';
import type { Binder } from './binder.ts';
import { collated, collatedExtreme, collatedKey, overCollatedKeys } from './collated.ts';

export interface Derived {
  readonly strength: 'none' | 'implicit' | 'conflict' | 'explicit';
  /** null: none, or conflicting ones. */
  readonly name: string | null;
  /** For a conflict: the second collation. */
  readonly other?: string;
  readonly at: number;
}

const RANK: Readonly<Record<Derived['strength'], number>> = { none: 0, implicit: 1, conflict: 2, explicit: 3 };
const NONE: Derived = { strength: 'none', name: null, at: 0 };
const DEFAULT = 'default';
const COLLATABLE = new Set(['text', 'varchar', 'bpchar', 'name', 'citext']);
const CHOOSE = 'You can choose the collation by applying the COLLATE clause to one or both expressions.';
const SET = 'Use the COLLATE clause to set the collation explicitly.';

/** The collation of the type itself; null if it has none. */
export function typeCollation(type: SqlType): string | null {
  const root = rootOf(type);
  const { name, made } = root.element ?? root;
  if (made?.collatable === true) return DEFAULT;
  if (!COLLATABLE.has(name)) return null;
  return name === 'name' ? 'C' : DEFAULT;
}

export function merged(list: readonly Derived[]): Derived {
  let out = NONE;
  for (const each of list) {
    if (RANK[each.strength] > RANK[out.strength]) out = each;
    else if (each.strength !== out.strength || each.name === out.name) continue;
    else if (each.strength === 'implicit') {
      if (out.name === DEFAULT) out = each;
      else if (each.name !== DEFAULT) out = { strength: 'conflict', name: out.name, other: each.name!, at: each.at };
    } else if (each.strength === 'explicit') {
      throw new SvcError('42P21', `collation mismatch between explicit collations "${out.name}" and "${each.name}"`, { position: each.at + 1 });
    }
  }
  return out;
}

function refuse({ name, other, at }: Derived): never {
  throw new SvcError('42P21', `collation mismatch between implicit collations "${name}" and "${other}"`, { hint: CHOOSE, position: at + 1 });
}

/** The error of functions that need a collation; null for others. */
function need(proc: string): string | null {
  if (/^(?:text|name|bpchar|varchar)(?:name|text)?_?(?:eq|ne|lt|le|gt|ge)(?:name|text)?$/.test(proc)) return 'string comparison';
  if (/^array_(?:eq|ne|lt|le|gt|ge)$/.test(proc)) return 'string comparison';
  if (/^(?:text|name|bpchar)ic(?:n?like)$/.test(proc)) return 'ILIKE';
  if (/^(?:text|name|bpchar)(?:ic)?regex(?:eq|ne)$/.test(proc) || proc.startsWith('regexp_')) return 'regular expression';
  switch (proc) {
    case 'lower':
    case 'upper':
    case 'initcap':
      return `${proc}() function`;
    case 'position':
    case 'strpos':
    case 'replace':
    case 'split_part':
    case 'string_to_array':
    case 'starts_with':
      return 'string comparison';
    default:
      return null;
  }
}

/** A placeholder for a value with an indeterminate collation: an error for the first row without nulls. */
function undetermined(value: Bound, parts: readonly Bound[], what: string): Bound {
  const fn: ScalarFunction = {
    kind: 'scalar',
    name: 'undetermined_collation',
    args: parts.map(() => 'any'),
    returns: 'any',
    volatility: 'stable',
    doc: '',
    impl: () => {
      throw new SvcError('42P22', `could not determine which collation to use for ${what}`, { hint: SET });
    },
  };
  return { kind: 'call', fn, proc: fn.name, args: parts, type: value.type, typmod: value.typmod };
}

export class Collations {
  /** Columns with another collation than their type's. */
  readonly #columns = new Map<ColumnId, Derived>();
  readonly #noted = new WeakMap<Expression, Derived>();
  /** A definition is being stored: nothing runs, and its text stays. */
  readonly recording: boolean;
  readonly #binder: Pick<Binder, 'names' | 'type'>;

  constructor(binder: Pick<Binder, 'names' | 'type' | 'recording'>) {
    this.recording = binder.recording !== null;
    this.#binder = binder;
  }

  /** The ICU collation; null for another. */
  icu({ strength, name }: Derived): IcuCollation | null {
    if (name === null || (strength !== 'implicit' && strength !== 'explicit')) return null;
    return this.#binder.names.icuCollation?.(name) ?? null;
  }

  /** A nondeterministic collation, when the statement runs. */
  folding(derived: Derived | undefined, type: SqlType): IcuCollation | null {
    if (this.recording || derived === undefined || typeCollation(type) === null || type.element !== null) return null;
    const found = this.icu(derived);
    return found?.deterministic === false ? found : null;
  }

  setColumn(id: ColumnId, derived: Derived): void {
    this.#columns.set(id, derived);
  }

  copyColumn(from: ColumnId, to: ColumnId): void {
    const known = this.#columns.get(from);
    if (known !== undefined) this.#columns.set(to, known);
  }

  /** The collation of a query's output column: an explicit one still counts as explicit. */
  output(id: ColumnId, type: SqlType): Derived {
    return this.#columns.get(id) ?? ofType(type, 0);
  }

  of(expression: Expression): Derived {
    return this.#noted.get(expression) ?? { strength: 'implicit', name: DEFAULT, at: startOf(expression) };
  }

  /** Of a column as a reference to it. */
  ofValue(value: Bound, at: number): Derived {
    const known = value.kind === 'column' ? this.#columns.get(value.id) : undefined;
    if (known === undefined) return ofType(value.type, at);
    return known.strength === 'implicit' || known.strength === 'explicit' ? { strength: 'implicit', name: known.name, at } : NONE;
  }

  /** 42P21 for keys of ORDER BY, GROUP BY and DISTINCT with conflicting collations of two columns. */
  check(derived: Derived): void {
    if (derived.strength === 'conflict') refuse(derived);
  }

  /** The value of a key; an error at run time if it is a column with an indeterminate collation. */
  key(value: Bound, derived: Derived): Bound {
    this.check(derived);
    if (this.recording || typeCollation(value.type) === null) return value;
    const icu = value.type.element === null ? this.icu(derived) : null;
    if (icu !== null) return collatedKey(this.#binder, value, icu);
    if (derived.strength !== 'none') return value;
    return undetermined(value, [value], 'string comparison');
  }

  /** Records the collation of a bound expression; gives its replacement. */
  note(expression: Expression, value: Bound): Bound {
    const own = typeCollation(value.type);
    const at = startOf(expression);
    const set = (derived: Derived): Bound => {
      this.#noted.set(expression, derived);
      return value;
    };
    switch (expression.type) {
      case 'collate':
        return set({ strength: 'explicit', name: expression.collation[expression.collation.length - 1], at: expression.at });
      case 'null':
      case 'string':
      case 'parameter':
        return set({ strength: 'implicit', name: value.type.name === 'unknown' ? DEFAULT : own, at });
      case 'column':
      case 'valueFunction':
        return set(this.ofValue(value, at));
      case 'subquery':
      case 'arrayQuery':
        if (value.kind !== 'subquery' && value.kind !== 'arrayQuery') return set(ofType(value.type, at));
        return set(this.ofValue({ kind: 'column', id: value.plan.columns[0].id, type: value.type, typmod: -1 }, at));
      case 'field':
        return set(ofType(value.type, at));
      case 'subscript':
        return set(own === null ? NONE : this.of(expression.arg));
      case 'quantifiedQuery':
      case 'inQuery': {
        const left = expression.type === 'inQuery' ? expression.arg : expression.left;
        const query = value.kind === 'not' ? value.arg : value;
        if (left.type === 'row' || query.kind !== 'quantifiedQuery') return set(NONE);
        const [column] = query.plan.columns;
        return this.#needs(expression, value, [this.of(left), this.ofValue({ kind: 'column', id: column.id, type: column.type, typmod: -1 }, at)]);
      }
      default: {
        if (expression.type === 'cast' && value.kind === 'constant' && this.of(expression.arg).strength !== 'explicit') return set(ofType(value.type, at));
        const parts = operands(expression);
        if (parts === null || parts.some(({ type }) => type === 'row')) return set(ofType(value.type, at));
        return this.#needs(
          expression,
          value,
          parts.map((each) => this.of(each)),
        );
      }
    }
  }

  #needs(expression: Expression, value: Bound, parts: readonly Derived[]): Bound {
    const input = merged(parts);
    const own = typeCollation(value.type);
    const at = startOf(expression);
    this.#noted.set(expression, own === null ? NONE : input.strength === 'none' ? { strength: 'implicit', name: own, at } : input);
    if (value.kind === 'call' && value.proc === 'pg_collation_for') return shown(value, input);
    if (expression.type === 'call' && value.kind === 'column' && own !== null && value.collation === undefined)
      this.#columns.set(value.id, this.of(expression));
    if (this.recording) return value;
    return this.#instead(value, input) ?? value;
  }

  /** The node under its collation, or an error node if that is indeterminate. */
  #instead(value: Bound, input: Derived): Bound | null {
    if (input.strength === 'conflict' || input.strength === 'none') return this.#compared(value);
    const icu = this.icu(input);
    return icu === null ? null : collated(value, icu, this.#binder, (type) => typeCollation(type) !== null && type.element === null);
  }

  /** The node, or an error node if it compares texts or needs a collation in another way. */
  #compared(value: Bound): Bound | null {
    const children = childrenOf(value);
    const collatable = children.some(({ type }) => typeCollation(type) !== null);
    switch (value.kind) {
      case 'call': {
        const what = need(value.proc);
        return what !== null && collatable ? undetermined(value, children, what) : null;
      }
      case 'and':
      case 'or': {
        const args = value.args.map((arg) => this.#compared(arg) ?? arg);
        return args.every((arg, i) => arg === value.args[i]) ? null : { ...value, args };
      }
      case 'not': {
        const arg = this.#compared(value.arg);
        return arg === null ? null : { ...value, arg };
      }
      case 'in':
      case 'isDistinct':
      case 'nullIf':
      case 'greatest':
      case 'least':
        return collatable ? undetermined(value, children, 'string comparison') : null;
      case 'quantified':
        return collatable && need(value.operator.proc) !== null ? undetermined(value, children, need(value.operator.proc)!) : null;
      case 'quantifiedQuery': {
        const compare = this.#compared(value.compare);
        return compare === null ? null : { ...value, compare };
      }
      default:
        return null;
    }
  }

  /** An implicit comparison: of columns that USING merges, of fields of rows. */
  using(equal: Bound, left: Bound, right: Bound): Bound {
    const derived = merged([this.ofValue(left, 0), this.ofValue(right, 0)]);
    return this.recording ? equal : (this.#instead(equal, derived) ?? equal);
  }

  /** Equality of a CASE operand and one of its values. */
  ofCase(equal: Bound, parts: readonly Expression[]): Bound {
    return this.recording ? equal : (this.#instead(equal, merged(parts.map((each) => this.of(each)))) ?? equal);
  }

  /** Arguments of an aggregate that compares them. */
  aggregated(
    fn: AggregateFunction,
    args: readonly Bound[],
    { args: written, distinct }: Pick<Extract<Expression, { type: 'call' }>, 'args' | 'distinct'>,
  ): { readonly fn: AggregateFunction; readonly args: readonly Bound[] } {
    const derived = merged(written.map((each) => this.of(each)));
    if (distinct && args.some(({ type }) => this.folding(derived, type) !== null)) {
      const foldings = args.map(({ type }) => this.folding(derived, type));
      return {
        fn: overCollatedKeys(
          fn,
          args.map(({ type }, i) => (foldings[i] === null ? null : type)),
        ),
        args: args.map((arg, i) => (foldings[i] === null ? arg : collatedKey(this.#binder, arg, foldings[i]))),
      };
    }
    if (this.recording || (fn.name !== 'max' && fn.name !== 'min')) return { fn, args };
    const icu = args.length === 1 && args[0].type.element === null && typeCollation(args[0].type) !== null ? this.icu(derived) : null;
    if (icu !== null) return { fn: collatedExtreme(fn, args[0].type, icu), args };
    if (derived.strength !== 'conflict' && derived.strength !== 'none') return { fn, args };
    return { fn, args: args.map((arg) => (typeCollation(arg.type) === null ? arg : undetermined(arg, [arg], 'string comparison'))) };
  }

  /** Columns of UNION and similar, or rows of VALUES: 42P21 for a conflict, unless nothing compares them. */
  combined(parts: readonly Derived[], all: boolean): Derived {
    const out = merged(parts);
    if (out.strength !== 'conflict') return out.strength === 'explicit' ? { ...out, strength: 'implicit' } : out;
    return all ? NONE : refuse(out);
  }

  /** For a column of a new relation: null if its type's own applies, `''` if it is indeterminate. */
  kept(id: ColumnId, type: SqlType): string | null {
    const known = this.#columns.get(id);
    if (known === undefined || typeCollation(type) === null) return null;
    if (known.strength === 'conflict' || known.strength === 'none') return '';
    return known.name === typeCollation(type) ? null : known.name;
  }
}

function ofType(type: SqlType, at: number): Derived {
  const name = type.name === 'unknown' ? DEFAULT : typeCollation(type);
  return name === null ? NONE : { strength: 'implicit', name, at };
}

/** pg_collation_for: computed at bind time. */
function shown(value: Bound & { kind: 'call' }, { strength, name }: Derived): Bound {
  const [{ type }] = value.args;
  if (type.name !== 'unknown' && typeCollation(type) === null) throw new SvcError('42804', `collations are not supported by type ${type.title}`);
  const known = strength !== 'none' && strength !== 'conflict' && name !== null && (type.name !== 'unknown' || strength === 'explicit');
  const text = known ? (name === DEFAULT ? inQuotes(name) : quoteIdentifier(name)) : null;
  return { kind: 'constant', type: value.type, typmod: -1, value: text };
}

/** The operands that determine the collation of an expression; null: its type does. */
function operands(expression: Expression): readonly Expression[] | null {
  switch (expression.type) {
    case 'call':
      return expression.withinGroup ? [...expression.args, ...expression.orderBy.map(({ value }) => value)] : expression.args;
    case 'operator':
      return expression.left === null ? [expression.right] : [expression.left, expression.right];
    case 'isDistinct':
    case 'nullIf':
    case 'quantifiedArray':
      return [expression.left, expression.right];
    case 'in':
      return [expression.arg, ...expression.list];
    case 'between':
      return [expression.arg, expression.low, expression.high];
    case 'like':
      return expression.escape === null ? [expression.arg, expression.pattern] : [expression.arg, expression.pattern, expression.escape];
    case 'array':
      return expression.elements;
    case 'coalesce':
    case 'greatest':
    case 'least':
      return expression.args;
    case 'case':
      // oxlint-disable-next-line unicorn/no-thenable -- `then` is a node, never a function
      return [...expression.branches.map((branch) => branch.then), ...(expression.otherwise === null ? [] : [expression.otherwise])];
    case 'cast':
      return [expression.arg];
    default:
      return null;
  }
}
