/** Where the process that has a folder open is reached: a Unix socket in the folder, for the same user only. */
import { join } from 'node:path';

export function socketPath(folder: string): string {
  return join(folder, 'svc.sock');
}
