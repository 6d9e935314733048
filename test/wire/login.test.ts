/** The table of logins of the SQL port, row by row, with common clients; and what a refusal reveals. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentState } from '../../src/events/agent.ts';
import { md5Password } from '../../src/identity/md5-password.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { scramVerifier, tokenHash } from '../../src/session/token.ts';
import { type Served, serve } from './open-server.ts';
import { errorOf, frame, startup, WireClient } from './wire-client.ts';

const TOKEN = 'server-token-of-at-least-24';
const ADMIN = 'admin-token-of-at-least-24!';
const AGENT_TOKEN = `svc_${'0123456789abcdef'.repeat(4)}`;

function agent(name: string, token: string, disabled = false): AgentState {
  return {
    id: `a${tokenHash(token).slice(0, 16)}`,
    name,
    tokenHash: tokenHash(token),
    scram: scramVerifier(token, Buffer.alloc(16, 7)),
    can: ['read', 'fork', 'write_own'],
    quotas: { max_worlds: 0, max_changes: 0, writes_per_minute: 0, world_ttl: 0, max_query_ms: 0, max_concurrent: 0, max_memory_mb: 0, max_idle_ms: 0 },
    policy: null,
    disabled,
    created: 0,
  };
}
const AGENTS = [agent('helper', AGENT_TOKEN), agent('idle', `svc_${'f'.repeat(64)}`, true)];
const ROLES = `
  CREATE ROLE ann LOGIN PASSWORD 'ann''s password';
  CREATE ROLE open LOGIN;
  CREATE ROLE team PASSWORD 'team';
  CREATE ROLE late LOGIN PASSWORD 'late' VALID UNTIL '2001-01-01';
  CREATE ROLE one LOGIN PASSWORD 'one' CONNECTION LIMIT 1;
  CREATE ROLE umlaut LOGIN PASSWORD 'pässword';
  GRANT unmask TO ann`;

async function started(secrets: { token?: string; adminToken?: string; safe?: boolean }, tls = false): Promise<Served> {
  const served = await serve({
    identity: { secrets: { token: null, adminToken: null, safe: false, ...secrets }, agents: AGENTS, throttle: new LoginThrottle(1000) },
    ...(tls ? { tls: { cert: fixture('cert.pem'), key: fixture('key.pem') } } : {}),
  });
  await served.database.sql({ sql: ROLES });
  return served;
}

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');
}

/** Who it is, or the code of the refusal. */
async function login(served: Served, user: string, password?: string, config: pg.ClientConfig = {}): Promise<string> {
  const client = new pg.Client({ host: '127.0.0.1', port: served.port, user, password, database: 'main', ...config });
  try {
    await client.connect();
    const { rows } = await client.query<{ who: string; all: string }>("SELECT current_user AS who, current_setting('is_superuser', true) AS all");
    return rows[0].who;
  } catch (error) {
    return (error as pg.DatabaseError).code ?? (error as Error).message;
  } finally {
    await client.end().catch(() => {});
  }
}

const NOTHING_GIVEN = /client password must be a string|28P01/;

