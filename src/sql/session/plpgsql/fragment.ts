/**
 * Expressions and statements inside PL/pgSQL, prepared for execution: variables are parameters, numbered in order of use. The
 * prepared form is cached with the fragment while definitions, settings and the variables' types stay the same.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { plainExpression } from '../../ast/plain-select.ts';
import type { Statement as SqlStatement } from '../../ast/statement.ts';
import { type ArgumentNames, Binder } from '../../bind/binder.ts';
import { bindExpression } from '../../bind/expression.ts';
import { Scope as BindScope } from '../../bind/scope.ts';
import { Compilation } from '../../exec/compilation.ts';
import { rewriteBound } from '../../plan/rules/walk.ts';
import type { Run } from '../../exec/run.ts';
import { Scanner, TOKEN } from '../../parse/scanner.ts';
import type { Bound } from '../../plan/bound.ts';
import type { OutputColumn } from '../../plan/logical.ts';
import type { Fragment, Routine } from '../../plpgsql/syntax.ts';
import { columnsOf } from '../../types/record-type.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { type Access, accessOf, checkAccess } from '../check-access.ts';
import { type CallFrame, inFrame, located, TextFrame } from '../call-frames.ts';
import { identified } from '../cursors.ts';
import { execContext } from '../exec-context.ts';
import { isQuery, isRows, type Prepared } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';
import { withBodies } from '../with-bodies.ts';
import { type Change, changeOf, escaping } from './in-place.ts';
import type { Scope, Variable } from './scope.ts';
import type { Steps } from './steps.ts';

/** The context of a fragment: the function's name and its scopes. */
export interface Surroundings {
  readonly session: SqlSession;
  readonly name: string;
  readonly conflict: NonNullable<Routine['conflict']>;
  readonly scope: Scope;
}

/** The location of a variable: the number of scopes up, and its name. */
interface Slot {
  readonly up: number;
  readonly name: string;
}

/** An expression that needs no rows, as a function of the parameters. */
export interface Simple {
  readonly kind: 'simple';
  readonly type: SqlType;
  readonly typmod: number;
  readonly access: Access;
  readonly compute: (run: Run, row: readonly Value[]) => Value[];
  /** For each parameter: whether its value may be part of the result. */
  readonly escapes: readonly boolean[];
  /** The value as a change of a parameter's value. */
  readonly change: ReadyChange | null;
  readonly compilation: Compilation;
  /** Immutable: Postgres computes it at plan time. */
  readonly constant: boolean;
  /** It depends on nothing that changes within a transaction, so one run can be reused. */
  readonly steady: boolean;
  /** It calls a user-defined function, which may be recursive. */
  readonly callsOwn: boolean;
  /** It was bound without looking up a relation: definitions of relations may change. */
  readonly lasting: boolean;
  nested?: Nested;
}
/** Recursion while an expression is evaluated: Postgres prepares it as a statement then, which shows in error contexts. */
interface Nested {
  readonly frame: CallFrame;
  isRunning: boolean;
}
export interface ReadyChange extends Pick<Change, 'apply'> {
  /** The parameter that it changes. */
  readonly base: number;
  readonly compute: (run: Run, row: readonly Value[]) => Value[];
  readonly escapes: readonly boolean[];
}
interface Queried {
  readonly kind: 'query';
  readonly prepared: Prepared;
  /** Number of the table, for a cursor over the rows of one. */
  readonly table?: number | null;
}
interface Other {
  readonly kind: 'other';
  readonly statement: SqlStatement;
  /** Types of the variables, for a query inside it. */
  readonly types: readonly SqlType[];
  readonly names: ArgumentNames;
}
export type Ready = Simple | Queried | Other;

interface Kept {
  readonly key: string;
  readonly types: readonly SqlType[];
  readonly slots: readonly Slot[];
  readonly ready: Ready;
}

const kept = new WeakMap<Fragment, Map<string, Kept[]>>();
const words = new WeakMap<Fragment, ReadonlySet<string>>();

