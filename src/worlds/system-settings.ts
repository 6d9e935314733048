/**
 * Settings of the whole database, bounded by the operator's ceilings. All are off (0) by default; a ceiling is the maximum,
 * and also applies to the default. Read on hot paths, so decoded once per change.
 */
import { formatDurationMs, parseDurationMs } from '../base/duration.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { StoredSettings } from './world.ts';

/** Milliseconds and counts; 0: no limit. */
export interface Ceilings {
  readonly maxWorlds: number;
  readonly historyRetentionMs: number;
  readonly worldIdleTtlMs: number;
  readonly statementTimeoutMs: number;
}

export const NO_CEILINGS: Ceilings = { maxWorlds: 0, historyRetentionMs: 0, worldIdleTtlMs: 0, statementTimeoutMs: 0 };

/** Default history retention. */
const HISTORY_RETENTION_MS = 3_600_000;
/** Default in folders created before release 0.1.0 marked them: their users expected to lose no history. */
const OLDER_FOLDERS_RETENTION_MS = 30 * 86_400_000;
/** 100 years: moments are microseconds in a double. */
const DURATION_MS_MAX = 100 * 366 * 86_400_000;

interface Definition {
  readonly kind: 'duration' | 'count' | 'bool';
  readonly ceiling: keyof Ceilings | null;
  readonly doc: string;
}

export const SYSTEM_SETTINGS: Record<string, Definition> = {
  history_retention: { kind: 'duration', ceiling: 'historyRetentionMs', doc: 'How far back time travel, undo and audit reach.' },
  max_worlds: { kind: 'count', ceiling: 'maxWorlds', doc: 'Live worlds beside main; 0: any number.' },
  protect_main: { kind: 'bool', ceiling: null, doc: 'main changes only by merging a world.' },
  statement_timeout: { kind: 'duration', ceiling: 'statementTimeoutMs', doc: 'Sessions of SQL start with it; 0: none.' },
  world_idle_ttl: { kind: 'duration', ceiling: 'worldIdleTtlMs', doc: 'Worlds unused that long are discarded, unless pinned or forked from; 0: never.' },
};

export class SystemSettings {
  /** A function: the settings are rebuilt after a failed write. */
  readonly #stored: () => StoredSettings;
  readonly ceilings: Ceilings;
  readonly #retentionMs: number | null;
  #of: StoredSettings | null = null;
  #changes = -1;
  #maxWorlds = 0;
  #protectMain = false;
  #statementTimeoutMs = 0;
  #worldIdleTtlMs = 0;
  #historyRetentionMs = 0;

  constructor(stored: () => StoredSettings, ceilings: Ceilings = NO_CEILINGS, retentionMs: number | null = null) {
    this.#stored = stored;
    this.ceilings = ceilings;
    this.#retentionMs = retentionMs;
  }

  #decode(): void {
    const stored = this.#stored();
    if (stored === this.#of && stored.changes === this.#changes) return;
    this.#of = stored;
    this.#changes = stored.changes;
    const number = (name: string): number => Number(stored.get(name) ?? 0);
    this.#maxWorlds = under(number('max_worlds'), this.ceilings.maxWorlds);
    this.#protectMain = stored.get('protect_main') === 'on';
    this.#statementTimeoutMs = under(number('statement_timeout'), this.ceilings.statementTimeoutMs);
    this.#worldIdleTtlMs = under(number('world_idle_ttl'), this.ceilings.worldIdleTtlMs);
    this.#historyRetentionMs = under(
      Number(stored.get('history_retention') ?? this.#retentionMs ?? (stored.madeBy === null ? OLDER_FOLDERS_RETENTION_MS : HISTORY_RETENTION_MS)),
      this.ceilings.historyRetentionMs,
    );
  }

  /** Live worlds besides main; 0: no limit. */
  get maxWorlds(): number {
    this.#decode();
    return this.#maxWorlds;
  }
  get protectMain(): boolean {
    this.#decode();
    return this.#protectMain;
  }
  /** 0: none. */
  get statementTimeoutMs(): number {
    this.#decode();
    return this.#statementTimeoutMs;
  }
  /** 0: never. */
  get worldIdleTtlMs(): number {
    this.#decode();
    return this.#worldIdleTtlMs;
  }
  get historyRetentionMs(): number {
    this.#decode();
    return this.#historyRetentionMs;
  }

