/**
 * The only system view that accepts UPDATE: pg_settings has the rule
 *
 *   ON UPDATE TO pg_settings WHERE new.name = old.name DO INSTEAD SELECT set_config(old.name, new.setting, false)
 *
 * so each row of the UPDATE is a SET of the session (manual, 54.24). The view itself is not changed.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression, FunctionCall } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { Query } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { Update } from '../ast/write.ts';
import { type Binder, fail } from './binder.ts';

const VIEW = 'pg_settings';

/** A quick test whether the statement may be one; name resolution decides. */
export function mayUpdateSettings(statement: { readonly type: string; readonly table?: unknown }): boolean {
  return statement.type === 'update' && (statement as Update).table.name.name === VIEW;
}

/** The query that sets the UPDATE's values; null if another relation is meant. 42703, 0A000. */
export function settingsUpdate(binder: Binder, statement: Update): Query | null {
  const { table, set, from, where, returning, at } = statement;
  if (!mayUpdateSettings(statement)) return null;
  const found = binder.names.relation(table.name.schema, table.name.name, true);
  if (found?.kind !== 'virtual' || found.relation.schema !== 'pg_catalog') return null;
  if (returning !== null)
    throw new SvcError('0A000', `cannot perform UPDATE RETURNING on relation "${VIEW}"`, {
      hint: 'You need an unconditional ON UPDATE DO INSTEAD rule with a RETURNING clause.',
    });
  const row = table.alias?.name ?? VIEW;
  const given = new Map<string, Expression>();
  for (const { targets, multiple, value } of set) {
    for (const target of targets) {
      if (!found.relation.columns.some(({ name }) => name === target.name))
        fail('42703', `column "${target.name}" of relation "${VIEW}" does not exist`, target.at);
      if (given.has(target.name)) fail('42601', `multiple assignments to same column "${target.name}"`, target.at);
      if (multiple || target.path.length > 0) throw new SvcError('0A000', `columns of ${VIEW} are only set one by one`, { position: target.at + 1 });
      given.set(target.name, value.type === 'default' ? { type: 'null', at: value.at } : value);
    }
  }
  const old = (name: string): Expression => ({ type: 'column', parts: [row, name], star: false, at });
  const name = given.get('name');
  const sameName: Expression | null =
    name === undefined ? null : { type: 'operator', operator: { schema: null, name: '=' }, left: name, right: old('name'), at };
  const conditions = [where, sameName].filter((each) => each !== null);
  const setting: Expression = { type: 'cast', arg: given.get('setting') ?? old('setting'), to: text(at), at };
  const calls = call([old('name'), setting, { type: 'boolean', value: false, at }], at);
  const condition: Expression | null = conditions.length > 1 ? { type: 'and', args: conditions, at } : (conditions[0] ?? null);
  return { ...plainSelect([{ value: calls, alias: null, at }], [table, ...from], condition, at), with: statement.with };
}

function call(args: Expression[], at: number): FunctionCall {
  const parts = { argNames: null, variadic: false, star: false, distinct: false, orderBy: [], withinGroup: false, filter: null, over: null, sqlSyntax: false };
  return { type: 'call', name: ['pg_catalog', 'set_config'], args, ...parts, overPlace: { at }, at };
}

function text(at: number): TypeName {
  return { schema: 'pg_catalog', name: 'text', typmods: [], arrayBounds: [], setOf: false, columnOf: null, at };
}
