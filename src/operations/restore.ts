/** `restore`: Restores a world to a past moment or a checkpoint, as one ordinary write. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { restoreWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange, at: Type.Optional(s.moment), checkpoint: Type.Optional(Type.String({ minLength: 1 })) });
export type RestoreInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, restored: s.count });
export type RestoreReply = Static<typeof output>;

export const restoreOperation = defineOperation({
  name: 'restore',
  summary: 'Puts a world back to a past moment or a checkpoint, as one ordinary write.',
  input,
  output,
  capability: 'restore',
  effect: 'grow',
  errors: ['22007', '42704', '53100'],
  examples: [{ input: { branch: 'draft', at: '-10m' } }, { input: { branch: 'draft', checkpoint: 'before-cleanup' } }],
  sql: { result: [['restored', 'int8']] },
  mcp: {
    title: 'Restore a world',
    description: 'Puts a world back to a moment (-10m, an ISO time) by an ordinary write, which can be undone in turn.',
    fields: ['branch', 'at'],
    words: { branch: '', at: '' },
    required: ['branch', 'at'],
    destructive: true,
    text: ({ restored }) => `restored: ${restored} rows changed`,
  },
  run: ({ services, input, by }) => restoreWorld(services.context, input, by),
});
