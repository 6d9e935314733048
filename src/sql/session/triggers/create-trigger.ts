/** CREATE TRIGGER: resolves its names, checks its condition, and refuses what Postgres refuses. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RoutineReference, TriggerObject } from '../../../worlds/definition.ts';
import type { CreateTrigger } from '../../ast/define.ts';
import type { Expression } from '../../ast/expression.ts';
import type { RelationName } from '../../ast/query.ts';
import { bindExpression } from '../../bind/expression.ts';
import { deparseExpression } from '../../parse/deparse.ts';
import { columnsOf, hasSubquery } from '../../plan/rules/walk.ts';
import { PRIVILEGE } from '../../schema/acl.ts';
import { isPartitioned } from '../../schema/partitions.ts';
import type { Relation } from '../../schema/schema.ts';
import type { SqlTable } from '../../schema/table.ts';
import { TRIGGER } from '../../types/pseudo-types.ts';
import { createTrigger } from '../../schema/triggers.ts';
import { SYSTEM_COLUMNS } from '../../bind/system-columns.ts';
import { binderOf } from '../define-table.ts';
import { define, relationNamed } from '../define.ts';
import { ownedNumber } from '../ownership.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { builtInTrigger } from './built-in-triggers.ts';
import { mustSeeMasked } from '../ownership.ts';
import { triggered } from './table-triggers.ts';
import { whenScope } from './when-scope.ts';
import { isSystemCatalog, systemRelation } from '../system-relation.ts';

function unsupported(message: string, detail?: string): SvcError {
  return new SvcError('0A000', message, detail === undefined ? {} : { detail });
}
function invalid(message: string, options: { detail?: string; position?: number } = {}): SvcError {
  return new SvcError('42P17', message, options);
}
function wrongKind(message: string, detail: string): SvcError {
  return new SvcError('42809', message, { detail });
}

export function runCreateTrigger(session: SqlSession, statement: CreateTrigger): StatementResult {
  session.startStatement();
  if (statement.constraint && statement.replace) throw unsupported('CREATE OR REPLACE CONSTRAINT TRIGGER is not supported');
  const found = triggerable(session, statement.table);
  const table = found.kind === 'table' ? found.table : null;
  const number = ownedNumber(found);
  const { name } = statement.table;
  refuseForRelation(statement, found, name);
  const from = statement.from === null ? null : relationNamed(session, statement.from);
  mayTrigger(session, number, name);
  if (from !== null) {
    if (from.kind !== 'table') throw new SvcError('42809', `"${statement.from!.name}" is not a table`);
    mayTrigger(session, from.table.number, from.table.name);
  }
  // Its condition reads unmasked rows, and so do built-in trigger functions, with visible results.
  if (table !== null && (statement.when !== null || builtInTrigger(statement.function[statement.function.length - 1]) !== undefined))
    mustSeeMasked(session, table);
  refuseByForm(statement);
  const transitions = transitionNames(statement, found, name);
  const columns = columnNumbers(session, statement, number, name);
  const when = statement.when === null ? null : condition(session, statement, statement.when, number, table);
  const reference = functionNamed(session, statement.function);
  const object: Omit<TriggerObject, 'what' | 'number' | 'parent'> = {
    table: number,
    name: statement.name,
    function: reference,
    timing: statement.timing,
    events: [...statement.events],
    row: statement.row,
    columns,
    when,
    args: [...statement.args],
    ...transitions,
    ...(statement.constraint
      ? {
          constraint: {
            deferrable: statement.deferrable,
            initiallyDeferred: statement.initiallyDeferred,
            from: from?.kind === 'table' ? from.table.number : null,
          },
        }
      : {}),
  };
  return define(session, 'CREATE TRIGGER', (ddl) => createTrigger(ddl, name, object, statement.replace));
}

export function triggerable(session: SqlSession, name: RelationName): Relation {
  const system = systemRelation(session, name);
  if (system !== null) {
    if (system.view === true && !session.authority.free) throw new SvcError('42501', `permission denied for view ${name.name}`);
    throw isSystemCatalog(name.name);
  }
  try {
    return relationNamed(session, name);
  } catch (error) {
    // Postgres gives no position here.
    throw error instanceof SvcError && error.code === '42P01' ? new SvcError('42P01', error.message) : error;
  }
}

function mayTrigger(session: SqlSession, relation: number, name: string): void {
  const { authority } = session;
  if (authority.free || authority.privileges(session.schema()).held(authority.role, 'r', relation, PRIVILEGE.TRIGGER) !== 0) return;
  throw new SvcError('42501', `permission denied for ${session.schema().views.has(relation) ? 'view' : 'table'} ${name}`);
}

const OTHER_KINDS = { sequence: 'sequences', index: 'indexes' } as const;

function refuseForRelation({ timing, row, events, constraint, transitions }: CreateTrigger, found: Relation, name: string): void {
  if (found.kind === 'table' && found.table.materialized === null) {
    const { table } = found;
    if (table.foreign !== undefined) return refuseForForeignTable({ timing, row, events, constraint, transitions }, name);
    if (timing === 'instead of') throw wrongKind(`"${name}" is a table`, 'Tables cannot have INSTEAD OF triggers.');
    if (isPartitioned(table) && row && transitions.length > 0)
      throw unsupported(`"${name}" is a partitioned table`, 'ROW triggers with transition tables are not supported on partitioned tables.');
    return;
  }
  if (found.kind === 'view') {
    if (constraint) throw new SvcError('42809', `"${name}" is not a table`);
    if (timing !== 'instead of' && row) throw wrongKind(`"${name}" is a view`, 'Views cannot have row-level BEFORE or AFTER triggers.');
    if (events.includes('truncate')) throw wrongKind(`"${name}" is a view`, 'Views cannot have TRUNCATE triggers.');
    return;
  }
  const what = found.kind === 'table' ? 'materialized views' : OTHER_KINDS[found.kind];
  throw wrongKind(`relation "${name}" cannot have triggers`, `This operation is not supported for ${what}.`);
}

function refuseForForeignTable(
  { timing, events, constraint, transitions }: Pick<CreateTrigger, 'timing' | 'row' | 'events' | 'constraint' | 'transitions'>,
  name: string,
): void {
  const refuse = (what: string): never => {
    throw wrongKind(`"${name}" is a foreign table`, `Foreign tables cannot have ${what} triggers.`);
  };
  if (timing === 'instead of') refuse('INSTEAD OF');
  if (events.includes('truncate')) refuse('TRUNCATE');
  if (constraint) refuse('constraint');
  if (transitions.length > 0) throw wrongKind(`"${name}" is a foreign table`, 'Triggers on foreign tables cannot have transition tables.');
}

function refuseByForm({ row, events, timing, when, columns }: CreateTrigger): void {
  if (row && events.includes('truncate')) throw unsupported('TRUNCATE FOR EACH ROW triggers are not supported');
  if (timing !== 'instead of') return;
  if (!row) throw unsupported('INSTEAD OF triggers must be FOR EACH ROW');
  if (when !== null) throw unsupported('INSTEAD OF triggers cannot have WHEN conditions');
  if (columns.length > 0) throw unsupported('INSTEAD OF triggers cannot have column lists');
}

function transitionNames(
  { transitions, timing, events, columns, row }: CreateTrigger,
  found: Relation,
  name: string,
): { oldTable: string | null; newTable: string | null } {
  let oldTable: string | null = null;
  let newTable: string | null = null;
  for (const each of transitions) {
    if (!each.isTable) {
      throw new SvcError('0A000', 'ROW variable naming in the REFERENCING clause is not supported', {
        hint: 'Use OLD TABLE or NEW TABLE for naming transition tables.',
      });
    }
    if (found.kind === 'view') throw wrongKind(`"${name}" is a view`, 'Triggers on views cannot have transition tables.');
    if (found.kind === 'table' && row && found.table.inheritance !== null && found.table.inheritance.parents.length > 0) {
      throw unsupported(
        found.table.inheritance.bound === null
          ? 'ROW triggers with transition tables are not supported on inheritance children'
          : 'ROW triggers with transition tables are not supported on partitions',
      );
    }
    if (timing !== 'after') throw invalid('transition table name can only be specified for an AFTER trigger');
    if (events.includes('truncate')) throw unsupported('TRUNCATE triggers with transition tables are not supported');
    if (events.length > 1) throw unsupported('transition tables cannot be specified for triggers with more than one event');
    if (columns.length > 0) throw unsupported('transition tables cannot be specified for triggers with column lists');
    if (each.isNew) {
      if (!events.includes('insert') && !events.includes('update')) throw invalid('NEW TABLE can only be specified for an INSERT or UPDATE trigger');
      if (newTable !== null) throw invalid('NEW TABLE cannot be specified multiple times');
      newTable = each.name;
    } else {
      if (!events.includes('delete') && !events.includes('update')) throw invalid('OLD TABLE can only be specified for a DELETE or UPDATE trigger');
      if (oldTable !== null) throw invalid('OLD TABLE cannot be specified multiple times');
      oldTable = each.name;
    }
  }
  if (oldTable !== null && oldTable === newTable) throw invalid('OLD TABLE name and NEW TABLE name cannot be the same');
  return { oldTable, newTable };
}

function columnNumbers(session: SqlSession, { columns: names, events }: CreateTrigger, number: number, relation: string): number[] {
  if (!events.includes('update')) return [];
  const schema = session.schema();
  const table = schema.tables.get(number);
  const { columns } = triggered(schema, number);
  return names.map((name, i) => {
    const at = columns.findIndex((column) => column.name === name);
    if (at < 0) throw new SvcError('42703', `column "${name}" of relation "${relation}" does not exist`);
    if (names.indexOf(name) < i) throw new SvcError('42701', `column "${name}" specified more than once`);
    return table === undefined ? at + 1 : table.columns[at].number;
  });
}

/** The stored text of WHEN. */
function condition(session: SqlSession, { row, timing, events }: CreateTrigger, value: Expression, number: number, table: SqlTable | null): string {
  const binder = binderOf(session);
  const on = triggered(session.schema(), number);
  const { scope, columns } = whenScope(binder, on, table);
  // System columns of NEW are found in the syntax, since binding would give them a value.
  const system = timing === 'before' ? systemReference(value) : null;
  if (system !== null) throw new SvcError('0A000', "BEFORE trigger's WHEN condition cannot reference NEW system columns", { position: system + 1 });
  const bound = binder.coercion.toBoolean(bindExpression(binder, value, scope), 'WHEN', value.at);
  if (hasSubquery(bound)) throw new SvcError('0A000', 'cannot use subquery in trigger WHEN condition', { position: value.at + 1 });
  const used = columnsOf(bound);
  const ids = columns.map(({ id }) => id);
  const width = on.columns.length;
  const [old, now] = [ids.slice(0, width).some((id) => used.has(id)), ids.slice(width).some((id) => used.has(id))];
  const place = (...rows: string[]): { position: number } => ({ position: (referenceTo(value, rows) ?? value.at) + 1 });
  if (!row && (old || now)) throw invalid("statement trigger's WHEN condition cannot reference column values", place('old', 'new'));
  if (old && events.includes('insert')) throw invalid("INSERT trigger's WHEN condition cannot reference OLD values", place('old'));
  if (now && events.includes('delete')) throw invalid("DELETE trigger's WHEN condition cannot reference NEW values", place('new'));
  if (now && timing === 'before' && table !== null) {
    const at = table.columns.findIndex(({ generated }, i) => generated !== null && used.has(ids[width + i]));
    if (at >= 0) {
      const whole = namesWhole(value);
      throw invalid("BEFORE trigger's WHEN condition cannot reference NEW generated columns", {
        ...place('new'),
        detail: whole ? 'A whole-row reference is used and the table contains generated columns.' : `Column "${table.columns[at].name}" is a generated column.`,
      });
    }
  }
  return deparseExpression(value);
}

