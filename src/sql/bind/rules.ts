/**
 * The rule system: rewrites INSERT, UPDATE and DELETE by the rules of their relation (manual, chapter 41). It works on syntax trees:
 * an action is the rule's own tree with a FROM item that provides OLD and NEW (`RuleRows`, bound by rule-rows.ts), and the rest of
 * the original has the conditions of INSTEAD rules in `unless`. The resulting statements run in order, each seeing the changes of
 * those before it.
 *
 *   INSERT           the original, then the actions
 *   UPDATE, DELETE   the actions, then the original
 *
 * An auto-updatable view passes its statement to the underlying relation, whose rules then apply as well.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ColumnReference, Expression, FunctionCall } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { FromItem, Query, Select } from '../ast/query.ts';
import type { Notify } from '../ast/session.ts';
import type { Delete, Insert, Merge, RuleMark, RuleRows, Update } from '../ast/write.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Binder } from './binder.ts';
import { asStored } from './rule-mark.ts';
import { settingsUpdate } from './settings-rule.ts';
import { type Verb, type WriteTarget, writeTarget } from './write-target.ts';

export type RuleAction = Query | Insert | Update | Delete | Notify;

/** An enabled rule of a table or view. */
export interface Rule {
  readonly name: string;
  readonly event: 'insert' | 'update' | 'delete';
  readonly instead: boolean;
  /** Over OLD and NEW. */
  readonly condition: Expression | null;
  readonly actions: readonly RuleAction[];
}

/** The context for binding a relation's rules. */
export interface RuledRelation extends RuleMark {
  /** The relation, a view as a table with its columns. */
  readonly table: SqlTable;
  readonly rules: readonly Rule[];
}

type RuledStatement = Insert | Update | Delete;
type Statement = Query | RuledStatement | Merge;

export interface RuleStep {
  readonly statement: Query | RuledStatement;
  readonly from: 'original' | 'instead' | 'conditional instead' | 'also';
}

/** The statements to run, possibly none; null: no rule applies. */
export function applyRules(newBinder: () => Binder, statement: Statement): RuleStep[] | null {
  if (statement.type !== 'insert' && statement.type !== 'update' && statement.type !== 'delete' && statement.type !== 'merge') return null;
  const settings = statement.type === 'update' ? settingsUpdate(newBinder(), statement) : null;
  if (settings !== null) return [{ statement: settings, from: 'instead' }];
  if (newBinder().names.hasRules !== true) return null;
  const rewriting = new Rewriting(newBinder);
  const steps = rewriting.steps(statement as RuledStatement, 'original', []);
  if (!rewriting.applied) return null;
  if (statement.with !== null && steps.length > 1)
    throw new SvcError('0A000', 'WITH cannot be used in a query that is rewritten by rules into multiple queries');
  return steps;
}

/** The step whose row count and RETURNING are reported; -1: none. */
export function resultStepOf(steps: readonly RuleStep[], type: RuledStatement['type']): number {
  const original = steps.findIndex(({ from }) => from === 'original');
  return original >= 0 ? original : steps.findLastIndex(({ from, statement }) => from.endsWith('instead') && statement.type === type);
}

class Rewriting {
  readonly #newBinder: () => Binder;
  applied = false;

  constructor(newBinder: () => Binder) {
    this.#newBinder = newBinder;
  }

  /** `open`: relations and events that are being rewritten around this statement. */
  steps(statement: RuledStatement | Merge, from: RuleStep['from'], open: readonly string[]): RuleStep[] {
    const binder = this.#newBinder();
    const verb: Verb = statement.type;
    const item = statement.table;
    const mark = statement.type === 'merge' ? undefined : statement.rule;
    const into = asStored(binder, mark, () => writeTarget(binder, item, verb));
    if (statement.type === 'merge') {
      for (let level: WriteTarget | null = into; level !== null; level = level.view?.inner ?? null) {
        if ((binder.names.rules?.(level.access.relation)?.rules.length ?? 0) === 0) continue;
        throw new SvcError('0A000', `cannot execute MERGE on relation "${level.name}"`, { detail: 'MERGE is not supported for relations with rules.' });
      }
      return [{ statement: statement as unknown as RuledStatement, from }];
    }
    return this.#level(binder, statement, into, statement, from, open);
  }

