/** Seeded sequences of commands, run on the engine and on the naive model, replies and states compared. */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Commands, Json, MergeInput, Row } from '../../src/commands/contract.ts';
import { keyOf, type NaiveModel, same, type Tables } from './naive-model.ts';

/** Mulberry32: small, seeded, good enough to pick commands. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const TABLES = ['users', 'orders', 'Ünï', 's.t'];
const IDS = ['a', 'b', 'c', 'd', 'e/f', 'g%2Fh', 'ä,x', '10', '9', '中文', '🙂'];
const FIELDS = ['n', 'name', 'tags', 'ok', '__proto__', 'constructor'];
const VALUES: Json[] = [
  0,
  1,
  -5,
  1.5,
  2 ** 40,
  'x',
  '',
  'ü🙂',
  '5',
  true,
  false,
  null,
  [],
  {},
  [1, 'a', null],
  { b: 1, a: { c: [] } },
  { a: { c: [] }, b: 1 },
  1e300,
];

/** A moment of a world as the engine names it, by the model's count of the world's events. */
async function momentOf(engine: Commands, name: string, n: number, total: number, sequences: Map<string, number[]>): Promise<string> {
  void engine;
  void total;
  return `${name}@#${sequences.get(name)![n]}`;
}

export class Comparison {
  readonly #random: () => number;
  readonly #model: NaiveModel;
  #engine: Commands;
  #forks = 0;
  /** Sequence of each event of each world: the engine's log head right after it. */
  readonly #sequences = new Map<string, number[]>([['main', [2]]]);
  readonly #head: () => number;

  constructor(engine: Commands, model: NaiveModel, seed: number, head: () => number) {
    this.#engine = engine;
    this.#model = model;
    this.#random = randomFrom(seed);
    this.#head = head;
  }

  useEngine(engine: Commands): void {
    this.#engine = engine;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)];
  }

