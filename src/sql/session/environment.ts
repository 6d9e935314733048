/** The environment of a session's statements: settings decoded once per change, clocks, seeded randomness. */
import { randomBytes } from 'node:crypto';
import type { Environment, System } from '../types/environment.ts';
import { ABBREVIATION_SETS, INPUT_ABBREVIATIONS } from '../types/time/zone-abbreviations.ts';
import type { Whole } from '../types/value.ts';
import type { Settings } from './settings.ts';

/** The source of a session's randomness. */
export interface RandomSource {
  /** 0 ≤ x < 1. */
  random(): number;
  bytes(count: number): Uint8Array;
}

/** Bytes that are requested from the system at a time. */
const POOL_BYTES = 4096;
let pool = new Uint8Array(0);
let taken = 0;

/** Each byte is used once. */
function pooledBytes(count: number): Uint8Array {
  if (count > POOL_BYTES / 8) return randomBytes(count);
  if (taken + count > pool.length) {
    pool = randomBytes(POOL_BYTES);
    taken = 0;
  }
  taken += count;
  return pool.subarray(taken - count, taken);
}

const SYSTEM_RANDOM: RandomSource = { random: () => Math.random(), bytes: pooledBytes };

/** Microseconds from 1970 to 2000. */
const EPOCH_MICROS = 946_684_800_000_000;

export class SessionEnvironment implements Environment {
  readonly system: System;
  readonly #settings: Settings;
  readonly #now: () => number;
  #decoded = -1;
  #timeZone = 'UTC';
  #dateStyle: Environment['dateStyle'] = 'ISO';
  #dateOrder: Environment['dateOrder'] = 'MDY';
  #intervalStyle: Environment['intervalStyle'] = 'postgres';
  #extraFloatDigits = 1;
  #byteaOutput: Environment['byteaOutput'] = 'hex';
  #fingerprint: string | null = null;
  #arrayNulls = true;
  #quotesAll = false;
  #abbreviations = INPUT_ABBREVIATIONS;
  /** Number of reads of the clock, for caches that must not keep a value that depends on it. */
  clockReads = 0;
  /** Number of messages with a position in the statement's text; a cached result would not repeat them. */
  positionsReported = 0;
  /** The bound text is not the statement's own. */
  positionsSuppressed = false;
  #transactionStart: Whole = 0;
  #statementStart: Whole = 0;
  #random: (() => number) | null = null;
  #source = SYSTEM_RANDOM;

  /** `now` gives microseconds since 1970. */
  constructor(settings: Settings, system: System, now: () => number) {
    this.#settings = settings;
    this.system = system;
    this.#now = now;
  }

  begin(transaction: Whole, statement: Whole): void {
    this.#transactionStart = transaction;
    this.#statementStart = statement;
  }

  /** Counts; true if positions are suppressed. */
  reportsPosition(): boolean {
    this.positionsReported++;
    return this.positionsSuppressed;
  }

  /** Start of the transaction and the statement, for other sessions. */
  get began(): { readonly transaction: Whole; readonly statement: Whole } {
    return { transaction: this.#transactionStart, statement: this.#statementStart };
  }

  get transactionStart(): Whole {
    this.clockReads++;
    return this.#transactionStart;
  }

  get statementStart(): Whole {
    this.clockReads++;
    return this.#statementStart;
  }

  clock(): Whole {
    this.clockReads++;
    return this.#now() - EPOCH_MICROS;
  }

  #decode(): void {
    const settings = this.#settings;
    if (this.#decoded === settings.version) return;
    this.#fingerprint = null;
    this.#decoded = settings.version;
    this.#timeZone = settings.get('timezone')!;
    const [style, order] = settings.get('datestyle')!.split(', ');
    this.#dateStyle = style as Environment['dateStyle'];
    this.#dateOrder = order as Environment['dateOrder'];
    this.#intervalStyle = settings.get('intervalstyle') as Environment['intervalStyle'];
    this.#extraFloatDigits = Number(settings.get('extra_float_digits'));
    this.#byteaOutput = settings.get('bytea_output') as Environment['byteaOutput'];
    this.#arrayNulls = settings.get('array_nulls') === 'on';
    this.#quotesAll = settings.get('quote_all_identifiers') === 'on';
    this.#abbreviations = ABBREVIATION_SETS.get(settings.get('timezone_abbreviations')!) ?? INPUT_ABBREVIATIONS;
  }

  get timeZone(): string {
    this.#decode();
    return this.#timeZone;
  }
  get dateStyle(): Environment['dateStyle'] {
    this.#decode();
    return this.#dateStyle;
  }
  get dateOrder(): Environment['dateOrder'] {
    this.#decode();
    return this.#dateOrder;
  }
  get intervalStyle(): Environment['intervalStyle'] {
    this.#decode();
    return this.#intervalStyle;
  }
  get extraFloatDigits(): number {
    this.#decode();
    return this.#extraFloatDigits;
  }
  get byteaOutput(): Environment['byteaOutput'] {
    this.#decode();
    return this.#byteaOutput;
  }
  get arrayNulls(): boolean {
    this.#decode();
    return this.#arrayNulls;
  }
  get quotesAll(): boolean {
    this.#decode();
    return this.#quotesAll;
  }
  get abbreviations(): Environment['abbreviations'] {
    this.#decode();
    return this.#abbreviations;
  }

  /** The settings that literals and plans depend on. */
  get fingerprint(): string {
    this.#decode();
    return (this.#fingerprint ??= this.#fingerprintNow());
  }

  #fingerprintNow(): string {
    const settings = this.#settings;
    const read = `${settings.get('search_path')};${settings.get('xmloption')};${settings.get('timezone_abbreviations')};${settings.get('plpgsql.variable_conflict')}`;
    const nulls = `${this.#arrayNulls ? '' : ';array_nulls'}${this.#quotesAll ? ';quote_all_identifiers' : ''}${settings.get('transform_null_equals') === 'on' ? ';transform_null_equals' : ''}`;
    return `${this.#timeZone};${this.#dateStyle};${this.#dateOrder};${this.#intervalStyle};${read}${nulls}`;
  }

  random(): number {
    return this.#random === null ? this.#source.random() : this.#random();
  }

  /** From now on this is the only source of randomness, and setseed() has no effect. */
  useRandom(source: RandomSource): void {
    this.#source = source;
    this.#random = null;
  }

  seedRandom(seed: number): void {
    let state = (Math.floor((seed + 1) * 2147483648) ^ 0x9e3779b9) >>> 0;
    // mulberry32: small, and the same on every machine.
    this.#random = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  randomBytes(count: number): Uint8Array {
    return this.#source.bytes(count);
  }

  setting(name: string): string | undefined {
    return this.#settings.get(name);
  }

  setSetting(name: string, value: string | null, local: boolean): void {
    this.#settings.set(name, value, local);
  }
}
