/** CREATE and the like of tables, views, indexes and sequences. */
import type * as pg from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type {
  AlterSequence,
  CreateIndex,
  CreateSequence,
  CreateTable,
  CreateTableAs,
  CreateView,
  Persistence,
  RefreshMaterializedView,
  StorageClauses,
} from '../ast/define.ts';
import { lowerIndexElement, lowerTableElement } from './lower-constraint.ts';
import { lowerOptional } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerPartitionBound, lowerPartitionKey } from './lower-partition.ts';
import { lowerQuery, lowerQueryOrWrite, lowerRelation } from './lower-query.ts';
import { lowerExecute } from './lower-session.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, strings, type Lowering } from './lowering.ts';

export function persistenceOf(raw: pg.RangeVar): Persistence {
  return raw.relpersistence === 't' ? 'temporary' : raw.relpersistence === 'u' ? 'unlogged' : 'permanent';
}

const ON_COMMIT = { ONCOMMIT_NOOP: 'none', ONCOMMIT_PRESERVE_ROWS: 'preserveRows', ONCOMMIT_DELETE_ROWS: 'deleteRows', ONCOMMIT_DROP: 'drop' } as const;

export function lowerCreateTable(cx: Lowering, raw: pg.CreateStmt): CreateTable {
  const parents = (raw.inhRelations ?? []).map((node) => lowerRelation(cx, bodyOf(node, 'RangeVar')));
  const partition = raw.partbound === undefined ? null : { parent: parents[0], bound: lowerPartitionBound(cx, raw.partbound) };
  return {
    type: 'createTable',
    name: lowerRelation(cx, raw.relation!),
    persistence: persistenceOf(raw.relation!),
    ifNotExists: raw.if_not_exists === true,
    elements: (raw.tableElts ?? []).map((node) => lowerTableElement(cx, node)),
    inherits: partition === null ? parents : [],
    ofType: raw.ofTypename === undefined ? null : lowerTypeName(cx, raw.ofTypename),
    partitionOf: partition,
    partitionBy: lowerPartitionKey(cx, raw.partspec),
    options: lowerOptions(cx, raw.options),
    onCommit: ON_COMMIT[raw.oncommit ?? 'ONCOMMIT_NOOP'],
    tablespace: raw.tablespacename ?? null,
    accessMethod: raw.accessMethod ?? null,
    at: cx.statementAt,
  };
}

function lowerInto(cx: Lowering, raw: pg.IntoClause): StorageClauses {
  return {
    options: lowerOptions(cx, raw.options),
    onCommit: ON_COMMIT[raw.onCommit ?? 'ONCOMMIT_NOOP'],
    tablespace: raw.tableSpaceName ?? null,
    accessMethod: raw.accessMethod ?? null,
  };
}

export function lowerCreateTableAs(cx: Lowering, raw: pg.CreateTableAsStmt): CreateTableAs {
  const into = raw.into!;
  const query = raw.query!;
  return {
    type: 'createTableAs',
    name: lowerRelation(cx, into.rel!),
    materializedView: raw.objtype === 'OBJECT_MATVIEW',
    persistence: persistenceOf(into.rel!),
    ifNotExists: raw.if_not_exists === true,
    columns: strings(into.colNames),
    body: kindOf(query) === 'ExecuteStmt' ? lowerExecute(cx, bodyOf(query, 'ExecuteStmt')) : lowerQueryOrWrite(cx, query),
    withData: into.skipData !== true,
    ...lowerInto(cx, into),
    at: cx.statementAt,
  };
}

/** SELECT … INTO: the clause is in the leftmost SELECT, from which it is removed. null without one. */
export function lowerSelectInto(cx: Lowering, raw: pg.SelectStmt): CreateTableAs | null {
  let leftmost = raw;
  while (leftmost.op !== undefined && leftmost.op !== 'SETOP_NONE') leftmost = leftmost.larg!;
  const into = leftmost.intoClause;
  if (into === undefined) return null;
  leftmost.intoClause = undefined;
  return {
    type: 'createTableAs',
    name: lowerRelation(cx, into.rel!),
    materializedView: false,
    into: true,
    persistence: persistenceOf(into.rel!),
    ifNotExists: false,
    columns: [],
    body: lowerQuery(cx, raw),
    withData: true,
    ...lowerInto(cx, into),
    at: cx.statementAt,
  };
}

export function lowerCreateIndex(cx: Lowering, raw: pg.IndexStmt): CreateIndex {
  return {
    type: 'createIndex',
    name: raw.idxname ?? null,
    table: lowerRelation(cx, raw.relation!),
    only: raw.relation!.inh !== true,
    unique: raw.unique === true,
    concurrently: raw.concurrent === true,
    ifNotExists: raw.if_not_exists === true,
    method: raw.accessMethod ?? 'btree',
    elements: (raw.indexParams ?? []).map((node) => lowerIndexElement(cx, bodyOf(node, 'IndexElem'))),
    include: (raw.indexIncludingParams ?? []).map((node) => lowerIndexElement(cx, bodyOf(node, 'IndexElem'))),
    nullsNotDistinct: raw.nulls_not_distinct === true,
    options: lowerOptions(cx, raw.options),
    tablespace: raw.tableSpace ?? null,
    where: lowerOptional(cx, raw.whereClause),
    at: cx.statementAt,
  };
}

export function lowerCreateView(cx: Lowering, raw: pg.ViewStmt): CreateView {
  if (bodyOf(raw.query!, 'SelectStmt').intoClause !== undefined) throw new SvcError('0A000', 'views must not contain SELECT INTO');
  if (persistenceOf(raw.view!) === 'unlogged') throw new SvcError('42601', 'views cannot be unlogged because they do not have storage');
  return {
    type: 'createView',
    name: lowerRelation(cx, raw.view!),
    replace: raw.replace === true,
    persistence: persistenceOf(raw.view!),
    columns: strings(raw.aliases),
    options: lowerOptions(cx, raw.options),
    query: lowerQuery(cx, bodyOf(raw.query!, 'SelectStmt')),
    check: raw.withCheckOption === 'LOCAL_CHECK_OPTION' ? 'local' : raw.withCheckOption === 'CASCADED_CHECK_OPTION' ? 'cascaded' : 'none',
    at: cx.statementAt,
  };
}

export function lowerRefresh(cx: Lowering, raw: pg.RefreshMatViewStmt): RefreshMaterializedView {
  return {
    type: 'refreshMaterializedView',
    name: lowerRelation(cx, raw.relation!),
    concurrently: raw.concurrent === true,
    withData: raw.skipData !== true,
    at: cx.statementAt,
  };
}

export function lowerCreateSequence(cx: Lowering, raw: pg.CreateSeqStmt): CreateSequence {
  return {
    type: 'createSequence',
    name: lowerRelation(cx, raw.sequence!),
    persistence: persistenceOf(raw.sequence!),
    ifNotExists: raw.if_not_exists === true,
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

export function lowerAlterSequence(cx: Lowering, raw: pg.AlterSeqStmt): AlterSequence {
  return {
    type: 'alterSequence',
    name: lowerRelation(cx, raw.sequence!),
    ifExists: raw.missing_ok === true,
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}
