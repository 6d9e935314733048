/** Connections of an HTTP server, and which of them have a request under way: closing waits for those alone. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  /** All of them, before TLS where there is some. */
  readonly #open = new Set<Socket>();
  /** Those that requests arrive on, and how many of each are under way. */
  readonly #requests = new Map<Socket, number>();

  constructor(server: Server, isTls: boolean) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#requests.set(socket, 0);
      socket.once('close', () => this.#requests.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  #count(socket: Socket, by: number): void {
    const requests = this.#requests.get(socket);
    if (requests !== undefined) this.#requests.set(socket, requests + by);
  }

  /** Those that wait for their next request, their first, or the rest of a request's headers. Node's own leaves the last two. */
  closeIdle(): void {
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroySoon();
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
