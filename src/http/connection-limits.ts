/** Connections of an HTTP server beyond what it takes: too many, silent ones, and requests that cannot be parsed. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Of Strict-Transport-Security. */
export const ONE_YEAR = 'max-age=31536000';

/** A request that the HTTP parser refuses is answered on the socket. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') endWith(socket, 431, 'Request Header Fields Too Large', 'the request headers are larger than 64 KB');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, 408, 'Request Timeout', 'the request did not arrive in time');
  else endWith(socket, 400, 'Bad Request', `this is not a valid HTTP request: ${error.message}`);
}

/** Time for a refused client to read the reason. */
const LINGER_MS = 1000;

function endWith(socket: Socket, status: number, reason: string, message: string): void {
  const body = JSON.stringify({ error: { message, code: '08P01' } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n${socket instanceof TLSSocket ? `Strict-Transport-Security: ${ONE_YEAR}\r\n` : ''}` +
      `Connection: close\r\n\r\n${body}`,
  );
  // A client that does not close would keep its connection slot. Its further input is discarded meanwhile, since a reset could overtake the answer.
  socket.resume();
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(late));
}

/** A connection whose first request does not begin is idle, too. */
export function closeSilent(server: Server, isTls: boolean, idleMs: number): void {
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const silent = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, idleMs).unref();
    socket.once('close', () => clearTimeout(silent));
  });
}

export function limitConnections(server: Server, most: number, isTls: boolean): void {
  let open = 0;
  server.prependListener('connection', (socket: Socket) => {
    open++;
    socket.once('close', () => open--);
    if (open > most) {
      // The HTTP parser is attached by the next listener and ignores an ended socket. Over TLS the text would be unreadable.
      if (!isTls) endWith(socket, 503, 'Service Unavailable', `there are ${most} connections already; try again later`);
      socket.destroySoon();
    }
  });
}
