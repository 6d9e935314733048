/**
 * Address of the process that has a folder open: a Unix socket in the folder, for the same user only. If the folder's path is
 * too long for a socket address, the socket is in the folder for temporary files, under a name derived from that path.
 */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import { SOCKET_PATH_MAX } from '../base/private-socket.ts';

export function socketPath(folder: string): string {
  const whole = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  const path = join(whole, 'svc.sock');
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX) return path;
  return join(tmpdir(), `svc-${process.getuid?.() ?? 0}-${createHash('sha256').update(whole).digest('hex').slice(0, 24)}.sock`);
}

/** 28000 for a socket created by another user: the folder for temporary files is writable by others. */
export function mustBeOwn(path: string): void {
  const user = process.getuid?.();
  const there = statSync(path, { throwIfNoEntry: false });
  if (user !== undefined && there !== undefined && there.uid !== user)
    throw new SvcError('28000', `${path} is another user's`, { hint: 'Remove it, or open the folder by a shorter path.' });
}
