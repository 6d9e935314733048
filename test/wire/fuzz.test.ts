/**
 * For any bytes that a connection sends: the server does not fail, sends only valid messages, reveals nothing of other
 * sessions, and keeps serving. Finds are kept under fixtures/wire and replayed by every run; `FUZZ=<seed>,<count>` tries
 * others.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { type Attack, attack, attackOf, faultOfReply, shrink } from './fuzz.ts';
import { bind, execute, frame, parse, rows, startup, SYNC, WireClient } from './wire-client.ts';

const FINDS = join(import.meta.dirname, '../../fixtures/wire');
const SECRET = 'told-to-nobody-else';
const [SEED, COUNT] = (process.env['FUZZ'] ?? '1,1500').split(',').map(Number);

let served: Served;
/** A session that works all the while. */
let other: WireClient;
let asked = 0;
const seen = new Set<string>();
beforeAll(async () => {
  served = await serve();
  other = await WireClient.login(served.port);
  await other.query('CREATE TABLE fuzzed (id int PRIMARY KEY, v text)');
  await other.run(parse('secret', `SELECT '${SECRET} ' || $1`), SYNC);
});
afterAll(async () => {
  other.quit();
  await served.close();
});

/** What went wrong, or null. */
async function faultOf(frames: Attack, seed: number): Promise<string | null> {
  const question = String(asked++);
  const answer = other.run(bind('', 'secret', [question]), execute(''), SYNC);
  const { bytes, ended } = await attack(served.port, frames, seed);
  if (!ended) return 'the connection did not end';
  const fault = faultOfReply(bytes, seen);
  if (fault !== null) return fault;
  if (bytes.includes(SECRET)) return 'it received a value of another session';
  if (rows(await answer)[0]?.[0] !== `${SECRET} ${question}`) return 'another session got a wrong answer';
  if (served.faults.length > 0) return `a fault of the server: ${String((served.faults.splice(0)[0] as { err?: unknown }).err)}`;
  return null;
}

/** One attack a file: frames behind their lengths. */
function encode(frames: Attack): Buffer {
  return Buffer.concat(
    frames.flatMap((each) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(each.length);
      return [length, each];
    }),
  );
}

function decode(file: Buffer): Attack {
  const frames: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const length = file.readUInt32BE(at);
    frames.push(file.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return frames;
}

test('attacks that once did harm do none', async () => {
  mkdirSync(FINDS, { recursive: true });
  for (const name of readdirSync(FINDS)) {
    const frames = decode(readFileSync(join(FINDS, name)));
    for (let seed = 1; seed <= 3; seed++) expect([name, await faultOf(frames, seed)]).toEqual([name, null]);
  }
});

test(`seeds ${SEED} to ${SEED + COUNT - 1} do no harm`, async () => {
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const frames = attackOf(seed);
    const fault = await faultOf(frames, seed);
    if (fault === null) continue;
    const least = await shrink(frames, async (smaller) => (await faultOf(smaller, seed)) !== null);
    const file = join(FINDS, `seed-${seed}.bin`);
    writeFileSync(file, encode(least));
    throw new Error(`seed ${seed}: ${fault}; kept as ${file}: ${least.map((each) => each.toString('latin1')).join(' | ')}`);
  }
  // It was more than errors that came back.
  expect([...'RSKZTDCE123nstIGHdcAV'].filter((type) => !seen.has(type))).toEqual([]);
  const fresh = await WireClient.login(served.port);
  expect(rows(await fresh.query('SELECT 1'))).toEqual([['1']]);
  fresh.quit();
});

test('frames split at every offset are the same frames', async () => {
  const frames = [
    startup({ user: 'fuzz', database: 'main' }),
    parse('s', 'SELECT $1::int, $2::text'),
    bind('', 's', ['7', 'é']),
    execute(''),
    SYNC,
    frame('Q', 'SELECT 1; SELECT nothing'),
    frame('X'),
  ];
  const all = Buffer.concat(frames);
  const answer = async (pieces: readonly Buffer[]): Promise<string> => {
    const client = await WireClient.open(served.port);
    for (const piece of pieces) {
      client.socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The key of the session differs.
    return (await client.end())
      .filter(({ type }) => type !== 'K')
      .map(({ type, body }) => type + body.toString('latin1'))
      .join('\n');
  };
  const whole = await answer([all]);
  expect(whole).toContain('nothing');
  for (let cut = 1; cut < all.length; cut++) expect(await answer([all.subarray(0, cut), all.subarray(cut)])).toBe(whole);
  expect(await answer(Array.from(all, (_, i) => all.subarray(i, i + 1)))).toBe(whole);
});

test('a server that does harm is found out, and the attack is shrunk', async () => {
  // It answers with nonsense whenever a Bind comes.
  const broken = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (chunk.includes('B\0\0\0')) socket.write('?nonsense');
    });
    socket.on('end', () => socket.end());
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const { port } = broken.address() as { port: number };
  const fails = async (frames: Attack, seed: number): Promise<boolean> => faultOfReply((await attack(port, frames, seed)).bytes) !== null;
  for (let seed = 1; ; seed++) {
    expect(seed).toBeLessThan(100);
    const frames = attackOf(seed);
    if (!(await fails(frames, seed))) continue;
    const least = await shrink(frames, (smaller) => fails(smaller, seed));
    expect(least.length).toBe(1);
    expect(least[0].length).toBeLessThan(40);
    break;
  }
  await new Promise((resolve) => broken.close(resolve));
});
