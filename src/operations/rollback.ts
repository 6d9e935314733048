/** `rollback`: Restores a world to a checkpoint. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { rollbackWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange, checkpoint: Type.String({ minLength: 1 }) });
export type RollbackInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, restored: s.count });
export type RollbackReply = Static<typeof output>;

export const rollbackOperation = defineOperation({
  name: 'rollback',
  summary: 'Puts a world back to a checkpoint.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  errors: ['42704', '53100'],
  examples: [{ input: { branch: 'draft', checkpoint: 'before-cleanup' } }],
  mcp: {
    title: 'Roll back to a checkpoint',
    description: 'Puts a world back to a named checkpoint.',
    words: { branch: '' },
    required: ['branch'],
    destructive: true,
    text: ({ restored }) => `rolled back: ${restored} rows changed`,
  },
  run: ({ services, input, by }) => rollbackWorld(services.context, input, by),
});
