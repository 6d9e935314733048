/** Connections of an HTTP server and their running requests: closing waits only for those. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  /** All sockets, before TLS. */
  readonly #open = new Set<Socket>();
  /** Sockets that carry requests, with the number of running ones. */
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

  /** Of open connections. */
  get count(): number {
    return this.#open.size;
  }

  #count(socket: Socket, by: number): void {
    const requests = this.#requests.get(socket);
    if (requests !== undefined) this.#requests.set(socket, requests + by);
  }

  /** Closes connections that wait for their first or next request, or for the rest of its headers. Node's closeIdleConnections leaves the last two open. */
  closeIdle(): void {
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroySoon();
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
