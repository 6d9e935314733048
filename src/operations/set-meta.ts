/** `set_meta`: Changes the metadata of a world; null removes a key. */
import type { Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { setMeta } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange, meta: s.meta });
export type SetMetaInput = Static<typeof input>;
const output = s.world;

export const setMetaOperation = defineOperation({
  name: 'set_meta',
  summary: 'Changes the metadata of a world; null removes a key.',
  input,
  output,
  capability: 'write_own',
  effect: 'grow',
  errors: ['53100', '54000'],
  examples: [{ input: { branch: 'draft', meta: { intent: 'clean up', old: null } } }],
  run: ({ services, input, by }) => setMeta(services.context, input, by, services.guard),
});
