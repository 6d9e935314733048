/**
 * Declarations of functions, operators, casts and aggregates: once each, with types, volatility and a doc line. The binder resolves
 * overloads among them, the executor calls `impl` (or inlines by the `proc` name), pg_proc and docs/reference/sql.md list them.
 *
 * Types are written as pg_type names (`int4`, `text`, `_text` for text[]), polymorphic ones included (`anyelement`, `anyarray`,
 * `anynonarray`, `anyenum`, `anycompatible`, `anycompatiblearray`, `any`).
 */
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** The context of a call site. */
export interface Call {
  readonly env: Environment;
  readonly argTypes: readonly SqlType[];
  readonly returnType: SqlType;
}

export type Volatility = 'immutable' | 'stable' | 'volatile';

/**
 * For a pure function that may take longer than a turn of the event loop: such calls run on a thread (`src/sql/compute`). A caller
 * that runs `impl` itself checks the rule first.
 */
export interface LongRule {
  /** The key by which the thread finds the function. */
  readonly key: string;
  /** Whether a call takes long; evaluated for every call, so it looks only at sizes. For a strict function no argument is null. */
  // oxlint-disable-next-line no-explicit-any
  readonly isLong: (...args: any[]) => boolean;
  /** A call that was started on this thread may stop with `SlowMatch`, and is then repeated on a thread. */
  readonly mayStop?: boolean;
}

interface Common {
  readonly long?: LongRule;
  /** For a single OUT argument: its column name in FROM. */
  readonly resultName?: string;
  readonly name: string;
  readonly args: readonly string[];
  /** Names of arguments, for `name => value` calls. */
  readonly argNames?: readonly string[];
  /** For a call that omits arguments before others: the names of those after them, null for the ones before. */
  readonly givenNames?: readonly (string | null)[];
  /** Number of trailing arguments that may be omitted; `impl` gets `undefined` for them. */
  readonly optional?: number;
  /** Element type of a VARIADIC last argument; `args` then lists the ones before it, and `impl` gets an ArrayValue last. */
  readonly variadic?: string;
  /** Its array type, if the name does not follow from the element's. */
  readonly variadicArray?: string;
  readonly returns: string;
  /** Name of its extension: a user-defined function of the same name replaces it. */
  readonly extension?: string;
  /** Default: pg_catalog. */
  readonly schema?: 'information_schema';
  /** One line for the reference. */
  readonly doc: string;
  /** Object number of a user-defined function. */
  readonly user?: number;
  /** … and its schema. */
  readonly home?: string;
  /** Declared IMMUTABLE, though its effective volatility is that of what it may read. */
  readonly declaredImmutable?: boolean;
  /** The type of `returns`, if that is a row of OUT columns or a user-defined type. */
  readonly resultType?: SqlType;
  /** For CALL only. */
  readonly procedure?: boolean;
}

export interface ScalarFunction extends Common {
  readonly kind: 'scalar';
  /** Default immutable. */
  readonly volatility?: Volatility;
  /** Default true: null in any argument gives null without a call. */
  readonly strict?: boolean;
  /** Its statement may have to wait and be retried. */
  readonly mayWait?: boolean;
  /** Stable, but its result may be changed by another part of the statement. */
  readonly changing?: true;
  /** Called as `impl(call, ...args)` if `needsCall`, otherwise as `impl(...args)`. */
  readonly needsCall?: boolean;
  // oxlint-disable-next-line no-explicit-any
  readonly impl: (...args: any[]) => Value;
}

/** A set-returning function: yields values (one column) or rows (arrays, aligned with `columns`). */
export interface SetFunction extends Common {
  readonly kind: 'set';
  readonly volatility?: Volatility;
  readonly strict?: boolean;
  readonly needsCall?: boolean;
  /** Names and types of OUT columns if it returns rows. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  /** It returns all values of a call at once, as a list. */
  readonly gives?: 'list';
  // oxlint-disable-next-line no-explicit-any
  readonly impl: (...args: any[]) => Iterable<Value> | Iterable<Value[]>;
}

/**
 * An aggregate. `step` gets the arguments as they are (including nulls unless `strict`, which skips rows with a null); `finish` of
 * the initial state is the result over no rows.
 */
