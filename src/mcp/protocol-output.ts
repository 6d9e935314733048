/** Reserves stdout for MCP messages. Other output of the process, such as a library's console.log, goes to stderr from now on. */
import { Writable } from 'node:stream';

export function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Buffer, done: (error?: Error | null) => void) => boolean;
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  // The write's callback reports a reader that is gone.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) });
}
