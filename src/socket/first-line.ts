/** Reads one line from a stream and leaves the rest unread. */
import type { Readable } from 'node:stream';
import { SvcError } from '../base/errors/svc-error.ts';

const LINE_BYTES_MAX = 64 * 1024;

export function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const end = (): void => {
      stream.off('readable', take);
      stream.off('end', ended);
      stream.off('error', failed);
    };
    const take = (): void => {
      for (let chunk = stream.read() as Buffer | null; chunk !== null; chunk = stream.read() as Buffer | null) {
        const at = chunk.indexOf(10);
        if (at >= 0) {
          end();
          if (at + 1 < chunk.length) stream.unshift(chunk.subarray(at + 1));
          parts.push(chunk.subarray(0, at));
          resolve(Buffer.concat(parts).toString('utf8'));
          return;
        }
        bytes += chunk.length;
        parts.push(chunk);
        if (bytes > LINE_BYTES_MAX) {
          end();
          reject(new SvcError('08P01', 'the first line is too long'));
          return;
        }
      }
    };
    const ended = (): void => {
      end();
      reject(new SvcError('08P01', 'the connection ended before its first line'));
    };
    const failed = (error: Error): void => {
      end();
      reject(error);
    };
    stream.on('readable', take);
    stream.on('end', ended);
    stream.on('error', failed);
  });
}
