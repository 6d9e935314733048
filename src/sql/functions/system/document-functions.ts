/** Whether a table takes documents: Postgres has no parameter of tables for it, so `pg_class.reloptions` does not show it, and dumps leave it out. */
import type { Call, FunctionModule } from '../define.ts';
import { systemOf } from './session-of.ts';

export const documentFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'takes_documents',
      args: ['regclass'],
      returns: 'bool',
      doc: 'Whether records with further fields widen the table (ALTER TABLE … SET (documents = on | off)); null without such a relation.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, oid: number) => systemOf(call).definitions.takesDocuments(oid),
    },
  ],
};
