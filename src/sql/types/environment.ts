/** What a function may know beside its arguments: the session's settings, clocks and randomness, all injected. */
import type { Whole } from './value.ts';

/** What functions may ask of the session's world: its sequences and the names behind oids. Lookups give null where there is nothing. */
export interface System {
  readonly user: string;
  readonly database: string;
  readonly backendPid: number;
  /** Existing schemas of the search path, `pg_catalog` first where `implicit`. */
  schemas(implicit: boolean): readonly string[];
  /** 55000, 2200H and 42P01 as Postgres. By oid of the sequence. */
  nextval(sequence: number): Whole;
  currval(sequence: number): Whole;
  setval(sequence: number, value: Whole, called: boolean): Whole;
  lastval(): Whole;
  /** By name as written in SQL (quotes, schema). */
  relationOid(name: string): number | null;
  /** Schema-qualified where the search path does not find it. */
  relationName(oid: number): string | null;
  typeOid(name: string): number | null;
  typeTitle(oid: number, typmod: number): string | null;
  functionOid(name: string): number | null;
  functionName(oid: number): string | null;
  operatorOid(name: string): number | null;
  operatorName(oid: number): string | null;
  schemaOid(name: string): number | null;
  schemaName(oid: number): string | null;
  roleOid(name: string): number | null;
  roleName(oid: number): string | null;
  relationVisible(oid: number): boolean;
  typeVisible(oid: number): boolean;
  viewDefinition(oid: number): string | null;
  indexDefinition(oid: number, column: number): string | null;
  constraintDefinition(oid: number): string | null;
  comment(object: number, attnum: number): string | null;
  serialSequence(table: string, column: string): string | null;
  /** Bytes, estimated. */
  relationSize(oid: number): Whole;
  transactionId(): Whole;
  /** Queued until commit. */
  notify(channel: string, payload: string): void;
  requestCancel(): void;
}

export interface Environment {
  /** Only where a session runs; stored texts are read without one. */
  readonly system?: System;
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