export interface AggregateFunction<State = unknown> extends Common {
  readonly kind: 'aggregate';
  readonly strict?: boolean;
  /** Ordered-set: direct arguments first, then WITHIN GROUP's, which arrive sorted. `directArgs` counts the former. */
  readonly orderedSet?: { readonly directArgs: number; readonly hypothetical?: boolean };
  readonly init: (call: Call) => State;
  // oxlint-disable-next-line no-explicit-any
  readonly step: (state: State, ...args: any[]) => State;
  /** Direct arguments of an ordered-set aggregate come after the state. */
  // oxlint-disable-next-line no-explicit-any
  readonly finish: (state: State, ...direct: any[]) => Value;
  /** Undoes a step, for moving window frames; if absent, frames are recomputed. */
  // oxlint-disable-next-line no-explicit-any
  readonly inverse?: (state: State, ...args: any[]) => State;
}

/** The rows of a window partition for a window function. */
export interface WindowView {
  /** Position of the current row in its partition, 0-based. */
  readonly row: number;
  readonly count: number;
  /** Frame of the current row: [start, end) of positions, before exclusion. */
  readonly frameStart: number;
  readonly frameEnd: number;
  /** Whether the frame contains the position, after exclusion. */
  inFrame(position: number): boolean;
  /** Positions [start, end) of the given row's peers. */
  peersOf(position: number): readonly [number, number];
  /** Value of the function's n-th argument at a position. */
  arg(n: number, position: number): Value;
}

export interface WindowFunction extends Common {
  readonly kind: 'window';
  /** The parts of the view that it uses besides rows by position: peers, or the frame (and peers). */
  readonly needs: 'rows' | 'peers' | 'frame';
  readonly impl: (view: WindowView, call: Call) => Value;
}

// oxlint-disable-next-line no-explicit-any
export type SqlFunction = ScalarFunction | SetFunction | AggregateFunction<any> | WindowFunction;

export interface SqlOperator {
  readonly name: string;
  /** null for a prefix operator. */
  readonly left: string | null;
  readonly right: string;
  readonly returns: string;
  /** Postgres's name of the underlying function: `int4pl`. */
  readonly proc: string;
  readonly long?: LongRule;
  readonly volatility?: Volatility;
  readonly strict?: boolean;
  readonly needsCall?: boolean;
  /** Name of its extension: it is also found in the extension's schema. */
  readonly extension?: string;
  /** Object number of a user-defined operator. */
  readonly own?: number;
  /** The type of `returns`, if that is user-defined. */
  readonly resultType?: SqlType;
  /** As for functions. */
  readonly declaredImmutable?: boolean;
  readonly commutator?: string;
  readonly negator?: string;
  /** The function of a user-defined operator. */
  readonly behind?: ScalarFunction;
  // oxlint-disable-next-line no-explicit-any
  readonly impl: (...args: any[]) => Value;
}

export type CastContext = 'implicit' | 'assignment' | 'explicit';

/** `binary`: the run-time form is the same. `io`: through text. */
export interface SqlCast {
  readonly from: string;
  readonly to: string;
  readonly context: CastContext;
  readonly method: 'binary' | 'io' | 'function';
  readonly volatility?: Volatility;
  readonly needsCall?: boolean;
  /** Object number of the user-defined cast function. */
  readonly user?: number;
  // oxlint-disable-next-line no-explicit-any
  readonly impl?: (...args: any[]) => Value;
}

/** The declarations of one file. */
export interface FunctionModule {
  readonly functions?: readonly SqlFunction[];
  readonly operators?: readonly SqlOperator[];
  readonly casts?: readonly SqlCast[];
  /** Functions behind types, casts and indexes: callable, but not listed in the reference. */
  readonly behind?: readonly SqlFunction[];
}

/** Marks the functions and operators as members of the extension. */
export function asExtension(extension: string, { functions = [], operators = [], ...others }: FunctionModule): FunctionModule {
  return {
    ...others,
    functions: functions.map((fn) => ({ ...fn, extension })),
    operators: operators.map((operator) => ({ ...operator, extension })),
  };
}

/** Type-checks the state of an aggregate. */
export function defineAggregate<State>(definition: Omit<AggregateFunction<State>, 'kind'>): AggregateFunction<State> {
  return { kind: 'aggregate', ...definition };
}
