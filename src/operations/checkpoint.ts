/** `checkpoint`: Names the state of a world, to restore it later. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { checkpointWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange, name: Type.String({ minLength: 1, pattern: '^\\S+$' }) });
export type CheckpointInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, at: Type.String({ format: 'date-time' }) });
export type CheckpointReply = Static<typeof output>;

export const checkpointOperation = defineOperation({
  name: 'checkpoint',
  summary: 'Names the state of a world, to restore it later.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  errors: ['42710', '53100'],
  examples: [{ input: { branch: 'draft', name: 'before-cleanup' } }],
  sql: { result: [['at', 'timestamptz']] },
  mcp: {
    title: 'Name a checkpoint',
    description: 'Names a world as it is, for rollback.',
    words: { branch: '' },
    required: ['branch'],
    text: ({ at }, { given: { name } }) => `checkpoint ${name} at ${at}`,
  },
  run: ({ services, input, by }) => checkpointWorld(services.context, input, by),
});
