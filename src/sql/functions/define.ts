/**
 * How functions, operators, casts and aggregates are declared: once each, with types, volatility and a doc
 * line. The binder resolves overloads over these, the executor calls `impl` (or inlines what it knows by the
 * `proc` name), pg_proc and docs/reference/sql.md list them.
 *
 * Types are written as pg_type names (`int4`, `text`, `_text` for text[]), polymorphic ones included
 * (`anyelement`, `anyarray`, `anynonarray`, `anyenum`, `anycompatible`, `anycompatiblearray`, `any`).
 */
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** What one call site knows. */
export interface Call {
  readonly env: Environment;
  readonly argTypes: readonly SqlType[];
  readonly returnType: SqlType;
}

export type Volatility = 'immutable' | 'stable' | 'volatile';

/**
 * Of a pure function that may take longer than a turn of the event loop: such calls are given to a thread (`src/sql/compute`). Who calls
 * `impl` itself where others wait asks first.
 */
export interface LongRule {
  /** What the thread finds the function by. */
  readonly key: string;
  /** Whether a call takes long; asked of every call, so it looks at no more than sizes. Null is no argument of it where the function is strict. */
  // oxlint-disable-next-line no-explicit-any
  readonly isLong: (...args: any[]) => boolean;
  /** A call that is made in place may give itself up with `SlowMatch`; a thread makes it then. */
  readonly mayStop?: boolean;
}

interface Common {
  readonly long?: LongRule;
  /** Of the one OUT argument, where it has one: the column that it gives in FROM. */
  readonly resultName?: string;
  readonly name: string;
  readonly args: readonly string[];
  /** Names of arguments, for `name => value` calls. */
  readonly argNames?: readonly string[];
  /** Of a call that leaves out arguments before others: the names that those after them are given by, null for the ones before. */
  readonly givenNames?: readonly (string | null)[];
  /** How many trailing arguments may be left out; `impl` gets `undefined` for them. */
  readonly optional?: number;
  /** Element type of a VARIADIC last argument; `args` then lists the ones before it, and `impl` gets an ArrayValue last. */
  readonly variadic?: string;
  /** The array over it, where its name does not follow from the element's. */
  readonly variadicArray?: string;
  readonly returns: string;
  /** Name of its extension: a function of the world that has its name stands in its place. */
  readonly extension?: string;
  /** Left out: pg_catalog, which needs not be written. */
  readonly schema?: 'information_schema';
  /** One line for the reference. */
  readonly doc: string;
  /** Object number of a function that the world defines. */
  readonly user?: number;
  /** … and the schema that it stands in. */
  readonly home?: string;
  /** It is declared IMMUTABLE, though its volatility is that of what it may read. */
  readonly declaredImmutable?: boolean;
  /** The type behind `returns`, where that is a row of OUT columns or a type of the world. */
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
  /** It may have its statement wait, which then runs again. */
  readonly mayWait?: boolean;
  /** Stable, and yet another part of the statement may change what it gives. */
  readonly changing?: true;
  /** Called as `impl(call, ...args)` where `needsCall`, else as `impl(...args)`. */
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
  /** Names and types of OUT columns where it returns rows. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  /** It gives all values of a call at once, as a list. */
  readonly gives?: 'list';
  // oxlint-disable-next-line no-explicit-any
  readonly impl: (...args: any[]) => Iterable<Value> | Iterable<Value[]>;
}

/**
 * An aggregate. `step` gets the arguments as they are (nulls too unless `strict`, which skips rows with a
 * null); `finish` of the initial state is the result over no rows.
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
  /** Undoes a step, for moving window frames; where absent, frames are computed anew. */
  // oxlint-disable-next-line no-explicit-any
  readonly inverse?: (state: State, ...args: any[]) => State;
}

/** The rows of one window partition, as a window function sees them. */
export interface WindowView {
  /** Position of the current row in its partition, 0-based. */
  readonly row: number;
  readonly count: number;
  /** Frame of the current row: [start, end) of positions, before exclusion. */
  readonly frameStart: number;
  readonly frameEnd: number;
  /** Whether the frame holds the position, exclusion applied. */
  inFrame(position: number): boolean;
  /** Positions [start, end) of the peers of the given row. */
  peersOf(position: number): readonly [number, number];
  /** Value of the function's n-th argument at a position. */
  arg(n: number, position: number): Value;
}

export interface WindowFunction extends Common {
  readonly kind: 'window';
  /** What of the view it asks for beside the rows of the partition by their positions: peers of rows, or the frame (and peers). */
  readonly looksAt: 'rows' | 'peers' | 'frame';
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
  /** Postgres's name of the function behind it: `int4pl`. */
  readonly proc: string;
  readonly long?: LongRule;
  readonly volatility?: Volatility;
  readonly strict?: boolean;
  readonly needsCall?: boolean;
  /** Name of its extension: it is found in the schema that the extension was put into, too. */
  readonly extension?: string;
  /** Object number of an operator that the world defines. */
  readonly own?: number;
  /** The type behind `returns`, where that is one of the world. */
  readonly resultType?: SqlType;
  /** As of functions. */
  readonly declaredImmutable?: boolean;
  readonly commutator?: string;
  readonly negator?: string;
  /** Of an operator that the world defines: what it calls. */
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
  /** Object number of the world's function that does it. */
  readonly user?: number;
  // oxlint-disable-next-line no-explicit-any
  readonly impl?: (...args: any[]) => Value;
}

/** What one file of functions declares. */
export interface FunctionModule {
  readonly functions?: readonly SqlFunction[];
  readonly operators?: readonly SqlOperator[];
  readonly casts?: readonly SqlCast[];
  /** Functions behind types, casts and indexes: they may be called, and the reference does not list them. */
  readonly behind?: readonly SqlFunction[];
}

/** The functions and operators as those of the extension. */
export function asExtension(extension: string, { functions = [], operators = [], ...others }: FunctionModule): FunctionModule {
  return {
    ...others,
    functions: functions.map((fn) => ({ ...fn, extension })),
    operators: operators.map((operator) => ({ ...operator, extension })),
  };
}

/** Keeps the element types of the state of an aggregate checked. */
export function defineAggregate<State>(definition: Omit<AggregateFunction<State>, 'kind'>): AggregateFunction<State> {
  return { kind: 'aggregate', ...definition };
}
