/**
 * Expressions under an ICU collation: comparisons in its order, keys for sorting and grouping, case conversion by its locale.
 * Equality under a deterministic collation is equality of texts, and stays as bound.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AggregateFunction, Call } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { RecordValue } from '../types/record-value.ts';
import { trimBlanks } from '../types/text-order.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { canFold } from '../types/folded-text.ts';
import { folded } from '../plan/folded.ts';
import { madeCall } from './made-call.ts';

interface Types {
  type(name: string): SqlType;
}

const COMPARISON = /^(text|name|bpchar|varchar)(?:name|text)?_?(eq|ne|lt|le|gt|ge)$/;
const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

/** Compares two values of a text type. */
function orderOf(collation: IcuCollation, blanks: boolean): (a: Value, b: Value) => number {
  if (!blanks) return (a, b) => collation.compare(a as string, b as string);
  return (a, b) => collation.compare(trimBlanks(a as string), trimBlanks(b as string));
}

const KEY = 'collation_key';
const keyTypes = new WeakMap<SqlType, WeakMap<IcuCollation, readonly SqlType[]>>();

/** The type as the single field of a row, with the collation's order and equality. */
function keyType(type: SqlType, collation: IcuCollation): readonly SqlType[] {
  let known = keyTypes.get(type);
  if (known === undefined) keyTypes.set(type, (known = new WeakMap()));
  let own = known.get(collation);
  if (own === undefined) {
    const blanks = type.name === 'bpchar';
    const hashKey = (value: Value): string | number => collation.hashKey(blanks ? trimBlanks(value as string) : (value as string));
    known.set(collation, (own = [{ ...type, compare: orderOf(collation, blanks), hashKey }]));
  }
  return own;
}

/** A key of the value: it sorts by the collation, and is equal if the collation says so. */
export function collatedKey(types: Types, value: Bound, collation: IcuCollation): Bound {
  const field = keyType(value.type, collation);
  return madeCall(types, KEY, 'record', [value], (_call, each) => (each === null ? null : new RecordValue([each], field)));
}

/** The value in a key, if it is one. */
export function underKey(value: Bound): Bound {
  return value.kind === 'call' && value.proc === KEY ? value.args[0] : value;
}

/** The value of a key: for equal keys the first one. */
export function ofCollatedKey(types: Types, key: Bound, type: SqlType, typmod: number): Bound {
  const value = madeCall(types, 'of_collation_key', type.name, [key], (_call, each) => (each === null ? null : (each as RecordValue).fields[0]));
  return { ...value, type, typmod };
}

/** A placeholder for what is not supported under a nondeterministic collation: 0A000 for the first row. */
function unsupported(value: Bound, args: readonly Bound[], types: Types, what: string): Bound {
  const refused = madeCall(types, 'nondeterministic_collation', value.type.name, args, () => {
    throw new SvcError('0A000', `nondeterministic collations are not supported for ${what}`);
  });
  return { ...refused, type: value.type, typmod: value.typmod };
}

function unsupportedFor(proc: string): string | null {
  if (/^(?:text|name|bpchar)n?like$/.test(proc)) return 'LIKE';
  if (/^(?:text|name|bpchar)icn?like$/.test(proc)) return 'ILIKE';
  if (/^(?:text|name|bpchar)(?:ic)?regex(?:eq|ne)$/.test(proc) || proc.startsWith('regexp_')) return 'regular expressions';
  return ['position', 'strpos', 'replace', 'split_part', 'string_to_array', 'starts_with'].includes(proc) ? 'substring searches' : null;
}

function cased(collation: IcuCollation, proc: string): ((text: string) => string) | null {
  return proc === 'lower' ? collation.lower : proc === 'upper' ? collation.upper : proc === 'initcap' ? collation.title : null;
}

