/** Queries and FROM items. Left-deep chains of set operations and joins are followed in a loop. */
import type * as pg from '@pgsql/types';
import type {
  Alias,
  CommonTable,
  Frame,
  FrameBound,
  FromItem,
  GroupItem,
  Locking,
  Query,
  QueryTail,
  RecordColumn,
  RelationName,
  SelectItem,
  SetOperation,
  SortKey,
  RankedItem,
  TableItem,
  Window,
  With,
} from '../ast/query.ts';
import { lowerExpression, lowerList, lowerOperatorName, lowerOptional } from './lower-expression.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { lowerDelete, lowerInsert, lowerMerge, lowerUpdate } from './lower-write.ts';
import { lowerXmlTable } from './lower-xml.ts';
import { bodyOf, kindOf, listItems, strings, stringsOrNull, type Lowering } from './lowering.ts';

export function lowerQuery(cx: Lowering, raw: pg.SelectStmt): Query {
  cx.enter();
  const lowered = lowerSelectStatement(cx, raw);
  cx.leave();
  return lowered;
}

/** A WITH clause may contain writes, and so may COPY and EXPLAIN. */
export function lowerQueryOrWrite(cx: Lowering, node: pg.Node): CommonTable['body'] {
  const kind = kindOf(node);
  switch (kind) {
    case 'InsertStmt':
      return lowerInsert(cx, bodyOf(node, kind));
    case 'UpdateStmt':
      return lowerUpdate(cx, bodyOf(node, kind));
    case 'DeleteStmt':
      return lowerDelete(cx, bodyOf(node, kind));
    case 'MergeStmt':
      return lowerMerge(cx, bodyOf(node, kind));
    default:
      return lowerQuery(cx, bodyOf(node, 'SelectStmt'));
  }
}

function lowerSelectStatement(cx: Lowering, raw: pg.SelectStmt): Query {
  if (raw.intoClause !== undefined) throw cx.syntaxError('SELECT ... INTO is not allowed here', cx.at(raw.intoClause.rel?.location));
  const tail = lowerTail(cx, raw);
  if (raw.op !== undefined && raw.op !== 'SETOP_NONE') return lowerSetOperation(cx, raw, tail);
  if (raw.valuesLists !== undefined) {
    const rows = raw.valuesLists.map((row) => lowerList(cx, listItems(row)));
    if (rows[0]?.[0] !== undefined) tail.at = rows[0][0].at;
    return { type: 'values', ...tail, rows };
  }
  const items = lowerSelectItems(cx, raw.targetList);
  if (items.length > 0) tail.at = items[0].at;
  return {
    type: 'select',
    ...tail,
    distinct:
      raw.distinctClause === undefined ? null : { on: raw.distinctClause.filter((node) => kindOf(node) !== '').map((node) => lowerExpression(cx, node)) },
    items,
    from: lowerFrom(cx, raw.fromClause),
    where: lowerOptional(cx, raw.whereClause),
    groupBy: (raw.groupClause ?? []).map((node) => lowerGroupItem(cx, node)),
    groupDistinct: raw.groupDistinct === true,
    having: lowerOptional(cx, raw.havingClause),
    windows: (raw.windowClause ?? []).map((node) => {
      const window = bodyOf(node, 'WindowDef');
      return { name: window.name ?? '', window: lowerWindow(cx, window), at: cx.at(window.location) };
    }),
  };
}

function lowerTail(cx: Lowering, raw: pg.SelectStmt): QueryTail {
  return {
    with: lowerWith(cx, raw.withClause),
    orderBy: lowerSortKeys(cx, raw.sortClause),
    limit: raw.limitCount === undefined || isNullConstant(raw.limitCount) ? null : lowerExpression(cx, raw.limitCount),
    withTies: raw.limitOption === 'LIMIT_OPTION_WITH_TIES',
    offset: lowerOptional(cx, raw.limitOffset),
    locking: (raw.lockingClause ?? []).map((node) => lowerLocking(cx, bodyOf(node, 'LockingClause'))),
    at: cx.statementAt,
  };
}

