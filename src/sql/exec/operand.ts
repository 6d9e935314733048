/** The result of compiled expression code: a variable or literal with the value, and one with the null flag. */
import { Numeric } from '../types/numeric.ts';
import type { Repr } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Emitter } from './emitter.ts';

/**
 * As in types, and `scaled`: a numeric as its coefficient at a scale known to the compiler (NaN as NaN); `decimal`: the same at a
 * scale that comes with each value.
 */
export type Rep = Repr | 'scaled' | 'decimal';

export interface Operand {
  /** Variable, literal or array element: cheap, so it may be repeated. If null, some value of the form. */
  readonly v: string;
  /** Variable, 'true' or 'false'. */
  readonly n: string;
  readonly rep: Rep;
  /** For `scaled`. */
  readonly scale: number;
  /** For `decimal`, both variables or literals: the coefficient's scale, and the display scale, which may be greater. */
  readonly s?: string;
  readonly d?: string;
  /** For a text in the leaf of a scan: requests codes of the reader, and gives its state. */
  readonly codes?: () => number;
  /** All rows are read: functions of a text may be computed once per code. */
  readonly often?: boolean;
  /** The value if the compiler knows it. */
  readonly constant?: Value;
}

const DUMMIES: Record<Rep, string> = {
  bool: 'false',
  i32: '0',
  f64: '0',
  whole: '0',
  scaled: '0',
  decimal: '0',
  string: "''",
  numeric: 'null',
  object: 'null',
};

/** A placeholder for a null's value: of the same form, so that variables stay monomorphic. */
export function dummy(rep: Rep): string {
  return DUMMIES[rep];
}

export function decimal(v: string, s: string, d: string, n: string): Operand {
  return { v, n, rep: 'decimal', scale: 0, s, d };
}

/** A numeric in any form as coefficient and scale. */
export function decimalOf(g: Emitter, from: Operand): Operand {
  if (from.rep === 'decimal') return from;
  if (from.rep === 'scaled') return decimal(from.v, String(from.scale), String(from.scale), from.n);
  if (from.n === 'true') return decimal('0', '0', '0', 'true');
  const key = `decimal ${from.v} ${from.n}`;
  const found = g.memo<Operand>(key);
  if (found !== undefined) return found;
  const t = g.fresh('t');
  const s = g.fresh('s');
  const guard = from.n === 'false' ? '' : `${from.n} ? 0 : `;
  g.line(`const ${t} = ${guard}${from.v}.coefficient, ${s} = ${guard}${from.v}.scale;`);
  const result = decimal(t, s, s, from.n);
  g.remember(key, result);
  return result;
}

export function operand(v: string, n: string, rep: Rep, scale = 0): Operand {
  return { v, n, rep, scale };
}

export function nullOperand(rep: Rep): Operand {
  return { v: dummy(rep), n: 'true', rep, scale: 0, constant: null };
}

/** The condition that any is null. */
export function anyNull(operands: readonly Operand[]): string {
  const names = new Set<string>();
  for (const { n } of operands) {
    if (n === 'true') return 'true';
    if (n !== 'false') names.add(n);
  }
  return names.size === 0 ? 'false' : [...names].join(' || ');
}

export function literal(g: Emitter, value: Value, rep: Rep): Operand {
  if (value === null) return nullOperand(rep);
  if (value instanceof Numeric && Number.isFinite(Number(value.coefficient))) {
    return { v: apart(g, value.coefficient), n: 'false', rep: 'scaled', scale: value.scale, constant: value };
  }
  return { v: apart(g, value), n: 'false', rep, scale: 0, constant: value };
}

/** Outside of the code, which is then the same for another literal. */
export function apart(g: Emitter, value: NonNullable<Value>): string {
  if (typeof value === 'boolean') return String(value);
  // Constants are compared as keys of a map.
  return Object.is(value, -0) ? '(-0)' : g.constant(value);
}

/** The same value in the form of its type. */
export function unscaled(g: Emitter, from: Operand): Operand {
  if (from.rep === 'decimal') return ofDecimal(g, from);
  if (from.rep !== 'scaled') return from;
  if (from.constant !== undefined && from.constant !== null) return { ...from, v: g.constant(from.constant), rep: 'numeric' };
  const found = g.memo<Operand>(`numeric ${from.v} ${from.n} ${from.scale}`);
  if (found !== undefined) return found;
  const t = g.fresh('t');
  const make = `${g.runtime('numericOf')}(${from.v}, ${from.scale})`;
  g.line(`const ${t} = ${from.n === 'false' ? make : `${from.n} ? null : ${make}`};`);
  const result = operand(t, from.n, 'numeric');
  g.remember(`numeric ${from.v} ${from.n} ${from.scale}`, result);
  return result;
}

function ofDecimal(g: Emitter, { v, s, d, n }: Operand): Operand {
  if (n === 'true') return nullOperand('numeric');
  const key = `numeric ${v} ${n} ${s} ${d}`;
  const found = g.memo<Operand>(key);
  if (found !== undefined) return found;
  const t = g.fresh('t');
  g.line(`const ${t} = ${n === 'false' ? '' : `${/^\w+$/.test(n) ? n : `(${n})`} ? null : `}${g.runtime('shownNumeric')}(${v}, ${s}, ${d});`);
  const result = operand(t, n, 'numeric');
  g.remember(key, result);
  return result;
}

/** The value, or null, as stored in a batch. */
export function asValue(g: Emitter, from: Operand): string {
  if (from.n === 'true') return 'null';
  const plain = unscaled(g, from);
  // A numeric built from a coefficient is already null if the flag is set.
  return plain.n === 'false' || ((from.rep === 'scaled' || from.rep === 'decimal') && from.constant === undefined)
    ? plain.v
    : `(${plain.n} ? null : ${plain.v})`;
}

/** From a value as stored in a batch, in variable `name`. */
export function fromValue(g: Emitter, name: string, rep: Repr): Operand {
  const n = g.fresh('n');
  g.line(`const ${n} = ${name} === null;`);
  if (rep === 'object' || rep === 'numeric') return operand(name, n, rep);
  const v = g.fresh('t');
  g.line(`const ${v} = ${n} ? ${dummy(rep)} : ${name};`);
  return operand(v, n, rep);
}