/** The node under the collation; null if it stays as it is. */
export function collated(value: Bound, collation: IcuCollation, types: Types, isText: (type: SqlType) => boolean): Bound | null {
  const again = (each: Bound): Bound => collated(each, collation, types, isText) ?? each;
  const made = (name: string, args: readonly Bound[], impl: (call: Call, ...values: Value[]) => Value): Bound => ({
    ...madeCall(types, name, value.type.name, args, impl),
    type: value.type,
    typmod: value.typmod,
  });
  switch (value.kind) {
    case 'call': {
      const { proc, args } = value;
      const [, type, sign] = COMPARISON.exec(proc) ?? [];
      if (sign !== undefined && args.length === 2) {
        const equals = sign === 'eq' || sign === 'ne';
        if (collation.deterministic && equals) return null;
        if (equals && args.every((each) => canFold(each.type, collation))) return { ...value, args: args.map((each) => folded(each, collation)) };
        const order = orderOf(collation, type === 'bpchar');
        return made(proc, args, (_call, a, b) => (a === null || b === null ? null : HOLDS[sign](order(a, b))));
      }
      const by = args.length === 1 && isText(args[0].type) ? cased(collation, proc) : null;
      if (by !== null) return made(proc, args, (_call, text) => (text === null ? null : by(text as string)));
      const what = collation.deterministic ? null : unsupportedFor(proc);
      return what === null ? null : unsupported(value, args, types, what);
    }
    case 'and':
    case 'or': {
      const args = value.args.map(again);
      return args.every((arg, i) => arg === value.args[i]) ? null : { ...value, args };
    }
    case 'not': {
      const arg = again(value.arg);
      return arg === value.arg ? null : { ...value, arg };
    }
    case 'quantifiedQuery': {
      const compare = again(value.compare);
      return compare === value.compare ? null : { ...value, compare };
    }
    case 'in': {
      if (collation.deterministic || !isText(value.arg.type)) return null;
      if ([value.arg, ...value.list].every((each) => canFold(each.type, collation)))
        return { ...value, arg: folded(value.arg, collation), list: value.list.map((each) => folded(each, collation)) };
      const order = orderOf(collation, value.arg.type.name === 'bpchar');
      return made('in', [value.arg, ...value.list], (_call, arg, ...list) => {
        if (arg === null) return null;
        if (list.some((each) => each !== null && order(arg, each) === 0)) return !value.negated;
        return list.includes(null) ? null : value.negated;
      });
    }
    case 'isDistinct': {
      if (collation.deterministic || !isText(value.left.type)) return null;
      if ([value.left, value.right].every((each) => canFold(each.type, collation)))
        return { ...value, left: folded(value.left, collation), right: folded(value.right, collation) };
      const order = orderOf(collation, value.left.type.name === 'bpchar');
      return made('is_distinct', [value.left, value.right], (_call, a, b) => (a === null || b === null ? a !== b : order(a, b) !== 0) !== value.negated);
    }
    case 'nullIf': {
      if (collation.deterministic || !isText(value.left.type)) return null;
      const order = orderOf(collation, value.left.type.name === 'bpchar');
      return made('nullif', [value.left, value.right], (_call, a, b) => (a !== null && b !== null && order(a, b) === 0 ? null : a));
    }
    case 'greatest':
    case 'least': {
      if (!isText(value.type)) return null;
      const order = orderOf(collation, value.type.name === 'bpchar');
      const sign = value.kind === 'greatest' ? 1 : -1;
      return made(value.kind, value.args, (_call, ...list) => {
        let best: Value = null;
        for (const each of list) if (each !== null && (best === null || sign * order(each, best) > 0)) best = each;
        return best;
      });
    }
    case 'quantified': {
      const { operator, quantifier } = value;
      const [, type, sign] = COMPARISON.exec(operator.proc) ?? [];
      if (sign === undefined) {
        const what = collation.deterministic ? null : unsupportedFor(operator.proc);
        return what === null ? null : unsupported(value, [value.left, value.array], types, what);
      }
      const equals = sign === 'eq' || sign === 'ne';
      if (collation.deterministic && equals) return null;
      if (equals && canFold(value.left.type, collation) && value.array.type.element !== null && canFold(value.array.type.element, collation))
        return { ...value, left: folded(value.left, collation), array: folded(value.array, collation) };
      const order = orderOf(collation, type === 'bpchar');
      const { impl: _, needsCall: __, ...rest } = operator;
      return { ...value, operator: { ...rest, name: 'collated', proc: `collated_${quantifier}`, impl: (a: Value, b: Value) => HOLDS[sign](order(a, b)) } };
    }
    default:
      return null;
  }
}

/** The aggregate over keys of its arguments; `types` are those that are keys: duplicates are removed by key before it gets the values. */
export function overCollatedKeys(fn: AggregateFunction, types: readonly (SqlType | null)[]): AggregateFunction {
  const plain = (value: Value, i: number): Value => (types[i] == null || value === null ? value : (value as RecordValue).fields[0]);
  const { step, init } = fn;
  return {
    ...fn,
    name: `collated_${fn.name}`,
    init: (call: Call) => init({ ...call, argTypes: call.argTypes.map((type, i) => types[i] ?? type) }),
    step: (state: unknown, ...values: Value[]) => step(state, ...values.map(plain)),
  };
}

/** max or min of texts by the collation. */
export function collatedExtreme(fn: AggregateFunction, type: SqlType, collation: IcuCollation): AggregateFunction {
  const order = orderOf(collation, type.name === 'bpchar');
  const sign = fn.name === 'max' ? 1 : -1;
  return {
    ...fn,
    name: `collated_${fn.name}`,
    strict: true,
    init: () => null,
    step: (state: unknown, value: Value) => (state !== null && sign * order(state as Value, value) > 0 ? state : value),
    finish: (state: unknown) => state as Value,
  } as AggregateFunction;
}
