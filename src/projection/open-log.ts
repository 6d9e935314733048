/**
 * Opens the log of a folder and, before changing any byte, compares its end with other evidence of how far it went. A log
 * that ends too early is refused, or (`acceptLoss`) continued as it is; state folded from the lost events is then dropped.
 */
import { join } from 'node:path';
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { listBases, readBase } from '../log/base-file.ts';
import { FolderLog } from '../log/folder-log.ts';
import { forgetExtent, refuseCut } from '../storage/backup-extent.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import { readWatermark, Watermark, WATERMARK_FILE } from '../storage/watermark.ts';
import { acknowledgedIn, lossOf } from './acknowledged.ts';
import { readSuperRoots, type SuperRoot } from './super-root.ts';

export interface LogOpening {
  fs: FileSystem;
  /** The database's folder. */
  folder: string;
  cipher: Cipher | null;
  segmentSizeBytes: number | undefined;
  /** The page cache, which is cleared if it cannot be read. */
  store: PageStore;
  acceptLoss: boolean;
  /** See FolderLogOptions. */
  others: () => number;
  overCeiling: () => boolean;
  say(message: string): void;
}

export interface OpenedLog {
  log: FolderLog;
  /** Acknowledged events that are lost. */
  lost: { from: Sequence; to: Sequence } | null;
  /** The watermark slot to write next. */
  turn: number;
}

export async function openLog({ fs, folder, cipher, segmentSizeBytes, store, acceptLoss, others, overCeiling, say }: LogOpening): Promise<OpenedLog> {
  const logFolder = join(folder, 'log');
  const { mark, damaged, turn } = readWatermark(fs, folder);
  if (damaged) say(`${join(folder, WATERMARK_FILE)} is damaged: it is rewritten`);
  let lost: OpenedLog['lost'] = null;
  const log = await FolderLog.open({
    fs,
    folder: logFolder,
    segmentSizeBytes,
    cipher,
    acceptLoss,
    others,
    overCeiling,
    say,
    admit: async (found) => {
      if (!acceptLoss) refuseCut(fs, folder, found.head);
      const bases = basesOf(fs, logFolder, cipher);
      const known = acknowledgedIn(found, mark, await superRootsOf(store, say), bases);
      const loss = lossOf(found, known);
      if (loss === null) return;
      if (!acceptLoss) throw loss;
      const base = bases.at(-1);
      if (base !== undefined && base.folderId === found.folderId && base.sequence > found.head) {
        throw new SvcError('XX001', `${loss.message}; the rest of it ends before its base, event ${base.sequence}, and cannot be continued from there`, {
          hint: 'Restore the folder from a backup. Nothing was changed.',
        });
      }
      lost = { from: (found.head + 1) as Sequence, to: known.events };
      say(`${loss.message}: continuing from event ${found.head}, as requested`);
      await Watermark.forget(fs, folder);
      await forgetExtent(fs, folder);
    },
  });
  return { log, lost, turn: lost === null ? turn : 0 };
}

async function superRootsOf(store: PageStore, say: (message: string) => void): Promise<SuperRoot[]> {
  try {
    return readSuperRoots(store);
  } catch (error) {
    if (!(error instanceof CacheDamage)) throw error;
    say(`${error.message}: the page cache is thrown away and rebuilt from the log`);
    await store.renew();
    return [];
  }
}

/** Heads of the bases, as far as they are whole: a damaged one is reported when it is needed. */
function basesOf(fs: FileSystem, logFolder: string, cipher: Cipher | null): { sequence: Sequence; folderId: string }[] {
  return listBases(fs, logFolder).flatMap((sequence) => {
    try {
      return [{ sequence, folderId: readBase(fs, logFolder, sequence, cipher).head.folderId }];
    } catch (error) {
      if (error instanceof SvcError && error.code === 'XX001') return [];
      throw error;
    }
  });
}
