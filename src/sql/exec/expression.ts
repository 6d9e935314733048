/**
 * Compiles bound expressions to statements. The first arguments of operators, casts and similar form a chain that is walked in a
 * loop, so an operator chain of any length compiles; other nesting is bounded. The form of each result is fixed by its type; nulls
 * are kept in separate flags, elided if known.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { LongRule, ScalarFunction, SqlOperator } from '../functions/define.ts';
import { longInput } from '../functions/long-inputs.ts';
import { mayHaveParts } from './long-text.ts';
import { SlowMatch } from '../functions/text/regexp/time-limit.ts';
import type { ArrayValue } from '../types/array-value.ts';
import type { Bound, ColumnId, InList, RowCompare } from '../plan/bound.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Compilation } from './compilation.ts';
import type { Emitter } from './emitter.ts';
import { NumberTable } from './key-table.ts';
import { CASTS } from './inline/casts.ts';
import { blankPaddedTest, floatTest } from './inline/comparisons.ts';
import { columnsOf, hasSubquery, isVolatile } from '../plan/rules/walk.ts';
import { byCode, UNKNOWN } from './code-ids.ts';
import { INLINE } from './inline/table.ts';
import type { InlineRule } from './inline/rule.ts';
import { anyNull, asValue, decimal, decimalOf, dummy, fromValue, literal, nullOperand, operand, unscaled, type Operand } from './operand.ts';

/** Nesting of CASE, function arguments past the first and similar. */
const NESTING_MAX = 700;

/** The sources of columns while the code of a row is written. */
export type Scope = Map<ColumnId, () => Operand>;

export class Expressions {
  readonly c: Compilation;
  readonly g: Emitter;
  scope: Scope;

  constructor(c: Compilation, g: Emitter, scope: Scope = new Map()) {
    this.c = c;
    this.g = g;
    this.scope = scope;
  }

  compile(e: Bound): Operand {
    const { g } = this;
    if (++g.depth > NESTING_MAX) throw new SvcError('54001', 'stack depth limit exceeded');
    const chain: Bound[] = [];
    let at = e;
    for (let first = firstOf(at); first !== null; first = firstOf(at)) {
      chain.push(at);
      at = first;
    }
    let result = this.#leaf(at);
    for (let i = chain.length - 1; i >= 0; i--) result = this.#link(chain[i], result);
    g.depth--;
    return result;
  }

  /** The value in the form of its type, or null, as one expression. */
  value(e: Bound): string {
    return asValue(this.g, this.compile(e));
  }

  /** Runs `then` inside a block that is entered if the predicate is true. */
  where(predicates: readonly Bound[], then: () => void): void {
    const { g } = this;
    let open = 0;
    for (const predicate of predicates) {
      const text = this.#codedText(predicate);
      if (text !== null) {
        const known = byCode(this.c, g, text.codes!());
        const t = g.fresh('t');
        g.line(`let ${t} = ${known};`);
        if (text.n !== 'false') g.line(`if (${text.n}) ${t} = ${UNKNOWN};`);
        g.open(`if (${t} === ${UNKNOWN})`);
        const { v, n } = this.compile(predicate);
        g.line(`${t} = ${n === 'false' ? v : `${v} && !${paren(n)}`} ? 1 : 0;`);
        g.line(`${text.n === 'false' ? '' : `if (!${text.n}) `}${known} = ${t};`);
        g.close();
        g.open(`if (${t} === 1)`);
        open++;
        continue;
      }
      const { v, n } = this.compile(predicate);
      if (v === 'true' && n === 'false') continue;
      g.open(`if (${n === 'false' ? v : `${v} && !${n}`})`);
      open++;
    }
    then();
    for (; open > 0; open--) g.close();
  }

