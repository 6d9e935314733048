/**
 * lo_import and lo_export: server files, under the rules of COPY. Functions run to their end in one turn, file I/O does not: a call
 * whose file is not loaded yet stops its statement, which waits for the I/O and is retried, as with pg_sleep.
 */
import { constants, open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { LIMITS } from '../../base/limits.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';
import type { LargeObjectPages } from '../schema/large-object-pages.ts';
import { fileFailure, mayReachFiles, mustUseFiles } from './server-files.ts';
import type { SqlSession } from './sql-session.ts';

const CHUNK_BYTES = 256 * 1024;
/** Files of one path that a statement may write. */
const EXPORTS_MAX = 8;

export class FileTransfer extends RetryStatement {
  readonly key: string;
  readonly run: (checkCancel: () => void) => Promise<string>;

  constructor(key: string, run: FileTransfer['run']) {
    super();
    this.key = key;
    this.run = run;
  }
}

/** Results of the file transfers that the current statement has waited for. */
export class FileTransfers {
  readonly #done = new Map<string, string>();
  /** Number of writes by path for the statement. */
  readonly #exports = new Map<string, number>();

  /** A new statement begins (not a retry). */
  begin(): void {
    if (this.#done.size > 0) this.#done.clear();
    if (this.#exports.size > 0) this.#exports.clear();
  }

  /** 0A000 if each retry of the statement changes the object, so that it would write the file forever. */
  exporting(key: string, path: string): void {
    if (this.#done.has(key)) return;
    const count = (this.#exports.get(path) ?? 0) + 1;
    this.#exports.set(path, count);
    if (count <= EXPORTS_MAX) return;
    throw new SvcError('0A000', 'lo_export of an object that the same statement makes is not supported', {
      hint: 'Make the object in a statement of its own, and export it in the next.',
    });
  }

  take(key: string, run: FileTransfer['run']): string {
    const done = this.#done.get(key);
    if (done === undefined) throw new FileTransfer(key, run);
    return done;
  }

  async wait({ key, run }: FileTransfer, checkCancel: () => void): Promise<void> {
    this.#done.set(key, await run(checkCancel));
  }
}

function mayTransfer(session: SqlSession, name: string, reads: boolean): void {
  mustUseFiles(session, reads, () => new SvcError('42501', `permission denied for function ${name}`));
  mayReachFiles(session, `${name} to or from a file of the server`);
}

/** The file's bytes. 54000 for more than may be held at once. */
export function importFile(session: SqlSession, path: string): string {
  mayTransfer(session, 'lo_import', true);
  return session.files.take(`import ${path}`, async (checkCancel) => {
    const file = await open(path, constants.O_RDONLY).catch((error) => failed('open', path, error));
    try {
      const parts: Buffer[] = [];
      let bytes = 0;
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES).catch((error) => failed('read', path, error));
        if (bytesRead === 0) return Buffer.concat(parts).latin1Slice();
        bytes += bytesRead;
        if (bytes > LIMITS.importedFileBytesMax)
          throw new SvcError('54000', `server file "${path}" is too large to be imported at once`, {
            detail: `At most ${LIMITS.importedFileBytesMax} bytes are; lowrite() takes more, piece by piece.`,
          });
        parts.push(buffer.subarray(0, bytesRead));
        checkCancel();
      }
    } finally {
      await file.close();
    }
  });
}

/** `pages` finds the object and checks the right to read it, as the statement sees it. */
export function exportFile(session: SqlSession, oid: number, path: string, pages: () => LargeObjectPages): void {
  mayTransfer(session, 'lo_export', false);
  if (!isAbsolute(path)) throw new SvcError('42602', 'relative path not allowed for lo_export to file');
  const found = pages();
  // An export after a change is another file.
  const key = `export ${oid} ${session.begin().own.length} ${path}`;
  session.files.exporting(key, path);
  session.files.take(key, async (checkCancel) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
    const file = await open(path, flags, 0o644).catch((error) => failed('create', path, error));
    try {
      const { bytes } = found;
      for (let at = 0; at < bytes; at += CHUNK_BYTES) {
        const chunk = found.read(at, CHUNK_BYTES);
        for (let done = 0; done < chunk.length;) done += (await file.write(chunk, done).catch((error) => failed('write', path, error))).bytesWritten;
        checkCancel();
      }
    } finally {
      await file.close();
    }
    return '';
  });
}

function failed(what: string, path: string, error: unknown): never {
  throw fileFailure(error, (words) => `could not ${what} server file "${path}": ${words}`);
}
