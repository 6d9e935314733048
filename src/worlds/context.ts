/** What commands work on: the engine's state, and lookup of worlds in it. */
import { randomUUID } from 'node:crypto';
import { FrequentFilters } from './frequent-filters.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { WorldView } from '../commands/contract.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { LockTable } from '../locks/lock-table.ts';
import type { Encoded } from '../projection/encoded.ts';
import type { Engine } from '../projection/engine.ts';
import type { Folded, PastFold } from '../projection/past-fold.ts';
import type { Node } from '../tree/node.ts';
import { type Catalog, catalogOfWorld, readCatalog } from './catalog.ts';
import type { Principal } from '../session/principal.ts';
import { type Moment, parseMoment } from '../base/moment.ts';
import type { External } from './external.ts';
import type { Moments } from './moments.ts';
import { ReadNotes } from './read-notes.ts';
import type { ReadSet } from './read-set.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { PastState, State } from './state.ts';
import { numberOfId, worldId } from './names.ts';
import type { Past } from './past.ts';
import { type Ceilings, SystemSettings } from './system-settings.ts';
import type { TypedTables } from './typed-tables.ts';
import type { StoredSettings, World, WorldRecord } from './world.ts';
import type { WorldHooks } from './world-hooks.ts';
import { expiryOf, worldView } from './world-view.ts';

/** One state of one world, to be read in this tick. */
export interface Reading {
  world: World;
  root: Node;
  catalog: Catalog;
  /** True for `name@when`. */
  past: boolean;
  /** What must be durable before the result is sent to a client. */
  seen: Sequence;
}

/** The whole folder after an event, with that event's number and time. */
export type FolderReading = Folded<PastState>;

export interface ContextParts {
  engine: Engine<State>;
  /** Those that the engine was opened with. */
  hooks: WorldHooks;
  past: Past;
  /** Of the whole folder. */
  pastFold: PastFold<PastState>;
  /** Those that `past` drops roots from. */
  moments: Moments;
  typed: TypedTables;
  ceilings?: Ceilings;
  retentionMs?: number;
}

export class Context {
  readonly reads: ReadNotes;
  readonly engine: Engine<State>;
  /** The projections; always the same object. */
  readonly state: State;
  readonly past: Past;
  readonly typed: TypedTables;
  readonly filters = new FrequentFilters();
  /** Locks of open transactions. */
  readonly locks: LockTable;
  /** Of all worlds. */
  readonly recent: RecentChanges;
  /** Settings of the database. */
  readonly system: SystemSettings;
  /** As they were stored at a past moment. */
  readonly systemOf: (stored: StoredSettings) => SystemSettings;
  /** The external Postgres of which tables are attached, once the database is composed. */
  external: External | null = null;
  /** Incremented over time; worlds record it when they are read. */
  tick = 1;
  readonly #moments: Moments;
  readonly #pastFold: PastFold<PastState>;
  readonly #pastCatalogs = new WeakMap<Node, Catalog>();
  /** Private states by their temporary names. */
  readonly #lent = new Map<string, Reading>();

  constructor({ engine, hooks, past, pastFold, moments, typed, ceilings, retentionMs }: ContextParts) {
    this.engine = engine;
    this.state = engine.state;
    this.past = past;
    this.typed = typed;
    this.locks = hooks.locks;
    this.recent = hooks.recent;
    this.reads = new ReadNotes(engine, hooks.reads);
    this.#moments = moments;
    this.#pastFold = pastFold;
    engine.onForget(() => this.#forgetPast());
    this.systemOf = (stored) => new SystemSettings(() => stored, ceilings, retentionMs);
    this.system = new SystemSettings(() => engine.state.settings, ceilings, retentionMs);
  }

  /** Commits changes that were already checked against locks. */
  commitChecked(event: Event, world: WorldNumber, actor: string, encoded: Encoded | null = null): Envelope {
    return this.engine.commit(event, world, actor, encoded, true);
  }

  /** Whether the policy of the world's agent requires stale-read checks. */
  checksReads(world: World): boolean {
    if (world.owner === null || this.state.governance.count('policy') === 0) return false;
    const policy = this.state.agents.byName(world.owner)?.policy ?? null;
    return policy !== null && this.state.governance.named('policy', policy)?.value['check_reads'] === true;
  }

  /** The read set to add a principal's reads to; null if reads are not checked. */
  noting(by: Principal, world: World): ReadSet | null {
    if (by.kind !== 'agent' || world.owner !== by.agent.name || !this.checksReads(world)) return null;
    return this.reads.of(world);
  }

  catalog(world: World): Catalog {
    return catalogOfWorld(this.engine.pager, world);
  }

  /** The open world, to be written; 25006 for a past moment, 3D000 if there is none. */
  writable(branch: string | undefined): World {
    const name = branch ?? 'main';
    if (name.includes('@'))
      throw new SvcError('25006', `"${name.slice(0, 80)}" is a past moment and cannot be changed`, { hint: 'Fork it first: its fork can be changed.' });
    return this.#open(name);
  }

  #open(name: string): World {
    const world = this.find(name);
    if (world === null || world.status !== 'open') throw noWorld(name);
    world.used = this.tick;
    return world;
  }