export interface Found {
  readonly ready: Ready;
  readonly values: readonly Value[];
}

/** `into`: the type that an expression's value is assigned to; null for any. */
export function readyFragment(at: Surroundings, fragment: Fragment, as: 'expression' | 'statement' | 'cursor', into: Assigned | null = null): Found {
  const { ready, slots } = keptFor(at, fragment, as, into);
  return { ready, values: valuesOf(at.scope, slots) };
}

function keptFor(at: Surroundings, fragment: Fragment, as: 'expression' | 'statement' | 'cursor', into: Assigned | null): Kept {
  const { session, scope } = at;
  const key = session.planKey();
  const shape = into === RAW ? 'raw' : into === null ? as : `${as} ${into.type.oid} ${into.typmod}${into.cast === true ? ' cast' : ''}`;
  let lists = kept.get(fragment);
  if (lists === undefined) kept.set(fragment, (lists = new Map()));
  const list = lists.get(shape) ?? [];
  for (const each of list) {
    if ((each.key !== key && each.key !== session.expressionKey()) || each.slots.some((slot, i) => variableAt(scope, slot).type !== each.types[i])) continue;
    return each;
  }
  const made = inFrame(session, as === 'expression' ? expressionFrame(fragment) : new TextFrame('SQL statement', fragment.text), () =>
    make(at, fragment, as, into),
  );
  // Row types are created each time, and old definitions are stale: nothing to compare with.
  const own = { key: made.ready.kind === 'simple' && made.ready.lasting ? session.expressionKey() : key, ...made };
  list.unshift(own);
  if (list.length > 4) list.length = 4;
  lists.set(shape, list);
  return own;
}

/** An expression is parsed after SELECT. */
export function expressionFrame({ text, assignment }: Fragment): CallFrame {
  if (assignment === undefined) return new TextFrame('SQL expression', text, 'SELECT '.length);
  return new TextFrame('PL/pgSQL assignment', assignment.text, 'SELECT '.length - assignment.offset);
}

/** `inFrame` for steps that may yield. */
export function* inFrameSteps<T>({ frames }: SqlSession, frame: CallFrame, steps: () => Steps<T>): Steps<T> {
  frames.push(frame);
  try {
    return yield* steps();
  } catch (error) {
    throw located(frames, error);
  } finally {
    frames.pop();
  }
}

/** A literal is not converted, since it will be put into a part of a variable. */
export const RAW: Assigned = { type: null as never, typmod: -1 };

export interface Assigned {
  /** Converted at run time, as Postgres converts RETURN values, not at parse time. */
  readonly cast?: boolean;
  readonly type: SqlType;
  readonly typmod: number;
}

function variableAt(scope: Scope, { up, name }: Slot): Variable {
  let at: Scope = scope;
  for (let i = 0; i < up; i++) at = at.parent!;
  return at.names.get(name)!;
}

function valuesOf(scope: Scope, slots: readonly Slot[]): Value[] {
  return slots.map((slot) => {
    const { value, name, assigned } = variableAt(scope, slot);
    if (!assigned) notAssigned(name);
    return value;
  });
}

export function notAssigned(record: string): never {
  throw new SvcError('55000', `record "${record}" is not assigned yet`, { detail: 'The tuple structure of a not-yet-assigned record is indeterminate.' });
}

/** Variables visible in the text, innermost first, and the names they may have. */
function visible(scope: Scope, used: ReadonlySet<string>): { slots: Slot[]; variables: Variable[]; names: Omit<ArgumentNames, 'conflict'> } {
  const slots: Slot[] = [];
  const variables: Variable[] = [];
  const numbers = new Map<string, number>();
  const labels = new Map<string, Map<string, number>>();
  let up = 0;
  for (let at: Scope | null = scope; at !== null; at = at.parent, up++) {
    for (const [name, variable] of at.names) {
      // A shadowed variable is visible only with its block's label.
      if (!used.has(name) || (numbers.has(name) && (at.label === null || !used.has(at.label)))) continue;
      slots.push({ up, name });
      variables.push(variable);
      if (!numbers.has(name)) numbers.set(name, slots.length);
      if (at.label === null) continue;
      let own = labels.get(at.label);
      if (own === undefined) labels.set(at.label, (own = new Map()));
      own.set(name, slots.length);
    }
  }
  return { slots, variables, names: { owner: '', numbers, labels } };
}

