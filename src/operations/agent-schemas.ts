/** Fields of agents. */
import Type, { type Static } from 'typebox';
import { CAPABILITIES } from '../session/capability.ts';
import { count } from './schemas.ts';

const quota = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const agentName = Type.String({ minLength: 1, maxLength: 256, description: 'Letters, digits, `_`, `-`; not `guest` or `system`.' });

export const agentFields = {
  name: agentName,
  can: Type.Optional(
    Type.Array(Type.Unsafe<string>(Type.Union(CAPABILITIES.map((each) => Type.Literal(each)))), {
      description: `Capabilities of ${CAPABILITIES.map((each) => `\`${each}\``).join(', ')}. A new agent has \`read\`, \`fork\`, \`write_own\`.`,
    }),
  ),
  max_worlds: quota('Live worlds at once; 0, as for all quotas: off.'),
  max_changes: quota('Rows that each of its worlds may change since its fork.'),
  writes_per_minute: quota('Statements, batches and calls that write.'),
  world_ttl: quota('Milliseconds that its worlds live.'),
  max_query_ms: quota('Milliseconds that one SQL statement may run.'),
  max_concurrent: quota('Statements and HTTP requests at once.'),
  max_memory_mb: quota('Megabytes of rows that one statement may hold.'),
  max_idle_ms: quota('Milliseconds that a connection may idle inside a transaction.'),
  policy: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()], { description: 'Name of a merge policy, or null.' })),
};

export const agent = Type.Object({
  name: Type.String(),
  id: Type.String(),
  can: Type.Array(Type.String()),
  max_worlds: count,
  max_changes: count,
  writes_per_minute: count,
  world_ttl: count,
  max_query_ms: count,
  max_concurrent: count,
  max_memory_mb: count,
  max_idle_ms: count,
  policy: Type.Union([Type.String(), Type.Null()]),
  disabled: Type.Boolean(),
  created: Type.String({ format: 'date-time' }),
});
export type AgentView = Static<typeof agent>;