  /** The world, open or ended within retention; 25006 for a past moment, 3D000 if there is none. */
  ever(branch: string | undefined): World {
    const world = branch === undefined || branch.includes('@') ? null : this.find(branch);
    return world === null || world.status === 'open' ? this.writable(branch) : world;
  }

  /** Like `read`; an ended world is read as it was at its end. */
  readEver(branch: string | undefined): Reading {
    const world = branch === undefined || branch.includes('@') ? null : this.find(branch);
    return world === null || world.status === 'open' ? this.read(branch) : this.read(`${worldId(world.number, world.created)}@#${world.gone - 1}`);
  }

  /** By name or id; open, or ended within retention. */
  find(name: string): World | null {
    if (name.startsWith('_tx_')) return null;
    const number = numberOfId(name);
    if (number !== null) {
      const world = this.state.worlds.byNumber(number) ?? this.state.worlds.endedByNumber(number);
      return world !== null && worldId(world.number, world.created) === name ? world : null;
    }
    return this.state.worlds.byName(name) ?? this.state.worlds.everByName(name);
  }

  /** Publishes a private state under a temporary name until it is released. */
  lend(reading: Reading): { branch: string; release(): void } {
    // The name cannot be guessed, so no other caller reads the state.
    const branch = `_tx_${randomUUID()}`;
    this.#lent.set(branch, reading);
    return { branch, release: () => void this.#lent.delete(branch) };
  }

  read(branch: string | undefined): Reading {
    const text = branch ?? 'main';
    if (this.#lent.size > 0) {
      const lent = this.#lent.get(text);
      if (lent !== undefined) return lent;
    }
    const at = text.indexOf('@');
    if (at < 0) {
      const world = this.#open(text);
      return { world, root: world.root, catalog: this.catalog(world), past: false, seen: world.lastWrite };
    }
    const name = text.slice(0, at);
    const world = this.find(name);
    if (world === null) throw noWorld(name);
    world.used = this.tick;
    const when = text.slice(at + 1);
    const known = this.#moments.get(text);
    if (known !== undefined && known.world.number === world.number) {
      this.#momentWithinReach(world, when);
      return known;
    }
    const { sequence, root, fixed } = this.rootAt(world, when);
    let catalog = this.#pastCatalogs.get(root);
    if (catalog === undefined) {
      catalog = readCatalog(this.engine.pager, root);
      this.#pastCatalogs.set(root, catalog);
    }
    const reading: Reading = { world, root, catalog, past: true, seen: sequence };
    if (fixed) this.#moments.keep(text, reading);
    return reading;
  }

  /** Releases roots whose pages may be collected. */
  #forgetPast(): void {
    this.#moments.clear();
    this.past.forget();
    this.#pastFold.forget();
  }

  /** How far back history reaches, by the setting history_retention: what lies before is refused, also while the log still has it. */
  get horizon(): Micros {
    // By the clock, also while it is behind the newest event: a clock that was ahead for a moment takes no history away.
    return (this.engine.clock.nowMicros() - this.engine.historyRetentionMicros) as Micros;
  }