function wordsOf(fragment: Fragment): ReadonlySet<string> {
  let known = words.get(fragment);
  if (known === undefined) {
    const out = new Set<string>();
    const scanner = new Scanner(fragment.text);
    for (let kind = scanner.next(); kind !== TOKEN.end && kind !== TOKEN.unfinished; kind = scanner.next()) {
      if (kind === TOKEN.word) out.add(scanner.lexeme.toLowerCase());
      else if (kind === TOKEN.quotedName) out.add(scanner.lexeme.slice(1, -1).replaceAll('""', '"'));
      else if (kind === TOKEN.parameter) out.add(scanner.lexeme);
    }
    words.set(fragment, (known = out));
  }
  return known;
}

function make(at: Surroundings, fragment: Fragment, as: 'expression' | 'statement' | 'cursor', into: Assigned | null): Omit<Kept, 'key'> {
  const { session, scope, conflict } = at;
  const { slots, variables, names } = visible(scope, wordsOf(fragment));
  for (const { assigned, name: own } of variables) if (!assigned) notAssigned(own);
  const types = variables.map(({ type }) => type);
  const argumentNames: ArgumentNames = { ...names, conflict };
  const written = numbered(fragment.text, names.numbers);
  const text = as === 'expression' ? `SELECT ${written}` : written;
  const statements = session.parseUncached(text);
  if (statements.length !== 1) throw new SvcError('42601', 'one statement of SQL is expected here');
  const [statement] = statements;
  if (as === 'expression' && statement.type === 'select') {
    const simple = simpleOf(session, statement, types, argumentNames, into);
    if (simple !== null) {
      if (simple.callsOwn) simple.nested = { frame: expressionFrame(fragment), isRunning: false };
      return { types, slots, ready: simple };
    }
  }
  if (!isQuery(statement)) return { types, slots, ready: { kind: 'other', statement, types, names: argumentNames } };
  if (as === 'cursor' && isRows(statement)) {
    const { query, table } = identified(session, statement, (query) => void session.prepareIn(query, types, argumentNames));
    return { types, slots, ready: { kind: 'query', prepared: session.prepareIn(query, types, argumentNames), table } };
  }
  return { types, slots, ready: { kind: 'query', prepared: session.prepareIn(statement, types, argumentNames) } };
}

