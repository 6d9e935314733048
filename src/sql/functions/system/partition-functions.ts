/** Partition trees (manual, section 9.26.7), and whether a row satisfies the bounds of a hash partition. */
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

export const partitionFunctions: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'pg_partition_tree',
      args: ['regclass'],
      argNames: ['rootrelid'],
      returns: 'record',
      doc: 'A partitioned table or index, or a part of one, with all below it.',
      columns: [
        { name: 'relid', type: 'regclass' },
        { name: 'parentrelid', type: 'regclass' },
        { name: 'isleaf', type: 'bool' },
        { name: 'level', type: 'int4' },
      ],
      volatility: 'volatile',
      needsCall: true,
      impl: (call: Call, oid: number) =>
        systemOf(call)
          .definitions.partitionTree(oid)
          .map((row): Value[] => [...row]),
    },
    {
      kind: 'set',
      name: 'pg_partition_ancestors',
      args: ['regclass'],
      argNames: ['partitionid'],
      returns: 'regclass',
      doc: 'What a partition is part of, itself first.',
      columns: [{ name: 'relid', type: 'regclass' }],
      volatility: 'volatile',
      needsCall: true,
      impl: (call: Call, oid: number) => systemOf(call).definitions.partitionAncestors(oid),
    },
    {
      kind: 'scalar',
      name: 'pg_partition_root',
      args: ['regclass'],
      returns: 'regclass',
      doc: 'The top of what a partition is part of.',
      volatility: 'immutable',
      needsCall: true,
      impl: (call: Call, oid: number) => systemOf(call).definitions.partitionAncestors(oid).at(-1) ?? null,
    },
    {
      kind: 'scalar',
      name: 'satisfies_hash_partition',
      args: ['oid', 'int4', 'int4'],
      variadic: 'any',
      returns: 'bool',
      doc: 'Whether a partition key with these values belongs in the partition.',
      volatility: 'immutable',
      strict: false,
      needsCall: true,
      impl: (
        call: Call & { readonly argTypes: readonly SqlType[] },
        parent: number | null,
        modulus: number | null,
        remainder: number | null,
        ...values: Value[]
      ) =>
        parent === null || modulus === null || remainder === null
          ? false
          : systemOf(call).definitions.inHashPartition(parent, modulus, remainder, call.argTypes.slice(3), values),
    },
  ],
};
