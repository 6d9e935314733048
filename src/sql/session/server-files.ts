/**
 * Server files for COPY, lo_import, lo_export and foreign tables: disabled unless the operator sets SVC_ALLOW_SERVER_COPY=1, then
 * for superusers and members of pg_read_server_files and pg_write_server_files, as in Postgres. Never for agents and the guest,
 * through any statement or function. Files are beyond the world, so only code of the statement's sender reaches them.
 */
import { constants, type FileHandle, open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type ErrorParts, SvcError } from '../../base/errors/svc-error.ts';
import { READ_FILES_ROLE, WRITE_FILES_ROLE } from '../../identity/roles.ts';
import type { Copy } from '../ast/write.ts';
import { BinaryWriter } from '../formats/binary-writer.ts';
import { OUTSIDER } from './authority.ts';
import type { CopyStreams } from './copy.ts';
import type { SqlSession } from './sql-session.ts';

const CHUNK_BYTES = 64 * 1024;

/** 42501 for agents and the guest. */
export function refuseAgents({ authority, code }: SqlSession, more: ErrorParts = {}): void {
  code.mustNotBeLimited('reach files of the server');
  if (authority.login === OUTSIDER) throw new SvcError('42501', 'permission denied: agents reach no files of the server', more);
}

/** 42501 for agents and the guest, and if files are disabled. `what`: the refused action. */
export function mayReachFiles(session: SqlSession, what: string, more: ErrorParts = {}): void {
  refuseAgents(session, more);
  if (process.env['SVC_ALLOW_SERVER_COPY'] === '1') return;
  throw new SvcError('42501', `${what} is not allowed`, { detail: 'The server was started without SVC_ALLOW_SERVER_COPY=1.', ...more });
}

/** `lacking` if the current user is not a member of the reading or writing role; 42501 in code of others, to which the right is not lent. */
export function mustUseFiles({ authority, code }: SqlSession, reads: boolean, lacking: () => SvcError): void {
  if (!authority.superuser && !authority.roles.hasRightsOf(authority.role, reads ? READ_FILES_ROLE : WRITE_FILES_ROLE)) throw lacking();
  code.mustOwnAll('a file of the server');
}

/** 42501 if the session may not. */
export function mayCopyFile(session: SqlSession, { direction, program }: Copy): void {
  const toStream = { hint: "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone." };
  mayReachFiles(session, 'COPY to or from a file of the server', toStream);
  if (program) throw new SvcError('0A000', 'COPY to or from an external program is not supported', toStream);
  const reads = direction === 'from';
  const needed = reads ? 'pg_read_server_files role to COPY from' : 'pg_write_server_files role to COPY to';
  mustUseFiles(session, reads, () => new SvcError('42501', `must be superuser or have privileges of the ${needed} a file`, toStream));
}

/** COPY streams over a file. The caller must close it in any case. */
export async function fileStreams({ direction, file: path }: Copy): Promise<{ streams: CopyStreams; close(): Promise<void> }> {
  if (direction === 'to' && !isAbsolute(path!)) throw new SvcError('42602', 'relative path not allowed for COPY to file');
  const flags = direction === 'from' ? constants.O_RDONLY : constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  let file: FileHandle;
  try {
    file = await open(path!, flags, 0o644);
    if ((await file.stat()).isDirectory()) {
      await file.close();
      throw Object.assign(new Error(), { code: 'EISDIR' });
    }
  } catch (error) {
    throw fileError(error, path!, direction);
  }
  const streams: CopyStreams = {
    input: () => ({
      async next() {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
        return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
      },
    }),
    output: () => {
      const out = new BinaryWriter(CHUNK_BYTES);
      const flush = async (): Promise<void> => {
        const bytes = Buffer.from(out.take());
        for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
      };
      return { out, begin: () => {}, end: () => (out.length < CHUNK_BYTES ? null : flush()), finish: flush };
    },
  };
  return { streams, close: () => file.close() };
}

const MESSAGES: Readonly<Record<string, readonly [code: SvcError['code'], message: string]>> = {
  ENOENT: ['58P01', 'No such file or directory'],
  ENOTDIR: ['58P01', 'Not a directory'],
  EISDIR: ['42809', 'Is a directory'],
  EACCES: ['42501', 'Permission denied'],
  EPERM: ['42501', 'Operation not permitted'],
  EROFS: ['42501', 'Read-only file system'],
  ENOSPC: ['53100', 'No space left on device'],
};

/** A system error in Postgres's words; `message` puts them into a sentence. */
export function fileFailure(error: unknown, message: (words: string) => string, more: ErrorParts = {}): SvcError {
  const { code = '', message: own } = error as NodeJS.ErrnoException;
  const [state, words] = MESSAGES[code] ?? ['58030', own];
  return new SvcError(state, message(words), { ...more, cause: error });
}

export function fileError(error: unknown, path: string, direction: Copy['direction']): SvcError {
  if ((error as NodeJS.ErrnoException).code === 'EISDIR') return new SvcError('42809', `"${path}" is a directory`);
  const what = direction === 'from' ? 'FROM instructs the PostgreSQL server process to read' : 'TO instructs the PostgreSQL server process to write';
  return fileFailure(error, (words) => `could not open file "${path}" for ${direction === 'from' ? 'reading' : 'writing'}: ${words}`, {
    hint: `COPY ${what} a file. You may want a client-side facility such as psql's \\copy.`,
  });
}
