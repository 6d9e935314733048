/**
 * The executable specification: every command as plainly as it can be said. Worlds are maps of maps, a
 * fork is a whole copy, the past is a list of whole copies. Slow, and obviously right; it implements the
 * whole contract, so every suite that judges the engine is first run on it.
 */
import { commonBase, forkedBases, holdsBaseChanges, mergedBases, rebasedBases, moveBases, undoneBases } from './model-bases.ts';
import { KINDS_ANALYSED } from '../../src/governance/readers.ts';
import { OWNER, ownerName, type Principal } from '../../src/session/principal.ts';
import { type Clock, formatMicros } from '../../src/base/clock.ts';
import type { Micros } from '../../src/base/brands.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { LIMITS } from '../../src/base/limits.ts';
import type {
  BatchInput,
  Commands,
  DeleteInput,
  DiffInput,
  DiffReply,
  DiscardInput,
  FindInput,
  FindReply,
  ForkInput,
  GetInput,
  HistoryInput,
  HistoryReply,
  Json,
  MergeInput,
  MergePreview,
  MergeReply,
  OnBranch,
  PutInput,
  RebaseInput,
  RestoreInput,
  Row,
  SetMetaInput,
  UndoMergeInput,
  WorldView,
} from '../../src/commands/contract.ts';
import { checkCount, checkMeta, checkRecord, checkRowName, checkWord, checkWorldName } from './checks.ts';
import { compareBytes, copyJson, equalJson, fieldOf } from './json.ts';
import { checkDiffModes, diffTables } from './model-diff.ts';
import { copyTables, differences, type ModelWorld, rowOf, type RowState, setRow, type Snapshot, type Tables } from './model-world.ts';
import { parseMoment } from './moment.ts';
import { rowKey } from './row-key.ts';
import { type MergePlan, planMerge } from './three-way.ts';

interface Moment {
  sequence: number;
  at: number;
}

type Source = Pick<Snapshot, 'tables' | 'base' | 'version'> & { world: ModelWorld };

const time = (at: number): string => formatMicros(at as Micros);

