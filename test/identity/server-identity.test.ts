/** Whom a credential makes of a client, and the wait after failed logins. */
import { expect, test } from 'vitest';
import type { AgentState } from '../../src/events/agent.ts';
import { AgentDirectory } from '../../src/session/agent-directory.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { describe as nameOf } from '../../src/session/principal.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { agentId, scramVerifier, tokenHash, tokenOf } from '../../src/session/token.ts';

const SERVER = 'server-token-of-24-chars-and-more';
const ADMIN = 'admin-token-of-24-chars-and-more';

const agents = new Map<string, AgentState>();
function agent(name: string, byte: number, disabled = false): string {
  const token = tokenOf(new Uint8Array(32).fill(byte));
  const quotas = { max_worlds: 0, max_changes: 0, writes_per_minute: 0, world_ttl: 0, max_query_ms: 0, max_concurrent: 0, max_memory_mb: 0, max_idle_ms: 0 };
  agents.set(name, { id: agentId(token), name, tokenHash: tokenHash(token), scram: '', can: ['read'], quotas, policy: null, disabled, created: 0 });
  return token;
}
const bot = agent('bot', 1);
const off = agent('off', 2, true);
const dropped = agent('dropped', 3);
agents.delete('dropped');

const states = {
  byName: (name: string): AgentState | null => agents.get(name) ?? null,
  byTokenHash: (hash: string): AgentState | null => [...agents.values()].find((each) => each.tokenHash === hash) ?? null,
};

function open(token: string | null, safe = false, adminToken: string | null = null): ServerIdentity {
  return new ServerIdentity({ token, adminToken, safe }, new AgentDirectory(() => states), new LoginThrottle(1000));
}

// [server token, safe, admin token, header, who or the status and message of the refusal]
const cases: [string | null, boolean, string | null, string | undefined, string][] = [
  [null, false, null, undefined, "the database's own user"],
  [null, true, null, undefined, 'the guest'],
  [SERVER, false, null, undefined, '401 missing token'],
  [SERVER, true, null, undefined, '401 missing token'],
  [SERVER, false, null, `Bearer ${SERVER}`, "the database's own user"],
  [SERVER, true, null, `Bearer ${SERVER}`, 'the guest'],
  [SERVER, true, ADMIN, `Bearer ${ADMIN}`, "the database's own user"],
  [SERVER, true, ADMIN, `Bearer ${SERVER}`, 'the guest'],
  [null, true, ADMIN, `Bearer ${ADMIN}`, "the database's own user"],
  [null, false, null, `Bearer ${bot}`, 'agent "bot"'],
  [SERVER, false, null, `Bearer ${bot}`, 'agent "bot"'],
  [SERVER, true, ADMIN, `Bearer ${bot}`, 'agent "bot"'],
  [null, false, null, `Bearer ${SERVER}`, '401 wrong token'],
  [SERVER, false, null, `Bearer ${SERVER}x`, '401 wrong token'],
  [SERVER, false, null, `Bearer ${off}`, '401 wrong token'],
  [null, false, null, `Bearer ${off}`, '401 wrong token'],
  [SERVER, false, null, `Bearer ${dropped}`, '401 wrong token'],
  [SERVER, false, null, `Bearer  ${SERVER}`, '401 wrong token'],
  [SERVER, false, null, `bearer ${SERVER}`, '401 wrong token'],
  [SERVER, false, null, `Basic ${SERVER}`, '401 wrong token'],
  [SERVER, false, null, '', '401 wrong token'],
];

// contract: service.4, auth.http.1, auth.http.2, auth.http.3, auth.http.4, auth.http.5, error.401
test.each(cases)('server token %s, safe %s, admin token %s, header %s: %s', (token, safe, adminToken, header, expected) => {
  let found: string;
  try {
    found = nameOf(open(token, safe, adminToken).bearer(header, '127.0.0.1'));
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    found = `${status} ${message}`;
  }
  expect(found).toBe(expected);
});

test('an agent is one object, and shows what was changed', () => {
  const directory = new AgentDirectory(() => states);
  const one = directory.byName('bot')!;
  expect(directory.byToken(bot)).toBe(one);
  const before = agents.get('bot')!;
  agents.set('bot', { ...before, disabled: true });
  expect(one.agent.state?.disabled).toBe(true);
  expect(directory.byToken(bot)).toBeNull();
  agents.set('bot', { ...before, id: 'a0123456789abcdef' });
  expect(one.agent.state).toBeNull();
  agents.set('bot', before);
});

function status(work: () => unknown): number {
  try {
    work();
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

// contract: auth.http.12, fixed.11
test('ten tries are free; then the wait doubles from a second to a minute, also for the right token', () => {
  let now = 1000;
  const identity = new ServerIdentity({ token: SERVER, adminToken: null, safe: false }, new AgentDirectory(() => states), new LoginThrottle(10, () => now));
  const wrong = (): number => status(() => identity.bearer('Bearer nonsense', '10.0.0.1'));
  const right = (address = '10.0.0.1'): number => status(() => identity.bearer(`Bearer ${SERVER}`, address));
  for (let i = 0; i < 10; i++) expect(wrong()).toBe(401);
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    expect(right()).toBe(429);
    expect(right('::ffff:10.0.0.1')).toBe(429);
    expect(right('10.0.0.2')).toBe(200);
    const begun = now;
    while (right() === 429) now += 500;
    waits.push(now - begun);
    // The success changed nothing: the next failure waits longer.
    expect(wrong()).toBe(401);
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  now += 15 * 60_000;
  for (let i = 0; i < 9; i++) expect(wrong()).toBe(401);
  expect(right()).toBe(200);
});

test('no token is not a wrong token', () => {
  const identity = new ServerIdentity({ token: SERVER, adminToken: null, safe: false }, new AgentDirectory(() => states), new LoginThrottle(1));
  for (let i = 0; i < 5; i++) expect(status(() => identity.bearer(undefined, '10.0.0.1'))).toBe(401);
  expect(status(() => identity.bearer(`Bearer ${SERVER}`, '10.0.0.1'))).toBe(200);
});

test('the verifier is the one of RFC 7677', () => {
  // The example of section 3: user, password `pencil`.
  const verifier = scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));
  expect(verifier).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});
