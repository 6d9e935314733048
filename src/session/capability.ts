/** Capabilities of an agent. `admin` includes all of them. */
export const CAPABILITIES = ['read', 'fork', 'write_own', 'write', 'write_main', 'merge_own', 'merge', 'restore', 'outbox', 'admin'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Defaults of a new agent, and capabilities of the guest. */
export const USUAL_CAPABILITIES: readonly Capability[] = ['read', 'fork', 'write_own'];
