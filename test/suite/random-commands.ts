/**
 * Random sequences of commands: few tables, few ids, few fields, every JSON type, so that the rare meetings
 * are common. A command is plain data, generated from a seed and from what the first database says it holds.
 */
import type { Commands, Json, MergeInput, Row } from '../../src/commands/contract.ts';
import type { Random } from './random.ts';

export const TABLES = ['t', 's', 'tä/x', 's.t'];
const IDS = ['a', 'b', 'c', '10', '9', 'a/b', 'a,b', '5%', 'g%2Fh', 'é', '中文', '\uFFFD', '🙂'];
const FIELDS = ['n', 'm', 'ü', 'constructor', '__proto__'];
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  -3,
  1.5,
  2 ** 40,
  1e300,
  '',
  'x',
  '1',
  'it\'s "é🙂"',
  [],
  [1, [null]],
  {},
  { a: 1, b: [2] },
  { b: [2], a: 1 },
  { a: { é: '🙂' } },
];
const WORLDS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'];
const CHECKPOINTS = ['c1', 'c2'];

export interface RandomCommand {
  name: keyof Commands;
  input: { [field: string]: unknown };
}

type Maker = (gen: CommandGenerator) => Promise<object> | object;

const MAKERS: [weight: number, name: keyof Commands, make: Maker][] = [
  [16, 'put', (gen) => ({ branch: gen.writable(), ...gen.rowName(), record: gen.record() })],
  [12, 'batch', (gen) => ({ branch: gen.writable(), rows: gen.entries() })],
  [7, 'delete', (gen) => ({ branch: gen.writable(), ...gen.rowName() })],
  [10, 'fork', (gen) => ({ name: gen.random.of(WORLDS), from: gen.random.chance(0.25) ? gen.past() : gen.open() })],
  [9, 'merge', (gen) => gen.merge()],
  [6, 'preview', (gen) => gen.merge()],
  [5, 'rebase', (gen) => gen.rebase()],
  [6, 'undo_merge', (gen) => ({ branch: gen.ever(), skip_changed: gen.random.chance(0.4) })],
  [3, 'restore', (gen) => (gen.random.chance(0.6) ? { branch: gen.open(), at: gen.moment() } : { branch: gen.open(), checkpoint: gen.random.of(CHECKPOINTS) })],
  [2, 'rollback', (gen) => ({ branch: gen.open(), checkpoint: gen.random.of(CHECKPOINTS) })],
  [3, 'checkpoint', (gen) => ({ branch: gen.open(), name: gen.random.of(CHECKPOINTS) })],
  [3, 'discard', (gen) => ({ branch: gen.open(), cascade: gen.random.chance(0.25) })],
  [9, 'diff', (gen) => gen.diff()],
  [3, 'find', (gen) => gen.find()],
  [2, 'get', (gen) => ({ branch: gen.readable(), ...gen.rowName() })],
  [2, 'history', (gen) => ({ branch: gen.ever(), limit: gen.random.chance(0.5) ? gen.random.below(5) : undefined })],
  [1, 'set_meta', (gen) => ({ branch: gen.open(), meta: { [gen.random.of(['k', 'l'])]: gen.random.of(VALUES) } })],
  [1, 'world', (gen) => ({ branch: gen.ever() })],
  [1, 'branches', () => ({})],
];

export class CommandGenerator {
  readonly random: Random;
  readonly #markable: boolean;
  #marks = 0;
  #commands: Commands;
  #open: string[] = ['main'];
  #versions = new Map<string, number>();
  #moments: string[] = [];

  /** `markable`: every `#mark<n>` in a command represents a sequence that the two databases number differently. */
  constructor(commands: Commands, random: Random, markable: boolean) {
    this.#commands = commands;
    this.random = random;
    this.#markable = markable;
  }

  use(commands: Commands): void {
    this.#commands = commands;
  }

