/** A database with all identities of the table of rights, and the worlds that each action meets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from '../../src/database.ts';
import type { Agent } from '../../src/session/principal.ts';
import type { Capability } from '../../src/session/capability.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { GUEST, OWNER, type Principal } from '../../src/session/principal.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { randomFrom } from '../suite/random.ts';
import type { Action } from './rights-actions.ts';

export const MATRIX = join(import.meta.dirname, 'rights-matrix.txt');
const ROUTINES = `CREATE FUNCTION wipes() RETURNS void LANGUAGE sql AS 'DELETE FROM typed';
  CREATE FUNCTION wipes_as_owner() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM typed';
  CREATE FUNCTION secrets() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS 'SELECT rolpassword FROM pg_authid';
  CREATE PROCEDURE wipe() LANGUAGE sql AS 'DELETE FROM typed'`;
const ADMIN = 'the-admin-token-of-this-test';

/** Name in the table → capabilities; null: no agent. */
const IDENTITIES: [string, Capability[] | null][] = [
  ['owner', null],
  ['guest', null],
  ['none', []],
  ['read', ['read']],
  ['usual', ['read', 'fork', 'write_own']],
  ['blind', ['fork', 'write_own']],
  ['write', ['read', 'fork', 'write']],
  ['wmain', ['read', 'fork', 'write_main']],
  ['mown', ['read', 'write_own', 'merge_own']],
  ['mmain', ['read', 'write_own', 'write_main', 'merge_own']],
  ['merge', ['read', 'merge']],
  ['rest', ['read', 'write_own', 'restore']],
  ['undo', ['read', 'restore', 'merge']],
  ['outbox', ['read', 'outbox']],
  ['admin', ['admin']],
  ['off', ['admin']],
];

export interface StagedIdentity {
  readonly name: string;
  readonly principal: Principal;
  /** Creates its worlds, regardless of its rights. */
  readonly maker: Principal;
  /** null: none is sent. */
  readonly token: string | null;
}

export interface Staged {
  readonly action: Action;
  readonly worlds: readonly string[];
}

export class RightsStage {
  readonly identities: StagedIdentity[] = [];
  db!: Database;
  /** Safe mode with an admin token: all identities meet at one server. */
  identity!: ServerIdentity;
  #past = '';
  #tries = 0;
  #mainVersion = -1;

  static async open(): Promise<RightsStage> {
    const stage = new RightsStage();
    await stage.#open();
    return stage;
  }

