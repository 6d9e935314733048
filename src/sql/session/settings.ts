/** Settings of a session, for SET and SHOW. Names as in Postgres; values are texts in canonical form. */
import { converts, encodingNumber, ENCODINGS, SQL_ASCII, UTF8 } from '../types/encodings.ts';
import { findSearchObject, SEARCH_CONFIGURATIONS } from '../types/search-names.ts';
import { ABBREVIATION_SETS } from '../types/time/zone-abbreviations.ts';
import { findZone } from '../types/time/zones.ts';
import { formatDurationMs } from '../../base/duration.ts';
import { SETTINGS_DATA } from '../catalog/data/settings.ts';
import { SYSTEM_SETTINGS } from '../../worlds/system-settings.ts';
import { plainName } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { VECTOR_SETTINGS } from './vector-settings.ts';
import { acceptOf, bool, choice, shownStandard, type SettingFacts } from './setting-values.ts';

export interface Setting {
  readonly name: string;
  readonly standard: string;
  /** The canonical form of a value, or null if it is invalid. */
  readonly accept: (value: string, before?: string) => string | null;
  readonly doc: string;
  /** Cannot be set in a session (55P02): changes only at server start, or is read-only. */
  readonly fixed?: boolean;
  /** Only superusers and roles with SET on it may set it (42501). */
  readonly privileged?: boolean;
  /** Takes a list of values; `quoted` ones are names. */
  readonly list?: 'plain' | 'quoted';
  /** A database-wide setting: changed by ALTER SYSTEM, not by sessions (55P02). */
  readonly ofDatabase?: boolean;
  /** Not shown in lists of settings. */
  readonly unlisted?: boolean;
  /** The spelling that SHOW ALL and ParameterStatus use. */
  readonly title?: string;
}

const anything = (value: string): string => value;

function searchConfiguration(value: string): string | null {
  const found = findSearchObject(value, SEARCH_CONFIGURATIONS);
  if (found !== undefined) return `pg_catalog.${found.name}`;
  // User-defined configurations have qualified names; SET has resolved them.
  return value.includes('.') ? value : null;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

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
  // A POSIX string such as +05:30, in which positive is west.
  if (/^[+-]?\d+:/.test(text)) return findZone(text) === null ? null : text;
  try {
    // The canonical spelling of the zone's name.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return spelledZones().get(text.toLowerCase()) ?? text;
  } catch {
    return findZone(text) === null ? null : text;
  }
}
let zones: ReadonlyMap<string, string> | null = null;

function spelledZones(): ReadonlyMap<string, string> {
  return (zones ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone])));
}

/** The form and the order may each be given once; a missing part stays as it was (manual, section 20.11.2). */
function dateStyle(value: string, before = 'ISO, MDY'): string | null {
  let style: string | null = null;
  let order: string | null = null;
  /** Of the form, where no order is given. */
  let usual: string | null = null;
  const refused = (detail: string): SvcError => new SvcError('22023', `invalid value for parameter "DateStyle": "${value}"`, { detail });
  let clash = false;
  const form = (next: string): void => {
    clash ||= style !== null && style !== next;
    style = next;
  };
  const parts = (next: string): void => {
    clash ||= order !== null && order !== next;
    order = next;
  };
  for (const part of value.split(',').map((each) => each.trim().toLowerCase())) {
    if (part === 'iso') form('ISO');
    else if (part === 'sql') form('SQL');
    else if (part.startsWith('postgres')) form('Postgres');
    else if (part === 'german') {
      form('German');
      usual = 'DMY';
    } else if (part === 'ymd') parts('YMD');
    else if (part === 'dmy' || part.startsWith('euro')) parts('DMY');
    else if (part === 'mdy' || part === 'us' || part.startsWith('noneuro')) parts('MDY');
    else if (part === 'default') {
      style ??= 'ISO';
      order ??= 'MDY';
    } else throw refused(`Unrecognized key word: "${part}".`);
  }
  if (clash) throw refused('Conflicting "datestyle" specifications.');
  const [oldStyle, oldOrder] = before.split(', ');
  return `${style ?? oldStyle}, ${order ?? usual ?? oldOrder}`;
}

