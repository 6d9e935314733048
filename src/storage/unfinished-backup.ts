/** A backup in progress has a mark in its folder, removed once everything else in it is on disk. */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

export const UNFINISHED_MARK = 'backup.unfinished';

/** 55000 for an incomplete backup: its contents are undefined. */
export function refuseUnfinished(fs: FileSystem, folder: string): void {
  if (!fs.exists(join(folder, UNFINISHED_MARK))) return;
  throw new SvcError('55000', `the folder ${folder} is a backup that was not finished`, { hint: 'Delete it, and back up again.' });
}
