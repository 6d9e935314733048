/** `set_meta`: Changes the metadata of a world; null removes a key. */
import type { Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import { plainJson } from './exact-input.ts';
import * as s from './schemas.ts';
import { cutText } from './text/page.ts';
import { jsonText } from './text/table.ts';
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
  mcp: {
    title: 'Describe a world',
    description: 'Keeps JSON with a world, such as its intent; null removes a key.',
    words: { branch: '', meta: '' },
    required: ['branch'],
    page: {},
    idempotent: true,
    text: ({ meta }, { page: { room } }) => cutText(jsonText(meta), room),
  },
  run: ({ services, input, by }) => setMeta(services.context, plainJson(input), by, services.guard),
});