  async #open(): Promise<void> {
    const db = await open('/db', {
      fs: new FaultyFileSystem(randomFrom(1)),
      openStore: async () => new MemoryPageStore(),
      // The log holds nothing but what is tried.
      checkpointMs: 1e8,
      checkpointLogBytes: 1e9,
    });
    this.db = db;
    await db.sql({
      sql: `CREATE TABLE typed (id int PRIMARY KEY, name text); INSERT INTO typed VALUES (1, 'a'), (2, 'b'); CREATE SEQUENCE counter; CREATE FOREIGN DATA WRAPPER known`,
    });
    await db.sql({ sql: ROUTINES });
    await db.put({ table: 'items', id: 'a', record: { n: 0 } });
    this.#past = `#${this.head}`;
    await db.checkpoint({ name: 'first' });
    await db.create_agent({ name: 'someone', can: ['admin'] });
    for (const [name, can] of IDENTITIES) {
      if (can === null) {
        const isOwner = name === 'owner';
        this.identities.push({ name, principal: isOwner ? OWNER : GUEST, maker: isOwner ? OWNER : this.#allMay('guest'), token: isOwner ? ADMIN : null });
        continue;
      }
      const { token } = await db.create_agent({ name, can });
      if (name === 'off') await db.alter_agent({ name, disabled: true });
      this.identities.push({ name, principal: db.directory.byName(name)!, maker: this.#allMay(name), token });
    }
    this.identity = new ServerIdentity({ token: null, adminToken: ADMIN, safe: true }, db.directory, new LoginThrottle(1e9));
  }

  get head(): number {
    return this.db.stats()['log_sequence'];
  }

  /** Of the name, so that worlds are its own, and allowed everything. */
  #allMay(name: string): Principal {
    const { usage, state, id } = this.db.directory.byName('someone')!.agent;
    const agent: Agent = { id, name, usage, state: { ...state!, name, can: ['admin'] } };
    return { kind: 'agent', agent };
  }

  /** Worlds for one try, and the action with their names. */
  async prepare(action: Action, { maker }: StagedIdentity): Promise<Staged> {
    const { db } = this;
    const n = ++this.#tries;
    const text = JSON.stringify(action);
    const worlds: string[] = [];
    const someone = db.directory.byName('someone')!;
    const fork = async (name: string, from: string, by: Principal): Promise<void> => {
      await db.fork({ name: `${name}${n}`, from }, by);
      worlds.push(`${name}${n}`);
    };
    const put = (world: string, id: string): Promise<unknown> => db.put({ branch: `${world}${n}`, table: 'items', id, record: { n } });
    if (text.includes('$own') || text.includes('$child')) {
      await fork('own', 'main', maker);
      await put('own', 'own');
      await db.checkpoint({ branch: `own${n}`, name: 'first' });
    }
    if (text.includes('$child') || text.includes('its forks')) await fork('child', `own${n}`, maker);
    if (text.includes('$leaf')) {
      await fork('leaf', 'main', maker);
      await put('leaf', 'new');
    }
    if (text.includes('$lent')) {
      await fork('lent', 'main', maker);
      await fork('lentfork', `lent${n}`, someone);
    }
    if (text.includes('$other')) {
      await fork('other', 'main', someone);
      await put('other', 'other');
      await db.checkpoint({ branch: `other${n}`, name: 'first' });
    }
    if (text.includes('$merged')) {
      await fork('merged', 'main', someone);
      await put('merged', `merged${n}`);
      await db.merge({ branch: `merged${n}` });
    }
    if (text.includes('$simulated')) {
      await db.simulate({ worlds: 1, prefix: `simulated${n}`, script: 'DELETE FROM typed', score: 'SELECT 1', threads: 1 });
      worlds.push(`simulated${n}_0`);
    }
    if (text.includes('$spare')) await db.create_agent({ name: `spare${n}` });
    if (text.includes('$rule')) {
      await db.set_merge_policy({ name: `rule${n}`, rules: {} });
      if (!text.includes('CREATE MERGE CHECK')) await db.set_merge_check({ name: `rule${n}`, query: 'SELECT 1 WHERE false' });
      if (!text.includes('CREATE READER')) await db.set_reader({ name: `rule${n}`, table: 'typed' });
      worlds.push(`rule${n}`);
    }
    if (text.includes('$new')) worlds.push(`new${n}`, `new${n}_0`, `new${n}_1`);
    const filled = text
      .replaceAll('"mark"', `"mark${n}"`)
      .replaceAll(/\$(own|child|leaf|lent|other|merged|new|spare|rule)/g, (_all, name: string) => `${name}${n}`)
      .replaceAll('$simulated', `simulated${n}_0`)
      .replaceAll('$past', this.#past)
      .replaceAll('$now', `#${this.head}`);
    return { action: JSON.parse(filled) as Action, worlds };
  }

  /** Changes are undone, so that every try starts from the same state. */
  async tidy({ action, worlds }: Staged): Promise<void> {
    const { db } = this;
    if ((await db.world({})).version !== this.#mainVersion) {
      await db.restore({ at: this.#past });
      this.#mainVersion = (await db.world({})).version;
    }
    for (const name of worlds.filter((each) => each.startsWith('rule'))) {
      for (const drop of [db.drop_merge_policy, db.drop_merge_check, db.drop_reader]) await drop({ name }).catch(() => {});
    }
    if (action.sql?.includes('ROLE made') === true) await db.sql({ sql: 'DROP ROLE IF EXISTS made, other' });
    for (const branch of worlds.toReversed()) await db.discard({ branch, cascade: true }).catch(() => {});
  }

  /** `y`, `.` for a refusal, or another code. A refusal leaves nothing in the log. */
  async outcome(work: () => Promise<string | null>): Promise<string> {
    const { head } = this;
    const code = await work();
    if (code === null) return 'y';
    if (code !== '42501') return code;
    return this.head === head ? '.' : 'half';
  }

  async close(): Promise<void> {
    await this.db.close();
  }
}

/** What the table says: action → identity → cell. */
export function readMatrix(): Map<string, Map<string, string>> {
  const [head, ...lines] = readFileSync(MATRIX, 'utf8').trimEnd().split('\n');
  const names = head.trim().split(/\s+/);
  return new Map(
    lines.map((line) => [
      line.slice(0, 42).trim(),
      new Map(
        line
          .slice(42)
          .trim()
          .split(/\s+/)
          .map((cell, i) => [names[i], cell]),
      ),
    ]),
  );
}

export function matrixText(names: readonly string[], rows: readonly { name: string; cells: readonly string[] }[]): string {
  const line = (name: string, cells: readonly string[]): string => `${name.padEnd(42)}${cells.map((cell) => cell.padEnd(7)).join('')}`.trimEnd();
  return `${[line('', names), ...rows.map(({ name, cells }) => line(name, cells))].join('\n')}\n`;
}