describe.each([
  {
    name: 'without a token',
    secrets: {},
    rows: [
      ['anybody', undefined, 'svc'],
      ['anybody', 'whatever', 'svc'],
      ['open', undefined, 'svc'],
      ['helper', AGENT_TOKEN, 'helper'],
      ['helper', 'wrong', '28P01'],
      ['helper', undefined, NOTHING_GIVEN],
      ['idle', `svc_${'f'.repeat(64)}`, '28P01'],
      ['ann', "ann's password", 'ann'],
      ['ann', undefined, NOTHING_GIVEN],
      ['ann', AGENT_TOKEN, '28P01'],
      ['umlaut', 'pässword', 'umlaut'],
      ['umlaut', 'pa\u0308ssword', 'umlaut'],
      ['umlaut', 'password', '28P01'],
      ['team', 'team', '28000'],
      ['team', 'other', '28P01'],
      ['late', 'late', '28P01'],
    ],
  },
  {
    name: 'with a token',
    secrets: { token: TOKEN },
    rows: [
      ['anybody', TOKEN, 'svc'],
      ['svc', TOKEN, 'svc'],
      ['svc', 'wrong', '28P01'],
      ['anybody', 'wrong', '28P01'],
      ['anybody', undefined, NOTHING_GIVEN],
      ['open', TOKEN, '28P01'],
      ['open', '', NOTHING_GIVEN],
      ['helper', AGENT_TOKEN, 'helper'],
      ['helper', TOKEN, '28P01'],
      ['idle', TOKEN, '28P01'],
      ['ann', "ann's password", 'ann'],
      ['ann', TOKEN, '28P01'],
      ['late', TOKEN, '28P01'],
    ],
  },
  {
    name: 'in safe mode',
    secrets: { safe: true },
    rows: [
      ['anybody', undefined, 'guest'],
      ['open', undefined, 'guest'],
      ['helper', AGENT_TOKEN, 'helper'],
      ['helper', undefined, NOTHING_GIVEN],
      ['ann', "ann's password", 'ann'],
    ],
  },
  {
    name: 'in safe mode with a token',
    secrets: { safe: true, token: TOKEN },
    rows: [
      ['anybody', TOKEN, 'guest'],
      ['anybody', 'wrong', '28P01'],
      ['helper', AGENT_TOKEN, 'helper'],
    ],
  },
  {
    name: 'in safe mode with both tokens',
    secrets: { safe: true, token: TOKEN, adminToken: ADMIN },
    rows: [
      ['anybody', TOKEN, 'guest'],
      ['anybody', ADMIN, 'svc'],
      ['svc', TOKEN, 'guest'],
      ['svc', ADMIN, 'svc'],
      ['anybody', 'wrong', '28P01'],
      ['ann', ADMIN, '28P01'],
      ['helper', ADMIN, '28P01'],
    ],
  },
  {
    name: 'in safe mode with an admin token alone',
    secrets: { safe: true, adminToken: ADMIN },
    rows: [
      ['anybody', ADMIN, 'svc'],
      ['anybody', 'whatever', 'guest'],
      ['helper', AGENT_TOKEN, 'helper'],
    ],
  },
] as const)('a server $name', ({ secrets, rows }) => {
  let served: Served;
  beforeAll(async () => {
    served = await started(secrets);
  });
  afterAll(() => served.close());

  // contract: auth.wire.2, auth.wire.3, auth.wire.4, auth.wire.5, auth.wire.6, auth.wire.8, auth.wire.10, auth.wire.15, error.28P01
  test.each(rows.map((row) => [...row]))('%s with password %s is %s', async (user, password, who) => {
    const answer = await login(served, user as string, password as string | undefined);
    if (who instanceof RegExp) expect(answer).toMatch(who);
    else expect(answer).toBe(who);
  });
});

