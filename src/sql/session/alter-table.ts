/** ALTER TABLE: binds each action, then runs it in the schema layer, in order. */
import { runSteps } from '../../base/run-steps.ts';
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import { TABLE_LOCK } from '../../locks/lock-mode.ts';
import { childRoot } from '../../tree/directory.ts';
import { isTemporarySchema, type ServerObject } from '../../worlds/definition.ts';
import { optionText } from '../ast/option-text.ts';
import type { AlterAction, AlterTable, Option, Role } from '../ast/define.ts';
import type { Expression } from '../ast/expression.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { isVolatile } from '../bind/volatile.ts';
import { YIELD } from '../exec/batch.ts';
import { Compilation } from '../exec/compilation.ts';
import { type AlterSpec, alterTable, alterTableSteps } from '../schema/alter-table.ts';
import { eachRowLater } from '../schema/constraint.ts';
import type { ColumnSpec } from '../schema/create-table.ts';
import { refuseCollatedKeys } from '../schema/icu-collations.ts';
import type { Ddl } from '../schema/ddl.ts';
import { setViewCheck, setViewDefault, setViewSecurity } from '../schema/other-objects.ts';
import { isPartitioned } from '../schema/partitions.ts';
import { columnIndex } from '../schema/object-errors.ts';
import { setRowSecurity } from '../schema/policies.ts';
import type { Relation, View } from '../schema/schema.ts';
import { refuseOwnRow, refuseRowTypeUse } from '../schema/row-type-uses.ts';
import type { SqlTable } from '../schema/table.ts';
import { checkRules } from '../types/domain-type.ts';
import { typeDefault } from '../types/base-type.ts';
import type { Value } from '../types/value.ts';
import { changeSequence } from './change-sequence.ts';
import { alterForeignOptions, refuseForForeign, withForeignOptions } from './foreign/foreign-tables.ts';
import { refuseForKind } from './alter-permissions.ts';
import { binderOf, columnPieces, defaultText, referencedName, refuseUnlogged, tableConstraint } from './define-table.ts';
import { alterInheritance, attachIndex, isInheritanceAction, isTyped } from './alter-inheritance.ts';
import { alterTree, isTied } from './alter-tree.ts';
import { alterFacts, collationOf, columnFacts } from './define-facts.ts';
import { changedOptions, factsOf, putFacts } from '../schema/facts.ts';
import { define, defineInParts, defineSteps, mustTakeChecks, relationNamed, tableNamed } from './define.ts';
import { execContext } from './exec-context.ts';
import { LARGE_ROWS, SLICE_MS } from './large-commit.ts';
import { runInTurns, type Step, type Steps } from './plpgsql/steps.ts';
import { parseExpressionText } from './names.ts';
import { setOwner } from './owners.ts';
import { refuseTablespace } from './move-tables.ts';
import { mustOrder } from './maintenance.ts';
import { mustOwnRelation, mustSeeMasked, mustUseType } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import { checkWeights } from '../schema/searched-fields.ts';
import { storageOptions } from './storage-options.ts';
import { sequenceOptions } from './sequence-options.ts';
import type { SqlSession } from './sql-session.ts';
import { checkOptionOf, securityOf } from './view-options.ts';
import { enableRule, refuseOnView } from './rules/alter-rule.ts';
import { enableTriggers } from './triggers/alter-trigger.ts';
import { rewriteViews } from './view-text.ts';

/** Actions that have no meaning here and change nothing. */
const IGNORED = new Set<AlterAction['type']>([
  'setStatistics',
  'setStorage',
  'setCompression',
  'setOptions',
  'resetOptions',
  'setColumnOptions',
  'resetColumnOptions',
  'setOwner',
  'setLogged',
  'setTablespace',
  'replicaIdentity',
  'clusterOn',
  'dropCluster',
  'setAccessMethod',
]);

