/** Statements that change rows. */
import type * as pg from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TableItem } from '../ast/query.ts';
import type { Assignment, Copy, Delete, Insert, Merge, MergeBranch, OnConflict, Overriding, Returning, TargetColumn, Truncate, Update } from '../ast/write.ts';
import { lowerExpression, lowerList, lowerOptional, lowerSubscript } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerFrom, lowerFromItem, lowerQuery, lowerQueryOrWrite, lowerRelation, lowerSelectItems, lowerTable, lowerWith } from './lower-query.ts';
import { bodyOf, kindOf, strings, stringsOrNull, type Lowering } from './lowering.ts';
import { characterPosition } from './text-offsets.ts';

function lowerTarget(cx: Lowering, raw: pg.RangeVar): TableItem {
  const table = lowerTable(cx, raw);
  if (table.asOf !== null)
    throw new SvcError('25006', 'the past cannot be changed: AS OF stands behind the table to be written', {
      position: characterPosition(cx.text, table.asOf.at),
    });
  return table;
}

export function lowerInsert(cx: Lowering, raw: pg.InsertStmt): Insert {
  return {
    type: 'insert',
    with: lowerWith(cx, raw.withClause),
    table: lowerTarget(cx, raw.relation!),
    columns: lowerTargetColumns(cx, raw.cols),
    overriding: lowerOverriding(raw.override),
    source: raw.selectStmt === undefined ? null : lowerQuery(cx, bodyOf(raw.selectStmt, 'SelectStmt')),
    onConflict: lowerOnConflict(cx, raw.onConflictClause),
    returning: lowerReturning(cx, raw.returningClause),
    at: cx.statementAt,
  };
}

export function lowerUpdate(cx: Lowering, raw: pg.UpdateStmt): Update {
  return {
    type: 'update',
    with: lowerWith(cx, raw.withClause),
    table: lowerTarget(cx, raw.relation!),
    set: lowerAssignments(cx, raw.targetList),
    from: lowerFrom(cx, raw.fromClause),
    where: lowerOptional(cx, raw.whereClause),
    returning: lowerReturning(cx, raw.returningClause),
    at: cx.statementAt,
  };
}

export function lowerDelete(cx: Lowering, raw: pg.DeleteStmt): Delete {
  return {
    type: 'delete',
    with: lowerWith(cx, raw.withClause),
    table: lowerTarget(cx, raw.relation!),
    using: lowerFrom(cx, raw.usingClause),
    where: lowerOptional(cx, raw.whereClause),
    returning: lowerReturning(cx, raw.returningClause),
    at: cx.statementAt,
  };
}

export function lowerMerge(cx: Lowering, raw: pg.MergeStmt): Merge {
  return {
    type: 'merge',
    with: lowerWith(cx, raw.withClause),
    table: lowerTarget(cx, raw.relation!),
    source: lowerFromItem(cx, raw.sourceRelation!),
    on: lowerExpression(cx, raw.joinCondition!),
    branches: (raw.mergeWhenClauses ?? []).map((node) => lowerMergeBranch(cx, bodyOf(node, 'MergeWhenClause'))),
    returning: lowerReturning(cx, raw.returningClause),
    at: cx.statementAt,
  };
}

function lowerMergeBranch(cx: Lowering, raw: pg.MergeWhenClause): MergeBranch {
  const matches = {
    MERGE_WHEN_MATCHED: 'matched',
    MERGE_WHEN_NOT_MATCHED_BY_SOURCE: 'notMatchedBySource',
    MERGE_WHEN_NOT_MATCHED_BY_TARGET: 'notMatchedByTarget',
  } as const;
  const action: MergeBranch['action'] =
    raw.commandType === 'CMD_UPDATE'
      ? { type: 'update', set: lowerAssignments(cx, raw.targetList) }
      : raw.commandType === 'CMD_DELETE'
        ? { type: 'delete' }
        : raw.commandType === 'CMD_INSERT'
          ? {
              type: 'insert',
              columns: lowerTargetColumns(cx, raw.targetList),
              overriding: lowerOverriding(raw.override),
              values: raw.values === undefined ? null : lowerList(cx, raw.values),
            }
          : { type: 'nothing' };
  return { match: matches[raw.matchKind ?? 'MERGE_WHEN_MATCHED'], condition: lowerOptional(cx, raw.condition), action };
}

function lowerOverriding(raw: pg.OverridingKind | undefined): Overriding {
  return raw === 'OVERRIDING_USER_VALUE' ? 'user' : raw === 'OVERRIDING_SYSTEM_VALUE' ? 'system' : 'none';
}