  /** The text that alone decides the predicate, if it has a shared code. */
  #codedText(predicate: Bound): Operand | null {
    const columns = columnsOf(predicate);
    if (columns.size !== 1 || predicate.kind === 'column' || isVolatile(predicate) || hasSubquery(predicate)) return null;
    const [id] = columns;
    const binding = this.scope.get(id);
    if (binding === undefined) return null;
    const known = this.g.memo<Operand>(`column ${id}`) ?? binding();
    this.g.remember(`column ${id}`, known);
    return known.codes !== undefined && known.often === true ? known : null;
  }

  column(id: ColumnId, type: SqlType): Operand {
    const { g } = this;
    const key = `column ${id}`;
    const known = g.memo<Operand>(key);
    if (known !== undefined) return known;
    const binding = this.scope.get(id);
    if (binding === undefined) return this.hoisted(key, `S[0].slots[${this.c.slot(id)}]`, type);
    const made = binding();
    g.remember(key, made);
    return made;
  }

  /** A value that is constant for a chunk of rows. */
  hoisted(key: string, source: string, type: SqlType): Operand {
    const { g } = this;
    const value = g.hoist(key, source);
    const n = g.hoist(`${key} null`, `${value} === null`);
    if (type.repr === 'object' || type.repr === 'numeric') return operand(value, n, type.repr);
    return operand(g.hoist(`${key} value`, `${n} ? ${dummy(type.repr)} : ${value}`), n, type.repr);
  }

  #leaf(e: Bound): Operand {
    const { g, c } = this;
    switch (e.kind) {
      case 'constant':
        return literal(g, e.value, e.type.repr);
      case 'column':
        return this.column(e.id, e.type);
      case 'parameter': {
        const number = e.number;
        const state = c.runState((run) => run.context.params[number - 1] ?? null, `parameter ${number}`);
        return this.hoisted(`parameter ${number}`, `S[${state}]`, e.type);
      }
      case 'environment': {
        const state = c.runState((run) => run.context.environmentValue(e));
        return this.hoisted(`environment ${state}`, `S[${state}]`, e.type);
      }
      case 'call':
        return this.#call(e.fn.impl, e, e.proc, []);
      case 'and':
      case 'or':
        return this.#logical(e.kind, e.args);
      case 'case': {
        const result = this.#choice(e.type);
        const label = g.fresh('L');
        g.open(`${label}:`);
        let decided = false;
        for (const { when, then } of e.branches) {
          g.open('');
          const test = this.compile(when);
          // A branch that is never taken is not compiled: its constants may be invalid.
          if (test.constant !== false && test.constant !== null) {
            decided = test.constant === true;
            g.open(decided ? '' : `if (${test.n === 'false' ? test.v : `${test.v} && !${test.n}`})`);
            this.#assign(result, this.compile(then));
            g.line(`break ${label};`);
            g.close();
          }
          g.close();
          if (decided) break;
        }
        if (!decided) this.#assign(result, this.compile(e.otherwise));
        g.close();
        return result;
      }
      case 'coalesce': {
        const result = this.#choice(e.type);
        const label = g.fresh('L');
        g.open(`${label}:`);
        for (const arg of e.args) {
          g.open('');
          const one = this.compile(arg);
          if (one.n !== 'true') {
            if (one.n !== 'false') g.line(`if (!${one.n}) {`);
            this.#assign(result, one);
            g.line(`break ${label};`);
            if (one.n !== 'false') g.line('}');
          }
          g.close();
          if (one.n === 'false') break;
        }
        g.close();
        return result;
      }
      case 'let': {
        const value = this.compile(e.value);
        const before = this.scope.get(e.id);
        this.scope.set(e.id, () => value);
        const body = this.compile(e.body);
        if (before === undefined) this.scope.delete(e.id);
        else this.scope.set(e.id, before);
        return body;
      }
      case 'greatest':
      case 'least':
        return this.#extreme(e.args, e.kind === 'greatest', e.type);
      case 'array': {
        const t = g.fresh('t');
        g.line(`const ${t} = ${g.runtime('buildArray')}([${e.elements.map((element) => this.value(element)).join(', ')}], ${e.nested});`);
        return operand(t, 'false', 'object');
      }
      case 'row': {
        const t = g.fresh('t');
        const types = g.constant(e.fields.map((field) => field.type));
        g.line(`const ${t} = ${g.runtime('makeRecord')}([${e.fields.map((field) => this.value(field)).join(', ')}], ${types});`);
        return operand(t, 'false', 'object');
      }
      case 'rowCompare':
        return this.#rowCompare(e);
      case 'exists':
      case 'subquery':
      case 'arrayQuery':
      case 'quantifiedQuery':
        return this.c.subquery(this, e);
      default:
        throw new Error(`unreachable: ${e.kind}`);
    }
  }

  /** One link of a chain over the value of its first argument. */
  #link(e: Bound, first: Operand): Operand {
    const { g } = this;
    switch (e.kind) {
      case 'call': {
        const operands = [first];
        const padded = e.args.length === 2 && e.args[0].type.name === 'bpchar';
        for (let i = 1; i < e.args.length; i++) operands.push(this.compile(padded ? blankPadded(e.args[i], e.args[0]) : e.args[i]));
        if (padded && first.constant !== undefined) operands[0] = this.compile(blankPadded(e.args[0], e.args[1]));
        if ((e.fn.needsCall === true || 'kind' in e.fn) && isConstantInRun(e)) return this.#once(e.type, () => this.#call(e.fn.impl, e, e.proc, operands));
        return this.#call(e.fn.impl, e, e.proc, operands);
      }
      case 'cast':
        return this.#cast(e, first);
      case 'not': {
        if (first.n === 'true') return nullOperand('bool');
        const t = g.fresh('t');
        g.line(`const ${t} = !${first.v};`);
        return operand(t, first.n, 'bool');
      }
      case 'isNull': {
        if (e.arg.type.repr === 'object' && (e.arg.type.category === 'C' || e.arg.type.name === 'record')) {
          const t = g.fresh('t');
          g.line(`const ${t} = ${g.runtime('recordIsNull')}(${asValue(g, first)}, ${e.negated});`);
          return operand(t, 'false', 'bool');
        }
        if (first.n === 'true' || first.n === 'false') return operand(String((first.n === 'true') !== e.negated), 'false', 'bool');
        if (!e.negated) return operand(first.n, 'false', 'bool');
        const t = g.fresh('t');
        g.line(`const ${t} = !${paren(first.n)};`);
        return operand(t, 'false', 'bool');
      }
      case 'isBoolean': {
        const t = g.fresh('t');
        const n = paren(first.n);
        const test = e.value === null ? n : e.value ? `${first.v} && !${n}` : `!${first.v} && !${n}`;
        g.line(`const ${t} = ${e.negated ? `!(${test})` : test};`);
        return operand(t, 'false', 'bool');
      }
      case 'isDistinct': {
        const right = this.compile(e.right);
        const t = g.fresh('t');
        g.line(`let ${t} = ${paren(first.n)} !== ${paren(right.n)};`);
        g.open(`if (!${paren(first.n)} && !${paren(right.n)})`);
        const equal = this.operator(e.equal, first, right, e.left.type, e.right.type);
        g.line(`${t} = !(${equal.v} && !${paren(equal.n)});`);
        g.close();
        if (!e.negated) return operand(t, 'false', 'bool');
        const negated = g.fresh('t');
        g.line(`const ${negated} = !${t};`);
        return operand(negated, 'false', 'bool');
      }
      case 'nullIf': {
        const right = this.compile(e.right);
        const equal = this.operator(e.equal, first, right, e.left.type, e.right.type);
        const n = g.fresh('n');
        g.line(`const ${n} = ${paren(first.n)} || (${equal.v} && !${paren(equal.n)});`);
        return { ...operand(first.v, n, first.rep, first.scale), s: first.s, d: first.d };
      }
      case 'in':
        return this.#in(e, first);
      case 'quantified': {
        const array = this.compile(e.array);
        const t = g.fresh('t');
        const n = g.fresh('n');
        const result = g.fresh('t');
        if (array.n === 'true') return nullOperand('bool');
        const elementType = e.array.type.element ?? e.left.type;
        if (array.constant !== undefined && e.quantifier === 'any' && e.operator.name === '=' && elementType.oid === e.left.type.oid && elementType.hashable) {
          const { elements } = array.constant as ArrayValue;
          const values = elements.filter((value) => value !== null);
          return this.#inSet(first, elementType, e.left.typmod, values, values.length < elements.length);
        }
        if (e.array.kind === 'parameter' && e.quantifier === 'any' && e.operator.name === '=' && elementType.oid === e.left.type.oid && elementType.hashable) {
          return this.#inParameter(first, elementType, e.array.number);
        }
        const call = e.operator.needsCall === true ? g.state(this.c.callState([e.left.type, elementType], e.type)) : 'null';
        const make = `${g.runtime('quantified')}(${asValue(g, first)}, ${array.v}, ${e.quantifier === 'any'}, ${g.constant(e.operator)}, ${call})`;
        g.line(`const ${t} = ${array.n === 'false' ? make : `${array.n} ? null : ${make}`};`);
        g.line(`const ${n} = ${t} === null, ${result} = ${t} === true;`);
        return operand(result, n, 'bool');
      }
      case 'field': {
        const t = g.fresh('t');
        g.line(`const ${t} = ${first.n === 'false' ? '' : `${paren(first.n)} ? null : `}${first.v}.fields[${e.index}];`);
        return fromValue(g, t, e.type.repr);
      }
      case 'subscript': {
        const bounds: string[] = [];
        let slice = false;
        for (const one of e.subscripts) {
          slice ||= one.slice;
          const upper = one.upper === null ? 'undefined' : this.value(one.upper);
          const lower = one.lower === null ? (one.slice ? 'undefined' : upper) : this.value(one.lower);
          // A plain subscript among slices starts at 1.
          bounds.push(!one.slice && e.subscripts.some((other) => other.slice) ? '1' : lower, upper);
        }
        const t = g.fresh('t');
        const make = `${g.runtime('subscriptArray')}(${first.v}, [${bounds.join(', ')}], ${slice})`;
        g.line(`const ${t} = ${first.n === 'false' ? make : `${paren(first.n)} ? null : ${make}`};`);
        return fromValue(g, t, e.type.repr);
      }
      default:
        throw new Error(`unreachable: ${e.kind}`);
    }
  }

  /** A value that is computed when the first row needs it, and kept for the run. */
  #once(type: SqlType, make: () => Operand): Operand {
    const { g } = this;
    const kept = g.state(this.c.runState((): { value: Value | undefined } => ({ value: undefined })));
    const r = g.fresh('r');
    g.line(`let ${r} = ${kept}.value;`);
    g.open(`if (${r} === undefined)`);
    const made = make();
    g.line(`${r} = ${kept}.value = ${asValue(g, made)};`);
    g.close();
    return fromValue(g, r, type.repr);
  }

  /** A variable of a type's form with a flag; null until assigned. */
  #result(type: SqlType): Operand {
    const v = this.g.fresh('t');
    const n = this.g.fresh('n');
    this.g.line(`let ${v} = ${dummy(type.repr)}, ${n} = true;`);
    return operand(v, n, type.repr);
  }

  /** The same for a variable that one of several values is assigned to. */
  #choice(type: SqlType): Operand {
    if (type.repr !== 'numeric') return this.#result(type);
    const result = decimal(this.g.fresh('t'), this.g.fresh('s'), this.g.fresh('d'), this.g.fresh('n'));
    this.g.line(`let ${result.v} = 0, ${result.s} = 0, ${result.d} = 0, ${result.n} = true;`);
    return result;
  }

  #assign(to: Operand, from: Operand): void {
    const { g } = this;
    if (from.n === 'true') return;
    if (to.rep === 'decimal') {
      const one = decimalOf(g, from);
      g.line(`${to.v} = ${one.v}; ${to.s} = ${one.s}; ${to.d} = ${one.d}; ${to.n} = ${one.n};`);
      return;
    }
    const plain = unscaled(g, from);
    g.line(`${to.v} = ${plain.v}; ${to.n} = ${plain.n};`);
  }

  /** Three-valued AND and OR; later conditions are evaluated only while the result is open. */
  #logical(kind: 'and' | 'or', args: readonly Bound[]): Operand {
    const { g } = this;
    const flat: Bound[] = [];
    const stack = [...args].reverse();
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.kind === kind) for (let i = at.args.length - 1; i >= 0; i--) stack.push(at.args[i]);
      else flat.push(at);
    }
    const t = g.fresh('t');
    const n = g.fresh('n');
    const open = kind === 'and' ? t : `!${t}`;
    g.line(`let ${t} = ${kind === 'and'}, ${n} = false;`);
    let nullable = false;
    let decided = false;
    flat.forEach((arg, i) => {
      if (decided) return;
      if (i > 0) g.open(`if (${open})`);
      else g.open('');
      const one = this.compile(arg);
      decided = one.constant === (kind === 'or');
      if (one.n === 'false') {
        g.line(kind === 'and' ? `${t} = ${one.v};` : `${t} = ${one.v};`);
      } else {
        nullable = true;
        // While open, t is true for AND (false for OR); a null leaves it so and is recorded.
        g.line(`if (${one.n}) ${n} = true; else ${t} = ${one.v};`);
      }
      g.close();
    });
    if (!nullable) return operand(t, 'false', 'bool');
    // Decided by a definite false (true): earlier nulls do not count.
    const unknown = g.fresh('n');
    g.line(`const ${unknown} = ${n} && ${open};`);
    return operand(t, unknown, 'bool');
  }

  #rule(rule: InlineRule, operands: readonly Operand[]): Operand {
    const { g } = this;
    const n = anyNull(operands);
    if (n === 'true') return nullOperand(rule.rep === 'decimal' ? 'numeric' : rule.rep);
    if (rule.decimal !== undefined) {
      const result = decimal(g.fresh('t'), g.fresh('s'), g.fresh('d'), this.#flag(n));
      g.line(`let ${result.v} = 0, ${result.s} = 0, ${result.d} = 0;`);
      if (result.n !== 'false') g.open(`if (!${result.n})`);
      rule.decimal(g, operands, result);
      if (result.n !== 'false') g.close();
      return result;
    }
    const t = g.fresh('t');
    if (rule.total !== undefined) {
      const source = rule.total(g, operands);
      if (n === 'false' && source === operands[0].v) return { ...operands[0], rep: rule.rep, scale: rule.scale ?? 0, constant: undefined };
      g.line(`const ${t} = ${source};`);
      return operand(t, this.#flag(n), rule.rep, rule.scale);
    }
    const flag = this.#flag(n);
    g.line(`let ${t} = ${dummy(rule.rep)};`);
    if (flag !== 'false') g.open(`if (!${flag})`);
    rule.steps!(g, operands, t);
    if (flag !== 'false') g.close();
    return operand(t, flag, rule.rep, rule.scale);
  }

  #flag(condition: string): string {
    if (condition === 'false' || condition === 'true' || /^\w+$/.test(condition)) return condition;
    const n = this.g.fresh('n');
    this.g.line(`const ${n} = ${condition};`);
    return n;
  }

  // oxlint-disable-next-line no-explicit-any
  #call(impl: (...args: any[]) => Value, e: Bound & { kind: 'call' }, proc: string, operands: readonly Operand[]): Operand {
    return this.#apply(
      impl,
      e.fn,
      proc,
      operands,
      e.args.flatMap((arg) => (arg.kind === 'array' && arg.spread === true ? arg.elements.map(({ type }) => type) : [arg.type])),
      e.type,
    );
  }

  /** `a op b` over compiled values. */
  operator(op: SqlOperator, a: Operand, b: Operand, left: SqlType, right: SqlType): Operand {
    return this.#apply(op.impl, op, op.proc, [a, b], [left, right], null);
  }

  #apply(
    // oxlint-disable-next-line no-explicit-any
    impl: (...args: any[]) => Value,
    fn: { readonly volatility?: string; readonly strict?: boolean; readonly needsCall?: boolean; readonly long?: LongRule },
    proc: string,
    operands: readonly Operand[],
    types: readonly SqlType[],
    returns: SqlType | null,
  ): Operand {
    const { g } = this;
    const rep = returns === null ? 'bool' : returns.repr;
    const strict = fn.strict !== false;
    if (strict && operands.some((o) => o.n === 'true')) return nullOperand(rep);
    if (
      fn.needsCall !== true &&
      (fn.volatility ?? 'immutable') === 'immutable' &&
      operands.every((o) => o.constant !== undefined) &&
      fn.long?.isLong(...operands.map((o) => o.constant)) !== true
    ) {
      try {
        return literal(g, impl(...operands.map((o) => o.constant)), rep);
      } catch (error) {
        // As in Postgres, constants are computed at plan time, whether or not a row is ever reached.
        if (error instanceof SvcError && !(error instanceof SlowMatch)) throw error;
      }
    }
    const rule = INLINE.get(proc)?.(operands) ?? null;
    if (rule !== null && strict) return this.#rule(rule, operands);
    const name = g.constant(impl);
    const call = fn.needsCall === true ? [g.state(this.c.callState(types, returns ?? this.c.bool))] : [];
    const r = g.fresh('r');
    if (fn.long !== undefined) {
      const values = strict ? operands.map((o) => unscaled(g, o)) : [];
      const args = (strict ? values.map((o) => o.v) : operands.map((o) => asValue(g, o))).join(', ');
      const n = anyNull(values);
      g.line(`let ${r} = null;`);
      if (n !== 'false') g.line(`if (!${paren(n)}) {`);
      g.line(`if (${g.constant(fn.long.isLong)}(${args})) {`);
      const long = `${g.runtime('computeLong')}(S[0], ${g.constant(fn)}, ${call[0] ?? 'null'}, [${args}])`;
      const make = `${name}(${[...call, args].join(', ')})`;
      const compute = (): void => {
        if (g.mayPause) g.pauseLong(`${r} = yield* ${long}`);
        else g.line(`${r} = S[0].finish(${long});`);
      };
      compute();
      if (fn.long.mayStop !== true) g.line(`} else ${r} = ${make};`);
      else {
        const stopped = g.fresh('stopped');
        g.line(`} else { let ${stopped} = false; try { ${r} = ${make}; } catch (error) { ${stopped} = ${g.runtime('isSlowMatch')}(error); }`);
        g.line(`if (${stopped}) {`);
        compute();
        g.line('} }');
      }
      if (n !== 'false') g.line('}');
      return fromValue(g, r, rep);
    }
    if (!strict) {
      g.line(`const ${r} = ${name}(${[...call, ...operands.map((o) => asValue(g, o))].join(', ')});`);
      return fromValue(g, r, rep);
    }
    const plain = operands.map((o) => unscaled(g, o));
    const make = `${name}(${[...call, ...plain.map((o) => o.v)].join(', ')})`;
    const n = anyNull(plain);
    g.line(`const ${r} = ${n === 'false' ? make : `${paren(n)} ? null : ${make}`};`);
    return fromValue(g, r, rep);
  }

  #cast(e: Bound & { kind: 'cast' }, from: Operand): Operand {
    const { g } = this;
    const { type, typmod } = e;
    if (from.n === 'true') return nullOperand(type.repr);
    if (e.method === 'binary') {
      if (from.constant !== undefined) return { ...from, rep: from.rep === 'scaled' ? 'scaled' : type.repr };
      return isCoefficient(from) ? from : { ...from, rep: type.repr };
    }
    if (e.method === 'function') {
      const cast = e.cast!;
      const rule = CASTS.get(`${cast.from} ${cast.to}`)?.([from]) ?? null;
      if (rule !== null) {
        if (rule.rep === 'scaled' && typeof from.constant === 'number') return literal(g, cast.impl!(from.constant), 'numeric');
        return this.#rule(rule, [from]);
      }
      if (cast.impl === undefined) return isCoefficient(from) ? from : { ...from, rep: type.repr };
      return this.#apply(cast.impl, { volatility: cast.volatility, needsCall: cast.needsCall }, '', [from], [e.arg.type], type);
    }
    const plain = unscaled(g, from);
    const env = 'S[0].context.env';
    const target = g.constant(type);
    let make: string;
    if (e.method === 'io') {
      let text =
        e.arg.type.repr === 'string' && e.arg.type.made === undefined && (e.arg.type.category === 'S' || e.arg.type.name === 'unknown')
          ? plain.v
          : `${g.constant(e.arg.type)}.format(${plain.v}, ${env})`;
      if (g.mayPause && mayHaveParts(e.arg.type)) {
        const made = g.fresh('t');
        g.line(`let ${made} = null;`);
        g.line(`if (${g.runtime('hasManyParts')}(${plain.v})) {`);
        g.pauseLong(`${made} = yield* ${g.runtime('formatLong')}(S[0], ${g.constant(e.arg.type)}, ${plain.v})`);
        g.line(`} else ${plain.n === 'false' ? '' : `if (!${paren(plain.n)}) `}${made} = ${text};`);
        text = made;
      }
      const input = g.mayPause ? longInput(type) : null;
      if (input !== null) {
        const t = g.fresh('t');
        g.line(`let ${t} = null;`);
        if (plain.n !== 'false') g.line(`if (!${paren(plain.n)}) {`);
        const given = g.fresh('t');
        g.line(`const ${given} = ${text};`);
        g.line(`if (${g.constant(input.long!.isLong)}(${given})) {`);
        const call = g.state(this.c.callState([e.arg.type], type));
        g.pauseLong(`${t} = yield* ${g.runtime('computeLong')}(S[0], ${g.constant(input)}, ${call}, [${given}])`);
        g.line(`} else ${t} = ${target}.parse(${given}, -1, ${env});`);
        if (plain.n !== 'false') g.line('}');
        make = t;
      } else make = `${target}.parse(${text}, -1, ${env})`;
      if (typmod >= 0) make = `${target}.coerce(${make}, ${typmod}, ${e.explicit})`;
    } else if (e.method === 'typmod') {
      if (from.rep === 'scaled' && from.constant === undefined && typmod >= 0) {
        // A decimal column coerced to its own typmod.
        const coerce = `${target}.coerce(${plain.v}, ${typmod}, ${e.explicit})`;
        make = coerce;
      } else make = `${target}.coerce(${plain.v}, ${typmod}, ${e.explicit})`;
    } else {
      const element = type.element!;
      const source = e.arg.type.element;
      let one: string;
      const cast = e.cast;
      if (cast?.impl !== undefined) {
        const impl = g.constant(cast.impl);
        one = cast.needsCall === true ? `(x) => ${impl}(${g.state(this.c.callState([source ?? element], element))}, x)` : `(x) => ${impl}(x)`;
      } else if (source !== null && source.oid !== element.oid && cast?.method !== 'binary') {
        one = `(x) => ${g.constant(element)}.parse(${g.constant(source)}.format(x, ${env}), -1, ${env})`;
      } else one = '(x) => x';
      if (typmod >= 0) one = `(x) => ${g.constant(element)}.coerce((${one})(x), ${typmod}, ${e.explicit})`;
      make = `${g.runtime('arrayCast')}(${plain.v}, ${one})`;
    }
    const r = g.fresh('r');
    g.line(`const ${r} = ${plain.n === 'false' ? make : `${plain.n} ? null : ${make}`};`);
    return fromValue(g, r, type.repr);
  }

  #extreme(args: readonly Bound[], greatest: boolean, type: SqlType): Operand {
    const { g } = this;
    const result = this.#result(type);
    for (const arg of args) {
      const one = unscaled(g, this.compile(arg));
      if (one.n === 'true') continue;
      const test = lessThan(g, type, greatest ? result.v : one.v, greatest ? one.v : result.v);
      g.line(`if (${one.n === 'false' ? '' : `!${one.n} && `}(${result.n} || ${test})) { ${result.v} = ${one.v}; ${result.n} = false; }`);
    }
    return result;
  }

  #in(e: InList, first: Operand): Operand {
    const { g } = this;
    const type = e.arg.type;
    const values = type.hashable ? valuesOf(e.list) : null;
    let found: Operand;
    if (values !== null) found = this.#inSet(first, type, e.arg.typmod, values, values.length < e.list.length);
    else {
      const t = g.fresh('t');
      const n = g.fresh('n');
      g.line(`let ${t} = false, ${n} = false;`);
      for (const item of e.list) {
        g.open(`if (!${t})`);
        const equal = this.operator(e.equal, first, this.compile(item), type, item.type);
        g.line(equal.n === 'false' ? `${t} = ${equal.v};` : `if (${equal.n}) ${n} = true; else ${t} = ${equal.v};`);
        g.close();
      }
      const unknown = g.fresh('n');
      g.line(`const ${unknown} = ${n} && !${t};`);
      found = operand(t, unknown, 'bool');
    }
    if (!e.negated) return found;
    const t = g.fresh('t');
    g.line(`const ${t} = !${found.v};`);
    return operand(t, found.n, 'bool');
  }

  /** Whether the value is among constants: compared one by one if few, else by a set of hash keys. */
  #inSet(first: Operand, type: SqlType, typmod: number, values: readonly Value[], withNull: boolean): Operand {
    const { g } = this;
    if (first.n === 'true') return nullOperand('bool');
    const t = g.fresh('t');
    const few = values.length <= 8 && values.length > 0;
    if (few && (type.repr === 'i32' || type.repr === 'whole' || PLAIN_TEXTS.has(type.name))) {
      g.line(`const ${t} = ${values.map((value) => `${first.v} === ${literal(g, value, type.repr).v}`).join(' || ')};`);
    } else if (few && type.name === 'bpchar') {
      const tests = values.map((value) => blankPaddedTest(g, first.v, literal(g, padTo(value as string, typmod), type.repr).v));
      g.line(`const ${t} = ${tests.join(' || ')};`);
    } else if (values.length >= TABLE_MIN && (type.repr === 'i32' || type.repr === 'whole')) {
      const table = new NumberTable();
      for (const value of values) table.id(value as number | bigint);
      const plain = unscaled(g, first);
      g.line(`const ${t} = ${plain.n === 'false' ? '' : `!${plain.n} && `}${g.constant(table)}.find(${plain.v}) >= 0;`);
    } else {
      const set = g.constant(new Set(values.map((value) => type.hashKey(value))));
      const plain = unscaled(g, first);
      const key = hashKeySource(g, type, plain.v);
      g.line(`const ${t} = ${plain.n === 'false' ? '' : `!${plain.n} && `}${set}.has(${key});`);
    }
    if (!withNull) return operand(t, first.n, 'bool');
    return operand(t, this.#flag(first.n === 'false' ? `!${t}` : `${first.n} || !${t}`), 'bool');
  }

  /** `= ANY ($1)`: the set is built once per run. */
  #inParameter(first: Operand, type: SqlType, number: number): Operand {
    const { g } = this;
    const state = this.c.runState((run): { set: Set<unknown>; withNull: boolean; none: boolean; isNull: boolean } => {
      const array = (run.context.params[number - 1] ?? null) as ArrayValue | null;
      const values = array === null ? [] : array.elements;
      return {
        set: new Set(values.filter((value) => value !== null).map((value) => type.hashKey(value))),
        withNull: values.includes(null),
        none: values.length === 0,
        isNull: array === null,
      };
    });
    const s = g.state(state);
    const plain = unscaled(g, first);
    const t = g.fresh('t');
    g.line(`const ${t} = ${plain.n === 'false' ? '' : `!${paren(plain.n)} && `}${s}.set.has(${hashKeySource(g, type, plain.v)});`);
    return operand(t, this.#flag(`${s}.isNull || (!${t} && !${s}.none && (${plain.n} || ${s}.withNull))`), 'bool');
  }

  #rowCompare(e: RowCompare): Operand {
    const { g } = this;
    const t = g.fresh('t');
    const n = g.fresh('n');
    const fields = e.left.length;
    g.line(`let ${t} = false, ${n} = false;`);
    const label = g.fresh('L');
    g.open(`${label}:`);
    if (e.op === '=' || e.op === '<>') {
      g.line(`${t} = true;`);
      for (let i = 0; i < fields; i++) {
        const equal = this.operator(e.equal[i], this.compile(e.left[i]), this.compile(e.right[i]), e.left[i].type, e.right[i].type);
        if (equal.n !== 'false') g.line(`if (${equal.n}) ${n} = true; else`);
        g.line(`if (!${equal.v}) { ${t} = false; ${n} = false; break ${label}; }`);
      }
    } else {
      const flipped = e.op === '>' || e.op === '>=';
      for (let i = 0; i < fields; i++) {
        const left = this.compile(e.left[i]);
        const right = this.compile(e.right[i]);
        const equal = this.operator(e.equal[i], left, right, e.left[i].type, e.right[i].type);
        if (equal.n !== 'false') g.line(`if (${equal.n}) { ${n} = true; break ${label}; }`);
        g.open(`if (!${equal.v})`);
        const less = flipped
          ? this.operator(e.less[i], right, left, e.right[i].type, e.left[i].type)
          : this.operator(e.less[i], left, right, e.left[i].type, e.right[i].type);
        g.line(`${t} = ${less.v}; ${n} = ${less.n}; break ${label};`);
        g.close();
      }
      g.line(`${t} = ${e.op === '<=' || e.op === '>='};`);
    }
    g.close();
    if (e.op === '<>') g.line(`${t} = !${t};`);
    return operand(t, n, 'bool');
  }
}

