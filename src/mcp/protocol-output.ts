/**
 * stdout as MCP wants it: protocol messages only. Whatever else in the process writes there, a library's console.log or a
 * debug line, goes to stderr from now on.
 */
import { Writable } from 'node:stream';

export function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Buffer, done: (error?: Error | null) => void) => boolean;
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  // A reader that has gone is told by the write's callback.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) });
}
