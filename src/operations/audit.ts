/** `audit`: What agents, the guest and the system did, newest first. */
import Type from 'typebox';
import { LIMITS } from '../base/limits.ts';
import type { AuditEvent, AuditInput } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const auditOperation = defineOperation<AuditInput, { events: AuditEvent[] }>({
  name: 'audit',
  summary: 'What agents, the guest and the system did, newest first.',
  description:
    '`action` is `write`, `fork from <world>`, `merge into <world>`, `merge part into <world>`, `discard` or `metadata`. It lasts as long as history. In SQL, SHOW AUDIT needs `read` only.',
  input: s.input({
    agent: Type.Optional(Type.String({ minLength: 1, description: 'Only of this one; also `guest` and `system`.' })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.auditLimitMax, description: 'Default 100.' })),
  }),
  output: Type.Object({
    events: Type.Array(
      Type.Object({ at: Type.String({ format: 'date-time' }), agent: Type.String(), world: Type.String(), action: Type.String(), rows: s.count }),
    ),
  }),
  capability: 'admin',
  effect: 'read',
  errors: [],
  examples: [{ input: { agent: 'writer', limit: 20 } }],
  handler: (session, input) => session.commands.audit(input),
});
