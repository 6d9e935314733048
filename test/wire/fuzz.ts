/**
 * A fuzzer of the wire protocol. An attack is a list of frames for one connection: sensible ones, then damaged by seeded
 * bit flips, cuts, repetitions, swaps and wrong lengths, and sent in pieces of any size. What fails is shrunk: first
 * frames are left out, then bytes.
 */
import { connect } from 'node:net';
import { bind, close, describe, execute, FLUSH, frame, int16, int32, parse, startup, SYNC } from './wire-client.ts';

export type Attack = readonly Buffer[];

export type Random = () => number;

/** mulberry32 */
export function seededRandom(seed: number): Random {
  let state = (seed * 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const STATEMENTS = [
  'SELECT 1',
  'SELECT $1::int + 1, $2::text',
  "SELECT 'a', NULL, 1.5::numeric, '2024-01-01'::timestamp, '{1,2}'::int[]",
  'SELECT * FROM fuzzed',
  'SELECT g FROM generate_series(1, 3000) g',
  "INSERT INTO fuzzed VALUES (1, 'x'), (2, 'y')",
  'DELETE FROM fuzzed',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'SELECT 1; SELECT 2; SELECT nothing',
  '',
  ';;',
  'COPY fuzzed FROM STDIN',
  'COPY fuzzed TO STDOUT (FORMAT binary)',
  'COPY fuzzed FROM STDIN (FORMAT binary)',
  "SET application_name = 'é'",
  'SHOW application_name',
  'PREPARE p AS SELECT $1::int',
  'EXECUTE p(1)',
  'DECLARE c CURSOR FOR SELECT 1',
  'FETCH c',
  'LISTEN l',
  "NOTIFY l, 'n'",
  'USE WORLD main',
  'SELECT (((',
];
const NAMES = ['', 's', 'p', 'é'];

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)];
}

function bytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 256)));
}

function sensible(random: Random): Buffer {
  const name = (): string => pick(random, NAMES);
  const which = (): 'S' | 'P' => pick(random, ['S', 'P'] as const);
  switch (Math.floor(random() * 15)) {
    case 0:
    case 1:
      return frame('Q', pick(random, STATEMENTS));
    case 2:
    case 3:
      return parse(name(), pick(random, STATEMENTS), ...(random() < 0.3 ? [pick(random, [0, 23, 25, 705, 99999])] : []));
    case 4:
    case 5: {
      const values = Array.from({ length: Math.floor(random() * 3) }, () =>
        pick<string | Buffer | null>(random, ['1', null, 'text', int32(7), bytes(random, 12)]),
      );
      return bind(name(), name(), values, pick(random, [[], [0], [1], [0, 1], [7]]));
    }
    case 6:
      return describe(which(), name());
    case 7:
    case 8:
      return execute(name(), pick(random, [0, 1, 100, -1, 0x7fffffff]));
    case 9:
      return close(which(), name());
    case 10:
      return random() < 0.5 ? FLUSH : SYNC;
    case 11:
      return frame('d', pick(random, [Buffer.from('1\tx\n'), Buffer.from('\\.\n'), Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), bytes(random, 40)]));
    case 12:
      return random() < 0.7 ? frame('c') : frame('f', 'no');
    case 13:
      // now(), lo_creat and int4pl of a binary and a text argument.
      return pick(random, [
        frame('F', int32(1299), int16(0), int16(0), int16(0)),
        frame('F', int32(957), int16(0), int16(1), int32(2), Buffer.from('-1'), int16(1)),
        frame('F', int32(177), int16(2), int16(1), int16(0), int16(2), int32(4), int32(7), int32(1), Buffer.from('5'), int16(1)),
      ]);
    default:
      return SYNC;
  }
}

const TYPED: readonly (readonly [sql: string, values: readonly (string | Buffer | null)[]])[] = [
  ['SELECT $1::int + 1, $2::text', ['1', 'x']],
  ['SELECT $1::int + 1, $2::text', [int32(7), null]],
  ['SELECT g FROM generate_series(1, $1::int) g', ['50']],
  ['INSERT INTO fuzzed VALUES ($1, $2) RETURNING *', ['1', 'y']],
  ['DELETE FROM fuzzed WHERE id = $1', ['1']],
  ['COPY fuzzed FROM STDIN', []],
  ['', []],
];

/** Frames that belong together. */
function conversation(random: Random): Buffer[] {
  switch (Math.floor(random() * 6)) {
    case 0:
      return [frame('Q', 'LISTEN l'), frame('Q', "NOTIFY l, 'n'"), frame('Q', 'SELECT 1')];
    case 1:
      return [
        frame('Q', 'COPY fuzzed FROM STDIN'),
        frame('d', Buffer.from('7\tx\n8\t')),
        frame('d', Buffer.from('y\n')),
        random() < 0.5 ? frame('c') : frame('f', 'no'),
      ];
    default: {
      const name = random() < 0.7 ? '' : `s${Math.floor(random() * 4)}`;
      const [sql, values] = pick(random, TYPED);
      return [
        parse(name, sql),
        describe('S', name),
        bind(name, name, values, pick(random, [[], [0], [1]])),
        describe('P', name),
        execute(name, pick(random, [0, 0, 3])),
        execute(name, 0),
        random() < 0.2 ? close('S', name) : FLUSH,
        SYNC,
      ];
    }
  }
}

