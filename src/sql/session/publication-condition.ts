/** WHERE of a publication's table: only built-in and immutable expressions. Manual, CREATE PUBLICATION. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { SYSTEM_COLUMNS } from '../catalog/system-relations.ts';
import { deparseExpression } from '../parse/deparse.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { childrenOf } from '../plan/rules/walk.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { SqlTable } from '../schema/table.ts';
import { binderOf } from './define-table.ts';
import type { SqlSession } from './sql-session.ts';
import { newRecording } from './view-spec.ts';

const NOT_SIMPLE = 'Only columns, constants, built-in operators, built-in data types, built-in collations, and immutable built-in functions are allowed.';
const USERS_FUNCTION = 'User-defined or built-in mutable functions are not allowed.';

/** Its text. 42804, 42803, 42P20, 0A000: not a condition over one row. */
export function publicationCondition(session: SqlSession, table: SqlTable, condition: Expression): string {
  const binder = binderOf(session);
  const recording = (binder.recording = newRecording());
  const scope = new Scope(null);
  scope.clause = 'where';
  const use = (name: string, type: Parameters<typeof binder.column>[1], typmod = -1) => ({ name, value: binder.use(binder.column(name, type, typmod)) });
  const columns = table.columns.map(({ name, type, typmod }) => use(name, type, typmod));
  const system = SYSTEM_COLUMNS.map(([name, , type]) => use(name, binder.type(type)));
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns, table, system }], columns };
  const bound = binder.coercion.toBoolean(bindExpression(binder, condition, scope), 'PUBLICATION WHERE', condition.at);
  const hidden = new Set(system.flatMap(({ value }) => (value.kind === 'column' ? [value.id] : [])));
  const fault =
    faultIn(bound, hidden) ?? (recording.operators.size > 0 ? 'User-defined operators are not allowed.' : recording.calls.length > 0 ? USERS_FUNCTION : null);
  if (fault !== null) throw new SvcError('0A000', 'invalid publication WHERE expression', { detail: fault });
  return deparseExpression(condition);
}

function faultIn(value: Bound, system: ReadonlySet<ColumnId>): string | null {
  const own = faultOf(value, system);
  if (own !== null) return own;
  for (const each of childrenOf(value)) {
    const below = faultIn(each, system);
    if (below !== null) return below;
  }
  return null;
}

function faultOf(value: Bound, system: ReadonlySet<ColumnId>): string | null {
  switch (value.kind) {
    case 'column':
      if (system.has(value.id)) return 'System columns are not allowed.';
      break;
    case 'parameter':
    case 'environment':
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
    case 'quantifiedQuery':
    case 'subscript':
    case 'field':
      return NOT_SIMPLE;
    case 'cast':
      if (value.method === 'io' || value.method === 'array') return NOT_SIMPLE;
      if (value.type.oid < FIRST_OWN_OID && value.cast !== null && (value.cast.user !== undefined || (value.cast.volatility ?? 'immutable') !== 'immutable'))
        return USERS_FUNCTION;
      break;
    case 'call':
      if (value.type.oid < FIRST_OWN_OID && (value.fn.volatility ?? 'immutable') !== 'immutable') return USERS_FUNCTION;
      break;
    default:
  }
  return value.type.oid >= FIRST_OWN_OID ? 'User-defined types are not allowed.' : null;
}
