/** What an agent can be allowed. `admin` covers all of them. */
export const CAPABILITIES = ['read', 'fork', 'write_own', 'write', 'write_main', 'merge_own', 'merge', 'restore', 'outbox', 'admin'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Of an agent that is made without saying more, and of the guest. */
export const USUAL_CAPABILITIES: readonly Capability[] = ['read', 'fork', 'write_own'];
