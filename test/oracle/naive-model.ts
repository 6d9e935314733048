/**
 * The commands again, obviously right instead of fast: worlds are maps, forks are deep copies, and every
 * event keeps a snapshot of everything. The engine is compared with it over random command sequences.
 */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Change, Conflict, DiffInput, DiffReply, Json, MergeInput, PreviewRow, Row, TableSummary } from '../../src/commands/contract.ts';

export type Tables = Map<string, Map<string, Row>>;

interface ModelWorld {
  name: string;
  parent: ModelWorld | null;
  version: number;
  meta: Row;
  status: 'open' | 'merged' | 'discarded';
  now: Tables;
  base: Tables;
  checkpoints: Map<string, Tables>;
  merges: { into: ModelWorld; before: Tables; after: Tables; keys: [string, string][]; baseBefore: Tables | null; undone: boolean }[];
  history: { event: string; rows: number }[];
  /** State after each of the world's own events, newest last, numbered by the count of events so far. */
  past: Tables[];
}

export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same((a as Row)[key], (b as Row)[key]));
}

const copyOf = (tables: Tables): Tables => new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
const rowOf = (tables: Tables, table: string, id: string): Row | null => tables.get(table)?.get(id) ?? null;
const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function setRow(tables: Tables, table: string, id: string, row: Row | null): void {
  if (row !== null) {
    if (!tables.has(table)) tables.set(table, new Map());
    tables.get(table)!.set(id, row);
  } else tables.get(table)?.delete(id);
}

function changedKeys(a: Tables, b: Tables): [string, string][] {
  const out: [string, string][] = [];
  for (const table of [...new Set([...a.keys(), ...b.keys()])].sort(bytewise)) {
    const ids = new Set([...(a.get(table)?.keys() ?? []), ...(b.get(table)?.keys() ?? [])]);
    for (const id of [...ids].sort(bytewise)) if (!same(rowOf(a, table, id), rowOf(b, table, id))) out.push([table, id]);
  }
  return out;
}

export function keyOf(table: string, id: string): string {
  const part = (text: string): string => text.replace(/[,/%\s]/g, (char) => (char === ',' ? '%2C' : encodeURIComponent(char)));
  return `${part(table)}/${part(id)}`;
}

interface Plan {
  result: [string, string, Row | null][];
  settled: [string, string][];
  conflicts: Omit<Conflict, 'explanation'>[];
  rows: Omit<PreviewRow, 'detail'>[];
}

export class NaiveModel {
  readonly #open = new Map<string, ModelWorld>();
  readonly #ever = new Map<string, ModelWorld>();
  /** Words of the merge that counts each column's conflict; broken on purpose by the canary. */
  readonly #ignoreDeletes: boolean;

  constructor(options: { ignoreDeletes?: boolean } = {}) {
    this.#ignoreDeletes = options.ignoreDeletes ?? false;
    this.#add('main', null, new Map());
  }