export function simpleOf(
  session: SqlSession,
  statement: SqlStatement & { type: 'select' },
  types: readonly SqlType[],
  argumentNames: ArgumentNames,
  given: Assigned | null,
): Simple | null {
  const raw = given === RAW;
  const into = raw ? null : given;
  const expression = plainExpression(statement);
  if (expression === null || hasQuery(expression)) return null;
  const names = session.names();
  const lookups = names.relationLookups;
  const binder = new Binder(names, session.host.registry, session.env, { types: [...types], fixed: true });
  binder.argumentNames = argumentNames;
  const scope = new BindScope(null);
  scope.clause = 'select';
  let bound = bindExpression(binder, expression, scope);
  const { aggregates, windows: calls, setFunctions } = scope.level;
  if (aggregates.length > 0 || calls.length > 0 || setFunctions.length > 0) return null;
  // A literal alone fails when it is converted, not before.
  const constant = types.length === 0 && bound.kind !== 'constant' && isConstant(bound);
  if (into !== null) bound = assigned(binder, into.cast === true ? binder.coercion.resolveUnknown(bound, 0) : bound, into);
  else if (!raw) bound = binder.coercion.resolveUnknown(bound, 0);
  const called = bound;
  const { made, inliner } = withBodies(called, binder, session, (own) => own.expression(called));
  bound = made;
  // Variables are columns of one row, so that one run serves many rows.
  const columns = types.map((type, i) => binder.column(`$${i + 1}`, type, -1));
  let steady = true;
  let callsOwn = false;
  const { type, typmod } = bound;
  bound = rewriteBound(bound, (e) => {
    if (e.kind === 'environment') steady = false;
    if (e.kind === 'call' && 'user' in e.fn && e.fn.user !== undefined) callsOwn = true;
    return e.kind === 'parameter' ? { ...binder.use(columns[e.number - 1]), type: e.type, typmod: e.typmod } : e;
  });
  const compilation = new Compilation();
  const compute = compilation.scalars([bound], columns);
  const escapes = escapingOf([bound], columns);
  const change = readyChange(compilation, bound, columns);
  const access = accessOf(binder, inliner);
  // A body that took the place of its call may hold what it was bound with elsewhere.
  const lasting = names.relationLookups === lookups && inliner === null;
  return { kind: 'simple', type, typmod, access, compute, escapes, change, compilation, constant, steady, callsOwn, lasting };
}

function escapingOf(bounds: readonly Bound[], columns: readonly OutputColumn[]): readonly boolean[] {
  const ids = escaping(bounds);
  return columns.map(({ id }) => ids.has(id));
}

export function readyChange(compilation: Compilation, bound: Bound, columns: readonly OutputColumn[]): ReadyChange | null {
  const change = changeOf(bound);
  if (change === null) return null;
  const { parts, apply } = change;
  return {
    apply,
    base: columns.findIndex(({ id }) => id === change.base),
    compute: compilation.scalars(parts, columns),
    escapes: escapingOf(parts, columns),
  };
}

/** Coerced for assignment; through text if SQL has no such cast. */
export function assigned(binder: Binder, bound: Bound, { type, typmod }: Assigned): Bound {
  if (type.name === 'record' && columnsOf(type) === null) return binder.coercion.resolveUnknown(bound, 0);
  const direct = binder.coercion.tryCoerce(bound, type, typmod, 'assignment', 0);
  if (direct !== null) return direct;
  const text = binder.coercion.coerce(bound, binder.type('text'), -1, 'explicit', 0);
  return binder.coercion.coerce(text, type, typmod, 'explicit', 0);
}

/** Whether it contains a subquery, which needs a plan. */
function hasQuery(expression: unknown): boolean {
  if (expression === null || typeof expression !== 'object') return false;
  if ('query' in expression && typeof expression.query === 'object') return true;
  for (const part of Object.values(expression)) if (typeof part === 'object' && hasQuery(part)) return true;
  return false;
}

/** The value of an expression that `readyFragment` found simple. */
export function compute(session: SqlSession, { compilation, compute: fn, access, nested }: Simple, values: readonly Value[]): Value {
  checkAccess(session, access);
  const value = (): Value => fn(compilation.newRun(execContext(session, [], null)), values)[0];
  return nested === undefined ? value() : evaluateNested(session, nested, value);
}

function evaluateNested(session: SqlSession, nested: Nested, value: () => Value): Value {
  if (nested.isRunning) return inFrame(session, nested.frame, value);
  nested.isRunning = true;
  try {
    return value();
  } finally {
    nested.isRunning = false;
  }
}

/** A prepared expression or statement in the scope where it runs. */
export class Entry {
  readonly scope: Scope;
  readonly key: string;
  readonly ready: Ready;
  /** An expression that needs no rows; null: it needs some, or is computed in another way. */
  readonly simple: Simple | null;
  /** The variable that its value is assigned to. */
  target: Variable | null = null;
  readonly #variables: readonly Variable[];
  readonly #types: readonly SqlType[];
  readonly #row: Value[];
  #run: Run | null = null;
  #runOf: object | null = null;

