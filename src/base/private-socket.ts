/** Unix sockets that only the user of the process can connect to (mode 0600). */
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { SvcError } from './errors/svc-error.ts';

/** Maximum length of a Unix socket's address in bytes (`sun_path` of Linux, without the terminating zero). */
export const SOCKET_PATH_MAX = 107;

/** 22023 for a path that is too long, which would be truncated. Removes the socket of a killed process first; the server removes its own when it closes. */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > SOCKET_PATH_MAX) throw new SvcError('22023', `a socket's path has at most ${SOCKET_PATH_MAX} bytes: ${path}`);
  rmSync(path, { force: true });
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    });
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    process.umask(before);
  }
}