  /** `mark` is called where the generator will look back to this moment by sequence, with the number of its mark. */
  async next(now: string, mark: (number: number) => void): Promise<RandomCommand> {
    const { branches } = await this.#commands.branches();
    this.#open = branches.map(({ name }) => name).sort();
    this.#versions = new Map(branches.map(({ name, version }) => [name, version]));
    if (this.random.chance(0.3)) {
      if (this.#markable && this.random.chance(0.4)) {
        mark(this.#marks);
        this.#moments.push(`#mark${this.#marks++}`);
      } else this.#moments.push(now);
    }
    const total = MAKERS.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.random.below(total);
    for (const [weight, name, make] of MAKERS) {
      at -= weight;
      if (at < 0) return { name, input: { ...(await make(this)) } };
    }
    throw new Error('the weights do not add up');
  }

  /** Every moment the sequence may look back to. */
  get moments(): readonly string[] {
    return this.#moments;
  }

  open(): string {
    return this.random.chance(0.2) ? 'main' : this.random.of(this.#open);
  }

  /** Seldom a world that is not there. */
  ever(): string {
    return this.random.chance(0.3) ? this.random.of(WORLDS) : this.open();
  }

  writable(): string {
    const roll = this.random.next();
    return roll < 0.02 ? this.past() : roll < 0.04 ? this.ever() : this.open();
  }

  moment(): string {
    return this.#moments.length > 0 && this.random.chance(0.8) ? this.random.of(this.#moments) : `-${this.random.below(30)}s`;
  }

  past(): string {
    return `${this.ever()}@${this.moment()}`;
  }

  readable(): string {
    return this.random.chance(0.3) ? this.past() : this.open();
  }

  rowName(): { table: string; id: string } {
    return {
      table: this.random.chance(0.7) ? 't' : this.random.of(TABLES),
      id: this.random.chance(0.6) ? this.random.of(IDS.slice(0, 3)) : this.random.of(IDS),
    };
  }

  record(): Row {
    const row: Row = {};
    for (const field of FIELDS) {
      // Defined, because an assignment to `__proto__` makes no field.
      if (this.random.chance(field.startsWith('_') ? 0.05 : 0.4))
        Object.defineProperty(row, field, { value: this.random.of(VALUES), enumerable: true, configurable: true, writable: true });
    }
    return row;
  }

  entries(): { table: string; id: string; record: Row | null }[] {
    return Array.from({ length: this.random.below(6) }, () => ({ ...this.rowName(), record: this.random.chance(0.3) ? null : this.record() }));
  }

  async merge(): Promise<MergeInput & { dry_run?: false }> {
    const { random } = this;
    const isOfMain = random.chance(0.12);
    const branch = isOfMain ? 'main' : this.#branch();
    const input: MergeInput & { dry_run?: false } = { branch, ...(await this.#resolution(branch)) };
    const only = random.below(100);
    if (only < 35) {
      // Only a table that some side has can be named.
      const keys = await this.#changedKeys(branch);
      const tables = TABLES.filter((table) => keys.some((key) => key.startsWith(`${table}/`)));
      if (only < 15 && tables.length > 0) input.only_tables = [random.of(tables)];
      // Now and then a row that the branch may not have changed at all.
      if (tables.length > 0 && random.chance(0.3)) keys.push(`${random.of(tables)}/${random.of(['a', 'b', 'c', '10', '9'])}`);
      if ((only >= 15 || random.chance(0.2)) && keys.length > 0) input.only_keys = Array.from({ length: 1 + random.below(2) }, () => random.of(keys));
    }
    if (random.chance(0.3)) input.into = this.open();
    if (isOfMain) input.into = this.#branch();
    if (random.chance(0.08)) input.target = (this.#versions.get('main') ?? 0) - (random.chance(0.2) ? 1 : 0);
    return input;
  }

  async rebase(): Promise<RandomCommand['input']> {
    const branch = this.#branch();
    return { branch, ...(await this.#resolution(branch)) };
  }

  #branch(): string {
    const branches = this.#open.filter((name) => name !== 'main');
    return branches.length === 0 || this.random.chance(0.03) ? this.ever() : this.random.of(branches);
  }

  async #resolution(branch: string): Promise<Pick<MergeInput, 'resolve' | 'columns' | 'picks' | 'version'>> {
    const { random } = this;
    const out: Pick<MergeInput, 'resolve' | 'columns' | 'picks' | 'version'> = {};
    if (random.chance(0.6)) out.resolve = random.of(['fail', 'ours', 'theirs'] as const);
    if (random.chance(0.4)) out.columns = true;
    if (random.chance(0.2)) out.version = Math.abs((this.#versions.get(branch) ?? 0) - (random.chance(0.1) ? 1 : 0));
    if (random.chance(0.3)) {
      const keys = await this.#changedKeys(branch);
      out.picks = {};
      for (const key of keys) if (random.chance(0.4)) out.picks[key] = random.of(['ours', 'theirs', null, this.record()] as const);
      if (random.chance(0.05)) out.picks['t/never'] = 'ours';
    }
    return out;
  }

  async #changedKeys(branch: string): Promise<string[]> {
    const { changes = [] } = await this.#commands.diff({ branch }).catch(() => ({ changes: [] }));
    return changes.map(({ key }) => key);
  }

  async diff(): Promise<RandomCommand['input']> {
    const { random } = this;
    const branch = random.chance(0.25) ? this.past() : random.chance(0.7) ? this.#branch() : this.open();
    const input: RandomCommand['input'] = { branch };
    if (random.chance(0.4)) input.to = this.readable();
    if (random.chance(0.3)) input.count = true;
    if (random.chance(0.2)) input.deletes = random.chance(0.5);
    if (random.chance(0.1)) input.sql = true;
    else if (random.chance(0.4)) {
      if (random.chance(0.8)) input.limit = random.below(4);
      const keys = await this.#changedKeys(branch);
      if (keys.length > 0 && random.chance(0.6)) input.after = random.of(keys);
    }
    if (random.chance(0.1)) input.version = this.#versions.get(branch) ?? 0;
    return input;
  }

  find(): RandomCommand['input'] {
    const { random } = this;
    const input: RandomCommand['input'] = { branch: this.readable(), table: random.of(TABLES) };
    if (random.chance(0.5)) input.where = { [random.of(FIELDS)]: random.of(VALUES) };
    if (random.chance(0.4)) input.limit = random.below(4);
    if (random.chance(0.4)) input.offset = random.below(4);
    return input;
  }
}
