/** `discard`: Drops a world; with `cascade` also every world forked from it. */
import Type from 'typebox';
import type { DiscardInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const discardOperation = defineOperation<DiscardInput, { ok: true; discarded?: string[] }>({
  name: 'discard',
  summary: 'Drops a world; with `cascade` also every world forked from it.',
  input: s.input({ branch: s.requiredBranch, cascade: Type.Optional(Type.Boolean()) }),
  output: Type.Object({ ok: s.ok, discarded: Type.Optional(Type.Array(Type.String())) }),
  capability: 'write_own',
  effect: 'append',
  errors: ['2BP01', '53100'],
  examples: [{ input: { branch: 'draft' }, output: { ok: true } }],
  handler: (session, input) => session.commands.discard(input),
});
