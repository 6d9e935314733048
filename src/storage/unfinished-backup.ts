/** A backup that is being written has a mark in its folder, which goes when everything else in it is on disk. */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

export const UNFINISHED_MARK = 'backup.unfinished';

/** 55000 where a folder is a backup that was cut short: it may hold anything. */
export function refuseUnfinished(fs: FileSystem, folder: string): void {
  if (!fs.exists(join(folder, UNFINISHED_MARK))) return;
  throw new SvcError('55000', `the folder ${folder} is a backup that was not finished`, { hint: 'Delete it, and back up again.' });
}
