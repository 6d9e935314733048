/** `fork`: Makes a world: an instant private copy of another. */
import Type from 'typebox';
import type { ForkInput, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const forkOperation = defineOperation<ForkInput, { ok: true; world: WorldView }>({
  name: 'fork',
  summary: 'Makes a world: an instant private copy of another.',
  description:
    'A name is letters of one script, digits, `_`, `-` and `.`, in the normal form of Unicode, with nothing in it that is not seen, and cannot be taken for `main`. Names of checkpoints and channels follow the same rule.',
  input: s.input({
    name: Type.String({ minLength: 1, description: 'Name of the new world.' }),
    from: Type.Optional(Type.String({ minLength: 1, description: 'World to fork (default `main`), also `name@when`.' })),
    meta: Type.Optional(s.meta),
  }),
  output: Type.Object({ ok: s.ok, world: s.world }),
  capability: 'fork',
  effect: 'append',
  errors: ['22007', '42602', '42P04', '53100'],
  examples: [{ input: { name: 'draft' } }, { input: { name: 'yesterday', from: 'main@-1d', meta: { intent: 'audit' } } }],
  handler: (session, input) => session.commands.fork(input),
});
