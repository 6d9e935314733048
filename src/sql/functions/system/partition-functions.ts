/** Trees of partitions (manual, section 9.27.7). No table has partitions, and no relation is one: there is nothing to tell. */
import type { FunctionModule } from '../define.ts';

export const partitionFunctions: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'pg_partition_tree',
      args: ['regclass'],
      returns: 'record',
      doc: 'Nothing: there are no partitions.',
      columns: [
        { name: 'relid', type: 'regclass' },
        { name: 'parentrelid', type: 'regclass' },
        { name: 'isleaf', type: 'bool' },
        { name: 'level', type: 'int4' },
      ],
      volatility: 'volatile',
      impl: () => [],
    },
    {
      kind: 'set',
      name: 'pg_partition_ancestors',
      args: ['regclass'],
      returns: 'regclass',
      doc: 'Nothing: there are no partitions.',
      volatility: 'volatile',
      impl: () => [],
    },
    { kind: 'scalar', name: 'pg_partition_root', args: ['regclass'], returns: 'regclass', doc: 'Null: there are no partitions.', impl: () => null },
  ],
};