/** Locale names that are accepted: texts order by code point. */
function locale(value: string): string | null {
  return /^(C|POSIX|C\.UTF-?8|en_US(\.UTF-?8)?|)$/i.test(value) ? value : null;
}

function tableMethod(value: string): string {
  const refused = (detail: string): SvcError => new SvcError('22023', `invalid value for parameter "default_table_access_method": "${value}"`, { detail });
  if (value === '') throw refused('default_table_access_method cannot be empty.');
  if (value !== 'heap') throw refused(`Table access method "${value}" does not exist.`);
  return value;
}

function abbreviationSet(value: string): string | null {
  return ABBREVIATION_SETS.has(value) ? value : null;
}

function tablespace(value: string): string {
  if (value === '' || value === 'pg_default') return value;
  throw new SvcError('22023', `invalid value for parameter "default_tablespace": "${value}"`, { detail: `Tablespace "${value}" does not exist.` });
}

function temporaryTablespaces(value: string): string {
  for (const name of value.split(',').map((each) => plainName(each.trim())))
    if (name !== '' && name !== 'pg_default') throw new SvcError('42704', `tablespace "${name}" does not exist`);
  return value;
}

function seedOf(value: string): string {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) throw new SvcError('22023', `invalid value for parameter "seed": "${value}"`);
  if (number < -1 || number > 1) throw new SvcError('22023', `${value} is outside the valid range for parameter "seed" (-1 .. 1)`);
  return value;
}

/** `all`, `none`, or names of checks. */
const extraChecks =
  (setting: string) =>
  (value: string): string => {
    const refused = (detail: string): SvcError => new SvcError('22023', `invalid value for parameter "${setting}": "${value}"`, { detail });
    const names = value.split(',').map((each) => each.trim().toLowerCase());
    if (names.length === 1 && (names[0] === 'all' || names[0] === 'none')) return value;
    const whole = names.find((each) => each === 'all' || each === 'none');
    if (whole !== undefined) throw refused(`Key word "${whole}" cannot be combined with other key words.`);
    const unknown = names.find((each) => !EXTRA_CHECKS.includes(each));
    if (unknown !== undefined) throw refused(`Unrecognized key word: "${unknown}".`);
    return value;
  };
const EXTRA_CHECKS: readonly string[] = ['shadowed_variables', 'too_many_rows', 'strict_multi_assignment'];

/** Only letters and digits of an encoding's name count: asyncpg sends `'utf-8'` with quotes. */
function encoding(value: string): string | null {
  const number = encodingNumber(value);
  if (number < 0) return null;
  if (!converts(number)) throw new SvcError('0A000', `conversion between ${ENCODINGS[number]} and UTF8 is not supported`);
  return ENCODINGS[number];
}

/** Postgres removed tables with oids. */
function withoutOids(value: string): string | null {
  const wanted = bool(value);
  if (wanted === 'on') throw new SvcError('0A000', 'tables declared WITH OIDS are not supported');
  return wanted;
}

