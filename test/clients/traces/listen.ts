/** Stands between a client and a server and notes what the client says: one list of statements a connection. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { binaryAsText } from './binary-as-text.ts';
import type { Said } from './trace.ts';

export type Heard = Omit<Said, 'reply'>;

export interface HeardConnection {
  startup: Record<string, string>;
  readonly said: Heard[];
}

export class Listener {
  readonly connections: HeardConnection[] = [];
  readonly #server: Server;

  constructor(target: number) {
    this.#server = createServer((client) => this.#between(client, connect(target, '127.0.0.1')));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  #between(client: Socket, server: Socket): void {
    const ear = new Ear();
    server.pipe(client);
    client.on('data', (chunk: Buffer) => {
      ear.hear(chunk);
      if (ear.connection.said.length > 0 && !this.connections.includes(ear.connection)) this.connections.push(ear.connection);
      server.write(chunk);
    });
    client.on('end', () => server.end());
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
  }
}

/** Reads the frontend's messages. */
class Ear {
  readonly connection: HeardConnection = { startup: {}, said: [] };
  #bytes = Buffer.alloc(0);
  #started = false;
  readonly #statements = new Map<string, { text: string; types: number[] }>();
  readonly #portals = new Map<string, Heard>();

  hear(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const head = this.#started ? 1 : 0;
      if (this.#bytes.length < head + 4) return;
      const length = this.#bytes.readInt32BE(head) + head;
      if (this.#bytes.length < length) return;
      const body = this.#bytes.subarray(head + 4, length);
      if (this.#started) this.#message(String.fromCharCode(this.#bytes[0]), body);
      else this.#startup(body);
      this.#bytes = this.#bytes.subarray(length);
    }
  }

  #startup(body: Buffer): void {
    // Requests for encryption come before.
    if (body.readInt32BE(0) !== 0x30000) return;
    this.#started = true;
    const words = body.toString('utf8', 4).split('\0');
    for (let i = 0; i + 1 < words.length && words[i] !== ''; i += 2)
      if (words[i] !== 'user' && words[i] !== 'database') this.connection.startup[words[i]] = words[i + 1];
  }

  #message(type: string, body: Buffer): void {
    let at = 0;
    const word = (): string => {
      const end = body.indexOf(0, at);
      const out = body.toString('utf8', at, end);
      at = end + 1;
      return out;
    };
    const short = (): number => body.readInt16BE((at += 2) - 2);
    const long = (): number => body.readInt32BE((at += 4) - 4);
    switch (type) {
      case 'Q':
        this.connection.said.push({ text: word() });
        break;
      case 'P': {
        const name = word();
        const text = word();
        this.#statements.set(name, { text, types: Array.from({ length: short() }, long) });
        break;
      }
      case 'B': {
        const portal = word();
        const { text, types } = this.#statements.get(word())!;
        const formats = Array.from({ length: short() }, short);
        const values = Array.from({ length: short() }, (_, i) => {
          const length = long();
          if (length < 0) return null;
          const bytes = body.subarray(at, (at += length));
          return (formats.length === 1 ? formats[0] : formats[i]) === 1 ? binaryAsText(bytes, types[i] ?? 0) : bytes.toString();
        });
        this.#portals.set(portal, { text, types, values });
        break;
      }
      case 'E': {
        const found = this.#portals.get(word());
        if (found !== undefined) this.connection.said.push(found);
        break;
      }
      default:
    }
  }
}
