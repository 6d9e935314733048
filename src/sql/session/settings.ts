/** Settings of a session: what SET takes, what SHOW gives. Names as in Postgres; values are texts in canonical form. */
import { findSearchObject, SEARCH_CONFIGURATIONS } from '../types/search-names.ts';
import { findZone } from '../types/time/zones.ts';
import { formatDurationMs } from '../../base/duration.ts';
import { SYSTEM_SETTINGS } from '../../worlds/system-settings.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

export interface Setting {
  readonly name: string;
  readonly standard: string;
  /** The canonical form of a value, or null where it is none. */
  readonly accept: (value: string) => string | null;
  readonly doc: string;
  /** Cannot be set in a session: 55P02. */
  readonly fixed?: boolean;
  /** Of the whole database: ALTER SYSTEM changes it, no session does (55P02). */
  readonly ofDatabase?: boolean;
  /** The spelling that SHOW ALL and ParameterStatus use. */
  readonly title?: string;
}

const anything = (value: string): string => value;

function searchConfiguration(value: string): string | null {
  const found = findSearchObject(value, SEARCH_CONFIGURATIONS);
  return found === undefined ? null : `pg_catalog.${found.name}`;
}

const oneOf =
  (...values: string[]) =>
  (value: string): string | null =>
    values.find((each) => each.toLowerCase() === value.toLowerCase()) ?? null;

function bool(value: string): string | null {
  const text = value.toLowerCase();
  if (text === '') return null;
  if ('true'.startsWith(text) || 'yes'.startsWith(text) || text === 'on' || text === '1') return 'on';
  if ('false'.startsWith(text) || 'no'.startsWith(text) || text === 'of' || text === 'off' || text === '0') return 'off';
  return null;
}

const integer =
  (min: number, max: number) =>
  (value: string): string | null => {
    const number = Number(value.trim());
    return value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max ? String(number) : null;
  };

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, shown with the largest unit that divides them. */
function duration(value: string): string | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?\s*$/.exec(value);
  if (found === null) return null;
  const ms = Math.round(Number(found[1]) * UNITS[found[2] ?? 'ms']);
  if (ms > 2147483647) return null;
  if (ms === 0) return '0';
  for (const unit of ['d', 'h', 'min', 's'] as const) if (ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  return `${ms}ms`;
}

export function durationMs(value: string): number {
  const found = /^(\d+)(ms|s|min|h|d)?$/.exec(value);
  return found === null ? 0 : Number(found[1]) * UNITS[found[2] ?? 'ms'];
}

