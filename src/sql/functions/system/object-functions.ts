/** Objects by their catalog and oid, and back (manual, section 9.26.5). */
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

const ADDRESS = ['oid', 'oid', 'int4'];
const ADDRESS_NAMES = ['classid', 'objid', 'objsubid'];
const common = { kind: 'set', returns: 'record', volatility: 'stable', needsCall: true } as const;

export const objectFunctions: FunctionModule = {
  functions: [
    {
      ...common,
      name: 'pg_identify_object',
      args: ADDRESS,
      argNames: ADDRESS_NAMES,
      doc: 'Kind, schema, name and full name of an object.',
      columns: ['type', 'schema', 'name', 'identity'].map((name) => ({ name, type: 'text' })),
      impl: (call: Call, catalog: number, oid: number, column: number): Value[][] => {
        const found = systemOf(call).definitions.identify(catalog, oid, column);
        return [[found.type, found.schema, found.name, found.identity]];
      },
    },
    {
      ...common,
      name: 'pg_identify_object_as_address',
      args: ADDRESS,
      argNames: ADDRESS_NAMES,
      doc: 'Kind and names of an object, as pg_get_object_address takes them.',
      columns: [
        { name: 'type', type: 'text' },
        { name: 'object_names', type: '_text' },
        { name: 'object_args', type: '_text' },
      ],
      impl: (call: Call, catalog: number, oid: number, column: number): Value[][] => {
        const { type, names, args } = systemOf(call).definitions.identify(catalog, oid, column);
        return [[type, names === null ? null : new ArrayValue(names), names === null ? null : new ArrayValue(args)]];
      },
    },
    {
      ...common,
      name: 'pg_get_object_address',
      args: ['text', '_text', '_text'],
      argNames: ['type', 'object_names', 'object_args'],
      doc: 'Catalog, oid and column number of an object by its kind and names.',
      columns: [
        { name: 'classid', type: 'oid' },
        { name: 'objid', type: 'oid' },
        { name: 'objsubid', type: 'int4' },
      ],
      impl: (call: Call, type: string, names: ArrayValue, args: ArrayValue): Value[][] => [
        [...systemOf(call).definitions.address(type, names.elements as readonly (string | null)[], args.elements as readonly (string | null)[])],
      ],
    },
  ],
};
