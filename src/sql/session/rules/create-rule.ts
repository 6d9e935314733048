/** CREATE RULE: resolves its names, makes Postgres's checks, and stores texts that later changes do not alter. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RuleObject } from '../../../worlds/definition.ts';
import type { CreateRule } from '../../ast/define.ts';
import type { Expression } from '../../ast/expression.ts';
import type { Insert } from '../../ast/write.ts';
import type { Recording } from '../../bind/binder.ts';
import { namesRow, type RuleAction } from '../../bind/rules.ts';
import { deparseExpression, deparseQuery } from '../../parse/deparse.ts';
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import type { OutputColumn } from '../../plan/logical.ts';
import type { Ddl } from '../../schema/ddl.ts';
import type { Relation, Schema } from '../../schema/schema.ts';
import type { SqlTable } from '../../schema/table.ts';
import { accessOf } from '../check-access.ts';
import { binderOf } from '../define-table.ts';
import { define, relationNamed } from '../define.ts';
import { mustOwn, mustSeeMasked, ownedNumber } from '../ownership.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { isSystemCatalog, systemRelation } from '../system-relation.ts';
import { Uses } from '../uses.ts';
import { newRecording, rewritten } from '../view-spec.ts';
import { bindAction, bindCondition, type WrittenRule } from './rule-text.ts';

function invalid(message: string, detail?: string): SvcError {
  return new SvcError('42P17', message, detail === undefined ? {} : { detail });
}
function unsupported(message: string): SvcError {
  return new SvcError('0A000', message);
}

const ACTIONS: ReadonlySet<string> = new Set(['select', 'values', 'setOperation', 'insert', 'update', 'delete', 'notify']);

export function runCreateRule(session: SqlSession, statement: CreateRule): StatementResult {
  session.startStatement();
  const { name, table: named, event, instead, where } = statement;
  if (systemRelation(session, named)?.view === false) throw isSystemCatalog(named.name);
  const found = relationNamed(session, named);
  if (found.kind === 'index') throw new SvcError('42809', `"${named.name}" is an index`);
  if (found.kind === 'table' && found.table.materialized !== null) throw unsupported('rules on materialized views are not supported');
  if (found.kind === 'table' && found.table.foreign !== undefined)
    throw new SvcError('42809', `relation "${named.name}" cannot have rules`, { detail: 'This operation is not supported for foreign tables.' });
  if (event === 'select') throw new SvcError('0A000', 'rules ON SELECT are not supported', { hint: 'CREATE VIEW makes a relation that is read as a query.' });
  if (found.kind === 'sequence')
    throw new SvcError('42809', `relation "${named.name}" cannot have rules`, { detail: 'This operation is not supported for sequences.' });
  const number = ownedNumber(found);
  const rule: WrittenRule = { table: number, event };
  const schema = session.schema();
  const on = found.kind === 'view' ? schema.asTable(found.view) : schema.tables.get(number)!;
  const actions = statement.actions.map((action): RuleAction => {
    if (ACTIONS.has(action.type)) return spread(action as RuleAction, on);
    throw unsupported(`${action.type.toUpperCase()} is not allowed in a rule`);
  });
  refuseRows(where, event);
  if (where !== null && actions.some(({ type }) => type === 'notify'))
    throw invalid('rules with WHERE conditions can only have SELECT, INSERT, UPDATE, or DELETE actions');
  for (const action of actions) refuseRows(action, event);
  // OLD and NEW in its actions expose rows of the table to readers of what the actions write.
  if (found.kind === 'table') mustSeeMasked(session, found.table);
  const uses = new Uses(schema);
  const condition = where === null ? null : conditionText(session, rule, where, uses);
  const texts: string[] = [];
  const lists: (readonly OutputColumn[])[] = [];
  for (const action of actions) {
    const { text, returns } = actionText(session, rule, action, uses);
    texts.push(text);
    if (returns !== null) lists.push(returns);
  }
  mustOwn(session, found.kind, number, named.name);
  if (lists.length > 1) throw unsupported('cannot have multiple RETURNING lists in a rule');
  if (lists.length > 0 && condition !== null) throw unsupported('RETURNING lists are not supported in conditional rules');
  if (lists.length > 0 && !instead) throw unsupported('RETURNING lists are not supported in non-INSTEAD rules');
  for (const list of lists) refuseList(list, on);
  if (name === '_RETURN') throw invalid(`non-view rule for "${named.name}" must not be named "_RETURN"`);
  const spec = { table: number, name, event, instead, where: condition, actions: texts, uses: uses.without(0) };
  return define(session, 'CREATE RULE', (ddl) => createRule(ddl, found, spec, statement.replace));
}

function createRule(ddl: Ddl, found: Relation, spec: Omit<RuleObject, 'what' | 'number'>, replace: boolean): void {
  const known = ddl.schema.rules(spec.table).find((rule) => rule.name === spec.name);
  const on = found.kind === 'view' ? found.view.name : found.kind === 'table' ? found.table.name : '';
  if (known !== undefined && !replace) throw new SvcError('42710', `rule "${spec.name}" for relation "${on}" already exists`);
  const object: RuleObject = { what: 'rule', number: known?.number ?? 0, ...spec, ...(known?.fires === undefined ? {} : { fires: known.fires }) };
  ddl.definedTable(spec.table);
  if (known === undefined) object.number = ddl.numberFor(object);
  ddl.put(object);
}

function refuseRows(node: unknown, event: WrittenRule['event']): void {
  if (event === 'insert' && namesRow(node, 'old')) throw invalid('ON INSERT rule cannot use OLD');
  if (event === 'delete' && namesRow(node, 'new')) throw invalid('ON DELETE rule cannot use NEW');
}

/** VALUES (new.*) gives each column. */
function spread(action: RuleAction, { columns }: SqlTable): RuleAction {
  if (action.type !== 'insert' || action.source?.type !== 'values') return action;
  const { source } = action;
  const rows = source.rows.map((row) =>
    row.flatMap((value): Expression[] => {
      if (value.type !== 'column' || !value.star || value.parts.length !== 1 || (value.parts[0] !== 'new' && value.parts[0] !== 'old')) return [value];
      return columns.map(({ name }) => ({ ...value, parts: [value.parts[0], name], star: false }));
    }),
  );
  return { ...action, source: { ...source, rows } };
}

