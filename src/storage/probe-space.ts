/** Checks that the disk accepts writes by writing, syncing and removing a small file. Rejects with 53100 or 58030. */
import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** Enough for the log to start a segment and for RocksDB to open, so that the repair does not fail at once. */
const PROBE_BYTES = 1024 * 1024;

export async function probeSpace(fs: FileSystem, folder: string): Promise<void> {
  const path = join(folder, 'space.draft');
  const file = fs.open(path, { create: true });
  try {
    file.write(Buffer.alloc(PROBE_BYTES), 0);
    await file.sync();
  } finally {
    file.close();
    fs.remove(path);
  }
}
