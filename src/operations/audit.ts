/** `audit`: What agents, the guest and the system did, newest first. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { READ } from '../session/authorize.ts';
import { listAudit } from '../commands/agents.ts';

const input = s.input({
  agent: Type.Optional(Type.String({ minLength: 1, description: 'Only of this one; also `guest` and `system`.' })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.auditLimitMax, description: 'Default 100.' })),
  before: s.beforeEvent,
  after: s.afterEvent,
});
export type AuditInput = Static<typeof input>;
const output = Type.Object({
  events: Type.Array(
    Type.Object({
      id: s.eventId,
      at: Type.String({ format: 'date-time' }),
      agent: Type.String(),
      world: Type.String(),
      action: Type.String(),
      rows: s.count,
    }),
  ),
  next: s.textOrNull,
});
export type AuditReply = Static<typeof output>;

export const auditOperation = defineOperation({
  name: 'audit',
  summary: 'What agents, the guest and the system did, newest first.',
  description:
    '`action` is `write`, `fork from <world>`, `merge into <world>`, `merge part into <world>`, `discard` or `metadata`. It lasts as long as history. `next` is the `before` of the page that follows, null on the last one. In SQL, SHOW AUDIT needs `read` only.',
  input,
  output,
  capability: 'admin',
  effect: 'read',
  needs: { what: 'admin', as: 'read the audit' },
  errors: ['22007'],
  examples: [{ input: { agent: 'writer', limit: 20 } }],
  sql: {
    result: [
      ['at', 'timestamptz'],
      ['agent', 'text'],
      ['world', 'text'],
      ['action', 'text'],
      ['rows', 'int8'],
      ['id', 'text'],
    ],
  },
  run: ({ services, input }) => listAudit(services.context, input),
});

/** SHOW AUDIT. */
export const showAuditOperation = defineOperation({ ...auditOperation, name: 'show_audit', capability: 'read', needs: READ });
