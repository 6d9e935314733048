/** Functions and comparison of enums. Manual, section 9.10. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Call, FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

function enumOf(call: Call): SqlType {
  const type = call.argTypes.find((candidate) => candidate.labels !== null);
  if (type === undefined) throw new SvcError('0A000', 'could not determine actual enum type');
  return type;
}

function edge(call: Call, at: 0 | -1): string {
  const type = enumOf(call);
  const label = type.labels!.at(at);
  if (label === undefined) throw new SvcError('55000', `enum ${type.title} contains no values`);
  return label;
}

function range(call: Call, from: string | null, to: string | null): ArrayValue {
  const labels = enumOf(call).labels!;
  const start = from === null ? 0 : labels.indexOf(from);
  const end = to === null ? labels.length : labels.indexOf(to) + 1;
  return new ArrayValue(labels.slice(start, Math.max(start, end)));
}

const ORDER: readonly (readonly [string, string, string, string, (order: number) => boolean])[] = [
  ['=', 'enum_eq', '=', '<>', (order) => order === 0],
  ['<>', 'enum_ne', '<>', '=', (order) => order !== 0],
  ['<', 'enum_lt', '>', '>=', (order) => order < 0],
  ['>', 'enum_gt', '<', '<=', (order) => order > 0],
  ['<=', 'enum_le', '>=', '>', (order) => order <= 0],
  ['>=', 'enum_ge', '<=', '<', (order) => order >= 0],
];

const OPERATORS = ORDER.map(([name, proc, commutator, negator, holds]): SqlOperator => ({
  name,
  left: 'anyenum',
  right: 'anyenum',
  returns: 'bool',
  proc,
  commutator,
  negator,
  needsCall: true,
  impl: (call: Call, a: string, b: string) => holds(call.argTypes[0].compare(a, b)),
}));

export const ENUM_FUNCTIONS: FunctionModule = {
  operators: OPERATORS,
  functions: [
    ...OPERATORS.map(({ proc, impl, name }): ScalarFunction => ({
      kind: 'scalar',
      name: proc,
      args: ['anyenum', 'anyenum'],
      returns: 'bool',
      needsCall: true,
      doc: `What the operator ${name} calls.`,
      impl,
    })),
    {
      kind: 'scalar',
      name: 'enum_cmp',
      args: ['anyenum', 'anyenum'],
      returns: 'int4',
      needsCall: true,
      doc: 'Order of two labels: -1, 0 or 1.',
      impl: (call: Call, a: string, b: string) => Math.sign(call.argTypes[0].compare(a, b)),
    },
    {
      kind: 'scalar',
      name: 'enum_larger',
      args: ['anyenum', 'anyenum'],
      returns: 'anyenum',
      needsCall: true,
      doc: 'The later of two labels.',
      impl: (call: Call, a: string, b: string) => (call.argTypes[0].compare(a, b) > 0 ? a : b),
    },
    {
      kind: 'scalar',
      name: 'enum_smaller',
      args: ['anyenum', 'anyenum'],
      returns: 'anyenum',
      needsCall: true,
      doc: 'The earlier of two labels.',
      impl: (call: Call, a: string, b: string) => (call.argTypes[0].compare(a, b) < 0 ? a : b),
    },
    {
      kind: 'scalar',
      name: 'enum_first',
      args: ['anyenum'],
      returns: 'anyenum',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'The first label of the type; the value counts for nothing.',
      impl: (call: Call) => edge(call, 0),
    },
    {
      kind: 'scalar',
      name: 'enum_last',
      args: ['anyenum'],
      returns: 'anyenum',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'The last label of the type; the value counts for nothing.',
      impl: (call: Call) => edge(call, -1),
    },
    {
      kind: 'scalar',
      name: 'enum_range',
      args: ['anyenum'],
      returns: 'anyarray',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'All labels of the type in order.',
      impl: (call: Call) => range(call, null, null),
    },
    {
      kind: 'scalar',
      name: 'enum_range',
      args: ['anyenum', 'anyenum'],
      returns: 'anyarray',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'The labels from one to another; null leaves an end open.',
      impl: range,
    },
  ],
};
