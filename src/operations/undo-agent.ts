/** `undo_agent`: Undoes what an agent did to a world. */
import Type, { type Static } from 'typebox';
import { agentName } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { undoAgent } from '../commands/undo-agent.ts';

const input = s.input({
  branch: s.branchToChange,
  name: agentName,
  since: Type.Optional(s.moment),
  skip_changed: Type.Optional(Type.Boolean({ description: 'Leave rows that changed since as they are.' })),
  dry_run: Type.Optional(Type.Boolean({ description: 'Change nothing; the reply also has `summary` and the first `keys` of what would go back.' })),
});
export type UndoAgentInput = Static<typeof input>;
const output = Type.Object({
  ok: s.ok,
  world: Type.String(),
  undone: s.count,
  skipped: s.count,
  summary: Type.Optional(s.summary),
  keys: Type.Optional(Type.Array(s.key)),
});
export type UndoAgentReply = Static<typeof output>;

export const undoAgentOperation = defineOperation({
  name: 'undo_agent',
  summary: 'Undoes what an agent did to a world: its writes and its merges into it.',
  description:
    'Its merges include those of its worlds that a person approved or made. If others changed rows after the agent, these are named and nothing is undone, or they are skipped.',
  input,
  output,
  capability: 'restore',
  also: 'merge',
  effect: 'grow',
  effectOf: ({ dry_run }) => (dry_run === true ? 'read' : 'grow'),
  errors: ['22007', '2BP01', '40001', '42704', '42710', '53100'],
  examples: [{ input: { name: 'writer', since: '-1h' } }],
  long: true,
  sql: {
    result: [
      ['world', 'text'],
      ['undone', 'int8'],
      ['skipped', 'int8'],
    ],
    dryRun: s.UNDO_DRY_RUN,
  },
  run: ({ services, input, by, control }) => undoAgent(services.context, input, by, control),
});
