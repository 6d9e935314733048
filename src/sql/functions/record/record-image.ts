/** `*=` and similar: whether two rows are identical in representation (1.0 is not 1.00), and an order consistent with that. Manual, section 9.24.5. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RecordValue } from '../../types/record-value.ts';
import { compareText } from '../../types/text-order.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { sixOperators, type Tests } from '../comparison/six-operators.ts';
import type { Call, FunctionModule } from '../define.ts';

/** Whole numbers as unsigned ones, floats as they are, others by their texts. */
function compareImages(type: SqlType, a: Value, b: Value, { env }: Call): number {
  switch (type.repr) {
    case 'bool':
      return Number(a) - Number(b);
    case 'i32':
    case 'whole': {
      if (typeof a !== 'number' && typeof a !== 'bigint') break;
      const [left, right] = [BigInt.asUintN(64, BigInt(a)), BigInt.asUintN(64, BigInt(b as number))];
      return left < right ? -1 : left > right ? 1 : 0;
    }
    default:
  }
  return compareText(type.format(a, env), type.format(b, env));
}

function compareRows(call: Call, left: RecordValue, right: RecordValue): number {
  const count = Math.min(left.fields.length, right.fields.length);
  for (let i = 0; i < count; i++) {
    if (left.types[i].oid !== right.types[i].oid) {
      throw new SvcError('42804', `cannot compare dissimilar column types ${left.types[i].title} and ${right.types[i].title} at record column ${i + 1}`);
    }
    const [a, b] = [left.fields[i], right.fields[i]];
    if (a === null && b === null) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const order = compareImages(left.types[i], a, b, call);
    if (order !== 0) return Math.sign(order);
  }
  if (left.fields.length !== right.fields.length) throw new SvcError('42804', 'cannot compare record types with different numbers of columns');
  return 0;
}

/** By the order of two rows. */
const TESTS: Tests = {
  eq: (order: number) => order === 0,
  ne: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
};

export const RECORD_IMAGE: FunctionModule = {
  operators: sixOperators('record', 'record', (test) => `record_image_${test}`, TESTS).map((each) => ({
    ...each,
    name: `*${each.name}`,
    commutator: `*${each.commutator}`,
    negator: `*${each.negator}`,
    needsCall: true,
    impl: (call: Call, a: RecordValue, b: RecordValue) => each.impl(compareRows(call, a, b)),
  })),
  behind: [
    {
      kind: 'scalar',
      name: 'btrecordimagecmp',
      args: ['record', 'record'],
      returns: 'int4',
      needsCall: true,
      doc: 'Order of two rows by what they are made of.',
      impl: compareRows,
    },
  ],
};
