/** A read-only file system: folders to examine may be on read-only media, or evidence. */
import { violated } from '../base/assert.ts';
import type { FileSystem } from './file-system.ts';

export function readOnlyFiles(fs: FileSystem): FileSystem {
  const refused = (): never => violated('nothing is written where files are only read');
  return {
    makeFolder: refused,
    list: (path) => fs.list(path),
    exists: (path) => fs.exists(path),
    sizeBytes: (path) => fs.sizeBytes(path),
    realPath: (path) => fs.realPath(path),
    open: (path) => fs.open(path, { create: false, readOnly: true }),
    rename: refused,
    remove: refused,
    removeFolder: refused,
    syncFolder: refused,
  };
}