function timeZone(value: string): string | null {
  const text = value.trim();
  if (/^(utc|gmt|z|zulu|default)$/i.test(text)) return text.toLowerCase() === 'gmt' ? 'GMT' : 'UTC';
  const hours = /^[+-]?\d+(?:\.\d+)?$/.exec(text);
  if (hours !== null) {
    const offset = Number(text);
    if (Math.abs(offset) > 167) return null;
    const sign = offset < 0 ? '-' : '+';
    const whole = String(Math.trunc(Math.abs(offset))).padStart(2, '0');
    const minutes = Math.round((Math.abs(offset) % 1) * 60);
    return `<${sign}${whole}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}>${sign === '-' ? '+' : '-'}${whole}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
  }
  // A POSIX string such as +05:30, which counts west.
  if (/^[+-]?\d+:/.test(text)) return findZone(text) === null ? null : text;
  try {
    // The canonical spelling of the zone's name.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return ZONES.get(text.toLowerCase()) ?? text;
  } catch {
    return /^[A-Za-z]{3,}[+-]?\d/.test(text) ? text : null;
  }
}
const ZONES = new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));

function dateStyle(value: string): string | null {
  let style = 'ISO';
  let order = 'MDY';
  for (const part of value.split(',').map((each) => each.trim().toLowerCase())) {
    if (part === 'iso') style = 'ISO';
    else if (part === 'sql') style = 'SQL';
    else if (part === 'postgres' || part === 'postgresql') style = 'Postgres';
    else if (part === 'german') {
      style = 'German';
      order = 'DMY';
    } else if (part === 'ymd') order = 'YMD';
    else if (part === 'dmy' || part === 'european' || part === 'euro') order = 'DMY';
    else if (part === 'mdy' || part === 'us' || part === 'noneuropean') order = 'MDY';
    else if (part !== 'default') return null;
  }
  return `${style}, ${order}`;
}

/** `all`, `none`, or names of checks. */
function extraChecks(value: string): string | null {
  const names = value.split(',').map((each) => each.trim().toLowerCase());
  if (names.length === 1 && (names[0] === 'all' || names[0] === 'none')) return value;
  return names.every((each) => EXTRA_CHECKS.includes(each)) ? value : null;
}
const EXTRA_CHECKS: readonly string[] = ['shadowed_variables', 'too_many_rows', 'strict_multi_assignment'];

/** Only letters and digits of an encoding's name count: asyncpg sends `'utf-8'`, quotes included. */
function encoding(value: string): string | null {
  return /^(utf8|unicode|sqlascii)$/i.test(value.replaceAll(/[^a-z0-9]/gi, '')) ? 'UTF8' : null;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'application_name', standard: '', accept: anything, doc: 'Name of the program, for logs.' },
  { name: 'bytea_output', standard: 'hex', accept: oneOf('hex', 'escape'), doc: 'Output form of bytea.' },
  { name: 'check_function_bodies', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'client_encoding', standard: 'UTF8', accept: encoding, doc: 'Always UTF8.' },
  {
    name: 'client_min_messages',
    standard: 'notice',
    accept: oneOf('debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'log', 'notice', 'warning', 'error'),
    doc: 'Least severity of messages that are sent.',
  },
  { name: 'constraint_exclusion', standard: 'partition', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'cursor_tuple_fraction', standard: '0.1', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'datestyle', title: 'DateStyle', standard: 'ISO, MDY', accept: dateStyle, doc: 'Output form and input order of dates.' },
  { name: 'default_table_access_method', standard: 'heap', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'default_tablespace', standard: '', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'default_text_search_config', standard: 'pg_catalog.english', accept: searchConfiguration, doc: 'Configuration of text search where none is given.' },
  { name: 'default_toast_compression', standard: 'pglz', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'default_transaction_deferrable', standard: 'off', accept: bool, doc: 'Accepted and ignored.' },
  {
    name: 'default_transaction_isolation',
    standard: 'read committed',
    accept: oneOf('read uncommitted', 'read committed', 'repeatable read', 'serializable'),
    doc: 'Isolation of new transactions.',
  },
  { name: 'default_transaction_read_only', standard: 'off', accept: bool, doc: 'New transactions only read.' },
  { name: 'enable_bitmapscan', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_hashagg', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_hashjoin', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_indexscan', standard: 'on', accept: bool, doc: 'Off: the planner uses no index.' },
  { name: 'enable_indexonlyscan', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_material', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_mergejoin', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_nestloop', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_seqscan', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'enable_sort', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'escape_string_warning', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'extra_float_digits', standard: '1', accept: integer(-15, 3), doc: 'Digits of floating point output.' },
  { name: 'force_parallel_mode', standard: 'off', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'geqo', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'gin_fuzzy_search_limit', standard: '0', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'idle_in_transaction_session_timeout', standard: '0', accept: duration, doc: 'A session that idles longer inside a transaction is ended.' },
  { name: 'idle_session_timeout', standard: '0', accept: duration, doc: 'A session that idles longer is ended.' },
  { name: 'in_hot_standby', standard: 'off', accept: bool, fixed: true, doc: 'Always off.' },
  { name: 'integer_datetimes', standard: 'on', accept: bool, fixed: true, doc: 'Always on.' },
  {
    name: 'intervalstyle',
    title: 'IntervalStyle',
    standard: 'postgres',
    accept: oneOf('postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'),
    doc: 'Output form of intervals.',
  },
  { name: 'jit', standard: 'off', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'join_collapse_limit', standard: '8', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'from_collapse_limit', standard: '8', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'lc_collate', standard: 'C', accept: anything, fixed: true, doc: 'Text orders by code point.' },
  { name: 'lc_ctype', standard: 'C.UTF-8', accept: anything, fixed: true, doc: 'Classes of characters are those of Unicode.' },
  { name: 'lc_messages', standard: 'C', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'lc_monetary', standard: 'C', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'lc_numeric', standard: 'C', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'lc_time', standard: 'C', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'lock_timeout', standard: '0', accept: duration, doc: 'Longest wait for a lock.' },
  { name: 'log_min_messages', standard: 'warning', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'log_statement', standard: 'none', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'maintenance_work_mem', standard: '64MB', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'max_identifier_length', standard: '63', accept: anything, fixed: true, doc: 'Bytes of a name.' },
  { name: 'max_index_keys', standard: '32', accept: anything, fixed: true, doc: 'Columns of an index.' },
  { name: 'max_connections', standard: '1000', accept: anything, fixed: true, doc: 'Connections at one time.' },
  { name: 'max_parallel_workers_per_gather', standard: '0', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'max_prepared_transactions', standard: '0', accept: anything, fixed: true, doc: 'There is no two-phase commit.' },
  { name: 'plan_cache_mode', standard: 'auto', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'plpgsql.check_asserts', standard: 'on', accept: bool, doc: 'ASSERT is looked at.' },
  { name: 'plpgsql.extra_errors', standard: 'none', accept: extraChecks, doc: 'What else is an error in PL/pgSQL.' },
  { name: 'plpgsql.extra_warnings', standard: 'none', accept: extraChecks, doc: 'What else PL/pgSQL warns of.' },
  { name: 'plpgsql.print_strict_params', standard: 'off', accept: bool, doc: 'Errors of INTO STRICT tell the values of variables.' },
  {
    name: 'plpgsql.variable_conflict',
    standard: 'error',
    accept: oneOf('error', 'use_variable', 'use_column'),
    doc: 'What a name means in PL/pgSQL that is both a variable and a column.',
  },
  { name: 'quote_all_identifiers', standard: 'off', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'random_page_cost', standard: '4', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'role', standard: 'none', accept: anything, doc: 'The role that statements run as.' },
  { name: 'row_security', standard: 'on', accept: bool, doc: 'Off: a query that policies would take rows from is refused (42501).' },
  { name: 'search_path', standard: '"$user", public', accept: anything, doc: 'Schemas that names without one are looked up in.' },
  { name: 'seq_page_cost', standard: '1', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'server_encoding', standard: 'UTF8', accept: anything, fixed: true, doc: 'Always UTF8.' },
  { name: 'server_version', standard: '15.0', accept: anything, fixed: true, doc: 'The version of Postgres whose behaviour is followed.' },
  { name: 'server_version_num', standard: '150000', accept: anything, fixed: true, doc: 'The same as a number.' },
  { name: 'session_authorization', standard: 'default', accept: anything, doc: 'The user that the session acts for.' },
  {
    name: 'session_replication_role',
    standard: 'origin',
    accept: oneOf('origin', 'replica', 'local'),
    doc: 'Which triggers fire: replica leaves out all but those of ENABLE REPLICA or ALWAYS.',
  },
  { name: 'standard_conforming_strings', standard: 'on', accept: oneOf('on'), doc: 'Always on.' },
  { name: 'statement_timeout', standard: '0', accept: duration, doc: 'A statement that runs longer is cancelled (57014); 0: none.' },
  { name: 'synchronous_commit', standard: 'on', accept: anything, doc: 'Accepted; every commit is durable before it is answered.' },
  { name: 'synchronize_seqscans', standard: 'on', accept: bool, doc: 'Accepted and ignored.' },
  { name: 'tcp_keepalives_idle', standard: '0', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'temp_buffers', standard: '8MB', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'timezone', title: 'TimeZone', standard: 'UTC', accept: timeZone, doc: 'Zone of timestamps with time zone, in and out.' },
  { name: 'timezone_abbreviations', standard: 'Default', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'transaction_deferrable', standard: 'off', accept: bool, doc: 'Accepted and ignored.' },
  {
    name: 'transaction_isolation',
    standard: 'read committed',
    accept: oneOf('read uncommitted', 'read committed', 'repeatable read', 'serializable'),
    doc: 'Isolation of this transaction.',
  },
  { name: 'transaction_read_only', standard: 'off', accept: bool, doc: 'This transaction only reads.' },
  { name: 'transform_null_equals', standard: 'off', accept: oneOf('off'), doc: 'Always off.' },
  { name: 'vacuum_cost_delay', standard: '0', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'wal_level', standard: 'replica', accept: anything, fixed: true, doc: 'For clients that look.' },
  { name: 'work_mem', standard: '4MB', accept: anything, doc: 'Accepted; SVC_WORK_MEM sets the memory of sorts, groups and joins.' },
  { name: 'xmlbinary', standard: 'base64', accept: anything, doc: 'Accepted and ignored.' },
  { name: 'xmloption', standard: 'content', accept: anything, doc: 'Accepted and ignored.' },
  ...Object.entries(SYSTEM_SETTINGS)
    .filter(([name]) => name !== 'statement_timeout')
    .map(([name, { doc }]): Setting => ({ name, standard: '0', accept: anything, doc, ofDatabase: true })),
];

const BY_NAME = new Map(SETTINGS.map((setting) => [setting.name, setting]));

export class Settings {
  readonly #values = new Map<string, string>();
  /** What the session was started with: RESET goes back to it. */
  readonly #initial = new Map<string, string>();
  /** Values before SET LOCAL and SET inside the open transaction; made when first needed. */
  #before: Map<string, string | undefined> | null = null;
  #local: Map<string, string | undefined> | null = null;
  #inTransaction = false;
  /** Rises with each change, for whoever derives something from settings. */
  version = 0;
  /** Asked before a session's user or role is set, whatever way. */
  guard: ((name: string, value: string, local: boolean) => void) | null = null;

  /** What the whole database has for a setting that no session can change; null for any other. */
  system: (name: string) => string | null = () => null;
  /** The most milliseconds that a timeout may have; 0: any. null: nothing is limited. */
  most: ((name: string) => number) | null = null;

  get(name: string): string | undefined {
    const key = name.toLowerCase();
    const setting = BY_NAME.get(key);
    if (setting?.ofDatabase === true) return this.system(key) ?? setting.standard;
    const value = this.chosen(key);
    return this.most === null || value === undefined || setting?.accept !== duration ? value : this.#limited(key, value);
  }

  /** As the session has it, above any limit. */
  chosen(key: string): string | undefined {
    return this.#values.get(key) ?? this.#initial.get(key) ?? BY_NAME.get(key)?.standard;
  }

  #limited(key: string, value: string): string {
    const most = this.most!(key);
    if (most === 0) return value;
    const ms = durationMs(value);
    return ms === 0 || ms > most ? formatDurationMs(most) : value;
  }

  /** A value that the session starts with. Errors as `set`. */
  start(name: string, value: string): void {
    this.set(name, value, false);
    const key = name.toLowerCase();
    const accepted = this.#values.get(key);
    if (accepted === undefined) return;
    this.#values.delete(key);
    this.#initial.set(key, accepted);
  }

  /** The value in canonical form. Errors as `set`. */
  check(name: string, value: string | null): string | null {
    const key = name.toLowerCase();
    const setting = BY_NAME.get(key);
    if (setting === undefined && !/^[a-z_][a-z0-9_$]*(\.[a-z_][a-z0-9_$]*)+$/i.test(name)) {
      throw new SvcError('42704', `unrecognized configuration parameter "${name}"`);
    }
    if (setting?.ofDatabase === true) {
      throw new SvcError('55P02', `parameter "${name}" cannot be changed now`, { hint: `Use ALTER SYSTEM SET ${key}.` });
    }
    if (setting?.fixed === true && value !== null && value !== setting.standard) throw new SvcError('55P02', `parameter "${name}" cannot be changed`);
    const accepted = value === null ? null : (setting?.accept ?? anything)(value);
    if (value !== null && accepted === null) {
      throw new SvcError(
        '22023',
        BAD_BOOL.has(key)
          ? `parameter "${setting!.title ?? key}" requires a Boolean value`
          : `invalid value for parameter "${setting!.title ?? key}": "${value}"`,
      );
    }
    return accepted;
  }

  /** 42704 for an unknown name, 22023 for a bad value, 55P02 for a fixed one. Names with a dot are the user's own. */
  set(name: string, value: string | null, local: boolean): void {
    const key = name.toLowerCase();
    const accepted = this.check(name, value);
    if (accepted !== null && (key === 'role' || key === 'session_authorization')) this.guard?.(key, accepted, local);
    if (this.#inTransaction) {
      const saved = local ? (this.#local ??= new Map()) : (this.#before ??= new Map());
      if (!saved.has(key)) saved.set(key, this.#values.get(key));
    } else if (local) return;
    if (accepted === null) this.#values.delete(key);
    else this.#values.set(key, accepted);
    this.version++;
  }

  /** Values that hold while `run` does, as SET of a function asks. They were checked when they were given. */
  during<T>(values: readonly { readonly name: string; readonly value: string }[], run: () => T): T {
    const before = values.map(({ name }) => this.#values.get(name));
    for (const { name, value } of values) this.#values.set(name, value);
    this.version++;
    try {
      return run();
    } finally {
      values.forEach(({ name }, i) => {
        const value = before[i];
        if (value === undefined) this.#values.delete(name);
        else this.#values.set(name, value);
      });
      this.version++;
    }
  }

  resetAll(): void {
    // Who the session acts for is not reset with the rest.
    for (const name of this.#values.keys()) if (name !== 'role' && name !== 'session_authorization') this.set(name, null, false);
  }

  all(): { name: string; value: string; doc: string }[] {
    return SETTINGS.map(({ name, title, doc }) => ({ name: title ?? name, value: this.get(name)!, doc }));
  }

  begin(): void {
    this.#inTransaction = true;
  }

  /** SET LOCAL ends with the transaction; a rollback takes SET back too. */
  end(committed: boolean): void {
    this.#inTransaction = false;
    if (this.#local === null && this.#before === null) return;
    for (const saved of committed ? [this.#local] : [this.#local, this.#before]) {
      for (const [name, value] of saved ?? []) {
        if (value === undefined) this.#values.delete(name);
        else this.#values.set(name, value);
        this.version++;
      }
    }
    this.#before = null;
    this.#local = null;
  }
}

const BAD_BOOL = new Set(SETTINGS.filter(({ accept }) => accept === bool).map(({ name }) => name));
