/** pg_get_catalog_foreign_keys(): references between system catalogs. */
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { CATALOG_KEYS } from './catalog-key-list.ts';
import { systemOf } from './session-of.ts';

export const catalogKeyFunctions: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'pg_get_catalog_foreign_keys',
      args: [],
      returns: 'record',
      doc: 'Columns of system catalogs that point at rows of others.',
      volatility: 'stable',
      needsCall: true,
      columns: [
        { name: 'fktable', type: 'regclass' },
        { name: 'fkcols', type: '_text' },
        { name: 'pktable', type: 'regclass' },
        { name: 'pkcols', type: '_text' },
        { name: 'is_array', type: 'bool' },
        { name: 'is_opt', type: 'bool' },
      ],
      impl: (call: Call): Value[][] => {
        const oid = (name: string): Value => systemOf(call).relationOid(`pg_catalog.${name}`);
        return CATALOG_KEYS.split('\n').map((line) => {
          const [table, columns, other, otherColumns, array, optional] = line.split(' ');
          return [oid(table), new ArrayValue(columns.split(',')), oid(other), new ArrayValue(otherColumns.split(',')), array === 't', optional === 't'];
        });
      },
    },
  ],
};