/** `ofType`: the table is altered because its row type is. */
export function runAlterTable(session: SqlSession, statement: AlterTable): StatementResult;
export function runAlterTable(session: SqlSession, statement: AlterTable, ofType: boolean, mayWait: true): StatementResult | Promise<StatementResult>;
export function runAlterTable(session: SqlSession, statement: AlterTable, ofType?: boolean): StatementResult;
export function runAlterTable(session: SqlSession, statement: AlterTable, ofType = false, mayWait = false): StatementResult | Promise<StatementResult> {
  const command = `ALTER ${statement.kind.toUpperCase()}`;
  session.startStatement();
  session.writable(command);
  const target = referencedName(session, statement.name);
  if (statement.ifExists && session.schema().relation(target.schema, target.name) === null) {
    session.notice('00000', `relation "${statement.name.name}" does not exist, skipping`);
    return done(command, session.notices);
  }
  const found = relationNamed(session, statement.name);
  refuseForKind(statement, found);
  const [first] = statement.actions;
  if (found.kind === 'index' && first?.type === 'attachPartition') {
    mustOwnRelation(session, found, statement.name.name);
    return attachIndex(session, found, first.partition);
  }
  mustOwnRelation(session, found, statement.name.name);
  for (const action of statement.actions) {
    if (action.type !== 'setOwner') continue;
    if (found.kind === 'index') refuseIndexOwner(session, found.table, action.owner);
    else setOwnerOf(session, statement, action.owner);
  }
  if (found.kind !== 'table') {
    if (found.kind === 'view' && statement.actions.every(({ type }) => VIEW_ACTIONS.has(type))) return alterView(session, found.view, statement.actions);
    const [only] = statement.actions;
    if (found.kind === 'view' && only?.type === 'rules') return refuseOnView(found.view.name, only);
    if (found.kind === 'view' && only?.type === 'triggers') return enableTriggers(session, command, found.view, only, statement.only);
    const known = found.kind === 'sequence' || found.kind === 'view' || found.kind === 'index';
    if (known && statement.actions.every(({ type }) => IGNORED.has(type))) {
      if (found.kind === 'index') return alterIndex(session, found, statement.actions);
      if (found.kind === 'sequence' && first?.type === 'setLogged')
        return define(session, command, (ddl) => putFacts(ddl, found.sequence.number, 0, { unlogged: first.logged ? undefined : true }));
      return done(command);
    }
    throw new SvcError('42809', `"${statement.name.name}" is not a table`, { position: statement.name.at + 1 });
  }
  const steps = actionSteps(session, statement, found, command, ofType, mayWait);
  const step = steps.next();
  return step.done === true ? step.value : runInTurns(session, resumed(step.value, steps));
}

function* resumed<T>(first: Step, steps: Steps<T>): Steps<T> {
  yield first;
  return yield* steps;
}

/** Statements with more actions run in steps. */
const LARGE_ACTIONS = 20;

