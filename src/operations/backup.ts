/** `backup`: Copies the database into a new folder on the server. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({ to: Type.String({ minLength: 1, description: 'Path of the folder. It must not exist; the one that it is made in must.' }) });
export type BackupInput = Static<typeof input>;
const output = Type.Object({ files: s.count, bytes: s.count });
export type BackupReply = Static<typeof output>;

export const backupOperation = defineOperation({
  name: 'backup',
  summary: 'Copies the database into a new folder on the server.',
  description:
    'A consistent copy, made while writers continue; durable when the reply arrives. The folder opens as a database of its own; the copy of an encrypted folder is encrypted with the same key. An incomplete copy is refused when it is opened.',
  input,
  output,
  capability: 'admin',
  effect: 'read',
  gate: 'own',
  errors: ['22021', '42710', '53100', 'XX001'],
  examples: [{ input: { to: '/backups/monday' }, output: { files: 3, bytes: 1048576 } }],
  long: true,
  sql: {
    result: [
      ['files', 'int8'],
      ['bytes', 'int8'],
    ],
  },
  run: ({ services, input, by, control }) => services.backup(input, by, control),
});
