/** `fork`: Makes a world: an instant private copy of another. */
import Type from 'typebox';
import type { ForkInput, WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const forkOperation = defineOperation<ForkInput, { ok: true; world: WorldView }>({
  name: 'fork',
  summary: 'Makes a world: an instant private copy of another.',
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