/** The argument that is always evaluated first, if there is one. */
function firstOf(e: Bound): Bound | null {
  switch (e.kind) {
    case 'call':
      return e.args.length > 0 ? e.args[0] : null;
    case 'cast':
    case 'not':
    case 'isNull':
    case 'isBoolean':
    case 'in':
    case 'field':
    case 'subscript':
      return e.arg;
    case 'isDistinct':
    case 'nullIf':
    case 'quantified':
      return e.left;
    default:
      return null;
  }
}

/** A constant of bpchar padded like the values of the other side: texts of equal length compare at once. */
function blankPadded(e: Bound, like: Bound): Bound {
  if (e.kind !== 'constant' || typeof e.value !== 'string' || e.type.name !== 'bpchar' || like.typmod < 0) return e;
  return { ...e, value: padTo(e.value, like.typmod) };
}

function padTo(text: string, typmod: number): string {
  return typmod < 0 ? text : text.padEnd(typmod - 4);
}

/** A numeric as its coefficient, in any form of the type. */
function isCoefficient({ rep }: Operand): boolean {
  return rep === 'scaled' || rep === 'decimal';
}

function paren(n: string): string {
  return /^\w+$/.test(n) ? n : `(${n})`;
}

/** Texts whose hash key is the text itself. */
const PLAIN_TEXTS = new Set(['text', 'varchar', 'name', 'uuid', 'bytea', 'char']);