/** Each action sees the result of the ones before it. `mayWait`: the statement may yield during long actions. */
function* actionSteps(
  session: SqlSession,
  statement: AlterTable,
  found: Extract<Relation, { kind: 'table' }>,
  command: string,
  ofType: boolean,
  mayWait: boolean,
): Steps<StatementResult> {
  let result = done(command, session.notices);
  const retyped = statement.actions.filter((action) => action.type === 'setType');
  const twice = retyped.find(({ column }, i) => retyped.findIndex((each) => each.column === column) < i);
  if (twice !== undefined) throw new SvcError('0A000', `cannot alter type of column "${twice.column}" twice`);
  let together = retyped.length > 1 ? retyped : null;
  let until = performance.now() + SLICE_MS;
  for (const action of inPasses(statement.actions)) {
    if (mayWait && performance.now() > until && waitsApart(session, found.table)) {
      yield YIELD;
      until = performance.now() + SLICE_MS;
    }
    const table = found.table.materialized === null ? tableNamed(session, statement.name) : session.schema().tables.get(found.table.number)!;
    refuseUnknown(table, action);
    if (action.type === 'triggers') {
      result = { ...result, notices: [...result.notices, ...enableTriggers(session, command, table, action, statement.only).notices] };
      continue;
    }
    if (action.type === 'rules') {
      result = { ...result, notices: [...result.notices, ...enableRule(session, command, table, action).notices] };
      continue;
    }
    if (IGNORED.has(action.type)) {
      const made = define(session, command, (ddl) => {
        alterFacts(ddl, table, action, (code, text, severity) => session.notice(code, text, severity));
      });
      result = { ...result, notices: made.notices };
      continue;
    }
    if (action.type === 'foreignOptions' || action.type === 'columnForeignOptions') {
      define(session, command, (ddl) => alterForeignOptions(session, ddl, table, action));
      continue;
    }
    if (table.foreign !== undefined)
      refuseForForeign(action.type === 'addConstraint' ? [action.constraint] : action.type === 'addColumn' ? [action.column] : []);
    if (isInheritanceAction(action)) {
      result = { ...result, notices: [...result.notices, ...alterInheritance(session, command, table, action).notices] };
      continue;
    }
    if (!ofType && isTyped(session, table)) refuseTyped(action);
    if (action.type === 'rowSecurity') {
      define(session, command, (ddl) => setRowSecurity(ddl, table, action.mode));
      continue;
    }
    if (isTied(session, table) && action.type !== 'setIdentity' && action.type !== 'addIdentity' && action.type !== 'dropIdentity') {
      if (readsRows(action)) mustSeeMasked(session, table);
      const results = alterTree(session, command, table, action, statement.only, (each, own) => specOf(session, each, own));
      result = { ...result, notices: [...result.notices, ...results.flatMap(({ notices }) => notices)] };
      continue;
    }
    if (action.type === 'setType' && retyped.length > 1) {
      if (together === null) continue;
      together = null;
      mustSeeMasked(session, table);
      const retype = function* (ddl: Ddl): Generator<void, void> {
        const specs: AlterSpec[] = [];
        for (const each of retyped) {
          specs.push(specOf(session, table, each)!);
          yield;
        }
        yield* alterTableSteps(ddl, table.number, yield* fromOldRows(ddl, table, specs));
      };
      const long = mayWait && (retyped.length > LARGE_ACTIONS || hasManyRows(session, table)) && waitsApart(session, table);
      const made = long ? yield* defineSteps(session, command, retype) : define(session, command, (ddl) => runSteps(retype(ddl)));
      result = { ...result, notices: [...result.notices, ...made.notices] };
      continue;
    }
    if (readsRows(action)) mustSeeMasked(session, table);
    if (action.type === 'setIdentity') {
      setIdentity(session, table, action);
      continue;
    }
    const spec = specOf(session, table, action);
    if (spec?.kind === 'drop column') {
      define(session, command, (ddl) => rewriteViews(session, ddl, [{ number: table.number, gone: spec.column }]));
    }
    if (spec !== null) {
      const run = (ddl: Ddl): void => {
        alterTable(ddl, table.number, [spec]);
        factsAfter(ddl, table.number, action);
        refuseCollatedKeys(ddl, table.number);
      };
      const long = mayWait && isLong(session, table, spec);
      if (long) lockFor(session, table, spec);
      const made = long ? yield* defineInParts(session, command, run) : define(session, command, run);
      result = { ...result, notices: [...result.notices, ...made.notices] };
    }
  }
  return result;
}

/** Locks the table so that the statement can yield between actions. False if it cannot yield. */
function waitsApart(session: SqlSession, table: SqlTable): boolean {
  const transaction = session.begin();
  if (session.functionDepth > 0 || transaction.world === null || isTemporarySchema(table.schema)) return false;
  session.locks.lockTable(transaction, table, TABLE_LOCK.exclusive, false);
  return true;
}

/** Whether the action scans or rewrites enough rows that the statement should yield. */
function isLong(session: SqlSession, table: SqlTable, spec: AlterSpec): boolean {
  const transaction = session.begin();
  if (session.functionDepth > 0 || transaction.world === null || isTemporarySchema(table.schema)) return false;
  const looks =
    spec.kind === 'set not null' ||
    spec.kind === 'validate constraint' ||
    (spec.kind === 'set type' && spec.convert !== null) ||
    (spec.kind === 'add constraint' && (spec.constraint.kind === 'check' || spec.constraint.kind === 'foreign key')) ||
    (spec.kind === 'add column' && (spec.column.serial || spec.column.identity !== null || spec.column.generated !== null || 'each' in spec.fill));
  return looks && hasManyRows(session, table);
}