/** Settings with a meaning of their own here. Missing properties are Postgres's. */
const OWN: readonly (Pick<Setting, 'name' | 'doc'> & Partial<Setting>)[] = [
  { name: 'application_name', standard: '', accept: anything, doc: 'Name of the program, for logs.' },
  { name: 'array_nulls', doc: 'Off: NULL in the text of an array is that text.' },
  { name: 'bytea_output', standard: 'hex', doc: 'Output form of bytea.' },
  {
    name: 'client_encoding',
    standard: 'UTF8',
    accept: encoding,
    doc: 'Encoding of texts to and from the client: UTF8, SQL_ASCII (the same) or another one.',
  },
  {
    name: 'client_min_messages',
    standard: 'notice',
    doc: 'Least severity of messages that are sent.',
  },
  { name: 'default_with_oids', standard: 'off', accept: withoutOids, unlisted: true, doc: 'Scripts of old dumps set it; it stays off.' },
  { name: 'datestyle', title: 'DateStyle', standard: 'ISO, MDY', accept: dateStyle, doc: 'Output form and input order of dates.' },
  { name: 'default_text_search_config', standard: 'pg_catalog.english', accept: searchConfiguration, doc: 'Configuration of text search where none is given.' },
  {
    name: 'default_transaction_isolation',
    standard: 'read committed',
    doc: 'Isolation of new transactions.',
  },
  { name: 'default_transaction_read_only', standard: 'off', doc: 'New transactions only read.' },
  { name: 'enable_indexscan', standard: 'on', doc: 'Off: the planner uses no index.' },
  { name: 'extra_float_digits', standard: '1', doc: 'Digits of floating point output.' },
  { name: 'idle_in_transaction_session_timeout', doc: 'A session that idles longer inside a transaction is ended.' },
  { name: 'idle_session_timeout', doc: 'A session that idles longer is ended.' },
  { name: 'in_hot_standby', standard: 'off', fixed: true, doc: 'Always off.' },
  { name: 'integer_datetimes', standard: 'on', fixed: true, doc: 'Always on.' },
  {
    name: 'intervalstyle',
    title: 'IntervalStyle',
    standard: 'postgres',
    doc: 'Output form of intervals.',
  },
  { name: 'lc_collate', standard: 'C', accept: anything, fixed: true, doc: 'Text orders by code point.' },
  { name: 'lc_ctype', standard: 'C.UTF-8', accept: anything, fixed: true, doc: 'Classes of characters are those of Unicode.' },
  { name: 'lock_timeout', doc: 'Longest wait for a lock.' },
  { name: 'max_identifier_length', standard: '63', accept: anything, fixed: true, doc: 'Bytes of a name.' },
  { name: 'max_index_keys', standard: '32', accept: anything, fixed: true, doc: 'Columns of an index.' },
  { name: 'max_connections', standard: '1000', accept: anything, fixed: true, doc: 'Connections at one time.' },
  { name: 'plpgsql.check_asserts', standard: 'on', accept: bool, doc: 'ASSERT is checked.' },
  { name: 'plpgsql.extra_errors', standard: 'none', accept: extraChecks('plpgsql.extra_errors'), doc: 'What else is an error in PL/pgSQL.' },
  { name: 'plpgsql.extra_warnings', standard: 'none', accept: extraChecks('plpgsql.extra_warnings'), doc: 'What else PL/pgSQL warns of.' },
  { name: 'plpgsql.print_strict_params', standard: 'off', accept: bool, doc: 'Errors of INTO STRICT show the values of variables.' },
  {
    name: 'plpgsql.variable_conflict',
    standard: 'error',
    accept: choice({ name: 'plpgsql.variable_conflict', values: 'error,use_variable,use_column' }),
    doc: 'What a name means in PL/pgSQL that is both a variable and a column.',
  },
  { name: 'quote_all_identifiers', doc: 'On: functions that print names always quote them.' },
  { name: 'role', standard: 'none', accept: anything, doc: 'The role that statements run as.' },
  { name: 'row_security', standard: 'on', doc: 'Off: a query that policies would take rows from is refused (42501).' },
  { name: 'search_path', standard: '"$user", public', accept: anything, doc: 'Schemas that names without one are looked up in.' },
  { name: 'server_encoding', standard: 'UTF8', accept: anything, fixed: true, doc: 'Always UTF8.' },
  { name: 'server_version', standard: '15.0', accept: anything, fixed: true, doc: 'The version of Postgres whose behaviour is followed.' },
  { name: 'server_version_num', standard: '150000', accept: anything, fixed: true, doc: 'The same as a number.' },
  { name: 'session_authorization', standard: 'default', accept: anything, doc: 'The user that the session acts for.' },
  { name: 'session_replication_role', doc: 'Which triggers fire: replica leaves out all but those of ENABLE REPLICA or ALWAYS.' },
  { name: 'standard_conforming_strings', standard: 'on', accept: bool, doc: 'Off: a backslash escapes in plain strings too.' },
  { name: 'statement_timeout', doc: 'A statement that runs longer is cancelled (57014); 0: none.' },
  { name: 'synchronous_commit', doc: 'Accepted; every commit is durable before it is answered.' },
  { name: 'max_prepared_transactions', standard: '0', fixed: true, doc: 'There is no two-phase commit.' },
  { name: 'jit', standard: 'off', doc: 'Accepted and ignored.' },
  { name: 'max_parallel_workers_per_gather', standard: '0', doc: 'Accepted and ignored.' },
  { name: 'lc_messages', standard: 'C', accept: locale, doc: 'Accepted and ignored.' },
  { name: 'lc_monetary', standard: 'C', accept: locale, doc: 'Accepted and ignored.' },
  { name: 'lc_numeric', standard: 'C', accept: locale, doc: 'Accepted and ignored.' },
  { name: 'lc_time', standard: 'C', accept: locale, doc: 'Accepted and ignored.' },
  { name: 'default_table_access_method', accept: tableMethod, doc: 'Accepted and ignored.' },
  { name: 'default_tablespace', accept: tablespace, doc: 'Accepted and ignored.' },
  { name: 'synchronize_seqscans', doc: 'Accepted and ignored.' },
  { name: 'temp_tablespaces', accept: temporaryTablespaces, doc: 'Accepted and ignored.' },
  { name: 'temp_buffers', doc: 'Accepted and ignored.' },
  { name: 'ssl', standard: 'off', fixed: true, doc: 'For clients that look.' },
  { name: 'data_checksums', standard: 'on', fixed: true, doc: 'Pages carry checksums.' },
  { name: 'port', standard: '5433', fixed: true, doc: 'For clients that look.' },
  { name: 'log_timezone', standard: 'UTC', fixed: true, doc: 'For clients that look.' },
  { name: 'is_superuser', standard: 'on', fixed: true, doc: 'Whether the session acts as a superuser.' },
  { name: 'seed', standard: 'unavailable', accept: seedOf, doc: 'SET seed is setseed().' },
  {
    name: 'timezone_abbreviations',
    standard: 'Default',
    accept: abbreviationSet,
    doc: 'Abbreviations of time zones that input knows: Default, Australia or India.',
  },
  { name: 'timezone', title: 'TimeZone', standard: 'UTC', accept: timeZone, doc: 'Zone of timestamps with time zone, in and out.' },
  { name: 'transform_null_equals', doc: 'On: `x = NULL` is `x IS NULL`.' },
  {
    name: 'transaction_isolation',
    standard: 'read committed',
    doc: 'Isolation of this transaction.',
  },
  { name: 'transaction_read_only', standard: 'off', doc: 'This transaction only reads.' },
  { name: 'work_mem', doc: 'Accepted; SVC_WORK_MEM sets the memory of sorts, groups and joins.' },
];

