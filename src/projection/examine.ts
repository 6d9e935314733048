/** Examines a folder that no process has open, without changing it: file by file, what is whole, damaged or missing, and what can be recovered. */
import { join, relative } from 'node:path';
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { baseName, listBases, readBase } from '../log/base-file.ts';
import { MerkleTree } from '../log/merkle.ts';
import { recordAt } from '../log/record-reader.ts';
import { LogDamage, Segment, segmentName, segmentNames } from '../log/segment.ts';
import { EXTENT_FILE, refuseCut } from '../storage/backup-extent.ts';
import { cacheForReading, cacheKind } from '../storage/cache-folder.ts';
import { Cipher } from '../storage/cipher.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { PageStore } from '../storage/page-store.ts';
import { UNFINISHED_MARK } from '../storage/unfinished-backup.ts';
import { readWatermark, WATERMARK_FILE } from '../storage/watermark.ts';
import { verifyPages } from '../tree/verify.ts';
import { acknowledgedIn, lossOf } from './acknowledged.ts';
import { readSuperRoots, type SuperRoot } from './super-root.ts';

export type State = 'whole' | 'damaged' | 'missing' | 'absent';

export interface Finding {
  /** A file or folder of the database, present or expected. */
  readonly name: string;
  readonly state: State;
  readonly detail: string;
  /** How it can be recovered, if it is not whole. */
  readonly remedy?: string;
}

export interface Examined {
  readonly folder: string;
  readonly whole: boolean;
  /** Number of readable events, and the newest one reachable without a gap. */
  readonly events: number;
  readonly head: number;
  /** The newest event known to have been acknowledged. */
  readonly acknowledged: number;
  readonly findings: readonly Finding[];
}

export interface Examination {
  /** Read-only. */
  fs: FileSystem;
  folder: string;
  /** null: the folder is not encrypted. */
  key: Buffer | null;
  openStore(folder: string): Promise<PageStore>;
  /** Wraps the page store of an encrypted folder. */
  unsealed(store: PageStore): PageStore;
}

const REBUILT = 'the next opening throws the cache away and rebuilds it from the log: nothing is lost';
const RESTORE = 'restore it from a backup';

export async function examine(examination: Examination): Promise<Examined> {
  const { fs, folder, key } = examination;
  const findings: Finding[] = [];
  const cipher = key === null ? null : new Cipher(key, 'log');
  const log = await examineLog(fs, folder, cipher, findings);
  const bases = await examineBases(fs, folder, cipher, log, findings);
  const superRoots = await examineCache(examination, log.folderId, findings);
  const { mark, damaged } = readWatermark(fs, folder);
  if (damaged) findings.push({ name: WATERMARK_FILE, state: 'damaged', detail: 'a slot is not whole', remedy: 'the next opening rewrites it' });
  else if (mark === null) findings.push({ name: WATERMARK_FILE, state: 'absent', detail: 'nothing says here how far the log went' });
  else findings.push({ name: WATERMARK_FILE, state: 'whole', detail: `event ${mark.events}` });
  examineBackup(fs, folder, log.head, findings);
  const known = acknowledgedIn(log, mark, superRoots, bases);
  const loss = lossOf({ head: log.head as Sequence, folderId: log.folderId, tail: log.tail }, known);
  if (loss !== null) {
    const name = relative(folder, log.tail);
    findings.push({
      name,
      state: 'missing',
      detail: loss.message,
      remedy: `${RESTORE}, or open the folder with --accept-loss to continue from event ${log.head}`,
    });
  }
  const whole = findings.every(({ state }) => state === 'whole' || state === 'absent');
  return { folder, whole, events: log.events, head: log.head, acknowledged: Math.max(known.events, log.head), findings };
}

interface ExaminedLog {
  first: number;
  head: number;
  events: number;
  folderId: string;
  tail: string;
}

