/** `world`: One world. */
import type { Static } from 'typebox';
import { defineOperation, type ResultColumn } from './define-operation.ts';
import * as s from './schemas.ts';
import { viewWorld } from '../commands/worlds.ts';

const input = s.input({ branch: s.branchToChange, at: s.asOf });
export type WorldInput = Static<typeof input>;
const output = s.world;

const WORLD_COLUMNS: readonly ResultColumn[] = [
  ['name', 'text'],
  ['id', 'text'],
  ['parent', 'text'],
  ['depth', 'int8'],
  ['created', 'timestamptz'],
  ['version', 'int8'],
  ['flagged', 'bool'],
  ['meta', 'jsonb'],
  ['owner', 'text'],
  ['expires', 'timestamptz'],
  ['active', 'timestamptz'],
  ['pinned', 'bool'],
  ['checkpoints', 'jsonb'],
  ['pending', 'text'],
];

export const worldOperation = defineOperation({
  name: 'world',
  summary: 'One world.',
  description:
    'Within retention also one that was merged or discarded, with its meta: then `state`, `ended` and, where it was merged, `into` say what became of it. With `at`: one that was open then, as it was.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: { branch: 'draft' } }, { input: { branch: 'draft', at: '-10m' } }],
  sql: { result: WORLD_COLUMNS },
  run: ({ services, input }) => viewWorld(services.context, input),
});