  #chance(p: number): boolean {
    return this.#random() < p;
  }

  #record(): Row {
    const row: Row = {};
    for (const field of FIELDS) {
      if (this.#chance(field.startsWith('_') || field === 'constructor' ? 0.05 : 0.5))
        Object.defineProperty(row, field, { value: this.#pick(VALUES), enumerable: true, configurable: true, writable: true });
    }
    return row;
  }

  #mergeInput(branch: string): MergeInput {
    const input: MergeInput = { branch };
    if (this.#chance(0.3)) input.resolve = this.#pick(['fail', 'ours', 'theirs'] as const);
    if (this.#chance(0.3)) input.columns = true;
    if (this.#chance(0.2)) input.only_tables = [this.#pick(TABLES)];
    if (this.#chance(0.2)) input.only_keys = [keyOf(this.#pick(TABLES), this.#pick(IDS)), keyOf(this.#pick(TABLES), this.#pick(IDS))];
    if (this.#chance(0.15)) input.into = this.#pick(this.#model.names());
    if (this.#chance(0.3)) {
      input.picks = {};
      const changes = this.#try(() => this.#model.diff({ branch }));
      for (const { key } of changes?.changes ?? []) {
        if (input.only_tables !== undefined || input.only_keys !== undefined || !this.#chance(0.4)) continue;
        input.picks[key] = this.#pick(['ours', 'theirs', null, this.#record()] as const);
      }
    }
    if (this.#chance(0.1)) input.version = Math.floor(this.#random() * 4);
    if (this.#chance(0.1)) input.target = Math.floor(this.#random() * 4);
    return input;
  }

  #try<T>(work: () => T): T | null {
    try {
      return work();
    } catch {
      return null;
    }
  }

  async step(n: number): Promise<void> {
    const model = this.#model;
    const branch = this.#chance(0.05) ? 'nowhere' : this.#pick(model.names());
    const table = this.#pick(TABLES);
    const id = this.#pick(IDS);
    const roll = this.#random();
    if (roll < 0.3) {
      const record = this.#record();
      return this.#both(
        n,
        'put',
        { branch, table, id, record },
        () => model.put({ branch, table, id, record }),
        (e) => e.put({ branch, table, id, record }),
      );
    }
    if (roll < 0.38)
      return this.#both(
        n,
        'delete',
        { branch, table, id },
        () => model.delete({ branch, table, id }),
        (e) => e.delete({ branch, table, id }),
      );
    if (roll < 0.46) {
      const rows = Array.from({ length: Math.floor(this.#random() * 8) }, () => ({
        table: this.#pick(TABLES),
        id: this.#pick(IDS),
        record: this.#chance(0.3) ? null : this.#record(),
      }));
      return this.#both(
        n,
        'batch',
        { branch, rows },
        () => model.batch({ branch, rows }),
        (e) => e.batch({ branch, rows }),
      );
    }
    if (roll < 0.55) {
      const name = this.#chance(0.2) ? this.#pick(model.everNames()) : `w${++this.#forks}`;
      const past = this.#chance(0.3) && branch !== 'nowhere' ? Math.floor(this.#random() * model.eventsOf(branch)) : undefined;
      const from = past === undefined ? branch : await momentOf(this.#engine, branch, past, model.eventsOf(branch), this.#sequences);
      return this.#both(
        n,
        'fork',
        { name, from },
        () => void model.fork({ name, from: branch, past }),
        async (e) => void (await e.fork({ name, from })),
      );
    }
    if (roll < 0.62) {
      const where: Row = this.#chance(0.5) ? { [this.#pick(['n', 'name', 'tags', 'ok'])]: this.#pick(VALUES) } : {};
      const input = { branch, table, where, limit: Math.floor(this.#random() * 5), offset: Math.floor(this.#random() * 3) };
      return this.#both(
        n,
        'find',
        input,
        () => model.find(input),
        (e) => e.find(input),
      );
    }
    if (roll < 0.7) {
      const input = {
        branch,
        to: this.#chance(0.3) ? this.#pick(model.names()) : undefined,
        count: this.#chance(0.3) || undefined,
        limit: this.#chance(0.4) ? 1 + Math.floor(this.#random() * 3) : undefined,
        deletes: this.#chance(0.2) ? this.#chance(0.5) : undefined,
      };
      return this.#both(
        n,
        'diff',
        input,
        () => model.diff(input),
        (e) => e.diff(input),
      );
    }
    if (roll < 0.82) {
      const input = this.#mergeInput(branch);
      if (this.#chance(0.4)) {
        return this.#both(
          n,
          'preview',
          input,
          () => model.preview(input),
          async (e) => {
            const { rows, conflicts, version, target } = await e.preview(input);
            return {
              rows: rows.map(({ detail: _detail, ...row }) => row),
              conflicts: conflicts.map(({ explanation: _explanation, ...rest }) => rest),
              version,
              target,
            };
          },
        );
      }
      return this.#both(
        n,
        'merge',
        input,
        () => model.merge(input),
        (e) => e.merge({ ...input, dry_run: false }),
      );
    }
    if (roll < 0.86) {
      const { resolve, columns, picks } = this.#mergeInput(branch);
      return this.#both(
        n,
        'rebase',
        { branch, resolve, columns, picks },
        () => model.rebase({ branch, resolve, columns, picks }),
        (e) => e.rebase({ branch, resolve, columns, picks }),
      );
    }
    if (roll < 0.91) {
      const name = this.#pick(model.everNames());
      const skip_changed = this.#chance(0.4);
      return this.#both(
        n,
        'undo_merge',
        { branch: name, skip_changed },
        () => model.undo_merge({ branch: name, skip_changed }),
        async (e) => {
          const { at: _at, ...reply } = await e.undo_merge({ branch: name, skip_changed });
          return reply;
        },
      );
    }
    if (roll < 0.94) {
      const name = this.#pick(['one', 'two', 'three']);
      if (this.#chance(0.5))
        return this.#both(
          n,
          'checkpoint',
          { branch, name },
          () => void model.checkpoint({ branch, name }),
          async (e) => void (await e.checkpoint({ branch, name })),
        );
      return this.#both(
        n,
        'rollback',
        { branch, name },
        () => model.restore({ branch, checkpoint: name }),
        (e) => e.rollback({ branch, checkpoint: name }),
      );
    }
    if (roll < 0.96) {
      if (branch === 'nowhere') return;
      const past = Math.floor(this.#random() * model.eventsOf(branch));
      const at = `#${this.#sequences.get(branch)![past]}`;
      return this.#both(
        n,
        'restore',
        { branch, at },
        () => model.restore({ branch, past }),
        (e) => e.restore({ branch, at }),
      );
    }
    if (roll < 0.98) {
      const cascade = this.#chance(0.3);
      return this.#both(
        n,
        'discard',
        { branch, cascade },
        () => void model.discard({ branch, cascade }),
        async (e) => void (await e.discard({ branch, cascade })),
      );
    }
    const meta = { k: this.#pick(VALUES) };
    return this.#both(
      n,
      'set_meta',
      { branch, meta },
      () => void model.set_meta({ branch, meta }),
      async (e) => void (await e.set_meta({ branch, meta })),
    );
  }

  async #both(n: number, op: string, input: object, naive: () => unknown, real: (engine: Commands) => Promise<unknown>): Promise<void> {
    const counts = new Map(this.#model.everNames().map((name) => [name, this.#model.eventsOf(name)]));
    const expected = await outcome(async () => naive());
    const found = await outcome(() => real(this.#engine));
    if (!same(plain(expected), plain(found))) {
      throw new Error(`step ${n}: ${op} ${JSON.stringify(input)}\n  model:  ${JSON.stringify(expected)}\n  engine: ${JSON.stringify(found)}`);
    }
    // A name that is taken again begins a new list.
    for (const name of this.#model.everNames()) {
      const now = this.#model.eventsOf(name);
      const before = counts.get(name);
      if (before === undefined || (op === 'fork' && (input as { name: string }).name === name && expected === 'done'))
        this.#sequences.set(name, [this.#head()]);
      else for (let i = before; i < now; i++) this.#sequences.get(name)!.push(this.#head());
    }
  }

  /** Every world, now and at some of its past moments, row by row. */
  async compareAll(): Promise<void> {
    for (const name of this.#model.names()) {
      await this.#compareState(name, name, this.#model.tables(name));
      for (let k = 0; k < 3; k++) {
        const n = Math.floor(this.#random() * this.#model.eventsOf(name));
        await this.#compareState(`${name}@#${this.#sequences.get(name)![n]}`, name, this.#model.pastOf(name, n));
      }
      const { events } = await this.#engine.history({ branch: name, limit: 10_000 });
      const words = events.map(({ event, rows }) => ({ event, rows }));
      if (!same(words as unknown as Json, this.#model.history({ branch: name }) as unknown as Json)) {
        throw new Error(`history of ${name}\n  model:  ${JSON.stringify(this.#model.history({ branch: name }))}\n  engine: ${JSON.stringify(words)}`);
      }
    }
    const { branches } = await this.#engine.branches();
    const found = branches.map(({ name }) => name).sort();
    if (!same(found, this.#model.names().sort())) throw new Error(`worlds: ${JSON.stringify(found)} instead of ${JSON.stringify(this.#model.names())}`);
  }

  async #compareState(branch: string, name: string, tables: Tables): Promise<void> {
    for (const table of TABLES) {
      const { hits, total } = await this.#engine.find({ branch, table, limit: 1000 });
      const found = Object.fromEntries(hits.map(({ id, row }) => [id, row]));
      const expected = Object.fromEntries(tables.get(table) ?? []);
      if (total !== hits.length || !same(found, expected))
        throw new Error(`${branch} (${name}) table ${table}\n  model:  ${JSON.stringify(expected)}\n  engine: ${JSON.stringify(found)}`);
    }
  }
}

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await work()) ?? 'done';
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const conflicts = (error.data?.['conflicts'] as { explanation?: string }[] | undefined)?.map(({ explanation: _explanation, ...rest }) => rest);
    return {
      error: error.code,
      ...(conflicts === undefined ? {} : { conflicts }),
      ...(error.data?.['changed'] === undefined ? {} : { changed: error.data['changed'] as Json }),
    };
  }
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