  constructor(scope: Scope, key: string, { ready, slots, types }: Kept) {
    this.scope = scope;
    this.key = key;
    this.ready = ready;
    this.simple = ready.kind === 'simple' ? ready : null;
    this.#variables = slots.map((slot) => variableAt(scope, slot));
    this.#types = types;
    this.#row = new Array<Value>(slots.length).fill(null);
  }

  /** Whether its variables still have the types that it was prepared for. */
  fits(scope: Scope, key: string): boolean {
    if (this.scope !== scope || this.key !== key) return false;
    const variables = this.#variables;
    const types = this.#types;
    for (let i = 0; i < variables.length; i++) {
      const { type, assigned, gone } = variables[i];
      if (type !== types[i] || !assigned || gone) return false;
    }
    return true;
  }

  /** The values of its variables. 55000. */
  values(): Value[] {
    const variables = this.#variables;
    const values = new Array<Value>(variables.length);
    for (let i = 0; i < values.length; i++) {
      const { value, name, assigned } = variables[i];
      if (!assigned) notAssigned(name);
      values[i] = value;
    }
    return values;
  }

  value(session: SqlSession): Value {
    const simple = this.simple!;
    // Functions that it calls may re-enter this entry.
    const run = this.#ready(session, simple.escapes);
    if (simple.nested === undefined) return simple.compute(run, this.#row)[0];
    const row = this.#row;
    return evaluateNested(session, simple.nested, () => simple.compute(run, row)[0]);
  }

  /** Assigns the value, in place if it only changes the target. */
  assign(session: SqlSession, target: Variable): void {
    const { change } = this.simple!;
    if (change === null || this.#variables[change.base] !== target || target.constant) target.set(this.value(session));
    else change.apply(target, change.compute(this.#ready(session, change.escapes), this.#row));
  }

  #ready(session: SqlSession, escapes: readonly boolean[]): Run {
    const simple = this.simple!;
    const variables = this.#variables;
    const row = this.#row;
    for (let i = 0; i < variables.length; i++) row[i] = escapes[i] ? variables[i].value : variables[i].peek();
    checkAccess(session, simple.access);
    let run = this.#run;
    if (run === null || this.#runOf !== session.transaction) {
      run = simple.compilation.newRun(execContext(session, [], null), true);
      if (simple.steady) {
        this.#run = run;
        this.#runOf = session.transaction;
      }
    }
    return run;
  }
}

/** Variables that a statement uses. */
export function variablesIn(at: Surroundings, fragment: Fragment): Variable[] {
  return keptFor(at, fragment, 'statement', null).slots.map((slot) => variableAt(at.scope, slot));
}

/** Prepared in the current scope; throws its errors. */
export function entryOf(at: Surroundings, fragment: Fragment, as: 'expression' | 'statement', into: Assigned | null): Entry {
  return new Entry(at.scope, at.session.planKey(), keptFor(at, fragment, as, into));
}

function isConstant(bound: Bound): boolean {
  let constant = true;
  rewriteBound(bound, (e) => {
    if (e.kind === 'call' ? (e.fn.volatility ?? 'immutable') !== 'immutable' : e.kind !== 'cast' && e.kind !== 'constant') constant = false;
    return e;
  });
  return constant;
}

/** `$2` with the number that the variable has here. */
function numbered(text: string, numbers: ReadonlyMap<string, number>): string {
  if (!text.includes('$')) return text;
  const scanner = new Scanner(text);
  let out = '';
  let copied = 0;
  for (let kind = scanner.next(); kind !== TOKEN.end && kind !== TOKEN.unfinished; kind = scanner.next()) {
    const number = kind === TOKEN.parameter ? numbers.get(scanner.lexeme) : undefined;
    if (number === undefined) continue;
    out += `${text.slice(copied, scanner.start)}$${number}`;
    copied = scanner.end;
  }
  return out + text.slice(copied);
}
