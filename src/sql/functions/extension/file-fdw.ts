/** The functions of the extension file_fdw: handler and validator. Rows are read elsewhere. */
import type { ArrayValue } from '../../types/array-value.ts';
import { systemOf } from '../system/session-of.ts';
import type { Call, FunctionModule } from '../define.ts';

export const FILE_FDW: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'file_fdw_handler',
      args: [],
      returns: 'fdw_handler',
      volatility: 'volatile',
      doc: 'The wrapper whose tables are files of the server (file_fdw).',
      impl: () => '',
    },
    {
      kind: 'scalar',
      name: 'file_fdw_validator',
      args: ['_text', 'oid'],
      returns: 'void',
      volatility: 'volatile',
      needsCall: true,
      doc: 'Refuses options that no file can have (file_fdw).',
      impl: (call: Call, options: ArrayValue, catalog: number) => {
        systemOf(call).checkFileOptions(options.elements as readonly string[], catalog);
        return null;
      },
    },
  ],
};
