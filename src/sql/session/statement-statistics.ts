/** What pg_stat_statements shows: calls, times and rows of statements by role, world and normalised text, in memory. */
import { UNIX_EPOCH_MICROS } from '../types/time/calendar.ts';
import { Numeric } from '../types/numeric.ts';
import type { Value } from '../types/value.ts';
import type { NormalisedQuery } from './normalised-query.ts';
import type { SqlSession } from './sql-session.ts';

/** pg_stat_statements.max of Postgres, by default. */
export const STATEMENTS_MAX = 5000;
/** Of those, the least recently used that are dropped at once. */
const DROPPED_SHARE = 0.05;

interface Entry {
  readonly role: number;
  readonly database: number;
  readonly query: NormalisedQuery;
  calls: number;
  rows: number;
  total: number;
  least: number;
  most: number;
  mean: number;
  /** Sum of squared differences from the mean (Welford). */
  spread: number;
}

export class StatementStatistics {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #dropped = 0;
  #resetAt = now();

  record(role: number, database: number, query: NormalisedQuery, ms: number, rows: number): void {
    const key = `${role} ${database} ${query.id}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#entries.size >= STATEMENTS_MAX) this.#drop();
      entry = { role, database, query, calls: 0, rows: 0, total: 0, least: Infinity, most: 0, mean: 0, spread: 0 };
    } else this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.calls++;
    entry.rows += rows;
    entry.total += ms;
    entry.least = Math.min(entry.least, ms);
    entry.most = Math.max(entry.most, ms);
    const before = entry.mean;
    entry.mean += (ms - before) / entry.calls;
    entry.spread += (ms - before) * (ms - entry.mean);
  }

  #drop(): void {
    this.#dropped++;
    let left = Math.ceil(STATEMENTS_MAX * DROPPED_SHARE);
    for (const key of this.#entries.keys()) {
      if (left-- === 0) return;
      this.#entries.delete(key);
    }
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  info(): Value[][] {
    return [[this.#dropped, this.#resetAt]];
  }

  /** 0: any. */
  reset(role: number, database: number, id: bigint): void {
    for (const [key, each] of this.#entries) {
      if ((role === 0 || each.role === role) && (database === 0 || each.database === database) && (id === 0n || each.query.id === id))
        this.#entries.delete(key);
    }
    if (role !== 0 || database !== 0 || id !== 0n) return;
    this.#dropped = 0;
    this.#resetAt = now();
  }
}

function now(): number {
  return Date.now() * 1000 + UNIX_EPOCH_MICROS;
}

/** Columns from `shared_blks_hit` to `wal_fpi`, `wal_bytes`, and those about JIT: not counted. */
const BLOCKS = 16;
const JIT = 8;

/** Statements of other roles are shown without text and id to roles that may not read all statistics, and to code of agents below others' statements. */
export function statementRows({ host, authority, code }: SqlSession, texts: boolean): Value[][] {
  const { superuser, role, roles } = authority;
  const reader = roles.byName('pg_read_all_stats')?.oid;
  const all = superuser || (reader !== undefined && roles.hasRightsOf(role, reader));
  return Array.from(host.statistics.entries(), (entry): Value[] => {
    const { query, calls, rows, total, least, most, mean, spread } = entry;
    const seen = !code.limited && (all || entry.role === role);
    const id = Number.isSafeInteger(Number(query.id)) ? Number(query.id) : query.id;
    return [
      entry.role,
      entry.database,
      true,
      seen ? id : null,
      seen ? (texts ? query.text : null) : texts ? '<insufficient privilege>' : null,
      ...new Array<Value>(6).fill(0),
      calls,
      total,
      least,
      most,
      mean,
      Math.sqrt(spread / calls),
      rows,
      ...new Array<Value>(BLOCKS).fill(0),
      new Numeric(0, 0),
      ...new Array<Value>(JIT).fill(0),
    ];
  });
}
