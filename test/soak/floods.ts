/**
 * Clients that send without end beside one who only wants `SELECT 1` answered. The server is the real one, in a process of its own, so that its
 * memory is its own and the client's work delays no answer.
 *
 *     hostile ── messages in any order, any pieces ──► server ◄── SELECT 1, again and again ── prober
 *     reads all, none, slowly, or leaves                          longest answer, in milliseconds
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../wire/fuzz.ts';
import { bind, close, describe, execute, FLUSH, frame, parse, startup, SYNC, WireClient } from '../wire/wire-client.ts';

export const READERS = ['all', 'none', 'slow', 'leaves'] as const;
export type Reader = (typeof READERS)[number];

export class FloodedServer {
  readonly port: number;
  readonly http: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  static async start(
    main: string,
    environment: Record<string, string> = {},
    nodeOptions: readonly string[] = [],
    at?: string,
    more: readonly string[] = [],
  ): Promise<FloodedServer> {
    const folder = at ?? (await mkdtemp(join(tmpdir(), 'svc-flood-')));
    const args = [...nodeOptions, main, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0', ...more];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', process.env['FLOOD_LOG'] === undefined ? 'ignore' : 'inherit'],
      env: { ...process.env, ...environment },
    });
    let text = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const port = /psql -h \S+ -p (\d+)/.exec(text)?.[1];
      const http = /https?:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined && http !== undefined) return new FloodedServer(Number(port), Number(http), child, folder);
    }
    throw new Error(`the server did not start: ${text}`);
  }

  constructor(port: number, http: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.http = http;
    this.#child = child;
    this.#folder = folder;
    child.stdout!.resume();
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has in memory; 0 where the system does not say. */
  get residentBytes(): number {
    try {
      const pages = readFileSync(`/proc/${this.#child.pid}/statm`, 'latin1').split(' ')[1];
      return Number(pages) * 4096;
    } catch {
      return 0;
    }
  }

  /** At once, as an operator or a system out of memory does; the folder stays. */
  async kill(): Promise<void> {
    if (!this.alive) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async stop(): Promise<void> {
    if (this.alive) {
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), 8000);
      await once(this.#child, 'exit');
      clearTimeout(timer);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Asks `SELECT 1` again and again, and notes the longest wait and the most memory that the server had meanwhile. */
export class Prober {
  longestMs = 0;
  answers = 0;
  mostBytes = 0;
  readonly #client: WireClient;
  readonly #server: FloodedServer;
  #over = false;
  #done: Promise<void> = Promise.resolve();

  static async start(server: FloodedServer): Promise<Prober> {
    const client = await WireClient.login(server.port, { application_name: 'prober' });
    client.patience = 30_000;
    const prober = new Prober(client, server);
    prober.#done = prober.#ask();
    return prober;
  }

  private constructor(client: WireClient, server: FloodedServer) {
    this.#client = client;
    this.#server = server;
  }

  async #ask(): Promise<void> {
    while (!this.#over) {
      const begunMs = performance.now();
      await this.#client.query('SELECT 1');
      this.longestMs = Math.max(this.longestMs, performance.now() - begunMs);
      this.answers++;
      if ((this.answers & 15) === 0) this.mostBytes = Math.max(this.mostBytes, this.#server.residentBytes);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async stop(): Promise<this> {
    this.#over = true;
    await this.#done;
    this.#client.quit();
    return this;
  }
}

/** Messages that a client sends: a head, one unit many times, a tail. `replies`: how many ReadyForQuery it must get. */
export interface Flood {
  readonly name: string;
  readonly head: Buffer;
  readonly unit: Buffer;
  readonly count: number;
  readonly tail: Buffer;
  readonly replies: number;
}

interface Shape {
  readonly head?: Buffer;
  readonly tail?: Buffer;
  /** ReadyForQuery messages of one unit. */
  readonly each?: number;
  readonly replies?: number;
}

const NOTHING: Buffer = Buffer.alloc(0);
const query = (text: string): Buffer => frame('Q', text);

function flood(name: string, unit: Buffer, count: number, { head = NOTHING, tail = NOTHING, each = 0, replies }: Shape = {}): Flood {
  return { name, head, unit, count, tail, replies: replies ?? count * each };
}

const INSERT = parse('put', 'INSERT INTO flooded (v) VALUES ($1)');
const ONE = parse('one', 'SELECT 1');

/** What drivers' batches send, and what only a hostile client does. */
export const FLOODS: readonly Flood[] = [
  flood('Bind and Execute of an INSERT, one Sync', Buffer.concat([bind('', 'put', ['x']), execute('')]), 200_000, { head: INSERT, tail: SYNC, replies: 1 }),
  flood('simple queries', query('select 1'), 200_000, { each: 1 }),
  flood('Sync', SYNC, 1_000_000, { each: 1 }),
  flood('Bind, Execute and Sync of a SELECT', Buffer.concat([bind('', 'one', []), execute(''), SYNC]), 60_000, { head: ONE, each: 1 }),
  flood('Bind, Execute and Flush', Buffer.concat([bind('', 'one', []), execute(''), FLUSH]), 60_000, { head: ONE, tail: SYNC, replies: 1 }),
  flood('Parse of texts', Buffer.concat([parse('', 'SELECT 1, $1::int'), describe('S', '')]), 20_000, { tail: SYNC, replies: 1 }),
  flood('Describe', describe('S', 'one'), 200_000, { head: ONE, tail: SYNC, replies: 1 }),
  flood('Close of what is not there', close('P', 'nothing'), 400_000, { tail: SYNC, replies: 1 }),
  flood('Flush', FLUSH, 400_000, { tail: SYNC, replies: 1 }),
  flood('statements that are no queries', query('SHOW application_name'), 60_000, { each: 1 }),
  flood('lists of statements', query('BEGIN; SELECT 1; COMMIT'), 30_000, { each: 1 }),
  flood('empty queries', query(''), 200_000, { each: 1 }),
  flood('errors', query('SELECT nothing'), 20_000, { each: 1 }),
  flood('errors of extended queries', Buffer.concat([bind('', 'absent', []), execute(''), SYNC]), 60_000, { each: 1 }),
  flood('SET and its ParameterStatus', query("SET application_name = 'a'; SET application_name = 'b'"), 20_000, { each: 1 }),
  flood('LISTEN and NOTIFY', query("LISTEN l; NOTIFY l, 'told'"), 10_000, { each: 1 }),
  flood('notices', query("DO $$ BEGIN RAISE NOTICE 'told'; END $$"), 10_000, { each: 1 }),
  flood('skipped messages', execute(''), 400_000, { head: bind('', 'absent', []), tail: SYNC, replies: 1 }),
  flood('rows of kilobytes', query("SELECT repeat('x', 2000) FROM generate_series(1, 50)"), 4_000, { each: 1 }),
];

/** The bytes of a flood, in pieces of about a quarter of a megabyte. */
export function* piecesOf({ head, unit, count, tail }: Flood): Generator<Buffer> {
  if (head.length > 0) yield head;
  const some = Math.max(1, Math.floor(262_144 / unit.length));
  const many = Buffer.concat(new Array<Buffer>(some).fill(unit));
  for (let left = count; left > 0; left -= some) yield left >= some ? many : many.subarray(0, left * unit.length);
  if (tail.length > 0) yield tail;
}

export interface Flooded {
  /** ReadyForQuery messages that came, that of the login left out. */
  readonly replies: number;
  /** All was sent. */
  readonly sent: boolean;
}

/** Logs in and sends the pieces, for so long at most. Who reads all waits for `replies`; who leaves does so in the middle. */
export async function sendFlood(
  port: number,
  pieces: Iterable<Buffer>,
  reader: Reader,
  { replies, forMs }: { replies: number; forMs: number },
): Promise<Flooded> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  let closed = false;
  socket.on('close', () => {
    closed = true;
  });
  socket.write(startup({ user: 'hostile', database: 'main' }));
  const counter = new ReadyCounter();
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      counter.take(chunk);
      if (counter.count > 0) resolve();
    });
    socket.once('close', () => resolve());
  });
  counter.count = 0;
  let slowly: NodeJS.Timeout | undefined;
  if (reader === 'none' || reader === 'slow') socket.pause();
  if (reader === 'slow') slowly = setInterval(() => socket.read(16_384), 10);
  const untilMs = performance.now() + forMs;
  const timeLeft = (): boolean => performance.now() < untilMs;
  let sent = true;
  for (const piece of pieces) {
    if (closed || !timeLeft() || (reader === 'leaves' && performance.now() > untilMs - forMs / 2)) {
      sent = false;
      break;
    }
    if (!socket.write(piece)) await drained(socket, untilMs);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  if (reader === 'all') while (!closed && counter.count < replies && timeLeft()) await new Promise((resolve) => setTimeout(resolve, 5));
  else if (reader !== 'leaves') while (!closed && timeLeft()) await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(slowly);
  socket.destroy();
  return { replies: counter.count, sent };
}