  /** `original`: the statement after the rules of views above. */
  #level(binder: Binder, statement: RuledStatement, into: WriteTarget, original: RuledStatement, from: RuleStep['from'], open: readonly string[]): RuleStep[] {
    const relation = into.access.relation;
    const ruled = binder.names.rules?.(relation) ?? null;
    const rules = ruled?.rules.filter(({ event }) => event === statement.type) ?? [];
    const below = (left: RuledStatement): RuleStep[] =>
      into.view === null ? [{ statement: left, from }] : this.#level(binder, statement, into.view.inner, left, from, open);
    const refuseConflict = (made: number, instead: boolean): void => {
      if (ruled === null || statement.type !== 'insert' || statement.onConflict === null) return;
      // A view passes the clause to its table.
      if ((into.view !== null && !instead) || (made === 0 && !ruled.rules.some(({ event }) => event === 'update'))) return;
      throw new SvcError('0A000', 'INSERT with ON CONFLICT clause cannot be used with table that has INSERT or UPDATE rules');
    };
    if (ruled === null || rules.length === 0) {
      refuseConflict(0, false);
      return below(original);
    }
    this.applied = true;
    const key = `${relation} ${statement.type}`;
    if (open.includes(key)) throw new SvcError('42P17', `infinite recursion detected in rules for relation "${into.name}"`);
    const unconditional = rules.some(({ instead, condition }) => instead && condition === null);
    const conditions = rules.flatMap(({ instead, condition }) => (instead && condition !== null ? [condition] : []));
    const mark: RuleMark = { owner: ruled.owner, home: ruled.home };
    let gives = 0;
    const actions = rules.flatMap((rule): RuleStep[] => {
      const source = !rule.instead ? 'also' : rule.condition === null ? 'instead' : 'conditional instead';
      return rule.actions.flatMap((action): RuleStep[] => {
        const made = actionOf(action, rule, ruled, mark, statement, relation, into);
        if (made.type === 'select' || made.type === 'values' || made.type === 'setOperation') return [{ statement: made, from: source }];
        if (made.gives !== undefined && ++gives > 1) throw new SvcError('0A000', 'cannot have RETURNING lists in multiple rules');
        return this.steps(made, source, [...open, key]);
      });
    });
    refuseConflict(actions.length, unconditional);
    if (!unconditional && conditions.length > 0 && into.view !== null) refuseConditional(into.name, statement.type);
    if ((unconditional || conditions.length > 0) && statement.returning !== null && gives === 0) {
      const word = statement.type.toUpperCase();
      throw new SvcError('0A000', `cannot perform ${word} RETURNING on relation "${into.name}"`, {
        hint: `You need an unconditional ON ${word} DO INSTEAD rule with a RETURNING clause.`,
      });
    }
    if (unconditional) return actions;
    const unless = conditions.map((condition) => ({ relation, condition, mark }));
    const rest = below(unless.length === 0 ? original : { ...original, unless: [...(original.unless ?? []), ...unless] });
    return statement.type === 'insert' ? [...rest, ...actions] : [...actions, ...rest];
  }
}

function refuseConditional(view: string, event: RuledStatement['type']): never {
  const words = { insert: ['insert into', 'inserting into'], update: ['update', 'updating'], delete: ['delete from', 'deleting from'] }[event];
  throw new SvcError('55000', `cannot ${words[0]} view "${view}"`, {
    detail: 'Views with conditional DO INSTEAD rules are not automatically updatable.',
    hint: `To enable ${words[1]} the view, provide an INSTEAD OF ${event.toUpperCase()} trigger or an unconditional ON ${event.toUpperCase()} DO INSTEAD rule.`,
  });
}

/** An action as a statement over OLD and NEW of its original. */
function actionOf(
  action: RuleAction,
  { condition, event }: Rule,
  { table }: RuledRelation,
  mark: RuleMark,
  of: RuledStatement,
  relation: number,
  { name }: WriteTarget,
): Query | RuledStatement {
  const rows: RuleRows = { type: 'ruleRows', of, relation, event, named: namesRows(action, event) || namesRows(condition, event), open: false, at: of.at };
  const made = withRows(action, condition, rows, mark);
  if (made.type === 'select' || made.type === 'values' || made.type === 'setOperation') return made;
  if (of.with !== null && made.with !== null && of.with.recursive !== made.with.recursive)
    throw new SvcError('0A000', 'WITH RECURSIVE cannot be added to the action of a rule');
  const selects = action.type === 'insert' && action.source !== null && action.source.type !== 'values';
  if (selects && of.with?.tables.some(({ body }) => 'returning' in body) === true)
    throw new SvcError('0A000', 'INSERT ... SELECT rule actions are not supported for queries having data-modifying statements in WITH');
  const clause = of.with === null ? made.with : { ...of.with, tables: [...of.with.tables, ...(made.with?.tables ?? [])] };
  if (made.returning === null || of.returning === null) return { ...made, with: clause, returning: null };
  const gives = {
    returning: of.returning,
    relation,
    alias: of.table.alias?.name ?? name,
    columns: table.columns.map((column, i) => of.table.alias?.columns[i] ?? column.name),
    mark: of.rule,
  };
  return { ...made, with: clause, gives };
}

