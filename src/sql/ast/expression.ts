/**
 * Expressions, as written: names are unresolved and nothing is typed. One interface per form; `Expression` is their union.
 *
 * `at` is the UTF-16 offset in the text of the statement list of Postgres's error position for the node. Chains of binary operators
 * are left-deep and may be some thousand nodes deep (see parse/statement-limits.ts), so a walker follows `left` in a loop; all other
 * nesting is a few hundred levels at most.
 */
import type { Query, SortKey, Window } from './query.ts';
import type { TypeName } from './type-name.ts';

export interface NullConstant {
  type: 'null';
  at: number;
}
export interface BooleanConstant {
  type: 'boolean';
  value: boolean;
  at: number;
}
/** Fits int4. */
export interface IntegerConstant {
  type: 'integer';
  value: number;
  at: number;
}
/** A wider integer (int8 or numeric, by its size) or a number with a point or exponent (numeric); decimal digits, optionally signed. */
export interface NumberConstant {
  type: 'number';
  text: string;
  at: number;
}
/** Of type unknown until its context decides. */
export interface StringConstant {
  type: 'string';
  value: string;
  at: number;
}
export interface BitStringConstant {
  type: 'bitString';
  digits: string;
  hex: boolean;
  at: number;
}
/** `a`, `t.a`, `s.t.a`; with `star`, `*` (no parts), `t.*`, `s.t.*`. */
export interface ColumnReference {
  type: 'column';
  parts: string[];
  star: boolean;
  at: number;
}
/** `$1` is number 1. */
export interface ParameterReference {
  type: 'parameter';
  number: number;
  at: number;
}
/** Also functions of pg_catalog with a syntax of their own: `sqlSyntax` is set then. */
export interface FunctionCall {
  type: 'call';
  /** One part, or schema and name, or catalog, schema and name. */
  name: string[];
  args: Expression[];
  /** Aligned with `args`: the name in `name => value`; null where no argument is named. */
  argNames: (string | null)[] | null;
  /** The last argument is `VARIADIC array`. */
  variadic: boolean;
  /** `count(*)`. */
  star: boolean;
  distinct: boolean;
  /** ORDER BY inside the parentheses, or WITHIN GROUP's if `withinGroup`. */
  orderBy: SortKey[];
  withinGroup: boolean;
  filter: Expression | null;
  /** A window's name for `OVER w`, its definition for `OVER (…)`. */
  over: Window | string | null;
  /** Position of the window's name or parenthesis; the call's own without OVER. */
  overPlace: { at: number };
  /** Written as EXTRACT, OVERLAY, POSITION, SUBSTRING, TRIM, NORMALIZE, IS NORMALIZED, AT TIME ZONE, AT LOCAL, OVERLAPS, COLLATION FOR. */
  sqlSyntax: boolean;
  /** SUBSTRING (… SIMILAR … ESCAPE …), if the arguments do not distinguish it from SUBSTRING by positions. */
  similar?: boolean;
  at: number;
}
export interface OperatorName {
  schema: string | null;
  name: string;
}
/** `left` is null for a prefix operator. `!=` is `<>`. */
export interface OperatorCall {
  type: 'operator';
  operator: OperatorName;
  left: Expression | null;
  right: Expression;
  at: number;
}
/** Two or more arguments; the first is not of the same type. */
export interface LogicalChain {
  type: 'and' | 'or';
  args: Expression[];
  at: number;
}
export interface Not {
  type: 'not';
  arg: Expression;
  at: number;
}
export interface NullTest {
  type: 'isNull';
  arg: Expression;
  negated: boolean;
  at: number;
}
/** IS [NOT] TRUE, FALSE, UNKNOWN (`value` null). */
export interface BooleanTest {
  type: 'isBoolean';
  arg: Expression;
  value: boolean | null;
  negated: boolean;
  at: number;
}
export interface DistinctTest {
  type: 'isDistinct';
  left: Expression;
  right: Expression;
  /** IS NOT DISTINCT FROM. */
  negated: boolean;
  at: number;
}
export interface InList {
  type: 'in';
  arg: Expression;
  list: Expression[];
  negated: boolean;
  at: number;
}
export interface InQuery {
  type: 'inQuery';
  /** A row if the query has several columns. */
  arg: Expression;
  query: Query;
  negated: boolean;
  at: number;
}
/** `left op ANY (array)`. */
export interface QuantifiedArray {
  type: 'quantifiedArray';
  quantifier: 'any' | 'all';
  operator: OperatorName;
  left: Expression;
  right: Expression;
  at: number;
}
/** `left op ANY (query)`. */
export interface QuantifiedQuery {
  type: 'quantifiedQuery';
  quantifier: 'any' | 'all';
  operator: OperatorName;
  left: Expression;
  query: Query;
  at: number;
}
/** EXISTS, a scalar subquery, ARRAY(query). */
export interface Subquery {
  type: 'exists' | 'subquery' | 'arrayQuery';
  query: Query;
  at: number;
}
/** ARRAY[…]; the inner ones of `ARRAY[[1],[2]]` are of this type too. */
export interface ArrayConstructor {
  type: 'array';
  elements: Expression[];
  at: number;
}
export interface RowConstructor {
  type: 'row';
  fields: Expression[];
  /** Written with ROW. */
  explicit: boolean;
  at: number;
}
export interface CaseExpression {
  type: 'case';
  arg: Expression | null;
  branches: { when: Expression; then: Expression; at: number }[];
  otherwise: Expression | null;
  at: number;
}
export interface VariadicExpression {
  type: 'coalesce' | 'greatest' | 'least';
  args: Expression[];
  at: number;
}
export interface NullIf {
  type: 'nullIf';
  left: Expression;
  right: Expression;
  at: number;
}
export interface Between {
  type: 'between';
  arg: Expression;
  low: Expression;
  high: Expression;
  symmetric: boolean;
  negated: boolean;
  at: number;
}
/**
 * Postgres resolves `like` as operator `~~`, `ilike` as `~~*`, with `!` before them if negated; the right side is `pattern`, or
 * `pg_catalog.like_escape(pattern, escape)`. `similar` is `~` or `!~` over `pg_catalog.similar_to_escape(pattern [, escape])`.
 */