  /** 22023 for a moment of the world's life before the horizon; the state that was current at the horizon is within reach. */
  #momentWithinReach(world: World, when: string): Moment {
    const moment = parseMoment(when, this.engine.now());
    const { horizon } = this;
    const isGone =
      moment.kind === 'at'
        ? moment.at < horizon && moment.at >= world.created
        : moment.sequence < this.state.history.lastAtOrBefore(world.number, horizon) && moment.sequence >= world.number;
    if (isGone) throw beforeHistory(when, horizon);
    return moment;
  }

  /** The world's directory at a moment, safe to keep. `fixed`: the moment is in the past of the log, so it never changes. */
  rootAt(world: World, when: string): { sequence: Sequence; root: Node; fixed: boolean } {
    const moment = this.#momentWithinReach(world, when);
    let sequence: Sequence;
    if (moment.kind === 'at') sequence = this.state.history.lastAtOrBefore(world.number, moment.at);
    else {
      if (moment.sequence > this.engine.log.head)
        throw new SvcError('22007', `#${moment.sequence} lies in the future: the newest event is #${this.engine.log.head}`);
      sequence = moment.sequence as Sequence;
    }
    const fixed = !when.startsWith('-') && (moment.kind === 'at' ? moment.at < this.engine.lastAt : true);
    const start = this.engine.historyStart;
    if (sequence < start.sequence) {
      // Nothing happened to the world between its last event and the start of history.
      if (moment.kind === 'at' && moment.at >= start.at) sequence = Math.max(start.sequence, world.number) as Sequence;
      else throw beforeHistory(when, start.at);
    }
    if (sequence < world.number) {
      throw new SvcError('22023', `world "${world.name}" did not exist at ${when}`, { detail: `It was made at ${formatMicros(world.created)}.` });
    }
    if (world.status === 'open' && sequence >= this.#lastChange(world)) return { sequence, root: this.state.worlds.share(world), fixed };
    return { sequence, root: this.past.rootAt(world.number, sequence, world.status === 'open' ? this.state.worlds.share(world) : null), fixed };
  }

  #lastChange(world: World): number {
    return Math.max(world.lastWrite, world.number);
  }

  /** The open parent; 22023 if the world has none. */
  parentOf(world: World): World {
    if (world.parent === 0) throw new SvcError('22023', `world "${world.name}" has no parent`);
    const parent = this.state.worlds.byNumber(world.parent);
    if (parent === null) throw new SvcError('3D000', `the parent of world "${world.name}" is gone`, { hint: 'Merge with `into`.' });
    return parent;
  }

  /** When the world expires; null: never. */
  expiry(world: WorldRecord): Micros | null {
    return expiryOf(this.state, world);
  }

  view(world: WorldRecord): WorldView {
    return worldView(this.state, world);
  }

  /**
   * The whole folder at a moment (`-10m`, an ISO time, `#sequence`): open worlds, agents, what waited for a decision, settings. Resolves once what it shows
   * is durable. 22007 if the text is no moment or lies in the future, 22023 if history does not reach back to it.
   */
  async stateAt(when: string): Promise<FolderReading> {
    const moment = parseMoment(when, this.engine.now());
    this.#mustReach(moment, when);
    const folded = await this.#pastFold.at(moment);
    await this.engine.durable(folded.sequence);
    return folded;
  }

  /** As for a world: the state that was current at the horizon is within reach. */
  #mustReach(moment: Moment, when: string): void {
    const { log, historyStart } = this.engine;
    const timeOf = (sequence: number): Micros | null => {
      if (sequence > log.head) return null;
      for (const { at } of log.read(sequence as Sequence)) return at as Micros;
      return null;
    };
    const first = historyStart.sequence > 0 ? historyStart : { sequence: 1, at: timeOf(1) ?? this.horizon };
    if (moment.kind === 'at') {
      if (moment.at < first.at || moment.at < this.horizon) throw beforeHistory(when, Math.max(first.at, this.horizon) as Micros);
      return;
    }
    if (moment.sequence > log.head) throw new SvcError('22007', `#${moment.sequence} lies in the future: the newest event is #${log.head}`);
    if (moment.sequence < first.sequence) throw beforeHistory(when, first.at);
    const next = timeOf(moment.sequence + 1);
    if (next !== null && next <= this.horizon) throw beforeHistory(when, this.horizon);
  }
}

export function noWorld(name: string): SvcError {
  return new SvcError('3D000', `there is no world "${name.slice(0, 80)}"`, { hint: 'SHOW WORLDS, or the operation `branches`, lists them.' });
}

function beforeHistory(when: string, start: Micros): SvcError {
  return new SvcError('22023', `${when} lies before the history that is kept, which begins at ${formatMicros(start)}`, {
    hint: 'See the setting history_retention.',
  });
}