/** The action with OLD and NEW in its FROM, under the rule's condition. */
export function withRows(action: RuleAction, condition: Expression | null, rows: RuleRows, mark: RuleMark | undefined): Query | RuledStatement {
  const rule = mark === undefined ? {} : { rule: mark };
  switch (action.type) {
    case 'notify': {
      const { channel, payload, at } = action;
      const args = [channel, payload ?? ''].map((value): Expression => ({ type: 'string', value, at }));
      return { ...plainSelect([{ value: call(['pg_catalog', 'pg_notify'], args, at), alias: null, at }], [], null, at), ...rule };
    }
    case 'insert': {
      const { source } = action;
      if (source === null) {
        const nothing: Select = plainSelect([], [rows], condition, action.at);
        return { ...action, source: nothing, ...rule };
      }
      if (source.type === 'values' && source.with === null && source.orderBy.length === 0 && source.limit === null && source.offset === null) {
        const [row] = source.rows;
        if (source.rows.length > 1) return { ...action, source: overRows(source, rows, condition), ...rule };
        const given = row.map((value, i) => ({ value, column: action.columns[i] })).filter(({ value }) => value.type !== 'default');
        const items = given.map(({ value }) => ({ value, alias: null, at: value.at }));
        return { ...action, columns: given.map(({ column }) => column), source: plainSelect(items, [rows], condition, source.at), ...rule };
      }
      if (source.type === 'select') return { ...action, source: { ...source, from: [rows, ...source.from], where: both(source.where, condition) }, ...rule };
      if (condition !== null || (rows.of !== null && hasRows(rows.of)))
        throw new SvcError('0A000', 'conditional UNION/INTERSECT/EXCEPT statements are not implemented');
      return { ...action, ...rule };
    }
    case 'update':
      return { ...action, from: [rows, ...action.from], where: both(action.where, condition), ...rule };
    case 'delete':
      return { ...action, using: [rows, ...action.using], where: both(action.where, condition), ...rule };
    case 'select':
      return { ...action, from: [rows, ...action.from], where: both(action.where, condition), ...rule };
    default:
      throw new SvcError('0A000', 'conditional UNION/INTERSECT/EXCEPT statements are not implemented');
  }
}

/** Several rows of VALUES for each of the statement's. */
function overRows(source: Query & { type: 'values' }, rows: RuleRows, condition: Expression | null): Select {
  const { at } = source;
  const values: FromItem = { type: 'derived', query: source, alias: { name: '*VALUES*', columns: [] }, lateral: true, at };
  const items = source.rows[0].map((_, i) => {
    const value: ColumnReference = { type: 'column', parts: ['*VALUES*', `column${i + 1}`], star: false, at };
    return { value, alias: null, at };
  });
  return plainSelect(items, [rows, values], condition, at);
}

/** Whether an original has more than one row of constants. */
function hasRows(of: RuledStatement): boolean {
  if (of.type !== 'insert') return true;
  return of.source !== null && !(of.source.type === 'values' && of.source.rows.length === 1);
}

function both(a: Expression | null, b: Expression | null): Expression | null {
  if (a === null || b === null) return a ?? b;
  return { type: 'and', args: [a, b], at: a.at };
}

function call(name: string[], args: Expression[], at: number): FunctionCall {
  const parts = { argNames: null, variadic: false, star: false, distinct: false, orderBy: [], withinGroup: false, filter: null, over: null, sqlSyntax: false };
  return { type: 'call', name, args, ...parts, overPlace: { at }, at };
}

/** Whether it reads rows of the statement: OLD, or NEW of an UPDATE. */
export function namesRows(node: unknown, event: Rule['event']): boolean {
  return namesRow(node, 'old') || (event === 'update' && namesRow(node, 'new'));
}

/** Whether `old` or `new` is used as a relation. */
export function namesRow(node: unknown, row: 'old' | 'new'): boolean {
  if (node === null || typeof node !== 'object') return false;
  const { type, parts, star } = node as { type?: string; parts?: string[]; star?: boolean };
  if (type === 'column' && parts !== undefined && parts[0] === row && (parts.length > 1 || star === true)) return true;
  // A whole row is named like a column.
  if (type === 'column' && parts !== undefined && parts.length === 1 && parts[0] === row) return true;
  return Object.values(node).some((each) => namesRow(each, row));
}