async function examineLog(fs: FileSystem, folder: string, cipher: Cipher | null, findings: Finding[]): Promise<ExaminedLog> {
  const logFolder = join(folder, 'log');
  const names = segmentNames(fs, logFolder);
  const log: ExaminedLog = { first: 1, head: 0, events: 0, folderId: '', tail: join(logFolder, segmentName(1 as Sequence)) };
  if (names.length === 0) findings.push({ name: 'log', state: 'missing', detail: 'there is no segment', remedy: RESTORE });
  let tree: MerkleTree | null = null;
  let broken = false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const path = join('log', name);
    let segment: Segment | null = null;
    let read = 0;
    try {
      segment = Segment.open(fs, logFolder, name, i === names.length - 1, cipher, true);
      if (segment === null) {
        findings.push({ name: path, state: 'whole', detail: 'was never begun: the next opening creates it' });
        continue;
      }
      if (i === 0) {
        log.first = segment.first;
        log.head = segment.first - 1;
      } else if (segment.first !== log.head + 1 && !broken) {
        findings.push({ name: path, state: 'missing', detail: `events ${log.head + 1} to ${segment.first - 1} are missing before it`, remedy: RESTORE });
        broken = true;
      }
      log.folderId ||= segment.folderId;
      if (segment.folderId !== log.folderId) throw new SvcError('XX001', 'is of another folder');
      const own: MerkleTree = tree ?? new MerkleTree(segment.first - 1, segment.range.slice());
      if (tree !== null && own.root() !== new MerkleTree(segment.first - 1, segment.range.slice()).root()) {
        throw new SvcError('XX001', 'the Merkle head in its header is not that of the records before it');
      }
      for (const frames of segment.rawRecords()) {
        own.appendRecord(frames);
        if (cipher !== null) recordAt(frames, 0, { segment: segment.first, offset: 0 }, cipher);
        read++;
        if ((read & 1023) === 0) await turn();
      }
      segment.checkSealed(own, read);
      tree = own;
      const torn = segment.tornBytes === 0 ? '' : `, and ${segment.tornBytes} bytes of none, which were never acknowledged: the next opening cuts them`;
      findings.push({ name: path, state: 'whole', detail: `events ${segment.first} to ${segment.last}${torn}` });
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      tree = null;
      if (i === 0 && segment === null) {
        log.first = Number(name.slice(0, 16));
        log.head = log.first - 1;
      }
      if (error instanceof LogDamage && read === 0) read = error.whole;
      const from = (segment?.first ?? Number(name.slice(0, 16))) + read;
      findings.push({
        name: path,
        state: 'damaged',
        detail: `${error.message}; ${read === 0 ? 'no event of it can be read' : `events up to ${from - 1} can be read`}`,
        remedy: `${RESTORE}; if the state alone matters, --accept-loss continues from event ${Math.min(log.head + (broken ? 0 : read), from - 1)}`,
      });
      log.tail = join(logFolder, name);
      if (!broken) log.head += read;
      broken = true;
      log.events += read;
      continue;
    } finally {
      segment?.close();
    }
    log.events += read;
    if (!broken) {
      log.head = segment.last;
      log.tail = segment.sealed ? join(logFolder, segmentName((segment.last + 1) as Sequence)) : segment.path;
    }
  }
  return log;
}

async function examineBases(
  fs: FileSystem,
  folder: string,
  cipher: Cipher | null,
  log: ExaminedLog,
  findings: Finding[],
): Promise<{ sequence: Sequence; folderId: string }[]> {
  const logFolder = join(folder, 'log');
  const whole: { sequence: Sequence; folderId: string }[] = [];
  for (const sequence of listBases(fs, logFolder)) {
    const name = join('log', baseName(sequence));
    try {
      const { head, parts } = readBase(fs, logFolder, sequence, cipher);
      let count = 0;
      for (const _ of parts()) if ((++count & 63) === 0) await turn();
      whole.push({ sequence, folderId: head.folderId });
      findings.push({ name, state: 'whole', detail: `the state after event ${sequence}` });
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      findings.push({
        name,
        state: 'damaged',
        detail: error.message,
        remedy: log.first === 1 ? 'the log has all that it holds' : `${RESTORE}; while the page cache is whole, the folder opens without it`,
      });
    }
  }
  if (log.first > 1 && !whole.some(({ sequence }) => sequence >= log.first - 1)) {
    findings.push({ name: 'log', state: 'missing', detail: `the log begins at event ${log.first}, and no whole base has what came before`, remedy: RESTORE });
  }
  return whole;
}

async function examineCache({ fs, folder, openStore, unsealed }: Examination, folderId: string, findings: Finding[]): Promise<SuperRoot[]> {
  const cache = join(folder, 'cache');
  if (!fs.exists(cache) || cacheKind(cache) === null) {
    findings.push({ name: 'cache', state: 'absent', detail: 'there is none: the next opening makes it from the log' });
    return [];
  }
  const copy = cacheForReading(cache);
  let roots: SuperRoot[] = [];
  try {
    const store = unsealed(await openStore(copy.folder));
    try {
      roots = readSuperRoots(store);
      const total = { pages: 0, bytes: 0 };
      const seen = new Set<number>();
      const steps = { count: 0 };
      for (const { page, hash, folder: of } of roots.toReversed()) {
        if (of !== folderId) continue;
        for (const _ of verifyPages(store, page, Buffer.from(hash, 'hex'), total, seen)) if ((++steps.count & 255) === 0) await turn();
      }
      findings.push({ name: 'cache', state: 'whole', detail: `${roots.length} super-roots over ${total.pages} pages` });
      findings.push(undoLog(store));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    findings.push({ name: 'cache', state: 'damaged', detail: error.message.replaceAll(copy.folder, cache), remedy: REBUILT });
  } finally {
    copy.remove();
  }
  return roots;
}

function undoLog(store: PageStore): Finding {
  const heads = store.settings('undo-head/');
  for (const [name, value] of heads) {
    JSON.parse(Buffer.from(value).toString());
    if (store.setting(`undo/${name.slice('undo-head/'.length)}`) === undefined) {
      return { name: 'undo log', state: 'missing', detail: `${name} has no body`, remedy: 'past moments are read from the log: nothing is lost' };
    }
  }
  return { name: 'undo log', state: 'whole', detail: `${heads.length} segments` };
}

function examineBackup(fs: FileSystem, folder: string, head: number, findings: Finding[]): void {
  if (fs.exists(join(folder, UNFINISHED_MARK))) {
    findings.push({ name: UNFINISHED_MARK, state: 'damaged', detail: 'the folder is a backup that was not finished', remedy: 'delete it, and back up again' });
  }
  if (!fs.exists(join(folder, EXTENT_FILE))) return;
  try {
    refuseCut(fs, folder, head);
    findings.push({ name: EXTENT_FILE, state: 'whole', detail: 'the log has every event that the backup took' });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    findings.push({ name: EXTENT_FILE, state: 'damaged', detail: error.message, remedy: error.hint });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
