/** What a function may know beside its arguments: the session's settings, clocks and randomness, all injected. */
import type { Whole } from './value.ts';

export interface Environment {
  /** IANA name or a fixed offset as Postgres writes it; the setting TimeZone. */
  readonly timeZone: string;
  readonly dateStyle: 'ISO' | 'SQL' | 'Postgres' | 'German';
  readonly dateOrder: 'MDY' | 'DMY' | 'YMD';
  readonly intervalStyle: 'postgres' | 'postgres_verbose' | 'sql_standard' | 'iso_8601';
  readonly extraFloatDigits: number;
  readonly byteaOutput: 'hex' | 'escape';
  /** Microseconds since 2000-01-01 00:00 UTC. */
  readonly transactionStart: Whole;
  readonly statementStart: Whole;
  clock(): Whole;
  /** 0 ≤ x < 1. */
  random(): number;
  seedRandom(seed: number): void;
  randomBytes(count: number): Uint8Array;
  /** A setting by its lower-case name, or undefined where there is none. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string, local: boolean): void;
}