function conditionText(session: SqlSession, rule: WrittenRule, where: Expression, uses: Uses): string {
  const binder = binderOf(session);
  const recording = (binder.recording = newRecording());
  bindCondition(binder, rule, where);
  uses.add(accessOf(binder));
  noteRows(recording, rule, session.schema(), uses);
  const kept = rewritten(withRow(where, recording), recording) as Expression;
  return deparseExpression(kept);
}

function actionText(session: SqlSession, rule: WrittenRule, given: RuleAction, uses: Uses): { text: string; returns: readonly OutputColumn[] | null } {
  if (given.type === 'notify') {
    const { channel, payload } = given;
    return {
      text: `NOTIFY ${quoteIdentifier(channel)}${payload === null ? '' : `, ${deparseExpression({ type: 'string', value: payload, at: 0 })}`}`,
      returns: null,
    };
  }
  const binder = binderOf(session);
  const recording = (binder.recording = newRecording());
  const action = given.type === 'insert' ? listed(session, rule, given) : given;
  const plan = bindAction(binder, rule, action);
  if (binder.coercion.parameters.types.length > 0) throw new SvcError('42P02', 'there is no parameter $1');
  uses.add(accessOf(binder));
  noteRows(recording, rule, session.schema(), uses);
  const text = deparseQuery(rewritten(action, recording) as Parameters<typeof deparseQuery>[0]).trim();
  return { text, returns: 'returning' in action && action.returning !== null ? plan!.columns : null };
}

/** Unqualified columns are qualified with their row. */
function withRow<T>(node: T, recording: Recording): T {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) {
    const all = node.map((each: unknown) => withRow(each, recording));
    return all.every((each, i) => each === node[i]) ? node : (all as T);
  }
  const column = recording.references.get(node);
  const { parts } = node as { parts?: string[] };
  if (column !== undefined && parts?.length === 1) {
    for (const [item, { columns }] of recording.items) {
      if ((item as { type?: string }).type !== 'table' && columns.includes(column)) return { ...node, parts: [(item as { alias: string }).alias, parts[0]] };
    }
  }
  const entries = Object.entries(node).map(([key, value]) => [key, withRow(value as unknown, recording)] as const);
  // A copied node is equal if its properties are the recorded ones.
  return entries.every(([key, value]) => value === (node as Record<string, unknown>)[key]) ? node : (Object.fromEntries(entries) as T);
}

/** INSERT with an explicit column list, since the table may get more columns. */
function listed(session: SqlSession, rule: WrittenRule, action: Insert): Insert {
  const { source, columns } = action;
  if (columns.length > 0 || source === null) return action;
  const found = session.names().relation(action.table.name.schema, action.table.name.name);
  const names = found?.kind === 'table' ? found.table.columns.map(({ name }) => name) : found?.kind === 'view' ? found.columns : [];
  const width = source.type === 'values' ? source.rows[0].length : bindAction(binderOf(session), rule, source)!.columns.length;
  return { ...action, columns: names.slice(0, width).map((name) => ({ name, path: [], at: action.at })) };
}

/** Columns of OLD and NEW that are read. */
function noteRows({ items, references }: Recording, { table }: WrittenRule, schema: Schema, uses: Uses): void {
  const own = schema.tables.get(table);
  const read = new Set(references.values());
  for (const { number, columns } of items.values()) {
    if (number !== table) continue;
    columns.forEach((column, i) => {
      if (read.has(column)) uses.column(table, own?.columns[i]?.number ?? null);
    });
  }
}

/** RETURNING must match the relation's columns. */
function refuseList(list: readonly OutputColumn[], { columns }: SqlTable): void {
  list.forEach(({ type }, i) => {
    if (i >= columns.length) throw invalid('RETURNING list has too many entries');
    const column = columns[i];
    if (type.oid !== column.type.oid)
      throw invalid(
        `RETURNING list's entry ${i + 1} has different type from column "${column.name}"`,
        `RETURNING list entry has type ${type.title}, but column has type ${column.type.title}.`,
      );
  });
  if (list.length < columns.length) throw invalid('RETURNING list has too few entries');
}
