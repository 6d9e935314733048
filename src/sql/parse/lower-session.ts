/** Settings. */
import type * as pg from '@pgsql/types';
import type { ResetVariable, SetVariable } from '../ast/session.ts';
import { lowerExpression } from './lower-expression.ts';
import type { Lowering } from './lowering.ts';

export function lowerSetting(cx: Lowering, raw: pg.VariableSetStmt): SetVariable | ResetVariable {
  switch (raw.kind) {
    case 'VAR_RESET':
      return { type: 'reset', name: raw.name ?? '', at: cx.statementAt };
    case 'VAR_RESET_ALL':
      return { type: 'reset', name: null, at: cx.statementAt };
    default:
      return {
        type: 'set',
        name: raw.name ?? '',
        values: raw.args === undefined ? null : raw.args.map((arg) => lowerExpression(cx, arg)),
        local: raw.is_local === true,
        at: cx.statementAt,
      };
  }
}
