/**
 * lo_import and lo_export: files of the server, for whom COPY may have them. Functions run to their end in one turn, files do not: a call that has not
 * had its file yet stops its statement, which waits while the file is read or written and runs again, as one does that sleeps.
 */
import { constants, open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { LIMITS } from '../../base/limits.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { RunAgain } from '../../locks/lock-wait.ts';
import type { LargeObjectPages } from '../schema/large-object-pages.ts';
import { fileFailure, mayReachFiles, mustUseFiles } from './server-files.ts';
import type { SqlSession } from './sql-session.ts';

const CHUNK_BYTES = 256 * 1024;
/** Of files of one path that a statement writes. */
const EXPORTS_MAX = 8;

export class FileTransfer extends RunAgain {
  readonly key: string;
  readonly run: (checkCancel: () => void) => Promise<string>;

  constructor(key: string, run: FileTransfer['run']) {
    super();
    this.key = key;
    this.run = run;
  }
}

/** What files gave that the statement at hand has waited for. */
export class FileTransfers {
  readonly #done = new Map<string, string>();
  /** How often files of a path were written for the statement. */
  readonly #exports = new Map<string, number>();

  /** A statement begins that is not run again. */
  begin(): void {
    if (this.#done.size > 0) this.#done.clear();
    if (this.#exports.size > 0) this.#exports.clear();
  }

  /** 0A000 where the statement makes the object anew each time it runs, and would write it for ever. */
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

/** The file's bytes. 54000 for more than are held at once. */
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

/** `pages` looks for the object, and whether it may be read, as the statement that runs sees it. */
export function exportFile(session: SqlSession, oid: number, path: string, pages: () => LargeObjectPages): void {
  mayTransfer(session, 'lo_export', false);
  if (!isAbsolute(path)) throw new SvcError('42602', 'relative path not allowed for lo_export to file');
  const found = pages();
  // What is exported again after a change is another file.
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