function lowerTargetColumns(cx: Lowering, nodes: pg.Node[] | undefined): TargetColumn[] {
  return (nodes ?? []).map((node) => lowerTargetColumn(cx, bodyOf(node, 'ResTarget')));
}

function lowerTargetColumn(cx: Lowering, raw: pg.ResTarget): TargetColumn {
  const at = cx.at(raw.location);
  const path = (raw.indirection ?? []).map((step): TargetColumn['path'][number] => {
    if ('A_Indices' in step) return { type: 'subscript', subscript: lowerSubscript(cx, step.A_Indices) };
    if ('String' in step) return { type: 'field', name: step.String.sval ?? '' };
    throw cx.syntaxError('row expansion via "*" is not supported here', at);
  });
  return { name: raw.name ?? '', path, at };
}

/** `(a, b) = source` is represented as one target per column, each with the same source. */
function lowerAssignments(cx: Lowering, nodes: pg.Node[] | undefined): Assignment[] {
  const lowered: Assignment[] = [];
  for (let i = 0; i < (nodes ?? []).length; i++) {
    const raw = bodyOf(nodes![i], 'ResTarget');
    const target = lowerTargetColumn(cx, raw);
    const value = raw.val!;
    if ('MultiAssignRef' in value) {
      const count = value.MultiAssignRef.ncolumns ?? 1;
      const targets = [target];
      for (let k = 1; k < count; k++) targets.push(lowerTargetColumn(cx, bodyOf(nodes![i + k], 'ResTarget')));
      lowered.push({ targets, multiple: true, value: lowerExpression(cx, value.MultiAssignRef.source!), at: target.at });
      i += count - 1;
    } else lowered.push({ targets: [target], multiple: false, value: lowerExpression(cx, value), at: target.at });
  }
  return lowered;
}

function lowerOnConflict(cx: Lowering, raw: pg.OnConflictClause | undefined): OnConflict | null {
  if (raw === undefined) return null;
  const infer = raw.infer;
  return {
    action: raw.action === 'ONCONFLICT_UPDATE' ? 'update' : 'nothing',
    target:
      infer === undefined
        ? null
        : {
            elements: (infer.indexElems ?? []).map((node) => {
              const element = bodyOf(node, 'IndexElem');
              const at = cx.at(infer.location);
              return {
                value: element.expr === undefined ? { type: 'column', parts: [element.name ?? ''], star: false, at } : lowerExpression(cx, element.expr),
                collation: stringsOrNull(element.collation),
                operatorClass: stringsOrNull(element.opclass),
                at,
              };
            }),
            where: lowerOptional(cx, infer.whereClause),
            constraint: infer.conname ?? null,
            at: cx.at(infer.location),
          },
    set: lowerAssignments(cx, raw.targetList),
    where: lowerOptional(cx, raw.whereClause),
    at: cx.at(raw.location),
  };
}

function lowerReturning(cx: Lowering, raw: pg.ReturningClause | undefined): Returning | null {
  if (raw === undefined) return null;
  let oldAlias: string | null = null;
  let newAlias: string | null = null;
  for (const node of raw.options ?? []) {
    const option = bodyOf(node, 'ReturningOption');
    if (option.option === 'RETURNING_OPTION_NEW') newAlias = option.value ?? '';
    else oldAlias = option.value ?? '';
  }
  return { oldAlias, newAlias, items: lowerSelectItems(cx, raw.exprs) };
}

export function lowerTruncate(cx: Lowering, raw: pg.TruncateStmt): Truncate {
  return {
    type: 'truncate',
    tables: (raw.relations ?? []).map((node) => {
      const table = bodyOf(node, 'RangeVar');
      return { name: lowerRelation(cx, table), only: table.inh !== true };
    }),
    restartIdentity: raw.restart_seqs === true,
    cascade: raw.behavior === 'DROP_CASCADE',
    at: cx.statementAt,
  };
}

export function lowerCopy(cx: Lowering, raw: pg.CopyStmt): Copy {
  if (raw.query !== undefined && kindOf(raw.query) === 'SelectStmt' && bodyOf(raw.query, 'SelectStmt').intoClause !== undefined) {
    throw new SvcError('0A000', 'COPY (SELECT INTO) is not supported');
  }
  return {
    type: 'copy',
    direction: raw.is_from === true ? 'from' : 'to',
    table: raw.relation === undefined ? null : lowerRelation(cx, raw.relation),
    columns: strings(raw.attlist),
    query: raw.query === undefined ? null : lowerQueryOrWrite(cx, raw.query),
    file: raw.filename ?? null,
    program: raw.is_program === true,
    options: lowerOptions(cx, raw.options),
    where: lowerOptional(cx, raw.whereClause),
    at: cx.statementAt,
  };
}
