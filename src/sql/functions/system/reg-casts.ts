/** Casts of the reg… types besides those from and to numbers, and of texts in catalogs. */
import type { SqlType } from '../../types/type.ts';
import type { Call, FunctionModule, SqlCast } from '../define.ts';

/** A text as the name of a relation. */
function toRegclass(call: Call, text: string): number {
  const type: SqlType = call.returnType;
  return type.parse(text, -1, call.env) as number;
}

const fromText = (from: string): SqlCast => ({
  from,
  to: 'regclass',
  context: 'implicit',
  method: 'function',
  volatility: 'stable',
  needsCall: true,
  impl: toRegclass,
});
const binary = (from: string, to: string): SqlCast => ({ from, to, context: 'implicit', method: 'binary' });

export const regCasts: FunctionModule = {
  casts: [
    fromText('text'),
    fromText('varchar'),
    binary('regproc', 'regprocedure'),
    binary('regprocedure', 'regproc'),
    binary('regoper', 'regoperator'),
    binary('regoperator', 'regoper'),
    binary('pg_node_tree', 'text'),
  ],
};
