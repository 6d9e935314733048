/** `history`: What happened in a world, newest first. */
import Type from 'typebox';
import { LIMITS } from '../base/limits.ts';
import type { HistoryEvent, HistoryInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

/** Of merges. */
const worldNamed = Type.Object({ name: Type.String(), id: Type.String() });

export const historyOperation = defineOperation<HistoryInput, { events: HistoryEvent[] }>({
  name: 'history',
  summary: 'What happened in a world, newest first.',
  input: s.input({
    branch: s.branchToChange,
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.historyLimitMax, description: 'Default 100.' })),
  }),
  output: Type.Object({
    events: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        world: Type.String(),
        event: Type.String(),
        rows: s.count,
        branch: Type.Optional(worldNamed),
        into: Type.Optional(worldNamed),
        by: Type.Optional(s.textOrNull),
      }),
    ),
  }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: { branch: 'main', limit: 2 } }],
  handler: (session, input) => session.commands.history(input),
});
