/** A client that sends raw messages of the wire protocol and keeps every reply, for tests that look at bytes. */
import { connect, type Socket } from 'node:net';

export interface Message {
  readonly type: string;
  readonly body: Buffer;
}

export function frame(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = bytesOf(parts);
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Texts get a zero byte behind them, numbers are 32 bits. */
function bytesOf(parts: readonly (string | number | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : typeof part === 'number' ? int32(part) : part)));
}

export function int32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeInt32BE(value | 0);
  return out;
}

export function int16(value: number): Buffer {
  const out = Buffer.alloc(2);
  out.writeUInt16BE(value & 0xffff);
  return out;
}

export function startup(parameters: Record<string, string>, version = 0x30000): Buffer {
  const body = bytesOf([version, ...Object.entries(parameters).flat(), Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

export const parse = (name: string, sql: string, ...oids: number[]): Buffer => frame('P', name, sql, int16(oids.length), ...oids);
export const describe = (what: 'S' | 'P', name: string): Buffer => frame('D', Buffer.from(what), name);
export const execute = (portal: string, rows = 0): Buffer => frame('E', portal, rows);
export const close = (what: 'S' | 'P', name: string): Buffer => frame('C', Buffer.from(what), name);
export const SYNC = frame('S');
export const FLUSH = frame('H');

/** Values as texts, or bytes for binary ones. */
export function bind(portal: string, statement: string, values: readonly (string | Buffer | null)[], resultFormats: readonly number[] = []): Buffer {
  const formats = values.map((value) => int16(Buffer.isBuffer(value) ? 1 : 0));
  const encoded = values.flatMap((value) => {
    if (value === null) return [int32(-1)];
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
    return [int32(bytes.length), bytes];
  });
  return frame(
    'B',
    portal,
    statement,
    int16(formats.length),
    ...formats,
    int16(values.length),
    ...encoded,
    int16(resultFormats.length),
    ...resultFormats.map(int16),
  );
}

export class WireClient {
  readonly socket: Socket;
  readonly messages: Message[] = [];
  closed = false;
  /** The one-byte answer to a request for encryption comes without a frame. */
  #bytes = Buffer.alloc(0);
  #raw = false;
  #wake: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      if (!this.#raw) this.#read();
      this.#woken();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.#woken();
    });
  }

  /** Types of messages whose bytes are dropped as they come. */
  forgets: ReadonlySet<string> = new Set();
  #dropping = 0;

  /** Milliseconds that it waits for the next message. */
  patience = 10_000;

  static async open(port: number): Promise<WireClient> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new WireClient(socket);
  }

  /** Logged in, ready for queries. */
  static async login(port: number, parameters: Record<string, string> = {}, version?: number): Promise<WireClient> {
    const client = await WireClient.open(port);
    client.socket.write(startup({ user: 'tester', database: 'main', ...parameters }, version));
    await client.until('Z');
    return client;
  }

  #read(): void {
    for (;;) {
      if (this.#dropping > 0) {
        const count = Math.min(this.#dropping, this.#bytes.length);
        this.#dropping -= count;
        this.#bytes = this.#bytes.subarray(count);
      }
      if (this.#bytes.length < 5) return;
      const length = this.#bytes.readInt32BE(1) + 1;
      if (this.forgets.size > 0 && this.forgets.has(String.fromCharCode(this.#bytes[0]))) {
        this.#dropping = length;
        continue;
      }
      if (this.#bytes.length < length) return;
      this.messages.push({ type: String.fromCharCode(this.#bytes[0]), body: Buffer.from(this.#bytes.subarray(5, length)) });
      this.#bytes = this.#bytes.subarray(length);
    }
  }

  #woken(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  async #wait(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#wake.push(resolve)),
      new Promise<void>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing came; so far ${this.messages.map(({ type }) => type).join('')}`)), this.patience);
      }),
    ]).finally(() => clearTimeout(timer));
  }

  send(...messages: Buffer[]): void {
    this.socket.write(Buffer.concat(messages));
  }

  /** One byte that is no message. */
  async answer(request: Buffer): Promise<string> {
    this.#raw = true;
    this.socket.write(request);
    while (this.#bytes.length === 0) await this.#wait();
    const letter = String.fromCharCode(this.#bytes[0]);
    this.#bytes = this.#bytes.subarray(1);
    this.#raw = false;
    return letter;
  }

  /** All messages up to one of the type; they are taken. */
  async until(type: string): Promise<Message[]> {
    for (;;) {
      const at = this.messages.findIndex((message) => message.type === type);
      if (at >= 0) return this.messages.splice(0, at + 1);
      if (this.closed) throw new Error(`the connection was closed after ${this.messages.map((message) => message.type).join('')}`);
      await this.#wait();
    }
  }

  /** Whether one of the type comes before the server is ready for the next query; nothing is taken. */
  async answersWith(type: string): Promise<boolean> {
    for (;;) {
      if (this.messages.some((message) => message.type === type)) return true;
      if (this.closed || this.messages.some((message) => message.type === 'Z')) return false;
      await this.#wait();
    }
  }

  async end(): Promise<Message[]> {
    while (!this.closed) await this.#wait();
    return this.messages.splice(0);
  }

  async query(sql: string): Promise<Message[]> {
    this.send(frame('Q', sql));
    return this.until('Z');
  }

  async run(...messages: Buffer[]): Promise<Message[]> {
    this.send(...messages);
    return this.until('Z');
  }

  quit(): void {
    this.socket.destroy();
  }
}

/** Fields of an error or notice by their letters. */
export function fields({ body }: Message): Record<string, string> {
  const out: Record<string, string> = {};
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const end = body.indexOf(0, at + 1);
    out[String.fromCharCode(body[at])] = body.toString('utf8', at + 1, end);
    at = end + 1;
  }
  return out;
}

/** Values of a DataRow as texts. */
export function row({ body }: Message): (string | null)[] {
  const out: (string | null)[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left--) {
    const length = body.readInt32BE(at);
    at += 4;
    out.push(length < 0 ? null : body.toString('utf8', at, at + length));
    if (length > 0) at += length;
  }
  return out;
}

export const types = (messages: readonly Message[]): string => messages.map(({ type }) => type).join('');
export const text = ({ body }: Message): string => body.toString('utf8', 0, body.indexOf(0));
export const rows = (messages: readonly Message[]): (string | null)[][] => messages.filter(({ type }) => type === 'D').map(row);
export const tags = (messages: readonly Message[]): string[] => messages.filter(({ type }) => type === 'C').map(text);
export function errorOf(messages: readonly Message[]): Record<string, string> {
  const found = messages.find(({ type }) => type === 'E');
  if (found === undefined) throw new Error(`no error among ${types(messages)}`);
  return fields(found);
}
export const status = (messages: readonly Message[]): string => {
  const last = messages.at(-1)!;
  return last.type === 'Z' ? last.body.toString() : `?${last.type}`;
};
