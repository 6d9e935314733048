/**
 * Bound expressions: names are resolved, types known, coercions explicit as casts. A column is named by an id that is unique in its
 * statement, so plans can be moved without renumbering; an expression that names a column which its input does not provide is
 * correlated with an enclosing query.
 */
import type { AggregateFunction, ScalarFunction, SetFunction, SqlCast, SqlOperator, WindowFunction } from '../functions/define.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Plan } from './logical.ts';

export type ColumnId = number;

interface Typed {
  readonly type: SqlType;
  /** Of the declared type if known (varchar(3), numeric(10,2)); otherwise -1. */
  readonly typmod: number;
  /** Followed by this COLLATE. */
  readonly collation?: readonly string[];
}
export interface Constant extends Typed {
  readonly kind: 'constant';
  readonly value: Value;
  /** The position of an untyped literal, for errors of its later type. */
  readonly at?: number;
}
export interface ColumnUse extends Typed {
  readonly kind: 'column';
  readonly id: ColumnId;
}
/** `$number`, 1-based. */
export interface Parameter extends Typed {
  readonly kind: 'parameter';
  readonly number: number;
}
/** A scalar function or an operator; arguments already have the declared types. */
export interface Call extends Typed {
  readonly kind: 'call';
  readonly fn: ScalarFunction | SqlOperator;
  /** Postgres's name of the underlying function: `int4pl`, `upper`. */
  readonly proc: string;
  readonly args: readonly Bound[];
  /** Written as subscripts of the first argument. */
  readonly subscripts?: true;
}
/** Through a cast function, through text (`io`), or as a relabelling of the same value (`binary`). */
export interface CastCall extends Typed {
  readonly kind: 'cast';
  readonly arg: Bound;
  readonly method: 'binary' | 'io' | 'function' | 'array' | 'typmod';
  /** For `function`; for `array` the cast of the elements (null: same element type or text). */
  readonly cast: SqlCast | null;
  /** For `typmod` and `io`: whether explicit (truncates varchar) or an assignment (22001). */
  readonly explicit: boolean;
}
export interface Logical extends Typed {
  readonly kind: 'and' | 'or';
  readonly args: readonly Bound[];
}
export interface NotCall extends Typed {
  readonly kind: 'not';
  readonly arg: Bound;
}
/** `isNull` of a record: every field null (or, `negated`, every field not null), as Postgres has it. */
export interface NullTest extends Typed {
  readonly kind: 'isNull';
  readonly arg: Bound;
  readonly negated: boolean;
}
/** IS [NOT] TRUE / FALSE / UNKNOWN (`value` null). */
export interface BooleanTest extends Typed {
  readonly kind: 'isBoolean';
  readonly arg: Bound;
  readonly value: boolean | null;
  readonly negated: boolean;
}
/** IS [NOT] DISTINCT FROM, by the given equality operator. `negated`: IS NOT DISTINCT FROM. */
export interface DistinctTest extends Typed {
  readonly kind: 'isDistinct';
  readonly left: Bound;
  readonly right: Bound;
  readonly equal: SqlOperator;
  readonly negated: boolean;
}
/** `arg IN (constants or expressions)`, all of one type. */
export interface InList extends Typed {
  readonly kind: 'in';
  readonly arg: Bound;
  readonly list: readonly Bound[];
  readonly equal: SqlOperator;
  readonly negated: boolean;
}
/** `left op ANY/ALL (array)`. */
export interface Quantified extends Typed {
  readonly kind: 'quantified';
  readonly quantifier: 'any' | 'all';
  readonly operator: SqlOperator;
  readonly left: Bound;
  readonly array: Bound;
}
/** CASE; `CASE x WHEN y` is bound to branches `x = y` with `x` bound once as `input` and read as `caseInput`. */
export interface Case extends Typed {
  readonly kind: 'case';
  readonly branches: readonly { readonly when: Bound; readonly then: Bound }[];
  readonly otherwise: Bound;
}
/** Evaluates `value` once and makes it the column `id` inside `body`. */
export interface Let extends Typed {
  readonly kind: 'let';
  readonly id: ColumnId;
  readonly value: Bound;
  readonly body: Bound;
}
export interface Coalesce extends Typed {
  readonly kind: 'coalesce';
  readonly args: readonly Bound[];
}
/** GREATEST and LEAST, by the type's order; nulls are skipped. */
export interface Extreme extends Typed {
  readonly kind: 'greatest' | 'least';
  readonly args: readonly Bound[];
}
export interface NullIf extends Typed {
  readonly kind: 'nullIf';
  readonly left: Bound;
  readonly right: Bound;
  readonly equal: SqlOperator;
}
export interface ArrayBuild extends Typed {
  readonly kind: 'array';
  /** Of the element type, or arrays of it (one dimension more) if `nested`. */
  readonly elements: readonly Bound[];
  readonly nested: boolean;
  /** Arguments of a VARIADIC "any": of different types, which are the call's `argTypes`. */
  readonly spread?: boolean;
}
export interface RowBuild extends Typed {
  readonly kind: 'row';
  readonly fields: readonly Bound[];
  readonly names: readonly string[] | null;
}
export interface Subscript extends Typed {
  readonly kind: 'subscript';
  readonly arg: Bound;
  readonly subscripts: readonly { readonly slice: boolean; readonly lower: Bound | null; readonly upper: Bound | null }[];
}
/** The n-th field (0-based) of a record. */
export interface Field extends Typed {
  readonly kind: 'field';
  readonly arg: Bound;
  readonly index: number;
}
/** (a, b) op (c, d) for = <> < <= > >=, field by field as Postgres compares rows. */
export interface RowCompare extends Typed {
  readonly kind: 'rowCompare';
  readonly op: '=' | '<>' | '<' | '<=' | '>' | '>=';
  readonly left: readonly Bound[];
  readonly right: readonly Bound[];
  /** Equality, and for the ordered ones the less-than operator, per field. */
  readonly equal: readonly SqlOperator[];
  readonly less: readonly SqlOperator[];
}
/** EXISTS, a scalar subquery (21000 past one row), ARRAY(query). The plan's free columns are its correlation. */
export interface SubqueryCall extends Typed {
  readonly kind: 'exists' | 'subquery' | 'arrayQuery';
  readonly plan: Plan;
}
/** `left op ANY/ALL (query)`; IN is `= ANY`, NOT IN is NOT of it. `right` are the plan's output columns as seen by `compare`. */
export interface QuantifiedSubquery extends Typed {
  readonly kind: 'quantifiedQuery';
  readonly quantifier: 'any' | 'all';
  readonly plan: Plan;
  /** Boolean over the left side's columns and the plan's output columns. */
  readonly compare: Bound;
}
/** Reads the environment: current_date, current_timestamp(p), localtime … `fn` computes the value from the call's environment. */
export interface EnvironmentCall extends Typed {
  readonly kind: 'environment';
  readonly name: string;
  readonly precision: number | null;
  /** For `current_of`: one column of the identity of the cursor's current row. */
  readonly cursor?: { readonly name: string; readonly table: number; readonly place: number };
}
/** DEFAULT is bound to the column's default, which is an expression like any other. */