export class NaiveModel implements Commands {
  readonly #clock: Clock;
  /** In order of creation; gone worlds stay for history and undo. */
  readonly #worlds: ModelWorld[] = [];
  #sequence = 0;
  #lastAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#add('main', null, new Map(), {}, OWNER, 'create');
  }

  get head(): number {
    return this.#sequence;
  }

  // --- finding worlds and moments

  #find(name: string): ModelWorld {
    const world = this.#worlds.find(({ id }) => id === name) ?? this.#worlds.findLast((each) => each.name === name);
    if (world === undefined) throw new SvcError('3D000', `there is no world "${name}"`);
    return world;
  }

  /** One that is gone where a newer one of its name was never merged. */
  #merged(name: string): ModelWorld {
    const named = this.#find(name);
    if (named.merges.length > 0 || named.name !== name) return named;
    const gone = this.#worlds.filter((each) => each.name === name && !each.open && each !== named && each.merges.some(({ undone }) => !undone));
    if (gone.length > 1) throw new SvcError('55000', 'several were merged');
    return gone[0] ?? named;
  }

  #open(name: string): ModelWorld {
    const world = this.#find(name);
    if (!world.open) throw new SvcError('3D000', `world "${name}" is gone`);
    return world;
  }

  #writable(branch = 'main'): ModelWorld {
    if (branch.includes('@')) throw new SvcError('25006', `"${branch}" is a past moment`);
    return this.#open(branch);
  }

  #readable(branch = 'main'): Source {
    const at = branch.indexOf('@');
    if (at < 0) {
      const world = this.#open(branch);
      return { world, tables: world.tables, base: world.base, version: world.version };
    }
    const world = this.#find(branch.slice(0, at));
    return { world, ...this.#past(world, branch.slice(at + 1)) };
  }

  #past(world: ModelWorld, when: string): Snapshot {
    const moment = parseMoment(when, this.#clock.nowMicros());
    if ('sequence' in moment && moment.sequence > this.#sequence) throw new SvcError('22007', `${when} lies in the future`);
    const found = world.snapshots.findLast(({ at, sequence }) => ('at' in moment ? at <= moment.at : sequence <= moment.sequence));
    if (found === undefined) throw new SvcError('22023', `world "${world.name}" did not exist at ${when}`);
    return found;
  }

  #forksOf(world: ModelWorld): ModelWorld[] {
    return this.#worlds.filter(({ open, parent }) => open && parent === world);
  }

  // --- moving on

  #moment(): Moment {
    this.#lastAt = Math.max(this.#lastAt, this.#clock.nowMicros());
    return { sequence: ++this.#sequence, at: this.#lastAt };
  }

  /** Everything that happens to a world ends here: its history grows, its state is kept for ever. */
  #happened(world: ModelWorld, { sequence, at }: Moment, event: string, rows: number): void {
    world.active = at;
    world.events.push({ id: `#${sequence}`, at, event, rows });
    world.snapshots.push({ sequence, at, version: world.version, tables: copyTables(world.tables), base: copyTables(world.base) });
  }

  #write(world: ModelWorld, tables: Tables, event: string, moment = this.#moment()): number {
    const rows = differences(world.tables, tables).length;
    world.tables = tables;
    world.version++;
    this.#happened(world, moment, event, rows);
    return rows;
  }

  #leave(world: ModelWorld, moment: Moment, event: string, rows: number): void {
    world.open = false;
    this.#happened(world, moment, event, rows);
  }

  #add(name: string, parent: ModelWorld | null, tables: Tables, meta: { [key: string]: Json }, by: Principal, event: string): ModelWorld {
    const moment = this.#moment();
    const world: ModelWorld = {
      id: String(moment.sequence).padStart(26, '0'),
      name,
      parent,
      created: moment.at,
      active: moment.at,
      version: 0,
      owner: ownerName(by),
      meta: copyJson(meta),
      open: true,
      tables: copyTables(tables),
      base: copyTables(tables),
      checkpoints: [],
      merges: [],
      bases: forkedBases(parent, moment.sequence, tables, parent !== null && differences(parent.tables, tables).length > 0),
      snapshots: [],
      events: [],
    };
    this.#worlds.push(world);
    this.#happened(world, moment, event, 0);
    return world;
  }

  // --- rows

  async get({ branch, table, id }: GetInput): Promise<{ id: string; row: Row }> {
    checkRowName(table, id);
    const row = rowOf(this.#readable(branch).tables, table, id);
    if (row === null) throw new SvcError('02000', `there is no row "${rowKey(table, id)}"`);
    return { id, row: copyJson(row) };
  }

  async put({ branch, table, id, record }: PutInput): Promise<{ ok: true; version: number }> {
    checkRowName(table, id);
    const world = this.#writable(branch);
    const tables = copyTables(world.tables);
    setRow(tables, table, id, checkRecord(id, record));
    this.#write(world, tables, 'write');
    return { ok: true, version: world.version };
  }

  async delete({ branch, table, id }: DeleteInput): Promise<{ ok: true; version: number }> {
    checkRowName(table, id);
    const world = this.#writable(branch);
    if (rowOf(world.tables, table, id) === null) throw new SvcError('02000', `there is no row "${rowKey(table, id)}"`);
    const tables = copyTables(world.tables);
    setRow(tables, table, id, null);
    this.#write(world, tables, 'write');
    return { ok: true, version: world.version };
  }

  async batch({ branch, rows }: BatchInput): Promise<{ ok: true; count: number; version: number }> {
    if (!Array.isArray(rows)) throw new SvcError('22023', 'rows must be an array');
    for (const { table, id } of rows) checkRowName(table, id);
    const world = this.#writable(branch);
    const tables = copyTables(world.tables);
    for (const { table, id, record } of rows) setRow(tables, table, id, record === null ? null : checkRecord(id, record));
    if (rows.length > 0) this.#write(world, tables, 'write');
    return { ok: true, count: rows.length, version: world.version };
  }

  async find({ branch, table, where = {}, limit = 20, offset = 0 }: FindInput): Promise<FindReply> {
    checkWord('table', table, LIMITS.tableNameLengthMax);
    checkCount('limit', limit, LIMITS.findLimitMax);
    checkCount('offset', offset);
    const rows = [...(this.#readable(branch).tables.get(table) ?? [])].sort(([a], [b]) => compareBytes(a, b));
    const matching = rows.filter(([id, row]) => Object.entries(where).every(([name, value]) => equalJson(name === 'id' ? id : fieldOf(row, name), value)));
    const hits = matching.slice(offset, offset + limit).map(([id, row]) => ({ id, score: 0, row: copyJson(row) }));
    const next = offset + hits.length;
    return { total: matching.length, hits, next_offset: hits.length > 0 && next < matching.length ? next : null };
  }

  // --- worlds

  async fork({ name, from, meta = {} }: ForkInput, by: Principal = OWNER): Promise<{ ok: true; world: WorldView }> {
    checkWorldName(name);
    checkMeta(meta);
    const { world: parent, tables } = this.#readable(from ?? 'main');
    if (!parent.open) throw new SvcError('3D000', `world "${parent.name}" is gone`);
    if (this.#worlds.some((each) => each.open && each.name === name)) throw new SvcError('42P04', `there is a world "${name}" already`);
    return { ok: true, world: this.#view(this.#add(name, parent, tables, meta, by, 'fork')) };
  }

  #view(world: ModelWorld): WorldView {
    let depth = 0;
    for (let up = world.parent; up !== null; up = up.parent) depth++;
    return {
      name: world.name,
      id: world.id,
      parent: world.parent?.name ?? null,
      depth,
      created: time(world.created),
      version: world.version,
      flagged: false,
      meta: copyJson(world.meta),
      owner: world.owner,
      expires: null,
      active: time(world.active),
      pinned: false,
      checkpoints: world.checkpoints.map(({ name, at }) => ({ name, at: time(at) })),
    };
  }

  async branches(): Promise<{ branches: WorldView[] }> {
    return { branches: this.#worlds.filter(({ open }) => open).map((world) => this.#view(world)) };
  }

  async world({ branch }: OnBranch = {}): Promise<WorldView> {
    return this.#view(this.#writable(branch));
  }

  async set_meta({ branch, meta }: SetMetaInput): Promise<WorldView> {
    checkMeta(meta);
    const world = this.#writable(branch);
    for (const [key, value] of Object.entries(meta)) {
      if (value === null) delete world.meta[key];
      else world.meta[key] = copyJson(value as Json);
    }
    this.#happened(world, this.#moment(), 'metadata', 0);
    return this.#view(world);
  }

  async history({ branch = 'main', limit = 100 }: HistoryInput = {}): Promise<HistoryReply> {
    checkCount('limit', limit, LIMITS.historyLimitMax);
    const world = this.#find(branch);
    const newest = [...world.events].reverse().slice(0, limit);
    return { events: newest.map(({ id, at, event, rows }) => ({ id, at: time(at), world: world.name, event, rows })), next: null, since: null };
  }

  async checkpoint({ branch, name }: OnBranch & { name: string }): Promise<{ ok: true; at: string }> {
    checkWord('name', name, 256);
    const world = this.#writable(branch);
    if (world.checkpoints.some((each) => each.name === name)) throw new SvcError('42710', `there is a checkpoint "${name}" already`);
    const moment = this.#moment();
    world.checkpoints.push({ name, at: moment.at, tables: copyTables(world.tables) });
    this.#happened(world, moment, 'checkpoint', 0);
    return { ok: true, at: time(moment.at) };
  }

  async restore({ branch, at, checkpoint }: RestoreInput = {}): Promise<{ ok: true; restored: number }> {
    if ((at === undefined) === (checkpoint === undefined)) throw new SvcError('22023', 'exactly one of `at` and `checkpoint`');
    const world = this.#writable(branch);
    const then = at === undefined ? world.checkpoints.find(({ name }) => name === checkpoint) : this.#past(world, at);
    if (then === undefined) throw new SvcError('42704', `there is no checkpoint "${checkpoint}"`);
    return { ok: true, restored: this.#write(world, copyTables(then.tables), 'restore') };
  }

  async rollback({ branch, checkpoint }: OnBranch & { checkpoint: string }): Promise<{ ok: true; restored: number }> {
    return this.restore({ branch, checkpoint });
  }

  async discard({ branch, cascade = false }: DiscardInput): Promise<{ ok: true; discarded?: string[] }> {
    const world = this.#writable(branch);
    if (world.parent === null) throw new SvcError('22023', 'main cannot be discarded');
    const leaving = [world];
    for (const each of leaving) leaving.push(...this.#forksOf(each));
    if (leaving.length > 1 && !cascade) throw this.#hasForks(world);
    for (const each of [...leaving].reverse()) this.#leave(each, this.#moment(), 'discard', 0);
    return cascade ? { ok: true, discarded: leaving.map(({ name }) => name) } : { ok: true };
  }

  #hasForks(world: ModelWorld): SvcError {
    const forks = this.#forksOf(world).map(({ name }) => name);
    return new SvcError('2BP01', `world "${world.name}" has open forks: ${forks.join(', ')}`, { data: { forks } });
  }

  async confirm({ branch }: OnBranch): Promise<WorldView> {
    return this.#view(this.#writable(branch)); // The model never crashes, so nothing is flagged.
  }

  // --- differences

  async diff(input: DiffInput = {}): Promise<DiffReply> {
    checkDiffModes(input);
    const branch = this.#readable(input.branch);
    if (input.to === undefined && branch.world.parent === null) throw new SvcError('22023', 'main has no fork point');
    checkVersion(branch.version, input.version);
    if (input.to === undefined) return diffTables(branch.base, branch.tables, branch.version, input);
    return diffTables(branch.tables, this.#readable(input.to).tables, branch.version, input);
  }

  // --- merging

  /** How a branch's row meets the others'; a canary overrides it to be wrong. */
  protected planMerge: typeof planMerge = planMerge;

  #plan(input: MergeInput): { branch: ModelWorld; target: ModelWorld; stays: boolean; plan: MergePlan } {
    if (!['fail', 'ours', 'theirs'].includes(input.resolve ?? 'fail')) throw new SvcError('22023', 'resolve is "fail", "ours" or "theirs"');
    for (const list of [input.only_tables, input.only_keys]) {
      if (list !== undefined && !(Array.isArray(list) && list.length > 0)) throw new SvcError('22023', 'a list of one or more');
    }
    const branch = this.#writable(input.branch);
    const target = input.into === undefined ? branch.parent : this.#writable(input.into);
    if (target === null || target === branch) throw new SvcError('22023', `world "${branch.name}" has nowhere to be merged into`);
    checkVersion(branch.version, input.version);
    checkVersion(target.version, input.target);
    const stays = input.into !== undefined || input.only_tables !== undefined || input.only_keys !== undefined;
    const base = commonBase(branch, target);
    return { branch, target, stays, plan: this.planMerge({ base, ours: target, theirs: branch }, input) };
  }

  async preview(input: MergeInput): Promise<MergePreview> {
    const { branch, target, plan } = this.#plan(input);
    const { rows, summary, conflicts } = plan;
    return {
      rows,
      summary,
      conflicts,
      ...alike(plan),
      blocked: [],
      readers: [],
      coverage: { analysed: KINDS_ANALYSED, not_analysed: [] },
      version: branch.version,
      target: target.version,
    };
  }

  merge(input: MergeInput & { dry_run: true }): Promise<MergePreview>;
  merge(input: MergeInput & { dry_run?: false }): Promise<MergeReply>;
  merge(input: MergeInput): Promise<MergeReply | MergePreview>;
  async merge(input: MergeInput): Promise<MergeReply | MergePreview> {
    if (input.dry_run === true) return this.preview(input);
    const { branch, target, stays, plan } = this.#plan(input);
    if (!stays && this.#forksOf(branch).length > 0) throw this.#hasForks(branch);
    refuseConflicts(plan);
    const moment = this.#moment();
    const merged = this.#write(target, withRows(target.tables, plan.changes), stays ? 'merge part' : 'merge', moment);
    const isPart = input.only_tables !== undefined || input.only_keys !== undefined;
    const baseChanges = stays && (isPart || target === branch.parent) ? plan.baseChanges : [];
    if (baseChanges.length > 0) moveBases(branch, target, baseChanges);
    if (!isPart) mergedBases(branch, target, moment.sequence, stays);
    branch.merges.push({ into: target, stays, rows: plan.changes, baseChanges, undone: false, at: moment.sequence });
    if (!stays) {
      this.#leave(branch, moment, 'merge', merged);
      return { merged, ...alike(plan) };
    }
    branch.version++;
    this.#happened(branch, moment, 'merge part', merged);
    return { merged, ...alike(plan), version: branch.version };
  }

  async rebase(input: RebaseInput): Promise<{ ok: true; rebased: number; version: number }> {
    const { columns, picks, resolve, version } = input;
    const { branch, target, plan } = this.#plan({ branch: input.branch, columns, picks, resolve, version });
    refuseConflicts(plan);
    const moment = this.#moment();
    rebasedBases(branch, target, moment.sequence);
    branch.base = copyTables(target.tables);
    branch.tables = withRows(target.tables, plan.changes);
    branch.version++;
    this.#happened(branch, moment, 'rebase', plan.changes.length);
    return { ok: true, rebased: plan.changes.length, version: branch.version };
  }

  async undo_merge({ branch: name, skip_changed = false }: UndoMergeInput): Promise<{ ok: true; parent: string; at: string; undone: number; skipped: number }> {
    const branch = this.#merged(name);
    const note = branch.merges.findLast(({ undone }) => !undone);
    if (note === undefined || !note.into.open) throw new SvcError('55000', `world "${name}" has no merge to undo`);
    const target = note.into;
    const changed = note.rows.filter(({ table, id, after }) => !equalJson(rowOf(target.tables, table, id), after));
    if (changed.length > 0 && !skip_changed) {
      throw new SvcError('40001', 'rows changed since', { data: { changed: changed.map(({ table, id }) => rowKey(table, id)) } });
    }
    const moment = this.#moment();
    const back = note.rows.filter((row) => !changed.includes(row)).map(reversed);
    const undone = this.#write(target, withRows(target.tables, back), 'undo merge', moment);
    note.undone = true;
    const isHeld = branch.open && note.baseChanges.length > 0 && holdsBaseChanges(branch, target, note.at);
    undoneBases(target, note.at);
    if (isHeld) {
      moveBases(branch, target, note.baseChanges.map(reversed));
      branch.version++;
      this.#happened(branch, moment, 'undo merge', undone);
    }
    return { ok: true, parent: target.name, at: time(moment.at), undone, skipped: changed.length };
  }
}

function withRows(tables: Tables, rows: readonly RowState[]): Tables {
  const out = copyTables(tables);
  for (const { table, id, after } of rows) setRow(out, table, id, after);
  return out;
}

function reversed({ table, id, before, after }: RowState): RowState {
  return { table, id, before: after, after: before };
}

function checkVersion(is: number, given: number | undefined): void {
  if (given !== undefined && given !== is) throw new SvcError('40001', `the version is ${is}, not ${given}`, { data: { version: is } });
}

function refuseConflicts({ conflicts }: MergePlan): void {
  if (conflicts.length > 0) throw new SvcError('SV409', `${conflicts.length} rows changed on both sides`, { data: { conflicts } });
}

/** Left out where nothing was changed alike. */
function alike({ converged }: { readonly converged: number }): { converged?: number } {
  return converged === 0 ? {} : { converged };
}
