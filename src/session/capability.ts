/** What an operation asks of its caller. */
export const CAPABILITIES = ['read', 'fork', 'write_own', 'write', 'write_main', 'merge_own', 'merge', 'restore', 'outbox', 'admin'] as const;
export type Capability = (typeof CAPABILITIES)[number];