/** The position of the first use of OLD or NEW. */
function referenceTo(node: unknown, rows: readonly string[]): number | null {
  if (node === null || typeof node !== 'object') return null;
  const { type, parts, at } = node as { type?: string; parts?: string[]; at?: number };
  if (type === 'column' && parts !== undefined && rows.includes(parts[0])) return at ?? null;
  for (const each of Object.values(node)) {
    const found = referenceTo(each, rows);
    if (found !== null) return found;
  }
  return null;
}

/** The position of the first system column of NEW. */
function systemReference(node: unknown): number | null {
  if (node === null || typeof node !== 'object') return null;
  const { type, parts, at } = node as { type?: string; parts?: string[]; at?: number };
  if (type === 'column' && parts?.length === 2 && parts[0] === 'new' && SYSTEM_COLUMNS.has(parts[1])) return at ?? null;
  for (const each of Object.values(node)) {
    const found = systemReference(each);
    if (found !== null) return found;
  }
  return null;
}

/** Whether NEW or OLD are used as whole rows. */
function namesWhole(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false;
  const { type, parts, star } = node as { type?: string; parts?: string[]; star?: boolean };
  if (type === 'column' && parts !== undefined && parts.length === 1 && (star === true || parts[0] === 'new' || parts[0] === 'old')) return true;
  return Object.values(node).some(namesWhole);
}