function hasManyRows(session: SqlSession, table: SqlTable): boolean {
  const rows = childRoot(session.host.context.engine.pager, session.begin().seal(), table.number);
  return rows !== null && rows.count > LARGE_ROWS;
}

/** Blocks other writers until the definition takes effect. Readers are blocked only from then on. */
function lockFor(session: SqlSession, table: SqlTable, spec: AlterSpec): void {
  const transaction = session.begin();
  const lock = (one: SqlTable, mode: number): void => session.locks.lockTable(transaction, one, mode, false);
  lock(table, TABLE_LOCK.exclusive);
  const { tables } = session.schema();
  const targets = new Set<number>();
  if (spec.kind === 'add constraint' && spec.constraint.kind === 'foreign key') {
    const found = session.schema().relation(spec.constraint.target.schema, spec.constraint.target.name);
    if (found?.kind === 'table') targets.add(found.table.number);
  } else if (spec.kind === 'validate constraint') {
    for (const { name, target } of table.foreignKeys) if (name === spec.name) targets.add(target);
  }
  targets.delete(table.number);
  for (const number of targets) if (tables.has(number)) lock(tables.get(number)!, TABLE_LOCK.shareRowExclusive);
}

/** What the action names must exist, even if the action has no meaning here. */
function refuseUnknown(table: SqlTable, action: AlterAction): void {
  const missing = (message: string): never => {
    throw new SvcError('42704', message);
  };
  switch (action.type) {
    case 'setStatistics':
    case 'setStorage':
    case 'setCompression':
    case 'setColumnOptions':
    case 'resetColumnOptions': {
      const column = table.columns.find(({ name }) => name === action.column);
      if (column === undefined) throw new SvcError('42703', `column "${action.column}" of relation "${table.name}" does not exist`);
      return;
    }
    case 'clusterOn':
      if (isPartitioned(table)) throw new SvcError('0A000', 'cannot mark index clustered in partitioned table');
      if (!hasIndex(table, action.index)) missing(`index "${action.index}" for table "${table.name}" does not exist`);
      mustOrder(table, action.index);
      return;
    case 'setAccessMethod':
      if (isPartitioned(table)) throw new SvcError('42809', 'cannot change access method of a partitioned table');
      if (action.method !== 'heap') missing(`access method "${action.method}" does not exist`);
      return;
    case 'setTablespace':
      refuseTablespace(action.tablespace);
      if (action.tablespace === 'pg_global') throw new SvcError('22023', 'only shared relations can be placed in pg_global tablespace');
      return;
    default:
  }
}

/** Storage and collation options of a new column, or of a column of another type. */
function factsAfter(ddl: Ddl, number: number, action: AlterAction): void {
  const own = ddl.schema.tables.get(number);
  const name = action.type === 'addColumn' ? action.column.name : action.type === 'setType' ? action.column : null;
  const column = own?.columns.find((each) => each.name === name);
  if (own === undefined || column === undefined) return;
  if (action.type === 'addColumn') columnFacts(ddl, own, column, action.column);
  else if (action.type === 'setType')
    putFacts(ddl, number, column.attnum, { collation: action.collation === null ? undefined : collationOf(ddl, action.collation) });
}

