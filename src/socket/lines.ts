/** Splits a stream into lines. A line over the limit, by default that of an HTTP request, ends the connection. */
import type { Socket } from 'node:net';
import { LIMITS } from '../base/limits.ts';

/** Skips empty lines. */
export function readLines(socket: Socket, onLine: (line: string) => void, bytesMax: number = LIMITS.httpBodyBytesMax): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      const text = Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      from = at + 1;
      if (text !== '') onLine(text);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > bytesMax) socket.destroy();
  });
}
