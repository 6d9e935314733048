/** `undo_agent`: Takes back what an agent did to a world. */
import Type from 'typebox';
import type { UndoAgentInput } from '../commands/contract.ts';
import { agentName } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const undoAgentOperation = defineOperation<UndoAgentInput, { ok: true; world: string; undone: number; skipped: number }>({
  name: 'undo_agent',
  summary: 'Takes back what an agent did to a world: its writes and its merges into it.',
  description: 'Rows that somebody else changed after the agent are named and nothing is undone, or they are left alone. It needs `merge` too.',
  input: s.input({
    branch: s.branchToChange,
    name: agentName,
    since: Type.Optional(s.moment),
    skip_changed: Type.Optional(Type.Boolean({ description: 'Leave rows that changed since as they are.' })),
  }),
  output: Type.Object({ ok: s.ok, world: Type.String(), undone: s.count, skipped: s.count }),
  capability: 'restore',
  effect: 'append',
  errors: ['22007', '2BP01', '40001', '42704', '42710', '53100'],
  examples: [{ input: { name: 'writer', since: '-1h' } }],
  long: true,
  handler: (session, input, control) => session.commands.undo_agent(input, undefined, control),
});