/** Parameters and statistics targets of an index. */
function alterIndex(session: SqlSession, found: Extract<Relation, { kind: 'index' }>, actions: readonly AlterAction[]): StatementResult {
  const { table, index } = found;
  const number = index?.number ?? session.schema().primaryKeyNumber(table);
  const name = index?.name ?? table.primaryKey ?? '';
  if (number === undefined) return done('ALTER INDEX', session.notices);
  return define(session, 'ALTER INDEX', (ddl) => {
    for (const action of actions) {
      const known = factsOf(ddl.schema, number)?.options ?? [];
      if (action.type === 'setOptions') {
        putFacts(ddl, number, 0, { options: changedOptions(known, storageOptions(index?.method ?? 'btree', action.options), []) });
        if (index?.method === 'bm25') checkWeights(ddl.schema, index);
      } else if (action.type === 'resetOptions') {
        const reset = action.options.map((option) => option.name);
        putFacts(ddl, number, 0, { options: changedOptions(known, [], reset) });
      } else if (action.type === 'setTablespace') refuseUnknown(table, action);
      else if (action.type === 'setStatistics') {
        const at = action.number ?? 0;
        const columns = index?.columns ?? [];
        if (at < 1 || at > columns.length) throw new SvcError('42703', `column number ${at} of relation "${name}" does not exist`);
        if (columns[at - 1].expression === null) {
          throw new SvcError('0A000', `cannot alter statistics on non-expression column "${table.columns[columns[at - 1].column!].name}" of index "${name}"`, {
            hint: 'Alter statistics on table column instead.',
          });
        }
        putFacts(ddl, number, at, { statistics: action.value < 0 ? undefined : Math.min(action.value, 10000) });
      }
    }
  });
}

function hasIndex(table: SqlTable, name: string): boolean {
  return table.primaryKey === name || table.indexes.some((index) => index.name === name);
}

const TYPED: Partial<Record<AlterAction['type'], string>> = {
  addColumn: 'cannot add column to typed table',
  dropColumn: 'cannot drop column from typed table',
  setType: 'cannot alter column type of typed table',
};

function refuseTyped({ type }: AlterAction): void {
  const message = TYPED[type];
  if (message !== undefined) throw new SvcError('42809', message);
}

/**
 * Changes the types of several columns at once: each value is computed from the old row. Key columns come last, since they change
 * the order in which rows are scanned.
 */
function* fromOldRows(ddl: Ddl, table: SqlTable, specs: readonly AlterSpec[]): Generator<void, AlterSpec[]> {
  const inKey = (spec: AlterSpec): boolean => spec.kind === 'set type' && table.key.columns.some((column) => table.columns[column].name === spec.column);
  const sorted = specs.toSorted((a, b) => Number(inKey(a)) - Number(inKey(b)));
  const made = sorted.map((): Value[] => []);
  eachRowLater(ddl, table, (row) => {
    sorted.forEach((spec, i) => {
      if (spec.kind === 'set type' && spec.convert !== null) made[i].push(spec.convert(row));
    });
  });
  yield* ddl.workSteps();
  return sorted.map((spec, i) => {
    let next = 0;
    return spec.kind === 'set type' && spec.convert !== null ? { ...spec, convert: () => made[i][next++] } : spec;
  });
}

/** Whether the action copies values of other columns, or reports which row violates a constraint. */
function readsRows(action: AlterAction): boolean {
  if (action.type === 'addColumn') return action.column.constraints.some(({ type }) => type !== 'notNull' && type !== 'default' && type !== 'identity');
  return action.type === 'setType' || action.type === 'setExpression' || action.type === 'addConstraint';
}

/** An index has the owner of its table. */
function refuseIndexOwner(session: SqlSession, table: SqlTable, owner: Role): void {
  if (session.authority.named(owner) === session.schema().ownerOf(table.number)) return;
  session.sendNotice({
    severity: 'WARNING',
    code: '42809',
    message: 'cannot change owner of index',
    hint: "Change the ownership of the index's table instead.",
  });
}

function setOwnerOf(session: SqlSession, { kind, name, at }: AlterTable, owner: Role): void {
  const object = { name: [...(name.schema === null ? [] : [name.schema]), name.name], args: null, dataType: null };
  setOwner(session, kind === 'view' || kind === 'sequence' ? kind : 'table', object, owner, at);
}

/**
 * The pass of an action, in Postgres's order, not in the order written: drops, types, new columns, column options, keys, other
 * constraints, the rest (tablecmds.c, AT_PASS_…).
 */