/** List settings as in Postgres; quoted lists hold names. */
const LISTS: ReadonlyMap<string, 'plain' | 'quoted'> = new Map([
  ...(['search_path', 'temp_tablespaces', 'session_preload_libraries', 'local_preload_libraries', 'shared_preload_libraries'] as const).map(
    (name) => [name, 'quoted'] as const,
  ),
  ...(['datestyle', 'listen_addresses', 'log_destination', 'synchronous_standby_names', 'unix_socket_directories'] as const).map(
    (name) => [name, 'plain'] as const,
  ),
]);

const CANNOT: Readonly<Record<string, string>> = {
  internal: 'cannot be changed',
  postmaster: 'cannot be changed without restarting the server',
  sighup: 'cannot be changed now',
  backend: 'cannot be set after connection start',
  'superuser-backend': 'cannot be set after connection start',
};

function ofPostgres(): Map<string, SettingFacts> {
  const facts = new Map<string, SettingFacts>();
  for (const line of SETTINGS_DATA.split('\n')) {
    const [name, unit, , context, type, min, max, values, standard] = line.split('|');
    facts.set(name.toLowerCase(), { name, unit, context, type, min, max, values, standard: standard === '~' ? null : standard });
  }
  return facts;
}
const FACTS = ofPostgres();