function damaged(random: Random, message: Buffer): Buffer {
  const out = Buffer.from(message);
  switch (Math.floor(random() * 7)) {
    case 0:
      for (let n = 1 + Math.floor(random() * 4); n > 0; n--) out[Math.floor(random() * out.length)] ^= 1 << Math.floor(random() * 8);
      return out;
    case 1:
      return out.subarray(0, Math.floor(random() * out.length));
    case 2:
      if (out.length >= 5) out.writeInt32BE(pick(random, [0, 3, 4, -1, out.length + 3, 0x4000000, 0x4000005, 0x3fffffff, 0x7fffffff]), 1);
      return out;
    case 3:
      return Buffer.concat([out, bytes(random, 20)]);
    case 4:
      out[0] = Math.floor(random() * 256);
      return out;
    case 5: {
      const at = Math.floor(random() * out.length);
      return Buffer.concat([out.subarray(0, at), bytes(random, 6), out.subarray(at)]);
    }
    default:
      return bytes(random, 60);
  }
}

/** Frames of a connection that is logged in, or (one in eight) of one that is not. */
export function attackOf(seed: number): Attack {
  const random = seededRandom(seed);
  const login = startup({ user: 'fuzz', database: 'main', options: '-c statement_timeout=300' });
  if (seed % 8 === 0) {
    const first = pick(random, [
      login,
      Buffer.concat([int32(8), int32(80877103)]),
      Buffer.concat([int32(8), int32(80877104)]),
      Buffer.concat([int32(16), int32(80877102), bytes(random, 9)]),
    ]);
    return [damaged(random, first), sensible(random), sensible(random)];
  }
  const rate = pick(random, [0.03, 0.1, 0.4]);
  const messages = Array.from({ length: 1 + Math.floor(random() * 6) }, () => (random() < 0.6 ? conversation(random) : [sensible(random), sensible(random)]))
    .flat()
    .map((message) => (random() < rate ? damaged(random, message) : message));
  for (let n = Math.floor(random() * 3); n > 0; n--) {
    const [from, to] = [0, 0].map(() => Math.floor(random() * messages.length));
    if (random() < 0.5) [messages[from], messages[to]] = [messages[to], messages[from]];
    else messages.splice(to, 0, messages[from]);
  }
  return [login, ...messages];
}

export interface Reply {
  readonly bytes: Buffer;
  /** It was closed by the server in time. */
  readonly ended: boolean;
}

/** Sends the attack in seeded pieces, closes the sending side and waits for the end. */
export async function attack(port: number, frames: Attack, seed: number, waitMs = 10_000): Promise<Reply> {
  const random = seededRandom(seed ^ 0x5bd1e995);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  socket.once('end', () => socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const all = Buffer.concat(frames);
  for (let at = 0; at < all.length && socket.writable;) {
    const size = random() < 0.3 ? all.length : 1 + Math.floor(random() * 40);
    socket.write(all.subarray(at, at + size));
    at += size;
    if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
  }
  if (socket.writable) socket.end();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMs);
  });
  const ended = await Promise.race([closed, late]);
  clearTimeout(timer);
  socket.destroy();
  return { bytes: Buffer.concat(chunks), ended };
}

const REPLIES = 'RSKZTDCEN123nstIGHdcvAWV';

/** What is wrong with the bytes that a server sent, or null. The first may be single letters that answer requests for encryption. */
export function faultOfReply(reply: Buffer, seen?: Set<string>): string | null {
  let at = 0;
  while (at < reply.length && at < 2 && reply[at] === 78 && (at + 5 > reply.length || reply.readInt32BE(at + 1) > 1 << 20)) at++;
  while (at < reply.length) {
    const type = String.fromCharCode(reply[at]);
    if (!REPLIES.includes(type)) return `a message of type ${JSON.stringify(type)} at ${at}`;
    if (at + 5 > reply.length) return 'a message is cut';
    const length = reply.readInt32BE(at + 1);
    if (length < 4 || at + 1 + length > reply.length) return `a message ${type} of ${length} bytes at ${at} of ${reply.length}`;
    seen?.add(type);
    at += 1 + length;
  }
  return null;
}

/** Shrinks an attack that fails to a smaller one that does. */
export async function shrink(failing: Attack, fails: (attack: Attack) => Promise<boolean>, tries = 200): Promise<Attack> {
  let best = failing;
  let left = tries;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && left > 0;) {
      const shorter = [...best.slice(0, at), ...best.slice(at + size)];
      left--;
      if (shorter.length > 0 && (await fails(shorter))) best = shorter;
      else at += size;
    }
  }
  for (let f = 0; f < best.length; f++) {
    for (let size = best[f].length >> 1; size >= 1 && left > 0; size >>= 1) {
      const shorter = [...best.slice(0, f), best[f].subarray(0, best[f].length - size), ...best.slice(f + 1)];
      left--;
      if (await fails(shorter)) best = shorter;
    }
  }
  return best;
}