function passOf(action: AlterAction): number {
  switch (action.type) {
    case 'dropColumn':
    case 'dropConstraint':
    case 'dropNotNull':
    case 'dropDefault':
    case 'dropIdentity':
    case 'dropExpression':
      return 0;
    case 'setType':
      return 1;
    case 'addColumn':
      return 2;
    case 'setNotNull':
    case 'setIdentity':
      return 3;
    case 'addConstraint':
      return action.constraint.type === 'primaryKey' || action.constraint.type === 'unique' ? 4 : action.constraint.type === 'notNull' ? 3 : 5;
    case 'setDefault':
    case 'addIdentity':
      return 5;
    default:
      return 6;
  }
}

/** A column that is read by a USING conversion is dropped after the conversion, which sees the table as it was. */
function inPasses(actions: readonly AlterAction[]): AlterAction[] {
  const read = (column: string): boolean => actions.some((action) => action.type === 'setType' && namesColumn(action.using, column));
  const pass = (action: AlterAction): number => (action.type === 'dropColumn' && read(action.column) ? 1.5 : passOf(action));
  return actions.length === 1 ? [...actions] : [...actions].sort((a, b) => pass(a) - pass(b));
}

function namesColumn(node: unknown, column: string): boolean {
  if (node === null || typeof node !== 'object') return false;
  const { type, parts } = node as { type?: string; parts?: readonly string[] };
  return (type === 'column' && parts?.[parts.length - 1] === column) || Object.values(node).some((each) => namesColumn(each, column));
}

const VIEW_ACTIONS = new Set<AlterAction['type']>(['setDefault', 'dropDefault', 'setOptions', 'resetOptions']);

/** Defaults of a view's columns count for INSERT through it. */
function alterView(session: SqlSession, view: View, actions: readonly AlterAction[]): StatementResult {
  return define(session, 'ALTER VIEW', (ddl) => {
    for (const action of actions) {
      if (action.type === 'setOptions' || action.type === 'resetOptions') {
        const security = action.type === 'setOptions' ? securityOf(action.options) : resetOf(action.options);
        if (Object.keys(security).length > 0) setViewSecurity(ddl, view.number, security);
        const option = action.options.find(({ name }) => name === 'check_option');
        const check = option === undefined ? null : action.type === 'resetOptions' ? 'none' : checkOptionOf(option);
        if (check !== null && check !== 'none') mustTakeChecks(session, view.sql);
        if (check !== null) setViewCheck(ddl, view.number, check);
        continue;
      }
      if (action.type !== 'setDefault' && action.type !== 'dropDefault') continue;
      const column = view.columns.find(({ name }) => name === action.column);
      if (column === undefined) throw new SvcError('42703', `column "${action.column}" of relation "${view.name}" does not exist`);
      setViewDefault(ddl, view.number, column.name, action.type === 'dropDefault' ? null : defaultText(session, action.value, column, column.name));
    }
  });
}

function resetOf(options: readonly Option[]): { invoker?: boolean; barrier?: boolean } {
  const named = (wanted: string): boolean => options.some(({ name }) => name === wanted);
  return { ...(named('security_invoker') ? { invoker: false } : {}), ...(named('security_barrier') ? { barrier: false } : {}) };
}

function setIdentity(session: SqlSession, table: SqlTable, action: Extract<AlterAction, { type: 'setIdentity' }>): void {
  const always = action.options.find(({ name }) => name === 'generated');
  define(session, 'ALTER TABLE', (ddl) => {
    if (always !== undefined) {
      alterTable(ddl, table.number, [{ kind: 'set identity', column: action.column, always: optionText(always.value) === 'always' }]);
      ddl.end();
    }
    const rest = action.options.filter(({ name }) => name !== 'generated');
    if (rest.length === 0) return;
    const column = table.columns.find(({ name }) => name === action.column);
    const sequence = column === undefined ? null : session.schema().sequenceOf(table.number, column.number);
    if (sequence === null) throw new SvcError('55000', `column "${action.column}" of relation "${table.name}" is not an identity column`);
    changeSequence(session, ddl, sequence, rest);
  });
}