export interface Like {
  type: 'like';
  kind: 'like' | 'ilike' | 'similar';
  arg: Expression;
  pattern: Expression;
  escape: Expression | null;
  negated: boolean;
  at: number;
}
export interface Collate {
  type: 'collate';
  arg: Expression;
  collation: string[];
  at: number;
}
/** `x::t`, `CAST (x AS t)`, `t 'x'`. */
export interface Cast {
  type: 'cast';
  arg: Expression;
  to: TypeName;
  at: number;
}
/** `a[1]` is an index with `upper` alone; a slice may omit either bound. */
export interface Subscript {
  slice: boolean;
  lower: Expression | null;
  upper: Expression | null;
}
/** All consecutive subscripts are one node: `a[1][2]`, unlike `(a[1])[2]`. */
export interface Subscripting {
  type: 'subscript';
  arg: Expression;
  subscripts: Subscript[];
  at: number;
}
export interface FieldSelection {
  type: 'field';
  arg: Expression;
  name: string;
  at: number;
}
/** `(composite).*`. */
export interface FieldStar {
  type: 'fieldStar';
  arg: Expression;
  at: number;
}
export type ValueFunctionName =
  | 'current_date'
  | 'current_time'
  | 'current_timestamp'
  | 'localtime'
  | 'localtimestamp'
  | 'current_role'
  | 'current_user'
  | 'user'
  | 'session_user'
  | 'current_catalog'
  | 'current_schema';
export interface ValueFunction {
  type: 'valueFunction';
  name: ValueFunctionName;
  precision: number | null;
  at: number;
}
export interface Grouping {
  type: 'grouping';
  args: Expression[];
  at: number;
}
/** DEFAULT in VALUES of an INSERT and in SET. */
export interface DefaultValue {
  type: 'default';
  at: number;
}
export interface CurrentOf {
  type: 'currentOf';
  cursor: string;
  at: number;
}
/** `merge_action()` in RETURNING of MERGE. */
export interface MergeAction {
  type: 'mergeAction';
  at: number;
}

