/** Statements that change rows. */
import type { Expression, Subscript } from './expression.ts';
import type { FromItem, Query, RelationName, SelectItem, TableItem, With } from './query.ts';
import type { Option } from './define.ts';

/** A column, or a part of it: `b.c[1]` has path `.c`, `[1]`. */
export interface TargetColumn {
  name: string;
  path: ({ type: 'field'; name: string } | { type: 'subscript'; subscript: Subscript })[];
  at: number;
}
/** `a = value`, or `(a, b) = value` with several targets and `value` a row or a subquery. */
export interface Assignment {
  targets: TargetColumn[];
  /** Written with parentheses. */
  multiple: boolean;
  value: Expression;
  at: number;
}
/** `RETURNING [WITH (OLD AS o, NEW AS n)] …`. */
export interface Returning {
  oldAlias: string | null;
  newAlias: string | null;
  items: SelectItem[];
}
export interface ConflictTarget {
  /** The arbiter by its columns and expressions … */
  elements: { value: Expression; collation: string[] | null; operatorClass: string[] | null; at: number }[];
  where: Expression | null;
  /** … or by its constraint. */
  constraint: string | null;
  at: number;
}
export interface OnConflict {
  action: 'nothing' | 'update';
  target: ConflictTarget | null;
  set: Assignment[];
  where: Expression | null;
  at: number;
}
export type Overriding = 'none' | 'user' | 'system';
/** The names and privileges of a rule's action: those of its table or view. */
export interface RuleMark {
  owner: number;
  home: string;
}
/** What rules add to a statement that is still run, or to one of their actions. */
export interface PolicyChanged {
  /** Set for an action of a rule. */
  rule?: RuleMark;
  /** Conditions of INSTEAD rules of the relation: rows that satisfy one are left to them. */
  unless?: { relation: number; condition: Expression; mark: RuleMark }[];
  /** RETURNING of the statement that the action replaces, over the action's own RETURNING. */
  gives?: { returning: Returning; relation: number; alias: string; columns: string[]; mark: RuleMark | undefined };
}
/** OLD and NEW of a statement, in FROM of a rule's action; `of` null: while the rule is created. */
export interface RuleRows {
  type: 'ruleRows';
  of: Insert | Update | Delete | null;
  /** Number of the relation with the rule. */
  relation: number;
  event: 'insert' | 'update' | 'delete';
  /** Whether OLD, or NEW of an UPDATE, is used: then the relation's rows are read. */
  named: boolean;
  /** Whether its columns are visible unqualified: in the rule's own condition. */
  open: boolean;
  at: number;
}
export interface Insert extends PolicyChanged {
  type: 'insert';
  with: With | null;
  table: TableItem;
  /** Empty: all, in order. */
  columns: TargetColumn[];
  overriding: Overriding;
  /** null: DEFAULT VALUES. */
  source: Query | null;
  onConflict: OnConflict | null;
  returning: Returning | null;
  at: number;
}
export interface Update extends PolicyChanged {
  type: 'update';
  with: With | null;
  table: TableItem;
  set: Assignment[];
  from: FromItem[];
  where: Expression | null;
  returning: Returning | null;
  at: number;
}
export interface Delete extends PolicyChanged {
  type: 'delete';
  with: With | null;
  table: TableItem;
  using: FromItem[];
  where: Expression | null;
  returning: Returning | null;
  at: number;
}
export interface MergeBranch {
  match: 'matched' | 'notMatchedBySource' | 'notMatchedByTarget';
  condition: Expression | null;
  action:
    | { type: 'update'; set: Assignment[] }
    | { type: 'delete' }
    /** `values` null: DEFAULT VALUES. */
    | { type: 'insert'; columns: TargetColumn[]; overriding: Overriding; values: Expression[] | null }
    | { type: 'nothing' };
}
export interface Merge {
  type: 'merge';
  with: With | null;
  table: TableItem;
  source: FromItem;
  on: Expression;
  branches: MergeBranch[];
  returning: Returning | null;
  at: number;
}
export interface Truncate {
  type: 'truncate';
  tables: { name: RelationName; only: boolean }[];
  restartIdentity: boolean;
  cascade: boolean;
  at: number;
}
export interface Copy {
  type: 'copy';
  direction: 'from' | 'to';
  table: RelationName | null;
  columns: string[];
  /** Instead of a table, with TO. */
  query: Query | Insert | Update | Delete | Merge | null;
  /** null: standard input or output. */
  file: string | null;
  /** The file is a command line. */
  program: boolean;
  /** The old syntax (`CSV HEADER`) gives the same options. */
  options: Option[];
  where: Expression | null;
  at: number;
}
export type WriteStatement = Insert | Update | Delete | Merge | Truncate | Copy;