function specOf(session: SqlSession, table: SqlTable, action: AlterAction): AlterSpec | null {
  const columnOf = (name: string): SqlTable['columns'][number] => table.columns[columnIndex(table, name)];
  switch (action.type) {
    case 'addColumn': {
      const { column: definition, ifNotExists } = action;
      // If a column of this name exists, that is the only error: conditions would find the name ambiguous.
      const others = table.columns.filter(({ name }) => name !== definition.name);
      const { column, constraints } = columnPieces(session, definition, [...others, ...knownOf(session, definition)], table.name);
      const server = (): ServerObject | null => (table.foreign === undefined ? null : session.schema().servers.get(table.foreign.server)!);
      const own = withForeignOptions(session, table.name, server, column, definition);
      refuseOwnRow(table, own.type);
      if (own.default !== null || own.generated !== null || own.identity !== null || own.serial) refuseRowTypeUse(session.schema(), table);
      return { kind: 'add column', column: own, constraints, ifNotExists, fill: fillOf(session, table, column) };
    }
    case 'dropColumn':
      return { kind: 'drop column', column: action.column, ifExists: action.ifExists, cascade: action.cascade };
    case 'setType': {
      const column = columnOf(action.column);
      const { type, typmod } = withoutPlace(() => bindTypeName(binderOf(session), action.dataType));
      mustUseType(session, type);
      const using: Expression = action.using ?? { type: 'column', parts: [column.name], star: false, at: 0 };
      const made = conversionOf(session, table, using, type, typmod, action.using !== null, column.name);
      if (column.default !== null && column.identity === null) {
        const binder = binderOf(session);
        const bound = bindExpression(binder, parseExpressionText(column.default), new Scope(null));
        const kept = binder.coercion.tryCoerce(bound, column.type, column.typmod, 'assignment', 0) ?? bound;
        if (binder.coercion.tryCoerce(kept, type, typmod, 'assignment', 0) === null)
          throw new SvcError('42804', `default for column "${column.name}" cannot be cast automatically to type ${type.title}`);
      }
      refuseOwnRow(table, type);
      refuseRowTypeUse(session.schema(), table);
      return { kind: 'set type', column: column.name, type, typmod, collation: action.collation?.at(-1) ?? null, ...made };
    }
    case 'setDefault': {
      const column = columnOf(action.column);
      return { kind: 'set default', column: column.name, default: withoutPlace(() => defaultText(session, action.value, column, column.name)) };
    }
    case 'dropDefault':
      return { kind: 'set default', column: action.column, default: null };
    case 'setNotNull':
      return { kind: 'set not null', column: action.column };
    case 'dropNotNull':
      return { kind: 'drop not null', column: action.column };
    case 'addConstraint': {
      const { constraint } = action;
      if (constraint.type === 'notNull' && constraint.column !== null) return { kind: 'set not null', column: constraint.column };
      const bound = (): ReturnType<typeof tableConstraint> => tableConstraint(session, constraint, table.columns, table.name);
      const spec = constraint.type === 'check' ? withoutPlace(bound) : bound();
      if (spec !== null) refuseUnlogged(session, spec, factsOf(session.schema(), table.number)?.unlogged === true);
      return spec === null ? null : { kind: 'add constraint', constraint: spec };
    }
    case 'validateConstraint':
      return { kind: 'validate constraint', name: action.name };
    case 'alterConstraint':
      return {
        kind: 'alter constraint',
        name: action.name,
        deferrable: action.deferral?.deferrable ?? false,
        initiallyDeferred: action.deferral?.initiallyDeferred ?? false,
      };
    case 'dropConstraint':
      return { kind: 'drop constraint', name: action.name, ifExists: action.ifExists, cascade: action.cascade };
    case 'addIdentity':
      return { kind: 'add identity', column: action.column, always: action.identity.always, options: sequenceOptions(session, action.identity.options) };
    case 'dropIdentity':
      return { kind: 'drop identity', column: action.column, ifExists: action.ifExists };
    case 'dropExpression':
      return { kind: 'drop expression', column: action.column, ifExists: action.ifExists };
    default:
      throw new SvcError('0A000', `this form of ALTER TABLE is not supported (${action.type === 'other' ? action.what : action.type})`);
  }
}

