/**
 * The newest event that a folder is known to have acknowledged, from evidence outside the log's end: the watermark, super-roots of the page cache, and
 * bases. Each is written only once the events up to it are on disk. A log that ends before it has lost acknowledged events.
 */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FoundLog } from '../log/folder-log.ts';
import type { Mark } from '../storage/watermark.ts';
import type { SuperRoot } from './super-root.ts';

export interface Acknowledged {
  readonly events: Sequence;
  /** Which evidence it comes from. */
  readonly by: string;
}

/** Evidence from another log is ignored; without a log, all of it counts. */
export function acknowledgedIn(
  { folderId }: Pick<FoundLog, 'folderId'>,
  mark: Mark | null,
  superRoots: readonly Pick<SuperRoot, 'sequence' | 'folder'>[],
  bases: readonly { readonly sequence: Sequence; readonly folderId: string }[],
): Acknowledged {
  let newest: Acknowledged = { events: 0 as Sequence, by: '' };
  const note = (folder: string, events: number, by: string): void => {
    if ((folder === folderId || folderId === '') && events > newest.events) newest = { events: events as Sequence, by };
  };
  if (mark !== null) note(mark.folder, mark.events, 'the watermark');
  for (const root of superRoots) note(root.folder, root.sequence, 'the page cache');
  for (const base of bases) note(base.folderId, base.sequence, 'a base of the log');
  return newest;
}

/** The error for a log that ends too early; null if it does not. */
export function lossOf({ head, tail }: FoundLog, { events, by }: Acknowledged): SvcError | null {
  if (events <= head) return null;
  const missing = events === head + 1 ? `event ${events} is` : `events ${head + 1} to ${events} are`;
  return new SvcError('XX001', `the log ends with event ${head}, and ${by} knows of event ${events}: ${missing} missing from ${tail}`, {
    hint: 'Restore the folder from a backup, or open it with --accept-loss (`acceptLoss`) to continue without the lost events. Nothing was changed.',
    data: { missing: { from: head + 1, to: events }, segment: tail },
  });
}
