/** One statement of the grammar to its AST. */
import type * as pg from '@pgsql/types';
import type { Statement } from '../ast/statement.ts';
import { lowerQueryOrWrite } from './lower-query.ts';
import { lowerCopy, lowerTruncate } from './lower-write.ts';
import { bodyOf, kindOf, type Lowering } from './lowering.ts';

export function lowerStatement(cx: Lowering, node: pg.Node): Statement {
  const kind = kindOf(node);
  switch (kind) {
    case 'SelectStmt':
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'MergeStmt':
      return lowerQueryOrWrite(cx, node);
    case 'TruncateStmt':
      return lowerTruncate(cx, bodyOf(node, kind));
    case 'CopyStmt':
      return lowerCopy(cx, bodyOf(node, kind));
    default:
      return { type: 'unsupported', what: kind, at: cx.statementAt };
  }
}