function knownOf(
  session: SqlSession,
  definition: Extract<AlterAction, { type: 'addColumn' }>['column'],
): { name: string; type: SqlTable['columns'][number]['type']; typmod: number }[] {
  if (definition.dataType === null || ['serial', 'bigserial', 'smallserial', 'serial4', 'serial8', 'serial2'].includes(definition.dataType.name)) return [];
  return [{ name: definition.name, ...bindTypeName(binderOf(session), definition.dataType) }];
}

/** The value of a new column in existing rows. */
function fillOf(session: SqlSession, table: SqlTable, column: ColumnSpec): Extract<AlterSpec, { kind: 'add column' }>['fill'] {
  if (column.generated !== null)
    return { each: conversion(session, table, parseExpressionText(column.generated), column.type, column.typmod, true, column.name)! };
  if (column.serial || column.identity !== null) {
    // The sequence is created with the column: existing rows are numbered from its start.
    let next = 0;
    return { each: () => ++next };
  }
  // A domain has a default of its own, and may refuse NULL, but only if there are rows to check.
  const { domain } = column.type;
  const text = column.default ?? typeDefault(column.type);
  if (text === null && domain === null) return { value: null };
  if (text === null) {
    return {
      each: () => {
        checkRules(domain!, null, session.env, domain!.name);
        return null;
      },
    };
  }
  const binder = binderOf(session);
  const bound = binder.coercion.coerce(bindExpression(binder, parseExpressionText(text), new Scope(null)), column.type, column.typmod, 'assignment', 0);
  const compilation = new Compilation();
  const fn = compilation.scalars([bound]);
  const run = compilation.newRun(execContext(session, [], null));
  return isVolatile(bound) ? { each: () => fn(run, [])[0] } : { value: fn(run, [])[0] };
}

/** A function from a row to the value of an expression over it; null if the expression is the column itself. */
function conversion(
  session: SqlSession,
  table: SqlTable,
  expression: Expression,
  type: SqlTable['columns'][number]['type'],
  typmod: number,
  using: boolean,
  name: string,
): ((row: readonly Value[]) => Value) | null {
  return conversionOf(session, table, expression, type, typmod, using, name).convert;
}

/** The same, with the columns that the expression reads. */
function conversionOf(
  session: SqlSession,
  table: SqlTable,
  expression: Expression,
  type: SqlTable['columns'][number]['type'],
  typmod: number,
  using: boolean,
  name: string,
): { convert: ((row: readonly Value[]) => Value) | null; reads?: readonly number[] } {
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'check';
  scope.clauseTitle = 'transform expressions';
  const columns = table.columns.map((column) => binder.column(column.name, column.type, column.typmod));
  const visible = columns.map((column) => ({ name: column.name, value: binder.use(column) }));
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns: visible, table, system: [] }], columns: visible };
  const bound = bindExpression(binder, expression, scope);
  const value = binder.coercion.tryCoerce(bound, type, typmod, 'assignment', 0);
  if (value === null) {
    throw new SvcError(
      '42804',
      using
        ? `result of USING clause for column "${name}" cannot be cast automatically to type ${type.title}`
        : `column "${name}" cannot be cast automatically to type ${type.title}`,
      {
        hint: using ? 'You might need to add an explicit cast.' : `You might need to specify "USING ${name}::${type.title}".`,
      },
    );
  }
  if (value.kind === 'column' && value.id === columns[table.columns.findIndex((column) => column.name === name)]?.id) return { convert: null };
  const compilation = new Compilation();
  const fn = compilation.scalars([value], columns);
  const run = compilation.newRun(execContext(session, [], null));
  const used = columnsOf(value);
  return { convert: (row) => fn(run, row)[0], reads: columns.flatMap(({ id }, i) => (used.has(id) ? [i] : [])) };
}
