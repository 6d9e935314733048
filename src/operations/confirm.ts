/** `confirm`: Accepts the state of a world that was open during a crash. */
import type { Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { confirmWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.requiredBranch });
export type ConfirmInput = Static<typeof input>;
const output = s.world;

export const confirmOperation = defineOperation({
  name: 'confirm',
  summary: 'Takes a world that was open during a crash as it is.',
  input,
  output,
  capability: 'write_own',
  effect: 'write',
  errors: ['53100'],
  examples: [{ input: { branch: 'draft' } }],
  run: ({ services, input, by }) => confirmWorld(services.context, input, by),
});
