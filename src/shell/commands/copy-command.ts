/**
 * `\copy`: COPY with a file on the shell's side: `\copy t FROM 'in.csv' CSV HEADER`, `\copy (SELECT …) TO out.csv`, `PROGRAM
 * 'gzip > out.gz'`, `stdin`, `stdout`.
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { SvcError } from '../../base/errors/svc-error.ts';
import { Scanner, TOKEN } from '../../sql/parse/scanner.ts';
import type { CopyEnds } from '../link/link.ts';
import { UsageError } from './usage-error.ts';

export interface CopyCommand {
  /** As a COPY from STDIN or to STDOUT. */
  readonly sql: string;
  readonly direction: 'from' | 'to';
  readonly place: { readonly kind: 'stream' } | { readonly kind: 'file' | 'program'; readonly text: string };
}

const USAGE = '\\copy TABLE [(COLUMN, …)] | (QUERY)  FROM | TO  FILE | PROGRAM COMMAND | stdin | stdout  [OPTIONS]';

export function parseCopy(text: string): CopyCommand {
  const scanner = new Scanner(text);
  let depth = 0;
  for (let kind = scanner.next(); ; kind = scanner.next()) {
    if (kind === TOKEN.end || kind === TOKEN.unfinished) throw new UsageError('\\copy wants FROM or TO', USAGE);
    if (text[scanner.start] === '(') depth++;
    else if (text[scanner.start] === ')') depth--;
    else if (depth === 0 && kind === TOKEN.word && /^(from|to)$/i.test(scanner.lexeme)) break;
  }
  const direction = scanner.lexeme.toLowerCase() as 'from' | 'to';
  const what = text.slice(0, scanner.start).trim();
  let rest = text.slice(scanner.end).trim();
  const program = /^program\b\s*/i.exec(rest);
  if (program !== null) rest = rest.slice(program[0].length);
  const named = /^'((?:[^']|'')*)'|^\S+/.exec(rest);
  if (named === null || what === '') throw new UsageError(`\\copy wants ${what === '' ? 'a table' : 'a file'}`, USAGE);
  const [whole, quoted] = named;
  const options = rest.slice(whole.length);
  const name = quoted?.replaceAll("''", "'") ?? whole;
  const sql = `COPY ${what} ${direction === 'from' ? 'FROM STDIN' : 'TO STDOUT'}${options}`;
  if (program !== null) return { sql, direction, place: { kind: 'program', text: name } };
  if (quoted === undefined && /^p?std(in|out)$/i.test(name)) return { sql, direction, place: { kind: 'stream' } };
  return { sql, direction, place: { kind: 'file', text: name.replace(/^~(?=\/)/, homedir()) } };
}

/** Opens the file or program in place of typed input. `close` waits until everything is written. */
export async function openPlace({ direction, place }: CopyCommand): Promise<{ ends: CopyEnds; close(): Promise<void> } | null> {
  if (place.kind === 'stream') return null;
  if (place.kind === 'program') {
    const child = spawn('/bin/sh', ['-c', place.text], {
      stdio: [direction === 'to' ? 'pipe' : 'inherit', direction === 'from' ? 'pipe' : 'inherit', 'inherit'],
    });
    const exited = once(child, 'close') as Promise<[number | null]>;
    // Unread output would be lost when the program ends.
    const ends = direction === 'from' ? reading(child.stdout!.pipe(new PassThrough())) : writing(child.stdin!);
    return {
      ends,
      async close() {
        child.stdin?.end();
        child.stdout?.destroy();
        const [code] = await exited;
        if (code !== 0 && code !== null) throw new SvcError('58030', `${place.text}: child process exited with exit code ${code}`);
      },
    };
  }
  try {
    const file = await open(place.text, direction === 'from' ? 'r' : 'w');
    if ((await file.stat()).isDirectory()) {
      await file.close();
      throw Object.assign(new Error(), { code: 'EISDIR' });
    }
    if (direction === 'from') {
      const stream = createReadStream('', { fd: file });
      return { ends: reading(stream), close: async () => void stream.destroy() };
    }
    const stream = createWriteStream('', { fd: file });
    return {
      ends: writing(stream),
      close: () => new Promise((resolve, reject) => stream.end((error?: Error | null) => (error ? reject(fileError(error, place.text)) : resolve()))),
    };
  } catch (error) {
    throw fileError(error, place.text);
  }
}

function reading(stream: Readable): CopyEnds {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    async input() {
      const { done, value } = await chunks.next();
      return done === true ? null : value;
    },
    output: () => Promise.resolve(),
  };
}

function writing(stream: Writable): CopyEnds {
  // A program that stops reading ends the COPY with its own error.
  stream.on('error', () => {});
  return {
    input: () => Promise.resolve(null),
    async output(bytes) {
      if (!stream.destroyed && !stream.write(bytes)) await drained(stream);
    },
  };
}

/** Resolves when the stream accepts more, or is closed. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  ENOSPC: 'No space left on device',
};

export function fileError(error: unknown, path: string): SvcError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new SvcError('58P01', `${path}: ${MESSAGES[code] ?? message}`, { cause: error });
}