describe('refusals', () => {
  let served: Served;
  beforeAll(async () => {
    served = await started({ token: TOKEN });
  });
  afterAll(() => served.close());

  /** Everything the server says to a client that proves nothing, but for what is fresh in it. */
  async function heard(user: string): Promise<string[]> {
    const client = await WireClient.open(served.port);
    client.socket.write(startup({ user, database: 'main' }));
    const asked = await client.until('R');
    const first = Buffer.from('n,,n=,r=clientnonce');
    client.socket.write(frame('p', 'SCRAM-SHA-256', first.length, first));
    const challenge = (await client.until('R')).at(-1)!.body.toString('utf8', 4);
    const [nonce, salt, iterations] = challenge.split(',');
    client.socket.write(frame('p', Buffer.from(`c=biws,${nonce},p=${Buffer.alloc(32).toString('base64')}`)));
    const error = errorOf(await client.end());
    expect(Buffer.from(salt.slice(2), 'base64')).toHaveLength(16);
    return [asked.at(-1)!.body.toString('latin1'), salt, iterations, error['C'], error['M'].replace(user, 'X')];
  }

  // contract: auth.wire.12, auth.wire.9
  test('reveal no existing names, and each name has one salt', async () => {
    const [known, unknown, agents, roleless] = await Promise.all(['ann', 'nobody', 'helper', 'open'].map(heard));
    for (const other of [unknown, agents, roleless]) expect([other[0], ...other.slice(2)]).toEqual([known[0], ...known.slice(2)]);
    expect(new Set([known[1], unknown[1], agents[1], roleless[1]]).size).toBe(4);
    expect(await heard('nobody')).toEqual(unknown);
    expect(await heard('ann')).toEqual(known);
    expect(unknown.slice(3)).toEqual(['28P01', 'password authentication failed for user "X"']);
  });

  test('take as long for names that are there as for those that are not', async () => {
    const times: Record<string, number[]> = { ann: [], nobody: [], helper: [] };
    for (let i = 0; i < 30; i++) {
      for (const user of Object.keys(times)) {
        const begun = performance.now();
        await heard(user);
        times[user].push(performance.now() - begun);
      }
    }
    // The minimum: other work of the machine only adds.
    const [ann, nobody, helper] = [times.ann, times.nobody, times.helper].map((each) => Math.min(...each));
    // Without the work of a verifier for each name they differ by a factor of two or three.
    for (const other of [nobody, helper]) expect(Math.max(ann, other) / Math.min(ann, other)).toBeLessThan(1.7);
  });

  // contract: auth.wire.1
  test('an unknown database is 3D000, after the password', async () => {
    expect(await login(served, 'anybody', TOKEN, { database: 'nowhere' })).toBe('3D000');
    expect(await login(served, 'anybody', TOKEN, { database: '_tx_1' })).toBe('3D000');
    expect(await login(served, 'anybody', 'wrong', { database: 'nowhere' })).toBe('28P01');
  });

  test('a role has no more sessions than its limit', async () => {
    const first = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'one', password: 'one', database: 'main' });
    await first.connect();
    expect(await login(served, 'one', 'one')).toBe('53300');
    await first.end();
    await expect.poll(() => login(served, 'one', 'one')).toBe('one');
  });

  test('a role that is dropped is refused from its next statement on', async () => {
    await served.database.sql({ sql: "CREATE ROLE brief LOGIN PASSWORD 'x'" });
    const client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'brief', password: 'x', database: 'main' });
    await client.connect();
    await client.query('SELECT 1');
    await served.database.sql({ sql: 'DROP ROLE brief' });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '28000' });
    await client.end();
  });

  test('a session cannot begin as another role than it may become', async () => {
    expect(await login(served, 'ann', "ann's password", { options: '-c role=svc' })).toBe('42501');
    expect(await login(served, 'ann', "ann's password", { options: '-c session_authorization=svc' })).toBe('42501');
    expect(await login(served, 'anybody', TOKEN, { options: '-c role=ann' })).toBe('ann');
  });

  test('what is no password message, or too long, ends the connection', async () => {
    for (const bytes of [frame('Q', 'SELECT 1'), Buffer.concat([frame('p', Buffer.alloc(11_000))]), frame('p', 'SCRAM-SHA-256')]) {
      const client = await WireClient.open(served.port);
      client.socket.write(startup({ user: 'ann', database: 'main' }));
      await client.until('R');
      client.socket.write(bytes);
      expect(errorOf(await client.end())['C']).toBe('08P01');
    }
  });
});

// contract: auth.wire.7, auth.http.12, error.28P01
test('after too many wrong passwords an address waits, with the right one too', async () => {
  let nowMs = 0;
  const served = await serve({ identity: { secrets: { token: TOKEN }, throttle: new LoginThrottle(10, () => nowMs) } });
  try {
    for (let i = 0; i < 10; i++) expect(await login(served, 'anybody', 'wrong')).toBe('28P01');
    const client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'anybody', password: TOKEN, database: 'main' });
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01', message: expect.stringContaining('too many failed logins') as string });
    nowMs += 1000;
    expect(await login(served, 'anybody', TOKEN)).toBe('svc');
    // A success takes nothing back: the next failure waits twice as long.
    expect(await login(served, 'anybody', 'wrong')).toBe('28P01');
    nowMs += 1999;
    expect(await login(served, 'anybody', TOKEN)).toBe('28P01');
    nowMs += 1;
    expect(await login(served, 'anybody', TOKEN)).toBe('svc');
  } finally {
    await served.close();
  }
});

const psqlIsThere = existsSync('/usr/bin/psql');
if (!psqlIsThere) console.warn('SKIPPED: logins by psql need psql in /usr/bin');