function functionNamed(session: SqlSession, name: readonly string[]): RoutineReference {
  const last = name[name.length - 1];
  const scope = name.length > 1 ? name[name.length - 2] : null;
  const schema = session.schema();
  const builtIn = scope === null || scope === 'pg_catalog' ? builtInTrigger(last) : undefined;
  if (builtIn !== undefined) return { name: last };
  const places = scope === null ? session.system.schemas(false) : [session.schemaMeant(scope)];
  for (const place of places) {
    const found = schema.functionsNamed(place, last).find(({ inputs, object }) => inputs.length === 0 && !object.procedure && object.aggregate === undefined);
    if (found === undefined) continue;
    const { number, returns } = found.object;
    const { authority } = session;
    if (!authority.free && authority.privileges(schema).held(authority.role, 'f', number, PRIVILEGE.EXECUTE) === 0)
      throw new SvcError('42501', `permission denied for function ${last}`);
    if (returns !== TRIGGER.oid) throw invalid(`function ${last} must return type trigger`);
    return { own: number };
  }
  if (session.host.registry.functions(last).some(({ args, kind }) => args.length === 0 && kind === 'scalar') && (scope === null || scope === 'pg_catalog'))
    throw invalid(`function ${last} must return type trigger`);
  throw new SvcError('42883', `function ${name.join('.')}() does not exist`);
}
