/** Casts between text types, and from and to bool and int4. I/O casts of all other types are the binder's. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { trimBlanks } from '../../types/text-order.ts';
import { formatChar, toChar, toName } from '../../types/texts.ts';
import type { CastContext, FunctionModule, SqlCast } from '../define.ts';

const cast = (from: string, to: string, context: CastContext, impl: NonNullable<SqlCast['impl']>): SqlCast => ({ from, to, context, method: 'function', impl });
const binary = (from: string, to: string, context: CastContext): SqlCast => ({ from, to, context, method: 'binary' });

const same = (value: string): string => value;
const boolText = (value: boolean): string => (value ? 'true' : 'false');

/** "char" counts as a signed byte. */
function charToInt4(value: string): number {
  return value === '' ? 0 : (value.charCodeAt(0) << 24) >> 24;
}

function int4ToChar(value: number): string {
  if (value < -128 || value > 127) throw new SvcError('22003', '"char" out of range');
  return value === 0 ? '' : String.fromCharCode(value & 255);
}

export const textCasts: FunctionModule = {
  casts: [
    binary('text', 'varchar', 'implicit'),
    binary('text', 'bpchar', 'implicit'),
    binary('varchar', 'text', 'implicit'),
    binary('varchar', 'bpchar', 'implicit'),
    cast('bpchar', 'text', 'implicit', trimBlanks),
    cast('bpchar', 'varchar', 'implicit', trimBlanks),
    cast('bpchar', 'name', 'implicit', (value: string) => toName(trimBlanks(value))),
    cast('bpchar', 'char', 'assignment', toChar),
    cast('text', 'name', 'implicit', toName),
    cast('varchar', 'name', 'implicit', toName),
    cast('text', 'char', 'assignment', toChar),
    cast('varchar', 'char', 'assignment', toChar),
    cast('name', 'text', 'implicit', same),
    cast('name', 'varchar', 'assignment', same),
    cast('name', 'bpchar', 'assignment', same),
    cast('char', 'text', 'implicit', formatChar),
    cast('char', 'varchar', 'assignment', formatChar),
    cast('char', 'bpchar', 'assignment', formatChar),
    cast('char', 'int4', 'explicit', charToInt4),
    cast('int4', 'char', 'explicit', int4ToChar),
    cast('bool', 'text', 'assignment', boolText),
    cast('bool', 'varchar', 'assignment', boolText),
    cast('bool', 'bpchar', 'assignment', boolText),
  ],
};