/** A longer list of numbers is searched in a table of typed arrays, which is built five times as fast as a Set. */
const TABLE_MIN = 1000;

/** The values of a list of constants, without nulls; null if it has other expressions. */
function valuesOf(list: readonly Bound[]): Value[] | null {
  const values: Value[] = [];
  for (const item of list) {
    if (item.kind !== 'constant') return null;
    if (item.value !== null) values.push(item.value);
  }
  return values;
}

/** A primitive that is equal if and only if the values are. */
export function hashKeySource(g: Emitter, type: SqlType, v: string): string {
  if (type.repr === 'i32' || type.repr === 'whole' || type.repr === 'bool' || PLAIN_TEXTS.has(type.name) || type.labels !== null) return v;
  if (type.repr === 'f64') return `(${v} + 0)`;
  return `${g.constant(type)}.hashKey(${v})`;
}

/** Order of two values of a type, neither null, as a condition. */
export function lessThan(g: Emitter, type: SqlType, a: string, b: string): string {
  switch (type.repr) {
    case 'i32':
    case 'whole':
      return `${a} < ${b}`;
    case 'f64':
      return `(${floatTest('lt', a, b)})`;
    case 'bool':
      return `(!${a} && ${b})`;
    default:
      return `${compareSource(g, type, a, b)} < 0`;
  }
}

