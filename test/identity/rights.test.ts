/**
 * Who may what: every action by every identity, through calls, statements in calls, and statements in a session as a
 * connection has it. The table is rights-matrix.txt; `UPDATE=1` writes it anew, to be read line by line.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import type { Capability } from '../../src/session/capability.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { GUEST, OWNER, type Principal } from '../../src/session/principal.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { randomFrom } from '../suite/random.ts';
import { type Action, ACTIONS } from './rights-actions.ts';

const MATRIX = join(import.meta.dirname, 'rights-matrix.txt');
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

interface Identity {
  readonly name: string;
  readonly principal: Principal;
  /** Owner of worlds in its place; the own user's are nobody's. */
  readonly maker: Principal;
  readonly token: string | null;
}

let db: Database;
let server: HttpServer;
let base: string;
let past: string;
const identities: Identity[] = [];

beforeAll(async () => {
  db = await open('/db', { fs: new FaultyFileSystem(randomFrom(1)), openStore: async () => new MemoryPageStore(), checkpointMs: 1e8, checkpointLogBytes: 1e9 });
  await db.sql({ sql: `CREATE TABLE typed (id int PRIMARY KEY, name text); INSERT INTO typed VALUES (1, 'a'), (2, 'b'); CREATE SEQUENCE counter` });
  await db.put({ table: 'items', id: 'a', record: { n: 0 } });
  past = `#${db.stats()['log_sequence']}`;
  await db.create_agent({ name: 'someone', can: ['admin'] });
  for (const [name, can] of IDENTITIES) {
    if (can === null) {
      const principal = name === 'owner' ? OWNER : GUEST;
      identities.push({ name, principal, maker: principal, token: name === 'owner' ? ADMIN : null });
      continue;
    }
    const { token } = await db.create_agent({ name, can });
    if (name === 'off') await db.alter_agent({ name, disabled: true });
    const principal = db.directory.byName(name)!;
    const all = { ...principal.agent.state!, can: ['admin'], disabled: false };
    identities.push({
      name,
      principal,
      token,
      maker: { kind: 'agent', agent: { ...principal.agent, name, state: all, usage: principal.agent.usage } as never },
    });
  }
  const identity = new ServerIdentity({ token: null, adminToken: ADMIN, safe: true }, db.directory, new LoginThrottle(1e9));
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), identity, version: 'test' });
  base = await server.listen('127.0.0.1', 0);
});

afterAll(async () => {
  await server.close();
  await db.close();
});

let counter = 0;
let mainVersion = -1;

/** Worlds for one try, and the action's texts with their names. */
async function staged(action: Action, { maker }: Identity): Promise<{ action: Action; names: string[] }> {
  const n = ++counter;
  const text = JSON.stringify(action);
  const wants = (name: string): boolean => text.includes(name);
  const names: string[] = [];
  const someone = db.directory.byName('someone')!;
  const fork = async (name: string, from: string, by: Principal): Promise<void> => {
    await db.fork({ name, from }, OWNER === by ? OWNER : by === GUEST ? { ...MAKER, agent: { ...MAKER.agent, name: 'guest' } } : by);
    names.push(name);
  };
  const isOwnUser = maker === OWNER;
  const MAKER = { kind: 'agent', agent: { id: 'x', name: 'guest', usage: someone.agent.usage, state: { ...someone.agent.state!, can: ['admin'] } } } as const;
  const own = isOwnUser ? OWNER : maker;
  if (wants('$own') || wants('$child')) {
    await fork(`own${n}`, 'main', own);
    await db.put({ branch: `own${n}`, table: 'items', id: 'own', record: { n } });
    await db.checkpoint({ branch: `own${n}`, name: 'first' });
  }
  if (wants('$child') || text.includes('"cascade":true')) {
    if (!wants('$own') && !wants('$child')) await fork(`own${n}`, 'main', own);
    await fork(`child${n}`, `own${n}`, own);
  }
  if (wants('$leaf')) {
    await fork(`leaf${n}`, 'main', own);
    await db.put({ branch: `leaf${n}`, table: 'items', id: 'new', record: { n } });
  }
  if (wants('$lent')) {
    await fork(`lent${n}`, 'main', own);
    await fork(`lentfork${n}`, `lent${n}`, someone);
  }
  if (wants('$other')) {
    await fork(`other${n}`, 'main', someone);
    await db.put({ branch: `other${n}`, table: 'items', id: 'other', record: { n } });
    await db.checkpoint({ branch: `other${n}`, name: 'first' });
  }
  if (wants('"rollback main"')) await db.checkpoint({ name: 'first' }).catch(() => {});
  if (wants('$merged')) {
    await fork(`merged${n}`, 'main', someone);
    await db.put({ branch: `merged${n}`, table: 'items', id: `merged${n}`, record: { n } });
    await db.merge({ branch: `merged${n}` });
  }
  if (wants('$new')) names.push(`new${n}`);
  if (wants('$spare')) await db.create_agent({ name: `spare${n}` });
  const filled = text
    .replaceAll('"mark"', `"mark${n}"`)
    .replaceAll(/\$(own|child|leaf|lent|other|merged|new|spare)/g, (_all, name: string) => `${name}${n}`)
    .replaceAll('$past', past)
    .replaceAll('$now', `#${db.stats()['log_sequence']}`);
  return { action: JSON.parse(filled) as Action, names };
}