function complete(own: (typeof OWN)[number] | undefined, name: string): Setting {
  const facts = FACTS.get(name);
  if (facts === undefined) return { standard: '', accept: anything, ...own! };
  return {
    name,
    standard: shownStandard(facts),
    accept: acceptOf(facts),
    doc: CANNOT[facts.context] === undefined ? 'Accepted and ignored.' : 'For clients that look.',
    ...(CANNOT[facts.context] === undefined ? {} : { fixed: true }),
    ...(facts.context === 'superuser' ? { privileged: true } : {}),
    ...(LISTS.has(name) ? { list: LISTS.get(name)! } : {}),
    ...(facts.name === name ? {} : { title: facts.name }),
    ...own,
  };
}

export const SETTINGS: readonly Setting[] = [
  ...[...new Set([...FACTS.keys(), ...OWN.map(({ name }) => name)])].sort().map((name) =>
    complete(
      OWN.find((each) => each.name === name),
      name,
    ),
  ),
  ...Object.entries(SYSTEM_SETTINGS)
    .filter(([name]) => name !== 'statement_timeout')
    .map(([name, { doc }]): Setting => ({ name, standard: '0', accept: anything, doc, ofDatabase: true })),
  ...VECTOR_SETTINGS,
];

/** Timeouts that an operator's ceiling or an agent's quota may limit. */
const TIMEOUTS: ReadonlySet<string> = new Set(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']);

const BY_NAME = new Map(SETTINGS.map((setting) => [setting.name, setting]));

export interface SettingsMark {
  readonly version: number;
  readonly values: ReadonlyMap<string, string>;
  readonly local: ReadonlyMap<string, string | undefined> | null;
}

/** The name as the catalogs spell it. */
export function settingTitle(name: string): string {
  const setting = BY_NAME.get(name.toLowerCase());
  return setting === undefined ? name : (setting.title ?? setting.name);
}

export class Settings {
  readonly #values = new Map<string, string>();
  /** The initial values of the session, for RESET. */
  readonly #initial = new Map<string, string>();
  /** Values before SET LOCAL and SET inside the open transaction; created when first needed. */
  #before: Map<string, string | undefined> | null = null;
  #local: Map<string, string | undefined> | null = null;
  #inTransaction = false;
  /** Custom settings that were ever set: they stay known, as empty. */
  #custom: Set<string> | null = null;
  /** Incremented by each change, for caches of derived values. */
  version = 0;
  /** Called before the session's user or role changes, in any way. */
  guard: ((name: string, value: string, local: boolean) => void) | null = null;

  /** Throws if the running code may not change the session. */
  mustBeOpen: (() => void) | null = null;

  /** Whether the session may set a superuser-only setting; null: it may set any. */
  privileged: ((name: string) => boolean) | null = null;

  /** The database-wide value of a setting that sessions cannot change; null for any other. */
  system: (name: string) => string | null = () => null;
  /** The maximum of a timeout in milliseconds; 0: unlimited. null: nothing is limited. */
  most: ((name: string) => number) | null = null;

  /** Number of the client encoding; null for UTF-8, which needs no conversion. */
  get clientEncoding(): number | null {
    const number = encodingNumber(this.get('client_encoding')!);
    return number === UTF8 || number === SQL_ASCII ? null : number;
  }

  get(name: string): string | undefined {
    const key = name.toLowerCase();
    const setting = BY_NAME.get(key);
    if (setting?.ofDatabase === true) return this.system(key) ?? setting.standard;
    const value = this.chosen(key);
    return this.most === null || value === undefined || !TIMEOUTS.has(key) ? value : this.#limited(key, value);
  }

  /** The session's own value, before any limit. */
  chosen(key: string): string | undefined {
    return this.#values.get(key) ?? this.#initial.get(key) ?? BY_NAME.get(key)?.standard ?? (this.#custom?.has(key) === true ? '' : undefined);
  }

  #limited(key: string, value: string): string {
    const most = this.most!(key);
    if (most === 0) return value;
    const ms = durationMs(value);
    return ms === 0 || ms > most ? formatDurationMs(most) : value;
  }

  /** An initial value of the session. Errors as `set`. */
  start(name: string, value: string): void {
    this.set(name, value, false);
    const key = name.toLowerCase();
    const accepted = this.#values.get(key);
    if (accepted === undefined) return;
    this.#values.delete(key);
    this.#initial.set(key, accepted);
  }

  /** Whether RESET ALL of stored defaults may remove it. */
  mayChange(name: string): boolean {
    return BY_NAME.get(name.toLowerCase())?.privileged !== true || this.privileged === null || this.privileged(name.toLowerCase());
  }

  /** The value in canonical form. Errors as `set`. */
  check(name: string, value: string | null): string | null {
    const key = name.toLowerCase();
    const setting = BY_NAME.get(key);
    if (setting === undefined && !/^[a-z_][a-z0-9_$]*(\.[a-z_][a-z0-9_$]*)+$/i.test(name)) {
      if (name.includes('.')) {
        throw new SvcError('42602', `invalid configuration parameter name "${name}"`, {
          detail: 'Custom parameter names must be two or more simple identifiers separated by dots.',
        });
      }
      throw new SvcError('42704', `unrecognized configuration parameter "${name}"`);
    }
    if (setting?.ofDatabase === true) {
      throw new SvcError('55P02', `parameter "${name}" cannot be changed now`, { hint: `Use ALTER SYSTEM SET ${key}.` });
    }
    if (setting?.fixed === true) {
      throw new SvcError('55P02', `parameter "${setting.title ?? key}" ${CANNOT[FACTS.get(key)?.context ?? 'internal'] ?? 'cannot be changed'}`);
    }
    if (setting?.privileged === true && this.privileged !== null && !this.privileged(key)) {
      throw new SvcError('42501', `permission denied to set parameter "${key}"`);
    }
    const accepted = value === null ? null : (setting?.accept ?? anything)(value, this.chosen(key));
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

  /** 42704 for an unknown name, 22023 for a bad value, 55P02 for a fixed one. Names with a dot are custom settings. */
  set(name: string, value: string | null, local: boolean): void {
    this.mustBeOpen?.();
    const key = name.toLowerCase();
    const accepted = this.check(name, value);
    const setting = BY_NAME.get(key);
    if (accepted !== null && (key === 'role' || key === 'session_authorization')) this.guard?.(key, accepted, local);
    if (setting === undefined) (this.#custom ??= new Set()).add(key);
    if (this.#inTransaction) {
      const saved = local ? (this.#local ??= new Map()) : (this.#before ??= new Map());
      if (!saved.has(key)) saved.set(key, this.#values.get(key));
      // SET overrides an earlier SET LOCAL.
      if (!local && this.#local !== null) {
        const was = this.#local.get(key);
        if (this.#local.delete(key)) this.#before!.set(key, was);
      }
    } else if (local) return;
    if (accepted === null) this.#values.delete(key);
    else this.#values.set(key, accepted);
    this.version++;
  }

  /** Runs with values that are in effect only meanwhile, for SET of a function. They were checked when they were given. */
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
    // The session user and role are not reset with the rest.
    for (const name of this.#values.keys()) if (name !== 'role' && name !== 'session_authorization') this.set(name, null, false);
  }

  all(): { name: string; value: string; doc: string }[] {
    return SETTINGS.filter(({ unlisted }) => unlisted !== true).map(({ name, title, doc }) => ({ name: title ?? name, value: this.get(name)!, doc }));
  }

  begin(): void {
    this.#inTransaction = true;
  }

  /** The state that ROLLBACK TO SAVEPOINT restores. */
  mark(): SettingsMark {
    return { version: this.version, values: new Map(this.#values), local: this.#local === null ? null : new Map(this.#local) };
  }

  backTo({ version, values, local }: SettingsMark): void {
    if (version === this.version) return;
    this.#values.clear();
    for (const [name, value] of values) this.#values.set(name, value);
    this.#local = local === null ? null : new Map(local);
    this.version++;
  }

  /** SET LOCAL ends with the transaction; a rollback undoes SET too. */
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

const BAD_BOOL: ReadonlySet<string> = new Set(SETTINGS.filter(({ accept }) => accept === bool).map(({ name }) => name));

/** List settings, whose SET takes several values. */
export function listOf(name: string): 'plain' | 'quoted' | undefined {
  return LISTS.get(name.toLowerCase());
}