  /** The value for SHOW; null: not a setting of the database. */
  shown(name: string): string | null {
    switch (name) {
      case 'max_worlds':
        return String(this.maxWorlds);
      case 'protect_main':
        return this.protectMain ? 'on' : 'off';
      case 'statement_timeout':
        return formatDurationMs(this.statementTimeoutMs);
      case 'world_idle_ttl':
        return formatDurationMs(this.worldIdleTtlMs);
      case 'history_retention':
        return formatDurationMs(this.historyRetentionMs);
      default:
        return null;
    }
  }

  /** The stored form of a value: milliseconds, a count, `on` or `off`. 22023 for a bad one, 42501 past the operator's ceiling. */
  accept(name: string, value: string | number | boolean): string {
    const definition = SYSTEM_SETTINGS[name];
    const bad = (why: string): never => {
      throw new SvcError('22023', `invalid value for parameter "${name}": "${String(value).slice(0, 80)}"`, { hint: why });
    };
    if (definition.kind === 'bool') {
      const text = String(value).toLowerCase();
      if (['on', 'true', 'yes', '1'].includes(text)) return 'on';
      if (['off', 'false', 'no', '0'].includes(text)) return 'off';
      return bad('It takes on or off.');
    }
    const number = definition.kind === 'duration' ? parseDurationMs(String(value)) : /^\d+$/.test(String(value).trim()) ? Number(value) : null;
    if (number === null || !Number.isSafeInteger(number)) {
      return bad(
        definition.kind === 'duration' ? "It takes milliseconds or a length of time like '1h' or '30 days'." : 'It takes a whole number of 0 or more.',
      );
    }
    if (definition.kind === 'duration' && number > DURATION_MS_MAX) bad('It is longer than a hundred years.');
    const ceiling = definition.ceiling === null ? 0 : this.ceilings[definition.ceiling];
    // 0 means no limit, which exceeds any ceiling; for history_retention it means no history.
    const most = number === 0 && name !== 'history_retention' ? Infinity : number;
    if (ceiling > 0 && most > ceiling) {
      const shown = definition.kind === 'duration' ? formatDurationMs(ceiling) : String(ceiling);
      throw new SvcError('42501', `${name} cannot be set past ${shown}, the ceiling of this server's operator`, {
        hint: 'The ceilings are in the file named by SVC_LIMITS.',
      });
    }
    return String(number);
  }
}

/** A limit under a ceiling; 0 means no limit for either. */
export function under(limit: number, ceiling: number): number {
  if (ceiling === 0) return limit;
  return limit === 0 ? ceiling : Math.min(limit, ceiling);
}

/** The file of SVC_LIMITS: JSON, or lines `name = value`; `#` begins a comment. 22023 for anything else. */
export function parseCeilings(text: string): Ceilings {
  const names: Record<string, keyof Ceilings> = {
    max_worlds: 'maxWorlds',
    history_retention_ms: 'historyRetentionMs',
    world_idle_ttl_ms: 'worldIdleTtlMs',
    statement_timeout_ms: 'statementTimeoutMs',
  };
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : lineEntries(text);
  const out: Record<keyof Ceilings, number> = { ...NO_CEILINGS };
  for (const [name, value] of entries) {
    const key = Object.hasOwn(names, name) ? names[name] : undefined;
    if (key === undefined) throw new SvcError('22023', `SVC_LIMITS: there is no ceiling "${name}"`, { hint: `There are ${Object.keys(names).join(', ')}.` });
    const number = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : NaN;
    if (!Number.isSafeInteger(number) || number < 0)
      throw new SvcError('22023', `SVC_LIMITS: ${name} is "${String(value)}"; it must be a whole number of 0 or more`);
    out[key] = number;
  }
  return out;
}

function jsonEntries(text: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch (cause) {
    throw new SvcError('22023', `SVC_LIMITS: the file is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

function lineEntries(text: string): [string, unknown][] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const found = /^([a-z_]+)\s*[=:]\s*(\S+)$/.exec(line);
      if (found === null) throw new SvcError('22023', `SVC_LIMITS: "${line.slice(0, 80)}" is not of the form name = value`);
      return [found[1], found[2]];
    });
}
