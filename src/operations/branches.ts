/** `branches`: All open worlds. */
import Type from 'typebox';
import type { WorldView } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const branchesOperation = defineOperation<object, { branches: WorldView[] }>({
  name: 'branches',
  aliases: ['worlds'],
  summary: 'All open worlds.',
  input: s.input({}),
  output: Type.Object({ branches: Type.Array(s.world) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session) => session.commands.branches(),
});