export type Bound =
  | Constant
  | ColumnUse
  | Parameter
  | Call
  | CastCall
  | Logical
  | NotCall
  | NullTest
  | BooleanTest
  | DistinctTest
  | InList
  | Quantified
  | Case
  | Let
  | Coalesce
  | Extreme
  | NullIf
  | ArrayBuild
  | RowBuild
  | Subscript
  | Field
  | RowCompare
  | SubqueryCall
  | QuantifiedSubquery
  | EnvironmentCall;

export interface BoundSort {
  readonly value: Bound;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}
export interface BoundAggregate {
  readonly id: ColumnId;
  readonly fn: AggregateFunction;
  readonly type: SqlType;
  readonly args: readonly Bound[];
  /** Direct arguments of an ordered-set aggregate. */
  readonly direct: readonly Bound[];
  readonly distinct: boolean;
  /** ORDER BY inside, or WITHIN GROUP's. */
  readonly orderBy: readonly BoundSort[];
  readonly filter: Bound | null;
}
export interface BoundWindowFunction {
  readonly id: ColumnId;
  /** A window function or an aggregate over the frame. */
  readonly fn: WindowFunction | AggregateFunction;
  readonly type: SqlType;
  readonly args: readonly Bound[];
  readonly filter: Bound | null;
}
export interface BoundSetFunction {
  readonly fn: SetFunction | ScalarFunction;
  readonly type: SqlType;
  readonly args: readonly Bound[];
}