/** `y`, `.` for a refusal, or another code. A refusal leaves nothing in the log. */
async function outcome(work: () => Promise<string | null>): Promise<string> {
  const head = db.stats()['log_sequence'];
  const code = await work();
  if (code === null) return 'y';
  if (code !== '42501') return code;
  return db.stats()['log_sequence'] === head ? '.' : 'half';
}

async function called(identity: Identity, op: string, body: unknown): Promise<string | null> {
  const response = await fetch(`${base}/v1/${op}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(identity.token === null ? {} : { Authorization: `Bearer ${identity.token}` }) },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as { error?: { code: string } };
  if (response.status === 401) return '401';
  if (reply.error === undefined) return null;
  expect(response.status === 403, `${op}: ${JSON.stringify(reply.error)}`).toBe(reply.error.code === '42501');
  return reply.error.code;
}

async function inSession(identity: Identity, sql: string, branch: string): Promise<string | null> {
  const session = db.session({ branch, principal: identity.principal });
  try {
    await session.run(sql);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    session.close();
  }
}

/** What changed main is taken back, so that every try meets the same. */
async function tidy(names: readonly string[]): Promise<void> {
  if ((await db.world({})).version !== mainVersion) {
    await db.restore({ at: past });
    mainVersion = (await db.world({})).version;
  }
  for (const name of names.toReversed()) await db.discard({ branch: name, cascade: true }).catch(() => {});
}

async function row(action: Action): Promise<string[]> {
  const cells: string[] = [];
  for (const identity of identities) {
    const results: string[] = [];
    const ways: ((staged: Action) => Promise<string | null>)[] =
      action.sql === undefined
        ? [(each) => called(identity, each.op!, each.body)]
        : [(each) => called(identity, 'sql', { sql: each.sql, branch: each.branch }), (each) => inSession(identity, each.sql!, each.branch!)];
    for (const way of ways) {
      const { action: ready, names } = await staged(action, identity);
      results.push(await outcome(() => way(ready)));
      await tidy(names);
    }
    // The disabled one is not let in by calls; its open session is refused.
    cells.push(results.length === 1 || results[0] === results[1] ? results[0] : results.join('/'));
  }
  return cells;
}

test('every action by every identity gives what the table says', { timeout: 120_000 }, async () => {
  const lines = [`${''.padEnd(42)}${identities.map(({ name }) => name.padEnd(7)).join('')}`.trimEnd()];
  for (const action of ACTIONS) {
    const cells = await row(action);
    lines.push(`${action.name.padEnd(42)}${cells.map((cell) => cell.padEnd(7)).join('')}`.trimEnd());
  }
  const text = `${lines.join('\n')}\n`;
  if (process.env['UPDATE'] === '1' || !existsSync(MATRIX)) writeFileSync(MATRIX, text);
  expect(text).toBe(readFileSync(MATRIX, 'utf8'));
});
