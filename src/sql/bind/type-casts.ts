/** Functions behind casts to user-defined types. */
import type { Call, ScalarFunction, SqlOperator } from '../functions/define.ts';
import { bitsOfWhole } from '../functions/bits/bit-functions.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { checkDomain } from '../types/domain-type.ts';
import { columnsOf } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** Checks a domain's constraints on a value of its base type. Not folded: the check may fail. */
export const DOMAIN_CHECK: ScalarFunction = {
  kind: 'scalar',
  name: 'domain_check',
  args: ['any'],
  returns: 'any',
  volatility: 'stable',
  strict: false,
  needsCall: true,
  doc: '',
  impl: (call: Call, value: Value) => {
    checkDomain(call.returnType, value, call.env);
    return value;
  },
};

export const BITS_OF_WHOLE: ScalarFunction = {
  kind: 'scalar',
  name: 'bits_of_integer',
  args: ['int8', 'int4'],
  returns: 'bit',
  doc: '',
  impl: bitsOfWhole,
};

/** Called only with two non-null values. */
export const NOT_NULL: SqlOperator = { name: '=', left: 'record', right: 'record', returns: 'bool', proc: 'row_is', impl: () => false };

/** Casts a row with fields known only at run time to a composite: through text for fields of other types. */
export function rowCast(to: SqlType): ScalarFunction {
  const columns = columnsOf(to)!;
  return {
    kind: 'scalar',
    name: 'row_cast',
    args: ['record'],
    returns: to.name,
    volatility: 'stable',
    needsCall: true,
    doc: '',
    impl: (call: Call, value: RecordValue) => {
      if (value.fields.length !== columns.length) {
        const detail = `Input has too ${value.fields.length < columns.length ? 'few' : 'many'} columns.`;
        throw new SvcError('42846', `cannot cast type record to ${to.title}`, { detail });
      }
      const fields = value.fields.map((field, i) => {
        const { type, typmod } = columns[i];
        return field === null || value.types[i].oid === type.oid ? field : type.parse(value.types[i].format(field, call.env), typmod, call.env);
      });
      return new RecordValue(
        fields,
        columns.map((column) => column.type),
      );
    },
  };
}