  #add(name: string, parent: ModelWorld | null, tables: Tables, meta: Row = {}): ModelWorld {
    const world: ModelWorld = {
      name,
      parent,
      version: 0,
      meta,
      status: 'open',
      now: copyOf(tables),
      base: copyOf(tables),
      checkpoints: new Map(),
      merges: [],
      history: [{ event: parent === null ? 'create' : 'fork', rows: 0 }],
      past: [copyOf(tables)],
    };
    this.#open.set(name, world);
    this.#ever.set(name, world);
    return world;
  }

  #note(world: ModelWorld, event: string, rows: number): void {
    world.history.push({ event, rows });
    world.past.push(copyOf(world.now));
  }

  #world(name = 'main'): ModelWorld {
    const world = this.#open.get(name);
    if (world === undefined) throw new SvcError('3D000', name);
    return world;
  }

  /** The state after the world's n-th own event (0: its fork). */
  pastOf(name: string, n: number): Tables {
    return this.#ever.get(name)!.past[n];
  }

  eventsOf(name: string): number {
    return this.#ever.get(name)!.past.length;
  }

  names(): string[] {
    return [...this.#open.keys()];
  }

  everNames(): string[] {
    return [...this.#ever.keys()];
  }

  tables(name: string): Tables {
    return this.#world(name).now;
  }

  get({ branch, table, id }: { branch?: string; table: string; id: string }): { id: string; row: Row } {
    const row = rowOf(this.#world(branch).now, table, id);
    if (row === null) throw new SvcError('02000', id);
    return { id, row };
  }

  batch({ branch, rows }: { branch?: string; rows: { table: string; id: string; record: Row | null }[] }): { ok: true; count: number; version: number } {
    const world = this.#world(branch);
    if (rows.length === 0) return { ok: true, count: 0, version: world.version };
    const before = copyOf(world.now);
    for (const { table, id, record } of rows) {
      const { id: _id, ...rest } = record ?? {};
      setRow(world.now, table, id, record === null ? null : rest);
    }
    world.version++;
    this.#note(world, 'write', changedKeys(before, world.now).length);
    return { ok: true, count: rows.length, version: world.version };
  }

  put({ branch, table, id, record }: { branch?: string; table: string; id: string; record: Row }): { ok: true; version: number } {
    const { version } = this.batch({ branch, rows: [{ table, id, record }] });
    return { ok: true, version };
  }

  delete(input: { branch?: string; table: string; id: string }): { ok: true; version: number } {
    this.get(input);
    const { version } = this.batch({ branch: input.branch, rows: [{ table: input.table, id: input.id, record: null }] });
    return { ok: true, version };
  }

  find({ branch, table, where = {}, limit = 20, offset = 0 }: { branch?: string; table: string; where?: Row; limit?: number; offset?: number }): object {
    const rows = [...(this.#world(branch).now.get(table) ?? [])].filter(([, row]) =>
      Object.entries(where).every(([name, value]) => Object.hasOwn(row, name) && same(row[name], value)),
    );
    rows.sort(([a], [b]) => bytewise(a, b));
    const hits = rows.slice(offset, offset + limit).map(([id, row]) => ({ id, score: 0, row }));
    const next = offset + hits.length;
    return { total: rows.length, hits, next_offset: next < rows.length && hits.length > 0 ? next : null };
  }

  fork({ name, from = 'main', meta = {}, past }: { name: string; from?: string; meta?: Row; past?: number }): void {
    const parent = this.#world(from);
    if (this.#open.has(name)) throw new SvcError('42P04', name);
    this.#add(name, parent, past === undefined ? parent.now : parent.past[past], meta);
  }

  set_meta({ branch, meta }: { branch?: string; meta: Row }): void {
    const world = this.#world(branch);
    for (const [key, value] of Object.entries(meta)) {
      if (value === null) delete world.meta[key];
      else world.meta[key] = value;
    }
    this.#note(world, 'metadata', 0);
  }

  history({ branch = 'main' }: { branch?: string }): { event: string; rows: number }[] {
    const world = this.#ever.get(branch);
    if (world === undefined) throw new SvcError('3D000', branch);
    return world.history.toReversed();
  }

  checkpoint({ branch, name }: { branch?: string; name: string }): void {
    const world = this.#world(branch);
    if (world.checkpoints.has(name)) throw new SvcError('42710', name);
    world.checkpoints.set(name, copyOf(world.now));
    this.#note(world, 'checkpoint', 0);
  }

  restore({ branch, checkpoint, past }: { branch?: string; checkpoint?: string; past?: number }): { ok: true; restored: number } {
    const world = this.#world(branch);
    const target = checkpoint === undefined ? world.past[past!] : world.checkpoints.get(checkpoint);
    if (target === undefined) throw new SvcError('42704', checkpoint!);
    const restored = changedKeys(world.now, target).length;
    world.now = copyOf(target);
    world.version++;
    this.#note(world, 'restore', restored);
    return { ok: true, restored };
  }

  #children(world: ModelWorld): ModelWorld[] {
    return [...this.#open.values()].filter(({ parent }) => parent === world);
  }

  discard({ branch, cascade = false }: { branch: string; cascade?: boolean }): void {
    const world = this.#world(branch);
    if (world.parent === null) throw new SvcError('22023', 'main');
    const children = this.#children(world);
    if (children.length > 0 && !cascade) throw new SvcError('2BP01', branch);
    for (const child of children) this.discard({ branch: child.name, cascade: true });
    this.#leave(world, 'discarded');
    this.#note(world, 'discard', 0);
  }

  #leave(world: ModelWorld, status: 'merged' | 'discarded'): void {
    world.status = status;
    this.#open.delete(world.name);
  }

  diff({ branch, to, count, limit, after, deletes, version }: DiffInput): DiffReply {
    const world = this.#world(branch);
    if (to === undefined && world.parent === null) throw new SvcError('22023', 'main');
    if (version !== undefined && version !== world.version) throw new SvcError('40001', 'stale');
    const [a, b] = to === undefined ? [world.base, world.now] : [world.now, this.#world(to).now];
    const all: (Change & { table: string })[] = changedKeys(a, b).map(([table, id]) => {
      const before = rowOf(a, table, id);
      const next = rowOf(b, table, id);
      const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(next ?? {})])].sort();
      const columns = names.filter(
        (name) =>
          before === null || next === null || !same(Object.hasOwn(before, name) ? before[name] : undefined, Object.hasOwn(next, name) ? next[name] : undefined),
      );
      return { table, key: keyOf(table, id), before, after: next, columns };
    });
    const shown = all.filter((change) => deletes === undefined || deletes === (change.after === null));
    const reply: DiffReply = { version: world.version };
    const paged = limit !== undefined || after !== undefined;
    if (paged || count !== true) {
      const from = after === undefined ? 0 : shown.findIndex(({ key }) => key === after) + 1;
      const page = shown.slice(from, from + (limit ?? Infinity));
      reply.changes = page.map(({ table: _table, ...change }) => change);
      if (paged) reply.next = page.length > 0 && from + page.length < shown.length ? page[page.length - 1].key : null;
    }
    if (count === true) {
      reply.total = shown.length;
      reply.tables = {};
      for (const { table } of shown) reply.tables[table] = (reply.tables[table] ?? 0) + 1;
      if (!paged) {
        reply.summary = summarise(shown);
        if (to === undefined) reply.effects = [];
      }
    }
    return reply;
  }

  #plan(branch: ModelWorld, target: ModelWorld, input: MergeInput): Plan {
    const only = (table: string, key: string): boolean =>
      (input.only_tables === undefined && input.only_keys === undefined) ||
      input.only_tables?.includes(table) === true ||
      input.only_keys?.includes(key) === true;
    const result: [string, string, Row | null][] = [];
    const settled: [string, string][] = [];
    const conflicts: Omit<Conflict, 'explanation'>[] = [];
    const rows: Omit<PreviewRow, 'detail'>[] = [];
    const picks = new Map(Object.entries(input.picks ?? {}));
    for (const [table, id] of changedKeys(branch.base, branch.now)) {
      const key = keyOf(table, id);
      if (!only(table, key)) continue;
      const [base, ours, theirs] = [rowOf(branch.base, table, id), rowOf(target.now, table, id), rowOf(branch.now, table, id)];
      if (this.#ignoreDeletes && theirs === null) continue;
      settled.push([table, id]);
      const pick = picks.get(key);
      picks.delete(key);
      const settle = (row: Row | null): void => {
        const outcome = same(row, ours) ? 'keep' : row === null ? 'delete' : ours === null ? 'insert' : 'update';
        if (!same(row, ours)) result.push([table, id, row]);
        rows.push({ key, outcome, delete: outcome === 'delete', base, ours, theirs, result: row });
      };
      if (pick === 'ours') settle(ours);
      else if (pick === 'theirs') settle(theirs);
      else if (pick !== undefined) settle(pick);
      else if (same(ours, base)) settle(theirs);
      else if (same(ours, theirs)) continue;
      else if (input.columns === true && ours !== null && theirs !== null) {
        const merged: Row = { ...ours };
        let clash = false;
        for (const name of new Set([...Object.keys(base ?? {}), ...Object.keys(theirs), ...Object.keys(ours)])) {
          const [b, o, t] = [base, ours, theirs].map((row) => (row !== null && Object.hasOwn(row, name) ? row[name] : undefined));
          if (same(t, b) || same(t, o)) continue;
          if (!same(o, b)) {
            if (input.resolve === 'ours') continue;
            if (input.resolve !== 'theirs') clash = true;
          }
          if (t === undefined) delete merged[name];
          else Object.defineProperty(merged, name, { value: t, enumerable: true, configurable: true, writable: true });
        }
        if (clash) {
          conflicts.push({ key, base, ours, theirs });
          rows.push({ key, outcome: 'conflict', delete: false, base, ours, theirs, result: null });
        } else settle(merged);
      } else if (input.resolve === 'ours') settle(ours);
      else if (input.resolve === 'theirs') settle(theirs);
      else {
        conflicts.push({ key, base, ours, theirs });
        rows.push({ key, outcome: 'conflict', delete: false, base, ours, theirs, result: null });
      }
    }
    if (picks.size > 0) throw new SvcError('22023', 'pick');
    rows.sort((a, b) => Number(b.delete) - Number(a.delete));
    return { result, settled, conflicts, rows };
  }

  #prepare(input: MergeInput): { branch: ModelWorld; target: ModelWorld; stays: boolean; plan: Plan } {
    const branch = this.#world(input.branch);
    if (branch.parent === null && input.into === undefined) throw new SvcError('22023', 'main');
    const target = input.into === undefined ? branch.parent! : this.#world(input.into);
    if (target === branch) throw new SvcError('22023', 'itself');
    if (input.version !== undefined && input.version !== branch.version) throw new SvcError('40001', 'stale');
    if (input.target !== undefined && input.target !== target.version) throw new SvcError('40001', 'stale');
    return {
      branch,
      target,
      stays: input.into !== undefined || input.only_tables !== undefined || input.only_keys !== undefined,
      plan: this.#plan(branch, target, input),
    };
  }

  preview(input: MergeInput): object {
    const { branch, target, plan } = this.#prepare(input);
    return { rows: plan.rows, conflicts: plan.conflicts, version: branch.version, target: target.version };
  }

  merge(input: MergeInput): { merged: number; version?: number } {
    const { branch, target, stays, plan } = this.#prepare(input);
    if (!stays && this.#children(branch).length > 0) throw new SvcError('2BP01', branch.name);
    if (plan.conflicts.length > 0) throw new SvcError('SV409', 'conflict', { data: { conflicts: plan.conflicts } });
    const before = copyOf(target.now);
    for (const [table, id, row] of plan.result) setRow(target.now, table, id, row);
    target.version++;
    const settles = stays && target === branch.parent;
    branch.merges.push({
      into: target,
      before,
      after: copyOf(target.now),
      keys: plan.result.map(([table, id]) => [table, id]),
      baseBefore: settles ? copyOf(branch.base) : null,
      undone: false,
    });
    this.#note(target, stays ? 'merge part' : 'merge', plan.result.length);
    if (stays) {
      if (settles) for (const [table, id] of plan.settled) setRow(branch.base, table, id, rowOf(branch.now, table, id));
      branch.version++;
    } else this.#leave(branch, 'merged');
    this.#note(branch, stays ? 'merge part' : 'merge', plan.result.length);
    return stays ? { merged: plan.result.length, version: branch.version } : { merged: plan.result.length };
  }

  rebase(input: MergeInput): { ok: true; rebased: number; version: number } {
    const branch = this.#world(input.branch);
    if (branch.parent === null) throw new SvcError('22023', 'main');
    const { target, plan } = this.#prepare({ ...input, into: undefined });
    if (plan.conflicts.length > 0) throw new SvcError('SV409', 'conflict', { data: { conflicts: plan.conflicts } });
    branch.base = copyOf(target.now);
    for (const merge of branch.merges) merge.baseBefore = null;
    branch.now = copyOf(target.now);
    for (const [table, id, row] of plan.result) setRow(branch.now, table, id, row);
    branch.version++;
    this.#note(branch, 'rebase', plan.result.length);
    return { ok: true, rebased: plan.result.length, version: branch.version };
  }

  undo_merge({ branch: name, skip_changed = false }: { branch: string; skip_changed?: boolean }): {
    ok: true;
    parent: string;
    undone: number;
    skipped: number;
  } {
    const branch = this.#ever.get(name);
    if (branch === undefined) throw new SvcError('3D000', name);
    const merge = branch.merges.findLast(({ undone }) => !undone);
    if (merge === undefined || merge.into.status !== 'open') throw new SvcError('55000', name);
    const changed = merge.keys.filter(([table, id]) => !same(rowOf(merge.into.now, table, id), rowOf(merge.after, table, id)));
    if (changed.length > 0 && !skip_changed) throw new SvcError('40001', 'changed', { data: { changed: changed.map(([table, id]) => keyOf(table, id)) } });
    let undone = 0;
    for (const [table, id] of merge.keys) {
      if (changed.some(([t, i]) => t === table && i === id)) continue;
      setRow(merge.into.now, table, id, rowOf(merge.before, table, id));
      undone++;
    }
    merge.undone = true;
    merge.into.version++;
    this.#note(merge.into, 'undo merge', undone);
    if (merge.baseBefore !== null && branch.status === 'open') {
      const settled = changedKeys(merge.baseBefore, branch.base);
      if (settled.length > 0) {
        branch.base = merge.baseBefore;
        branch.version++;
        this.#note(branch, 'undo merge', undone);
      }
    }
    return { ok: true, parent: merge.into.name, undone, skipped: changed.length };
  }
}

function summarise(changes: readonly (Change & { table: string })[]): TableSummary[] {
  const out = new Map<string, TableSummary>();
  for (const { table, before, after } of changes) {
    const summary = out.get(table) ?? { table, deleted: 0, updated: 0, inserted: 0 };
    out.set(table, summary);
    if (after === null) summary.deleted++;
    else if (before === null) summary.inserted++;
    else summary.updated++;
  }
  return [...out.values()].sort((a, b) => b.deleted - a.deleted || bytewise(a.table, b.table));
}
