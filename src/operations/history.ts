/** `history`: What happened in a world, newest first. */
import Type from 'typebox';
import { LIMITS } from '../base/limits.ts';
import type { HistoryEvent, HistoryInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const historyOperation = defineOperation<HistoryInput, { events: HistoryEvent[] }>({
  name: 'history',
  summary: 'What happened in a world, newest first.',
  input: s.input({
    branch: s.branchToChange,
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.historyLimitMax, description: 'Default 100.' })),
  }),
  output: Type.Object({
    events: Type.Array(Type.Object({ at: Type.String({ format: 'date-time' }), world: Type.String(), event: Type.String(), rows: s.count })),
  }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: { branch: 'main', limit: 2 } }],
  handler: (session, input) => session.commands.history(input),
});
