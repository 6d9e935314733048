/** Type names. */
import type * as pg from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TypeName } from '../ast/type-name.ts';
import { lowerExpression } from './lower-expression.ts';
import { bodyOf, strings, type Lowering } from './lowering.ts';

export function lowerTypeName(cx: Lowering, raw: pg.TypeName): TypeName {
  const names = strings(raw.names);
  const name = names.pop() ?? '';
  const columnOf = raw.pct_type === true ? names : null;
  const at = cx.at(raw.location);
  if (columnOf === null && names.length > 1) {
    if (names.length > 2) throw new SvcError('42601', `improper qualified name (too many dotted names): ${[...names, name].join('.')}`);
    throw cx.unsupported(`cross-database reference ${[...names, name].join('.')}`, at);
  }
  return {
    schema: columnOf === null && names.length === 1 ? names[0] : null,
    name,
    typmods: (raw.typmods ?? []).map((node) => lowerExpression(cx, node)),
    arrayBounds: (raw.arrayBounds ?? []).map((node) => bodyOf(node, 'Integer').ival ?? 0),
    setOf: raw.setof === true,
    columnOf,
    at,
  };
}