async function drained(socket: Socket, untilMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let done: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    done = resolve;
    timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()));
    socket.once('drain', resolve);
    socket.once('close', resolve);
  });
  clearTimeout(timer);
  socket.off('drain', done!);
  socket.off('close', done!);
}

/** Counts messages Z in a stream without keeping it. */
class ReadyCounter {
  count = 0;
  #skip = 0;
  #head: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, chunk.length - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      if (this.#head.length === 0 && chunk.length - at >= 5) {
        if (chunk[at] === 90) this.count++;
        this.#skip = chunk.readInt32BE(at + 1) + 1;
        continue;
      }
      const wanted = 5 - this.#head.length;
      this.#head = Buffer.concat([this.#head, chunk.subarray(at, at + wanted)]);
      at += wanted;
      if (this.#head.length < 5) return;
      if (this.#head[0] === 90) this.count++;
      this.#skip = this.#head.readInt32BE(1) - 4;
      this.#head = Buffer.alloc(0);
    }
  }
}

/** Messages in any order, some of them damaged, in pieces of any size: the whole of it follows from the seed. */
export function* randomPieces(seed: number): Generator<Buffer> {
  const random = seededRandom(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const texts = [
    'SELECT 1',
    'INSERT INTO flooded (v) VALUES ($1)',
    "INSERT INTO flooded (v) VALUES ('x') RETURNING *",
    'SELECT g FROM generate_series(1, 500) g',
    "SELECT repeat('x', 10000) FROM generate_series(1, 20)",
    'BEGIN',
    'COMMIT',
    'ROLLBACK',
    'COPY flooded (v) FROM STDIN',
    'COPY (SELECT g FROM generate_series(1, 300) g) TO STDOUT',
    'LISTEN l',
    "NOTIFY l, 'told'",
    'SHOW application_name',
    'SELECT nothing',
    '',
    'DECLARE c CURSOR FOR SELECT g FROM generate_series(1, 1000) g',
    'FETCH 10 FROM c',
  ];
  const names = ['', 'a', 'b'];
  const one = (): Buffer => {
    switch (Math.floor(random() * 14)) {
      case 0:
      case 1:
        return query(any(texts));
      case 2:
        return parse(any(names), any(texts));
      case 3:
      case 4:
        return bind(any(names), any(names), any([[], ['1']]));
      case 5:
        return describe(any(['S', 'P'] as const), any(names));
      case 6:
      case 7:
        return execute(any(names), any([0, 1, 50]));
      case 8:
        return close(any(['S', 'P'] as const), any(names));
      case 9:
        return FLUSH;
      case 10:
        return frame('d', Buffer.from('1\n2\n'.repeat(1 + Math.floor(random() * 200))));
      case 11:
        return random() < 0.6 ? frame('c') : frame('f', 'no');
      default:
        return SYNC;
    }
  };
  for (;;) {
    // A few kinds of messages, many times: then a spell of others.
    const few = Array.from({ length: 1 + Math.floor(random() * 6) }, one);
    const some = Buffer.concat(Array.from({ length: 200 + Math.floor(random() * 3000) }, () => any(few)));
    // One spell in forty goes wrong somewhere; the connection may end then.
    if (random() < 1 / 40) some[Math.floor(random() * some.length)] = Math.floor(random() * 256);
    for (let at = 0; at < some.length;) {
      const size = random() < 0.5 ? some.length : 1 + Math.floor(random() * 5000);
      yield some.subarray(at, at + size);
      at += size;
    }
  }
}
