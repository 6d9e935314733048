/**
 * The extent of a backup's log. A log that ends early looks like one whose process was killed, which opens up to its last whole
 * record; so a backup records what it must hold, and an incomplete copy is distinguished from a crash. The file stays after later events.
 *
 *   { "version": 1, "events": the number of the last event }
 */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

export const EXTENT_FILE = 'backup.json';
const EXTENT_BYTES_MAX = 4096;

export async function writeExtent(fs: FileSystem, folder: string, events: number): Promise<void> {
  const file = fs.open(join(folder, EXTENT_FILE), { create: true });
  try {
    file.write(Buffer.from(`${JSON.stringify({ version: 1, events })}\n`), 0);
    await file.sync();
  } finally {
    file.close();
  }
}

/** XX001 if the folder is a backup whose log ends too early or is missing. */
export function refuseCut(fs: FileSystem, folder: string, head: number): void {
  const path = join(folder, EXTENT_FILE);
  if (!fs.exists(path)) return;
  const events = eventsIn(fs, path);
  if (events === null) throw new SvcError('XX001', `${path} is damaged`, { hint: 'Take the backup again from where it was copied.' });
  if (head >= events) return;
  throw new SvcError('XX001', `the folder ${folder} is a backup of ${events} events, and its log has ${head}: files are missing or cut short`, {
    hint: 'Take the backup again from where it was copied.',
  });
}

/** After an accepted loss: the folder no longer holds what the file records. */
export async function forgetExtent(fs: FileSystem, folder: string): Promise<void> {
  const path = join(folder, EXTENT_FILE);
  if (!fs.exists(path)) return;
  fs.remove(path);
  await fs.syncFolder(folder);
}

function eventsIn(fs: FileSystem, path: string): number | null {
  const file = fs.open(path, { create: false });
  try {
    const bytes = Buffer.alloc(EXTENT_BYTES_MAX);
    const { version, events } = JSON.parse(bytes.toString('utf8', 0, file.read(bytes, 0))) as { version: unknown; events: unknown };
    return version === 1 && typeof events === 'number' ? events : null;
  } catch {
    return null;
  } finally {
    file.close();
  }
}
