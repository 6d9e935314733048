/** Comments (manual, section 9.26.9). */
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

const common = { kind: 'scalar', returns: 'text', volatility: 'stable', needsCall: true } as const;

export const commentFunctions: FunctionModule = {
  functions: [
    {
      ...common,
      name: 'obj_description',
      args: ['oid', 'name'],
      doc: 'Comment of an object of a catalog.',
      impl: (call: Call, oid: number, catalog: string) => systemOf(call).definitions.comment(oid, catalog, 0),
    },
    {
      ...common,
      name: 'obj_description',
      args: ['oid'],
      doc: 'Comment of an object.',
      impl: (call: Call, oid: number) => systemOf(call).definitions.comment(oid, null, 0),
    },
    {
      ...common,
      name: 'col_description',
      args: ['oid', 'int4'],
      doc: 'Comment of a column.',
      impl: (call: Call, oid: number, attnum: number) => (attnum === 0 ? null : systemOf(call).definitions.comment(oid, 'pg_class', attnum)),
    },
    {
      ...common,
      name: 'shobj_description',
      args: ['oid', 'name'],
      doc: 'Comment of a database or role.',
      impl: (call: Call, oid: number, catalog: string) => systemOf(call).sharedComment(oid, catalog),
    },
  ],
};