/** Order of two values of a type, neither null, as a number. */
export function compareSource(g: Emitter, type: SqlType, a: string, b: string): string {
  switch (type.repr) {
    case 'i32':
    case 'whole':
      return `(${a} < ${b} ? -1 : ${a} > ${b} ? 1 : 0)`;
    case 'f64':
      return `${g.runtime('compareFloats')}(${a}, ${b})`;
    case 'bool':
      return `(${a} === ${b} ? 0 : ${a} ? 1 : -1)`;
    case 'numeric':
      return `${g.runtime('compareNumeric')}(${a}, ${b})`;
    default:
      if (type.name === 'text' || type.name === 'varchar' || type.name === 'name') return `${g.runtime('compareText')}(${a}, ${b})`;
      return `${g.constant(type)}.compare(${a}, ${b})`;
  }
}

/** Whether it is constant for the whole statement: calls of user-defined functions may have visible effects. */
function isSteady(fn: ScalarFunction | SqlOperator): boolean {
  const { volatility = 'immutable' } = fn;
  return volatility === 'immutable' || (volatility === 'stable' && 'kind' in fn && fn.user === undefined && fn.changing !== true);
}

/** Whether an expression has one value per run, and computing it has no visible effects. */
function isConstantInRun(e: Bound): boolean {
  if (e.kind === 'constant' || e.kind === 'parameter') return true;
  if (e.kind === 'call') return isSteady(e.fn) && e.args.every(isConstantInRun);
  return false;
}
