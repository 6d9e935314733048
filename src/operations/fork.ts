/** `fork`: Makes a world: an instant private copy of another. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import { plainJson } from './exact-input.ts';
import * as s from './schemas.ts';
import { forkWorld } from '../commands/worlds.ts';

const input = s.input({
  name: Type.String({ minLength: 1, description: 'Name of the new world.' }),
  // null, of callers in this process only: a world that is empty and has no parent.
  from: Type.Optional(Type.Unsafe<string | null>(Type.String({ minLength: 1, description: 'World to fork (default `main`), also `name@when`.' }))),
  meta: Type.Optional(s.meta),
});
export type ForkInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok, world: s.world });
export type ForkReply = Static<typeof output>;

export const forkOperation = defineOperation({
  name: 'fork',
  summary: 'Makes a world: an instant private copy of another.',
  description:
    'A name is letters of one script, digits, `_`, `-` and `.`, in the normal form of Unicode, with nothing in it that is not seen, and cannot be taken for `main`. Names of checkpoints and channels follow the same rule.',
  input,
  output,
  capability: 'fork',
  effect: 'grow',
  inProcess: { from: (value) => value === null },
  errors: ['22007', '42602', '42P04', '53100'],
  examples: [{ input: { name: 'draft' } }, { input: { name: 'earlier', from: 'main@-10m', meta: { intent: 'audit' } } }],
  mcp: {
    title: 'Fork a world',
    description: 'Makes a private copy of a world at once, however large it is. Change that one, not main.',
    words: { name: '', from: 'Default main; also name@when.', meta: '' },
    text: ({ world }, { given: { from } }) =>
      `forked branch ${world.name} (${world.id}) from ${from ?? 'main'}: pass branch "${world.name}" to put, delete and sql`,
  },
  run: ({ services, input, by }) => forkWorld(services.context, plainJson(input), by, services.guard),
});