function isNullConstant(node: pg.Node): boolean {
  return 'A_Const' in node && node.A_Const.isnull === true;
}

const SET_OPERATORS = { SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' } as const;

function lowerSetOperation(cx: Lowering, raw: pg.SelectStmt, tail: QueryTail): SetOperation {
  const operator = SET_OPERATORS[raw.op as keyof typeof SET_OPERATORS];
  const right: pg.SelectStmt[] = [raw.rarg!];
  let first = raw.larg!;
  while (first.op === raw.op && first.all === raw.all && isPlain(first)) {
    right.push(first.rarg!);
    first = first.larg!;
  }
  for (const { intoClause } of right) {
    if (intoClause !== undefined) throw cx.syntaxError('INTO is only allowed on first SELECT of UNION/INTERSECT/EXCEPT', cx.at(intoClause.rel?.location));
  }
  const inputs = [lowerQuery(cx, first)];
  for (let i = right.length - 1; i >= 0; i--) inputs.push(lowerQuery(cx, right[i]));
  return { type: 'setOperation', ...tail, operator, all: raw.all === true, inputs, at: inputs[0].at };
}

/** Whether a nested set operation has no clauses that flattening would lose. */
function isPlain(raw: pg.SelectStmt): boolean {
  return (
    raw.sortClause === undefined &&
    raw.limitCount === undefined &&
    raw.limitOffset === undefined &&
    raw.lockingClause === undefined &&
    raw.withClause === undefined
  );
}

export function lowerSelectItems(cx: Lowering, nodes: pg.Node[] | undefined): SelectItem[] {
  return (nodes ?? []).map((node) => {
    const raw = bodyOf(node, 'ResTarget');
    return { value: lowerExpression(cx, raw.val!), alias: raw.name ?? null, at: cx.at(raw.location) };
  });
}

export function lowerWith(cx: Lowering, raw: pg.WithClause | undefined): With | null {
  if (raw === undefined) return null;
  return {
    recursive: raw.recursive === true,
    tables: (raw.ctes ?? []).map((node) => lowerCommonTable(cx, bodyOf(node, 'CommonTableExpr'))),
    at: cx.at(raw.location),
  };
}

function lowerCommonTable(cx: Lowering, raw: pg.CommonTableExpr): CommonTable {
  const search = raw.search_clause;
  const cycle = raw.cycle_clause;
  return {
    name: raw.ctename ?? '',
    columns: strings(raw.aliascolnames),
    materialized: raw.ctematerialized === 'CTEMaterializeAlways' ? true : raw.ctematerialized === 'CTEMaterializeNever' ? false : null,
    body: lowerQueryOrWrite(cx, raw.ctequery!),
    search:
      search === undefined
        ? null
        : {
            columns: strings(search.search_col_list),
            breadthFirst: search.search_breadth_first === true,
            sequenceColumn: search.search_seq_column ?? '',
            at: cx.at(search.location),
          },
    cycle:
      cycle === undefined
        ? null
        : {
            columns: strings(cycle.cycle_col_list),
            markColumn: cycle.cycle_mark_column ?? '',
            markValue: lowerExpression(cx, cycle.cycle_mark_value!),
            markDefault: lowerExpression(cx, cycle.cycle_mark_default!),
            pathColumn: cycle.cycle_path_column ?? '',
            at: cx.at(cycle.location),
          },
    at: cx.at(raw.location),
  };
}

export function lowerSortKeys(cx: Lowering, nodes: pg.Node[] | undefined): SortKey[] {
  return (nodes ?? []).map((node) => {
    const raw = bodyOf(node, 'SortBy');
    const value = lowerExpression(cx, raw.node!);
    const directions = { SORTBY_DEFAULT: 'default', SORTBY_ASC: 'asc', SORTBY_DESC: 'desc', SORTBY_USING: 'using' } as const;
    const nulls = { SORTBY_NULLS_DEFAULT: 'default', SORTBY_NULLS_FIRST: 'first', SORTBY_NULLS_LAST: 'last' } as const;
    return {
      value,
      direction: directions[raw.sortby_dir ?? 'SORTBY_DEFAULT'],
      nulls: nulls[raw.sortby_nulls ?? 'SORTBY_NULLS_DEFAULT'],
      operator: raw.useOp === undefined ? null : lowerOperatorName(raw.useOp),
      at: raw.location === undefined || raw.location < 0 ? value.at : cx.at(raw.location),
    };
  });
}

function lowerGroupItem(cx: Lowering, node: pg.Node): GroupItem {
  if (!('GroupingSet' in node)) {
    const value = lowerExpression(cx, node);
    return { type: 'expression', value, at: value.at };
  }
  const raw = node.GroupingSet;
  const at = cx.at(raw.location);
  if (raw.kind === 'GROUPING_SET_EMPTY') return { type: 'empty', at };
  cx.enter();
  const items = (raw.content ?? []).map((item) => lowerGroupItem(cx, item));
  cx.leave();
  return { type: raw.kind === 'GROUPING_SET_ROLLUP' ? 'rollup' : raw.kind === 'GROUPING_SET_CUBE' ? 'cube' : 'groupingSets', items, at };
}

/** The bits of nodes/parsenodes.h. */
const FRAME = {
  nonDefault: 0x1,
  rows: 0x4,
  groups: 0x8,
  between: 0x10,
  startUnboundedPreceding: 0x20,
  endUnboundedPreceding: 0x40,
  startUnboundedFollowing: 0x80,
  endUnboundedFollowing: 0x100,
  startCurrentRow: 0x200,
  endCurrentRow: 0x400,
  startPreceding: 0x800,
  endPreceding: 0x1000,
  startFollowing: 0x2000,
  endFollowing: 0x4000,
  excludeCurrentRow: 0x8000,
  excludeGroup: 0x10000,
  excludeTies: 0x20000,
};

export function lowerWindow(cx: Lowering, raw: pg.WindowDef): Window {
  return {
    base: raw.refname ?? null,
    partitionBy: lowerList(cx, raw.partitionClause),
    orderBy: lowerSortKeys(cx, raw.orderClause),
    frame: lowerFrame(cx, raw),
    at: cx.at(raw.location),
  };
}

function lowerFrame(cx: Lowering, raw: pg.WindowDef): Frame | null {
  const bits = raw.frameOptions ?? 0;
  if ((bits & FRAME.nonDefault) === 0) return null;
  const start: FrameBound =
    (bits & FRAME.startUnboundedPreceding) !== 0
      ? { type: 'unboundedPreceding' }
      : (bits & FRAME.startUnboundedFollowing) !== 0
        ? { type: 'unboundedFollowing' }
        : (bits & FRAME.startPreceding) !== 0
          ? { type: 'preceding', offset: lowerExpression(cx, raw.startOffset!) }
          : (bits & FRAME.startFollowing) !== 0
            ? { type: 'following', offset: lowerExpression(cx, raw.startOffset!) }
            : { type: 'currentRow' };
  const end: FrameBound | null =
    (bits & FRAME.between) === 0
      ? null
      : (bits & FRAME.endUnboundedFollowing) !== 0
        ? { type: 'unboundedFollowing' }
        : (bits & FRAME.endUnboundedPreceding) !== 0
          ? { type: 'unboundedPreceding' }
          : (bits & FRAME.endPreceding) !== 0
            ? { type: 'preceding', offset: lowerExpression(cx, raw.endOffset!) }
            : (bits & FRAME.endFollowing) !== 0
              ? { type: 'following', offset: lowerExpression(cx, raw.endOffset!) }
              : { type: 'currentRow' };
  return {
    mode: (bits & FRAME.rows) !== 0 ? 'rows' : (bits & FRAME.groups) !== 0 ? 'groups' : 'range',
    start,
    end,
    exclude:
      (bits & FRAME.excludeCurrentRow) !== 0
        ? 'currentRow'
        : (bits & FRAME.excludeGroup) !== 0
          ? 'group'
          : (bits & FRAME.excludeTies) !== 0
            ? 'ties'
            : 'noOthers',
  };
}

function lowerLocking(cx: Lowering, raw: pg.LockingClause): Locking {
  const strengths = {
    LCS_FORUPDATE: 'update',
    LCS_FORNOKEYUPDATE: 'noKeyUpdate',
    LCS_FORSHARE: 'share',
    LCS_FORKEYSHARE: 'keyShare',
    LCS_NONE: 'update',
  } as const;
  const waits = { LockWaitBlock: 'block', LockWaitSkip: 'skip', LockWaitError: 'error' } as const;
  return {
    strength: strengths[raw.strength ?? 'LCS_FORUPDATE'],
    of: (raw.lockedRels ?? []).map((node) => lowerRelation(cx, bodyOf(node, 'RangeVar'))),
    wait: waits[raw.waitPolicy ?? 'LockWaitBlock'],
  };
}

export function lowerRelation(cx: Lowering, raw: pg.RangeVar): RelationName {
  return { catalog: raw.catalogname ?? null, schema: raw.schemaname ?? null, name: raw.relname ?? '', at: cx.at(raw.location) };
}

export function lowerAlias(raw: pg.Alias | undefined): Alias | null {
  return raw === undefined ? null : { name: raw.aliasname ?? '', columns: strings(raw.colnames) };
}

export function lowerTable(cx: Lowering, raw: pg.RangeVar): TableItem {
  const name = lowerRelation(cx, raw);
  return {
    type: 'table',
    name,
    only: raw.inh !== true,
    alias: lowerAlias(raw.alias),
    asOf: cx.asOf === null ? null : cx.asOf.claim(name.at, raw.alias !== undefined, raw.alias?.colnames !== undefined),
    sample: null,
    at: name.at,
  };
}

export function lowerFrom(cx: Lowering, nodes: pg.Node[] | undefined): FromItem[] {
  return (nodes ?? []).map((node) => lowerFromItem(cx, node));
}

export function lowerFromItem(cx: Lowering, node: pg.Node): FromItem {
  cx.enter();
  const pending: pg.JoinExpr[] = [];
  let bottom = node;
  while ('JoinExpr' in bottom) {
    pending.push(bottom.JoinExpr);
    bottom = bottom.JoinExpr.larg!;
  }
  let item = lowerFromLeaf(cx, bottom);
  for (let i = pending.length - 1; i >= 0; i--) item = lowerJoin(cx, pending[i], item);
  cx.leave();
  return item;
}

function lowerJoin(cx: Lowering, raw: pg.JoinExpr, left: FromItem): FromItem {
  const right = lowerFromItem(cx, raw.rarg!);
  const using = stringsOrNull(raw.usingClause);
  const natural = raw.isNatural === true;
  const outer = raw.jointype === 'JOIN_LEFT' ? 'left' : raw.jointype === 'JOIN_RIGHT' ? 'right' : raw.jointype === 'JOIN_FULL' ? 'full' : 'inner';
  return {
    type: 'join',
    kind: outer === 'inner' && using === null && !natural && raw.quals === undefined ? 'cross' : outer,
    natural,
    left,
    right,
    on: lowerOptional(cx, raw.quals),
    using,
    usingAlias: raw.join_using_alias?.aliasname ?? null,
    alias: lowerAlias(raw.alias),
    at: left.at,
  };
}

function lowerFromLeaf(cx: Lowering, node: pg.Node): FromItem {
  const kind = kindOf(node);
  switch (kind) {
    case 'RangeVar':
      return lowerTable(cx, bodyOf(node, kind));
    case 'RangeSubselect': {
      const raw = bodyOf(node, kind);
      const query = lowerQuery(cx, bodyOf(raw.subquery!, 'SelectStmt'));
      return { type: 'derived', query, alias: lowerAlias(raw.alias), lateral: raw.lateral === true, at: query.at };
    }
    case 'RangeFunction': {
      const raw = bodyOf(node, kind);
      const ranked = lowerRanked(cx, raw);
      if (ranked !== null) return ranked;
      const functions = (raw.functions ?? []).map((pair) => {
        const [call, columns] = listItems(pair);
        return {
          call: lowerExpression(cx, call),
          columns: columns === undefined || kindOf(columns) === '' ? null : lowerRecordColumns(cx, listItems(columns)),
        };
      });
      return {
        type: 'functions',
        functions,
        rowsFrom: raw.is_rowsfrom === true,
        ordinality: raw.ordinality === true,
        alias: lowerAlias(raw.alias),
        columns: raw.coldeflist === undefined ? null : lowerRecordColumns(cx, raw.coldeflist),
        lateral: raw.lateral === true,
        at: functions[0].call.at,
      };
    }
    case 'RangeTableSample': {
      const raw = bodyOf(node, kind);
      const table = lowerFromLeaf(cx, raw.relation!);
      if (table.type !== 'table') throw cx.syntaxError('TABLESAMPLE must follow a table', cx.at(raw.location));
      table.sample = { method: strings(raw.method), args: lowerList(cx, raw.args), repeatable: lowerOptional(cx, raw.repeatable), at: cx.at(raw.location) };
      return table;
    }
    case 'RangeTableFunc':
      return lowerXmlTable(cx, bodyOf(node, kind), lowerAlias(bodyOf(node, kind).alias));
    case 'JsonTable':
      throw cx.unsupported('JSON_TABLE', cx.at(bodyOf(node, kind).location));
    default:
      throw cx.unsupported(kind, cx.statementAt);
  }
}

/** `bm25(t, text [, limit])`; null for any other function. */
function lowerRanked(cx: Lowering, raw: pg.RangeFunction): RankedItem | null {
  if (raw.functions?.length !== 1 || raw.is_rowsfrom === true || raw.ordinality === true || raw.coldeflist !== undefined) return null;
  const [node] = listItems(raw.functions[0]);
  if (kindOf(node) !== 'FuncCall') return null;
  const named = bodyOf(node, 'FuncCall');
  if (strings(named.funcname).join('.') !== 'bm25' || named.args === undefined || kindOf(named.args[0]) !== 'ColumnRef') return null;
  const call = lowerExpression(cx, node);
  if (call.type !== 'call' || call.args.length < 2 || call.args.length > 3 || call.argNames !== null || call.variadic) return null;
  const [table, text, limit = null] = call.args;
  if (table.type !== 'column' || table.star || table.parts.length > 3) return null;
  const [name, schema = null, catalog = null] = [...table.parts].reverse();
  const { at } = table;
  const item: TableItem = {
    type: 'table',
    name: { catalog, schema, name, at },
    only: false,
    alias: lowerAlias(raw.alias),
    asOf: cx.asOf === null ? null : cx.asOf.claim(at, false, false),
    sample: null,
    at,
  };
  return { type: 'ranked', table: item, text, limit, lateral: raw.lateral === true, at: call.at };
}

function lowerRecordColumns(cx: Lowering, nodes: pg.Node[]): RecordColumn[] {
  return nodes.map((node) => {
    const raw = bodyOf(node, 'ColumnDef');
    return { name: raw.colname ?? '', dataType: lowerTypeName(cx, raw.typeName!), collation: stringsOrNull(raw.collClause?.collname), at: cx.at(raw.location) };
  });
}