describe.skipIf(!psqlIsThere)('psql', () => {
  let plain: Served;
  let encrypted: Served;
  beforeAll(async () => {
    [plain, encrypted] = await Promise.all([started({ token: TOKEN }), started({ token: TOKEN }, true)]);
    await plain.database.sql({ sql: `CREATE ROLE hashed LOGIN PASSWORD '${md5Password('paper', 'hashed')}'` });
  });
  afterAll(() => Promise.all([plain.close(), encrypted.close()]));

  const psql = (served: Served, user: string, password: string, options = ''): Promise<string> =>
    new Promise((resolve) => {
      const target = `host=127.0.0.1 port=${served.port} user=${user} dbname=main ${options}`;
      execFile(
        '/usr/bin/psql',
        [target, '-X', '-t', '-A', '-w', '-c', 'SELECT current_user'],
        { env: { ...process.env, PGPASSWORD: password } },
        (error, out, err) => resolve((error === null ? out : err).trim()),
      );
    });

  test.each([
    ['anybody', TOKEN, 'sslmode=disable', 'svc'],
    ['ann', "ann's password", 'sslmode=prefer', 'ann'],
    ['umlaut', 'pässword', '', 'umlaut'],
    ['umlaut', 'pa\u0308ssword', '', 'umlaut'],
    ['helper', AGENT_TOKEN, '', 'helper'],
  ])('%s logs in without TLS', async (user, password, options, who) => {
    expect(await psql(plain, user, password, options)).toBe(who);
  });

  // contract: auth.wire.9
  test.each([
    ['anybody', TOKEN, 'sslmode=require channel_binding=require', 'svc'],
    ['ann', "ann's password", 'sslmode=require channel_binding=prefer', 'ann'],
    ['helper', AGENT_TOKEN, 'sslmode=require channel_binding=require', 'helper'],
    ['ann', "ann's password", 'sslmode=require channel_binding=disable', 'ann'],
  ])('%s logs in with TLS', async (user, password, options, who) => {
    expect(await psql(encrypted, user, password, options)).toBe(who);
  });

  test('is refused without TLS where the server has it, and with a wrong password', async () => {
    expect(await psql(encrypted, 'ann', "ann's password", 'sslmode=disable')).toContain('encrypted connections only');
    expect(await psql(encrypted, 'ann', 'wrong', 'sslmode=require')).toContain('password authentication failed for user "ann"');
    expect(await psql(plain, 'ann', 'x', 'channel_binding=require')).toContain('channel binding');
  });

  // contract: auth.wire.9
  test('an md5 hash is answered by MD5', async () => {
    expect(await psql(plain, 'hashed', 'paper')).toBe('hashed');
    expect(await psql(plain, 'hashed', 'rock')).toContain('password authentication failed');
  });
});

test('pg_stat_ssl says how each connection is encrypted, to those who may look at it', async () => {
  const served = await started({}, true);
  const connect = async (user: string, password?: string, options = ''): Promise<pg.Client> => {
    const ssl = { rejectUnauthorized: false, ...(options === '' ? {} : { maxVersion: options as 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }) };
    const client = new pg.Client({ host: '127.0.0.1', port: served.port, user, password, database: 'main', ssl });
    await client.connect();
    return client;
  };
  const [owner, ann] = [await connect('anybody', undefined, 'TLSv1.2'), await connect('ann', "ann's password")];
  const shown = async (client: pg.Client): Promise<unknown[]> =>
    (await client.query({ text: 'SELECT ssl, version, cipher, bits, client_dn FROM pg_stat_ssl ORDER BY version', rowMode: 'array' })).rows;
  const old = [true, 'TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256', 128, null];
  const recent = [true, 'TLSv1.3', 'TLS_AES_256_GCM_SHA384', 256, null];
  expect(await shown(owner)).toEqual([old, recent]);
  expect(await shown(ann)).toEqual([recent]);
  const { rows } = await ann.query('SELECT ssl, sslbits, gss_enc FROM pg_stat_get_activity(null) ORDER BY ssl');
  expect(rows).toEqual([
    { ssl: true, sslbits: 256, gss_enc: false },
    { ssl: null, sslbits: null, gss_enc: null },
  ]);
  await Promise.all([owner.end(), ann.end()]);
  await served.close();
});
