/** An agent as stored in the log. Its token is not stored: only a hash, and a SCRAM verifier. */

/** 0 means off. Durations are milliseconds. */
export interface Quotas {
  /** Live worlds at a time. */
  max_worlds: number;
  /** Rows that each of its worlds may change since its fork. */
  max_changes: number;
  writes_per_minute: number;
  /** Lifetime of its worlds. */
  world_ttl: number;
  max_query_ms: number;
  max_concurrent: number;
  max_memory_mb: number;
  max_idle_ms: number;
}

export const QUOTAS = [
  'max_worlds',
  'max_changes',
  'writes_per_minute',
  'world_ttl',
  'max_query_ms',
  'max_concurrent',
  'max_memory_mb',
  'max_idle_ms',
] as const satisfies readonly (keyof Quotas)[];

export interface AgentState {
  /** `a` and 16 hex digits. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, hex. The token has 256 random bits, so a plain hash cannot be guessed back. */
  readonly tokenHash: string;
  /** `SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>`. */
  readonly scram: string;
  /** Capabilities. */
  readonly can: readonly string[];
  readonly quotas: Readonly<Quotas>;
  /** Name of a merge policy. */
  readonly policy: string | null;
  readonly disabled: boolean;
  /** Microseconds since 1970. */
  readonly created: number;
}
