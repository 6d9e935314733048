/** information_schema._pg_expandarray: elements of an array with their positions, as JDBC drivers ask for columns of keys. */
import type { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { FunctionModule } from '../define.ts';

export const expandArray: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: '_pg_expandarray',
      schema: 'information_schema',
      args: ['anyarray'],
      returns: 'record',
      doc: 'Elements of an array and their positions, from 1.',
      columns: [
        { name: 'x', type: 'anyelement' },
        { name: 'n', type: 'int4' },
      ],
      impl: ({ elements }: ArrayValue): Value[][] => elements.map((element, i) => [element, i + 1]),
    },
  ],
};
