/** Sequences (manual, section 9.17). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

const common = { kind: 'scalar', returns: 'int8', volatility: 'volatile', needsCall: true } as const;

export const sequenceFunctions: FunctionModule = {
  functions: [
    { ...common, name: 'nextval', args: ['regclass'], doc: 'The next value of a sequence.', impl: (call: Call, oid: number) => systemOf(call).nextval(oid) },
    {
      ...common,
      name: 'currval',
      args: ['regclass'],
      doc: 'The value that this session got last.',
      impl: (call: Call, oid: number) => systemOf(call).currval(oid),
    },
    { ...common, name: 'lastval', args: [], doc: 'The value that this session got last of any sequence.', impl: (call: Call) => systemOf(call).lastval() },
    {
      ...common,
      name: 'setval',
      args: ['regclass', 'int8'],
      doc: 'Sets the value of a sequence; the next one follows it.',
      impl: (call: Call, oid: number, value: Whole) => systemOf(call).setval(oid, value, true),
    },
    {
      ...common,
      name: 'setval',
      args: ['regclass', 'int8', 'bool'],
      doc: 'Sets the value of a sequence; where false, it is the next one itself.',
      impl: (call: Call, oid: number, value: Whole, called: boolean) => systemOf(call).setval(oid, value, called),
    },
    {
      kind: 'set',
      name: 'pg_sequence_parameters',
      args: ['oid'],
      argNames: ['sequence_oid'],
      returns: 'record',
      doc: 'What a sequence was made with.',
      volatility: 'stable',
      needsCall: true,
      columns: [
        ...['start_value', 'minimum_value', 'maximum_value', 'increment'].map((name) => ({ name, type: 'int8' })),
        { name: 'cycle_option', type: 'bool' },
        { name: 'cache_size', type: 'int8' },
        { name: 'data_type', type: 'oid' },
      ],
      impl: (call: Call, oid: number): Value[][] => {
        const found = systemOf(call).definitions.sequence(oid);
        if (found === null) throw new SvcError('42P01', `relation with OID ${oid} does not exist`);
        return [[found.start, found.min, found.max, found.increment, found.cycle, found.cache, found.type]];
      },
    },
  ],
};
