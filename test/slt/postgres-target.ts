/** Any server that speaks the Postgres wire protocol, without a password: `postgres://user@host:port/database`. */
import { connect, type Socket } from 'node:net';
import { PostgresSession } from './postgres-session.ts';
import { type Outcome, SqlFailure, type Target, type Value } from './target.ts';
import { messageLength, readReply, type WireReply } from './wire-reply.ts';
import { frame, simpleQuery } from './wire-request.ts';

const READY = 'Z'.charCodeAt(0);
const COPY_IN = 'G'.charCodeAt(0);

export class PostgresTarget implements Target {
  readonly name: string;
  release = 0;
  readonly #socket: Socket;
  readonly #session: PostgresSession;
  #received: Buffer[] = [];
  #waiting: { resolve: (reply: WireReply) => void; reject: (cause: Error) => void } | null = null;

  private constructor(socket: Socket, name: string) {
    this.name = name;
    this.#socket = socket;
    this.#session = new PostgresSession((message) => this.#exchange(message));
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const lost = (): void => this.#waiting?.reject(new SqlFailure('08006', 'the connection is closed'));
    socket.on('error', lost);
    socket.on('close', lost);
  }

  static async open(address: string): Promise<PostgresTarget> {
    const url = new URL(address);
    const socket = connect(Number(url.port || 5432), url.hostname);
    socket.setNoDelay(true);
    const target = new PostgresTarget(socket, address);
    const reply = await target.#exchange(startup(url.username || 'postgres', url.pathname.slice(1) || 'postgres'));
    if (reply.failure !== null) throw reply.failure;
    const [version] = await target.run('SHOW server_version');
    target.release = Number.parseInt(version.rows[0][0] ?? '', 10);
    return target;
  }

  run(sql: string, params?: readonly Value[]): Promise<Outcome[]> {
    return this.#session.run(sql, params);
  }

  reset(): Promise<void> {
    return this.#session.reset();
  }

  close(): Promise<void> {
    this.#waiting = null;
    return new Promise((resolve) => this.#socket.end(Buffer.from([0x58, 0, 0, 0, 4]), () => resolve()));
  }

  /** Sends COPY data after the statement that asked for it has been written: `text` is the whole of it. */
  async copyIn(statement: string, chunks: Iterable<string>): Promise<void> {
    this.#socket.write(simpleQuery(statement));
    for (const chunk of chunks) {
      if (!this.#socket.write(frame('d', Buffer.from(chunk)))) await new Promise((resolve) => this.#socket.once('drain', resolve));
    }
    const reply = await this.#exchange(frame('c', Buffer.alloc(0)));
    if (reply.failure !== null) throw reply.failure;
  }

  #exchange(message: Uint8Array): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(message);
    });
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    const bytes = Buffer.concat(this.#received);
    this.#received = [bytes];
    let last = 0;
    for (let at = 0, length = messageLength(bytes, 0); length > 0; at += length, length = messageLength(bytes, at)) last = bytes[at];
    // COPY without data would hang the session: refuse it, unless copyIn is about to write it.
    if (last === COPY_IN && this.#waiting !== null) this.#socket.write(frame('f', Buffer.from('no data\0')));
    if (last !== READY || this.#waiting === null) return;
    this.#received = [];
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting.resolve(readReply(bytes));
  }
}

function startup(user: string, database: string): Buffer {
  const body = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const header = Buffer.alloc(8);
  header.writeInt32BE(body.length + 8, 0);
  header.writeInt32BE(196608, 4);
  return Buffer.concat([header, body]);
}