/** `value FORMAT JSON [ENCODING UTF8]`. */
export interface JsonInput {
  value: Expression;
  format: JsonFormat | null;
}
export interface JsonFormat {
  json: 'default' | 'json';
  encoding: 'default' | 'utf8' | 'utf16' | 'utf32';
}
/** RETURNING of an SQL/JSON function. */
export interface JsonReturning {
  to: TypeName;
  format: JsonFormat | null;
}
export interface JsonObject {
  type: 'jsonObject';
  entries: { key: Expression; value: JsonInput }[];
  absentOnNull: boolean;
  uniqueKeys: boolean;
  returning: JsonReturning | null;
  at: number;
}
export interface JsonArray {
  type: 'jsonArray';
  elements: JsonInput[];
  absentOnNull: boolean;
  returning: JsonReturning | null;
  at: number;
}
export interface JsonArrayQuery {
  type: 'jsonArrayQuery';
  query: Query;
  format: JsonFormat | null;
  returning: JsonReturning | null;
  at: number;
}
export interface JsonObjectAggregate {
  type: 'jsonObjectAggregate';
  key: Expression;
  value: JsonInput;
  absentOnNull: boolean;
  uniqueKeys: boolean;
  returning: JsonReturning | null;
  filter: Expression | null;
  over: Window | string | null;
  at: number;
}
export interface JsonArrayAggregate {
  type: 'jsonArrayAggregate';
  value: JsonInput;
  absentOnNull: boolean;
  orderBy: SortKey[];
  returning: JsonReturning | null;
  filter: Expression | null;
  over: Window | string | null;
  at: number;
}
export interface IsJson {
  type: 'isJson';
  arg: Expression;
  format: JsonFormat | null;
  kind: 'value' | 'object' | 'array' | 'scalar';
  uniqueKeys: boolean;
  at: number;
}
/** `JSON(value)`. */
export interface JsonParse {
  type: 'jsonParse';
  value: JsonInput;
  uniqueKeys: boolean;
  at: number;
}
export interface JsonScalar {
  type: 'jsonScalar';
  value: Expression;
  at: number;
}
export interface JsonSerialize {
  type: 'jsonSerialize';
  value: JsonInput;
  returning: JsonReturning | null;
  at: number;
}
export interface JsonBehavior {
  kind: 'null' | 'error' | 'empty' | 'true' | 'false' | 'unknown' | 'emptyArray' | 'emptyObject' | 'default';
  value: Expression | null;
}
/** JSON_EXISTS, JSON_QUERY, JSON_VALUE. */
export interface JsonPathCall {
  type: 'jsonExists' | 'jsonQuery' | 'jsonValue';
  value: JsonInput;
  path: Expression;
  passing: { name: string; value: JsonInput }[];
  returning: JsonReturning | null;
  wrapper: 'default' | 'without' | 'conditional' | 'unconditional';
  quotes: 'default' | 'keep' | 'omit';
  onEmpty: JsonBehavior | null;
  onError: JsonBehavior | null;
  at: number;
}

/** An attribute of XMLATTRIBUTES, or an element of XMLFOREST; `name` null: that of the column. */
export interface XmlNamed {
  name: string | null;
  value: Expression;
  at: number;
}
/** XMLELEMENT (`args` are its content), XMLFOREST, XMLCONCAT, XMLPARSE, XMLPI, XMLROOT, IS DOCUMENT. */
export interface XmlCall {
  type: 'xml';
  kind: 'element' | 'forest' | 'concat' | 'parse' | 'pi' | 'root' | 'isDocument';
  /** Of an element or a processing instruction. */
  name: string | null;
  named: XmlNamed[];
  /** XMLROOT: the value and its VERSION, a null constant for NO VALUE. */
  args: Expression[];
  /** XMLPARSE (DOCUMENT …). */
  document: boolean;
  /** PRESERVE WHITESPACE, which has no effect. */
  preserve: boolean;
  standalone: 'yes' | 'no' | 'noValue' | 'omitted';
  at: number;
}
export interface XmlSerialize {
  type: 'xmlSerialize';
  value: Expression;
  document: boolean;
  to: TypeName;
  at: number;
}

export type Expression =
  | NullConstant
  | BooleanConstant
  | IntegerConstant
  | NumberConstant
  | StringConstant
  | BitStringConstant
  | ColumnReference
  | ParameterReference
  | FunctionCall
  | OperatorCall
  | LogicalChain
  | Not
  | NullTest
  | BooleanTest
  | DistinctTest
  | InList
  | InQuery
  | QuantifiedArray
  | QuantifiedQuery
  | Subquery
  | ArrayConstructor
  | RowConstructor
  | CaseExpression
  | VariadicExpression
  | NullIf
  | Between
  | Like
  | Collate
  | Cast
  | Subscripting
  | FieldSelection
  | FieldStar
  | ValueFunction
  | Grouping
  | DefaultValue
  | CurrentOf
  | MergeAction
  | JsonObject
  | JsonArray
  | JsonArrayQuery
  | JsonObjectAggregate
  | JsonArrayAggregate
  | IsJson
  | JsonParse
  | JsonScalar
  | JsonSerialize
  | JsonPathCall
  | XmlCall
  | XmlSerialize;
